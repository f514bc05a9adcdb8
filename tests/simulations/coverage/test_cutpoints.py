"""The committed simulation of cutpoints: complete, of today, as the methods page has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from rocstats.curves.criteria import THRESHOLDS_AT
from rocstats.facts.notes import NOTES
from rocstats.inference.cutpoints.cutpoints import cutpoints
from validation.coverage.cutpoints import (
    CELLS,
    N_FIRST,
    N_KERNEL,
    OF_SIZES,
    SEED,
    SIZE_CELLS,
    VALUE_CELLS,
    read_cutpoints,
    read_sizes,
    read_values,
    run_cell,
    value_limits,
)
from validation.files import ROOT

PAGE = Path(__file__).parents[3] / "docs/methods/points.md"
KEY = ["law", "size", "shift", "quantity", "target", "method"]


@pytest.fixture(scope="module")
def committed():
    return read_cutpoints()


@pytest.fixture(scope="module")
def plain(committed):
    """The cells of the table on the methods page: N(0, 1) against N(1, 1)."""
    part = committed[(committed["law"] == "normal") & (committed["shift"] == 1)]
    return part.set_index(["quantity", "target", "method", "size"])


# Rows of the table of docs/methods/points.md, "Best cutpoints": what it prints, and the digits.
ROWS = [
    ("apparent index minus", "youden", "chosen", "wald", "bias", 3),
    ("the same after correction", "youden", "chosen", "binomial/mover-corrected", "bias", 3),
    ("limits of both ends", "threshold", "optimal", "resamples/both-ends", "coverage", 2),
    ("coverage of the best index", "youden", "optimal", "percentile", "coverage", 2),
    ("Wald interval around", "youden", "chosen", "wald", "coverage", 2),
    ("around the corrected index", "youden", "chosen", "wald-corrected", "coverage", 2),
    ("Clopper-Pearson sensitivity", "tpr", "chosen", "clopper-pearson", "coverage", 2),
    ("read as that of the best", "tpr", "optimal", "clopper-pearson", "coverage", 2),
]


@pytest.mark.parametrize(("words", "quantity", "target", "method", "column", "digits"), ROWS)
def test_the_methods_page_prints_the_table(plain, words, quantity, target, method, column, digits):
    (line,) = [line for line in PAGE.read_text().splitlines() if words in line]
    printed = [float(cell) for cell in line.split("|")[2:4]]
    found = [plain.loc[quantity, target, method, size][column] for size in (50, 200)]
    assert printed == [round(value, digits) for value in found]


QUOTED = [
    ("r_cutpointr", "index of the optimal", "youden", "optimal", "percentile"),
    ("r_cutpointr", "index of the chosen", "youden", "chosen", "percentile"),
    ("r_cutpointr", "(`cutpoints`,", "youden", "chosen", "binomial/mover-corrected"),
    ("r_optimalcutpoints", "of the optimal", "tpr", "optimal", "clopper-pearson"),
    ("r_optimalcutpoints", "of the chosen", "tpr", "chosen", "clopper-pearson"),
    ("r_optimalcutpoints", "(`cutpoints`,", "tpr", "chosen", "binomial/wilson-corrected"),
]


@pytest.mark.parametrize(("authority", "words", "quantity", "target", "method"), QUOTED)
def test_cases_of_others_quote_the_table(plain, authority, words, quantity, target, method):
    found = [round(plain.loc[quantity, target, method, size]["coverage"], 2) for size in (50, 200)]
    for page in ROOT.glob(f"{authority}/*/README.md"):
        table = [line for line in page.read_text().splitlines() if line.startswith("|")]
        (line,) = [line for line in table if words in line]
        assert [float(cell) for cell in line.split("|")[2:4]] == found


# A simulation before this one: coverage in 400 to 600 studies, at observed scores, read as
# simulated proportions (docs/methods/simulation.md, "When two simulated shares agree").
PRINTED = [
    ("youden", "optimal", "percentile", 0.77, 0.86),
    ("youden", "chosen", "wald", 0.85, 0.88),
    ("youden", "chosen", "wald-corrected", 0.93, 0.94),
    ("tpr", "chosen", "clopper-pearson", 0.92, 0.94),
    ("tpr", "optimal", "clopper-pearson", 0.67, 0.57),
]


@pytest.mark.parametrize(("quantity", "target", "method", "at_50", "at_200"), PRINTED)
def test_coverage_is_that_of_the_simulation_before(plain, quantity, target, method, at_50, at_200):
    for size, printed in ((50, at_50), (200, at_200)):
        row = plain.loc[quantity, target, method, size]
        p = (row["coverage"] * row["replicates"] + printed * 400) / (row["replicates"] + 400)
        bound = 4 * np.sqrt(p * (1 - p) * (1 / row["replicates"] + 1 / 400)) + 0.005
        assert abs(row["coverage"] - printed) <= bound


@pytest.mark.parametrize(
    ("size", "apparent", "corrected"), [(50, 0.083, 0.023), (200, 0.037, 0.009)]
)
def test_optimism_is_that_of_the_simulation_before(plain, size, apparent, corrected):
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
    of_kernels = committed["method"] == "kernel/percentile"
    assert (committed["replicates"] == np.where(of_kernels, N_KERNEL, 1500)).all()
    total = committed["coverage"] + committed["miss_low"] + committed["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    assert (committed["share_given"] > 0.97).all()


def test_what_the_package_prints_covers_what_it_says(committed):
    words = ("-corrected", "resamples/both-ends")
    own = committed[committed["method"].str.endswith(words)]
    own = own[own["method"] != "wald-corrected"]
    noise = 3 * np.sqrt(0.95 * 0.05 / own["replicates"].min())
    assert own["coverage"].min() >= 0.95 - noise
    assert set(own["target"]) == {"chosen", "optimal"}


def test_normal_theory_is_for_normal_scores(committed):
    rows = committed[committed["method"].str.startswith("normal-theory")].set_index("law")
    assert rows.loc[["normal", "normal-sd-2"], "coverage"].min() >= 0.91
    assert rows.loc["log-normal", "coverage"].max() < 0.7


def test_kernel_limits_fall_short_with_skewed_scores_alone(committed):
    kernel = committed[committed["method"].str.startswith("kernel")].set_index("law")
    assert not kernel.drop("log-normal")["shortfall"].any()
    assert not kernel[kernel["quantity"] == "youden"]["shortfall"].any()
    skewed = kernel[kernel["quantity"] != "youden"].loc["log-normal", "coverage"]
    told = [f"{value:.2f}".lstrip("0") for value in (skewed.min(), skewed.max())]
    assert f"covered {told[0]} to {told[1]} of" in NOTES["kernel-limits-short"].meaning


def test_the_marks_are_those_of_the_rule(committed):
    # Coverage below the level less four Monte-Carlo errors.
    bound = 0.95 - 4 * np.sqrt(0.95 * 0.05 / committed["replicates"])
    assert committed["shortfall"].tolist() == (committed["coverage"] < bound).tolist()


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
    again = OF_SIZES.run(SIZE_CELLS[:1], replicates=n, seed=3)
    before = again[SIZE_KEY].merge(read_sizes(), on=SIZE_KEY)
    p = before["coverage"].clip(0.005, 0.995)
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / before["replicates"]))
    assert len(before) == len(again)
    assert ((again["coverage"] - before["coverage"]).abs() <= bound).all()


VALUE_KEY = ["law", "n_pos", "n_neg", "shift", "prevalence", "quantity"]


def test_table_of_predictive_values_has_every_cell_and_its_marks():
    values = read_values()
    wanted = [
        (cell.law, cell.size, cell.n_neg, round(cell.shift, 12), cell.prevalence, quantity)
        for cell in VALUE_CELLS
        for quantity in ("ppv", "npv")
    ]
    assert list(values[VALUE_KEY].itertuples(index=False, name=None)) == wanted
    assert set(values["target"]) == {"chosen"}
    sources = np.where(values["law"] == "clusters", "clusters", "binomial")
    assert (values["method"] == np.char.add(sources, "/mercaldo-corrected")).all()
    assert (values["replicates"] >= 1000).all()
    total = values["coverage"] + values["miss_low"] + values["miss_high"]
    np.testing.assert_allclose(total, 1, atol=1e-12)
    # The rule of validation/coverage/README.md: the level less four Monte-Carlo errors.
    bound = 0.95 - 4 * np.sqrt(0.95 * 0.05 / values["replicates"])
    assert values["shortfall"].tolist() == (values["coverage"] < bound).tolist()


def test_first_predictive_values_run_again_are_the_committed_ones():
    again = pd.DataFrame(run_cell(VALUE_CELLS[0], N_FIRST, SEED, value_limits))
    before = read_values().iloc[: len(again)]
    assert again["first_covered"].tolist() == before["first_covered"].tolist()
    # Widths are written with six decimals.
    np.testing.assert_allclose(again["first_width"], before["first_width"], atol=2e-6)


@pytest.mark.parametrize("position", [0, 8])
def test_first_data_sets_of_a_cell_run_again_are_the_committed_ones(position, committed):
    again = pd.DataFrame(run_cell(CELLS[position], N_FIRST, SEED))
    before = again[KEY].merge(committed, on=KEY)
    assert len(before) == len(again)
    assert again["first_covered"].tolist() == before["first_covered"].tolist()
    # Widths are written with six decimals.
    np.testing.assert_allclose(again["first_width"], before["first_width"], atol=2e-6)


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
