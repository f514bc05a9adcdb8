"""How often an interval's limit drops when a positive is raised past the next negative above it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray
from validation.coverage.batch import METHODS, areas_of
from validation.coverage.designs import CELLS, Cell

TABLE = Path(__file__).with_name("moves.csv")
SEED = 20101212
METHODS_TRIED = ("logit", "logit-t", "newcombe", "effective-wilson")
SAME = 1e-12  # a limit that drops by less has only been rounded


def raised(scores: FloatArray, n_pos: int, rng: np.random.Generator) -> FloatArray:
    """Return the scores, in each row one positive moved just over the least negative above it."""
    rows = np.arange(len(scores))
    which = rng.integers(n_pos, size=len(scores))
    own, negatives = scores[rows, which], scores[:, n_pos:]
    above = np.where(negatives > own[:, np.newaxis], negatives, np.inf).min(axis=1)
    moved = scores.copy()
    # A positive over all negatives stays where it is.
    moved[rows, which] = np.where(np.isfinite(above), np.nextafter(above, np.inf), own)
    return moved


def run_moves(
    cells: Iterable[Cell] = CELLS, *, replicates: int = 2000, seed: int = SEED
) -> pd.DataFrame:
    """Return the share of moves that lower a limit, and the largest drop, by cell and method."""
    rows = []
    for cell in cells:
        if cell.design == "five-categories":  # no room between categories
            continue
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
        scores = np.asarray(cell.draw(rng, replicates))
        before, after = (
            areas_of(some, cell.n_pos) for some in (scores, raised(scores, cell.n_pos, rng))
        )
        moves = after.wins > before.wins
        for name in METHODS_TRIED:
            drop = (METHODS[name](before) - METHODS[name](after))[moves].max(axis=1)
            rows.append(
                {
                    **{k: getattr(cell, k) for k in ("design", "n_pos", "n_neg", "auc")},
                    "method": name,
                    "moves": int(moves.sum()),
                    "share": round(float(np.mean(drop > SAME)), 6),
                    "largest": round(max(float(drop.max()), 0.0), 6),
                    "seed": seed,
                }
            )
    return pd.DataFrame(rows)


def read_moves() -> pd.DataFrame:
    """Return the committed table, a row per cell and method."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Make the moves and write their table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.moves", description=__doc__
    )
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    rows = run_moves()
    rows.to_csv(parser.parse_args().output, index=False, lineterminator="\n")
    print(rows.groupby("method", sort=False)[["share", "largest"]].agg(["median", "max"]))


if __name__ == "__main__":
    main()
