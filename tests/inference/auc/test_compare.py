from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


# docs/methods/comparison.md, "Worked comparisons"
def test_printed_comparisons_of_d1_d2_d3(three):
    frame = three.compare_auc(interval="wald")
    assert frame[["predictor", "reference"]].to_numpy().tolist() == [
        ["d1", "d2"],
        ["d1", "d3"],
        ["d2", "d3"],
    ]
    assert frame["statistic"].tolist() == pytest.approx([0.4429377, 1.2803740, 0.8014692], abs=5e-8)
    # First printed as .2004134, at odds with the Holm value .6012409 = 3 p: docs/methods/index.md,
    # "Corrected figures".
    assert frame["p_value"].tolist() == pytest.approx(
        [0.6578108, 0.6012409 / 3, 0.4228600], abs=5e-8
    )
    assert frame["p_adjusted"].tolist() == pytest.approx(
        [0.8457201, 0.6012409, 0.8457201], abs=5.1e-8
    )
    first = frame.iloc[0]
    assert first["estimate"] == pytest.approx(0.0375)
    assert first["statistic"] == pytest.approx(0.4429376611, abs=5e-11)
    assert first["p_value"] == pytest.approx(0.6578108257, abs=5e-11)
    assert first["ci_low"] == pytest.approx(-0.1284345228, abs=5e-11)
    assert first["ci_high"] == pytest.approx(0.2034345228, abs=5e-11)
    assert frame["note"].str.endswith("adjusted=holm").all()


def test_printed_global_test(three):
    row = three.test_equal_auc().iloc[0]
    assert row["statistic"] == pytest.approx(2.5805222878, abs=5e-11)
    assert row["p_value"] == pytest.approx(0.2751989072, abs=5e-11)
    assert (row["predictor"], row["df"]) == ("all", 2)
    assert np.isnan(row["estimate"])


# docs/methods/comparison.md, "Worked comparisons": the statistic of the unpaired comparison of D1
# and D2
def test_printed_unpaired_statistic():
    y = np.tile(examples.Y, 2)
    score = np.concatenate([examples.D1, examples.D2])
    study = rs.Study(y, score, group=["first"] * 18 + ["second"] * 18)
    row = study.compare_auc(across="groups").iloc[0]
    assert row["statistic"] == pytest.approx(0.2820380374, abs=5e-11)
    assert (row["group"], row["reference"]) == ("first", "second")
    assert (row["n_pos"], row["n_neg"]) == (16, 20)
    # Satterthwaite over the four components S/m, each with its size less one
    parts, dfs = [], []
    for s in (examples.D1, examples.D2):
        k = oracles.kernel(examples.Y, s)
        parts += [k.mean(axis=1).var(ddof=1) / 8, k.mean(axis=0).var(ddof=1) / 10]
        dfs += [7, 9]
    df = sum(parts) ** 2 / sum(p**2 / d for p, d in zip(parts, dfs, strict=True))
    assert row["df"] == pytest.approx(df, rel=1e-12)
    assert row["method"] == "delong/wald-t"


def test_reference_fixes_the_other_side(three):
    frame = three.compare_auc(reference="d2")
    assert frame[["predictor", "reference"]].to_numpy().tolist() == [["d1", "d2"], ["d3", "d2"]]
    assert frame["estimate"].tolist() == pytest.approx([0.0375, -0.1625])


def test_contrasts_replace_pairs(three):
    frame = three.compare_auc(contrasts={"d1 - d2": [1, -1, 0], "mean": [0.5, 0.5, -1]})
    assert frame["predictor"].tolist() == ["d1 - d2", "mean"]
    assert frame["reference"].tolist() == ["contrast", "contrast"]
    pair = three.compare_auc().iloc[0]
    for name in ("estimate", "se", "ci_low", "ci_high", "statistic"):
        assert frame[name][0] == pytest.approx(pair[name], rel=1e-12)
    s = oracles.delong_covariance(examples.Y, [examples.D1, examples.D2, examples.D3])
    w = np.array([0.5, 0.5, -1])
    assert frame["se"][1] == pytest.approx(np.sqrt(w @ s @ w), rel=1e-12)
    assert three.compare_auc(contrasts=[[1, 0, -1]])["predictor"].tolist() == ["contrast_1"]


def test_adjustments(three):
    p = three.compare_auc(adjust="none")
    assert p["p_adjusted"].tolist() == p["p_value"].tolist()
    assert not p["note"].str.contains("adjusted").any()
    bonferroni = three.compare_auc(adjust="bonferroni")["p_adjusted"]
    assert bonferroni.tolist() == pytest.approx(np.minimum(3 * p["p_value"], 1).tolist())


def test_one_sided_differences(three):
    greater = three.compare_auc(interval="wald", alternative="greater", null_value=-0.1).iloc[0]
    two_sided = three.compare_auc(interval="wald", confidence_level=0.9).iloc[0]
    assert greater["ci_low"] == pytest.approx(two_sided["ci_low"], abs=1e-12)
    assert greater["ci_high"] == 1.0
    # docs/methods/comparison.md, "Worked margins", non-inferiority with margin .1: z = (.0375 +
    # .1)/se (printed 1.6241047, cut off and not rounded), p = .0521767
    assert greater["statistic"] == pytest.approx(0.1375 / np.sqrt(0.0071676587), rel=1e-8)
    assert greater["p_value"] == pytest.approx(0.0521767, abs=5e-8)
    assert three.compare_auc(alternative="less")["ci_low"].tolist() == [-1.0] * 3


def test_differences_are_cut_at_one():
    y = [1, 1, 1, 0, 0, 0]
    study = rs.Study(y, {"good": [6.0, 5, 3, 4, 2, 1], "bad": [1.0, 2, 4, 3, 5, 6]})
    row = study.compare_auc(confidence_level=0.999).iloc[0]
    assert row["ci_high"] == 1.0


def test_identical_predictors_have_no_interval(three):
    scores = {"a": examples.D1, "b": np.exp(examples.D1)}
    study, again = (rs.Study(examples.Y, scores) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        row = study.compare_auc().iloc[0]
    assert (row["estimate"], row["se"], row["p_value"]) == (0, 0, 1)
    assert np.isnan([row["ci_low"], row["ci_high"], row["statistic"]]).all()
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        overall = again.test_equal_auc().iloc[0]
    assert (overall["statistic"], overall["df"], overall["p_value"]) == (0, 0, 1)


def test_a_copy_costs_the_global_test_nothing(three):
    with_copy = rs.Study(
        examples.Y,
        {"a": examples.D1, "b": examples.D2, "c": examples.D3, "copy": 2 * examples.D2},
    ).test_equal_auc()
    assert with_copy["statistic"][0] == pytest.approx(2.5805222878, abs=5e-10)
    assert with_copy["df"][0] == 2


def test_perfect_against_perfect_has_a_finite_interval():
    y = [1] * 10 + [0] * 10
    up = np.arange(20)[::-1].astype(float)
    shuffled = np.concatenate([up[:10][::-1], up[10:]])
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = rs.Study(y, {"a": up, "b": shuffled}).compare_auc().iloc[0]
    # MOVER of two intervals [0.8002136, 1] (docs/methods/area-intervals.md, "Lower limits at an
    # area of 1"): -+ the distance to the lower limit
    assert row["ci_low"] == pytest.approx(-(1 - 0.8002136), abs=5e-8)
    assert row["ci_high"] == pytest.approx(1 - 0.8002136, abs=5e-8)
    assert (row["estimate"], row["statistic"], row["p_value"]) == (0, 0, 1)
    assert row["method"] == "newcombe/mover"


def test_perfect_against_imperfect_takes_mover_limits_and_their_test():
    y = [1] * 10 + [0] * 10
    up = np.arange(20)[::-1].astype(float)
    other = up.copy()
    other[[9, 10]] = other[[10, 9]]
    study = rs.Study(y, {"perfect": up, "other": other})
    row = study.compare_auc().iloc[0]
    own = study.auc(interval="newcombe")
    d = own["estimate"][0] - own["estimate"][1]
    low = d - np.hypot(1 - own["ci_low"][0], own["ci_high"][1] - own["estimate"][1])
    high = d + np.hypot(0, own["estimate"][1] - own["ci_low"][1])
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), abs=1e-12)
    at_limit = study.compare_auc(null_value=low).iloc[0]
    assert at_limit["p_value"] == pytest.approx(0.05, abs=1e-8)


def test_a_constant_shift_of_all_placements_is_still_tested():
    # every positive beats two of four negatives under a, and one of four under b: variance 0
    y = [1, 1, 1, 0, 0, 0, 0]
    study = rs.Study(y, {"a": [3.0, 3, 3, 5, 5, 1, 1], "b": [3.0, 3, 3, 5, 5, 5, 1]})
    row = study.compare_auc().iloc[0]
    assert row["estimate"] == pytest.approx(0.25)
    assert row["ci_low"] < 0.25 < row["ci_high"]
    assert 0 < row["p_value"] < 1


def test_a_single_case_is_compared_by_mover():
    study = rs.Study([1, 0, 0, 0], {"a": [3.0, 1, 2, 4], "b": [3.0, 4, 5, 1]})
    with pytest.warns(rs.StatisticalWarning, match="single-case"):
        row = study.compare_auc().iloc[0]
    assert row["estimate"] == pytest.approx(1 / 3)
    assert np.isnan(row["se"])
    assert -1 <= row["ci_low"] < 1 / 3 < row["ci_high"] <= 1


def test_no_variance_to_test_equality_with():
    study = rs.Study([1, 1, 0, 0], {"a": [3.0, 4, 1, 2], "b": [1.0, 1, 1, 1]})
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        row = study.test_equal_auc().iloc[0]
    assert np.isnan(row["p_value"])


def test_weights_give_differences_alone():
    weight = np.linspace(0.5, 2, 18)
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, sample_weight=weight)
    row = study.compare_auc().iloc[0]
    own = study.auc()["estimate"]
    assert row["estimate"] == pytest.approx(own[0] - own[1])
    assert row[["se", "ci_low", "p_value", "p_adjusted"]].isna().all()
    assert "weights-need-bootstrap" in study.test_equal_auc()["note"][0]


def test_groups_are_compared_apart_and_against_each_other(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    apart = study.compare_auc()
    assert apart["group"].tolist() == ["x", "y"]
    across = study.compare_auc(across="groups")
    assert across[["predictor", "group", "reference"]].to_numpy().tolist() == [
        ["a", "x", "y"],
        ["b", "x", "y"],
    ]
    areas = study.auc().set_index(["group", "predictor"])["estimate"]
    assert across["estimate"][0] == pytest.approx(areas["x", "a"] - areas["y", "a"])
    assert study.test_equal_auc()["group"].tolist() == ["x", "y"]


def test_folds_and_clusters_enter_differences(rng):
    y = np.tile([1, 0], 20)
    scores = rng.normal(size=(2, 40)) + y
    fold = np.repeat([0, 1], 20)
    study = rs.Study(y, scores.T, fold=fold)
    row = study.compare_auc().iloc[0]
    parts = [oracles.delong_covariance(y[fold == f], scores[:, fold == f]) for f in (0, 1)]
    w = np.array([1, -1])
    assert row["se"] == pytest.approx(np.sqrt(sum(w @ s @ w for s in parts)) / 2, rel=1e-12)
    assert row["method"] == "foldwise-delong/wald-t"
    clustered = rs.Study(y, scores.T, cluster=np.repeat(np.arange(20), 2)).compare_auc()
    assert clustered["method"][0] == "obuchowski/wald-t"


@given(samples(predictors=2))
def test_swapping_predictors_changes_the_sign(data):
    y, (a, b) = data
    row = rs.Study(y, {"a": a, "b": b}).compare_auc().iloc[0]
    other = rs.Study(y, {"b": b, "a": a}).compare_auc().iloc[0]
    assert other["estimate"] == pytest.approx(-row["estimate"], abs=1e-12)
    assert other["ci_low"] == pytest.approx(-row["ci_high"], abs=1e-9, nan_ok=True)
    assert other["p_value"] == pytest.approx(row["p_value"], abs=1e-9, nan_ok=True)


@given(samples(predictors=3, least=1))
def test_differences_stay_in_range_and_never_have_zero_width(data):
    y, scores = data
    frame = rs.Study(y, scores.T).compare_auc()
    known = frame[frame["note"].str.contains("identical") == False]  # noqa: E712
    assert (known["ci_low"] < known["ci_high"]).all()
    assert (known["ci_low"] >= -1).all()
    assert (known["ci_high"] <= 1).all()
    assert known["p_value"].between(0, 1).all()
    assert (known["p_value"] > 0).all()
