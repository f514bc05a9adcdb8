from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import rocstats as rs
from tests.quick import each

WEIGHTS = np.geomspace(0.02, 50, 9)


@pytest.fixture
def cases(rng):
    """Training data and held-out data: two overlapping clouds, a quarter positive."""
    y = (rng.random(400) < 0.25).astype(int)
    X = rng.normal(size=(400, 3)) + 0.8 * y[:, None]
    return X[:200], y[:200], X[200:], y[200:]


def counted(predicted, truth, positive=1):
    called, is_positive = np.asarray(predicted) == positive, np.asarray(truth) == positive
    return (called & ~is_positive).sum(), (called & is_positive).sum()


def test_one_point_a_fit(cases):
    X, y, X_test, y_test = cases
    found = rs.sweep_class_weight(LogisticRegression(), *cases, weights=WEIGHTS)
    for row, weight in zip(found.itertuples(), WEIGHTS, strict=True):
        fit = LogisticRegression(class_weight={1: weight, 0: 1}).fit(X, y)
        assert (row.fp, row.tp) == counted(fit.predict(X_test), y_test)
        assert (row.class_weight, row.method) == (weight, "class_weight")
        assert (row.fpr, row.tpr) == (row.fp / row.n_neg, row.tp / row.n_pos)
        assert (row.n_pos, row.n_neg) == (y_test.sum(), (1 - y_test).sum())
    assert set(found["predictor"]) == {"LogisticRegression"}
    assert found["tpr"].iloc[0] < 0.2 < 0.9 < found["tpr"].iloc[-1]


def test_weights_enter_a_pipeline_by_its_parts(cases):
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    found = rs.sweep_class_weight(pipe, *cases, weights=WEIGHTS)
    X, y, X_test, y_test = cases
    for row, weight in zip(found.itertuples(), WEIGHTS, strict=True):
        last = LogisticRegression(class_weight={1: weight, 0: 1})
        fit = make_pipeline(StandardScaler(), last).fit(X, y)
        assert (row.fp, row.tp) == counted(fit.predict(X_test), y_test)
    assert set(found["method"]) == {"class_weight"}
    assert not hasattr(pipe[-1], "coef_")  # the parts of the user's pipeline are left alone


@pytest.mark.parametrize("estimator", [GaussianNB(), GradientBoostingClassifier(random_state=0)])
def test_weights_enter_the_fit_where_there_is_no_class_weight(cases, estimator):
    found = rs.sweep_class_weight(estimator, *cases, weights=[0.1, 10])
    X, y, X_test, y_test = cases
    for row in found.itertuples():
        fit = type(estimator)(**estimator.get_params())
        fit.fit(X, y, sample_weight=np.where(y == 1, row.class_weight, 1))
        assert (row.fp, row.tp) == counted(fit.predict(X_test), y_test)
    assert set(found["method"]) == {"sample_weight"}


def test_the_estimator_is_left_as_it_is(cases):
    X, y, *_ = cases
    estimator = LogisticRegression(class_weight="balanced", warm_start=True).fit(X, y)
    before = estimator.coef_.copy()
    found = rs.sweep_class_weight(estimator, *cases, weights=[0.5, 20])
    assert estimator.class_weight == "balanced"
    assert estimator.coef_.tolist() == before.tolist()
    fresh = rs.sweep_class_weight(LogisticRegression(), *cases, weights=[0.5, 20])
    assert found.equals(fresh)


def test_labels_of_any_kind(cases):
    X, y, X_test, y_test = cases
    expected = rs.sweep_class_weight(LogisticRegression(), *cases, weights=WEIGHTS)
    words = np.array(["well", "sick"])
    for write, pos_label in (
        (lambda y: words[y], "sick"),
        (lambda y: pd.Series(words[y]), "sick"),
        (lambda y: 2 * y - 1, None),
        (lambda y: y.astype(bool), None),
        (lambda y: y.tolist(), None),
    ):
        found = rs.sweep_class_weight(
            LogisticRegression(),
            X,
            write(y),
            X_test,
            write(y_test),
            weights=WEIGHTS,
            pos_label=pos_label,
        )
        pd.testing.assert_frame_equal(found, expected)


def test_slopes_are_those_of_the_hull(cases):
    found = rs.sweep_class_weight(DecisionTreeClassifier(max_depth=3), *cases, weights=WEIGHTS)
    points = sorted({(0.0, 0.0), (1.0, 1.0), *zip(found["fpr"], found["tpr"], strict=True)})
    for row in found.itertuples():
        at = (row.fpr, row.tpr)
        # the best point for a slope m has the largest tpr - m fpr
        low, high = 0.0, np.inf
        for x, y in points:
            if x > at[0]:
                low = max(low, (y - at[1]) / (x - at[0]))
            elif x < at[0]:
                high = min(high, (at[1] - y) / (at[0] - x))
            elif y > at[1]:
                high = -np.inf
        if at[0] == 0.0 == at[1] and any(x == 0 and y > 0 for x, y in points):
            low = high = np.inf
        if low < high or np.isinf(low):
            assert (row.slope_low, row.slope_high) == pytest.approx((low, high))
        else:
            assert np.isnan([row.slope_low, row.slope_high]).all()


class Silent:
    """Fits nothing, predicts what it is told; no get_params."""

    def __init__(self, answer):
        self.answer = answer

    def fit(self, X, y, sample_weight=None):
        self.seen = sample_weight

    def predict(self, X):
        return self.answer


def ask(estimator=None, X=((0,), (1,)), y=(0, 1), X_test=((2,), (3,)), y_test=(1, 0), **arguments):
    arguments.setdefault("weights", [1.0])
    chosen = Silent([1, 0]) if estimator is None else estimator
    return rs.sweep_class_weight(chosen, X, y, X_test, y_test, **arguments)


def test_an_estimator_without_parameters_is_copied():
    estimator = Silent([1, 0])
    found = ask(estimator)
    assert found[["fp", "tp"]].to_numpy().tolist() == [[0, 1]]
    assert not hasattr(estimator, "seen")


SAME = [[0], [1]]
MESSAGES = [
    (
        lambda: ask(X=SAME, X_test=SAME),
        "`X_test` and `y_test` must be held out; got the training data themselves",
    ),
    (
        lambda: ask(y=SAME[1], y_test=SAME[1]),
        "`X_test` and `y_test` must be held out; got the training data themselves",
    ),
    (lambda: ask(weights=[]), "`weights` must be finite numbers > 0"),
    (lambda: ask(weights=[1, 0]), "`weights` must be finite numbers > 0"),
    (lambda: ask(weights=2.0), "`weights` must be finite numbers > 0"),
    (lambda: ask(y=(0, 0)), "`y` must hold both classes; got 0 positives and 2 negatives"),
    (
        lambda: ask(y_test=(1, 1)),
        "`y_test` must hold both classes; got 2 positives and 0 negatives",
    ),
    (lambda: ask(y=(0, None)), "`y` must have no missing values; got 1 (row 1)"),
    (
        lambda: ask(y=("a", "b"), y_test=("b", "a")),
        "`pos_label` must be given for labels other than 0/1, -1/1 and booleans; got labels 'a'",
    ),
    (
        lambda: ask(X=SAME + SAME, y=(0, 1, 2, 0)),
        "`y` must hold two classes; got 3 labels: 0, 1, 2",
    ),
    (lambda: ask(KNeighborsClassifier()), "`estimator` must accept weights"),
    (lambda: ask([1, 2]), "`estimator` must have fit and predict; got list without fit"),
    (
        lambda: ask(Silent([1, 0, 1])),
        "`X_test` must have as many rows as `y_test`; got predictions of shape (3,) for 2 labels",
    ),
    (
        lambda: ask(Silent([0.5, 1.0])),
        "`estimator` must predict the labels of `y`; got other values: [0.5, 1.0]",
    ),
]


@each(("call", "message"), MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
