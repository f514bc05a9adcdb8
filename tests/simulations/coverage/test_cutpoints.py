"""Cutpoints: true values, and the coverage that pages and notes print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from rocstats.facts.notes import NOTES
from rocstats.inference.cutpoints.cutpoints import cutpoints
from validation.coverage.cutpoints import CELLS, N_KERNEL, SIZE_CELLS, read_sizes, read_values
from validation.files import ROOT

PAGE = Path(__file__).parents[3] / "docs/methods/points.md"


COMMITTED = "coverage/cutpoints"


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


def test_almost_every_sample_has_limits(committed):
    of_kernels = committed["method"] == "kernel/percentile"
    assert (committed["replicates"] == np.where(of_kernels, N_KERNEL, 1500)).all()
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
    assert f"in {told[0]} to {told[1]} of" in NOTES["kernel-limits-short"].meaning


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


def test_predictive_values_are_those_of_the_chosen_cutpoint():
    values = read_values()
    assert set(values["target"]) == {"chosen"}
    sources = np.where(values["law"] == "clusters", "clusters", "binomial")
    assert (values["method"] == np.char.add(sources, "/mercaldo-corrected")).all()


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
