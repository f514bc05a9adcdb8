"""The simulation of few events and unequal clusters repeats a cell, and keeps its bounds."""

from __future__ import annotations

import pandas as pd
import pytest

from validation.coverage.few_units import COVERAGE, SETTINGS, SIZE, TABLE, run_setting


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(TABLE)


def test_every_setting_is_there_and_marked(table):
    found = set(table[["kind", "setting"]].itertuples(index=False, name=None))
    assert found == {(one.kind, one.name) for one in SETTINGS}
    beyond = (table["what"] == "size") & (table["after"] > SIZE)
    beyond |= (table["what"] == "coverage") & (table["after"] < COVERAGE)
    assert (table["shortfall"] == beyond).all()


def test_areas_rates_and_tests_keep_their_bounds(table):
    """Shortfalls are of the scaled score, the number needed to diagnose and those listed."""
    kept = table[~table["quantity"].isin(["scaled_brier_score", "number_needed_to_diagnose"])]
    # Limits that were too short before, by more than two hundredths below their bound.
    worst = kept[(kept["what"] == "coverage") & (kept["before"] < COVERAGE - 0.02)]
    assert len(worst) > 5
    assert (worst["after"] > worst["before"]).all()
    assert (table["width_after"].dropna() >= table["width_before"].dropna() - 1e-9).all()


@pytest.mark.parametrize("kind", ["clusters", "survival", "scores", "measures", "adjusted"])
def test_a_setting_repeats(table, kind):
    place = next(i for i, one in enumerate(SETTINGS) if one.kind == kind)
    setting = table[(table["kind"] == kind) & (table["setting"] == SETTINGS[place].name)]
    own = setting.set_index("quantity")["first_after"]
    for row in run_setting(place, 40):
        assert row["first_after"] == pytest.approx(own[row["quantity"]], abs=1e-6)
