"""The cutpoint that a criterion chooses, and what is known of it although it was chosen here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.chosen_vertices import candidates, choose
from rocstats.curves.points.cutpoints import (
    Criterion,
    CriterionName,
    Value,
    read_asked,
)
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.inference.estimates.randomness import RngLike, require_resamples, resolve_seed
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.inference.points.cutpoint_plan import CutpointPlan
from rocstats.questions import ESTIMATE, Question, columns_in, counts_only
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import row_codes
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample
from rocstats.stats.intervals.quantiles import order_rank
from rocstats.stats.points.cutpoint_limits import Estimate, corrected_estimates, rate_sizes
from rocstats.stats.points.kernel_youden import (
    clustered_products,
    independent_products,
    kernel_youden,
)
from rocstats.stats.points.smooth_youden import SmoothCut, normal_youden, smooth_limits
from rocstats.stats.resampling.curves.cutpoints import CutpointDraws

CutMethod = Literal["empirical", "normal-theory", "kernel"]
CUT_METHODS: tuple[CutMethod, ...] = ("empirical", "normal-theory", "kernel")
CUTPOINTS = Question(
    "cutpoints",
    columns_in(
        "predictor group criterion quantity target provenance direction threshold "
        "fpr tpr fp tp cost_fp cost_fn prevalence rate_wanted apparent optimism "
        f"{ESTIMATE} n_pos n_neg n_resamples method note"
    ),
    (
        "fluss-2005",
        "schisterman-2007",
        "fawcett-2004",
    ),
    {"sample_weight": counts_only("cutpoints", "Resamples are of cases", "weights")},
)
_FEW_CASES = 50
_FEW_CLUSTERS = 30
_SMOOTH = ("threshold", "tpr", "tnr", "youden")


@dataclass(frozen=True)
class _Ways:
    """How the cutpoint is found, and at which level its intervals are."""

    method: CutMethod
    level: float


def cutpoints(
    sample: Sample,
    criterion: CriterionName | Value = "youden",
    *,
    tpr: float | None = None,
    fpr: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    method: CutMethod = "empirical",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the best cutpoint by a criterion; a row is its threshold, or one of its measures.

    Parameters
    ----------
    criterion : str or callable, default "youden"
        What is to be best:

        - "youden": tpr - fpr is largest.
        - "closest-topleft": the distance from (0, 1), sqrt(fpr^2 + (1 - tpr)^2), is smallest.
        - "product": tpr (1 - fpr) is largest.
        - "equal-error": fpr and 1 - tpr differ least.
        - "accuracy", "kappa": the share of cases called right, Cohen's kappa, among cases mixed as
          they are here.
        - "cost": cost_fp (1 - prevalence) fpr + cost_fn prevalence (1 - tpr) is smallest, which is
          the point that an iso-performance line touches.
        - "fixed-tpr": the most specific threshold with a sensitivity of at least ``tpr``; of
          several as specific the most sensitive.
        - "fixed-fpr": the most sensitive threshold with a false positive rate of at most ``fpr``.
        - a function of (fpr, tpr, n_pos, n_neg), arrays that broadcast to the shape of ``fpr``,
          whatever that is; it returns an array of that shape, of which the largest is best.
    tpr, fpr : float in (0, 1), optional
        The rate that "fixed-tpr" or "fixed-fpr" needs; refused elsewhere.
    cost_fp, cost_fn : float > 0, optional
        Costs of a false positive and of a false negative, in one unit, for "cost".
    prevalence : float in (0, 1), optional
        Share of positives where the rule will be used, for "cost". Default: that of the sample (of
        the group), right only if the sample was drawn from there.
    method : {"empirical", "normal-theory", "kernel"}, default "empirical"
        "empirical" chooses a score that was observed, and resamples. "normal-theory" (scores that
        are normal in each class) and "kernel" (smoothed scores) estimate the optimal cutpoint of
        Youden's index, which they alone serve, in closed form.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the intervals.
    n_resamples : int >= 100, default 2000
        Number of resamples of "empirical".
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], criterion, quantity, target, provenance, direction, threshold,
        fpr, tpr, fp, tp, cost_fp, cost_fn, prevalence, rate_wanted, apparent, optimism, estimate,
        se, ci_low, ci_high, confidence_level, n_pos, n_neg, n_resamples, method, note``. Rows of
        ``quantity`` "threshold", "tpr", "tnr", "youden" and, where it is another, the value of the
        criterion: "distance", "product", "accuracy", "kappa", "expected_cost", "criterion" (of a
        function). ``apparent`` is what these cases show, ``estimate`` is that less the
        ``optimism``. ``target`` says what the interval is about: "optimal", the best cutpoint of
        the population, or "chosen", the very cutpoint chosen here, used on new cases.

    Raises
    ------
    InputError
        If a word is unknown, a number is missing, has no use or is out of its range, a function
        does not return such an array, the study has weights, or a method cannot use clusters or
        infinite scores.

    Warns
    -----
    StatisticalWarning
        If under 50 cases of a class leave much of the optimism (``few-cases-for-cutpoint``), no
        threshold beats calling nobody positive (``nobody-positive``), a fit has no maximum
        (``no-smooth-cutpoint``), folds are pooled, a group lacks a class, or clusters are few.

    Notes
    -----
    A score counts as positive when it is >= threshold ("<=" where lower is positive). Of equally
    good points the one with the fewest called positive is taken; its threshold is a score that was
    observed, or infinite where calling nobody positive is as good as anything.

    The best cutpoint of a sample flatters: it was chosen because it looked good there. Its optimism
    is the mean over resamples of q*(c*) - q(c*), q* the measure in the resample, c* the cutpoint
    chosen there, q the measure of that cutpoint in the sample. It is subtracted; some of it
    remains, about a quarter with 50 cases a class. Limits are around the corrected value: Wilson's
    for TPR and TNR; functions of both combine them (MOVER): each limit is away by the root of the
    summed squares of what the limits of the rates take away or add. They are for the chosen
    cutpoint, and simulated coverage is .94 to .97. They are **not** for the best index of the
    population: percentiles of the resampled index cover that in .8 of samples instead of .95, and
    usual limits for rates of a cutpoint given beforehand hold those of the optimal one in .5 to .7.

    The threshold's interval is of percentiles: order statistics ceil((B + 1) p) and its mirror
    image. It is about the optimal cutpoint. The chosen one nears it slowly, as n^(-1/3). Where all
    the resamples in between agree on a score, the limits are the neighbouring scores (note
    ``single-cutpoint``).

    "normal-theory": with means m and variances v of both classes, c = [m1 v0 - m0 v1 - s0 s1
    sqrt((m0 - m1)^2 + (v0 - v1) ln(v0/v1))]/(v0 - v1), or (m0 + m1)/2 if the variances are equal;
    delta method with Var(mean) = v/n, Var(v) = 2 v^2/(n - 1). Right only where scores are normal.
    "kernel": both distribution functions are smoothed by a normal kernel of bandwidth
    0.9 min(sd, IQR/1.34) n^(-1/5) of the class; delta method by influence values, bandwidths taken
    as given, so that the bias of smoothing is not allowed for. Limits of rates are on the probit
    scale, others plain. Both estimate the optimal cutpoint and its measures; ``apparent`` is then
    what the empirical curve has at that threshold.

    Clusters are resampled whole, and limits use the ratio estimator ("kernel": sums of influence
    values). Frequencies are cases. Folds are pooled.

    References
    ----------
    - Fluss, Faraggi & Reiser (2005), kernel smoothing [fluss-2005]
    - Schisterman & Perkins (2007), normal scores [schisterman-2007]
    - Fawcett (2004), section 7.1, iso-performance lines [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> masses = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", "texture", data=masses, pos_label="malignant")
    >>> cut = study.cutpoints("youden", rng=1)
    >>> cut[["quantity", "target", "apparent", "estimate", "ci_low", "ci_high"]].round(2)
        quantity   target  apparent  estimate  ci_low  ci_high
    0  threshold  optimal     19.32     19.32   18.47    19.97
    1        tpr   chosen      0.75      0.74    0.68     0.80
    2        tnr   chosen      0.72      0.71    0.66     0.75
    3     youden   chosen      0.47      0.45    0.37     0.52
    """
    asked = read_asked(
        criterion, tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
    )
    require_choice("method", method, CUT_METHODS)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    drawn = require_resamples(n_resamples) if method == "empirical" else 0
    _require_roles(sample, criterion, method)
    plan = CutpointPlan(criterion, asked, drawn, resolve_seed(rng), progress)
    ways = _Ways(method, confidence_level)
    rows = [
        {"predictor": name, "group": group, **row}
        for g, (group, part) in enumerate(sample.by_group())
        for k, name in enumerate(sample.predictors)
        for row in _rows(part, g, k, plan, ways)
    ]
    return estimate_frame(
        CUTPOINTS,
        rows,
        grouped=sample.group is not None,
        seed=plan.seed if drawn else None,
        n_resamples=drawn or None,
    )


def _require_roles(sample: Sample, criterion: Any, method: CutMethod) -> None:
    """Raise InputError where the sample, or the criterion, forbids a method."""
    CUTPOINTS.require_roles(sample)
    if method == "empirical":
        return
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
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(sample.scores[k]).sum())
        if infinite:
            raise InputError(
                f"`method` must be 'empirical' when scores are infinite; got {method!r} and"
                f" {infinite} infinite scores of {name!r}. Leave method= out."
            )


def _rows(part: Sample, g: int, k: int, plan: CutpointPlan, ways: _Ways) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k`` in group ``g``."""
    criterion, asked = plan.of(part.cases)
    codes = _codes(part)
    common = {
        "criterion": criterion.name,
        "provenance": "selected",
        "direction": ">=" if part.higher_is_positive[k] else "<=",
        "cost_fp": asked.cost_fp,
        "cost_fn": asked.cost_fn,
        "prevalence": asked.prevalence,
        "rate_wanted": asked.rate,
        "confidence_level": ways.level,
        "n_pos": part.n_pos,
        "n_neg": part.n_neg,
        "n_resamples": plan.n_resamples,
    }
    if lacks_class(part):
        found = _nothing(criterion, codes)
    elif ways.method == "empirical":
        found = _empirical(part, g, k, plan, ways.level, codes)
    else:
        found = _smooth(part, k, ways, codes)
    return [{**common, **row} for row in found]


def _codes(part: Sample) -> list[str]:
    """Return the caveats of every row of a group."""
    codes = ["pooled-folds"] if part.fold is not None else []
    if lacks_class(part):
        return ["one-class", *codes, *row_codes(part)]
    if part.cluster is not None and min(cluster_numbers(part.cases)) < _FEW_CLUSTERS:
        codes.insert(0, "few-clusters")
    if min(part.n_pos, part.n_neg) < _FEW_CASES:
        codes.insert(0, "few-cases-for-cutpoint")
    return [*codes, *row_codes(part)]


def _nothing(criterion: Criterion, codes: list[str]) -> Iterator[dict[str, Any]]:
    """Yield rows of a group that lacks a class."""
    names = ("threshold", "fpr", "tpr", "fp", "tp", "apparent", "optimism", "estimate", "se")
    nothing = dict.fromkeys((*names, "ci_low", "ci_high"), np.nan)
    own = [criterion.quantity] if criterion.quantity not in ("", "youden") else []
    for quantity in (*_SMOOTH, *own):
        target = "optimal" if quantity == "threshold" else "chosen"
        about = {"quantity": quantity, "target": target, "method": "none/none", "note": codes}
        yield {**nothing, **about}


def _point(curve: RocPoints, vertex: int, threshold: float) -> dict[str, float]:
    """Return where a cutpoint stands on the curve of the sample."""
    return {
        "threshold": threshold,
        "fpr": float(curve.fpr[vertex]),
        "tpr": float(curve.tpr[vertex]),
        "fp": float(curve.fp[vertex]),
        "tp": float(curve.tp[vertex]),
    }


def _empirical(
    part: Sample, g: int, k: int, plan: CutpointPlan, level: float, codes: list[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the cutpoint chosen in the sample."""
    criterion, _ = plan.of(part.cases)
    counts = part.cases.counts(k)
    curve = roc_points(counts, higher_is_positive=part.higher_is_positive[k])
    columns = candidates(counts, criterion)
    vertex = int(choose(curve.fp[np.newaxis], curve.tp[np.newaxis], columns, criterion)[0])
    draws = plan.draw(part.cases, g, k)
    if vertex == 0:
        codes = ["nobody-positive", *codes]
    point = _point(curve, vertex, float(curve.threshold[vertex]))
    yield {**point, **_threshold_row(curve, vertex, draws, level, codes)}
    sizes = rate_sizes(part.cases, k, vertex)
    found = corrected_estimates(curve, vertex, draws, criterion, sizes, level)
    source = "binomial" if part.cluster is None else "clusters"
    for quantity, estimate in found.items():
        limits = "wilson" if quantity in ("tpr", "tnr") else "mover"
        yield {
            **point,
            **_columns(estimate),
            "quantity": quantity,
            "target": "chosen",
            "method": f"{source}/{limits}-corrected",
            "note": codes,
        }


def _columns(estimate: Estimate) -> dict[str, float]:
    return {
        "apparent": estimate.apparent,
        "optimism": estimate.optimism,
        "estimate": estimate.value,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
    }


def _threshold_row(
    curve: RocPoints, vertex: int, draws: CutpointDraws, confidence_level: float, codes: list[str]
) -> dict[str, Any]:
    """Return the row of the threshold: percentiles, or the neighbours where these are one score."""
    ordered = np.sort(draws.vertex)
    rank = order_rank((1 - confidence_level) / 2, len(ordered))
    first, last = int(ordered[rank - 1]), int(ordered[-rank])
    limits = "percentile"
    if first == last:
        first, last, limits = max(first - 1, 0), last + 1, "neighbours"
        codes = ["single-cutpoint", *codes]
    # Beyond the least positive score there is none: everybody is called positive there.
    thresholds = np.append(curve.threshold, -curve.threshold[0])
    low, high = sorted((float(thresholds[first]), float(thresholds[last])))
    chosen = float(curve.threshold[vertex])
    drawn = curve.threshold[draws.vertex]
    return {
        "apparent": chosen,
        "optimism": np.nan,
        "estimate": chosen,
        "se": float(drawn.std(ddof=1)) if _varies(drawn) else np.nan,
        "ci_low": low,
        "ci_high": high,
        "quantity": "threshold",
        "target": "optimal",
        "method": f"resamples/{limits}",
        "note": codes,
    }


def _varies(drawn: FloatArray) -> bool:
    """Return whether thresholds have a standard deviation: finite ones that are not all alike."""
    return bool(np.isfinite(drawn).all() and drawn.min() < drawn.max())


def _smooth(part: Sample, k: int, ways: _Ways, codes: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the cutpoint of smoothed laws."""
    counts = part.cases.counts(k)
    sign = 1.0 if part.higher_is_positive[k] else -1.0
    cut = _smooth_cut(part, k, ways.method, sign)
    curve = roc_points(counts, higher_is_positive=part.higher_is_positive[k])
    threshold = sign * float(cut.values[0])
    if np.isnan(threshold):
        codes = ["no-smooth-cutpoint", *codes]
        names = ("fpr", "tpr", "fp", "tp")
        point = {"threshold": np.nan, **dict.fromkeys(names, np.nan)}
    else:
        point = _point(curve, int(vertex_at(curve, np.array([threshold]))[0]), threshold)
    apparent = {"tpr": point["tpr"], "tnr": 1 - point["fpr"]}
    apparent["youden"] = point["tpr"] - point["fpr"]
    for i, quantity in enumerate(_SMOOTH):
        value, se = float(cut.values[i]), float(cut.se[i])
        scale = "probit" if quantity in ("tpr", "tnr") else "wald"
        value = threshold if quantity == "threshold" else value
        low, high = smooth_limits(value, se, quantity, ways.level)
        yield {
            **point,
            "apparent": apparent.get(quantity, np.nan),
            "optimism": np.nan,
            "estimate": value,
            "se": se,
            "ci_low": low,
            "ci_high": high,
            "quantity": quantity,
            "target": "optimal",
            "method": f"{ways.method}/{scale}",
            "note": codes,
        }


def _smooth_cut(part: Sample, k: int, method: CutMethod, sign: float) -> SmoothCut:
    """Return the cut of scores turned so that higher ones mean positive."""
    counts = part.cases.counts(k)
    score = sign * counts.score
    if method == "normal-theory":
        return normal_youden(score, counts.n_pos, counts.n_neg)
    gather = independent_products(counts.n_pos, counts.n_neg)
    if part.cluster is not None:
        frequency = np.ones(len(part.is_positive)) if part.frequency is None else part.frequency
        gather = clustered_products(
            part.cases.codes(k), part.is_positive, frequency, part.cluster.codes
        )
    return kernel_youden(score, counts.n_pos, counts.n_neg, gather)
