"""What falls short: four Monte-Carlo errors, or the margin that some tables keep."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.bounds import below_margin, too_high, too_low
from validation.coverage.heldout import LEVELS_TABLE
from validation.coverage.heldout import TABLE as HELDOUT
from validation.coverage.partial import TABLE as PARTIAL
from validation.coverage.unequal import TABLE as UNEQUAL


def test_four_errors_and_the_margin_by_hand():
    # the error of .95 in 1900 samples is .005
    assert too_low([0.9299, 0.9301, 0.96], 0.95, 1900).tolist() == [True, False, False]
    assert too_high([0.0699, 0.0701], 0.05, 1900).tolist() == [False, True]
    assert below_margin([0.9299, 0.93, 0.95], 0.95).tolist() == [True, False, False]


# docs/methods/simulation.md, "Shortfalls", prints them
@pytest.mark.parametrize(
    ("table", "by_rule", "by_own"),
    [(HELDOUT, 1192, 859), (LEVELS_TABLE, 259, 150), (UNEQUAL, 51, 47), (PARTIAL, 201, 169)],
)
def test_tables_with_a_bound_of_their_own(table, by_rule, by_own):
    rows = pd.read_csv(table)
    level = np.asarray(rows.get("confidence_level", 0.95))
    assert rows["shortfall"].tolist() == below_margin(rows["coverage"], level).tolist()
    assert rows["shortfall"].sum() == by_own
    assert too_low(rows["coverage"], level, rows["replicates"]).sum() == by_rule
