"""Any statistic of the user's with a bootstrap interval, or the paired difference of two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval, require_text
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    require_at_most_cases,
)
from rocstats.estimate.areas import size_codes
from rocstats.estimate.claim import HypothesisPlan, index_pairs
from rocstats.estimate.class_units import class_notes, least_units_of_class
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.jobs import read_jobs
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws, redrawn_notes
from rocstats.estimate.resample_calls import effective_sizes
from rocstats.estimate.resample_limits import resampled_result
from rocstats.estimate.resample_statistics import (
    Cases,
    Labels,
    RowStatistic,
    draw_statistic_values,
    jackknife_values,
    labels_scores_and_weights,
    n_jackknife_deletions,
    statistic_values_of_cases,
)
from rocstats.facts.arrays import FloatArray, IntArray, binary_unit, in_unit
from rocstats.facts.tolerances import SAME
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.cases import ClassCases
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.sample import Sample

# --- Question -------------------------------------------------------------------------------------

BOOTSTRAP = Question(
    "bootstrap",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} n_pos n_neg n_resamples method note"
    ),
    ("efron-1987", "efron-1993"),
)

Statistic = Callable[..., float | Mapping[str, float]]
StatisticInterval = Literal["bca", "percentile"]

# To draw and write out 2000 resamples of a million cases takes minutes, beside the statistic.
_MOST_CASES = 1_000_000


def bootstrap(
    sample: Sample,
    statistic: Statistic | Mapping[str, Callable[..., float]],
    *,
    name: str | None = None,
    interval: StatisticInterval = "bca",
    reference: str | None = None,
    null_value: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Return a user-defined statistic with a bootstrap interval; a row is one value.

    Use this method for a measure that no other method of the study computes. A special method
    (``auc``, ``operating_points``, ...) is faster and has better coverage with few cases.

    Parameters
    ----------
    statistic : callable, or mapping of str to callable
        ``statistic(y_true, y_score)`` returns a number, or a dict of numbers by name. ``y_true`` is
        a boolean array, True for positives (1 and 0 in arithmetic); ``y_score`` has the original
        scores of one predictor, also if low scores indicate the positive class. In a study with
        weights the call is ``statistic(y_true, y_score, sample_weight=weight)``, as for the metrics
        of scikit-learn. The value must not depend on the order of the cases. Return
        ``float("nan")`` if the statistic is undefined in a resample. A mapping contains several
        functions by name; each function returns a number.
    name : str, optional
        Name of the value of a function that returns a number; default: the name of the function.
    interval : {"bca", "percentile"}, default "bca"
        Method of the limits.

        - "bca": order statistics corrected for bias and skewness. The statistic is also evaluated
          without each distinct case (or cluster), at most 10 000 times per predictor.
        - "percentile": order statistics; for more cases, and for statistics that are not smooth,
          such as a median.
    reference : str, optional
        Predictor that all others are compared with: rows are then paired differences (predictor
        minus reference) on the same resamples.
    null_value : float, optional
        Value of the null hypothesis of a two-sided test. With ``reference`` it is a difference, by
        default 0. Values of single predictors are not tested by default.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples; each is one call of the statistic for each predictor.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them. A
        statistic that uses random numbers needs a fixed seed.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.
    n_jobs : int, optional
        Number of processes that evaluate the statistic, by default 1; -1 means one process per
        processor. Needs joblib (``pip install "rocstats[jobs]"``). The results do not depend on
        ``n_jobs``. Several processes save time if one evaluation takes at least a millisecond.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value, se,
        statistic, df, n_pos, n_neg, confidence_level, null_value, n_resamples, method, note``.
        ``quantity`` is ``name``, the key of the dict or mapping, or the function's name
        ("statistic" if it has none). With ``reference``, the name ends in "_difference". The column
        ``reference`` is "" if no reference is passed.

    Raises
    ------
    InputError
        If the statistic fails or returns anything but numbers; if it returns other names in a
        resample than in the complete data; or if its value in the complete data is not finite. Also
        if an option is invalid; if the study has over a million cases; or if it has too many
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
    resampled as a whole. A resample without both classes is repeated (note ``resamples-redrawn``).
    All predictors share every resample. A row with frequency f counts as f cases. Weights stay with
    their cases: a case that is drawn twice is passed twice, each time with its weight. Folds are
    pooled (note ``pooled-folds``). The prevalence is constant in all resamples. A statistic that
    depends on prevalence therefore applies only to a population with this prevalence.

    ``se`` is the standard deviation of the resampled values. With B resamples, limits are the order
    statistics ceil((B + 1) p) and B + 1 - ceil((B + 1) p). For "bca", p = Phi(z0 + (z0 + z)/(1 -
    a(z0 + z))). z0 is Phi^-1 of the share of resampled values below the estimate; ties count half.
    The acceleration is a = sum u^3/(6 (sum u^2)^1.5) with u = (m - 1)(mean - value)/m; the sums are
    over both classes. Here m is the number of cases of a class. A value is the statistic without
    one case, and mean is the mean of these m values. With clusters, m is the number of all
    clusters, and a value is the statistic without one cluster. If z0 is infinite or one of these
    values is undefined, limits are percentiles; ``method`` and ``note`` record this. The test
    inverts the interval: at the level 1 - p, a limit equals the null value. P values of percentiles
    are at least 2/(B + 1). They are not adjusted for the number of rows.

    There are no limits if all resampled values are equal, or if a class has a single case or
    cluster (``no-resampled-spread``). There are also no limits if over 5% of the values are
    undefined. If at most 5% of the values are undefined, these values are omitted. Infinite values
    keep their place in the order.

    Intervals are too narrow with few cases. In simulations, 95% limits of three statistics and of
    their differences had coverage of at least 0.91 with 15 positives and 60 negatives. Coverage was
    at least 0.93 with 30 cases of each class, and at least 0.935 with 100 cases of each class.
    Resampling does not help at the end of a range (an area of 1).

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
      predictor reference          quantity  estimate  ci_low  ci_high
    0         a         b  brier_difference     -0.22   -0.25     -0.2
    """
    BOOTSTRAP.require_roles(sample)
    interval = require_choice("interval", interval, get_args(StatisticInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    pairs = _read_bootstrap_pairs(sample, reference)
    tested = _read_null_value(null_value, confidence_level, is_difference=reference is not None)
    plan, n_jobs = plan_draws(n_resamples, rng, progress), read_jobs(n_jobs)
    named = _read_statistic(statistic, name)
    return _bootstrap_answer(BOOTSTRAP, sample, named, pairs, interval, tested, plan, n_jobs)


def _bootstrap_answer(
    question: Question,
    sample: BootstrapSample,
    named: NamedStatistic,
    pairs: list[ComparedPair],
    interval: StatisticInterval,
    tested: HypothesisPlan,
    plan: ResamplePlan,
    n_jobs: int,
) -> pd.DataFrame:
    """Return the frame of values of two classes, or of several."""
    n_cases = (
        float(sample.n_of.sum())
        if isinstance(sample, MulticlassSample)
        else sample.n_pos + sample.n_neg
    )
    instead = "Ask a study of a random part of them."
    require_at_most_cases(n_cases, _MOST_CASES, "bootstrap()", instead)
    names = tuple(named(*labels_scores_and_weights(sample.cases, 0)))
    asked = _BootstrapRequest(_values_in_order(named, names), names, interval, tested, n_jobs)
    rows = list(_value_rows(question, sample, asked, pairs, plan))
    return answer_rows(question, sample, rows, plan)


BootstrapSample = Sample | MulticlassSample


class _BootstrapRequest(NamedTuple):
    """The statistic, the names of its values, their interval and test, and processes."""

    statistic: RowStatistic
    names: tuple[str, ...]
    interval: StatisticInterval
    tested: HypothesisPlan
    n_jobs: int


def _read_null_value(
    null_value: float | None, confidence_level: float, *, is_difference: bool
) -> HypothesisPlan:
    """Return the two-sided interval and its test; NaN for no test."""
    if null_value is None:
        null_value = 0.0 if is_difference else np.nan
    else:
        require_open_interval("null_value", null_value, -np.inf, np.inf)
    null = float(null_value)
    return HypothesisPlan(confidence_level, "two-sided", null, "two-sided", ((null, "two-sided"),))


ComparedPair = tuple[int, int | None]
"""A predictor and the reference that its value is compared with; None for no comparison."""


def _read_bootstrap_pairs(sample: BootstrapSample, reference: str | None) -> list[ComparedPair]:
    if reference is None:
        return [(k, None) for k in range(len(sample.predictors))]
    pairs: list[ComparedPair] = [*index_pairs(sample.predictors, reference)]
    if not pairs:
        raise InputError(
            f"`reference` must be one of two or more predictors; got {reference!r} in a study of"
            " one. Leave it out, or pass more predictors to the study."
        )
    return pairs


# --- Rows -----------------------------------------------------------------------------------------


def _value_rows(
    question: Question,
    sample: BootstrapSample,
    asked: _BootstrapRequest,
    pairs: list[ComparedPair],
    plan: ResamplePlan,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group: each value of each predictor, or of each pair."""
    predictors = sample.predictors
    parts: Sequence[tuple[str, BootstrapSample]] = sample.by_group()
    for g, (group, part) in enumerate(parts):
        places = [(pair, name) for pair in pairs for name in asked.names]
        if lacks_class(part):
            results, notes, n_resamples = (
                [undefined_result("one-class")] * len(places),
                sample_notes(part),
                0,
            )
        else:
            results = _statistic_results(part, asked, pairs, plan.at(g))
            notes = _bootstrap_notes(part)
            n_resamples = 0 if _has_class_of_single_unit(part.cases) else plan.n_resamples
        for ((k, j), name), result in zip(places, results, strict=True):
            level = asked.tested.confidence_level
            known = {
                "predictor": predictors[k],
                "reference": "" if j is None else predictors[j],
                "group": group,
                "quantity": name,
                "n_resamples": n_resamples,
                "confidence_level": np.nan if result.method == "none/none" else level,
                "null_value": asked.tested.null_value,
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
    part: BootstrapSample, asked: _BootstrapRequest, pairs: list[ComparedPair], plan: ResamplePlan
) -> list[Result]:
    """Return each value of each predictor, or of each pair, with its limits."""
    cases, names = part.cases.pooled(), asked.names
    estimates = statistic_values_of_cases(cases, asked.statistic)
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
    if asked.interval == "bca":
        what = "interval='bca' (equal ones count once, as those of a cluster do)"
        require_at_most_cases(
            n_jackknife_deletions(cases), _MOST_DELETIONS, what, "Use interval='percentile'."
        )
        deleted = jackknife_values(cases, asked.statistic, asked.n_jobs)
    draws, n_redrawn = draw_statistic_values(cases, asked.statistic, plan, asked.n_jobs)
    sources = (estimates, draws, deleted.values) if deleted else (estimates, draws)
    results = []
    for k, j, q in places:
        # The unit of both predictors: the rounding of their difference is nothing beside it.
        both = draws[[k, k if j is None else j], q]
        unit = binary_unit(both[np.isfinite(both)])
        values = [_statistic_value_of_pair(source, k, j, q) for source in sources]
        result = resampled_result(
            [in_unit(value, unit) for value in values], deleted, asked.tested.over(unit)
        )
        codes = (*result.codes, *redrawn_notes(n_redrawn))
        results.append(result.times(unit)._replace(estimate=float(values[0]), codes=codes))
    return results


def _has_class_of_single_unit(cases: Cases) -> bool:
    """Return whether a class is a single case (of a weight above 0), or cluster."""
    if isinstance(cases, ClassCases):
        return least_units_of_class(cases.pooled()) == 1
    return min(effective_sizes(cases)[:2]) < 1 + SAME


def _statistic_value_of_pair(values: FloatArray, k: int, j: int | None, q: int) -> FloatArray:
    """Return value ``q`` of a predictor, or its difference from that of the reference."""
    # Infinite values of both have no difference; others may differ by more than a float holds.
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(values[k, q] - (0.0 if j is None else values[j, q]))


# --- Values of the user's statistic ---------------------------------------------------------------


NamedStatistic = Callable[..., dict[str, float]]
"""Values by name, of labels, scores and (in a study with weights) weights."""


def _read_statistic(
    statistic: Statistic | Mapping[str, Callable[..., float]], name: str | None
) -> NamedStatistic:
    """Return a user's statistic, or statistics, as a function that gives its values by name."""
    several = isinstance(statistic, Mapping)
    if name is not None:
        require_text("name", name)
        if several or not name:
            raise InputError(
                f"`name` must be a name for the value of one function; got {name!r} with"
                f" {'several functions' if several else 'no letter'}. Use the keys of the mapping,"
                " or leave `name` out."
            )
    if isinstance(statistic, Mapping):
        functions = dict(statistic)
        names: list[Any] = list(functions)
        named = bool(names) and all(isinstance(key, str) and key != "" for key in names)
        if named and all(map(callable, functions.values())):
            return partial(_values_of_functions, functions)
    elif callable(statistic):
        return partial(_named_values, statistic, name)
    raise InputError(
        "`statistic` must be a function of y_true and y_score, or functions by name; got"
        f" {statistic!r}. Pass for instance sklearn.metrics.roc_auc_score."
    )


def _values_of_functions(
    functions: Mapping[str, Callable[..., float]], *arguments: Any
) -> dict[str, float]:
    """Return the value of each function; raise InputError unless it is a number."""
    values = {}
    for name, function in functions.items():
        found = _named_values(function, name, *arguments)
        if list(found) != [name]:
            raise InputError(
                "`statistic` must return a number from each function of a mapping; got"
                f" {list(found)} from {name!r}. Pass this function alone, or divide it into several"
                " functions."
            )
        values.update(found)
    return values


def _named_values(
    statistic: Statistic,
    name: str | None,
    labels: Labels,
    score: FloatArray,
    *weight: FloatArray,
) -> dict[str, float]:
    """Return the values of a user's statistic by name."""
    # By name: the metrics of scikit-learn have no place for weights.
    weighted = {"sample_weight": weight[0]} if weight else {}
    try:
        found = statistic(labels, score, **weighted)
    except Exception as error:
        how = " With weights it is called with sample_weight=." if weighted else ""
        raise InputError(
            "`statistic` must return a number for all cases and for any resample of them; got"
            f" {type(error).__name__}: {error}. Return float('nan') where it is undefined.{how}"
        ) from error
    function = getattr(statistic, "__name__", "")
    # "<lambda>" is no name.
    alone = name or (function if function.isidentifier() else "statistic")
    named = found if isinstance(found, Mapping) else {alone: found}
    values = {
        key: _statistic_value_as_float(value)
        for key, value in named.items()
        if isinstance(key, str)
    }
    numbers = {key: value for key, value in values.items() if key and value is not None}
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


def _values_in_order(named: NamedStatistic, names: tuple[str, ...]) -> RowStatistic:
    """Return the statistic as an array, its values in the order of their names."""
    return partial(_array_of_named_values, named, names)


def _array_of_named_values(
    named: NamedStatistic, names: tuple[str, ...], *arguments: Any
) -> FloatArray:
    found = named(*arguments)
    if set(found) != set(names):
        raise InputError(
            f"`statistic` must return the same names for every resample; got {list(found)}"
            f" after {list(names)}. Return float('nan') for a value that is undefined."
        )
    return np.array([found[name] for name in names])


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


# --- Question: several classes --------------------------------------------------------------------

MULTICLASS_BOOTSTRAP = BOOTSTRAP._replace(name="multiclass_bootstrap")


def multiclass_bootstrap(
    sample: MulticlassSample,
    statistic: Statistic | Mapping[str, Callable[..., float]],
    *,
    name: str | None = None,
    interval: StatisticInterval = "bca",
    reference: str | None = None,
    null_value: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Return a user-defined statistic of several classes with a bootstrap interval.

    Use this method for a measure that no other method of the study computes. A special method
    (``auc``, ``operating_points``, ...) is faster and has better coverage with few cases.

    Parameters
    ----------
    statistic : callable, or mapping of str to callable
        ``statistic(y_true, y_score)`` returns a number, or a dict of numbers by name. ``y_true`` is
        an array of class labels as text. ``y_score`` is an n x C array of the scores of one
        classifier, with columns in the order of ``study.classes``. The value must not depend on the
        order of the cases. Return ``float("nan")`` if the statistic is undefined in a resample.
        Weights and a mapping of functions are as in ``Study.bootstrap``.
    name : str, optional
        Name of the value of a function that returns a number; default: the name of the function.
    interval : {"bca", "percentile"}, default "bca"
        Method of the limits, as in ``Study.bootstrap``.
    reference : str, optional
        Classifier that all others are compared with: the rows are then paired differences,
        predictor minus reference, on the same resamples.
    null_value : float, optional
        Value of the null hypothesis of a two-sided test. With ``reference`` it is a difference, by
        default 0.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples; each is one call of the statistic for each classifier.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them. A
        statistic that uses random numbers needs a fixed seed.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.
    n_jobs : int, optional
        Number of processes that evaluate the statistic, as in ``Study.bootstrap``.

    Returns
    -------
    pandas.DataFrame
        The columns of ``Study.bootstrap``; ``n_pos`` and ``n_neg`` are NaN.

    Raises
    ------
    InputError
        As in ``Study.bootstrap``.

    Warns
    -----
    StatisticalWarning
        As in ``Study.bootstrap``.

    Notes
    -----
    The method is as in ``Study.bootstrap``. Each class is resampled separately, so that class sizes
    are constant. Do not use this method for a statistic that varies mainly with the mix of classes.
    Clusters are resampled as a whole, and a resample that lacks a class is repeated (note
    ``resamples-redrawn``).

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
    MULTICLASS_BOOTSTRAP.require_roles(sample)
    interval = require_choice("interval", interval, get_args(StatisticInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    pairs = _read_bootstrap_pairs(sample, reference)
    tested = _read_null_value(null_value, confidence_level, is_difference=reference is not None)
    plan, n_jobs = plan_draws(n_resamples, rng, progress), read_jobs(n_jobs)
    of_labels = _read_statistic(statistic, name)
    named = partial(_named_values_of_codes, of_labels, np.array(sample.classes))
    return _bootstrap_answer(
        MULTICLASS_BOOTSTRAP, sample, named, pairs, interval, tested, plan, n_jobs
    )


def _named_values_of_codes(
    of_labels: NamedStatistic, classes: Any, codes: IntArray, *arguments: Any
) -> dict[str, float]:
    """Return the values of a statistic of labels, from the numbers of classes."""
    return of_labels(classes[codes], *arguments)
