from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocstats as rs
from rocstats.estimate.resample import draw_rows_for_refits
from tests.oracles import definitions as oracles
from tests.quick import each

Y = np.array([1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0])


def features(rng, n=12, p=4):
    return rng.normal(size=(n, p)).round(2)


def pick_a_column(X, y):
    """Fit: the column with the largest difference of means."""
    X, y = np.asarray(X), np.asarray(y)
    best = int(np.argmax(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)))
    return lambda rows: np.asarray(rows)[:, best]


def test_estimates_equal_a_loop_over_the_same_resamples(rng):
    X = features(rng)
    frame = rs.optimism_corrected_auc(pick_a_column, X, Y, n_resamples=30, rng=7)
    rows, _ = draw_rows_for_refits(Y == 1, 30, 7)
    optimism = []
    for drawn in rows:
        scorer = pick_a_column(X[drawn], Y[drawn])
        on_resample = oracles.auc(Y[drawn], scorer(X[drawn]))
        optimism.append(on_resample - oracles.auc(Y, scorer(X)))
    apparent = oracles.auc(Y, pick_a_column(X, Y)(X))
    mean = np.mean(optimism)
    assert frame["quantity"].tolist() == ["apparent_auc", "auc_optimism", "corrected_auc"]
    assert frame["estimate"].to_numpy() == pytest.approx([apparent, mean, apparent - mean])
    assert frame["se"][1] == pytest.approx(np.std(optimism, ddof=1) / np.sqrt(30))
    assert frame["se"].isna().tolist() == [True, False, True]


def test_there_is_no_interval_and_no_warning(rng, recwarn):
    X, y = features(rng, 24), np.tile(Y, 2)
    frame = rs.optimism_corrected_auc(pick_a_column, X, y, n_resamples=20, rng=1)
    assert not recwarn.list
    assert frame[["ci_low", "ci_high", "confidence_level"]].isna().all(axis=None)
    assert frame["note"].tolist() == [
        "no-interval",
        "no-interval; monte-carlo-se",
        "no-interval",
    ]
    assert frame["n_resamples"].tolist() == [0, 20, 20]
    assert frame["method"].tolist() == ["none/none", "refits/none", "refits/none"]
    assert (set(frame["n_pos"]), set(frame["n_neg"])) == ({10.0}, {14.0})


@pytest.mark.parametrize(
    ("form_x", "form_y"),
    [
        (pd.DataFrame, pd.Series),
        (lambda X: pl.DataFrame(X), lambda y: pl.Series(y)),
        (lambda X: X.tolist(), list),
        (lambda X: pd.DataFrame(X, index=range(5, 17)), lambda y: pd.Series(y, index=range(5, 17))),
    ],
    ids=["pandas", "polars", "lists", "indexed"],
)
def test_any_form_of_rows_serves(rng, form_x, form_y):
    X = features(rng)
    plain = rs.optimism_corrected_auc(pick_a_column, X, Y, n_resamples=20, rng=2)
    formed = rs.optimism_corrected_auc(pick_a_column, form_x(X), form_y(Y), n_resamples=20, rng=2)
    pd.testing.assert_frame_equal(plain, formed)


def test_labels_reach_the_fit_as_they_are(rng):
    seen = set()

    def fit(X, y):
        seen.update(y)
        return lambda rows: rows[:, 0]

    words = np.where(Y == 1, "Poor", "Good")
    rs.optimism_corrected_auc(fit, features(rng), words, n_resamples=20, rng=1, pos_label="Poor")
    assert seen == {"Poor", "Good"}


def test_constant_scores_have_no_optimism(rng):
    frame = rs.optimism_corrected_auc(
        lambda X, y: lambda rows: np.zeros(len(rows)), features(rng), Y, n_resamples=20
    )
    assert frame["estimate"].tolist() == [0.5, 0.0, 0.5]


def test_noise_that_is_searched_is_corrected(rng):
    # 30 columns of noise: the best looks good, and is worth 1/2 on new cases.
    X, y = rng.normal(size=(60, 30)), np.tile([1, 0], 30)
    apparent, optimism, corrected = rs.optimism_corrected_auc(pick_a_column, X, y, rng=3)[
        "estimate"
    ]
    assert apparent > 0.6
    assert optimism > 0.05
    assert abs(corrected - 0.5) < abs(apparent - 0.5)


def test_resamples_that_lack_a_class_are_redrawn_and_counted(rng):
    y = np.array([1, 0, 0, 0])
    rows, n_redrawn = draw_rows_for_refits(y == 1, 200, 4)
    assert all(0 < y[drawn].sum() < 4 for drawn in rows)
    # A resample lacks a class with chance .75^4 + .25^4 = .3203: 94 expected on the way to 200.
    assert 94 - 4 * 12 < n_redrawn < 94 + 4 * 12
    frame = rs.optimism_corrected_auc(
        lambda X, y: lambda rows: rows[:, 0], features(rng, 4), y, n_resamples=200, rng=4
    )
    assert frame["note"][2] == f"no-interval; resamples-redrawn={n_redrawn}"


MESSAGES = [
    (lambda X: rs.optimism_corrected_auc("fit", X, Y), "`fit` must be callable; got str"),
    (
        lambda X: rs.optimism_corrected_auc(lambda X, y: 3, X, Y),  # type: ignore[return-value]
        "`fit` must return a scorer, a callable of X; got int",
    ),
    (
        lambda X: rs.optimism_corrected_auc(lambda X, y: lambda rows: [1.0, 2.0], X, Y),
        "`fit(X, y)(X)` must give a score for each of the 12 rows; got 2",
    ),
    (
        lambda X: rs.optimism_corrected_auc(lambda X, y: lambda r: np.full(len(r), np.nan), X, Y),
        "`fit(X, y)(X)` must have no missing values; got 12 (rows 0, 1, 2, 3, 4, ...)",
    ),
    (
        lambda X: rs.optimism_corrected_auc(pick_a_column, X, Y[:11]),
        "`y` must have as many rows as `X`; got 11 and 12",
    ),
    (
        lambda X: rs.optimism_corrected_auc(pick_a_column, X, np.zeros(12)),
        "`y` must hold both classes; got 0 positives and 12 negatives",
    ),
    (
        lambda X: rs.optimism_corrected_auc(pick_a_column, X, np.where(Y == 1, np.nan, 0.0)),
        "`y` must have no missing values; got 5 (rows 0, 2, 5, 7, 8)",
    ),
    (
        lambda X: rs.optimism_corrected_auc(pick_a_column, X, Y, n_resamples=10),
        "`n_resamples` must be a whole number >= 20",
    ),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message, rng):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call(features(rng))


def test_the_corrected_area_stays_in_its_range():
    """A model that remembers a resample, and turns its memory round for all cases: 0 at first."""
    X, y = np.arange(5.0)[:, np.newaxis], np.array([1, 1, 0, 0, 0])

    def fit(X, y):
        seen = dict(zip(X[:, 0].tolist(), y.tolist(), strict=True))
        sign = -1 if len(seen) == 5 else 1
        return lambda rows: np.array([sign * seen.get(value, 0.5) for value in rows[:, 0].tolist()])

    found = rs.optimism_corrected_auc(fit, X, y, n_resamples=100, rng=0).set_index("quantity")
    estimate = found["estimate"]
    assert estimate["apparent_auc"] == 0 < estimate["auc_optimism"]
    assert estimate["corrected_auc"] == 0


def test_jobs_do_not_change_the_numbers(rng):
    import joblib

    asked = {"X": features(rng), "y": Y, "n_resamples": 40, "rng": 3}
    one = rs.optimism_corrected_auc(pick_a_column, **asked)
    with joblib.parallel_config(backend="threading"):
        two = rs.optimism_corrected_auc(pick_a_column, **asked, n_jobs=2)
    pd.testing.assert_frame_equal(one.copy(), two.copy())
    with pytest.raises(rs.InputError, match="`n_jobs` must be a whole number other than 0"):
        rs.optimism_corrected_auc(pick_a_column, **asked, n_jobs=0)
