"""Points of the fitted binormal curve of each predictor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import rocstats.special as sp
from rocstats.frames.making import Labels, warn_of
from rocstats.frames.questions import Question, columns_in, counts_only
from rocstats.inference.binormal.plan import FitMethod, fit_or_note, plan_fit
from rocstats.inference.estimates.answers import answer_columns
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import said_of
from rocstats.sample.inputs.points.rates import read_points_of_curve
from rocstats.sample.sample import Sample, own_sample
from rocstats.stats.binormal import areas
from rocstats.stats.binormal.fit import BinormalFit

BINORMAL_CURVE = Question(
    "binormal_curve",
    columns_in("predictor group fpr tpr method"),
    ("dorfman-1969", "metz-1998"),
    {
        "sample_weight": counts_only(
            "binormal_curve", "The likelihood needs counts", "sample_weight="
        )
    },
)
# Points 0.01 apart on each axis: a polygon through them looks smooth in a figure.
_N_STEPS = 100


def binormal_curve(
    sample: Sample,
    *,
    method: FitMethod = "maximum-likelihood",
    n_bins: int | None = None,
    fpr: Sequence[float] | FloatArray | None = None,
) -> pd.DataFrame:
    """Return points of the fitted binormal curve; a row is one point of one predictor.

    Parameters
    ----------
    method : {"maximum-likelihood", "normal-theory"}, default "maximum-likelihood"
        As in ``binormal``.
    n_bins : int >= 3, optional
        As in ``binormal``.
    fpr : array-like of float in [0, 1], optional
        False positive rates of the points. By default about 200, at most 0.01 apart on each axis.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, method``, for ``plot_roc(fit=)``. A predictor
        without a fit has no rows.

    Raises
    ------
    InputError
        If an argument is not possible, or the study has weights.

    Warns
    -----
    StatisticalWarning
        If a predictor has no fit (``not-converged``, ``one-class``) or folds are pooled
        (``pooled-folds``).

    Notes
    -----
    TPR = Phi(a + b Phi^-1(FPR)) with a and b of ``binormal``; 0 at 0 and 1 at 1. The curve has no
    confidence band.

    References
    ----------
    - Dorfman & Alf (1969) [dorfman-1969]
    - Metz, Herman & Shen (1998) [metz-1998]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.binormal_curve(fpr=[0.1, 0.3])[["fpr", "tpr"]].round(4)
       fpr     tpr
    0  0.1  0.7713
    1  0.3  0.9002
    """
    BINORMAL_CURVE.refuse_covariates(sample)
    plan = plan_fit(sample, BINORMAL_CURVE, method, n_bins, None)
    grid = None if fpr is None else read_points_of_curve(fpr)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, points = [], [], [np.empty((2, 0))]
    for group, part in sample.by_group():
        for k, name in enumerate(sample.predictors):
            fit, doubt = fit_or_note(own_sample(part, k), k, plan)
            codes += doubt
            # A curve has no row of NaN for a fit that failed: the warning alone tells of it.
            if fit.converged:
                names.append(name)
                groups.append(group)
                at = _grid(fit) if grid is None else grid
                points.append(np.stack([at, areas.curve(fit, at)]))
    warn_of(codes, said_of(sample))
    rows = np.repeat(np.arange(len(names)), [piece.shape[1] for piece in points[1:]])
    at, tpr = np.concatenate(points, axis=1)
    columns = {
        "predictor": Labels(names, rows),
        "group": Labels(groups, rows),
        "fpr": at,
        "tpr": tpr,
        "method": Labels([plan.method], np.zeros(len(rows), dtype=np.intp)),
    }
    return answer_columns(BINORMAL_CURVE, sample, columns)


def _grid(fit: BinormalFit) -> FloatArray:
    """Return false positive rates whose points are at most 0.01 apart on each axis."""
    # Steps of the FPR alone leave gaps where the curve is steep: those of the TPR are mapped back.
    steps = np.linspace(0, 1, _N_STEPS + 1)
    by_tpr = sp.ndtr((sp.ndtri(steps) - fit.a) / fit.b)
    return np.unique(np.concatenate([steps, by_tpr]))
