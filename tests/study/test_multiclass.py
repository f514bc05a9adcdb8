"""Studies of several classes, of one classifier and of several: their data, and what is refused."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs
from tests.quick import each

Y = ["cat", "dog", "cat", "bird", "dog", "bird", "bird"]
SCORES = {
    "bird": [0.1, 0.3, 0.2, 0.6, 0.1, 0.2, 0.9],
    "cat": [0.8, 0.3, 0.5, 0.3, 0.2, 0.5, 0.1],
    "dog": [0.1, 0.4, 0.3, 0.1, 0.7, 0.3, 0.0],
}
NAMES = list(SCORES)
MATRIX = np.column_stack(list(SCORES.values()))
CODES = np.array([NAMES.index(label) for label in Y])
TWO = {name: column[::-1] for name, column in SCORES.items()}

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


@pytest.fixture
def study():
    return rs.MulticlassStudy(Y, SCORES)


@pytest.fixture
def both():
    return rs.MulticlassStudy(Y, {"one": SCORES, "two": TWO})


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_scores_of_every_kind(study, both, kind):
    named = rs.MulticlassStudy(Y, kind(SCORES))
    assert named.classes == ("bird", "cat", "dog")
    assert named.auc().equals(study.auc())
    data = kind({"animal": Y, **SCORES})
    assert rs.MulticlassStudy("animal", NAMES, data=data).auc().equals(study.auc())
    tables = rs.MulticlassStudy(Y, {"one": kind(SCORES), "two": kind(TWO)})
    assert tables.predictors == ("one", "two")
    assert tables.classes == ("bird", "cat", "dog")
    assert tables.compare_auc().equals(both.compare_auc())


@pytest.mark.parametrize(
    "labels",
    [
        np.array(Y),
        pd.Series(Y, dtype="category"),
        pd.Categorical(Y, ["dog", "cat", "bird", "fish"], ordered=True),
        pl.Series(Y),
        pl.Series(Y, dtype=pl.Enum(["bird", "cat", "dog"])),
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_labels_of_every_kind(study, labels):
    assert rs.MulticlassStudy(labels, SCORES).auc().equals(study.auc())


def test_labels_name_the_columns_of_a_matrix(study, both):
    for labels in (NAMES, np.array(NAMES)):
        assert rs.MulticlassStudy(Y, MATRIX, labels=labels).auc().equals(study.auc())
    matrices = {"one": MATRIX, "two": MATRIX[::-1]}
    again = rs.MulticlassStudy(Y, matrices, labels=NAMES)
    assert again.compare_auc().equals(both.compare_auc())


def test_columns_of_one_frame_are_those_of_several_classifiers(both):
    columns = {f"{k}_{name}": s for k, t in ((1, SCORES), (2, TWO)) for name, s in t.items()}
    data = pd.DataFrame({"animal": Y, **columns, "n": [1] * 7})
    names = {"one": list(columns)[:3], "two": list(columns)[3:]}
    again = rs.MulticlassStudy("animal", names, data=data, labels=NAMES, frequency="n")
    assert again.compare_auc().equals(both.compare_auc())


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame])
def test_whole_numbers_from_zero_need_no_names(study, kind):
    again = rs.MulticlassStudy(CODES, kind(MATRIX))
    assert again.classes == ("0", "1", "2")
    assert again.auc()["estimate"].tolist() == study.auc()["estimate"].tolist()


def test_whole_numbers_that_became_floats_are_the_same_labels(study):
    labels = np.append(CODES.astype(float), np.nan)
    matrix = np.vstack([MATRIX, [0.2, 0.3, 0.5]])
    omitted = rs.MulticlassStudy(labels, matrix, nan_policy="omit")
    assert omitted.n_dropped == 1
    assert omitted.auc()["estimate"].tolist() == study.auc()["estimate"].tolist()
    assert omitted.auc()["note"].str.endswith("few-cases; rows-dropped=1").all()
    named = rs.MulticlassStudy(CODES.astype(float), MATRIX, labels=[0.0, 1.0, 2.0])
    assert named.classes == ("0", "1", "2")


def test_the_order_of_the_classes_is_that_of_the_first(both):
    turned = {name: TWO[name] for name in ("dog", "cat", "bird")}
    assert rs.MulticlassStudy(Y, {"one": SCORES, "two": turned}).auc().equals(both.auc())


def test_a_named_classifier_alone(study):
    named, plain = rs.MulticlassStudy(Y, {"svm": SCORES}).auc(), study.auc()
    assert set(named["predictor"]) == {"svm"}
    assert named.drop(columns="predictor").equals(plain.drop(columns="predictor"))
    assert set(plain["predictor"]) == {"score"}


def test_omitted_rows_are_whole_rows(study, both):
    first = {name: [*column, 0.5] for name, column in SCORES.items()}
    holed = {**first, "cat": [*SCORES["cat"], np.nan]}
    omitted = rs.MulticlassStudy([*Y, "dog"], holed, nan_policy="omit")
    assert omitted.auc()["estimate"].equals(study.auc()["estimate"])
    missing = {name: [*column, np.nan] for name, column in TWO.items()}
    omitted = rs.MulticlassStudy([*Y, "cat"], {"one": first, "two": missing}, nan_policy="omit")
    assert omitted.n_dropped == 1
    assert omitted.auc()["estimate"].equals(both.auc()["estimate"])


def test_rows_without_frequency_are_not_there(study):
    scores = {name: [*column, 0.5] for name, column in SCORES.items()}
    again = rs.MulticlassStudy([*Y, "fish"], scores, frequency=[1] * 7 + [0])
    assert again.auc().equals(study.auc())


def test_inputs_are_copied_and_the_study_cannot_be_changed():
    labels, matrix = CODES.copy(), MATRIX.copy()
    study = rs.MulticlassStudy(labels, matrix)
    before = study.auc()
    labels[:], matrix[:] = 0, 0
    assert study.auc().equals(before)
    for array in (study.scores, study.class_codes):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    with pytest.raises(AttributeError, match="immutable"):
        study.classes = ("a", "b", "c")


def test_a_pickled_study_answers_alike(both):
    study = rs.MulticlassStudy(Y, SCORES, group=["u"] * 7, frequency=[1, 2, 3, 1, 2, 3, 1])
    study.auc()
    again = pickle.loads(pickle.dumps(study))
    assert again.auc().equals(study.auc())
    assert not again.scores.flags.writeable
    again = pickle.loads(pickle.dumps(both))
    assert again.compare_auc().equals(both.compare_auc())


def test_repr_tells_what_is_inside(both):
    study = rs.MulticlassStudy(Y, SCORES, frequency=[2] * 7, group=["u"] * 3 + ["v"] * 4)
    for words in ("MulticlassStudy", "bird (6), cat (4), dog (4)", "14", "groups", "frequency"):
        assert words in repr(study)
    assert "one, two" in repr(both)
    html = rs.MulticlassStudy(["<b>", "c"], {"<b>": [1, 0], "c": [0, 1]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


# --- What is refused ------------------------------------------------------------------------------

ONE_COLUMN = "`y_score` must have one column for each label of `y_true`; got "
OWN_NAMES = "must stay None when `y_score` has names; got "
CASES = [
    (
        lambda: rs.MulticlassStudy(Y, {"bird": SCORES["bird"], "fish": SCORES["cat"]}),
        f"{ONE_COLUMN}labels without a column ['cat', 'dog'] and columns without a case ['fish'].",
    ),
    (
        lambda: rs.MulticlassStudy(Y, {**SCORES, "fish": [0.0] * 7}),
        f"{ONE_COLUMN}columns without a case ['fish'].",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, frequency=[0, 1, 0, 1, 1, 1, 1]),
        f"{ONE_COLUMN}columns without a case ['cat'].",
    ),
    (
        lambda: rs.MulticlassStudy(Y, MATRIX),
        f"{ONE_COLUMN}labels without a column ['cat', 'dog', 'bird'] and columns without a case"
        " ['0', '1', '2'].",
    ),
    (
        lambda: rs.MulticlassStudy(CODES + 1, MATRIX),
        f"{ONE_COLUMN}labels without a column ['3'] and columns without a case ['0'].",
    ),
    (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=["bird", "cat"]),
        "`labels` must name each of the 3 columns of `y_score`; got 2 names.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=["bird", "cat", "cat"]),
        "`y_score` must have unique names; got ['cat'] more than once.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=3),
        "`labels` must be the labels of the classes in order; got 3.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, labels=["bird", "cat", "dog"]),
        f"`labels` {OWN_NAMES}['bird', 'cat', 'dog'].",
    ),
    (
        lambda: rs.MulticlassStudy("y", NAMES, data={"y": Y, **SCORES}, labels=["dog"]),
        f"`labels` {OWN_NAMES}['dog'].",
    ),
    (
        lambda: rs.MulticlassStudy(
            "y", {"one": ["a", "b"], "two": ["a", "b"]}, data={"y": Y, "a": Y, "b": Y}, labels=NAMES
        ),
        "`labels` must name each of the 2 columns of a classifier; got 3 names.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES["cat"]),
        "`y_score` must have a column for each of two or more classes; got 1.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, {"one": {"cat": [0.0] * 7}, "two": {"cat": [0.0] * 7}}),
        "`y_score` must have a column for each of two or more classes; got 1.",
    ),
    (
        lambda: rs.MulticlassStudy(
            Y, {"one": SCORES, "two": dict.fromkeys(["bird", "cat"], [0.0] * 7)}
        ),
        "`y_score` must have the same classes for every classifier; got ['bird', 'cat'] for 'two'"
        " and ['bird', 'cat', 'dog'] for the first.",
    ),
    (lambda: rs.MulticlassStudy(Y[:6], MATRIX), "`y_score` must have as many rows as `y_true`"),
    (
        lambda: rs.MulticlassStudy(Y, {"one": MATRIX, "two": MATRIX[:5]}, labels=NAMES),
        "`y_score` must have as many rows as `y_true`; got shapes (5,) and (7,).",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, group=["u"]),
        "`group` must have as many rows as `y_true`; got shapes (1,) and (7,).",
    ),
    (
        lambda: rs.MulticlassStudy(
            Y, {"one": pd.DataFrame(SCORES), "two": pd.DataFrame(TWO, index=range(1, 8))}
        ),
        "`y_score['two: bird']` must have the same index as `y_score['one: bird']`; got unequal"
        " indexes (1 and 0 in row 0)",
    ),
    (lambda: rs.MulticlassStudy([], np.zeros((0, 3))), "`y_true` must have at least one row"),
    (
        lambda: rs.MulticlassStudy(Y, {**SCORES, "cat": [0.8, np.nan, *SCORES["cat"][2:]]}),
        "`y_score` must have no missing values; got 1 of 'cat' (row 1).",
    ),
    (
        lambda: rs.MulticlassStudy(Y, {"one": SCORES, "two": {**TWO, "cat": [np.nan] * 7}}),
        "`y_score` must have no missing values; got 7 of 'two: cat' (rows 0, 1, 2, 3, 4, ...).",
    ),
    (
        lambda: rs.MulticlassStudy([*Y[:6], None], SCORES),
        "`y_true` must have no missing values; got 1 (row 6).",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, nan_policy="available"),
        "`nan_policy` must be one of 'raise', 'omit'",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, sample_weight=[1, 0, 1, 1, 0, 1, 1]),
        "`sample_weight` must have a positive sum in each class; got sum 0 in ['dog'].",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, frequency=[1.5] * 7),
        "`frequency` must be whole numbers >= 0; got 1.5 in row 0 (wrong values: 7).",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES).auc(method="macro"),
        "`method` must be one of 'ovo-macro', 'ovo-weighted', 'ovr-macro'",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES).roc_curve(ties="random"),
        "`ties` must be one of 'expected', 'optimistic', 'pessimistic'",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES).roc_curve(by="fold"),
        "`by` must stay None without folds",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, fold=[1, 1, 1, 1, 2, 2, 2]).auc(),
        "`fold` must have every class in every fold; got no case of ['cat'] in fold '2'.",
    ),
    (
        lambda: rs.MulticlassStudy(Y, SCORES, fold=[1, 1, 1, 1, 2, 2, 2]).roc_curve(by="fold"),
        "`fold` must have every class in every fold; got no case of ['cat'] in fold '2'.",
    ),
    (
        lambda: rs.MulticlassStudy([0, 1], [[1, 0], [0, 1]]).one_against_rest(2),
        "`k` must be under 2; got 2. Pass a place in ['0', '1'].",
    ),
]


@each(("call", "message"), CASES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
