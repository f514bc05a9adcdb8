"""The measures of three zones with limits: at two thresholds, or at those that reach targets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.measures import Cells
from rocstats.curves.points.roc import RocPoints, roc_points
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import Column, ScoreCounts, count_scores_of
from rocstats.stats.areas.units import units_of
from rocstats.stats.intervals.methods.resampled import Percentile
from rocstats.stats.intervals.quantiles import limits_between
from rocstats.stats.points.cluster_tables import cluster_tables
from rocstats.stats.points.measured import PointPlan
from rocstats.stats.points.measures import measured
from rocstats.stats.points.tables import PointTables
from rocstats.stats.resampling.rows import draw_values
from rocstats.stats.resampling.streams import ResamplePlan, redrawn_notes
from rocstats.stats.zones import (
    ZoneCounts,
    band_codes,
    chosen_vertices,
    clustered_zone_ratios,
    count_zones,
    grey_shares,
    zone_ratios,
    zone_values,
    zones_of_vertices,
)
from rocstats.tolerances import NO_SPREAD

# Beyond this share of undefined resamples the 2.5 % in a tail may all be among them.
_MOST_UNDEFINED = 0.05


class ZonePlan(NamedTuple):
    """Thresholds by predictor, or targets of both rates; prevalence, level and resamples."""

    thresholds: dict[str, FloatArray] | None
    targets: tuple[float, float] | None
    prevalence: float | None
    level: float
    draws: ResamplePlan


class Answer(NamedTuple):
    """A measure of a zone with its limits."""

    estimate: float
    se: float
    low: float
    high: float
    method: str
    codes: tuple[str, ...] = ()


class Found(NamedTuple):
    """The thresholds used, a measure for each of ``VALUES``, and the notes of all."""

    rule_out: float
    rule_in: float
    answers: list[Answer]
    codes: list[str]


def at_thresholds(cases: ScoredCases, k: int, plan: ZonePlan, pair: FloatArray) -> Found:
    """Return the measures at a lower and a higher threshold that were given."""
    counts, higher = cases.counts(k), cases.higher_is_positive[k]
    curve = roc_points(counts, higher_is_positive=higher)
    rule_out, rule_in = pair if higher else pair[::-1]
    vertices = vertex_at(curve, np.array([rule_out, rule_in]))
    zone = zones_of_vertices(len(counts.score), *vertices.tolist())
    found = count_zones(counts, zone, 3)
    if cases.cluster is None:
        ratios = zone_ratios(found, "score", plan.level)
    else:
        ratios = clustered_zone_ratios(cases, k, zone, found, plan.level)
    answers = []
    for b in range(3):
        numbers = [float(x[b]) for x in (ratios.estimate, ratios.log_se, ratios.low, ratios.high)]
        ratio, log_se, low, high = numbers
        codes = tuple(band_codes(ratio, low, high))
        answers.append(Answer(ratio, ratio * log_se, low, high, ratios.method, codes))
    tables = _tables(cases, k, curve, vertices)
    points = PointPlan("wilson", "score", None, plan.level)
    for name, at in (("npv", 0), ("ppv", 1)):
        one = measured(tables, name, plan.prevalence, points)
        estimate, se, low, high = (float(x[at]) for x in (one.estimate, one.se, one.low, one.high))
        own = tuple(c for c, where in one.notes.items() if where[at] and c != "study-prevalence")
        answers.append(Answer(estimate, se, low, high, one.method, own))
    shares = grey_shares(cases, k, zone, found, plan.prevalence, plan.level)
    answers += [Answer(*share) for share in shares]
    return Found(float(rule_out), float(rule_in), _in_order(answers), [])


def _in_order(answers: list[Answer]) -> list[Answer]:
    """Return measures in the order of ``VALUES``: zone by zone."""
    negative, grey, positive, npv, ppv, *shares = answers
    return [negative, npv, grey, *shares, positive, ppv]


def _tables(cases: ScoredCases, k: int, curve: RocPoints, vertices: Any) -> PointTables:
    tp, fp = curve.tp[vertices], curve.fp[vertices]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    clusters = None if cases.cluster is None else cluster_tables(cases, k, vertices)
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)


def at_targets(cases: ScoredCases, k: int, plan: ZonePlan, draws: ResamplePlan) -> Found:
    """Return the measures at the thresholds that reach the targets, chosen anew in resamples."""
    one, targets = cases.only(k).pooled(), plan.targets or (0.5, 0.5)
    higher = one.higher_is_positive[0]
    share = one.prevalence if plan.prevalence is None else plan.prevalence
    curve = roc_points(one.counts(0), higher_is_positive=higher)
    rule_out, rule_in, alone = chosen_vertices(curve.tp, curve.fp, *targets)
    at = float(curve.threshold[rule_out]), float(curve.threshold[rule_in])

    def values(is_positive: BoolArray, score: FloatArray) -> FloatArray:
        return _chosen_values(
            count_scores_of(Column(score, is_positive, None, higher)), targets, share
        )

    estimates = _chosen_values(one.counts(0), targets, share)
    codes = ["no-grey-zone"] if alone else []
    # A class of one case (cluster) is the same in every resample.
    if min(units_of(one)[:2]) == 1:
        nothing = [Answer(float(x), np.nan, np.nan, np.nan, "") for x in estimates]
        return Found(*at, nothing, ["no-resampled-spread", *codes])
    with enough_valid_resamples():
        drawn = draw_values(one, values, draws)
    answers = [
        _percentiles(float(estimate), found, plan.level)
        for estimate, found in zip(estimates, drawn.values[0], strict=True)
    ]
    codes += redrawn_notes(drawn.n_redrawn)
    return Found(*at, answers, codes)


def _chosen_values(counts: ScoreCounts, targets: tuple[float, float], share: float) -> FloatArray:
    """Return the measures at the thresholds that reach the targets in these counts."""
    tp, fp = (np.concatenate([[0.0], np.cumsum(x)]) for x in (counts.n_pos, counts.n_neg))
    rule_out, rule_in, _ = chosen_vertices(tp, fp, *targets)
    pos, neg = (np.array([x[-1] - x[rule_out], x[rule_out] - x[rule_in], x[rule_in]])
                for x in (tp, fp))  # fmt: skip
    return zone_values(ZoneCounts(pos, neg, float(tp[-1]), float(fp[-1])), share)


def _percentiles(estimate: float, draws: FloatArray, level: float) -> Answer:
    """Return percentile limits of a measure; none where it is undefined or does not vary."""
    undefined = np.isnan(draws)
    n_undefined, known = int(undefined.sum()), draws[~undefined]
    codes = [f"undefined-resamples={n_undefined}"] if n_undefined else []
    nothing = Answer(estimate, np.nan, np.nan, np.nan, "", tuple(codes))
    codes = [*(["empty-band"] if np.isnan(estimate) else []), *codes]
    nothing = nothing._replace(codes=tuple(codes))
    if np.isnan(estimate) or n_undefined > _MOST_UNDEFINED * len(draws):
        return nothing
    if known.min() == known.max() or np.ptp(known[np.isfinite(known)]) < NO_SPREAD:
        return nothing._replace(codes=("no-resampled-spread", *codes))
    low, high = limits_between(
        Percentile(np.sort(known)).draw_at, level, "two-sided", -np.inf, np.inf
    )
    se = float(np.std(known, ddof=1)) if np.isfinite(known).all() else np.nan
    return Answer(estimate, se, low, high, "resamples/percentile", tuple(codes))
