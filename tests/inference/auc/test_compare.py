"""Differences of areas by DeLong's test: t, Wald and MOVER limits, margins, several at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm, studentized_range
from scipy.stats import t as student

import rocstats as rs
from rocstats.tables.wording import method_sentences
from tests import examples
from tests.examples import t_quantile
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


def test_perfect_against_perfect_has_a_finite_interval(perfect_pair):
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = perfect_pair.compare_auc().iloc[0]
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


LIMITS = ["ci_low", "ci_high"]


def components(y, scores, weights):
    """Variance over positives and over negatives of a contrast's placements, over their number."""
    kernel = sum(w * oracles.kernel(y, s) for w, s in zip(weights, scores, strict=True))
    return [kernel.mean(axis=1 - a).var(ddof=1) / kernel.shape[a] for a in (0, 1)]


def satterthwaite(parts, sizes):
    return sum(parts) ** 2 / sum(p**2 / (n - 1) for p, n in zip(parts, sizes, strict=True))


# docs/methods/comparison.md, "DeLong's test"
@pytest.mark.parametrize("weights", [(1, -1, 0), (0, 1, -1), (0.5, 0.5, -1)])
def test_t_limits_of_a_contrast_by_hand(three, weights):
    scores = (examples.D1, examples.D2, examples.D3)
    parts = components(examples.Y, scores, weights)
    df, se = satterthwaite(parts, (8, 10)), np.sqrt(sum(parts))
    areas = [oracles.auc(examples.Y, s) for s in scores]
    d = np.dot(weights, areas)
    row = three.compare_auc(contrasts=[weights]).iloc[0]
    assert row["df"] == pytest.approx(df, rel=1e-12)
    half = t_quantile(0.975, df) * se
    assert row[LIMITS].tolist() == pytest.approx([d - half, d + half], rel=1e-12)
    assert row["p_value"] == pytest.approx(2 * student.sf(abs(d) / se, df), rel=1e-11)
    assert row["method"] == "delong/wald-t"
    # what other programs print
    wald = three.compare_auc(contrasts=[weights], interval="wald").iloc[0]
    half = norm.ppf(0.975) * se
    assert wald[LIMITS].tolist() == pytest.approx([d - half, d + half], rel=1e-12)
    assert (wald["method"], wald["df"]) == ("delong/wald", np.inf)


def mover_by_hand(y, first, second, level=0.95):
    """Zou & Donner's limits from logit t limits of both areas and the areas' correlation."""
    areas, own = [], []
    for score in (first, second):
        parts = components(y, [score], [1.0])
        a, se = oracles.auc(y, score), np.sqrt(sum(parts))
        t = t_quantile((1 + level) / 2, satterthwaite(parts, (np.sum(y == 1), np.sum(y == 0))))
        areas.append(a)
        own.append(expit(logit(a) + np.array([-1, 1]) * t * se / (a * (1 - a))))
    covariance = oracles.delong_covariance(y, [first, second])
    r = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    (a1, a2), ((l1, u1), (l2, u2)) = areas, own
    down, up = (a1 - l1, u2 - a2), (u1 - a1, a2 - l2)
    reach = [np.sqrt(x**2 - 2 * r * x * z + z**2) for x, z in (down, up)]
    return a1 - a2 - reach[0], a1 - a2 + reach[1]


# docs/methods/comparison.md, "MOVER with a margin"
def test_mover_limits_by_hand(three):
    frame = three.compare_auc(interval="mover")
    scores = {"d1": examples.D1, "d2": examples.D2, "d3": examples.D3}
    for row in frame.itertuples():
        expected = mover_by_hand(examples.Y, scores[row.predictor], scores[row.reference])
        assert (row.ci_low, row.ci_high) == pytest.approx(expected, rel=1e-10)
        assert row.method == "delong/logit-mover"
    low = frame["ci_low"][0]
    at_limit = three.compare_auc(interval="mover", null_value=low)
    assert at_limit["p_value"][0] == pytest.approx(0.05, abs=1e-9)
    assert at_limit["statistic"][0] == pytest.approx(norm.ppf(0.975), abs=1e-9)


def test_mover_limits_of_three_areas_by_hand(three):
    scores = [examples.D1, examples.D2, examples.D3]
    weights = np.array([0.5, 0.5, -1])
    distance = []
    for score, up in zip(scores, weights > 0, strict=True):
        parts = components(examples.Y, [score], [1.0])
        a, se = oracles.auc(examples.Y, score), np.sqrt(sum(parts))
        t = t_quantile(0.975 if up else 0.025, satterthwaite(parts, (8, 10)))
        distance.append(abs(expit(logit(a) + t * se / (a * (1 - a))) - a))
    s = oracles.delong_covariance(examples.Y, scores)
    v = weights * distance
    reach = np.sqrt(v @ (s / np.sqrt(np.outer(np.diag(s), np.diag(s)))) @ v)
    row = three.compare_auc(contrasts=[weights], interval="mover").iloc[0]
    assert row["ci_high"] - row["estimate"] == pytest.approx(reach, rel=1e-10)


def test_a_margin_takes_mover_and_no_margin_t(three):
    with_margin = three.compare_auc(hypothesis="non-inferiority", margin=0.1)
    mover = three.compare_auc(interval="mover")
    assert with_margin[LIMITS].equals(mover[LIMITS])
    # superiority without a margin is the one-sided test of 0
    better = three.compare_auc(hypothesis="superiority")
    assert better[LIMITS].equals(three.compare_auc()[LIMITS])
    asked = {"hypothesis": "equivalence", "margin": 0.1}
    assert (three.compare_auc(**asked)["method"] == "delong/logit-mover").all()
    chosen = three.compare_auc(**asked, interval="t")
    assert (chosen["method"] == "delong/wald-t").all()
    exponential = three.compare_auc(method="hanley-mcneil", **asked)
    assert (exponential["method"] == "hanley-mcneil-pearson/logit-mover").all()
    assert (three.compare_auc(method="hanley-mcneil")["method"].str.endswith("/wald")).all()


def test_the_closed_bootstrap_has_delongs_degrees_of_freedom(three):
    delong, closed = three.compare_auc(), three.compare_auc(method="bootstrap")
    assert closed["df"].tolist() == delong["df"].tolist()
    half = t_quantile(0.975, closed["df"]) * closed["se"]
    np.testing.assert_allclose(closed["ci_high"], closed["estimate"] + half, rtol=1e-12)
    # MOVER takes the variances of the bootstrap too
    mover = three.compare_auc(method="bootstrap", interval="mover")
    other = three.compare_auc(interval="mover")
    assert (mover["ci_low"] != other["ci_low"]).all()
    np.testing.assert_allclose(mover[LIMITS], other[LIMITS], atol=0.02)


def test_clusters_count_by_kind(rng):
    # 6 clusters of 2 positives, 9 of 3 negatives, 5 of one each
    y = np.concatenate([np.repeat([1, 0], [12, 27]), np.tile([1, 0], 5)])
    cluster = np.concatenate([np.arange(12) // 2, 6 + np.arange(27) // 3, 15 + np.arange(10) // 2])
    scores = rng.normal(size=(2, len(y))) + y
    row = rs.Study(y, scores.T, cluster=cluster).compare_auc().iloc[0]
    kernel = oracles.kernel(y, scores[0]) - oracles.kernel(y, scores[1])
    d = kernel.mean()
    m, n = kernel.shape
    pos = np.zeros(20)
    np.add.at(pos, cluster[y == 1], (kernel.mean(axis=1) - d) / m)
    neg = np.zeros(20)
    np.add.at(neg, cluster[y == 0], (kernel.mean(axis=0) - d) / n)
    parts = []
    for kind in (slice(0, 6), slice(6, 15), slice(15, 20)):
        p, q = pos[kind], neg[kind]
        parts.append(11 / 10 * p @ p + 14 / 13 * q @ q + 2 * 20 / 19 * p @ q)
    assert row["se"] ** 2 == pytest.approx(sum(parts), rel=1e-12)
    assert row["df"] == pytest.approx(satterthwaite(parts, (6, 9, 5)), rel=1e-10)
    assert row["method"] == "obuchowski/wald-t"


def test_clusters_of_both_classes_count_once(rng):
    y = np.tile([1, 0, 0], 12)
    scores = rng.normal(size=(2, 36)) + y
    frame = rs.Study(y, scores.T, cluster=np.arange(36) // 3).compare_auc()
    assert frame["df"][0] == pytest.approx(11, rel=1e-12)


def test_strata_and_partial_areas_have_t_limits(rng):
    y, group = np.tile([1, 0, 0], 20), np.repeat(["u", "v"], 30)
    scores = rng.normal(size=(2, 60)) + y
    study = rs.Study(y, scores.T, group=group)
    found = {w: study.compare_stratified_auc(interval=w).iloc[0] for w in ("t", "wald", "mover")}
    share = [0.5, 0.5]
    parts = [
        s**2 * p
        for s, g in zip(share, "uv", strict=True)
        for p in components(y[group == g], scores[:, group == g], (1, -1))
    ]
    df = satterthwaite(parts, (10, 20, 10, 20))
    assert found["t"]["df"] == pytest.approx(df, rel=1e-12)
    assert study.compare_stratified_auc()["ci_low"][0] == found["t"]["ci_low"]
    width = found["t"]["ci_high"] - found["t"]["ci_low"]
    assert width == pytest.approx(2 * t_quantile(0.975, df) * found["t"]["se"], rel=1e-12)
    assert found["wald"]["method"] == "stratified-delong/wald"
    assert found["mover"]["method"] == "stratified-delong/logit-mover"
    partial = rs.Study(y, scores.T).compare_auc(fpr_range=(0, 0.4))
    width = partial["ci_high"] - partial["ci_low"]
    t = t_quantile(0.975, partial["df"])
    np.testing.assert_allclose(width, 2 * t * partial["se"], rtol=1e-12)


# docs/methods/comparison.md, "DeLong's test"
def test_over_a_range_the_df_count_the_cases_expected_in_it(rng):
    m, n, high = 12, 20, 0.4
    y, scores = np.repeat([1, 0], [m, n]), rng.normal(size=(2, m + n))
    scores[:, :m] += 1
    pos, neg = scores[:, :m, np.newaxis], scores[:, np.newaxis, m:]
    # The part of the range beyond each positive; the TPR at each negative, or at the range's end.
    of_pos = np.clip(high - (neg > pos).mean(axis=2), 0, None)
    tpr = (pos > neg).mean(axis=1)
    end = np.sort(tpr, axis=1)[:, 7:9].mean(axis=1, keepdims=True)
    of_neg = np.minimum(tpr, end)
    a, b = (np.var(v[0] - v[1], ddof=1) / v.shape[1] for v in (of_pos, of_neg))
    df = satterthwaite((a, b), (m, high * n))
    row = rs.Study(y, scores.T).compare_auc(fpr_range=(0, high)).iloc[0]
    assert row["se"] == pytest.approx(np.sqrt(a + b), rel=1e-9)
    assert row["df"] == pytest.approx(df, rel=1e-9)
    mirrored = rs.Study(1 - y, -scores.T, cluster=np.arange(m + n))
    row = mirrored.compare_auc(tpr_range=(1 - high, 1)).iloc[0]
    assert row["df"] == pytest.approx(df, rel=1e-9)
    # All cases in both of two groups: the paired comparison again.
    twice, case, group = np.tile(y, 2), np.tile(np.arange(m + n), 2), np.repeat(["a", "b"], m + n)
    grouped = rs.Study(twice, scores.ravel(), group=group, cluster=case)
    row = grouped.compare_auc(across="groups", fpr_range=(0, high)).iloc[0]
    assert row["df"] == pytest.approx(df, rel=1e-9)


def test_perfect_partial_areas_count_the_cases_expected_in_the_range():
    y = [1] * 10 + [0] * 20
    up = np.arange(30)[::-1].astype(float)
    shuffled = np.concatenate([up[:10][::-1], up[10:]])
    row = rs.Study(y, {"a": up, "b": shuffled}).compare_auc(fpr_range=(0, 0.5)).iloc[0]
    # The mean rates have the limits 0.8002136 and 1 of 10 and 10 cases
    # (docs/methods/area-intervals.md, "Lower limits at an area of 1"), over a width of one half.
    expected = [-0.5 * (1 - 0.8002136), 0.5 * (1 - 0.8002136)]
    assert row[LIMITS].tolist() == pytest.approx(expected, abs=5e-8)
    assert row["method"] == "newcombe/mover"


@pytest.mark.parametrize("interval", ["t", "mover"])
def test_many_cases_have_walds_limits(interval):
    for times, bound in ((100, 0.02), (10_000, 2e-3)):
        y = np.tile([1, 0, 0], 20)
        scores = np.random.default_rng(7).normal(size=(2, 60)) + y
        study = rs.Study(y, scores.T, frequency=np.full(60, times))
        found, wald = (study.compare_auc(interval=w).iloc[0] for w in (interval, "wald"))
        assert (found[LIMITS] - wald[LIMITS]).abs().max() / wald["se"] < bound


@given(samples(predictors=2, least=2), st.sampled_from(["t", "wald", "mover"]))
def test_exchanged_predictors_mirror_the_row(data, interval):
    y, (a, b) = data
    row = rs.Study(y, {"a": a, "b": b}).compare_auc(interval=interval).iloc[0]
    other = rs.Study(y, {"b": b, "a": a}).compare_auc(interval=interval).iloc[0]
    assert other["estimate"] == pytest.approx(-row["estimate"], abs=1e-12)
    assert other["ci_low"] == pytest.approx(-row["ci_high"], abs=1e-9, nan_ok=True)
    assert other["statistic"] == pytest.approx(-row["statistic"], abs=1e-6, nan_ok=True)
    assert other["p_value"] == pytest.approx(row["p_value"], abs=1e-9, nan_ok=True)


@given(samples(predictors=2, least=2), st.sampled_from(["t", "wald"]))
def test_a_higher_level_holds_a_lower_one(data, interval):
    y, (a, b) = data
    study = rs.Study(y, {"a": a, "b": b})
    rows = [study.compare_auc(interval=interval, confidence_level=c).iloc[0] for c in (0.8, 0.95)]
    if not np.isnan(rows[0]["ci_low"]):
        assert rows[1]["ci_low"] <= rows[0]["ci_low"] + 1e-12
        assert rows[1]["ci_high"] >= rows[0]["ci_high"] - 1e-12


def test_a_null_value_beyond_every_limit_has_the_p_value_of_t():
    # Areas of one half that correlate by .9: logit limits of both end at 0 and 1, so that those of
    # the difference end near -+ .5 sqrt(2 - 2 r).
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], 60)
    shared = rng.normal(size=120)
    scores = shared + 0.2 * rng.normal(size=(2, 120))
    study = rs.Study(y, scores.T)
    row = study.compare_auc(interval="mover", null_value=-0.6).iloc[0]
    t = study.compare_auc(null_value=-0.6).iloc[0]
    assert row["p_value"] == pytest.approx(t["p_value"], rel=1e-9)
    assert 0 < row["p_value"] < 1e-10


def test_mover_of_unequal_classes_has_a_note(rng):
    def notes(n_pos, n_neg, **asked):
        y = np.repeat([1, 0], [n_pos, n_neg])
        scores = rng.normal(size=(2, len(y))) + y
        return rs.Study(y, scores.T).compare_auc(**asked)["note"][0]

    margin = {"hypothesis": "non-inferiority", "margin": 0.1}
    with pytest.warns(rs.StatisticalWarning, match="unbalanced-mover"):
        assert "unbalanced-mover" in notes(30, 121, **margin)
    assert "unbalanced-mover" not in notes(30, 120, **margin)
    assert "unbalanced-mover" in notes(250, 50, interval="mover")
    assert "unbalanced-mover" not in notes(255, 51, interval="mover")
    assert "unbalanced-mover" not in notes(30, 121)


def test_folds_add_their_variances(rng):
    y, fold = np.tile([1, 0, 0], 16), np.repeat([0, 1], 24)
    scores = rng.normal(size=(2, 48)) + y
    row = rs.Study(y, scores.T, fold=fold).compare_auc().iloc[0]
    parts = [p for f in (0, 1) for p in components(y[fold == f], scores[:, fold == f], (1, -1))]
    assert row["se"] == pytest.approx(np.sqrt(sum(parts)) / 2, rel=1e-12)
    assert row["df"] == pytest.approx(satterthwaite(parts, (8, 16, 8, 16)), rel=1e-12)
    assert row["method"] == "foldwise-delong/wald-t"


def test_methods_are_named_in_words(three):
    def words(**asked):
        return " ".join(s.text for s in method_sentences(three.compare_auc(**asked)))

    assert "with quantiles of the t distribution" in words()
    assert "two-sided t tests of no difference" in words()
    assert "by the normal approximation" in words(interval="wald")
    at_margin = words(hypothesis="non-inferiority", margin=0.1)
    assert "by combining the logit limits of both areas" in at_margin
    assert "one-sided MOVER tests of non-inferiority with a margin of 0.1" in at_margin


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


def test_margins_hold_at_the_boundary_too(perfect_pair):
    row = perfect_pair.compare_auc(hypothesis="non-inferiority", margin=0.3).iloc[0]
    # MOVER: the lower limit is 0.8002136 - 1 (docs/methods/area-intervals.md, "Lower limits at an
    # area of 1")
    assert row["ci_low"] == pytest.approx(0.8002136 - 1, abs=5e-8)
    assert row["p_value"] < 0.025
    near = perfect_pair.compare_auc(hypothesis="non-inferiority", margin=0.15)
    assert near["p_value"][0] > 0.025


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
