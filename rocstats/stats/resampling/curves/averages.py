"""Bootstrap of averaged curves: the TPR at given FPRs, a mean over folds.

Curves are read as they are drawn: the top of a vertical step, linear along the slope of a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.counts import draw_weights
from rocstats.stats.resampling.curves.polygons import crossed_ties, table_curves, tpr_of_tables
from rocstats.stats.resampling.curves.rates import exact_tpr_variance
from rocstats.stats.resampling.streams import chunks, require_valid_resamples, stream


@dataclass(frozen=True, eq=False)
class AverageDraws:
    """Averaged curves (resamples x predictors x places); so many resamples were redrawn."""

    tpr: FloatArray
    n_redrawn: int


@dataclass(frozen=True, eq=False)
class AverageSpread:
    """Bootstrap covariances (places x predictors x predictors) of averages, and what they took.

    ``n_resamples`` is 0 for a closed form; so many resamples lacked a class and were redrawn.
    """

    covariance: FloatArray
    n_resamples: int
    n_redrawn: int


def average_variance(
    cases: ScoredCases,
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
    if cases.cluster is not None:
        return average_covariance(cases, [k], fpr, n_resamples, (*seed, k), progress=progress)
    folds = [part.counts(k) for _, part in cases.by_fold()]
    variance, resampled = np.zeros(len(fpr)), False
    for v, counts in enumerate(folds):
        if crossed_ties(counts):
            resampled = True
            draws = table_curves(counts, fpr, n_resamples, (*seed, k, v), progress=progress)
            variance += draws.var(axis=0, ddof=1)
        else:
            variance += exact_tpr_variance(counts, fpr)
    covariance = (variance / len(folds) ** 2)[:, np.newaxis, np.newaxis]
    return AverageSpread(covariance, n_resamples if resampled else 0, 0)


def average_covariance(
    cases: ScoredCases,
    predictors: Sequence[int],
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> AverageSpread:
    """Return the bootstrap covariances of the averaged curves of predictors at each FPR."""
    draws = average_draws(cases, predictors, fpr, n_resamples, seed, progress=progress)
    centred = draws.tpr - draws.tpr.mean(axis=0)
    covariance = np.einsum("big,bjg->gij", centred, centred) / (n_resamples - 1)
    return AverageSpread(covariance, n_resamples, draws.n_redrawn)


def average_draws(
    cases: ScoredCases,
    predictors: Sequence[int],
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> AverageDraws:
    """Return the averaged curves of predictors at each FPR in resamples that they share.

    Cases of each class are resampled in each fold apart, or clusters whole across folds. A resample
    of clusters that leaves a fold without a class is drawn again.
    """
    stratified = cases.cluster is None
    folds = [_fold_columns(cases, rows, predictors) for rows in _rows_of_folds(cases)]
    rng = stream(*seed, 2)
    draws = np.empty((n_resamples, len(predictors), len(fpr)))
    filled, n_redrawn = 0, 0
    for part in chunks(n_resamples, len(cases.is_positive), progress=progress):
        while filled < part.stop:
            wanted = part.stop - filled
            weights = draw_weights(rng, cases, wanted, stratified=stratified)
            found = np.mean([_fold_tpr(weights, fold, fpr) for fold in folds], axis=0)
            valid = found[~np.isnan(found[:, 0, 0])]
            draws[filled : filled + len(valid)] = valid
            filled += len(valid)
            n_redrawn += wanted - len(valid)
            require_valid_resamples(filled, n_redrawn, "curves")
    return AverageDraws(draws, n_redrawn)


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


def _rows_of_folds(cases: ScoredCases) -> list[IntArray]:
    if cases.fold is None:
        return [np.arange(len(cases.is_positive))]
    return [np.flatnonzero(cases.fold.codes == code) for code in cases.fold.present]


def _fold_columns(
    cases: ScoredCases, rows: IntArray, predictors: Sequence[int]
) -> list[tuple[_Columns, _Columns]]:
    """Return the positives and the negatives of a fold for each predictor."""
    found = []
    for k in predictors:
        kept, codes = np.unique(cases.codes(k)[rows], return_inverse=True)
        sides = []
        for positive in (True, False):
            own = np.flatnonzero(cases.is_positive[rows] == positive)
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
