"""One estimate of several imputed data sets, pooled by Rubin's rules.

On the scale of the limits of its quantity [rubin-1987, barnard-1999]. Where that has no place for
an estimate, or a data set has no standard error, by Wilson's equation with the variance between the
data sets [lott-2020]. Formulas: docs/methods/imputation.md.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import IDENTITY, Range, Scale
from rocstats.facts.tolerances import SAME


class ImputedAnswers(NamedTuple):
    """An estimate with its standard error and limits in each of m data sets.

    ``reach`` is the normal quantile of the limits, ``side`` their side: "greater" has a lower limit
    only, "less" an upper one. ``of_counts`` says that limits were made from numbers of cases, as
    Wilson's, and not on the scale of the quantity.
    """

    estimate: FloatArray
    se: FloatArray
    low: FloatArray
    high: FloatArray
    reach: float
    side: Alternative = "two-sided"
    of_counts: bool = False


class PooledEstimate(Protocol):
    """A pooled estimate; limits and tests are made at quantiles of t with ``df``."""

    @property
    def estimate(self) -> float:
        """The pooled estimate."""
        ...

    @property
    def se(self) -> float:
        """Its standard error, NaN where nothing but the estimate is pooled."""
        ...

    @property
    def df(self) -> float:
        """Degrees of freedom of limits and test."""
        ...

    @property
    def fraction_missing(self) -> float:
        """The share of information that is missing."""
        ...

    def limit(self, t: float) -> float:
        """Return the limit at a quantile of t, negative for the lower one."""
        ...

    def statistic(self, null_value: float) -> float:
        """Return the standardised distance of the estimate from a null value."""
        ...


def pool_answers(
    answers: ImputedAnswers,
    scale: Scale,
    ends: Range,
    df_complete: float,
    *,
    df_near_end: float = np.inf,
) -> PooledEstimate:
    """Return an estimate of imputed data sets pooled by Rubin's rules.

    Parameters
    ----------
    answers : Answers
        The estimate in each data set.
    scale : Scale
        Scale of the limits of the quantity.
    ends : tuple of float
        The least and the greatest value of the quantity.
    df_complete : float
        Degrees of freedom if nothing were missing; infinite for those of Rubin (1987).
    df_near_end : float, default infinite
        The same for Wilson's equation, whose quantile in complete data is normal.

    Returns
    -------
    OnScale, NearEnd or Alone
        By Rubin's rules on the scale; by Wilson's equation; or the estimate alone, where a data set
        has neither a standard error nor limits.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        values = scale.forward(answers.estimate)
        inside = bool(np.isfinite(values).all())
        spreads = answers.se * scale.slope(answers.estimate)
        has_spreads = inside and bool((spreads > 0).all() and np.isfinite(spreads).all())
        # Without a standard error an estimate may be a rounding away from the end of its range.
        used = scale if has_spreads or (inside and not np.isfinite(ends).all()) else IDENTITY
        mean = float(used.back(used.forward(answers.estimate).mean()))
    # Between the estimates, whatever the rounding of the scale.
    mean = float(np.clip(mean, answers.estimate.min(), answers.estimate.max()))
    if np.isfinite([mean, *ends]).all():
        cases = _effective_cases(answers, ends)
        if cases is not None and not (has_spreads and not cases.near):
            return _pooled_near_end(cases, mean, ends, df_near_end)
    if inside and not has_spreads and np.isfinite(answers.se).all():
        spreads = np.where(spreads > 0, spreads, _half_widths(answers, scale, values))
        has_spreads = bool(np.isfinite(spreads).all() and (spreads > 0).any())
    # A number needed to diagnose that is infinite in every data set has a place on its scale.
    if has_spreads and np.isfinite(mean):
        return _pooled_on_scale(values, spreads, df_complete, mean, (scale, ends))
    return PooledWithoutError(mean)


def _barnard_rubin_df_and_missing(
    m: int, within: float, between: float, df_complete: float
) -> tuple[float, float]:
    """Return Barnard and Rubin's degrees of freedom, and the share of missing information."""
    lost = between / (within + between) if between > 0 else 0.0
    of_old = lost**2 / (m - 1)
    # One over nu (nu + 1)/(nu + 3), without infinity over infinity.
    of_known = (1 + 2 / (df_complete + 1)) / df_complete if np.isfinite(df_complete) else 0.0
    # Where all is lost, no degrees of freedom are left of a finite number.
    of_observed = of_known / (1 - lost) if lost < 1 else (np.inf if of_known > 0 else 0.0)
    df = 1 / (of_old + of_observed) if of_old + of_observed > 0 else np.inf
    return df, lost + (1 - lost) * 2 / (df + 3)


# --- On the scale of the limits -------------------------------------------------------------------


class PooledOnScale(NamedTuple):
    """A pooled ``value`` with its standard error ``spread``, both on a scale."""

    estimate: float
    value: float
    spread: float
    df: float
    fraction_missing: float
    scale: Scale
    ends: Range

    @property
    def se(self) -> float:
        """Standard error of the estimate."""
        return float(self.spread / self.scale.slope(self.estimate))

    def limit(self, t: float) -> float:
        """Return the limit at a quantile of t, never beyond the range of the quantity."""
        with np.errstate(over="ignore"):
            found = self.scale.back(np.float64(self.value + t * self.spread))
        return float(np.clip(found, *self.ends))

    def statistic(self, null_value: float) -> float:
        """Return the standardised distance of the estimate from a null value."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return float((self.value - self.scale.forward(np.float64(null_value))) / self.spread)


def _pooled_on_scale(
    values: FloatArray,
    spreads: FloatArray,
    df_complete: float,
    mean: float,
    place: tuple[Scale, Range],
) -> PooledOnScale:
    # docs/methods/imputation.md, "Rubin's rules".
    m = len(values)
    within, between = float(np.mean(spreads**2)), (1 + 1 / m) * float(values.var(ddof=1))
    df, missing = _barnard_rubin_df_and_missing(m, within, between, df_complete)
    return PooledOnScale(
        mean, float(values.mean()), float(np.sqrt(within + between)), df, missing, *place
    )


def _half_widths(answers: ImputedAnswers, scale: Scale, values: FloatArray) -> FloatArray:
    """Return the mean distance on a scale of an estimate from its finite limits, over z."""
    with np.errstate(all="ignore"):
        gaps = np.array([values - scale.forward(answers.low), scale.forward(answers.high) - values])
    known = np.isfinite(gaps) & (gaps > 0)
    number = known.sum(axis=0)
    total = np.where(known, gaps, 0.0).sum(axis=0) / answers.reach
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


# --- Near an end of the range ---------------------------------------------------------------------

# With hardly any degrees of freedom quantiles of t are so large that their squares overflow, and
# with hardly any effective cases the square of their number underflows.
_NO_INFORMATION = 1e100


class PooledNearEnd(NamedTuple):
    """A pooled estimate of a bounded quantity with Wilson's limits.

    ``centre`` is the mean of the estimates, stretched to [0, 1]; ``size`` the effective number of
    cases: that of a data set over 1 + r.
    """

    estimate: float
    centre: float
    se: float
    df: float
    fraction_missing: float
    size: float
    ends: Range

    def limit(self, t: float) -> float:
        """Return the limit at a quantile of t: a root of (q - theta)^2 = t^2 theta(1 - theta)/n.

        The estimate may be the mean on another scale: no limit passes it.
        """
        low, high = self.ends
        if self.size < 1 / _NO_INFORMATION or abs(t) > _NO_INFORMATION:
            return low if t < 0 else high
        if self.centre in (0.0, 1.0) and (self.centre == 1) == (t > 0):
            return high if t > 0 else low  # the root that rounding misses
        # docs/methods/imputation.md, "Near an end of the range": Lott & Reiter 2020.
        found = low + (high - low) * wilson_limit_of_proportion(
            self.centre * self.size, self.size, t
        )
        return min(found, self.estimate) if t < 0 else max(found, self.estimate)

    def statistic(self, null_value: float) -> float:
        """Return the standardised distance of the mean from a null value: the score test."""
        null = (null_value - self.ends[0]) / (self.ends[1] - self.ends[0])
        if not 0 < null < 1:
            return float("nan")
        return float((self.centre - null) * np.sqrt(self.size / (null * (1 - null))))


class _EffectiveImputedCases(NamedTuple):
    """A quantity stretched to [0, 1] in each data set, and one over its effective size."""

    at: FloatArray
    share: FloatArray
    near: bool


def _effective_cases(answers: ImputedAnswers, ends: Range) -> _EffectiveImputedCases | None:
    """Return effective numbers of cases; None where a data set has no limits.

    The number whose Wilson limit is the data set's limit, or whose standard error is its own,
    whichever is less.
    """
    low_end, width = ends[0], ends[1] - ends[0]
    at, low, high = (
        (values - low_end) / width for values in (answers.estimate, answers.low, answers.high)
    )
    if np.isnan(low + high).any():
        return None
    # Of both limits the one towards the middle; of one-sided limits the one that there is.
    lower = {"greater": True, "less": False}.get(answers.side, at >= 0.5)
    inner = np.where(lower, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_limit = (at - inner) ** 2 / (answers.reach**2 * inner * (1 - inner))
        by_se = (answers.se / width) ** 2 / (at * (1 - at))
    known = [np.where(np.isfinite(some) & (some > 0), some, np.nan) for some in (by_limit, by_se)]
    found = np.fmax(*known)
    if np.isnan(found).all():
        return None
    # A one-sided limit at the end of its side says nothing: the other data sets speak for it.
    found = np.where(np.isnan(found), np.nanmean(found), found)
    # One case more or less, and the estimate is at the end.
    within_one = np.minimum(at, 1 - at) <= found * (1 + SAME)
    return _EffectiveImputedCases(at, found, answers.of_counts and bool(within_one.any()))


def _pooled_near_end(
    cases: _EffectiveImputedCases, mean: float, ends: Range, df_complete: float
) -> PooledNearEnd:
    m, at = len(cases.at), cases.at
    between = (1 + 1 / m) * float(at.var(ddof=1))
    within = float(np.mean(at * (1 - at) * cases.share))
    df, missing = _barnard_rubin_df_and_missing(m, within, between, df_complete)
    # (1 + r) of r = between/within; all is between where every estimate is 0 or 1.
    grown = 1 + between / within if within > 0 else (np.inf if between > 0 else 1.0)
    size = 1 / (float(cases.share.mean()) * grown)
    root = float(np.sqrt(within + between)) * (ends[1] - ends[0])
    return PooledNearEnd(mean, float(at.mean()), root, df, missing, size, ends)


class PooledWithoutError(NamedTuple):
    """An estimate without a standard error."""

    estimate: float
    se: float = np.nan
    df: float = np.nan
    fraction_missing: float = np.nan

    def limit(self, t: float) -> float:
        """Return NaN."""
        return float("nan")

    def statistic(self, null_value: float) -> float:
        """Return NaN."""
        return float("nan")
