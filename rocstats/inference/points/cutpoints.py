"""The best cutpoint by a criterion, with limits that allow for its having been chosen here."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pandas as pd

from rocstats.curves.points.chosen_vertices import THRESHOLDS_AT, ThresholdAt
from rocstats.curves.points.cutpoints import Criterion, CriterionName, read_asked, read_criterion
from rocstats.curves.points.own_criterion import OwnCriterion
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, counts_only, estimate_columns
from rocstats.inference.estimates.answers import answer_rows, class_sizes, rows_of
from rocstats.inference.estimates.randomness import RngLike, plan_draws, require_drawing
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.inference.points.chosen_cutpoint import chosen_rows
from rocstats.inference.points.cutpoint_plan import CutpointPlan
from rocstats.inference.points.smooth_cutpoint import QUANTITIES, CutMethod, smooth_rows
from rocstats.sample.base import row_codes
from rocstats.sample.binned import is_binned
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample
from rocstats.stats.resampling.streams import NO_RESAMPLES
from rocstats.tolerances import FEW_CASES_AT_RATE, FEW_CLUSTERS

CUT_METHODS: tuple[CutMethod, ...] = get_args(CutMethod)
CUTPOINTS = Question(
    "cutpoints",
    estimate_columns(
        "predictor group criterion quantity target provenance direction threshold "
        "fpr tpr fp tp cost_fp cost_fn prevalence rate_wanted apparent optimism "
        f"{ESTIMATE} n_pos n_neg n_resamples method note"
    ),
    ("fluss-2005", "schisterman-2007", "fawcett-2004", "mercaldo-2007"),
    # Resampled weights would need a model of how cases got them; frequencies are cases.
    {"sample_weight": counts_only("cutpoints", "Resamples are of cases", "weights")},
    binned=True,
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
    """Return the best cutpoint by a criterion; a row is its threshold, or one of its measures.

    Parameters
    ----------
    criterion : str or callable, default "youden"
        Optimised criterion:

        - "youden": tpr - fpr is largest.
        - "closest-topleft": the distance from (0, 1), sqrt(fpr^2 + (1 - tpr)^2), is smallest.
        - "product": tpr (1 - fpr) is largest.
        - "equal-error": fpr and 1 - tpr differ least.
        - "accuracy": the share of cases classified correctly, at the prevalence of the sample.
        - "kappa": Cohen's kappa, at the prevalence of the sample.
        - "cost": cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr) is smallest, where an
          iso-performance line touches the curve.
        - "fixed-tpr": the most specific threshold with a sensitivity of at least ``tpr``; of
          several as specific the most sensitive.
        - "fixed-fpr": the most sensitive threshold with a false positive rate of at most ``fpr``.
        - a function of any of tp, fp, tn, fn, fpr, tpr and prevalence (the share of positives in
          the sample), passed by name as arrays of one shape; it returns an array of that shape,
          larger being better. A parameter with a default keeps it.
    tpr, fpr : float in (0, 1), optional
        The rate that "fixed-tpr" or "fixed-fpr" needs; refused elsewhere.
    cost_fp, cost_fn : float > 0, optional
        Costs of a false positive and of a false negative, in one unit, for "cost".
    prevalence : float in (0, 1), optional
        Share of positives where the rule will be used: adds the rows "ppv" and "npv", with the
        method "empirical". The criterion "cost" uses it too; its default there is the share in the
        sample (in the group), right only if the sample was drawn from there.
    method : {"empirical", "normal-theory", "kernel"}, default "empirical"
        How the cutpoint is estimated:

        - "empirical": from the curve of these cases, with resampling; for any criterion.
        - "normal-theory": closed form for scores normal in each class; Youden's index only.
        - "kernel": for kernel-smoothed scores, with resampling; Youden's index only.
    threshold_at : {"midpoint", "observed"}, default "midpoint"
        Which of the thresholds that decide alike "empirical" reports:

        - "midpoint": midway between the chosen score and the next score on the other side, as
          pROC prints it. Whole-number scores and ordered categories stay at the observed score.
        - "observed": the chosen score itself, as cutpointr and OptimalCutpoints print it.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of "empirical" and "kernel".
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], criterion, quantity, target, provenance, direction, threshold,
        fpr, tpr, estimate, ci_low, ci_high, se, prevalence, cost_fp, cost_fn, rate_wanted,
        apparent, optimism, fp, tp, n_pos, n_neg, confidence_level, n_resamples, method, note``.
        Rows of ``quantity`` "threshold", "tpr", "tnr", "youden" and, where it is another, the value
        of the criterion: "distance", "product", "accuracy", "kappa", "expected_cost", "criterion"
        (of a function); with ``prevalence=``, "ppv" and "npv". ``optimism`` is how much better the
        chosen cutpoint looks in these cases than it will on new ones; ``estimate`` is the
        ``apparent`` value minus the optimism.
        ``target`` is the cutpoint of the interval: "optimal", the best cutpoint of the population,
        or "chosen", the cutpoint chosen here, used on new cases.

    Raises
    ------
    InputError
        If a word is unknown, a number is missing, has no use or is out of its range, a function
        takes other arguments or returns no such array, the study has weights, or a method cannot
        use clusters or infinite scores.

    Warns
    -----
    StatisticalWarning
        - ``few-cases-for-cutpoint``: under 50 cases of a class, much of the optimism remains.
        - ``nobody-positive``: no threshold is better than calling nobody positive.
        - ``no-smooth-cutpoint``: a fit has no maximum.
        - ``kernel-limits-short``: limits of "kernel" for skewed scores, but those of the index, are
          too narrow.
        - ``no-variance``: smoothed distributions hardly overlap, and a rate has no limits.
        - ``pooled-folds``, ``one-class``, ``few-clusters``.

    Notes
    -----
    A score counts as positive when it is >= threshold ("<=" where lower is positive). Of equally
    good points the one with the fewest called positive is taken. All thresholds from its score to
    just before the next score decide alike. The midpoint is reported, or the score itself:
    ``threshold_at="observed"``, whole-number scores, a next score that is infinite, or the adjacent
    double. The threshold is infinite where no point is better than calling nobody positive.

    A cutpoint chosen in a sample looks better there than on new cases. Its optimism is the mean
    over resamples of q*(c*) - q(c*): q* is the measure in the resample, c* the cutpoint chosen
    there, q the measure of that cutpoint in the sample. The optimism is subtracted; about a quarter
    remains with 50 cases a class. Limits are around the corrected value. Those of TPR and TNR are
    Wilson's; those of functions of both rates are combined from them by MOVER. They are for the
    chosen cutpoint, with simulated coverage of .94 to .97. They are **not** for the best index of
    the population. Percentiles of the resampled index cover that index in .8 of samples instead of
    .95. Limits for the rates of a cutpoint given beforehand cover the optimal rates in .5 to .9.

    Predictive values at a ``prevalence`` are those of the corrected TPR and TNR; their optimism is
    what ``apparent`` is more. Mercaldo's logit limits are taken at the corrected rates, with as
    many cases as the limits of the rates have, which need not be whole. With clusters these are
    effective numbers, and Var logit ppv = a + b - 2 r sqrt(a b), a and b the variances of log tpr
    and log fpr, r the correlation of both rates within clusters.

    The interval of the threshold is for the optimal cutpoint, which the chosen one nears slowly, as
    n^(-1/3). In each resample a range of thresholds decides alike. The lower limit is the order
    statistic ceil((B + 1) alpha/2) of the lower ends of these ranges; the upper limit is that from
    above of their upper ends (``method`` "resamples/both-ends"). Observed thresholds have the same
    order statistics of the scores themselves ("resamples/percentile"). Where all resamples between
    these chose one score, the limits are the neighbouring scores (note ``single-cutpoint``). Where
    resamples call nobody, or everybody, positive, a limit may be infinite. Simulated coverage with
    20 to 200 cases a class is .93 to .98 at midpoints, and .85 to .96 at observed scores.

    "normal-theory": with means m and variances v of both classes, c = [m1 v0 - m0 v1 - s0 s1
    sqrt((m0 - m1)^2 + (v0 - v1) ln(v0/v1))]/(v0 - v1), or (m0 + m1)/2 if the variances are equal;
    delta method with Var(mean) = v/n, Var(v) = 2 v^2/(n - 1). Right only where scores are normal.
    Limits of rates are on the probit scale, others plain. "kernel": both distribution functions are
    smoothed by a normal kernel of bandwidth 0.9 min(sd, IQR/1.34) n^(-1/5) of the class. Each
    resample has its own bandwidths; limits are percentiles of its smoothed cutpoints. They ignore
    the bias of smoothing, which moves the cutpoint of skewed scores. Both methods estimate the
    optimal cutpoint and its measures; ``apparent`` is then the measure of the empirical curve at
    that threshold.

    Over 16 384 distinct scores are resampled by blocks of neighbouring scores, in a time that does
    not grow with the cases (note ``blocked-resamples``; clusters are drawn whole all the same). A
    block has the best of its cutpoints in the sample. A pilot finds where resamples have their
    cutpoints; only there are the blocks of the resamples cut. Simulated, the standard deviation of
    the threshold is within 8 % of that by cases, and the optimism within 10 %.

    Clusters are resampled whole; limits of "empirical" rates use the ratio estimator. Frequencies
    are cases. Folds are pooled.

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
    request = read_asked(
        criterion, tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=of_costs
    )
    method = require_choice("method", method, CUT_METHODS)
    threshold_at = require_choice("threshold_at", threshold_at, THRESHOLDS_AT)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_drawing(n_resamples, rng, progress)
    resamples = NO_RESAMPLES
    if method != "normal-theory":
        resamples = plan_draws(n_resamples, rng, progress)
    _require_roles(sample, criterion, method)
    _require_prevalence(prevalence, method)
    plan = CutpointPlan(criterion, request, resamples, threshold_at, prevalence)
    rows = rows_of(sample, lambda part, g, k: _rows(part, g, k, plan, method, confidence_level))
    return answer_rows(CUTPOINTS, sample, rows, resamples)


def _require_roles(sample: Sample, criterion: Any, method: CutMethod) -> None:
    """Raise InputError where the roles of the sample, or the criterion, forbid a method."""
    CUTPOINTS.require_roles(sample)
    if is_binned(sample):
        _require_bound(criterion, method)
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
            "`method` must not be 'normal-theory' when the study has clusters, whose moments are"
            " not independent; got cluster=. Use 'empirical' or 'kernel'."
        )
    # Infinite scores have no mean and no kernel; as ranks, they are as good as any.
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(sample.scores[k]).sum())
        if infinite:
            raise InputError(
                f"`method` must be 'empirical' when scores are infinite; got {method!r} and"
                f" {infinite} infinite scores of {name!r}. Leave method= out."
            )


def _require_bound(criterion: Any, method: CutMethod) -> None:
    """Raise InputError for a method or a criterion whose value inside a bin has no known bound."""
    if method != "empirical":
        raise InputError(
            f"`method` must be 'empirical' for binned scores, whose distributions are not known;"
            f" got {method!r}. Leave it out, or count the scores with exact=True."
        )
    if callable(criterion):
        raise InputError(
            "`criterion` must be a word for binned scores, since the bound of a function inside a"
            " bin is not known; got a function. Pass one of the words, or count the scores with"
            " exact=True."
        )


def _require_prevalence(prevalence: float | None, method: CutMethod) -> None:
    """Raise InputError unless predictive values can be given at the prevalence, or none is."""
    if prevalence is None:
        return
    require_open_interval("prevalence", prevalence, 0, 1)
    if method != "empirical":
        raise InputError(
            "`prevalence` must be left out of smoothed cutpoints, whose predictive values have no"
            f" limits; got {prevalence!r} with the method {method!r}. Use the method 'empirical'."
        )


def _rows(
    part: Sample, g: int, k: int, plan: CutpointPlan, method: CutMethod, level: float
) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k`` in group ``g``."""
    criterion, request = plan.of(part.cases)
    codes = _codes(part)
    common = {
        "criterion": criterion.name,
        "provenance": "selected",
        "direction": ">=" if part.higher_is_positive[k] else "<=",
        "cost_fp": request.cost_fp,
        "cost_fn": request.cost_fn,
        "prevalence": request.prevalence,
        "rate_wanted": request.rate,
        "confidence_level": level,
        **class_sizes(part),
        "n_resamples": plan.resamples.n_resamples,
    }
    if lacks_class(part):
        # A smoothed cutpoint is the optimum itself, and its rates are those there.
        target = "chosen" if method == "empirical" else "optimal"
        blank = unanswered(CUTPOINTS, {**common, "target": target}, codes)
        return _blank_rows(blank, criterion, plan.prevalence)
    if method == "empirical":
        rows = chosen_rows(part, g, k, plan, level, codes)
    else:
        rows = smooth_rows(part, k, method, plan.resamples.at(g, k), level, codes)
    return [{**common, **row} for row in rows]


def _blank_rows(
    blank: dict[str, Any], criterion: Criterion, prevalence: float | None
) -> list[dict[str, Any]]:
    """Return the rows of a group that lacks a class."""
    # Criteria that are functions of the four measures have no row of their own.
    own = [criterion.quantity] if criterion.quantity not in ("", "youden") else []
    rows = [
        {**blank, "quantity": name, "target": "optimal" if name == "threshold" else blank["target"]}
        for name in (*QUANTITIES, *own)
    ]
    if prevalence is None:
        return rows
    values = {**blank, "prevalence": prevalence}
    return [*rows, *({**values, "quantity": name} for name in ("ppv", "npv"))]


def _codes(part: Sample) -> list[str]:
    """Return the notes of every row of a group."""
    codes = ["pooled-folds"] if part.fold is not None else []
    if lacks_class(part):
        return ["one-class", *codes, *row_codes(part)]
    if part.cluster is not None and min(cluster_numbers(part.cases)) < FEW_CLUSTERS:
        codes.insert(0, "few-clusters")
    # Simulated with N(0, 1) and N(1, 1) (docs/methods/points.md, "Best cutpoints"): with 50 cases a
    # class .026 of an optimism of .085 remains.
    if min(part.n_pos, part.n_neg) < FEW_CASES_AT_RATE:
        codes.insert(0, "few-cases-for-cutpoint")
    return [*codes, *row_codes(part)]
