"""Lift: the precision of a predictor over the prevalence, at each threshold."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from rocstats.curves.precision import precision
from rocstats.curves.roc import Numbers, curve_answer, roc_points
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import CURVE, Question, columns_in
from rocstats.study.binned import largest_deviation
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample

LIFT_CURVE = Question(
    "lift_curve",
    columns_in(f"{CURVE} positive_rate tpr lift fp tp"),
    (
        "vuk-2006",
        "fawcett-2004",
    ),
    binned=True,
)


def lift_curve(sample: Sample, *, by: Literal["fold"] | None = None) -> pd.DataFrame:
    """Return the lift curve of every predictor; a row is one threshold.

    Parameters
    ----------
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, positive_rate, tpr,
        lift, fp, tp``: ``lift`` against ``positive_rate`` is the lift curve, ``tpr`` against
        ``positive_rate`` the curve of cumulative gains. The first row of a curve has an infinite
        threshold and carries the limit of the lift where nothing is called positive.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds or a fold lacks a class, or a word is unknown.

    Notes
    -----
    With n cases of which n_pos are positive, positive_rate = (TP + FP) / n and
    lift = TP / (TP + FP) * n / n_pos = tpr / positive_rate. Where nothing is called positive, the
    lift is the limit along the first segment, that of the first row which calls some case
    positive. An uninformative predictor has lift 1, no predictor more than n / n_pos, and every
    curve ends at (1, 1). Between two thresholds the counts are linear and the lift is not: it is
    linear in 1 / positive_rate.

    Lift depends on the prevalence in the sample, as precision does: do not compare samples of
    different prevalence, nor use it for case-control data. It carries no interval. Frequencies and
    weights enter as counts; clusters do not change a curve. In a group that lacks a class the lift
    is NaN.

    References
    ----------
    - Vuk & Curk (2006) [vuk-2006]
    - Fawcett (2004), section 3.2 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.lift_curve()[["threshold", "positive_rate", "tpr", "lift"]].round(3)
       threshold  positive_rate    tpr   lift
    0        inf            0.0  0.000  1.667
    1        0.9            0.2  0.333  1.667
    2        0.8            0.4  0.667  1.667
    3        0.7            0.6  0.667  1.111
    4        0.6            1.0  1.000  1.000
    """
    LIFT_CURVE.refuse_covariates(sample)
    return curve_answer(LIFT_CURVE, sample, _lift_columns, by=by, error=_lift_error)


def _lift_columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
    """Return the number columns of a lift curve."""
    points = roc_points(counts, higher_is_positive=higher_is_positive)
    called = points.fp + points.tp
    # The precision at the last vertex, where all cases are called positive, is the prevalence. In a
    # group without a class the precision is NaN, and called[-1] may be 0.
    ppv = precision(points)
    return {
        "threshold": points.threshold,
        "next_score": points.next_score,
        "positive_rate": called / called[-1] if called[-1] > 0 else ppv,
        "tpr": points.tpr,
        "lift": ppv / ppv[-1],
        "fp": points.fp,
        "tp": points.tp,
    }


def _lift_error(numbers: Numbers, extremes: list[ScoreCounts]) -> FloatArray:
    """Return 0 at the thresholds; at the limit where nothing is called, the range of the lift."""
    found = [_lift_columns(table, True)["lift"][:1] for table in extremes]
    bound = np.zeros(len(numbers["lift"]))
    bound[:1] = largest_deviation(numbers["lift"][:1], list(found))
    return bound
