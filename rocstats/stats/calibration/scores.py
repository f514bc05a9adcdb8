"""Probability scores with influence values, and the parts of the Brier score (CORP)."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.calibration.curves import fit_isotonic
from rocstats.stats.calibration.risks import Risks
from rocstats.stats.costs.mean_benefit import MeanBenefit

ScoreName = Literal["brier_score", "scaled_brier_score", "log_score"]
SCORES: tuple[ScoreName, ...] = get_args(ScoreName)


class BrierParts(NamedTuple):
    """Brier score = miscalibration - discrimination + uncertainty."""

    miscalibration: float
    discrimination: float
    uncertainty: float


def losses(risks: Risks) -> FloatArray:
    """Return squared differences of risk and outcome."""
    return np.asarray((risks.risk - risks.outcome) ** 2)


def surprises(risks: Risks) -> FloatArray:
    """Return minus the logarithm of the risk of what happened: infinite where it was 0."""
    with np.errstate(divide="ignore"):
        return np.where(risks.cases.is_positive, -np.log(risks.risk), -np.log1p(-risks.risk))


def score(risks: Risks, name: ScoreName) -> MeanBenefit:
    """Return a score with the influence values of cases, in terms of the mean over them."""
    value, influence = case_influence(risks, name)
    return risks.mean(influence)._replace(value=value)


def case_influence(risks: Risks, name: ScoreName) -> tuple[float, FloatArray]:
    """Return a score and the influence values of cases; those of an infinite score are NaN."""
    if name == "log_score":
        values = surprises(risks)
        value = float(np.inf) if np.isinf(values).any() else risks.average(values)
        return value, values - value if np.isfinite(value) else np.full_like(values, np.nan)
    values = losses(risks)
    brier = risks.average(values)
    if name == "brier_score":
        return brier, values - brier
    share = risks.average(risks.outcome)
    spread = share * (1 - share)
    if not spread > 0:  # weights so small that a share rounds to 0 or 1
        return np.nan, np.full_like(values, np.nan)
    moved = brier * (1 - 2 * share) * (risks.outcome - share) / spread**2
    return 1 - brier / spread, moved - (values - brier) / spread


def brier_parts(risks: Risks) -> BrierParts:
    """Return the parts of the Brier score from the monotone curve."""
    share = risks.average(risks.outcome)
    spread = share * (1 - share)
    refitted = fit_isotonic(risks).brier_score()
    # Both are >= 0, as the curve has the least squares among those that do not fall.
    brier = risks.average(losses(risks))
    return BrierParts(max(brier - refitted, 0.0), max(spread - refitted, 0.0), spread)
