"""Fits of outcomes on predicted risks: regression, curves and redraws.

Logistic regression takes offsets and case weights; a Newton step that lowers the likelihood is
halved. Curves are restricted cubic splines of the logit [harrell-2015] and monotone regression
(CORP) [dimitriadis-2021]. Redraws draw outcomes from the risks and fit again: they show what
calibrated risks would give.
Derivations: docs/methods/calibration.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.convex_hull import hull_vertices
from rocstats.estimate.resample import ResamplePlan, percentile_limits_of_draws, redraw_outcomes
from rocstats.estimate.shares import WeightedCases
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, Limits
from rocstats.facts.tolerances import SAME, TINY
from rocstats.inference.calibration.risks import Risks, quantiles_of_weighted_risks

# --- Logistic regression --------------------------------------------------------------------------

# Newton's steps double the number of right digits: regular data need under ten. Separated classes
# take a step of about 1 on the logit scale each time, for ever.
_MOST_STEPS = 25
_SMALLEST_STEP = 1e-8  # of a step on the logit scale: the next one is below rounding
# Squared length of a step in standard errors, for steep curves whose logits are thousands. Of
# separated classes it falls to a third at each step, to 1e-11 of the cases at the last one.
_DECREMENT = 1e-16
# A log likelihood that falls by less, as a share of it, may fall by the rounding of its sum:
# halving the last step for that would leave half of it as an error.
_LIKELIHOOD_ROUNDING = 1e-12
_MOST_HALVINGS = 30  # 2^-30 of a step is below rounding
# Added to the diagonal, as a share of it: columns alike to rounding have steps, and where the
# likelihood is highest does not change.
_RIDGE = 1e-14


class LogisticFit(NamedTuple):
    """Coefficients, their covariance and the maximum of the log likelihood."""

    coef: FloatArray
    covariance: FloatArray
    log_likelihood: float


def fit_logistic(
    risks: Risks, design: FloatArray, start: FloatArray, offset: FloatArray | None = None
) -> LogisticFit | None:
    """Return the regression of outcomes on a design; None if the likelihood has no maximum.

    The covariance is that of the model for independent cases of a cohort, else the sandwich.
    """
    shift = np.zeros(len(design)) if offset is None else offset
    return _fit_logistic_design(risks, design, start, shift, of_model=risks.is_plain)


def fit_logistic_in_population(
    risks: Risks, design: FloatArray, start: FloatArray
) -> LogisticFit | None:
    """Return the regression in the population; None if the likelihood has no maximum.

    Sampling by class adds a known number to the intercept and changes no other coefficient
    [prentice-1979]: every case counts once. Class sizes that are fixed make the intercept less
    variable than the model has it, by 1/m + 1/n. Clusters have the sandwich.
    """
    shift, by_case = np.full(len(design), risks.shift), risks.cases.cluster is None
    fit = _fit_logistic_design(risks.sampled, design, start, shift, of_model=by_case)
    if fit is None or risks.prevalence is None or not by_case:
        return fit
    covariance = fit.covariance.copy()
    covariance[0, 0] -= 1 / (risks.size * risks.share * (1 - risks.share))
    return fit._replace(covariance=covariance)


def _fit_logistic_design(
    risks: Risks, design: FloatArray, start: FloatArray, shift: FloatArray, *, of_model: bool
) -> LogisticFit | None:
    if design.shape[1] > 1 and _are_classes_separated_by_column(design[:, 1], risks):
        return None
    # Where risks are far too extreme, the steps from them are many: fewer lead from equal risks.
    for first in (start, np.zeros_like(start)):
        coef, found = newton_logistic_coefficients(
            design, risks.outcome, risks.weight, shift, first
        )
        if found:
            break
    if not found:  # separation: the likelihood has no maximum
        return None
    information = _fisher_information(design, risks.weight, shift + design @ coef)
    if not _is_regular(information):
        return None
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    if not of_model:
        covariance = sandwich(risks, design, shift + design @ coef)
    top = logistic_log_likelihood(risks.outcome, risks.weight, shift + design @ coef)
    return LogisticFit(coef, covariance, float(top))


def _are_classes_separated_by_column(column: FloatArray, risks: Risks) -> bool:
    """Return whether a column has the classes on two sides of a value, where they may meet."""
    # The climb towards an infinite slope may end by rounding, at a place that hangs on the order
    # of the rows.
    counted = risks.weight > 0
    pos = column[counted & (risks.outcome == 1)]
    neg = column[counted & (risks.outcome == 0)]
    if not (len(pos) and len(neg)):
        return True
    return bool(neg.max() <= pos.min() or pos.max() <= neg.min())


def newton_logistic_coefficients(
    design: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    start: FloatArray,
) -> tuple[FloatArray, BoolArray]:
    """Return coefficients, and whether the steps to them ended; data sets on leading axes.

    A step is (X' W X)^-1 X' w (y - mu), W = w mu (1 - mu). One that lowers the likelihood is
    halved: from a far start full steps may never end.
    """
    lead = np.broadcast_shapes(design.shape[:-2], outcome.shape[:-1])
    coef = np.broadcast_to(start, (*lead, design.shape[-1])).copy()
    eta = _linear_predictor(design, coef, offset)
    found = np.zeros(lead, dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(_MOST_STEPS):
            scores = np.einsum("...nq,...n->...q", design, weight * (outcome - sp.expit(eta)))
            information = _fisher_information(design, weight, eta)
            diagonal = np.einsum("...qq->...q", information)
            diagonal += _RIDGE * diagonal + TINY
            step = np.linalg.solve(information, scores[..., np.newaxis])[..., 0]
            near = np.einsum("...q,...q->...", scores, step) < _DECREMENT
            step, stuck = _halved_steps(design, outcome, weight, offset, coef, step)
            coef = coef + step
            before, eta = eta, _linear_predictor(design, coef, offset)
            found = ~stuck & (near | (np.abs(eta - before).max(axis=-1) < _SMALLEST_STEP))
            if np.all(found | stuck):
                break
    return coef, found


def _halved_steps(
    design: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    coef: FloatArray,
    step: FloatArray,
) -> tuple[FloatArray, BoolArray]:
    """Return steps, halved until the likelihood does not fall, and which never end there.

    The latter are 0.
    """
    before = logistic_log_likelihood(outcome, weight, _linear_predictor(design, coef, offset))
    least = before - _LIKELIHOOD_ROUNDING * np.abs(before)
    worse = np.zeros(before.shape, dtype=bool)
    for _ in range(_MOST_HALVINGS):
        moved = _linear_predictor(design, coef + step, offset)
        # "Not above" holds for NaN too, which a step beyond the range of floating point gives.
        worse = ~(logistic_log_likelihood(outcome, weight, moved) >= least)
        if not worse.any():
            break
        step = np.where(worse[..., np.newaxis], step / 2, step)
    return np.where(worse[..., np.newaxis], 0.0, step), worse


def _linear_predictor(design: FloatArray, coef: FloatArray, offset: FloatArray) -> FloatArray:
    return np.asarray(offset + np.einsum("...nq,...q->...n", design, coef))


def _fisher_information(design: FloatArray, weight: FloatArray, eta: FloatArray) -> FloatArray:
    """Return X' W X, W = w mu (1 - mu)."""
    mu = sp.expit(eta)
    weighted = design * (weight * mu * sp.expit(-eta))[..., np.newaxis]
    return np.asarray(np.swapaxes(weighted, -1, -2) @ design)


def _is_regular(information: FloatArray) -> bool:
    """Return whether no column of a design is a combination of others, but for rounding."""
    scale = np.sqrt(np.diag(information))
    if not (scale > 0).all():
        return False
    return bool(np.linalg.eigvalsh(information / np.outer(scale, scale))[0] > SAME)


def sandwich(risks: Risks, design: FloatArray, eta: FloatArray) -> FloatArray:
    """Return the covariance of coefficients from the scores of units, whatever the model is.

    A case has the influence (X' W X)^-1 x (y - mu), summed by cluster where there are clusters.
    """
    scores = design * (risks.outcome - sp.expit(eta))[:, np.newaxis]
    bread = _fisher_information(design, risks.weight, eta) / risks.size
    influence = risks.units(np.asarray(np.linalg.solve(bread, scores.T), dtype=float))
    return np.asarray(influence @ influence.T)


def logistic_log_likelihood(outcome: FloatArray, weight: FloatArray, eta: FloatArray) -> FloatArray:
    """Return log likelihoods sum w (y eta - log(1 + exp eta)), summed over the last axis."""
    return np.asarray(np.sum(weight * (outcome * eta - np.logaddexp(0, eta)), axis=-1))


# --- Curves: restricted cubic splines of the logit ------------------------------------------------

CurveMethod = Literal["spline", "isotonic"]
CURVE_METHODS: tuple[CurveMethod, ...] = get_args(CurveMethod)
# Harrell (2015), table 2.3: places of three and four knots.
_KNOTS = {3: (0.1, 0.5, 0.9), 4: (0.05, 0.35, 0.65, 0.95)}
# Both were simulated (validation/coverage/calibration.csv): three knots below 40 cases of a class.
_FOUR_KNOTS = 40


class Spline(NamedTuple):
    """A fitted calibration curve, a spline of the logit between and a line beyond its knots."""

    knots: FloatArray
    fit: LogisticFit

    def eta(self, logit: FloatArray) -> FloatArray:
        """Return the logits of the curve at logits of predicted risks."""
        return np.asarray(spline_design(logit, self.knots) @ self.fit.coef)

    def covariance(self, logit: FloatArray) -> FloatArray:
        """Return the covariance of the logits of the curve."""
        design = spline_design(logit, self.knots)
        return np.asarray(design @ self.fit.covariance @ design.T)


def fit_spline(risks: Risks) -> Spline | None:
    """Return the spline; None without one: a risk of 0 or 1, one risk, or separated classes."""
    if not risks.has_line:
        return None
    logit = risks.logit
    if logit.min() == logit.max():
        return None
    knots = spline_knots_of_risks(risks)
    design = spline_design(logit, knots)
    fit = fit_logistic_in_population(
        risks, design, _coefficients_of_perfect_calibration(design.shape[1])
    )
    return None if fit is None else Spline(knots, fit)


def spline_knots_of_risks(risks: Risks) -> FloatArray:
    """Return the knots, logits; fewer where quantiles are tied."""
    positive, weight = risks.cases.is_positive, risks.cases.weight
    rarer = min(float(weight[positive].sum()), float(weight[~positive].sum()))
    places = np.array(_KNOTS[4 if rarer >= _FOUR_KNOTS else 3])
    return np.unique(quantiles_of_weighted_risks(risks.logit, weight, places))


def spline_design(logit: FloatArray, knots: FloatArray) -> FloatArray:
    """Return 1, the logit and the terms of a restricted cubic spline [harrell-2015].

    With knots t_1 < ... < t_k, term j is ((x - t_j)^3 - (x - t_(k-1))^3 (t_k - t_j)/(t_k - t_(k-1))
    + (x - t_k)^3 (t_(k-1) - t_j)/(t_k - t_(k-1)))/(t_k - t_1)^2, each cube 0 below its knot.
    """
    columns = [np.ones_like(logit), logit]
    if len(knots) > 2:
        before, last = knots[-2], knots[-1]
        for knot in knots[:-2]:
            term = _cube_of_positive_part(logit - knot) - _cube_of_positive_part(logit - before) * (
                last - knot
            ) / (last - before)
            term += _cube_of_positive_part(logit - last) * (before - knot) / (last - before)
            columns.append(term / (last - knots[0]) ** 2)
    return np.stack(columns, axis=-1)


def _cube_of_positive_part(x: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(x, 0.0) ** 3)


def _coefficients_of_perfect_calibration(size: int) -> FloatArray:
    """Return the coefficients of perfect calibration; from 0 some fits of rare events fail."""
    return np.asarray(np.eye(size)[1])


def missing_fit_note(risks: Risks) -> str:
    """Return the note that says why a line or a spline could not be fitted."""
    if risks.is_single:
        return "single-risk"
    return "separation" if risks.has_logits else "certain-risks"


# --- Curves: monotone regression (CORP) -----------------------------------------------------------


class Isotonic(NamedTuple):
    """The monotone curve at each distinct risk, with the cases there and the events among them."""

    risk: FloatArray
    value: FloatArray
    weight: FloatArray
    events: FloatArray

    def at(self, risk: FloatArray) -> FloatArray:
        """Return the curve, straight between distinct risks and level beyond them."""
        return np.asarray(np.interp(risk, self.risk, self.value))

    def brier_score(self) -> float:
        """Return the mean squared difference of the curve and the outcomes."""
        share = self.events / self.weight
        # About the share of events at each risk, where no terms cancel.
        squares = (self.value - share) ** 2 + share * (1 - share)
        return float(np.sum(self.weight * squares) / np.sum(self.weight))


def fit_isotonic(risks: Risks) -> Isotonic:
    """Return the monotone regression of outcomes on risks; tied risks are pooled first."""
    distinct, place = np.unique(risks.risk, return_inverse=True)
    sums = [np.bincount(place, risks.weight * values) for values in (1.0, risks.outcome)]
    counted = sums[0] > 0  # a case of weight 0 has no part in the curve
    weight, events = (np.asarray(one[counted], dtype=np.float64) for one in sums)
    return Isotonic(distinct[counted], isotonic_risks(events, weight), weight, events)


def isotonic_risks(events: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the rising sequence nearest to the shares of events in weighted squares.

    Its levels are the slopes of the convex hull of the sums of both, from the highest risk down:
    pooling of adjacent violators is the hull of the ROC curve (Fawcett & Niculescu-Mizil 2007).
    """
    events, weight = events[::-1], weight[::-1]
    reached = (np.concatenate(([0.0], np.cumsum(numbers))) for numbers in (weight, events))
    # Not scipy.optimize.isotonic_regression: its import takes ten times as long as a first call of
    # ``probability_scores``.
    at = hull_vertices(*reached)
    # Sums over each edge: differences of the totals would cancel.
    levels = np.add.reduceat(events, at[:-1]) / np.add.reduceat(weight, at[:-1])
    return np.asarray(np.repeat(levels, np.diff(at))[::-1])


# --- Distances of a curve from the risks ----------------------------------------------------------


class CurveErrors(NamedTuple):
    """Mean, median and 90th percentile over cases of the distance of the curve from the risk."""

    ici: float
    e50: float
    e90: float


def curve_errors(risks: Risks, curve: FloatArray) -> CurveErrors:
    """Return the mean and two percentiles of the distances of a curve at the risks of the cases."""
    gap = np.abs(curve - risks.risk)
    e50, e90 = quantiles_of_weighted_risks(gap, risks.weight, np.array([0.5, 0.9]))
    return CurveErrors(risks.mean(gap).value, float(e50), float(e90))


def spline_at_cases(risks: Risks, knots: FloatArray) -> FloatArray | None:
    """Return the spline curve with some knots at the risks of the cases; None if there is none."""
    design = spline_design(risks.logit, knots)
    start = _coefficients_of_perfect_calibration(design.shape[1])
    coef, found = newton_logistic_coefficients(
        design, risks.outcome, risks.weight, np.zeros(len(design)), start
    )
    return np.asarray(sp.expit(design @ coef)) if found else None


# --- Redraws: what calibrated risks would show ----------------------------------------------------


def redrawn_risks(risks: Risks, draws: ResamplePlan) -> Iterator[Risks]:
    """Yield the cases with outcomes that have exactly the predicted risks."""
    risk, number = risks.risk, risks.cases.weight.astype(np.intp)
    single = bool((number == 1).all())
    for events, others in redraw_outcomes(risk, number, draws):
        if single:
            yield risks.with_outcome(events > 0)
        else:
            # Rows of positives, then rows of negatives, with their numbers.
            weight = np.concatenate([events, others])
            positive, kept = np.repeat([True, False], len(risk)), weight > 0
            yield Risks(np.tile(risk, 2)[kept], WeightedCases(positive[kept], weight[kept], None))


def consistency_band(risks: Risks, at: FloatArray, level: float, draws: ResamplePlan) -> Limits:
    """Return limits between which the monotone curve of calibrated risks lies at each point."""
    curves = np.stack([fit_isotonic(one).at(at) for one in redrawn_risks(risks, draws)])
    return percentile_limits_of_draws(curves, level)


def redraw_p_values(
    risks: Risks,
    statistics: Callable[[Risks], FloatArray],
    observed: FloatArray,
    draws: ResamplePlan,
) -> FloatArray:
    """Return the shares of calibrated samples with at least the observed values, these counted.

    Samples in which a statistic is undefined are left out; NaN if no other is left.
    """
    values = np.stack([statistics(one) for one in redrawn_risks(risks, draws)])
    defined = np.count_nonzero(~np.isnan(values), axis=0)
    p = (1 + np.count_nonzero(values >= observed, axis=0)) / (1 + defined)
    return np.where(defined > 0, p, np.nan)
