from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal
from tests.strategies import samples, whole_numbers


def bounds(y, score, **arguments):
    frame = rs.Study(y, score, nan_policy="omit", **arguments).auc_bounds()
    return dict(zip(frame["quantity"], frame["estimate"], strict=True))


@st.composite
def incomplete(draw):
    """Labels, scores and which scores are missing, a case of each class being complete."""
    y, (score,) = draw(samples(most=8))
    gone = whole_numbers(draw, len(y), 1) == 1
    for label in (0, 1):
        gone[np.flatnonzero(y == label)[0]] = False
    return y, score, gone


@given(incomplete(), st.data(), st.booleans())
def test_any_completion_is_inside(data, more, higher):
    y, score, gone = data
    found = bounds(y, np.where(gone, np.nan, score), higher_is_positive=higher)
    filled = np.where(gone, whole_numbers(more.draw, len(y), 16, least=-3), score)
    completed = oracles.auc(y, filled if higher else -filled)
    assert found["auc_worst"] - 1e-12 <= completed <= found["auc_best"] + 1e-12


@given(incomplete())
def test_bounds_are_attained_by_infinite_scores(data):
    y, score, gone = data
    found = bounds(y, np.where(gone, np.nan, score))
    for name, sign in (("auc_worst", -1), ("auc_best", 1)):
        filled = np.where(gone, sign * np.where(y == 1, np.inf, -np.inf), score)
        assert found[name] == pytest.approx(oracles.auc(y, filled), abs=1e-12)
    assert found["auc"] == pytest.approx(oracles.auc(y[~gone], score[~gone]))


@given(samples())
def test_without_missing_rows_the_bounds_meet(data):
    y, (score,) = data
    found = bounds(y, score)
    assert found["auc"] == pytest.approx(found["auc_worst"], abs=1e-12)
    assert found["auc"] == pytest.approx(found["auc_best"], abs=1e-12)


@given(incomplete(), st.data())
def test_a_frequency_is_so_many_rows(data, more):
    y, score, gone = data
    score = np.where(gone, np.nan, score)
    n = whole_numbers(more.draw, len(y), 3, least=1)
    tabled, replicated = bounds(y, score, frequency=n), bounds(np.repeat(y, n), np.repeat(score, n))
    assert tabled == pytest.approx(replicated, abs=1e-12)


def test_rows_of_the_frame():
    # 3 + 1 positives, 2 + 2 negatives; 5 of 6 complete pairs are ranked right.
    y = [1, 1, 1, 1, 0, 0, 0, 0]
    score = [5, 4, 2, np.nan, 3, 1, np.nan, np.nan]
    frame = rs.Study(y, score, nan_policy="omit").auc_bounds()
    assert frame["quantity"].tolist() == ["auc", "auc_worst", "auc_best"]
    assert frame["estimate"].tolist() == pytest.approx([5 / 6, 5 / 16, 15 / 16])
    assert frame["n_pos"].tolist() == [3, 4, 4]
    assert frame["n_neg"].tolist() == [2, 4, 4]
    assert frame["method"].tolist() == ["complete-cases/none", "worst-case/none", "best-case/none"]
    assert set(frame["note"]) == {"no-interval; rows-dropped=3"}


@pytest.mark.parametrize("policy", ["omit", "available"])
def test_a_complete_predictor_has_its_point_whatever_others_lack(policy):
    y = [1, 1, 0, 0]
    scores = {"a": [4, 1, 2, 1], "b": [4, np.nan, 2, 1]}
    frame = rs.Study(y, scores, nan_policy=policy).auc_bounds()
    assert frame["n_pos"].tolist() == [2, 2, 2, 1, 2, 2]
    # a: pairs 1, 1, 0 and a tie of four; b: both of the two pairs of four
    assert frame["estimate"].tolist() == [0.625] * 3 + [1.0, 0.5, 1.0]
    assert frame["note"].tolist() == ["no-interval"] * 3 + ["no-interval; rows-dropped=1"] * 3


@given(samples(), st.data())
def test_every_predictor_has_the_bounds_of_a_study_of_its_own(data, more):
    y, (score,) = data
    other = np.where(whole_numbers(more.draw, len(y), 1) == 1, np.nan, -score)
    other[[np.argmax(y), np.argmin(y)]] = 0
    scores = {"a": score, "b": other}
    expected = [
        rs.Study(y, {name: s}, nan_policy="omit").auc_bounds() for name, s in scores.items()
    ]
    for policy in ("omit", "available"):
        frame, wanted = rs.Study(y, scores, nan_policy=policy).auc_bounds(), pd.concat(expected)
        for one in (frame, wanted):
            # That note goes by the cases which the study keeps, as in every other answer.
            one["note"] = one["note"].str.replace("; below-chance", "")
        assert_frames_equal(frame, wanted.reset_index(drop=True))


def test_groups_have_their_own_missing_rows():
    y = [1, 0, 1, 0, 1, 0, 1]
    score = [3, 1, np.nan, 2, 4, 1, np.nan]
    group = ["u", "u", "v", "v", "v", "v", "w"]
    frame = rs.Study(y, score, group=group, nan_policy="omit").auc_bounds()
    assert frame["group"].tolist() == ["u"] * 3 + ["v"] * 3
    assert frame["estimate"].tolist() == [1, 1, 1, 1, 0.5, 1]
    assert frame["n_pos"].tolist() == [1, 1, 1, 1, 2, 2]


def test_rows_without_label_or_group_are_said():
    y = [1, 0, np.nan, 1, 0]
    with pytest.warns(rs.StatisticalWarning, match="unplaced-cases"):
        frame = rs.Study(y, [3, 1, 5, 2, 2], nan_policy="omit").auc_bounds()
    assert set(frame["note"]) == {"no-interval; unplaced-cases=1; rows-dropped=1"}
    assert set(frame["n_pos"]) == {2}
    group = ["u", "u", "v", "v", None, None]
    study = rs.Study([1, 0, 1, 0, 1, 0], [3, 1, 2, 1, 2, 4], group=group, nan_policy="omit")
    frame = study.auc_bounds()
    assert set(frame["note"]) == {"no-interval; unplaced-cases=2; rows-dropped=2"}


def test_a_row_of_a_group_that_lacks_the_score_of_another_predictor_enters_the_counts():
    scores = {"a": [3, 1, 2, 3, 1], "b": [3, 1, np.nan, 3, 1]}
    group = ["u", "u", "u", "v", "v"]
    frame = rs.Study([1, 0, 1, 1, 0], scores, group=group, nan_policy="omit").auc_bounds()
    notes = frame.groupby("predictor")["note"].agg(set)
    assert notes["a"] == {"no-interval"}
    assert notes["b"] == {"no-interval; rows-dropped=1"}


def test_a_group_whose_scores_of_a_class_are_all_missing_is_bounded():
    y, score = [1, 0, 1, 0], [3, 1, np.nan, 2]
    frame = rs.Study(y, score, group=["u", "u", "v", "v"], nan_policy="omit").auc_bounds()
    assert frame["estimate"].tolist() == pytest.approx([1, 1, 1, np.nan, 0, 1], nan_ok=True)
    assert frame["note"][3].startswith("one-class; no-interval")


def test_clusters_do_not_matter():
    score = np.where(np.arange(18) % 5 == 0, np.nan, examples.D1)
    plain = rs.Study(examples.Y, score, nan_policy="omit").auc_bounds()
    clustered = rs.Study(
        examples.Y, score, cluster=examples.D1_CLUSTERS, nan_policy="omit"
    ).auc_bounds()
    pd.testing.assert_frame_equal(plain, clustered)


def test_a_pickled_study_remembers_its_missing_rows():
    study = rs.Study([1, 0, 1, 0], [3, 1, np.nan, 2], nan_policy="omit")
    again = pickle.loads(pickle.dumps(study))
    pd.testing.assert_frame_equal(study.auc_bounds(), again.auc_bounds())
    with pytest.raises(ValueError, match="read-only"):
        study.dropped.frequency[0] = 2


def test_studies_of_tables_and_trees_have_no_missing_rows():
    for study in (
        rs.Study.from_confusion(tp=3, fn=1, fp=2, tn=5),
        rs.Study.from_leaves(
            {"class": ["p", "n"], "matched": [10, 12], "errors": [1, 2]}, pos_label="p"
        ),
    ):
        estimate = study.auc_bounds()["estimate"]
        assert estimate[1] == pytest.approx(estimate[0])
        assert estimate[2] == pytest.approx(estimate[0])
