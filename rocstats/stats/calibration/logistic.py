"""Logistic regression with offsets and case weights, whose iteration halves steps that fail."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.calibration.risks import Risks
from rocstats.tolerances import SAME, TINY

# Newton's steps double the number of right digits: regular data need under ten. Separated classes
# take a step of about 1 on the logit scale each time, for ever.
_MOST_STEPS = 25
_SMALL = 1e-8  # of a step on the logit scale: the next one is below rounding
# Squared length of a step in standard errors, for steep curves whose logits are thousands. Of
# separated classes it falls to a third at each step, to 1e-11 of the cases at the last one.
_DECREMENT = 1e-16
# A log likelihood that falls by less, as a share of it, may fall by the rounding of its sum:
# halving the last step for that would leave half of it as an error.
_ROUNDING = 1e-12
_MOST_HALVED = 30  # 2^-30 of a step is below rounding
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
    if design.shape[1] > 1 and _are_separated(design[:, 1], risks):
        return None
    shift = np.zeros(len(design)) if offset is None else offset
    # Where risks are far too extreme, the steps from them are many: fewer lead from equal risks.
    for first in (start, np.zeros_like(start)):
        coef, found = newton(design, risks.outcome, risks.weight, shift, first)
        if found:
            break
    if not found:  # separation: the likelihood has no maximum
        return None
    information = _information(design, risks.weight, shift + design @ coef)
    if not _is_regular(information):
        return None
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    if not risks.is_plain:
        covariance = sandwich(risks, design, shift + design @ coef)
    top = log_likelihood(risks.outcome, risks.weight, shift + design @ coef)
    return LogisticFit(coef, covariance, float(top))


def _are_separated(column: FloatArray, risks: Risks) -> bool:
    """Return whether a column has the classes on two sides of a value, where they may meet."""
    # The climb towards an infinite slope may end by rounding, at a place that hangs on the order
    # of the rows.
    counted = risks.weight > 0
    pos = column[counted & (risks.outcome == 1)]
    neg = column[counted & (risks.outcome == 0)]
    if not (len(pos) and len(neg)):
        return True
    return bool(neg.max() <= pos.min() or pos.max() <= neg.min())


def _is_regular(information: FloatArray) -> bool:
    """Return whether no column of a design is a combination of others, but for rounding."""
    scale = np.sqrt(np.diag(information))
    if not (scale > 0).all():
        return False
    return bool(np.linalg.eigvalsh(information / np.outer(scale, scale))[0] > SAME)


def sandwich(risks: Risks, design: FloatArray, eta: FloatArray) -> FloatArray:
    """Return the covariance of coefficients from the scores of units, whatever the model is."""
    scores = design * (risks.outcome - sp.expit(eta))[:, np.newaxis]
    bread = _information(design, risks.weight, eta) / risks.size
    influence = risks.units(np.linalg.solve(bread, scores.T))
    return np.asarray(influence @ influence.T)


def log_likelihood(outcome: FloatArray, weight: FloatArray, eta: FloatArray) -> FloatArray:
    """Return log likelihoods, summed over the last axis."""
    return np.asarray(np.sum(weight * (outcome * eta - np.logaddexp(0, eta)), axis=-1))


def newton(
    design: FloatArray,
    outcome: FloatArray,
    weight: FloatArray,
    offset: FloatArray,
    start: FloatArray,
) -> tuple[FloatArray, BoolArray]:
    """Return coefficients, and whether the steps to them ended; data sets on leading axes.

    A step that lowers the likelihood is halved: from a far start full steps may never end.
    """
    lead = np.broadcast_shapes(design.shape[:-2], outcome.shape[:-1])
    coef = np.broadcast_to(start, (*lead, design.shape[-1])).copy()
    eta = _linear(design, coef, offset)
    found = np.zeros(lead, dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(_MOST_STEPS):
            scores = np.einsum("...nq,...n->...q", design, weight * (outcome - sp.expit(eta)))
            information = _information(design, weight, eta)
            diagonal = np.einsum("...qq->...q", information)
            diagonal += _RIDGE * diagonal + TINY
            step = np.linalg.solve(information, scores[..., np.newaxis])[..., 0]
            near = np.einsum("...q,...q->...", scores, step) < _DECREMENT
            step, stuck = _uphill(design, outcome, weight, offset, coef, step)
            coef = coef + step
            before, eta = eta, _linear(design, coef, offset)
            found = ~stuck & (near | (np.abs(eta - before).max(axis=-1) < _SMALL))
            if np.all(found | stuck):
                break
    return coef, found


def _uphill(
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
    before = log_likelihood(outcome, weight, _linear(design, coef, offset))
    least = before - _ROUNDING * np.abs(before)
    worse = np.zeros(before.shape, dtype=bool)
    for _ in range(_MOST_HALVED):
        moved = _linear(design, coef + step, offset)
        # "Not above" holds for NaN too, which a step beyond the range of floating point gives.
        worse = ~(log_likelihood(outcome, weight, moved) >= least)
        if not worse.any():
            break
        step = np.where(worse[..., np.newaxis], step / 2, step)
    return np.where(worse[..., np.newaxis], 0.0, step), worse


def _linear(design: FloatArray, coef: FloatArray, offset: FloatArray) -> FloatArray:
    return np.asarray(offset + np.einsum("...nq,...q->...n", design, coef))


def _information(design: FloatArray, weight: FloatArray, eta: FloatArray) -> FloatArray:
    mu = sp.expit(eta)
    weighted = design * (weight * mu * sp.expit(-eta))[..., np.newaxis]
    return np.asarray(np.swapaxes(weighted, -1, -2) @ design)
