"""The committed comparison of blocks with cases is complete, within its bounds, and repeats."""

from __future__ import annotations

import pandas as pd
import pytest

from validation.blocks import bands, cutpoints, smoothed


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(bands.TABLE)


def test_every_band_is_within_its_bounds(committed):
    known = committed[["design", "n_cases", "same_draws", "draws"]]
    assert set(known.itertuples(index=False, name=None)) == {
        (cell.design, cell.n, cell.same, cell.draws) for cell in bands.CELLS
    }
    assert (bands.MEAN_BOUND, bands.QUANTILE_BOUND, bands.ERRORS) == (0.003, 0.01, 4.0)
    assert committed["shortfall"].equals(bands.falls_short(committed))
    assert not committed["shortfall"].any()
    assert (committed["n_pieces"] > 16_384).all()


def test_a_band_run_again_agrees(committed):
    cell = next(one for one in bands.CELLS if (one.design, one.n) == ("normal", 42_000))
    again = bands.as_table([bands.compare(cell._replace(draws=60))])
    before = committed[(committed["design"] == "normal") & (committed["n_cases"] == 42_000)]
    assert again["n_pieces"].item() == before["n_pieces"].item()
    assert not again["shortfall"].any()
    # The distances have standard deviations of a quarter of their mean.
    assert again["mean"].item() == pytest.approx(before["mean"].item(), rel=4 * 0.3 / 60**0.5)


def test_every_cutpoint_is_within_its_bounds():
    table = pd.read_csv(cutpoints.TABLE)
    known = table[["design", "n_cases", "criterion", "draws"]]
    assert set(known.itertuples(index=False, name=None)) == set(cutpoints.CELLS)
    bounds = (cutpoints.SD_BOUND, cutpoints.QUANTILE_BOUND, cutpoints.OPTIMISM_BOUND)
    assert (*bounds, cutpoints.ERRORS) == (0.08, 0.1, 0.1, 4.0)
    assert table["shortfall"].equals(cutpoints.falls_short(table))
    assert not table["shortfall"].any()
    assert (table["n_scores"] > 16_384).all()


def test_a_cutpoint_run_again_agrees():
    cell = next(one for one in cutpoints.CELLS if one.design == "half tied")
    again = cutpoints.as_table([cutpoints.compare(cell._replace(draws=60))])
    table = pd.read_csv(cutpoints.TABLE).set_index("design")
    assert again["n_scores"].item() == table.loc["half tied", "n_scores"]
    assert not again["shortfall"].any()


def test_every_smoothed_band_is_within_its_bounds():
    table = pd.read_csv(smoothed.TABLE)
    known = table[["design", "n_cases", "draws"]]
    assert set(known.itertuples(index=False, name=None)) == set(smoothed.CELLS)
    assert (smoothed.QUANTILE_BOUND, smoothed.WIDTH_BOUND, smoothed.ERRORS) == (0.01, 0.01, 4.0)
    assert table["shortfall"].equals(smoothed.falls_short(table))
    assert not table["shortfall"].any()


def test_a_smoothed_band_run_again_agrees():
    cell = next(one for one in smoothed.CELLS if one.design == "half tied")
    again = smoothed.as_table([smoothed.compare(cell._replace(draws=100))])
    table = pd.read_csv(smoothed.TABLE).set_index("design")
    assert again["n_bins"].item() == table.loc["half tied", "n_bins"]
    assert not again["shortfall"].any()
