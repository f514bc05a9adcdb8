"""Likelihood ratios of zones: ranges of scores that together hold all of them. Arrays only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.bands.bars import Bars, binomial_bars, clustered_bars
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.intervals.rates.mover_arrays import Term, sum_limits
from rocstats.stats.points.cluster_tables import small_sample
from rocstats.stats.points.measured import RatioInterval
from rocstats.stats.points.ratio_limits import RatePairs, ratio_log_limits, ratio_score_limits
from rocstats.tolerances import NO_SPREAD, WHOLE


class ZoneCounts(NamedTuple):
    """Positives and negatives in each zone, and of all zones."""

    pos: FloatArray
    neg: FloatArray
    n_pos: float
    n_neg: float


class ZoneRatios(NamedTuple):
    """Likelihood ratios with limits; ``added`` marks those with 1/2 more in every cell."""

    estimate: FloatArray
    log_se: FloatArray
    low: FloatArray
    high: FloatArray
    method: str
    added: BoolArray | None = None


def zones_of_edges(score: FloatArray, edges: FloatArray) -> IntArray:
    """Return the zone of each score: those from one edge up to, but not at, the next."""
    return np.searchsorted(edges, score, side="right")


def count_zones(counts: ScoreCounts, zone: IntArray, n_zones: int) -> ZoneCounts:
    """Return the counts of zones, given the zone of each distinct score."""
    sums = [
        np.asarray(np.bincount(zone, weights=side, minlength=n_zones), dtype=np.float64)
        for side in (counts.n_pos, counts.n_neg)
    ]
    return ZoneCounts(sums[0], sums[1], counts.total_pos, counts.total_neg)


def zone_ratios(found: ZoneCounts, interval: RatioInterval, confidence_level: float) -> ZoneRatios:
    """Return likelihood ratios of independent cases: Koopman's limits, or Simel's."""
    n_zones = len(found.pos)
    sizes = (np.full(n_zones, n) for n in (found.n_pos, found.n_neg))
    pairs = RatePairs(found.pos, next(sizes), found.neg, next(sizes))
    estimate, log_se = _ratios(pairs)
    if interval == "score":
        return ZoneRatios(
            estimate, log_se, *ratio_score_limits(pairs, confidence_level), "binomial/score"
        )
    low, high, added = ratio_log_limits(pairs, confidence_level)
    # Limits of the table with 1/2 added need not contain the estimate of the table without.
    # A band without cases has neither.
    empty = np.isnan(estimate)
    low = np.where(empty, np.nan, np.fmin(low, estimate))
    high = np.where(empty, np.nan, np.fmax(high, estimate))
    return ZoneRatios(estimate, log_se, low, high, "binomial/log", added & ~empty)


def _ratios(pairs: RatePairs) -> tuple[FloatArray, FloatArray]:
    """Return ratios of rates and the standard errors of their logarithms; NaN of empty cells."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (pairs.x1 / pairs.n1) / (pairs.x0 / pairs.n0)
        variance = 1 / pairs.x1 - 1 / pairs.n1 + 1 / pairs.x0 - 1 / pairs.n0
        log_se = np.sqrt(np.maximum(variance, 0.0))
    return ratio, np.where(np.isfinite(log_se), log_se, np.nan)


def clustered_zone_ratios(
    cases: ScoredCases, k: int, zone: IntArray, found: ZoneCounts, confidence_level: float
) -> ZoneRatios:
    """Return likelihood ratios with log limits from influence values summed by cluster.

    ``zone`` is that of each distinct score. NaN limits where a cell is empty.
    """
    codes = cases.cluster.codes  # type: ignore[union-attr]
    times = np.ones(len(codes)) if cases.frequency is None else cases.frequency
    inside = zone[cases.codes(k)] == np.arange(len(found.pos))[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        tpr, fpr = found.pos / found.n_pos, found.neg / found.n_neg
        # d log(tpr/fpr) by the weight of a case.
        of_pos = (inside - tpr[:, None]) / (found.n_pos * tpr[:, None])
        of_neg = (inside - fpr[:, None]) / (found.n_neg * fpr[:, None])
        influence = times * np.where(cases.is_positive, of_pos, -of_neg)
        sums = np.array([np.bincount(codes, weights=row) for row in influence])
        n_clusters = float(len(np.unique(codes)))
        log_se = np.sqrt(small_sample(n_clusters) * (sums**2).sum(axis=1))
        ratio = tpr / fpr
        reach = quantile((1 + confidence_level) / 2, np.inf) * log_se
        low, high = ratio * np.exp(-reach), ratio * np.exp(reach)
    # Clusters that do not differ, or an empty cell, say nothing of how the ratio varies.
    known = np.isfinite(log_se) & (log_se > 0)
    log_se, low, high = (np.where(known, x, np.nan) for x in (log_se, low, high))
    return ZoneRatios(ratio, log_se, low, high, "cluster-influence/log")


VALUES = (
    ("negative", "lr"), ("negative", "npv"), ("grey", "lr"), ("grey", "share_of_positives"),
    ("grey", "share_of_negatives"), ("grey", "share_of_all"), ("positive", "lr"),
    ("positive", "ppv"),
)  # fmt: skip
"""Zones between two thresholds, and their measures."""


def band_codes(ratio: float, low: float, high: float) -> list[str]:
    """Return the notes of a ratio: of a band without cases, or without cases of a class."""
    if np.isnan(ratio):
        return ["empty-band"]
    at_end = ratio == 0 or np.isinf(ratio)
    if at_end and np.isnan(low + high):
        return ["zero-cell"]
    return ["empty-cell"] if at_end else []


def zones_of_vertices(n_scores: int, rule_out: int, rule_in: int) -> IntArray:
    """Return the zone (0 negative, 1 grey, 2 positive) of scores from the most positive down."""
    place = np.arange(n_scores)
    return np.where(place < rule_in, 2, np.where(place < rule_out, 1, 0))


def chosen_vertices(
    tp: FloatArray, fp: FloatArray, tpr: float, tnr: float
) -> tuple[int, int, bool]:
    """Return the vertices that reach a sensitivity and a specificity, and whether one does both."""
    # 0.95 * 20 is more than 19 by rounding.
    rule_out = int(np.argmax(tp >= tpr * tp[-1] - WHOLE * tp[-1]))
    enough = fp[-1] - fp >= tnr * fp[-1] - WHOLE * fp[-1]
    rule_in = int(np.flatnonzero(enough)[-1])
    return max(rule_out, rule_in), rule_in, rule_out <= rule_in


def zone_values(found: ZoneCounts, prevalence: float) -> FloatArray:
    """Return the measures ``VALUES`` at a prevalence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pos, neg = found.pos / found.n_pos, found.neg / found.n_neg
        lr = pos / neg
        of_pos, of_neg = prevalence * pos, (1 - prevalence) * neg
        both = of_pos + of_neg
        npv, ppv = of_neg[0] / both[0], of_pos[2] / both[2]
    return np.array([lr[0], npv, lr[1], pos[1], neg[1], both[1], lr[2], ppv])


class Share(NamedTuple):
    """A share of cases with its limits and method."""

    estimate: float
    se: float
    low: float
    high: float
    method: str


def grey_shares(
    cases: ScoredCases,
    k: int,
    zone: IntArray,
    found: ZoneCounts,
    prevalence: float | None,
    confidence_level: float,
) -> list[Share]:
    """Return the shares of positives, negatives and all cases in the grey zone, with limits."""
    sizes = np.array([found.n_pos, found.n_neg, found.n_pos + found.n_neg])
    rate = np.array([found.pos[1], found.neg[1], found.pos[1] + found.neg[1]]) / sizes
    if cases.cluster is None:
        bars, source, correlation = (
            binomial_bars(rate, sizes, "wilson", confidence_level), "binomial", 0.0,
        )  # fmt: skip
    else:
        bars, correlation = _clustered_shares(cases, k, zone, rate, sizes, confidence_level)
        source = "clusters"
    low, high, se = bars.low, bars.high, bars.se
    rows = [
        Share(float(rate[i]), float(se[i]), float(low[i]), float(high[i]), f"{source}/wilson")
        for i in range(3)
    ]
    if prevalence is None:
        return rows
    weights = prevalence, 1 - prevalence
    terms = [Term(rate[[i]], low[[i]], high[[i]]).times(weights[i]) for i in range(2)]
    ends = sum_limits(terms, np.array([correlation]))
    parts = weights[0] * se[0], weights[1] * se[1]
    whole = np.sqrt(parts[0] ** 2 + parts[1] ** 2 + 2 * correlation * parts[0] * parts[1])
    estimate = weights[0] * rate[0] + weights[1] * rate[1]
    limits = float(ends[0][0]), float(ends[1][0])
    all_cases = Share(float(estimate), float(whole), *limits, f"{source}/mover-wilson")
    return [*rows[:2], all_cases]


def _clustered_shares(
    cases: ScoredCases,
    k: int,
    zone: IntArray,
    rate: FloatArray,
    sizes: FloatArray,
    confidence_level: float,
) -> tuple[Bars, float]:
    """Return bars of shares in clusters, and the correlation of those of both classes."""
    codes = cases.cluster.codes  # type: ignore[union-attr]
    times = np.ones(len(codes)) if cases.frequency is None else cases.frequency
    members = times * np.array([cases.is_positive, ~cases.is_positive, np.ones(len(codes))])
    inside = zone[cases.codes(k)] == 1
    influence = members * (inside - rate[:, np.newaxis]) / sizes[:, np.newaxis]
    sums = np.array([np.bincount(codes, weights=row) for row in influence])
    held = np.array([np.bincount(codes, weights=row) for row in members]) > 0
    numbers = held.sum(axis=1).astype(np.float64)
    variance = small_sample(numbers) * (sums**2).sum(axis=1)
    scale = float(np.sqrt((sums[0] ** 2).sum() * (sums[1] ** 2).sum()))
    correlation = float(sums[0] @ sums[1]) / scale if scale > NO_SPREAD else 0.0
    return clustered_bars(rate, numbers, variance, "wilson", confidence_level), correlation
