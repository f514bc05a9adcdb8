"""Measures of calls in resamples: of rules fixed beforehand, and of two such rules compared.

A resample draws cases of each class apart (whole clusters, if there are any) and keeps the weights
of the cases it draws. Measures at the share of positives in the study need the variance of that
share: for them all cases are drawn together. Where a rate is 0 or 1, or a class is a single unit,
resamples do not vary as samples would. Closed forms take over there, with Kish's effective numbers
of cases (docs/methods/points.md, "Weighted cases and resamples").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rocstats.estimate.claim import HypothesisPlan, hypothesis_test_with_largest_p
from rocstats.estimate.estimate import Result, result_without_variance, undefined_result
from rocstats.estimate.influence import row_frequency
from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.proportions import mover_limit, z_where_limit_reaches_null
from rocstats.estimate.quantiles import limits_at_both_quantiles, t_p_value
from rocstats.estimate.resample import (
    Counts,
    ResamplePlan,
    draw_weights,
    enough_valid_resamples,
    resamples_with_both_classes,
)
from rocstats.estimate.resample_limits import resampled_result
from rocstats.estimate.tables import MeasureWithLimits, PointPlan, PointTables
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size
from rocstats.facts.measures import (
    Cells,
    class_of,
    depends_on_prevalence,
    difference_of,
    measure,
    range_of,
    shifted,
)
from rocstats.facts.tolerances import SAME, are_few_cases
from rocstats.study.cases import ScoredCases

# --- Resampled cells ------------------------------------------------------------------------------


class CalledCells(NamedTuple):
    """Cells of each rule (row) in each resample (column), and the number of resamples redrawn."""

    cells: Cells
    n_redrawn: int


def draw_called_cells(cases: ScoredCases, called: BoolArray, plan: ResamplePlan) -> CalledCells:
    """Return the cells of rules in resamples that they share; ``called`` is c x n.

    Clusters are drawn whole, with both of their classes; a resample that lacks a class is redrawn.
    """
    positive, streams = cases.is_positive, plan.streams(2)
    sides = np.concatenate([called & positive, called & ~positive, [positive, ~positive]])
    columns = np.ascontiguousarray(sides.T, dtype=np.float64)
    stratified = plan.stratified and cases.cluster is None

    def draw(size: int) -> FloatArray:
        weights: FloatArray | Counts = draw_weights(streams, cases, size, stratified=stratified)
        return weights[resamples_with_both_classes(weights, positive)] @ columns

    with enough_valid_resamples():
        drawn = plan.valid(len(positive), draw, "calls")
    sums, c = drawn.values.T, len(called)
    tp, fp, n_pos, n_neg = sums[:c], sums[c : 2 * c], sums[-2], sums[-1]
    # Sums of the same weights in another order differ by rounding: no cell is below 0.
    return CalledCells(
        Cells(tp, np.maximum(n_pos - tp, 0.0), fp, np.maximum(n_neg - fp, 0.0)), drawn.n_redrawn
    )


class ResampledCalls(NamedTuple):
    """Cells of rules in resamples of each class apart, and of all cases together."""

    apart: CalledCells | None
    together: CalledCells | None

    def of(self, name: str, prevalence: float | None) -> CalledCells:
        """Return the resamples for a measure at a prevalence, None for that of the study."""
        found = self.together if _is_of_study(name, prevalence) else self.apart
        if found is None:
            raise ValueError(f"no resamples were drawn for {name}")
        return found

    def values(self, name: str, prevalence: float | None) -> FloatArray:
        """Return a measure of each rule (row) in each resample."""
        cells = self.of(name, prevalence).cells
        found = measure(name, cells if prevalence is None else shifted(cells, prevalence))
        # Quotients of sums of weights pass the ends of a range by rounding.
        return np.clip(found, *range_of(name))


def _is_of_study(name: str, prevalence: float | None) -> bool:
    return prevalence is None and depends_on_prevalence(name)


def resample_calls(
    cases: ScoredCases,
    called: BoolArray,
    measures: Sequence[tuple[str, float | None]],
    plan: ResamplePlan,
) -> ResampledCalls:
    """Return the resamples that measures need; each measure has a name and a prevalence."""
    of_study = {_is_of_study(*one) for one in measures}
    # Whole clusters have both classes: there is one kind of resamples.
    if cases.cluster is not None:
        drawn = draw_called_cells(cases, called, plan._replace(stratified=False))
        return ResampledCalls(drawn, drawn)
    kinds = [
        draw_called_cells(cases, called, plan._replace(stratified=not together))
        if together in of_study
        else None
        for together in (False, True)
    ]
    return ResampledCalls(*kinds)


# --- Where resamples say too little ---------------------------------------------------------------


class EffectiveSizes(NamedTuple):
    """Kish's effective numbers of positives, of negatives and of all: of cases, or of clusters."""

    n_pos: float
    n_neg: float
    n_all: float


def effective_sizes(cases: ScoredCases) -> EffectiveSizes:
    """Return (sum w)^2 / sum w^2 of each class and of all; w are weights, or sums by cluster."""
    positive = cases.is_positive
    rows = (np.flatnonzero(positive), np.flatnonzero(~positive), np.arange(len(positive)))
    return EffectiveSizes(*(_effective_size_of_rows(cases, some) for some in rows))


def _effective_size_of_rows(cases: ScoredCases, rows: IntArray) -> float:
    if cases.cluster is not None:
        weight = None if cases.weight is None else cases.weight[rows]
        return effective_size(np.bincount(cases.cluster.codes[rows], weight).astype(np.float64))
    weight = np.ones(len(rows)) if cases.sample_weight is None else cases.sample_weight[rows]
    return effective_size(weight, row_frequency(cases, rows))


def few_effective_cases(sizes: EffectiveSizes) -> bool:
    """Return whether a class is so small that percentile limits are too short."""
    return are_few_cases(sizes.n_pos, sizes.n_neg, unequal=True)


def vary_too_little(
    name: str, tpr: FloatArray, fpr: FloatArray, sizes: EffectiveSizes
) -> BoolArray:
    """Return where resamples of a measure lack the variance of a rate.

    A rate of 0 or 1 is the same in all resamples of its class, and so is any rate of a single unit.
    """
    of_pos = (np.abs(tpr - 0.5) > 0.5 - SAME) | (sizes.n_pos < 1 + SAME)
    of_neg = (np.abs(fpr - 0.5) > 0.5 - SAME) | (sizes.n_neg < 1 + SAME)
    side = class_of(name)
    if side is None:
        return np.asarray(of_pos | of_neg)
    return np.asarray(of_pos if side == "positives" else of_neg)


def measure_of_effective_cases(
    tables: PointTables,
    sizes: EffectiveSizes,
    name: str,
    prevalence: float | None,
    level: float,
) -> MeasureWithLimits:
    """Return a measure with the limits of a closed form, for effective numbers of cases."""
    tpr, fpr, (m, n, total) = tables.tpr, tables.fpr, sizes
    cells = Cells(tpr * m, (1 - tpr) * m, fpr * n, (1 - fpr) * n)
    # The share of positives is that of the weights, not m/(m + n): it enters as one estimated in
    # other cases, of the effective number of all.
    share, known = tables.prevalence if prevalence is None else prevalence, prevalence is not None
    plan = PointPlan("wilson", "score", "cohort", level, np.inf if known else total)
    return measure_at_thresholds(PointTables(cells, m, n), name, share, plan)


# --- One measure at every rule --------------------------------------------------------------------


def resampled_measure(
    tables: PointTables,
    drawn: ResampledCalls,
    sizes: EffectiveSizes,
    name: str,
    prevalence: float | None,
    plan: PointPlan,
) -> MeasureWithLimits:
    """Return a measure at every rule with percentile limits of its resamples."""
    cells = tables.cells
    value = measure(name, cells if prevalence is None else shifted(cells, prevalence))
    tested = _level_alone(plan.level)
    results = [
        resampled_result((one, draws), None, tested) if not np.isnan(one) else Result(np.nan)
        for one, draws in zip(value, drawn.values(name, prevalence), strict=True)
    ]
    low, high, se = (
        np.array([getattr(result, field) for result in results])
        for field in ("ci_low", "ci_high", "se")
    )
    boundary = vary_too_little(name, tables.tpr, tables.fpr, sizes) & ~np.isnan(value)
    found = MeasureWithLimits(value, low, high, se, np.full(len(value), np.nan), _PERCENTILE)
    for place, result in enumerate(results):
        if not boundary[place]:
            for code in result.codes:
                found = found.noted(code, _only(place, found, code))
    if boundary.any():
        closed = measure_of_effective_cases(tables, sizes, name, prevalence, plan.level)
        low, high = (
            np.where(boundary, mine, of_draws)
            for mine, of_draws in ((closed.low, low), (closed.high, high))
        )
        se = np.where(boundary, closed.se, se)
        size = np.where(boundary, closed.size, np.nan)
        found = replace(
            found,
            low=low,
            high=high,
            se=se,
            size=size,
            otherwise=(boundary, f"effective/{closed.method.partition('/')[2]}"),
        ).noted("rate-at-boundary", boundary)
    if _is_of_study(name, prevalence) and plan.sampling is None:
        found = found.noted("study-prevalence")
    redrawn = drawn.of(name, prevalence).n_redrawn
    found = found.noted(f"resamples-redrawn={redrawn}", redrawn > 0)
    return found.noted("no-calls", np.isnan(value)).noted(
        "few-cases", few_effective_cases(sizes) & ~np.isnan(value)
    )


_PERCENTILE = "resamples/percentile"


def _level_alone(level: float) -> HypothesisPlan:
    """Return a two-sided interval at a level, without a test."""
    return HypothesisPlan(level, "two-sided", np.nan, "two-sided", ((np.nan, "two-sided"),))


def _only(place: int, found: MeasureWithLimits, code: str) -> BoolArray:
    """Return the places of a note with one more."""
    places = found.notes.get(code, np.zeros(len(found.estimate), dtype=bool)).copy()
    places[place] = True
    return places


# --- The difference, or the ratio, of a measure of two rules --------------------------------------


_FURTHEST_Z = 8.0  # 1 - p rounds to 1 beyond, and no limit has that level


class CalledSide(NamedTuple):
    """One rule of a comparison: its cells in the cases, and in the resamples (their row).

    Without ``drawn`` there are estimates only.
    """

    tables: PointTables
    sizes: EffectiveSizes
    drawn: ResampledCalls | None
    row: int

    def value(self, name: str) -> float:
        """Return a measure of the cases."""
        return float(measure(name, self.tables.cells)[0])

    def draws(self, name: str) -> FloatArray:
        """Return a measure in each resample."""
        if self.drawn is None:
            raise ValueError("limits need resamples")
        return np.asarray(self.drawn.values(name, None)[self.row])

    def n_redrawn(self, name: str) -> int:
        """Return the number of resamples drawn again."""
        return 0 if self.drawn is None else self.drawn.of(name, None).n_redrawn

    def lacks_variance(self, name: str) -> bool:
        """Return whether resamples of a measure lack the variance of a rate."""
        return bool(vary_too_little(name, self.tables.tpr, self.tables.fpr, self.sizes)[0])

    def reach(self, name: str, at: float) -> float:
        """Return the distance to the closed limit at a normal quantile."""
        at = float(np.clip(at, -_FURTHEST_Z, _FURTHEST_Z))
        level = 1 - t_p_value(at, np.inf, "two-sided")
        closed = measure_of_effective_cases(self.tables, self.sizes, name, None, level)
        limit = closed.low if at < 0 else closed.high
        return float(limit[0]) - self.value(name)


def called_sides(
    cases: ScoredCases, called: BoolArray, names: Sequence[str], plan: ResamplePlan | None
) -> list[CalledSide]:
    """Return the rules of a comparison (``called`` is c x n), with resamples that they share."""
    weight = np.ones(len(cases.is_positive)) if cases.weight is None else cases.weight
    pos, neg = weight * cases.is_positive, weight * ~cases.is_positive
    sizes, drawn = effective_sizes(cases), None
    if plan is not None:
        drawn = resample_calls(cases, called, [(name, None) for name in names], plan)
    sides = []
    for row, mine in enumerate(called):
        counts = (pos @ mine, pos @ ~mine, neg @ mine, neg @ ~mine)
        cells = Cells(*(np.array([count]) for count in counts))
        tables = PointTables(cells, float(pos.sum()), float(neg.sum()))
        sides.append(CalledSide(tables, sizes, drawn, row))
    return sides


def called_difference(
    name: str, first: CalledSide, second: CalledSide, tested: HypothesisPlan
) -> Result:
    """Return the difference of a measure of two rules, limits and test from its resamples.

    Where resamples of one side lack the variance of a rate, the closed limits of both are combined
    as if they were independent (MOVER) [zou-2008].
    """
    one, other = first.value(name), second.value(name)
    estimate = one - other
    if np.isnan(estimate):
        return undefined_result("no-calls")
    if first.drawn is None:
        return undefined_result("weights-need-bootstrap", estimate)
    low, high = range_of(difference_of(name))
    if not (first.lacks_variance(name) or second.lacks_variance(name)):
        # Rules on the same cases share resamples, those of two groups do not.
        draws = first.draws(name) - second.draws(name)
        result = resampled_result((np.array(estimate), draws), None, tested, (low, high))
        if "no-resampled-spread" in result.codes and abs(estimate) < SAME:
            return result_without_variance(estimate, 0.0, tested)
        return result

    def limit(at: float) -> float:
        reaches = first.reach(name, at), second.reach(name, -at)
        return mover_limit(estimate, *reaches, 0.0, at, furthest=high)

    ends = limits_at_both_quantiles(limit, tested.confidence_level, tested.alternative, low, high)
    z, p = hypothesis_test_with_largest_p(
        tested, lambda null: z_where_limit_reaches_null(limit, estimate, null, _FURTHEST_Z)
    )
    codes = ("rate-at-boundary",)
    return Result(estimate, np.nan, *ends, z, np.inf, p, "effective/independent-mover", codes)


def called_ratio(
    name: str, first: CalledSide, second: CalledSide, tested: HypothesisPlan
) -> Result:
    """Return the ratio of a measure of two rules, limits and test (of 1) from its resamples.

    There are no limits where resamples of one side lack the variance of a rate.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = float(np.divide(first.value(name), second.value(name)))
    if np.isnan(estimate):
        return undefined_result("zero-cell")
    if first.drawn is None:
        return undefined_result("weights-need-bootstrap", estimate)
    if first.lacks_variance(name) or second.lacks_variance(name):
        return undefined_result("no-resampled-spread", estimate)
    with np.errstate(divide="ignore", invalid="ignore"):
        draws = first.draws(name) / second.draws(name)
    of_one = tested._replace(null_value=1.0, tests=((1.0, tested.side),))
    result = resampled_result((np.array(estimate), draws), None, of_one, (0.0, np.inf))
    if "no-resampled-spread" in result.codes and abs(estimate - 1) < SAME:
        return result_without_variance(estimate, 1.0, tested)
    return result
