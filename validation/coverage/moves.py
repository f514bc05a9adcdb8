"""How often an interval's limit drops when a positive is raised past the next negative above it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.facts.arrays import FloatArray
from validation.coverage.batch import METHODS, areas_of
from validation.coverage.designs import CELLS, Cell
from validation.simulation import Simulation, columns_of, stream

TABLE = Path(__file__).with_name("moves.csv")
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


def run_cell(cell: Cell, replicates: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the share of moves that lower a limit, and the largest drop, by method."""
    rng = stream(seed, cell.position)
    scores = np.asarray(cell.draw(rng, replicates))
    before, after = (
        areas_of(some, cell.n_pos) for some in (scores, raised(scores, cell.n_pos, rng))
    )
    moves = after.wins > before.wins
    for name in METHODS_TRIED:
        drop = (METHODS[name](before) - METHODS[name](after))[moves].max(axis=1)
        yield {
            **columns_of(cell, "design n_pos n_neg auc"),
            "method": name,
            "moves": int(moves.sum()),
            "share": round(float(np.mean(drop > SAME)), 6),
            "largest": round(max(float(drop.max()), 0.0), 6),
        }


SIMULATION = Simulation(
    table=TABLE,
    shows="How often, and how far, a limit drops when a positive is raised past a negative.",
    # Categories leave no room between them.
    cells=[cell for cell in CELLS if cell.design != "five-categories"],
    rows=run_cell,
    replicates=2000,
    seed=20101212,
    ends=("seed",),
)
read_moves = SIMULATION.read
