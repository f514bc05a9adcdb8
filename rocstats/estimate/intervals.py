"""The intervals for an area.

An interval is a record: its word, its limit at a quantile (or how draws make one), what it refuses.
On the scale of the logit, the probit or the area itself; with quantiles of t; by scores, the
variance taken at the limit [hanley-mcneil-1982, newcombe-2006]; with an effective sample size,
ours; with a distribution-free bound at 0 and 1; from resamples [efron-1987]. Newcombe's method 5
replaces the intervals that have no variance to use. Derivations are in
docs/methods/area-intervals.md and docs/methods/effective-size.md. A new interval needs its record,
a place in ``AREA_INTERVALS`` (the order of messages and pages) and its word in ``Interval``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.area_variances import (
    hanley_mcneil_relative_variance,
    newcombe_relative_variance,
)
from rocstats.estimate.crossing import find_root
from rocstats.estimate.influence import area_acceleration, satterthwaite
from rocstats.estimate.quantiles import (
    Alternative,
    order_rank,
    probability_below_upper_limit,
    t_quantile,
    t_quantiles,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import IDENTITY, LOGIT, PROBIT, Scale
from rocstats.facts.tolerances import SAME, TINY
from rocstats.study.cases import ScoredCases

# --- Areas with the variance and the sample sizes that intervals are made from --------------------


class ClassVariances(NamedTuple):
    """Sizes and parts of the variance, for the effective-sample-size interval.

    ``n_pos`` and ``n_neg`` are effective numbers of cases; ``variance_pos`` and ``variance_neg``
    the parts of the variance that positives and negatives carry.
    """

    n_pos: Any
    n_neg: Any
    variance_pos: Any
    variance_neg: Any


class Area(NamedTuple):
    """Areas in [0, 1] with their variances, degrees of freedom and numbers of units.

    A field is a number, or an array over the areas. ``n_pos`` and ``n_neg`` are numbers of
    independent units (cases, or clusters with the class); ``n_pairs`` the largest number of
    positive-negative pairs that share none of them.
    """

    value: Any
    variance: Any
    df: Any
    n_pos: Any
    n_neg: Any
    n_pairs: Any
    spread: ClassVariances | None = None

    def take(self, rows: Any) -> Area:
        """Return some of the areas."""
        spread = (
            None
            if self.spread is None
            else ClassVariances(*_area_fields_at_rows(self.spread, rows))
        )
        return Area._make([*_area_fields_at_rows(self[:-1], rows), spread])

    def each(self) -> list[Area]:
        """Return the areas one by one, as numbers."""
        return [self.take(k) for k in range(len(self.value))]

    @property
    def at_boundary(self) -> Any:
        """Whether every pair, or none, is ranked right."""
        # Exact: areas within rounding of 0 and 1 are set to these before (``snapped``).
        return (self.value == 0) | (self.value == 1)

    @property
    def parts(self) -> ClassVariances:
        """The parts of the variance, which an area over folds has not."""
        if self.spread is None:
            raise ValueError("the effective sample size needs the parts of DeLong's variance")
        return self.spread


def _area_fields_at_rows(fields: Sequence[Any], rows: Any) -> list[Any]:
    return [each[rows] if isinstance(each, np.ndarray) else each for each in fields]


# --- The record of an interval, and what it supports ----------------------------------------------

RefusedRole = Literal["folds", "partial", "clustered-partial", "weights"]
"""What an interval may refuse: folds, a range of rates, such a range with clusters, weights."""


class RoleRefusal(NamedTuple):
    """Reason why an interval refuses a role: its alternative, and its limitation.

    Both continue a sentence: "`interval` {must}; got 'bca', {why}."
    """

    must: str
    why: str = ""


class IntervalMethod(Protocol):
    """A limit for a quantile (negative: lower limit), and the statistic it is the inversion of.

    Of an area given as numbers they are numbers, of several areas arrays.
    """

    def df(self, area: Area) -> Any:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        ...

    def limit(self, area: Area, quantile: Any) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        ...

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        ...


class NormalLimits:
    """A method whose reference distribution is the normal."""

    def df(self, area: Area) -> float:
        """Return the degrees of freedom of the reference distribution: infinite."""
        return np.inf


LimitsFromDraws = Callable[
    [FloatArray, ScoredCases, Sequence[int], FloatArray, AreaRange],
    tuple[IntervalMethod, BoolArray],
]
"""From resampled areas (k x B), the cases, the k predictors, their areas and the range.

With the method comes for which areas it is not defined: they have plain percentiles.
"""

_NO_REFUSALS: Mapping[RefusedRole, RoleRefusal] = MappingProxyType({})


def lacks_variance(area: Area) -> Any:
    """Return whether an area has no variance from which limits can be made.

    A partial area of 0 whose range ends at a step has a variance, but no scale to use it on.
    """
    # "not > 0" takes NaN, the variance of a class with one case, for none.
    return area.at_boundary | np.logical_not(area.variance > 0)


class AreaInterval(NamedTuple):
    """An interval for an area.

    ``method`` is its closed form, or ``from_draws`` makes it from resampled areas. Newcombe's
    limits stand in where the method ``fails``, of areas that ``lacks_variance`` finds.
    ``variances`` are the words of those
    it goes with (none: any), ``needs_spread`` says that it takes the parts of DeLong's variance.
    ``phrase`` continues "Confidence intervals were computed"; ``references`` are keys.
    ``published`` is False for our own methods, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    method: IntervalMethod | None = None
    from_draws: LimitsFromDraws | None = None
    fails: Callable[[Area], Any] = lacks_variance
    variances: tuple[str, ...] = ()
    needs_spread: bool = False
    refuses: Mapping[RefusedRole, RoleRefusal] = _NO_REFUSALS
    references: tuple[str, ...] = ()
    published: bool = True

    @property
    def resampled(self) -> bool:
        """Whether the limits come from resamples."""
        return self.from_draws is not None


def limits_of_area(
    method: IntervalMethod, area: Area, confidence_level: float, alternative: Alternative
) -> tuple[Any, Any]:
    """Return both limits of an area; a one-sided alternative moves the other limit to 0 or 1."""
    df, p = method.df(area), probability_below_upper_limit(confidence_level, alternative)
    q = t_quantiles(p, df) if isinstance(df, np.ndarray) else t_quantile(p, df)
    low = 0.0 if alternative == "less" else method.limit(area, -q)
    return low, 1.0 if alternative == "greater" else method.limit(area, q)


TAKES_ONE_WHOLE_AREA: Mapping[RefusedRole, RoleRefusal] = MappingProxyType(
    {
        "folds": RoleRefusal(
            "must be based on a variance when the study has folds, because the area is then a mean",
        ),
        "partial": RoleRefusal("must be based on a variance or on resamples for a partial area"),
    }
)
"""Roles refused by methods whose variance is that of one whole area."""


def _never_lacks_area_limits(area: Area) -> Any:
    """Return False: a method without a variance from the data has limits for every area."""
    return np.zeros(np.shape(area.value), dtype=bool)


# --- Limits made on another scale and taken back: logit, probit, the area itself (cut at 0 and 1) -
# Logit limits are expit(logit A + q se/(A(1 - A))). On the probit scale a binormal area is a/sqrt(1
# + b^2).


class TransformedLimits(NamedTuple):
    """Normal (or t) limits on a scale g: g(A) + q se g'(A), taken back."""

    scale: Scale
    student: bool = False

    def df(self, area: Area) -> Any:
        """Return the degrees of freedom of the reference distribution; infinite for the normal."""
        return area.df if self.student else np.inf

    def limit(self, area: Area, quantile: Any) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        step = quantile * np.sqrt(area.variance) * self.scale.slope(area.value)
        # The logit and the probit never leave [0, 1]; Wald's limits do.
        limit = self.scale.back(self.scale.forward(area.value) + step)
        return np.minimum(np.maximum(limit, 0.0), 1.0)

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        distance = self.scale.forward(area.value) - self.scale.forward(null_value)
        return distance / (np.sqrt(area.variance) * self.scale.slope(area.value))


# The default: its limits stay inside (0, 1), and near 1 it covers better than Wald's.
LOGIT_LIMITS = TransformedLimits(LOGIT)
LOGIT_INTERVAL = AreaInterval("logit", "on the logit scale", LOGIT_LIMITS)


PROBIT_LIMITS = TransformedLimits(PROBIT)
PROBIT_INTERVAL = AreaInterval("probit", "on the probit scale", PROBIT_LIMITS)


# Kept to reproduce other software: near 1 the cut at 1 leaves its coverage below nominal.
WALD_INTERVAL = AreaInterval("wald", "by the normal approximation", TransformedLimits(IDENTITY))


LOGIT_T_LIMITS = TransformedLimits(LOGIT, student=True)
# Satterthwaite's df need the part of the variance of each class, which DeLong's alone has
# (docs/methods/area-intervals.md, "Wald, logit and probit limits").
LOGIT_T_INTERVAL = AreaInterval(
    "logit-t",
    "on the logit scale with quantiles of the t distribution",
    LOGIT_T_LIMITS,
    variances=("delong",),
)


# --- Score limits: the variance taken at the limit ------------------------------------------------


@dataclass(frozen=True)
class ScoreLimits(NormalLimits):
    """Score limits: the roots of (A - theta)^2 = z^2 v(theta), the variance taken at the limit.

    ``relative`` is v(theta) / (theta (1 - theta)) as a function of theta and the class sizes: it is
    positive on all of [0, 1], so that the root at an area of 1 is found without dividing 0 by 0.
    """

    relative: Callable[[float, float, float], float]

    def limit(self, area: Area, quantile: float) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        sizes: Any = area.value, area.n_pos, area.n_neg
        if not isinstance(area.value, np.ndarray):
            value, m, n = map(float, sizes)
            return self._root(value, m, n, quantile)
        places = list(zip(*(each.tolist() for each in np.broadcast_arrays(*sizes)), strict=True))
        # Many predictors that separate the same cases have few different areas.
        distinct = dict.fromkeys(places)
        roots = {(v, m, n): self._root(v, m, n, quantile) for v, m, n in distinct}
        return np.array([roots[place] for place in places])

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        spread = self.relative(null_value, area.n_pos, area.n_neg) * null_value * (1 - null_value)
        return (area.value - null_value) / np.sqrt(spread)

    def _root(self, value: float, n_pos: float, n_neg: float, quantile: float) -> float:
        if quantile > 0:  # the mirror image: both classes trade places
            return 1 - self._root(1 - value, n_neg, n_pos, -quantile)
        rest, z2 = 1 - value, quantile**2
        if value == 0 or np.isinf(z2):
            return 0.0

        def excess(theta: float) -> float:
            """Return (A - theta)^2 - z^2 v(theta), divided by 1 - theta when A is 1."""
            spread = z2 * theta * self.relative(theta, n_pos, n_neg)
            return 1 - theta - spread if rest == 0 else (value - theta) ** 2 - (1 - theta) * spread

        # The excess is positive at 0 and at most 0 at A, whatever the quantile; it is 0 there when
        # z^2 is (or underflows), and the limit is the estimate.
        return find_root(excess, 0.0, value, xtol=1e-15)


# The same inversion as Newcombe's, with the variance as printed in 1982, not made symmetric.
HANLEY_MCNEIL_SCORE_INTERVAL = AreaInterval(
    "hanley-mcneil-score",
    "by inverting the score test of Hanley and McNeil",
    ScoreLimits(hanley_mcneil_relative_variance),
    fails=_never_lacks_area_limits,
    refuses=TAKES_ONE_WHOLE_AREA,
    references=("hanley-mcneil-1982",),
)


# --- Newcombe's method 5 --------------------------------------------------------------------------

NEWCOMBE_LIMITS = ScoreLimits(newcombe_relative_variance)


@dataclass(frozen=True)
class NewcombePartialAreaLimits(NormalLimits):
    """Newcombe's limits of a partial area: of each class a share of the cases is in the range."""

    shares: tuple[float, float]

    def limit(self, area: Area, quantile: float) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        return NEWCOMBE_LIMITS.limit(self._in_range(area), quantile)

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        return NEWCOMBE_LIMITS.statistic(self._in_range(area), null_value)

    def _in_range(self, area: Area) -> Area:
        pos, neg = self.shares
        m, n = np.maximum(1.0, pos * area.n_pos), np.maximum(1.0, neg * area.n_neg)
        return area._replace(n_pos=m, n_neg=n)


NEWCOMBE_INTERVAL = AreaInterval(
    "newcombe",
    "by Newcombe's method 5",
    NEWCOMBE_LIMITS,
    fails=_never_lacks_area_limits,
    refuses=TAKES_ONE_WHOLE_AREA,
    references=("newcombe-2006",),
)


# --- The distribution-free bound at areas of 0 and 1 ----------------------------------------------


@dataclass(frozen=True)
class ExactLimits(NormalLimits):
    """Logit limits inside (0, 1); at 0 and 1 the distribution-free bound.

    When all pairs are ranked right, so are ``n_pairs`` independent ones: P <= theta^n_pairs.
    """

    def limit(self, area: Area, quantile: float) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        # P(A = 1) <= theta^n_pairs: theta at which that is alpha/2 = ndtr(quantile)
        # (docs/methods/area-intervals.md, "The exact bound").
        with np.errstate(divide="ignore"):  # no pairs, and no bound
            beyond = sp.ndtr(-abs(quantile)) ** np.divide(1.0, area.n_pairs)
        of_one, of_none = beyond if quantile < 0 else 1.0, 1 - beyond if quantile > 0 else 0.0
        inside = LOGIT_LIMITS.limit(_off_boundary(area), quantile)
        return _by_boundary(area, of_one, of_none, inside)

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        of_one = -sp.ndtri(null_value**area.n_pairs)
        of_none = sp.ndtri((1 - null_value) ** area.n_pairs)
        with np.errstate(divide="ignore"):  # no variance at 0 and 1
            inside = LOGIT_LIMITS.statistic(_off_boundary(area), null_value)
        return _by_boundary(area, of_one, of_none, inside)


def _off_boundary(area: Area) -> Area:
    """Return areas with 1/2 in the place of 0 and 1, whose logits are infinite."""
    return area._replace(value=np.where(area.at_boundary, 0.5, area.value))


def _by_boundary(area: Area, of_one: Any, of_none: Any, inside: Any) -> Any:
    """Return one number of areas of 1, one of areas of 0, and others of those between."""
    return np.where(area.value == 1, of_one, np.where(area.value == 0, of_none, inside))[()]


def _lacks_bound(area: Area) -> Any:
    # Clusters can leave no pair without a common cluster: then there is no bound either.
    return lacks_variance(area) & ~(area.at_boundary & np.greater(area.n_pairs, 0))


EXACT_INTERVAL = AreaInterval(
    "exact",
    "on the logit scale, with the distribution-free bound at areas of 0 and 1",
    ExactLimits(),
    fails=_lacks_bound,
    refuses=TAKES_ONE_WHOLE_AREA,
)


# --- Wilson's limits with an effective sample size: ours, simulated, not peer-reviewed ------------
# An AUC behaves like a proportion of 1/V independent pairs. V is the sum of the correlations of
# pairs with a case in common, over the class sizes; each correlation is shrunk towards a prior one.

# docs/methods/effective-size.md, "Recipe of the effective sample size", derives the constants.
# Uniform placements have the correlation 1/3 at an area of 1/2: 2/3 of half the cases.
_PRIOR = 2 / 3
# Half of the Hodges-Lehmann minimax prior of a proportion of H pairs: sqrt(1/H)/8.
_PRIOR_WEIGHT = 1 / 8
# The prior is worth this many degrees of freedom in each class: a flat optimum from 7 to 11.
_PRIOR_DF = 8


class EffectiveWilsonLimits:
    """Roots of (A - theta)^2 = q^2 V theta (1 - theta), V one over the effective sample size."""

    def df(self, area: Area) -> Any:
        """Return Satterthwaite's degrees of freedom of V, the prior's included."""
        spread = area.parts
        # Clusters, not the cases that they are worth; in a range, the cases expected in it.
        m, n = np.minimum(area.n_pos, spread.n_pos), np.minimum(area.n_neg, spread.n_neg)
        units = np.array(np.broadcast_arrays(m, n))
        return satterthwaite(class_parts_of_area_variance(area), units - 1 + _PRIOR_DF)

    def limit(self, area: Area, quantile: Any) -> Any:
        """Return the limit at a quantile of the reference distribution."""
        a, k = area.value, quantile**2 * class_parts_of_area_variance(area).sum(axis=0)
        # (1 + k) theta^2 - (2 a + k) theta + a^2 = 0: Wilson's (1927) equation with 1/n = V.
        root = np.sqrt(k * a * (1 - a) + k**2 / 4)
        limit = (a + k / 2 + np.sign(quantile) * root) / (1 + k)
        # The quadratic has the root 1 exactly, which rounding misses.
        exact = ((a == 1) & (quantile > 0)) | ((a == 0) & (quantile < 0))
        return np.where(exact, a, limit)[()]

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the standardised distance of the area from a null value."""
        share = class_parts_of_area_variance(area).sum(axis=0)
        return (area.value - null_value) / np.sqrt(share * null_value * (1 - null_value))


def class_parts_of_area_variance(area: Area) -> FloatArray:
    """Return the parts of V that positives and negatives carry: (v + e p) / (A(1 - A) + e).

    v are the parts of DeLong's variance, p those of the prior: (2/3) n/(m (m + n)) and its mirror.
    """
    spread = area.parts
    m, n = spread.n_pos, spread.n_neg
    # The smaller class carries the uncertainty: its prior correlation has the larger class's share.
    prior = _PRIOR / (m + n) * np.array([n / m, m / n])
    # The correlations come from some 4 A(1 - A) H discordant cases, H the harmonic mean of m and n:
    # a weight that falls as 1/sqrt(H) still counts near 1 in large samples.
    weight = _PRIOR_WEIGHT * np.sqrt((1 / m + 1 / n) / 2)
    parts = np.array([spread.variance_pos, spread.variance_neg])
    shares = (parts + weight * prior) / (area.value * (1 - area.value) + weight)
    # Where placements do not vary, the data say nothing of the correlations.
    return np.asarray(np.where(area.variance == 0, prior, shares))


def _lacks_delong_variance_parts(area: Area) -> Any:
    """Return whether a class has one case, so that DeLong's variance has no parts."""
    return np.isnan(area.variance)


EFFECTIVE_WILSON_INTERVAL = AreaInterval(
    "effective-wilson",
    "by the method of Wilson with an effective sample size and quantiles of the t distribution",
    EffectiveWilsonLimits(),
    fails=_lacks_delong_variance_parts,
    variances=("delong",),
    needs_spread=True,
    refuses={
        "folds": TAKES_ONE_WHOLE_AREA["folds"],
        "clustered-partial": RoleRefusal(
            "must be based on a variance or on resamples for a partial area of a study with"
            " clusters"
        ),
    },
    published=False,
)


# --- Percentile and BCa limits from the areas of resamples ----------------------------------------


@dataclass(frozen=True, eq=False)
class PercentileLimits(NormalLimits):
    """Limits from ordered draws at Phi(z0 + (z0 + q)/(1 - a (z0 + q))); plain when z0 = a = 0.

    The lower limit is order statistic ceil((B + 1) p), the upper one its mirror image. The draws of
    several areas are rows (k x B), and z0 and a arrays.
    """

    ordered: FloatArray
    z0: Any = 0.0
    a: Any = 0.0

    def limit(self, area: Area, quantile: float) -> Any:
        """Return the limit at a quantile."""
        return self.draw_at(quantile)

    def draw_at(self, quantile: float) -> Any:
        """Return the draw at a quantile; where both limits agree, the next draw beyond them."""
        rows = self.ordered.reshape(-1, self.ordered.shape[-1])
        places = np.broadcast_to(self._share_at(quantile), len(rows)).tolist()
        others = np.broadcast_to(self._share_at(-quantile), len(rows)).tolist()
        found = [
            _area_draw_at_share(*of_one, quantile)
            for of_one in zip(rows, places, others, strict=True)
        ]
        return np.reshape(found, self.ordered.shape[:-1])[()]

    def _share_at(self, quantile: float) -> Any:
        moved = self.z0 + quantile
        # Efron 1987: the nominal quantile corrected for bias z0 and acceleration a. Where a level
        # near 1 makes the divisor negative, the limit is the last draw on its side.
        return sp.ndtr(self.z0 + moved / np.maximum(1 - self.a * moved, TINY))

    def statistic(self, area: Area, null_value: float) -> Any:
        """Return the z whose limit is the null value."""
        return self.z_of(null_value)

    def z_of(self, null_value: float) -> Any:
        """Return the z whose limit is a value."""
        # The correction of ``limit`` solved for the quantile.
        shifted = _normal_score(self.ordered, null_value) - self.z0
        return self.z0 - shifted / (1 + self.a * shifted)


def percentile_method(draws: FloatArray) -> PercentileLimits:
    """Return percentile limits."""
    return PercentileLimits(np.sort(draws))


def bca_method(
    draws: FloatArray,
    cases: ScoredCases,
    predictors: Sequence[int],
    estimates: FloatArray,
    over: AreaRange = FULL_RANGE,
) -> tuple[PercentileLimits, BoolArray]:
    """Return bias-corrected and accelerated limits (Efron 1987), and where the bias is infinite.

    z0 = Phi^-1(P*(A* < A) + P*(A* = A)/2).
    """
    z0 = np.array([median_bias(*of_one) for of_one in zip(draws, estimates, strict=True)])
    # Where all draws are on one side of the estimate, the median bias is unbounded.
    infinite = ~np.isfinite(z0)
    a = [
        0.0 if plain else area_acceleration(cases, k, over=over)
        for k, plain in zip(predictors, infinite, strict=True)
    ]
    return PercentileLimits(np.sort(draws), np.where(infinite, 0.0, z0), np.array(a)), infinite


def median_bias(draws: FloatArray, estimate: float) -> float:
    """Return z0 of BCa limits; infinite where all draws lie on one side of the estimate."""
    # Draws of tied scores often equal the estimate: half of them count as below (mid-ranks).
    below = np.count_nonzero(draws < estimate - SAME)
    equal = np.count_nonzero(np.abs(draws - estimate) <= SAME)
    return float(sp.ndtri((below + equal / 2) / len(draws)))


def _area_draw_at_share(ordered: FloatArray, p: float, other: float, quantile: float) -> float:
    """Return the draw at a share; where that at the other one agrees, the next draw beyond."""
    upper = quantile > 0
    limit = _order_statistic(ordered, p, upper=upper)
    if abs(limit - _order_statistic(ordered, other, upper=quantile < 0)) > SAME:
        return limit
    sign = float(np.sign(quantile))
    # Resamples of tied scores agree in the middle: limits there would have no width.
    with np.errstate(invalid="ignore"):  # infinite draws of a ratio are not beyond each other
        beyond = ordered[sign * (ordered - limit) > SAME]
    return float(beyond[0 if upper else -1]) if len(beyond) else limit


def _order_statistic(ordered: FloatArray, p: float, *, upper: bool) -> float:
    total = len(ordered)
    # Upper limits count from the top, so that limits of A and of 1 - A mirror each other exactly.
    rank = order_rank((1 - p) if upper else p, total)
    return float(ordered[total - rank if upper else rank - 1])


def _normal_score(ordered: FloatArray, value: float) -> Any:
    """Return Phi^-1 of the share of draws below a value, ties half; never infinite."""
    total = ordered.shape[-1]
    below = np.sum(ordered < value - SAME, axis=-1), np.sum(ordered < value + SAME, axis=-1)
    # B draws say no more of a tail than 1/(B + 1).
    share = np.clip(sum(below) / 2 / total, 1 / (total + 1), total / (total + 1))
    return sp.ndtri(share)


def _percentile_of_draws(
    draws: FloatArray,
    cases: ScoredCases,
    predictors: Sequence[int],
    estimates: FloatArray,
    over: AreaRange,
) -> tuple[PercentileLimits, BoolArray]:
    return percentile_method(draws), np.zeros(len(draws), dtype=bool)


PERCENTILE_INTERVAL = AreaInterval(
    "percentile", "as percentiles of resamples", from_draws=_percentile_of_draws
)
BCA_INTERVAL = AreaInterval(
    "bca",
    "as bias-corrected and accelerated percentiles of resamples",
    from_draws=bca_method,
    refuses=MappingProxyType(
        {
            "weights": RoleRefusal(
                "must be 'percentile' when the study has weights",
                "whose acceleration is not defined for them",
            )
        }
    ),
    references=("efron-1987",),
)


# --- The intervals by name ------------------------------------------------------------------------

Interval = Literal[
    "logit",
    "wald",
    "probit",
    "logit-t",
    "newcombe",
    "hanley-mcneil-score",
    "exact",
    "effective-wilson",
    "percentile",
    "bca",
]
AREA_INTERVALS: tuple[AreaInterval, ...] = (
    LOGIT_INTERVAL,
    WALD_INTERVAL,
    PROBIT_INTERVAL,
    LOGIT_T_INTERVAL,
    NEWCOMBE_INTERVAL,
    HANLEY_MCNEIL_SCORE_INTERVAL,
    EXACT_INTERVAL,
    EFFECTIVE_WILSON_INTERVAL,
    PERCENTILE_INTERVAL,
    BCA_INTERVAL,
)
_BY_WORD = {record.word: record for record in AREA_INTERVALS}

MeanInterval = Literal["logit", "wald", "probit", "logit-t"]
"""Those of means of areas, over folds or groups: the closed forms that folds allow."""
MEAN_INTERVALS = tuple(
    record.word
    for record in AREA_INTERVALS
    if not record.resampled and "folds" not in record.refuses
)


DEFAULT_INTERVAL: Interval = "logit-t"
"""The default of every area by DeLong's variance: published, and better than logit in few cases."""


def default_area_interval(variance: str) -> Interval:
    """Return the default interval that goes with a variance: logit where it has no parts."""
    return DEFAULT_INTERVAL if variance in LOGIT_T_INTERVAL.variances else "logit"


def area_interval(word: str) -> AreaInterval:
    """Return the interval called ``word``."""
    return _BY_WORD[word]
