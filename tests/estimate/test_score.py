"""Score limits where the estimate, the quantile or the variance is at its edge."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.intervals import HANLEY_MCNEIL_SCORE_INTERVAL, NEWCOMBE_LIMITS, Area

SCORES = {"newcombe": NEWCOMBE_LIMITS, "hanley-mcneil-score": HANLEY_MCNEIL_SCORE_INTERVAL.method}


def area(value, m=1500, n=1500):
    return Area(value, 0.0, np.inf, m, n, m * n)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@given(
    value=st.sampled_from([0.0, 1e-9, 1 / 2250000, 0.3, 0.5, 1 - 1 / 2250000, 1 - 1e-12, 1.0]),
    quantile=st.floats(-38, 38),
    m=st.integers(2, 10**9),
    n=st.integers(2, 10**9),
)
def test_a_limit_solves_its_equation_at_every_quantile(score, value, quantile, m, n):
    limit = score.limit(area(value, m, n), quantile)
    assert 0 <= limit <= 1
    assert (limit - value) * quantile >= -1e-15
    if 1e-3 < limit < 1 - 1e-3 and abs(limit - value) > 1e-6:  # where the statistic has its digits
        assert score.statistic(area(value, m, n), limit) == pytest.approx(-quantile, rel=1e-5)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("quantile", [0.0, -1e-200, -1e-9])
def test_the_limit_at_no_quantile_is_the_estimate(score, quantile):
    assert score.limit(area(1.0), quantile) == pytest.approx(1.0, abs=1e-15)


def nearly_perfect(m, n):
    """One predictor separates the classes; the other has one pair of cases exchanged."""
    perfect = np.r_[np.arange(n), n + np.arange(m)].astype(float)
    nearly = perfect.copy()
    nearly[[n - 1, n]] = nearly[[n, n - 1]]
    y = np.r_[np.zeros(n), np.ones(m)]
    frame = pd.DataFrame({"perfect": perfect, "nearly": nearly})
    return y, frame


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
@pytest.mark.parametrize(("m", "n"), [(1500, 1500), (200, 20000)])
def test_a_perfect_and_a_nearly_perfect_predictor_are_compared(m, n):
    y, frame = nearly_perfect(m, n)
    row = rs.Study(y, frame, pos_label=1).compare_auc().iloc[0]
    assert row["estimate"] == pytest.approx(1 / (m * n))
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    # One pair of m n: the data do not tell the two apart.
    assert 0.5 < row["p_value"] <= 1


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
@pytest.mark.parametrize("interval", ["newcombe", "hanley-mcneil-score"])
def test_a_one_sided_limit_at_one_half_is_the_perfect_estimate(interval):
    y, frame = nearly_perfect(20, 30)
    study = rs.Study(y, frame, pos_label=1)
    row = study.auc(interval=interval, confidence_level=0.5 + 1e-12, alternative="greater").iloc[0]
    assert row["ci_low"] == pytest.approx(1.0, abs=1e-15)


@pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")
def test_stratified_multiclass_and_short_ranges_are_compared():
    y, frame = nearly_perfect(200, 200)
    strata = (np.arange(400) + 1) // 2 % 2  # the exchanged cases are of one stratum
    study = rs.Study(y, frame, pos_label=1, group=strata)
    assert study.compare_stratified_auc()["ci_high"].notna().all()
    short = rs.Study(y, frame, pos_label=1).compare_auc(fpr_range=(0.0, 1e-4))
    assert short["ci_high"].notna().all()
    classes = np.repeat([0, 1, 2], 200)
    shares = pd.DataFrame(np.eye(3)[classes] * 0.8 + 0.1, columns=[0, 1, 2])
    multi = rs.MulticlassStudy(classes, shares)
    assert multi.auc()["ci_low"].notna().all()
