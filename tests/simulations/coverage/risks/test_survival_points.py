"""The simulation of points at a time knows its truth, and its table is marked and repeats."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocstats.inference.survival.follow_up import status_at
from rocstats.inference.survival.net_benefit import survival_benefit_at
from rocstats.inference.survival.points import survival_measures_at
from validation.bounds import too_low
from validation.coverage.survival import LEVEL, draw, times_of
from validation.coverage.survival_points import (
    REPLICATES,
    STAKES,
    TABLE,
    THRESHOLD,
    cells,
    run_cell,
    truth_of,
)


def test_the_table_is_whole_marked_and_without_a_shortfall_of_wilson():
    found = pd.read_csv(TABLE, keep_default_na=False)
    assert len(found) == 2 * 6 * 2 * len(cells())  # times, quantities, limits
    assert (found["replicates"] == REPLICATES).all()
    marks = too_low(found["coverage"], LEVEL, found["replicates"])
    assert ((found["shortfall"] == "shortfall") == marks).all()
    assert set(found.loc[marks, "limits"]) == {"wald"}


def test_the_truth_is_that_of_many_patients():
    cell = next(cell for cell in cells() if cell.setting == "competing")
    t = float(times_of(cell)[-1])
    follow_up, markers = draw(cell._replace(n=200_000), np.random.default_rng(5))
    at, called = status_at(follow_up, t, "not-case"), markers[0] >= THRESHOLD
    found = {
        **survival_measures_at(at, called),
        "net_benefit": survival_benefit_at(at, called, STAKES),
    }
    for name, truth in truth_of(cell, t).items():
        error = np.sqrt(found[name].variance)
        assert found[name].value == pytest.approx(truth, abs=4 * error), name
        assert error < 0.003


def test_a_cell_runs():
    rows = pd.DataFrame(run_cell(cells()[0], 3))
    assert rows["coverage"].between(0, 1).all()
    names = ["setting", "n", "share_by_time", "quantity", "limits"]
    committed = pd.read_csv(TABLE, keep_default_na=False).head(len(rows))
    pd.testing.assert_frame_equal(rows[names], committed[names])
