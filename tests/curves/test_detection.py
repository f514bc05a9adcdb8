from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.strategies import samples


@given(samples(least=1))
def test_error_rates_and_their_deviates(data):
    y, (score,) = data
    curve = rs.Study(y, score).det_curve()
    threshold, fp, tp = oracles.algorithm_1(y, score).T
    fpr, fnr = fp / (y == 0).sum(), ((y == 1).sum() - tp) / (y == 1).sum()
    assert curve["threshold"].to_numpy() == pytest.approx(threshold)
    assert curve["fpr"].to_numpy() == pytest.approx(fpr)
    assert curve["fnr"].to_numpy() == pytest.approx(fnr)
    assert curve["fpr_deviate"].to_numpy() == pytest.approx(norm.ppf(fpr))
    assert curve["fnr_deviate"].to_numpy() == pytest.approx(norm.ppf(fnr))


def test_rates_of_0_and_1_lie_at_infinity():
    curve = rs.Study([1, 0], [2, 1]).det_curve()
    assert curve["fpr_deviate"].tolist() == [-np.inf, -np.inf, np.inf]
    assert curve["fnr_deviate"].tolist() == [np.inf, -np.inf, -np.inf]


@given(samples(least=1))
def test_swapping_labels_and_direction_swaps_the_axes(data):
    y, (score,) = data
    curve = rs.Study(y, score).det_curve()
    other = rs.Study(1 - y, score, higher_is_positive=False).det_curve()
    assert other["fpr_deviate"].to_numpy()[::-1] == pytest.approx(curve["fnr_deviate"].to_numpy())
    assert other["fnr_deviate"].to_numpy()[::-1] == pytest.approx(curve["fpr_deviate"].to_numpy())


def test_normal_scores_give_a_straight_line():
    # negatives N(0, 1) and positives N(2, 1/2), as quantiles: the slope is -sd_neg/sd_pos = -2
    p = (np.arange(4000) + 0.5) / 4000
    score = np.concatenate([norm.ppf(p), 2 + norm.ppf(p) / 2])
    curve = rs.Study(np.repeat([0, 1], 4000), score).det_curve()
    middle = curve[(np.abs(curve["fpr_deviate"]) < 2.5) & (np.abs(curve["fnr_deviate"]) < 2.5)]
    slope, intercept = np.polyfit(middle["fpr_deviate"], middle["fnr_deviate"], 1)
    assert slope == pytest.approx(-2, abs=0.01)
    assert intercept == pytest.approx(-4, abs=0.01)


def test_small_false_negative_rates_keep_their_digits():
    n = 2**40
    study = rs.Study([1, 1, 0], [2, 1, 0], frequency=[n - 1, 1, 5])
    assert study.det_curve()["fnr"].tolist() == [1, 2.0**-40, 0, 0]


def test_the_rate_of_a_class_that_a_group_lacks_is_undefined():
    study = rs.Study([1, 0, 0], [3, 1, 0], group=["u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        curve = study.det_curve()
    lone = curve[curve["group"] == "v"]
    assert lone[["fnr", "fnr_deviate"]].isna().all(axis=None)
    assert lone["fpr"].tolist() == [0, 1]
