"""The committed simulation of tests over folds is complete and what the package does today."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.size.learners import CELLS, TABLE, run_cell

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


def test_ten_folds_hold_the_level(committed):
    rows = committed[(committed["test"] == "corrected") & (committed["folds"] == 10)]
    # methods.md H4: a bound is checked less 3 Monte-Carlo standard errors
    assert (rows["size"] - 3 * rows["se"] < 0.05).all()


def test_a_cell_run_again_agrees(committed):
    n = 200
    again = pd.DataFrame(run_cell(CELLS[0], n, seed=5))
    before = committed.merge(again[[*KEY, "test"]])
    p = before["size"].clip(lower=0.002)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert ((again["size"] - before["size"]).abs() <= bound).all()
