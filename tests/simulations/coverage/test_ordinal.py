"""Ordered classes: the simulation, its true values, and what the pages say of it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from validation.coverage import ordinal


@pytest.mark.parametrize("cell", [ordinal.CELLS[0], ordinal.CELLS[24], ordinal.CELLS[32]])
def test_the_simulated_limits_are_those_of_the_frames(cell):
    found = ordinal.ordinal_answers(cell, np.random.default_rng(3))
    codes, scores = cell.draw(np.random.default_rng(3))
    cluster = np.arange(cell.n) // cell.size if cell.size > 1 else None
    study = rs.OrdinalStudy(codes, dict(zip("ab", scores, strict=True)), cluster=cluster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        value, volume = study.concordance().iloc[0], study.vus().iloc[0]
        gap = study.compare_concordance().iloc[0]
    assert found["concordance", "value"][:2] == (value["ci_low"], value["ci_high"])
    assert found["vus", "value"][:2] == (volume["ci_low"], volume["ci_high"])
    limits = gap["ci_low"], gap["ci_high"], gap["p_value"]
    assert found["concordance", "difference"] == limits


@pytest.mark.parametrize("grades", [0, 5])
def test_true_values_are_those_of_a_large_sample(grades):
    cell = ordinal.OrdinalCell(0, 5, "rare", 40_000, 0.5, grades)
    codes, scores = cell.draw(np.random.default_rng(4))
    study = rs.OrdinalStudy(codes, scores[0])
    for name, found in (("concordance", study.concordance()), ("vus", study.vus())):
        value, se = found.loc[0, ["estimate", "se"]]
        assert abs(value - cell.truths()[name]) < 4 * se


def test_the_simulation_found_what_the_page_says():
    table = ordinal.read_ordinal()
    assert not table["shortfall"].any()
    assert table["coverage"].round(2).agg(["min", "max"]).tolist() == [0.92, 0.98]
    assert table["rejected"].round(2).agg(["min", "max"]).tolist() == [0.03, 0.07]
