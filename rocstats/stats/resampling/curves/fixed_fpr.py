"""Sensitivities of several predictors at fixed false positive rates, resampled together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import roc_points
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.columns import score_columns
from rocstats.stats.resampling.curves.polygons import tpr_of_columns
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.weights import draw_weights


def tpr_at_fpr(cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray) -> FloatArray:
    """Return the TPR of each predictor at each FPR: the top of a step, linear between vertices."""
    curves = [
        roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        for k in predictors
    ]
    return np.stack([tpr_at(curve.fpr, curve.tpr, fpr) for curve in curves])


def fixed_fpr_draws(
    cases: ScoredCases,
    predictors: Sequence[int],
    fpr: FloatArray,
    plan: ResamplePlan,
    scored: Sequence[IntArray] | None = None,
) -> ValidDraws:
    """Return TPRs of resamples that the predictors share; classes are resampled apart.

    ``scored`` are the rows that each predictor has a score of, by default all. Clusters are drawn
    whole, and resamples in which a predictor lacks a class drawn again.
    """
    everyone, stratified = np.arange(len(cases.is_positive)), cases.cluster is None
    rows = [everyone for _ in predictors] if scored is None else scored
    streams = plan.streams(8)
    columns = [score_columns(cases, own, k) for k, own in zip(predictors, rows, strict=True)]

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = tpr_of_columns(weights, columns, fpr)
        # NaN at all rates where a class was not drawn.
        return np.asarray(tpr[~np.isnan(tpr[:, :, 0]).any(axis=1)])

    draws = plan.valid(len(everyone), draw, "rates" if scored is None else "reader-rates")
    return draws._replace(values=np.ascontiguousarray(draws.values.transpose(1, 2, 0)))
