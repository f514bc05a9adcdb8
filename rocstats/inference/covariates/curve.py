"""The covariate-adjusted ROC curve of each predictor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.frames.making import Labels, warn_of
from rocstats.frames.questions import Question, columns_in
from rocstats.inference.covariates.design import require_covariates
from rocstats.inference.covariates.families import NO_SPREAD, placements, word_of
from rocstats.inference.covariates.refusals import NO_FOLDS, NO_WEIGHTS
from rocstats.inference.estimates.answers import answer_columns
from rocstats.inference.estimates.undefined import answerable_predictors
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import said_of
from rocstats.sample.inputs.points.rates import read_points_of_curve
from rocstats.sample.sample import Sample
from rocstats.stats.covariates.adjusted import RESIDUALS, Residuals
from rocstats.stats.covariates.curve import curve_vertices, rates_at

ADJUSTED_ROC_CURVE = Question(
    "adjusted_roc_curve",
    columns_in("predictor group fold fpr tpr method"),
    ("janes-2009",),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS},
    adjusts=True,
)


def adjusted_roc_curve(
    sample: Sample,
    *,
    residuals: Residuals = "empirical",
    fpr: Sequence[float] | FloatArray | None = None,
) -> pd.DataFrame:
    """Return the covariate-adjusted ROC curve of every predictor; a row is one point.

    At false positive rate f it has the sensitivity of thresholds that, at every value of the
    covariates, call a share f of the negatives there positive.

    Parameters
    ----------
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the negatives around their regression, as in ``adjusted_auc``.
    fpr : array-like of float in [0, 1], optional
        False positive rates of the points. By default all vertices of the curve, a staircase.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, fpr, tpr, method``, for ``plot_roc``: as ``curve``, or
        as ``fit`` of the pooled curve. ``fold`` is "". A group without a class has no rows.

    Raises
    ------
    InputError
        As ``adjusted_auc``, or if a rate is not in [0, 1].

    Warns
    -----
    StatisticalWarning
        If a group lacks a class (``one-class``), or normal residuals do not vary
        (``no-residual-spread``).

    Notes
    -----
    The sensitivity at f is the share of positives with 1 - U_i <= f, U_i the placements of
    ``adjusted_auc``; the area under the curve is the adjusted area. The curve has no thresholds:
    they differ with the covariates. It has no confidence band.

    References
    ----------
    - Janes & Pepe (2009), covariate-adjusted curves [janes-2009]

    Examples
    --------
    >>> import rocstats as rs
    >>> age = [50 + 7 * i % 20 for i in range(60)]
    >>> y = [int(i % 3 == 0) for i in range(60)]
    >>> score = [a / 10 + 0.8 * c + 11 * i % 23 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> study = rs.Study(y, score, covariate={"age": age})
    >>> study.adjusted_roc_curve(fpr=[0.1, 0.3])[["fpr", "tpr"]]
       fpr  tpr
    0  0.1  0.4
    1  0.3  0.7
    """
    ADJUSTED_ROC_CURVE.require_roles(sample)
    residuals = require_choice("residuals", residuals, RESIDUALS)
    rates = None if fpr is None else read_points_of_curve(fpr)
    require_covariates(sample)
    codes: list[str] = []
    curves: list[tuple[str, str, FloatArray]] = []
    for _, group, k, name, own in answerable_predictors(sample, codes):
        found = placements(own, group, k, residuals)
        if np.isnan(found.value):
            codes.append(NO_SPREAD)
            continue
        weight = None if own.frequency is None else own.frequency[own.is_positive]
        points = (
            curve_vertices(found.placement, weight)
            if rates is None
            else np.stack([rates, rates_at(rates, found.placement, weight)])
        )
        curves.append((name, group, points))
    warn_of(codes, said_of(sample))
    return answer_columns(ADJUSTED_ROC_CURVE, sample, _columns(curves, word_of(sample, residuals)))


def _columns(curves: Sequence[tuple[str, str, FloatArray]], word: str) -> dict[str, Any]:
    """Return the columns of the curves, one below the other."""
    rows = np.repeat(np.arange(len(curves)), [points.shape[1] for *_, points in curves])
    fpr, tpr = np.concatenate([np.empty((2, 0)), *(points for *_, points in curves)], axis=1)
    nothing = np.zeros(len(rows), dtype=np.intp)
    return {
        "predictor": Labels([name for name, *_ in curves], rows),
        "group": Labels([group for _, group, _ in curves], rows),
        "fold": Labels([""], nothing),
        "fpr": fpr,
        "tpr": tpr,
        "method": Labels([word], nothing),
    }
