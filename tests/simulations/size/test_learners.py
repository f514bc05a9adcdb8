"""The committed simulation of tests over folds is complete and what the package does today."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.bounds import too_high
from validation.size.learners import CELLS, LEVEL, TABLE, run_cell

KEY = ["n", "folds", "repeats"]


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def test_every_cell_is_there_once(committed):
    cells = committed[KEY].drop_duplicates().itertuples(index=False, name=None)
    assert list(cells) == list(CELLS)
    assert not committed.duplicated([*KEY, "test"]).any()
    assert (committed["replicates"] >= 2000).all()


def test_the_correction_is_needed_and_helps(committed):
    size = committed.pivot(index=KEY, columns="test", values="size")
    assert (size["corrected"] < size["plain t"]).all()
    repeated = size.query("repeats == 10")
    assert repeated["plain t"].min() > 0.4
    assert repeated["corrected"].max() < 0.15


# docs/methods/simulation.md, "Shortfalls"
def test_the_corrected_test_holds_its_level_but_over_ten_repeats_of_five_folds(committed):
    beyond = too_high(committed["size"], LEVEL, committed["replicates"])
    assert committed["shortfall"].tolist() == beyond.tolist()
    short = committed[beyond & (committed["test"] == "corrected")]
    assert list(short[KEY].itertuples(index=False, name=None)) == [(60, 5, 10)]
    assert beyond[committed["test"] == "plain t"].all()


def test_a_cell_run_again_agrees(committed):
    n = 200
    again = pd.DataFrame(run_cell(CELLS[0], n, seed=5))
    before = committed.merge(again[[*KEY, "test"]])
    p = before["size"].clip(lower=0.002)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert ((again["size"] - before["size"]).abs() <= bound).all()
