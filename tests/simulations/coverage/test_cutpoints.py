"""The committed simulation of cutpoints: complete, of today, as the methods page has it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from rocstats.curves.points.chosen_vertices import THRESHOLDS_AT
from rocstats.frames.notes import NOTES
from rocstats.inference.points.cutpoints import cutpoints
from validation.coverage.cutpoints import (
    CELLS,
    SIZE_CELLS,
    read_cutpoints,
    read_sizes,
    run_cell,
    run_sizes,
)

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
    words = ("-corrected", "resamples/both-ends", "resamples/percentile")
    own = committed[committed["method"].str.endswith(words)]
    own = own[own["method"] != "wald-corrected"]
    noise = 3 * np.sqrt(0.95 * 0.05 / committed["replicates"].min())
    assert own["coverage"].min() >= 0.95 - noise
    assert set(own["target"]) == {"chosen", "optimal"}


def test_normal_theory_is_for_normal_scores(committed):
    rows = committed[committed["method"].str.startswith("normal-theory")].set_index("law")
    assert rows.loc[["normal", "normal-sd-2"], "coverage"].min() >= 0.91
    assert rows.loc["log-normal", "coverage"].max() < 0.7


def test_the_note_on_kernel_limits_has_their_coverage(committed):
    kernel = committed[committed["method"].str.startswith("kernel")]
    rows = kernel[kernel["quantity"] != "youden"]["coverage"]
    told = [f"{value:.2f}".lstrip("0") for value in (rows.min(), rows.max())]
    assert f"covered {told[0]} to {told[1]} in" in NOTES["kernel-limits-short"].meaning


SIZE_KEY = ["law", "n_pos", "n_neg", "shift", "threshold_at", "quantity", "target", "method"]


def test_table_of_sizes_has_every_cell_and_its_marks():
    sizes = read_sizes()
    assert not sizes.duplicated(SIZE_KEY).any()
    settings = sizes[["law", "n_pos", "n_neg", "shift", "threshold_at"]].drop_duplicates()
    assert list(settings.itertuples(index=False, name=None)) == [
        (cell.law, cell.size, cell.n_neg, round(cell.shift, 12), at)
        for cell in SIZE_CELLS
        for at in THRESHOLDS_AT
    ]
    assert (sizes["replicates"] >= 1000).all()
    total = sizes["coverage"] + sizes["miss_low"] + sizes["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    # The rule of validation/coverage/README.md: the level less four Monte-Carlo errors.
    bound = 0.95 - 4 * np.sqrt(0.95 * 0.05 / sizes["replicates"])
    assert sizes["shortfall"].tolist() == (sizes["coverage"] < bound).tolist()


def test_the_docstring_has_the_coverage_of_the_sizes():
    sizes = read_sizes()
    rows = sizes[sizes["quantity"] == "threshold"].groupby("threshold_at")["coverage"]
    told = {
        at: " to ".join(f"{value:.2f}".lstrip("0") for value in (part.min(), part.max()))
        for at, part in rows
    }
    words = f"{told['midpoint']} at midpoints, and {told['observed']} at observed scores"
    assert words in " ".join(str(cutpoints.__doc__).split())


def test_areas_and_best_cutpoints_of_the_sizes():
    for cell, area in zip(SIZE_CELLS, ([0.8] * 4 + [0.9] * 4) * 2, strict=True):
        assert norm.cdf(cell.shift / np.hypot(1, cell.sd)) == pytest.approx(area, rel=1e-12)
        beside = cell.measures(cell.optimal + np.array([-1e-3, 0, 1e-3]))["youden"]
        assert beside.argmax() == 1


def test_cell_of_the_sizes_run_again_agrees():
    n = 60
    again = run_sizes(SIZE_CELLS[:1], replicates=n, seed=3)
    before = again[SIZE_KEY].merge(read_sizes(), on=SIZE_KEY)
    p = before["coverage"].clip(0.005, 0.995)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert len(before) == len(again)
    assert ((again["coverage"] - before["coverage"]).abs() <= bound).all()


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
