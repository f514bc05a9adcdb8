"""Areas of cases with several labels: summaries over labels, with the influence of each case.

A label against its absence is a binary sample. A summary is a mean over labels ("macro", or
"weighted" by their numbers of cases), or the area of all decisions pooled ("micro"). The influence
of a case on a summary is the sum of its influences on the areas of all labels, so that cases (or
clusters) are the units and labels may be correlated. See docs/methods/labels.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas import placements, weighted_sum
from rocstats.estimate.areas import snap_to_boundary
from rocstats.estimate.influence import df_of_mean_of_squares, small_sample_factor
from rocstats.estimate.intervals import Area
from rocstats.estimate.precision import PrecisionPrevalence, precision_influence_by_score
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import clear_rounding
from rocstats.study.cases import LabelCases, ScoredCases

LabelAverage = Literal["macro", "weighted", "micro"]
LABEL_AVERAGES: tuple[LabelAverage, ...] = get_args(LabelAverage)

# --- The area of one label, with the influence of each row ----------------------------------------

LabelArea = Callable[[ScoredCases, int], tuple[float, FloatArray]]
"""From a label against its absence and a classifier: an area, and the influence of each row."""


def auc_influence(cases: ScoredCases, k: int) -> tuple[float, FloatArray]:
    """Return the AUC, and (V - A)/n of each row, V its placement and n the cases of its side."""
    counts, codes = cases.counts(k), cases.codes(k)
    of_pos, of_neg = placements(counts)
    area = weighted_sum(counts.n_pos, of_pos) / counts.total_pos
    values = np.where(
        cases.is_positive,
        (of_pos.take(codes) - area) / counts.total_pos,
        (of_neg.take(codes) - area) / counts.total_neg,
    )
    return float(area), values


def average_precision_influence(cases: ScoredCases, k: int) -> tuple[float, FloatArray]:
    """Return the average precision of a cohort, and the influence of each row."""
    counts, codes = cases.counts(k), cases.codes(k)
    at = PrecisionPrevalence(random=True)
    value, by_score = precision_influence_by_score(counts, "average_precision", at)
    return value, np.where(cases.is_positive, by_score[0].take(codes), by_score[1].take(codes))


# --- Summaries ------------------------------------------------------------------------------------


class LabelSummary(NamedTuple):
    """A summary of each classifier, and the influence of units (cases or clusters) on it.

    ``times`` says how often each unit counts: influence (p x u) times its root has the squares
    whose sum is the variance. ``n_pos`` and ``n_neg`` are the independent units on both sides of
    the label with the fewest (of all decisions for "micro"), for limits without a variance.
    """

    value: FloatArray
    influence: FloatArray
    times: FloatArray
    n_pos: float
    n_neg: float

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the classifiers; NaN where a label has a single unit on a side."""
        return np.asarray(np.einsum("ku,u,lu->kl", self.influence, self.times, self.influence))

    def df(self, weights: FloatArray) -> float:
        """Return the df of the variance of a weighted sum, from its influence values."""
        return df_of_mean_of_squares(weights @ self.influence, self.times)

    def of(self, p: int) -> Area:
        """Return the summary of classifier ``p`` as intervals take it."""
        variance = float(self.covariance[p, p])
        df = np.nan if np.isnan(variance) else self.df(np.eye(len(self.value))[p])
        units = self.n_pos, self.n_neg, min(self.n_pos, self.n_neg)
        return Area(float(self.value[p]), clear_rounding(variance), df, *units)


def label_summary(cases: LabelCases, average: LabelAverage, area: LabelArea) -> LabelSummary:
    """Return a summary of the areas of the labels; NaN if a label has no cases, or all of them.

    With weights, use the values only.
    """
    units = _units_of_rows(cases)
    influence, values = np.zeros((cases.n_predictors, len(units.times))), []
    shares = _label_shares(cases, average)
    folds = units.by_fold(cases)
    for part, unit in folds:
        views = [part.decisions()] if average == "micro" else map(part.label, range(part.n_labels))
        of_fold = []
        for view, share in zip(views, shares.tolist(), strict=True):
            if view.lacks_class:
                of_fold.append(np.full(cases.n_predictors, np.nan))
                continue
            found = [area(view, p) for p in range(cases.n_predictors)]
            of_fold.append(np.array([value for value, _ in found]))
            rows = np.stack([of_rows for _, of_rows in found]) * share / len(folds)
            for side in (view.is_positive, ~view.is_positive):
                influence += _sums_of_side(rows, side, unit, units)
        values.append(np.array(of_fold))
    of_labels = np.mean(values, axis=0)
    if average == "weighted":
        influence += _influence_of_shares(cases, of_labels, shares, units)
    sides = [_side_units(cases, has) for has in _sides(cases, average)]
    fewest = min(sides, key=sorted)
    value = snap_to_boundary(shares @ of_labels)
    return LabelSummary(value, influence, units.times, *fewest)


def labels_lacking_class(cases: LabelCases) -> list[int]:
    """Return the labels that no case (of any weight) has, or every case."""
    return [k for k in range(cases.n_labels) if cases.label(k).lacks_class]


def _label_shares(cases: LabelCases, average: LabelAverage) -> FloatArray:
    """Return the weight of each label in a mean; the one weight of all decisions is 1."""
    if average == "micro":
        return np.ones(1)
    if average == "macro":
        return np.full(cases.n_labels, 1 / cases.n_labels)
    total = _label_weights(cases)
    return total / total.sum() if total.sum() > 0 else np.full(len(total), np.nan)


def _label_weights(cases: LabelCases) -> FloatArray:
    """Return the number (or weight) of the cases with each label."""
    weight = np.ones(cases.has_label.shape[1]) if cases.weight is None else cases.weight
    return np.asarray(cases.has_label @ weight, dtype=np.float64)


# --- Units: cases, or clusters --------------------------------------------------------------------


class _Units(NamedTuple):
    """The unit of each row, and how often it counts; ``frequency`` is the number of its cases."""

    of_row: IntArray
    times: FloatArray
    frequency: FloatArray
    clustered: bool

    def by_fold(self, cases: LabelCases) -> list[tuple[LabelCases, IntArray]]:
        """Return the cases of each fold, with the rows that they are in the whole sample."""
        if cases.fold is None:
            return [(cases, np.arange(len(self.of_row)))]
        rows = [rows for _, rows in cases.fold.rows_by_label()]
        return list(zip((part for _, part in cases.by_fold()), rows, strict=True))


def _units_of_rows(cases: LabelCases) -> _Units:
    n_rows = cases.has_label.shape[1]
    frequency = np.ones(n_rows) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        return _Units(np.arange(n_rows), frequency, frequency, clustered=False)
    _, unit = np.unique(cases.cluster.codes, return_inverse=True)
    return _Units(unit, np.ones(int(unit.max()) + 1), frequency, clustered=True)


def _sums_of_side(values: FloatArray, side: BoolArray, rows: IntArray, units: _Units) -> FloatArray:
    """Return the influence of units through the positives, or through the negatives.

    ``side`` and ``values`` may list the rows several times, once for each label. The small-sample
    factor is that of the units on the side: the variance of one label is then DeLong's.
    """
    place = units.of_row.take(np.tile(rows, values.shape[1] // len(rows)))
    times = units.frequency.take(np.tile(rows, values.shape[1] // len(rows)))
    held = np.bincount(place[side], minlength=len(units.times)) > 0
    n = float(units.times[held].sum())
    # A case stands for as many units as its frequency, each with its influence; a cluster adds up.
    scale = times[side] if units.clustered else 1.0
    sums = [np.bincount(place[side], row[side] * scale, len(units.times)) for row in values]
    return np.asarray(np.array(sums) * np.sqrt(small_sample_factor(n)))


def _influence_of_shares(
    cases: LabelCases, of_labels: FloatArray, shares: FloatArray, units: _Units
) -> FloatArray:
    """Return the influence of units through the weights of the labels, which are estimates.

    One more case with some labels moves the mean towards the areas of these.
    """
    moved = (of_labels - shares @ of_labels).T @ cases.has_label
    excess = np.asarray(moved / _label_weights(cases).sum())
    everyone = np.ones(excess.shape[1], dtype=bool)
    return _sums_of_side(excess, everyone, np.arange(excess.shape[1]), units)


def _sides(cases: LabelCases, average: LabelAverage) -> list[tuple[BoolArray, BoolArray]]:
    """Return the cases on both sides of each label; with "micro" those of any decision."""
    if average == "micro":
        every = np.asarray(cases.has_label.all(axis=0))
        return [(np.asarray(cases.has_label.any(axis=0)), ~every)]
    return [(has, ~has) for has in cases.has_label]


def _side_units(cases: LabelCases, sides: tuple[BoolArray, BoolArray]) -> tuple[float, float]:
    """Return the independent units on both sides: cases, or Kish's number of clusters."""
    frequency = np.ones(len(sides[0])) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        first, second = (float(frequency[side].sum()) for side in sides)
        return first, second
    codes = cases.cluster.codes
    first, second = (effective_size(np.bincount(codes[side], frequency[side])) for side in sides)
    return first, second


# --- The words of standard errors in `method` -----------------------------------------------------

_SUMMED = "from influence values, summed over the labels of a case"
_OF_LABELS = ("delong-1988", "obuchowski-1997")
PRINTED = (
    Word("label-macro", f"{_SUMMED} (macro average)", _OF_LABELS),
    Word("label-weighted", f"{_SUMMED} and their shares (weighted average)", _OF_LABELS),
    Word("label-micro", f"{_SUMMED} (micro average)", _OF_LABELS),
)
"""The words for standard errors of summaries over labels."""
