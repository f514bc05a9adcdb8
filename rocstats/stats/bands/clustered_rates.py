"""Rates of clustered cases: the variance of a mean rate, and the size that its limits allow for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import CodeArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.tolerances import FEW_CLUSTERS, NO_SPREAD


def clustered_size(
    cases: ScoredCases, variance: FloatArray, size: float, *, positive: bool
) -> tuple[FloatArray | float, list[str]]:
    """Return the size that limits of a rate of one class allow for, with a note on few clusters.

    Without clusters the size is returned as given.
    """
    if cases.cluster is None:
        return size, []
    of_pos, of_neg, _ = cluster_numbers(cases)
    n_clusters = of_pos if positive else of_neg
    # Where clusters do not vary, the cases of one cluster must not count as many.
    sizes = np.where(variance > NO_SPREAD, size, min(float(n_clusters), size))
    return sizes, ["few-clusters"] if n_clusters < FEW_CLUSTERS else []


class ClassRows(NamedTuple):
    """The cases of one class under a curve: place of their score, cluster and frequency.

    At place g the scores before ``vertex[g]`` of the count table are called positive.
    """

    codes: CodeArray
    cluster: IntArray
    frequency: FloatArray
    vertex: IntArray


def clustered_rate_variance(curves: Sequence[ClassRows]) -> FloatArray:
    """Return the variance at each place of the mean over curves of the rate called positive.

    The ratio estimator: influences are summed by cluster over all curves, and the variance is
    I/(I - 1) times the sum of their squares over the I clusters; NaN for one cluster.
    """
    present, codes = np.unique(
        np.concatenate([rows.cluster for rows in curves]), return_inverse=True
    )
    n = len(present)
    factor = n / (n - 1) if n > 1 else np.nan
    variance = np.empty(len(curves[0].vertex))
    for g in range(len(variance)):
        influence = np.concatenate([_influence(rows, g) for rows in curves]) / len(curves)
        # Summed over curves before squaring: a subject of several folds is one unit.
        variance[g] = factor * np.sum(np.bincount(codes, weights=influence, minlength=n) ** 2)
    return variance


def _influence(rows: ClassRows, g: int) -> FloatArray:
    total = rows.frequency.sum()
    called = (rows.codes < rows.vertex[g]).astype(np.float64)
    rate = np.dot(rows.frequency, called) / total
    return np.asarray(rows.frequency * (called - rate) / total)
