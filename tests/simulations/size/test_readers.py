"""The committed simulation of tests of reader studies is complete and marked by its rule."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.size.readers import CELLS, FIRST, METHODS, TABLE, ReaderCell, run_cell

SETTING = list(ReaderCell._fields)
JACKKNIFE = "obuchowski-rockette-jackknife"


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE)


def test_every_cell_and_method_is_there_once(committed):
    wanted = [(*cell, name) for cell in CELLS for name in cell.methods]
    assert list(committed[[*SETTING, "method"]].itertuples(index=False, name=None)) == wanted
    assert committed["seed"].nunique() == 1
    assert (committed["studies"] >= 2000).all()
    assert (
        committed["alpha"] == np.where(committed["auc"] == committed["auc_reference"], 0.05, 0.025)
    ).all()


# docs/readers.md, "Which model to report": .03 to .075, and four Monte-Carlo errors
def test_marks_follow_from_the_numbers_and_the_rule(committed):
    size, alpha, n = committed["size"], committed["alpha"], committed["studies"]
    outside = (size < 0.03 * alpha / 0.05) | (size > 0.075 * alpha / 0.05)
    above = size - alpha > 4 * np.sqrt(alpha * (1 - alpha) / n)
    misses = 0.95 - committed["coverage_logit"] > 4 * np.sqrt(0.95 * 0.05 / n)
    assert committed["shortfall"].tolist() == (outside | above | misses).tolist()


# docs/readers.md, "Which model to report", and validation/size/README.md, "Reader studies"
def test_the_rows_that_fall_short_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] & committed["method"].isin(METHODS)]
    of_defaults = short[short["method"].isin([JACKKNIFE, "u-statistic"])]
    assert (of_defaults["n_readers"] == 3).all()
    paired = short[short["n_readers"] > 3]
    assert paired[["design", "method"]].to_numpy().tolist() == [
        ["partially paired", "obuchowski-rockette-unbiased"]
    ]
    assert committed["coverage_logit"].min() == 0.933


def test_narrower_models_find_differences_that_are_not_there(committed):
    by_method = committed.set_index([*SETTING, "method"])["size"].unstack()
    usual = by_method[by_method["pooled ratings"].notna()]
    assert (usual["pooled ratings"] > 2 * usual[JACKKNIFE]).all()
    high = usual.xs("HL", level="structure")
    assert (high["paired t over readers"] > 0.2).all()


@pytest.mark.parametrize("design", ["split plot", "readers nested in modalities"])
def test_a_cell_drawn_again_has_its_committed_numbers(committed, design):
    (cell, *_) = (cell for cell in CELLS if cell.design == design)
    again = pd.DataFrame(run_cell(cell, FIRST)).set_index("method")["first_se"]
    rows = committed[(committed[SETTING] == pd.Series(cell, SETTING)).all(axis=1)]
    expected = rows.set_index("method")["first_se"]
    pd.testing.assert_series_equal(again, expected, rtol=1e-8)


def test_methods_have_an_estimate_of_every_study(committed):
    rows = committed[committed["method"].isin(METHODS)]
    assert (rows["undefined"] == 0).all()
