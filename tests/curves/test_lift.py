from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from tests.oracles import definitions as oracles
from tests.strategies import samples


@given(samples(least=1))
def test_lift_is_the_gain_over_the_share_called(data):
    y, (score,) = data
    curve = rs.Study(y, score).lift_curve()
    threshold, fp, tp = oracles.algorithm_1(y, score)[1:].T
    assert curve["threshold"].to_numpy()[1:] == pytest.approx(threshold)
    rate, gain = (fp + tp) / len(y), tp / (y == 1).sum()
    assert curve["positive_rate"].to_numpy()[1:] == pytest.approx(rate)
    assert curve["tpr"].to_numpy()[1:] == pytest.approx(gain)
    assert curve["lift"].to_numpy()[1:] == pytest.approx(gain / rate)


@given(samples(least=1))
def test_ends_and_bounds(data):
    y, (score,) = data
    curve = rs.Study(y, score).lift_curve()
    first, second, last = curve.iloc[0], curve.iloc[1], curve.iloc[-1]
    assert np.isinf(first["threshold"])
    assert (first["positive_rate"], first["tpr"]) == (0, 0)
    assert first["lift"] == second["lift"]
    assert (last["positive_rate"], last["tpr"], last["lift"]) == (1, 1, 1)
    assert curve["lift"].between(0, len(y) / (y == 1).sum() * (1 + 1e-12)).all()


def test_perfect_and_constant_predictors():
    y = [1, 1, 0, 0, 0, 0]
    perfect = rs.Study(y, [6.0, 5, 4, 3, 2, 1]).lift_curve()
    # the third of the cases that is called first holds all positives
    assert perfect["lift"].to_numpy() == pytest.approx([3, 3, 3, 2, 1.5, 1.2, 1])
    assert rs.Study(y, np.ones(6)).lift_curve()["lift"].tolist() == [1, 1]


@given(samples(least=1))
def test_lift_is_precision_over_prevalence(data):
    y, (score,) = data
    study = rs.Study(y, score)
    expected = study.pr_curve()["ppv"].to_numpy() / study.prevalence
    assert study.lift_curve()["lift"].to_numpy() == pytest.approx(expected)


def test_weights_are_counts():
    study = rs.Study([1, 1, 0, 0], [3.0, 1, 2, 0], sample_weight=[0.5, 1.5, 2.0, 1.0])
    curve = study.lift_curve()
    assert curve["positive_rate"].to_numpy() == pytest.approx([0, 0.1, 0.5, 0.8, 1])
    assert curve["lift"].to_numpy() == pytest.approx([2.5, 2.5, 0.5, 1.25, 1])


def test_the_lift_of_a_group_without_a_class_is_undefined():
    study = rs.Study([1, 0, 1], [3, 1, 0], group=["u", "u", "v"])
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        curve = study.lift_curve()
    lone = curve[curve["group"] == "v"]
    assert lone["lift"].isna().all()
    assert lone["positive_rate"].tolist() == lone["tpr"].tolist() == [0, 1]


def test_a_group_whose_weights_are_all_zero():
    study = rs.Study(
        [1, 0, 1, 0], [3, 1, 0, 2], group=list("uuvv"), sample_weight=[1.0, 1.0, 0.0, 0.0]
    )
    lone = study.lift_curve().query("group == 'v'")
    assert lone[["positive_rate", "tpr", "lift"]].isna().all(axis=None)
