"""The precision-recall curve, its interpolation, and the areas under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from rocstats.curves.areas.whole import weighted_sums
from rocstats.curves.points.roc import Numbers, RocPoints, curve_answer, roc_points
from rocstats.errors import InputError
from rocstats.frames.questions import CURVE, Question, columns_in
from rocstats.sample.arrays import FloatArray
from rocstats.sample.binned import largest_deviation
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.sample.inputs.points.thresholds import number_array
from rocstats.sample.sample import Sample

PR_CURVE = Question(
    "pr_curve",
    columns_in(f"{CURVE} tpr ppv fp tp"),
    (
        "davis-2006",
        "keilwagen-2014",
        "fawcett-2004",
    ),
    binned=True,
)


def precision(points: RocPoints) -> FloatArray:
    """Return the precision at each vertex; NaN if a class has no members.

    Where nothing is called positive the precision is its limit: that of the first vertex that calls
    some case positive, since the precision is constant along the first segment.
    """
    called = points.fp + points.tp
    if not (points.fp[-1] > 0 and points.tp[-1] > 0):
        return np.full_like(called, np.nan)
    first = int(np.argmax(called > 0))
    ppv = np.divide(points.tp[first:], called[first:], out=called[first:])
    called[:first] = ppv[0]
    return called


def read_at_recall(points: RocPoints, tpr: FloatArray) -> RocPoints:
    """Return the points of the interpolated curve at given recalls, without thresholds.

    Counts are linear between vertices. A recall shared by several vertices is read at the first
    of them, which has the fewest false positives.
    """
    unknown = np.full_like(tpr, np.nan)
    if not points.tp[-1] > 0:
        return RocPoints(unknown, unknown, unknown)
    # Rates are compared, not counts: a recall copied from the frame of a curve is the same float as
    # the rate of its vertex, but n_pos times it need not be the count.
    after = np.searchsorted(points.tpr, tpr, side="left")
    before = np.maximum(after - 1, 0)
    step = points.tpr[after] - points.tpr[before]
    part = np.divide(tpr - points.tpr[before], step, out=np.zeros_like(tpr), where=step > 0)
    fp, tp = (
        counts[before] + part * (counts[after] - counts[before])
        for counts in (points.fp, points.tp)
    )
    return RocPoints(unknown, fp, tp)


def average_precision(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the average precision of tables of counts: the sum of (R_k - R_{k-1}) P_k.

    R is recall and P precision at each distinct score, from the most positive one; scores are the
    last axis.
    """
    # R_k - R_{k-1} is n_pos_k / total_pos: a difference of rates would cancel.
    tp = np.cumsum(n_pos, axis=-1)
    called = tp + np.cumsum(n_neg, axis=-1)
    ppv = np.divide(tp, called, out=np.zeros_like(tp), where=called > 0)
    return np.asarray(weighted_sums(n_pos, ppv) / n_pos.sum(axis=-1))


def pr_area(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the exact area under the interpolated curve of tables; scores are the last axis.

    Let p be the precision where a segment starts, q that of the cases it adds, and u their number
    over that of the cases before it. The mean precision along the segment is p L + q (1 - L) with
    L = log(1 + u) / u.
    """
    # Keilwagen, Grosse & Grau 2014 integrate by the slope of FP against TP; this form has no slope
    # that could be infinite or cancel. Scores without positives add no recall, hence no area.
    added = n_pos + n_neg
    tp_before = _before(n_pos)
    before = tp_before + _before(n_neg)
    started, rises = before > 0, n_pos > 0
    p = np.divide(tp_before, before, out=np.zeros_like(before), where=started)
    q = np.divide(n_pos, added, out=np.zeros_like(before), where=rises)
    u = np.divide(added, before, out=np.zeros_like(before), where=started & rises)
    # L is 0 at the start, where u is infinite, and 1 where u is so small that it underflows.
    share = np.divide(np.log1p(u), u, out=started.astype(np.float64), where=u > 0)
    return np.asarray(weighted_sums(n_pos, p * share + q * (1 - share)) / n_pos.sum(axis=-1))


def _before(counts: FloatArray) -> FloatArray:
    """Return the sum over the scores before each; scores are the last axis."""
    sums = np.zeros(np.shape(counts))
    np.cumsum(counts[..., :-1], axis=-1, out=sums[..., 1:])
    return sums


def pr_curve(
    sample: Sample, *, tpr: Sequence[float] | None = None, by: Literal["fold"] | None = None
) -> pd.DataFrame:
    """Return the precision-recall curve of every predictor; a row is one point of it.

    Parameters
    ----------
    tpr : sequence of float in [0, 1], optional
        Recalls at which to read the curve, one row each in this order. By default there is a row
        for every distinct threshold, which loses nothing: other points follow by interpolation.
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, tpr, ppv, fp, tp``: recall is
        ``tpr`` and precision is ``ppv``. The first row of a curve has an infinite threshold and
        recall 0, and carries the limit of the precision there. With ``tpr=`` thresholds are NaN
        and the counts are interpolated.

    Raises
    ------
    InputError
        If ``tpr`` is not a list of numbers in [0, 1], if ``by="fold"`` and the study has no folds
        or a fold lacks a class, or a word is unknown.

    Notes
    -----
    At each threshold, recall = TP / n_pos and precision = TP / (TP + FP). Between the points A and
    B of neighbouring thresholds the counts are linear, as on a ROC curve, and the precision is not:
    at TP_A + x it is (TP_A + x) / (TP_A + x + FP_A + x (FP_B - FP_A) / (TP_B - TP_A)). Joining the
    points by straight lines overstates it. Along the first segment the precision is constant (0 if
    the segment holds no positives), which is the limit at recall 0. Where negatives alone are added
    the curve falls vertically; a recall given there is read at the top.

    Precision depends on the prevalence in the sample: more negatives change the curve though
    the ROC curve stays. Do not compare curves, nor carry one over, between samples of different
    prevalence, and do not use it for case-control data, whose prevalence is made by design.
    The curve is exact geometry: it carries no interval. Frequencies and weights enter as counts;
    clusters do not change a curve. In a group that lacks a class the precision is NaN.

    References
    ----------
    - Davis & Goadrich (2006) [davis-2006]
    - Keilwagen, Grosse & Grau (2014) [keilwagen-2014]
    - Fawcett (2004), section 3.2 and figure 5 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> study.pr_curve()[["threshold", "tpr", "ppv", "fp", "tp"]].round(3)
       threshold    tpr    ppv  fp  tp
    0        inf  0.000  1.000   0   0
    1        0.9  0.333  1.000   0   1
    2        0.8  0.667  1.000   0   2
    3        0.7  0.667  0.667   1   2
    4        0.6  1.000  0.600   2   3
    >>> study.pr_curve(tpr=[0.5, 0.9])[["threshold", "tpr", "ppv", "fp", "tp"]].round(3)
       threshold  tpr    ppv   fp   tp
    0        NaN  0.5  1.000  0.0  1.5
    1        NaN  0.9  0.614  1.7  2.7
    """
    PR_CURVE.refuse_covariates(sample)
    recalls = None if tpr is None else _read_rates(tpr)

    def columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
        points = roc_points(counts, higher_is_positive=higher_is_positive)
        rates, ppv = points.tpr, precision(points)
        if recalls is not None:
            limit, rates, points = ppv[0], recalls, read_at_recall(points, recalls)
            called = points.fp + points.tp
            # Davis & Goadrich 2006: the counts are interpolated, the precision follows from them.
            ppv = np.divide(points.tp, called, out=np.full_like(called, limit), where=called > 0)
            ppv = ppv if np.isfinite(limit) else np.full_like(called, np.nan)
        return {
            "threshold": points.threshold,
            "tpr": rates,
            "ppv": ppv,
            "fp": points.fp,
            "tp": points.tp,
        }

    def error(numbers: Numbers, extremes: list[ScoreCounts]) -> FloatArray:
        # Between vertices, and as the limit at recall 0, bins tell the precision up to a range.
        found = [columns(table, True)["ppv"] for table in extremes]
        ppv, bound = numbers["ppv"], np.zeros(len(numbers["ppv"]))
        inner = slice(0, 1 if recalls is None else None)
        bound[inner] = largest_deviation(ppv[inner], [other[inner] for other in found])
        return bound

    return curve_answer(PR_CURVE, sample, columns, by=by, error=error)


def _read_rates(tpr: Sequence[float]) -> FloatArray:
    """Return recalls in [0, 1] as an array."""
    rates = np.empty(0) if np.isscalar(tpr) else number_array(tpr)
    outside = rates[~((rates >= 0) & (rates <= 1))]
    if rates.ndim != 1 or len(rates) == 0 or len(outside) > 0:
        got = f"{outside[0]:g}" if len(outside) > 0 else repr(tpr)
        raise InputError(
            f"`tpr` must be a list of numbers from 0 to 1; got {got}."
            " Pass recalls, for instance [0.5, 0.8]."
        )
    return rates
