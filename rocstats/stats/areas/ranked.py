"""Areas of unweighted cases with DeLong's variance, from ranks: exact sums of whole numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.areas.rank_rows import PlacementRows, placement_rows
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.key_rows import MOST_ROW_CASES
from rocstats.sample.counts.summed import SummedCases
from rocstats.stats.areas.units import units_of
from rocstats.stats.influence.values import small_sample
from rocstats.stats.intervals.area import Area
from rocstats.tolerances import NO_VARIANCE


class Areas(NamedTuple):
    """The fields of ``Area``, an array over predictors each but for the numbers of units."""

    value: FloatArray
    variance: FloatArray
    df: FloatArray
    n_pos: float
    n_neg: float
    n_pairs: float

    def at(self, k: int) -> Area:
        """Return the area of predictor ``k``."""
        numbers = (float(self.value[k]), float(self.variance[k]), float(self.df[k]))
        return Area(*numbers, self.n_pos, self.n_neg, self.n_pairs)

    def take(self, rows: Any) -> Areas:
        """Return the areas of some predictors."""
        return self._replace(value=self.value[rows], variance=self.variance[rows], df=self.df[rows])


def are_ranked(cases: ScoredCases) -> bool:
    """Return whether the areas of cases are made from ranks."""
    if isinstance(cases, SummedCases) or cases.weight is not None or cases.cluster is not None:
        return False
    return len(cases.is_positive) <= MOST_ROW_CASES


def ranked_areas(cases: ScoredCases) -> Areas:
    """Return the areas with DeLong's variance, means over folds if any."""
    folds = [placement_rows(part) for _, part in cases.by_fold()]
    parts = np.array([part for fold in folds for part in _variances(fold)]) / len(folds) ** 2
    df = np.array([size - 1.0 for fold in folds for size in (fold.n_pos, fold.n_neg)])
    variance = parts.sum(axis=0)
    # Satterthwaite's degrees of freedom, infinite where there is no variance.
    below = (parts**2 / df[:, np.newaxis]).sum(axis=0)
    degrees = np.full(len(below), np.inf)
    np.divide(variance**2, below, out=degrees, where=below > 0)
    value = folds[0].area if len(folds) == 1 else np.mean([fold.area for fold in folds], axis=0)
    return Areas(value, np.where(variance <= NO_VARIANCE, 0.0, variance), degrees, *units_of(cases))


def _variances(fold: PlacementRows) -> tuple[FloatArray, FloatArray]:
    """Return the parts of DeLong's variance of the positives and of the negatives."""
    m, n = fold.n_pos, fold.n_neg
    return fold.spread_pos / m * small_sample(m), fold.spread_neg / n * small_sample(n)
