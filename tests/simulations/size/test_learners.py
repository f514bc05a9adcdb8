"""Tests over folds: the correction holds the level where the page says so."""

from __future__ import annotations

KEY = ["n", "folds", "repeats"]


COMMITTED = "size/learners"


def test_the_correction_is_needed_and_helps(committed):
    size = committed.pivot(index=KEY, columns="test", values="size")
    assert (size["corrected"] < size["plain t"]).all()
    repeated = size.query("repeats == 10")
    assert repeated["plain t"].min() > 0.4
    assert repeated["corrected"].max() < 0.15


# docs/methods/simulation.md, "Shortfalls"
def test_the_corrected_test_holds_its_level_but_over_ten_repeats_of_five_folds(committed):
    beyond = committed["shortfall"]
    short = committed[beyond & (committed["test"] == "corrected")]
    assert list(short[KEY].itertuples(index=False, name=None)) == [(60, 5, 10)]
    assert beyond[committed["test"] == "plain t"].all()
