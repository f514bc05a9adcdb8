"""The committed simulation of available-case comparisons is complete and marked by its rule."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.size.available import (
    CELLS,
    METHODS,
    SIMULATION,
    TABLE,
    draw,
    limits_of,
    package_limits,
)

SETTING = ["set", "n", "missing", "auc_1", "auc_2"]


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def test_every_cell_and_method_is_there_once(committed):
    wanted = [(*cell, name) for cell in CELLS for name in METHODS]
    assert list(committed[[*SETTING, "method"]].itertuples(index=False, name=None)) == wanted
    assert committed["seed"].nunique() == 1
    assert (committed["replicates"] >= 4000).all()
    assert (committed["alpha"] == np.where(committed["set"] == "margin", 0.025, 0.05)).all()


# docs/methods/comparison.md, "Available cases"
def test_marks_follow_from_the_numbers_and_the_rule(committed):
    alpha, n = committed["alpha"], committed["replicates"]
    rejects = committed["rejected"] - alpha > 4 * np.sqrt(alpha * (1 - alpha) / n)
    misses = 0.95 - committed["coverage"] > 4 * np.sqrt(0.95 * 0.05 / n)
    assert committed["shortfall"].tolist() == (rejects | misses).tolist()


def test_the_default_interval_has_no_shortfall_and_is_shorter_than_whole_rows_give(committed):
    by_method = committed.set_index([*SETTING, "method"]).unstack()
    assert not by_method["shortfall", "t"].any()
    assert not by_method.loc["margin"]["shortfall", "mover"].any()
    assert (by_method["mean_width", "t"] < by_method["mean_width", "omit-t"]).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_package_has_the_limits_of_the_array_code(method):
    for cell in (CELLS[0], CELLS[9]):
        scores = draw(cell, np.random.default_rng(3), 6)
        low, high, _ = limits_of(cell, scores, method)
        expected = [package_limits(cell, one, method) for one in scores]
        np.testing.assert_allclose(np.column_stack([low, high]), expected, atol=1e-12)


def test_a_cell_run_again_has_its_committed_numbers(committed):
    cell = CELLS[2]
    again = SIMULATION.run([cell])
    rows = committed[(committed[SETTING] == pd.Series(cell, SETTING)).all(axis=1)]
    pd.testing.assert_frame_equal(again, rows.reset_index(drop=True))
