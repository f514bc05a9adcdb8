"""Tests of areas of marks: the shortfalls that the pages name."""

from __future__ import annotations

COMMITTED = "size/localisation"


# docs/methods/localisation.md, "Simulations", and validation/size/README.md, "Marks of lesions"
def test_the_rows_that_fall_short_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"]]
    silent = short["model"] == "no marks at all"
    assert (short.loc[silent, "size"] == 0).all()
    rest = short[~silent]
    assert (rest["curve"] == "inferred-roc").all()
    assert rest[["n_readers", "lesions_low"]].to_numpy().tolist() == [[1, 5], [1, 5]]
    assert (rest["size"] < 0.03).all()


def test_weighted_areas_hold_their_level_in_every_cell_with_marks(committed):
    marked = committed[committed["model"] != "no marks at all"]
    assert marked.loc[marked["curve"] == "wafroc", "size"].between(0.033, 0.065).all()
