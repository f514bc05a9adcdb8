"""Cases of which only sums are known, since a data engine has read the rows.

``SummedCases`` has sizes and sums; ``SummedSample`` is a study of them, by group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np

from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.frame.groups import (
    joined_group_label,
    names_of_group_columns,
    require_distinct_group_labels,
)
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample
from rocstats.study.units import Units, name_of_clusters


class InfluenceSums(NamedTuple):
    """Areas of k predictors, and sums of products of their influence values.

    Units are cases, or clusters. They come in three kinds: with positives only, with negatives
    only, and with both.

    Attributes
    ----------
    area : ndarray of float64, shape (k,)
    n_units : ndarray of float64, shape (3,)
        Number of units of each kind.
    n_equal : ndarray of float64, shape (3,)
        Number of equal units of each kind that have the degrees of freedom of these.
    n_by_class : tuple of float
        Kish's effective numbers of units with a positive, and with a negative.
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
    n_equal: FloatArray
    n_by_class: tuple[float, float]
    products: FloatArray
    unclustered: FloatArray
    alike: BoolArray
    binning_error: FloatArray

    def effective_numbers(self) -> tuple[float, float]:
        """Return Kish's effective numbers of units with a positive, and with a negative."""
        return self.n_by_class

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


class SummedSample(Sample):  # noqa: D101 (made by ``of``; its roles are those of Sample)
    __doc__ = "Predictors on the same cases, of which only sums by group are known."

    parts: tuple[tuple[str, Self], ...]
    summed: SummedCases

    @classmethod
    def of(
        cls,
        predictors: Sequence[str],
        pos_label: Any,
        groups: Sequence[tuple[tuple[str, ...], SummedCases]],
        by: Sequence[str] = (),
    ) -> SummedSample:
        """Return the sample of the cases of each group; of one group () without groups.

        A group has a value in each column of ``by``.
        """
        parts = [
            (joined_group_label(values), cls._of_cases(predictors, pos_label, each))
            for values, each in groups
        ]
        binned = any(each.sums is not None and each.sums.binning_error.any() for _, each in groups)
        ends = {"_bin_end": np.empty(0) if binned else None}
        if not by:
            return cls._of({**parts[0][1].__getstate__(), **ends})
        first = groups[0][1]
        n_pos, n_neg = (sum(each.sizes[side] for _, each in groups) for side in range(2))
        whole = SummedCases.of(
            (n_pos, n_neg), None, first.higher_is_positive, clustered=first.cluster is not None
        )
        sample = cls._of_cases(predictors, pos_label, whole)
        labels = tuple(label for label, _ in parts)
        columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if len(by) > 1:
            require_distinct_group_labels(labels)
            values = zip(*(values for values, _ in groups), strict=True)
            columns = tuple(zip(names_of_group_columns(by), values, strict=True))
        group = Factor(labels, np.arange(len(labels)), columns)
        return cls._of({**sample.__getstate__(), **ends, "group": group, "parts": tuple(parts)})

    @classmethod
    def _of_cases(cls, predictors: Sequence[str], pos_label: Any, cases: SummedCases) -> Self:
        return cls._of(
            {
                "predictors": tuple(predictors),
                "pos_label": pos_label,
                "higher_is_positive": cases.higher_is_positive,
                "is_positive": cases.is_positive,
                "scores": cases.scores,
                "cluster": cases.cluster,
                "parts": (),
                "summed": cases,
            }
        )

    def _units(self) -> Units | None:
        sums, sizes = self.summed.sums, (self.n_pos + self.n_neg, self.n_pos)
        if self.cluster is None or sums is None:
            return None
        with_pos, _, n_units = sums.cluster_numbers()
        if n_units == sizes[0]:
            return None
        counts = (round(sizes[0]), round(sizes[1]))
        return Units(name_of_clusters(""), "rows", ("",), (n_units, with_pos), counts)

    def _part(self, rows: IntArray) -> Self:
        # Each group is one row: sums cannot be split.
        return self.parts[int(rows[0])][1]

    @property
    def all_cases(self) -> SummedCases:
        """The sizes and sums."""
        return self.summed
