"""The simulated power of a design: the law of its scores, and the tests that must reject."""

from __future__ import annotations

from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, curves_of
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.planning.simulation import (
    Drawn,
    OneTest,
    SimulatedPower,
    TwoTest,
    one_area_power,
    two_areas_power,
)
from rocstats.stats.planning.variance import Binormal

SimulatedDesign = OneAUC | TwoAUCs | PairedAUCs


def simulate_power(
    design: SimulatedDesign,
    n_pos: int,
    n_neg: int,
    alpha: float,
    n_simulations: int,
    seed: int,
) -> SimulatedPower:
    """Return the share of drawn studies in which the test finds what the design assumes."""
    drawn = Drawn((n_pos, n_neg), n_simulations, seed)
    if isinstance(design, OneAUC):
        test = OneTest(design.auc, design.null_auc, design.alternative)
        return one_area_power(test, Binormal.of_area(design.auc, 1.0), drawn, alpha)
    tests = _tests(design, alpha)
    if isinstance(design, PairedAUCs):
        correlations = (design.correlation_pos, design.correlation_neg)
        paired = TwoTest(curves_of(design), correlations, True, tests)
        return two_areas_power(paired, drawn, alpha)
    curves = [Binormal.of_area(auc, 1.0) for auc in (design.auc, design.reference_auc)]
    return two_areas_power(TwoTest(curves, (0.0, 0.0), False, tests), drawn, alpha)


def _tests(design: TwoAUCs | PairedAUCs, alpha: float) -> list[HypothesisPlan]:
    """Return the one-sided tests that all must reject: on the side of the truth."""
    margin = design.margin or 0.0
    if design.hypothesis == "superiority":
        return [_test(1 - alpha / 2, "greater", margin)]
    if design.hypothesis == "non-inferiority":
        return [_test(1 - alpha / 2, "greater", -margin)]
    if design.hypothesis == "equivalence":
        return [_test(1 - alpha, "greater", -margin), _test(1 - alpha, "less", margin)]
    if design.alternative != "two-sided":
        return [_test(1 - alpha, design.alternative, 0.0)]
    return [_test(1 - alpha / 2, "greater" if design.difference > 0 else "less", 0.0)]


def _test(confidence_level: float, alternative: Alternative, null_value: float) -> HypothesisPlan:
    tests = ((null_value, alternative),)
    return HypothesisPlan(confidence_level, alternative, null_value, alternative, tests)
