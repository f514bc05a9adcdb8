"""Intervals of one reader's marks: the shortfalls that the pages name."""

from __future__ import annotations

COMMITTED = "coverage/localisation"


# docs/methods/localisation.md, "Simulations", and validation/coverage/README.md, "Marks of lesions"
def test_the_default_of_an_area_falls_short_in_one_cell(committed):
    short = committed[committed["shortfall"]].set_index("interval")
    default = short.loc[["effective-wilson"]]
    assert default[["model", "n_pos", "n_neg"]].to_numpy().tolist() == [["best", 10, 10]]
    assert default["coverage"].item() == 0.9
    assert (short.index == "logit-t").sum() == 8
    assert (short.index == "wald").sum() == 35


def test_points_and_bands_hold_their_level_but_in_one_cell(committed):
    points = committed[(committed["froc"] == 1) & (committed["interval"] != "pointwise")]
    assert points["shortfall"].sum() == 1
    assert points["coverage"].min() == 0.928
    pointwise = committed.loc[committed["interval"] == "pointwise", "coverage"]
    assert pointwise.min() < 0.85
