"""The simulation of average precision knows its truth, repeats a cell, and is marked."""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.curves.precision import average_precision, pr_area
from validation.bounds import too_low
from validation.coverage.average_precision import (
    CELLS,
    LEVEL,
    SEED,
    draw_cases,
    read_precision,
    run_precision_cell,
    true_value,
)


def test_every_row_is_there_and_marked():
    table = read_precision()
    found = set(table[["n_pos", "n_neg", "shift", "random"]].itertuples(index=False, name=None))
    assert found == {(c.n_pos, c.n_neg, c.shift, c.random) for c in CELLS}
    assert (table["shortfall"] == too_low(table["coverage"], LEVEL, table["replicates"])).all()
    np.testing.assert_allclose(table.eval("coverage + miss_low + miss_high"), 1, atol=2e-6)


def test_the_truth_is_that_of_many_cases():
    cell = CELLS[1]._replace(n_pos=20_000, n_neg=180_000)
    counts = draw_cases(cell, np.random.default_rng(4)).counts(0)
    truth = true_value(cell.shift, 0.1)
    # An area of .36 of 20 000 positives has a standard error of .003.
    assert float(average_precision(*counts[1:])) == pytest.approx(truth, abs=0.012)
    assert float(pr_area(*counts[1:])) == pytest.approx(truth, abs=0.012)


def test_a_cell_repeats():
    table = read_precision()
    cell = CELLS[4]
    rows = run_precision_cell(cell, 3, 0, SEED)
    own = table[(table["n_pos"] == cell.n_pos) & (table["n_neg"] == cell.n_neg)]
    own = own[(own["shift"] == cell.shift) & ~own["random"]]
    own = own.set_index(["quantity", "limits"])["first_widths"]
    for row in rows:
        known = own[row["quantity"], row["limits"]]
        assert row["first_widths"] == pytest.approx(known, rel=1e-7)
