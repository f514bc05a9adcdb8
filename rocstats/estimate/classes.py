"""Areas of several classes, and their covariance over classifiers from influence values.

A row is the area of a pair of classes (the mean over the scores for either class [hand-2001]) or of
a class against the rest; the last row is their summary: a mean of the rows, or the area of all
decisions pooled ("micro"). The influence of a case on a summary is the sum of its influences on all
areas that it enters. See docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas import placements, weighted_sum
from rocstats.estimate.influence import (
    contrast_df,
    df_of_cluster_numbers,
    row_frequency,
    satterthwaite,
    small_sample_factor,
)
from rocstats.estimate.intervals import Area
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size, equal_clusters
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import FEW_CASES, FEW_CLUSTERS, clear_rounding
from rocstats.study.cases import ClassCases

# --- Rows: pairs of classes, or each class against the rest ---------------------------------------

MulticlassMethod = Literal["ovo-macro", "ovo-weighted", "ovr-macro", "ovr-weighted", "micro"]
MULTICLASS_METHODS: tuple[MulticlassMethod, ...] = get_args(MulticlassMethod)


class ClassRow(NamedTuple):
    """Classes and areas of a row.

    ``positive`` and ``versus`` are its classes: ``versus`` is None for the rest, both are None in
    the summary. ``terms`` are the areas whose mean the row is: class and other class (None: the
    rest); the summary has none. ``side`` gives for each class the compared sample of its cases: 1,
    0, or -1 for none.
    """

    positive: int | None
    versus: int | None
    terms: tuple[tuple[int, int | None], ...]
    side: IntArray


def multiclass_area_rows(sample: ClassCases, method: MulticlassMethod) -> list[ClassRow]:
    """Return the rows of the areas, the summary last."""
    each = np.arange(sample.n_classes)
    # Pooled decisions of a case are on both sides, so that all cases are one sample.
    summary = ClassRow(None, None, (), np.zeros_like(each) if method == "micro" else each)
    if not method.startswith("ovo"):
        return [
            *(ClassRow(k, None, ((k, None),), np.where(each == k, 1, 0)) for k in each.tolist()),
            summary,
        ]
    return [
        *(
            ClassRow(i, j, ((i, j), (j, i)), np.where(each == i, 1, np.where(each == j, 0, -1)))
            for i, j in combinations(each.tolist(), 2)
        ),
        summary,
    ]


def summary_shares(
    weight_of: FloatArray, rows: Sequence[ClassRow], method: MulticlassMethod
) -> FloatArray:
    """Return the weight of each row in a mean of rows, from the weights of the classes.

    Classes are the last axis of ``weight_of``, rows that of the shares. "macro": all rows weigh
    alike (Hand & Till 2001 for pairs). "weighted": a row weighs as the cases of its classes.
    """
    if method.endswith("macro"):
        return np.full((*weight_of.shape[:-1], len(rows)), 1 / len(rows))
    shares = weight_of @ _is_class_of_row(rows, weight_of.shape[-1]).T
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _is_class_of_row(rows: Sequence[ClassRow], n_classes: int) -> FloatArray:
    """Return rows x classes: 1 for the classes of a row (one if it is against the rest)."""
    classes = range(n_classes)
    return np.array([[float(k in (row.positive, row.versus)) for k in classes] for row in rows])


def has_cases_on_all_sides(sample: ClassCases, row: ClassRow) -> bool:
    """Whether a (group of a) sample has cases on every side of a row."""
    held = sample.weight_of > 0
    return all(held[row.side == s].any() for s in np.unique(row.side[row.side >= 0]))


def class_and_counterpart_sizes(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the numbers of cases of a class and of its counterpart; NaN in a summary."""
    if not row.terms:
        return np.nan, np.nan
    n_of = sample.n_of
    return float(n_of[row.side == 1].sum()), float(n_of[row.side == 0].sum())


# --- Areas and their covariance -------------------------------------------------------------------


class ClassResult(NamedTuple):
    """The areas of all predictors in a row, their covariance, and the units of both sides.

    ``parts`` and ``part_df`` are those of ``AreaCovariance``.
    """

    row: ClassRow
    area: FloatArray
    covariance: FloatArray
    parts: FloatArray
    part_df: FloatArray
    n_pos: float
    n_neg: float

    def of(self, p: int) -> Area:
        """Return the area of predictor ``p`` as intervals take it."""
        variance = float(self.covariance[p, p])
        units = self.n_pos, self.n_neg, min(self.n_pos, self.n_neg)
        df = satterthwaite(self.parts[:, p, p], self.part_df)
        return Area(float(self.area[p]), clear_rounding(variance), df, *units)

    def contrast_df(self, weights: FloatArray) -> float:
        """Return Satterthwaite's degrees of freedom of a weighted sum of the areas."""
        return contrast_df([(weights, self.parts, self.part_df)])


def class_results(sample: ClassCases, method: MulticlassMethod) -> Iterator[ClassResult]:
    """Yield the areas of each row; NaN where a class has no cases.

    The covariance is NaN if a side has a single unit. With weights, use the areas only.
    """
    folds = [part for _, part in sample.by_fold()]
    *rows, summary = multiclass_area_rows(sample, method)
    predictors = range(sample.n_predictors)
    share = summary_shares(sample.weight_of, rows, method)
    totals = [np.zeros((len(predictors), len(part.class_codes))) for part in folds]
    of_rows, units = [], []
    for row, weight in zip(rows, share.tolist(), strict=True):
        if not has_cases_on_all_sides(sample, row):
            area = np.full(len(predictors), np.nan)
            values = [np.full((len(predictors), len(part.class_codes)), np.nan) for part in folds]
        else:
            area, values = _mean_over_folds(
                [[_class_area_and_influence(part, row, p) for p in predictors] for part in folds]
            )
        of_rows.append(area)
        for total, value in zip(totals, values, strict=True):
            total += weight * value
        units.append(_side_units(sample, row))
        covariance = _class_area_covariance(sample, values, _case_sides(folds, row))
        yield ClassResult(row, area, *covariance, *units[-1])
    if method == "micro":
        area, totals = _mean_over_folds(
            [[_pooled_area_and_influence(part, p) for p in predictors] for part in folds]
        )
        n_cases = _effective_units(sample, summary.side == 0)
        units = [(n_cases, n_cases)]
    else:
        area = share @ np.array(of_rows)
    if method.endswith("weighted"):
        # The shares are estimated too: one more case of class c moves the mean towards the mean of
        # the rows of c.
        is_class = _is_class_of_row(rows, sample.n_classes)
        of_class = np.array(of_rows).T @ (is_class / is_class.sum(axis=0))
        excess = (of_class - area[:, np.newaxis]) / sample.n_of.sum()
        for part, total in zip(folds, totals, strict=True):
            total += excess.take(part.class_codes, axis=1)
    # Limits without a variance: those of the area with the fewest units hold for the mean as well.
    fewest = min(units, key=sorted)
    covariance = _class_area_covariance(sample, totals, _case_sides(folds, summary))
    yield ClassResult(summary, area, *covariance, *fewest)


def _mean_over_folds(
    found: Sequence[Sequence[tuple[float, FloatArray]]],
) -> tuple[FloatArray, list[FloatArray]]:
    """Return the mean areas of the predictors, and the influence of the cases of each fold."""
    area = np.mean([[a for a, _ in fold] for fold in found], axis=0)
    return area, [np.stack([v for _, v in fold]) / len(found) for fold in found]


def class_result_with_covariance(result: ClassResult, covariance: FloatArray) -> ClassResult:
    """Return a result with another covariance, and infinite degrees of freedom."""
    none = np.empty((0, *covariance.shape))
    return result._replace(covariance=covariance, parts=none, part_df=np.empty(0))


def rank_alike(sample: ClassCases, pair: tuple[int, int], *, pooled: bool) -> bool:
    """Return whether two classifiers rank all cases alike within the scores for each class.

    ``pooled`` ranks the scores for all classes together.
    """
    # Areas depend on ranks alone: equal ranks are equal areas whatever the scores.
    columns = 1 if pooled else sample.n_classes
    first, second = (sample.scores[p].reshape(columns, -1) for p in pair)
    return all(
        np.array_equal(np.unique(a, return_inverse=True)[1], np.unique(b, return_inverse=True)[1])
        for a, b in zip(first, second, strict=True)
    )


def class_size_codes(sample: ClassCases, result: ClassResult) -> list[str]:
    """Return the notes on the sizes of a row, or of the smallest class in a summary."""
    sizes = class_and_counterpart_sizes(sample, result.row) if result.row.terms else sample.n_of
    codes = ["few-cases"] if min(sizes) < FEW_CASES else []
    if sample.cluster is not None and min(result.n_pos, result.n_neg) < FEW_CLUSTERS:
        codes.append("few-clusters")
    return codes


def _class_area_and_influence(
    sample: ClassCases, row: ClassRow, p: int
) -> tuple[float, FloatArray]:
    """Return the area of a row by predictor ``p`` and the influence of each case on it."""
    # A case enters both areas of its pair of classes: once as a positive and once as a negative.
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


def _pooled_area_and_influence(sample: ClassCases, p: int) -> tuple[float, FloatArray]:
    """Return the area of all decisions pooled, and the influence of each case on it.

    A case has one decision for each class: a positive one for its own, negative ones for the
    others. Its influence is the sum over its decisions, as over the members of a cluster.
    """
    counts, codes = sample.pooled_placed(predictor=p)
    of_pos, of_neg = placements(counts)
    area = weighted_sum(counts.n_pos, of_pos) / counts.total_pos
    is_positive = sample.class_codes == np.arange(sample.n_classes)[:, np.newaxis]
    values = np.where(
        is_positive,
        (of_pos.take(codes) - area) / counts.total_pos,
        (of_neg.take(codes) - area) / counts.total_neg,
    )
    return area, values.sum(axis=0)


def _case_sides(folds: Sequence[ClassCases], row: ClassRow) -> list[IntArray]:
    """Return the side of each case of each fold."""
    return [row.side.take(part.class_codes) for part in folds]


def _side_units(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the independent units on both sides of a row: cases, or Kish's number of clusters."""
    return _effective_units(sample, row.side == 1), _effective_units(sample, row.side == 0)


def _effective_units(sample: ClassCases, in_side: BoolArray) -> float:
    rows = np.flatnonzero(in_side.take(sample.class_codes))
    frequency = row_frequency(sample, rows)
    if sample.cluster is not None:
        return effective_size(np.bincount(sample.cluster.codes[rows], frequency))
    if sample.sample_weight is None:
        return float(frequency.sum())
    return effective_size(sample.sample_weight[rows], frequency)


def _class_area_covariance(
    sample: ClassCases, values: Sequence[FloatArray], sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of the predictors, its independent parts and their df."""
    folds = [part for _, part in sample.by_fold()]
    if sample.cluster is None:
        return _class_area_covariance_by_case(folds, values, sides)
    return _class_area_covariance_by_cluster(sample, folds, values, sides)


def _class_area_covariance_by_case(
    folds: Sequence[ClassCases], values: Sequence[FloatArray], sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return covariance, its parts and their df from the cases of each side in each fold."""
    # Sides are independent samples: their sums of products times size/(size - 1) add up, and
    # Satterthwaite's rule combines their degrees of freedom.
    matrices, dfs = [], []
    for part, value, side in zip(folds, values, sides, strict=True):
        for s in np.unique(side[side >= 0]):
            rows = np.flatnonzero(side == s)
            inside = value.take(rows, axis=1)
            weight = row_frequency(part, rows)
            size = float(weight.sum())
            products = np.einsum("kn,n,ln->kl", inside, weight, inside)
            matrices.append(products * small_sample_factor(size))
            dfs.append(size - 1)
    return np.sum(matrices, axis=0), np.array(matrices), np.array(dfs)


def _class_area_covariance_by_cluster(
    sample: ClassCases,
    folds: Sequence[ClassCases],
    values: Sequence[FloatArray],
    sides: Sequence[IntArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return covariance, its parts and their df from sums by cluster and side.

    Obuchowski (1997) has two sides. Products within a side carry the small-sample factor of the
    clusters on it, those across sides that of all clusters; each fold has factors of its own.
    """
    n_labels = len(sample.cluster.labels)  # type: ignore[union-attr]
    n_sides, share = 1 + max(int(side.max()) for side in sides), np.zeros(n_labels)
    within, crossed = (np.zeros((len(values[0]), n_sides, n_labels)) for _ in range(2))
    anywhere = np.zeros((n_sides, n_labels), dtype=bool)
    for part, value, side in zip(folds, values, sides, strict=True):
        rows = np.flatnonzero(side >= 0)
        place = side[rows] * n_labels + part.cluster.codes[rows]  # type: ignore[union-attr]
        weight = row_frequency(part, rows)
        sums = np.array(
            [np.bincount(place, v * weight, n_sides * n_labels) for v in value.take(rows, axis=1)]
        ).reshape(within.shape)
        held = np.bincount(place, weight, n_sides * n_labels).reshape(n_sides, n_labels)
        share += (held / np.maximum(held.sum(axis=1, keepdims=True), 1.0)).sum(axis=0)
        present = held > 0
        factors = np.array([small_sample_factor(n) for n in present.sum(axis=1)])
        within += sums * np.sqrt(factors)[:, np.newaxis]
        crossed += sums * np.sqrt(small_sample_factor(present.any(axis=0).sum()))
        anywhere |= present
    # Clusters with cases of the same sides are an independent sample, as in ``area_covariance``.
    used = np.flatnonzero(anywhere.any(axis=0))
    _, kind = np.unique(anywhere[:, used], axis=1, return_inverse=True)
    components, numbers = [], []
    for k in range(kind.max(initial=-1) + 1):
        here = used[kind.ravel() == k]
        inside, across = within[..., here], crossed[..., here]
        # All products across sides: the square of the sum over sides, less the products within.
        summed = across.sum(axis=1)
        components.append(
            np.einsum("ksc,lsc->kl", inside, inside)
            + np.einsum("kc,lc->kl", summed, summed)
            - np.einsum("ksc,lsc->kl", across, across)
        )
        numbers.append(equal_clusters(share[here]))
    return np.sum(components, axis=0), np.array(components), df_of_cluster_numbers(numbers)


# --- The words of standard errors in `method` -----------------------------------------------------

_OF_PAIRS = "from influence values, summed over the areas of pairs of classes that a case enters"
_OF_CLASSES = "from influence values, summed over the areas of the classes"
PRINTED = (
    Word("ovo-macro", _OF_PAIRS, ("hand-2001", "delong-1988")),
    Word("ovo-weighted", f"{_OF_PAIRS} and their shares", ("hand-2001", "delong-1988")),
    Word("ovr-macro", _OF_CLASSES, ("delong-1988",)),
    Word("ovr-weighted", f"{_OF_CLASSES} and their shares", ("delong-1988",)),
    Word(
        "micro",
        "from influence values, summed over the decisions on a case, one for each class",
        ("delong-1988", "obuchowski-1997"),
    ),
)
"""The words for standard errors of areas of several classes."""
