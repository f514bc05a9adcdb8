"""The maker of frames: schemas, notes, what frames carry, and frames read from csv."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.curves.roc import ROC_CURVE
from rocstats.facts.columns import GLOSSARY
from rocstats.frame.make import make_frame, typed_numbers
from rocstats.studies.catalogue import declared_questions
from tests import examples


def test_labels_that_look_like_numbers_or_missing_survive_csv():
    study = rs.Study([1, 0, 1, 0], {"NA": [3, 1, 2, 0.5]}, group=["1", "1", "", ""])
    frame = study.auc()
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert again[["predictor", "group"]].to_numpy().tolist() == [["NA", "1"], ["NA", ""]]


def test_csv_of_others_is_refused():
    with pytest.raises(
        rs.InputError,
        match=r"`path` must be a saved frame of this package; got the columns \['x'\]",
    ):
        rs.read_csv(io.StringIO("x\n1\n"))


def test_every_schema_speaks_the_glossary():
    declared = declared_questions().values()
    questions = [question.of_own_cases() for question in declared]
    questions += [question.of_bins() for question in declared if question.binned]
    used = {name for question in questions for name in question.columns}
    assert used <= set(GLOSSARY)
    assert used == set(GLOSSARY), "a column nobody returns"


def test_a_frame_that_does_not_fit_its_schema_is_a_bug():
    with pytest.raises(KeyError, match="do not fit the schema"):
        make_frame(ROC_CURVE, {"predictor": ["a"]}, grouped=False)


def test_a_doubt_is_warned_once_per_call_and_code():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2})
    with pytest.warns(rs.StatisticalWarning) as caught:
        study.auc()
    assert [str(w.message).partition(":")[0] for w in caught] == ["few-cases"]
    assert caught[0].filename == __file__


def test_facts_are_noted_without_a_warning(recwarn):
    y = np.tile([1, 0], 25)
    score = np.where(np.arange(50) == 7, np.nan, np.arange(50) % 7.0)
    frame = rs.Study(y, score, nan_policy="omit").auc()
    assert frame["note"].tolist() == ["rows-dropped=1"]
    assert not recwarn.list


@pytest.mark.parametrize(
    "part",
    [
        lambda frame: frame[frame["quantity"].isin(["tpr", "tnr"])].reset_index(drop=True),
        lambda frame: frame[frame["estimate"] > 2],
        lambda frame: frame.head(1).assign(quantity="tpr"),
        lambda frame: frame.drop(columns="se"),
    ],
)
def test_a_part_of_a_frame_carries_what_the_frame_does(part):
    """Labels and seeds reach the tables and figures of a report, which print parts of frames."""
    frame = rs.Study([1, 1, 0, 0], [3, 1, 2, 0], labels={"score": "Mine"}).auc()
    assert part(frame).attrs == frame.attrs
    assert frame.attrs["rocstats"]["labels"] == {"score": "Mine"}


def test_naming_the_columns_of_a_frame_leaves_other_frames_alone():
    study = rs.Study([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2])
    curve = study.roc_curve()
    curve.columns.name = "mine"
    curve.loc[0, "predictor"] = "other"
    again = study.roc_curve()
    assert again.columns.name is None
    assert set(again["predictor"]) == {"score"}


def test_long_columns_are_made_by_parts():
    n = 40_001
    y = np.arange(n) % 3 == 0
    curve = rs.Study(y, -np.arange(n)).roc_curve()
    for name, calls in (("tp", y), ("fp", ~y)):
        assert curve[name].dtype == np.int64
        np.testing.assert_array_equal(curve[name], np.concatenate(([0], np.cumsum(calls))))
    # The last positive alone has a fraction, far behind the first part: its column is no count.
    weight = np.where(np.arange(n) == np.flatnonzero(y)[-1], 0.5, 1.0)
    weighted = rs.Study(y, -np.arange(n), sample_weight=weight).roc_curve()
    assert (weighted["tp"].dtype, weighted["fp"].dtype) == (np.float64, np.int64)
    np.testing.assert_array_equal(weighted["tp"], np.concatenate(([0], np.cumsum(y * weight))))


def test_a_word_in_a_column_of_numbers_is_named():
    with pytest.raises(rs.InputError, match=r"`path` must hold numbers .*; got 'abc'"):
        rs.read_csv(io.StringIO("fpr\n0.5\nabc\n"))


def test_counts_are_integers_as_long_as_doubles_count_in_steps_of_one():
    largest = 2.0**53 - 1
    found = typed_numbers("n_pos", np.array([0.0, 3.0, -largest, largest]))
    assert found.dtype == np.int64
    assert found.tolist() == [0, 3, -(2**53) + 1, 2**53 - 1]
    for other in (2.0**53, -(2.0**53), 0.5, np.nan, np.inf):
        assert typed_numbers("n_pos", np.array([3.0, other])).dtype == np.float64
    assert typed_numbers("fpr", np.array([0.0, 1.0])).dtype == np.float64
    assert typed_numbers("n_pos", np.empty(0)).dtype == np.float64


# --- Words of version 0.2 -------------------------------------------------------------------------

# Of each quantity that version 0.2 wrote in rows with a reference, the word of today.
WORDS_OF_DIFFERENCES = {
    "auc": "auc_difference",
    "partial_auc": "partial_auc_difference",
    "tpr": "tpr_difference",
    "net_benefit": "net_benefit_difference",
    "my_statistic": "my_statistic_difference",
    "tpr_ratio": "tpr_ratio",
    "both_rates": "both_rates",
    "curve_distance": "curve_distance",
    "lc_index": "lc_index",
}


def test_words_of_differences_in_files_of_version_0_2_become_those_of_today():
    lines = [f"a,b,{word},0.1" for word in WORDS_OF_DIFFERENCES]
    lines += [f"a,,{word},0.1" for word in WORDS_OF_DIFFERENCES]
    frame = rs.read_csv(io.StringIO("\n".join(["predictor,reference,quantity,estimate", *lines])))
    assert frame["quantity"].tolist() == [*WORDS_OF_DIFFERENCES.values(), *WORDS_OF_DIFFERENCES]
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    pd.testing.assert_frame_equal(again, frame)


def test_frames_without_a_reference_keep_their_words():
    frame = rs.read_csv(io.StringIO("predictor,quantity,estimate\na,auc,0.8\n"))
    assert frame["quantity"].tolist() == ["auc"]


def test_every_row_with_a_reference_is_a_comparison(rng):
    """The words of rows say whether they compare: of predictors, groups, and own statistics."""
    y = np.repeat([1, 0], 30)
    scores = {name: rng.normal(size=60) + y for name in ("a", "b", "c")}
    study = rs.Study(y, scores, group=np.tile(["x", "y"], 30))
    frames = {
        "auc_difference": study.compare_auc(),
        "partial_auc_difference": study.compare_auc(across="groups", fpr_range=(0, 0.5)),
        "stratified_auc_difference": study.compare_stratified_auc(),
        "gini_difference": study.bootstrap(
            lambda y, x: {"gini": float(x[y].mean() - x[~y].mean())}, reference="a",
            n_resamples=100, rng=1,
        ),
        "curve_distance": study.compare_curves(n_resamples=99, rng=1),
    }  # fmt: skip
    for word, frame in frames.items():
        assert set(frame["quantity"]) == {word}
    own = study.bootstrap(lambda y, x: {"gini": float(x[y].mean())}, n_resamples=100, rng=1)
    assert set(own["quantity"]) == {"gini"}
