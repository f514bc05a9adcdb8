"""Coverage of the closed-form intervals of an area on laws they were not tuned on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from validation.coverage.batch import LEVEL, METHODS, areas_of
from validation.coverage.heldout_designs import HELDOUT_CELLS, HeldoutCell
from validation.coverage.simulate import require_honest
from validation.coverage.summary import summarise
from validation.simulation import (
    Bound,
    Simulation,
    Variant,
    batches,
    columns_of,
    stream,
    tally,
    under_margin,
)

TABLE = Path(__file__).with_name("heldout.csv")
SEED = 20070611
CHUNK = 2000
"""Data sets drawn at a time: part of what a seed means."""

REPLICATES = {"tuning": 20_000, "held-out-1": 20_000, "held-out-2": 20_000, "held-out-3": 10_000}
LEVELS_TABLE = Path(__file__).with_name("heldout_levels.csv")
OTHER_LEVELS = (0.90, 0.99)
LEVELS_REPLICATES = 10_000
AT_OTHER_LEVELS = ("logit-t", "effective-wilson")


def run_heldout_cell(
    cell: HeldoutCell,
    replicates: int,
    seed: int,
    level: float = LEVEL,
    methods: Iterable[str] = tuple(METHODS),
) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    chunks = batches(replicates, CHUNK)
    areas = [areas_of(cell.draw(rng, size), cell.n_pos, level) for size in chunks]
    rows = []
    for name in methods:
        limits = np.concatenate([METHODS[name](chunk) for chunk in areas])
        require_honest(limits)
        rows.append(
            {
                **columns_of(cell, "set design n_pos n_neg auc truth"),
                "method": name,
                "replicates": replicates,
                **tally(limits, cell.truth),
            }
        )
    return rows


def _at_level(
    cell: HeldoutCell, replicates: int, seed: int, level: float
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a cell at another level, of the intervals for few cases."""
    for row in run_heldout_cell(cell, replicates, seed, level, AT_OTHER_LEVELS):
        yield {**row, "confidence_level": level}


def summarise_sets(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the summary over the cells of each set and method."""
    parts = {name: summarise(part) for name, part in rows.groupby("set", sort=False)}
    return pd.concat(parts, names=["set"]).reset_index("set").reset_index(drop=True)


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of closed intervals of an area on distributions that they were not tuned on.",
    cells=HELDOUT_CELLS,
    rows=run_heldout_cell,
    replicates=lambda cell: REPLICATES[cell.set],
    seed=SEED,
    bounds=(Bound("coverage", under_margin, LEVEL),),
    ends=("shortfall", "seed"),
)
AT_LEVELS = Simulation(
    table=LEVELS_TABLE,
    shows="Coverage at levels of .90 and .99 on these distributions, of intervals for few cases.",
    cells=[Variant(cell, {"level": level}) for level in OTHER_LEVELS for cell in HELDOUT_CELLS],
    rows=_at_level,
    replicates=LEVELS_REPLICATES,
    seed=SEED,
    bounds=(Bound("coverage", under_margin, "confidence_level"),),
    ends=("shortfall", "seed", "confidence_level"),
)
read_heldout = SIMULATION.read
read_levels = AT_LEVELS.read
