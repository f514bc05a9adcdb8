"""Any statistic of the user's with a bootstrap interval, or the paired difference of two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    require_at_most_cases,
)
from rocstats.estimate.areas import numbers_of_independent_units, size_codes
from rocstats.estimate.claim import index_pairs
from rocstats.estimate.class_units import class_notes, least_units_of_class
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.intervals import PercentileLimits, median_bias
from rocstats.estimate.quantiles import limits_at_both_quantiles
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws, redrawn_notes
from rocstats.estimate.resample_statistics import (
    Cases,
    Jackknife,
    Labels,
    RowStatistic,
    draw_statistic_values,
    jackknife_acceleration,
    jackknife_values,
    n_jackknife_deletions,
    repeated_labels_and_scores,
    statistic_values_of_cases,
)
from rocstats.facts.arrays import FloatArray, IntArray, binary_unit, in_unit
from rocstats.facts.tolerances import MOST_UNDEFINED, NO_SPREAD
from rocstats.frame.question import ESTIMATE, Question, counts_only, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.cases import ClassCases
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.sample import Sample

# --- Question -------------------------------------------------------------------------------------

BOOTSTRAP = Question(
    "bootstrap",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} n_pos n_neg n_resamples method note"
    ),
    ("efron-1987", "efron-1993"),
    {"sample_weight": counts_only("bootstrap", "A statistic takes cases", "weights")},
)

Statistic = Callable[[Any, FloatArray], float | Mapping[str, float]]
StatisticInterval = Literal["bca", "percentile"]

# To draw and write out 2000 resamples of a million cases takes minutes, beside the statistic.
_MOST_CASES = 1_000_000


def bootstrap(
    sample: Sample,
    statistic: Statistic,
    *,
    interval: StatisticInterval = "bca",
    reference: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a user-defined statistic with a bootstrap interval; a row is one value.

    Use it for a measure that no other method of the study computes. A special method (``auc``,
    ``operating_points``, ...) is faster and has better coverage with few cases.

    Parameters
    ----------
    statistic : callable
        ``statistic(y_true, y_score)`` returns a number, or a dict of numbers by name. ``y_true`` is
        a boolean array, True for positives (1 and 0 in arithmetic); ``y_score`` has the scores of
        one predictor on your scale, not reversed if lower scores are positive. The value must not
        depend on the order of the cases. Return ``float("nan")`` if the statistic is undefined in a
        resample.
    interval : {"bca", "percentile"}, default "bca"
        Method of the limits.

        - "bca": order statistics corrected for bias and skewness. It also evaluates the statistic
          with each distinct case (each cluster) left out in turn, at most 10 000 times per
          predictor.
        - "percentile": order statistics; for more cases, and for statistics that are not smooth,
          such as a median.
    reference : str, optional
        Predictor that all others are compared with: the rows are then paired differences,
        predictor minus reference, on the same resamples.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples; each is one call of the statistic for each predictor.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them. A statistic that
        uses random numbers needs a fixed seed.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, se, n_pos,
        n_neg, confidence_level, n_resamples, method, note``. ``quantity`` is the key of the dict,
        or the function's name ("statistic" if it has none); ``reference`` is "" without one.

    Raises
    ------
    InputError
        If the statistic fails or returns anything but numbers; if it returns other names in a
        resample than in the complete data; or if its value in the complete data is not finite. Also
        if an option is invalid, or the study has weights, over a million cases, or too many
        distinct cases for "bca".

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``: ``few-cases``, ``undefined-resamples``,
        ``no-resampled-spread``, ``infinite-bias``, ``no-acceleration``, ``pooled-folds``,
        ``one-class``.

    Notes
    -----
    Positives and negatives are resampled separately, so that class sizes are constant. Clusters are
    resampled whole, and a resample without both classes is repeated (note ``resamples-redrawn``).
    All predictors share every resample. A row with frequency f is f cases. Folds are pooled (note
    ``pooled-folds``). Since the prevalence is constant, a statistic that depends on it applies to a
    population with that prevalence.

    ``se`` is the standard deviation of the resampled values. Limits are the order statistics
    ceil((B + 1) p) and B + 1 - ceil((B + 1) p). For "bca", p = Phi(z0 + (z0 + z)/(1 - a(z0 + z))).
    z0 is Phi^-1 of the share of resampled values below the estimate; ties count half. The
    acceleration is a = sum u^3/(6 (sum u^2)^1.5) with u = (m - 1)(mean - value)/m; the sums are
    over both classes. Here the m values of a class of m cases are the statistic with one case left
    out, and mean is their mean. With clusters, m is the number of all clusters, and one cluster is
    left out. If z0 is infinite or one of these values is undefined, limits are percentiles;
    ``method`` and ``note`` record this.

    There are no limits if all resampled values are equal or a class has a single case or cluster
    (``no-resampled-spread``), or if over 5% of the values are undefined. Up to 5% undefined values
    are omitted. Infinite values keep their place in the order.

    Intervals are too narrow with few cases: in simulations, 95% limits of three statistics and of
    their differences had coverage of at least 0.91 with 15 and 60 cases, 0.93 with 30 and 30, and
    0.935 with 100 and 100. Resampling does not help at the end of a range (an area of 1).

    References
    ----------
    - Efron (1987), the acceleration and the limits [efron-1987]
    - Efron & Tibshirani (1993), chapters 6, 13 and 14 [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> def brier(y_true, y_score):
    ...     return ((y_score - y_true) ** 2).mean()
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0] * 5
    >>> risk = {"a": [0.9, 0.8, 0.3, 0.6, 0.5, 0.7, 0.1, 0.2] * 5, "b": [0.6, 0.4] * 20}
    >>> frame = rs.Study(y, risk).bootstrap(brier, reference="b", rng=1)
    >>> frame[["predictor", "reference", "quantity", "estimate", "ci_low", "ci_high"]].round(2)
      predictor reference quantity  estimate  ci_low  ci_high
    0         a         b    brier     -0.22   -0.25     -0.2
    """
    return _bootstrap_answer(
        BOOTSTRAP,
        sample,
        statistic,
        interval=interval,
        reference=reference,
        confidence_level=confidence_level,
        plan=lambda: plan_draws(n_resamples, rng, progress),
    )


def _bootstrap_answer(
    question: Question,
    sample: BootstrapSample,
    statistic: Statistic,
    *,
    interval: StatisticInterval,
    reference: str | None,
    confidence_level: float,
    plan: Callable[[], ResamplePlan],
) -> pd.DataFrame:
    """Return the frame of values of two classes, or of several; ``plan`` reads the resampling."""
    question.require_roles(sample)
    interval = require_choice("interval", interval, get_args(StatisticInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    pairs = _read_bootstrap_pairs(sample, reference)
    drawn = plan()
    instead = "Ask a study of a random part of them."
    require_at_most_cases(_n_cases(sample), _MOST_CASES, "bootstrap()", instead)
    names = tuple(_named_values(statistic, *repeated_labels_and_scores(sample.cases, 0)))
    rows = _value_rows(question, sample, statistic, names, pairs, interval, confidence_level, drawn)
    return answer_rows(question, sample, list(rows), drawn)


BootstrapSample = Sample | MulticlassSample


def _n_cases(sample: BootstrapSample) -> float:
    if isinstance(sample, MulticlassSample):
        return float(sample.n_of.sum())
    return sample.n_pos + sample.n_neg


ComparedPair = tuple[int, int | None]
"""A predictor and the reference that its value is compared with; None for no comparison."""


def _read_bootstrap_pairs(sample: BootstrapSample, reference: str | None) -> list[ComparedPair]:
    if reference is None:
        return [(k, None) for k in range(len(sample.predictors))]
    pairs: list[ComparedPair] = [*index_pairs(sample.predictors, reference)]
    if not pairs:
        raise InputError(
            f"`reference` must be one of two predictors or more; got {reference!r} of one. Leave it"
            " out, or pass more predictors to the study."
        )
    return pairs


# --- Rows -----------------------------------------------------------------------------------------


def _value_rows(
    question: Question,
    sample: BootstrapSample,
    statistic: Statistic,
    names: tuple[str, ...],
    pairs: list[ComparedPair],
    interval: StatisticInterval,
    level: float,
    plan: ResamplePlan,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group: each value of each predictor, or of each pair."""
    predictors = sample.predictors
    parts: Sequence[tuple[str, BootstrapSample]] = sample.by_group()
    for g, (group, part) in enumerate(parts):
        places = [(pair, name) for pair in pairs for name in names]
        if lacks_class(part):
            results, notes, n_resamples = (
                [undefined_result("one-class")] * len(places),
                sample_notes(part),
                0,
            )
        else:
            results = _statistic_results(part, statistic, names, pairs, interval, level, plan.at(g))
            notes = _bootstrap_notes(part)
            n_resamples = 0 if _has_class_of_single_unit(part.cases) else plan.n_resamples
        for ((k, j), name), result in zip(places, results, strict=True):
            known = {
                "predictor": predictors[k],
                "reference": "" if j is None else predictors[j],
                "group": group,
                "quantity": name,
                "n_resamples": n_resamples,
                "confidence_level": np.nan if result.method == "none/none" else level,
                **({} if isinstance(part, MulticlassSample) else class_size_columns(part)),
            }
            yield answer_row_of_result(question, known, result, notes)


def _bootstrap_notes(part: BootstrapSample) -> list[str]:
    if isinstance(part, MulticlassSample):
        return class_notes(part)
    pooled = ["pooled-folds"] if part.fold is not None else []
    return [*size_codes(part.cases), *pooled, *sample_notes(part)]


# Five times the default number of resamples: with more cases the acceleration, of order
# 1/sqrt(n), hardly moves a limit.
_MOST_DELETIONS = 10_000


def _statistic_results(
    part: BootstrapSample,
    statistic: Statistic,
    names: tuple[str, ...],
    pairs: list[ComparedPair],
    interval: StatisticInterval,
    level: float,
    plan: ResamplePlan,
) -> list[Result]:
    """Return each value of each predictor, or of each pair, with its limits."""
    cases, values_of = part.cases.pooled(), _row_statistic(statistic, names)
    estimates = statistic_values_of_cases(cases, values_of)
    _require_finite_statistic_values(estimates, part.predictors, names)
    places = [(k, j, q) for k, j in pairs for q in range(len(names))]
    # A class of one case is the same case in every resample, whose spread then lacks a term.
    if _has_class_of_single_unit(cases):
        return [
            undefined_result(
                "no-resampled-spread", float(_statistic_value_of_pair(estimates, *place))
            )
            for place in places
        ]
    deleted = None
    if interval == "bca":
        what = "interval='bca' (equal ones count once, as those of a cluster do)"
        require_at_most_cases(
            n_jackknife_deletions(cases), _MOST_DELETIONS, what, "Use interval='percentile'."
        )
        deleted = jackknife_values(cases, values_of)
    draws, n_redrawn = draw_statistic_values(cases, values_of, plan)
    sources = (estimates, draws, deleted.values) if deleted else (estimates, draws)
    results = []
    for k, j, q in places:
        # The unit of both predictors: the rounding of their difference is nothing beside it.
        both = draws[[k, k if j is None else j], q]
        unit = binary_unit(both[np.isfinite(both)])
        values = [_statistic_value_of_pair(source, k, j, q) for source in sources]
        result = bootstrap_result_of_value(
            [in_unit(value, unit) for value in values], deleted, level
        )
        codes = (*result.codes, *redrawn_notes(n_redrawn))
        results.append(result.times(unit)._replace(estimate=float(values[0]), codes=codes))
    return results


def _has_class_of_single_unit(cases: Cases) -> bool:
    """Return whether a class is a single case, or cluster."""
    if isinstance(cases, ClassCases):
        return least_units_of_class(cases.pooled()) == 1
    return min(numbers_of_independent_units(cases)[:2]) == 1


def _statistic_value_of_pair(values: FloatArray, k: int, j: int | None, q: int) -> FloatArray:
    """Return value ``q`` of a predictor, or its difference from that of the reference."""
    # Infinite values of both have no difference; others may differ by more than a float holds.
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(values[k, q] - (0.0 if j is None else values[j, q]))


# --- Values of the user's statistic ---------------------------------------------------------------


def _named_values(statistic: Statistic, labels: Labels, score: FloatArray) -> dict[str, float]:
    """Return the values of a user's statistic by name."""
    if not callable(statistic):
        raise InputError(
            f"`statistic` must be a function of y_true and y_score; got {statistic!r}."
            " Pass for instance sklearn.metrics.roc_auc_score."
        )
    try:
        found = statistic(labels, score)
    except Exception as error:
        raise InputError(
            "`statistic` must return a number for all cases and for any resample of them; got"
            f" {type(error).__name__}: {error}. Return float('nan') where it is undefined."
        ) from error
    function = getattr(statistic, "__name__", "")
    # "<lambda>" is no name.
    alone = function if function.isidentifier() else "statistic"
    named = found if isinstance(found, Mapping) else {alone: found}
    values = {
        name: _statistic_value_as_float(value)
        for name, value in named.items()
        if isinstance(name, str)
    }
    numbers = {name: value for name, value in values.items() if name and value is not None}
    if not named or len(numbers) < len(named):
        raise InputError(
            f"`statistic` must return a number, or a dict of numbers by name; got {found!r}."
            " Return a float, and float('nan') where it is undefined."
        )
    return numbers


def _statistic_value_as_float(value: object) -> float | None:
    """Return a number as float; None if it is none, or beyond every float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _row_statistic(statistic: Statistic, names: tuple[str, ...]) -> RowStatistic:
    """Return the statistic as an array, its values in the order of their names."""

    def values(labels: Labels, score: FloatArray) -> FloatArray:
        found = _named_values(statistic, labels, score)
        if set(found) != set(names):
            raise InputError(
                f"`statistic` must return the same names for every resample; got {list(found)}"
                f" after {list(names)}. Return float('nan') for a value that is undefined."
            )
        return np.array([found[name] for name in names])

    return values


def _require_finite_statistic_values(
    estimates: FloatArray, predictors: Sequence[str], names: Sequence[str]
) -> None:
    if not np.isfinite(estimates).all():
        k, q = np.argwhere(~np.isfinite(estimates))[0]
        raise InputError(
            f"`statistic` must be finite on all cases of the study (of a group); got"
            f" {estimates[k, q]} for {names[q]!r} of {predictors[k]!r}. Leave out that predictor,"
            " group or value."
        )


# --- Limits ---------------------------------------------------------------------------------------


def bootstrap_result_of_value(
    values: Sequence[FloatArray], deleted: Jackknife | None, confidence_level: float
) -> Result:
    """Return a value with standard error and limits, or without where there are none.

    ``values`` are those of all cases, of resamples, and, for BCa limits, without each unit. BCa
    ranks are Phi(z0 + (z0 + z)/(1 - a (z0 + z))) of the resampled values [efron-1987].
    """
    estimate, draws = float(values[0]), values[1][~np.isnan(values[1])]
    n_undefined = len(values[1]) - len(draws)
    codes = [f"undefined-resamples={n_undefined}"] if n_undefined else []
    if n_undefined > MOST_UNDEFINED * len(values[1]):
        return Result(estimate, codes=tuple(codes))
    with np.errstate(invalid="ignore"):  # infinite draws have no differences
        if np.ptp(draws) < NO_SPREAD:
            return Result(estimate, codes=("no-resampled-spread", *codes))
        method, word = PercentileLimits(np.sort(draws)), "percentile"
        if deleted is not None:
            z0, a = median_bias(draws, estimate), jackknife_acceleration(values[2], deleted)
            if np.isfinite([z0, a]).all():
                method, word = replace(method, z0=z0, a=a), "bca"
            else:
                codes = ["no-acceleration" if np.isfinite(z0) else "infinite-bias", *codes]
        # At levels near 0 the ranks of both limits may cross.
        low, high = sorted(
            limits_at_both_quantiles(method.draw_at, confidence_level, "two-sided", -np.inf, np.inf)
        )
        se = float(np.std(draws, ddof=1))
    return Result(estimate, se, low, high, method=f"resamples/{word}", codes=tuple(codes))


# --- Question: several classes --------------------------------------------------------------------

MULTICLASS_BOOTSTRAP = BOOTSTRAP._replace(name="multiclass_bootstrap")


def multiclass_bootstrap(
    sample: MulticlassSample,
    statistic: Statistic,
    *,
    interval: StatisticInterval = "bca",
    reference: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return a user-defined statistic of several classes with a bootstrap interval.

    Use it for a measure that no other method of the study computes. A special method (``auc``,
    ``operating_points``, ...) is faster and has better coverage with few cases.

    Parameters
    ----------
    statistic : callable
        ``statistic(y_true, y_score)`` returns a number, or a dict of numbers by name. ``y_true`` is
        an array of class labels as text, ``y_score`` an n x C array of the scores of one
        classifier, with its columns in the order of ``study.classes``. The value must not depend on
        the order of the cases. Return ``float("nan")`` if the statistic is undefined in a resample.
    interval : {"bca", "percentile"}, default "bca"
        Method of the limits, as in ``Study.bootstrap``.
    reference : str, optional
        Classifier that all others are compared with: the rows are then paired differences,
        predictor minus reference, on the same resamples.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples; each is one call of the statistic for each classifier.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them. A statistic that
        uses random numbers needs a fixed seed.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns as of ``Study.bootstrap``; ``n_pos`` and ``n_neg`` are NaN.

    Raises
    ------
    InputError
        As ``Study.bootstrap``.

    Warns
    -----
    StatisticalWarning
        As ``Study.bootstrap``.

    Notes
    -----
    As ``Study.bootstrap``. Each class is resampled separately, so that class sizes are constant:
    do not use it for a statistic whose spread is due to the mix of classes. Clusters are resampled
    whole, and a resample that lacks a class is repeated (note ``resamples-redrawn``).

    References
    ----------
    - Efron (1987), the acceleration and the limits [efron-1987]
    - Efron & Tibshirani (1993), chapters 6, 13 and 14 [efron-1993]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> y = np.repeat(["a", "b", "c"], 20)
    >>> scores = np.random.default_rng(1).normal(size=(60, 3)) + 2 * np.eye(3).repeat(20, axis=0)
    >>> study = rs.MulticlassStudy(y, scores, labels=["a", "b", "c"])
    >>> def mean_margin(y_true, y_score):
    ...     own = y_true[:, np.newaxis] == np.array(study.classes)
    ...     return (y_score[own] - np.where(own, -np.inf, y_score).max(axis=1)).mean()
    >>> found = study.bootstrap(mean_margin, rng=1)
    >>> found[["quantity", "estimate", "ci_low", "ci_high"]].round(1)
          quantity  estimate  ci_low  ci_high
    0  mean_margin       1.4     1.1      1.7
    """
    return _bootstrap_answer(
        MULTICLASS_BOOTSTRAP,
        sample,
        _statistic_of_labels(statistic, sample.classes),
        interval=interval,
        reference=reference,
        confidence_level=confidence_level,
        plan=lambda: plan_draws(n_resamples, rng, progress),
    )


def _statistic_of_labels(statistic: Any, classes: Sequence[str]) -> Any:
    """Return a statistic of the numbers of classes from one of their labels."""
    if not callable(statistic):
        return statistic  # refused where it is first called
    labels = np.array(classes)

    @wraps(statistic)
    def of_codes(codes: IntArray, score: FloatArray) -> Any:
        return statistic(labels[codes], score)

    # An object without a name must not get that of this function.
    of_codes.__name__ = getattr(statistic, "__name__", "")
    return of_codes
