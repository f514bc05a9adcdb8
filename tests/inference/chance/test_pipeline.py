from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.quick import each

X = np.array([[3.0, 1], [2, 5], [1, 0], [0, 2], [4, 4]])
Y = np.array([1, 1, 0, 0, 1])


def best_distance(X, y):
    """The larger difference of class means of two features: selection is part of the pipeline."""
    return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)).max()


def test_the_p_value_approaches_that_of_all_orders():
    values = [best_distance(X, Y[list(order)]) for order in permutations(range(5))]
    expected = np.mean(np.array(values) >= best_distance(X, Y) - 1e-9)
    row = rs.permute_pipeline(best_distance, X, Y, n_resamples=1999, rng=1).iloc[0]
    assert row["p_value"] == pytest.approx(
        expected, abs=4 * np.sqrt(expected * (1 - expected) / 1999) + 1e-3
    )
    assert row["estimate"] == best_distance(X, Y)
    error = 4 * np.std(values) / np.sqrt(1999)
    assert row["null_value"] == pytest.approx(np.mean(values), abs=error)
    assert (row["predictor"], row["hypothesis"]) == ("pipeline", "greater")


def test_a_pipeline_that_learns_is_found():
    y = np.repeat([0, 1], 15)
    features = np.column_stack([y + 0.01 * np.arange(30), np.cos(np.arange(30))])
    frame = rs.permute_pipeline(best_distance, features, y, n_resamples=99, predictor="mean", rng=1)
    assert frame["p_value"].tolist() == [0.01]  # the least possible
    assert frame["predictor"].tolist() == ["mean"]


def test_a_constant_pipeline_learns_nothing():
    assert rs.permute_pipeline(lambda X, y: 0.5, X, Y, n_resamples=19)["p_value"][0] == 1


def test_labels_keep_their_container():
    seen = []

    def score(X, y):
        seen.append(y)
        return 1.0

    series = pd.Series(["u", "v", "u", "v", "u"], index=list("abcde"), name="label")
    rs.permute_pipeline(score, X, series, n_resamples=19, rng=1)
    assert len(seen) == 20
    assert seen[0] is series
    for shuffled in seen[1:]:
        assert shuffled.index.equals(series.index)
        assert (shuffled.name, shuffled.dtype) == ("label", series.dtype)
        assert sorted(shuffled) == sorted(series)
    assert any(shuffled.tolist() != series.tolist() for shuffled in seen[1:])


def test_features_are_handed_on_as_they_are():
    given = [[1], [2], [3]]

    def score(X, y):
        assert X is given
        return float(y[0])

    row = rs.permute_pipeline(score, given, [1, 0, 0], n_resamples=299, rng=1).iloc[0]
    assert row["p_value"] == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 299) + 0.003)


MESSAGES = [
    (lambda: rs.permute_pipeline(0.7, X, Y), "`fit_and_score` must be a function of X and y; got"),
    (
        lambda: rs.permute_pipeline(lambda X, y: None, X, Y),  # type: ignore[return-value]
        "`fit_and_score` must return a finite number; got None for the data",
    ),
    (
        lambda: rs.permute_pipeline(lambda X, y: 1.0 if y[1] else np.nan, X, Y, rng=2),
        "`fit_and_score` must return a finite number; got nan for permutation",
    ),
    (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, X, Y[:3]),
        "`y` must have one label for each row of `X`; got shape (3,) for 5 rows",
    ),
    (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, X, np.ones(5)),
        "`y` must hold at least two labels; got 1",
    ),
    (
        lambda: rs.permute_pipeline(lambda X, y: 1.0, X, Y, n_resamples=10),
        "`n_resamples` must be a whole number >= 19",
    ),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()


def test_jobs_do_not_change_the_numbers():
    import joblib

    X = np.random.default_rng(1).normal(size=(30, 3))
    y = np.repeat([0, 1], 15)

    def distance(X, y):
        return float(np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)).max())

    asked = {"n_resamples": 99, "rng": 2}
    one = rs.permute_pipeline(distance, X, y, **asked)
    with joblib.parallel_config(backend="threading"):
        two = rs.permute_pipeline(distance, X, y, **asked, n_jobs=2)
    pd.testing.assert_frame_equal(one.copy(), two.copy())
