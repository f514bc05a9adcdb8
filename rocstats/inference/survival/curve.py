"""The ROC curve at a time, with weights for censoring."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from rocstats.curves.roc import Numbers, Texts, curve_frame
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in
from rocstats.inference.survival.follow_up import (
    CENSORED,
    NO_STATUS,
    Controls,
    StatusAt,
    read_horizons_and_controls,
)
from rocstats.inference.survival.ratios import ScoreCodes, survival_score_codes
from rocstats.study.base import warned_doubts
from rocstats.study.survival import SurvivalSample

SURVIVAL_ROC_CURVE = Question(
    "survival_roc_curve",
    columns_in(
        "predictor group time controls direction threshold next_score fpr tpr fp tp censored"
    ),
    ("uno-2007", "blanche-2013"),
)

_VERTEX_COLUMNS = ("fpr", "tpr", "fp", "tp", "censored")


def survival_roc_curve(
    sample: SurvivalSample, *, time: float | list[float], controls: Controls = "not-case"
) -> pd.DataFrame:
    """Return time-dependent ROC curves of every predictor; a row is one vertex.

    Use this method to draw the curve and to see the rates at each threshold. For the area, use
    ``auc``. For limits at a threshold, use ``operating_points``.

    Parameters
    ----------
    time : float > 0, or sequence of them
        Times t, in the unit of the study. Curves are in ascending order of the times.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at t: patients without the event of interest, or without any
        event. See ``auc``.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, controls, direction, threshold, next_score, fpr, tpr,
        fp, tp, censored``; curves are sorted by group, predictor and time. The first row of each
        curve is (0, 0) with an infinite threshold. Every distinct score has a row. ``fp`` and
        ``tp`` are estimated numbers of patients (sums of weights). ``censored`` counts patients
        with unknown status at the time.

    Raises
    ------
    InputError
        If a time is not above 0, or an option is unknown.

    Warns
    -----
    StatisticalWarning
        If a time has no cases, no controls or no patients in follow-up (``no-status-at-time``). The
        curve then has one row with rates of NaN.

    Notes
    -----
    tpr is the weighted share of cases with a score at or beyond the threshold. fpr is the weighted
    share of controls. Weights are as in ``auc``. The area under the curve equals the area of
    ``auc``, since a tie of a case and a control is a sloped line segment. The curve has no
    interval.

    References
    ----------
    - Uno, Cai, Tian & Wei (2007) [uno-2007]
    - Blanche, Dartigues & Jacqmin-Gadda (2013), competing risks [blanche-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> months, died = [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 1, 0, 1, 0]
    >>> study = rs.SurvivalStudy(months, died, [3, 1, 2, 5, 2, 1, 4, 2], predictor="marker")
    >>> study.roc_curve(time=10)[["threshold", "fpr", "tpr"]].round(3)
       threshold    fpr    tpr
    0        inf  0.000  0.000
    1        5.0  0.000  0.235
    2        4.0  0.000  0.471
    3        3.0  0.000  0.706
    4        2.0  0.667  1.000
    5        1.0  1.000  1.000
    """
    horizons = read_horizons_and_controls(time, controls)
    curves, codes = [], []
    for group, part in sample.by_group():
        statuses = list(horizons.statuses(part))
        codes += [NO_STATUS for at in statuses if not at.is_defined]
        for k, name in enumerate(part.predictors):
            texts = {"predictor": name, "group": group, "controls": horizons.controls}
            curves += [
                ({**texts, **of}, numbers) for of, numbers in _vertices_at_times(part, k, statuses)
            ]
    warn_of_doubts(codes, warned_doubts(sample))
    return curve_frame(SURVIVAL_ROC_CURVE, curves, sample)


def _vertices_at_times(
    part: SurvivalSample, k: int, statuses: list[StatusAt]
) -> Iterator[tuple[Texts, Numbers]]:
    """Yield direction and vertices of one predictor at each time."""
    higher, scores = part.higher_is_positive[k], survival_score_codes(part, k)
    distinct = np.unique(part.scores[k])[:: -1 if higher else 1]
    for at in statuses:
        columns = {"threshold": np.array([np.inf if higher else -np.inf])}
        columns["next_score"] = distinct[:1] if at.is_defined else np.full(1, np.nan)
        columns |= dict.fromkeys(_VERTEX_COLUMNS, np.full(1, np.nan))
        if at.is_defined:
            beyond = _weights_at_or_beyond_scores(at, scores)
            vertices = {
                "threshold": distinct,
                "next_score": np.append(distinct[1:], -columns["threshold"]),
                "fpr": beyond["fp"] / beyond["fp"][-1],
                "tpr": beyond["tp"] / beyond["tp"][-1],
                **beyond,
            }
            # Nobody is called positive at the first vertex.
            columns |= dict.fromkeys(_VERTEX_COLUMNS, np.zeros(1))
            columns = {name: np.append(columns[name], vertices[name]) for name in columns}
        columns["time"] = np.full(len(columns["threshold"]), at.t)
        yield {"direction": ">=" if higher else "<="}, columns


def _weights_at_or_beyond_scores(at: StatusAt, scores: ScoreCodes) -> dict[str, FloatArray]:
    """Return what is at or beyond each distinct score, the largest risk first.

    ``fp`` and ``tp`` are the weights of controls and cases, ``censored`` the number of patients
    without a status.
    """
    of = at.follow_up
    unknown = ((of.time <= at.t) & (of.status == CENSORED)).astype(np.float64)
    weights = {"fp": at.control_weight, "tp": at.case_weight, "censored": unknown}
    return {
        name: np.bincount(scores.codes, weights=weight, minlength=scores.size)[::-1].cumsum()
        for name, weight in weights.items()
    }
