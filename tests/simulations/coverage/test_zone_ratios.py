"""The simulation of likelihood ratios of bands of scores in unequal clusters repeats a cell."""

from __future__ import annotations

import pandas as pd
import pytest

from validation.coverage.unequal_pairs import SETTINGS
from validation.coverage.zone_ratios import BOUND, FIRST, REPLICATES, TABLE, simulate


def test_every_cell_is_there_and_marked():
    table = pd.read_csv(TABLE)
    assert set(table["cell"]) == {one.name for one in SETTINGS}
    assert (table["replicates"] == REPLICATES).all()
    assert (table["shortfall"] == (table["after"] < BOUND)).all()
    # Limits for unequal clusters are never shorter, and hold the ratio more often.
    assert (table["width_after"] >= table["width_before"]).all()
    assert (table["after"] > table["before"]).all()


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
def test_a_cell_repeats():
    table = pd.read_csv(TABLE)
    cell = table[table["cell"] == SETTINGS[5].name].set_index("band")
    for row in simulate(5, FIRST):
        assert row["first_after"] == pytest.approx(cell.loc[row["band"], "first_after"], abs=1e-6)
