"""Obuchowski and Rockette's analysis of variance of reader studies, with the df of Hillis (2007).

The areas theta_ij of modality i and reader j are a two-way table. Its mean squares hold the
differences between readers, the covariance sigma of its cells the sampling of cases. Averages over
readers and their differences have limits and tests by them; the variance components, of Obuchowski
and Rockette's model and of pseudo-values, are functions of each other [hillis-2005].
The model is that of [obuchowski-1995], degrees of freedom are those of [hillis-2007], designs with
nested readers are by [hillis-2014]. docs/methods/readers.md derives the formulas.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from scipy import special as sp

from rocstats.estimate.claim import HypothesisPlan, hardest_test
from rocstats.estimate.estimate import Result
from rocstats.estimate.intervals import (
    LOGIT_LIMITS,
    Area,
    NewcombeOver,
    Transformed,
    lacks_variance,
    limits,
)
from rocstats.estimate.proportions import Limit, inverted_statistic, mover_limit, wilson
from rocstats.estimate.quantiles import limits_between, t_of_normal
from rocstats.estimate.readers import Estimate, Factor, FTest, Table
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.scales import IDENTITY
from rocstats.facts.tolerances import NO_CONTRAST_VARIANCE, cleared

# --- Averages over readers, their differences, and the test of all modalities ---------------------


def average(
    table: Table, i: int, readers: Factor, cases: Factor, *, truncate: bool = True
) -> Estimate:
    """Return the average of modality ``i`` over its readers, from its own areas alone."""
    r = table.theta.shape[1]
    with_area = np.flatnonzero(~np.isnan(table.theta[i]))
    rows = i * r + with_area
    sigma = table.sigma[np.ix_(rows, rows)]
    return against(table.theta[i, with_area], sigma, readers, cases, truncate=truncate)


def difference(
    table: Table,
    i: int,
    k: int,
    readers: Factor,
    cases: Factor,
    *,
    truncate: bool = True,
) -> Estimate:
    """Return the difference of the averages of modalities ``i`` and ``k`` over readers.

    Its variance is pooled over all modalities. ``truncate`` takes cov2 - cov3 as 0 where it is
    negative.
    """
    _require_served(table)
    value = float(np.nanmean(table.theta[i]) - np.nanmean(table.theta[k]))
    sizes = np.count_nonzero(~np.isnan(table.theta[[i, k]]), axis=1)
    # The covariances enter a difference as often as readers of both modalities pair up: the
    # harmonic mean of their numbers, which is r where readers are crossed and n0 where t = 2.
    multiplier = float(2 / np.sum(1 / sizes))
    denominator = _denominator(
        mean_squares(table),
        mean_covariances(table),
        (readers, cases),
        multiplier,
        truncate,
    )
    return _estimate(value, denominator, 2 / multiplier)


def reader_difference(table: Table, i: int, k: int, j: int) -> Estimate:
    """Return the difference of modalities ``i`` and ``k`` for reader ``j`` alone, cases random.

    Its variance is pooled over the modalities that the reader read.
    """
    r = table.theta.shape[1]
    modalities = np.flatnonzero(~np.isnan(table.theta[:, j]))
    if not {i, k} <= set(modalities.tolist()):
        return Estimate(np.nan, np.nan, np.nan, ("reader-one-class",))
    rows = modalities * r + j
    one = Table(table.theta[modalities][:, [j]], table.sigma[np.ix_(rows, rows)])
    at = {int(modality): place for place, modality in enumerate(modalities)}
    return difference(one, at[i], at[k], "fixed", "random")


def against(
    d: FloatArray,
    sigma: FloatArray,
    readers: Factor,
    cases: Factor,
    *,
    truncate: bool = True,
) -> Estimate:
    """Return the mean of values of r readers, given the r x r covariance of their case sampling.

    Values are areas of a modality, or differences of readers from a machine. ``truncate`` takes the
    mean covariance of two readers as 0 where it is negative.
    """
    r = len(d)
    if r == 0:
        return Estimate(np.nan, np.nan, np.nan, ("reader-one-class",))
    square = _mean_square(d)
    squares = MeanSquares(np.nan, square, square, r - 1.0, float(r))
    apart = sigma[~np.eye(r, dtype=bool)]
    cov2 = float(apart.mean()) if r > 1 else 0.0
    # One modality has no covariances between modalities.
    means = MeanCovariances(float(np.diag(sigma).mean()), 0.0, cov2, 0.0)
    denominator = _denominator(squares, means, (readers, cases), float(r), truncate)
    return _estimate(float(d.mean()), denominator, 1 / r)


def global_test(table: Table, readers: Factor, cases: Factor, *, truncate: bool = True) -> FTest:
    """Return the test that all modalities have the same average over readers."""
    df = len(table.theta) - 1.0
    _require_served(table)
    if df == 0:
        return FTest(np.nan, df, np.nan, np.nan)
    squares = mean_squares(table)
    den, below, _ = _denominator(
        squares,
        mean_covariances(table),
        (readers, cases),
        squares.multiplier,
        truncate,
    )
    if not den > 0:
        return FTest(np.nan, df, below, np.nan)
    f = squares.modalities / den
    p = sp.chdtrc(df, df * f) if np.isinf(below) else sp.fdtrc(df, below, f)
    return FTest(f, df, below, float(p))


def _require_served(table: Table) -> None:
    if not serves(table):
        raise ValueError("readers and modalities must be crossed, or readers nested")


def _estimate(value: float, denominator: _Denominator, share: float) -> Estimate:
    variance, df, codes = share * denominator.value, denominator.df, denominator.codes
    if np.isnan(variance):
        return Estimate(value, np.nan, np.nan, codes or ("single-case",))
    if variance < 0:
        return Estimate(value, np.nan, df, (*codes, "negative-variance"))
    return Estimate(value, variance, df, codes if variance > 0 else ("zero-variance",))


# --- Designs that the model serves ----------------------------------------------------------------


def nested(table: Table) -> bool:
    """Return whether each reader reads one modality, and there are several."""
    return _is_nested(~np.isnan(table.theta))


def _is_nested(has_area: BoolArray) -> bool:
    return len(has_area) > 1 and bool(np.all(np.count_nonzero(has_area, axis=0) == 1))


def serves(table: Table) -> bool:
    """Return whether the model serves the design."""
    return serves_areas(~np.isnan(table.theta))


def serves_areas(has_area: BoolArray) -> bool:
    """Return whether the model serves a study with these areas (modalities x readers).

    Every reader has an area under every modality, or each reader has one and each modality has
    readers. Which cases were read by whom does not matter: it is in the covariance.
    """
    return bool(has_area.all() or (_is_nested(has_area) and has_area.any(axis=1).all()))


# --- Means of the covariance, and mean squares ----------------------------------------------------


class MeanCovariances(NamedTuple):
    """Means of the covariance of the areas of t modalities and r readers.

    ``variance`` is that of a cell. ``cov1`` is between modalities of one reader, ``cov2`` between
    readers of one modality, ``cov3`` between both. A mean over no pairs is 0; where no reader reads
    two modalities, ``cov1`` is ``cov3``, so that the formulas of crossed readers hold.
    """

    variance: float
    cov1: float
    cov2: float
    cov3: float


def mean_covariances(table: Table) -> MeanCovariances:
    """Return the four means of the covariance."""
    t, r = table.theta.shape
    sigma, has_area = table.sigma.reshape(t, r, t, r), ~np.isnan(table.theta)
    modality, reader = np.eye(t, dtype=bool)[:, None, :, None], np.eye(r, dtype=bool)[:, None, :]
    both = has_area[:, :, None, None] & has_area

    def mean(pairs: BoolArray) -> float:
        values = sigma[pairs & both]
        return float(values.mean()) if len(values) else 0.0

    cov3 = mean(~modality & ~reader)
    cov1 = cov3 if nested(table) else mean(~modality & reader)
    return MeanCovariances(mean(modality & reader), cov1, mean(modality & ~reader), cov3)


class MeanSquares(NamedTuple):
    """Mean squares of modalities, readers and what is left, which has ``df_error``.

    The error is MS(TR), where readers are nested in modalities MS[R(T)]. The difference of cov2 and
    cov3 enters the mean square of modalities ``multiplier`` times: r, or n0 where nested.
    """

    modalities: float
    readers: float
    error: float
    df_error: float
    multiplier: float


def mean_squares(table: Table) -> MeanSquares:
    """Return the mean squares of the areas."""
    theta = table.theta
    t, r = theta.shape
    if nested(table):
        return _nested_squares(theta)
    of_modality, of_reader = theta.mean(axis=1), theta.mean(axis=0)
    left = theta - of_modality[:, np.newaxis] - of_reader + theta.mean()
    df = float((t - 1) * (r - 1))
    return MeanSquares(
        r * _mean_square(of_modality),
        t * _mean_square(of_reader),
        _per_df(_sum_of_squares(left), df),
        df,
        float(r),
    )


def _nested_squares(theta: FloatArray) -> MeanSquares:
    t = len(theta)
    sizes = np.count_nonzero(~np.isnan(theta), axis=1)
    total = int(sizes.sum())
    of_modality = np.nanmean(theta, axis=1)
    left = np.nan_to_num(theta - of_modality[:, np.newaxis])
    # n0 of unequal sizes, as in any one-way analysis of variance: (N - sum n_i^2 / N) / (t - 1).
    n0 = (total - float(np.sum(sizes**2)) / total) / (t - 1)
    between = float(np.dot(sizes, (of_modality - np.nanmean(theta)) ** 2)) / (t - 1)
    df = float(total - t)
    return MeanSquares(between, np.nan, _per_df(_sum_of_squares(left), df), df, n0)


def _mean_square(values: FloatArray) -> float:
    return _per_df(_sum_of_squares(values - values.mean()), len(values) - 1.0)


def _sum_of_squares(deviations: FloatArray) -> float:
    # Deviations of equal areas, of order 1, are rounding errors.
    return deviations.size * cleared(float(np.mean(deviations**2)))


def _per_df(total: float, df: float) -> float:
    return total / df if df > 0 else np.nan


# --- Denominators of the tests, and their degrees of freedom --------------------------------------


class _Denominator(NamedTuple):
    """What estimates the mean square of modalities without a difference, its df, and notes."""

    value: float
    df: float
    codes: tuple[str, ...]


def _denominator(
    squares: MeanSquares,
    means: MeanCovariances,
    factors: tuple[Factor, Factor],
    multiplier: float,
    truncate: bool,
) -> _Denominator:
    """Return the denominator of the tests with ``factors``, readers and cases."""
    if factors[0] == "random" and squares.df_error == 0:
        return _Denominator(np.nan, np.nan, ("single-reader",))
    if factors == ("random", "fixed"):
        return _Denominator(squares.error, squares.df_error, ())
    codes: tuple[str, ...] = ()
    between = _beyond_rounding(means.cov2 - means.cov3, means.variance)
    if truncate and between < 0:
        between, codes = 0.0, ("reader-variance-truncated",)
    if factors == ("fixed", "random"):
        total = means.variance - means.cov1 + (multiplier - 1) * between
        return _Denominator(_beyond_rounding(total, means.variance), np.inf, codes)
    if factors == ("random", "random"):
        return _Denominator(*_hillis(squares.error, multiplier * between, squares.df_error), codes)
    raise ValueError("readers, cases or both are random")


def _beyond_rounding(difference: float, variance: float) -> float:
    return 0.0 if abs(difference) <= NO_CONTRAST_VARIANCE * variance else difference


def _hillis(square: float, cases: float, df: float) -> tuple[float, float]:
    """Return MS + c and its df, (MS + c)^2 / (MS^2 / df) (Hillis 2007)."""
    total = square + cases
    return total, total**2 / (square**2 / df) if square > 0 else np.inf


# --- Limits and tests -----------------------------------------------------------------------------

ReaderInterval = Literal["logit-t", "wald"]
_SCALES = {
    "logit-t": LOGIT_LIMITS._replace(student=True),
    "wald": Transformed(IDENTITY, student=True),
}
_METHOD_WORDS = {("logit-t", False): "logit", ("wald", True): "wald-t"}


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
    low, high = limits(_SCALES[interval], area, confidence_level, "two-sided")
    word = _METHOD_WORDS.get((interval, bool(np.isfinite(area.df))), interval)
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
) -> Result:
    """Return limits and test of a difference of averages, or of one reader's two areas.

    ``alike`` says that both sides rank all cases alike for every reader: there is no interval.
    Of fixed cases the variance must not be 0: limits without a variance are of random cases.
    """
    d, se = estimate.value, float(np.sqrt(estimate.variance))
    if alike:
        p, nan = 1.0 if plan.null_value == 0 else np.nan, np.nan
        return Result(d, 0.0, nan, nan, nan, nan, p, "none", ("identical-predictors",))
    sides = (first, second)
    at_boundary = random_cases and any(area.at_boundary for area in sides)
    if at_boundary or not estimate.variance > 0:
        limit = _mover_of_sides(d, sides, kind, random_readers=random_readers)
        low, high = limits_between(limit, plan.confidence_level, plan.alternative)
        z, p = hardest_test(plan, lambda null: inverted_statistic(limit, d, null))
        word = "average-mover" if random_readers else "wilson-mover" if kind.rate else "mover"
        codes = _boundary_codes(sides, kind, of_difference=True)
        return Result(d, se, low, high, z, np.inf, p, word, codes)
    low, high = limits_between(
        lambda q: d + q * se, plan.confidence_level, plan.alternative, df=estimate.df
    )
    t, p = hardest_test(plan, lambda null: (d - null) / se, estimate.df)
    word = "wald-t" if np.isfinite(estimate.df) else "wald"
    return Result(d, se, max(low, -1.0), min(high, 1.0), t, estimate.df, p, word, ())


def _mover_of_sides(
    d: float, sides: tuple[Area, Area], kind: Quantity, *, random_readers: bool
) -> Limit:
    """Return limits of a difference from those of both sides, as if these were independent."""

    def limit_of(area: Area, z: float) -> float:
        # The limits of the cases alone would leave out how readers differ.
        if random_readers and not lacks_variance(area):
            return _SCALES["logit-t"].limit(area, t_of_normal(z, area.df))
        return kind.limit(area, z)

    first, second = sides

    def limit(z: float) -> float:
        reach = limit_of(first, z) - first.value, limit_of(second, -z) - second.value
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


# --- Variance components --------------------------------------------------------------------------


class Component(NamedTuple):
    """A component by name, and its estimate, which may be negative."""

    name: str
    estimate: float


def or_components(table: Table) -> list[Component]:
    """Return the components of Obuchowski and Rockette's model, with the correlations.

    "reader" and "modality-x-reader" are variances of readers; "error" is the variance of an area
    from the sample of cases, "cov-1" to "cov-3" its covariances, "correlation-1" to
    "correlation-3" these over "error". Where each reader reads one modality, "reader" is within
    modalities, and there is no "modality-x-reader" and no "cov-1".
    """
    squares, means = mean_squares(table), mean_covariances(table)
    t, r = table.theta.shape
    cases = [("error", means.variance)]
    covariances = [("1", means.cov1), ("2", means.cov2), ("3", means.cov3)]
    if nested(table):
        del covariances[0]
        of_readers = [("reader", squares.error - means.variance + means.cov2)]
    elif t == 1:
        covariances = [("2", means.cov2)]
        of_readers = [("reader", squares.readers - means.variance + means.cov2)]
    else:
        of_readers = [
            ("reader", (squares.readers - squares.error) / t - means.cov1 + means.cov3),
            (
                "modality-x-reader",
                squares.error - means.variance + means.cov1 + (means.cov2 - means.cov3),
            ),
        ]
    if r == 1:
        covariances = [pair for pair in covariances if pair[0] == "1"]
    cases += [(f"cov-{k}", value) for k, value in covariances]
    cases += [
        (f"correlation-{k}", value / means.variance if means.variance > 0 else np.nan)
        for k, value in covariances
    ]
    return [Component(name, estimate) for name, estimate in of_readers + cases]


def dbm_components(table: Table, n_cases: float) -> list[Component]:
    """Return the components of the model of Dorfman, Berbaum and Metz, of crossed readers.

    With the jackknife covariance they are those of the analysis of variance of pseudo-values
    [dorfman-1992].
    """
    squares, means = mean_squares(table), mean_covariances(table)
    t = len(table.theta)
    s2, cov1, cov2, cov3 = means
    return [
        Component("reader", (squares.readers - squares.error) / t - cov1 + cov3),
        Component("case", n_cases * cov3),
        Component("modality-x-reader", squares.error - s2 + cov1 + (cov2 - cov3)),
        Component("modality-x-case", n_cases * (cov2 - cov3)),
        Component("reader-x-case", n_cases * (cov1 - cov3)),
        Component("error", n_cases * (s2 - cov1 - cov2 + cov3)),
    ]
