"""Bootstrap of averaged curves: the TPR at given FPRs, a mean over folds.

Curves are read as they are drawn: the top of a vertical step, linear along the slope of a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocstats.sample.counts import ScoreCounts
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray, IntArray
from rocstats.stats.resampling import chunks, stream
from rocstats.stats.resampling_counts import all_weights, class_strata, strata_weights
from rocstats.stats.resampling_curves import exact_tpr_variance
from rocstats.stats.resampling_statistic import require_hope

Tables = FloatArray | npt.NDArray[np.int64]
"""Counts of r resamples (rows) at each of d scores, the most positive first."""

_SAME_RATE = 1e-12


@dataclass(frozen=True, eq=False)
class AverageSpread:
    """Bootstrap covariances (places x predictors x predictors) of averages, and what they took.

    ``n_resamples`` is 0 for a closed form; so many resamples lacked a class and were redrawn.
    """

    covariance: FloatArray
    n_resamples: int
    n_redrawn: int


def average_variance(
    sample: Sample,
    k: int,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> AverageSpread:
    """Return the bootstrap variance of the averaged curve of predictor ``k`` at each FPR.

    Folds without ties across classes have a closed form; others, and clusters, are resampled.
    """
    if sample.cluster is not None:
        return average_covariance(sample, [k], fpr, n_resamples, (*seed, k), progress=progress)
    folds = [part.counts(k) for _, part in sample.by_fold()]
    variance, resampled = np.zeros(len(fpr)), False
    for v, counts in enumerate(folds):
        if crossed_ties(counts):
            resampled = True
            draws = table_tpr_draws(counts, fpr, n_resamples, (*seed, k, v), progress=progress)
            variance += draws.var(axis=0, ddof=1)
        else:
            variance += exact_tpr_variance(counts, fpr)
    covariance = (variance / len(folds) ** 2)[:, np.newaxis, np.newaxis]
    return AverageSpread(covariance, n_resamples if resampled else 0, 0)


def crossed_ties(counts: ScoreCounts) -> bool:
    """Return whether a positive and a negative have the same score: the curve has a slope."""
    return bool(np.any((counts.n_pos > 0) & (counts.n_neg > 0)))


def table_tpr_draws(
    counts: ScoreCounts,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples of one count table."""
    m, n = counts.total_pos, counts.total_neg
    of_pos, of_neg = stream(*seed, 1), stream(*seed, 0)
    draws = np.empty((n_resamples, len(fpr)))
    for part in chunks(n_resamples, len(counts.score), progress=progress):
        size = part.stop - part.start
        pos = of_pos.multinomial(int(m), counts.n_pos / m, size=size)
        neg = of_neg.multinomial(int(n), counts.n_neg / n, size=size)
        draws[part] = tpr_of_tables(pos, neg, fpr)
    return draws


def average_covariance(
    sample: Sample,
    predictors: Sequence[int],
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> AverageSpread:
    """Return the bootstrap covariances of the averaged curves of predictors at each FPR.

    All have the same resamples: cases of each class in each fold apart, or clusters whole across
    folds. A resample of clusters that leaves a fold without a class is drawn again.
    """
    draw = strata_weights if sample.cluster is None else all_weights
    strata = class_strata(sample)
    folds = [_fold_columns(sample, rows, predictors) for rows in _rows_of_folds(sample)]
    rng = stream(*seed, 2)
    draws = np.empty((n_resamples, len(predictors), len(fpr)))
    filled, n_redrawn = 0, 0
    for part in chunks(n_resamples, len(sample.is_positive), progress=progress):
        while filled < part.stop:
            wanted = part.stop - filled
            weights = draw(rng, sample, strata, wanted)
            found = np.mean([_fold_tpr(weights, fold, fpr) for fold in folds], axis=0)
            valid = found[~np.isnan(found[:, 0, 0])]
            draws[filled : filled + len(valid)] = valid
            filled += len(valid)
            n_redrawn += wanted - len(valid)
            require_hope(filled, n_redrawn)
    centred = draws - draws.mean(axis=0)
    covariance = np.einsum("big,bjg->gij", centred, centred) / (n_resamples - 1)
    return AverageSpread(covariance, n_resamples, n_redrawn)


def tpr_of_tables(pos: Tables, neg: Tables, fpr: FloatArray) -> FloatArray:
    """Return r x g TPRs of r tables given as counts (r x d), the most positive score first.

    NaN where a table lacks a class.
    """
    with np.errstate(invalid="ignore"):
        x, y = (
            np.concatenate([np.zeros((len(n), 1)), np.cumsum(n, axis=1)], axis=1)
            / n.sum(axis=1, keepdims=True)
            for n in (neg, pos)
        )
    row, end = np.arange(len(x)), x.shape[1] - 1
    found = np.empty((len(x), len(fpr)))
    for g, wanted in enumerate(fpr):
        last = np.count_nonzero(x <= wanted + _SAME_RATE, axis=1) - 1
        following = np.minimum(last + 1, end)
        beyond, gap = wanted - x[row, last], x[row, following] - x[row, last]
        share = np.divide(
            beyond, gap, out=np.zeros(len(x)), where=(beyond > _SAME_RATE) & (gap > 0)
        )
        found[:, g] = y[row, last] + share * (y[row, following] - y[row, last])
    return np.where(np.isnan(x[:, -1:] + y[:, -1:]), np.nan, found)


@dataclass(frozen=True, eq=False)
class _Columns:
    """Rows of one class in the order of a predictor's scores, and where each score starts."""

    rows: IntArray
    codes: IntArray
    n_scores: int

    def tables(self, weights: FloatArray) -> FloatArray:
        """Return the weight at each score (r x d) of resamples of all rows."""
        found = np.zeros((len(weights), self.n_scores))
        if len(self.rows):
            starts = np.flatnonzero(np.diff(self.codes, prepend=-1))
            found[:, self.codes[starts]] = np.add.reduceat(
                weights.take(self.rows, axis=1), starts, axis=1
            )
        return found


def _rows_of_folds(sample: Sample) -> list[IntArray]:
    if sample.fold is None:
        return [np.arange(len(sample.is_positive))]
    return [np.flatnonzero(sample.fold.codes == code) for code in sample.fold.present]


def _fold_columns(
    sample: Sample, rows: IntArray, predictors: Sequence[int]
) -> list[tuple[_Columns, _Columns]]:
    """Return the positives and the negatives of a fold for each predictor."""
    found = []
    for k in predictors:
        kept, codes = np.unique(sample.codes(k)[rows], return_inverse=True)
        sides = []
        for positive in (True, False):
            own = np.flatnonzero(sample.is_positive[rows] == positive)
            order = own[np.argsort(codes[own], kind="stable")]
            sides.append(_Columns(rows[order], codes[order], len(kept)))
        found.append((sides[0], sides[1]))
    return found


def _fold_tpr(
    weights: FloatArray, fold: Sequence[tuple[_Columns, _Columns]], fpr: FloatArray
) -> FloatArray:
    """Return r x k x g TPRs of one fold."""
    return np.stack(
        [tpr_of_tables(pos.tables(weights), neg.tables(weights), fpr) for pos, neg in fold], axis=1
    )
