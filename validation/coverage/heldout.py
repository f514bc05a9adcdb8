"""Coverage of the closed-form intervals of an area on laws they were not tuned on."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from validation.bounds import below_margin
from validation.coverage.batch import LEVEL, METHODS, areas_of
from validation.coverage.heldout_designs import HELDOUT_CELLS, HeldoutCell
from validation.coverage.simulate import require_honest
from validation.coverage.summary import summarise

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
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
    sizes = [min(CHUNK, replicates - begin) for begin in range(0, replicates, CHUNK)]
    areas = [areas_of(cell.draw(rng, size), cell.n_pos, level) for size in sizes]
    setting = {name: getattr(cell, name) for name in ("set", "design", "n_pos", "n_neg", "auc")}
    rows = []
    for name in methods:
        limits = np.concatenate([METHODS[name](chunk) for chunk in areas])
        require_honest(limits)
        counted = {"truth": cell.truth, "method": name, "replicates": replicates}
        found = tally(limits, cell.truth)
        mark = {"shortfall": bool(below_margin(found["coverage"], level)), "seed": seed}
        rows.append({**setting, **counted, **found, **mark})
    return rows


def tally(limits: FloatArray, truth: float) -> dict[str, float]:
    """Return coverage with its standard error, both kinds of misses, and the mean width."""
    low, high = limits[:, 0], limits[:, 1]
    coverage = float(np.mean((low <= truth) & (truth <= high)))
    return {
        "coverage": coverage,
        "se": round(float(np.sqrt(coverage * (1 - coverage) / len(limits))), 6),
        "miss_low": float(np.mean(truth < low)),
        "miss_high": float(np.mean(truth > high)),
        "mean_width": round(float(np.mean(high - low)), 6),
    }


def run_heldout(
    cells: Iterable[HeldoutCell] = HELDOUT_CELLS,
    *,
    replicates: int | None = None,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return the coverage of every method in some cells, a row per cell and method."""
    return pd.DataFrame(
        [
            row
            for cell in cells
            for row in run_heldout_cell(cell, replicates or REPLICATES[cell.set], seed)
        ]
    )


def run_levels(*, replicates: int | None = None, seed: int = SEED) -> pd.DataFrame:
    """Return the coverage at the other levels of the intervals for few cases."""
    return pd.DataFrame(
        [
            {**row, "confidence_level": level}
            for level in OTHER_LEVELS
            for cell in HELDOUT_CELLS
            for row in run_heldout_cell(
                cell, replicates or LEVELS_REPLICATES, seed, level, AT_OTHER_LEVELS
            )
        ]
    )


def summarise_sets(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the summary over the cells of each set and method."""
    parts = {name: summarise(part) for name, part in rows.groupby("set", sort=False)}
    return pd.concat(parts, names=["set"]).reset_index("set").reset_index(drop=True)


def read_heldout() -> pd.DataFrame:
    """Return the committed simulation, a row per cell and method."""
    return pd.read_csv(TABLE)


def read_levels() -> pd.DataFrame:
    """Return the committed simulation at the other levels, a row per level, cell and method."""
    return pd.read_csv(LEVELS_TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.heldout", description=__doc__
    )
    parser.add_argument("--replicates", type=int, help="data sets per cell; default: as committed")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--levels", action="store_true", help="90% and 99% instead of 95%")
    parser.add_argument("--output", type=Path, help="csv to write; default: the committed one")
    asked = parser.parse_args()
    run = run_levels if asked.levels else run_heldout
    rows = run(replicates=asked.replicates, seed=asked.seed)
    table = asked.output or (LEVELS_TABLE if asked.levels else TABLE)
    rows.to_csv(table, index=False, lineterminator="\n")
    if asked.levels:
        rows["set"] += " " + rows["confidence_level"].astype(str)
    print(summarise_sets(rows).round(3).to_string(index=False))


if __name__ == "__main__":
    main()
