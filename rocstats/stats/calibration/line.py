"""Calibration in the large and Cox's line: ratio of events, intercept, slope and their tests."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.calibration.logistic import fit_logistic, log_likelihood, sandwich
from rocstats.stats.calibration.risks import Risks
from rocstats.stats.comparison.hypotheses import chi_square
from rocstats.stats.costs.mean_benefit import MeanBenefit
from rocstats.tolerances import cleared

_ROUNDING = 1e-9  # of coefficients, whose last step is below 1e-8 and doubles its right digits


class JointTest(NamedTuple):
    """A test of calibration: its statistic, degrees of freedom and P value."""

    statistic: float
    df: float
    p_value: float


class Line(NamedTuple):
    """Cox's line logit P(y = 1) = a + b logit p: the slope b, its error, and the joint test."""

    coef: FloatArray
    slope_se: float
    joint: JointTest


def events_ratio(risks: Risks) -> MeanBenefit:
    """Return the observed number of events over the expected one."""
    expected = risks.mean(risks.risk).value
    ratio = risks.mean(risks.outcome).value / expected
    return risks.mean((risks.outcome - ratio * risks.risk) / expected)._replace(value=ratio)


def intercept(risks: Risks) -> tuple[float, float] | None:
    """Return the intercept at slope 1 and its sandwich standard error; None without a maximum."""
    design = np.ones((len(risks.risk), 1))
    fit = fit_logistic(risks, design, np.zeros(1), offset=risks.logit)
    if fit is None:
        return None
    # The variance of the model holds only if the slope is 1: overfitted models covered .92.
    variance = sandwich(risks, design, risks.logit + fit.coef[0])[0, 0]
    return float(fit.coef[0]), float(np.sqrt(cleared(float(variance))))


def line(risks: Risks) -> Line | None:
    """Return Cox's line; None if the likelihood has no maximum."""
    design = np.column_stack([np.ones(len(risks.risk)), risks.logit])
    fit = fit_logistic(risks, design, np.array([0.0, 1.0]))
    if fit is None:
        return None
    se = float(np.sqrt(cleared(float(fit.covariance[1, 1]))))
    if not risks.is_plain:
        # Two clusters have a singular covariance, which has no test: NaN.
        largest = float(np.trace(fit.covariance))
        test = chi_square(fit.coef - [0.0, 1.0], fit.covariance, largest, _ROUNDING)
        return Line(fit.coef, se, JointTest(*test))
    null = log_likelihood(risks.outcome, risks.weight, risks.logit)
    statistic = max(2 * (fit.log_likelihood - float(null)), 0.0)
    return Line(fit.coef, se, JointTest(statistic, 2.0, float(sp.chdtrc(2.0, statistic))))


def spiegelhalter(risks: Risks) -> float:
    """Return Spiegelhalter's z, of the Brier score beside its mean under calibration."""
    p, weight = risks.risk, risks.cases.weight
    # Under calibration a mean over the population has the variance of the outcomes alone.
    total = float(weight @ ((risks.outcome - p) * (1 - 2 * p)))
    variance = float(weight @ ((1 - 2 * p) ** 2 * p * (1 - p)))
    return total / np.sqrt(variance) if variance > 0 else np.nan
