"""The simulated power of a design: the distribution of its scores, and the tests to reject."""

from __future__ import annotations

from rocstats.inference.planning.designs import OneAUC, PairedAUCs, TwoAUCs, curves_of
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.planning import simulation
from rocstats.stats.planning.simulation import SimulatedPower
from rocstats.stats.planning.variance import Binormal
from rocstats.stats.resampling.streams import ResamplePlan

SimulatedDesign = OneAUC | TwoAUCs | PairedAUCs


def simulate_power(
    design: SimulatedDesign,
    n_pos: int,
    n_neg: int,
    alpha: float,
    plan: ResamplePlan,
) -> SimulatedPower:
    """Return the share of simulated studies in which the test rejects its null hypothesis."""
    drawn = simulation.Drawn((n_pos, n_neg), plan)
    if isinstance(design, OneAUC):
        test = simulation.OneTest(design.auc, design.null_auc, design.alternative)
        return simulation.one_area_power(test, Binormal.of_area(design.auc, 1.0), drawn, alpha)
    correlations, paired = (0.0, 0.0), isinstance(design, PairedAUCs)
    if isinstance(design, PairedAUCs):
        correlations = (design.correlation_pos, design.correlation_neg)
    both = simulation.TwoTest(curves_of(design), correlations, paired, _tests(design, alpha))
    return simulation.two_areas_power(both, drawn, alpha)


def _tests(design: TwoAUCs | PairedAUCs, alpha: float) -> list[HypothesisPlan]:
    """Return the one-sided tests that must all reject, on the side of the assumed difference."""
    # As in ``compare_auc``: one-sided at alpha/2 beside a two-sided interval at 1 - alpha;
    # equivalence at alpha a side beside the interval at 1 - 2 alpha.
    margin = design.margin or 0.0
    if design.hypothesis == "superiority":
        return [_test(1 - alpha / 2, "greater", margin)]
    if design.hypothesis == "non-inferiority":
        return [_test(1 - alpha / 2, "greater", -margin)]
    if design.hypothesis == "equivalence":
        return [_test(1 - alpha, "greater", -margin), _test(1 - alpha, "less", margin)]
    if design.alternative != "two-sided":
        return [_test(1 - alpha, design.alternative, 0.0)]
    # A rejection on the wrong side shows the contrary: it does not count as power.
    return [_test(1 - alpha / 2, "greater" if design.difference > 0 else "less", 0.0)]


def _test(confidence_level: float, alternative: Alternative, null_value: float) -> HypothesisPlan:
    tests: tuple[tuple[float, Alternative], ...] = ((null_value, alternative),)
    return HypothesisPlan(confidence_level, alternative, null_value, alternative, tests)
