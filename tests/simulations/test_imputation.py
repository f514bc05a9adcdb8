"""The committed coverage of pooled areas: one cell made again, its marks, and what stands in it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from validation.bounds import below_margin, too_low
from validation.coverage import imputation_ends as ends
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


def test_the_simulated_limits_near_an_end_are_those_of_the_question():
    sizes, (auc, tpr), _ = ends.SETTINGS[6]
    limits, near = ends.limits_of_cell(6, 1, ends.SEED)
    rng = np.random.default_rng(np.random.SeedSequence(ends.SEED, spawn_key=(6, 0)))
    data, missing = draw_data(sizes, auc, rng)
    scores = impute(data, missing, 5, rng)
    cut, truths = ends.truths_of(auc, tpr)
    assert truths[0] == tpr
    studies = [rs.Study(data[0].astype(int), one) for one in scores]
    asked = {"threshold": cut, "quantities": ["tpr", "tnr"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        points = rs.pool_imputations([study.operating_points(**asked) for study in studies])
        area = rs.pool_imputations([study.auc() for study in studies])
    for k, frame in enumerate((points.iloc[:1], points.iloc[1:], area)):
        expected = frame[["ci_low", "ci_high"]].iloc[0].tolist()
        assert limits[0, k, 0].tolist() == pytest.approx(expected, rel=1e-9)
        assert near[0, k] == ("boundary-imputation" in frame["note"].iloc[0])
    assert near[0].any()


def test_the_table_near_an_end_is_whole_and_a_cell_is_made_again():
    table = ends.read_ends()
    assert len(table) == len(ends.SETTINGS) * len(ends.QUANTITIES) * len(ends.METHODS)
    assert (table["seed"] == ends.SEED).all()
    assert np.array_equal(table["shortfall"], below_margin(table["coverage"], LEVEL))
    position = ends.SETTINGS.index(((10, 100), (0.98, 0.98), 5))
    found = ends.rows_of_cell(position, int(table["replicates"].iloc[0]), ends.SEED)
    rows = table.iloc[6 * position : 6 * position + 6]
    for row, (_, kept) in zip(found, rows.iterrows(), strict=True):
        for name, value in row.items():
            assert kept[name] == (value if isinstance(value, str) else pytest.approx(value)), name
