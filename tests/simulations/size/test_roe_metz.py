"""The committed simulation of planned reader studies is complete, sound, and of today."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.inference.planning.reader_plan import reader_model_of
from validation.roe_metz.simulate import (
    CELLS,
    TABLE,
    TOLERANCE,
    run_cell,
    variance_of_difference,
)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False)


def test_every_cell_is_there_with_the_numbers_of_today(committed):
    assert len(committed) == len(CELLS)
    assert (committed["replicates"] >= 2000).all()
    for cell, row in zip(CELLS, committed.itertuples(), strict=True):
        asked = (cell.structure, *cell.areas, *cell[3:7], cell.nested or "")
        assert tuple(row)[1:9] == asked
        exact = variance_of_difference(reader_model_of(cell.design), cell.plan)
        assert row.variance_difference == pytest.approx(exact, rel=1e-12)
        planned = rs.power(
            cell.design,
            n_readers=cell.n_readers,
            n_pos=cell.n_pos,
            n_neg=cell.n_neg,
            n_groups=cell.n_groups,
        )
        # The quantiles of t of the oldest SciPy have an error of 1e-9.
        assert row.power == pytest.approx(planned["power"][0], rel=1e-7)


def test_variances_and_differences_are_exact_but_for_monte_carlo_error(committed):
    away = committed["variance_simulated"] - committed["variance_difference"]
    assert (abs(away) <= 4 * committed["variance_error"]).all()
    error = np.sqrt(committed["variance_difference"] / committed["replicates"])
    truth = committed["auc"] - committed["reference_auc"]
    assert (abs(committed["mean_simulated"] - truth) <= 4 * error).all()


def test_cells_beyond_the_bound_are_marked(committed):
    away = abs(committed["power_simulated"] - committed["power"])
    beyond = away > TOLERANCE + 4 * committed["power_error"]
    assert committed["shortfall"].tolist() == beyond.tolist()
    # Near an area of 1 the plan is on the safe side.
    marked = committed[beyond]
    assert marked["auc"].tolist() == [0.96]
    assert (marked["power_simulated"] > marked["power"]).all()


def test_a_cell_run_again_agrees(committed):
    row, n = committed.iloc[0], 40
    again = run_cell(CELLS[0], n, 11)
    p = row["power_simulated"]
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / row["replicates"]))
    assert again["power_simulated"] == pytest.approx(p, abs=bound)
