"""Bootstrap areas: of one predictor, of all jointly, of several classes, of verified cases.

E1 resamples cases, or whole clusters, in weights that all predictors share: exact for any ties. E2
draws multinomial counts of the distinct scores: exact, and cheap when scores are tied. E5 draws
counts of blocks of neighbouring scores, ties never split: the mean is exact, the standard error
short by a known fraction, and the cost independent of n. ``engine_for_bootstrap_areas`` chooses by
size and roles (docs/methods/resampling.md, "Engines").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas import FULL_RANGE, AreaRange, area, mean_fpr_range_beyond
from rocstats.estimate.area_variances import ideal_bootstrap_area_variance
from rocstats.estimate.classes import (
    ClassRow,
    MulticlassMethod,
    has_cases_on_all_sides,
    multiclass_area_rows,
    summary_shares,
)
from rocstats.estimate.resample import (
    CASES_PER_CELL,
    Counts,
    ResamplePlan,
    Streams,
    ValidDraws,
    draw_counts,
    draw_weights,
    draw_weights_of_strata,
    draw_weights_of_units,
    multinomial_tables,
    redrawn_notes,
    rows_by_class_and_fold,
)
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, cumulated
from rocstats.study.cases import ClassCases, ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- Areas of one predictor, by the engine that it needs; of all predictors jointly ---------------

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
    ``engine_for_bootstrap_areas`` chooses the engine.
    """
    cases, over = _as_fpr_range(cases, over)
    # A table has neither the clusters nor the weights of its cases, and fixes the class sizes.
    if cases.cluster is not None or cases.sample_weight is not None or not plan.stratified:
        units = draw_areas_of_units(cases, [k], plan.at(k), over=over)
        return AreaDraws(units.values[0], tuple(redrawn_notes(units.n_redrawn)))
    draws = [
        _draw_fold(part, k, plan.at(k, v), over) for v, (_, part) in enumerate(cases.by_fold())
    ]
    notes = dict.fromkeys(note for draw in draws for note in draw.notes)
    return AreaDraws(np.mean([draw.values for draw in draws], axis=0), tuple(notes))


def _as_fpr_range(cases: ScoredCases, over: AreaRange) -> tuple[ScoredCases, AreaRange]:
    """Return an area over true positive rates as its mirror image over false positive rates."""
    if over.axis == "fpr":
        return cases, over
    # With classes and direction exchanged, a curve (x, y) becomes (1 - y, 1 - x).
    return cases.exchanged(), AreaRange("fpr", *over.fpr_ends)


def engine_for_bootstrap_areas(
    counts: ScoreCounts, *, has_frequency: bool, partial: bool = False
) -> str:
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
    engine = engine_for_bootstrap_areas(
        counts, has_frequency=cases.frequency is not None, partial=not over.full
    )
    if engine == "counts":
        return AreaDraws(draw_stratified_areas(cases, [k], plan, over=over)[0], ())
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
    cases, over = _as_fpr_range(cases, over)
    everyone = range(cases.n_predictors)
    roles = (cases.cluster, cases.sample_weight, cases.frequency, cases.fold)
    if plan.stratified and all(role is None for role in roles):
        return AreaDraws(draw_stratified_areas(cases, everyone, plan, over=over) / width, ())
    units = draw_areas_of_units(cases, everyone, plan, over=over)
    return AreaDraws(units.values / width, tuple(redrawn_notes(units.n_redrawn)))


# --- Engine E1: areas of resamples given by case, shared by all predictors ------------------------


class Ranking(NamedTuple):
    """Ranks of the positives among the negatives, which are sorted from the lowest score up.

    ``below`` negatives are lower than a positive, ``upto`` are lower or equal.
    """

    order: IntArray
    below: IntArray
    upto: IntArray

    @property
    def tied(self) -> bool:
        """Whether a positive has the score of a negative."""
        return not np.array_equal(self.below, self.upto)


def ranking(cases: ScoredCases, k: int, pos: IntArray, neg: IntArray) -> Ranking:
    """Return the ranking of predictor ``k`` for the rows of both classes."""
    lowest_first = len(cases.counts(k).score) - 1 - cases.codes(k)
    return ranking_of_class_values(lowest_first[pos], lowest_first[neg])


def ranking_of_class_values(of_pos: npt.NDArray[Any], of_neg: npt.NDArray[Any]) -> Ranking:
    """Return the ranking of values of both classes, the higher the more positive."""
    # The default sort orders ties by processor; sums of weights would then round differently.
    order = np.argsort(of_neg, kind="stable")
    ascending = of_neg[order]
    return Ranking(
        order,
        np.searchsorted(ascending, of_pos, "left"),
        np.searchsorted(ascending, of_pos, "right"),
    )


def draw_stratified_areas(
    cases: ScoredCases,
    predictors: Sequence[int],
    plan: ResamplePlan,
    *,
    over: AreaRange = FULL_RANGE,
) -> FloatArray:
    """Return k x n_resamples areas: positives and negatives resampled apart, shared by predictors.

    The sample has no frequencies and no folds; a range ``over`` is of false positive rates.
    """
    # Negatives are counted, since their cumulative sums place the positives; a positive needs no
    # count, as each of its draws looks its placement up.
    pos, neg = np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive)
    m, n = len(pos), len(neg)
    rankings = [ranking(cases, k, pos, neg) for k in predictors]
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    areas = np.empty((len(predictors), plan.n_resamples))
    for part in plan.chunks(m + n):
        size = part.stop - part.start
        weights = draw_counts(of_neg, size, n)
        drawn = of_pos.integers(0, m, size=(size, m))
        for row, ranks in enumerate(rankings):
            areas[row, part] = _areas_of_drawn(weights, drawn, ranks, over)
    return areas


def _areas_of_drawn(
    weights: Counts, drawn: IntArray, ranks: Ranking, over: AreaRange
) -> FloatArray:
    """Return the areas of the drawn positives among the weighted negatives."""
    size, n = weights.shape
    # Whole numbers stay exact in sums: resamples with equal counts have equal areas.
    cumulative = cumulated(weights.take(ranks.order, axis=1))
    offset = np.arange(0, size * (n + 1), n + 1)[:, np.newaxis]
    below = cumulative.take(ranks.below.take(drawn) + offset)
    upto = cumulative.take(ranks.upto.take(drawn) + offset) if ranks.tied else below
    if not over.full:
        parts = mean_fpr_range_beyond(1 - upto / n, 1 - below / n, over.low, over.high)
        return np.asarray(parts.mean(axis=1))
    placed = below.sum(axis=1)
    if ranks.tied:
        placed = (placed + upto.sum(axis=1)) / 2
    return np.asarray(placed / (drawn.shape[1] * n))


def areas_of_weights(
    pos_weight: FloatArray, neg_weight: FloatArray, ranks: Ranking, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return the areas of resamples given as weights of positives (r x m) and negatives (r x n).

    NaN where a class has no weight.
    """
    # float64: importance weights are not whole, and frequencies are exact up to 2^53.
    cumulative = cumulated(neg_weight.take(ranks.order, axis=1))
    with np.errstate(invalid="ignore"):  # 0/0 where a class was not drawn
        below = cumulative.take(ranks.below, axis=1) / cumulative[:, -1:]
        upto = below
        if ranks.tied:
            upto = cumulative.take(ranks.upto, axis=1) / cumulative[:, -1:]
        if over.full:
            placed = (below + upto) / 2
        else:
            placed = mean_fpr_range_beyond(1 - upto, 1 - below, over.low, over.high)
        return np.asarray(np.einsum("ij,ij->i", pos_weight, placed) / pos_weight.sum(axis=1))


class RankedSides(NamedTuple):
    """Rows of the positives and of the negatives of an area, with their ranking by predictor."""

    pos: IntArray
    neg: IntArray
    rankings: list[Ranking]

    def areas(self, weights: FloatArray, over: AreaRange = FULL_RANGE) -> FloatArray:
        """Return the k x r areas of resamples given as r x rows weights."""
        pos, neg = weights.take(self.pos, axis=1), weights.take(self.neg, axis=1)
        return np.array([areas_of_weights(pos, neg, ranks, over) for ranks in self.rankings])


def draw_areas_of_units(
    cases: ScoredCases,
    predictors: Sequence[int],
    plan: ResamplePlan,
    *,
    over: AreaRange = FULL_RANGE,
) -> ValidDraws:
    """Return k x n_resamples areas, resampling units: cases, or whole clusters.

    A stratified plan resamples the cases of each class (in each fold) apart. Areas are means over
    the folds of a resample. Resamples in which a fold lacks a class are redrawn.
    """
    strata = rows_by_class_and_fold(cases)
    folds = [
        RankedSides(pos, neg, [ranking(cases, k, pos, neg) for k in predictors])
        for pos, neg in zip(strata[::2], strata[1::2], strict=True)
    ]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=plan.stratified)
        areas = np.mean([fold.areas(weights, over) for fold in folds], axis=0)
        # All predictors share the weights: a class that lacks for the first lacks for all.
        return np.asarray(areas[:, ~np.isnan(areas[0])].T)

    draws = plan.valid(len(cases.is_positive), draw, "areas")
    # Contiguous by predictor: sums over the resamples of one then run over neighbours.
    return draws._replace(values=np.ascontiguousarray(draws.values.T))


# --- Engines E2 and E5: areas from the count table alone, by score or by blocks of scores ---------

# The standard error is short by about 0.6/M^2 with M blocks (docs/methods/resampling.md,
# "Engines"): 1.5e-5, where 2000 resamples have a Monte-Carlo error of 1/sqrt(4000), or 1.6e-2.
N_BLOCKS = 200


def table_areas(
    counts: ScoreCounts, plan: ResamplePlan, *, over: AreaRange = FULL_RANGE
) -> FloatArray:
    """Return n_resamples areas of stratified resamples (E2); ``over`` is a range of FPRs."""

    def place(neg: Counts) -> FloatArray:
        above = np.cumsum(neg, axis=1) / neg.sum(axis=1, keepdims=True)
        before = above - neg / neg.sum(axis=1, keepdims=True)
        if over.full:  # ties count half: the mean of both ends of the piece
            return np.asarray(1 - (above + before) / 2)
        return mean_fpr_range_beyond(before, above, over.low, over.high)

    return _cell_areas(counts.n_pos, counts.n_neg, place, plan)


def blocked_areas(counts: ScoreCounts, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples areas of stratified resamples of blocks (E5)."""
    n_pos, n_neg, within = _block_counts_and_inner_areas(counts)

    def place(neg: Counts) -> FloatArray:
        below = counts.total_neg - np.cumsum(neg, axis=1)
        return np.asarray((below + neg * within) / counts.total_neg)

    return _cell_areas(n_pos, n_neg, place, plan)


def blocked_shortfall(counts: ScoreCounts) -> float:
    """Return the share of the standard error that the blocked engine loses."""
    pos, neg, within = _block_counts_and_inner_areas(counts)
    return float(
        1
        - np.sqrt(
            _bootstrap_area_variance_of_cells(pos, neg, within)
            / ideal_bootstrap_area_variance(counts)
        )
    )


def _cell_areas(
    n_pos: FloatArray, n_neg: FloatArray, place: Callable[[Counts], FloatArray], plan: ResamplePlan
) -> FloatArray:
    """Return areas of resampled cells; ``place`` gives the placement of a positive in each cell."""
    areas = np.empty(plan.n_resamples)
    for part, pos, neg in multinomial_tables(n_pos, n_neg, plan):
        areas[part] = np.einsum("ij,ij->i", pos, place(neg)) / n_pos.sum()
    return areas


def _block_counts_and_inner_areas(counts: ScoreCounts) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return positives, negatives and inner area of blocks with about equally many cases."""
    cumulative = np.cumsum(counts.n_pos + counts.n_neg)
    # A tie that spans several blocks gives the same edge several times: a single block.
    edges = np.searchsorted(cumulative, cumulative[-1] * np.arange(N_BLOCKS) / N_BLOCKS, "right")
    starts = np.unique(edges)
    pos = np.add.reduceat(counts.n_pos, starts)
    neg = np.add.reduceat(counts.n_neg, starts)
    ends = np.append(starts[1:], len(counts.score))
    within = np.array(
        [_area_inside_block(counts, start, end) for start, end in zip(starts, ends, strict=True)]
    )
    return pos, neg, within


def _area_inside_block(counts: ScoreCounts, start: int, end: int) -> float:
    pos, neg = counts.n_pos[start:end], counts.n_neg[start:end]
    if pos.sum() == 0 or neg.sum() == 0:
        return 0.5  # any number: it is multiplied by 0 pairs
    return area(ScoreCounts(counts.score[start:end], pos, neg))


def _bootstrap_area_variance_of_cells(
    n_pos: FloatArray, n_neg: FloatArray, within: FloatArray
) -> float:
    """Return the ideal bootstrap variance of an area whose kernel is ``within`` inside a cell."""
    # Hoeffding's components with the divisors m and n of the empirical distributions
    # (docs/methods/areas.md, "The ideal bootstrap").
    m, n = n_pos.sum(), n_neg.sum()
    below = n - np.cumsum(n_neg)
    above = np.cumsum(n_pos) - n_pos
    v10 = (below + within * n_neg) / n
    v01 = (above + within * n_pos) / m
    theta = np.dot(n_pos, v10) / m
    inside = n_pos * n_neg
    squared = (np.dot(n_pos, below) + np.dot(inside, within**2)) / (m * n)
    spread_10 = np.dot(n_pos, (v10 - theta) ** 2) / m
    spread_01 = np.dot(n_neg, (v01 - theta) ** 2) / n
    total = (squared - theta**2) + (n - 1) * spread_10 + (m - 1) * spread_01
    return float(total / (m * n))


# --- Several classes: every row and every predictor from the same resamples -----------------------


def draw_class_areas(cases: ClassCases, method: MulticlassMethod, plan: ResamplePlan) -> AreaDraws:
    """Return resampled areas of the rows of a summary, means over the folds of a resample.

    Their shape is rows x predictors x resamples; they are NaN where a class has no cases.

    Cases of each class (in each fold) are resampled apart if ``stratified``, else all cases
    together, and clusters whole. Resamples in which a fold lacks a class are redrawn.
    """
    *rows, summary = multiclass_area_rows(cases, method)
    known = [row for row in rows if has_cases_on_all_sides(cases, row)]
    predictors = range(cases.n_predictors)
    shape = len(rows) + 1, len(predictors)
    if not known:
        return AreaDraws(np.full((*shape, plan.n_resamples), np.nan), ())
    folds = _class_row_terms_in_folds(cases, known)
    pooled = _pooled_term_in_folds(cases) if method == "micro" else []
    places = [rows.index(row) for row in known]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = _class_weights(streams, cases, size, plan.stratified)
        areas = np.mean([_class_areas(weights, fold) for fold in folds], axis=0)
        # Any row: a class may lack in one pair of classes and not in another.
        valid = ~np.isnan(areas).any(axis=(0, 1))
        values = np.full((*shape, int(valid.sum())), np.nan)
        values[places] = areas[..., valid]
        if pooled:
            values[-1] = np.mean([term.areas(weights[valid]) for term in pooled], axis=0)
        elif has_cases_on_all_sides(cases, summary) and len(known) == len(rows):
            # Class shares of the resample, not of the sample: their spread is part of the variance
            # of the mean weighted by prevalence.
            of_class = cases.class_codes == np.arange(cases.n_classes)[:, np.newaxis]
            share = summary_shares(weights[valid] @ of_class.T, rows, method)
            values[-1] = np.einsum("br,rkb->kb", share, areas[..., valid])
        return values.transpose(2, 0, 1)

    draws = plan.valid(len(cases.class_codes), draw, "class-areas")
    by_row = np.ascontiguousarray(draws.values.transpose(1, 2, 0))
    return AreaDraws(by_row, tuple(redrawn_notes(draws.n_redrawn)))


def _class_row_terms_in_folds(
    cases: ClassCases, rows: Sequence[ClassRow]
) -> list[list[list[RankedSides]]]:
    """Return the terms of each row in each fold."""
    return [
        [[_class_area_term(cases, inside, *term) for term in row.terms] for row in rows]
        for inside in _rows_of_folds(cases)
    ]


def _pooled_term_in_folds(cases: ClassCases) -> list[RankedSides]:
    """Return all decisions of each fold: of a case one for its class, and one for each other."""
    found, n_others = [], cases.n_classes - 1
    for inside in _rows_of_folds(cases):
        rows = np.flatnonzero(inside)
        is_other = np.arange(cases.n_classes) != cases.class_codes.take(rows)[:, np.newaxis]
        decisions = [scores.take(rows, axis=1).T for scores in cases.scores]
        rankings = [ranking_of_class_values(of[~is_other], of[is_other]) for of in decisions]
        found.append(RankedSides(rows, np.repeat(rows, n_others), rankings))
    return found


def _rows_of_folds(cases: ClassCases) -> Iterator[BoolArray]:
    """Yield which rows are in each fold; all of them without folds."""
    everyone = np.zeros(len(cases.class_codes), dtype=np.intp)
    labels = everyone if cases.fold is None else cases.fold.codes
    for label in np.unique(labels):
        yield labels == label


def _class_area_term(
    cases: ClassCases, inside: BoolArray, k: int, versus: int | None
) -> RankedSides:
    codes = cases.class_codes
    pos = np.flatnonzero(inside & (codes == k))
    others = codes != k if versus is None else codes == versus
    neg = np.flatnonzero(inside & others)
    rankings = [ranking_of_class_values(scores[k, pos], scores[k, neg]) for scores in cases.scores]
    return RankedSides(pos, neg, rankings)


def _class_weights(streams: Streams, cases: ClassCases, size: int, stratified: bool) -> FloatArray:
    """Return size x rows bootstrap weights of the rows."""
    if not stratified:
        return draw_weights_of_units(streams, cases, [np.arange(len(cases.class_codes))], size)
    codes = cases.class_codes
    if cases.fold is not None:
        # A number for each pair of fold and class.
        codes = codes + cases.fold.codes * cases.n_classes
    strata = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    return draw_weights_of_strata(streams, cases, strata, size)


def _class_areas(weights: FloatArray, fold: Sequence[Sequence[RankedSides]]) -> FloatArray:
    """Return rows x predictors x resamples areas in one fold."""
    return np.array([np.mean([term.areas(weights) for term in row], axis=0) for row in fold])


# --- Areas weighted by the inverse of an estimated probability of verification --------------------

Probability = Callable[[IntArray], FloatArray]
"""Estimate the probability of verification of rows drawn with replacement."""


class VerifiedCases(NamedTuple):
    """All tested cases, of which some are verified.

    ``row`` holds the places of the verified among all; ``is_positive`` and ``scores`` (k x
    verified, higher meaning positive) belong to the verified, ``cluster`` to all.
    """

    n_cases: int
    row: IntArray
    is_positive: BoolArray
    scores: FloatArray
    cluster: Factor | None

    def sides(self) -> RankedSides:
        """Return the verified positives and negatives, ranked by each predictor."""
        pos, neg = np.flatnonzero(self.is_positive), np.flatnonzero(~self.is_positive)
        return RankedSides(
            pos, neg, [ranking_of_class_values(score[pos], score[neg]) for score in self.scores]
        )


def inverse_weights(cases: VerifiedCases, rows: IntArray, probability: Probability) -> FloatArray:
    """Return the sum of 1/probability over the rows drawn of each verified case."""
    chance = probability(rows)
    weight = np.bincount(rows, 1 / chance, minlength=cases.n_cases)
    return np.asarray(weight.take(cases.row), dtype=np.float64)


def draw_verified_areas(
    cases: VerifiedCases, probability: Probability, plan: ResamplePlan
) -> ValidDraws:
    """Return areas of resamples of all cases (clusters whole).

    The probability of verification is estimated again in each resample: its error is part of that
    of the area. A resample without verified cases of both classes is drawn again.
    """
    sides, draws = cases.sides(), _verified_rows(cases, plan.stream(6))
    verified = np.full(cases.n_cases, -1)  # neither class: not verified
    verified[cases.row] = cases.is_positive

    def draw(size: int) -> FloatArray:
        # Checked before the model of verification is fitted, which would fail or take time.
        kept = [
            rows
            for rows in islice(draws, size)
            if {0, 1} <= set(np.unique(verified[rows]).tolist())
        ]
        if not kept:
            return np.empty(0)
        # A memory of resamples x verified cases; areas of many resamples take one call.
        weights = np.array([inverse_weights(cases, rows, probability) for rows in kept])
        return sides.areas(weights).T

    found = plan.valid(cases.n_cases, draw, "verified-areas")
    return found._replace(values=np.ascontiguousarray(found.values.T))


def _verified_rows(cases: VerifiedCases, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield the rows of resamples."""
    if cases.cluster is None:
        while True:
            yield rng.integers(0, cases.n_cases, size=cases.n_cases)
    codes = cases.cluster.codes
    order = np.argsort(codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    while True:
        drawn = rng.integers(0, len(members), size=len(members))
        yield np.concatenate([members[unit] for unit in drawn])
