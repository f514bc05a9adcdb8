"""What a result below two thresholds, between or above them says.

The thresholds are given, or chosen to reach a sensitivity and a specificity. A threshold with the
share p of one class beyond it lies between two order statistics of that class, whose ranks are
binomial. The share of the other class at the threshold has limits from that and, at a threshold,
Wilson's, combined by MOVER (ours). See docs/methods/points.md, "Grey zones at targets".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import next_of_sample, roc_points
from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.areas import numbers_of_independent_units
from rocstats.estimate.bars import Bars, binomial_bars, cluster_units, clustered_bars
from rocstats.estimate.estimate import Result
from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.proportions import MoverTerm, mover_sum_limits, wilson_limit_of_proportion
from rocstats.estimate.resample import (
    NO_RESAMPLES,
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
    require_drawing,
)
from rocstats.estimate.resample_statistics import draw_statistic_values
from rocstats.estimate.tables import (
    PointPlan,
    point_tables_at_vertices,
    small_sample_factor_of_clusters,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, cumulated
from rocstats.facts.measures import depends_on_prevalence
from rocstats.facts.tolerances import MOST_UNDEFINED, NO_SPREAD, WHOLE
from rocstats.frame.question import ESTIMATE, Question, counts_only, estimate_columns
from rocstats.inference.zones.ratios import (
    ZoneCounts,
    count_zones,
    level_of_limits,
    zone_notes_of_group,
    zone_ratios,
    zone_result,
)
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import LabelledScores, ScoreCounts, count_scores_of
from rocstats.study.points import read_thresholds
from rocstats.study.sample import Sample

# --- Rates at a threshold that reaches a target rate ----------------------------------------------

RateLimits = tuple[float, float]
"""Lower and upper limit of a rate."""


class OuterZoneLimits(NamedTuple):
    """Limits of the shares of positives and negatives in the outer zones.

    ``missed`` and ``called`` are of the positives in the negative and in the positive zone,
    ``cleared`` and ``alarmed`` of the negatives there.
    """

    missed: RateLimits
    called: RateLimits
    cleared: RateLimits
    alarmed: RateLimits


def outer_zone_limits(
    counts: ScoreCounts,
    beyond: tuple[float, float],
    targets: tuple[float, float],
    level: float,
) -> OuterZoneLimits:
    """Return limits of the shares beyond the thresholds that reach a sensitivity and a specificity.

    ``beyond`` are the positives in the positive and the negatives in the negative zone.
    """
    pos, neg = (np.asarray(side, dtype=np.float64) for side in (counts.n_pos, counts.n_neg))
    missed, cleared = _share_limits_beyond_threshold(
        pos[::-1], neg[::-1], 1 - targets[0], beyond[1], level
    )
    alarmed, called = _share_limits_beyond_threshold(neg, pos, 1 - targets[1], beyond[0], level)
    return OuterZoneLimits(missed, called, cleared, alarmed)


def zone_limits(rates: OuterZoneLimits, both: OuterZoneLimits, share: float) -> list[RateLimits]:
    """Return limits of the measures of three zones, in the order of ``grey_zone``.

    ``rates`` are at the level of one rate, ``both`` at that of two together; ``share`` is that of
    positives in the population.
    """
    missed, called, cleared, alarmed = rates
    grey_pos, grey_neg = _grey_zone_limits(missed, called), _grey_zone_limits(alarmed, cleared)
    both_pos = _grey_zone_limits(both.missed, both.called)
    both_neg = _grey_zone_limits(both.alarmed, both.cleared)
    low, high = (share * p + (1 - share) * n for p, n in zip(both_pos, both_neg, strict=True))
    return [
        _zone_ratio_limits(missed, cleared),
        _zone_predictive_limits(1 - share, cleared, missed),
        _zone_ratio_limits(both_pos, both_neg),
        grey_pos,
        grey_neg,
        (low, high),
        _zone_ratio_limits(called, alarmed),
        _zone_predictive_limits(share, called, alarmed),
    ]


def _share_limits_beyond_threshold(
    reaching: FloatArray, other: FloatArray, share: float, beyond: float, level: float
) -> tuple[RateLimits, RateLimits]:
    """Return limits of the share of both classes beyond a threshold.

    ``reaching`` has the counts of the class that reaches the target, ``other`` those of the other
    class, by distinct score, the outermost first. At most the ``share`` of the former lies beyond
    the threshold, and the number ``beyond`` of the latter.
    """
    m, n = float(reaching.sum()), float(other.sum())
    low_at, high_at, most = _counts_beyond(reaching, other, share, (1 - level) / 2)
    reach = float(sp.ndtri((1 + level) / 2))
    if most > 1:
        # Tied scores: a threshold is one of few, and its error no sum of small ones. Half of the
        # tail is for the threshold, half for the share there.
        low_at, high_at, most = _counts_beyond(reaching, other, share, (1 - level) / 4)
        half = float(sp.ndtri((3 + level) / 4))
        ends = (
            min(wilson_limit_of_proportion(low_at, n, -half), beyond / n),
            max(wilson_limit_of_proportion(high_at, n, half), beyond / n),
        )
        # The share beyond is less than the target by up to the cases of one score.
        return (max(share - wilson_limit_of_proportion(most, m, reach), 0.0), share), ends
    value, ends = (
        beyond / n,
        (
            wilson_limit_of_proportion(beyond, n, -reach),
            wilson_limit_of_proportion(beyond, n, reach),
        ),
    )
    low = value - np.hypot(max(value - low_at / n, 0.0), value - ends[0])
    high = value + np.hypot(max(high_at / n - value, 0.0), ends[1] - value)
    return (share, share), (float(max(low, 0.0)), float(min(high, 1.0)))


def _counts_beyond(
    reaching: FloatArray, other: FloatArray, share: float, tail: float
) -> tuple[float, float, float]:
    """Return how many of the other class are beyond the limits of the threshold.

    The third number is the most cases of the class itself at one score between them.
    """
    m, n = float(reaching.sum()), float(other.sum())
    first, last = _quantile_ranks(m, share, tail)
    places = np.searchsorted(np.cumsum(reaching), [first, last], side="left")
    before = np.concatenate([[0.0], np.cumsum(other)])
    at = before[np.minimum(places, len(other))]
    # Beyond every case of the class there may be all of the other, or none of it.
    low, high = (0.0 if first == 0 else float(at[0])), (n if last > m else float(at[1]))
    return low, high, float(reaching[places[0] : places[1] + 1].max(initial=0.0))


# Beyond 40 standard deviations a binomial count has no probability in floating point.
_FARTHEST = 40


def _quantile_ranks(m: float, share: float, tail: float) -> tuple[float, float]:
    """Return the ranks between which a quantile lies; 0 and m + 1 for no bound.

    The number of cases below the quantile is binomial: fewer than the first, and as many as the
    last, each have at most the probability ``tail``.
    """
    centre, spread = m * share, _FARTHEST * (np.sqrt(m * share * (1 - share)) + 1)
    rank = np.arange(max(0.0, np.floor(centre - spread)), min(m + 1, np.ceil(centre + spread)) + 1)
    fewer = np.where(rank > 0, sp.bdtr(np.maximum(rank - 1, 0.0), int(m), share), 0.0)
    last = np.append(rank, m + 1)[np.append(1 - fewer, 0.0) <= tail].min()
    return float(rank[fewer <= tail].max()), float(last)


def _grey_zone_limits(outer: RateLimits, inner: RateLimits) -> RateLimits:
    """Return limits of what two shares leave."""
    return max(1 - outer[1] - inner[1], 0.0), max(1 - outer[0] - inner[0], 0.0)


def _zone_ratio_limits(above: RateLimits, below: RateLimits) -> RateLimits:
    """Return limits of the ratio of two shares."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (np.divide(*pair) for pair in ((above[0], below[1]), (above[1], below[0])))
    return float(np.nan_to_num(low, nan=0.0)), float(np.nan_to_num(high, nan=np.inf, posinf=np.inf))


def _zone_predictive_limits(share: float, right: RateLimits, wrong: RateLimits) -> RateLimits:
    """Return limits of the share of right calls, ``share`` being that of the class."""
    low, high = (
        share * r / (share * r + (1 - share) * w) if r > 0 or w > 0 else np.nan
        for r, w in ((right[0], wrong[1]), (right[1], wrong[0]))
    )
    return float(np.nan_to_num(low, nan=0.0)), float(np.nan_to_num(high, nan=1.0))


# --- Question and rows ----------------------------------------------------------------------------

GREY_ZONE = Question(
    "grey_zone",
    estimate_columns(
        "predictor group zone quantity direction rule_out_threshold "
        f"rule_in_threshold rule_out_next_score rule_in_next_score {ESTIMATE}"
        " prevalence n_pos n_neg n_resamples method note"
    ),
    ("koopman-1984", "mercaldo-2007", "wilson-1927", "zou-2008"),
    {"sample_weight": counts_only("grey_zone", "Zones hold cases", "weights")},
)

ZONE_MEASURES = (
    ("negative", "lr"), ("negative", "npv"), ("grey", "lr"), ("grey", "share_of_positives"),
    ("grey", "share_of_negatives"), ("grey", "share_of_all"), ("positive", "lr"),
    ("positive", "ppv"),
)  # fmt: skip
"""Zones between two thresholds, and their measures."""
Targets = tuple[float, float]
"""A sensitivity and a specificity."""


def grey_zone(
    sample: Sample,
    thresholds: Sequence[float] | Mapping[str, Sequence[float]] | None = None,
    *,
    tpr: float | None = None,
    tnr: float | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return likelihood ratios and predictive values with a grey zone; a row is one measure.

    Use this method for a test with two thresholds. Below the lower threshold the test rules disease
    out. Above the higher threshold it rules disease in. Cases between the thresholds are in the
    grey zone and need a further test. Do not leave out the cases in the grey zone. Sensitivity and
    specificity of the remaining cases would be optimistic.

    Parameters
    ----------
    thresholds : (float, float), or mapping of str to (float, float), optional
        Lower and higher threshold on the scale of the scores, chosen beforehand. A mapping has a
        pair of thresholds for each predictor. Pass either ``thresholds``, or both ``tpr`` and
        ``tnr``.
    tpr, tnr : float in (0, 1), optional
        Targets for sensitivity and specificity, such as 0.95 and 0.95. The rule-out threshold is
        the strictest threshold with a sensitivity of at least ``tpr``. The rule-in threshold is the
        least strict threshold with a specificity of at least ``tnr``.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, for ppv, npv and the share of all cases in the
        grey zone. By default the share in the study is used.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples. Resamples are used only for thresholds chosen by targets.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], zone, quantity, direction, rule_out_threshold,
        rule_in_threshold, rule_out_next_score, rule_in_next_score, estimate, ci_low, ci_high, se,
        prevalence, n_pos, n_neg, confidence_level, n_resamples, method, note``. Each predictor has
        eight rows:

        - "lr": likelihood ratio of the zones "negative", "grey" and "positive".
        - "npv": negative predictive value of the negative zone.
        - "ppv": positive predictive value of the positive zone.
        - "share_of_positives", "share_of_negatives", "share_of_all": shares of these cases that
          are in the grey zone.

    Raises
    ------
    InputError
        If neither thresholds nor both targets are passed; if thresholds are not two ascending
        numbers; if an option is invalid; if the study has weights; or if scores are binned.

    Warns
    -----
    StatisticalWarning
        - ``no-grey-zone``: one threshold reaches both targets.
        - ``empty-band``: a zone has no cases.
        - ``cluster-targets``: targets have no limits in a study with clusters.
        - ``undefined-resamples``: a measure is undefined in some resamples.
        - ``no-resampled-spread``: resamples do not vary.
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``few-clusters``: clusters are few.

    Notes
    -----
    Let a, b and c be the shares of positives that are in the negative, grey and positive zone. Let
    d, e and f be the shares of negatives in these zones, and pi the prevalence. The likelihood
    ratios are a/d, b/e and c/f. The predictive values are npv = (1 - pi) d/((1 - pi) d + pi a) and
    ppv = pi c/(pi c + (1 - pi) f). The share of all cases in the grey zone is pi b + (1 - pi) e.

    At fixed thresholds the ratios have Koopman's limits. Predictive values have Mercaldo's limits
    with ``prevalence``, and Wilson's limits otherwise. Shares have Wilson's limits. With
    ``prevalence``, the share of all cases has MOVER limits. With clusters, limits of ratios are
    computed on the log scale from influence values summed within clusters. Limits are wider for
    clusters of unequal size. Other limits use effective sample sizes.

    With targets, the limits are for the values at the optimal thresholds of the population. They
    are not for the two thresholds found in these cases, which are worse in new cases. The rule-out
    threshold is a quantile of the scores of positives. Its limits are two order statistics of these
    scores. MOVER combines these limits with Wilson's limits for the share of negatives below the
    threshold. This method is not published elsewhere. The rule-in threshold is treated in the same
    way.

    The targets determine the share of positives that are ruled out and the share of negatives that
    are ruled in. With ties, these shares can be lower, by at most the cases with one score.
    Measures that depend on both thresholds ("lr" of the grey zone and the share of all cases) use
    simultaneous limits (Bonferroni). If few cases are beyond a target, a threshold has no limit on
    one side, and limits are wide. An example is a target of 0.95 with 30 cases: only 1.5 cases are
    expected beyond it. ``se`` is the standard deviation over resamples. In each resample the
    thresholds are chosen again. Cases are resampled within their class; clusters are resampled as a
    whole. With clusters and targets there are no limits (``cluster-targets``). There are also no
    limits if one threshold reaches both targets (``no-grey-zone``). The least strict threshold that
    reaches both targets is then used for both.

    In simulations, 95% limits covered the values at the optimal thresholds of the population with
    probability .961 to 1.

    References
    ----------
    - Koopman (1984) [koopman-1984]
    - Mercaldo, Lau & Zhou (2007) [mercaldo-2007]
    - Wilson (1927) [wilson-1927]
    - Zou & Donner (2008) [zou-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> ct = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> found = ct.grey_zone((2, 5))
    >>> found[["zone", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
           zone            quantity  estimate  ci_low  ci_high
    0  negative                  lr     0.103   0.035    0.288
    1  negative                 npv     0.917   0.782    0.971
    2      grey                  lr     0.742   0.433    1.244
    3      grey  share_of_positives     0.294   0.187    0.430
    4      grey  share_of_negatives     0.397   0.281    0.525
    5      grey        share_of_all     0.349   0.266    0.442
    6  positive                  lr    18.765   5.420   68.864
    7  positive                 ppv     0.943   0.814    0.984
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    pairs, targets = _read_grey_zone_cuts_or_targets(sample, thresholds, tpr, tnr)
    require_drawing(n_resamples, rng, progress)
    GREY_ZONE.require_roles(sample)
    draws = NO_RESAMPLES if targets is None else plan_draws(n_resamples, rng, progress)
    rows = predictor_rows(
        sample,
        lambda part, g, k: _grey_zone_rows(
            part, k, pairs, targets, prevalence, confidence_level, draws.at(g, k)
        ),
    )
    return answer_rows(GREY_ZONE, sample, rows, draws)


def _read_grey_zone_cuts_or_targets(
    sample: Sample, thresholds: Any, tpr: Any, tnr: Any
) -> tuple[dict[str, FloatArray], Targets | None]:
    """Return thresholds by predictor, or target rates; raise InputError for wrong ones."""
    if (thresholds is None) == (tpr is None and tnr is None):
        got = "neither" if thresholds is None else "both"
        raise InputError(
            f"`thresholds` must be given, or tpr and tnr instead; got {got}. Pass"
            " thresholds=(low, high), or tpr=0.95, tnr=0.95."
        )
    if thresholds is None:
        targets: Any = (tpr, tnr)
        for name, target in zip(("tpr", "tnr"), targets, strict=True):
            require_open_interval(name, target, 0, 1)
        return {}, (float(targets[0]), float(targets[1]))
    pairs = read_thresholds(thresholds, sample.predictors, argument="thresholds")
    for name, pair in pairs.items():
        if len(pair) != 2 or not pair[0] < pair[1]:
            raise InputError(
                f"`thresholds` must be two ascending numbers for each predictor; got"
                f" {pair.tolist()} for {name!r}. Pass the lower threshold, then the higher one."
            )
    return pairs, None


_CUTOFFS = (
    *("rule_out_threshold", "rule_in_threshold"),
    *("rule_out_next_score", "rule_in_next_score"),
)


def _grey_zone_rows(
    part: Sample,
    k: int,
    pairs: dict[str, FloatArray],
    targets: Targets | None,
    prevalence: float | None,
    level: float,
    draws: ResamplePlan,
) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k`` in one group."""
    known = {
        "direction": ">=" if part.higher_is_positive[k] else "<=",
        "n_resamples": 0,
        **class_size_columns(part),
    }
    measures = [{"zone": zone, "quantity": quantity} for zone, quantity in ZONE_MEASURES]
    if lacks_class(part):
        notes = ["one-class", *sample_notes(part)]
        return [
            answer_row_without_result(GREY_ZONE, {**known, **measure}, notes)
            for measure in measures
        ]
    if targets is None:
        found = at_thresholds(part.cases, k, pairs[part.predictors[k]], prevalence, level)
    else:
        found = at_targets(part.cases, k, targets, prevalence, level, draws)
        known["n_resamples"] = draws.n_resamples
    cutoffs = [found.rule_out, found.rule_in]
    after = next_of_sample(part, k, cutoffs, given=targets is None)
    known |= dict(zip(_CUTOFFS, [*cutoffs, *after.tolist()], strict=True))
    notes = [*found.codes, *zone_notes_of_group(part)]
    share = part.prevalence if prevalence is None else prevalence
    rows = []
    for measure, result in zip(measures, found.results, strict=True):
        if np.isnan(result.ci_low + result.ci_high):
            result = Result(result.estimate, codes=result.codes)
        depends = depends_on_prevalence(measure["quantity"])
        of_study = ["study-prevalence"] if depends and prevalence is None else []
        cells = {
            **known,
            **measure,
            "prevalence": share if depends else np.nan,
            "confidence_level": level_of_limits(result, level),
        }
        rows.append(answer_row_of_result(GREY_ZONE, cells, result, [*of_study, *notes]))
    return rows


# --- Measures of three zones with limits: at two thresholds, or at those that reach targets -------


class ZoneMeasures(NamedTuple):
    """The thresholds used, a measure for each of ``ZONE_MEASURES``, and the notes of all."""

    rule_out: float
    rule_in: float
    results: list[Result]
    codes: list[str]


def at_thresholds(
    cases: ScoredCases, k: int, pair: FloatArray, prevalence: float | None, level: float
) -> ZoneMeasures:
    """Return the measures at a lower and a higher threshold that were given."""
    counts, higher = cases.counts(k), cases.higher_is_positive[k]
    curve = roc_points(counts, higher_is_positive=higher)
    rule_out, rule_in = pair if higher else pair[::-1]
    vertices = vertex_at(curve, np.array([rule_out, rule_in]))
    zone = zones_of_vertices(len(counts.score), *vertices.tolist())
    found = count_zones(counts, zone, 3)
    ratios = zone_ratios(cases, k, zone, found, "score", level)
    negative, grey, positive = (zone_result(ratios, b) for b in range(3))
    tables = point_tables_at_vertices(cases, k, curve, vertices)
    points = PointPlan("wilson", "score", None, level)
    values = []
    for name, at in (("npv", 0), ("ppv", 1)):
        one = measure_at_thresholds(tables, name, prevalence, points)
        columns = (one.estimate, one.se, one.low, one.high)
        value, se, low, high = (float(column[at]) for column in columns)
        codes = tuple(c for c, where in one.notes.items() if where[at] and c != "study-prevalence")
        values.append(Result(value, se, low, high, method=one.method, codes=codes))
    npv, ppv = values
    shares = grey_shares(cases, k, zone, found, prevalence, level)
    results = [negative, npv, grey, *shares, positive, ppv]
    return ZoneMeasures(float(rule_out), float(rule_in), results, [])


def at_targets(
    cases: ScoredCases,
    k: int,
    targets: Targets,
    prevalence: float | None,
    level: float,
    draws: ResamplePlan,
) -> ZoneMeasures:
    """Return the measures at the thresholds that reach the targets, chosen anew in resamples."""
    one = cases.only(k).pooled()
    higher = one.higher_is_positive[0]
    share = one.prevalence if prevalence is None else prevalence
    curve = roc_points(one.counts(0), higher_is_positive=higher)
    rule_out, rule_in, alone = grey_zone_vertices(curve.tp, curve.fp, *targets)
    at = float(curve.threshold[rule_out]), float(curve.threshold[rule_in])

    def values(is_positive: BoolArray, score: FloatArray) -> FloatArray:
        return grey_zone_values_at_targets(
            count_scores_of(LabelledScores(score, is_positive, None, higher)), targets, share
        )

    estimates = grey_zone_values_at_targets(one.counts(0), targets, share)
    codes = ["no-grey-zone"] if alone else []
    # A class of one case (cluster) is the same in every resample.
    if min(numbers_of_independent_units(one)[:2]) == 1:
        results = [Result(float(x)) for x in estimates]
        return ZoneMeasures(*at, results, ["no-resampled-spread", *codes])
    with enough_valid_resamples():
        drawn = draw_statistic_values(one, values, draws)
    codes += redrawn_notes(drawn.n_redrawn)
    # In clusters ranks are not binomial.
    codes += [] if one.cluster is None else ["cluster-targets"]
    limits = [_NO_LIMITS] * len(ZONE_MEASURES)
    if one.cluster is None:
        limits = grey_zone_limits_at_targets(one.counts(0), targets, share, level)
    results = [
        _grey_zone_result_at_targets(float(estimate), values, ends)
        for estimate, values, ends in zip(estimates, drawn.values[0], limits, strict=True)
    ]
    return ZoneMeasures(*at, results, codes)


_NO_LIMITS = (np.nan, np.nan)


def grey_zone_values_at_targets(counts: ScoreCounts, targets: Targets, share: float) -> FloatArray:
    """Return the measures at the thresholds that reach the targets in these counts."""
    tp, fp = cumulated(np.array([counts.n_pos, counts.n_neg], dtype=np.float64))
    rule_out, rule_in, _ = grey_zone_vertices(tp, fp, *targets)
    return zone_values(zone_counts_between_vertices(tp, fp, rule_out, rule_in), share)


def grey_zone_limits_at_targets(
    counts: ScoreCounts, targets: Targets, share: float, level: float
) -> list[tuple[float, float]]:
    """Return limits of the measures at the population's thresholds that reach the targets.

    NaN where one threshold reaches both: it is then no quantile of one class.
    """
    tp, fp = cumulated(np.array([counts.n_pos, counts.n_neg], dtype=np.float64))
    rule_out, rule_in, alone = grey_zone_vertices(tp, fp, *targets)
    if alone:
        return [_NO_LIMITS] * len(ZONE_MEASURES)
    beyond = float(tp[rule_in]), float(fp[-1] - fp[rule_out])
    single, both = (
        outer_zone_limits(counts, beyond, targets, each) for each in (level, (1 + level) / 2)
    )
    return zone_limits(single, both, share)


def _grey_zone_result_at_targets(
    estimate: float, draws: FloatArray, ends: tuple[float, float]
) -> Result:
    """Return a measure with its limits and the standard deviation of resamples, if defined."""
    defined = draws[~np.isnan(draws)]
    n_undefined = len(draws) - len(defined)
    codes = ["empty-band"] if np.isnan(estimate) else []
    codes += [f"undefined-resamples={n_undefined}"] if n_undefined else []
    if np.isnan(estimate) or np.isnan(ends[0] + ends[1]):
        return Result(estimate, codes=tuple(codes))
    enough = n_undefined <= MOST_UNDEFINED * len(draws) and np.isfinite(defined).all()
    se = float(np.std(defined, ddof=1)) if enough and np.ptp(defined) >= NO_SPREAD else np.nan
    # The sample's thresholds reach more than the targets: its values may lie beyond the limits.
    low, high = min(ends[0], estimate), max(ends[1], estimate)
    method = "resamples/order-mover"
    return Result(estimate, se, low, high, method=method, codes=tuple(codes))


# --- Zones between two vertices of the curve, and their measures ----------------------------------


def zones_of_vertices(n_scores: int, rule_out: int, rule_in: int) -> IntArray:
    """Return the zone (0 negative, 1 grey, 2 positive) of scores from the most positive down."""
    place = np.arange(n_scores)
    return np.where(place < rule_in, 2, np.where(place < rule_out, 1, 0))


def grey_zone_vertices(
    tp: FloatArray, fp: FloatArray, tpr: float, tnr: float
) -> tuple[int, int, bool]:
    """Return the vertices that reach a sensitivity and a specificity, and whether one does both."""
    # 0.95 * 20 is more than 19 by rounding.
    rule_out = int(np.argmax(tp >= tpr * tp[-1] - WHOLE * tp[-1]))
    enough = fp[-1] - fp >= tnr * fp[-1] - WHOLE * fp[-1]
    rule_in = int(np.flatnonzero(enough)[-1])
    return max(rule_out, rule_in), rule_in, rule_out <= rule_in


def zone_counts_between_vertices(
    tp: FloatArray, fp: FloatArray, rule_out: int, rule_in: int
) -> ZoneCounts:
    """Return the counts of the negative, grey and positive zone between two vertices."""
    pos, neg = (
        np.array([side[-1] - side[rule_out], side[rule_out] - side[rule_in], side[rule_in]])
        for side in (tp, fp)
    )
    return ZoneCounts(pos, neg, float(tp[-1]), float(fp[-1]))


def zone_values(found: ZoneCounts, prevalence: float) -> FloatArray:
    """Return the measures ``ZONE_MEASURES`` at a prevalence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pos, neg = found.pos / found.n_pos, found.neg / found.n_neg
        lr = pos / neg
        of_pos, of_neg = prevalence * pos, (1 - prevalence) * neg
        both = of_pos + of_neg
        npv, ppv = of_neg[0] / both[0], of_pos[2] / both[2]
    return np.array([lr[0], npv, lr[1], pos[1], neg[1], both[1], lr[2], ppv])


# --- Shares in the grey zone ----------------------------------------------------------------------


def grey_shares(
    cases: ScoredCases,
    k: int,
    zone: IntArray,
    found: ZoneCounts,
    prevalence: float | None,
    confidence_level: float,
) -> list[Result]:
    """Return the shares of positives, negatives and all cases in the grey zone, with limits."""
    sizes = np.array([found.n_pos, found.n_neg, found.n_pos + found.n_neg])
    rate = np.array([found.pos[1], found.neg[1], found.pos[1] + found.neg[1]]) / sizes
    if cases.cluster is None:
        source, correlation = "binomial", 0.0
        bars = binomial_bars(rate, sizes, "wilson", confidence_level)
    else:
        source = "clusters"
        bars, correlation = _grey_zone_shares_of_clusters(
            cases, k, zone, rate, sizes, confidence_level
        )
    columns = np.stack([rate, bars.se, bars.low, bars.high], axis=1).tolist()
    shares = [
        Result(share, se, low, high, method=f"{source}/wilson") for share, se, low, high in columns
    ]
    if prevalence is None:
        return shares
    # The share of all at a prevalence is a weighted sum of those of the classes: MOVER.
    weights = prevalence, 1 - prevalence
    terms = [
        MoverTerm(rate[[i]], bars.low[[i]], bars.high[[i]]).times(weight)
        for i, weight in enumerate(weights)
    ]
    ends = mover_sum_limits(terms, np.array([correlation]))
    a, b = weights[0] * bars.se[0], weights[1] * bars.se[1]
    of_all = Result(
        float(weights[0] * rate[0] + weights[1] * rate[1]),
        float(np.sqrt(a**2 + b**2 + 2 * correlation * a * b)),
        float(ends[0][0]),
        float(ends[1][0]),
        method=f"{source}/mover-wilson",
    )
    return [*shares[:2], of_all]


def _grey_zone_shares_of_clusters(
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
    held = np.array([np.bincount(codes, weights=row) for row in members])
    numbers = (held > 0).sum(axis=1).astype(np.float64)
    variance = small_sample_factor_of_clusters(numbers) * (sums**2).sum(axis=1)
    scale = float(np.sqrt((sums[0] ** 2).sum() * (sums[1] ** 2).sum()))
    correlation = float(sums[0] @ sums[1]) / scale if scale > NO_SPREAD else 0.0
    units = cluster_units(held.astype(np.float64))
    return clustered_bars(rate, units, variance, "wilson", confidence_level), correlation
