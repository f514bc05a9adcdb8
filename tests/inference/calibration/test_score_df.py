"""Scores of few events: limits of t, and the note on the scaled score."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import rocstats as rs


def few_events(n=300, events=6, seed=3):
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[:events] = 1
    return y, np.clip(rng.beta(1, 30, n) + 0.05 * y * rng.random(n), 0.001, 0.9)


def test_scores_have_limits_of_t_with_satterthwaites_df():
    y, risk = few_events()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = rs.Study(y, risk).probability_scores().set_index("quantity")
    for name, loss in (
        ("brier_score", (risk - y) ** 2),
        ("log_score", -np.where(y == 1, np.log(risk), np.log1p(-risk))),
    ):
        squares = (loss - loss.mean()) ** 2
        parts = np.array([squares[y == 1].sum(), squares[y == 0].sum()])
        df = parts.sum() ** 2 / (parts**2 / np.array([5, 293])).sum()
        assert df < 8
        row = rows.loc[name]
        reach = stats.t.ppf(0.975, df) * row["se"]
        assert row["ci_high"] == pytest.approx(row["estimate"] + reach, rel=1e-9)
        assert row["method"] == "influence/wald-t"


@pytest.mark.parametrize(("events", "noted"), [(30, True), (120, False)])
def test_the_scaled_score_of_few_events_says_so(events, noted):
    y, risk = few_events(1000, events)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = rs.Study(y, risk).probability_scores().set_index("quantity")
    assert ("few-cases" in rows.loc["scaled_brier_score", "note"]) == noted
    assert "few-cases" not in rows.loc["brier_score", "note"]


def test_measures_of_few_events_have_wider_limits_or_the_note():
    table = {"tp": 3, "fn": 1, "fp": 10, "tn": 186}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = (
            rs.Study.from_confusion(**table)
            .operating_points(
                threshold=0.5,
                quantities=["kappa", "mcc", "youden", "number_needed_to_diagnose"],
                sampling="cohort",
            )
            .set_index("quantity")
        )
    for name in ("kappa", "mcc"):
        row = rows.loc[name]
        centre, se = np.arctanh(row["estimate"]), row["se"] / (1 - row["estimate"] ** 2)
        df = stats.t.isf(0.025, np.arange(1, 400))
        found = (np.arctanh(row["ci_high"]) - centre) / se
        # Between the quantiles of 3, the positives less 1, and of some 15 degrees of freedom.
        assert df[15] < found < df[2]
    for name in ("youden", "number_needed_to_diagnose"):
        assert "few-cases" in rows.loc[name, "note"]
