"""Areas of predictors: their variances by name, the rules at the boundary, limits and tests.

``estimate_areas`` returns areas with a variance, ``infer_area`` their limits and tests. Variances
are records: DeLong's [delong-1988], by ranks where cases have no weights and no clusters, with
clusters Obuchowski's [obuchowski-1997]; those of the count table alone; for a cross-validated area
LeDell's (``area_variances`` has these formulas). A new variance needs its record here, a place in
``AREA_VARIANCES`` (the order of messages and pages) and its word in ``Variance``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.areas import (
    FULL_RANGE,
    AreaRange,
    area,
    mean_rate_over_range,
    partial_area,
    placement_rows,
    range_ends_at_vertical_step,
)
from rocstats.errors import require_open_interval
from rocstats.estimate.area_variances import (
    hanley_mcneil_exponential_variance,
    hanley_mcneil_variance_from_counts,
    ideal_bootstrap_area_variance,
    ledell_variance,
    unbiased_area_variance,
)
from rocstats.estimate.claim import require_test_side_and_level
from rocstats.estimate.estimate import Result, Results
from rocstats.estimate.influence import (
    AreaCovariance,
    area_covariance,
    delong_variance_parts,
    row_frequency,
    satterthwaite,
)
from rocstats.estimate.intervals import (
    NEWCOMBE_INTERVAL,
    NEWCOMBE_LIMITS,
    Area,
    ClassVariances,
    Interval,
    IntervalMethod,
    area_interval,
    lacks_variance,
    limits_of_area,
)
from rocstats.estimate.quantiles import Alternative, t_p_values
from rocstats.facts.arrays import FloatArray, effective_size
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import NO_VARIANCE, SAME, are_few_cases, clear_rounding
from rocstats.study.binned import binning_error, is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import are_few_clusters, cluster_numbers
from rocstats.study.count_tables import MOST_ROW_CASES, ScoreCounts
from rocstats.study.sample import Sample
from rocstats.study.summed import SummedCases

# --- The test of an area, as requested ------------------------------------------------------------


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
    alternative = require_test_side_and_level(confidence_level, alternative)
    if null_value is not None:
        require_open_interval("null_value", null_value, 0, 1)
    return AreaTest(
        confidence_level, alternative, np.nan if null_value is None else float(null_value)
    )


# --- Areas with a variance by name, their limits and tests ----------------------------------------


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


def infer_area(
    area: Area, interval: Interval, test: AreaTest, resampled: IntervalMethod | None = None
) -> Result:
    """Return the limits and the test of one area, as ``infer_areas`` has those of several."""
    one = area._replace(value=np.array([area.value]), variance=np.array([area.variance]))
    found = infer_areas(one, interval, test, resampled)
    return Result._make(each[0] for each in found)


def infer_areas(
    areas: Area, interval: Interval, test: AreaTest, resampled: IntervalMethod | None = None
) -> Results:
    """Return limits and tests of areas, by Newcombe's method 5 where there is no variance.

    ``resampled`` is the method of a resampled interval.
    """
    record = area_interval(interval)
    method = record.method if resampled is None else resampled
    if method is None:
        raise ValueError(f"the interval {interval!r} takes resamples; got none")
    se, no_variance = np.sqrt(areas.variance), lacks_variance(areas)
    words = [record.word] * len(areas.value)
    codes: list[tuple[str, ...]] = [()] * len(areas.value)
    if not no_variance.any():
        numbers = _limits_and_tests(method, areas, test)
        return Results._make([areas.value, se, *numbers, words, codes])
    with np.errstate(all="ignore"):  # of areas without a variance, where others take their place
        numbers = _limits_and_tests(method, areas, test)
    # Newcombe's variance comes from theta and the sizes: defined where the data show none.
    failed = record.fails(areas)
    if failed.any():
        numbers[:, failed] = _limits_and_tests(NEWCOMBE_LIMITS, areas.take(failed), test)
    for k in np.flatnonzero(no_variance).tolist():
        words[k] = NEWCOMBE_INTERVAL.word if failed[k] else record.word
        codes[k] = _area_boundary_codes(areas.value[k], areas.variance[k])
    return Results._make([areas.value, se, *numbers, words, codes])


def _limits_and_tests(method: IntervalMethod, areas: Area, test: AreaTest) -> FloatArray:
    """Return both limits, statistic, df and P value (5 x k); NaN without a null value."""
    numbers = np.empty((5, len(areas.value)))
    numbers[2:] = np.nan
    numbers[0], numbers[1] = limits_of_area(method, areas, test.confidence_level, test.alternative)
    if not math.isnan(test.null_value):
        numbers[2] = method.statistic(areas, test.null_value)
        numbers[3] = np.where(np.isnan(numbers[2]), np.nan, method.df(areas))
        numbers[4] = t_p_values(numbers[2], numbers[3], test.alternative)
    return numbers


def _area_boundary_codes(value: float, variance: float) -> tuple[str, ...]:
    """Return the note that says why an area has no variance to make limits from."""
    if math.isnan(variance):
        return ("single-case",)
    return ("auc-at-boundary",) if value in (0.0, 1.0) else ("zero-variance",)


def weighted_sample_areas(
    sample: ScoredCases, predictors: Sequence[int], variance: Any, over: AreaRange = FULL_RANGE
) -> Area:
    """Return mean areas of a weighted sample, their variances given, its sizes by Kish's rule.

    The effective number of a class is (sum w)^2 / sum w^2; clusters enter by their number.
    """
    tables = [[part.counts(k) for k in predictors] for _, part in sample.by_fold()]
    areas = [[partial_area(counts, over) / over.width for counts in fold] for fold in tables]
    value = snap_to_boundary(np.mean(areas, axis=0))
    variance = clear_rounding(np.broadcast_to(variance, value.shape))
    if sample.cluster is not None:
        units = numbers_of_independent_units(sample)
        return _without_variance_of_single_unit(Area(value, variance, np.inf, *units))
    weight = np.ones(len(sample.is_positive))
    if sample.sample_weight is not None:
        weight = sample.sample_weight
    sides = np.flatnonzero(sample.is_positive), np.flatnonzero(~sample.is_positive)
    m, n = (effective_size(weight[rows], row_frequency(sample, rows)) for rows in sides)
    return _without_variance_of_single_unit(Area(value, variance, np.inf, m, n, min(m, n)))


def _without_variance_of_single_unit(area: Area) -> Area:
    """Return an area without its variance where a class has one case or cluster.

    It is the same in every resample, whose spread is then that of the other class alone.
    """
    if min(area.n_pos, area.n_neg) > 1 + SAME:
        return area
    return area._replace(variance=np.full(np.shape(area.value), np.nan))


def numbers_of_independent_units(cases: ScoredCases) -> tuple[float, float, float]:
    """Return the numbers of independent positives, negatives and disjoint pairs."""
    if cases.cluster is None:
        return cases.n_pos, cases.n_neg, min(cases.n_pos, cases.n_neg)
    i10, i01, i = cluster_numbers(cases)
    # A pair takes two clusters, one with a positive and another with a negative.
    pairs = min(i10, i01, i // 2)
    return float(i10), float(i01), float(pairs)


def snap_to_boundary(value: Any) -> Any:
    """Return a mean rate, or several, snapped to 0 or 1 within 1e-12 (rounding)."""
    # Folds and widths divide: a perfect area must still count as one at the boundary.
    nearest = np.round(value)
    return np.where(abs(value - nearest) < SAME, nearest, value)[()]


# --- The record of a variance ---------------------------------------------------------------------

AreaEstimator = Callable[[ScoredCases, Sequence[int], AreaRange, bool], Area]
"""From cases, predictors, range, and whether the parts of the variances are wanted too."""


class AreaVariance(NamedTuple):
    """A variance of areas.

    ``clustered`` is its word where cases come in clusters; without one it refuses clusters.
    ``partial`` says that it has a form for partial areas, ``needs_folds`` that it is defined for
    cross-validated areas only. ``printed`` are its words in ``method`` under each role. ``codes``
    returns the notes of a sample that is too small for it.
    """

    word: str
    estimate: AreaEstimator
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


# --- DeLong's variance; Obuchowski's with clusters ------------------------------------------------


def areas_of_covariance(
    sample: ScoredCases, result: AreaCovariance, over: AreaRange = FULL_RANGE
) -> Area:
    """Return the areas of a joint covariance, partial ones over their width."""
    values, variances = result.area, result.covariance.diagonal()
    if over != FULL_RANGE:
        # The area over its width is a mean rate in [0, 1], which the limits need.
        values, variances = snap_to_boundary(values / over.width), variances / over.width**2
    df = satterthwaite(result.components, result.part_df[:, np.newaxis])
    return Area(values, clear_rounding(variances), df, *numbers_of_independent_units(sample))


def _delong_estimate(
    sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
) -> Area:
    if over.full and not spread and _are_ranked(sample):
        return _ranked_areas(sample, predictors)
    found = []
    # One by one: the covariance of thousands of predictors is not needed.
    for k in predictors:
        result = area_covariance(sample, [k], over=over)
        area = areas_of_covariance(sample, result, over)
        if spread:
            area = area._replace(spread=_class_variances(sample, result, over))
        found.append(area)
    return _stacked_areas(found)


def _are_ranked(cases: ScoredCases) -> bool:
    """Return whether the areas of cases are made from ranks."""
    if isinstance(cases, SummedCases) or cases.weight is not None or cases.cluster is not None:
        return False
    return len(cases.is_positive) <= MOST_ROW_CASES


def _ranked_areas(cases: ScoredCases, predictors: Sequence[int]) -> Area:
    """Return areas with DeLong's variance, means over folds if any."""
    folds = [placement_rows(part, predictors) for _, part in cases.by_fold()]
    parts = np.concatenate([delong_variance_parts(fold) for fold in folds]) / len(folds) ** 2
    part_df = np.array([size - 1.0 for fold in folds for size in (fold.n_pos, fold.n_neg)])
    value = folds[0].area if len(folds) == 1 else np.mean([fold.area for fold in folds], axis=0)
    df = satterthwaite(parts, part_df[:, np.newaxis])
    return Area(
        value, clear_rounding(np.add.reduce(parts)), df, *numbers_of_independent_units(cases)
    )


def _class_variances(
    sample: ScoredCases, result: AreaCovariance, over: AreaRange
) -> ClassVariances | None:
    """Return effective sizes and the parts of the variances by class; None over folds.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers.
    """
    if sample.fold is not None:
        return None
    i10, i01, _ = numbers_of_independent_units(sample)
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
    return ClassVariances(m, n, *split)


def _stacked_areas(areas: Sequence[Area]) -> Area:
    """Return the areas of several predictors of the same cases as one record."""
    if len(areas) == 1:
        return areas[0]
    value, variance, df = (
        np.concatenate(each) for each in zip(*(area[:3] for area in areas), strict=True)
    )
    spreads = [area.spread for area in areas if area.spread is not None]
    spread = ClassVariances(*map(np.concatenate, zip(*spreads, strict=True))) if spreads else None
    return Area(value, variance, df, *areas[0][3:6], spread)


DELONG_VARIANCE = AreaVariance(
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


# --- Variances from the count table alone ---------------------------------------------------------


def _mean_over_folds(variance: Callable[[ScoreCounts], float]) -> AreaEstimator:
    """Return an estimator of mean areas over folds, the variance of each from its count table."""

    def estimate(
        sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
    ) -> Area:
        tables = [[part.counts(k) for k in predictors] for _, part in sample.by_fold()]
        value = np.mean([[area(counts) for counts in fold] for fold in tables], axis=0)
        # Independent folds, equally weighted: the variance of a mean.
        total = np.sum([[variance(counts) for counts in fold] for fold in tables], axis=0)
        return Area(
            value,
            clear_rounding(total / len(tables) ** 2),
            np.inf,
            *numbers_of_independent_units(sample),
        )

    return estimate


HANLEY_MCNEIL_VARIANCE = AreaVariance(
    "hanley-mcneil",
    _mean_over_folds(
        lambda counts: hanley_mcneil_exponential_variance(
            area(counts), counts.total_pos, counts.total_neg
        )
    ),
    (
        Word(
            "hanley-mcneil",
            "by the exponential approximation of Hanley and McNeil",
            ("hanley-mcneil-1982",),
        ),
    ),
)
HANLEY_MCNEIL_DATA_VARIANCE = AreaVariance(
    "hanley-mcneil-data",
    _mean_over_folds(hanley_mcneil_variance_from_counts),
    (
        Word(
            "hanley-mcneil-data",
            "by the formula of Hanley and McNeil with its probabilities taken from the data",
            ("hanley-mcneil-1982",),
        ),
    ),
)
UNBIASED_VARIANCE = AreaVariance(
    "unbiased",
    _mean_over_folds(unbiased_area_variance),
    (Word("unbiased", "by the unbiased estimator of the variance of a U statistic"),),
)
_BOOTSTRAP_PHRASE = "by the stratified bootstrap with infinitely many resamples"
BOOTSTRAP_VARIANCE = AreaVariance(
    "bootstrap",
    _mean_over_folds(ideal_bootstrap_area_variance),
    (
        Word("bootstrap", _BOOTSTRAP_PHRASE),
        Word("foldwise-bootstrap", f"{_BOOTSTRAP_PHRASE} within each cross-validation fold"),
    ),
)


# --- LeDell's variance of a cross-validated area --------------------------------------------------


def _ledell_estimate(
    sample: ScoredCases, predictors: Sequence[int], over: AreaRange, spread: bool
) -> Area:
    folds = [part for _, part in sample.by_fold()]
    means = np.mean([[area(part.counts(k)) for k in predictors] for part in folds], axis=0)
    variances = np.array([ledell_variance(sample, k) for k in predictors])
    return Area(means, clear_rounding(variances), np.inf, *numbers_of_independent_units(sample))


# With 10 cases of a class in a fold the missing small-sample factor n/(n - 1) of its part of the
# variance is 1.11; with 20 it is 1.05. Simulated coverage: docs/methods/areas.md, "Folds".
FEW_PER_FOLD = 10


def ledell_codes(sample: ScoredCases) -> tuple[str, ...]:
    """Return the note of folds with few cases of a class, where the variance is too small."""
    fewest = min(min(part.n_pos, part.n_neg) for _, part in sample.by_fold())
    return ("few-cases-per-fold",) if fewest < FEW_PER_FOLD else ()


_LEDELL_PHRASE = "by the influence function of the cross-validated area"
LEDELL_VARIANCE = AreaVariance(
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
    DELONG_VARIANCE,
    HANLEY_MCNEIL_VARIANCE,
    HANLEY_MCNEIL_DATA_VARIANCE,
    UNBIASED_VARIANCE,
    BOOTSTRAP_VARIANCE,
    LEDELL_VARIANCE,
)
_BY_WORD = {record.word: record for record in AREA_VARIANCES}


def area_variance(word: str) -> AreaVariance:
    """Return the variance called ``word``."""
    return _BY_WORD[word]


def variance_name(sample: ScoredCases, variance: Variance) -> str:
    """Return the word for a variance under the roles of a sample."""
    return area_variance(variance).name(sample)


# --- Notes ----------------------------------------------------------------------------------------

# A partial area rests on the cases of the class on its axis that its range is expected to hold:
# with 10 their number has a relative standard error of 1/sqrt(10), a third.
FEW_IN_RANGE = 10


def range_codes(sample: ScoredCases, k: int, over: AreaRange) -> tuple[str, ...]:
    """Return the notes on the range of a partial area of predictor ``k``."""
    if over.full:
        return ()
    at_step = any(range_ends_at_vertical_step(part.counts(k), over) for _, part in sample.by_fold())
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


def area_range_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns of the range of an area."""
    return {"range_axis": over.axis, "range_low": over.low, "range_high": over.high}


def area_name_columns(over: AreaRange) -> dict[str, Any]:
    """Return the columns that name an area: whole, or partial over a range."""
    return FULL_AREA if over.full else {"quantity": "partial_auc", **area_range_columns(over)}


def area_errors_of_binned_scores(
    sample: Sample, predictors: Sequence[int], over: AreaRange
) -> FloatArray:
    """Return how far areas over the width of a range can be from those of all scores."""
    if isinstance(sample.all_cases, SummedCases):
        sums = sample.all_cases.sums
        return np.full(len(predictors), np.nan) if sums is None else sums.binning_error[predictors]
    if not is_binned(sample):
        return np.zeros(len(predictors))
    return binning_error(
        sample, lambda one: [mean_rate_over_range(one.cases.counts(k), over) for k in predictors]
    )
