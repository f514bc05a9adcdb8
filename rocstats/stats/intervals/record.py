"""The interface of an interval for an area, and the record of what each interval supports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.quantiles import Alternative, limits_between

Role = Literal["folds", "partial", "clustered-partial", "weights"]
"""What an interval may refuse: folds, a range of rates, such a range with clusters, weights."""


class IntervalMethod(Protocol):
    """A limit for a quantile (negative: lower limit), and the statistic it is the inversion of."""

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        ...

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a quantile of the reference distribution."""
        ...

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the standardised distance of the area from a null value."""
        ...


class Normal:
    """A method whose reference distribution is the normal."""

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution: infinite."""
        return np.inf


class Refusal(NamedTuple):
    """Why an interval refuses a role: what it must be instead, and what it lacks itself.

    Both continue a sentence: "`interval` {must}; got 'bca', {why}."
    """

    must: str
    why: str = ""


FromDraws = Callable[[FloatArray, ScoredCases, int, float, AreaRange], IntervalMethod | None]
"""From resampled areas, the cases, the predictor, its area and the range; None: not defined."""

_NOTHING: Mapping[Role, Refusal] = MappingProxyType({})


def lacks_variance(area: Area) -> bool:
    """Return whether an area has no variance from which limits can be made.

    A partial area of 0 whose range ends at a step has a variance, but no scale to use it on.
    """
    # "not > 0" takes NaN, the variance of a class with one case, for none.
    return area.at_boundary or not area.variance > 0


class AreaInterval(NamedTuple):
    """An interval for an area.

    ``method`` is its closed form, or ``from_draws`` makes it from resampled areas. Newcombe's
    limits stand in for an area at which the method ``fails``. ``variances`` are the words of those
    it goes with (none: any), ``needs_spread`` says that it takes the parts of DeLong's variance.
    ``phrase`` continues "Confidence intervals were computed"; ``references`` are keys.
    ``published`` is False for our own methods, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    method: IntervalMethod | None = None
    from_draws: FromDraws | None = None
    fails: Callable[[Area], bool] = lacks_variance
    variances: tuple[str, ...] = ()
    needs_spread: bool = False
    refuses: Mapping[Role, Refusal] = _NOTHING
    references: tuple[str, ...] = ()
    published: bool = True

    @property
    def resampled(self) -> bool:
        """Whether the limits come from resamples."""
        return self.from_draws is not None


def limits(
    method: IntervalMethod, area: Area, confidence_level: float, alternative: Alternative
) -> tuple[float, float]:
    """Return both limits of an area; a one-sided alternative moves the other limit to 0 or 1."""
    return limits_between(
        lambda q: method.limit(area, q), confidence_level, alternative, 0.0, 1.0, method.df(area)
    )
