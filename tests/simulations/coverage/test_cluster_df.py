"""Degrees of freedom of clustered areas: the committed simulation is repeated and judged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from validation.bounds import too_high, too_low
from validation.coverage.cluster_df import ALPHA, CELLS, LEVEL, RULES, read_cluster_df, run_cell

SETTING = ["pos", "neg", "both", "auc", "rule"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return read_cluster_df()


def test_marks_follow_from_the_rule(table):
    assert len(table) == len(CELLS) * len(RULES)
    short = too_low(table["coverage"], LEVEL, table["usable"])
    large = too_high(table["size"], ALPHA, table["replicates"])
    assert table["coverage_shortfall"].tolist() == short.tolist()
    assert table["size_shortfall"].tolist() == large.tolist()


def test_kinds_have_the_fewer_shortfalls(table):
    marks = table[["coverage_shortfall", "size_shortfall"]].sum(axis=1).groupby(table["rule"]).sum()
    assert marks["kinds"] < marks["clusters"]


def test_a_cell_agrees_with_a_short_run_of_it(table):
    # four errors of both runs: docs/methods/simulation.md, "When two simulated shares agree"
    rows = run_cell(CELLS[6], 200, 1)
    committed = table.iloc[12:14].to_dict("records")
    for row, stored in zip(rows, committed, strict=True):
        assert (row["pos"], row["neg"], row["rule"]) == (
            stored["pos"],
            stored["neg"],
            stored["rule"],
        )
        for share in ("coverage", "size"):
            p = (row[share] + stored[share]) / 2
            error = (p * (1 - p) * (1 / 200 + 1 / 4000)) ** 0.5
            assert abs(row[share] - stored[share]) <= 4 * error


def test_the_truth_is_the_mean_of_the_area(rng):
    cell = CELLS[9]
    assert cell.clusters == (0, 0, 8)
    scores = np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 1))
    scores = scores[:, :1] + np.sqrt(0.5) * rng.standard_normal((4000, 2, 8, 3))
    pos, neg = (scores[:, k].reshape(4000, -1) for k in (0, 1))
    areas = (pos[:, :, None] + np.sqrt(2) * ndtri(cell.auc) > neg[:, None]).mean(axis=(1, 2))
    assert areas.mean() == pytest.approx(cell.truth, abs=4 * areas.std() / 4000**0.5)
    assert CELLS[0].truth == pytest.approx(CELLS[0].auc)
