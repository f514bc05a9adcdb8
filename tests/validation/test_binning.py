"""The committed comparison of bins with scores is complete, within its bounds, and repeats."""

import numpy as np
import pandas as pd
import pytest

from validation.binning.compare import (
    QUESTIONS,
    STUDIES,
    TABLE,
    compare,
    questions_of,
    row,
    studies,
)
from validation.binning.designs import DESIGNS

NUMBER = STUDIES // len(DESIGNS)


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(TABLE)


def test_every_question_is_in_every_design(table):
    found = list(zip(table["design"], table["question"], strict=True))
    assert found == [(design, name) for design in DESIGNS for name in questions_of(design)]
    assert set(table["question"]) == set(QUESTIONS)
    assert (table["studies"] == NUMBER).all()
    assert NUMBER * len(DESIGNS) >= 1000


def test_no_value_is_outside_its_bound(table):
    assert (table["outside"] == 0).all()
    assert not table["shortfall"].any()
    # Bounds are sharp: in one bin an area of 0 or 1 is as far as it can be.
    assert table.query("question == 'auc'")["closest"].max() == pytest.approx(1, abs=1e-6)


def test_a_row_repeats(table):
    # The design of the fewest distinct scores, and its cheapest question.
    parts = [compare(both, QUESTIONS["least cost"]) for both in studies("one ulp apart", NUMBER)]
    made = pd.DataFrame([row("one ulp apart", "least cost", parts)]).iloc[0]
    kept = table.query("design == 'one ulp apart' and question == 'least cost'").iloc[0]
    for name in ("values", "exact", "outside", "limits"):
        assert made[name] == kept[name]
    assert made["closest"] == pytest.approx(kept["closest"], rel=1e-5)


def test_bins_of_a_study_hold_its_scores():
    for design in DESIGNS:
        for made, _, binned in studies(design, 3):
            counts = made.table()
            assert counts["n_pos"].sum() == np.count_nonzero(made.positive) == binned.n_pos
            for _, cells in counts.groupby("site"):
                assert (cells["score"] <= cells["score_high"]).all()
                assert (cells["score"].iloc[1:].values > cells["score_high"].iloc[:-1].values).all()
