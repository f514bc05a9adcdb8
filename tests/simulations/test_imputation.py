"""The committed coverage of pooled areas: one cell made again, its marks, and what stands in it."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from validation.bounds import too_low
from validation.coverage.imputation import (
    LEVEL,
    SEED,
    areas,
    draw_data,
    impute,
    limits_of_cell,
    pooled_limits,
    read_imputation,
    rows_of_cell,
)


def test_the_simulated_limits_are_those_of_the_question():
    rng = np.random.default_rng(7)
    data, missing = draw_data((30, 30), 0.8, rng)
    scores = impute(data, missing, 5, rng)
    found = rs.pool_imputations([rs.Study(data[0].astype(int), one).auc() for one in scores])
    expected = pooled_limits(areas(scores[:, :30], scores[:, 30:]))
    assert found[["ci_low", "ci_high"]].iloc[0].tolist() == pytest.approx(expected, rel=1e-9)
    assert 0.15 < missing.mean() < 0.5


def test_the_table_is_whole_and_its_marks_are_those_of_the_rule():
    table = read_imputation()
    again = too_low(table["coverage"], LEVEL, table["defined"])
    assert np.array_equal(table["shortfall"], again)
    assert len(table) == 40
    assert (table["seed"] == SEED).all()
    assert not table.loc[table["method"] == "pooled", "shortfall"].any()


def test_a_cell_is_made_again():
    first = limits_of_cell(0, 3, SEED)
    assert np.array_equal(first, limits_of_cell(0, 4, SEED)[:3])
    assert {row["method"] for row in rows_of_cell(0, 2, SEED)} == set(read_imputation()["method"])
