"""Bands: true curves, containment and width as the methods pages print them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import trapezoid

from validation.bounds import too_low
from validation.coverage.band_designs import BAND_CELLS, BandCell
from validation.coverage.band_methods import CELLS, NAMES, read_methods, run_methods_cell
from validation.coverage.band_summary import compare_widths, read_rotated
from validation.coverage.bands import LEVEL, METHODS, TABLE, read_bands, run_band_cell
from validation.coverage.difference_bands import CELLS as DIFFERENCE_CELLS
from validation.coverage.difference_bands import read_differences, run_difference_cell
from validation.coverage.future_curves import FUTURE_CELLS, read_future, run_future_cell

KEY = ["design", "n_pos", "n_neg", "method"]
PRINTED = pd.read_csv(TABLE.with_name("bands_printed.csv"))


def cell_of(cells: tuple[BandCell, ...], design: str, n_pos: int, n_neg: int) -> BandCell:
    return next(c for c in cells if (c.design, c.n_pos, c.n_neg) == (design, n_pos, n_neg))


def against_printed(rows: pd.DataFrame, table: str) -> pd.DataFrame:
    keys = KEY if table == "bands" else ["set", *KEY]
    both = rows.merge(PRINTED[PRINTED["table"] == table], on=keys, suffixes=("", "_printed"))
    p = (both["containment"] + both["containment_printed"]) / 2
    error = np.sqrt(p * (1 - p) * (1 / both["replicates"] + 1 / both["replicates_printed"]))
    # 1.00 and 0, which have no Monte-Carlo error, are printed to half a hundredth
    allowed = np.maximum(4 * error, 0.005)
    gap = (both["containment"] - both["containment_printed"]).abs()
    return both.assign(gap=gap, allowed=allowed)


def test_tables_have_every_cell_and_band_once_and_add_up():
    rotated = read_bands()
    wanted = [(c.set, c.design, c.n_pos, c.n_neg, m) for c in BAND_CELLS for m in METHODS]
    assert list(rotated[["set", *KEY]].itertuples(index=False, name=None)) == wanted
    assert (rotated["replicates"] >= 2000).all()
    methods = read_methods()
    wanted = [(c.design, c.n_pos, c.n_neg, m) for c in CELLS for m in NAMES]
    assert list(methods[KEY].itertuples(index=False, name=None)) == wanted
    assert (methods["replicates"] >= 1000).all()
    for rows in (rotated, methods, read_differences()):
        p = rows["containment"]
        np.testing.assert_allclose(rows["se"], np.sqrt(p * (1 - p) / rows["replicates"]), atol=1e-6)
        assert (p + rows["miss_low"] + rows["miss_high"] >= 1 - 1e-5).all()
        assert rows["seed"].nunique() == 1


# docs/methods/bands.md, "Containment of the bands": all bands in nine settings
def test_containment_and_width_of_every_band_agree_with_the_methods_page():
    both = against_printed(read_methods(), "bands")
    assert len(both) == (PRINTED["table"] == "bands").sum()
    apart = both[both["gap"] > both["allowed"]]
    assert apart.empty, apart[[*KEY, "containment", "containment_printed"]]
    width = both["mean_width"] / both["mean_width_printed"]
    # The largest distance over all vertices, not on a grid, widens the fixed-width band. The
    # ellipse of exponential scores at 500/500 is printed 5 % too narrow: see the test below.
    off = (both["method"] == "ellipse") & (both["design"] == "biexponential .80")
    off &= both["n_pos"] == 500
    most = both["method"].map({"fixed-width": 1.045}).fillna(1.025).mask(off, 1.055)
    apart = both[(width < 0.98) | (width > most)]
    assert apart.empty, apart[[*KEY, "mean_width", "mean_width_printed"]]


# docs/methods/bands.md, "Containment of the bands", the known differences
@pytest.mark.parametrize("design", ["binormal .80", "binormal .90 b=.6", "biexponential .80"])
def test_with_many_cases_ellipses_are_as_wide_as_working_and_hotelling(design):
    rows = read_methods().query("n_pos == 500 and design == @design").set_index("method")
    ellipse, line = rows.loc[["ellipse", "working-hotelling-normal"], "mean_width"]
    assert ellipse == pytest.approx(line, rel=0.005)


# docs/methods/smoothed-band.md, "Containment of the smoothed band": both rotated bands and the
# envelope, on the main grid and the laws it names
def test_containment_and_width_of_rotated_bands_agree_with_the_methods_page():
    both = against_printed(read_rotated(), "smoothed-band")
    assert len(both) == (PRINTED["table"] == "smoothed-band").sum()
    apart = both[both["gap"] > both["allowed"]]
    assert apart.empty, apart[[*KEY, "containment", "containment_printed"]]
    width = both["mean_width"] / both["mean_width_printed"]
    # The printed table looks for the largest distance on a grid, which misses peaks between: with
    # many cases its fixed-width band is narrower than that over all vertices, up to a fourteenth at
    # .99.
    most = np.where(both["method"] == "fixed-width", 1.08, 1.03)
    apart = both[(width < 0.97) | (width > most)]
    assert apart.empty, apart[[*KEY, "mean_width", "mean_width_printed"]]


def test_default_band_contains_the_curve_and_does_not_waste():
    rows = read_bands().query("method == 'fixed-width' and set == 'main'")
    # cells of twenty cases a class, and ordinal ones, are listed apart (docs/methods/simulation.md,
    # "Bounds")
    fair = rows[(rows["n_pos"] + rows["n_neg"] > 40) & (rows["design"] != "5 categories")]
    assert (fair["containment"] >= 0.93 - 3 * fair["se"]).all()
    assert (fair["containment"] <= 0.99).all()
    apart = rows.drop(fair.index)
    assert (apart["containment"] >= 0.90).all()


# docs/methods/simulation.md, "Shortfalls"
SHORT = {
    ("main", "binormal .80", 20, 20, "fixed-width"),
    ("main", "binormal .90 b=.6", 20, 20, "fixed-width"),
    ("held-out", "beta, skewed", 20, 20, "fixed-width"),
    ("held-out", "binormal .80", 5, 50, "fixed-width"),
    ("held-out", "binormal .80", 50, 5, "fixed-width"),
    ("held-out", "binormal .80", 15, 1000, "fixed-width"),
    ("held-out", "binormal .80", 15, 1000, "smoothed-score"),
    ("held-out", "binormal .95", 10, 100, "fixed-width"),
    ("held-out", "binormal .99", 50, 50, "fixed-width"),
    ("held-out", "binormal .99", 20, 200, "fixed-width"),
    ("held-out", "binormal .99", 200, 20, "fixed-width"),
}


def test_every_rotated_band_holds_its_level_or_is_marked():
    rows = read_bands()
    below = too_low(rows["containment"], LEVEL, rows["replicates"])
    assert rows["shortfall"].tolist() == below.tolist()
    short = rows.loc[below, ["set", *KEY]].itertuples(index=False, name=None)
    assert set(short) == SHORT
    # With twenty cases or more in each class, and areas up to .95, the least is .914.
    usual = rows[(rows[["n_pos", "n_neg"]].min(axis=1) >= 20) & (rows["design"] != "binormal .99")]
    assert usual["containment"].min() == 0.914
    assert rows["containment"].min() == 0.8705


def test_smoothed_score_holds_and_is_narrower_where_claimed():
    rows = read_rotated()
    ours = rows[rows["method"] == "smoothed-score"]
    assert (ours["containment"] >= 0.93 - 3 * ours["se"]).all()
    summary = compare_widths(rows)
    assert summary.loc[("main", "smoothed-score"), "narrower"] == 1
    wide = rows.pivot_table(index=["set", *KEY[:3]], columns="method", values="mean_width")
    assert (wide["smoothed-score"] < wide["rocci envelope"]).loc["main"].all()  # type: ignore[attr-defined]
    # the exceptions that the methods page names: an area of .99, or a class of 5 or 10
    held = wide.loc["held-out"]
    wider = held[held["smoothed-score"] >= held["fixed-width"]].index
    assert {(d, m, n) for d, m, n in wider} <= {
        ("binormal .99", 20, 20), ("binormal .99", 50, 50), ("binormal .99", 20, 200),
        ("binormal .99", 200, 20), ("binormal .95", 10, 100), ("binormal .80", 5, 50),
        ("binormal .80", 50, 5),
    }  # fmt: skip


# docs/methods/smoothed-band.md, "Containment of the smoothed band": expected ratios .94, .89, .95,
# .93 to the fixed-width band
@pytest.mark.parametrize(
    ("design", "n_pos", "n_neg", "ratio"),
    [
        ("binormal .80", 30, 300, 0.94),
        ("binormal .95", 50, 50, 0.89),
        ("biexponential .80", 20, 20, 0.95),
        ("5 categories", 100, 100, 0.93),
    ],
)
def test_smoothed_score_in_the_four_settings_of_the_methods_page(design, n_pos, n_neg, ratio):
    rows = read_bands().query("set == 'main'")
    chosen = rows[(rows[KEY[:3]] == [design, n_pos, n_neg]).all(axis=1)].set_index("method")
    ours = chosen.loc["smoothed-score"]
    assert ours["containment"] >= 0.93 - 3 * ours["se"]
    width = chosen["mean_width"]
    assert width["smoothed-score"] / width["fixed-width"] == pytest.approx(ratio, abs=0.015)


def test_future_curves_need_the_wider_band():
    rows = read_future()
    assert len(rows) == len(FUTURE_CELLS)
    assert (rows["widened"] >= 0.93).all()
    assert (rows["widened"] > rows["unwidened"]).all()
    first = rows.set_index("design")
    # docs/methods/bands.md, "Fixed-width bands": .785 and .970 (100 against 100), .933 and .967
    # (100 against 400)
    for design, printed in (("100 and 100", (0.785, 0.970)), ("100 and 400", (0.933, 0.967))):
        row = first.loc[f"binormal .80, {design} a class"]
        error = 4 * np.sqrt(0.785 * 0.215 * (1 / 2000 + 1 / 1000))
        assert row["unwidened"] == pytest.approx(printed[0], abs=error)
        assert row["widened"] == pytest.approx(printed[1], abs=0.02)


def test_difference_bands_hold():
    rows = read_differences()
    assert len(rows) == len(DIFFERENCE_CELLS)
    assert (rows["containment"] >= 0.93 - 3 * rows["se"]).all()
    equal = rows[rows["design"] == "equal .80"]
    assert (equal["excludes_zero"] <= 0.05 + 3 * equal["se"]).all()


@pytest.mark.slow
def test_a_cell_run_again_agrees_with_the_committed_one():
    """With fewer replicates: shares within four standard errors, the mean width close."""
    replicates = 60
    found = run_band_cell(cell_of(BAND_CELLS, "binormal .90 b=.6", 50, 50), replicates, 7)
    found += run_methods_cell(cell_of(CELLS, "5 categories", 50, 50), 20, 7)
    committed = pd.concat([read_bands().query("set == 'main'"), read_methods()])
    for row in found:
        same = committed[(committed[KEY] == [row[name] for name in KEY]).all(axis=1)].iloc[0]
        p = (same["containment"] + row["containment"]) / 2
        error = np.sqrt(p * (1 - p) * (1 / row["replicates"] + 1 / same["replicates"]))
        assert abs(row["containment"] - same["containment"]) <= 4 * error + 1e-9, row
        assert row["mean_width"] == pytest.approx(same["mean_width"], rel=0.08)


@pytest.mark.slow
def test_future_and_difference_cells_run_again():
    row = run_future_cell(FUTURE_CELLS[0], 100, 7)
    same = read_future().iloc[0]
    for name in ("unwidened", "widened"):
        p = same[name]
        assert row[name] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 100))
    cell = DIFFERENCE_CELLS[1]
    row, same = run_difference_cell(cell, 60, 7), read_differences().iloc[1]
    assert row["mean_width"] == pytest.approx(same["mean_width"], rel=0.05)
    assert row["containment"] >= 0.9


@pytest.mark.parametrize("cell", [BAND_CELLS[0], BAND_CELLS[30], BAND_CELLS[45]])
def test_true_curves_run_from_corner_to_corner(cell):
    fpr, tpr = cell.law.curve()
    for rate in (fpr, tpr):
        assert np.all(np.diff(rate) >= -1e-12)
        assert rate[0] == pytest.approx(0, abs=1e-9)
        assert rate[-1] == pytest.approx(1, abs=1e-9)
    area = trapezoid(tpr, fpr)
    scores = cell.law.draw(np.random.default_rng(1), 20_000, 20_000)
    ranks = pd.Series(scores).rank().to_numpy()[:20_000].sum()
    drawn = (ranks - 20_000 * 20_001 / 2) / 20_000**2
    assert area == pytest.approx(drawn, abs=0.012)
