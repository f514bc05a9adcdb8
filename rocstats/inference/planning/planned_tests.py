"""The planned test of a design: distances from the null values, and variances."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.estimate.influence import case_placements
from rocstats.facts.arrays import FloatArray
from rocstats.inference.planning import variances as rates
from rocstats.inference.planning.designs import (
    OneAUC,
    OneRate,
    PairedAUCs,
    PairedRates,
    PilotAUCs,
    TwoAUCs,
    binormal_curves,
    pilot_columns,
    planned_range,
)
from rocstats.inference.planning.reader_design import ReaderDesign
from rocstats.inference.planning.variances import (
    MANN_WHITNEY,
    MODELS,
    CaseVariance,
    NormalTest,
    RateTest,
)

# --- Areas ----------------------------------------------------------------------------------------

AreaDesign = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs
Comparison = TwoAUCs | PairedAUCs | PilotAUCs | ReaderDesign


def planned_test(design: AreaDesign) -> NormalTest:
    """Return the planned test of one area, or of a difference of two."""
    if isinstance(design, OneAUC):
        return _one_area_test(design)
    first, second, shared, common = _area_variances(design)
    # Var(A1 - A2) = V1 + V2 - 2 C; C is 0 for independent groups.
    assumed, reference = (v + second - (shared + shared) for v in (first, second))
    return NormalTest(
        distances_of(design),
        is_halved(design),
        reference if design.null_variance == "reference" else assumed,
        assumed,
        f"{common}/{design.null_variance}",
    )


def _one_area_test(design: OneAUC) -> NormalTest:
    model = MODELS[design.variance]
    # The test of 1/2 is the rank sum test, whose null variance is known without a model.
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


def is_halved(design: Comparison) -> bool:
    """Return whether each one-sided test of a comparison is at half of alpha."""
    # Two one-sided tests at alpha each make up an equivalence test at alpha.
    return design.hypothesis != "equivalence" and design.alternative == "two-sided"


def distances_of(design: Comparison) -> tuple[float, ...]:
    """Return the distances of the assumed difference from the null value of each test."""
    difference, margin = float(design.difference or 0.0), design.margin or 0.0
    return {
        "difference": (abs(difference),),
        "superiority": (difference - margin,),
        "non-inferiority": (difference + margin,),
        "equivalence": (margin - difference, margin + difference),
    }[design.hypothesis]


def comparison_columns(design: Comparison) -> dict[str, Any]:
    """Return the columns of what a comparison assumes and tests."""
    plain = design.hypothesis == "difference"
    return {
        "assumed": design.difference,
        "null_value": 0.0,
        "margin": np.nan if design.margin is None else design.margin,
        "hypothesis": design.alternative if plain else design.hypothesis,
    }


def _area_variances(
    design: TwoAUCs | PairedAUCs | PilotAUCs,
) -> tuple[CaseVariance, CaseVariance, CaseVariance, str]:
    """Return the variances of both areas, their covariance, and the name of the model."""
    if isinstance(design, PilotAUCs):
        return *_pilot_variances(design), "delong"
    if isinstance(design, TwoAUCs):
        model = MODELS[design.variance]
        return model(design.auc), model(design.reference_auc), CaseVariance(0, 0), design.variance
    one, two = binormal_curves(design)
    correlations = (design.correlation_pos, design.correlation_neg)
    if design.variance == "obuchowski" or not planned_range(design).full:
        shared = one.delta_covariance(two, *correlations)
        return one.delta_variance(), two.delta_variance(), shared, "obuchowski"
    shared = one.empirical_covariance(two, *correlations)
    return one.empirical_variance(), two.empirical_variance(), shared, "binormal"


def _pilot_variances(design: PilotAUCs) -> tuple[CaseVariance, CaseVariance, CaseVariance]:
    """Return S10 and S01 of DeLong, DeLong & Clarke-Pearson (1988): both diagonals, off-diagonal.

    They are variances of one placement, so that a study of other class sizes divides them anew.
    """
    pilot = design.pilot
    classes = np.flatnonzero(pilot.is_positive), np.flatnonzero(~pilot.is_positive)
    placements = case_placements(pilot.cases, pilot_columns(design), *classes)
    frequency = pilot.frequency
    of_pos, of_neg = (
        np.cov(values, fweights=None if frequency is None else frequency[rows].astype(int))
        for values, rows in zip(placements, classes, strict=True)
    )
    first, second, shared = (
        CaseVariance(float(of_pos[cell]), float(of_neg[cell])) for cell in ((0, 0), (1, 1), (0, 1))
    )
    return first, second, shared


# --- Rates ----------------------------------------------------------------------------------------


def planned_rate_test(design: OneRate | PairedRates) -> RateTest:
    """Return the planned test of one rate, or of two rates on the same cases."""
    halved = design.alternative == "two-sided"
    if isinstance(design, OneRate):
        return _one_rate_test(design, halved)
    above, below = design.only_predictor, design.only_reference
    discordant, difference = above + below, abs(above - below)
    # Given the number of discordant pairs, McNemar's statistic is binomial with this share.
    favourable = max(above, below) / discordant

    def exact(n: FloatArray, level: float) -> FloatArray:
        return rates.mcnemar_power(n, level, discordant, favourable, mid=design.method == "mid-p")

    # Connor 1987: Var(d) is discordant/n for equal rates, and (discordant - d^2)/n as assumed.
    return RateTest(
        difference,
        halved,
        float(np.sqrt(discordant)),
        float(np.sqrt(discordant - difference**2)),
        None if design.method == "asymptotic" else exact,
        rates.MOST_PAIRED,
    )


def _one_rate_test(design: OneRate, halved: bool) -> RateTest:
    """Return the test of a rate against its goal; without a goal only half widths are defined."""
    goal = np.nan if design.goal is None else design.goal

    def exact(n: FloatArray, level: float) -> FloatArray:
        # The test of a rate below its goal is that of 1 - rate above 1 - goal: one tail does.
        rate, null = (1 - p if design.rate < goal else p for p in (design.rate, goal))
        return rates.binomial_power(n, level, null, rate)

    # Distance and spreads are those of the rates as given: 1 - rate would lose tiny ones.
    return RateTest(
        abs(design.rate - goal),
        halved,
        float(np.sqrt(goal * (1 - goal))),
        float(np.sqrt(design.rate * (1 - design.rate))),
        exact if design.method == "exact" and design.goal is not None else None,
        rates.MOST,
    )
