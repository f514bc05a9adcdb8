"""Scores of few events: limits of t, and the note on the scaled score."""

from __future__ import annotations

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
    rows = rs.Study(y, risk).probability_scores().set_index("quantity")
    assert ("few-cases" in rows.loc["scaled_brier_score", "note"]) == noted
    assert "few-cases" not in rows.loc["brier_score", "note"]


def test_measures_of_few_events_have_wider_limits_or_the_note():
    table = {"tp": 3, "fn": 1, "fp": 10, "tn": 186}
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


def sampled_scores(n_pos, n_neg, **options):
    """Return the scores of cases sampled by class, with the outcomes and risks of the cases."""
    rng = np.random.default_rng(11)
    y = np.repeat([1, 0], [n_pos, n_neg])
    risk = np.clip(rng.beta(1, 12, n_pos + n_neg) + 0.1 * y * rng.random(n_pos + n_neg), 0.001, 0.9)
    rows = rs.Study(y, risk).probability_scores(**options).set_index("quantity")
    return y, risk, rows


def test_at_a_prevalence_the_df_are_those_of_the_influence_values():
    """Each class has 2/(sum u^4/(sum u^2)^2 - 1/n), by hand."""
    prevalence, sizes = 0.05, {1: 30, 0: 60}
    y, risk, rows = sampled_scores(30, 60, prevalence=prevalence)
    loss, parts, df, value = (risk - y) ** 2, [], [], 0.0
    for outcome, share in ((1, prevalence), (0, 1 - prevalence)):
        own, n = loss[y == outcome], sizes[outcome]
        value += share * own.mean()
        u = share * (own - own.mean())
        parts.append((u**2).sum() / (n * (n - 1)))
        df.append(min(2 / ((u**4).sum() / (u**2).sum() ** 2 - 1 / n), n - 1))
    parts, df = np.array(parts), np.array(df)
    assert df[1] < 40
    reach = stats.t.ppf(0.975, parts.sum() ** 2 / (parts**2 / df).sum()) * np.sqrt(parts.sum())
    row = rows.loc["brier_score"]
    assert row["estimate"] == pytest.approx(value, rel=1e-12)
    assert row["ci_high"] == pytest.approx(value + reach, rel=1e-9)


@pytest.mark.parametrize(
    ("sizes", "prevalence", "noted"),
    [
        ((50, 50), 0.02, True),  # each negative counts 1.96 times
        ((50, 150), 0.02, False),  # 1.31 times
        ((50, 50), 0.3, False),  # 1.4 times
        ((50, 50), None, False),
    ],
)
def test_negatives_that_count_often_are_noted_on_brier_scores(sizes, prevalence, noted):
    options = {} if prevalence is None else {"prevalence": prevalence}
    _, _, rows = sampled_scores(*sizes, **options)
    for name in ("brier_score", "scaled_brier_score"):
        assert ("heavy-negatives" in rows.loc[name, "note"]) == noted
    assert "heavy-negatives" not in rows.loc["log_score", "note"]


def test_a_prevalence_whose_square_underflows_has_no_scaled_score():
    study = rs.Study([1, 1, 0, 0, 1, 0], [0.9, 0.6, 0.4, 0.2, 0.7, 0.5])
    found = study.probability_scores(prevalence=1e-320).set_index("quantity")
    assert np.isnan(found.loc["scaled_brier_score", "estimate"])
    assert np.isfinite(found.loc["brier_score", "estimate"])
