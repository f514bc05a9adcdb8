"""Label permutation: the distribution of a statistic if labels and scores are unrelated.

Labels are permuted over units: cases (equal scores share a count), weighted rows, whole clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, part_to_the_right, partial_area
from rocstats.curves.areas.whole import area
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.streams import ResamplePlan

RankStatistic = Literal["auc", "youden", "average_precision"]

# numpy's method "count" lays every case out as an integer: 8 MB for a million. "marginals" draws
# one hypergeometric a score instead. Both are exact; twice the bound doubles the memory.
_LARGEST_URN = 10**6


class LabelUnits(NamedTuple):
    """Units of one fold whose labels are permuted, and their weight at each distinct score.

    Attributes
    ----------
    sizes : ndarray of int
        Number of units of each kind; units of a kind have the same scores.
    n_pos : int
        Number of positive units.
    unit, weight : ndarray
        Kind of unit and weight of each row, rows in the order of scores, the most positive first.
    starts : ndarray of int
        The first row of each distinct score.
    """

    sizes: IntArray
    n_pos: int
    unit: IntArray
    weight: FloatArray
    starts: IntArray

    def on_scores(self, positive: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return positives and negatives on each score, given the positive units (r x u)."""
        # Every score has a row, so that no start repeats: reduceat does not sum an empty run to 0.
        drawn = np.add.reduceat(positive[:, self.unit] * self.weight, self.starts, axis=1)
        everyone = np.add.reduceat(self.sizes[self.unit] * self.weight, self.starts)
        return drawn, everyone - drawn


def label_units(cases: ScoredCases, k: int) -> LabelUnits:
    """Return the units of a fold by predictor ``k``; clusters must each have one class."""
    # Cases with equal scores are exchangeable: an urn with a colour a score, not a case.
    if cases.cluster is None and cases.sample_weight is None:
        counts = cases.counts(k)
        cells = np.arange(len(counts.score))
        sizes = (counts.n_pos + counts.n_neg).astype(np.int64)
        return LabelUnits(sizes, int(counts.total_pos), cells, np.ones(len(cells)), cells)
    codes = cases.codes(k)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    weight = np.ones(len(order)) if cases.sample_weight is None else cases.sample_weight
    size = np.ones(len(order)) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        return LabelUnits(size.astype(np.int64), int(cases.n_pos), order, weight[order], starts)
    present, member = np.unique(cases.cluster.codes, return_inverse=True)
    n_pos = len(np.unique(member[cases.is_positive]))
    alike = np.ones(len(present), dtype=np.int64)
    return LabelUnits(alike, n_pos, member[order], (weight * size)[order], starts)


def statistic_draws(
    cases: ScoredCases,
    k: int,
    statistic: RankStatistic,
    plan: ResamplePlan,
    over: AreaRange = FULL_RANGE,
) -> FloatArray:
    """Return a statistic of predictor ``k`` with labels permuted within folds, averaged over folds.

    ``over`` is the range of an area. NaN where permuted weights leave a class without weight.
    """
    folds = [label_units(part, k) for _, part in cases.by_fold()]
    compute = STATISTICS[statistic] if over.full else partial(_partial_areas, over)
    draws = [_fold_draws(units, compute, plan.at(k, v)) for v, units in enumerate(folds)]
    return np.asarray(np.mean(draws, axis=0))


def statistic_of(
    cases: ScoredCases, k: int, statistic: RankStatistic, over: AreaRange = FULL_RANGE
) -> float:
    """Return a statistic of predictor ``k`` in the sample, averaged over folds."""
    tables = [part.counts(k) for _, part in cases.by_fold()]
    if statistic == "auc":  # the sum of auc(), so that both agree to the last bit
        areas = [area(t) if over.full else partial_area(t, over) for t in tables]
        return float(np.mean(areas))
    compute = STATISTICS[statistic]
    return float(np.mean([compute(t.n_pos[np.newaxis], t.n_neg[np.newaxis])[0] for t in tables]))


def shuffled_orders(n: int, plan: ResamplePlan) -> Iterator[IntArray]:
    """Yield random orders of n rows, one a resample."""
    rng = plan.stream(6)
    for _ in range(plan.n_resamples):
        yield rng.permutation(n)


def permutation_p_value(n_as_extreme: int, n_resamples: int) -> float:
    """Return (1 + #)/(B + 1): the sample is one of the permutations, so that p is never 0."""
    return (1 + n_as_extreme) / (n_resamples + 1)


def _fold_draws(
    units: LabelUnits, compute: Callable[[FloatArray, FloatArray], FloatArray], plan: ResamplePlan
) -> FloatArray:
    rng = plan.stream(5)
    draws = np.empty(plan.n_resamples)
    large = units.sizes.sum() > _LARGEST_URN
    urn: Literal["count", "marginals"] = "marginals" if large else "count"
    for part in plan.chunks(len(units.unit)):
        # A call a resample: numpy's "count" goes on from the urn of the draw before in the call.
        drawn = [
            rng.multivariate_hypergeometric(units.sizes, units.n_pos, method=urn)
            for _ in range(part.start, part.stop)
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            draws[part] = compute(*units.on_scores(np.array(drawn)))
    return draws


def _areas(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return P(positive above negative) + P(equal)/2 of each row."""
    total_neg = n_neg.sum(axis=1, keepdims=True)
    below = total_neg - np.cumsum(n_neg, axis=1) + n_neg / 2
    won = np.einsum("ij,ij->i", n_pos, below)
    return np.asarray(won / (n_pos.sum(axis=1) * total_neg[:, 0]))


def _partial_areas(over: AreaRange, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the area over a range of each row."""
    low, high = over.low, over.high
    if over.axis == "tpr":  # mirrored: with classes exchanged (x, y) becomes (1 - y, 1 - x)
        n_pos, n_neg = n_neg[:, ::-1], n_pos[:, ::-1]
        low, high = 1 - over.high, 1 - over.low
    fpr = np.cumsum(n_neg, axis=1) / n_neg.sum(axis=1, keepdims=True)
    before = np.concatenate([np.zeros((len(fpr), 1)), fpr[:, :-1]], axis=1)
    won = np.einsum("ij,ij->i", n_pos, part_to_the_right(before, fpr, low, high))
    return np.asarray(won / n_pos.sum(axis=1))


def _youden(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the largest TPR - FPR of each row, at least the 0 of (0, 0)."""
    tpr = np.cumsum(n_pos, axis=1) / n_pos.sum(axis=1, keepdims=True)
    fpr = np.cumsum(n_neg, axis=1) / n_neg.sum(axis=1, keepdims=True)
    return np.asarray(np.maximum((tpr - fpr).max(axis=1), 0.0))


def _average_precision(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the sum over scores of (R_k - R_{k-1}) P_k of each row."""
    tp = np.cumsum(n_pos, axis=1)
    called = tp + np.cumsum(n_neg, axis=1)
    precision = np.divide(tp, called, out=np.zeros_like(tp), where=called > 0)
    return np.asarray(np.einsum("ij,ij->i", n_pos, precision) / n_pos.sum(axis=1))


STATISTICS: dict[RankStatistic, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "auc": _areas,
    "youden": _youden,
    "average_precision": _average_precision,
}
"""Statistics of positives and negatives at each score, many samples at a time."""
