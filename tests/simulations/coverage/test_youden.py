"""Limits of Youden's index, exactly: every table, and what the page says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import rocstats as rs
from rocstats.estimate.proportions import mid_p_limits
from validation.coverage.youden import RATES, coverage, index_limits

COMMITTED = "coverage/youden"


def test_no_limits_pass_the_rule_and_mid_p_is_nearer_than_wilson(committed):
    assert committed.groupby("interval")["shortfall"].any().all()
    assert committed["shortfall"].equals(committed["short"] > 0)
    wide = committed.pivot(index=["n_pos", "n_neg", "level"], columns="interval")
    assert (wide["least"]["mid-p"] > wide["least"]["wilson"]).all()
    ratio = wide["mean_width"]["mid-p"] / wide["mean_width"]["wilson"]
    # the rule's second half: a default may be at most 5 % wider at any pair of sizes
    assert 1 < ratio.min() < 1.05 < ratio.max() < 1.08


@pytest.mark.parametrize("interval", ["wilson", "mid-p"])
def test_limits_are_those_of_the_question(interval):
    low, high = index_limits(10, 15, interval, 0.9)
    study = rs.Study.from_confusion(tp=8, fn=2, fp=1, tn=14)
    row = study.operating_points(
        threshold=1, quantities=["youden"], interval=interval, confidence_level=0.9
    ).iloc[0]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low[8, 14], high[8, 14]))
    assert row["method"] == f"binomial/mover-{interval}"


def test_coverage_by_one_table_after_another():
    low, high = index_limits(10, 15, "mid-p", 0.95)
    covered, width = coverage(10, 15, "mid-p", 0.95)
    i, j = 40, 45
    chance = np.outer(binom.pmf(range(11), 10, RATES[i]), binom.pmf(range(16), 15, RATES[j]))
    truth = RATES[i] + RATES[j] - 1
    held = (low - 1e-12 <= truth) & (truth <= high + 1e-12)
    assert covered[i, j] == pytest.approx(chance[held].sum())
    assert width[i, j] == pytest.approx((chance * (high - low)).sum())


def test_clustered_limits_take_effective_sizes():
    rng = np.random.default_rng(3)
    label, patient = np.repeat([1, 0], 60), np.repeat(np.arange(40), 3)
    score = 1.5 * label + rng.normal(size=40)[patient] + rng.normal(size=120)
    points = rs.Study(label, score, cluster=patient).operating_points(
        threshold=0.8, quantities=["tpr", "tnr", "youden"], interval="mid-p"
    )
    tpr, tnr, index = (row for _, row in points.iterrows())
    for row in (tpr, tnr):
        rate, size = np.array([row["estimate"]]), np.array([row["n_effective"]])
        assert size < 60
        limits = np.ravel(mid_p_limits(rate * size, size, 0.025))
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(limits)
    # no patient has cases of both classes: the rates are independent
    below = np.hypot(tpr["estimate"] - tpr["ci_low"], tnr["estimate"] - tnr["ci_low"])
    above = np.hypot(tpr["ci_high"] - tpr["estimate"], tnr["ci_high"] - tnr["estimate"])
    assert index["ci_low"] == pytest.approx(index["estimate"] - below)
    assert index["ci_high"] == pytest.approx(index["estimate"] + above)
    assert index["method"] == "clusters/mover-mid-p"
