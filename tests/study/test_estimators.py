"""Studies of fitted and of cross-validated classifiers, and of two samples."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_validate

import rocstats as rs


@pytest.fixture
def data(rng) -> tuple[pd.DataFrame, np.ndarray]:
    y = np.tile([1, 0, 0], 30)
    return pd.DataFrame(rng.normal(size=(90, 2)) + 0.8 * y[:, np.newaxis], columns=["a", "b"]), y


def cross_validated(X, y, cv) -> dict[str, dict]:
    models = {"logistic": LogisticRegression(), "lda": LinearDiscriminantAnalysis()}
    kept = {"return_estimator": True, "return_indices": True, "scoring": "roc_auc"}
    return {name: cross_validate(model, X, y, cv=cv, **kept) for name, model in models.items()}


@pytest.mark.parametrize("labels", [[0, 1], ["well", "ill"], ["a", "z"]])
def test_scores_are_those_of_the_positive_class(data, labels):
    X, y = data
    named = np.array(labels)[y]
    models = {"p": LogisticRegression().fit(X, named), "f": RidgeClassifier().fit(X, named)}
    study = rs.Study.from_estimator(models, X, named, pos_label=labels[1])
    assert study.predictors == ("p", "f")
    found = study.auc()["estimate"]
    last = labels[1] == max(labels)  # of classes_, which are sorted
    chance = models["p"].predict_proba(X)[:, int(last)]
    distance = models["f"].decision_function(X) * (1 if last else -1)
    expected = [roc_auc_score(y, chance), roc_auc_score(y, distance)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_one_classifier_needs_no_name_and_roles_are_those_of_the_study(data):
    X, y = data
    cluster = np.arange(90) // 2
    study = rs.Study.from_estimator(LogisticRegression().fit(X, y), X, y, cluster=cluster)
    assert study.predictors == ("score",)
    assert study.cluster is not None


@pytest.mark.parametrize("form", [lambda X: X, lambda X: X.to_numpy()])
def test_areas_of_folds_are_those_that_were_cross_validated(data, form):
    X, y = form(data[0]), data[1]
    results = cross_validated(X, y, StratifiedKFold(5))
    study = rs.Study.from_cv_results(results, X, y)
    assert study.predictors == ("logistic", "lda")
    assert (study.fold is not None, study.cluster) == (True, None)
    found = study.auc()["estimate"]
    expected = [result["test_score"].mean() for result in results.values()]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
    assert study.n_pos == y.sum()
    assert study.compare_auc()["p_value"].between(0, 1).all()


def test_a_case_that_is_tested_again_is_a_cluster(data):
    X, y = data
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    study = rs.Study.from_cv_results(cross_validated(X, y, folds)["lda"], X, y)
    assert study.predictors == ("score",)
    assert len(study.fold.labels) == 6
    assert len(study.cluster.labels) == 90
    assert len(study.is_positive) == 180


def test_roles_go_with_their_cases(data):
    X, y = data
    site = np.array(["u", "v", "w"])[np.arange(90) // 3 % 3]
    patient = np.arange(90) // 3
    results = cross_validated(X, y, StratifiedKFold(3))
    study = rs.Study.from_cv_results(results, X, y, group=site, cluster=patient)
    rows = np.concatenate([np.arange(90)[i] for i in results["lda"]["indices"]["test"]])
    assert np.array(study.group.labels)[study.group.codes].tolist() == site[rows].tolist()
    assert len(study.cluster.labels) == 30


def test_two_samples_are_a_study():
    positives = {"x": [3.0, 2, 5], "z": [1, 2, 4]}
    negatives = pd.DataFrame({"x": [1.0, 2], "z": [3.0, 0]})
    study = rs.Study.from_samples(positives=positives, negatives=negatives)
    plain = rs.Study([1, 1, 1, 0, 0], {"x": [3, 2, 5, 1, 2], "z": [1, 2, 4, 3, 0]})
    pd.testing.assert_frame_equal(study.auc().copy(), plain.auc().copy())
    sides = {"positives": np.array([3, 4]), "negatives": [1, 9]}
    one = rs.Study.from_samples(**sides, higher_is_positive=False)
    assert one.roc_curve()["direction"].unique().tolist() == ["<="]
    with pytest.raises(TypeError, match="positional"):
        rs.Study.from_samples([3, 4], [1, 9])


FITTED = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 1])
FOLDS = {"estimator": [FITTED], "indices": {"test": [[0, 1, 2]]}}
MESSAGES = {
    "a classifier that is not fitted": (
        lambda: rs.Study.from_estimator({"m": LogisticRegression()}, [[0]], [1]),
        "`estimators` must be a fitted classifier with classes_ and predict_proba or"
        " decision_function; got LogisticRegression without them. Fit it first.",
    ),
    "other cases": (
        lambda: rs.Study.from_estimator(FITTED, [[0.0], [1.0]], [0, 1, 1]),
        "`X` must have as many rows as `y_true`; got 2 and 3. Pass the outcome of the same cases.",
    ),
    "results without classifiers": (
        lambda: rs.Study.from_cv_results({"m": {"test_score": [0.5]}}, [[0.0]], [0]),
        "`results` must hold the classifiers and the rows of each fold; got none for 'm'."
        " Call cross_validate with return_estimator=True and return_indices=True.",
    ),
    "results of other folds": (
        lambda: rs.Study.from_cv_results(
            {
                "m": {"estimator": [FITTED], "indices": {"test": [[0, 1]]}},
                "n": {"estimator": [FITTED], "indices": {"test": [[1, 2]]}},
            },
            [[0.0], [1.0], [2.0]],
            [0, 1, 1],
        ),
        "`results` must be of the same folds; got other test cases for some classifiers."
        " Pass the same cv= with a fixed random_state to each cross_validate.",
    ),
    "no results": (
        lambda: rs.Study.from_cv_results({}, [[0.0]], [0]),
        "`results` must hold the classifiers and the rows of each fold; got none for 'score'."
        " Call cross_validate with return_estimator=True and return_indices=True.",
    ),
    "features of fewer cases": (
        lambda: rs.Study.from_cv_results(FOLDS, [[0.0], [1.0]], [0, 1, 1]),
        "`X` must have the rows that were given to cross_validate; got 2 of 3 or more."
        " Pass the same X.",
    ),
    "a role of fewer cases": (
        lambda: rs.Study.from_cv_results(FOLDS, [[0.0], [1.0], [2.0]], [0, 1, 1], group=["u"]),
        "`group` must have as many rows as `y_true`; got 1 and 3. Pass the role of every case.",
    ),
    "a role that is none": (
        lambda: rs.Study.from_cv_results(FOLDS, [[0.0], [1.0], [2.0]], [0, 1, 1], cluster="no"),
        "`cluster` must be one-dimensional; got shape (). Pass one value per row.",
    ),
    "other predictors": (
        lambda: rs.Study.from_samples(positives={"x": [1]}, negatives={"y": [1]}),
        "`negatives` must have the predictors of `positives`; got ['y'] and ['x']."
        " Give both the same columns.",
    ),
}


@pytest.mark.parametrize(("make", "message"), MESSAGES.values(), ids=MESSAGES)
def test_messages(make, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        make()
