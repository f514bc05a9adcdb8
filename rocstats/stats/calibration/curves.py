"""Calibration curves: restricted cubic splines of the logit, and monotone regression (CORP)."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

import rocstats.special as sp
from rocstats.curves.costs.convex_hull import hull_vertices
from rocstats.sample.arrays import FloatArray
from rocstats.stats.calibration.logistic import LogisticFit, fit_logistic, newton
from rocstats.stats.calibration.risks import Risks, quantiles

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
    """Return the spline; None if it is not determined: one risk, or separated classes."""
    logit = risks.logit
    if logit.min() == logit.max():
        return None
    knots = knots_of(risks)
    design = spline_design(logit, knots)
    fit = fit_logistic(risks, design, _diagonal(design.shape[1]))
    return None if fit is None else Spline(knots, fit)


def _diagonal(size: int) -> FloatArray:
    """Return the coefficients of perfect calibration; from 0 some fits of rare events fail."""
    return np.asarray(np.eye(size)[1])


def knots_of(risks: Risks) -> FloatArray:
    """Return the knots, logits; fewer where quantiles are tied."""
    positive, weight = risks.cases.is_positive, risks.cases.weight
    rarer = min(float(weight[positive].sum()), float(weight[~positive].sum()))
    places = np.array(_KNOTS[4 if rarer >= _FOUR_KNOTS else 3])
    return np.unique(quantiles(risks.logit, weight, places))


def spline_design(logit: FloatArray, knots: FloatArray) -> FloatArray:
    """Return 1, the logit and the terms of a restricted cubic spline, normalised as Harrell's."""
    columns = [np.ones_like(logit), logit]
    if len(knots) > 2:
        before, last = knots[-2], knots[-1]
        for knot in knots[:-2]:
            term = _cube(logit - knot) - _cube(logit - before) * (last - knot) / (last - before)
            term += _cube(logit - last) * (before - knot) / (last - before)
            columns.append(term / (last - knots[0]) ** 2)
    return np.stack(columns, axis=-1)


def _cube(x: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(x, 0.0) ** 3)


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
    known = sums[0] > 0  # a case of weight 0 has no part in the curve
    weight, events = (np.asarray(one[known], dtype=np.float64) for one in sums)
    return Isotonic(distinct[known], monotone(events, weight), weight, events)


def monotone(events: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the rising sequence nearest to the shares of events in weighted squares.

    Its levels are the slopes of the convex hull of the sums of both, from the highest risk down:
    pooling of adjacent violators is the hull of the ROC curve (Fawcett & Niculescu-Mizil 2007).
    """
    events, weight = events[::-1], weight[::-1]
    reached = (np.concatenate(([0.0], np.cumsum(numbers))) for numbers in (weight, events))
    at = hull_vertices(*reached)
    # Sums over each edge: differences of the totals would cancel.
    levels = np.add.reduceat(events, at[:-1]) / np.add.reduceat(weight, at[:-1])
    return np.asarray(np.repeat(levels, np.diff(at))[::-1])


class CurveErrors(NamedTuple):
    """Mean, median and 90th percentile over cases of the distance of the curve from the risk."""

    ici: float
    e50: float
    e90: float


def curve_errors(risks: Risks, curve: FloatArray) -> CurveErrors:
    """Return the mean and two percentiles of the distances of a curve at the risks of the cases."""
    gap = np.abs(curve - risks.risk)
    e50, e90 = quantiles(gap, risks.weight, np.array([0.5, 0.9]))
    return CurveErrors(risks.mean(gap).value, float(e50), float(e90))


def spline_at_cases(risks: Risks, knots: FloatArray) -> FloatArray | None:
    """Return the spline curve with some knots at the risks of the cases; None if there is none."""
    design = spline_design(risks.logit, knots)
    start = _diagonal(design.shape[1])
    coef, found = newton(design, risks.outcome, risks.weight, np.zeros(len(design)), start)
    return np.asarray(sp.expit(design @ coef)) if found else None
