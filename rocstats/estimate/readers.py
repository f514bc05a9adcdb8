"""Areas of readers under modalities: their table, its analysis of variance, limits and tests.

The areas theta_ij of t modalities i and r readers j are a two-way table; its covariance sigma is
that of the sampling of cases (``reader_covariance``), with the means Cov1 (same reader), Cov2 (same
modality) and Cov3 (neither). Obuchowski and Rockette's test that all modalities are equal, with
random readers and cases, is F = MS(T) / [MS(TR) + max(r (Cov2 - Cov3), 0)] [obuchowski-1995], with
t - 1 and [MS(TR) + max(r (Cov2 - Cov3), 0)]^2 / {MS(TR)^2 / [(t - 1)(r - 1)]} degrees of freedom
[hillis-2007]. Averages over readers and their differences have limits and tests by the same
denominator; nested readers are by [hillis-2014]. The variance components, of Obuchowski and
Rockette's model and of pseudo-values, are functions of each other [hillis-2005]. Any estimate of
readers can stand in for an area. docs/methods/readers.md derives the formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np

from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.estimate import Result, wald_result
from rocstats.estimate.intervals import (
    LOGIT_T_LIMITS,
    Area,
    NewcombePartialAreaLimits,
    TransformedLimits,
    lacks_variance,
    limits_of_area,
)
from rocstats.estimate.proportions import (
    Limit,
    mover_limit,
    wilson_limit_of_proportion,
    z_where_limit_reaches_null,
)
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_of_normal
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import IDENTITY
from rocstats.facts.tolerances import NO_CONTRAST_VARIANCE, SAME_TO_ROUNDING, clear_rounding

# --- A table of areas, estimates and the test of all modalities -----------------------------------

Effect = Literal["random", "fixed"]


class ReaderEstimate(NamedTuple):
    """An estimate, its variance and degrees of freedom, and the codes of its notes."""

    value: float
    variance: float
    df: float
    codes: tuple[str, ...] = ()


class FTest(NamedTuple):
    """An F test; with infinite ``df_denominator``, ``df`` times the statistic is a chi-square."""

    statistic: float
    df: float
    df_denominator: float
    p_value: float


class ReaderTable(NamedTuple):
    """Estimates of every reader under every modality, and the covariance of their case sampling.

    ``theta`` (t x r) is NaN where a reader did not read a modality. ``sigma`` (t r x t r) has the
    curve of modality i and reader j in row i r + j, NaN where its estimate is.
    """

    theta: FloatArray
    sigma: FloatArray

    @property
    def has_area(self) -> BoolArray:
        """Which reader has an estimate under which modality (t x r)."""
        return ~np.isnan(self.theta)


# --- Averages over readers, their differences, and the test of all modalities ---------------------


def reader_average(
    table: ReaderTable, i: int, readers: Effect, cases: Effect, *, truncate: bool = True
) -> ReaderEstimate:
    """Return the average of modality ``i`` over its readers, from its own areas alone."""
    r = table.theta.shape[1]
    with_area = np.flatnonzero(table.has_area[i])
    rows = i * r + with_area
    sigma = table.sigma[np.ix_(rows, rows)]
    return mean_of_readers(table.theta[i, with_area], sigma, readers, cases, truncate=truncate)


def modality_difference(
    table: ReaderTable,
    i: int,
    k: int,
    readers: Effect,
    cases: Effect,
    *,
    truncate: bool = True,
) -> ReaderEstimate:
    """Return the difference of the averages of modalities ``i`` and ``k`` over readers.

    Its variance is pooled over all modalities. ``truncate`` takes cov2 - cov3 as 0 where it is
    negative.
    """
    _require_served_reader_study(table)
    value = float(np.nanmean(table.theta[i]) - np.nanmean(table.theta[k]))
    sizes = np.count_nonzero(table.has_area[[i, k]], axis=1)
    # The covariances enter a difference as often as readers of both modalities pair up: the
    # harmonic mean of their numbers, which is r where readers are crossed and n0 where t = 2.
    multiplier = float(2 / np.sum(1 / sizes))
    denominator = _modality_denominator(
        mean_squares(table),
        mean_covariances(table),
        (readers, cases),
        multiplier,
        truncate,
    )
    return _reader_estimate(value, denominator, 2 / multiplier)


def reader_difference(table: ReaderTable, i: int, k: int, j: int) -> ReaderEstimate:
    """Return the difference of modalities ``i`` and ``k`` for reader ``j`` alone, cases random.

    Its variance is pooled over the modalities that the reader read.
    """
    r = table.theta.shape[1]
    modalities = np.flatnonzero(table.has_area[:, j])
    if not {i, k} <= set(modalities.tolist()):
        return ReaderEstimate(np.nan, np.nan, np.nan, ("reader-one-class",))
    rows = modalities * r + j
    one = ReaderTable(table.theta[modalities][:, [j]], table.sigma[np.ix_(rows, rows)])
    at = {int(modality): place for place, modality in enumerate(modalities)}
    return modality_difference(one, at[i], at[k], "fixed", "random")


def mean_of_readers(
    d: FloatArray,
    sigma: FloatArray,
    readers: Effect,
    cases: Effect,
    *,
    truncate: bool = True,
) -> ReaderEstimate:
    """Return the mean of values of r readers, given the r x r covariance of their case sampling.

    Values are areas of a modality, or differences of readers from a machine. ``truncate`` takes the
    mean covariance of two readers as 0 where it is negative.
    """
    r = len(d)
    if r == 0:
        return ReaderEstimate(np.nan, np.nan, np.nan, ("reader-one-class",))
    square = _mean_square(d)
    squares = MeanSquares(np.nan, square, square, r - 1.0, float(r))
    apart = sigma[~np.eye(r, dtype=bool)]
    cov2 = float(apart.mean()) if r > 1 else 0.0
    # One modality has no covariances between modalities.
    means = MeanCovariances(float(np.diag(sigma).mean()), 0.0, cov2, 0.0)
    denominator = _modality_denominator(squares, means, (readers, cases), float(r), truncate)
    return _reader_estimate(float(d.mean()), denominator, 1 / r)


def modality_test(
    table: ReaderTable, readers: Effect, cases: Effect, *, truncate: bool = True
) -> FTest:
    """Return the test that all modalities have the same average over readers."""
    df = len(table.theta) - 1.0
    _require_served_reader_study(table)
    if df == 0:
        return FTest(np.nan, df, np.nan, np.nan)
    squares = mean_squares(table)
    den, below, _ = _modality_denominator(
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


def _require_served_reader_study(table: ReaderTable) -> None:
    if not is_served_reader_study(table.has_area):
        raise ValueError("readers and modalities must be crossed, or readers nested")


def _reader_estimate(
    value: float, denominator: _ModalityDenominator, share: float
) -> ReaderEstimate:
    variance, df, codes = share * denominator.value, denominator.df, denominator.codes
    if np.isnan(variance):
        return ReaderEstimate(value, np.nan, np.nan, codes or ("single-case",))
    if variance < 0:
        return ReaderEstimate(value, np.nan, df, (*codes, "negative-variance"))
    return ReaderEstimate(value, variance, df, codes if variance > 0 else ("zero-variance",))


# --- Designs that the model serves ----------------------------------------------------------------


def is_nested_reader_study(has_area: BoolArray) -> bool:
    """Return whether each reader reads one modality, and there are several."""
    return len(has_area) > 1 and bool(np.all(np.count_nonzero(has_area, axis=0) == 1))


def is_served_reader_study(has_area: BoolArray) -> bool:
    """Return whether the model serves a study with these areas (modalities x readers).

    Every reader has an area under every modality, or each reader has one and each modality has
    readers. Which cases were read by whom does not matter: it is in the covariance.
    """
    return bool(has_area.all() or (is_nested_reader_study(has_area) and has_area.any(axis=1).all()))


# --- Denominators of the tests, and their degrees of freedom --------------------------------------


class _ModalityDenominator(NamedTuple):
    """What estimates the mean square of modalities without a difference, its df, and notes."""

    value: float
    df: float
    codes: tuple[str, ...]


def _modality_denominator(
    squares: MeanSquares,
    means: MeanCovariances,
    factors: tuple[Effect, Effect],
    multiplier: float,
    truncate: bool,
) -> _ModalityDenominator:
    """Return the denominator of the tests; ``factors`` are the effects of readers and of cases.

    With c = ``multiplier`` times (Cov2 - Cov3): MS(TR) + c with both random, MS(TR) with fixed
    cases, and variance - Cov1 + c - (Cov2 - Cov3) with fixed readers.
    """
    if factors[0] == "random" and squares.df_error == 0:
        return _ModalityDenominator(np.nan, np.nan, ("single-reader",))
    if factors == ("random", "fixed"):
        return _ModalityDenominator(squares.error, squares.df_error, ())
    codes: tuple[str, ...] = ()
    between = _covariance_beyond_rounding(means.cov2 - means.cov3, means.variance)
    if truncate and between < 0:
        between, codes = 0.0, ("reader-variance-truncated",)
    if factors == ("fixed", "random"):
        total = means.variance - means.cov1 + (multiplier - 1) * between
        return _ModalityDenominator(
            _covariance_beyond_rounding(total, means.variance), np.inf, codes
        )
    if factors == ("random", "random"):
        # Hillis 2007: MS + c has (MS + c)^2 / (MS^2 / df) degrees of freedom.
        square, df = squares.error, squares.df_error
        total = square + multiplier * between
        return _ModalityDenominator(
            total, total**2 / (square**2 / df) if square > 0 else np.inf, codes
        )
    raise ValueError("readers, cases or both are random")


def _covariance_beyond_rounding(difference: float, variance: float) -> float:
    """Return a difference of covariances, 0 where only rounding is left of it."""
    return 0.0 if abs(difference) <= NO_CONTRAST_VARIANCE * variance else difference


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


def mean_covariances(table: ReaderTable) -> MeanCovariances:
    """Return the four means of the covariance."""
    t, r = table.theta.shape
    sigma, has_area = table.sigma.reshape(t, r, t, r), table.has_area
    modality, reader = np.eye(t, dtype=bool)[:, None, :, None], np.eye(r, dtype=bool)[:, None, :]
    both = has_area[:, :, None, None] & has_area

    def mean(pairs: BoolArray) -> float:
        values = sigma[pairs & both]
        return float(values.mean()) if len(values) else 0.0

    cov3 = mean(~modality & ~reader)
    cov1 = cov3 if is_nested_reader_study(table.has_area) else mean(~modality & reader)
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


def mean_squares(table: ReaderTable) -> MeanSquares:
    """Return the mean squares of the areas."""
    theta = table.theta
    t, r = theta.shape
    if is_nested_reader_study(table.has_area):
        return _nested_squares(theta)
    of_modality, of_reader = theta.mean(axis=1), theta.mean(axis=0)
    left = theta - of_modality[:, np.newaxis] - of_reader + theta.mean()
    df = float((t - 1) * (r - 1))
    return MeanSquares(
        r * _mean_square(of_modality),
        t * _mean_square(of_reader),
        _sum_of_squares_per_df(_sum_of_squares(left), df),
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
    return MeanSquares(between, np.nan, _sum_of_squares_per_df(_sum_of_squares(left), df), df, n0)


def _mean_square(values: FloatArray) -> float:
    return _sum_of_squares_per_df(_sum_of_squares(values - values.mean()), len(values) - 1.0)


def _sum_of_squares(deviations: FloatArray) -> float:
    # Deviations of equal areas, of order 1, are rounding errors.
    return deviations.size * clear_rounding(float(np.mean(deviations**2)))


def _sum_of_squares_per_df(total: float, df: float) -> float:
    return total / df if df > 0 else np.nan


# --- Degrees of freedom of U-statistics -----------------------------------------------------------


class VarianceParts(Protocol):
    """Parts of a covariance of two average areas: of negatives, of positives, and of readers."""

    @property
    def components(self) -> FloatArray:
        """The parts."""
        ...

    @property
    def numbers(self) -> FloatArray:
        """Effective numbers of negatives, positives and readers, less 1."""
        ...

    @property
    def shares(self) -> FloatArray:
        """Share of pairs of terms with the same negative, positive and reader."""
        ...


def ustatistic_df(
    within: Sequence[VarianceParts], between: VarianceParts | None, variance: float
) -> float:
    """Return variance^2 over the sum of component^2/number^3, at least the least number.

    ``within`` are the parts of each average, ``between`` those of the one with the other. The rule
    is that of Obuchowski, Gallas and Hillis [obuchowski-2012].
    """
    components = np.sum([each.components for each in within], axis=0)
    numbers = np.min([each.numbers for each in within], axis=0)
    if between is not None:
        components = components - 2 * between.components
        if between.shares[2] == 0:
            # Each modality has other readers: its part of readers has its own number.
            of_readers = [each.components[2] for each in within]
            components = np.concatenate([components[:2], of_readers])
            numbers = np.concatenate([numbers[:2], [each.numbers[2] for each in within]])
    # What does not vary takes no degrees of freedom.
    varies = np.abs(components) > SAME_TO_ROUNDING
    if not varies.any():
        return np.inf
    components, numbers = components[varies], numbers[varies]
    return max(float(variance**2 / np.sum(components**2 / numbers**3)), float(numbers.min()))


# --- Limits and tests -----------------------------------------------------------------------------

ReaderInterval = Literal["logit-t", "wald"]


def reader_average_result(
    area: Area, boundary: ReaderBoundaryLimits, interval: ReaderInterval, level: float, word: str
) -> Result:
    """Return limits of an average: t with its degrees of freedom, normal if infinite.

    ``word`` is that of the variance.
    """
    se = float(np.sqrt(area.variance))
    if lacks_variance(area):
        low, high = limits_at_both_quantiles(
            lambda z: boundary.limit(area, z), level, "two-sided", 0.0, 1.0
        )
        codes = boundary.codes([area], "no-width" if boundary.rate else "zero-variance")
        method = f"{word}/{boundary.word}"
        return Result(area.value, se, low, high, df=area.df, method=method, codes=codes)
    low, high = limits_of_area(_SCALES[interval], area, level, "two-sided")
    kind = interval.removesuffix("-t") + ("-t" if np.isfinite(area.df) else "")
    return Result(area.value, se, low, high, df=area.df, method=f"{word}/{kind}")


def reader_difference_result(
    estimate: ReaderEstimate,
    sides: tuple[Area, Area],
    boundary: ReaderBoundaryLimits,
    plan: HypothesisPlan,
    word: str,
    *,
    alike: bool,
    random_readers: bool,
    random_cases: bool,
) -> Result:
    """Return limits and test of a difference of averages, or of one reader's two areas.

    ``alike`` says that both sides rank all cases alike for every reader: there is no interval.
    Of fixed cases the variance must not be 0: limits without a variance are of random cases.
    ``word`` is that of the variance.
    """
    d, se = estimate.value, float(np.sqrt(estimate.variance))
    if alike:
        p = 1.0 if plan.null_value == 0 else np.nan
        return Result(d, 0.0, p_value=p, method=f"{word}/none", codes=("identical-predictors",))
    at_boundary = random_cases and any(area.at_boundary for area in sides)
    if not at_boundary and estimate.variance > 0:
        return wald_result(d, se, plan, word, (-1.0, 1.0), estimate.df)
    limit = _reader_difference_limit(d, sides, boundary, random_readers=random_readers)
    low, high = limits_at_both_quantiles(limit, plan.confidence_level, plan.alternative)
    z, p = hypothesis_test_with_largest_p(
        plan, lambda null: z_where_limit_reaches_null(limit, d, null)
    )
    kind = "average-mover" if random_readers else "wilson-mover" if boundary.rate else "mover"
    codes = boundary.codes(sides, "no-difference-variance")
    return Result(d, se, low, high, z, np.inf, p, f"{word}/{kind}", codes)


def _reader_difference_limit(
    d: float, sides: tuple[Area, Area], boundary: ReaderBoundaryLimits, *, random_readers: bool
) -> Limit:
    """Return limits of a difference from those of both sides, as if these were independent."""

    def limit_of(area: Area, z: float) -> float:
        # The limits of the cases alone would leave out how readers differ.
        if random_readers and not lacks_variance(area):
            return float(LOGIT_T_LIMITS.limit(area, t_of_normal(z, area.df)))
        return boundary.limit(area, z)

    first, second = sides

    def limit(z: float) -> float:
        reach = limit_of(first, z) - first.value, limit_of(second, -z) - second.value
        return mover_limit(d, *reach, 0.0, z)

    return limit


_SCALES = {
    "logit-t": LOGIT_T_LIMITS,
    "wald": TransformedLimits(IDENTITY, student=True),
}


class ReaderBoundaryLimits(NamedTuple):
    """Limits of an average over readers that need no variance: Wilson's or Newcombe's method 5.

    ``rate`` is True of a share of one class, False of an area; ``shares`` of positives and of
    negatives are in the range of an area.
    """

    rate: bool
    shares: tuple[float, float] = (1.0, 1.0)

    @property
    def word(self) -> str:
        """The word for the limits."""
        return "wilson" if self.rate else "newcombe"

    def limit(self, area: Area, z: float) -> float:
        """Return the limit at a normal quantile from the value and the numbers of cases."""
        if self.rate:
            size = area.n_pairs
            return wilson_limit_of_proportion(area.value * size, size, z)
        return float(NewcombePartialAreaLimits(self.shares).limit(area, z))

    def codes(self, sides: Sequence[Area], zero_variance: str = "zero-variance") -> tuple[str, ...]:
        """Return the note that says why the limits have no variance."""
        if any(area.at_boundary for area in sides):
            return ("no-width",) if self.rate else ("auc-at-boundary",)
        if any(np.isnan(area.variance) for area in sides):
            return ("single-case",)
        return (zero_variance,)


# --- Variance components --------------------------------------------------------------------------


def or_components(table: ReaderTable) -> dict[str, float]:
    """Return the components of Obuchowski and Rockette's model, with the correlations, by name.

    "reader" and "modality-x-reader" are variances of readers; "error" is the variance of an area
    from the sample of cases, "cov-1" to "cov-3" its covariances, "correlation-1" to
    "correlation-3" these over "error". Where each reader reads one modality, "reader" is within
    modalities, and there is no "modality-x-reader" and no "cov-1". A component may be negative.
    """
    squares, means = mean_squares(table), mean_covariances(table)
    t, r = table.theta.shape
    covariances = {"1": means.cov1, "2": means.cov2, "3": means.cov3}
    if is_nested_reader_study(table.has_area):
        del covariances["1"]
        of_readers = {"reader": squares.error - means.variance + means.cov2}
    elif t == 1:
        covariances = {"2": means.cov2}
        of_readers = {"reader": squares.readers - means.variance + means.cov2}
    else:
        of_readers = {
            "reader": (squares.readers - squares.error) / t - means.cov1 + means.cov3,
            "modality-x-reader": (
                squares.error - means.variance + means.cov1 + (means.cov2 - means.cov3)
            ),
        }
    if r == 1:
        covariances = {k: value for k, value in covariances.items() if k == "1"}
    return {
        **of_readers,
        "error": means.variance,
        **{f"cov-{k}": value for k, value in covariances.items()},
        **{
            f"correlation-{k}": value / means.variance if means.variance > 0 else np.nan
            for k, value in covariances.items()
        },
    }


def dbm_components(table: ReaderTable, n_cases: float) -> dict[str, float]:
    """Return the components of the model of Dorfman, Berbaum and Metz, of crossed readers.

    With the jackknife covariance they are those of the analysis of variance of pseudo-values
    [dorfman-1992].
    """
    of_readers = or_components(table)
    s2, cov1, cov2, cov3 = mean_covariances(table)
    return {
        "reader": of_readers["reader"],
        "case": n_cases * cov3,
        "modality-x-reader": of_readers["modality-x-reader"],
        "modality-x-case": n_cases * (cov2 - cov3),
        "reader-x-case": n_cases * (cov1 - cov3),
        "error": n_cases * (s2 - cov1 - cov2 + cov3),
    }
