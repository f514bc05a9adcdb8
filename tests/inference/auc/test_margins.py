"""Superiority, non-inferiority, equivalence, and several differences at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range

import rocstats as rs
from tests import examples
from tests.strategies import samples


@pytest.fixture
def pair() -> rs.Study:
    """D1 and D2 of docs/methods/index.md, "The worked data"."""
    return rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2})


# docs/methods/comparison.md, "Worked margins"
def test_printed_non_inferiority(pair):
    asked = {"hypothesis": "non-inferiority", "interval": "wald"}
    wide = pair.compare_auc(**asked, margin=0.2).iloc[0]
    assert wide["statistic"] == pytest.approx(2.8052719, abs=5e-8)
    assert wide["p_value"] == pytest.approx(0.0025137, abs=5e-8)
    narrow = pair.compare_auc(**asked, margin=0.1).iloc[0]
    # printed 1.6241047, cut off and not rounded: 0.1375 / sqrt(0.0071676587) = 1.62410478
    assert narrow["statistic"] == pytest.approx(1.6241047, abs=1e-7)
    assert narrow["p_value"] == pytest.approx(0.0521767, abs=5e-8)
    assert (narrow["null_value"], narrow["hypothesis"]) == (-0.1, "non-inferiority")
    # the two-sided 95% interval of DeLong's test stands beside the one-sided test at 2.5%
    assert narrow["ci_low"] == pytest.approx(-0.1284345228, abs=5e-11)
    assert narrow["confidence_level"] == 0.95


# docs/methods/comparison.md, "Worked margins"
def test_printed_equivalence(pair):
    asked = {"hypothesis": "equivalence", "interval": "wald"}
    wide = pair.compare_auc(**asked, margin=0.2).iloc[0]
    assert wide["p_value"] == pytest.approx(0.0274671, abs=5e-8)
    # printed -.1017567, .1767567, from z rounded to 1.644854; with z = 1.6448536270 and the
    # printed covariances 1.6448536270 sqrt(.00716765873) = .1392566414
    half = 1.6448536270 * np.sqrt(0.00726438492063 + 0.01041418650794 - 2 * 0.00525545634921)
    assert wide["ci_low"] == pytest.approx(0.0375 - half, abs=5e-10)
    assert wide["ci_high"] == pytest.approx(0.0375 + half, abs=5e-10)
    assert wide["ci_high"] == pytest.approx(0.1767567, abs=6e-8)
    assert wide["confidence_level"] == pytest.approx(0.90)
    assert (wide["null_value"], wide["hypothesis"]) == (0.2, "equivalence")
    narrow = pair.compare_auc(**asked, margin=0.1).iloc[0]
    assert narrow["p_value"] == pytest.approx(0.2301875, abs=5e-8)


def test_superiority_is_one_sided(pair):
    row = pair.compare_auc(hypothesis="superiority").iloc[0]
    plain = pair.compare_auc().iloc[0]
    assert row["p_value"] == pytest.approx(plain["p_value"] / 2, rel=1e-12)
    assert row["ci_low"] == plain["ci_low"]
    assert row["null_value"] == 0
    by = pair.compare_auc(hypothesis="superiority", margin=0.01, interval="wald").iloc[0]
    assert by["statistic"] == pytest.approx((0.0375 - 0.01) / plain["se"], rel=1e-12)
    permuted = pair.compare_auc(hypothesis="superiority", method="permutation").iloc[0]
    one_sided = pair.compare_auc(alternative="greater", method="permutation").iloc[0]
    assert permuted["p_value"] == one_sided["p_value"]


@given(
    samples(predictors=2, least=3),
    st.floats(0.02, 0.5),
    st.sampled_from(["delong", "bootstrap", "hanley-mcneil"]),
)
def test_a_margin_is_met_when_the_interval_says_so(data, margin, method):
    y, (a, b) = data
    study = rs.Study(y, {"a": a, "b": b})
    below = study.compare_auc(hypothesis="non-inferiority", margin=margin, method=method).iloc[0]
    if np.isnan(below["ci_low"]):
        return
    gap = abs(below["ci_low"] + margin)
    if gap > 1e-9:
        assert (below["p_value"] < 0.025) == (below["ci_low"] > -margin)
    both = study.compare_auc(hypothesis="equivalence", margin=margin, method=method).iloc[0]
    inside = -margin < both["ci_low"] and both["ci_high"] < margin
    if min(abs(both["ci_low"] + margin), abs(both["ci_high"] - margin)) > 1e-9:
        assert (both["p_value"] < 0.05) == inside
    assert both["p_value"] >= below["p_value"] - 1e-12


def test_margins_hold_at_the_boundary_too():
    rise = np.arange(20)[::-1].astype(float)
    shuffled = np.concatenate([rise[:10][::-1], rise[10:]])
    study = rs.Study([1] * 10 + [0] * 10, {"a": rise, "b": shuffled})
    row = study.compare_auc(hypothesis="non-inferiority", margin=0.3).iloc[0]
    # MOVER: the lower limit is 0.8002136 - 1 (docs/methods/area-intervals.md, "Lower limits at an
    # area of 1")
    assert row["ci_low"] == pytest.approx(0.8002136 - 1, abs=5e-8)
    assert row["p_value"] < 0.025
    assert study.compare_auc(hypothesis="non-inferiority", margin=0.15)["p_value"][0] > 0.025


def test_identical_predictors_have_no_test_against_a_margin():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": np.exp(examples.D1)})
    row = study.compare_auc(hypothesis="non-inferiority", margin=0.1).iloc[0]
    assert np.isnan([row["p_value"], row["ci_low"], row["p_adjusted"]]).all()
    assert (row["estimate"], row["se"]) == (0, 0)


# equal variances and no correlation between areas: Tukey's studentized range, infinite df
def test_single_step_is_tukeys_method_for_alike_groups():
    study = rs.Study(
        np.tile(examples.Y, 4), np.tile(examples.D1, 4), group=np.repeat(list("uvwx"), 18)
    )
    frame = study.compare_auc(across="groups", adjust="single-step", null_value=0.2)
    q = studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2)
    # t limits: the normal quantile becomes a t quantile of the same probability
    local = 2 * norm.cdf(q) - 1
    alone = study.compare_auc(across="groups", confidence_level=local)
    assert frame["ci_low"].tolist() == pytest.approx(alone["ci_low"].tolist(), abs=2e-4)
    z = norm.isf(frame["p_value"][0] / 2)
    expected = studentized_range.sf(z * np.sqrt(2), 4, np.inf)
    assert frame["p_adjusted"][0] == pytest.approx(expected, rel=2e-3)
    assert (frame["confidence_level"] == 0.95).all()
    assert frame["note"].str.endswith("simultaneous-intervals").all()


def test_single_step_is_less_than_bonferroni_and_agrees_with_its_intervals(three):
    for asked in ({}, {"alternative": "greater"}, {"hypothesis": "non-inferiority", "margin": 0.3}):
        plain = three.compare_auc(adjust="none", **asked)
        joint = three.compare_auc(adjust="single-step", **asked)
        assert (joint["p_adjusted"] > plain["p_value"]).all()
        assert (joint["p_adjusted"] < np.minimum(3 * plain["p_value"], 1)).all()
        alpha = 0.025 if "margin" in asked else 0.05
        null = joint["null_value"]
        rejected = (joint["ci_low"] > null) | (
            (joint["ci_high"] < null) & (joint["hypothesis"] == "two-sided")
        )
        assert ((joint["p_adjusted"] < alpha) == rejected).all()


def test_one_comparison_needs_no_adjustment(pair):
    plain, joint = pair.compare_auc(), pair.compare_auc(adjust="single-step")
    for name in ("ci_low", "ci_high", "p_adjusted"):
        assert joint[name][0] == pytest.approx(plain[name][0], rel=1e-9)


def test_a_copy_costs_single_step_nothing(three):
    with_copy = rs.Study(
        examples.Y,
        {"d1": examples.D1, "d2": examples.D2, "d3": examples.D3, "copy": np.exp(examples.D3)},
    )
    frame = with_copy.compare_auc(adjust="single-step").set_index(["predictor", "reference"])
    assert frame.loc[("d3", "copy"), ["p_value", "p_adjusted"]].tolist() == [1, 1]
    alone = three.compare_auc(adjust="single-step").set_index(["predictor", "reference"])
    for name in ("ci_low", "ci_high", "p_adjusted"):
        found = frame.loc[alone.index, name].tolist()
        assert found == pytest.approx(alone[name].tolist(), rel=2e-3)


def test_percentile_draws_are_adjusted_by_their_own_covariance(three):
    drawn = three.compare_auc(
        method="bootstrap", interval="percentile", rng=1, n_resamples=4000, adjust="single-step"
    )
    closed = three.compare_auc(method="bootstrap", adjust="single-step")
    widths = [frame["ci_high"] - frame["ci_low"] for frame in (drawn, closed)]
    assert (widths[0] / widths[1]).tolist() == pytest.approx([1] * 3, abs=0.15)


def test_clusters_in_several_groups_are_allowed_for_in_single_step(rng):
    y = np.tile([1, 0], 40)
    scores = rng.normal(size=(2, 80)) + y
    group = np.repeat(["x", "y"], 40)
    shared = rs.Study(y, scores.T, group=group, cluster=np.tile(np.arange(40), 2))
    apart = rs.Study(y, scores.T, group=group, cluster=np.arange(80))
    found = [study.compare_auc(adjust="single-step") for study in (shared, apart)]
    assert found[0]["se"].tolist() == pytest.approx(found[1]["se"].tolist(), rel=1e-12)
    assert found[0]["ci_low"].tolist() != pytest.approx(found[1]["ci_low"].tolist(), rel=1e-9)
