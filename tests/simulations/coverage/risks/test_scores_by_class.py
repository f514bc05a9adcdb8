"""The simulation of scores by class asks what the package answers, and is marked."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import rocstats as rs
from validation.coverage.scores_by_class import (
    CELLS,
    COVERAGE,
    SCORES,
    SEED,
    TABLE,
    draw,
    limits,
    run_cell,
)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def test_every_cell_is_there_and_marked(table):
    found = table[["n_pos", "n_neg", "prevalence", "model", "risks"]].drop_duplicates()
    assert list(found.itertuples(False, None)) == list(map(tuple, CELLS))
    assert (table["shortfall"] == (table["coverage"] < COVERAGE)).all()
    # What docs/methods/calibration.md says: rows that fall short have the note.
    assert table.loc[table["shortfall"], "noted"].all()
    assert (table["coverage"] >= table["before"]).all()


@pytest.mark.parametrize("position", [0, 5, 10])
def test_arrays_have_the_limits_of_the_package(table, position):
    cell = CELLS[position]
    logits = draw(cell, 3, np.random.default_rng([SEED, position]))
    for number in range(3):
        risk = expit(np.concatenate([side[number] for side in logits]))
        study = rs.Study(np.repeat([1, 0], [cell.n_pos, cell.n_neg]), risk)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows = study.probability_scores(prevalence=cell.prevalence).set_index("quantity")
        for name in SCORES:
            own = limits(cell, name, logits)
            high = own["value"][number] + own["shape"][number]
            assert rows.loc[name, "estimate"] == pytest.approx(own["value"][number], rel=1e-9)
            assert rows.loc[name, "ci_high"] == pytest.approx(high, rel=1e-9)
        noted = table[(table[list(cell._fields)] == list(cell)).all(axis=1)]["noted"].any()
        assert ("heavy-negatives" in rows.loc["brier_score", "note"]) == noted


def test_a_cell_again(table):
    cell = CELLS[4]
    own = table[(table[list(cell._fields)] == list(cell)).all(axis=1)].set_index("quantity")
    for row in run_cell(4, 4000):
        assert row["coverage"] == pytest.approx(own.loc[row["quantity"], "coverage"], abs=1e-3)
