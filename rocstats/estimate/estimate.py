"""An estimate carries the influence of each unit; a result has its limits and its test.

Limits are those of t (normal: infinite degrees of freedom) or normal on the logarithmic scale.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_p_value, t_quantile
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME, clear_rounding

# --- Estimates and results ------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A value and the influence values of units (cases, or sums of clusters) on it.

    The squares of the influence values sum to the variance.
    """

    value: float
    influence: FloatArray

    @property
    def se(self) -> float:
        """Standard error; NaN for a single unit."""
        return float(np.sqrt(clear_rounding(float(self.influence @ self.influence))))


class Result(NamedTuple):
    """Estimate, limits and test of a quantity, a difference or a ratio; ``codes`` are its notes."""

    estimate: float
    se: float = math.nan
    ci_low: float = math.nan
    ci_high: float = math.nan
    statistic: float = math.nan
    df: float = math.nan
    p_value: float = math.nan
    method: str = "none/none"
    codes: tuple[str, ...] = ()

    def times(self, unit: float) -> Result:
        """Return the result with estimate, standard error and limits times a number."""
        return self._replace(
            estimate=unit * self.estimate,
            se=unit * self.se,
            ci_low=unit * self.ci_low,
            ci_high=unit * self.ci_high,
        )

    def columns(self) -> dict[str, float | str]:
        """Return the columns of a row that the result fills: all but the notes."""
        return {name: getattr(self, name) for name in Result._fields[:-1]}


class Results(NamedTuple):
    """Estimates, limits and tests of several quantities: an entry for each in every field."""

    estimate: FloatArray
    se: FloatArray
    ci_low: FloatArray
    ci_high: FloatArray
    statistic: FloatArray
    df: FloatArray
    p_value: FloatArray
    method: list[str]
    codes: list[tuple[str, ...]]

    def columns(self) -> dict[str, Any]:
        """Return the columns of rows that the results fill: all but the notes."""
        return {name: getattr(self, name) for name in Results._fields[:-1]}


def undefined_result(code: str, estimate: float = math.nan) -> Result:
    """Return a result without limits and test, and the note that says why."""
    return Result(estimate, codes=(code,))


def result_without_variance(estimate: float, equal: float, plan: HypothesisPlan) -> Result:
    """Return a result without variance; its p value is 1 if the estimate is that of equality."""
    if abs(estimate - equal) > SAME:
        return Result(estimate, 0.0, codes=("no-variance",))
    p = 1.0 if plan.is_plain else math.nan
    return Result(estimate, 0.0, p_value=p, codes=("no-discordance",))


# --- Limits and tests from a standard error -------------------------------------------------------


def wald_result(
    value: float,
    se: float,
    plan: HypothesisPlan,
    word: str,
    ends: tuple[float, float] = (-np.inf, np.inf),
    df: float = np.inf,
) -> Result:
    """Return limits of t (normal: infinite ``df``), cut at the ends, and the test of a plan."""
    missing = _missing_limits_note(value, se)
    if missing:
        return undefined_result(missing, value)

    def limit(at: float) -> float:
        return float(np.clip(value + at * se, *ends))

    low, high = limits_at_both_quantiles(limit, plan.confidence_level, plan.alternative, *ends, df)
    t, p = hypothesis_test_with_largest_p(plan, lambda null: (value - null) / se, df)
    kind = "wald" if np.isinf(df) else "wald-t"
    return Result(value, se, low, high, t, df, p, f"{word}/{kind}")


def log_ratio_result(ratio: Estimate, level: float, word: str) -> Result:
    """Return limits of a ratio on the logarithmic scale, and the test that it is 1."""
    missing = _missing_limits_note(ratio.value, ratio.se)
    if missing:
        return undefined_result(missing, ratio.value)
    se = ratio.se / ratio.value
    with np.errstate(over="ignore"):  # a limit beyond every number is infinite
        low, high = (
            ratio.value * float(np.exp(at * se))
            for at in limits_at_both_quantiles(float, level, "two-sided")
        )
    z = float(np.log(ratio.value)) / se
    p = t_p_value(z, np.inf, "two-sided")
    return Result(ratio.value, ratio.se, low, high, z, np.inf, p, f"{word}/log")


def score_result(
    score: Estimate, level: float, word: str, ends: tuple[float, float], df: float
) -> Result:
    """Return limits of t of a score, cut at the ends of its range."""
    missing = _missing_limits_note(score.value, score.se)
    if missing:
        return undefined_result(missing, score.value)
    reach = t_quantile((1 + level) / 2, df) * score.se
    low, high = np.clip([score.value - reach, score.value + reach], *ends).tolist()
    return Result(score.value, score.se, low, high, method=f"{word}/wald-t")


def _missing_limits_note(value: float, se: float) -> str:
    """Return the note on an estimate that has no limits; "" if it has."""
    if np.isinf(value):
        return "infinite-score"
    if np.isnan(se) and not np.isnan(value):
        return "few-clusters"
    # A standard error that is rounding beside its estimate leaves limits without width.
    return "no-variance" if np.isnan(value) or se <= SAME * abs(value) else ""
