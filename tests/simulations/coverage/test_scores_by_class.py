"""Scores by class: the limits of the package, and the note."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.special import expit

import rocstats as rs
from validation.coverage.scores_by_class import CELLS, SCORES, SEED, draw, limits

COMMITTED = "coverage/scores_by_class"


def test_rows_that_fall_short_have_the_note(committed):
    # What docs/methods/calibration.md says: rows that fall short have the note.
    assert committed.loc[committed["shortfall"], "noted"].all()
    assert (committed["coverage"] >= committed["before"]).all()


@pytest.mark.parametrize("position", [0, 5, 10])
def test_arrays_have_the_limits_of_the_package(committed, position):
    cell = CELLS[position]
    logits = draw(cell, 3, np.random.default_rng([SEED, position]))
    for number in range(3):
        risk = expit(np.concatenate([side[number] for side in logits]))
        study = rs.Study(np.repeat([1, 0], [cell.n_pos, cell.n_neg]), risk)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows = study.probability_scores(prevalence=cell.prevalence).set_index("quantity")
        for name in SCORES:
            own = limits(cell, name, logits)
            high = own["value"][number] + own["shape"][number]
            assert rows.loc[name, "estimate"] == pytest.approx(own["value"][number], rel=1e-9)
            assert rows.loc[name, "ci_high"] == pytest.approx(high, rel=1e-9)
        noted = committed[(committed[list(cell._fields)] == list(cell)).all(axis=1)]["noted"].any()
        assert ("heavy-negatives" in rows.loc["brier_score", "note"]) == noted
