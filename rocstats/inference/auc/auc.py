"""The area under the ROC curve of each predictor, whole or partial: interval, test, resamples.

A = P(X > Y) + P(X = Y)/2 for a positive X and a negative Y. Variances and intervals are records of
``estimate`` (``AREA_VARIANCES``, ``AREA_INTERVALS``); this file decides which go together, and with
which roles of a study. A whole area has one row. A partial area has three, linear in the mean rate.
All predictors of the same cases are answered at once, as columns. ``auc_draws`` has the resampled
areas themselves. Derivations: docs/methods/areas.md, docs/methods/area-intervals.md and
docs/methods/partial-areas.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import (
    BELOW_CHANCE,
    DIRECTION_TEST,
    answer_columns,
    answer_row_without_result,
    answerable_predictors,
    class_size_columns,
    lacks_class,
    predictors_below_chance,
    stacked_curve_columns,
)
from rocstats.estimate.areas import (
    AREA_VARIANCES,
    AreaTest,
    AreaVariance,
    Variance,
    area_errors_of_binned_scores,
    area_range_columns,
    area_variance,
    estimate_areas,
    infer_areas,
    range_codes,
    read_area_test,
    size_codes,
    variance_name,
    weighted_sample_areas,
)
from rocstats.estimate.estimate import Results
from rocstats.estimate.intervals import (
    AREA_INTERVALS,
    Area,
    AreaInterval,
    Interval,
    RefusedRole,
    area_interval,
    default_area_interval,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_resamples,
    require_drawing,
)
from rocstats.estimate.resample_areas import draw_areas, draw_mean_areas
from rocstats.facts.arrays import BoolArray
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.make import note_column, warn_of_doubts
from rocstats.frame.question import AREA, BINNING_ERROR, TEST, HasRoles, Question, estimate_columns
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.binned import is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, own_sample, require_fold_classes

AUC = Question(
    "auc",
    estimate_columns(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_resamples method note"
    ),
    ("delong-1988", "hanley-mcneil-1982", "newcombe-2006", "obuchowski-1997"),
    binned=True,
    advice={
        "few-cases": "auc(interval='effective-wilson') has coverage closer to its level",
        "few-cases-in-range": "limits of auc(interval='effective-wilson') have higher coverage",
        "weights-need-bootstrap": "auc(interval='percentile', rng=1) resamples the cases with their"
        " weights",
    },
)


class AreaRequest(NamedTuple):
    """Variance, interval and test of areas; ``plan`` only if the interval is resampled.

    ``binned`` says that scores are known up to bins only.
    """

    variance: Variance
    interval: Interval
    test: AreaTest
    plan: ResamplePlan | None
    over: AreaRange | None
    binned: bool

    @property
    def span(self) -> AreaRange:
        """The range of the area."""
        return self.over or FULL_RANGE


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
        Variance of the area. Studies with clusters can use "delong" and "ledell" only.

        - "delong": DeLong's variance, from the placements. With clusters, Obuchowski's form is
          used. With folds, the variance is computed in each fold.
        - "hanley-mcneil": from the AUC and the class sizes only; assumes exponential scores.
        - "hanley-mcneil-data": the same formula, but its terms Q1 and Q2 are estimated from the
          data.
        - "unbiased": Bamber's unbiased estimator.
        - "bootstrap": the variance that infinitely many stratified resamples would give; a formula
          computes it.
        - "ledell": influence form of LeDell, Petersen & van der Laan; with folds only.
    interval : str, default "logit-t"
        Method of the limits. With a variance other than "delong" the default is "logit". All
        methods are published, except "effective-wilson".

        - "logit-t": t limits on the logit scale, with Satterthwaite's degrees of freedom; needs the
          variance "delong". In the degrees of freedom, clusters of three kinds count separately:
          with positives only, with negatives only, and with both classes.
        - "logit", "probit": normal limits on the logit or probit scale, with any variance.
        - "wald": normal limits of the area itself, with any variance.
        - "newcombe", "hanley-mcneil-score": score limits, whose variance is computed at the limit.
          Unavailable with folds. Each cluster counts as one case.
        - "exact": logit limits for areas between 0 and 1, and distribution-free limits for areas of
          0 or 1. Unavailable with folds.
        - "effective-wilson": Wilson limits with an effective sample size. Choose it for few cases,
          classes of unequal size and partial areas. It needs the variance "delong" and is
          unavailable with folds. This method is not published elsewhere. It was tested in
          simulations, but is not peer-reviewed.
        - "percentile": order statistics of resamples; the only interval for weighted cases.
        - "bca": order statistics with corrections for bias and skewness (BCa).
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests AUC > ``null_value`` and gives a one-sided lower limit; the upper limit is
        1. "less" tests AUC < ``null_value`` and gives a one-sided upper limit.
    null_value : float in (0, 1), optional
        Performance goal to test against. The test and the interval agree. To test against chance in
        small samples, use ``versus_random`` instead of ``null_value=0.5``.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of a partial area: 0 <= low < high <= 1.
        Each predictor then has three rows: ``partial_auc``, ``partial_auc_standardized`` (McClish)
        and ``mean_tpr``. For a range of sensitivities, ``mean_tnr`` (mean specificity) replaces
        ``mean_tpr``. ``null_value`` is then a value of the mean rate. Partial areas need
        ``variance="delong"`` with one of its intervals, or the interval "percentile" or "bca".
    n_resamples : int >= 100, default 2000
        Number of resamples of "percentile" and "bca".
    stratified : bool, optional
        Whether each class is resampled separately (default). Unavailable with clusters, because
        clusters are resampled as a whole.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, n_resamples, method, note``.

    Raises
    ------
    InputError
        If an option is unknown; if ``variance`` and ``interval`` cannot be combined; if the method
        does not support weights, clusters or folds; or if a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``, for example ``auc-at-boundary`` and
        ``few-cases``.

    Notes
    -----
    Let X be the score of a positive and Y the score of a negative. The estimate is A = P(X > Y) +
    P(X = Y)/2 over all pairs. This is the Wilcoxon-Mann-Whitney statistic with mid-ranks. The
    placement of a case is the share of cases of the other class that are ranked correctly against
    this case. DeLong's variance is S10/m + S01/n for m positives and n negatives. S10 and S01 are
    the sample variances of the placements of positives and of negatives. The default interval is
    expit(logit A -+ t se/(A(1 - A))). The quantile t has (a + b)^2/(a^2/(m - 1) + b^2/(n - 1))
    degrees of freedom with a = S10/m and b = S01/n.

    The variance is 0 or undefined if A is 0 or 1, or if a class has one case. Newcombe's method 5
    then replaces the requested interval. ``method`` and ``note`` record this replacement. No
    interval has zero width. With ``sample_weight`` only "percentile" gives an interval. The
    standard error is then the standard deviation of the resampled areas. A group that lacks a class
    has a row of NaN.

    Percentile limits are the order statistics ceil((B + 1) p) and B + 1 - ceil((B + 1) p) of the B
    resampled areas. For a two-sided interval p = (1 - ``confidence_level``)/2. BCa limits use
    Phi(z0 + (z0 + z)/(1 - a (z0 + z))) instead of p. Here z is the normal quantile, z0 corrects the
    bias, and a corrects the skewness. Tied scores and a low level can make both limits the same
    resampled area. The next areas on either side then replace them. "percentile" and "bca" are not
    reliable for an area near 1 in a small sample. Whole areas of more than 100 000 cases with more
    than 5000 distinct scores are resampled in blocks of neighbouring scores. The standard deviation
    is then slightly too small; the note ``blocked-resamples`` states the amount.

    A partial area is the integral of the curve over the range. It is exact for steps and ties. Its
    variance is DeLong's, with placements restricted to the range. Limits are computed for the mean
    rate, which is the partial area divided by the width of the range. These limits are transformed
    to the other two rows. The standardised area is 1/2 (1 + (area - c)/(width - c)), where c is the
    area under the diagonal in the range. The standardised area is below 1/2 for a curve below the
    diagonal. At the left end of the curve the empirical partial area is slightly too large on
    average.

    The variance assumes independent cases, or independent clusters if the study has clusters. With
    folds, the target is the average performance of the fitted models. It is not the performance of
    the learning algorithm. Do not use the method for scores of a model on its training data.

    "ledell" averages squared influence values over folds, without a correction for small samples.
    If folds have few cases, its coverage is lower than the coverage of "delong". Folds with under
    10 cases of a class have a note (``few-cases-per-fold``). For repeated cross-validation, repeat
    the rows, give each repeat separate fold labels, and pass ``cluster=`` with the label of the
    case. The influence of each case is then first averaged over the repeats. This averaging is our
    extension of the paper.

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
    Hanley & McNeil (1982) give a standard error of 0.032 for these CT ratings:

    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.auc(variance="hanley-mcneil", interval="wald")[["estimate", "se"]].round(3)
       estimate     se
    0     0.893  0.032
    """
    AUC.refuse_covariates(sample)
    over = read_range(fpr_range, tpr_range)
    variance = require_choice("variance", variance, [record.word for record in AREA_VARIANCES])
    interval = default_area_interval(variance) if interval is None else interval
    interval = _require_variance_with_interval(sample, variance, interval, over or FULL_RANGE)
    test = read_area_test(confidence_level, alternative, null_value)
    require_drawing(n_resamples, rng, progress, stratified)
    plan = None
    if area_interval(interval).resampled:
        plan = plan_resamples(sample, n_resamples, stratified, rng, progress)
    request = AreaRequest(variance, interval, test, plan, over, is_binned(sample))
    columns = _predictor_columns(sample, request)
    columns["note"] = note_column(columns["note"], warned_doubts(sample), AUC.advice)
    return answer_columns(AUC, sample, columns, plan)


# --- Variance, interval and roles that go together ------------------------------------------------


def _require_variance_with_interval(
    cases: HasRoles, variance: Variance, interval: Interval, over: AreaRange = FULL_RANGE
) -> Interval:
    """Return the interval; raise InputError unless it goes with variance, roles and range."""
    interval = require_choice("interval", interval, [record.word for record in AREA_INTERVALS])
    spread, limits = area_variance(variance), area_interval(interval)
    partial = over != FULL_RANGE
    if spread.needs_folds and cases.fold is None:
        raise InputError(
            f"`variance` must not be {variance!r} when the study has no folds (this variance"
            f" averages over folds); got {variance!r}. Pass fold= to the study, or leave `variance`"
            " out."
        )
    # logit-t and effective sizes need the components of DeLong's variance, not only its sum.
    if limits.variances and variance not in limits.variances:
        words = _list_words_of_choices(limits.variances)
        raise InputError(
            f"`interval` {interval!r} must be used with variance {words} (the interval uses parts"
            f" of this variance); got {variance!r}. Use interval='logit', or"
            f" variance={limits.variances[0]!r}."
        )
    if cases.cluster is not None and not spread.clustered:
        able = _list_variances(lambda record: record.clustered != "")
        raise InputError(
            f"`variance` must be {able} when the study has clusters (it then becomes Obuchowski's"
            f" variance); got {variance!r}. Leave `variance` out."
        )
    # Weights before ranges and folds: only "percentile" carries them, and it takes those too.
    if cases.sample_weight is not None:
        _refuse_interval_for_role(limits, "weights")
    if partial and not spread.partial:
        able = _list_variances(lambda record: record.partial)
        raise InputError(
            f"`variance` must be {able} for a partial area; got {variance!r}. Leave `variance` out."
        )
    if partial:
        _refuse_interval_for_role(limits, "partial")
    if partial and cases.cluster is not None:
        _refuse_interval_for_role(limits, "clustered-partial")
    if cases.fold is not None:
        _refuse_interval_for_role(limits, "folds")
    return interval


def _refuse_interval_for_role(interval: AreaInterval, role: RefusedRole) -> None:
    """Raise InputError where an interval refuses a role; name those that take it."""
    refusal = interval.refuses.get(role)
    if refusal is None:
        return
    why = f", {refusal.why}" if refusal.why else ""
    able = [record.word for record in AREA_INTERVALS if _is_advised(record, role)]
    instead = f"interval={able[0]!r}" if len(able) == 1 else _list_words_of_choices(able)
    raise InputError(f"`interval` {refusal.must}; got {interval.word!r}{why}. Use {instead}.")


def _is_advised(interval: AreaInterval, role: RefusedRole) -> bool:
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


def _list_variances(able: Callable[[AreaVariance], bool]) -> str:
    """Return the variances of any study that are able to do something."""
    return _list_words_of_choices(
        [one.word for one in AREA_VARIANCES if able(one) and not one.needs_folds]
    )


def _list_words_of_choices(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "'logit', 'wald' or 'bca'"."""
    *head, last = [repr(word) for word in words]
    return f"{', '.join(head)} or {last}" if head else last


# --- Columns: a row for a whole area, three for a partial one -------------------------------------

_Columns = dict[str, Any]
"""Columns by name: an entry for each row, or one for all."""


def _predictor_columns(sample: Sample, request: AreaRequest) -> _Columns:
    """Return the columns of all predictors in all groups."""
    pieces = []
    for g, (group, part) in enumerate(sample.by_group()):
        everyone = range(len(part.predictors))
        # Predictors that do not share all cases are samples of their own.
        samples = [(part, everyone)]
        if part.own_dropped is not None:
            samples = [(own_sample(part, k), everyone[k : k + 1]) for k in everyone]
        for scored, predictors in samples:
            names = [sample.predictors[k] for k in predictors]
            columns = {
                "predictor": names,
                "group": group,
                **_columns_of_same_cases(scored, g, predictors, request),
            }
            pieces.append(_with_rows_of_area_range(columns, request))
    if len(pieces) == 1:
        return pieces[0]
    return {
        name: _stack_area_column_pieces([_full_column(piece, name) for piece in pieces])
        for name in pieces[0]
    }


def _columns_of_same_cases(
    part: Sample, g: int, predictors: Sequence[int], request: AreaRequest
) -> _Columns:
    """Return the columns of predictors of the same cases."""
    row = {**request.test.columns(), **class_size_columns(part), "n_resamples": 0}
    if lacks_class(part):
        reason = "one-class"
    else:
        require_fold_classes(part)
        if part.sample_weight is None or request.plan is not None:
            return {**row, **_interval_columns(part, g, predictors, request)}
        # A sum of weights is no number of cases: no closed-form variance is valid for it.
        reason = "weights-need-bootstrap"
        row["estimate"] = weighted_sample_areas(part.cases, predictors, np.nan, request.span).value
    notes = (reason, *sample_notes(part))
    return {
        **answer_row_without_result(AUC, row, notes),
        BINNING_ERROR: np.full(len(predictors), np.nan),
        "note": [notes] * len(predictors),
    }


def _interval_columns(
    part: Sample, g: int, predictors: Sequence[int], request: AreaRequest
) -> _Columns:
    """Return the estimates, limits, tests and notes of predictors of the same cases."""
    cases, plan, span = part.cases, request.plan, request.span
    record, name = area_interval(request.interval), variance_name(part.cases, request.variance)
    draws, draw_notes = np.empty(0), list[tuple[str, ...]]()
    if plan is not None:
        # The stream is keyed by the places of group and predictor, so that a predictor has the
        # same draws whatever other predictors the study has.
        with enough_valid_resamples():
            drawn = [draw_mean_areas(cases, k, plan.at(g), span) for k in predictors]
        draws = np.array([each.values for each in drawn])
        draw_notes = [each.notes for each in drawn]
    if part.sample_weight is not None:  # the variance is that of the resamples
        name = "resamples"
        areas = weighted_sample_areas(cases, predictors, np.var(draws, axis=1, ddof=1), span)
    else:
        # Only effective sample sizes need the spread; other intervals are spared its cost.
        spread = record.needs_spread
        areas = estimate_areas(cases, predictors, request.variance, span, spread=spread)
    method = None
    if record.from_draws is not None:
        method, plain = record.from_draws(draws, cases, predictors, areas.value, span)
        # Percentiles replace limits of infinite bias. Where there is no variance either, another
        # note says that nothing varies.
        for k in np.flatnonzero(plain & (areas.variance > 0)):
            draw_notes[k] = ("infinite-bias", *draw_notes[k])
    found = infer_areas(areas, request.interval, request.test, method)
    words = dict.fromkeys(found.method)
    names = [f"{name}/{word}" for word in (words if len(words) == 1 else found.method)]
    columns = {
        **found.columns(),
        BINNING_ERROR: area_errors_of_binned_scores(part, predictors, span)
        if request.binned
        else 0.0,
        "method": names[0] if len(words) == 1 else names,
        "note": _area_notes(part, predictors, request, areas, found, draw_notes),
    }
    if plan is not None:
        # An area without a variance has Newcombe's limits instead: no resamples then.
        resampled = [word == request.interval for word in found.method]
        columns["n_resamples"] = np.where(resampled, plan.n_resamples, 0)
    return columns


def _area_notes(
    part: Sample,
    predictors: Sequence[int],
    request: AreaRequest,
    areas: Area,
    found: Results,
    draw_notes: Sequence[tuple[str, ...]],
) -> list[tuple[str, ...]]:
    """Return the notes on each area: on its limits, its draws, its range, and on the cases."""
    cases, notes = part.cases, found.codes
    if draw_notes:
        notes = [(*of_area, *drawn) for of_area, drawn in zip(notes, draw_notes, strict=True)]
    if not request.span.full:
        notes = [
            (*of_area, *range_codes(cases, k, request.span))
            for of_area, k in zip(notes, predictors, strict=True)
        ]
    shared = (*size_codes(cases, request.variance, unequal=True), *sample_notes(part))
    # One tuple for all rows alike: notes are then written once.
    kinds = (shared, (*shared, BELOW_CHANCE))
    below = _are_below_chance(cases, predictors, request, areas, found).tolist()
    return [
        (*of_area, *kinds[b]) if of_area else kinds[b]
        for of_area, b in zip(notes, below, strict=True)
    ]


def _are_below_chance(
    cases: ScoredCases, predictors: Sequence[int], request: AreaRequest, areas: Area, found: Results
) -> BoolArray:
    """Return which predictors have an upper .95 limit of the whole area below .5."""
    whole = areas if request.variance == "delong" and request.over is None else None
    same_limits = request.interval == "logit-t" and request.test[:2] == DIRECTION_TEST[:2]
    if whole is not None and same_limits:
        return np.asarray(found.ci_high < 0.5)
    return predictors_below_chance(cases, predictors, whole)


def _with_rows_of_area_range(columns: _Columns, request: AreaRequest) -> _Columns:
    """Return the columns with those of the range: three rows an area if it is partial."""
    if request.over is None:
        return {**columns, **FULL_AREA}
    n_areas = len(columns["predictor"])
    quantities, offset, scale = zip(*request.over.quantities(), strict=True)
    n_rows = len(quantities)
    found = {name: _repeat_entries(_full_column(columns, name), n_rows) for name in columns}
    # Limits are made once, for the mean rate. Every quantity of a range is linear in that rate, so
    # that its limits are the images of those limits (equivariance), and the test is the same.
    low, width = np.tile(offset, n_areas), np.tile(scale, n_areas)
    for name in ("estimate", "ci_low", "ci_high", "null_value"):
        found[name] = low + width * found[name]
    for name in ("se", BINNING_ERROR):
        found[name] = width * found[name]
    ends = np.column_stack([low, low + width])
    return {
        **found,
        **area_range_columns(request.over),
        "quantity": [*quantities] * n_areas,
        "ends": ends,
    }


def _full_column(columns: _Columns, name: str) -> Any:
    """Return a column with an entry for each row, of texts as a list."""
    values, n_rows = columns[name], len(columns["predictor"])
    if isinstance(values, str):
        return [values] * n_rows
    return values if isinstance(values, (list, np.ndarray)) else np.full(n_rows, float(values))


def _repeat_entries(values: Any, times: int) -> Any:
    """Return a column with each entry several times."""
    if isinstance(values, list):
        return [value for value in values for _ in range(times)]
    return np.repeat(values, times)


def _stack_area_column_pieces(columns: list[Any]) -> Any:
    """Return one column from its pieces, below each other."""
    if isinstance(columns[0], list):
        return [value for column in columns for value in column]
    return np.concatenate(columns)


# --- The resampled areas --------------------------------------------------------------------------

AUC_DRAWS = Question(
    "auc_draws",
    estimate_columns("predictor group quantity resample estimate"),
    ("efron-1993",),
)


def auc_draws(
    sample: Sample,
    *,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return bootstrap areas; a row is the AUC of one predictor in one resample.

    Parameters
    ----------
    n_resamples : int >= 100, default 2000
        Number of resamples.
    stratified : bool, optional
        Whether each class is resampled separately (default). Unavailable with clusters, because
        clusters are resampled as a whole.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], resample, quantity, estimate``. With the same seed,
        ``auc(interval="percentile")`` uses these areas. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is invalid; if a fold lacks a class; or if the study has clusters and
        ``stratified=True``.

    Notes
    -----
    Each predictor has separate resamples. Therefore resamples of two predictors are not paired.
    With folds, cases are resampled within folds, and the area of a resample is the mean over folds.

    References
    ----------
    - Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13 [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> draws = study.auc_draws(n_resamples=4000, rng=1)["estimate"]
    >>> round(float(draws.std()), 3)  # the closed form is 0.0305
    0.031
    """
    AUC_DRAWS.refuse_covariates(sample)
    plan = plan_resamples(sample, n_resamples, stratified, rng, progress)
    numbers = np.arange(plan.n_resamples)
    draws: list[dict[str, Any]] = []
    notes: list[str] = []
    for g, group, k, name, scored in answerable_predictors(sample, notes):
        require_fold_classes(scored)
        with enough_valid_resamples():
            areas = draw_areas(scored.cases, k, plan.at(g)).values
        cells = {"predictor": name, "group": group, "quantity": "auc"}
        draws.append({**cells, "resample": numbers, "estimate": areas})
    warn_of_doubts([*notes, *sample_notes(sample)], warned_doubts(sample))
    return answer_columns(AUC_DRAWS, sample, stacked_curve_columns(AUC_DRAWS, draws), plan)
