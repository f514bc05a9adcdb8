"""Bad input: the whole message, for every row of the table."""

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
PAIR = rs.Study(Y, {"a": A, "b": B})
GROUPS = rs.Study(Y, A, group=np.arange(18) % 2)
NAN = np.where(np.arange(18) % 8 == 2, np.nan, A)
NAN_LABEL = np.where(np.arange(18) == 4, np.nan, Y)
DATA = pd.DataFrame({"y": Y, "a": A})
TWICE = pd.DataFrame(np.column_stack([A, B]), columns=["a", "a"])
ARROW_TWICE = pa.table([pa.array(x) for x in (Y, A, B, B)], names=["y", "a", "a", "b"])

CASES = {
    "nan score": (
        lambda: rs.Study(Y, {"a": A, "b": NAN}),
        "`y_score` must have no missing values; got 2 of 'b' (rows 2, 10). Pass nan_policy='omit'"
        " to leave these rows out, or fill them in.",
    ),
    "nan label": (
        lambda: rs.Study(NAN_LABEL, A),
        "`y_true` must have no missing values; got 1 (row 4). Pass nan_policy='omit' to leave"
        " these rows out, or fill them in.",
    ),
    "no positive": (
        lambda: rs.Study(np.zeros(18), A),
        "`y_true` must hold both classes; got 0 positives (label 1) and 18 negatives. Check"
        " `pos_label`, and that cases of both classes are in the data.",
    ),
    "no negative": (
        lambda: rs.Study(["Poor"] * 18, A, pos_label="Poor"),
        "`y_true` must hold both classes; got 18 positives (label 'Poor') and 0 negatives. Check"
        " `pos_label`, and that cases of both classes are in the data.",
    ),
    "no class after frequencies": (
        lambda: rs.Study(Y, A, frequency=Y),
        "`y_true` must hold both classes; got 8 positives (label 1) and 0 negatives. Check"
        " `pos_label`, and that cases of both classes are in the data.",
    ),
    "labels that are words": (
        lambda: rs.Study(WORDS, A),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels"
        " 'Poor', 'Good'. Pass the label of the positive class.",
    ),
    "labels 1 and 2": (
        lambda: rs.Study(Y + 1, A),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels"
        " 2, 1. Pass the label of the positive class.",
    ),
    "unknown positive label": (
        lambda: rs.Study(WORDS, A, pos_label="poor"),
        "`pos_label` must be one of the labels of `y_true`: 'Poor', 'Good'; got 'poor'."
        " Did you mean 'Poor'?",
    ),
    "three labels": (
        lambda: rs.Study(np.arange(18) % 3, A),
        "`y_true` must hold two classes; got 3 labels: 0, 1, 2. Use MulticlassStudy for more"
        " classes, or pass one class against the rest.",
    ),
    "three labels with a positive one": (
        lambda: rs.Study(np.arange(18) % 3, A, pos_label=2),
        "`y_true` must hold two classes; got 3 labels: 0, 1, 2. Use MulticlassStudy for more"
        " classes, or pass one class against the rest.",
    ),
    "lengths": (
        lambda: rs.Study(Y, A[:17]),
        "`y_score` must have as many rows as `y_true`; got shapes (17,) and (18,). Pass one value"
        " per row.",
    ),
    "length of a role": (
        lambda: rs.Study(Y, A, cluster=[1, 2]),
        "`cluster` must have as many rows as `y_true`; got shapes (2,) and (18,). Pass one value"
        " per row.",
    ),
    "three dimensions": (
        lambda: rs.Study(Y, np.zeros((18, 2, 2))),
        "`y_score` must be one-dimensional; got shape (18, 2, 2). Pass one value per row.",
    ),
    "a scalar": (
        lambda: rs.Study(Y, 0.5),
        "`y_score` must be one-dimensional; got shape (). Pass one value per row.",
    ),
    "no columns": (
        lambda: rs.Study(Y, np.zeros((18, 0))),
        "`y_score` must have at least one column; got shape (18, 0). Pass the scores.",
    ),
    "matrix of labels": (
        lambda: rs.Study(np.column_stack([Y, 1 - Y]), A),
        "`y_true` must be one-dimensional; got shape (18, 2). Pass one value per row.",
    ),
    "empty": (
        lambda: rs.Study([], []),
        "`y_true` must have at least one row; got shape (0,). Pass the data.",
    ),
    "unequal indexes": (
        lambda: rs.Study(pd.Series(Y), pd.Series(A, index=range(1, 19))),
        "`y_score` must have the same index as `y_true`; got unequal indexes (1 and 0 in row 0),"
        " which are never paired by position. Align them, or pass .to_numpy() of both if the rows"
        " do correspond.",
    ),
    "scores that are words": (
        lambda: rs.Study(Y, WORDS),
        "`y_score` must be numbers; got 18 cells of text: 'Poor' (row 0), 'Good' (row 8). Convert"
        " it to numbers, or to ordered categories.",
    ),
    "scores that are words in a frame": (
        lambda: rs.Study(Y, pd.DataFrame({"a": WORDS})),
        "`y_score` must be numbers; got 18 cells of text in column 'a': 'Poor' (row 0), 'Good' (row"
        " 8). Convert it to numbers, or to ordered categories.",
    ),
    "scores that are words in polars": (
        lambda: rs.Study(Y, pl.Series(["0.5"] * 18)),
        "`y_score` must be numbers; got 18 cells of text: '0.5' (row 0). Convert it to"
        " numbers, or to ordered categories.",
    ),
    "a group 1 and a group '1'": (
        lambda: rs.Study(Y, A, group=[1, "1"] * 9),
        "`group` must not hold labels that could be mixed up; got 1 and '1'. Make all of them"
        " texts, or all of them numbers.",
    ),
    "a cluster 1.0 and a cluster '1'": (
        lambda: rs.Study(Y, A, cluster=np.array([1.0, "1", 2] * 6, dtype=object)),
        "`cluster` must not hold labels that could be mixed up; got 1.0 and '1'. Make all of them"
        " texts, or all of them numbers.",
    ),
    "a fold True and a fold 1": (
        lambda: rs.Study(Y, A, fold=pd.Series([True, 1, 2] * 6, dtype=object)),
        "`fold` must not hold labels that could be mixed up; got True and 1. Make all of them"
        " texts, or all of them numbers.",
    ),
    "a label 1 and a label '1'": (
        lambda: rs.Study([1, "1", 0] * 6, A, pos_label=1),
        "`y_true` must not hold labels that could be mixed up; got 1 and '1'. Make all of them"
        " texts, or all of them numbers.",
    ),
    "a class 1 and a class '1'": (
        lambda: rs.MulticlassStudy(pd.Categorical([1, "1", 0] * 6), np.ones((18, 2))),
        "`y_true` must not hold labels that could be mixed up; got 1 and '1'. Make all of them"
        " texts, or all of them numbers.",
    ),
    "groups that are lists": (
        lambda: rs.Study(Y, A, group=pd.Series([[1], [2]] * 9)),
        "`group` must hold labels; got unhashable type: 'list'. Pass texts or numbers.",
    ),
    "classifiers 1 and '1'": (
        lambda: rs.MulticlassStudy(Y, {1: np.ones((18, 2)), "1": np.ones((18, 2))}),
        "`y_score` must have names that differ as text; got ['1', '1']. Rename one of them.",
    ),
    "unordered categories": (
        lambda: rs.Study(Y, pd.Categorical(WORDS)),
        "`y_score` must be numbers or ordered categories; got unordered categories. Say their"
        " order with pandas.Categorical(..., ordered=True).",
    ),
    "complex scores": (
        lambda: rs.Study(Y, A + 1j),
        "`y_score` must be numbers; got complex128 values. Convert them to numbers, or to ordered"
        " categories.",
    ),
    "integers that floats cannot hold": (
        lambda: rs.Study([1, 0], np.array([2**53, 2**53 + 1])),
        "`y_score` must be exact as 64-bit floats; got integers beyond 2**53, of which some would"
        " become equal. Pass their ranks.",
    ),
    "negative frequency": (
        lambda: rs.Study(Y, A, frequency=np.where(np.arange(18) == 3, -1, 1)),
        "`frequency` must be whole numbers >= 0; got -1 in row 3 and 1 such values. Correct or"
        " remove these rows.",
    ),
    "fractional frequency": (
        lambda: rs.Study(Y, A, frequency=np.full(18, 1.5)),
        "`frequency` must be whole numbers >= 0; got 1.5 in row 0 and 18 such values. Correct or"
        " remove these rows.",
    ),
    "nan frequency": (
        lambda: rs.Study(Y, A, frequency=np.full(18, np.nan)),
        "`frequency` must be whole numbers >= 0; got nan in row 0 and 18 such values. Correct or"
        " remove these rows.",
    ),
    "negative weight": (
        lambda: rs.Study(Y, A, sample_weight=np.full(18, -0.5)),
        "`sample_weight` must be finite numbers >= 0; got -0.5 in row 0 and 18 such values."
        " Correct or remove these rows.",
    ),
    "weights beyond every unit": (
        lambda: rs.Study(Y, A, sample_weight=np.where(Y == 1, 1e200, 1)),
        "`sample_weight` must have its largest value between 1e-50 and 1e+50; got 1e+200."
        " Express it in another unit.",
    ),
    "a class without weight": (
        lambda: rs.Study(Y, A, sample_weight=Y),
        "`sample_weight` must have a positive sum in each class; got a class with sum 0. Give at"
        " least one positive and one negative a weight.",
    ),
    "duplicate columns": (
        lambda: rs.Study(Y, TWICE),
        "`y_score` must have unique names; got ['a'] more than once. Rename the columns.",
    ),
    "a name of two columns": (
        lambda: rs.Study(Y, "a", data=TWICE),
        "`y_score` must name one column of `data`; got 'a', of which there are 2 columns. The"
        " columns are ['a', 'a'].",
    ),
    "both columns of a name": (
        lambda: rs.Study(TWICE["a"], A),
        "`y_true` must have unique names; got ['a'] more than once. Rename the columns.",
    ),
    "both columns of a name as a role": (
        lambda: rs.Study(Y, A, group=TWICE["a"]),
        "`group` must have unique names; got ['a'] more than once. Rename the columns.",
    ),
    "an Arrow table with a name of two columns": (
        lambda: rs.Study("y", "b", data=ARROW_TWICE),
        "`data` must have unique names; got ['a'] more than once. Rename the columns.",
    ),
    "an Arrow table of scores with a name of two columns": (
        lambda: rs.Study(Y, ARROW_TWICE),
        "`y_score` must have unique names; got ['a'] more than once. Rename the columns.",
    ),
    "a name without data": (
        lambda: rs.Study("y", A),
        "`y_true` must be an array unless `data` is given; got the name 'y'. Pass data=, the frame"
        " that has this column.",
    ),
    "an unknown column": (
        lambda: rs.Study("y", ["a", "z"], data=DATA),
        "`y_score` must name one column of `data`; got 'z', of which there is no column. The"
        " columns are ['y', 'a'].",
    ),
    "a lazy frame": (
        lambda: rs.Study("y", "a", data=pl.LazyFrame({"y": [1, 0], "a": [1.0, 0.0]})),
        "`data` must be held in memory; got a lazy frame. Call its collect() first, or count its"
        " scores where they are: count_scores(frame, 'label', 'score').",
    ),
    "data that is no frame": (
        lambda: rs.Study("y", "a", data=3),
        "`data` must be a dataframe or a dict of columns; got int. Pass a pandas or polars frame.",
    ),
    "names for named scores": (
        lambda: rs.Study(Y, {"a": A}, predictor="b"),
        "`predictor` must stay None when `y_score` has names of its own; got 'b'. Rename the"
        " columns instead.",
    ),
    "too few names": (
        lambda: rs.Study(Y, np.column_stack([A, B]), predictor=["a"]),
        "`predictor` must name each of the 2 columns of `y_score`; got 1 names. Pass one name per"
        " column.",
    ),
    "direction of nobody": (
        lambda: rs.Study(Y, A, higher_is_positive={"b": False}),
        "`higher_is_positive` must name predictors; got ['b']. The predictors are ['score'].",
    ),
    "direction that is a number": (
        lambda: rs.Study(Y, A, higher_is_positive=1),
        "`higher_is_positive` must be True or False, or a dict of them; got 1. Say for each"
        " predictor whether higher scores mean positive.",
    ),
    "unknown nan policy": (
        lambda: rs.Study(Y, A, nan_policy="drop"),
        "`nan_policy` must be one of 'raise', 'omit', 'available'; got 'drop'. Pass one of these.",
    ),
    "negative cell": (
        lambda: rs.Study.from_confusion(tp=1, fn=-1, fp=1, tn=1),
        "`fn` must be a whole number >= 0; got -1. Pass the count of cases.",
    ),
    "confidence level": (
        lambda: rs.Study(Y, A).auc(confidence_level=95),
        "`confidence_level` must be a number strictly between 0 and 1; got 95. Pass a value inside"
        " (0, 1).",
    ),
    "confidence level that is text": (
        lambda: rs.Study(Y, A).auc(confidence_level="0.95"),
        "`confidence_level` must be a number strictly between 0 and 1; got '0.95'. Pass a value"
        " inside (0, 1).",
    ),
    "unknown interval": (
        lambda: rs.Study(Y, A).auc(interval="wlad"),
        "`interval` must be one of 'logit', 'wald', 'probit', 'logit-t', 'newcombe',"
        " 'hanley-mcneil-score', 'exact', 'effective-wilson', 'percentile',"
        " 'bca'; got 'wlad'. Did you mean 'wald'?",
    ),
    "bca of weights": (
        lambda: rs.Study(Y, A, sample_weight=A).auc(interval="bca"),
        "`interval` must be 'percentile' when the study has weights; got 'bca', whose acceleration"
        " is not defined for them. Use interval='percentile'.",
    ),
    "stratified clusters": (
        lambda: rs.Study(Y, A, cluster=Y).auc(interval="percentile", stratified=True),
        "`stratified` must not be True when the study has clusters, which are resampled whole; got"
        " True. Leave it out.",
    ),
    "a seed that is text": (
        lambda: rs.Study(Y, A).auc(interval="percentile", rng="1"),
        "`rng` must be None, a whole number >= 0, a SeedSequence or a Generator; got '1'. Pass an"
        " integer to make the result repeatable.",
    ),
    "too few resamples": (
        lambda: rs.Study(Y, A).auc_draws(n_resamples=50),
        "`n_resamples` must be a whole number >= 100; got 50. Use 2000 or more for printed"
        " results.",
    ),
    "unknown variance": (
        lambda: rs.Study(Y, A).auc(variance="obuchowski"),
        "`variance` must be one of 'delong', 'hanley-mcneil', 'hanley-mcneil-data', 'unbiased',"
        " 'bootstrap', 'ledell'; got 'obuchowski'. Pass one of these.",
    ),
    "t without degrees of freedom": (
        lambda: rs.Study(Y, A).auc(variance="unbiased", interval="logit-t"),
        "`interval` 'logit-t' must go with variance 'delong', whose parts it uses; got"
        " 'unbiased'. Use interval='logit', or variance='delong'.",
    ),
    "a variance that ignores clusters": (
        lambda: rs.Study(Y, A, cluster=Y).auc(variance="hanley-mcneil"),
        "`variance` must be 'delong' when the study has clusters (it becomes Obuchowski's); got"
        " 'hanley-mcneil'. Leave `variance` out.",
    ),
    "a score interval over folds": (
        lambda: rs.Study(Y, A, fold=np.arange(18) % 2).auc(interval="newcombe"),
        "`interval` must rest on a variance when the study has folds, whose area is a mean; got"
        " 'newcombe'. Use 'logit', 'wald', 'probit' or 'logit-t'.",
    ),
    "a fold lacking a class": (
        lambda: rs.Study(Y, A, fold=(np.arange(18) < 2).astype(int)).auc(),
        "`fold` must leave both classes in every fold; got 2 positives and 0 negatives in fold"
        " '1'. Stratify the folds, or merge them.",
    ),
    "predictors compared over a fold lacking a class": (
        lambda: rs.Study(Y, {"a": A, "b": -A}, fold=np.arange(18) < 2).compare_auc(),
        "`fold` must leave both classes in every fold; got 2 positives and 0 negatives in fold"
        " 'True'. Stratify the folds, or merge them.",
    ),
    "a fold with a class of weight 0": (
        lambda: rs.Study(
            Y, A, fold=np.arange(18) % 2, sample_weight=1.0 - Y * (np.arange(18) % 2)
        ).roc_average(),
        "`fold` must leave both classes in every fold; got 4 positives and 5 negatives in fold"
        " '1', of a class with sample_weight 0. Stratify the folds, or merge them.",
    ),
    "a class that is none": (
        lambda: rs.MulticlassStudy([0, 1], [[1, 0], [0, 1]]).one_against_rest(2),
        "`k` must be under 2; got 2. Pass a place in ['0', '1'].",
    ),
    "a curve of a fold lacking a class": (
        lambda: rs.Study(Y, A, fold=(np.arange(18) < 2).astype(int)).roc_curve(by="fold"),
        "`fold` must leave both classes in every fold; got 2 positives and 0 negatives in fold"
        " '1'. Stratify the folds, or merge them.",
    ),
    "curves by fold without folds": (
        lambda: rs.Study(Y, A).roc_curve(by="fold"),
        "`by` must stay None without folds; got 'fold'. Pass fold= to the study.",
    ),
    "unknown tie rule": (
        lambda: rs.Study(Y, A).roc_curve(ties="random"),
        "`ties` must be one of 'expected', 'optimistic', 'pessimistic'; got 'random'. Pass one of"
        " these.",
    ),
    "nothing to compare": (
        lambda: rs.Study(Y, A).compare_auc(),
        "`y_score` must hold two predictors or more to be compared; got 1. Pass more"
        " predictors to the study.",
    ),
    "one predictor tested for equality": (
        lambda: rs.Study(Y, A).test_equal_auc(),
        "`y_score` must hold at least two predictors for a test of equality; got 1. Pass the scores"
        " of the others too.",
    ),
    "no groups to compare": (
        lambda: rs.Study(Y, A).compare_auc(across="groups"),
        "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study.",
    ),
    "a group lacking a class compared": (
        lambda: rs.Study(Y, A, group=(np.arange(18) < 2).astype(int)).compare_auc(across="groups"),
        "`group` must leave both classes in groups that are compared; got 2 positives and 0"
        " negatives in '1'. Merge it with another, or leave it out.",
    ),
    "clusters across compared groups": (
        lambda: rs.Study(Y, A, group=np.arange(18) % 2, cluster=Y).test_equal_groups(),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'. Compare"
        " predictors instead, or split such clusters.",
    ),
    "unknown reference": (
        lambda: rs.Study(Y, {"a": A, "b": B}).compare_auc(reference="c"),
        "`reference` must be one of 'a', 'b'; got 'c'. Pass one of these.",
    ),
    "contrast that does not sum to zero": (
        lambda: rs.Study(Y, {"a": A, "b": B}).compare_auc(contrasts={"mean": [0.5, 0.5]}),
        "`contrasts` must be finite, not all 0 and sum to 0; got [0.5, 0.5] for 'mean'. Make the"
        " weights sum to 0.",
    ),
    "contrast of the wrong width": (
        lambda: rs.Study(Y, {"a": A, "b": B}).compare_auc(contrasts=[[1, 0, -1]]),
        "`contrasts` must have one weight for each of ['a', 'b']; got shape (1, 3). Pass a row of"
        " weights per contrast.",
    ),
    "contrasts beside a reference": (
        lambda: rs.Study(Y, {"a": A, "b": B}).compare_auc(contrasts=[[1, -1]], reference="a"),
        "`reference` must stay None when `contrasts` are given; got 'a'. Leave one of them out.",
    ),
    "margin without a hypothesis": (
        lambda: PAIR.compare_auc(margin=0.1),
        "`margin` must stay None for the hypothesis 'difference'; got 0.1. Pass"
        " hypothesis='superiority', 'non-inferiority' or 'equivalence' with it.",
    ),
    "hypothesis without a margin": (
        lambda: PAIR.compare_auc(hypothesis="non-inferiority"),
        "`margin` must be given for the hypothesis 'non-inferiority'; got None. Pass the largest"
        " difference that does not matter, chosen before the data were seen.",
    ),
    "negative margin": (
        lambda: PAIR.compare_auc(hypothesis="equivalence", margin=-0.1),
        "`margin` must be a number strictly between 0 and 1; got -0.1. Pass a value inside (0, 1).",
    ),
    "margin beyond the range": (
        lambda: PAIR.compare_auc(hypothesis="equivalence", margin=0.3, fpr_range=(0, 0.2)),
        "`margin` must be a number strictly between 0 and 0.2; got 0.3. Pass a value inside"
        " (0, 0.2).",
    ),
    "unknown hypothesis": (
        lambda: PAIR.compare_auc(hypothesis="non-inferorty", margin=0.1),
        "`hypothesis` must be one of 'difference', 'superiority', 'non-inferiority',"
        " 'equivalence'; got 'non-inferorty'. Did you mean 'non-inferiority'?",
    ),
    "side of a hypothesis": (
        lambda: PAIR.compare_auc(hypothesis="superiority", alternative="greater"),
        "`alternative` must stay 'two-sided' for the hypothesis 'superiority', which determines"
        " the side; got 'greater'. Leave `alternative` out.",
    ),
    "null value of a hypothesis": (
        lambda: PAIR.compare_auc(hypothesis="superiority", null_value=0.1),
        "`null_value` must stay 0 for the hypothesis 'superiority'; got 0.1. Pass `margin`"
        " instead.",
    ),
    "level of equivalence": (
        lambda: PAIR.compare_auc(hypothesis="equivalence", margin=0.1, confidence_level=0.5),
        "`confidence_level` must exceed 0.5 for equivalence, whose interval has the level"
        " 2 * confidence_level - 1; got 0.5. Pass for instance 0.95.",
    ),
    "unknown comparison": (
        lambda: PAIR.compare_auc(method="DeLog"),
        "`method` must be one of 'delong', 'permutation', 'permutation-asymptotic', 'bootstrap',"
        " 'hanley-mcneil'; got 'DeLog'. Did you mean 'delong'?",
    ),
    "unknown adjustment": (
        lambda: PAIR.compare_auc(adjust="tukey"),
        "`adjust` must be one of 'holm', 'bonferroni', 'none', 'single-step'; got 'tukey'. Pass one"
        " of these.",
    ),
    "percentiles without a bootstrap": (
        lambda: PAIR.compare_auc(interval="percentile"),
        "`interval` must be 't', 'wald' or 'mover' for the method 'delong'; got 'percentile'. Pass"
        " method='bootstrap'.",
    ),
    "t of exponential standard errors": (
        lambda: PAIR.compare_auc(method="hanley-mcneil", interval="t"),
        "`interval` must be 'wald' or 'mover' for the method 'hanley-mcneil', whose variance has no"
        " degrees of freedom; got 't'. Pass interval='wald'.",
    ),
    "unknown interval of a difference": (
        lambda: PAIR.compare_auc(interval="logit"),
        "`interval` must be one of None, 't', 'wald', 'mover', 'percentile'; got 'logit'. Pass one"
        " of these.",
    ),
    "correlation of another method": (
        lambda: PAIR.compare_auc(correlation="kendall"),
        "`correlation` must stay None for the method 'delong'; got 'kendall'. Pass"
        " method='hanley-mcneil'.",
    ),
    "scale of another method": (
        lambda: PAIR.compare_auc(same_scale=True),
        "`same_scale` must stay False for the method 'delong', which exchanges no values; got True."
        " Pass method='permutation'.",
    ),
    "one scale in two directions": (
        lambda: rs.Study(Y, {"a": A, "b": B}, higher_is_positive={"b": False}).compare_auc(
            method="permutation", same_scale=True
        ),
        "`same_scale` must stay False for predictors of opposite directions; got True. Leave it"
        " out: ranks are exchanged then.",
    ),
    "permutation across groups": (
        lambda: GROUPS.compare_auc(method="permutation", across="groups"),
        "`method` must be another than a permutation across groups, whose cases differ; got"
        " 'permutation'. Pass method='delong'.",
    ),
    "permutation against a margin": (
        lambda: PAIR.compare_auc(method="permutation", hypothesis="equivalence", margin=0.1),
        "`method` must be 'delong', 'bootstrap' or 'hanley-mcneil' for a null value or margin other"
        " than 0, under which values are not exchangeable; got 'permutation'. Pass"
        " method='delong'.",
    ),
    "permutation of a partial area": (
        lambda: PAIR.compare_auc(method="permutation", fpr_range=(0, 0.1)),
        "`method` must be 'delong' or 'bootstrap' for a partial area; got 'permutation'. Pass"
        " method='delong'.",
    ),
    "permutation of contrasts": (
        lambda: PAIR.compare_auc(method="permutation", contrasts=[[1, -1]]),
        "`method` must be 'delong' or 'bootstrap' for contrasts; got 'permutation'."
        " Pass method='delong'.",
    ),
    "no joint law": (
        lambda: PAIR.compare_auc(method="hanley-mcneil", adjust="single-step"),
        "`adjust` must be 'holm', 'bonferroni' or 'none' for the method 'hanley-mcneil', which has"
        " no joint covariance; got 'single-step'. Pass one of these, or method='delong'.",
    ),
    "single step of equivalence": (
        lambda: PAIR.compare_auc(hypothesis="equivalence", margin=0.1, adjust="single-step"),
        "`adjust` must be 'holm', 'bonferroni' or 'none' for equivalence, which takes two tests a"
        " row; got 'single-step'. Pass one of these.",
    ),
    "weights compared by a permutation": (
        lambda: rs.Study(Y, {"a": A, "b": B}, sample_weight=Y + 1).compare_auc(
            method="permutation"
        ),
        "`method` must be 'bootstrap' with interval='percentile', or 'delong' for estimates alone,"
        " when the study has weights; got 'permutation'. Pass one of these.",
    ),
    "closed bootstrap of clusters": (
        lambda: rs.Study(Y, {"a": A, "b": B}, cluster=np.arange(18) % 9).compare_auc(
            method="bootstrap"
        ),
        "`interval` must be 'percentile' when the study has clusters, where the bootstrap has no"
        " closed form; got 't'. Pass interval='percentile'.",
    ),
    "closed bootstrap of a partial area": (
        lambda: PAIR.compare_auc(method="bootstrap", tpr_range=(0.9, 1)),
        "`interval` must be 'percentile' for a partial area, where the bootstrap has no closed"
        " form; got 't'. Pass interval='percentile'.",
    ),
    "Hanley-McNeil with clusters": (
        lambda: rs.Study(Y, {"a": A, "b": B}, cluster=np.arange(18) % 9).compare_auc(
            method="hanley-mcneil"
        ),
        "`method` must be 'delong' or 'bootstrap' when the study has clusters; got"
        " 'hanley-mcneil'. Pass method='delong'.",
    ),
    "Hanley-McNeil with folds": (
        lambda: rs.Study(Y, {"a": A, "b": B}, fold=np.arange(18) % 2).compare_auc(
            method="hanley-mcneil"
        ),
        "`method` must be 'delong' or 'bootstrap' when the study has folds; got 'hanley-mcneil'."
        " Pass method='delong'.",
    ),
    "Pearson of infinite scores": (
        lambda: rs.Study(Y, {"a": np.where(A > 0.8, np.inf, A), "b": B}).compare_auc(
            method="hanley-mcneil"
        ),
        "`correlation` must be 'kendall' or 'kendall-by-class' for infinite scores; got a Pearson"
        " correlation, which they do not have. Pass correlation='kendall'.",
    ),
    "few permutations": (
        lambda: PAIR.compare_auc(method="permutation", n_resamples=50),
        "`n_resamples` must be a whole number >= 99; got 50. Use 9999 or more for printed results.",
    ),
    "shared clusters resampled": (
        lambda: rs.Study(Y, A, group=np.arange(18) % 2, cluster=Y).compare_auc(
            across="groups", method="bootstrap", interval="percentile"
        ),
        "`cluster` must not span groups that are compared; got cluster '1' in '0' and '1'. Compare"
        " predictors instead, or split such clusters.",
    ),
    "null value of a difference": (
        lambda: rs.Study(Y, {"a": A, "b": B}).compare_auc(null_value=1),
        "`null_value` must be a number strictly between -1 and 1; got 1. Pass a value inside"
        " (-1, 1).",
    ),
}


@each("name", list(CASES))
def test_message(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
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
