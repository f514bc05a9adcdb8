"""Begg and Greenes: worked numbers, what they become without bias, cells of 0."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.quick import each

LIVER = {"tp": 231, "fp": 32, "fn": 27, "tn": 54, "n_test_positive": 429, "n_test_negative": 221}


def rows_of(frame):
    return frame.set_index(["kind", "quantity"])


def test_worked_numbers():
    # docs/methods/verification.md, "Worked liver scan"
    found = rows_of(rs.begg_greenes(**LIVER))
    tpr, tnr = found.loc[("missing-at-random", "tpr")], found.loc[("missing-at-random", "tnr")]
    assert tpr["estimate"] == pytest.approx(0.8364667154, abs=5e-11)
    assert tpr["se"] == pytest.approx(0.0244980313, abs=5e-11)
    assert tpr["ci_low"] == pytest.approx(0.7826465185, abs=5e-11)
    assert tpr["ci_high"] == pytest.approx(0.8790201901, abs=5e-11)
    assert tnr["estimate"] == pytest.approx(0.7383980182, abs=5e-11)
    assert tnr["se"] == pytest.approx(0.0388626799, abs=5e-11)
    assert tnr["ci_low"] == pytest.approx(0.6555077130, abs=5e-11)
    assert tnr["ci_high"] == pytest.approx(0.8072095168, abs=5e-11)
    naive = found.loc["verified-only", "estimate"]
    assert naive["tpr"] == pytest.approx(0.8953488372, abs=5e-11)
    assert naive["tnr"] == pytest.approx(0.6279069767, abs=5e-11)
    assert set(found["n_cases"]) == {650}
    assert set(found["n_pos"]) == {258}
    assert set(found["n_neg"]) == {86}
    assert found.loc["verified-only", "note"].tolist() == ["verification-bias"] * 2


cells = st.integers(1, 200)


@given(cells, cells, cells, cells)
def test_all_verified_there_is_nothing_to_correct(tp, fp, fn, tn):
    found = rows_of(
        rs.begg_greenes(
            tp=tp, fp=fp, fn=fn, tn=tn, n_test_positive=tp + fp, n_test_negative=fn + tn
        )
    )
    for quantity in ("tpr", "tnr"):
        corrected, alone = found.loc[
            [("missing-at-random", quantity), ("verified-only", quantity)]
        ]["estimate"]
        assert corrected == pytest.approx(alone, abs=1e-14)
    # then the variance of the logit of a proportion: 1/x + 1/(n - x)
    p = tp / (tp + fn)
    se = p * (1 - p) * np.sqrt(1 / tp + 1 / fn)
    assert found.loc[("missing-at-random", "tpr"), "se"] == pytest.approx(se)


@given(cells, cells, cells, cells, st.integers(0, 300), st.integers(0, 300))
def test_conditions_and_results_exchanged(tp, fp, fn, tn, more_pos, more_neg):
    there = rows_of(
        rs.begg_greenes(
            tp=tp, fp=fp, fn=fn, tn=tn, n_test_positive=tp + fp + more_pos,
            n_test_negative=fn + tn + more_neg,
        )
    )  # fmt: skip
    back = rows_of(
        rs.begg_greenes(
            tp=tn, fp=fn, fn=fp, tn=tp, n_test_positive=fn + tn + more_neg,
            n_test_negative=tp + fp + more_pos,
        )
    )  # fmt: skip
    numbers = ["estimate", "se", "ci_low", "ci_high"]
    for one, other in (("tpr", "tnr"), ("ppv", "npv")):
        key, mirror = ("missing-at-random", one), ("missing-at-random", other)
        np.testing.assert_allclose(
            there.loc[key, numbers].astype(float), back.loc[mirror, numbers].astype(float)
        )


@given(cells, cells, cells, cells, st.integers(0, 300), st.integers(0, 300))
def test_the_unverified_filled_in_by_their_expectation(tp, fp, fn, tn, more_pos, more_neg):
    """The estimate is the plain rate when each unverified case counts as its result's share."""
    n_pos, n_neg = tp + fp + more_pos, fn + tn + more_neg
    filled_tp, filled_fn = tp + more_pos * tp / (tp + fp), fn + more_neg * fn / (fn + tn)
    found = rows_of(
        rs.begg_greenes(tp=tp, fp=fp, fn=fn, tn=tn, n_test_positive=n_pos, n_test_negative=n_neg)
    )
    tpr = found.loc[("missing-at-random", "tpr")]
    assert tpr["estimate"] == pytest.approx(filled_tp / (filled_tp + filled_fn))
    assert 0 <= tpr["ci_low"] < tpr["estimate"] < tpr["ci_high"] <= 1


def test_a_cell_of_0_leaves_an_interval():
    asked = {**LIVER, "fn": 0, "tn": 81}
    tpr = rows_of(rs.begg_greenes(**asked)).loc[("missing-at-random", "tpr")]
    assert tpr["estimate"] == tpr["ci_high"] == 1
    # by hand: a = 231.5/264, b = 0.5/82, 429 and 221 tested
    a, b = 231.5 / 264, 0.5 / 82
    sd = np.sqrt(650 / (429 * 221) + 32.5 / (231.5 * 264) + 81.5 / (0.5 * 82))
    low = 1 / (1 + np.exp(-(np.log(429 * a / (221 * b)) - 1.959963984540054 * sd)))
    assert tpr["ci_low"] == pytest.approx(low)
    assert np.isnan(tpr["se"])
    assert tpr["note"] == "zero-verified-cell"
    mirrored = rows_of(rs.begg_greenes(**{**LIVER, "tp": 0, "fp": 263}))
    tpr = mirrored.loc[("missing-at-random", "tpr")]
    assert tpr["estimate"] == tpr["ci_low"] == 0
    assert tpr["ci_high"] > 0


def test_no_verified_case_with_the_condition():
    found = rows_of(rs.begg_greenes(**{**LIVER, "tp": 0, "fn": 0}))
    for kind in ("missing-at-random", "verified-only"):
        assert np.isnan(found.loc[(kind, "tpr"), "estimate"])
        assert "none-verified" in found.loc[(kind, "tpr"), "note"]
    tnr = found.loc[("missing-at-random", "tnr")]
    assert tnr["estimate"] == pytest.approx(221 / 650)


def test_levels_widen():
    wide = rs.begg_greenes(**LIVER, confidence_level=0.99)
    narrow = rs.begg_greenes(**LIVER)
    assert (wide["ci_low"] < narrow["ci_low"]).all()
    assert (wide["ci_high"] > narrow["ci_high"]).all()


MESSAGES = [
    ({"tp": 0.5}, "`tp` must be a whole number >= 0"),
    ({"n_test_positive": 200}, "`n_test_positive` must be a whole number, at least the 263"),
    ({"n_test_negative": "221"}, "`n_test_negative` must be a whole number, at least the 81"),
    (
        {"fn": 0, "tn": 0},
        "`n_test_negative` must include verified cases; got none of 221",
    ),
    ({"confidence_level": 1}, "`confidence_level` must be a number strictly between 0 and 1"),
]


@each(("changed", "message"), MESSAGES)
def test_message(changed, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.begg_greenes(**{**LIVER, **changed})
