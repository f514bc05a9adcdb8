"""Likelihood ratios of zones that together hold all scores, with their limits and notes.

The ratio of a zone is its share of the positives over its share of the negatives. Limits are
Koopman's, Simel's on the log scale, or in clusters those of influence values on the log scale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.estimate.answers import lacks_class
from rocstats.estimate.bars import cluster_units
from rocstats.estimate.estimate import Result
from rocstats.estimate.measure_limits import RatePairs, ratio_log_limits, ratio_score_limits
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.tables import RatioInterval, small_sample_factor_of_clusters
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import are_few_clusters
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample


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


def count_zones(counts: ScoreCounts, zone: IntArray, n_zones: int) -> ZoneCounts:
    """Return the counts of zones, given the zone of each distinct score."""
    sums = [
        np.asarray(np.bincount(zone, weights=side, minlength=n_zones), dtype=np.float64)
        for side in (counts.n_pos, counts.n_neg)
    ]
    return ZoneCounts(sums[0], sums[1], counts.total_pos, counts.total_neg)


def zone_ratios(
    cases: ScoredCases,
    k: int,
    zone: IntArray,
    found: ZoneCounts,
    interval: RatioInterval,
    confidence_level: float,
) -> ZoneRatios:
    """Return likelihood ratios with Koopman's limits, or Simel's; clusters have log limits.

    ``zone`` is that of each distinct score.
    """
    if cases.cluster is not None:
        return _clustered_ratios(cases, k, zone, found, confidence_level)
    n_pos, n_neg = (np.full(len(found.pos), n) for n in (found.n_pos, found.n_neg))
    pairs = RatePairs(found.pos, n_pos, found.neg, n_neg)
    estimate, log_se = _zone_ratios_of_rates(pairs)
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


def _zone_ratios_of_rates(pairs: RatePairs) -> tuple[FloatArray, FloatArray]:
    """Return ratios of rates and the standard errors of their logarithms; NaN of empty cells.

    The variance of log LR is 1/x1 - 1/n1 + 1/x0 - 1/n0 [simel-1991].
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (pairs.x1 / pairs.n1) / (pairs.x0 / pairs.n0)
        variance = 1 / pairs.x1 - 1 / pairs.n1 + 1 / pairs.x0 - 1 / pairs.n0
        log_se = np.sqrt(np.maximum(variance, 0.0))
    return ratio, np.where(np.isfinite(log_se), log_se, np.nan)


def _clustered_ratios(
    cases: ScoredCases, k: int, zone: IntArray, found: ZoneCounts, confidence_level: float
) -> ZoneRatios:
    """Return likelihood ratios with log limits from influence values summed by cluster.

    Unequal clusters stretch the influence of each class (``ClusterUnits.stretch``), and never make
    limits shorter. Limits are NaN where a cell is empty.
    """
    codes, positive = cases.cluster.codes, cases.is_positive  # type: ignore[union-attr]
    times = np.ones(len(codes)) if cases.frequency is None else cases.frequency
    sizes = [np.bincount(codes, times * of_class) for of_class in (positive, ~positive)]
    units = cluster_units(np.array(sizes, dtype=np.float64))
    inside = zone[cases.codes(k)] == np.arange(len(found.pos))[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        tpr, fpr = found.pos / found.n_pos, found.neg / found.n_neg
        # d log(tpr/fpr) by the weight of a case.
        of_pos = (inside - tpr[:, None]) / (found.n_pos * tpr[:, None])
        of_neg = (inside - fpr[:, None]) / (found.n_neg * fpr[:, None])
        influence = times * np.where(positive, of_pos, -of_neg)
        log_se = _log_ratio_se_from_clusters(influence, codes)
        ratio, spread = tpr / fpr, log_se
        if units.unequal:
            longer = units.stretch((1 - confidence_level) / 2)
            stretched = influence * np.where(positive, *longer)
            spread = np.maximum(log_se, _log_ratio_se_from_clusters(stretched, codes))
        reach = t_quantile((1 + confidence_level) / 2, np.inf) * spread
        low, high = ratio * np.exp(-reach), ratio * np.exp(reach)
    # Clusters that do not differ, or an empty cell, say nothing of how the ratio varies.
    varies = np.isfinite(log_se) & (log_se > 0)
    log_se, low, high = (np.where(varies, x, np.nan) for x in (log_se, low, high))
    return ZoneRatios(ratio, log_se, low, high, "cluster-influence/log")


def _log_ratio_se_from_clusters(influence: FloatArray, codes: IntArray) -> FloatArray:
    """Return the standard errors of B values from the influence of each case (B x n)."""
    sums = np.array([np.bincount(codes, weights=row) for row in influence])
    n_clusters = float(np.count_nonzero(np.bincount(codes)))
    return np.asarray(np.sqrt(small_sample_factor_of_clusters(n_clusters) * (sums**2).sum(axis=1)))


def zone_result(
    ratios: ZoneRatios, b: int, share: float = np.nan, *, limited: bool = True
) -> Result:
    """Return the ratio of zone ``b``, or the probability that it makes of a prevalence."""
    columns = (ratios.estimate, ratios.log_se, ratios.low, ratios.high)
    ratio, log_se, low, high = (float(column[b]) for column in columns)
    has_limits = not np.isnan(low + high)
    codes = _empty_zone_notes(ratio, has_limits=has_limits)
    se = ratio * log_se
    if not np.isnan(share):
        ratio, low, high = (_post_test_probability(share, each) for each in (ratio, low, high))
        se = ratio * (1 - ratio) * log_se
    if not (limited and has_limits):
        return Result(ratio, codes=codes)
    if ratios.added is not None and ratios.added[b]:
        codes = ("half-added", *codes)
    return Result(ratio, se, low, high, method=ratios.method, codes=codes)


def _empty_zone_notes(ratio: float, *, has_limits: bool) -> tuple[str, ...]:
    """Return the note of a band without cases, or without cases of a class."""
    if np.isnan(ratio):
        return ("empty-band",)
    if 0 < ratio < np.inf:
        return ()
    return ("empty-cell",) if has_limits else ("zero-cell",)


def _post_test_probability(share: float, ratio: float) -> float:
    """Return the probability of disease after the test, whose odds are ``ratio`` times longer."""
    if np.isinf(ratio):
        return 1.0
    return share * ratio / (share * ratio + 1 - share)


# --- Notes and levels of rows ---------------------------------------------------------------------


def zone_notes_of_group(sample: Sample) -> list[str]:
    """Return the notes of every row of a group."""
    unlimited = ["one-class"] if lacks_class(sample) else []
    unlimited += ["weights-need-bootstrap"] if sample.sample_weight is not None else []
    pooled = ["pooled-folds"] if sample.fold is not None else []
    few = ["few-clusters"] if not unlimited and are_few_clusters(sample.cases) else []
    return [*unlimited, *pooled, *few, *sample_notes(sample)]


def level_of_limits(result: Result, level: float) -> float:
    """Return the level of the limits; NaN where there are none."""
    return np.nan if np.isnan(result.ci_low + result.ci_high) else level
