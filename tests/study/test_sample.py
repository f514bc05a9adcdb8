"""What a study of cases, and its questions, refuse: the argument that is wrong, and the culprit."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from tests import examples
from tests.quick import each

Y, A, B = examples.Y, examples.D1, examples.D2
WORDS = np.where(Y == 1, "Poor", "Good")
GROUPS = rs.Study(Y, A, group=np.arange(18) % 2)
NAN = np.where(np.arange(18) % 8 == 2, np.nan, A)
NAN_LABEL = np.where(np.arange(18) == 4, np.nan, Y)
DATA = pd.DataFrame({"y": Y, "a": A})
TWICE = pd.DataFrame(np.column_stack([A, B]), columns=["a", "a"])
ARROW_TWICE = pa.table([pa.array(x) for x in (Y, A, B, B)], names=["y", "a", "a", "b"])


def compare(*, roles=(), **asked):
    return rs.Study(Y, {"a": A, "b": B}, **dict(roles)).compare_auc(**asked)


CASES = [
    (
        lambda: rs.Study(Y, {"a": A, "b": NAN}),
        "`y_score` must have no missing values; got 2 of 'b' (rows 2, 10).",
    ),
    (lambda: rs.Study(NAN_LABEL, A), "`y_true` must have no missing values; got 1 (row 4)."),
    (
        lambda: rs.Study(np.zeros(18), A),
        "`y_true` must hold both classes; got 0 positives (label 1) and 18 negatives.",
    ),
    (
        lambda: rs.Study(["Poor"] * 18, A, pos_label="Poor"),
        "`y_true` must hold both classes; got 18 positives (label 'Poor') and 0 negatives.",
    ),
    (
        lambda: rs.Study(Y, A, frequency=Y),
        "`y_true` must hold both classes; got 8 positives (label 1) and 0 negatives.",
    ),
    (
        lambda: rs.Study(WORDS, A),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans",
    ),
    (
        lambda: rs.Study(Y + 1, A),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 2, 1.",
    ),
    (
        lambda: rs.Study(WORDS, A, pos_label="poor"),
        "`pos_label` must be one of the labels of `y_true`: 'Poor', 'Good'",
    ),
    (
        lambda: rs.Study(np.arange(18) % 3, A),
        "`y_true` must hold two classes; got 3 labels: 0, 1, 2.",
    ),
    (
        lambda: rs.Study(np.arange(18) % 3, A, pos_label=2),
        "`y_true` must hold two classes; got 3 labels: 0, 1, 2.",
    ),
    (lambda: rs.Study(Y, A[:17]), "`y_score` must have as many rows as `y_true`"),
    (lambda: rs.Study(Y, A, cluster=[1, 2]), "`cluster` must have as many rows as `y_true`"),
    (lambda: rs.Study(Y, np.zeros((18, 2, 2))), "`y_score` must be one-dimensional"),
    (lambda: rs.Study(Y, 0.5), "`y_score` must be one-dimensional; got shape ()."),
    (lambda: rs.Study(Y, np.zeros((18, 0))), "`y_score` must have at least one column"),
    (lambda: rs.Study(np.column_stack([Y, 1 - Y]), A), "`y_true` must be one-dimensional"),
    (lambda: rs.Study([], []), "`y_true` must have at least one row; got shape (0,)."),
    (
        lambda: rs.Study(pd.Series(Y), pd.Series(A, index=range(1, 19))),
        "`y_score` must have the same index as `y_true`; got unequal indexes (1 and 0 in row 0),"
        " which are never paired by position.",
    ),
    (
        lambda: rs.Study(Y, WORDS),
        "`y_score` must be numbers; got 18 cells of text: 'Poor' (row 0), 'Good' (row 8).",
    ),
    (
        lambda: rs.Study(Y, pd.DataFrame({"a": WORDS})),
        "`y_score` must be numbers; got 18 cells of text in column 'a': 'Poor' (row 0), 'Good'"
        " (row 8).",
    ),
    (
        lambda: rs.Study(Y, pl.Series(["0.5"] * 18)),
        "`y_score` must be numbers; got 18 cells of text: '0.5' (row 0).",
    ),
    (
        lambda: rs.Study(Y, A, group=[1, "1"] * 9),
        "`group` must not hold labels that look the same; got 1 and '1'.",
    ),
    (
        lambda: rs.Study(Y, A, cluster=np.array([1.0, "1", 2] * 6, dtype=object)),
        "`cluster` must not hold labels that look the same; got 1.0 and '1'.",
    ),
    (
        lambda: rs.Study(Y, A, fold=pd.Series([True, 1, 2] * 6, dtype=object)),
        "`fold` must not hold labels that look the same; got True and 1.",
    ),
    (
        lambda: rs.Study([1, "1", 0] * 6, A, pos_label=1),
        "`y_true` must not hold labels that look the same; got 1 and '1'.",
    ),
    (
        lambda: rs.MulticlassStudy(pd.Categorical([1, "1", 0] * 6), np.ones((18, 2))),
        "`y_true` must not hold labels that look the same; got 1 and '1'.",
    ),
    (lambda: rs.Study(Y, A, group=pd.Series([[1], [2]] * 9)), "`group` must hold labels"),
    (
        lambda: rs.MulticlassStudy(Y, {1: np.ones((18, 2)), "1": np.ones((18, 2))}),
        "`y_score` must have different names, compared as text; got ['1', '1'].",
    ),
    (lambda: rs.Study(Y, pd.Categorical(WORDS)), "`y_score` must be numbers or ordered categories"),
    (lambda: rs.Study(Y, A + 1j), "`y_score` must be numbers; got complex128 values."),
    (
        lambda: rs.Study([1, 0], np.array([2**53, 2**53 + 1])),
        "`y_score` must be exact as 64-bit floats",
    ),
    (
        lambda: rs.Study(Y, A, frequency=np.where(np.arange(18) == 3, -1, 1)),
        "`frequency` must be whole numbers >= 0; got -1 in row 3 (wrong values: 1).",
    ),
    (
        lambda: rs.Study(Y, A, frequency=np.full(18, 1.5)),
        "`frequency` must be whole numbers >= 0; got 1.5 in row 0 (wrong values: 18).",
    ),
    (
        lambda: rs.Study(Y, A, frequency=np.full(18, np.nan)),
        "`frequency` must be whole numbers >= 0; got nan in row 0 (wrong values: 18).",
    ),
    (
        lambda: rs.Study(Y, A, sample_weight=np.full(18, -0.5)),
        "`sample_weight` must be finite numbers >= 0; got -0.5 in row 0 (wrong values: 18).",
    ),
    (
        lambda: rs.Study(Y, A, sample_weight=np.where(Y == 1, 1e200, 1)),
        "`sample_weight` must have its largest value between 1e-50 and 1e+50; got 1e+200.",
    ),
    (
        lambda: rs.Study(Y, A, sample_weight=Y),
        "`sample_weight` must have a positive sum in each class; got a class with sum 0.",
    ),
    (lambda: rs.Study(Y, TWICE), "`y_score` must have unique names; got ['a'] more than once."),
    (lambda: rs.Study(Y, "a", data=TWICE), "`y_score` must name one column of `data`"),
    (lambda: rs.Study(TWICE["a"], A), "`y_true` must have unique names; got ['a'] more than once."),
    (
        lambda: rs.Study(Y, A, group=TWICE["a"]),
        "`group` must have unique names; got ['a'] more than once.",
    ),
    (
        lambda: rs.Study("y", "b", data=ARROW_TWICE),
        "`data` must have unique names; got ['a'] more than once.",
    ),
    (
        lambda: rs.Study(Y, ARROW_TWICE),
        "`y_score` must have unique names; got ['a'] more than once.",
    ),
    (lambda: rs.Study("y", A), "`y_true` must be an array unless `data` is given"),
    (lambda: rs.Study("y", ["a", "z"], data=DATA), "`y_score` must name one column of `data`"),
    (
        lambda: rs.Study("y", "a", data=pl.LazyFrame({"y": [1, 0], "a": [1.0, 0.0]})),
        "`data` must be held in memory; got a lazy frame.",
    ),
    (lambda: rs.Study("y", "a", data=3), "`data` must be a dataframe or a dict of columns"),
    (
        lambda: rs.Study(Y, {"a": A}, predictor="b"),
        "`predictor` must stay None when `y_score` has names",
    ),
    (
        lambda: rs.Study("y", "a", data=DATA, predictor="b"),
        "`predictor` must stay None when `y_score` has names",
    ),
    (
        lambda: rs.Study(Y, np.column_stack([A, B]), predictor=["a"]),
        "`predictor` must name each of the 2 columns of `y_score`; got 1 names.",
    ),
    (
        lambda: rs.Study(Y, A, higher_is_positive={"b": False}),
        "`higher_is_positive` must name predictors; got ['b'].",
    ),
    (
        lambda: rs.Study(Y, A, higher_is_positive=1),
        "`higher_is_positive` must be True or False, or a dict of them",
    ),
    (
        lambda: rs.Study(Y, A, nan_policy="drop"),
        "`nan_policy` must be one of 'raise', 'omit', 'available'",
    ),
    (
        lambda: rs.Study(Y, A).auc(confidence_level=95),
        "`confidence_level` must be a number strictly between 0 and 1",
    ),
    (
        lambda: rs.Study(Y, A).auc(confidence_level="0.95"),
        "`confidence_level` must be a number strictly between 0 and 1",
    ),
    (lambda: rs.Study(Y, A).auc(interval="wlad"), "`interval` must be one of 'logit'"),
    (
        lambda: rs.Study(Y, A).auc(interval="percentile", rng="1"),
        "`rng` must be None, a whole number >= 0, a SeedSequence or a Generator",
    ),
    (
        lambda: rs.Study(Y, A).auc_draws(n_resamples=50),
        "`n_resamples` must be a whole number >= 100",
    ),
    (lambda: rs.Study(Y, A).auc(variance="obuchowski"), "`variance` must be one of 'delong'"),
    (
        lambda: rs.Study(Y, A).auc(variance="unbiased", interval="logit-t"),
        "`interval` 'logit-t' must be used with variance 'delong' (the interval uses",
    ),
    (
        lambda: rs.Study(Y, A, cluster=Y).auc(variance="hanley-mcneil"),
        "`variance` must be 'delong' when the study has clusters (it then becomes",
    ),
    (
        lambda: rs.Study(Y, A, fold=np.arange(18) % 2).auc(interval="newcombe"),
        "`interval` must be based on a variance when the study has folds, because the area",
    ),
    (
        lambda: rs.Study(Y, A, fold=(np.arange(18) < 2).astype(int)).auc(),
        "`fold` must have both classes in every fold; got 2 positives and 0 negatives in fold '1'.",
    ),
    (
        lambda: rs.Study(Y, {"a": A, "b": -A}, fold=np.arange(18) < 2).compare_auc(),
        "`fold` must have both classes in every fold; got 2 positives and 0 negatives in fold"
        " 'True'.",
    ),
    (
        lambda: rs.Study(
            Y, A, fold=np.arange(18) % 2, sample_weight=1.0 - Y * (np.arange(18) % 2)
        ).roc_average(),
        "`fold` must have both classes in every fold; got 4 positives and 5 negatives in fold"
        " '1', where a class has only sample_weight 0.",
    ),
    (
        lambda: rs.Study(Y, A, fold=(np.arange(18) < 2).astype(int)).roc_curve(by="fold"),
        "`fold` must have both classes in every fold; got 2 positives and 0 negatives in fold '1'.",
    ),
    (lambda: rs.Study(Y, A).roc_curve(by="fold"), "`by` must stay None without folds"),
    (lambda: rs.Study(Y, A).roc_curve(ties="random"), "`ties` must be one of 'expected'"),
    (
        lambda: rs.Study(Y, A).compare_auc(),
        "`y_score` must hold two or more predictors to be compared",
    ),
    (
        lambda: rs.Study(Y, A).test_equal_auc(),
        "`y_score` must hold at least two predictors for a test of equality",
    ),
    (
        lambda: rs.Study(Y, A).compare_auc(across="groups"),
        "`across` must be 'predictors' without groups",
    ),
    (
        lambda: rs.Study(Y, A, group=(np.arange(18) < 2).astype(int)).compare_auc(across="groups"),
        "`group` must have both classes in each compared group; got 2 positives and 0"
        " negatives in '1'.",
    ),
    (
        lambda: rs.Study(Y, A, group=np.arange(18) % 2, cluster=Y).test_equal_groups(),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'.",
    ),
    (lambda: compare(reference="c"), "`reference` must be one of 'a', 'b'"),
    (
        lambda: compare(contrasts={"mean": [0.5, 0.5]}),
        "`contrasts` must be finite, not all 0 and sum to 0; got [0.5, 0.5] for 'mean'.",
    ),
    (
        lambda: compare(contrasts=[[1, 0, -1]]),
        "`contrasts` must have one weight for each of ['a', 'b']; got shape (1, 3).",
    ),
    (
        lambda: compare(contrasts=[[1, -1]], reference="a"),
        "`reference` must stay None when `contrasts` are given",
    ),
    (lambda: compare(margin=0.1), "`margin` must stay None for the hypothesis 'difference'"),
    (
        lambda: compare(hypothesis="non-inferiority"),
        "`margin` must be given for the hypothesis 'non-inferiority'",
    ),
    (
        lambda: compare(hypothesis="equivalence", margin=-0.1),
        "`margin` must be a number strictly between 0 and 1",
    ),
    (
        lambda: compare(hypothesis="equivalence", margin=0.3, fpr_range=(0, 0.2)),
        "`margin` must be a number strictly between 0 and 0.2",
    ),
    (
        lambda: compare(hypothesis="non-inferorty", margin=0.1),
        "`hypothesis` must be one of 'difference'",
    ),
    (
        lambda: compare(hypothesis="superiority", alternative="greater"),
        "`alternative` must stay 'two-sided' for the hypothesis 'superiority', which determines"
        " the side",
    ),
    (
        lambda: compare(hypothesis="superiority", null_value=0.1),
        "`null_value` must stay 0 for the hypothesis 'superiority'",
    ),
    (
        lambda: compare(hypothesis="equivalence", margin=0.1, confidence_level=0.5),
        "`confidence_level` must exceed 0.5 for equivalence (the interval has the level 2 *"
        " confidence_level - 1)",
    ),
    (lambda: compare(method="DeLog"), "`method` must be one of None, 'delong'"),
    (lambda: compare(adjust="tukey"), "`adjust` must be one of 'holm'"),
    (
        lambda: compare(method="delong", interval="percentile"),
        "`interval` must be 't', 'wald' or 'mover' for the method 'delong'",
    ),
    (
        lambda: compare(method="hanley-mcneil", interval="t"),
        "`interval` must be 'wald' or 'mover' for the method 'hanley-mcneil', whose variance has"
        " no degrees of freedom",
    ),
    (lambda: compare(interval="logit"), "`interval` must be one of None"),
    (
        lambda: compare(correlation="kendall"),
        "`correlation` must stay None for the method 'delong'",
    ),
    (
        lambda: compare(same_scale=True),
        "`same_scale` must stay False for the method 'delong', which exchanges no values",
    ),
    (
        lambda: compare(
            roles={"higher_is_positive": {"b": False}}, method="permutation", same_scale=True
        ),
        "`same_scale` must stay False for predictors of opposite directions",
    ),
    (
        lambda: GROUPS.compare_auc(method="permutation", across="groups"),
        "`method` must be a method without permutations across groups, because their cases differ",
    ),
    (
        lambda: compare(method="permutation", hypothesis="equivalence", margin=0.1),
        "`method` must be 'delong', 'bootstrap' or 'hanley-mcneil' for a null value or margin"
        " other than 0, because values are then not exchangeable",
    ),
    (
        lambda: compare(method="permutation", fpr_range=(0, 0.1)),
        "`method` must be 'delong' or 'bootstrap' for a partial area",
    ),
    (
        lambda: compare(method="permutation", contrasts=[[1, -1]]),
        "`method` must be 'delong' or 'bootstrap' for contrasts",
    ),
    (
        lambda: compare(method="hanley-mcneil", adjust="single-step"),
        "`adjust` must be 'holm', 'bonferroni' or 'none' for the method 'hanley-mcneil', which"
        " has no joint covariance",
    ),
    (
        lambda: compare(hypothesis="equivalence", margin=0.1, adjust="single-step"),
        "`adjust` must be 'holm', 'bonferroni' or 'none' for equivalence, which has two tests per"
        " row",
    ),
    (
        lambda: compare(roles={"sample_weight": Y + 1}, method="permutation"),
        "`method` must be 'bootstrap' (with interval='percentile') or 'delong' (estimates only)"
        " when the study has weights",
    ),
    (
        lambda: compare(roles={"cluster": np.arange(18) % 9}, method="bootstrap"),
        "`interval` must be 'percentile' when the study has clusters, because the bootstrap has"
        " no formula for other limits",
    ),
    (
        lambda: compare(method="bootstrap", tpr_range=(0.9, 1)),
        "`interval` must be 'percentile' for a partial area, because the bootstrap has no formula"
        " for other limits",
    ),
    (
        lambda: compare(roles={"cluster": np.arange(18) % 9}, method="hanley-mcneil"),
        "`method` must be 'delong' or 'bootstrap' when the study has clusters",
    ),
    (
        lambda: compare(roles={"fold": np.arange(18) % 2}, method="hanley-mcneil"),
        "`method` must be 'delong' or 'bootstrap' when the study has folds",
    ),
    (
        lambda: rs.Study(Y, {"a": np.where(A > 0.8, np.inf, A), "b": B}).compare_auc(
            method="hanley-mcneil"
        ),
        "`correlation` must be 'kendall' or 'kendall-by-class' for infinite scores",
    ),
    (
        lambda: compare(method="permutation", n_resamples=50),
        "`n_resamples` must be a whole number >= 99",
    ),
    (
        lambda: rs.Study(Y, A, group=np.arange(18) % 2, cluster=Y).compare_auc(
            across="groups", method="bootstrap", interval="percentile"
        ),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'.",
    ),
    (lambda: compare(null_value=1), "`null_value` must be a number strictly between -1 and 1"),
]


@each(("call", "message"), CASES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


def test_ragged_rows_are_named():
    with pytest.raises(
        rs.InputError, match="`y_score` must be one-dimensional; got rows of unequal"
    ):
        rs.Study([0, 1], [[1.0], [1.0, 2.0]])


def test_a_mistyped_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="positive_label"):
        rs.Study(Y, A, positive_label=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="level"):
        rs.Study(Y, A).auc(level=0.9)  # type: ignore[call-arg]


def test_an_input_error_is_a_value_error():
    assert issubclass(rs.InputError, ValueError)
