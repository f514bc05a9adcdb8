"""Areas of partly verified cases: brute force, Begg and Greenes, the chain of resamples."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import VerifiedCases, draw_verified_areas
from tests.inference.classes.test_areas import share_of_pairs
from tests.quick import each
from tests.strategies import samples, whole_numbers


@given(samples(), st.data())
def test_each_verified_case_stands_for_so_many(data, draw):
    y, (score,) = data
    n = len(y)
    chance = np.array([0.2, 0.5, 1.0])[whole_numbers(draw.draw, n, 2)]
    known = whole_numbers(draw.draw, n, 1) == 1
    known[[np.flatnonzero(y == 1)[0], np.flatnonzero(y == 0)[0]]] = True
    found = rs.verified_auc(y, score, known, probability=chance, n_resamples=100, rng=1)
    pos, neg = known & (y == 1), known & (y == 0)
    w = 1 / chance
    expected = share_of_pairs(score[pos], score[neg], w[pos], w[neg])
    assert found["estimate"][0] == pytest.approx(expected, abs=1e-12)
    alone = rs.Study(y[known], score[known]).auc(interval="logit")
    numbers = ["estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg"]
    np.testing.assert_allclose(
        found.loc[1, numbers].astype(float), alone.loc[0, numbers].astype(float)
    )
    assert found["kind"].tolist() == ["missing-at-random", "verified-only"]
    assert set(found["n_cases"]) == {n}
    assert (found["ci_low"] < found["ci_high"]).all()


def liver():
    """The liver scan case by case; the class of the unverified is not known."""
    cells = [(1, 1, 231), (1, 0, 32), (0, 1, 27), (0, 0, 54), (1, np.nan, 166), (0, np.nan, 140)]
    result, truth = (np.repeat([c[i] for c in cells], [c[2] for c in cells]) for i in (0, 1))
    return result.astype(float), truth


def share_by_result(X, verified):
    """The chance of each result, estimated by its share."""
    shares = {r: verified[r == X].mean() for r in np.unique(X)}
    return np.array([shares[r] for r in X])


def test_a_test_of_two_results_is_begg_and_greenes():
    result, truth = liver()
    found = rs.verified_auc(
        truth,
        result,
        ~np.isnan(truth),
        probability=share_by_result,
        X=result,
        n_resamples=1000,
        rng=1,
    )
    rates = rs.begg_greenes(
        tp=231, fp=32, fn=27, tn=54, n_test_positive=429, n_test_negative=221
    ).set_index(["kind", "quantity"])
    corrected = rates.loc["missing-at-random"]
    mean = corrected.loc[["tpr", "tnr"], "estimate"].mean()
    assert found["estimate"][0] == pytest.approx(mean, abs=1e-12)
    # delta method: a and b are binomial shares, pi = n+/N too, and tpr and tnr move with all three
    a, b, pi, n = 231 / 263, 27 / 81, 429 / 650, 650
    d = pi * a + (1 - pi) * b
    gradient = [
        (pi / d - pi * a * pi / d**2 + _tnr_slope(a, b, pi)[0]) / 2,
        (-pi * a * (1 - pi) / d**2 + _tnr_slope(a, b, pi)[1]) / 2,
        (a / d - pi * a * (a - b) / d**2 + _tnr_slope(a, b, pi)[2]) / 2,
    ]
    variances = [a * (1 - a) / 263, b * (1 - b) / 81, pi * (1 - pi) / n]
    se = np.sqrt(np.dot(np.square(gradient), variances))
    assert found["se"][0] == pytest.approx(se, rel=0.08)


def _tnr_slope(a, b, pi):
    """Derivatives of (1 - pi)(1 - b)/((1 - pi)(1 - b) + pi(1 - a)) in a, b and pi."""
    top, bottom = (1 - pi) * (1 - b), (1 - pi) * (1 - b) + pi * (1 - a)
    by_a = top * pi / bottom**2
    by_b = -(1 - pi) / bottom + top * (1 - pi) / bottom**2
    by_pi = -(1 - b) / bottom - top * (-(1 - b) + (1 - a)) / bottom**2
    return by_a, by_b, by_pi


def test_all_verified_is_the_plain_area(rng):
    y, score = np.tile([1, 0], 40), rng.normal(size=80) + np.tile([1, 0], 40)
    found = rs.verified_auc(
        y, score, np.ones(80, bool), probability=np.ones(80), rng=1, interval="percentile"
    )
    assert found["method"][0] == "inverse-probability/percentile"
    assert found["n_resamples"].tolist() == [1000, 0]
    plain = rs.Study(y, score).auc()
    assert found["estimate"][0] == pytest.approx(plain["estimate"][0], abs=1e-14)
    assert found["se"][0] == pytest.approx(plain["se"][0], rel=0.1)
    logit = rs.verified_auc(y, score, np.ones(80, bool), probability=np.ones(80), rng=1)
    assert logit["method"].tolist() == ["inverse-probability/logit", "delong/logit"]
    a, se = logit["estimate"][0], logit["se"][0]
    step = 1.959963984540054 * se / (a * (1 - a))
    assert logit["ci_low"][0] == pytest.approx(1 / (1 + np.exp(step) * (1 - a) / a))


def test_the_bias_is_removed():
    rng = np.random.default_rng(8)
    found = []
    for _ in range(60):
        y = (rng.uniform(size=600) < 0.4).astype(int)
        score = rng.normal(size=600) + 1.2 * y
        chance = np.where(score > 0.8, 0.95, 0.2)
        verified = rng.uniform(size=600) < chance
        frame = rs.verified_auc(y, score, verified, probability=chance, n_resamples=100, rng=1)
        found.append(frame["estimate"].to_numpy())
    truth = 0.8019  # Phi(1.2/sqrt 2)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(60)
    assert abs(mean[0] - truth) < 4 * error[0]
    assert abs(mean[1] - truth) > 6 * error[1]


def test_the_chain_runs_once_and_in_every_resample():
    result, truth = liver()
    calls = []

    def probability(X, verified):
        calls.append((len(X), int(verified.sum())))
        assert isinstance(X, pd.DataFrame)
        return share_by_result(X["result"].to_numpy(), verified)

    X = pd.DataFrame({"result": result}, index=np.arange(650)[::-1])
    known = ~np.isnan(truth)
    rs.verified_auc(truth, result, known, probability=probability, X=X, n_resamples=100, rng=1)
    assert len(calls) == 101
    assert calls[0] == (650, 344)
    assert len({sizes for _, sizes in calls}) > 20


def test_clusters_are_drawn_whole(rng):
    y, score = np.tile([1, 0], 60), rng.normal(size=120) + np.tile([1, 0], 60)
    known = rng.uniform(size=120) < 0.6
    asked = {"probability": np.full(120, 0.6), "rng": 1, "n_resamples": 1500}
    once = rs.verified_auc(y, score, known, **asked)
    # three copies of each case, in its cluster, are as much as one
    thrice = rs.verified_auc(
        np.tile(y, 3), np.tile(score, 3), np.tile(known, 3), cluster=np.tile(np.arange(120), 3),
        **{**asked, "probability": np.full(360, 0.6)},
    )  # fmt: skip
    assert thrice["se"][0] == pytest.approx(once["se"][0], rel=0.1)
    assert thrice["method"][1] == "obuchowski/logit"


def test_several_predictors_directions_and_names(rng):
    n = 90
    y = np.tile(["ill", "well", "well"], 30).astype(object)
    data = pd.DataFrame({"up": rng.normal(size=n) + (y == "ill")})
    data["down"] = -data["up"]
    data["known"] = rng.uniform(size=n) < 0.7
    data["p"] = 0.7
    data["y"] = np.where(data["known"], y, "not known")
    found = rs.verified_auc(
        "y", ["up", "down"], "known", probability="p", data=data, pos_label="ill",
        higher_is_positive={"down": False}, rng=1,
    )  # fmt: skip
    up, down = (found[found["predictor"] == name].iloc[0] for name in ("up", "down"))
    assert up["estimate"] == pytest.approx(down["estimate"])
    assert up["ci_low"] == pytest.approx(down["ci_low"])
    again = rs.verified_auc("y", "up", "known", probability="p", data=data, pos_label="ill", rng=1)
    assert again["ci_high"][0] == up["ci_high"]


def test_one_sided_limits_and_tests(rng):
    y, score = np.tile([1, 0], 60), rng.normal(size=120) + np.tile([1, 0], 60)
    asked = {"probability": np.ones(120), "rng": 1, "null_value": 0.6}
    found = rs.verified_auc(y, score, np.ones(120, bool), alternative="greater", **asked)
    assert found["ci_high"].eq(1).all()
    assert found["p_value"].between(0, 0.5).all()
    assert set(found["hypothesis"]) == {"greater"}


def test_perfect_separation_has_an_interval():
    y = np.tile([1, 0], 20)
    found = rs.verified_auc(y, y * 1.0, np.ones(40, bool), probability=np.full(40, 0.5), rng=1)
    assert found["estimate"].eq(1).all()
    assert (found["ci_low"] < 1).all()
    assert found["note"].str.startswith("auc-at-boundary").all()
    assert found["method"][0] == "inverse-probability/newcombe"


def separated(n_pos, n_neg):
    """Perfectly separated cases, all verified, weights 1, 1, 1, 3 of positives and 1, 3 of others.

    Kish's effective sizes are 6^2/12 = 3 of every 4 and 4^2/10 = 1.6 of every 2.
    """
    y = np.repeat([1, 0], [n_pos, n_neg])
    weight = np.append(np.tile([1.0, 1, 1, 3], n_pos // 4), np.tile([1.0, 3], n_neg // 2))
    return rs.verified_auc(
        y, y * 1.0, np.ones(len(y), bool), probability=1 / weight, n_resamples=100, rng=1
    )


@pytest.mark.parametrize(("n_pos", "n_neg", "few"), [(40, 50, False), (24, 50, True)])
def test_limits_of_weighted_areas_of_1_are_those_of_the_effective_sizes(n_pos, n_neg, few):
    found = separated(n_pos, n_neg)
    m, n = 3 * n_pos // 4, 4 * n_neg // 5
    alone = rs.Study(np.repeat([1, 0], [m, n]), np.repeat([1.0, 0], [m, n])).auc()
    assert found["ci_low"][0] == pytest.approx(alone["ci_low"][0], rel=1e-9)
    assert ("few-cases" in found["note"][0]) == few


def test_the_standard_error_has_one_degree_of_freedom_less(rng):
    y, score = np.tile([1, 0], 30), rng.normal(size=60)
    found = rs.verified_auc(
        y, score, np.ones(60, bool), probability=np.full(60, 0.5), n_resamples=100, rng=4
    )
    cases = VerifiedCases(60, np.arange(60), y == 1, score[np.newaxis], None)
    plan = ResamplePlan(100, 4)
    draws = draw_verified_areas(cases, lambda rows: np.full(len(rows), 0.5), plan).values[0]
    variance = ((draws - draws.mean()) ** 2).sum() / 99
    assert found["se"][0] == pytest.approx(np.sqrt(variance), rel=1e-9)


Y = [1, 0, 1, 0, None, None]

S = [3.0, 1, 2, 2, 5, np.nan]

KNOWN = [True, True, True, True, False, False]

P = [0.5] * 6


def ask(y=Y, score=S, known=KNOWN, **changed):
    return rs.verified_auc(y, score, known, **{"probability": P, "rng": 1, **changed})


MESSAGES = [
    (lambda: ask(probability=None), "`probability` must be probabilities of verification, or a"),
    (
        lambda: ask(probability=[0.5, 0, 0.5, 0.5, 0.5, 0]),
        "`probability` must be in (0, 1] for verified cases; got 0 (wrong values: 1)",
    ),
    (
        lambda: ask(probability=[np.nan] * 6),
        "`probability` must be in (0, 1] for verified cases; got nan (wrong values: 4)",
    ),
    (lambda: ask(probability=share_by_result), "`X` must be given when `probability` is a"),
    (lambda: ask(X=S), "`X` must stay None when `probability` contains the values"),
    (
        lambda: ask(probability=share_by_result, X=[1, 2]),
        "`X` must have as many rows as `verified`; got 2 and 6",
    ),
    (
        lambda: ask(probability=lambda X, verified: [0.5], X=S),
        "`probability(X, verified)` must have a probability for each of the 6 cases; got 1",
    ),
    (
        lambda: ask(known=["yes"] * 6),
        "`verified` must be booleans, one per case; got ['yes', 'yes', 'yes'], ..",
    ),
    (
        lambda: ask(known=[2, 1, 0, 1, 0, 1]),
        "`verified` must be booleans, one per case; got [2, 1, 0], ..",
    ),
    (
        lambda: ask(known=[True] * 5 + [False]),
        "`y_true` must have no missing values; got 1 (row 4)",
    ),
    (
        lambda: ask(known=[True, False, True, False, False, False]),
        "`y_true` must hold verified cases of both classes; got 2 positives and 0 negatives",
    ),
    (
        lambda: ask(known=[False] * 6),
        "`y_true` must hold verified cases of both classes; got 0 positives and 0 negatives",
    ),
    (lambda: ask(interval="bca"), "`interval` must be one of"),
    (
        lambda: ask(known=[True] * 5),
        "`verified` must have as many rows as `y_true`; got shapes (5,) and (6,)",
    ),
    (lambda: ask(n_resamples=5), "`n_resamples` must be a whole number >= 100"),
]


@each(("call", "message"), MESSAGES)
def test_message(call, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        call()
