"""Tests of equal curves: what is drawn, size and power as the page prints them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.simulations.committed import read
from validation.size.curves import AUC, CELLS, Cell, run_cell


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.design}-{cell.n_pos}")
def test_both_curves_have_the_same_area(cell):
    large = Cell(cell.position, cell.design, 4000, 4000)
    study = large.study(np.random.default_rng(1))
    areas = study.auc()["estimate"]
    assert len(areas) == 2
    tied = cell.design.endswith("tied")
    assert areas[0] == pytest.approx(areas[1], abs=0.03)
    assert areas[0] == pytest.approx(AUC, abs=0.04 if tied else 0.02)
    assert (len(np.unique(study.scores[0])) == 5) == tied


def test_markers_on_the_same_cases_are_correlated():
    study = Cell(0, "paired", 4000, 4000).study(np.random.default_rng(1))
    a, b = study.scores[:, ~study.is_positive]
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(0.5, abs=0.05)


# docs/methods/comparison.md, "Venkatraman's test": size .055 (30/30), power .51 against .043 of
# DeLong where curves cross (50/50)
def test_a_small_run_agrees_with_the_methods_page():
    (equal,) = (c for c in CELLS if (c.design, c.n_pos, c.n_neg) == ("paired", 30, 30))
    (crossing,) = (c for c in CELLS if c.design == "crossing")
    rows = pd.DataFrame([*run_cell(equal, 150, 3), *run_cell(crossing, 150, 3)])
    found = rows.set_index(["design", "test"])["rejected"]
    for key, printed in ((("paired", "venkatraman"), 0.055), (("crossing", "delong"), 0.043)):
        bound = 4 * np.sqrt(printed * (1 - printed) * (1 / 150 + 1 / 1000))
        assert found[key] == pytest.approx(printed, abs=bound)
    assert found["crossing", "venkatraman"] > 0.3


def test_committed_sizes_hold_and_crossing_curves_are_found():
    rows = read("size/curves")
    null = ~rows["design"].str.endswith("crossing")
    bound = 0.05 + 3 * np.sqrt(0.05 * 0.95 / rows["replicates"])
    assert (rows.loc[null, "rejected"] <= bound[null]).all()
    power = rows[~null].pivot_table(index="design", columns="test", values="rejected")
    assert (power["venkatraman"] > 0.3).all()
    assert (power["delong"] < 0.06).all()
    # docs/methods/comparison.md, "Venkatraman's test": size .055 at 30/30 of 1000 samples
    keys = rows[["design", "n_pos", "test"]].eq(["paired", 30, "venkatraman"]).all(axis=1)
    (size,) = rows.loc[keys, "rejected"]
    error = np.sqrt(0.055 * 0.945 * (1 / 2000 + 1 / 1000))
    assert size == pytest.approx(0.055, abs=4 * error)
