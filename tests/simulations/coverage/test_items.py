"""Items that are right or wrong, or graded: the simulation, and what the page says of it."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from validation.coverage import items


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return items.read_items()


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("clusters", [0, 20])
def test_the_simulated_limits_are_those_of_the_frames(graded, clusters):
    cell = items.ItemCell(0, graded, 60, clusters, 0.7, 0.5)
    found = items.item_answers(cell, np.random.default_rng(3))
    scores, cluster = cell.draw(np.random.default_rng(3))
    study = rs.ItemStudy(dict(zip("ab", scores, strict=True)), cluster=cluster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        value, gap = study.accuracy().iloc[0], study.compare_accuracy().iloc[0]
    assert found["value"][:2] == (value["ci_low"], value["ci_high"])
    assert found["difference"] == (gap["ci_low"], gap["ci_high"], gap["p_value"])


@pytest.mark.parametrize("graded", [False, True])
def test_drawn_scores_have_the_accuracy_of_the_cell(graded):
    cell = items.ItemCell(0, graded, 40_000, 0, 0.9, 0.5, 0.1)
    scores, _ = cell.draw(np.random.default_rng(4))
    error = scores.std(axis=1) / 200
    assert (np.abs(scores.mean(axis=1) - [0.9, 0.8]) < 4 * error).all()
