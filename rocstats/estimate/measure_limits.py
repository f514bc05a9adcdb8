"""Limits of measures of a table beyond its rates: by the delta method, of ratios, at a prevalence.

Likelihood and odds ratios: score limits [koopman-1984] or on the log scale [simel-1991,
woolf-1955], with clusters MOVER. Predictive values at a prevalence from outside the study
[mercaldo-2007]. The true prevalence from an apparent one [rogan-1978, lang-2014]. F1, MCC and kappa
by the delta method. See docs/methods/points.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rocstats.estimate.influence import satterthwaite
from rocstats.estimate.proportions import (
    mover_odds_ratio_limits,
    mover_ratio_limits,
    mover_sum_limits,
)
from rocstats.estimate.quantiles import t_quantile, t_quantiles
from rocstats.estimate.tables import (
    ApparentPrevalence,
    MeasureWithLimits,
    PointPlan,
    PointTables,
    RateVariances,
    measure_slopes_in_rates,
    measure_without_sample_size,
    rate_terms_with_limits,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, Limits
from rocstats.facts.measures import Cells, cells_at, depends_on_prevalence, measure, scale_of
from rocstats.facts.tolerances import NO_SPREAD

# --- The delta method: standard errors of all measures, limits of F scores, MCC and kappa ---------


def delta_se(tables: PointTables, name: str, p: float | None, plan: PointPlan) -> FloatArray:
    """Return the standard error of a measure by the delta method; NaN where there is none."""
    share = tables.prevalence if p is None else p
    # A known prevalence has infinitely many cases, and the variance 0.
    spread = tables.spread(
        own_prevalence=p is None and depends_on_prevalence(name),
        prevalence_variance=share * (1 - share) / plan.prevalence_cases,
    )
    with np.errstate(invalid="ignore", over="ignore"):
        variance = spread.of(measure_slopes_in_rates(name, tables.tpr, tables.fpr, share))
    return np.sqrt(np.where(np.isfinite(variance), variance, np.nan))


def delta_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return limits by the delta method: of F scores on the logit scale, others on Fisher's.

    Where a cell is empty, limits are those of the table with 1/2 added to every cell.
    """
    share = tables.prevalence if p is None else p
    tpr, fpr, spread, added = _half_added(tables, p, plan)
    centre = measure(name, cells_at(tpr, fpr, share))
    scale, slope = scale_of(name), measure_slopes_in_rates(name, tpr, fpr, share)
    t = t_quantiles((1 + plan.level) / 2, _delta_df(tables, spread, slope, p, plan))
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(spread.of(slope))
        middle, reach = scale.forward(centre), t * se * scale.slope(centre)
        low, high = scale.back(middle - reach), scale.back(middle + reach)
    # Limits of the table with 1/2 added need not contain the estimate of the table without.
    measured = measure_without_sample_size(
        estimate,
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        delta_se(tables, name, p, plan),
        f"{tables.source}/{scale.word}",
    )
    return measured.noted("half-added", added)


def _delta_df(
    tables: PointTables,
    spread: RateVariances,
    slope: tuple[FloatArray, FloatArray, FloatArray],
    p: float | None,
    plan: PointPlan,
) -> FloatArray:
    """Return Satterthwaite's degrees of freedom of a measure, from the parts of its variance.

    Those of a rate are the cases (equal clusters) of its class less 1, those of the prevalence of
    the study the cases of the rarer class less 1. Covariances within clusters are left out.
    """
    n_pos, n_neg = np.array(tables.n_pos), np.array(tables.n_neg)
    if tables.clusters is not None:
        n_pos, n_neg = (tables.clusters.units(side, 0.0).equal for side in ("pos", "neg"))
    of_prevalence = np.minimum(n_pos, n_neg) if p is None else np.array(plan.prevalence_cases)
    parts = [s**2 * v for s, v in zip(slope, (spread.t, spread.f, spread.p), strict=True)]
    below = sum(
        part**2 / np.maximum(n - 1, 1.0)
        for part, n in zip(parts, (n_pos, n_neg, of_prevalence), strict=True)
    )
    df = np.full(len(parts[0]), np.inf)
    np.divide(sum(parts) ** 2, below, out=df, where=np.isfinite(below) & (below > 0))
    return df


def half_added_measure_se(
    name: str, tp: float, fp: float, n_pos: float, n_neg: float
) -> tuple[float, float]:
    """Return the standard error of a measure with 1/2 added to every cell, and its df.

    A share p of n cases has the variance p(1 - p)/n, which has 2n p(1 - p)/(1 - 2p)^2 degrees of
    freedom (that of a mean of squares), at most n - 1; Satterthwaite's rule combines them.
    """
    total = n_pos + n_neg
    size = np.array([n_pos, n_neg, total])
    share = (np.array([tp, fp, n_pos]) + 0.5) / (size + 1)
    spread = share * (1 - share)
    slope = measure_slopes_in_rates(name, share[:1], share[1:2], float(share[2]))
    parts = np.array(slope)[:, 0] ** 2 * spread / size
    with np.errstate(divide="ignore"):
        df = np.minimum(2 * size * spread / (1 - 2 * share) ** 2, size - 1)
    return float(np.sqrt(parts.sum())), satterthwaite(parts, df)


def _half_added(
    tables: PointTables, p: float | None, plan: PointPlan
) -> tuple[FloatArray, FloatArray, RateVariances, BoolArray]:
    """Return rates and their variances, with 1/2 added to every cell where a cell is empty.

    Cells of clustered cases are those of the effective numbers of cases.
    """
    c = tables.cells
    added = (c.tp == 0) | (c.fn == 0) | (c.fp == 0) | (c.tn == 0)
    share = tables.prevalence if p is None else p
    spread = tables.spread(
        own_prevalence=p is None, prevalence_variance=share * (1 - share) / plan.prevalence_cases
    )
    if not added.any():
        return tables.tpr, tables.fpr, spread, added
    moved = []
    for name, rate, variance in (("tpr", tables.tpr, spread.t), ("fpr", tables.fpr, spread.f)):
        size = tables.rate(name, plan.interval, plan.level).size
        # 1/2 in both cells of a class: its size grows by 1.
        shrunk = (rate * size + 0.5) / (size + 1)
        moved.append(np.where(added, shrunk, rate))
        moved.append(np.where(added, shrunk * (1 - shrunk) / (size + 1), variance))
    tpr, of_tpr, fpr, of_fpr = moved
    # The effective sizes are of each rate alone: covariances are left out where 1/2 is added.
    shared = [np.where(added, 0.0, part) for part in (spread.tf, spread.tp, spread.fp)]
    return tpr, fpr, RateVariances(of_tpr, of_fpr, shared[0], spread.p, shared[1], shared[2]), added


# --- Ratios of two rates, and odds ratios, at many tables at once ---------------------------------


class RatePairs(NamedTuple):
    """Counts x1 of n1 and x0 of n0 of two independent groups; the ratio is 1 over 0."""

    x1: FloatArray
    n1: FloatArray
    x0: FloatArray
    n0: FloatArray


def ratio_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return Koopman's limits of a ratio of rates: 0 or infinite where a count is 0.

    NaN where both counts are 0.
    """
    return _score_limits_of_ratio(_least_ratio, pairs, confidence_level)


def odds_score_limits(pairs: RatePairs, confidence_level: float) -> Limits:
    """Return score limits of an odds ratio: 0 or infinite where a cell is empty.

    NaN where a row or a column of the table is empty.
    """
    return _score_limits_of_ratio(_least_odds_ratio, pairs, confidence_level)


# Newton's steps double the digits: after one of 1e-9 only rounding is left.
_SETTLED = 1e-9
_MOST_STEPS = 60  # three are usual
_NO_COUNT = 1e-100  # in the place of 0, so that 0 of it is 0 and not 0/0


def _score_limits_of_ratio(
    least: Callable[[RatePairs, float], FloatArray], pairs: RatePairs, confidence_level: float
) -> Limits:
    z2 = t_quantile((1 + confidence_level) / 2, np.inf) ** 2
    # The upper limit is that of the exchanged groups, inverted.
    both = np.array(pairs)[[[0, 2], [1, 3], [2, 0], [3, 1]]]
    with np.errstate(all="ignore"):
        low, inverse = least(RatePairs(*both), z2)
        return low, 1 / inverse


def _least_ratio(pairs: RatePairs, z2: float) -> FloatArray:
    """Return the least ratio of rates whose chi-square by Koopman (1984) is at most z^2."""
    # docs/methods/points.md, "Rates and ratios of a table".
    x1, n1, x0, n0 = pairs
    left1, left0 = n1 - x1, n0 - x0
    t = _shift_of_counts_to_chi_square(
        np.array([x1, x0]), np.array([left1 / n1, left0 / n0]), 1, z2
    )
    ratio = (x1 - t) * (n0 + t) / ((n1 - t) * (x0 + t))
    # Where all of the first group are called, t ends at n1 and p1 alone falls further.
    odds_left = z2 / n1 - n1 * left0 / (n0 * (x0 + n1))
    further = (n0 + n1) / ((x0 + n1) * (1 + odds_left))
    return np.where((left1 == 0) & (t >= n1) & (n1 > 0), further, ratio)


def _least_odds_ratio(pairs: RatePairs, z2: float) -> FloatArray:
    """Return the least odds ratio whose score chi-square is at most z^2."""
    x1, n1, x0, n0 = pairs
    counts = np.array([x1, n0 - x0, n1 - x1, x0])
    t = _shift_of_counts_to_chi_square(counts, np.ones(counts.shape), 2, z2)
    return (x1 - t) * (n0 - x0 - t) / ((n1 - x1 + t) * (x0 + t))


def _shift_of_counts_to_chi_square(
    counts: FloatArray, weights: FloatArray, n_falling: int, z2: float
) -> FloatArray:
    """Return t > 0 where t^2 S = z^2, S the sum of weights over counts that t moves.

    The first counts fall by t, the others rise by it. The largest t that leaves no count below 0,
    if t^2 S stays below z^2.
    """
    sign = np.where(np.arange(len(counts)) < n_falling, -1.0, 1.0)[:, np.newaxis, np.newaxis]

    def inverse(t: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """Return 1/S, which is concave in t, and its slope."""
        moved = np.maximum(counts + sign * t, _NO_COUNT)
        terms = weights / moved
        value = 1 / terms.sum(axis=0)
        return value, value * value * (sign * terms / moved).sum(axis=0)

    # Where the tangent at 0 would have it, and so not before the crossing; NaN if S is 0.
    value, slope = inverse(0.0)
    half = z2 * slope / 2
    t = np.fmin(counts[:n_falling].min(axis=0), half + np.sqrt(half * half + z2 * value))
    for _ in range(_MOST_STEPS):
        # t^2 - z^2/S is convex: no step goes beyond its root.
        value, slope = inverse(t)
        excess = t * t - z2 * value
        step = np.where(excess > 0, excess / (2 * t - z2 * slope), 0.0)
        t = t - step
        if not (step > _SETTLED * t).any():
            break
    return np.asarray(t)


def ratio_log_limits(
    pairs: RatePairs, confidence_level: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return Simel's limits of a ratio of rates, and where 1/2 was added to every cell."""
    cells, added = _filled_cells(pairs)
    x1, left1, x0, left0 = cells
    n1, n0 = x1 + left1, x0 + left0
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(x1 / n1) - np.log(x0 / n0)
        # Simel, Samsa & Matchar 1991; below 0 by rounding where every case is called.
        se = np.sqrt(np.maximum(1 / x1 - 1 / n1 + 1 / x0 - 1 / n0, 0.0))
    return (*_log_scale_limits(centre, se, confidence_level), added)


def odds_log_limits(
    pairs: RatePairs, confidence_level: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return Woolf's limits of an odds ratio, and where 1/2 was added to every cell."""
    cells, added = _filled_cells(pairs)
    x1, left1, x0, left0 = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(x1) - np.log(left1) - np.log(x0) + np.log(left0)
        # Woolf 1955.
        se = np.sqrt(1 / x1 + 1 / left1 + 1 / x0 + 1 / left0)
    return (*_log_scale_limits(centre, se, confidence_level), added)


def _filled_cells(pairs: RatePairs) -> tuple[list[FloatArray], BoolArray]:
    # Haldane 1956: 1/2 in every cell, only where a logarithm or its variance is infinite.
    cells = [pairs.x1, pairs.n1 - pairs.x1, pairs.x0, pairs.n0 - pairs.x0]
    added = np.any([cell == 0 for cell in cells], axis=0)
    return [np.where(added, cell + 0.5, cell) for cell in cells], added


def _log_scale_limits(centre: FloatArray, se: FloatArray, confidence_level: float) -> Limits:
    reach = t_quantile((1 + confidence_level) / 2, np.inf) * se
    with np.errstate(over="ignore"):  # of a billionth of a case, whose upper limit is infinite
        return np.exp(centre - reach), np.exp(centre + reach)


def ratio_measure_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> MeasureWithLimits:
    """Return likelihood ratios and odds ratios."""
    se = delta_se(tables, name, None, plan)
    # A ratio of 0 or infinity has no standard error, but one limit inside.
    at_end = (estimate == 0) | np.isinf(estimate)
    se = np.where(at_end, np.nan, se)
    if tables.clusters is not None:
        low, high = _clustered_ratio_limits(tables, name, plan)
        measured = measure_without_sample_size(
            estimate, low, high, se, f"clusters/mover-{plan.interval}"
        )
        return measured.noted("empty-cell", at_end)
    pairs = _rate_pairs(tables, negative=name == "lr_negative")
    odds = name == "odds_ratio"
    if plan.ratio_interval == "score":
        limits = odds_score_limits if odds else ratio_score_limits
        measured = measure_without_sample_size(
            estimate, *limits(pairs, plan.level), se, "binomial/score"
        )
        return measured.noted("empty-cell", at_end)
    low, high, added = (odds_log_limits if odds else ratio_log_limits)(pairs, plan.level)
    # Limits of the table with 1/2 added need not contain the estimate of the table without.
    low, high = np.minimum(low, estimate), np.maximum(high, estimate)
    measured = measure_without_sample_size(estimate, low, high, se, "binomial/log")
    return measured.noted("half-added", added).noted("empty-cell", at_end)


def _rate_pairs(tables: PointTables, *, negative: bool) -> RatePairs:
    """Return the counts of a ratio: called positive, or called negative, in both classes."""
    c = tables.cells
    x1, x0 = (c.fn, c.tn) if negative else (c.tp, c.fp)
    return RatePairs(x1, c.tp + c.fn, x0, c.fp + c.tn)


def _clustered_ratio_limits(tables: PointTables, name: str, plan: PointPlan) -> Limits:
    # The correlation of FNR and TNR is that of TPR and FPR: both signs change.
    correlation = tables.correlation()
    names = ("fnr", "tnr") if name == "lr_negative" else ("tpr", "fpr")
    first, second = rate_terms_with_limits(tables, plan, names)
    limits = mover_odds_ratio_limits if name == "odds_ratio" else mover_ratio_limits
    return limits(first, second, correlation)


# --- Predictive values at a prevalence from outside the study -------------------------------------


class PredictiveLimits(NamedTuple):
    """Centre and limits of predictive values; ``adjusted`` marks adjusted cells."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    adjusted: BoolArray


def ppv_limits(
    cells: Cells,
    prevalence: float,
    confidence_level: float,
    *,
    prevalence_cases: float = np.inf,
    correlation: float = 0.0,
    adjusted: bool | None = None,
) -> PredictiveLimits:
    """Return logit limits of the positive predictive value.

    Parameters
    ----------
    cells : Cells
        Counts.
    prevalence, confidence_level : float in (0, 1)
        Share of positives where the rule is used; level of the limits.
    prevalence_cases : float, default infinite
        Number of other cases in which the prevalence was estimated; infinite for a known one.
    correlation : float in [-1, 1], default 0
        That of TPR and FPR, where clusters have cases of both classes.
    adjusted : bool, optional
        Whether z^2/2 is added to each cell; by default where there are no true or no false
        positives, or no negative calls.
    """
    z = t_quantile((1 + confidence_level) / 2, np.inf)
    used, where = _adjusted_cells(cells, z**2 / 2, adjusted)
    n_pos, n_neg = used.tp + used.fn, used.fp + used.tn
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.log(used.tp / n_pos) - np.log(used.fp / n_neg) + sp.logit(prevalence)
        of_tpr, of_fpr = used.fn / (used.tp * n_pos), used.tn / (used.fp * n_neg)
        variance = _predictive_logit_variance(of_tpr, of_fpr, correlation)
        # An estimated prevalence adds 1/(M p(1 - p)), the variance of its logit; a known one 0.
        reach = z * np.sqrt(variance + 1 / (prevalence_cases * prevalence * (1 - prevalence)))
    return PredictiveLimits(
        sp.expit(centre), sp.expit(centre - reach), sp.expit(centre + reach), where
    )


def npv_limits(
    cells: Cells,
    prevalence: float,
    confidence_level: float,
    *,
    prevalence_cases: float = np.inf,
    correlation: float = 0.0,
    adjusted: bool | None = None,
) -> PredictiveLimits:
    """Return logit limits of the negative predictive value: those of the mirrored table.

    Parameters
    ----------
    cells : Cells
        Counts.
    prevalence, confidence_level : float in (0, 1)
        Share of positives where the rule is used; level of the limits.
    prevalence_cases : float, default infinite
        Number of other cases in which the prevalence was estimated; infinite for a known one.
    correlation : float in [-1, 1], default 0
        That of TPR and FPR, which TNR and FNR have too: both signs change.
    adjusted : bool, optional
        Whether z^2/2 is added to each cell; by default where there are no true or no false
        negatives, or no positive calls.
    """
    # With classes and calls exchanged NPV is PPV at the share of negatives.
    mirrored = Cells(tp=cells.tn, fn=cells.fp, fp=cells.fn, tn=cells.tp)
    return ppv_limits(
        mirrored,
        1 - prevalence,
        confidence_level,
        prevalence_cases=prevalence_cases,
        correlation=correlation,
        adjusted=adjusted,
    )


def _predictive_logit_variance(
    first: FloatArray, second: FloatArray, correlation: float
) -> FloatArray:
    """Return the variance of a difference from those of its terms, as independent if it is 0."""
    independent = first + second
    variance = independent - 2 * correlation * np.sqrt(first * second)
    # Rates that vary as one leave a ratio that does not vary: limits would have no width.
    return np.asarray(np.where(variance > NO_SPREAD, variance, independent))


def _adjusted_cells(cells: Cells, added: float, adjusted: bool | None) -> tuple[Cells, BoolArray]:
    counts = (cells.tp, cells.fn, cells.fp, cells.tn)
    # The logit is infinite without true, or without false, positives; without any case that is
    # called negative its variance is 0. One of fn and tn may be 0.
    where = (cells.tp == 0) | (cells.fp == 0) | ((cells.fn == 0) & (cells.tn == 0))
    if adjusted is not None:
        where = np.full(where.shape, adjusted)
    return Cells(*(np.where(where, count + added, count) for count in counts)), where


def predictive_value_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float, plan: PointPlan
) -> MeasureWithLimits:
    """Return predictive values at a prevalence from outside the study."""
    se = delta_se(tables, name, p, plan)
    if tables.clusters is not None:
        low, high = _clustered_predictive(tables, name, p, plan)
        return measure_without_sample_size(
            estimate, low, high, se, f"clusters/mover-{plan.interval}"
        )
    limits = ppv_limits if name == "ppv" else npv_limits
    measured = limits(tables.cells, p, plan.level, prevalence_cases=plan.prevalence_cases)
    # The adjusted cells move the centre of the limits, not the estimate.
    low, high = np.minimum(measured.low, estimate), np.maximum(measured.high, estimate)
    result = measure_without_sample_size(estimate, low, high, se, "binomial/mercaldo")
    return result.noted("adjusted-cells", measured.adjusted)


def _clustered_predictive(tables: PointTables, name: str, p: float, plan: PointPlan) -> Limits:
    """Return limits of the odds of a predictive value: prevalence odds times a ratio of rates."""
    names = ("tpr", "fpr") if name == "ppv" else ("tnr", "fnr")
    first, second = rate_terms_with_limits(tables, plan, names)
    correlation = tables.correlation()
    share = plan.prevalence_term(p).logit
    terms = [first.log, second.log.times(-1.0), share.times(1.0 if name == "ppv" else -1.0)]
    # The prevalence is from other cases: correlated are the first two terms only.
    low, high = mover_sum_limits(terms, -correlation)
    return sp.expit(low), sp.expit(high)


# --- The true prevalence from the apparent one ----------------------------------------------------


def rogan_gladen_prevalence(
    tpr: FloatArray, fpr: FloatArray, apparent: ApparentPrevalence
) -> FloatArray:
    """Return Rogan and Gladen's estimate, cut at 0 and 1; NaN unless TPR exceeds FPR."""
    index = tpr - fpr
    share = apparent.positive / apparent.size
    found: FloatArray = np.full(len(index), np.nan)
    np.divide(share - fpr, index, out=found, where=index > 0)
    return np.clip(found, 0.0, 1.0)


def true_prevalence_limits(
    tables: PointTables, plan: PointPlan, apparent: ApparentPrevalence
) -> MeasureWithLimits:
    """Return the true prevalence with Lang and Reiczigel's limits.

    Sensitivity and specificity have the effective numbers of cases of their own limits.
    """
    estimate = rogan_gladen_prevalence(tables.tpr, tables.fpr, apparent)
    z = t_quantile((1 + plan.level) / 2, np.inf)
    sizes = [tables.rate(name, "wilson", plan.level).size for name in ("tpr", "fpr")]
    share, n = apparent.positive / apparent.size, apparent.size
    tpr, fpr = tables.tpr, tables.fpr
    correlation = tables.correlation()
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = _binomial_variances((share, n), (tpr, sizes[0]), (fpr, sizes[1]))
        se = np.sqrt(_true_prevalence_variance(estimate, tpr - fpr, spread, correlation))
        # Lang and Reiczigel 2014: z^2/2 more of both results in the sample, 1 more in the rates.
        moved = ((n * share + z**2 / 2) / (n + z**2), n + z**2)
        t, f = (
            ((size * rate + 1) / (size + 2), size + 2)
            for rate, size in zip((tpr, fpr), sizes, strict=True)
        )
        index = t[0] - f[0]
        centre = (moved[0] - f[0]) / index
        spread = _binomial_variances(moved, t, f)
        shift = 2 * z**2 * (centre * spread[1] - (1 - centre) * spread[2])
        reach = z * np.sqrt(_true_prevalence_variance(centre, index, spread, correlation))
        low, high = (np.clip(centre + shift + sign * reach, 0.0, 1.0) for sign in (-1, 1))
    useless = ~((tpr - fpr > 0) & (index > 0))
    result = measure_without_sample_size(
        estimate,
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        se,
        f"{tables.source}/lang-reiczigel",
    ).blanked(useless)
    beyond = (share < fpr) | (share > tpr)
    result = result.noted(f"apparent-prevalence={apparent.positive:g}/{n:g}")
    result = result.noted("prevalence-at-end", beyond & ~useless)
    return result.noted("useless-test", useless & ~np.isnan(tpr - fpr))


Rate = tuple[FloatArray | float, FloatArray | float]
"""A rate and its number of cases."""


def _binomial_variances(*rates: Rate) -> list[FloatArray]:
    return [np.asarray(rate * (1 - rate) / size) for rate, size in rates]


def _true_prevalence_variance(
    value: FloatArray, index: FloatArray, spread: list[FloatArray], correlation: FloatArray
) -> FloatArray:
    """Return the delta-method variance of (a - f)/(t - f) from those of a, t and f."""
    of_share, of_tpr, of_fpr = spread
    shared = 2 * value * (1 - value) * correlation * np.sqrt(of_tpr * of_fpr)
    total = of_share + value**2 * of_tpr + (1 - value) ** 2 * of_fpr + shared
    return np.asarray(np.maximum(total, 0.0) / index**2)
