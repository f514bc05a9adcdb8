"""Clusters by class: numbers, sizes, and whether one has cases in several folds or parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, effective_size
from rocstats.facts.tolerances import FEW_CLUSTERS
from rocstats.study.cases import ScoredCases
from rocstats.study.summed import SummedCases


def clusters_by_class(cases: ScoredCases) -> IntArray:
    """Return the code of each row's cluster, plus the number of clusters if the row is positive.

    The sample must have clusters.
    """
    # A cluster with both classes has two codes, so that one count gives clusters by class.
    cluster: Factor = cases.cluster  # type: ignore[assignment]
    codes = np.multiply(cases.is_positive, len(cluster.labels), dtype=np.intp)
    codes += cluster.codes
    return codes


def clusters_present(cases: ScoredCases) -> BoolArray:
    """Return whether each cluster (column) has a negative (row 0), and a positive (row 1)."""

    def present() -> BoolArray:
        n_labels = len(cases.cluster.labels)  # type: ignore[union-attr]
        found = np.zeros(2 * n_labels, dtype=bool)
        found[clusters_by_class(cases)] = True
        return found.reshape(2, n_labels)

    return cases.cached("clusters present", present)


def cluster_sizes(cases: ScoredCases) -> FloatArray:
    """Return the numbers of negatives (row 0) and of positives (row 1) of each cluster."""

    def sizes() -> FloatArray:
        n_labels = len(cases.cluster.labels)  # type: ignore[union-attr]
        counts = np.bincount(clusters_by_class(cases), cases.frequency, 2 * n_labels)
        return counts.astype(np.float64).reshape(2, n_labels)

    return cases.cached("cluster sizes", sizes)


def effective_numbers(cases: ScoredCases) -> tuple[float, float]:
    """Return Kish's effective numbers of clusters with a positive, and with a negative.

    They are the numbers of clusters where each has as many cases of the class.
    """
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return cases.sums.effective_numbers()
    of_neg, of_pos = cluster_sizes(cases)
    return effective_size(of_pos), effective_size(of_neg)


def are_few_clusters(cases: ScoredCases) -> bool:
    """Return whether a class has cases in so few clusters, by their effective number, to say so."""
    return cases.cluster is not None and min(effective_numbers(cases)) < FEW_CLUSTERS


def cluster_numbers(cases: ScoredCases) -> tuple[int, int, int]:
    """Return the numbers of clusters with a positive, with a negative, and of all clusters."""
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return cases.sums.cluster_numbers()
    has_neg, has_pos = clusters_present(cases)
    n_pos, n_neg, n = (np.count_nonzero(has) for has in (has_pos, has_neg, has_neg | has_pos))
    return int(n_pos), int(n_neg), int(n)


def clusters_span_folds(cases: ScoredCases) -> bool:
    """Return whether a cluster has rows in several folds; False without clusters or folds."""
    if cases.cluster is None or cases.fold is None:
        return False
    # More pairs of cluster and fold than clusters: some cluster is in two folds.
    pairs = np.unique(np.stack([cases.cluster.codes, cases.fold.codes]), axis=1)
    return bool(pairs.shape[1] > len(cases.cluster.present))


def clusters_span(parts: Sequence[ScoredCases]) -> bool:
    """Return whether a cluster has cases in several of the parts of a sample."""
    present = [part.cluster.present for part in parts if part.cluster is not None]
    if len(present) < 2:
        return False
    together = np.concatenate(present)
    return len(np.unique(together)) < len(together)
