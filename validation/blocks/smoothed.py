"""The smoothed-score band: bins alone against bins with placed cases, draws not shared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.rotated import Rotation, turned_curve
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_bands import chord_rotated_curves, stratified_rotated_curves
from rocstats.estimate.smoothed_band import (
    GRID_SIZE,
    LocalVariance,
    calibrate_smoothed_band,
    local_variance_of_rotated_curve,
    scaled_distances,
    score_bins,
    smoothed_band_takes_chords,
    solve_smoothed_band_limits,
)
from rocstats.facts.arrays import FloatArray
from validation.blocks.designs import SEED, Design, make_study

TABLE = Path(__file__).with_name("smoothed.csv")
LEVEL = 0.95
QUANTILE_BOUND, WIDTH_BOUND, ERRORS = 0.01, 0.01, 4.0
"""What a ratio may miss 1 by, fixed before any run, beyond so many of its standard errors."""

_PARTS = 20  # of the draws: their spread gives standard errors


class Cell(NamedTuple):
    """A sample, and how many resamples each engine draws."""

    design: Design
    n: int
    draws: int


CELLS = (
    Cell("normal", 20_200, 10_000),
    Cell("half tied", 20_200, 10_000),
    Cell("separated", 20_200, 10_000),
    Cell("exponential", 40_000, 4000),
    Cell("rare", 40_000, 4000),
)


class Row(NamedTuple):
    """Quantile and mean width of the band from placed cases, and the ratios without them."""

    design: str
    n_cases: int
    n_bins: int
    draws: int
    quantile: float
    quantile_ratio: float
    quantile_ratio_se: float
    width: float
    width_ratio: float
    width_ratio_se: float
    seed: int


class _Model(NamedTuple):
    observed: FloatArray
    smooth: FloatArray
    local: LocalVariance

    def band(self, draws: FloatArray) -> tuple[float, float]:
        """Return the quantile of the largest scaled distance, and the mean width of the band."""
        calibration = calibrate_smoothed_band(draws, self.smooth, self.local, LEVEL)
        assert calibration is not None
        # Interpolated, as the rank of a part of the draws is not that of all.
        sups = scaled_distances(
            draws, self.smooth, self.local, calibration.variance, calibration.added
        )
        calibration = calibration._replace(quantile=float(np.quantile(sups, LEVEL)))
        low, high = solve_smoothed_band_limits(self.observed, self.smooth, self.local, calibration)
        return calibration.quantile, float(np.mean(high - low))


def compare(cell: Cell) -> Row:
    """Return the row of a cell."""
    counts = make_study(cell.design, cell.n).cases.counts(0)
    rotation = Rotation.of(counts)
    bins = score_bins(counts, rotation)
    assert smoothed_band_takes_chords(bins, rotation), f"{cell} places its cases"
    grid = np.arange(GRID_SIZE) * rotation.h_max / (GRID_SIZE - 1)
    given = (bins.smoothed_pos, bins.smoothed_neg, bins.tied, grid)
    smooth = np.interp(grid, *turned_curve(bins.smoothed_pos, bins.smoothed_neg, rotation))
    observed = np.interp(grid, *turned_curve(counts.n_pos, counts.n_neg, rotation))
    model = _Model(observed, smooth, local_variance_of_rotated_curve(grid, smooth, rotation))
    draws = [
        draw(*given, ResamplePlan(cell.draws, SEED, (key,)))
        for draw, key in ((stratified_rotated_curves, 1), (chord_rotated_curves, 2))
    ]
    placed, alone = (np.array(model.band(drawn)) for drawn in draws)
    parts = [[model.band(part) for part in np.array_split(drawn, _PARTS)] for drawn in draws]
    errors = [np.std(of, axis=0, ddof=1) / np.sqrt(_PARTS) for of in parts]
    ratio = alone / placed
    ratio_se = ratio * np.hypot(errors[0] / placed, errors[1] / alone)
    columns = np.stack([placed, ratio, ratio_se], axis=1).ravel().tolist()
    return Row._make([cell.design, cell.n, len(bins.tied), cell.draws, *columns, SEED])


def rows(cells: tuple[Cell, ...] = CELLS) -> Iterator[Row]:
    """Yield the rows of cells."""
    for cell in cells:
        yield compare(cell)


def as_table(found: list[Row]) -> pd.DataFrame:
    """Return rows as a frame, those beyond the bounds marked."""
    table = pd.DataFrame(found)
    return table.assign(shortfall=falls_short(table))


def falls_short(table: pd.DataFrame) -> pd.Series[bool]:
    """Return which rows miss a bound, that of the quantile or that of the width."""
    missed = [
        (table[f"{name}_ratio"] - 1).abs() > bound + ERRORS * table[f"{name}_ratio_se"]
        for name, bound in (("quantile", QUANTILE_BOUND), ("width", WIDTH_BOUND))
    ]
    return missed[0] | missed[1]
