"""Engine E1: bootstrap weights in subject order, shared by all predictors.

Exact for any ties, for stratified resampling, resampling of all cases, and of whole clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray, IntArray
from rocstats.stats.resampling import chunks, stream

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Where each positive stands among the negatives, negatives sorted from the lowest score up.

    ``below`` negatives are lower than a positive, ``upto`` are lower or equal.
    """

    order: IntArray
    below: IntArray
    upto: IntArray

    @property
    def tied(self) -> bool:
        """Whether a positive has the score of a negative."""
        return not np.array_equal(self.below, self.upto)


def ranking(sample: Sample, k: int, pos: IntArray, neg: IntArray) -> Ranking:
    """Return the ranking of predictor ``k`` for the rows of both classes."""
    lowest_first = len(sample.counts(k).score) - 1 - sample.codes(k)
    of_neg = lowest_first[neg]
    order = np.argsort(of_neg, kind="stable")
    ascending, of_pos = of_neg[order], lowest_first[pos]
    return Ranking(
        order,
        np.searchsorted(ascending, of_pos, "left"),
        np.searchsorted(ascending, of_pos, "right"),
    )


def stratified_areas(
    sample: Sample,
    predictors: Sequence[int],
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> FloatArray:
    """Return k x n_resamples areas: positives and negatives resampled apart, shared by predictors.

    The sample has no frequencies and no folds.
    """
    pos, neg = np.flatnonzero(sample.is_positive), np.flatnonzero(~sample.is_positive)
    m, n = len(pos), len(neg)
    rankings = [ranking(sample, k, pos, neg) for k in predictors]
    of_pos, of_neg = stream(*seed, 1), stream(*seed, 0)
    areas = np.empty((len(predictors), n_resamples))
    for part in chunks(n_resamples, m + n, progress=progress):
        size = part.stop - part.start
        weights = draw_counts(of_neg, size, n)
        drawn = of_pos.integers(0, m, size=(size, m))
        for row, ranks in enumerate(rankings):
            areas[row, part] = _areas_of_drawn(weights, drawn, ranks) / (m * n)
    return areas


def draw_counts(rng: np.random.Generator, size: int, n: int) -> Counts:
    """Return size x n counts: how often each of n units stands in a resample of n."""
    drawn = rng.integers(0, n, size=(size, n))
    drawn += np.arange(0, size * n, n)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)


def _areas_of_drawn(weights: Counts, drawn: IntArray, ranks: Ranking) -> FloatArray:
    """Return the sums of placements of the drawn positives among the weighted negatives."""
    size, n = weights.shape
    cumulative = np.empty((size, n + 1), dtype=np.int64)
    cumulative[:, 0] = 0
    np.cumsum(weights.take(ranks.order, axis=1), axis=1, out=cumulative[:, 1:])
    offset = np.arange(0, size * (n + 1), n + 1)[:, np.newaxis]
    below = cumulative.take(ranks.below.take(drawn) + offset).sum(axis=1)
    if not ranks.tied:
        return below.astype(np.float64)
    upto = cumulative.take(ranks.upto.take(drawn) + offset).sum(axis=1)
    return np.asarray((below + upto) / 2)


def weighted_areas(pos_weight: FloatArray, neg_weight: FloatArray, ranks: Ranking) -> FloatArray:
    """Return the areas of r resamples given as weights of all positives and negatives (r x m, r x n).

    NaN where a class has no weight.
    """
    size, n = neg_weight.shape
    cumulative = np.zeros((size, n + 1))
    np.cumsum(neg_weight.take(ranks.order, axis=1), axis=1, out=cumulative[:, 1:])
    placed = (cumulative.take(ranks.below, axis=1) + cumulative.take(ranks.upto, axis=1)) / 2
    pairs = pos_weight.sum(axis=1) * cumulative[:, -1]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.einsum("ij,ij->i", pos_weight, placed) / pairs)


@dataclass(frozen=True, eq=False)
class UnitAreas:
    """Areas of resamples of whole units, and how many resamples lacked a class and were redrawn."""

    areas: FloatArray
    n_redrawn: int


def unit_areas(
    sample: Sample,
    predictors: Sequence[int],
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> UnitAreas:
    """Return k x n_resamples areas of resamples of whole clusters (cases, without clusters).

    Folds are kept: areas are means over the folds of a resample. Resamples in which a fold lacks a
    class are redrawn.
    """
    units, n_units = _units(sample)
    folds = _fold_rankings(sample, predictors)
    rng = stream(*seed, 2)
    areas = np.empty((len(predictors), n_resamples))
    filled, n_redrawn = 0, 0
    rows = len(sample.is_positive)
    for part in chunks(n_resamples, rows, progress=progress):
        while filled < part.stop:
            wanted = part.stop - filled
            weights = _row_weights(rng, sample, units, n_units, wanted)
            found = np.mean([_fold_areas(weights, fold) for fold in folds], axis=0)
            valid = ~np.isnan(found[0])
            n_kept = int(valid.sum())
            areas[:, filled : filled + n_kept] = found[:, valid]
            filled += n_kept
            n_redrawn += wanted - n_kept
            _require_hope(filled, n_redrawn)
    return UnitAreas(areas, n_redrawn)


def _require_hope(n_kept: int, n_redrawn: int) -> None:
    if n_redrawn > 1000 * (n_kept + 10):
        raise RuntimeError("almost no resample has both classes in every fold")


def _units(sample: Sample) -> tuple[IntArray, int]:
    if sample.cluster is None:
        return np.arange(len(sample.is_positive)), len(sample.is_positive)
    present, units = np.unique(sample.cluster.codes, return_inverse=True)
    return units, len(present)


def _row_weights(
    rng: np.random.Generator, sample: Sample, units: IntArray, n_units: int, size: int
) -> FloatArray:
    """Return size x rows weights; cases with a frequency are drawn as so many cases."""
    if sample.frequency is None:
        return draw_counts(rng, size, n_units).take(units, axis=1).astype(np.float64)
    if sample.cluster is not None:
        return draw_counts(rng, size, n_units).take(units, axis=1) * sample.frequency
    total = sample.frequency.sum()
    return rng.multinomial(int(total), sample.frequency / total, size=size).astype(np.float64)


def _fold_rankings(
    sample: Sample, predictors: Sequence[int]
) -> list[tuple[IntArray, IntArray, list[Ranking]]]:
    codes = np.zeros(len(sample.is_positive), dtype=np.intp)
    labels = np.array([0])
    if sample.fold is not None:
        codes, labels = sample.fold.codes, sample.fold.present
    folds = []
    for label in labels:
        pos = np.flatnonzero((codes == label) & sample.is_positive)
        neg = np.flatnonzero((codes == label) & ~sample.is_positive)
        folds.append((pos, neg, [ranking(sample, k, pos, neg) for k in predictors]))
    return folds


def _fold_areas(
    weights: FloatArray, fold: tuple[IntArray, IntArray, list[Ranking]]
) -> FloatArray:
    pos, neg, rankings = fold
    pos_weight, neg_weight = weights.take(pos, axis=1), weights.take(neg, axis=1)
    return np.array([weighted_areas(pos_weight, neg_weight, ranks) for ranks in rankings])
