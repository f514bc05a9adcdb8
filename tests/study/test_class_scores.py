"""Several classifiers of several classes: every way of handing them in, and of getting it wrong."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs

Y = ["cat", "dog", "cat", "bird", "dog", "bird", "bird"]
ONE = {
    "bird": [0.1, 0.3, 0.2, 0.6, 0.1, 0.2, 0.9],
    "cat": [0.8, 0.3, 0.5, 0.3, 0.2, 0.5, 0.1],
    "dog": [0.1, 0.4, 0.3, 0.1, 0.7, 0.3, 0.0],
}
TWO = {name: column[::-1] for name, column in ONE.items()}
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def matrix(scores):
    return np.column_stack(list(scores.values()))


@pytest.fixture
def study():
    return rs.MulticlassStudy(Y, {"one": ONE, "two": TWO})


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_tables_of_every_kind(study, kind):
    again = rs.MulticlassStudy(Y, {"one": kind(ONE), "two": kind(TWO)})
    assert again.predictors == ("one", "two")
    assert again.classes == ("bird", "cat", "dog")
    assert again.compare_auc().equals(study.compare_auc())


def test_matrices_with_labels(study):
    tables = {"one": matrix(ONE), "two": matrix(TWO)}
    again = rs.MulticlassStudy(Y, tables, labels=["bird", "cat", "dog"])
    assert again.compare_auc().equals(study.compare_auc())


def test_columns_of_one_frame(study):
    columns = {f"{who}_{name}": s for who, t in (("1", ONE), ("2", TWO)) for name, s in t.items()}
    data = pd.DataFrame({"animal": Y, **columns, "n": [1] * 7})
    names = {"one": ["1_bird", "1_cat", "1_dog"], "two": ["2_bird", "2_cat", "2_dog"]}
    again = rs.MulticlassStudy(
        "animal", names, data=data, labels=["bird", "cat", "dog"], frequency="n"
    )
    assert again.compare_auc().equals(study.compare_auc())


def test_the_order_of_the_classes_is_that_of_the_first(study):
    turned = {name: TWO[name] for name in ("dog", "cat", "bird")}
    again = rs.MulticlassStudy(Y, {"one": ONE, "two": turned})
    assert again.auc().equals(study.auc())


def test_a_named_classifier_alone():
    named = rs.MulticlassStudy(Y, {"svm": ONE}).auc()
    plain = rs.MulticlassStudy(Y, ONE).auc()
    assert set(named["predictor"]) == {"svm"}
    assert named.drop(columns="predictor").equals(plain.drop(columns="predictor"))
    assert set(plain["predictor"]) == {"score"}


def test_rows_missing_in_one_classifier_are_left_out_of_all(study):
    longer = {name: [*column, np.nan] for name, column in TWO.items()}
    first = {name: [*column, 0.5] for name, column in ONE.items()}
    again = rs.MulticlassStudy([*Y, "cat"], {"one": first, "two": longer}, nan_policy="omit")
    assert again.n_dropped == 1
    assert again.auc()["estimate"].equals(study.auc()["estimate"])


def test_a_pickled_study_answers_alike(study):
    again = pickle.loads(pickle.dumps(study))
    assert again.compare_auc().equals(study.compare_auc())
    assert "one, two" in repr(study)


def indexed(scores, index):
    return pd.DataFrame(scores, index=index)


CASES = {
    "other classes": (
        lambda: rs.MulticlassStudy(Y, {"one": ONE, "two": {"bird": [0.0] * 7, "cat": [0.0] * 7}}),
        "`y_score` must have the same classes for every classifier; got ['bird', 'cat'] for 'two'"
        " and ['bird', 'cat', 'dog'] for the first. Pass a column for each class.",
    ),
    "lengths": (
        lambda: rs.MulticlassStudy(Y, {"one": matrix(ONE), "two": matrix(TWO)[:5]}, labels=[*ONE]),
        "`y_score` must have as many rows as `y_true`; got shapes (5,) and (7,). Pass one value"
        " per row.",
    ),
    "indexes": (
        lambda: rs.MulticlassStudy(
            Y, {"one": indexed(ONE, range(7)), "two": indexed(TWO, range(1, 8))}
        ),
        "`y_score['two: bird']` must have the same index as `y_score['one: bird']`; got unequal"
        " indexes (1 and 0 in row 0), which are never paired by position. Align them, or pass"
        " .to_numpy() of both if the rows do correspond.",
    ),
    "a missing score": (
        lambda: rs.MulticlassStudy(Y, {"one": ONE, "two": {**TWO, "cat": [np.nan] * 7}}),
        "`y_score` must have no missing values; got 7 of 'two: cat' (rows 0, 1, 2, 3, 4, ...)."
        " Pass nan_policy='omit' to leave these rows out, or fill them in.",
    ),
    "labels for lists of names": (
        lambda: rs.MulticlassStudy(
            "y",
            {"one": ["a", "b"], "two": ["a", "b"]},
            data={"y": Y, "a": Y, "b": Y},
            labels=[*ONE],
        ),
        "`labels` must name each of the 2 columns of a classifier; got 3 names. Pass one name per"
        " column.",
    ),
    "one column each": (
        lambda: rs.MulticlassStudy(Y, {"one": {"cat": [0.0] * 7}, "two": {"cat": [0.0] * 7}}),
        "`y_score` must have a column for each of two or more classes; got 1. Pass the scores of"
        " every class.",
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_message(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        call()
