"""Power and numbers of cases of tests of areas, by the normal approximation.

With sd0 and sd1 the standard deviations under the null hypothesis and as assumed, D the distance
from the null value: power = Phi((D - z sd0)/sd1), and n_pos = (z sd0 + z_power sd1)^2/D^2 with the
standard deviations of one positive and its share of negatives. A two-sided test counts what it
finds on the side of the truth. Equivalence is two tests: power = Phi(.) + Phi(.) - 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.errors import InputError
from rocstats.inference.planning.designs import (
    OneAUC,
    PairedAUCs,
    PilotAUCs,
    TwoAUCs,
    columns_of,
    curves_of,
    range_of,
)
from rocstats.stats.influence.areas import case_placements
from rocstats.stats.planning import MANN_WHITNEY, MODELS, CaseVariance

AreaDesign = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs
_FEWEST = 2
_SLACK = 1e-6


@dataclass(frozen=True)
class NormalTest:
    """A test of one area or a difference, as it is planned.

    ``distances`` are those of the truth from each null value, ``halved`` says whether ``alpha`` is
    for two sides, of which the test has one; ``variance`` names both variances.
    """

    distances: tuple[float, ...]
    halved: bool
    null: CaseVariance
    assumed: CaseVariance
    variance: str

    def level(self, alpha: float) -> float:
        """Return the level of each one-sided test."""
        return alpha / 2 if self.halved else alpha

    def power(self, n_pos: float, n_neg: float, alpha: float) -> float:
        """Return the power with so many cases (in each group)."""
        z = float(sp.ndtri(1 - self.level(alpha)))
        null, assumed = self._spreads(n_pos, n_neg)
        found = [float(sp.ndtr((distance - z * null) / assumed)) for distance in self.distances]
        return max(sum(found) - (len(found) - 1), 0.0)

    def half_width(self, n_pos: float, n_neg: float, alpha: float) -> float:
        """Return half the width of the two-sided normal interval at the level 1 - alpha."""
        return float(sp.ndtri(1 - alpha / 2)) * float(np.sqrt(self.assumed.at(n_pos, n_neg)))

    def positives_for_power(self, power: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the power."""
        if len(self.distances) != 1:
            return self._positives_of_both(power, ratio, alpha)
        z, z_power = sp.ndtri([1 - self.level(alpha), power])
        null, assumed = self._spreads(1, ratio)
        return float(max(z * null + z_power * assumed, 0.0) / self.distances[0]) ** 2

    def positives_for_width(self, half_width: float, ratio: float, alpha: float) -> float:
        """Return the number of positives, not rounded, that has the half width."""
        return (self.half_width(1, ratio, alpha) / half_width) ** 2

    def _spreads(self, n_pos: float, n_neg: float) -> tuple[float, float]:
        """Return the standard deviations under the null hypothesis and as assumed."""
        null, assumed = self.null.at(n_pos, n_neg), self.assumed.at(n_pos, n_neg)
        if null <= 0:
            raise InputError(
                "`null_variance` must be 'alternative' where the reference varies less than what it"
                " shares with the predictor; got 'reference'. Leave it out."
            )
        return float(np.sqrt(null)), float(np.sqrt(assumed))

    def _positives_of_both(self, power: float, ratio: float, alpha: float) -> float:
        from scipy.optimize import brentq

        def excess(log_n: float) -> float:
            n = float(np.exp(log_n))
            return self.power(n, ratio * n, alpha) - power

        # The nearer margin alone needs no more; missing half as often, no less.
        nearer = NormalTest((min(self.distances),), self.halved, self.null, self.assumed, "")
        low, high = (
            np.log(nearer.positives_for_power(share, ratio, alpha))
            for share in (power, (1 + power) / 2)
        )
        return float(np.exp(brentq(excess, low - _SLACK, high + _SLACK, xtol=1e-13)))


def fewest_cases(n_pos: float, ratio: float) -> tuple[int, int]:
    """Return both numbers rounded up, each at least two, as a variance needs."""
    return tuple(max(_ceil(n), _FEWEST) for n in (n_pos, ratio * n_pos))  # type: ignore[return-value]


def _ceil(n: float) -> int:
    """Return the next whole number, or this one where only rounding puts it above."""
    return int(np.ceil(n * (1 - 1e-12)))


def planned_test(design: AreaDesign) -> NormalTest:
    """Return the test that a design describes."""
    if isinstance(design, OneAUC):
        return _of_one(design)
    assumed, reference, common = _variances(design)
    return NormalTest(
        _distances(design),
        design.hypothesis != "equivalence" and design.alternative == "two-sided",
        reference if design.null_variance == "reference" else assumed,
        assumed,
        f"{common}/{design.null_variance}",
    )


def _of_one(design: OneAUC) -> NormalTest:
    model = MODELS[design.variance]
    at_chance = design.null_auc == 0.5 and design.null_variance != "model"
    null = MANN_WHITNEY if at_chance else model(design.null_auc)
    distance = design.auc - design.null_auc
    return NormalTest(
        (abs(distance),),
        design.alternative == "two-sided",
        null,
        model(design.auc),
        f"{design.variance}/{'mann-whitney' if at_chance else 'model'}",
    )


def _distances(design: TwoAUCs | PairedAUCs | PilotAUCs) -> tuple[float, ...]:
    difference, margin = float(design.difference or 0.0), design.margin or 0.0
    return {
        "difference": (abs(difference),),
        "superiority": (difference - margin,),
        "non-inferiority": (difference + margin,),
        "equivalence": (margin - difference, margin + difference),
    }[design.hypothesis]


def _variances(
    design: TwoAUCs | PairedAUCs | PilotAUCs,
) -> tuple[CaseVariance, CaseVariance, str]:
    """Return the variance of the difference as assumed and with the reference's, and its name."""
    if isinstance(design, PilotAUCs):
        first, second, shared = _pilot_parts(design)
        name = "delong"
    elif isinstance(design, TwoAUCs):
        model = MODELS[design.variance]
        first, second = model(design.auc), model(design.reference_auc)
        shared, name = CaseVariance(0.0, 0.0), design.variance
    else:
        first, second, shared, name = _paired_parts(design)
    return (first + second) - (shared + shared), (second + second) - (shared + shared), name


def _paired_parts(design: PairedAUCs) -> tuple[CaseVariance, CaseVariance, CaseVariance, str]:
    one, two = curves_of(design)
    correlations = (design.correlation_pos, design.correlation_neg)
    if design.variance == "obuchowski" or not range_of(design).full:
        shared = one.delta_covariance(two, *correlations)
        return one.delta_variance(), two.delta_variance(), shared, "obuchowski"
    shared = one.empirical_covariance(two, *correlations)
    return one.empirical_variance(), two.empirical_variance(), shared, "binormal"


def _pilot_parts(design: PilotAUCs) -> tuple[CaseVariance, CaseVariance, CaseVariance]:
    """Return S10 and S01 of DeLong: of each predictor, and what both share."""
    pilot = design.pilot
    classes = np.flatnonzero(pilot.is_positive), np.flatnonzero(~pilot.is_positive)
    placements = case_placements(pilot.cases, columns_of(design), *classes)
    frequency = pilot.frequency
    of_pos, of_neg = (
        np.cov(values, fweights=None if frequency is None else frequency[rows].astype(int))
        for values, rows in zip(placements, classes, strict=True)
    )
    first, second, shared = (
        CaseVariance(float(of_pos[cell]), float(of_neg[cell])) for cell in ((0, 0), (1, 1), (0, 1))
    )
    return first, second, shared
