"""What is tested of a difference: its null values and sides, and the interval beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative

Hypothesis = Literal["difference", "superiority", "non-inferiority", "equivalence"]
HYPOTHESES = ("difference", "superiority", "non-inferiority", "equivalence")


@dataclass(frozen=True)
class Asked:
    """What the user wants of a difference.

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

    def over(self, width: float) -> Asked:
        """Return the same question with differences in units of ``width``."""
        tests = tuple((value / width, side) for value, side in self.tests)
        return replace(self, null_value=self.null_value / width, tests=tests)

    def lower_is_better(self) -> Asked:
        """Return the same question of a loss: what is to be shown is that it is small.

        A test that the quantity is greater than a value, beside a two-sided interval, becomes one
        that the loss is less than minus that value.
        """
        if self.alternative != "two-sided" or len(self.tests) > 1 or self.side == "two-sided":
            return self
        null = 0.0 - self.null_value
        return replace(self, null_value=null, tests=((null, "less"),))

    def at_level(self, confidence_level: float) -> Asked:
        """Return the same question with an interval at another level."""
        return replace(self, confidence_level=confidence_level)


def read_hypothesis(
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    confidence_level: float,
    *,
    largest: float = 1.0,
) -> Asked:
    """Return what is asked of a difference in (-largest, largest); raise InputError otherwise.

    Superiority and non-inferiority are tested one-sided at (1 - level)/2 beside the two-sided
    interval at the level; equivalence at 1 - level a side beside the interval at 2 level - 1.
    """
    require_choice("hypothesis", hypothesis, HYPOTHESES)
    require_choice("alternative", alternative, ALTERNATIVES)
    require_open_interval("null_value", null_value, -largest, largest)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if hypothesis == "difference":
        _require_no_margin(margin)
        value = float(null_value)
        return Asked(confidence_level, alternative, value, alternative, ((value, alternative),))
    _require_plain_test(hypothesis, alternative, null_value)
    d = _read_margin(hypothesis, margin, largest)
    if hypothesis == "superiority":
        return Asked(confidence_level, "two-sided", d, hypothesis, ((d, "greater"),))
    if hypothesis == "non-inferiority":
        return Asked(confidence_level, "two-sided", -d, hypothesis, ((-d, "greater"),))
    if confidence_level <= 0.5:
        raise InputError(
            "`confidence_level` must exceed 0.5 for equivalence, whose interval has the level"
            f" 2 * confidence_level - 1; got {confidence_level!r}. Pass for instance 0.95."
        )
    both: tuple[tuple[float, Alternative], ...] = ((-d, "greater"), (d, "less"))
    return Asked(2 * confidence_level - 1, "two-sided", d, hypothesis, both)


def _require_no_margin(margin: float | None) -> None:
    if margin is not None:
        raise InputError(
            f"`margin` must stay None for the hypothesis 'difference'; got {margin!r}."
            " Pass hypothesis='superiority', 'non-inferiority' or 'equivalence' with it."
        )


def _require_plain_test(hypothesis: str, alternative: str, null_value: float) -> None:
    if alternative != "two-sided":
        raise InputError(
            f"`alternative` must stay 'two-sided' for the hypothesis {hypothesis!r}, which has its"
            f" own side; got {alternative!r}. Leave `alternative` out."
        )
    if null_value != 0:
        raise InputError(
            f"`null_value` must stay 0 for the hypothesis {hypothesis!r}; got {null_value!r}."
            " Pass `margin` instead."
        )


def _read_margin(hypothesis: str, margin: float | None, largest: float) -> float:
    if margin is None:
        if hypothesis == "superiority":
            return 0.0
        raise InputError(
            f"`margin` must be given for the hypothesis {hypothesis!r}; got None. Pass the largest"
            " difference that does not matter, chosen before the data were seen."
        )
    if hypothesis == "superiority" and margin == 0:
        return 0.0
    require_open_interval("margin", margin, 0, largest)
    return float(margin)
