"""Cases of which only sums over the rows are known, since a data engine has read the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from rocstats.sample.arrays import BoolArray, Factor, FloatArray
from rocstats.sample.counts.cases import ScoredCases


class InfluenceSums(NamedTuple):
    """Areas of k predictors, and sums of products of their influence values.

    Units are cases, or clusters. They come in three kinds: with positives only, with negatives
    only, and with both.

    Attributes
    ----------
    area : ndarray of float64, shape (k,)
    n_units : ndarray of float64, shape (3,)
        Number of units of each kind.
    products : ndarray of float64, shape (3, 2 k, 2 k)
        For each kind, the sums over units of the products of 2 k values of a unit: the influence
        of its positives on each area, then that of its negatives.
    unclustered : ndarray of float64, shape (2, k)
        Parts of the positives and of the negatives of the variances that ignore clusters.
    alike : ndarray of bool, shape (k, k)
        Which predictors rank all cases alike.
    binning_error : ndarray of float64, shape (k,)
        Bound on how far each area is from that of all scores; 0 if no cell holds two scores.
    """

    area: FloatArray
    n_units: FloatArray
    products: FloatArray
    unclustered: FloatArray
    alike: BoolArray
    binning_error: FloatArray

    def cluster_numbers(self) -> tuple[int, int, int]:
        """Return the numbers of units with a positive, with a negative, and of all units."""
        pos, neg, both = self.n_units.astype(int).tolist()
        return pos + both, neg + both, pos + neg + both


@dataclass(frozen=True, eq=False, kw_only=True)
class SummedCases(ScoredCases):
    """Cases without rows: their numbers, and the sums that give areas and their covariance."""

    sizes: tuple[float, float]
    sums: InfluenceSums | None

    @property
    def _sizes(self) -> tuple[float, float]:
        return self.sizes

    def _column(self, k: int) -> NoReturn:
        raise ValueError("cases known by sums have no rows")

    @classmethod
    def of(
        cls,
        sizes: tuple[float, float],
        sums: InfluenceSums | None,
        higher_is_positive: tuple[bool, ...],
        *,
        clustered: bool,
    ) -> SummedCases:
        """Return the cases of given sums; None without a class."""
        no_rows: Any = np.empty(0, dtype=np.intp)
        return cls(
            sizes=sizes,
            sums=sums,
            scores=np.empty((len(higher_is_positive), 0)),
            is_positive=np.empty(0, dtype=bool),
            higher_is_positive=higher_is_positive,
            # Without a label: no cluster is known to be in two groups.
            cluster=Factor((), no_rows) if clustered else None,
        )
