"""Limits and tests of averages over readers, and of their differences."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.stats.comparison.contrasts import ContrastResult
from rocstats.stats.comparison.hypotheses import HypothesisPlan, hardest_test
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.methods.newcombe import NewcombeOver
from rocstats.stats.intervals.methods.transformed import Transformed
from rocstats.stats.intervals.quantiles import limits_between, t_of_normal
from rocstats.stats.intervals.rates.mover import Limit, inverted_statistic, mover_limit
from rocstats.stats.intervals.rates.proportions import wilson
from rocstats.stats.intervals.record import lacks_variance, limits
from rocstats.stats.readers.record import Estimate

ReaderInterval = Literal["logit-t", "wald"]
_ON_SCALE = {
    "logit-t": LOGIT_LIMITS._replace(student=True),
    "wald": Transformed(lambda a: a, lambda a: 1.0, lambda a: a, student=True),
}
_WORDS = {("logit-t", False): "logit", ("wald", True): "wald-t"}


class Quantity(NamedTuple):
    """A quantity that is averaged over readers, and the limits it has without a variance.

    ``rate`` is True of a share of one class, False of an area; ``shares`` of positives and of
    negatives are in the range of an area.
    """

    rate: bool
    shares: tuple[float, float] = (1.0, 1.0)

    @property
    def word(self) -> str:
        """The word for the limits that need no variance."""
        return "wilson" if self.rate else "newcombe"

    def limit(self, area: Area, z: float) -> float:
        """Return the limit at a normal quantile from the value and the numbers of cases."""
        if self.rate:
            size = area.n_pairs
            return wilson(area.value * size, size, z)
        return NewcombeOver(self.shares).limit(area, z)


class AverageLimits(NamedTuple):
    """Limits of an average over readers, the word of their method, and codes of notes."""

    low: float
    high: float
    word: str
    codes: tuple[str, ...] = ()


def average_limits(
    area: Area, kind: Quantity, interval: ReaderInterval, confidence_level: float
) -> AverageLimits:
    """Return the limits of an average: t with its degrees of freedom, normal if infinite."""
    if lacks_variance(area):
        both = limits_between(
            lambda z: kind.limit(area, z), confidence_level, "two-sided", 0.0, 1.0
        )
        return AverageLimits(*both, kind.word, _boundary_codes((area,), kind))
    low, high = limits(_ON_SCALE[interval], area, confidence_level, "two-sided")
    word = _WORDS.get((interval, bool(np.isfinite(area.df))), interval)
    return AverageLimits(low, high, word)


def infer_difference(
    estimate: Estimate,
    first: Area,
    second: Area,
    kind: Quantity,
    plan: HypothesisPlan,
    *,
    alike: bool,
    random_readers: bool,
    random_cases: bool,
) -> ContrastResult:
    """Return limits and test of a difference of averages, or of one reader's two areas.

    ``alike`` says that both sides rank all cases alike for every reader: there is no interval.
    Of fixed cases the variance must not be 0: limits without a variance are of random cases.
    """
    d, se = estimate.value, float(np.sqrt(estimate.variance))
    if alike:
        p, nan = 1.0 if plan.null_value == 0 else np.nan, np.nan
        return ContrastResult(d, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",))
    sides = (first, second)
    at_boundary = random_cases and any(area.at_boundary for area in sides)
    if at_boundary or not estimate.variance > 0:
        limit = _combined(d, sides, kind, random_readers=random_readers)
        low, high = limits_between(limit, plan.confidence_level, plan.alternative)
        z, p = hardest_test(plan, lambda null: inverted_statistic(limit, d, null))
        word = "average-mover" if random_readers else "wilson-mover" if kind.rate else "mover"
        codes = _boundary_codes(sides, kind, of_difference=True)
        return ContrastResult(d, se, low, high, z, np.inf, p, word, codes)
    low, high = limits_between(
        lambda q: d + q * se, plan.confidence_level, plan.alternative, df=estimate.df
    )
    t, p = hardest_test(plan, lambda null: (d - null) / se, estimate.df)
    word = "wald-t" if np.isfinite(estimate.df) else "wald"
    return ContrastResult(d, se, max(low, -1.0), min(high, 1.0), t, estimate.df, p, word, ())


def _combined(d: float, sides: tuple[Area, Area], kind: Quantity, *, random_readers: bool) -> Limit:
    """Return limits of a difference from those of both sides, as if these were independent."""

    def own(area: Area, z: float) -> float:
        # The limits of the cases alone would leave out how readers differ.
        if random_readers and not lacks_variance(area):
            return _ON_SCALE["logit-t"].limit(area, t_of_normal(z, area.df))
        return kind.limit(area, z)

    first, second = sides

    def limit(z: float) -> float:
        reach = own(first, z) - first.value, own(second, -z) - second.value
        return mover_limit(d, *reach, 0.0, z)

    return limit


def _boundary_codes(
    sides: tuple[Area, ...], kind: Quantity, *, of_difference: bool = False
) -> tuple[str, ...]:
    if any(area.at_boundary for area in sides):
        return ("no-width",) if kind.rate else ("auc-at-boundary",)
    if any(np.isnan(area.variance) for area in sides):
        return ("single-case",)
    if of_difference:
        return ("no-difference-variance",)
    return ("no-width",) if kind.rate else ("zero-variance",)
