"""Areas of predictors: their variances by name, the rules at the boundary, limits and tests.

Variances: DeLong's [delong-1988], by ranks where cases have no weights and no clusters; with
clusters Obuchowski's [obuchowski-1997]; over folds the mean of DeLong's. From the count table
alone: Hanley and McNeil's [hanley-mcneil-1982], the unbiased one [bamber-1975] and that of the
ideal bootstrap [bandos-2007]. For a cross-validated area LeDell's [ledell-2015]. Derivations are in
docs/methods/areas.md. A new variance needs its record here, a place in ``AREA_VARIANCES`` (the
order of messages and pages) and its word in ``Variance``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.areas import (
    FULL_RANGE,
    AreaRange,
    PlacementRows,
    area,
    ends_at_step,
    mean_rate,
    partial_area,
    placement_rows,
    placements,
    weighted_sum,
)
from rocstats.errors import require_open_interval
from rocstats.estimate.claim import require_level
from rocstats.estimate.estimate import Result
from rocstats.estimate.influence import (
    AreaCovariance,
    area_covariance,
    case_placements,
    satterthwaite,
    small_sample,
)
from rocstats.estimate.intervals import (
    NEWCOMBE,
    NEWCOMBE_LIMITS,
    Area,
    Interval,
    IntervalMethod,
    Spread,
    area_interval,
    hanley_mcneil,
    lacks_variance,
    limits,
    three_terms,
)
from rocstats.estimate.quantiles import Alternative, p_values
from rocstats.facts.arrays import FloatArray, IntArray, effective_size
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import (
    NO_VARIANCE,
    SAME,
    are_few_cases,
    cleared,
)
from rocstats.study.binned import binning_error, is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import are_few_clusters, cluster_numbers
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample
from rocstats.study.sorted import MOST_ROW_CASES
from rocstats.study.summed import SummedCases

# --- The interval and the test of an area, as requested -------------------------------------------


class AreaTest(NamedTuple):
    """Level of the interval of an area, side and null value of its test; NaN for no test."""

    confidence_level: float
    alternative: Alternative
    null_value: float

    def columns(self) -> dict[str, Any]:
        """Return the columns of the request."""
        return {
            "confidence_level": self.confidence_level,
            "null_value": self.null_value,
            "hypothesis": self.alternative,
        }


def read_area_test(
    confidence_level: float, alternative: Alternative, null_value: float | None
) -> AreaTest:
    """Return the test of an area; raise InputError for an unknown side or a wrong number."""
    alternative = require_level(confidence_level, alternative)
    if null_value is not None:
        require_open_interval("null_value", null_value, 0, 1)
    return AreaTest(
        confidence_level, alternative, np.nan if null_value is None else float(null_value)
    )


# --- The record of a variance ---------------------------------------------------------------------

Estimate = Callable[[ScoredCases, Sequence[int], AreaRange, bool], Area]
"""From cases, predictors, range, and whether the parts of the variances are wanted too."""


class AreaVariance(NamedTuple):
    """A variance of areas.

    ``clustered`` is its word where cases come in clusters; without one it refuses clusters.
    ``partial`` says that it has a form for partial areas, ``needs_folds`` that it is defined for
    cross-validated areas only. ``printed`` are its words in ``method`` under each role. ``codes``
    returns the notes of a sample that is too small for it.
    """

    word: str
    estimate: Estimate
    printed: tuple[Word, ...]
    clustered: str = ""
    partial: bool = False
    needs_folds: bool = False
    codes: Callable[[ScoredCases], tuple[str, ...]] = lambda cases: ()

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of all references, each once."""
        # Keys of a dict keep their order, those of a set do not.
        return tuple(dict.fromkeys(key for word in self.printed for key in word.references))

    @property
    def published(self) -> bool:
        """Whether every form of it is published."""
        return all(word.published for word in self.printed)

    def name(self, cases: ScoredCases) -> str:
        """Return the word for the variance under the roles of a sample."""
        # LeDell's variance is a mean over folds already, and is not called foldwise.
        word = self.clustered if cases.cluster is not None else self.word
        return f"foldwise-{word}" if cases.fold is not None and not self.needs_folds else word


# --- Independent units behind an area -------------------------------------------------------------


def units_of(cases: ScoredCases) -> tuple[float, float, float]:
    """Return the numbers of independent positives, negatives and disjoint pairs."""
    if cases.cluster is None:
        return cases.n_pos, cases.n_neg, min(cases.n_pos, cases.n_neg)
    i10, i01, i = cluster_numbers(cases)
    # A pair takes two clusters, one with a positive and another with a negative.
    pairs = min(i10, i01, i // 2)
    return float(i10), float(i01), float(pairs)


# --- DeLong's variance; Obuchowski's with clusters ------------------------------------------------


def areas_of(sample: ScoredCases, result: AreaCovariance, over: AreaRange = FULL_RANGE) -> Area:
    """Return the areas of a joint covariance, partial ones over their width."""
    values, variances = result.area, result.covariance.diagonal()
    if over != FULL_RANGE:
        # The area over its width is a mean rate in [0, 1], which the limits need.
        values, variances = snapped(values / over.width), variances / over.width**2
    df = satterthwaite(result.components, result.part_df[:, np.newaxis])
    return Area(values, cleared(variances), df, *units_of(sample))


def snapped(value: Any) -> Any:
    """Return a mean rate, or several, snapped to 0 or 1 within 1e-12 (rounding)."""
    # Folds and widths divide: a perfect area must still count as one at the boundary.
    nearest = np.round(value)
    return np.where(abs(value - nearest) < SAME, nearest, value)[()]


def _delong_estimate(
    sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
) -> Area:
    if over.full and not spread and _are_ranked(sample):
        return _ranked_areas(sample, predictors)
    found = []
    # One by one: of thousands of predictors nobody needs the covariance.
    for k in predictors:
        result = area_covariance(sample, [k], over=over)
        area = areas_of(sample, result, over)
        found.append(area._replace(spread=_spread(sample, result, over)) if spread else area)
    return _joined(found)


def _joined(areas: Sequence[Area]) -> Area:
    """Return the areas of several predictors of the same cases as one record."""
    if len(areas) == 1:
        return areas[0]
    value, variance, df = (
        np.concatenate(each) for each in zip(*(area[:3] for area in areas), strict=True)
    )
    spreads = [area.spread for area in areas if area.spread is not None]
    spread = Spread(*map(np.concatenate, zip(*spreads, strict=True))) if spreads else None
    return Area(value, variance, df, *areas[0][3:6], spread)


def _spread(sample: ScoredCases, result: AreaCovariance, over: AreaRange) -> Spread | None:
    """Return the parts of the variances; there are none over folds.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers.
    """
    if sample.fold is not None:
        return None
    i10, i01, _ = units_of(sample)
    variance, parts = result.covariance.diagonal(), result.unclustered
    # m* = m v_DeLong/v: the design effect of the clusters, applied to both classes.
    share = np.zeros(len(variance))
    np.divide(parts.sum(axis=0), variance, out=share, where=variance > NO_VARIANCE)
    m = np.minimum(np.maximum(sample.n_pos * share, i10), sample.n_pos)
    n = np.minimum(np.maximum(sample.n_neg * share, i01), sample.n_neg)
    # The class on the axis of a range counts with the cases that the range is expected to hold.
    if over.axis == "fpr":
        n = np.maximum(1.0, n * over.width)
    else:
        m = np.maximum(1.0, m * over.width)
    # Obuchowski's variance has no parts by class: it is split as DeLong's is.
    split = np.zeros(parts.shape)
    np.divide(parts, share * over.width**2, out=split, where=share > 0)
    return Spread(m, n, *split)


DELONG = AreaVariance(
    "delong",
    _delong_estimate,
    (
        Word("delong", "by the method of DeLong et al", ("delong-1988",)),
        Word("obuchowski", "by the method of Obuchowski for clustered data", ("obuchowski-1997",)),
        Word(
            "foldwise-delong",
            "by the method of DeLong et al within each cross-validation fold",
            ("delong-1988",),
        ),
        Word(
            "foldwise-obuchowski",
            "by the method of Obuchowski for clustered data, over the cross-validation folds",
            ("obuchowski-1997",),
        ),
    ),
    clustered="obuchowski",
    partial=True,
)


# --- DeLong's variance from ranks, for all predictors at once -------------------------------------


def _are_ranked(cases: ScoredCases) -> bool:
    """Return whether the areas of cases are made from ranks."""
    if isinstance(cases, SummedCases) or cases.weight is not None or cases.cluster is not None:
        return False
    return len(cases.is_positive) <= MOST_ROW_CASES


def _ranked_areas(cases: ScoredCases, predictors: Sequence[int]) -> Area:
    """Return areas with DeLong's variance, means over folds if any."""
    folds = [placement_rows(part, predictors) for _, part in cases.by_fold()]
    parts = np.array([part for fold in folds for part in _delong_parts(fold)]) / len(folds) ** 2
    part_df = np.array([size - 1.0 for fold in folds for size in (fold.n_pos, fold.n_neg)])
    value = folds[0].area if len(folds) == 1 else np.mean([fold.area for fold in folds], axis=0)
    df = satterthwaite(parts, part_df[:, np.newaxis])
    return Area(value, cleared(np.add.reduce(parts)), df, *units_of(cases))


def _delong_parts(fold: PlacementRows) -> tuple[FloatArray, FloatArray]:
    """Return the parts of DeLong's variance of the positives and of the negatives."""
    m, n = fold.n_pos, fold.n_neg
    return fold.spread_pos / m * small_sample(m), fold.spread_neg / n * small_sample(n)


# --- Variances from the count table alone ---------------------------------------------------------


class Moments(NamedTuple):
    """Sizes, area, mean squared deviations of both placements, and share of tied pairs."""

    m: float
    n: float
    theta: float
    spread_10: float
    spread_01: float
    tied: float


def moments_of(counts: ScoreCounts) -> Moments:
    """Return the moments of the placements, and the share of pairs with equal scores."""
    m, n = counts.total_pos, counts.total_neg
    v10, v01 = placements(counts)
    theta = weighted_sum(counts.n_pos, v10) / m
    # Centred before squaring: E V^2 - A^2 would cancel where placements hardly vary.
    v10 -= theta
    v01 -= theta
    spread_10 = float(np.einsum("i,i,i->", counts.n_pos, v10, v10)) / m
    spread_01 = float(np.einsum("i,i,i->", counts.n_neg, v01, v01)) / n
    tied = weighted_sum(counts.n_pos, counts.n_neg) / (m * n)
    return Moments(m, n, theta, spread_10, spread_01, tied)


def hanley_mcneil_data(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the variance of Hanley & McNeil (1982) with Q1, Q2 from the data.

    Their table method: ties are split at random, which gives the thirds. With mid-ranks
    Q1 = E V01^2 and Q2 = E V10^2 ties count a quarter: what is left is 1/12 of their squares.
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    tied_pos = float(np.einsum("i,i,i->", counts.n_neg, counts.n_pos, counts.n_pos))
    tied_neg = float(np.einsum("i,i,i->", counts.n_pos, counts.n_neg, counts.n_neg))
    # The variance of a uniform share is 1/12 of its squared width.
    q1 = moments.spread_01 + theta**2 + tied_pos / (12 * n * m**2)
    q2 = moments.spread_10 + theta**2 + tied_neg / (12 * m * n**2)
    return three_terms(theta, q1, q2, m, n)


def unbiased(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the unbiased variance (Bamber 1975), ties allowed.

    NaN unless both classes have two members.
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    if m < 2 or n < 2:
        return float("nan")
    # s, s_r, s_c and t of docs/methods/areas.md, "The unbiased variance": sums over the same pair,
    # pairs with a common positive, with a common negative, and all.
    s = m * n * (theta - moments.tied / 4)
    rows = n**2 * m * (moments.spread_10 + theta**2)
    columns = m**2 * n * (moments.spread_01 + theta**2)
    total = (m * n * theta) ** 2
    # Means over pairs of pairs that share both cases, a positive, a negative, and none (e0
    # estimates theta^2 without bias).
    e3 = s / (m * n)
    e1 = (rows - s) / (m * n * (n - 1))
    e2 = (columns - s) / (m * n * (m - 1))
    e0 = (total - rows - columns + s) / (m * (m - 1) * n * (n - 1))
    return (e3 + (n - 1) * e1 + (m - 1) * e2 - (m + n - 1) * e0) / (m * n)


def bootstrap(counts: ScoreCounts, moments: Moments | None = None) -> float:
    """Return the variance of the stratified bootstrap with infinitely many resamples.

    [(E k^2 - A^2) + (n - 1)(E V10^2 - A^2) + (m - 1)(E V01^2 - A^2)] / (mn), with
    E k^2 = A - (share of tied pairs)/4 (Bandos, Rockette & Gur 2007).
    """
    moments = moments_of(counts) if moments is None else moments
    m, n, theta = moments.m, moments.n, moments.theta
    # k is 0, 1/2 or 1, so that k^2 = k - 1/4 for tied pairs and k otherwise.
    kernel = theta * (1 - theta) - moments.tied / 4
    return (kernel + (n - 1) * moments.spread_10 + (m - 1) * moments.spread_01) / (m * n)


def mean_over_folds(of_counts: Callable[[ScoreCounts], tuple[float, float]]) -> Estimate:
    """Return an estimator of mean areas over folds from each fold's area and variance."""

    def estimate(
        sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
    ) -> Area:
        folds = [part for _, part in sample.by_fold()]
        pairs = np.array([[of_counts(part.counts(k)) for k in predictors] for part in folds])
        # Independent folds, equally weighted: the variance of a mean.
        total = pairs[..., 1].sum(axis=0) / len(folds) ** 2
        return Area(pairs[..., 0].mean(axis=0), cleared(total), np.inf, *units_of(sample))

    return estimate


def _hanley_mcneil_by_size(counts: ScoreCounts) -> tuple[float, float]:
    theta = area(counts)
    return theta, hanley_mcneil(theta, counts.total_pos, counts.total_neg)


def _by_moments(variance: Callable[[ScoreCounts, Moments], float]) -> Estimate:
    def of_counts(counts: ScoreCounts) -> tuple[float, float]:
        moments = moments_of(counts)
        return moments.theta, variance(counts, moments)

    return mean_over_folds(of_counts)


HANLEY_MCNEIL = AreaVariance(
    "hanley-mcneil",
    mean_over_folds(_hanley_mcneil_by_size),
    (
        Word(
            "hanley-mcneil",
            "by the exponential approximation of Hanley and McNeil",
            ("hanley-mcneil-1982",),
        ),
    ),
)
HANLEY_MCNEIL_DATA = AreaVariance(
    "hanley-mcneil-data",
    _by_moments(hanley_mcneil_data),
    (
        Word(
            "hanley-mcneil-data",
            "by the formula of Hanley and McNeil with its probabilities taken from the data",
            ("hanley-mcneil-1982",),
        ),
    ),
)
UNBIASED = AreaVariance(
    "unbiased",
    _by_moments(unbiased),
    (Word("unbiased", "by the unbiased estimator of the variance of a U statistic"),),
)
_BOOTSTRAP_PHRASE = "by the stratified bootstrap with infinitely many resamples"
BOOTSTRAP = AreaVariance(
    "bootstrap",
    _by_moments(bootstrap),
    (
        Word("bootstrap", _BOOTSTRAP_PHRASE),
        Word("foldwise-bootstrap", f"{_BOOTSTRAP_PHRASE} within each cross-validation fold"),
    ),
)


# --- LeDell's variance of a cross-validated area --------------------------------------------------
# The influence value of a positive in fold v is (V10 - A_v)/p1, of a negative (V01 - A_v)/p0, with
# placements inside the fold and p1, p0 the shares of the classes among all cases. The variance is
# sigma^2/N, sigma^2 the mean over folds of the mean squared influence value: no small-sample
# factor.

# With 10 cases of a class in a fold the missing small-sample factor n/(n - 1) of its part of the
# variance is 1.11; with 20 it is 1.05. Simulated coverage: docs/methods/areas.md, "Folds".
FEW_PER_FOLD = 10


def ledell_variance(sample: ScoredCases, k: int) -> float:
    """Return the variance of the cross-validated area of predictor ``k``.

    With clusters (the cases of a repeated cross-validation) the values of a cluster are added up
    before they are squared. Repeats of V folds with n_v = N/V cases then give the mean over
    subjects of the squared mean of each subject's values, over the number of subjects.
    """
    folds = [part for _, part in sample.by_fold()]
    total = 0.0
    sums = np.zeros(0 if sample.cluster is None else len(sample.cluster.labels))
    for fold in folds:
        size = fold.n_pos + fold.n_neg
        # 1/sqrt(N V n_v): the mean over the n_v cases, the mean over V folds, and sigma^2/N.
        scale = 1 / np.sqrt((sample.n_pos + sample.n_neg) * len(folds) * size)
        for rows, values in _ledell_influence(fold, k, sample):
            weight = np.ones(len(rows)) if fold.frequency is None else fold.frequency[rows]
            # Values of a subject over repeats are added before squaring: this extension is ours.
            if fold.cluster is None:
                total += scale**2 * weighted_sum(weight, values * values)
            else:
                codes = fold.cluster.codes[rows]
                sums += np.bincount(codes, weights=scale * weight * values, minlength=len(sums))
    return total if sample.cluster is None else float(np.dot(sums, sums))


def ledell_codes(sample: ScoredCases) -> tuple[str, ...]:
    """Return the note of folds with few cases of a class, where the variance is too small."""
    fewest = min(min(part.n_pos, part.n_neg) for _, part in sample.by_fold())
    return ("few-cases-per-fold",) if fewest < FEW_PER_FOLD else ()


def _ledell_influence(
    fold: ScoredCases, k: int, sample: ScoredCases
) -> list[tuple[IntArray, FloatArray]]:
    """Return rows and influence values of the positives and of the negatives of a fold."""
    pos, neg = np.flatnonzero(fold.is_positive), np.flatnonzero(~fold.is_positive)
    v10, v01 = (values[0] for values in case_placements(fold, [k], pos, neg))
    weight = np.ones(len(pos)) if fold.frequency is None else fold.frequency[pos]
    mean = weighted_sum(weight, v10) / weight.sum()
    # The class shares p1 and p0 are those of all data, not of the fold (LeDell et al. 2015).
    n = sample.n_pos + sample.n_neg
    return [(pos, (v10 - mean) * n / sample.n_pos), (neg, (v01 - mean) * n / sample.n_neg)]


def _ledell_estimate(
    sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
) -> Area:
    folds = [part for _, part in sample.by_fold()]
    means = np.mean([[area(part.counts(k)) for k in predictors] for part in folds], axis=0)
    variances = np.array([ledell_variance(sample, k) for k in predictors])
    return Area(means, cleared(variances), np.inf, *units_of(sample))


_LEDELL_PHRASE = "by the influence function of the cross-validated area"
LEDELL = AreaVariance(
    "ledell",
    _ledell_estimate,
    (
        Word("ledell", _LEDELL_PHRASE, ("ledell-2015",)),
        Word("ledell-clustered", f"{_LEDELL_PHRASE}, summed by cluster", ("ledell-2015",)),
    ),
    clustered="ledell-clustered",
    needs_folds=True,
    codes=ledell_codes,
)


# --- The variances by name ------------------------------------------------------------------------

Variance = Literal[
    "delong", "hanley-mcneil", "hanley-mcneil-data", "unbiased", "bootstrap", "ledell"
]
AREA_VARIANCES: tuple[AreaVariance, ...] = (
    DELONG,
    HANLEY_MCNEIL,
    HANLEY_MCNEIL_DATA,
    UNBIASED,
    BOOTSTRAP,
    LEDELL,
)
_BY_WORD = {record.word: record for record in AREA_VARIANCES}


def area_variance(word: str) -> AreaVariance:
    """Return the variance called ``word``."""
    return _BY_WORD[word]


def variance_name(sample: ScoredCases, variance: Variance) -> str:
    """Return the word for a variance under the roles of a sample."""
    return area_variance(variance).name(sample)


# --- Estimate, limits and test --------------------------------------------------------------------


def estimate_areas(
    sample: ScoredCases,
    predictors: Sequence[int],
    variance: Variance = "delong",
    over: AreaRange = FULL_RANGE,
    *,
    spread: bool = False,
) -> Area:
    """Return the areas of predictors with a variance by name; partial ones over their width.

    ``spread`` adds what only the effective-sample-size intervals need.
    """
    return area_variance(variance).estimate(sample, predictors, over, spread)


def weighted_areas(
    sample: ScoredCases, predictors: Sequence[int], variance: Any, over: AreaRange = FULL_RANGE
) -> Area:
    """Return mean areas of a weighted sample, their variances given, its sizes by Kish's rule.

    The effective number of a class is (sum w)^2 / sum w^2; clusters enter by their number.
    """
    tables = [[part.counts(k) for k in predictors] for _, part in sample.by_fold()]
    areas = [[partial_area(counts, over) / over.width for counts in fold] for fold in tables]
    value = snapped(np.mean(areas, axis=0))
    variance = cleared(np.broadcast_to(variance, value.shape))
    if sample.cluster is not None:
        return Area(value, variance, np.inf, *units_of(sample))
    weight = np.ones(len(sample.is_positive))
    if sample.sample_weight is not None:
        weight = sample.sample_weight
    frequency = np.ones(len(weight)) if sample.frequency is None else sample.frequency
    sides = (sample.is_positive, ~sample.is_positive)
    m, n = (effective_size(weight[rows], frequency[rows]) for rows in sides)
    return Area(value, variance, np.inf, m, n, min(m, n))


def infer(
    areas: Area, interval: Interval, test: AreaTest, resampled: IntervalMethod | None = None
) -> Result:
    """Return limits and tests of areas, by Newcombe's method 5 where there is no variance.

    ``resampled`` is the method of a resampled interval. The fields of the result are arrays over
    the areas, of an area of numbers numbers.
    """
    if not isinstance(areas.value, np.ndarray):
        one = areas._replace(value=np.array([areas.value]), variance=np.array([areas.variance]))
        found: Any = infer(one, interval, test, resampled)
        return Result._make(each[0] for each in found)
    record = area_interval(interval)
    method = record.method if resampled is None else resampled
    if method is None:
        raise ValueError(f"the interval {interval!r} takes resamples; got none")
    place = areas.value, np.sqrt(areas.variance)
    words = [record.word] * len(areas.value)
    codes: list[tuple[str, ...]] = [()] * len(areas.value)
    odd = lacks_variance(areas)
    if not odd.any():
        return Result._make([*place, *_numbers(method, areas, test), words, codes])
    with np.errstate(all="ignore"):  # of areas without a variance, where others take their place
        numbers = _numbers(method, areas, test)
    # Newcombe's variance comes from theta and the sizes: defined where the data show none.
    failed = record.fails(areas)
    if failed.any():
        numbers[:, failed] = _numbers(NEWCOMBE_LIMITS, areas.take(failed), test)
    for k in np.flatnonzero(odd).tolist():
        words[k] = NEWCOMBE.word if failed[k] else record.word
        codes[k] = _boundary_codes(areas.value[k], areas.variance[k])
    return Result._make([*place, *numbers, words, codes])


def _numbers(method: IntervalMethod, areas: Area, test: AreaTest) -> FloatArray:
    """Return both limits, statistic, df and P value (5 x k); NaN without a null value."""
    numbers = np.empty((5, len(areas.value)))
    numbers[2:] = np.nan
    numbers[0], numbers[1] = limits(method, areas, test.confidence_level, test.alternative)
    # NaN differs from itself: no null value, no test.
    if test.null_value == test.null_value:
        numbers[2] = method.statistic(areas, test.null_value)
        numbers[3] = np.where(np.isnan(numbers[2]), np.nan, method.df(areas))
        numbers[4] = p_values(numbers[2], numbers[3], test.alternative)
    return numbers


def _boundary_codes(value: float, variance: float) -> tuple[str, ...]:
    if math.isnan(variance):
        return ("single-case",)
    return ("auc-at-boundary",) if value in (0.0, 1.0) else ("zero-variance",)


# --- Notes ----------------------------------------------------------------------------------------

# A partial area rests on the cases of the class on its axis that its range is expected to hold:
# with 10 their number has a relative standard error of 1/sqrt(10), a third.
FEW_IN_RANGE = 10


def range_codes(sample: ScoredCases, k: int, over: AreaRange) -> tuple[str, ...]:
    """Return the notes on the range of a partial area of predictor ``k``."""
    if over.full:
        return ()
    at_step = any(ends_at_step(part.counts(k), over) for _, part in sample.by_fold())
    codes = ["range-end-at-step"] if at_step else []
    reach, cases = over.high, sample.n_neg
    if over.axis == "tpr":  # the mirror image: positives missed at the lower end decide
        reach, cases = 1 - over.low, sample.n_pos
    if reach * cases < FEW_IN_RANGE:
        codes.append("few-cases-in-range")
    return tuple(codes)


def size_codes(
    sample: ScoredCases, variance: Variance = "delong", *, unequal: bool = False
) -> tuple[str, ...]:
    """Return the notes on the size of a sample under a variance.

    ``unequal`` asks more of classes of unequal sizes: it is known of intervals of one area.
    """
    few = are_few_cases(sample.n_pos, sample.n_neg, unequal=unequal)
    codes = ["few-cases"] if few else []
    if are_few_clusters(sample):
        codes.append("few-clusters")
    return (*codes, *area_variance(variance).codes(sample))


# --- Columns --------------------------------------------------------------------------------------


def range_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns of the range of an area."""
    return {"range_axis": over.axis, "range_low": over.low, "range_high": over.high}


def area_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns that name an area: whole, or partial over a range."""
    return FULL_AREA if over.full else {"quantity": "partial_auc", **range_columns(over)}


def area_errors(sample: Sample, predictors: Sequence[int], over: AreaRange) -> FloatArray:
    """Return how far areas over the width of a range can be from those of all scores."""
    if isinstance(sample.all_cases, SummedCases):
        sums = sample.all_cases.sums
        return np.full(len(predictors), np.nan) if sums is None else sums.binning_error[predictors]
    if not is_binned(sample):
        return np.zeros(len(predictors))
    return binning_error(
        sample, lambda one: [mean_rate(one.cases.counts(k), over) for k in predictors]
    )
