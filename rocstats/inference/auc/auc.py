"""The area under the ROC curve of each predictor, whole or partial, with its interval and test.

A = P(X > Y) + P(X = Y)/2 for a positive X and a negative Y. Variances and intervals are records of
``estimate`` (``AREA_VARIANCES``, ``AREA_INTERVALS``); this file decides which go together, and with
which roles of a study. A whole area has one row. A partial area has three, linear in the mean rate.
Predictors with a closed-form interval of whole areas are answered as columns, not row by row.
Derivations: docs/methods/areas.md, docs/methods/area-intervals.md and
docs/methods/partial-areas.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_choice
from rocstats.estimate import areas as estimates
from rocstats.estimate.answers import (
    BELOW_CHANCE,
    answer_many,
    answer_rows,
    class_sizes,
    lacks_class,
    rows_of,
    unanswered,
)
from rocstats.estimate.areas import (
    AREA_VARIANCES,
    Areas,
    AreaTest,
    AreaVariance,
    Inference,
    Variance,
    are_ranked,
    area_error,
    area_variance,
    estimate_area,
    infer,
    inferred_columns,
    range_columns,
    ranked_areas,
    read_area_test,
    size_codes,
    units_of,
    variance_name,
)
from rocstats.estimate.intervals import (
    AREA_INTERVALS,
    Area,
    AreaInterval,
    Interval,
    IntervalMethod,
    Role,
    Transformed,
    area_interval,
    default_interval,
    percentile,
)
from rocstats.estimate.quantiles import (
    Alternative,
    p_values,
    quantile,
    quantiles,
    upper_probability,
)
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_resamples,
    require_drawing,
)
from rocstats.estimate.resample_areas import AreaDraws, draw_mean_areas
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.tolerances import cleared
from rocstats.frame.question import AREA, BINNING_ERROR, TEST, HasRoles, Question, estimate_columns
from rocstats.study.base import row_codes
from rocstats.study.binned import is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, require_fold_classes
from rocstats.study.summed import SummedCases

AUC = Question(
    "auc",
    estimate_columns(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_resamples method note"
    ),
    ("delong-1988", "hanley-mcneil-1982", "newcombe-2006", "obuchowski-1997"),
    binned=True,
    advice={
        "few-cases": "that of auc(interval='effective-wilson') is closer to it",
        "few-cases-in-range": "those of auc(interval='effective-wilson') cover more",
    },
)


class AreaRequest(NamedTuple):
    """Variance, interval and test of an area; ``plan`` only if the interval is resampled."""

    variance: Variance
    interval: Interval
    test: AreaTest
    plan: ResamplePlan | None
    over: AreaRange | None

    @property
    def span(self) -> AreaRange:
        """The range of the area."""
        return self.over or FULL_RANGE

    def n_resamples_of(self, used: str) -> int:
        """Return the number of resamples behind the interval in use: 0 behind a closed form."""
        return self.plan.n_resamples if self.plan and area_interval(used).resampled else 0


def auc(
    sample: Sample,
    *,
    variance: Variance = "delong",
    interval: Interval | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the area under the ROC curve; a row is the AUC of one predictor (in one group).

    Parameters
    ----------
    variance : str, default "delong"
        Variance of the area. With clusters only "delong" and "ledell" are defined.

        - "delong": of the placements; Obuchowski's form with clusters, foldwise with folds.
        - "hanley-mcneil": from the AUC and the class sizes alone, exponential scores.
        - "hanley-mcneil-data": the same with Q1 and Q2 from the data.
        - "unbiased": Bamber's unbiased estimator.
        - "bootstrap": of infinitely many stratified resamples, in closed form.
        - "ledell": LeDell, Petersen & van der Laan's influence form; with folds only.
    interval : str, default "logit-t"
        The default is published; with a variance other than "delong" it is "logit".

        - "logit-t": with "delong" and Satterthwaite degrees of freedom; with clusters by kind, as
          they hold positives, negatives or both.
        - "logit", "wald", "probit": on that scale (wald: as it is), with any variance.
        - "newcombe", "hanley-mcneil-score": the variance at the limit; clusters enter as cases, no
          folds.
        - "exact": logit inside (0, 1), distribution-free at 0 and 1; no folds.
        - "effective-wilson": Wilson limits with an effective sample size, for few or unbalanced
          cases and partial areas; with "delong", no folds. Ours, simulated, not peer-reviewed.
        - "percentile": order statistics of resamples; the only one that carries weights.
        - "bca": the same, bias-corrected and accelerated.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, by the statistic that the interval inverts. To test
        against chance at small n, an exact rank test serves better than a null value of 0.5.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of a partial area: 0 <= low < high <= 1.
        A predictor then has three rows: ``partial_auc``, ``partial_auc_standardized`` (McClish) and
        ``mean_tpr`` (over a range of sensitivities ``mean_tnr``, the mean specificity);
        ``null_value`` is a mean rate. Only with variance "delong" and its intervals, or resampled.
    n_resamples : int >= 100, default 2000
        Number of resamples of "percentile" and "bca".
    stratified : bool, optional
        Whether each class is resampled apart (default); not with clusters, which are drawn whole.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, n_resamples, method, note``.

    Raises
    ------
    InputError
        If a word is unknown, a pair makes no sense, a role cannot be honoured, or a fold lacks a
        class.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``: ``auc-at-boundary``, ``few-cases`` and so on.

    Notes
    -----
    Estimate: A = P(X > Y) + P(X = Y)/2 over all pairs of a positive X and a negative Y, the
    Wilcoxon-Mann-Whitney statistic with mid-ranks. DeLong: Var = S10/m + S01/n, the sample
    variances of the placements. Default interval: expit(logit A -+ t se/(A(1 - A))), t of
    (a + b)^2/(a^2/(m - 1) + b^2/(n - 1)) degrees of freedom, a = S10/m, b = S01/n.

    Where the variance is 0 or undefined (A of 0 or 1, a class with one case), limits come from
    Newcombe's method 5, whatever ``interval`` says, and ``method`` and ``note`` say so: no interval
    has zero width. Under ``sample_weight`` only "percentile" gives an interval, and its standard
    error is that of the resamples. A group that lacks a class has a row of NaN.

    Percentile limits are the order statistics ceil((B + 1) p) and B + 1 - ceil((B + 1) p) of the B
    resampled areas; BCa limits those at Phi(z0 + (z0 + z)/(1 - a (z0 + z))). Where both limits
    are the same draw, as with tied scores at a low level, they are the next draws on either side.
    Neither rescues an area near 1 at small n. Beyond 100 000 cases with as many scores, blocks of
    neighbouring scores are resampled, and the note ``blocked-resamples`` says by what share the
    spread falls short.

    A partial area is the integral of the curve over the range, exact through steps and ties; its
    variance is DeLong's with each case's share of the part in place of its placement. Intervals are
    made for the mean rate p = area/width, and carried over: 1/2 (1 + (area - c)/(width - c)) is the
    standardised area, c the part under the diagonal; under it, it is below 1/2 and reported so. At
    the left edge the empirical area is biased up a little.

    Assumes independent cases (independent clusters with ``cluster=``). With folds the target is
    the average performance of the fitted models, not of the learning algorithm. Not for scores of
    a model on its own training data.

    "ledell" averages squared influence values over folds, without a factor for small samples: it
    covers less than the default when folds hold few cases (note ``few-cases-per-fold`` below 10 of
    a class). In repeated cross-validation (rows repeated, fold labels unique to each repeat,
    ``cluster=`` the case) each case's influence is averaged over repeats first, which is ours and
    not in the paper.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988), equations 4-6 [delong-1988]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Bamber (1975) [bamber-1975]
    - Newcombe (2006), method 5 [newcombe-2006]
    - McClish (1989), for partial areas [mcclish-1989]
    - Obuchowski (1997) [obuchowski-1997]
    - LeDell, Petersen & van der Laan (2015) [ledell-2015]
    - Bandos, Rockette & Gur (2007) [bandos-2007]
    - Fawcett (2004), section 5 [fawcett-2004]

    Examples
    --------
    The CT ratings of Hanley & McNeil (1982), whose standard error they print as 0.032:

    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.auc(variance="hanley-mcneil", interval="wald")[["estimate", "se"]].round(3)
       estimate     se
    0     0.893  0.032
    """
    AUC.refuse_covariates(sample)
    over = read_range(fpr_range, tpr_range)
    variance = require_choice("variance", variance, [record.word for record in AREA_VARIANCES])
    interval = default_interval(variance) if interval is None else interval
    interval = require_combination(sample, variance, interval, over or FULL_RANGE)
    test = read_area_test(confidence_level, alternative, null_value)
    require_drawing(n_resamples, rng, progress, stratified)
    plan = None
    if area_interval(interval).resampled:
        plan = plan_resamples(sample, n_resamples, stratified, rng, progress)
    request = AreaRequest(variance, interval, test, plan, over)
    if can_be_columns(sample, request):
        return area_columns(AUC, sample, request)
    rows = rows_of(sample, lambda part, g, k: area_rows(AUC, part, g, k, request))
    return answer_rows(AUC, sample, rows, plan)


# --- Variance, interval and roles that go together ------------------------------------------------


def require_combination(
    cases: HasRoles, variance: Variance, interval: Interval, over: AreaRange = FULL_RANGE
) -> Interval:
    """Return the interval; raise InputError unless it goes with variance, roles and range."""
    interval = require_choice("interval", interval, [record.word for record in AREA_INTERVALS])
    spread, limits = area_variance(variance), area_interval(interval)
    partial = over != FULL_RANGE
    if spread.needs_folds and cases.fold is None:
        raise InputError(
            f"`variance` must not be {variance!r} when the study has no folds, over which it"
            f" averages; got {variance!r}. Pass fold= to the study, or leave `variance` out."
        )
    # logit-t and effective sizes need the components of DeLong's variance, not only its sum.
    if limits.variances and variance not in limits.variances:
        words = _listed(limits.variances)
        raise InputError(
            f"`interval` {interval!r} must go with variance {words}, of which it takes the parts;"
            f" got {variance!r}. Use interval='logit', or variance={limits.variances[0]!r}."
        )
    if cases.cluster is not None and not spread.clustered:
        able = _variances(lambda record: record.clustered != "")
        raise InputError(
            f"`variance` must be {able} when the study has clusters (it becomes Obuchowski's);"
            f" got {variance!r}. Leave `variance` out."
        )
    # Weights before ranges and folds: only "percentile" carries them, and it takes those too.
    if cases.sample_weight is not None:
        _require_role(limits, "weights")
    if partial and not spread.partial:
        able = _variances(lambda record: record.partial)
        raise InputError(
            f"`variance` must be {able} for a partial area; got {variance!r}. Leave `variance` out."
        )
    if partial:
        _require_role(limits, "partial")
    if partial and cases.cluster is not None:
        _require_role(limits, "clustered-partial")
    if cases.fold is not None:
        _require_role(limits, "folds")
    return interval


def _require_role(interval: AreaInterval, role: Role) -> None:
    """Raise InputError where an interval refuses a role; name those that take it."""
    refusal = interval.refuses.get(role)
    if refusal is None:
        return
    why = f", {refusal.why}" if refusal.why else ""
    able = [record.word for record in AREA_INTERVALS if _takes(record, role)]
    instead = f"interval={able[0]!r}" if len(able) == 1 else _listed(able)
    raise InputError(f"`interval` {refusal.must}; got {interval.word!r}{why}. Use {instead}.")


def _takes(interval: AreaInterval, role: Role) -> bool:
    """Return whether to advise an interval for a role.

    Weights have resampled limits only; over folds a closed form spares the resamples.
    """
    # A role without an entry is a KeyError: a new role must choose its advice.
    advised = {
        "weights": interval.resampled,
        "folds": not interval.resampled,
        "partial": True,
        "clustered-partial": "partial" not in interval.refuses,
    }
    return advised[role] and role not in interval.refuses


def _variances(able: Callable[[AreaVariance], bool]) -> str:
    """Return the variances of any study that are able to do something."""
    return _listed([one.word for one in AREA_VARIANCES if able(one) and not one.needs_folds])


def _listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "'logit', 'wald' or 'bca'"."""
    *head, last = [repr(word) for word in words]
    return f"{', '.join(head)} or {last}" if head else last


# --- Rows: one for a whole area, three for a partial one ------------------------------------------


def area_rows(
    question: Question, sample: Sample, g: int, k: int, request: AreaRequest
) -> list[dict[str, Any]]:
    """Return the row of a whole area, or the three rows of a partial one."""
    row = _area_row(question, sample, g, k, request)
    if request.over is None:
        return [{**row, **FULL_AREA}]
    over = request.over
    return [
        {**row, **range_columns(over), "quantity": quantity, **_rescaled(row, offset, scale)}
        for quantity, offset, scale in over.quantities()
    ]


def _area_row(
    question: Question, sample: Sample, g: int, k: int, request: AreaRequest
) -> dict[str, Any]:
    row = {**request.test.columns(), **class_sizes(sample), "n_resamples": 0}
    if lacks_class(sample):
        return unanswered(question, row, ["one-class", *row_codes(sample)])
    require_fold_classes(sample)
    if sample.sample_weight is not None and request.plan is None:
        value = estimates.weighted_area(sample.cases, k, np.nan, request.span).value
        # A sum of weights is no number of cases: no closed-form variance is valid for it.
        codes = ["weights-need-bootstrap", *row_codes(sample)]
        return unanswered(question, {**row, "estimate": value}, codes)
    return {**row, **_with_interval(sample, g, k, request)}


def _with_interval(sample: Sample, g: int, k: int, request: AreaRequest) -> dict[str, Any]:
    weighted = sample.sample_weight is not None
    # The stream is keyed by the places of group and predictor, so that a predictor has the same
    # draws whatever other predictors the study has.
    with enough_valid_resamples():
        plan = request.plan
        draws = draw_mean_areas(sample.cases, k, plan.at(g), request.span) if plan else None
    estimate, span = _estimate(sample, k, request, draws), request.span
    resampled, codes = _resampled(sample, k, request, estimate, draws)
    inference = request.test.infer(estimate, request.interval, resampled)
    variance = "resamples" if weighted else estimates.variance_name(sample.cases, request.variance)
    return {
        **inferred_columns(estimate, inference),
        BINNING_ERROR: area_error(sample, k, span),
        "n_resamples": request.n_resamples_of(inference.method),
        "method": f"{variance}/{inference.method}",
        "note": [
            *inference.codes,
            *codes,
            *estimates.range_codes(sample.cases, k, request.span),
            *estimates.size_codes(sample.cases, request.variance, unequal=True),
            *row_codes(sample),
        ],
    }


def _estimate(sample: Sample, k: int, request: AreaRequest, draws: AreaDraws | None) -> Area:
    """Return the area with its variance: under weights, that of the resamples."""
    if sample.sample_weight is not None and draws is not None:
        variance = cleared(float(np.var(draws.values, ddof=1)))
        return estimates.weighted_area(sample.cases, k, variance, request.span)
    # Only effective sample sizes need the spread; other intervals are spared its cost.
    spread = area_interval(request.interval).needs_spread
    return estimates.estimate_area(sample.cases, k, request.variance, request.span, spread=spread)


def _resampled(
    sample: Sample, k: int, request: AreaRequest, estimate: Area, draws: AreaDraws | None
) -> tuple[IntervalMethod | None, tuple[str, ...]]:
    """Return the method of a resampled interval and the notes of its draws."""
    from_draws = area_interval(request.interval).from_draws
    if draws is None or from_draws is None:
        return None, ()
    method = from_draws(draws.values, sample.cases, k, estimate.value, request.span)
    if method is None:
        # BCa's z0 is infinite where all draws lie on one side of the estimate: percentile limits
        # replace it. Where there is no variance either, another note says that nothing varies.
        codes = ("infinite-bias",) if estimate.variance > 0 else ()
        return percentile(draws.values), (*codes, *draws.notes)
    return method, draws.notes


def _rescaled(row: dict[str, Any], offset: float, scale: float) -> dict[str, Any]:
    # Limits are made once, for the mean rate. Every quantity of a range is linear in that rate, so
    # that its limits are the images of those limits (equivariance), and the test is the same.
    places = ("estimate", "ci_low", "ci_high", "null_value")
    sizes = ("se", BINNING_ERROR)
    return {
        **{name: offset + scale * row[name] for name in places},
        **{name: scale * row[name] for name in sizes},
        "ends": (offset, offset + scale),
    }


# --- Limits and tests of many areas, as arrays ----------------------------------------------------

# Limits of so many areas cost less one by one than as arrays, whose cost is that of the calls.
_MOST_ONE_BY_ONE = 3


class Inferences(NamedTuple):
    """The numbers of ``Inference``, an array each.

    ``odd`` has the inferences made one by one, with their method and notes; all other rows have the
    requested method and no notes.
    """

    ci_low: FloatArray
    ci_high: FloatArray
    statistic: FloatArray
    df: FloatArray
    p_value: FloatArray
    odd: dict[int, Inference]


def has_limits_of_many(interval: Interval) -> bool:
    """Return whether the limits of many areas can be made at once."""
    return isinstance(area_interval(interval).method, Transformed)


def all_areas(cases: ScoredCases, variance: Variance) -> Areas:
    """Return the areas of all predictors with a variance by name."""
    if variance == "delong" and are_ranked(cases):
        return ranked_areas(cases)
    each = [estimate_area(cases, k, variance, spread=False)[:3] for k in range(cases.n_predictors)]
    value, spread, df = np.array(each).T
    return Areas(value, spread, df, *units_of(cases))


def infer_many(
    areas: Areas,
    interval: Interval,
    *,
    confidence_level: float,
    alternative: Alternative,
    null_value: float,
) -> Inferences:
    """Return limits and tests of many areas, each those of ``infer``.

    The interval must be one that ``has_limits_of_many``.
    """
    test = (confidence_level, alternative, null_value)
    if len(areas.value) <= _MOST_ONE_BY_ONE:
        each = {k: _infer_one(areas.at(k), interval, *test) for k in range(len(areas.value))}
        low, high, statistic, df, p = np.array([found[:5] for found in each.values()]).T
        return Inferences(low, high, statistic, df, p, each)
    # "> 0" takes NaN, the variance of a class with one case, for none (``lacks_variance``).
    usual = (areas.value > 0) & (areas.value < 1) & (areas.variance > 0)
    numbers = _numbers(areas.take(usual), interval, *test) if usual.any() else np.empty((5, 0))
    return _with_odd(areas, interval, test, usual, numbers)


def _infer_one(
    area: Area, interval: Interval, level: float, alternative: Alternative, null_value: float
) -> Inference:
    return infer(
        area,
        interval,
        confidence_level=level,
        alternative=alternative,
        null_value=null_value,
    )


def _numbers(
    kept: Areas,
    interval: Interval,
    confidence_level: float,
    alternative: Alternative,
    null_value: float,
) -> FloatArray:
    """Return the rows of ``Inferences`` of areas with a variance."""
    method = area_interval(interval).method
    if not isinstance(method, Transformed):
        raise ValueError(f"the interval {interval!r} has no limits of many areas at once")
    df = kept.df if method.student else np.full(len(kept.value), np.inf)
    p = upper_probability(confidence_level, alternative)
    q = quantiles(p, df) if method.student else quantile(p, np.inf)
    place = kept.value, kept.variance
    low = np.zeros(len(df)) if alternative == "less" else method.limit_of(*place, -q)
    high = np.ones(len(df)) if alternative == "greater" else method.limit_of(*place, q)
    numbers = np.full((5, len(df)), np.nan)
    numbers[:2] = low, high
    # NaN differs from itself: no null value, no test.
    if null_value == null_value:
        statistic = method.statistic_of(*place, null_value)
        numbers[2:] = statistic, df, p_values(statistic, df, alternative)
    return numbers


def _with_odd(
    areas: Areas,
    interval: Interval,
    test: tuple[float, Alternative, float],
    usual: BoolArray,
    numbers: FloatArray,
) -> Inferences:
    """Return the numbers of all areas, those that are not usual inferred one by one."""
    rows = np.flatnonzero(~usual).tolist()
    # Many predictors that separate the same cases have few different areas.
    of_value: dict[tuple[float, float], Inference] = {}
    odd: dict[int, Inference] = {}
    columns = np.empty((len(numbers), len(usual)))
    columns[:, usual] = numbers
    for k in rows:
        area = areas.at(k)
        # One NaN: it is found again by its identity, as it does not equal itself.
        key = (area.value, np.nan if np.isnan(area.variance) else area.variance)
        if key not in of_value:
            of_value[key] = _infer_one(area, interval, *test)
        odd[k] = of_value[key]
        columns[:, k] = of_value[key][: len(numbers)]
    low, high, statistic, df, p = columns
    return Inferences(low, high, statistic, df, p, odd)


# --- Columns: all predictors at once --------------------------------------------------------------

_BELOW_CHANCE_RULE = ("delong", "logit-t", 0.95, "two-sided")


def can_be_columns(sample: Sample, request: AreaRequest) -> bool:
    """Return whether the areas of all predictors can be made at once."""
    return (
        request.over is None
        and sample.sample_weight is None
        and sample.own_dropped is None
        # Bins have a bound a row; cases known by sums have no rows to be sorted.
        and not is_binned(sample)
        and not isinstance(sample.all_cases, SummedCases)
        and has_limits_of_many(request.interval)
    )


def area_columns(question: Question, sample: Sample, request: AreaRequest) -> pd.DataFrame:
    """Return the frame of the areas of all predictors in all groups."""
    parts = []
    notes: list[tuple[str, ...]] = []
    for group, part in sample.by_group():
        columns, codes = _group_columns(question, part, request)
        parts.append({"predictor": list(sample.predictors), "group": group, **columns})
        notes += codes
    names = [name for name in question.columns if name != "note"]
    if len(parts) == 1:
        columns = {name: parts[0][name] for name in names}
        return answer_many(question, sample, columns, notes)
    n_rows = len(sample.predictors)
    columns = {
        name: _stacked([_full_column(part[name], n_rows) for part in parts]) for name in names
    }
    return answer_many(question, sample, columns, notes)


def _group_columns(
    question: Question, sample: Sample, request: AreaRequest
) -> tuple[dict[str, Any], list[tuple[str, ...]]]:
    """Return the columns of one group, a scalar for what all rows share, and their codes."""
    row = {**request.test.columns(), **class_sizes(sample), "n_resamples": 0}
    n_rows = len(sample.predictors)
    if lacks_class(sample):
        row = unanswered(question, row, ["one-class", *row_codes(sample)])
        return {**row, **FULL_AREA}, [tuple(row["note"])] * n_rows
    require_fold_classes(sample)
    areas = all_areas(sample.cases, request.variance)
    found = infer_many(areas, request.interval, **request.test._asdict())
    name = variance_name(sample.cases, request.variance)
    methods = [f"{name}/{request.interval}"] * n_rows
    shared = (*size_codes(sample.cases, request.variance, unequal=True), *row_codes(sample))
    # One tuple for all rows alike: notes are then written once.
    kinds = (shared, (*shared, BELOW_CHANCE))
    below = _below_chance(sample, areas, found, request).tolist()
    notes = [kinds[each] for each in below]
    for k, inference in found.odd.items():
        methods[k] = f"{name}/{inference.method}"
        notes[k] = (*inference.codes, *notes[k])
    numbers = {name: getattr(found, name) for name in found._fields[:-1]}
    estimates = {"estimate": areas.value, "se": np.sqrt(areas.variance), **numbers}
    return {**row, **FULL_AREA, **estimates, "method": methods}, notes


def _below_chance(
    sample: Sample, areas: Areas, found: Inferences, request: AreaRequest
) -> BoolArray:
    """Return which predictors have an upper .95 limit below .5, as ``direction_codes`` says."""
    test = request.test
    if request.variance != "delong":
        areas = all_areas(sample.cases, "delong")
    below = areas.value < 0.5
    if (request.variance, request.interval, *test[:2]) == _BELOW_CHANCE_RULE:
        return np.asarray(below & (found.ci_high < 0.5))
    rows = np.flatnonzero(below)
    if len(rows):
        usual = AreaTest(0.95, "two-sided", np.nan)
        below[rows] = infer_many(areas.take(rows), "logit-t", **usual._asdict()).ci_high < 0.5
    return below


def _full_column(values: Any, n_rows: int) -> Any:
    """Return a column of all rows, of texts as a list."""
    if isinstance(values, str):
        return [values] * n_rows
    return values if isinstance(values, (list, np.ndarray)) else np.full(n_rows, float(values))


def _stacked(columns: list[Any]) -> Any:
    """Return the columns of several groups below each other."""
    if isinstance(columns[0], list):
        return [text for column in columns for text in column]
    return np.concatenate(columns)
