"""Comparisons of areas: what is drawn, size and power as the page prints them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.oracles import definitions as oracles
from validation.size.differences import CELLS, setting_of

KEY = ["set", "n_pos", "n_neg", "auc_1", "auc_2", "correlation"]


COMMITTED = "size/differences"


def of_cell(committed: pd.DataFrame, position: int) -> pd.DataFrame:
    setting = setting_of(CELLS[position])
    chosen = (committed[KEY] == [setting[name] for name in KEY]).all(axis=1)
    return committed[chosen].set_index("method")


# docs/methods/comparison.md, "Size and power of the tests": DeLong z, HM83, Bandos z, Bandos exact,
# bootstrap z; 2000 replicates (4000 x 999 for the fourth number of the first row). The cuts of the
# ordinal row are not given.
PRINTED = {
    0: (0.049, 0.061, 0.053, 0.0505, 0.058),
    1: (0.007, 0.005, 0.028, 0.031, 0.008),
    2: (0.045, 0.047, 0.046, 0.051, 0.045),
    3: (0.029, 0.018, 0.043, 0.048, 0.030),
    4: (0.044, 0.024, 0.036, 0.050, 0.051),
    5: (0.059, 0.053, 0.056, 0.055, 0.055),
    7: (0.771, 0.777, 0.776, 0.773, 0.772),
    8: (0.683, 0.677, 0.687, 0.687, 0.678),
}
NAMES = (
    "delong",
    "hanley-mcneil-pearson",
    "permutation-asymptotic",
    "permutation",
    "bootstrap",
)


@pytest.mark.parametrize("position", list(PRINTED))
def test_size_and_power_are_what_the_methods_page_says(committed, position):
    rows = of_cell(committed, position)
    for name, p in zip(NAMES, PRINTED[position], strict=True):
        replicates = rows.loc[name, "replicates"]
        # docs/methods/simulation.md, "When two simulated shares agree"
        bound = 4 * np.sqrt(p * (1 - p) * (1 / 2000 + 1 / replicates))
        assert rows.loc[name, "rejected"] == pytest.approx(p, abs=bound), name


# docs/methods/simulation.md, "Shortfalls"
SHORT = {
    (4, "percentile"),
    (9, "hanley-mcneil-pearson"),
    (12, "delong"),
    (12, "bootstrap"),
    (15, "percentile"),
}


def test_every_test_holds_its_level_or_is_marked(committed):
    found = {
        (cell.position, name)
        for cell in CELLS
        for name in of_cell(committed, cell.position).query("shortfall").index
    }
    assert found == SHORT


def excess(rows: pd.DataFrame, bound: float) -> pd.Series:
    return (rows["rejected"] - bound) / np.sqrt(bound * (1 - bound) / rows["replicates"])


def test_delong_rejects_too_rarely_at_high_areas_where_the_permutation_test_does_not(committed):
    rows = of_cell(committed, 1)
    assert excess(rows.loc[["delong"]], 0.025).max() < -2
    assert rows.loc["permutation", "rejected"] > 2 * rows.loc["delong", "rejected"]
    power = of_cell(committed, 13)
    assert power.loc["permutation", "rejected"] > 2 * power.loc["delong", "rejected"]


def test_crossing_curves_of_equal_area_are_not_told_apart_by_area(committed):
    rows = of_cell(committed, 9)
    assert (CELLS[9].set, CELLS[9].truth) == ("crossing", 0)
    assert excess(rows.loc[["delong", "bootstrap"]], 0.06).max() < 3


def test_non_inferiority_holds_its_level_at_the_margin(committed):
    rows = committed[(committed["set"] == "margin") & (committed["method"] == "delong")]
    assert len(rows) == 3
    assert rows["alpha"].tolist() == pytest.approx([0.025] * 3)
    assert excess(rows, 0.035).max() < 3


def test_intervals_of_differences_cover(committed):
    for name, least in (("delong", 0.93), ("bootstrap", 0.93), ("percentile", 0.91)):
        rows = committed[committed["method"] == name]
        slack = 3 * np.sqrt(least * (1 - least) / rows["replicates"])
        assert (rows["coverage"] >= least - slack).all(), name


@pytest.mark.parametrize("position", [0, 6, 9, 16])
def test_scores_have_the_law_that_the_cell_names(position):
    cell = CELLS[position]
    scores = cell.draw(np.random.default_rng(3), 400)
    y = cell.is_positive
    areas = np.array([[oracles.auc(y, score) for score in pair] for pair in scores])
    differences = areas[:, 0] - areas[:, 1]
    assert differences.mean() == pytest.approx(cell.truth, abs=4 * differences.std() / 20)
    if not cell.categories:
        assert areas.mean(axis=0) == pytest.approx(cell.aucs, abs=4 * areas.std() / 20)
        negatives = scores[:, :, ~y]
        found = np.mean(negatives[:, 0] * negatives[:, 1])
        assert found == pytest.approx(cell.correlation, abs=0.06)
