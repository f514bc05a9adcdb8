"""The test of a difference, read from its hypothesis, margin and alternative."""

from __future__ import annotations

from typing import Any

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.stats.comparison.hypotheses import HYPOTHESES, Hypothesis, HypothesisPlan
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative


def require_level(confidence_level: float, alternative: Alternative) -> Alternative:
    """Return the side of a test; raise InputError where it, or the level with it, is not legal.

    A one-sided level must put its limit on its side of the estimate.
    """
    alternative = require_choice("alternative", alternative, ALTERNATIVES)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if alternative != "two-sided" and confidence_level <= 0.5:
        raise InputError(
            f"`confidence_level` must exceed 0.5 for the alternative {alternative!r}, whose limit"
            f" would lie beyond the estimate; got {confidence_level!r}. Pass for instance 0.95."
        )
    return alternative


def read_hypothesis(
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    confidence_level: float,
    *,
    largest: float = 1.0,
) -> HypothesisPlan:
    """Return the tests and limits of a difference in (-largest, largest), or raise InputError.

    Superiority and non-inferiority are tested one-sided at (1 - level)/2 beside the two-sided
    interval at the level; equivalence at 1 - level a side beside the interval at 2 level - 1.
    """
    hypothesis = require_choice("hypothesis", hypothesis, HYPOTHESES)
    alternative = require_level(confidence_level, alternative)
    require_open_interval("null_value", null_value, -largest, largest)
    if hypothesis == "difference":
        if margin is not None:
            raise InputError(
                f"`margin` must stay None for the hypothesis 'difference'; got {margin!r}."
                " Pass hypothesis='superiority', 'non-inferiority' or 'equivalence' with it."
            )
        value = float(null_value)
        return HypothesisPlan(
            confidence_level, alternative, value, alternative, ((value, alternative),)
        )
    _require_plain_test(hypothesis, alternative, null_value)
    d = _read_margin(hypothesis, margin, largest)
    if hypothesis == "superiority":
        return HypothesisPlan(confidence_level, "two-sided", d, hypothesis, ((d, "greater"),))
    if hypothesis == "non-inferiority":
        return HypothesisPlan(confidence_level, "two-sided", -d, hypothesis, ((-d, "greater"),))
    # Two one-sided tests at 1 - level each (Schuirmann 1987) match the interval at 2 level - 1.
    if confidence_level <= 0.5:
        raise InputError(
            "`confidence_level` must exceed 0.5 for equivalence, whose interval has the level"
            f" 2 * confidence_level - 1; got {confidence_level!r}. Pass for instance 0.95."
        )
    both: tuple[tuple[float, Alternative], ...] = ((-d, "greater"), (d, "less"))
    return HypothesisPlan(2 * confidence_level - 1, "two-sided", d, hypothesis, both)


def hypothesis_columns(plan: HypothesisPlan) -> dict[str, Any]:
    """Return the columns of a hypothesis and of the level of its interval."""
    return {
        "confidence_level": plan.confidence_level,
        "null_value": plan.null_value,
        "hypothesis": plan.hypothesis,
    }


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
    # No default for the others: a margin is a clinical choice, and 0 would be another hypothesis.
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
