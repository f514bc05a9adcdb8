"""Areas of several classes with their covariance over classifiers, from influence values of cases.

A row is the area of two classes (the mean of one by the scores for each) or of a class against the
rest; the last row sums them up. A case's influence on a sum is the sum of its influences on all
the areas that it enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from rocstats.curves.areas.whole import placements, weighted_sum
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ClassCases
from rocstats.stats.areas.units import cleared
from rocstats.stats.influence.areas import satterthwaite
from rocstats.stats.intervals.area import Area
from rocstats.stats.word import Word
from rocstats.tolerances import FEW_CASES, FEW_CLUSTERS

MulticlassMethod = Literal["hand-till", "class-reference"]
METHODS: tuple[MulticlassMethod, ...] = get_args(MulticlassMethod)


@dataclass(frozen=True, eq=False)
class ClassRow:
    """What a row is of.

    ``positive`` and ``versus`` are its classes: no second one for the rest, none for the summary.
    ``terms`` are the areas whose mean it is: class and other class (None: the rest). ``side`` tells
    for each class to which of the samples that are compared its cases belong, -1 for none.
    ``share`` is its weight in the summary. The summary itself has no terms.
    """

    positive: int | None
    versus: int | None
    terms: tuple[tuple[int, int | None], ...]
    side: IntArray
    share: float


@dataclass(frozen=True, eq=False)
class ClassResult:
    """The areas of all predictors in a row, their covariance, and the units of both sides."""

    row: ClassRow
    area: FloatArray
    covariance: FloatArray
    df: FloatArray
    n_pos: float
    n_neg: float

    def of(self, p: int) -> Area:
        """Return what an interval needs to know of the area of predictor ``p``."""
        variance = float(self.covariance[p, p])
        units = self.n_pos, self.n_neg, min(self.n_pos, self.n_neg)
        return Area(float(self.area[p]), cleared(variance), float(self.df[p]), *units)


def class_rows(sample: ClassCases, method: MulticlassMethod) -> list[ClassRow]:
    """Return the rows of a summary, itself the last."""
    each = np.arange(sample.n_classes)
    summary = ClassRow(None, None, (), each, 0.0)
    if method == "class-reference":
        share = sample.weight_of / sample.weight_of.sum()
        against = [
            ClassRow(k, None, ((k, None),), np.where(each == k, 1, 0), float(share[k]))
            for k in each.tolist()
        ]
        return [*against, summary]
    pairs = list(combinations(each.tolist(), 2))
    return [
        *(
            ClassRow(
                i,
                j,
                ((i, j), (j, i)),
                np.where(each == i, 1, np.where(each == j, 0, -1)),
                1 / len(pairs),
            )
            for i, j in pairs
        ),
        summary,
    ]


def is_known(sample: ClassCases, row: ClassRow) -> bool:
    """Whether a (group of a) sample has cases of every side of a row."""
    held = sample.weight_of > 0
    return all(held[row.side == s].any() for s in np.unique(row.side[row.side >= 0]))


def class_results(sample: ClassCases, method: MulticlassMethod) -> Iterator[ClassResult]:
    """Yield the areas of each row; NaN where a class has no cases.

    The covariance is NaN if a side has a single unit. With weights only the areas mean something.
    """
    folds = [part for _, part in sample.by_fold()]
    *rows, summary = class_rows(sample, method)
    predictors = range(sample.n_predictors)
    totals = [np.zeros((len(predictors), len(part.class_codes))) for part in folds]
    of_rows, units = [], []
    for row in rows:
        if not is_known(sample, row):
            area = np.full(len(predictors), np.nan)
            values = [np.full_like(total, np.nan) for total in totals]
        else:
            found = [[_influence(part, row, p) for p in predictors] for part in folds]
            area = np.mean([[a for a, _ in fold] for fold in found], axis=0)
            values = [np.stack([v for _, v in fold]) / len(folds) for fold in found]
        of_rows.append(area)
        for total, value in zip(totals, values, strict=True):
            total += row.share * value
        units.append(_units(sample, row))
        yield ClassResult(row, area, *_joint(sample, values, _sides(folds, row)), *units[-1])
    share = np.array([row.share for row in rows])
    area = share @ np.array(of_rows)
    if method == "class-reference":
        _add_mix(folds, totals, np.array(of_rows).T - area[:, np.newaxis], sample.n_of.sum())
    # Limits without a variance: those of the area with the fewest units hold for the mean as well.
    fewest = min(units, key=sorted)
    yield ClassResult(summary, area, *_joint(sample, totals, _sides(folds, summary)), *fewest)


def with_variance(result: ClassResult, covariance: FloatArray) -> ClassResult:
    """Return the same areas with another covariance, and no degrees of freedom."""
    return replace(result, covariance=covariance, df=np.full(len(covariance), np.inf))


def sizes_of(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the numbers of cases of the class and of what it is told from; NaN in a summary."""
    if not row.terms:
        return np.nan, np.nan
    n_of = sample.n_of
    return float(n_of[row.side == 1].sum()), float(n_of[row.side == 0].sum())


def few_codes(sample: ClassCases, result: ClassResult) -> list[str]:
    """Return the notes that the sizes of a row, or of the smallest class in a summary, earn."""
    sizes = sizes_of(sample, result.row) if result.row.terms else sample.n_of
    codes = ["few-cases"] if min(sizes) < FEW_CASES else []
    if sample.cluster is not None and min(result.n_pos, result.n_neg) < FEW_CLUSTERS:
        codes.append("few-clusters")
    return codes


def _influence(sample: ClassCases, row: ClassRow, p: int) -> tuple[float, FloatArray]:
    """Return the area of a row by predictor ``p`` and the influence of each case on it."""
    mean, values = 0.0, np.zeros(len(sample.class_codes))
    for k, versus in row.terms:
        counts, codes = sample.placed(k, versus, predictor=p)
        rows = sample.rows_of_pair(k, versus)
        of_pos, of_neg = placements(counts)
        area = weighted_sum(counts.n_pos, of_pos) / counts.total_pos
        values[rows] += np.where(
            sample.class_codes.take(rows) == k,
            (of_pos.take(codes) - area) / counts.total_pos,
            (of_neg.take(codes) - area) / counts.total_neg,
        )
        mean += area / len(row.terms)
    return mean, values / len(row.terms)


def _add_mix(
    folds: Sequence[ClassCases],
    totals: Sequence[FloatArray],
    excess: FloatArray,
    n_cases: float,
) -> None:
    """Add what a case does to the shares of the classes: its own class's area weighs more."""
    for part, total in zip(folds, totals, strict=True):
        total += excess.take(part.class_codes, axis=1) / n_cases


def _sides(folds: Sequence[ClassCases], row: ClassRow) -> list[IntArray]:
    """Return the side that each case of each fold belongs to."""
    return [row.side.take(part.class_codes) for part in folds]


def _joint(
    sample: ClassCases, values: Sequence[FloatArray], sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Return the covariance of the predictors and the degrees of freedom of each variance."""
    folds = [part for _, part in sample.by_fold()]
    if sample.cluster is None:
        return _independent(folds, values, sides)
    return _clustered(sample, folds, values, sides)


def _independent(
    folds: Sequence[ClassCases], values: Sequence[FloatArray], sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Sum products over the cases of each side in each fold, with factor size/(size - 1)."""
    matrices, dfs = [], []
    for part, value, side in zip(folds, values, sides, strict=True):
        for s in np.unique(side[side >= 0]):
            rows = np.flatnonzero(side == s)
            inside = value.take(rows, axis=1)
            weight = np.ones(len(rows)) if part.frequency is None else part.frequency.take(rows)
            size = float(weight.sum())
            products = np.einsum("kn,n,ln->kl", inside, weight, inside)
            matrices.append(products * _small_sample(size))
            dfs.append(size - 1)
    components = np.array([np.diag(matrix) for matrix in matrices])
    df = [satterthwaite(column, np.array(dfs)) for column in components.T]
    return np.sum(matrices, axis=0), np.array(df)


def _clustered(
    sample: ClassCases,
    folds: Sequence[ClassCases],
    values: Sequence[FloatArray],
    sides: Sequence[IntArray],
) -> tuple[FloatArray, FloatArray]:
    """Sum influence by cluster and side, as Obuchowski (1997) does for two of them.

    Products within a side carry the factor of the clusters that have it, those across sides that of
    all; each fold's sums the roots of its own factors.
    """
    n_labels = len(sample.cluster.labels)  # type: ignore[union-attr]
    n_sides = 1 + max(int(side.max()) for side in sides)
    own, crossed = (np.zeros((len(values[0]), n_sides, n_labels)) for _ in range(2))
    anywhere = np.zeros(n_labels, dtype=bool)
    for part, value, side in zip(folds, values, sides, strict=True):
        rows = np.flatnonzero(side >= 0)
        place = side[rows] * n_labels + part.cluster.codes[rows]  # type: ignore[union-attr]
        weight = np.ones(len(rows)) if part.frequency is None else part.frequency.take(rows)
        sums = np.array(
            [np.bincount(place, v * weight, n_sides * n_labels) for v in value.take(rows, axis=1)]
        ).reshape(own.shape)
        present = np.bincount(place, minlength=n_sides * n_labels).reshape(n_sides, n_labels) > 0
        factors = np.array([_small_sample(n) for n in present.sum(axis=1)])
        own += sums * np.sqrt(factors)[:, np.newaxis]
        crossed += sums * np.sqrt(_small_sample(present.any(axis=0).sum()))
        anywhere |= present.any(axis=0)
    summed = crossed.sum(axis=1)
    covariance = (
        np.einsum("ksc,lsc->kl", own, own)
        + np.einsum("kc,lc->kl", summed, summed)
        - np.einsum("ksc,lsc->kl", crossed, crossed)
    )
    return covariance, np.full(len(covariance), anywhere.sum() - 1.0)


def _small_sample(n: float) -> float:
    """Return n/(n - 1), the factor of an unbiased variance; NaN for a single unit."""
    return n / (n - 1) if n > 1 else np.nan


def _units(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the numbers of independent units of both sides of a row: cases, or clusters.

    Weighted cases count by Kish's rule, (sum w)^2 / sum w^2.
    """
    n_pos, n_neg = (_units_of(sample, row.side == s) for s in (1, 0))
    return n_pos, n_neg


def _units_of(sample: ClassCases, in_side: BoolArray) -> float:
    rows = in_side.take(sample.class_codes)
    if sample.cluster is not None:
        return float(len(np.unique(sample.cluster.codes[rows])))
    frequency = np.ones(len(rows)) if sample.frequency is None else sample.frequency
    if sample.sample_weight is None:
        return float(frequency[rows].sum())
    weight = sample.sample_weight
    squares = float(np.dot(frequency[rows], weight[rows] ** 2))
    return float(np.dot(frequency[rows], weight[rows]) ** 2 / squares) if squares > 0 else 0.0


PRINTED = (
    Word(
        "hand-till",
        "from influence values, summed over the areas of pairs of classes that a case enters",
        ("hand-2001", "delong-1988"),
    ),
    Word(
        "class-reference",
        "from influence values, summed over the areas of the classes and their shares",
        ("delong-1988",),
    ),
)
"""The words for standard errors of areas of several classes."""
