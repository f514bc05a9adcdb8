"""FROC and wAFROC curves of readers, and bands of FROC curves."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_columns, stacked_curve_columns
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.resample import RngLike, plan_draws, redrawn_notes, sup_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import NO_SPREAD
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in
from rocstats.inference.localisation.endpoints import group_notes
from rocstats.inference.localisation.froc import (
    curve_points,
    froc_events,
    independent_positives,
    read_curves,
    share_bars,
)
from rocstats.study.base import warned_doubts
from rocstats.study.detection import DetectionSample

DETECTION_CURVE = Question(
    "detection_curve",
    columns_in("modality group reader curve threshold false_marks fpr lesion_tpr n_false n_found"),
    ("chakraborty-2004", "chakraborty-2016"),
)

DrawnCurve = Literal["froc", "wafroc"]


def detection_curve(sample: DetectionSample, curve: DrawnCurve = "froc") -> pd.DataFrame:
    """Return the curve of each reader under each modality; a row is one point.

    Parameters
    ----------
    curve : {"froc", "wafroc"}, default "froc"
        Curve to return.

        - "froc": share of lesions found against false marks per case.
        - "wafroc": the same share with the weights of lesions, so that every positive case counts
          alike, against the share of cases without lesions that have a false mark (``fpr``). The
          area under it, with a straight line from its end to (1, 1), is that of ``auc``.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, curve, threshold, false_marks, fpr, lesion_tpr,
        n_false, n_found``. Each curve starts at (0, 0) with an infinite threshold and has a row for
        each distinct rating. ``fpr`` is NaN if there is no case without lesions.

    Raises
    ------
    InputError
        If the curve is unknown.

    Notes
    -----
    ``n_false`` and ``n_found`` are the numbers of false marks, and of lesions with a mark, at or
    above the threshold.

    References
    ----------
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Chakraborty & Zhai (2016), the wAFROC curve [chakraborty-2016]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> one = marks[(marks["reader"] == 0) & (marks["modality"] == "A")]
    >>> curve = rs.DetectionStudy(one, cases, lesions).curve()
    >>> curve.loc[curve["threshold"] >= 3, ["threshold", "false_marks", "lesion_tpr"]].round(3)
       threshold  false_marks  lesion_tpr
    0        inf          0.0       0.000
    1        3.8          0.0       0.020
    2        3.1          0.0       0.061
    3        3.0          0.0       0.082
    """
    curve = require_choice("curve", curve, get_args(DrawnCurve))
    names = [*sample.readers, *([] if sample.machine is None else [sample.machine])]
    curves = [
        {
            "modality": modality,
            "group": group,
            "reader": name,
            "curve": curve,
            **_points(part, i, name, weighted=curve == "wafroc"),
        }
        for group, part in sample.by_group()
        for i, modality in enumerate(part.modalities)
        for name in names
    ]
    return answer_columns(DETECTION_CURVE, sample, stacked_curve_columns(DETECTION_CURVE, curves))


def _points(part: DetectionSample, i: int, reader: str, *, weighted: bool) -> dict[str, FloatArray]:
    """Return the columns of the points of one curve."""
    marks = part.marks_of(i, reader)
    events = froc_events(part, marks, weighted=weighted)
    points = curve_points(events, np.ones((1, len(part.is_positive))))
    threshold = np.concatenate([[np.inf], events.rating[events.ends]])
    highest = np.full(len(part.is_positive), -np.inf)
    np.maximum.at(highest, marks.false_case, marks.false_rating)
    negatives = np.sort(highest[~part.is_positive])
    fpr = np.full(len(threshold), np.nan)
    if part.n_neg:
        fpr = 1 - np.searchsorted(negatives, threshold, "left") / part.n_neg
    found = np.sort(marks.found)
    n_found = np.where(
        np.isinf(threshold), 0, part.n_lesions - np.searchsorted(found, threshold, "left")
    )
    return {
        "threshold": threshold,
        "false_marks": points.false[0],
        "fpr": fpr,
        "lesion_tpr": points.found[0],
        "n_false": np.rint(points.false[0] * len(part.is_positive)),
        "n_found": n_found.astype(np.float64),
    }


DETECTION_FROC_BAND = Question(
    "detection_froc_band",
    columns_in(
        "modality group reader false_marks lesion_tpr lesion_tpr_low lesion_tpr_high"
        " confidence_level scope n_resamples method note"
    ),
    ("chakraborty-2004", "wilson-1927", "efron-1993"),
)

Scope = Literal["simultaneous", "pointwise"]
# The range of the FROC score: outside it curves have few marks, or their end.
_FEWEST, _MOST = 1 / 8, 8.0


def detection_froc_band(
    sample: DetectionSample,
    *,
    scope: Scope = "simultaneous",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a band of each reader's FROC curve, from 1/8 to 8 false marks per case.

    Parameters
    ----------
    scope : {"simultaneous", "pointwise"}, default "simultaneous"
        What the band contains with the level.

        - "simultaneous": the whole true curve over the range; ours, simulated, not peer-reviewed.
        - "pointwise": the true lesion sensitivity at each number of false marks by itself. Do not
          use it to judge a whole curve.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band holds the curve, or a point.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, false_marks, lesion_tpr, lesion_tpr_low,
        lesion_tpr_high, confidence_level, scope, n_resamples, method, note``: rows at the numbers
        of false marks of the curve between 1/8 and 8, and at both ends of this range.

    Raises
    ------
    InputError
        If an option is invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    At each place the limits are those of ``operating_points(false_marks=)``. The simultaneous band
    has the larger of z and c in place of z, where c is the quantile of the largest distance of a
    resampled curve from the mean, in standard deviations, over all places where resamples differ.
    Past the end of the marks the curve is flat (note ``beyond-marks``).

    References
    ----------
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Wilson (1927) [wilson-1927]
    - Efron & Tibshirani (1993) [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> one = marks[(marks["reader"] == 0) & (marks["modality"] == "A")]
    >>> band = rs.DetectionStudy(one, cases, lesions).froc_band(n_resamples=200, rng=1)
    >>> band[["false_marks", "lesion_tpr"]].round(3).head(2)
       false_marks  lesion_tpr
    0        0.125       0.776
    1        0.127       0.776
    """
    scope = require_choice("scope", scope, get_args(Scope))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    draws = plan_draws(n_resamples, rng, progress)
    names = [*sample.readers, *([] if sample.machine is None else [sample.machine])]
    bands: list[dict[str, Any]] = []
    for g, (group, part) in enumerate(sample.by_group()):
        for i, modality in enumerate(part.modalities):
            for name in names:
                events = froc_events(part, part.marks_of(i, name))
                whole = curve_points(events, np.ones((1, len(part.is_positive)))).false[0]
                inside = whole[(whole > _FEWEST) & (whole < _MOST)]
                at = np.unique(np.concatenate([[_FEWEST, _MOST], inside]))
                read = read_curves(part, [events], at, draws.at(g))
                y, drawn = read.value[0], read.draws[:, 0]
                sd = drawn.std(axis=0, ddof=1)
                level = confidence_level
                if scope == "simultaneous":
                    level = _joint_level(drawn, sd, confidence_level)
                least = independent_positives(part, lesions=True)
                bars = share_bars(y, float(part.n_lesions), least, sd**2, level)
                notes = [
                    *(["beyond-marks"] if read.end[0] < _MOST else []),
                    *group_notes(part),
                    *redrawn_notes(read.n_redrawn),
                ]
                warn_of_doubts(notes, warned_doubts(sample))
                bands.append(
                    {
                        "modality": modality,
                        "group": group,
                        "reader": name,
                        "false_marks": at,
                        "lesion_tpr": y,
                        "lesion_tpr_low": bars.low,
                        "lesion_tpr_high": bars.high,
                        "confidence_level": confidence_level,
                        "scope": scope,
                        "n_resamples": float(draws.n_resamples),
                        "method": f"froc-{scope}",
                        "note": "; ".join(dict.fromkeys(notes)),
                    }
                )
    columns = stacked_curve_columns(DETECTION_FROC_BAND, bands)
    return answer_columns(DETECTION_FROC_BAND, sample, columns, draws)


def _joint_level(drawn: FloatArray, sd: FloatArray, level: float) -> float:
    """Return the level of limits at each place that hold at all places with a level."""
    varies = sd > NO_SPREAD
    if not varies.any():
        return level
    distance = np.abs(drawn[:, varies] - drawn[:, varies].mean(axis=0)) / sd[varies]
    critical = sup_quantile(distance.max(axis=1), level)
    critical = max(critical, t_quantile((1 + level) / 2, np.inf))
    # Below 1, of which the quantile is infinite.
    return min(float(2 * sp.ndtr(critical) - 1), 1 - float(np.finfo(np.float64).eps))
