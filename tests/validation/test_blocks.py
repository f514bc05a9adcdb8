"""The committed comparison of blocks with cases is complete, within its bounds, and repeats."""

from __future__ import annotations

import pandas as pd
import pytest

from validation.blocks import bands


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
