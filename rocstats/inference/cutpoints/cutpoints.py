"""The best cutpoint by a criterion, with limits that allow for its choice in these cases.

The limits of the threshold are percentiles over resamples; they are for the optimal cutpoint. Its
measures are corrected for optimism by the bootstrap; their limits are for the chosen cutpoint
(``limits.py``). Cutpoints of smoothed distributions are in ``smooth.py``. For scores counted in
bins, bounds say where the best threshold of all scores can be.
Derivations: docs/methods/points.md, "Best cutpoints".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self, get_args

import numpy as np
import pandas as pd

from rocstats.curves.criteria import (
    THRESHOLDS_AT,
    AlikeThresholds,
    Criterion,
    CriterionName,
    OwnCriterion,
    ThresholdAt,
    best_vertices,
    candidate_vertices,
    last_vertex_calling_alike,
    read_criterion,
    read_cutpoint_request,
)
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.estimate import Result
from rocstats.estimate.quantiles import order_rank
from rocstats.estimate.resample import (
    NO_RESAMPLES,
    ResamplePlan,
    RngLike,
    plan_draws,
    require_drawing,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, binary_unit, in_unit
from rocstats.facts.measures import PREDICTIVE_VALUES, cells_at, measure
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, SAME
from rocstats.frame.question import BINNING_ERROR, ESTIMATE, Question, counts_only, estimate_columns
from rocstats.inference.cutpoints.limits import (
    CorrectedMeasure,
    corrected_estimates,
    corrected_predictive_values,
    effective_rate_sizes,
)
from rocstats.inference.cutpoints.rule import CutpointRule, PlacedDraws, cutpoint_columns
from rocstats.inference.cutpoints.smooth import (
    CUTPOINT_MEASURES,
    CutMethod,
    smooth_cutpoint_measures,
)
from rocstats.study.base import sample_notes
from rocstats.study.binned import bin_ends, is_binned, largest_deviation
from rocstats.study.clusters import are_few_clusters
from rocstats.study.sample import Sample

CUTPOINTS = Question(
    "cutpoints",
    estimate_columns(
        "predictor group criterion quantity target provenance direction threshold "
        "next_score fpr tpr fp tp cost_fp cost_fn prevalence rate_wanted apparent optimism "
        f"{ESTIMATE} n_pos n_neg n_resamples method note"
    ),
    ("fluss-2005", "schisterman-2007", "fawcett-2004", "mercaldo-2007"),
    # Resampled weights would need a model of how cases got them; frequencies are cases.
    {"sample_weight": counts_only("cutpoints", "Resamples are of cases", "weights")},
    binned=True,
)
CUT_METHODS: tuple[CutMethod, ...] = get_args(CutMethod)
_CORRECTED_LIMITS = dict.fromkeys(("tpr", "tnr"), "wilson") | dict.fromkeys(
    PREDICTIVE_VALUES, "mercaldo"
)


def cutpoints(
    sample: Sample,
    criterion: CriterionName | OwnCriterion = "youden",
    *,
    tpr: float | None = None,
    fpr: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    method: CutMethod = "empirical",
    threshold_at: ThresholdAt = "midpoint",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the optimal cutpoint for a criterion; a row is the threshold or one of its measures.

    Parameters
    ----------
    criterion : str or callable, default "youden"
        Criterion that is optimised:

        - "youden": tpr - fpr is largest.
        - "closest-topleft": the distance from (0, 1), sqrt(fpr^2 + (1 - tpr)^2), is smallest.
        - "product": tpr (1 - fpr) is largest.
        - "equal-error": fpr and 1 - tpr differ least.
        - "accuracy": the share of cases classified correctly, at the prevalence of the sample.
        - "kappa": Cohen's kappa, at the prevalence of the sample.
        - "cost": cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr) is smallest.
        - "fixed-tpr": the most specific threshold with a sensitivity of at least ``tpr``. If
          several thresholds are equally specific, the most sensitive of them is chosen.
        - "fixed-fpr": the most sensitive threshold with a false positive rate of at most ``fpr``.
        - a function of some of tp, fp, tn, fn, fpr, tpr and prevalence (the share of positives in
          the sample). They are passed as keyword arguments, all as arrays of the same shape. The
          function returns an array of this shape; larger values are better. Other parameters of the
          function need a default.
    tpr, fpr : float in (0, 1), optional
        Rate for "fixed-tpr" or "fixed-fpr"; refused for other criteria.
    cost_fp, cost_fn : float > 0, optional
        Costs of a false positive and of a false negative, in one unit, for "cost".
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. With it, the method "empirical" adds the rows
        "ppv" and "npv". The criterion "cost" also uses this share. For "cost" the default is the
        share in the sample or group, which is right only for a random sample of the population of
        use.
    method : {"empirical", "normal-theory", "kernel"}, default "empirical"
        Estimator of the cutpoint:

        - "empirical": the optimum of the empirical curve, with resampling; for any criterion.
        - "normal-theory": a formula for scores that are normal in each class; Youden's index only.
        - "kernel": for kernel-smoothed scores, with resampling; Youden's index only.
    threshold_at : {"midpoint", "observed"}, default "midpoint"
        Reported threshold of the method "empirical". All thresholds in a range classify the cases
        in the same way; one of them is reported:

        - "midpoint": midway between the chosen score and the next score on the other side, as in
          pROC. For whole-number scores and ordered categories the chosen score is reported.
        - "observed": the chosen score itself, as in cutpointr and OptimalCutpoints.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of "empirical" and "kernel".
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], criterion, quantity, target, provenance, direction, threshold,
        next_score, fpr, tpr, estimate, ci_low, ci_high, se, prevalence, cost_fp, cost_fn,
        rate_wanted, apparent, optimism, fp, tp, n_pos, n_neg, confidence_level, n_resamples,
        method, note``. The rows are "threshold", "tpr", "tnr" and "youden". Another criterion adds
        the row "distance", "product", "accuracy", "kappa", "expected_cost", or "criterion" (for a
        function). ``prevalence`` adds the rows "ppv" and "npv". ``optimism`` is the mean difference
        between the measure in these cases and on new cases. ``estimate`` is the ``apparent`` value
        minus the optimism. ``target`` is the cutpoint that the interval describes. "optimal" is the
        best cutpoint of the population. "chosen" is the cutpoint found in these cases and used on
        new cases.

    Raises
    ------
    InputError
        If an option is unknown; if a number is missing, out of range or not used by the criterion;
        if a function has other arguments or returns another shape; if the study has weights; or if
        the method does not support clusters or infinite scores.

    Warns
    -----
    StatisticalWarning
        - ``few-cases-for-cutpoint``: a class has under 50 cases; much of the optimism remains.
        - ``nobody-positive``: no threshold is better than calling no case positive.
        - ``no-smooth-cutpoint``: a fit has no maximum.
        - ``kernel-limits-short``: for skewed scores, the limits of "kernel" are too narrow. The
          limits of Youden's index are not affected.
        - ``no-variance``: the smoothed distributions hardly overlap, and a rate has no limits.
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``few-clusters``: clusters are few.

    Notes
    -----
    A case is called positive if its score is >= threshold (<= if lower scores are positive). If
    several points are equally good, the point with the fewest positive calls is chosen. All
    thresholds between the score of this point and the next score classify the cases in the same
    way. The midpoint of these two scores is reported. The score itself is reported in four
    situations:

    - ``threshold_at`` is "observed".
    - All scores are whole numbers.
    - The next score is infinite.
    - No floating-point number is between the two scores.

    The threshold is infinite if no point is better than calling no case positive.

    A cutpoint chosen in a sample has better measures in this sample than on new cases. The optimism
    is estimated by the mean over resamples of q*(c*) - q(c*). Here c* is the cutpoint chosen in a
    resample, q* is the measure in the resample, and q is the measure in the sample. The optimism is
    subtracted. With 50 cases in each class, about a quarter of the optimism remains. Limits are
    around the corrected value. TPR and TNR have Wilson's limits. For functions of both rates MOVER
    combines these limits. All these limits describe the chosen cutpoint (simulated coverage .94 to
    .97), **not** the best index of the population. Percentiles of the resampled index cover the
    best index with probability .8 instead of .95. Limits that ignore the choice of the cutpoint
    cover the optimal rates with probability .5 to .9.

    Predictive values at a ``prevalence`` are computed from the corrected TPR and TNR. Their
    ``optimism`` is ``apparent`` minus ``estimate``. Limits are Mercaldo's logit limits at the
    corrected rates. They use the same numbers of cases as the limits of TPR and TNR. These numbers
    need not be whole. With clusters, effective numbers of cases are used, and Var logit ppv = a +
    b - 2 r sqrt(a b). Here a and b are the variances of log tpr and log fpr, and r is the
    correlation of both rates within clusters.

    The interval of the threshold is for the optimal cutpoint. With more cases the chosen cutpoint
    approaches the optimal cutpoint slowly, at the rate n^(-1/3). In each of B resamples, all
    thresholds in a range are optimal. The lower limit is the k-th smallest lower end of these
    ranges. Here k = ceil((B + 1) alpha/2) and alpha = 1 - ``confidence_level``. The upper limit is
    the k-th largest upper end (``method`` "resamples/both-ends"). For observed thresholds the
    limits are the k-th smallest and the k-th largest chosen score ("resamples/percentile"). If both
    limits are the same score, the neighbouring scores replace them (note ``single-cutpoint``). A
    limit may be infinite if some resamples call no case, or every case, positive. Simulated
    coverage with 20 to 200 cases in each class is .93 to .98 at midpoints, and .85 to .96 at
    observed scores.

    "normal-theory": let m, s and v be the means, standard deviations and variances of the positives
    (1) and the negatives (0). The cutpoint is c = [m1 v0 - m0 v1 - s0 s1 sqrt((m0 - m1)^2 + (v0 -
    v1) ln(v0/v1))]/(v0 - v1). If the variances are equal, c = (m0 + m1)/2. The delta method uses
    Var(mean) = v/n and Var(v) = 2 v^2/(n - 1). The method is valid only for normal scores. Limits
    of rates are computed on the probit scale, other limits without transformation.

    "kernel": both distribution functions are smoothed by a normal kernel. The bandwidth for a class
    of n cases is 0.9 min(sd, IQR/1.34) n^(-1/5). Bandwidths are computed again in each resample.
    Limits are percentiles of the smoothed cutpoints. These limits ignore the bias of smoothing,
    which shifts the cutpoint of skewed scores. "normal-theory" and "kernel" estimate the optimal
    cutpoint and its measures. ``apparent`` is then the measure of the empirical curve at the
    estimated threshold.

    With over 16 384 distinct scores, blocks of neighbouring scores are resampled (note
    ``blocked-resamples``). The time then does not grow with the number of cases. Clusters are still
    resampled as a whole. Within a block, only the best cutpoint of the sample is a candidate. Pilot
    resamples locate the cutpoints. Only blocks near these cutpoints are divided further. In
    simulations, results were compared with resampling of single cases. The standard deviation of
    the threshold differed by at most 8 %, and the optimism by at most 10 %.

    Clusters are resampled as a whole. Limits of "empirical" rates then use the ratio estimator. A
    row with frequency f counts as f cases. Folds are pooled.

    References
    ----------
    - Fluss, Faraggi & Reiser (2005), kernel smoothing [fluss-2005]
    - Schisterman & Perkins (2007), normal scores [schisterman-2007]
    - Fawcett (2004), section 7.1, iso-performance lines [fawcett-2004]
    - Mercaldo, Lau & Zhou (2007), predictive values at a prevalence [mercaldo-2007]

    Examples
    --------
    >>> import rocstats as rs
    >>> masses = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", "texture", data=masses, pos_label="malignant")
    >>> cut = study.cutpoints("youden", rng=1)
    >>> cut[["quantity", "target", "apparent", "estimate", "ci_low", "ci_high"]].round(3)
        quantity   target  apparent  estimate  ci_low  ci_high
    0  threshold  optimal    19.315    19.315  18.420   19.970
    1        tpr   chosen     0.755     0.742   0.679    0.796
    2        tnr   chosen     0.717     0.709   0.660    0.754
    3     youden   chosen     0.472     0.450   0.371    0.521
    """
    criterion = read_criterion(criterion)
    of_costs = prevalence if criterion == "cost" else None
    request = read_cutpoint_request(
        criterion, tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=of_costs
    )
    method = require_choice("method", method, CUT_METHODS)
    threshold_at = require_choice("threshold_at", threshold_at, THRESHOLDS_AT)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_drawing(n_resamples, rng, progress)
    resamples = NO_RESAMPLES
    if method != "normal-theory":
        resamples = plan_draws(n_resamples, rng, progress)
    _require_method(sample, criterion, method)
    _require_cutpoint_predictive_values(prevalence, method)
    rule = CutpointRule(criterion, request, threshold_at)
    rows = predictor_rows(
        sample,
        lambda part, g, k: _cutpoint_rows(
            part, k, rule, method, resamples.at(g, k), prevalence, confidence_level
        ),
    )
    return answer_rows(CUTPOINTS, sample, rows, resamples)


# --- Roles and options that a method refuses ------------------------------------------------------


def _require_method(sample: Sample, criterion: Any, method: CutMethod) -> None:
    """Raise InputError where the roles of the sample, or the criterion, forbid a method."""
    CUTPOINTS.require_roles(sample)
    if is_binned(sample):
        _require_binned_bound(criterion, method)
    if method == "empirical":
        return
    # Closed forms exist for the maximum of tpr - fpr only, where both densities are equal.
    if criterion != "youden":
        word = "a function" if callable(criterion) else repr(criterion)
        raise InputError(
            f"`criterion` must be 'youden' with the method {method!r}; got {word}."
            " Use the method 'empirical'."
        )
    if method == "normal-theory" and sample.cluster is not None:
        raise InputError(
            "`method` must not be 'normal-theory' when the study has clusters, because it needs"
            " independent cases; got cluster=. Use 'empirical' or 'kernel'."
        )
    # Infinite scores have no mean and no kernel; as ranks, they are as good as any.
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(sample.scores[k]).sum())
        if infinite:
            raise InputError(
                f"`method` must be 'empirical' when scores are infinite; got {method!r} and"
                f" {infinite} infinite scores of {name!r}. Leave method= out."
            )


def _require_binned_bound(criterion: Any, method: CutMethod) -> None:
    """Raise InputError for a method or a criterion whose value inside a bin has no known bound."""
    if method != "empirical":
        raise InputError(
            f"`method` must be 'empirical' for binned scores, whose distributions are not known;"
            f" got {method!r}. Leave it out, or count the scores with exact=True."
        )
    if callable(criterion):
        raise InputError(
            "`criterion` must be a named criterion for binned scores, since a function has no"
            " known bound inside a bin; got a function. Pass a named criterion, or count the"
            " scores with exact=True."
        )


def _require_cutpoint_predictive_values(prevalence: float | None, method: CutMethod) -> None:
    """Raise InputError unless predictive values can be given at the prevalence, or none is."""
    if prevalence is None:
        return
    require_open_interval("prevalence", prevalence, 0, 1)
    if method != "empirical":
        raise InputError(
            "`prevalence` must be left out for smoothed cutpoints, because their predictive"
            f" values have no limits; got {prevalence!r} with the method {method!r}. Use the"
            " method 'empirical'."
        )


# --- Rows of a predictor --------------------------------------------------------------------------


def _cutpoint_rows(
    part: Sample,
    k: int,
    rule: CutpointRule,
    method: CutMethod,
    resamples: ResamplePlan,
    prevalence: float | None,
    level: float,
) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k`` in one group."""
    criterion, request = rule.of(part.cases)
    codes = _cutpoint_notes(part)
    known = {
        "criterion": criterion.name,
        "provenance": "selected",
        "direction": ">=" if part.higher_is_positive[k] else "<=",
        "cost_fp": request.cost_fp,
        "cost_fn": request.cost_fn,
        "prevalence": request.prevalence,
        "rate_wanted": request.rate,
        "confidence_level": level,
        **class_size_columns(part),
        "n_resamples": resamples.n_resamples,
    }
    if lacks_class(part):
        # A smoothed cutpoint is the optimum itself, and its rates are those there.
        target = "chosen" if method == "empirical" else "optimal"
        blank = answer_row_without_result(CUTPOINTS, {**known, "target": target}, codes)
        return _one_class_rows(blank, criterion, prevalence)
    if method == "empirical":
        measures = measures_at_chosen_cutpoint(part, k, rule, resamples, prevalence, level)
    else:
        measures = smooth_cutpoint_measures(part, k, method, resamples, level)
    return [
        answer_row_of_result(CUTPOINTS, {**known, **about}, result, codes)
        for about, result in measures
    ]


def _one_class_rows(
    blank: dict[str, Any], criterion: Criterion, prevalence: float | None
) -> list[dict[str, Any]]:
    """Return the rows of a group that lacks a class."""
    # Criteria that are functions of the four measures have no row of their extra.
    extra = [criterion.quantity] if criterion.quantity not in ("", "youden") else []
    rows = [
        {**blank, "quantity": name, "target": "optimal" if name == "threshold" else blank["target"]}
        for name in (*CUTPOINT_MEASURES, *extra)
    ]
    if prevalence is None:
        return rows
    values = {**blank, "prevalence": prevalence}
    return [*rows, *({**values, "quantity": name} for name in PREDICTIVE_VALUES)]


def _cutpoint_notes(part: Sample) -> list[str]:
    """Return the notes of every row of a group."""
    codes = ["pooled-folds"] if part.fold is not None else []
    if lacks_class(part):
        return ["one-class", *codes, *sample_notes(part)]
    if are_few_clusters(part.cases):
        codes.insert(0, "few-clusters")
    # Simulated with N(0, 1) and N(1, 1) (docs/methods/points.md, "Best cutpoints"): with 50 cases a
    # class .026 of an optimism of .085 remains.
    if min(part.n_pos, part.n_neg) < FEW_CASES_AT_RATE:
        codes.insert(0, "few-cases-for-cutpoint")
    return [*codes, *sample_notes(part)]


# --- The empirical cutpoint: its threshold, and measures corrected for optimism ------------------


def measures_at_chosen_cutpoint(
    part: Sample,
    k: int,
    rule: CutpointRule,
    resamples: ResamplePlan,
    prevalence: float | None,
    level: float,
) -> Iterator[tuple[dict[str, Any], Result]]:
    """Yield the empirical cutpoint of predictor ``k``, then its measures."""
    criterion, _ = rule.of(part.cases)
    counts = part.cases.counts(k)
    curve = roc_points(counts, higher_is_positive=part.higher_is_positive[k])
    places = candidate_vertices(counts, criterion)
    fp, tp = curve.fp[np.newaxis], curve.tp[np.newaxis]
    first = best_vertices(fp, tp, places, criterion)
    drawn = rule.draw(part.cases, curve, k, resamples)
    alike = AlikeThresholds.of(curve, first, last_vertex_calling_alike(fp, tp, first))
    vertex, threshold = int(first[0]), float(alike.at(drawn.at)[0])
    # Vertex 0 is (0, 0): a threshold beyond every score, which is infinite and no decision rule.
    notes = (*(["nobody-positive"] if vertex == 0 else []), *drawn.draws.codes)
    point = cutpoint_columns(curve, vertex, threshold)
    result = _chosen_threshold_result(curve, threshold, drawn, level)
    errors: dict[str, float] = {}
    if is_binned(part):
        point["next_score"] = np.nan  # a number between two bins may lie inside one of them
        optimum = BinnedOptimum.of(part, k, criterion, curve, vertex)
        errors = optimum.errors(criterion, threshold, prevalence)
        low, high = optimum.whole_bins(result.ci_low, result.ci_high)
        result = result._replace(ci_low=low, ci_high=high)
    # A threshold is no performance: its choice does not flatter it.
    about: dict[str, Any] = {
        "quantity": "threshold",
        "target": "optimal",
        "apparent": threshold,
        BINNING_ERROR: errors.get("threshold", 0.0),
    }
    yield {**point, **about}, result._replace(codes=(*result.codes, *notes))
    sizes = effective_rate_sizes(part.cases, k, vertex)
    draws = drawn.draws
    measures = corrected_estimates(curve, vertex, draws, criterion, sizes, level)
    if prevalence is not None:
        measures |= corrected_predictive_values(curve, vertex, draws, sizes, level, prevalence)
    source = "binomial" if part.cluster is None else "clusters"
    for quantity, found in measures.items():
        about = {
            "quantity": quantity,
            # The optimism is that of this cutpoint on new cases, so these limits are about it, not
            # about the best cutpoint of the population (docs/methods/points.md, "Best cutpoints").
            "target": "chosen",
            "apparent": found.apparent,
            "optimism": found.optimism,
            BINNING_ERROR: errors.get(quantity, 0.0),
        }
        if quantity in PREDICTIVE_VALUES:
            about["prevalence"] = prevalence
        result = _optimism_corrected_result(quantity, found, source)
        yield {**point, **about}, result._replace(codes=(*result.codes, *notes))


def _optimism_corrected_result(quantity: str, found: CorrectedMeasure, source: str) -> Result:
    """Return a corrected measure with its limits, their method and their notes."""
    method = f"{source}/{_CORRECTED_LIMITS.get(quantity, 'mover')}-corrected"
    codes = ("adjusted-cells",) if found.adjusted else ()
    if quantity in PREDICTIVE_VALUES and np.isnan(found.value):
        codes, method = ("no-calls",), "none/none"
    return Result(found.value, found.se, found.low, found.high, method=method, codes=codes)


def _chosen_threshold_result(
    curve: RocPoints, chosen: float, drawn: PlacedDraws, level: float
) -> Result:
    """Return the threshold with percentile limits for the optimal cutpoint."""
    rank = order_rank((1 - level) / 2, len(drawn.threshold))
    if drawn.at == "observed":
        low, high, limits = _observed_threshold_limits(curve, drawn.draws.vertex, rank)
    else:
        # Any of the thresholds that decide alike may be the best: from the lower ends to the upper.
        ends = np.sort(drawn.alike, axis=0)
        low, high = np.sort(ends[0])[rank - 1], np.sort(ends[1])[-rank]
        limits = "both-ends"
    codes = ("single-cutpoint",) if limits == "neighbours" else ()
    unit = binary_unit(drawn.threshold)
    scaled = in_unit(drawn.threshold, unit)
    # Infinite thresholds have no standard deviation; thresholds that are all alike show none.
    spread = np.isfinite(scaled).all() and np.ptp(scaled) > 0
    se = unit * float(scaled.std(ddof=1)) if spread else np.nan
    method = f"resamples/{limits}"
    return Result(chosen, se, float(low), float(high), method=method, codes=codes)


def _observed_threshold_limits(
    curve: RocPoints, vertices: IntArray, rank: int
) -> tuple[float, float, str]:
    """Return percentiles of observed thresholds; their neighbours where the percentiles agree."""
    ordered = np.sort(vertices)
    first, last = int(ordered[rank - 1]), int(ordered[-rank])
    # All central resamples chose one score: any cutpoint between its neighbours decides alike, and
    # limits without width would claim a precision that a discrete score cannot have.
    single = first == last
    if single:
        first, last = max(first - 1, 0), last + 1
    # Beyond the least positive score there is none: everybody is called positive there.
    thresholds = np.append(curve.threshold, -curve.threshold[0])
    low, high = sorted((float(thresholds[first]), float(thresholds[last])))
    return low, high, "neighbours" if single else "percentile"


# --- Binned scores: bounds of the best cutpoint of all scores -------------------------------------


class BinnedOptimum(NamedTuple):
    """The chosen vertex, the bins that may hold a better one, and the merit there at most.

    ``near`` and ``far`` are both ends of each bin, from the negative to the positive side.
    """

    curve: RocPoints
    vertex: int
    rivals: BoolArray
    near: FloatArray
    far: FloatArray
    gain: float

    @classmethod
    def of(
        cls, sample: Sample, k: int, criterion: Criterion, curve: RocPoints, vertex: int
    ) -> Self:
        """Return the optimum of predictor ``k`` at a vertex of its curve."""
        counts, far = sample.cases.counts(k), bin_ends(sample, k)
        most, merit = _merits(criterion, curve)
        best = float(merit[vertex])
        # A bin of one class has no point that is better than its ends, but where both error rates
        # cross.
        inside = counts.score != far
        inside &= criterion.crossing | ((counts.n_pos > 0) & (counts.n_neg > 0))
        rivals = inside & (most >= best - SAME * max(1.0, abs(best)))
        gain = float(np.max(most[rivals], initial=best)) - best
        return cls(curve, vertex, rivals, counts.score, far, max(gain, 0.0))

    def errors(
        self, criterion: Criterion, threshold: float, prevalence: float | None
    ) -> dict[str, float]:
        """Return the bound of each quantity of a cutpoint, before optimism is taken off."""
        places = np.flatnonzero(self.rivals)
        ends = ((places, places), (places, places + 1), (places + 1, places), (places + 1,) * 2)
        fpr = np.append(self.curve.fpr[self.vertex], [self.curve.fpr[f] for f, _ in ends])
        tpr = np.append(self.curve.tpr[self.vertex], [self.curve.tpr[t] for _, t in ends])
        values = {"tpr": tpr, "tnr": 1 - fpr, "youden": tpr - fpr}
        if prevalence is not None:
            cells = cells_at(tpr, fpr, prevalence)
            values |= {name: measure(name, cells) for name in PREDICTIVE_VALUES}
        errors = {name: _largest_change_within_bins(each) for name, each in values.items()}
        errors["threshold"] = _largest_change_within_bins(self._thresholds(threshold))
        if criterion.quantity:
            # Of the quantity that is best there, only how much better it can be.
            gain = np.array([0.0, self.gain])
            errors[criterion.quantity] = _largest_change_within_bins(gain)
        return errors

    def whole_bins(self, low: float, high: float) -> tuple[float, float]:
        """Return limits of a threshold moved to the ends of the bins that they are inside of."""
        ends = np.sort(np.stack([self.near, self.far]), axis=0)
        holds = [(ends[0] < limit) & (limit < ends[1]) for limit in (low, high)]
        return (
            float(np.min(ends[0][holds[0]], initial=low)),
            float(np.max(ends[1][holds[1]], initial=high)),
        )

    def _thresholds(self, threshold: float) -> FloatArray:
        """Return a threshold and the ends of where that of all scores can be."""
        near, far, v = self.near, self.far, self.vertex
        # Midway to the next score, which is the far end of the next bin and not its near one.
        other = [far[v]] if 0 < v < len(far) else []
        midway = [near[v - 1] / 2 + end / 2 for end in other]
        inner = [near[self.rivals], far[self.rivals]]
        between_scores = bool(np.all(near != threshold))
        return np.concatenate([[threshold], midway if between_scores else [], *inner])


def _merits(criterion: Criterion, curve: RocPoints) -> tuple[FloatArray, FloatArray]:
    """Return the most that the merit can be in each bin, and the merit of each vertex."""
    n_pos, n_neg = np.array(curve.tp[-1]), np.array(curve.fp[-1])
    merit = criterion.merit(curve.fpr, curve.tpr, n_pos, n_neg)
    if criterion.crossing:
        # Elsewhere the gap of the error rates is between those at both ends of the bin.
        passed = curve.fpr + curve.tpr
        crosses = (passed[:-1] < 1) & (passed[1:] > 1)
        return np.where(crosses, 0.0, -np.inf), merit
    # Positives first: the corner with the least FPR and the largest TPR of the bin.
    return criterion.merit(curve.fpr[:-1], curve.tpr[1:], n_pos, n_neg), merit


def _largest_change_within_bins(values: FloatArray) -> float:
    """Return the largest distance of the first value from the others."""
    return float(largest_deviation(values[0], list(values[1:])))
