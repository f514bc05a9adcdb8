"""The precision-recall curve, its interpolation, the areas under it, and lift.

Also the derivatives of the areas in the rates of the curve and in the prevalence, from which their
influence values follow, and bounds on the areas of scores known up to bins only. Formulas:
docs/methods/precision-recall.md [davis-2006] [keilwagen-2014]. Lift is the precision over the
prevalence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.areas import weighted_sums
from rocstats.curves.roc import Numbers, RocPoints, curve_answer, roc_points
from rocstats.errors import InputError
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, spans
from rocstats.frame.question import CURVE, Question, columns_in
from rocstats.study.binned import bin_ends, extreme_samples_of_binned_scores, largest_deviation
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.points import number_array
from rocstats.study.sample import Sample

# --- The curve ------------------------------------------------------------------------------------

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


def pr_curve(
    sample: Sample, *, tpr: Sequence[float] | None = None, by: Literal["fold"] | None = None
) -> pd.DataFrame:
    """Return the precision-recall curve of every predictor; a row is one point.

    Parameters
    ----------
    tpr : sequence of float in [0, 1], optional
        Recalls at which the curve is evaluated. There is one row for each recall, in this order. By
        default there is one row for every distinct threshold.
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, tpr, ppv, fp, tp``.
        Recall is ``tpr``, and precision is ``ppv``. The first row of a curve has an infinite
        threshold and recall 0. Its precision is the limit of the precision at recall 0. If the
        option ``tpr`` is passed, thresholds are NaN and the counts are interpolated.

    Raises
    ------
    InputError
        If ``tpr`` is not a list of numbers in [0, 1]; if ``by="fold"`` and the study has no folds;
        if ``by="fold"`` and a fold lacks a class; or if an option is unknown.

    Notes
    -----
    At each threshold, recall = TP / n_pos and precision = TP / (TP + FP). Let A and B be the points
    of neighbouring thresholds. Between A and B the counts are interpolated linearly, as on a ROC
    curve. The precision is not linear. At TP_A + x true positives it is (TP_A + x) / (TP_A + x +
    FP_A + x (FP_B - FP_A) / (TP_B - TP_A)). Straight lines between the points would give too high a
    precision. Along the first segment the precision is constant (0 if the segment has no
    positives). This value is the limit at recall 0. If lower thresholds add only negatives, the
    curve falls vertically. At such a recall, the option ``tpr`` gives the highest point.

    Precision depends on the prevalence in the sample. More negatives change this curve, but not the
    ROC curve. Do not compare curves of samples with different prevalence. Do not use the curve for
    case-control data, where the share of positives was chosen. The curve is computed exactly from
    counts and has no interval. Frequencies and weights are used as counts. Clusters do not change a
    curve. In a group that lacks a class, the precision is NaN.

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
    recalls = None if tpr is None else _read_recalls(tpr)

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
            "next_score": points.next_score,
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


def _read_recalls(tpr: Sequence[float]) -> FloatArray:
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


# --- Areas ----------------------------------------------------------------------------------------


Called = tuple[FloatArray, FloatArray]
"""Positives and negatives that each score calls positive: tp and fp, the last axis the score."""

_LARGEST = float(np.finfo(np.float64).max)


def average_precision_of_counts(
    n_pos: FloatArray, n_neg: FloatArray, called: Called | None = None
) -> FloatArray:
    """Return the average precision of tables of counts: the sum of (R_k - R_{k-1}) P_k.

    R is recall and P precision at each distinct score, from the most positive one; scores are the
    last axis. With ``called``, scores without positives may be left out: they add no recall.
    """
    # R_k - R_{k-1} is n_pos_k / total_pos: a difference of rates would cancel.
    tp, fp = _called_at_each_score(n_pos, n_neg) if called is None else called
    all_called = tp + fp
    ppv = _ratio_or_zero(tp, all_called)
    return np.asarray(weighted_sums(n_pos, ppv) / n_pos.sum(axis=-1))


def pr_area(n_pos: FloatArray, n_neg: FloatArray, called: Called | None = None) -> FloatArray:
    """Return the exact area under the interpolated curve of tables; scores are the last axis.

    Let p be the precision where a segment starts, q that of the cases it adds, and u their number
    over that of the cases before it. The mean precision along the segment is p L + q (1 - L) with
    L = log(1 + u) / u. With ``called``, scores without positives may be left out.
    """
    # Keilwagen, Grosse & Grau 2014 integrate by the slope of FP against TP; this form has no slope
    # that could be infinite or cancel. Scores without positives add no recall, hence no area.
    tp, fp = _called_at_each_score(n_pos, n_neg) if called is None else called
    area = np.zeros(tp.shape[:-1])
    for block in spans(tp.shape[-1]):
        rise, run = n_pos[..., block], n_neg[..., block]
        tp_before, added = tp[..., block] - rise, rise + run
        before = tp_before + (fp[..., block] - run)
        p, q = _ratio_or_zero(tp_before, before), _ratio_or_zero(rise, added)
        # A segment without positives counts for nothing, however large its ratio.
        with np.errstate(over="ignore"):
            u = np.minimum(_ratio_or_zero(added, before), _LARGEST)
        # L is 0 at the start, where u is infinite, and 1 where u is so small that it underflows.
        share = np.where((before > 0) & (u == 0), 1.0, _ratio_or_zero(np.log1p(u), u))
        area = area + weighted_sums(rise, p * share + q * (1 - share))
    return np.asarray(area / n_pos.sum(axis=-1))


def _called_at_each_score(n_pos: FloatArray, n_neg: FloatArray) -> Called:
    """Return the cases called positive from their numbers at each score."""
    return np.cumsum(n_pos, axis=-1), np.cumsum(n_neg, axis=-1)


class RecallSteps(NamedTuple):
    """The distinct scores that have positives, from the most positive one: the steps of recall.

    ``number`` counts, at each distinct score, the steps down to it. ``n_pos``, ``n_neg``, ``tp``
    and ``fp`` are the cases at each step, and those called positive there. ``between`` has the
    negatives at scores without positives: before the first step, after it, ..., after the last.
    """

    number: IntArray
    n_pos: FloatArray
    n_neg: FloatArray
    tp: FloatArray
    fp: FloatArray
    between: FloatArray

    @property
    def total_pos(self) -> float:
        """Number of positives."""
        return float(self.tp[-1])

    @property
    def total_neg(self) -> float:
        """Number of negatives."""
        return float(self.fp[-1] + self.between[-1])


def recall_steps(counts: ScoreCounts) -> RecallSteps:
    """Return the steps of recall of a table of counts."""
    has_pos = counts.n_pos > 0
    at = np.flatnonzero(has_pos)
    n_pos, n_neg = counts.n_pos.take(at), counts.n_neg.take(at)
    fp = np.cumsum(counts.n_neg).take(at)
    between = np.diff(fp, prepend=0.0, append=counts.total_neg)
    between[:-1] -= n_neg
    number = np.cumsum(has_pos, dtype=np.intp)
    return RecallSteps(number, n_pos, n_neg, np.cumsum(n_pos), fp, between)


# --- Derivatives of the areas ---------------------------------------------------------------------


class CurveSteps(NamedTuple):
    """Some steps of the curve: rates at their starts and ends, and the prevalence."""

    tpr0: FloatArray
    fpr0: FloatArray
    tpr: FloatArray
    fpr: FloatArray
    prevalence: float


class Slopes(NamedTuple):
    """Derivatives of the part of an area that some steps of the curve make, one at each step.

    ``own`` (2 x steps) are those of a step in the TPR and the FPR at its end, ``start`` those of a
    step in a shift of both its ends; ``prevalence`` is that of all steps together.
    """

    own: FloatArray
    start: FloatArray
    prevalence: float


class StepInfluence(NamedTuple):
    """Influence of cases on an area, but for a constant a class, and its slope in the prevalence.

    ``pos`` and ``neg`` are the influence of a positive and of a negative at each step of recall,
    ``between`` that of the negatives before, between and after the steps.
    """

    pos: FloatArray
    neg: FloatArray
    between: FloatArray
    prevalence: float


def influence_and_slope(quantity: str, steps: RecallSteps, prevalence: float) -> StepInfluence:
    """Return the influence of cases on an area, and the derivative of it in the prevalence.

    A case moves the end of the step at its score and both ends of all later steps.
    """
    m, n = steps.total_pos, steps.total_neg
    values, later = np.empty((2, len(steps.tp))), np.zeros((2, len(steps.tp) + 1))
    slope = 0.0
    for block in reversed(list(spans(len(steps.tp)))):
        tp, fp = steps.tp[block], steps.fp[block]
        starts = (tp - steps.n_pos[block]) / m, (fp - steps.n_neg[block]) / n
        found = _SLOPES_OF_STEPS[quantity](CurveSteps(*starts, tp / m, fp / n, prevalence))
        first, end = block.start, block.start + len(tp)
        from_here = np.cumsum(found.start[:, ::-1], axis=1)[:, ::-1] + later[:, end : end + 1]
        later[:, first:end] = from_here
        values[:, block] = found.own + later[:, first + 1 : end + 1]
        slope += found.prevalence
    return StepInfluence(values[0], values[1], later[1], slope)


def _average_precision_slopes(at: CurveSteps) -> Slopes:
    """Return the derivatives of sum (t_k - t_(k-1)) g(t_k, f_k), g = pi t/(pi t + (1 - pi) f)."""
    t, f, pi = at.tpr, at.fpr, at.prevalence
    called = pi * t + (1 - pi) * f
    squares, step = called**2, t - at.tpr0
    by_rate = pi * (1 - pi) * _ratio_or_zero(np.array([f, -t]), squares)
    start = step * by_rate
    own = start.copy()
    own[0] += _ratio_or_zero(pi * t, called)
    return Slopes(own, start, float(np.sum(step * _ratio_or_zero(t * f, squares))))


def _pr_area_slopes(at: CurveSteps) -> Slopes:
    """Return the derivatives of the area under the interpolated curve.

    A step adds dt H, H the mean of (a + x da)/(b + x db) over x in [0, 1], where a = pi t and
    b = pi t + (1 - pi) f at its start and da, db are what it adds to them.
    """
    t0, f0, t, f, pi = at
    dt, df = t - t0, f - f0
    a, b = pi * t0, pi * t0 + (1 - pi) * f0
    da, db = pi * dt, pi * dt + (1 - pi) * df
    j0, j1, k0, k1, k2 = _segment_means_of_precision_terms(b, db)
    # The first step starts at 0 / 0, where the precision is constant: da/db.
    mean = a * j0 + da * j1
    in_b, in_db = -(a * k0 + da * k1), -(a * k1 + da * k2)
    own = np.array([mean + dt * pi * (j1 + in_db), dt * (1 - pi) * in_db])
    start = np.array([dt * pi * (j0 + in_b), dt * (1 - pi) * in_b])
    prevalence = j0 * t0 + j1 * dt + in_b * (t0 - f0) + in_db * (dt - df)
    return Slopes(own, start, float(np.sum(dt * prevalence)))


_SLOPES_OF_STEPS: dict[str, Callable[[CurveSteps], Slopes]] = {
    "average_precision": _average_precision_slopes,
    "pr_auc": _pr_area_slopes,
}
"""The derivatives of each area by its quantity, for some of its steps."""

# Below this the closed forms of the integrals over a segment cancel; their series do not.
_SHORT_SEGMENT = 0.01
# What the terms that are left out of a series are of the first, at most.
_SERIES_ERROR = 1e-18


def _segment_means_of_precision_terms(b: FloatArray, db: FloatArray) -> tuple[FloatArray, ...]:
    """Return the means over x of 1/c, x/c, 1/c^2, x/c^2 and x^2/c^2 with c = b + x db.

    Infinite ones, where b = 0, are 0: no case above the first step could move its start.
    """
    u = _ratio_or_zero(db, b)
    short = (b > 0) & (u < _SHORT_SEGMENT)
    if short.all():  # nearly all blocks of many scores
        return _means_along_short_segments(u, b)
    rest = _ratio_or_zero(b, b + db)
    log = np.where((b > 0) & (u == 0), 1.0, _ratio_or_zero(np.log1p(u), u))
    means = (
        _ratio_or_zero(log, b),
        _ratio_or_zero(1 - log, db),
        _ratio_or_zero(rest, b**2),
        _ratio_or_zero(log - rest, b * db),
        _ratio_or_zero(1 - 2 * log + rest, db**2),
    )
    for mean, near in zip(means, _means_along_short_segments(u[short], b[short]), strict=True):
        mean[short] = near
    return means


def _means_along_short_segments(u: FloatArray, b: FloatArray) -> tuple[FloatArray, ...]:
    """Return the means of ``_segment_means_of_precision_terms`` for small u = db/b.

    With S_k the mean of x^k/(1 + u x) and T_k that of x^k/(1 + u x)^2: T_1 and T_2 by their series,
    S_1 = T_1 + u T_2 and S_0 = 1 - u S_1, in which nothing cancels.
    """
    t1 = _alternating_series(u, lambda i: (i + 1) / (i + 2))
    t2 = _alternating_series(u, lambda i: (i + 1) / (i + 3))
    s1, squares = t1 + u * t2, b * b
    return (1 - u * s1) / b, s1 / b, 1 / (squares * (1 + u)), t1 / squares, t2 / squares


def _alternating_series(u: FloatArray, term: Callable[[int], float]) -> FloatArray:
    """Return the sum of term(i) (-u)^i over i = 0, 1, ..., by Horner's rule."""
    largest = float(u.max(initial=0.0))
    last = int(np.ceil(np.log(_SERIES_ERROR) / np.log(largest))) if largest > 0 else 0
    total, minus = np.full_like(u, term(last)), -u
    for i in reversed(range(last)):
        total *= minus
        total += term(i)
    return total


def _ratio_or_zero(above: FloatArray, below: FloatArray) -> FloatArray:
    """Return above/below, 0 where below is 0."""
    if below.min(initial=1.0) > 0:  # a division of all is several times faster than of some
        return np.asarray(above / below)
    return np.divide(above, below, out=np.zeros(np.shape(above)), where=below > 0)


# --- Bounds of binned scores ----------------------------------------------------------------------


def precision_errors(sample: Sample, k: int, prevalence: float | None = None) -> dict[str, float]:
    """Return how far both areas of predictor ``k`` can be from those of all scores.

    At a given ``prevalence`` each negative counts so many times that the cases have it.
    """
    counts = sample.cases.counts(k)
    times = 1.0
    if prevalence is not None:
        times = counts.total_pos / counts.total_neg * (1 - prevalence) / prevalence
    counts = counts._replace(n_neg=counts.n_neg * times)
    tables = [(counts.n_pos, counts.n_neg)]
    extreme = [one.cases.counts(k) for one in extreme_samples_of_binned_scores(sample)]
    tables += [(one.n_pos, one.n_neg * times) for one in extreme]
    # The interpolated curve rises with the ROC curve: at a recall it has fewer false positives.
    areas = [float(pr_area(*table)) for table in tables]
    # Average precision does too, but ties raise it: the least is that of untied positives.
    most = float(average_precision_of_counts(*tables[1]))
    inexact = bin_ends(sample, k) != counts.score
    averages = [
        float(average_precision_of_counts(*tables[0])),
        most,
        least_average(counts, inexact),
    ]
    return {
        "average_precision": float(largest_deviation(averages[0], list(averages[1:]))),
        "pr_auc": float(largest_deviation(areas[0], list(areas[1:]))),
    }


def least_average(counts: ScoreCounts, inexact: BoolArray) -> float:
    """Return the least average precision of any order of the cases in the inexact bins.

    It is that of all negatives of a bin first, and then its positives one by one: with T positives
    and F negatives up to its end but for its p positives, their precisions are
    (T + i)/(T + i + F), i = 1, ..., p, whose sum is p - F (psi(T + F + p + 1) - psi(T + F + 1)).
    """
    before = np.cumsum(counts.n_pos) - counts.n_pos
    false = np.cumsum(counts.n_neg)
    called = before + counts.n_pos + false
    tied = counts.n_pos * np.divide(
        before + counts.n_pos, called, out=np.zeros_like(called), where=called > 0
    )
    gone = false * (sp.psi(called + 1) - sp.psi(before + false + 1))
    sums = np.where(inexact & (counts.n_pos > 0), counts.n_pos - gone, tied)
    return float(sums.sum() / counts.total_pos)


# --- Lift: the precision over the prevalence ------------------------------------------------------

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
        lift, fp, tp``. The lift curve is ``lift`` plotted against ``positive_rate``. The curve of
        cumulative gains is ``tpr`` plotted against ``positive_rate``. The first row of a curve has
        an infinite threshold (see Notes).

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds; if ``by="fold"`` and a fold lacks a class; or
        if an option is unknown.

    Notes
    -----
    Let n be the number of cases, and n_pos the number of positives. Then positive_rate = (TP + FP)
    / n, and lift = TP / (TP + FP) * n / n_pos = tpr / positive_rate. If no case is called positive,
    the lift is the limit along the first segment, which equals the lift of the next row. The lift
    of an uninformative predictor is 1. No lift exceeds n / n_pos, and every curve ends at (1, 1).
    Between two thresholds the counts are linear, but the lift is linear in 1 / positive_rate.

    Lift, like precision, depends on the prevalence in the sample. Do not compare samples of
    different prevalence. Do not use lift for case-control data. The curve has no interval.
    Frequencies and weights are used as counts. Clusters do not change a curve. In a group that
    lacks a class, the lift is NaN.

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
