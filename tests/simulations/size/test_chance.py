"""Tests against chance: which hold their level, as the methods page says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

KEY = ["design", "n_pos", "n_neg"]
EXACT = (
    "exact",
    "permutation/auc",
    "permutation/youden",
    "best-of-5",
    "band/simultaneous",
    "point/fisher",
    "point/boschloo",
    "pipeline",
)


COMMITTED = "size/size"


# docs/methods/simulation.md, "Bounds": a bound is checked less 3 Monte-Carlo standard errors
def excess(rows: pd.DataFrame, bound: float) -> pd.Series:
    samples = rows["replicates"]
    return (rows["size"] - bound) / np.sqrt(bound * (1 - bound) / samples)


# docs/methods/simulation.md, "Shortfalls". With an AUC of one half and unequal spreads only
# Brunner and Munzel's test is about the area, and Youden's index is not 0.
SHORT = {
    ("same-law", 5, 5, "brunner-munzel"),
    *(("unequal-spread", 10, 50, test) for test in ("exact", "mid-p", "asymptotic")),
    ("unequal-spread", 10, 50, "permutation/auc"),
    *(
        ("unequal-spread", *sizes, "permutation/youden")
        for sizes in ((10, 50), (20, 20), (50, 10), (50, 50))
    ),
}


def test_every_test_holds_its_level_or_is_marked(committed: pd.DataFrame) -> None:
    short = committed.loc[committed["shortfall"], [*KEY, "test"]].itertuples(index=False, name=None)
    assert set(short) == SHORT


def test_exact_tests_hold_their_level(committed: pd.DataFrame) -> None:
    same = committed[committed["design"] != "unequal-spread"]
    found = same[same["test"].isin(EXACT)]
    assert set(found["test"]) == set(EXACT)
    assert excess(found, 0.05).max() < 3


def test_brunner_munzel_holds_its_level_from_ten_cases_on(committed: pd.DataFrame) -> None:
    rows = committed[committed["test"] == "brunner-munzel"]
    enough = rows[["n_pos", "n_neg"]].min(axis=1) >= 10
    assert excess(rows[enough], 0.065).max() < 3
    assert (rows.loc[~enough, "size"] > 0.065).any()  # why few-cases is noted


def test_rank_tests_are_no_tests_of_an_area_of_one_half(committed: pd.DataFrame) -> None:
    rows = committed[(committed["design"] == "unequal-spread") & (committed["test"] == "exact")]
    size = rows.set_index(["n_pos", "n_neg"])["size"]
    # docs/methods/chance.md, "The rank-sum test": .117 with 10 widely spread positives and 50
    # negatives, .012 reversed
    for sizes, printed in (((10, 50), 0.117), ((50, 10), 0.012)):
        error = 4 * np.sqrt(printed * (1 - printed) * (1 / 2000 + 1 / 2000))
        assert size[sizes] == pytest.approx(printed, abs=error)
