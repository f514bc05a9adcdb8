"""Bootstrap of averaged curves: the TPR at given FPRs, averaged over folds.

Curves are read as they are plotted: the top of a vertical step, linear along the slope of a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.columns import fold_rows, score_columns
from rocstats.stats.resampling.curves.polygons import crossed_ties, table_curves, tpr_of_columns
from rocstats.stats.resampling.curves.rates import exact_tpr_variance
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.weights import draw_weights


class AverageSpread(NamedTuple):
    """Bootstrap covariances (FPRs x predictors x predictors) of averaged curves.

    ``n_resamples`` is 0 for a closed form; ``n_redrawn`` resamples lacked a class.
    """

    covariance: FloatArray
    n_resamples: int
    n_redrawn: int


def average_variance(
    cases: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan
) -> AverageSpread:
    """Return the bootstrap variance of the averaged curve of predictor ``k`` at each FPR.

    Folds without ties across classes have a closed form; others, and clusters, are resampled.
    """
    if cases.cluster is not None:
        return average_covariance(cases, [k], fpr, plan.at(k))
    # Folds are resampled apart: the variance of their mean is the sum of variances over V^2.
    folds = [part.counts(k) for _, part in cases.by_fold()]
    variance, resampled = np.zeros(len(fpr)), False
    for v, counts in enumerate(folds):
        if crossed_ties(counts):
            resampled = True
            variance += table_curves(counts, fpr, plan.at(k, v)).var(axis=0, ddof=1)
        else:
            variance += exact_tpr_variance(counts, fpr)
    covariance = (variance / len(folds) ** 2)[:, np.newaxis, np.newaxis]
    return AverageSpread(covariance, plan.n_resamples if resampled else 0, 0)


def average_covariance(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> AverageSpread:
    """Return the bootstrap covariances of the averaged curves of predictors at each FPR."""
    draws = average_draws(cases, predictors, fpr, plan)
    centred = draws.values - draws.values.mean(axis=0)
    covariance = np.einsum("big,bjg->gij", centred, centred) / (plan.n_resamples - 1)
    return AverageSpread(covariance, plan.n_resamples, draws.n_redrawn)


def average_draws(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> ValidDraws:
    """Return the averaged curves of predictors at each FPR in resamples that they share.

    Cases of each class are resampled in each fold apart, or clusters whole across folds. A resample
    of clusters that leaves a fold without a class is drawn again.
    """
    stratified = cases.cluster is None
    folds = [[score_columns(cases, rows, k) for k in predictors] for rows in fold_rows(cases)]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = np.mean([tpr_of_columns(weights, fold, fpr) for fold in folds], axis=0)
        # NaN in all places if any fold lacks a class: one place of each resample decides.
        return np.asarray(tpr[~np.isnan(tpr[:, 0, 0])])

    return plan.valid(len(cases.is_positive), draw, "curves")
