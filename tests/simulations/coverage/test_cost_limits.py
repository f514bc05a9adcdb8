"""Exact coverage of limits of costs: the committed table is that of the code."""

from __future__ import annotations

import numpy as np
import pytest

from validation.coverage.cost_limits import METHODS, SIZES, coverage, read_cost_limits


def test_a_committed_setting_is_repeated():
    table = read_cost_limits()
    assert list(table["limits"]) == [name for _ in SIZES for name in METHODS]
    for row in table[table["n_pos"] <= 10].to_dict("records"):
        of_pos = row["pos_first"], row["pos_second"]
        of_neg = row["neg_first"], row["neg_second"]
        found = coverage((row["n_pos"], row["n_neg"]), of_pos, of_neg, row["weight"])
        assert found[row["limits"]][0] == pytest.approx(row["least"], abs=1e-6)


def test_combined_limits_cover_best_at_the_worst():
    least = read_cost_limits().pivot_table(index=["n_pos", "n_neg"], columns="limits")["least"]
    assert (least["tango-mover"] > np.maximum(least["t"], least["normal"])).all()
    assert least["tango-mover"].min() == pytest.approx(0.95, abs=0.0035)
