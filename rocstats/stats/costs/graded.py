"""Cases by the number of thresholds that call them positive: all a decision curve depends on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.comparison.paired_shares import Cases


class Graded(NamedTuple):
    """Cases, with the grade of each by one or two predictors.

    The grade is the number of thresholds, from the most lenient to the strictest, that call the
    case positive; threshold ``g`` (from 0) calls the cases of a grade above ``g``.
    """

    cases: Cases
    grades: tuple[IntArray, ...]

    def called(self, g: int, which: int = 0) -> BoolArray:
        """Return which cases are called positive at the ``g``-th threshold."""
        return np.asarray(self.grades[which] > g)


def grade(
    sample: ScoredCases, predictors: Sequence[int], thresholds: Sequence[FloatArray]
) -> Graded:
    """Return the cases by their grades; ``thresholds`` are those of each, lenient ones first.

    Cases of one class and the same grades are one row, with their number; with clusters, rows stay
    cases. A sample weight counts as a number of cases.
    """
    grades = tuple(
        _grades(sample.scores[k], at, higher_is_positive=sample.higher_is_positive[k])
        for k, at in zip(predictors, thresholds, strict=True)
    )
    weight = np.ones(len(sample.is_positive)) if sample.weight is None else sample.weight
    if sample.cluster is not None:
        return Graded(Cases(sample.is_positive, weight, sample.cluster.codes), grades)
    # Ten million cases have some two hundred kinds: the grid decides the work, not the cases.
    shape = (2, *(len(at) + 1 for at in thresholds))
    kind = np.ravel_multi_index((sample.is_positive.astype(np.intp), *grades), shape)
    counted = np.bincount(kind, weights=weight, minlength=int(np.prod(shape)))
    counts = counted.astype(np.float64)
    kept = np.flatnonzero(counts)
    is_positive, *codes = np.unravel_index(kept, shape)
    return Graded(Cases(is_positive.astype(bool), counts[kept], None), tuple(codes))


def _grades(score: FloatArray, at: FloatArray, *, higher_is_positive: bool) -> IntArray:
    sign = 1.0 if higher_is_positive else -1.0
    # A score at a threshold is called positive, as everywhere in the package.
    return np.searchsorted(sign * at, sign * score, side="right")
