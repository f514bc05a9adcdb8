"""The committed moves are what the package does, and limits drop by as little as the page says."""

from __future__ import annotations

import numpy as np
import pandas as pd

from validation.coverage.designs import CELLS
from validation.coverage.moves import METHODS_TRIED, SIMULATION, raised, read_moves

KEY = ["design", "n_pos", "n_neg", "auc", "method"]


def test_cells_run_again_are_the_committed_ones() -> None:
    again = SIMULATION.run([CELLS[0], CELLS[10], CELLS[30]])
    committed = read_moves().merge(again[KEY])
    pd.testing.assert_frame_equal(again, committed, atol=2e-6, rtol=0)


def test_table_has_every_cell_and_method_once() -> None:
    wanted = [
        (cell.design, cell.n_pos, cell.n_neg, cell.auc, name)
        for cell in CELLS
        if cell.design != "five-categories"
        for name in METHODS_TRIED
    ]
    assert list(read_moves()[KEY].itertuples(index=False, name=None)) == wanted


def test_a_move_raises_one_positive_over_one_negative() -> None:
    cell = CELLS[0]
    scores = np.asarray(cell.draw(np.random.default_rng(1), 50))
    moved = raised(scores, cell.n_pos, np.random.default_rng(2))
    assert ((moved != scores).sum(axis=1) <= 1).all()
    pairs = [
        (row[: cell.n_pos, np.newaxis] > row[cell.n_pos :]).sum(axis=None)
        for both in zip(scores, moved, strict=True)
        for row in both
    ]
    assert set(np.diff(np.reshape(pairs, (-1, 2)), axis=1).ravel()) <= {0, 1}


# docs/methods/effective-size.md, "Properties of the effective sample size"
def test_drops_are_as_small_as_printed() -> None:
    largest = read_moves().groupby("method")["largest"].max()
    half = 0.0005  # half a unit of the last printed digit
    assert abs(largest["effective-wilson"] - 0.009) <= half
    assert abs(largest["logit-t"] - 0.085) <= half
