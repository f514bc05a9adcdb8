"""Groups made of several columns: one group for each combination that occurs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs

SEX = ["M", "M", "F", "F", "M", "F", "M", "M"]
AGE = ["70+", "60-69", "60-69", "60-69", "60-69", "60-69", "70+", "70+"]
Y = [1, 0, 1, 0, 1, 1, 0, 1]
SCORE = [3.0, 1, 4, 1, 5, 9, 2, 6]

# The order is that of the values of the first column, then of the second, as they appear:
# M before F, 70+ before 60-69. Nobody is F and 70+.
JOINED = ["M / 70+", "M / 60-69", "F / 60-69"]


@pytest.fixture
def data():
    return pd.DataFrame({"y": Y, "score": SCORE, "sex": SEX, "age": AGE})


def groups(study):
    return [(label, part.n_pos, part.n_neg) for label, part in study.by_group()]


EXPECTED = [("M / 70+", 2, 1), ("M / 60-69", 1, 1), ("F / 60-69", 2, 1)]


def test_columns_by_name_make_one_grouping(data):
    assert groups(rs.Study("y", "score", data=data, group=["sex", "age"])) == EXPECTED


@pytest.mark.parametrize(
    "group",
    [
        {"sex": SEX, "age": AGE},
        pd.DataFrame({"sex": SEX, "age": AGE}),
        pl.DataFrame({"sex": SEX, "age": AGE}),
        np.column_stack([SEX, AGE]),
        pd.DataFrame({"sex": pd.Categorical(SEX), "age": pd.array(AGE, dtype="string")}),
    ],
    ids=["dict", "pandas", "polars", "array", "other types"],
)
def test_tables_of_columns_make_one_grouping(group):
    assert groups(rs.Study(Y, SCORE, group=group)) == EXPECTED


def test_the_same_rows_as_with_one_joined_column(data):
    joined = data["sex"] + " / " + data["age"]
    studies = [rs.Study("y", "score", data=data, group=group) for group in (["sex", "age"], joined)]
    several, one = (study.roc_curve() for study in studies)
    assert several.equals(one)


def test_one_column_in_a_list_is_the_column(data):
    listed = rs.Study("y", "score", data=data, group=["sex"]).roc_curve()
    named = rs.Study("y", "score", data=data, group="sex").roc_curve()
    assert listed.equals(named)
    assert "group_label" not in listed.attrs["rocstats"]


def test_groups_of_rows_are_not_taken_for_names(data):
    study = rs.Study("y", "score", data=data, group=SEX)
    assert [label for label, _ in study.by_group()] == ["M", "F"]


def test_rows_left_out_make_no_group_and_no_order(data):
    # Without its first row the first group of the order is M / 60-69; with F / 70+ it has a hole.
    holes = data.assign(sex=[None, *SEX[1:]])
    holes.loc[2, "age"] = None
    study = rs.Study("y", "score", data=holes, group=["sex", "age"], nan_policy="omit")
    assert groups(study) == [("M / 60-69", 1, 1), ("M / 70+", 1, 1), ("F / 60-69", 1, 1)]
    assert study.n_dropped == 2
    with pytest.raises(rs.InputError, match="`group` must have no missing values; got 1"):
        rs.Study("y", "score", data=holes, group=["sex", "age"])


def test_each_group_counts_the_rows_it_lost(data):
    holes = data.assign(score=[np.nan, *SCORE[1:]])
    study = rs.Study("y", "score", data=holes, group=["sex", "age"], nan_policy="omit")
    labels = study.group.labels
    gone = study.dropped
    assert [int(np.sum(gone.placed(code) & gone.is_positive)) for code in range(len(labels))] == [
        int(label == "M / 70+") for label in labels
    ]


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (["sexx"], "`group` must name one column of `data`; got 'sexx'"),
        (["sex", "agee"], "`group` must name one column of `data`; got 'agee'"),
        (["sex", "y", "wrong"], "`group` must name one column of `data`; got 'wrong'"),
        (pd.DataFrame(index=range(8)), "`group` must have at least one column; got none"),
        ({"sex": SEX, "age": AGE[:3]}, "`group` must have as many rows as `y_true`"),
        (
            {"a": ["x / y", "x", "x / y", "x"] * 2, "b": ["z", "y / z", "z", "y / z"] * 2},
            "stay apart when its columns are joined by ' / '; got 'x / y / z' for two groups",
        ),
    ],
)
def test_wrong_columns_are_refused(data, group, message):
    with pytest.raises(rs.InputError, match=message):
        rs.Study("y", "score", data=data, group=group)


def test_the_heading_names_the_columns(data):
    with pytest.warns(rs.StatisticalWarning):
        frame = rs.Study("y", "score", data=data, group=["sex", "age"], labels={"sex": "Sex"}).auc()
    assert list(rs.format_table(frame))[1] == "Sex, age"
    assert rs.format_table(frame)["Sex, age"].tolist() == JOINED


class Fitted:
    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float) / 10
        return np.column_stack([1 - p, p])


@pytest.mark.parametrize(
    "group", [pd.DataFrame({"sex": SEX, "age": AGE}), np.column_stack([SEX, AGE])]
)
def test_every_way_to_make_a_study_takes_several_columns(group):
    results = {"estimator": [Fitted()], "indices": {"test": [list(range(8))]}}
    for study in (
        rs.Study.from_estimator(Fitted(), SCORE, Y, group=group),
        rs.Study.from_tree(Fitted(), SCORE, Y, group=group),
        rs.Study.from_cv_results({"score": results}, SCORE, Y, group=group),
    ):
        assert groups(study) == EXPECTED
    several = rs.MulticlassStudy(Y, {"0": SCORE, "1": SCORE}, group=group)
    assert [label for label, _ in several.by_group()] == JOINED
