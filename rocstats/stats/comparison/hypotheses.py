"""What is tested of a difference: its null values and sides, and the interval beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rocstats.stats.intervals.quantiles import Alternative

Hypothesis = Literal["difference", "superiority", "non-inferiority", "equivalence"]
HYPOTHESES = ("difference", "superiority", "non-inferiority", "equivalence")


@dataclass(frozen=True)
class HypothesisPlan:
    """What is tested of a difference, and the interval beside it.

    ``tests`` are null values with the side of their alternative: all must be rejected, so that the
    p value is the largest of theirs. ``null_value`` and ``hypothesis`` are what the row says;
    ``alternative`` gives the sides of the interval, ``confidence_level`` its own level.
    """

    confidence_level: float
    alternative: Alternative
    null_value: float
    hypothesis: str
    tests: tuple[tuple[float, Alternative], ...]

    @property
    def side(self) -> Alternative:
        """The alternative of the (first) test."""
        return self.tests[0][1]

    @property
    def alpha(self) -> float:
        """Level of the test that agrees with the interval."""
        one_sided_beside_two = self.alternative == "two-sided" and self.side != "two-sided"
        return (1 - self.confidence_level) / (2 if one_sided_beside_two else 1)

    def over(self, width: float) -> HypothesisPlan:
        """Return the same question with differences in units of ``width``."""
        tests = tuple((value / width, side) for value, side in self.tests)
        return replace(self, null_value=self.null_value / width, tests=tests)

    def lower_is_better(self) -> HypothesisPlan:
        """Return the same question of a loss: what is to be shown is that it is small.

        A test that the quantity is greater than a value, beside a two-sided interval, becomes one
        that the loss is less than minus that value.
        """
        if self.alternative != "two-sided" or len(self.tests) > 1 or self.side == "two-sided":
            return self
        null = 0.0 - self.null_value
        return replace(self, null_value=null, tests=((null, "less"),))

    def at_level(self, confidence_level: float) -> HypothesisPlan:
        """Return the same question with an interval at another level."""
        return replace(self, confidence_level=confidence_level)
