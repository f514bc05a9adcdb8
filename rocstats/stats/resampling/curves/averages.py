"""Bootstrap of averaged curves: the TPR at given FPRs, averaged over folds.

Curves are read as they are plotted: the top of a vertical step, linear along the slope of a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.curves.polygons import crossed_ties, table_curves, tpr_of_tables
from rocstats.stats.resampling.curves.rates import exact_tpr_variance
from rocstats.stats.resampling.streams import Streams, valid_draws
from rocstats.stats.resampling.weights import draw_weights


class AverageDraws(NamedTuple):
    """Averaged curves (resamples x predictors x FPRs), and the number of redrawn resamples."""

    tpr: FloatArray
    n_redrawn: int


class AverageSpread(NamedTuple):
    """Bootstrap covariances (FPRs x predictors x predictors) of averaged curves.

    ``n_resamples`` is 0 for a closed form; ``n_redrawn`` resamples lacked a class.
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
    # Folds are resampled apart: the variance of their mean is the sum of variances over V^2.
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
    streams = Streams(*seed, 2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = np.mean([_fold_tpr(weights, fold, fpr) for fold in folds], axis=0)
        # NaN in all places if any fold lacks a class: one place of each resample decides.
        return np.asarray(tpr[~np.isnan(tpr[:, 0, 0])])

    n_rows = len(cases.is_positive)
    return AverageDraws(*valid_draws(n_resamples, n_rows, draw, "curves", progress=progress))


class _Columns(NamedTuple):
    """Rows of one class in the order of a predictor's scores, with the code of each score."""

    rows: IntArray
    codes: IntArray
    n_scores: int

    def tables(self, weights: FloatArray) -> FloatArray:
        """Return the weight at each score (r x d) of resamples of all rows."""
        sums = np.zeros((len(weights), self.n_scores))
        if len(self.rows):
            # Scores of the other class only get no start: reduceat does not sum an empty run to 0.
            starts = np.flatnonzero(np.diff(self.codes, prepend=-1))
            drawn = weights.take(self.rows, axis=1)
            sums[:, self.codes[starts]] = np.add.reduceat(drawn, starts, axis=1)
        return sums


def _rows_of_folds(cases: ScoredCases) -> list[IntArray]:
    if cases.fold is None:
        return [np.arange(len(cases.is_positive))]
    return [np.flatnonzero(cases.fold.codes == code) for code in cases.fold.present]


def _fold_columns(
    cases: ScoredCases, rows: IntArray, predictors: Sequence[int]
) -> list[tuple[_Columns, _Columns]]:
    """Return the positives and the negatives of a fold for each predictor."""
    columns = []
    for k in predictors:
        kept, codes = np.unique(cases.codes(k)[rows], return_inverse=True)
        sides = []
        for positive in (True, False):
            members = np.flatnonzero(cases.is_positive[rows] == positive)
            # Stable: weights of a tie are summed in the order of rows, on every processor.
            order = members[np.argsort(codes[members], kind="stable")]
            sides.append(_Columns(rows[order], codes[order], len(kept)))
        columns.append((sides[0], sides[1]))
    return columns


def _fold_tpr(
    weights: FloatArray, fold: Sequence[tuple[_Columns, _Columns]], fpr: FloatArray
) -> FloatArray:
    """Return r x k x g TPRs of one fold."""
    return np.stack(
        [tpr_of_tables(pos.tables(weights), neg.tables(weights), fpr) for pos, neg in fold], axis=1
    )
