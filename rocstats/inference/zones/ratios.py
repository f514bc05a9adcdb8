"""Likelihood ratios of bands of scores, and of zones that together hold all scores.

The ratio of a zone is its share of the positives over its share of the negatives. Limits are
Koopman's, Simel's on the log scale, or in clusters those of influence values on the log scale.
Bands of scores also have the probabilities that the ratios make of a prevalence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows, lacks_class, predictor_rows
from rocstats.estimate.bars import cluster_units
from rocstats.estimate.estimate import Result
from rocstats.estimate.measure_limits import RatePairs, ratio_log_limits, ratio_score_limits
from rocstats.estimate.quantiles import t_quantile
from rocstats.estimate.tables import RatioInterval, small_sample_factor_of_clusters
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import are_few_clusters
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.points import number_array, read_prevalences
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


# --- Bands of scores ------------------------------------------------------------------------------

BAND_LIKELIHOOD_RATIOS = Question(
    "band_likelihood_ratios",
    estimate_columns(
        f"predictor group quantity band_low band_high prevalence {ESTIMATE} n_pos n_neg method note"
    ),
    ("koopman-1984", "simel-1991"),
)
# More distinct scores than this are measurements, whose bands the user must name.
_MOST_DISTINCT = 10


def band_likelihood_ratios(
    sample: Sample,
    edges: Any = None,
    *,
    prevalence: Any = None,
    ratio_interval: RatioInterval = "score",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the likelihood ratio of each band of scores; a row is one band.

    Use this method to interpret a test result by its band, which is a range of scores. The band of
    a result has more information than its side of one threshold. The odds of disease after the test
    are the odds before the test times the likelihood ratio.

    Parameters
    ----------
    edges : sequence of float, optional
        Edges between bands on the scale of the scores, in ascending order and chosen beforehand. A
        band includes its lower edge but not its upper edge. The first band has all scores below the
        first edge. The last band has all scores at or above the last edge. By default each distinct
        score is a band; this needs at most 10 distinct scores.
    prevalence : float in (0, 1), or sequence of float, optional
        Prevalence (pre-test probability) values. Each value adds a row ``post_test_probability`` to
        each band.
    ratio_interval : {"score", "log"}, default "score"
        Limits for independent cases. Studies with clusters always use "log".

        - "score": inverts Koopman's score test. These limits exist even if a cell is empty.
        - "log": normal limits on the log scale (Simel); adds 1/2 to each cell if a cell is empty.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, band_low, band_high, estimate, ci_low, ci_high, se,
        prevalence, n_pos, n_neg, confidence_level, method, note``. ``quantity`` is "lr" or
        "post_test_probability". ``n_pos`` and ``n_neg`` count the positives and negatives in the
        band.

    Raises
    ------
    InputError
        If edges are not finite and ascending; if edges are missing for over 10 distinct scores; if
        an option is invalid; or if scores are binned.

    Warns
    -----
    StatisticalWarning
        - ``empty-band``: a band has no cases.
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``few-clusters``: clusters are few.
        - ``weights-need-bootstrap``: the study has weights, and there are no limits.

    Notes
    -----
    LR = (x1/n1)/(x0/n0) for x1 of n1 positives and x0 of n0 negatives in the band. ``se`` is LR
    sqrt(1/x1 - 1/n1 + 1/x0 - 1/n0). The ratio is 0 or infinite if x1 or x0 is 0 (``empty-cell``).
    It is undefined if both are 0 (``empty-band``). With C clusters, influence values are first
    summed within clusters. The variance of log LR is C/(C - 1) times the sum of the squares of
    these sums. There are then no limits if x1 or x0 is 0 (``zero-cell``). For clusters of unequal
    size, limits are widened by the ratio of two quantiles of t (see ``operating_points``).

    The post-test odds are prevalence/(1 - prevalence) LR. Limits follow from the limits of LR. The
    prevalence is treated as exact. If bands are chosen after seeing the ratios, the ratios are
    optimistic. ``operating_points`` has the likelihood ratios of all scores beyond a threshold.

    References
    ----------
    - Koopman (1984) [koopman-1984]
    - Simel, Samsa & Matchar (1991) [simel-1991]

    Examples
    --------
    >>> import rocstats as rs
    >>> ct = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> found = ct.band_likelihood_ratios()
    >>> found[["band_low", "band_high", "estimate", "ci_low", "ci_high"]].round(3)
       band_low  band_high  estimate  ci_low  ci_high
    0      -inf        2.0     0.103   0.035    0.288
    1       2.0        3.0     0.379   0.090    1.557
    2       3.0        4.0     0.379   0.090    1.557
    3       4.0        5.0     1.137   0.546    2.362
    4       5.0        inf    18.765   5.420   68.864
    """
    ratio_interval = require_choice("ratio_interval", ratio_interval, get_args(RatioInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    shares = read_prevalences(prevalence)
    edges = _read_score_band_edges(edges)
    BAND_LIKELIHOOD_RATIOS.require_roles(sample)
    rows = predictor_rows(
        sample,
        lambda part, _, k: _score_band_rows(
            part, k, edges, shares, ratio_interval, confidence_level
        ),
    )
    return answer_rows(BAND_LIKELIHOOD_RATIOS, sample, rows)


def _read_score_band_edges(edges: Any) -> FloatArray | None:
    """Return the inner edges; infinite ends may be named."""
    if edges is None:
        return None
    given = number_array(edges)
    inner = given[np.isfinite(given)] if given.ndim == 1 else given[:0]
    ends = given.ndim == 1 and not np.isinf(given[1:-1]).any() and not np.isnan(given).any()
    if len(inner) == 0 or not ends or not (np.diff(given) > 0).all():
        raise InputError(
            f"`edges` must be numbers in ascending order; got {edges!r}. Pass the limits between"
            " bands."
        )
    return inner


def _band_edges_between_scores(score: FloatArray, name: str) -> FloatArray:
    """Return the edges of bands of one distinct score each."""
    if len(score) > _MOST_DISTINCT:
        raise InputError(
            f"`edges` must be given for over {_MOST_DISTINCT} distinct scores; got {len(score)}"
            f" of {name!r}. Pass the limits between bands."
        )
    return np.sort(score)[1:]


def _score_band_rows(
    sample: Sample,
    k: int,
    edges: FloatArray | None,
    prevalences: tuple[float, ...],
    interval: RatioInterval,
    level: float,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of predictor ``k``, band by band."""
    cases = sample.cases
    counts = cases.counts(k)
    if edges is None:
        edges = _band_edges_between_scores(counts.score, sample.predictors[k])
    n_bands = len(edges) + 1
    # A band holds its lower edge, and not its upper one.
    zone = np.searchsorted(edges, counts.score, side="right")
    found = count_zones(counts, zone, n_bands)
    ratios = zone_ratios(cases, k, zone, found, interval, level)
    codes = zone_notes_of_group(sample)
    limits = np.concatenate([[-np.inf], edges, [np.inf]])
    times = np.ones(len(cases.is_positive)) if sample.frequency is None else sample.frequency
    band_of_case = zone[cases.codes(k)]
    n_pos, n_neg = (
        np.bincount(band_of_case[side], times[side], minlength=n_bands)
        for side in (cases.is_positive, ~cases.is_positive)
    )
    for b in range(n_bands):
        known = {
            "band_low": limits[b],
            "band_high": limits[b + 1],
            "n_pos": n_pos[b],
            "n_neg": n_neg[b],
        }
        for share in (np.nan, *prevalences):
            quantity = "lr" if np.isnan(share) else "post_test_probability"
            result = Result(np.nan)
            if not lacks_class(sample):
                result = zone_result(ratios, b, share, limited=sample.sample_weight is None)
            known |= {"quantity": quantity, "prevalence": share}
            known["confidence_level"] = level_of_limits(result, level)
            yield answer_row_of_result(BAND_LIKELIHOOD_RATIOS, known, result, codes)
