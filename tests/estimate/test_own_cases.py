"""Predictors that keep their own cases: nan_policy="available"."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests import examples
from tests.quick import assert_frames_equal, each

RNG = np.random.default_rng(11)
N = 80
Y = np.repeat([1, 0], N // 2)
LATENT = RNG.normal(size=N)
SCORES = {
    name: np.round(shift * Y + LATENT + RNG.normal(size=N), 1)
    for name, shift in (("a", 1.2), ("b", 0.8), ("c", 0.5))
}
for name, share in (("a", 0.3), ("b", 0.2)):
    # The first of each group has all scores, so that groups have one order, and one stream each.
    SCORES[name][np.flatnonzero(RNG.random(N) < share)[2:]] = np.nan
for name in SCORES:
    SCORES[name][[2, 3, N - 1]] = (np.nan, 1.0, np.nan)
GROUP = np.tile(["u", "v"], N // 2)
ROLES = {
    "plain": {},
    "groups": {"group": GROUP},
    "clusters": {"cluster": np.arange(N) // 3},
    "frequency": {"frequency": np.arange(N) % 3 + 1},
    "weights": {"sample_weight": np.arange(N) % 4 + 0.5},
    "folds": {"fold": np.tile([1, 1, 2, 2], N // 4)},
}
BY_PREDICTOR = {
    "auc": {},
    "auc_bounds": {},
    "auc_draws": {"n_resamples": 100, "rng": 1},
    "average_precision": {},
    "binormal": {"method": "normal-theory"},
    "calibration": {},
    "calibration_band": {"scope": "simultaneous", "n_points": 7, "rng": 1},  # from 7 on it draws
    "calibration_curve": {"method": "isotonic"},
    "probability_scores": {},
    "binormal_curve": {"method": "normal-theory", "fpr": [0.1, 0.5]},
    "cost_curve": {},
    "cutpoint_draws": {"n_resamples": 100, "rng": 1},
    "cutpoints": {"n_resamples": 100, "rng": 1},
    "det_curve": {},
    "lift_curve": {},
    "operating_points": {"threshold": 1.0, "quantities": ["tpr", "ppv", "odds_ratio"]},
    "operating_points_versus_random": {"threshold": 1.0, "method": "fisher"},
    "optimal_points": {"cost_fp": 1, "cost_fn": 2},
    "pr_band": {"method": "joint"},
    "pr_curve": {},
    "random_band": {},
    "roc_average": {},
    "roc_band": {"method": "joint"},
    "roc_curve": {},
    "roc_hull": {},
    "stratified_auc": {},
    "test_equal_groups": {},
    "test_performance_goals": {"threshold": 1.0, "tpr": 0.5, "tnr": 0.5},
    "versus_random": {},
}
SHARED = {
    "compare_average_precision": {},
    "compare_costs": {"cost_fp": 1, "cost_fn": 1},
    "compare_curves": {"rng": 1},
    "compare_net_benefit": {"risk_threshold": 0.2},
    "compare_operating_points": {"threshold": 1.0},
    "compare_probability_scores": {},
    "compare_stratified_auc": {},
    "cost_difference_band": {"rng": 1},
    "lc_index": {"low": 0.1, "mode": 0.3, "high": 0.5},
    "mean_net_benefit": {"risk_threshold": (0.1, 0.3)},
    "net_benefit": {"risk_threshold": 0.2},
    "net_benefit_band": {"risk_threshold": (0.1, 0.3)},
    "random_points": {"n_points": 5, "rng": 1},
    "roc_average_difference": {"rng": 1},
    "roc_difference_band": {"rng": 1},
    "roc_hull": {"across": "predictors"},
    "optimal_points": {"cost_fp": 1, "cost_fn": 2, "across": "predictors"},
    "superiority_curve": {},
}
NEED_A_ROLE = ("stratified_auc", "test_equal_groups")


def answer(study, question, **arguments):
    """Return the frame of a question, or the message with which it refuses the study."""
    try:
        return getattr(study, question)(**arguments)
    except rs.InputError as refusal:
        return str(refusal)


def roles_of(question):
    if question == "roc_average":
        return ["folds"]
    return ROLES if question in ("auc", "pr_curve") else list(ROLES)[:2]


@pytest.mark.parametrize("question", BY_PREDICTOR)
def test_each_predictor_is_answered_from_its_own_cases(question):
    arguments = BY_PREDICTOR[question]
    scores = SCORES
    if question in examples.OF_RISKS:
        scores = {name: 1 / (1 + np.exp(-score)) for name, score in SCORES.items()}
    for name in roles_of(question):
        roles = ROLES[name]
        found = answer(rs.Study(Y, scores, nan_policy="available", **roles), question, **arguments)
        # Streams are keyed by the place of the predictor: it keeps its place among the others,
        # complete ones that leave its cases alone.
        alone = []
        for predictor in scores:
            others = dict.fromkeys(scores, (np.arange(N) % 5 + 1) / 6)
            others |= {predictor: scores[predictor]}
            study = rs.Study(Y, others, nan_policy="omit", **roles)
            frame = answer(study, question, **arguments)
            alone.append(
                frame if isinstance(frame, str) else frame[frame["predictor"] == predictor]
            )
        if isinstance(found, str):
            assert found == alone[0]
            assert name != "plain" or question in NEED_A_ROLE
            continue
        expected = pd.concat(alone, ignore_index=True)
        if "group" in expected:
            expected = expected.sort_values("group", kind="stable", ignore_index=True)
        assert_frames_equal(found, expected)


@each("question", SHARED)
def test_a_question_of_shared_cases_refuses(question):
    roles = ROLES["folds" if question == "roc_average_difference" else "groups"]
    study = rs.Study(Y, SCORES, nan_policy="available", **roles)
    with pytest.raises(rs.InputError, match=r"^`nan_policy` must be 'omit' for a method that"):
        getattr(study, question)(**SHARED[question])
