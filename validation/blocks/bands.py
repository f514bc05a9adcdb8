"""The largest distance of bootstrap curves: by blocks against by cases, draws shared or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.rotated import counts_of_straight_curve_pieces, turned_curve
from rocstats.estimate.resample import ResamplePlan, counted_cells, takes_blocks
from rocstats.estimate.resample_bands import (
    BlockedCurve,
    RotatedCurveLookup,
    blocked_rotated_distances,
    farthest_rotated_distances,
    rotated_sup_distances,
)
from rocstats.facts.arrays import FloatArray
from validation.blocks.designs import SEED, Design, make_study

TABLE = Path(__file__).with_name("bands.csv")
LEVEL = 0.95
MEAN_BOUND, QUANTILE_BOUND, ERRORS = 0.003, 0.01, 4.0
"""What a ratio may miss 1 by, fixed before any run, beyond so many of its standard errors."""

Draws = tuple[FloatArray, FloatArray]
_BOOTSTRAPS = 200
_PART = 2**21  # cases drawn at once


class Cell(NamedTuple):
    """A sample, how many resamples are compared on it, and whether both engines share them."""

    design: Design
    n: int
    draws: int
    same: bool = True


CELLS = (
    *(Cell(design, 100_000, 2000) for design in ("normal", "exponential", "half tied")),
    Cell("separated", 200_000, 2000),
    *(Cell(design, 1_000_000, 500) for design in ("normal", "rare")),
    # Barely more straight pieces than the least number that is resampled by blocks.
    Cell("normal", 42_000, 4000),
    Cell("separated", 172_000, 2000),
    Cell("half tied", 84_000, 2000),
    *(Cell(design, 100_000, 20_000, same=False) for design in ("normal", "half tied")),
    Cell("exponential", 50_000, 20_000, same=False),
    Cell("separated", 200_000, 5000, same=False),
)


@dataclass(frozen=True)
class Row:
    """Mean and 95% quantile of the distances by cases, and the ratios by blocks to them."""

    design: str
    n_cases: int
    n_pieces: int
    same_draws: bool
    draws: int
    mean: float
    mean_ratio: float
    mean_ratio_se: float
    quantile: float
    quantile_ratio: float
    quantile_ratio_se: float
    seed: int


def compare(cell: Cell) -> Row:
    """Return the row of a cell."""
    study = make_study(cell.design, cell.n)
    _, n_pos, n_neg = counts_of_straight_curve_pieces(study.cases.counts(0))
    assert takes_blocks(len(n_pos)), f"{cell} is resampled by cases"
    if cell.same:
        full, blocked = _same_draws(n_pos, n_neg, cell)
    else:
        full = rotated_sup_distances(study.cases, 0, ResamplePlan(cell.draws, SEED, (1,)))
        blocked = blocked_rotated_distances(n_pos, n_neg, ResamplePlan(cell.draws, SEED, (2,)))
    means, quantiles = (_ratio(of, full, blocked, same=cell.same) for of in (_mean, _quantile))
    about = (cell.design, cell.n, len(n_pos), cell.same, cell.draws)
    return Row(*about, _mean(full), *means, _quantile(full), *quantiles, SEED)


def _same_draws(n_pos: FloatArray, n_neg: FloatArray, cell: Cell) -> Draws:
    """Return the distances of resamples of cases, and those that blocks find from their sums."""
    rng = np.random.default_rng([SEED, cell.n, cell.draws, 3])
    blocked = BlockedCurve.of(n_pos, n_neg)
    curve = RotatedCurveLookup.of(turned_curve(n_pos, n_neg, blocked.rotation))
    mixed = bool(np.any((n_pos > 0) & (n_neg > 0)))
    found: list[Draws] = []
    part = max(1, _PART // cell.n)
    for start in range(0, cell.draws, part):
        size = min(part, cell.draws - start)
        pos, neg = (counted_cells(rng, of, size) for of in (n_pos, n_neg))
        full = farthest_rotated_distances(
            turned_curve(pos, neg, blocked.rotation), curve, both=mixed
        )
        sums = [np.add.reduceat(of, blocked.starts, axis=1) for of in (pos, neg)]
        found.append((full, blocked.largest(sums[0], sums[1], rng)))
    full, by_blocks = map(np.concatenate, zip(*found, strict=True))
    return full, by_blocks


def _mean(draws: FloatArray) -> float:
    return float(draws.mean())


def _quantile(draws: FloatArray) -> float:
    return float(np.quantile(draws, LEVEL))


def _ratio(
    of: Callable[[FloatArray], float], full: FloatArray, blocked: FloatArray, *, same: bool
) -> tuple[float, float]:
    """Return the ratio of a statistic by blocks to that by cases, and its standard error."""
    rng = np.random.default_rng(SEED)
    ratios = []
    for _ in range(_BOOTSTRAPS):
        one = rng.integers(0, len(full), len(full))
        other = one if same else rng.integers(0, len(full), len(full))
        ratios.append(of(blocked[other]) / of(full[one]))
    return float(of(blocked) / of(full)), float(np.std(ratios, ddof=1))


def rows(cells: tuple[Cell, ...] = CELLS) -> Iterator[Row]:
    """Yield the rows of cells."""
    for cell in cells:
        yield compare(cell)


def as_table(found: list[Row]) -> pd.DataFrame:
    """Return rows as a frame, those beyond the bounds marked."""
    table = pd.DataFrame([asdict(row) for row in found])
    return table.assign(shortfall=falls_short(table))


def falls_short(table: pd.DataFrame) -> pd.Series[bool]:
    """Return which rows miss a bound, that of the mean or that of the quantile."""
    missed = [
        (table[f"{name}_ratio"] - 1).abs() > bound + ERRORS * table[f"{name}_ratio_se"]
        for name, bound in (("mean", MEAN_BOUND), ("quantile", QUANTILE_BOUND))
    ]
    return missed[0] | missed[1]
