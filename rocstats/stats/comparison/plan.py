"""How areas are compared: the method, its interval and what is drawn at random."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from rocstats.curves.areas.partial import AreaRange
from rocstats.stats.comparison.hanley_mcneil import Correlation
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.resampling.streams import ResamplePlan

Method = Literal["delong", "permutation", "permutation-asymptotic", "bootstrap", "hanley-mcneil"]
METHODS: tuple[Method, ...] = get_args(Method)
DifferenceInterval = Literal["t", "wald", "mover", "percentile"]
DIFFERENCE_INTERVALS: tuple[DifferenceInterval, ...] = get_args(DifferenceInterval)


def default_interval(tested: HypothesisPlan) -> DifferenceInterval:
    """Return the interval beside the tests of a hypothesis: MOVER with a margin, else t."""
    return "mover" if tested.has_margin else "t"


class ComparisonPlan(NamedTuple):
    """How areas are compared; ``plan`` is None if nothing is drawn at random."""

    method: Method
    interval: DifferenceInterval
    correlation: Correlation
    same_scale: bool
    over: AreaRange
    plan: ResamplePlan | None

    @property
    def permuted(self) -> bool:
        """Whether the test exchanges values within cases."""
        return self.method.startswith("permutation")

    @property
    def resampled(self) -> bool:
        """Whether the limits come from resamples."""
        return self.interval == "percentile"

    @property
    def combined(self) -> bool:
        """Whether the limits combine those of the areas (MOVER)."""
        return self.interval == "mover"

    @property
    def by_influence(self) -> bool:
        """Whether the covariance is that of influence values (DeLong, Obuchowski)."""
        return self.method == "delong" or self.permuted
