"""The test that a design describes, with the numbers that its power depends on."""

from __future__ import annotations

import numpy as np

from rocstats.inference.planning.designs import (
    OneAUC,
    PairedAUCs,
    PilotAUCs,
    TwoAUCs,
    columns_of,
    curves_of,
    range_of,
)
from rocstats.inference.planning.rate_designs import OneRate, PairedRates
from rocstats.sample.arrays import FloatArray
from rocstats.stats.influence.values import case_placements
from rocstats.stats.planning.areas import NormalTest
from rocstats.stats.planning.rates import (
    MOST,
    MOST_PAIRED,
    RateTest,
    binomial_power,
    mcnemar_power,
)
from rocstats.stats.planning.variance import MANN_WHITNEY, MODELS, CaseVariance

AreaDesign = OneAUC | TwoAUCs | PairedAUCs | PilotAUCs


def planned_test(design: AreaDesign) -> NormalTest:
    """Return the test that a design describes."""
    if isinstance(design, OneAUC):
        return _of_one_area(design)
    assumed, reference, common = _variances(design)
    return NormalTest(
        _distances(design),
        design.hypothesis != "equivalence" and design.alternative == "two-sided",
        reference if design.null_variance == "reference" else assumed,
        assumed,
        f"{common}/{design.null_variance}",
    )


def _of_one_area(design: OneAUC) -> NormalTest:
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


def planned_rate_test(design: OneRate | PairedRates) -> RateTest:
    """Return the test that a design describes."""
    halved = design.alternative == "two-sided"
    if isinstance(design, OneRate):
        return _of_one_rate(design, halved)
    above, below = design.only_predictor, design.only_reference
    discordant, difference = above + below, abs(above - below)
    favourable = max(above, below) / discordant

    def exact(n: FloatArray, level: float) -> FloatArray:
        return mcnemar_power(n, level, discordant, favourable, mid=design.method == "mid-p")

    return RateTest(
        difference,
        halved,
        float(np.sqrt(discordant)),
        float(np.sqrt(discordant - difference**2)),
        None if design.method == "asymptotic" else exact,
        MOST_PAIRED,
    )


def _of_one_rate(design: OneRate, halved: bool) -> RateTest:
    goal = np.nan if design.goal is None else design.goal
    mirrored = design.rate < goal
    rate, goal = (1 - p if mirrored else p for p in (design.rate, goal))

    def exact(n: FloatArray, level: float) -> FloatArray:
        return binomial_power(n, level, goal, rate)

    return RateTest(
        rate - goal,
        halved,
        float(np.sqrt(goal * (1 - goal))),
        float(np.sqrt(rate * (1 - rate))),
        exact if design.method == "exact" and design.goal is not None else None,
        MOST,
    )
