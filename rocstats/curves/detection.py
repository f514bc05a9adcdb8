"""The DET curve (detection error tradeoff): both error rates on normal-deviate scales."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from rocstats.curves.roc import Numbers, curve_answer, roc_points
from rocstats.facts.special import ndtri
from rocstats.frame.question import CURVE, Question, columns_in
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample

DET_CURVE = Question(
    "det_curve",
    columns_in(f"{CURVE} fpr fnr fpr_deviate fnr_deviate fp tp"),
    (
        "martin-1997",
        "fawcett-2004",
    ),
    binned=True,
)


def det_curve(sample: Sample, *, by: Literal["fold"] | None = None) -> pd.DataFrame:
    """Return the DET curve (detection error tradeoff) of every predictor; a row is one threshold.

    Parameters
    ----------
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, fpr, fnr, fpr_deviate,
        fnr_deviate, fp, tp``. Deviates are infinite where a rate is 0 or 1; the first row of a
        curve is fpr 0 and fnr 1, the last one fpr 1 and fnr 0.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds or a fold lacks a class, or a word is unknown.

    Notes
    -----
    fnr = 1 - tpr, and the deviate of a rate is its probit, the standard normal quantile. The DET
    curve is the ROC curve with the upper axis turned round and both axes stretched near 0 and 1, so
    that good predictors do not crowd in a corner. If scores are normal in both classes the curve is
    a straight line, of slope -sd_neg/sd_pos; an uninformative predictor has
    fnr_deviate = -fpr_deviate. The axes are scaled by normal deviates, not by logarithms.

    The curve is exact geometry: it carries no interval. Frequencies and weights enter as counts;
    clusters do not change a curve. In a group that lacks a class, the rate of that class is NaN.

    References
    ----------
    - Martin, Doddington, Kamm, Ordowski & Przybocki (1997) [martin-1997]
    - Fawcett (2004), section 7.5.1 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> columns = ["threshold", "fpr", "fnr", "fpr_deviate", "fnr_deviate"]
    >>> study.det_curve()[columns].round(3)
       threshold  fpr    fnr  fpr_deviate  fnr_deviate
    0        inf  0.0  1.000         -inf          inf
    1        0.9  0.0  0.667         -inf        0.431
    2        0.8  0.0  0.333         -inf       -0.431
    3        0.7  0.5  0.333          0.0       -0.431
    4        0.6  1.0  0.000          inf         -inf
    """
    DET_CURVE.refuse_covariates(sample)
    return curve_answer(DET_CURVE, sample, _det_columns, by=by)


def _det_columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
    """Return the number columns of a DET curve."""
    points = roc_points(counts, higher_is_positive=higher_is_positive)
    # fnr comes from counts: the deviate of 1 - tpr would lose all digits of a small rate.
    return {
        "threshold": points.threshold,
        "next_score": points.next_score,
        "fpr": points.fpr,
        "fnr": points.fnr,
        "fp": points.fp,
        "tp": points.tp,
        "fpr_deviate": ndtri(points.fpr),
        "fnr_deviate": ndtri(points.fnr),
    }
