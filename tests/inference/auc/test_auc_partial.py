from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.areas import AreaRange
from rocstats.estimate.area_variances import ideal_bootstrap_area_variance
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_areas
from tests import examples
from tests.strategies import samples

QUANTITIES = ["partial_auc", "partial_auc_standardized", "mean_tpr"]


# docs/methods/partial-areas.md, "Worked partial areas"
def test_printed_partial_areas_of_d1():
    frame = rs.Study(examples.Y, examples.D1).auc(fpr_range=(0, 0.2), interval="logit")
    assert frame["quantity"].tolist() == QUANTITIES
    assert frame["estimate"].tolist() == pytest.approx([0.10625, 0.7395833333, 0.53125], abs=5e-11)
    assert frame["se"][0] ** 2 == pytest.approx(0.0014670139, abs=5e-11)
    assert set(frame["range_axis"]) == {"fpr"}
    assert frame[["range_low", "range_high"]].drop_duplicates().to_numpy().tolist() == [[0, 0.2]]
    # logit limits of p = .53125 with SE = sqrt(.0014670139)/.2
    p, se = 0.53125, np.sqrt(0.0014670139) / 0.2
    logit = np.log(p / (1 - p)) + np.array([-1, 1]) * 1.959963985 * se / (p * (1 - p))
    limits = 1 / (1 + np.exp(-logit))
    assert frame.loc[2, ["ci_low", "ci_high"]].tolist() == pytest.approx(limits.tolist(), abs=1e-8)
    assert frame["ci_low"][0] == pytest.approx(0.2 * limits[0], abs=1e-8)


def test_the_three_quantities_are_one(ct):
    frame = ct.auc(fpr_range=(0.1, 0.4), null_value=0.6).set_index("quantity")
    chance = (0.4**2 - 0.1**2) / 2
    for name in ("estimate", "ci_low", "ci_high", "null_value"):
        mean = frame.loc["mean_tpr", name]
        assert frame.loc["partial_auc", name] == pytest.approx(0.3 * mean)
        standardized = (1 + (0.3 * mean - chance) / (0.3 - chance)) / 2
        assert frame.loc["partial_auc_standardized", name] == pytest.approx(standardized)
    assert frame["p_value"].nunique() == 1
    assert frame.loc["mean_tpr", "null_value"] == 0.6


def test_a_range_of_sensitivities_is_that_of_exchanged_classes(rng):
    y = np.repeat([1, 0], [30, 20])
    score = np.round(rng.normal(size=50) + y, 1)
    of_tpr = rs.Study(y, score).auc(tpr_range=(0.7, 1))
    # classes exchanged, sensitivities [.7, 1] become false positive rates [0, .3]
    exchanged = rs.Study(1 - y, -score).auc(fpr_range=(0, 0.3))
    numbers = ["estimate", "se", "ci_low", "ci_high"]
    np.testing.assert_allclose(of_tpr[numbers], exchanged[numbers], rtol=1e-9)
    assert of_tpr["quantity"].tolist() == [*QUANTITIES[:2], "mean_tnr"]
    assert of_tpr[["range_axis", "range_low"]].iloc[0].tolist() == ["tpr", 0.7]


@pytest.mark.parametrize("axis", ["fpr_range", "tpr_range"])
@pytest.mark.parametrize("length", [1e-2, 1e-6, 1e-9, 2e-12])
def test_a_short_range_of_a_perfect_predictor_is_perfect(axis, length):
    # 1 - .2 less 1 - (.2 + 1e-6) is 1e-6 to ten digits only: the mean rate was 1 + 3e-11.
    for n_pos, n_neg in ((10, 10), (3, 7), (50, 45)):
        y = np.repeat([1, 0], [n_pos, n_neg])
        for low in (0.0, 0.05, 0.2, 0.7, 0.9):
            rows = rs.Study(y, -np.arange(len(y))).auc(**{axis: (low, low + length)})
            partial, standardized, mean = rows["estimate"]
            assert partial == pytest.approx(length, rel=1e-3)
            assert standardized == pytest.approx(1, abs=1e-14)
            assert mean == 1
            assert (rows["ci_high"] <= rows["estimate"] + 1e-14).all()
            assert rows["ci_low"][2] < 0.97
            assert rows["method"].eq("delong/newcombe").all()


def test_a_range_within_rounding_is_refused():
    study = rs.Study([1, 1, 0, 0], [4, 2, 3, 1])
    with pytest.raises(rs.InputError, match=r"^`tpr_range` must be longer than 1e-12"):
        study.auc(tpr_range=(0.2, 0.2 + 1e-13))


def test_the_whole_range_is_the_whole_area(ct):
    whole, partial = ct.auc(), ct.auc(fpr_range=(0, 1))
    for name in ("estimate", "se", "ci_low", "ci_high"):
        assert partial[name].tolist() == pytest.approx([whole[name][0]] * 3, abs=1e-12)


@given(
    samples(least=1),
    st.sampled_from([(0, 0.1), (0.2, 0.5), (0.9, 1), (0.25, 0.75)]),
    st.sampled_from(["fpr_range", "tpr_range"]),
    st.sampled_from(["logit", "wald", "probit", "logit-t"]),
)
def test_every_interval_has_a_width_and_stays_in_range(data, ends, axis, interval):
    y, (score,) = data
    frame = rs.Study(y, score).auc(interval=interval, **{axis: ends})
    mean = frame.iloc[2]
    assert 0 <= mean["ci_low"] <= mean["estimate"] + 1e-12
    assert mean["estimate"] - 1e-12 <= mean["ci_high"] <= 1
    assert (frame["ci_low"] < frame["ci_high"]).all()


def test_no_positive_in_the_range_leads_to_newcombe():
    study = rs.Study([0] * 5 + [1] * 6 + [0] * 5, np.arange(16)[::-1])
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = study.auc(fpr_range=(0, 0.3)).iloc[2]
    assert (row["estimate"], row["ci_low"]) == (0, 0)
    assert 0.1 < row["ci_high"] < 0.6
    assert row["method"] == "delong/newcombe"


def test_a_partial_area_of_zero_that_ends_at_a_step_leads_to_newcombe():
    # nothing in FPR [0, 1/4], where the curve starts to rise
    study = rs.Study([0, 1, 1, 0, 1, 0, 0], [7, 6, 5, 4, 3, 2, 1])
    row = study.auc(fpr_range=(0, 0.25), interval="logit").iloc[0]
    assert (row["estimate"], row["method"]) == (0, "delong/newcombe")
    assert row["ci_low"] == 0
    assert row["ci_high"] > 0


def test_few_cases_in_the_range_are_said(rng):
    y = np.repeat([1, 0], [30, 60])
    study = rs.Study(y, rng.normal(size=90) + y)
    # 60 negatives: 6 below FPR .1, 12 below .2; 30 positives: 6 above TPR .8, 12 above .6
    for axis, few, enough in (("fpr", (0, 0.1), (0.05, 0.2)), ("tpr", (0.8, 1), (0.6, 0.7))):
        assert "few-cases-in-range" in study.auc(**{f"{axis}_range": few})["note"][0]
        assert "few-cases-in-range" not in study.auc(**{f"{axis}_range": enough})["note"][0]


def test_an_end_at_a_vertical_step_is_said():
    study = rs.Study([1, 0, 1, 0], [4, 3, 2, 1])
    with pytest.warns(rs.StatisticalWarning, match="range-end-at-step"):
        frame = study.auc(fpr_range=(0, 0.5))
    assert frame["note"].str.contains("range-end-at-step").all()


def test_clusters_and_folds_and_weights_enter_partial_areas(rng):
    y, score = np.tile([1, 0], 30), np.round(rng.normal(size=60), 1)
    asked = {"fpr_range": (0, 0.3), "interval": "logit"}
    plain = rs.Study(y, score).auc(**asked)
    single = rs.Study(y, score, cluster=np.arange(60)).auc(**asked)
    numbers = ["estimate", "se", "ci_low", "ci_high"]
    np.testing.assert_allclose(plain[numbers], single[numbers], rtol=1e-10)
    fold = np.repeat([0, 1], 30)
    folded = rs.Study(y, score, fold=fold).auc(fpr_range=(0, 0.3))
    parts = [rs.Study(y[fold == f], score[fold == f]).auc(fpr_range=(0, 0.3)) for f in (0, 1)]
    assert folded["estimate"][0] == pytest.approx(np.mean([p["estimate"][0] for p in parts]))
    assert folded["se"][0] == pytest.approx(np.hypot(*[p["se"][0] for p in parts]) / 2)
    weighted = rs.Study(y, score, sample_weight=np.full(60, 2.0)).auc(fpr_range=(0, 0.3))
    assert weighted["estimate"].tolist() == pytest.approx(plain["estimate"].tolist())
    assert weighted["se"].isna().all()


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("digits", [0, 8])
def test_resampled_partial_areas_agree_between_engines(rng, axis, digits):
    from scipy.stats import ks_2samp

    y = np.repeat([1, 0], [25, 35])
    score = np.round(rng.normal(size=60) + y, digits)
    over = AreaRange(axis, 0.2, 0.6)
    study = rs.Study(y, score)
    counted = draw_areas(study.cases, 0, ResamplePlan(8000, 1), over=over).values
    table = rs.Study(y, score, frequency=np.ones(60))
    cased = rs.Study(y, score, sample_weight=np.ones(60))
    for other in (table, cased):
        draws = draw_areas(other.cases, 0, ResamplePlan(8000, 2), over=over).values
        assert ks_2samp(np.round(counted, 9), np.round(draws, 9)).pvalue > 0.001
    assert counted.max() <= over.width + 1e-12


def test_resampled_whole_range_has_the_closed_variance(ct):
    draws = draw_areas(ct.cases, 0, ResamplePlan(20_000, 1), over=AreaRange("tpr", 1e-9, 1)).values
    assert draws.var() == pytest.approx(ideal_bootstrap_area_variance(ct.cases.counts(0)), rel=0.05)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_resampled_intervals_of_partial_areas(three, interval):
    frame = three.auc(fpr_range=(0, 0.3), interval=interval, n_resamples=500, rng=2)
    again = three.auc(fpr_range=(0, 0.3), interval=interval, n_resamples=500, rng=2)
    pd.testing.assert_frame_equal(frame, again)
    mean = frame[frame["quantity"] == "mean_tpr"]
    assert (mean["ci_low"] < mean["estimate"]).all()
    assert (mean["estimate"] < mean["ci_high"]).all()
    assert set(frame["method"]) == {f"delong/{interval}"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fpr_range": (0, 0.1), "tpr_range": (0.9, 1)}, "`tpr_range` must stay None when"),
        ({"fpr_range": (0.2, 0.1)}, "`fpr_range` must be two rates, 0 <= low < high <= 1"),
        ({"tpr_range": 0.9}, "`tpr_range` must be two rates, 0 <= low < high <= 1"),
        ({"fpr_range": (0, 0.1), "variance": "hanley-mcneil"}, "`variance` must be 'delong' for"),
        ({"fpr_range": (0, 0.1), "interval": "newcombe"}, "`interval` must be based on a"),
    ],
)
def test_message(three, arguments, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        three.auc(**arguments)
