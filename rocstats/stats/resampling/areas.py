"""Bootstrap areas of one predictor, by the engine that its size and roles need."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.counts import stratified_areas, unit_areas
from rocstats.stats.resampling.streams import CASES_PER_CELL, ResamplePlan, redrawn_notes
from rocstats.stats.resampling.table import blocked_areas, blocked_shortfall, table_areas

# 2000 resamples of a table are 2e7 binomials, and of so many cases 2e8 integers: seconds. Beyond
# both, blocks take a fixed time and an approximation that rows name; twice the bounds would double
# the wait.
_LARGEST_TABLE, _LARGEST_COUNTED = 5000, 100_000


class AreaDraws(NamedTuple):
    """Bootstrap areas in the order drawn, their last axis, and the notes on them."""

    values: FloatArray
    notes: tuple[str, ...]


def draw_areas(
    cases: ScoredCases, k: int, plan: ResamplePlan, *, over: AreaRange = FULL_RANGE
) -> AreaDraws:
    """Return bootstrap areas of predictor ``k``; its stream is keyed by its position.

    Weighted, clustered and unstratified samples are resampled by unit (E1). In each fold of others,
    ``engine_of`` chooses the engine.
    """
    cases, over = _over_fpr(cases, over)
    # A table has neither the clusters nor the weights of its cases, and fixes the class sizes.
    if cases.cluster is not None or cases.sample_weight is not None or not plan.stratified:
        units = unit_areas(cases, [k], plan.at(k), over=over)
        return AreaDraws(units.values[0], tuple(redrawn_notes(units.n_redrawn)))
    draws = [
        _draw_fold(part, k, plan.at(k, v), over) for v, (_, part) in enumerate(cases.by_fold())
    ]
    notes = dict.fromkeys(note for draw in draws for note in draw.notes)
    return AreaDraws(np.mean([draw.values for draw in draws], axis=0), tuple(notes))


def _over_fpr(cases: ScoredCases, over: AreaRange) -> tuple[ScoredCases, AreaRange]:
    """Return an area over true positive rates as its mirror image over false positive rates."""
    if over.axis == "fpr":
        return cases, over
    # With classes and direction exchanged, a curve (x, y) becomes (1 - y, 1 - x).
    return cases.exchanged(), AreaRange("fpr", 1 - over.high, 1 - over.low)


def engine_of(counts: ScoreCounts, *, has_frequency: bool, partial: bool = False) -> str:
    """Return the engine for a stratified area: "table", "blocks" or "counts".

    All but the blocks have the exact distribution (docs/methods/resampling.md, "Engines").
    """
    n, distinct = counts.total_pos + counts.total_neg, len(counts.score)
    # A range may end inside a block, whose inner area is one number: partial areas need scores.
    if n > _LARGEST_COUNTED and distinct > _LARGEST_TABLE and not partial:
        return "blocks"
    if has_frequency or n > CASES_PER_CELL * distinct:
        return "table"
    return "counts"


def _draw_fold(cases: ScoredCases, k: int, plan: ResamplePlan, over: AreaRange) -> AreaDraws:
    counts = cases.counts(k)
    engine = engine_of(counts, has_frequency=cases.frequency is not None, partial=not over.full)
    if engine == "counts":
        return AreaDraws(stratified_areas(cases, [k], plan, over=over)[0], ())
    if engine == "table":
        return AreaDraws(table_areas(counts, plan, over=over), ())
    short = f"blocked-resamples={blocked_shortfall(counts):.1g}"
    return AreaDraws(blocked_areas(counts, plan), (short,))


def draw_mean_areas(
    cases: ScoredCases, k: int, plan: ResamplePlan, over: AreaRange = FULL_RANGE
) -> AreaDraws:
    """Return mean areas over a range of predictor ``k`` in resamples."""
    draws = draw_areas(cases, k, plan, over=over)
    return AreaDraws(draws.values / over.width, draws.notes)


def draw_joint_areas(
    cases: ScoredCases, plan: ResamplePlan, over: AreaRange = FULL_RANGE
) -> AreaDraws:
    """Return mean areas over a range of all predictors (k x resamples), and the notes on them.

    The predictors share every resample, so that their differences are paired.
    """
    width = over.width
    cases, over = _over_fpr(cases, over)
    everyone = range(cases.n_predictors)
    roles = (cases.cluster, cases.sample_weight, cases.frequency, cases.fold)
    if plan.stratified and all(role is None for role in roles):
        return AreaDraws(stratified_areas(cases, everyone, plan, over=over) / width, ())
    units = unit_areas(cases, everyone, plan, over=over)
    return AreaDraws(units.values / width, tuple(redrawn_notes(units.n_redrawn)))
