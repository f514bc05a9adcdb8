"""Studies of several classes: every way of handing data in, and every way of getting it wrong."""

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
MATRIX = np.column_stack(list(SCORES.values()))
CODES = np.array([list(SCORES).index(label) for label in Y])


@pytest.fixture
def study():
    return rs.MulticlassStudy(Y, SCORES)


@pytest.mark.parametrize(
    "scores", [SCORES, pd.DataFrame(SCORES), pl.DataFrame(SCORES)], ids=lambda s: type(s).__name__
)
def test_named_scores_of_every_kind(study, scores):
    again = rs.MulticlassStudy(Y, scores)
    assert again.classes == ("bird", "cat", "dog")
    assert again.auc().equals(study.auc())


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_names_of_columns(study, kind):
    data = kind({"animal": Y, **SCORES})
    again = rs.MulticlassStudy("animal", ["bird", "cat", "dog"], data=data)
    assert again.auc().equals(study.auc())


@pytest.mark.parametrize(
    "labels",
    [
        Y,
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


def test_labels_name_the_columns_of_a_matrix(study):
    again = rs.MulticlassStudy(Y, MATRIX, labels=["bird", "cat", "dog"])
    assert again.auc().equals(study.auc())
    assert rs.MulticlassStudy(Y, MATRIX, labels=np.array(list(SCORES))).auc().equals(study.auc())


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


def test_omitted_rows_are_whole_rows(study):
    scores = {name: [*column, 0.5] for name, column in SCORES.items()}
    scores["cat"][-1] = np.nan
    omitted = rs.MulticlassStudy([*Y, "dog"], scores, nan_policy="omit")
    assert omitted.auc()["estimate"].equals(study.auc()["estimate"])


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


def test_a_pickled_study_answers_alike():
    study = rs.MulticlassStudy(Y, SCORES, group=["u"] * 7, frequency=[1, 2, 3, 1, 2, 3, 1])
    study.auc()
    again = pickle.loads(pickle.dumps(study))
    assert again.auc().equals(study.auc())
    assert not again.scores.flags.writeable


def test_repr_tells_what_is_inside():
    study = rs.MulticlassStudy(Y, SCORES, frequency=[2] * 7, group=["u"] * 3 + ["v"] * 4)
    text = repr(study)
    for words in ("MulticlassStudy", "bird (6), cat (4), dog (4)", "14", "groups", "frequency"):
        assert words in text
    html = rs.MulticlassStudy(["<b>", "c"], {"<b>": [1, 0], "c": [0, 1]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def changed(**columns):
    return {**SCORES, **columns}


NAMES = " Name the columns by their labels, or pass labels=."

CASES = {
    "labels without a column, columns without a case": (
        lambda: rs.MulticlassStudy(Y, {"bird": SCORES["bird"], "fish": SCORES["cat"]}),
        "`y_score` must have one column for each label of `y_true`; got labels without a column"
        " ['cat', 'dog'] and columns without a case ['fish']." + NAMES,
    ),
    "a column without a case": (
        lambda: rs.MulticlassStudy(Y, changed(fish=[0.0] * 7)),
        "`y_score` must have one column for each label of `y_true`; got"
        " columns without a case ['fish']." + NAMES,
    ),
    "a column without a case after frequencies": (
        lambda: rs.MulticlassStudy(Y, SCORES, frequency=[0, 1, 0, 1, 1, 1, 1]),
        "`y_score` must have one column for each label of `y_true`; got"
        " columns without a case ['cat']." + NAMES,
    ),
    "an unnamed matrix": (
        lambda: rs.MulticlassStudy(Y, MATRIX),
        "`y_score` must have one column for each label of `y_true`; got labels without a column"
        " ['cat', 'dog', 'bird'] and columns without a case ['0', '1', '2']." + NAMES,
    ),
    "labels counted from one": (
        lambda: rs.MulticlassStudy(CODES + 1, MATRIX),
        "`y_score` must have one column for each label of `y_true`; got labels without a column"
        " ['3'] and columns without a case ['0']." + NAMES,
    ),
    "too few labels": (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=["bird", "cat"]),
        "`labels` must name each of the 3 columns of `y_score`; got 2 names. Pass one name per"
        " column.",
    ),
    "a label twice": (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=["bird", "cat", "cat"]),
        "`y_score` must have unique names; got ['cat'] more than once. Rename the columns.",
    ),
    "labels that are a number": (
        lambda: rs.MulticlassStudy(Y, MATRIX, labels=3),
        "`labels` must be the labels of the columns in order; got 3. Pass a list with one label"
        " per column.",
    ),
    "labels for named columns": (
        lambda: rs.MulticlassStudy(Y, SCORES, labels=["bird", "cat", "dog"]),
        "`labels` must stay None when `y_score` has names of its own; got ['bird', 'cat', 'dog']."
        " Rename the columns instead.",
    ),
    "labels for columns of data": (
        lambda: rs.MulticlassStudy(
            "y", list(SCORES), data={"y": Y, **SCORES}, labels=["dog", "cat", "bird"]
        ),
        "`labels` must stay None when `y_score` has names of its own; got ['dog', 'cat', 'bird']."
        " Rename the columns instead.",
    ),
    "one column": (
        lambda: rs.MulticlassStudy(Y, SCORES["cat"]),
        "`y_score` must have a column for each of two or more classes; got 1. Pass the scores of"
        " every class.",
    ),
    "three dimensions": (
        lambda: rs.MulticlassStudy(Y, np.zeros((7, 3, 2))),
        "`y_score` must be one-dimensional; got shape (7, 3, 2). Pass one value per row.",
    ),
    "lengths": (
        lambda: rs.MulticlassStudy(Y[:6], MATRIX),
        "`y_score` must have as many rows as `y_true`; got shapes (7,) and (6,). Pass one value"
        " per row.",
    ),
    "length of a role": (
        lambda: rs.MulticlassStudy(Y, SCORES, group=["u"]),
        "`group` must have as many rows as `y_true`; got shapes (1,) and (7,). Pass one value per"
        " row.",
    ),
    "empty": (
        lambda: rs.MulticlassStudy([], np.zeros((0, 3))),
        "`y_true` must have at least one row; got shape (0,). Pass the data.",
    ),
    "a missing score": (
        lambda: rs.MulticlassStudy(Y, changed(cat=[0.8, np.nan, 0.5, 0.3, 0.2, 0.5, 0.1])),
        "`y_score` must have no missing values; got 1 of 'cat' (row 1). Pass nan_policy='omit' to"
        " leave these rows out, or fill them in.",
    ),
    "a missing label": (
        lambda: rs.MulticlassStudy([*Y[:6], None], SCORES),
        "`y_true` must have no missing values; got 1 (row 6). Pass nan_policy='omit' to leave"
        " these rows out, or fill them in.",
    ),
    "unknown nan policy": (
        lambda: rs.MulticlassStudy(Y, SCORES, nan_policy="drop"),
        "`nan_policy` must be one of 'raise', 'omit'; got 'drop'. Pass one of these.",
    ),
    "words for scores": (
        lambda: rs.MulticlassStudy(Y, changed(cat=Y)),
        "`y_score` must be numbers; got 7 cells of text in column 'cat': 'cat' (row 0), 'dog'"
        " (row 1), 'bird' (row 3). Convert it to numbers, or to ordered categories.",
    ),
    "a class without weight": (
        lambda: rs.MulticlassStudy(Y, SCORES, sample_weight=[1, 0, 1, 1, 0, 1, 1]),
        "`sample_weight` must have a positive sum in each class; got sum 0 in ['dog']. Give at"
        " least one case of every class a weight.",
    ),
    "fractional frequency": (
        lambda: rs.MulticlassStudy(Y, SCORES, frequency=[1.5] * 7),
        "`frequency` must be whole numbers >= 0; got 1.5 in row 0 and 7 such values. Correct or"
        " remove these rows.",
    ),
    "a name without data": (
        lambda: rs.MulticlassStudy("y", SCORES),
        "`y_true` must be an array unless `data` is given; got the name 'y'. Pass data=, the frame"
        " that has this column.",
    ),
    "an unknown method": (
        lambda: rs.MulticlassStudy(Y, SCORES).auc(method="macro"),
        "`method` must be one of 'hand-till', 'class-reference'; got 'macro'. Pass one of these.",
    ),
    "an unknown tie rule": (
        lambda: rs.MulticlassStudy(Y, SCORES).roc_curve(ties="random"),
        "`ties` must be one of 'expected', 'optimistic', 'pessimistic'; got 'random'. Pass one of"
        " these.",
    ),
    "curves by fold without folds": (
        lambda: rs.MulticlassStudy(Y, SCORES).roc_curve(by="fold"),
        "`by` must stay None without folds; got 'fold'. Pass fold= to the study.",
    ),
    "a fold lacking a class": (
        lambda: rs.MulticlassStudy(Y, SCORES, fold=[1, 1, 1, 1, 2, 2, 2]).auc(),
        "`fold` must leave every class in every fold; got no case of ['cat'] in fold '2'. Stratify"
        " the folds, or merge them.",
    ),
    "a curve of a fold lacking a class": (
        lambda: rs.MulticlassStudy(Y, SCORES, fold=[1, 1, 1, 1, 2, 2, 2]).roc_curve(by="fold"),
        "`fold` must leave every class in every fold; got no case of ['cat'] in fold '2'. Stratify"
        " the folds, or merge them.",
    ),
}


@each("name", list(CASES))
def test_message(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()


def test_names_of_predictors_are_refused_for_columns_of_data():
    message = "`predictor` must stay None when `y_score` has names of its own; got 'b'."
    with pytest.raises(rs.InputError, match=re.escape(message)):
        rs.Study("y", "a", data={"y": [1, 0], "a": [1.0, 0.0]}, predictor="b")
