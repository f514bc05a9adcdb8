"""Bands of net benefit: their quantile, and what has no part in it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

import rocstats as rs
from rocstats.estimate.benefit import (
    DRAWS,
    Stakes,
    band_quantile_of_joint_normals,
    benefit_band,
    benefit_of_calls,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.shares import WeightedCases
from tests import examples

PLAN = ResamplePlan(DRAWS, 1)
Z = norm.ppf(0.975)


def estimates(at):
    cases = WeightedCases(examples.Y == 1, np.ones(18), None)
    return [benefit_of_calls(cases, cut <= examples.D1, Stakes(cut, None)) for cut in at]


# docs/methods/costs.md, "Net benefit": c = 2.2008559; integrals of four variables are right to 1e-4
def test_printed_band():
    found = estimates([0.2, 0.3, 0.4, 0.5])
    influence = np.stack([one.influence for one in found])
    c = band_quantile_of_joint_normals(influence @ influence.T, 0.95, PLAN)
    assert c == pytest.approx(2.2008559, abs=1e-4)
    # A change of c by 1e-4 moves a limit by 2e-5.
    limits = [[one.limit(-c), one.limit(c)] for one in (found[0], found[3])]
    assert limits[0] == pytest.approx([0.06537, 0.61956], abs=2.5e-5)
    assert limits[1] == pytest.approx([-0.15660, 0.53171], abs=2.5e-5)
    # The band has the quantile of t with the same probability, df the least of Satterthwaite's.
    positive, df = examples.Y == 1, []
    for one in found:
        parts = [float((one.influence[side] ** 2).sum()) for side in (positive, ~positive)]
        units = [positive.sum() - 1, (~positive).sum() - 1]
        df.append(sum(parts) ** 2 / sum(v**2 / n for v, n in zip(parts, units, strict=True)))
    reach = t.ppf(norm.cdf(c), min(df))
    assert reach > c
    band = rs.Study(examples.Y, examples.D1).net_benefit_band(
        risk_threshold=(0.2, 0.5), n_points=4, rng=1
    )
    assert band["risk_threshold"].tolist() == [0.2, 0.3, 0.4, 0.5]
    for one, low, high in zip(found, band["ci_low"], band["ci_high"], strict=True):
        assert [low, high] == pytest.approx([one.limit(-reach), one.limit(reach)], abs=1e-4)


def test_what_does_not_vary_has_no_part():
    covariance = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
    two = band_quantile_of_joint_normals(covariance[:2, :2], 0.95, PLAN)
    assert band_quantile_of_joint_normals(covariance, 0.95, PLAN) == two
    assert band_quantile_of_joint_normals(np.zeros((3, 3)), 0.95, PLAN) == pytest.approx(Z)
    assert band_quantile_of_joint_normals(np.full((9, 9), 4.0), 0.95, PLAN) == pytest.approx(
        Z, abs=0.06
    )
    assert band_quantile_of_joint_normals(np.eye(3) * [1, 2, 5], 0.95, PLAN) == pytest.approx(
        norm.ppf((1 + 0.95 ** (1 / 3)) / 2), abs=1e-4
    )


def test_draws_agree_with_independent_variables_and_repeat():
    c = band_quantile_of_joint_normals(np.eye(20), 0.95, PLAN)
    # The density of the largest is .161 there, the Monte-Carlo error .0135: four of them.
    assert c == pytest.approx(norm.ppf((1 + 0.95 ** (1 / 20)) / 2), abs=0.054)
    assert band_quantile_of_joint_normals(np.eye(20), 0.95, PLAN) == c
    assert band_quantile_of_joint_normals(np.eye(20), 0.95, ResamplePlan(DRAWS, 2)) != c


def test_bands_are_wider_than_limits():
    found = estimates(np.linspace(0.1, 0.6, 12))
    low, high = benefit_band(found, np.inf, 0.95, PLAN)
    for one, below, above in zip(found, low, high, strict=True):
        assert below < one.limit(-Z)
        assert one.limit(Z) < above
