"""Coverage of the closed-form intervals of an area on laws they were not tuned on."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocstats.sample.arrays import FloatArray
from validation.coverage.batch import METHODS, areas_of
from validation.coverage.heldout_designs import HELDOUT_CELLS, HeldoutCell
from validation.coverage.simulate import require_honest
from validation.coverage.summary import summarise

TABLE = Path(__file__).with_name("heldout.csv")
SEED = 20070611
CHUNK = 2000
"""Data sets drawn at a time: part of what a seed means."""


def run_heldout_cell(cell: HeldoutCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
    sizes = [min(CHUNK, replicates - begin) for begin in range(0, replicates, CHUNK)]
    drawn = [_limits(cell.draw(rng, size), cell.n_pos) for size in sizes]
    setting = {name: getattr(cell, name) for name in ("set", "design", "n_pos", "n_neg", "auc")}
    rows = []
    for name in METHODS:
        limits = np.concatenate([chunk[name] for chunk in drawn])
        require_honest(limits)
        counted = {"truth": cell.truth, "method": name, "replicates": replicates}
        rows.append({**setting, **counted, **tally(limits, cell.truth), "seed": seed})
    return rows


def _limits(scores: FloatArray, n_pos: int) -> dict[str, FloatArray]:
    areas = areas_of(scores, n_pos)
    return {name: limits_of(areas) for name, limits_of in METHODS.items()}


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
    cells: Iterable[HeldoutCell] = HELDOUT_CELLS, *, replicates: int, seed: int = SEED
) -> pd.DataFrame:
    """Return the coverage of every method in some cells, a row per cell and method."""
    return pd.DataFrame([row for cell in cells for row in run_heldout_cell(cell, replicates, seed)])


def summarise_sets(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the summary over the cells of each set and method."""
    parts = {name: summarise(part) for name, part in rows.groupby("set", sort=False)}
    return pd.concat(parts, names=["set"]).reset_index("set").reset_index(drop=True)


def read_heldout() -> pd.DataFrame:
    """Return the committed simulation, a row per cell and method."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.heldout", description=__doc__
    )
    parser.add_argument("--replicates", type=int, default=20_000, help="data sets per cell")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run_heldout(replicates=asked.replicates, seed=asked.seed)
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(summarise_sets(rows).round(3).to_string(index=False))


if __name__ == "__main__":
    main()
