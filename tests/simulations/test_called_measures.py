"""The simulation of measures by request and of called classes repeats a cell, and is marked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.bounds import too_low
from validation.coverage.called_measures import CELLS, KINDS, LEVEL, SEED, TABLE, run_call_cell


def test_every_cell_is_there_and_marked():
    table = pd.read_csv(TABLE)
    found = set(table[["kind", "n", "prevalence"]].itertuples(index=False, name=None))
    assert found == {(c.kind, c.n, c.prevalence) for c in CELLS}
    assert (table["shortfall"] == too_low(table["coverage"], LEVEL, table["replicates"])).all()


def test_the_truth_is_that_of_many_cases():
    for cell in (CELLS[0], CELLS[6]):
        many = cell._replace(n=4_000_000)
        for _, truth, low, high in KINDS[cell.kind](many, 1, np.random.default_rng(1)):
            # Limits of four million cases are some .002 around the truth, four widths allowed.
            assert abs(low[0] - truth) < 0.01 * max(1, truth)
            assert abs(high[0] - truth) < 0.01 * max(1, truth)


@pytest.mark.parametrize("place", [0, 6])
def test_a_cell_repeats(place):
    cell = CELLS[place]
    table = pd.read_csv(TABLE)
    own = table[(table["kind"] == cell.kind) & (table["n"] == cell.n)]
    own = own[own["prevalence"] == cell.prevalence].set_index("quantity")["first_low"]
    for row in run_call_cell(cell, 3, SEED):
        assert row["first_low"] == pytest.approx(own[row["quantity"]], abs=2e-9)
