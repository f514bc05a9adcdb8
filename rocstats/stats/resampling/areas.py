"""Bootstrap areas of one predictor, by the engine that its size and roles need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.counts import stratified_areas, unit_areas
from rocstats.stats.resampling.table import blocked_areas, blocked_shortfall, table_areas

_CASES_PER_SCORE = 30
_LARGEST_TABLE = 5000
_LARGEST_COUNTED = 100_000


@dataclass(frozen=True, eq=False)
class AreaDraws:
    """Bootstrap areas of one predictor, in the order drawn; ``codes`` are the notes they earn."""

    values: FloatArray
    codes: tuple[str, ...]


def draw_areas(
    cases: ScoredCases,
    k: int,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    stratified: bool,
    over: AreaRange = FULL_RANGE,
    progress: bool = False,
) -> AreaDraws:
    """Return bootstrap areas of predictor ``k``; its stream is keyed by its position.

    Weighted, clustered and unstratified samples take resampled units; else each fold takes the
    engine that its count table calls for.
    """
    if over.axis == "tpr":  # the mirror image: classes and direction exchanged
        cases, over = cases.exchanged(), AreaRange("fpr", 1 - over.high, 1 - over.low)
    if cases.cluster is not None or cases.sample_weight is not None or not stratified:
        units = unit_areas(
            cases,
            [k],
            n_resamples,
            (*seed, k),
            stratified=stratified,
            over=over,
            progress=progress,
        )
        codes = (f"resamples-redrawn={units.n_redrawn}",) if units.n_redrawn else ()
        return AreaDraws(units.areas[0], codes)
    draws = [
        _draw_fold(part, k, n_resamples, (*seed, k, v), over, progress=progress)
        for v, (_, part) in enumerate(cases.by_fold())
    ]
    note_codes = dict.fromkeys(code for draw in draws for code in draw.codes)
    return AreaDraws(np.mean([draw.values for draw in draws], axis=0), tuple(note_codes))


def engine_of(counts: ScoreCounts, *, has_frequency: bool, partial: bool = False) -> str:
    """Return the engine for a stratified area: "table", "blocks" or "counts".

    A cell of a multinomial costs as much as some 15 counted cases, and scores come in pairs of
    classes: below 30 cases a score the counts are cheaper.
    """
    n, distinct = counts.total_pos + counts.total_neg, len(counts.score)
    if n > _LARGEST_COUNTED and distinct > _LARGEST_TABLE and not partial:
        return "blocks"
    if has_frequency or n > _CASES_PER_SCORE * distinct:
        return "table"
    return "counts"


def _draw_fold(
    cases: ScoredCases,
    k: int,
    n_resamples: int,
    seed: tuple[int, ...],
    over: AreaRange,
    *,
    progress: bool,
) -> AreaDraws:
    counts = cases.counts(k)
    engine = engine_of(counts, has_frequency=cases.frequency is not None, partial=not over.full)
    if engine == "counts":
        return AreaDraws(
            stratified_areas(cases, [k], n_resamples, seed, over=over, progress=progress)[0], ()
        )
    if engine == "table":
        return AreaDraws(table_areas(counts, n_resamples, seed, over=over, progress=progress), ())
    short = f"blocked-resamples={blocked_shortfall(counts):.1g}"
    return AreaDraws(blocked_areas(counts, n_resamples, seed, progress=progress), (short,))


@dataclass(frozen=True)
class ResamplePlan:
    """How to resample: the seed is the one integer that frames record."""

    n_resamples: int
    stratified: bool
    seed: int
    progress: bool

    def draw(self, cases: ScoredCases, g: int, k: int, over: AreaRange = FULL_RANGE) -> AreaDraws:
        """Return the draws of predictor ``k`` in group ``g``, over the width of the range."""
        draws = draw_areas(
            cases,
            k,
            self.n_resamples,
            (self.seed, g),
            stratified=self.stratified,
            over=over,
            progress=self.progress,
        )
        return AreaDraws(draws.values / over.width, draws.codes)


def draw_joint_areas(
    cases: ScoredCases, plan: ResamplePlan, g: int, over: AreaRange = FULL_RANGE
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return resampled areas of all predictors (k x resamples) over the width, and their notes.

    The predictors share every resample, so that their differences are paired.
    """
    width = over.width
    if over.axis == "tpr":  # the mirror image: classes and direction exchanged
        cases, over = cases.exchanged(), AreaRange("fpr", 1 - over.high, 1 - over.low)
    everyone, seed = range(cases.n_predictors), (plan.seed, g)
    roles = (cases.cluster, cases.sample_weight, cases.frequency, cases.fold)
    if plan.stratified and all(role is None for role in roles):
        areas = stratified_areas(
            cases, everyone, plan.n_resamples, seed, over=over, progress=plan.progress
        )
        return areas / width, ()
    units = unit_areas(
        cases,
        everyone,
        plan.n_resamples,
        seed,
        stratified=plan.stratified,
        over=over,
        progress=plan.progress,
    )
    codes = (f"resamples-redrawn={units.n_redrawn}",) if units.n_redrawn else ()
    return units.areas / width, codes
