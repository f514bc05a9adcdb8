"""Predictors compared by counts and sums, as by the rows themselves."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs
from tests.counts.pairs import PREDICTORS, pairs_of, require_equal, rows, study_of

KINDS = [
    ("pandas", {}),
    ("pandas", {"cluster": "patient", "by": "site"}),
    ("polars", {"cluster": "patient"}),
    ("polars", {"by": "site"}),
]


@pytest.mark.parametrize(("kind", "roles"), KINDS, ids=str)
def test_answers_of_sums_are_those_of_rows(kind, roles):
    frame = rows()
    native = frame if kind == "pandas" else pl.from_pandas(frame).lazy()
    pairs = pairs_of(native, **roles)
    require_equal(pairs, study_of(frame, **roles), across_groups="by" in roles)


def test_clusters_in_several_groups_have_answers_within_groups_alone():
    frame = rows()
    roles = {"cluster": "reader", "by": "site"}
    pairs, study = pairs_of(frame, **roles), study_of(frame, **roles)
    pd.testing.assert_frame_equal(pairs.compare_auc(), study.compare_auc(), rtol=1e-9, atol=1e-9)
    with pytest.raises(rs.InputError, match="`across` must not be 'groups' if clusters have"):
        pairs.compare_auc(across="groups")
    with pytest.raises(rs.InputError, match="`adjust` must not be 'single-step' if clusters"):
        pairs.compare_auc(adjust="single-step")


def test_groups_of_several_columns_and_of_numbers():
    frame = rows().assign(year=lambda d: 2020 + d["patient"] % 3)
    frame = frame.sort_values(["site", "year"], ignore_index=True)
    pairs = rs.count_paired(frame, "label", ["a", "b"], by=["site", "year"], exact=True)
    study = rs.Study("label", ["a", "b"], data=frame, group=["site", "year"])
    pd.testing.assert_frame_equal(pairs.auc(), study.auc(), rtol=1e-9, atol=1e-9)


def test_identical_and_perfect_predictors_have_the_rules_of_a_study():
    frame = rows().assign(again=lambda d: 3 * d["a"], perfect=lambda d: d["label"] + 0.5)
    names = ["a", "again", "perfect"]
    pairs = rs.count_paired(frame, "label", names, exact=True)
    study = rs.Study("label", names, data=frame)
    for question in ("auc", "compare_auc", "test_equal_auc"):
        expected = getattr(study, question)()
        pd.testing.assert_frame_equal(getattr(pairs, question)(), expected, rtol=1e-9, atol=1e-9)
    assert pairs.compare_auc()["note"][0].startswith("identical-predictors")


def test_a_group_without_a_class_has_rows_without_an_answer():
    frame = rows()
    frame = frame[(frame["site"] == "y") | (frame["label"] == 1)].reset_index(drop=True)
    pairs, study = pairs_of(frame, by="site"), study_of(frame, by="site")
    pd.testing.assert_frame_equal(pairs.compare_auc(), study.compare_auc(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("bits", [4, 8])
def test_bins_bound_the_error_of_areas_and_differences(bits):
    frame = rows(4000)
    # Whole numbers below 2^4 are exact in 4 bits.
    frame["c"] = np.clip(np.round(frame["c"] * 3), -7, 7)
    pairs, study = _coarse(frame, bits), study_of(frame)
    for question in ("auc", "compare_auc"):
        binned, exact = getattr(pairs, question)(), getattr(study, question)()
        error = binned["binning_error"]
        # Exact areas differ in the last bit.
        assert ((binned["estimate"] - exact["estimate"]).abs() <= error + 1e-15).all()
        assert (error > 0).any()
        assert (binned["note"].str.contains("binned-scores") == (error > 0)).all()
    areas, differences = pairs.auc()["binning_error"], pairs.compare_auc()["binning_error"]
    assert areas[2] == 0
    for row, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        assert differences[row] == pytest.approx(areas[i] + areas[j], rel=1e-12)
    with pytest.raises(rs.InputError, match="exact=True"):
        pairs.test_equal_auc()


def test_without_a_word_as_many_bits_are_taken_as_are_needed():
    frame = rows(4000)
    # scores from 1 to 1 + 2^-9: ten bits make cells of hundreds of cases
    for name in ("a", "b"):
        frame[name] = 1 + frame[name].rank() / len(frame) * 2.0**-9
    with pytest.raises(
        rs.InputError, match=r"`bits` must keep the error of the area below a tenth"
    ):
        rs.count_paired(frame, "label", ["a", "b"], bits=10)
    pairs = rs.count_paired(frame, "label", ["a", "b"])
    exact = rs.count_paired(frame, "label", ["a", "b"], exact=True)
    found, true = pairs.auc(), exact.auc()
    assert (found["binning_error"] <= true["se"] * 0.11).all()
    assert ((found["estimate"] - true["estimate"]).abs() <= found["binning_error"]).all()


def _coarse(frame, bits):
    """Counts that the public function refuses here: their bound is above a tenth of the SE."""
    from rocstats.counts import count as bounds

    patched = pytest.MonkeyPatch()
    patched.setattr(bounds, "SHARE_OF_SE", np.inf)
    try:
        return pairs_of(frame, bits=bits)
    finally:
        patched.undo()


def test_binned_areas_are_those_of_a_study_of_counts():
    frame = rows(4000)
    pairs = pairs_of(frame, bits=14)
    counts = rs.count_scores(frame, "label", "b", bits=14)
    alone = rs.Study.from_counts(counts, predictor="b").auc()
    mine = pairs.auc()[1:2].reset_index(drop=True)
    pd.testing.assert_frame_equal(mine, alone, rtol=1e-9, atol=1e-9, check_frame_type=False)


def test_it_says_what_it_holds_and_does_not_change():
    pairs = pairs_of(rows(), by="site")
    text = repr(pairs)
    assert "a, b, c (lower is positive)" in text
    assert "(label 1)" in text
    named = rows().assign(label=lambda d: np.where(d["label"] == 1, "ill", "well"))
    named = rs.count_paired(named, "label", ["a", "b"], pos_label="ill", exact=True)
    assert "(label 'ill')" in repr(named)
    assert "pandas" in text
    assert "every score" in text
    assert pairs.predictors == tuple(PREDICTORS)
    with pytest.raises(AttributeError):
        pairs.predictors = ()
    again = pickle.loads(pickle.dumps(pairs))
    pd.testing.assert_frame_equal(again.compare_auc(), pairs.compare_auc())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": ["a"]}, "`score` must name two or more columns of scores"),
        ({"score": "ab"}, "`score` must name two or more columns of scores"),
        ({"score": ["a", "b", "a"]}, "`score` must name two or more columns of scores, each once"),
        ({"score": ["a", "z"]}, "'z'"),
        ({"cluster": "z"}, "`cluster` must name one column"),
        ({"bits": 5, "exact": True}, "got bits= and exact=. Pass one of them"),
        ({"bits": 4}, "`bits` must keep the error of the area below a tenth"),
    ],
)
def test_what_cannot_be_counted_is_refused(change, message):
    asked = {"score": ["a", "b"], **change}
    with pytest.raises(rs.InputError, match=message):
        rs.count_paired(rows(), "label", **asked)


def test_missing_values_are_counted_and_refused():
    frame = rows()
    for column, argument in (("b", "score"), ("reader", "cluster"), ("site", "by")):
        holed = frame.astype({column: object}).copy()
        holed.loc[:2, column] = None
        holed = holed.astype({"b": float})
        with pytest.raises(rs.InputError, match=f"`{argument}` must have no missing values; got 3"):
            rs.count_paired(holed, "label", ["a", "b"], cluster="reader", by="site", exact=True)
