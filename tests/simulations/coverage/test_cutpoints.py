"""The committed simulation of cutpoints: complete, of today, as the methods page has it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from validation.coverage.cutpoints import CELLS, read_cutpoints, run_cell

KEY = ["law", "size", "shift", "quantity", "target", "method"]


@pytest.fixture(scope="module")
def committed():
    return read_cutpoints()


@pytest.fixture(scope="module")
def plain(committed):
    """The cells of the table on the methods page: N(0, 1) against N(1, 1)."""
    part = committed[(committed["law"] == "normal") & (committed["shift"] == 1)]
    return part.set_index(["quantity", "target", "method", "size"])


# docs/methods/points.md, "Best cutpoints", from 400 to 600 studies; coverage, read as simulated
# proportions (docs/methods/simulation.md, "When two simulated shares agree")
PRINTED = [
    ("threshold", "optimal", "resamples/percentile", 0.96, 0.98),
    ("youden", "optimal", "percentile", 0.77, 0.86),
    ("youden", "chosen", "wald", 0.85, 0.88),
    ("youden", "chosen", "wald-corrected", 0.93, 0.94),
    ("tpr", "chosen", "clopper-pearson", 0.92, 0.94),
    ("tpr", "optimal", "clopper-pearson", 0.67, 0.57),
]


@pytest.mark.parametrize(("quantity", "target", "method", "at_50", "at_200"), PRINTED)
def test_coverage_of_the_methods_page(plain, quantity, target, method, at_50, at_200):
    for size, printed in ((50, at_50), (200, at_200)):
        row = plain.loc[quantity, target, method, size]
        p = (row["coverage"] * row["replicates"] + printed * 400) / (row["replicates"] + 400)
        bound = 4 * np.sqrt(p * (1 - p) * (1 / row["replicates"] + 1 / 400)) + 0.005
        assert abs(row["coverage"] - printed) <= bound


@pytest.mark.parametrize(
    ("size", "apparent", "corrected"), [(50, 0.083, 0.023), (200, 0.037, 0.009)]
)
def test_optimism_of_the_methods_page(plain, size, apparent, corrected):
    """The mean excess of the index over its true value; its sd over studies is below 0.1."""
    bound = 4 * 0.1 * np.sqrt(1 / 400 + 1 / 1000)
    bound /= np.sqrt(size / 50)
    found = plain.loc["youden", "chosen", "wald", size]["bias"]
    assert abs(found - apparent) <= bound
    assert (
        abs(plain.loc["youden", "chosen", "binomial/mover-corrected", size]["bias"] - corrected)
        <= bound
    )
    assert plain.loc["youden", "chosen", "wald-corrected", size]["bias"] < found / 2


def test_table_has_every_cell_and_adds_up(committed):
    assert not committed.duplicated(KEY).any()
    settings = committed[["law", "size", "shift"]].drop_duplicates()
    assert list(settings.itertuples(index=False, name=None)) == [
        (cell.law, cell.size, cell.shift) for cell in CELLS
    ]
    assert (committed["replicates"] >= 1000).all()
    total = committed["coverage"] + committed["miss_low"] + committed["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    assert (committed["share_given"] > 0.97).all()


def test_what_the_package_prints_covers_what_it_says(committed):
    own = committed[committed["method"].str.endswith(("-corrected", "resamples/percentile"))]
    own = own[own["method"] != "wald-corrected"]
    noise = 3 * np.sqrt(0.95 * 0.05 / committed["replicates"].min())
    assert own["coverage"].min() >= 0.95 - noise
    assert set(own["target"]) == {"chosen", "optimal"}


def test_normal_theory_is_for_normal_scores(committed):
    rows = committed[committed["method"].str.startswith("normal-theory")].set_index("law")
    assert rows.loc[["normal", "normal-sd-2"], "coverage"].min() >= 0.91
    assert rows.loc["log-normal", "coverage"].max() < 0.7


@pytest.mark.parametrize("position", [0, 5, 8])
def test_cell_run_again_agrees(position, committed):
    n = 60
    again = pd.DataFrame(run_cell(CELLS[position], n, 3))
    before = again[KEY].merge(committed, on=KEY)
    p = before["coverage"].clip(0.005, 0.995)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert len(before) == len(again)
    assert ((again["coverage"] - before["coverage"]).abs() <= bound).all()


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.law}-{cell.size}-{cell.shift}")
def test_truth_is_that_of_many_cases(cell, rng):
    big = type(cell)(cell.position, cell.law, 200_000, cell.shift)
    scores = big.draw(rng)
    pos, neg = scores[:200_000], scores[200_000:]
    found = cell.measures(np.array([cell.optimal]))
    assert np.mean(pos >= cell.optimal) == pytest.approx(found["tpr"][0], abs=0.01)
    assert np.mean(neg < cell.optimal) == pytest.approx(found["tnr"][0], abs=0.01)
    beside = cell.measures(cell.optimal * np.array([0.9, 1.1]))["youden"]
    assert (beside < found["youden"][0]).all()
    if cell.law == "normal":
        assert found["youden"][0] == pytest.approx(2 * norm.cdf(cell.shift / 2) - 1, rel=1e-12)
