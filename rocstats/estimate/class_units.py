"""Estimates about several classes from the influence of each case, and the notes on their cases.

All cases (or clusters) are one sample. Of a variance, the cases of each class (the clusters with
the same classes) are a part with its own degrees of freedom; Satterthwaite's rule combines them, as
for two classes. Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.estimate.estimate import Estimate
from rocstats.estimate.influence import (
    df_of_cluster_numbers,
    df_of_mean_of_squares,
    row_frequency,
    satterthwaite,
    small_sample_factor,
)
from rocstats.facts.arrays import FloatArray, IntArray, effective_size, equal_clusters
from rocstats.facts.tolerances import FEW_CASES, FEW_CLUSTERS
from rocstats.study.base import sample_notes
from rocstats.study.cases import ClassCases
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.ordinal import OrdinalSample


class ClassUnits(NamedTuple):
    """Influence of units on k estimates (k x u), and how many times each unit counts.

    Units are the cases of a row, or clusters. ``kind`` numbers the independent samples that they
    are from: the classes, or the sets of classes in clusters. ``size`` is the number of cases of a
    row, or the share of every class that a cluster has, added up.
    """

    influence: FloatArray
    times: FloatArray
    kind: IntArray
    size: FloatArray
    clustered: bool

    def covariance(self) -> FloatArray:
        """Return the covariance of the estimates; NaN for a single unit."""
        return np.asarray(np.einsum("ku,u,lu->kl", self.influence, self.times, self.influence))

    def estimate(self, values: FloatArray, weights: FloatArray) -> Estimate:
        """Return a weighted sum of the estimates, whose values are given."""
        influence = (weights @ self.influence) * np.sqrt(self.times)
        return Estimate(float(weights @ values), influence)

    def df_of_numbers(self, weights: FloatArray) -> float:
        """Return the df of a weighted sum of means, from the numbers of units of each kind."""
        numbers = [
            equal_clusters(size) if self.clustered else float(size.sum())
            for size in (self.size[self.kind == kind] for kind in np.unique(self.kind))
        ]
        return self._df(weights, df_of_cluster_numbers(numbers))

    def df_of_values(self, weights: FloatArray) -> float:
        """Return the df of a weighted sum from its influence values, a few of which may be large.

        They are those of ``df_of_mean_of_squares`` of each kind.
        """
        values = weights @ self.influence
        found = [
            df_of_mean_of_squares(values[self.kind == kind], self.times[self.kind == kind])
            for kind in np.unique(self.kind)
        ]
        return self._df(weights, np.array(found))

    def _df(self, weights: FloatArray, df: FloatArray) -> float:
        squares = self.times * (weights @ self.influence) ** 2
        parts = [squares[self.kind == kind].sum() for kind in np.unique(self.kind)]
        return float(satterthwaite(np.array(parts), df))


def class_units(cases: ClassCases, influence: FloatArray) -> ClassUnits:
    """Return the units of cases, from the influence of a case of each row (k x n).

    Each fold is a sample, with the factor n/(n - 1) of its cases, or of its clusters.
    """
    rows = np.arange(len(cases.class_codes))
    frequency = row_frequency(cases, rows)
    folds = np.zeros(len(rows), dtype=np.intp) if cases.fold is None else cases.fold.codes
    root = np.ones(len(rows))
    for fold in np.unique(folds):
        inside = folds == fold
        n = float(frequency[inside].sum())
        if cases.cluster is not None:
            n = float(len(np.unique(cases.cluster.codes[inside])))
        root[inside] = np.sqrt(small_sample_factor(n))
    return units_of_values(cases, influence * root)


def units_of_values(cases: ClassCases, values: FloatArray) -> ClassUnits:
    """Return the units of cases, whose values (k x n) have their small-sample factor."""
    frequency = row_frequency(cases, np.arange(len(cases.class_codes)))
    if cases.cluster is None:
        return ClassUnits(values, frequency, cases.class_codes, frequency, clustered=False)
    present, unit = np.unique(cases.cluster.codes, return_inverse=True)
    sums = np.array(
        [np.bincount(unit, row * frequency, len(present)) for row in values], dtype=np.float64
    )
    held = np.zeros((cases.n_classes, len(present)))
    np.add.at(held, (cases.class_codes, unit), frequency)
    _, kind = np.unique(held > 0, axis=1, return_inverse=True)
    share = held / np.maximum(cases.n_of, 1.0)[:, np.newaxis]
    return ClassUnits(sums, np.ones(len(present)), kind.ravel(), share.sum(axis=0), clustered=True)


def least_units_of_class(cases: ClassCases) -> float:
    """Return the number of units (cases, or clusters) of the class with the fewest, in any fold."""
    numbers = []
    for _, part in cases.by_fold():
        if part.cluster is None:
            numbers += part.n_of.tolist()
            continue
        pairs = np.unique(np.stack([part.class_codes, part.cluster.codes]), axis=1)
        numbers += np.bincount(pairs[0], minlength=part.n_classes).tolist()
    return float(min(numbers))


def class_notes(
    part: MulticlassSample | OrdinalSample, *own: str, pooled: bool = True
) -> list[str]:
    """Return the notes of rows about all classes; ``pooled`` says that folds were pooled.

    ``own`` are further notes of the question on the cases.
    """
    few = False
    if part.cluster is not None:
        few = effective_size(np.bincount(part.cluster.codes, part.frequency)) < FEW_CLUSTERS
    return [
        *(["pooled-folds"] if pooled and part.fold is not None else []),
        *(["few-cases"] if part.n_of.min() < FEW_CASES else []),
        *own,
        *(["few-clusters"] if few else []),
        *sample_notes(part),
    ]
