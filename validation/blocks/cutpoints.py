"""Cutpoints of resamples: in two stages of blocks against by cases, with draws of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.criteria import Criterion, CriterionName, CutpointRequest, make_criterion
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.inference.cutpoints.rule import CutpointDraws, case_cutpoints, draw_cutpoints
from rocstats.study.count_tables import ScoreCounts
from validation.blocks.designs import SEED, Design, make_study

TABLE = Path(__file__).with_name("cutpoints.csv")
SD_BOUND, QUANTILE_BOUND, OPTIMISM_BOUND, ERRORS = 0.08, 0.1, 0.1, 4.0
"""Bounds fixed before any run, each beyond so many standard errors: by what share the standard
deviation of the threshold may differ, its quantiles in standard deviations, and the optimism."""

_PROBABILITIES = (0.025, 0.5, 0.975)
_BOOTSTRAPS = 200
_NUMBERS = CutpointRequest(cost_fp=1.0, cost_fn=3.0, prevalence=0.3, rate=0.1)


class Cell(NamedTuple):
    """A sample, a criterion, and how many resamples each engine draws."""

    design: Design
    n: int
    criterion: CriterionName
    draws: int


CELLS = (
    Cell("normal", 50_000, "youden", 10_000),
    Cell("normal", 50_000, "equal-error", 4000),
    Cell("normal", 50_000, "fixed-fpr", 4000),
    Cell("normal", 50_000, "accuracy", 4000),
    Cell("exponential", 50_000, "closest-topleft", 10_000),
    Cell("exponential", 50_000, "product", 4000),
    Cell("half tied", 50_000, "cost", 10_000),
    Cell("separated", 50_000, "kappa", 4000),
    Cell("rare", 50_000, "kappa", 4000),
    Cell("rare", 50_000, "youden", 4000),
    Cell("normal", 1_000_000, "youden", 1000),
)


class Drawn(NamedTuple):
    """The threshold of each resample, and how much better it looks there than in the sample."""

    threshold: FloatArray
    optimism: FloatArray


class Row(NamedTuple):
    """Thresholds and optimism by cases, and how those by blocks differ."""

    design: str
    n_cases: int
    n_scores: int
    criterion: str
    draws: int
    sd: float
    sd_ratio: float
    sd_ratio_se: float
    low: float
    low_moved: float
    low_moved_se: float
    median: float
    median_moved: float
    median_moved_se: float
    high: float
    high_moved: float
    high_moved_se: float
    optimism: float
    optimism_more: float
    optimism_more_se: float
    seed: int


def compare(cell: Cell) -> Row:
    """Return the row of a cell."""
    study = make_study(cell.design, cell.n)
    counts = study.cases.counts(0)
    criterion = make_criterion(cell.criterion, _NUMBERS)
    plans = (ResamplePlan(cell.draws, SEED, (key,)) for key in (1, 2))
    by_cases, by_blocks = (
        _of(counts, criterion, draw(study.cases, 0, criterion, plan))
        for draw, plan in zip((case_cutpoints, draw_cutpoints), plans, strict=True)
    )
    about = (cell.design, cell.n, len(counts.score), cell.criterion, cell.draws)
    return Row._make([*about, *_columns(by_cases, by_blocks), SEED])


def _of(counts: ScoreCounts, criterion: Criterion, draws: CutpointDraws) -> Drawn:
    """Return the threshold of each resample, and how much better it looks there."""
    m, n = counts.total_pos, counts.total_neg
    tpr, fpr = (
        np.append(0.0, np.cumsum(of))[draws.vertex] / total
        for of, total in ((counts.n_pos, m), (counts.n_neg, n))
    )
    sizes = np.full(len(tpr), m), np.full(len(tpr), n)
    optimism = criterion.merit(draws.fpr, draws.tpr, *sizes) - criterion.merit(fpr, tpr, *sizes)
    if not criterion.quantity:  # its value is of no interest, that of Youden's index is
        optimism = (draws.tpr - draws.fpr) - (tpr - fpr)
    return Drawn(np.append(np.inf, counts.score)[draws.vertex], optimism)


def _columns(full: Drawn, blocked: Drawn) -> Iterator[float]:
    """Yield each statistic by cases, how that by blocks differs, and the standard error of that."""
    sd = float(full.threshold.std())
    yield from _compared(np.std, full.threshold, blocked.threshold, ratio=True)
    for p in _PROBABILITIES:
        quantile = partial(np.quantile, q=p)
        found, moved, error = _compared(quantile, full.threshold, blocked.threshold)
        yield from (found, moved / sd, error / sd)
    yield from _compared(np.mean, full.optimism, blocked.optimism)


def _compared(
    of: Callable[[FloatArray], Any], full: FloatArray, blocked: FloatArray, *, ratio: bool = False
) -> tuple[float, float, float]:
    """Return a statistic by cases, how far that by blocks is from it, and its standard error."""
    rng = np.random.default_rng(SEED)

    def differ(one: FloatArray, other: FloatArray) -> float:
        return float(of(other) / of(one) if ratio else of(other) - of(one))

    size = len(full)
    again = [
        differ(full[rng.integers(0, size, size)], blocked[rng.integers(0, size, size)])
        for _ in range(_BOOTSTRAPS)
    ]
    return float(of(full)), differ(full, blocked), float(np.std(again, ddof=1))


def rows(cells: tuple[Cell, ...] = CELLS) -> Iterator[Row]:
    """Yield the rows of cells."""
    for cell in cells:
        yield compare(cell)


def as_table(found: list[Row]) -> pd.DataFrame:
    """Return rows as a frame, those beyond the bounds marked."""
    table = pd.DataFrame(found)
    return table.assign(shortfall=falls_short(table))


def falls_short(table: pd.DataFrame) -> pd.Series[bool]:
    """Return which rows miss a bound, that of any statistic."""
    missed = [(table["sd_ratio"] - 1).abs() > SD_BOUND + ERRORS * table["sd_ratio_se"]]
    missed += [
        table[f"{name}_moved"].abs() > QUANTILE_BOUND + ERRORS * table[f"{name}_moved_se"]
        for name in ("low", "median", "high")
    ]
    allowed = OPTIMISM_BOUND * table["optimism"].abs() + ERRORS * table["optimism_more_se"]
    return pd.concat([*missed, table["optimism_more"].abs() > allowed], axis=1).any(axis=1)
