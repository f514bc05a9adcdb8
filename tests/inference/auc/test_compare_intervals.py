"""The intervals of a difference of areas: t, Wald's and MOVER's, from placements by definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student

import rocstats as rs
from rocstats.tables.wording import method_sentences
from tests import examples
from tests.examples import t_quantile
from tests.oracles import definitions as oracles
from tests.strategies import samples

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


def test_clusters_of_both_classes_count_once(rng):
    y = np.tile([1, 0, 0], 12)
    scores = rng.normal(size=(2, 36)) + y
    frame = rs.Study(y, scores.T, cluster=np.arange(36) // 3).compare_auc()
    assert frame["df"][0] == pytest.approx(11, rel=1e-12)


def test_folds_sum_over_folds(rng):
    y = np.tile([1, 0, 0], 16)
    fold = np.repeat([0, 1], 24)
    scores = rng.normal(size=(2, 48)) + y
    row = rs.Study(y, scores.T, fold=fold).compare_auc().iloc[0]
    parts = [p for f in (0, 1) for p in components(y[fold == f], scores[:, fold == f], (1, -1))]
    assert row["df"] == pytest.approx(satterthwaite(parts, (8, 16, 8, 16)), rel=1e-12)


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


@given(samples(predictors=2, least=3), st.integers(2, 4), st.sampled_from(["t", "mover"]))
def test_a_frequency_is_so_many_cases(data, times, interval):
    y, (a, b) = data
    table = rs.Study(y, {"a": a, "b": b}, frequency=np.full(len(y), times))
    rows = rs.Study(np.tile(y, times), {"a": np.tile(a, times), "b": np.tile(b, times)})
    first, second = (study.compare_auc(interval=interval).iloc[0] for study in (table, rows))
    for name in (*LIMITS, "statistic", "p_value"):
        assert first[name] == pytest.approx(second[name], abs=1e-8, nan_ok=True)


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


def test_methods_are_named_in_words(three):
    def words(**asked):
        return " ".join(s.text for s in method_sentences(three.compare_auc(**asked)))

    assert "with quantiles of the t distribution" in words()
    assert "two-sided t tests of no difference" in words()
    assert "by the normal approximation" in words(interval="wald")
    at_margin = words(hypothesis="non-inferiority", margin=0.1)
    assert "by combining the logit limits of both areas" in at_margin
    assert "one-sided MOVER tests of non-inferiority with a margin of 0.1" in at_margin
