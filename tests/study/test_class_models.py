"""Studies of fitted classifiers of several classes: held-out cases, folds, refusals."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_validate

import rocstats as rs
from tests.quick import each

X, CODES = load_iris(return_X_y=True)
X, Y = X[:, :2], np.array(["virginica", "setosa", "versicolor"])[CODES]
MODEL = LogisticRegression(max_iter=500).fit(X[::2], Y[::2])
RIDGE = RidgeClassifier().fit(X[::2], Y[::2])


def test_scores_are_the_probabilities_by_label():
    study = rs.MulticlassStudy.from_estimator({"model": MODEL, "ridge": RIDGE}, X[1::2], Y[1::2])
    assert study.predictors == ("model", "ridge")
    assert set(study.classes) == set(Y)
    for p, table in enumerate((MODEL.predict_proba(X[1::2]), RIDGE.decision_function(X[1::2]))):
        for k, label in enumerate(study.classes):
            column = MODEL.classes_.tolist().index(label)
            np.testing.assert_array_equal(study.scores[p, k], table[:, column])
    by_hand = rs.MulticlassStudy(
        Y[1::2], pd.DataFrame(MODEL.predict_proba(X[1::2]), columns=MODEL.classes_)
    )
    alone = rs.MulticlassStudy.from_estimator(MODEL, X[1::2], Y[1::2])
    ours, theirs = alone.auc(), by_hand.auc()
    assert ours["estimate"].iloc[-1] == pytest.approx(theirs["estimate"].iloc[-1])
    assert alone.probability_scores()["estimate"].tolist() == pytest.approx(
        by_hand.probability_scores()["estimate"].tolist()
    )


class Columns:
    """A classifier of some classes whose scores are its features."""

    def __init__(self, classes, how="predict_proba"):
        self.classes_ = np.array(classes)
        setattr(self, how, lambda rows: rows)


def test_classes_may_stand_in_any_order_and_labels_be_numbers():
    table = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    study = rs.MulticlassStudy.from_estimator(
        {"one": Columns([3, 1, 2]), "two": Columns([1.0, 2.0, 3.0])}, table, [3, 1, 2]
    )
    place = [study.classes.index(label) for label in ("3", "1", "2")]
    np.testing.assert_array_equal(study.scores[0][place], table.T)
    place = [study.classes.index(label) for label in ("1", "2", "3")]
    np.testing.assert_array_equal(study.scores[1][place], table.T)
    roles = rs.MulticlassStudy.from_estimator(
        Columns([3, 1, 2]), table, [3, 1, 2], frequency=[2, 3, 4]
    )
    assert roles.n_of.sum() == 9


def test_a_decision_function_of_two_classes_has_two_columns():
    score = np.array([1.0, -2.0, 0.5])
    model = Columns(["no", "yes"], "decision_function")
    study = rs.MulticlassStudy.from_estimator(model, score, ["yes", "no", "yes"])
    np.testing.assert_array_equal(study.scores[0, study.classes.index("yes")], score)
    np.testing.assert_array_equal(study.scores[0, study.classes.index("no")], -score)


def test_cross_validated_scores_are_of_the_test_cases():
    cv = StratifiedKFold(3, shuffle=True, random_state=1)
    asked = {"return_estimator": True, "return_indices": True}
    results = cross_validate(LogisticRegression(max_iter=500), X, Y, cv=cv, **asked)
    site = np.arange(150) % 2
    study = rs.MulticlassStudy.from_cv_results({"model": results}, X, Y, group=site)
    tests = results["indices"]["test"]
    rows = np.concatenate(tests)
    assert study.fold.labels == ("1", "2", "3")
    assert [study.classes[code] for code in study.class_codes] == Y[rows].tolist()
    assert [study.group.labels[code] for code in study.group.codes] == site[rows].astype(
        str
    ).tolist()
    start = 0
    for model, test in zip(results["estimator"], tests, strict=True):
        table = model.predict_proba(X[test])
        for k, label in enumerate(study.classes):
            column = model.classes_.tolist().index(label)
            np.testing.assert_array_equal(
                study.scores[0, k, start : start + len(test)], table[:, column]
            )
        start += len(test)
    assert study.cluster is None
    repeated = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    results = cross_validate(LogisticRegression(max_iter=500), X, Y, cv=repeated, **asked)
    twice = rs.MulticlassStudy.from_cv_results(results, X, Y)
    assert len(twice.fold.labels) == 6
    assert len(twice.cluster.labels) == 150


MESSAGES = [
    (LogisticRegression(), Y[1::2], "`estimators` must be a fitted classifier with classes_"),
    (MODEL, Y[1::2][:60], "`X` must have as many rows as `y_true`"),
    (
        MODEL,
        np.where(Y[1::2] == "setosa", "other", Y[1::2]),
        "`estimators` must distinguish the classes",
    ),
    (Columns(MODEL.classes_), Y[1::2], "`estimators` must give one score for each class and row"),
    (
        LogisticRegression().fit(X[50:], Y[50:]),
        Y[1::2],
        "`estimators` must distinguish the classes",
    ),
]


@each(("model", "y", "message"), MESSAGES)
def test_message(model, y, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        rs.MulticlassStudy.from_estimator(model, X[1::2], y)


def test_messages_of_folds():
    with pytest.raises(rs.InputError, match="return_estimator=True"):
        rs.MulticlassStudy.from_cv_results({"estimator": [MODEL]}, X, Y)
    results = {"estimator": [MODEL], "indices": {"test": [np.arange(20)]}}
    with pytest.raises(rs.InputError, match="`cluster` must have as many rows"):
        rs.MulticlassStudy.from_cv_results(results, X, Y, cluster=[1, 2])
    short = LogisticRegression().fit(X[50:], Y[50:])
    results = {"estimator": [short], "indices": {"test": [np.arange(150)]}}
    message = re.escape("`results['estimator']` must distinguish the classes")
    with pytest.raises(rs.InputError, match=message):
        rs.MulticlassStudy.from_cv_results(results, X, Y)
