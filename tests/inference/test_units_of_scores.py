"""Scores of any size have the answers of the same scores in another unit."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.arrays import binary_unit

Y = np.arange(60) % 2
# Continuous draws: rounding then decides between no two cutpoints.
SCORES = {
    name: turned * (np.random.default_rng(seed).normal(size=60) + Y)
    for name, seed, turned in (("a", 1, 1), ("b", 2, -1))
}
DRAWS = {"n_resamples": 100, "rng": 1}
ASKED = {
    "binormal": lambda study: study.binormal(method="normal-theory"),
    "binormal_curve": lambda study: study.binormal_curve(method="normal-theory", fpr=[0.1, 0.4]),
    "cutpoints": lambda study: study.cutpoints(**DRAWS),
    "cutpoints by normal theory": lambda study: study.cutpoints(method="normal-theory"),
    "cutpoints by kernels": lambda study: study.cutpoints(method="kernel", **DRAWS),
    "band": lambda study: study.roc_band("working-hotelling-normal", at=[0.1, 0.4]),
    "correlation": lambda study: study.compare_auc(method="hanley-mcneil"),
    "exchanges": lambda study: study.compare_auc(
        method="permutation", same_scale=False, n_resamples=99, rng=1
    ),
}
OF_SCORES = ("threshold", "next_score", "threshold_low", "threshold_high")
OF_ROWS = ("estimate", "apparent", "se", "ci_low", "ci_high")


def study_of(unit):
    scores = {name: values * unit for name, values in SCORES.items()}
    return rs.Study(Y, scores, higher_is_positive={"b": False})


def in_unit(frame, unit):
    """Return a frame with what is on the scale of the scores divided by their unit."""
    frame = frame.copy()
    for name in set(OF_SCORES) & set(frame.columns):
        frame[name] = frame[name] / unit
    if "quantity" in frame.columns:
        of_score = frame["quantity"] == "threshold"
        for name in set(OF_ROWS) & set(frame.columns):
            frame.loc[of_score, name] = frame.loc[of_score, name] / unit
    return frame


@pytest.mark.parametrize("power", [1000, -1000])
@pytest.mark.parametrize("asked", list(ASKED))
def test_a_power_of_two_changes_the_unit_and_no_digit(asked, power):
    unit = 2.0**power
    found = in_unit(ASKED[asked](study_of(unit)), unit)
    pd.testing.assert_frame_equal(found, ASKED[asked](study_of(1.0)).copy(), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e300, 1e-300])
@pytest.mark.parametrize("asked", list(ASKED))
def test_decimal_units_change_rounding_alone(asked, unit):
    # The scores themselves are rounded by 1e-16 in another decimal unit.
    found = in_unit(ASKED[asked](study_of(unit)), unit)
    pd.testing.assert_frame_equal(found, ASKED[asked](study_of(1.0)).copy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("values", "unit"),
    [([1.0, -3.0], 2.0), ([0.0], 1.0), ([np.inf, 1.0], 1.0), ([5e-324], 5e-324), ([], 1.0)],
)
def test_the_unit_is_the_power_of_two_of_the_largest_value(values, unit):
    assert binary_unit(np.array(values)) == unit


def test_denormal_scores_have_the_binormal_curve_of_their_multiples():
    y = np.repeat([0, 1], 12)
    steps = np.array([-1, 0, 0, 0, 1, 1, 0, -1, 2, 0, 1, 0, 1, 0, 2, 1, 1, 2, 0, 1, 3, 1, 2, 1.0])
    frames = []
    for unit in (1.0, 5e-324):
        study = rs.Study(y, steps * unit, cluster=np.arange(24) // 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", rs.StatisticalWarning)
            frames.append(study.binormal_curve(method="normal-theory"))
    numbers = [frame.select_dtypes("number").to_numpy() for frame in frames]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, nan_ok=True)


def test_smoothed_rates_of_one_have_no_limits_and_no_numpy_warning():
    y = np.repeat([0, 1], 6)
    study = rs.Study(y, np.r_[np.arange(6.0), 1e6 + np.arange(6)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        for method in ("kernel", "normal-theory"):
            frame = study.cutpoints(method=method).set_index("quantity")
            assert frame.loc[["tpr", "tnr"], ["ci_low", "ci_high"]].isna().all(axis=None)
