"""Cost curves, and risks moved from the prevalence that a model was fitted at to another.

A cost curve is the lower envelope of the lines that are dual to the points of ROC curves.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import hull_of
from rocstats.curves.roc import Numbers, RocPoints, curve_answer, roc_points
from rocstats.errors import InputError, require_open_interval
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.frame.question import CURVE, Question, columns_in
from rocstats.study.binned import largest_deviation
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.points import number_array
from rocstats.study.sample import Sample

# --- Cost curves ----------------------------------------------------------------------------------

COST_CURVE = Question(
    "cost_curve",
    columns_in(f"{CURVE} fpr tpr probability_cost normalized_cost"),
    (
        "drummond-2006",
        "drummond-2000",
        "fawcett-2004",
    ),
    binned=True,
)


def cost_curve(sample: Sample, *, by: Literal["fold"] | None = None) -> pd.DataFrame:
    """Return the cost curve of every predictor; a row is one vertex of the lower envelope.

    Parameters
    ----------
    by : {"fold"}, optional
        One curve per fold. By default folds are pooled, which assumes comparable scores (warning
        ``pooled-folds``).

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, direction, threshold, next_score, fpr, tpr,
        probability_cost, normalized_cost``, sorted by ``probability_cost`` from 0 to 1.
        ``threshold, fpr, tpr`` describe one ROC point. This point is optimal from the
        ``probability_cost`` of its row to the ``probability_cost`` of the next row. The last row
        has ``probability_cost`` 1 and repeats the previous point.

    Raises
    ------
    InputError
        If ``by="fold"`` and the study has no folds; if ``by="fold"`` and a fold lacks a class; or
        if an option is unknown.

    Notes
    -----
    Let x be the probability cost, cost_fn prevalence / (cost_fn prevalence + cost_fp (1 -
    prevalence)). Let y be the normalized cost, x (1 - tpr) + (1 - x) fpr. This is the expected cost
    divided by the cost of a rule that is always wrong. An ROC point (f, t) corresponds to the line
    from (0, f) to (1, 1 - t). The envelope is the lowest cost over all thresholds. One of these
    thresholds calls no case positive (y = x). Another threshold calls every case positive (y = 1 -
    x). The envelope is therefore never above the triangle of these two lines. An edge of slope m of
    the ROC convex hull corresponds to the vertex of the envelope at x = 1 / (1 + m). With equal
    costs, x is the prevalence and y is the error rate.

    The cost curve of a perfect classifier is the line from (0, 0) to (1, 0). Fawcett gives the line
    from (0, 0) to (0, 1) instead. For each x the envelope uses the best threshold on the same
    cases. The curve is therefore optimistic, and has no interval. In a group that lacks a class,
    rates and costs are NaN.

    References
    ----------
    - Drummond & Holte (2000) [drummond-2000]
    - Drummond & Holte (2006) [drummond-2006]
    - Fawcett (2004), section 7.5.2 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    >>> study.cost_curve()[["threshold", "probability_cost", "normalized_cost"]].round(3)
       threshold  probability_cost  normalized_cost
    0        0.8               0.0            0.000
    1        0.6               0.5            0.167
    2        0.6               1.0            0.000
    """
    COST_CURVE.refuse_covariates(sample)
    return curve_answer(
        COST_CURVE, sample, _cost_columns, by=by, error=_binning_error_of_cost_envelope
    )


def _cost_columns(counts: ScoreCounts, higher_is_positive: bool) -> Numbers:
    """Return the number columns of a cost curve."""
    points = roc_points(counts, higher_is_positive=higher_is_positive)
    hull = hull_of(points)
    at, probability_cost = lower_envelope_of_cost_lines(hull)
    fpr, tpr = hull.fpr[at], hull.tpr[at]
    return {
        "threshold": hull.threshold[at],
        "next_score": points.next_scores(hull.threshold[at]),
        "fpr": fpr,
        "tpr": tpr,
        "probability_cost": probability_cost,
        "normalized_cost": normalized_cost(probability_cost, fpr, tpr),
    }


def lower_envelope_of_cost_lines(hull: RocPoints) -> tuple[IntArray, FloatArray]:
    """Return the hull vertices in the order they are optimal, and the x where each begins to be.

    x is the probability cost. The lines of neighbouring vertices cross at x = 1 / (1 + slope), for
    which the edge between them is an iso-performance line. The last vertex is repeated at x = 1.
    """
    # This is 1 / (1 + slope) as a quotient of products of counts, which a vertical edge makes 0.
    run = np.diff(hull.fp) * hull.tp[-1]
    rise = np.diff(hull.tp) * hull.fp[-1]
    crossing = run / (run + rise)
    begins = np.insert(crossing, 0, 0.0)
    ends = np.append(crossing, 1.0)
    # (0, 0) before a vertical edge and (1, 1) after a horizontal one are optimal at a single x.
    at = np.flatnonzero(ends > begins)
    return np.append(at, at[-1]), np.append(begins[at], 1.0)


def normalized_cost(probability_cost: FloatArray, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
    """Return the height at each probability cost of the line from (0, fpr) to (1, 1 - tpr)."""
    # Drummond & Holte 2006: an ROC point is this line in cost space.
    return probability_cost * (1 - tpr) + (1 - probability_cost) * fpr


def _binning_error_of_cost_envelope(numbers: Numbers, extremes: list[ScoreCounts]) -> FloatArray:
    """Return how much lower the envelope of all scores can be at each probability cost."""
    x = numbers["probability_cost"]
    least = least_costs(hull_of(roc_points(extremes[0])), 1 - x, x)
    return largest_deviation(numbers["normalized_cost"], [least])


def least_costs(hull: RocPoints, cost_fp: FloatArray, cost_fn: FloatArray) -> FloatArray:
    """Return the minimum over the vertices of cost_fp fpr + cost_fn (1 - tpr), per pair of costs.

    Each cost is that of an error times the share of the class.
    """
    lines = np.outer(cost_fp, hull.fpr) + np.outer(cost_fn, 1 - hull.tpr)
    return np.asarray(lines.min(axis=1))


# --- Risks at another prevalence ------------------------------------------------------------------


def shift_prevalence(p: Any, *, source: float, target: float) -> FloatArray:
    """Return risks adjusted to another prevalence: logit p + logit target - logit source.

    Use this function before ``Study.net_benefit(prevalence=)`` if a model was fitted to
    case-control data, or to data with another prevalence. Do not use it if the effects of the
    predictors differ in the new population. In this situation, refit or recalibrate the model in
    the new population.

    Parameters
    ----------
    p : array-like of float in [0, 1]
        Risks at the prevalence ``source``.
    source : float in (0, 1)
        Share of positives in the data to which the model was fitted.
    target : float in (0, 1)
        Share of positives in the population of use.

    Returns
    -------
    numpy.ndarray of float64
        Risks at the prevalence ``target``, in the shape of ``p``. Risks of 0 and 1 do not change.

    Raises
    ------
    InputError
        If a risk is missing or outside [0, 1]; or if a prevalence is not in (0, 1).

    Notes
    -----
    By Bayes' theorem the odds of a risk are multiplied by the odds of ``target`` divided by the
    odds of ``source``. The method assumes that, within each class, scores have the same
    distribution in both populations.

    References
    ----------
    - Bayes' theorem on odds (docs/methods/costs.md, "Net benefit")

    Examples
    --------
    Risks of a model from a case-control study with equal numbers of cases and controls, at a
    prevalence of 5 %:

    >>> import rocstats as rs
    >>> rs.shift_prevalence([0.2, 0.5, 0.9], source=0.5, target=0.05).round(4)
    array([0.013 , 0.05  , 0.3214])
    """
    for name, share in (("source", source), ("target", target)):
        require_open_interval(name, share, 0, 1)
    risks = number_array(p)
    if risks.size == 0 or not ((risks >= 0) & (risks <= 1)).all():
        raise InputError(
            f"`p` must be numbers in [0, 1]; got {p!r}. Pass the risks that the model predicts."
        )
    risks = risks.reshape(np.shape(p))
    # Odds as a quotient of two products: no logarithm of a risk of 0 or 1 is taken.
    positive = risks * (target * (1 - source))
    return np.asarray(positive / (positive + (1 - risks) * ((1 - target) * source)))
