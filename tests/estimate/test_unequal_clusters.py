"""Clusters of unequal size: degrees of freedom, effective sizes, comparisons and the note."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.estimate.bars import cluster_units
from rocstats.estimate.claim import read_hypothesis
from rocstats.facts.arrays import equal_clusters
from rocstats.inference.costs.costs import cost_difference_limits
from rocstats.inference.points.resampled_rates import ResampledRate, resampled_difference
from tests import examples


def unequal(seed=3, *, n=60, large=3, of=40):
    """Return labels, scores and clusters: ``large`` clusters of ``of`` cases, the others of two."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n), np.where(np.arange(n) < large, of, 2))
    y = np.concatenate([np.tile([0, 1], len(cluster) // 2)])
    score = y + rng.normal(size=n)[cluster] + rng.normal(size=len(cluster))
    return y, score, cluster


def pair(seed=3, **sizes):
    y, score, cluster = unequal(seed, **sizes)
    other = score + np.random.default_rng(1).normal(size=len(y))
    return y, {"a": score, "b": other}, cluster


def stretch_of(sizes, p=0.975):
    """Return t of equal clusters with the degrees of freedom, over t of all, by the definition."""
    sizes = np.asarray(sizes, dtype=float)
    equal = (sizes**2).sum() ** 2 / (sizes**4).sum()
    few, many = examples.t_quantile(p, np.maximum([equal - 1, len(sizes) - 1], 1))
    return few / many


@pytest.mark.parametrize(
    ("sizes", "number"),
    [([4, 4, 4], 3), ([1, 0, 0], 1), ([], 0), ([3, 1], 100 / 82), ([0.2, 0.2, 0.2, 0.2, 0.2], 5)],
)
def test_equal_clusters(sizes, number):
    assert equal_clusters(np.array(sizes, dtype=float)) == pytest.approx(number, rel=1e-15)


def test_an_area_has_the_degrees_of_freedom_of_equal_clusters():
    y, score, cluster = unequal()
    row = rs.Study(y, score, cluster=cluster).auc(null_value=0.5).iloc[0]
    # every cluster holds both classes, as many of each: 57 of two cases, three of 40
    squares, fourths = 57 * 2**2 + 3 * 40**2, 57 * 2**4 + 3 * 40**4
    df = squares**2 / fourths - 1
    assert 2 < df < 3
    assert row["df"] == pytest.approx(df, rel=1e-12)
    logit, se = np.log(row["estimate"] / (1 - row["estimate"])), row["se"]
    reach = stats.t.ppf(0.975, df) * se / (row["estimate"] * (1 - row["estimate"]))
    expected = 1 / (1 + np.exp(-(logit + np.array([-reach, reach]))))
    assert [row["ci_low"], row["ci_high"]] == pytest.approx(expected, rel=1e-9)


def test_equal_clusters_keep_their_number():
    y, score, cluster = unequal(large=0)
    row = rs.Study(y, score, cluster=cluster).auc(null_value=0.5).iloc[0]
    assert row["df"] == 59
    assert row["note"] == ""


def test_a_difference_and_a_sensitivity_have_them_too():
    y, scores, cluster = pair()
    score, study = scores["a"], rs.Study(y, scores, cluster=cluster)
    df = (57 * 4 + 3 * 1600) ** 2 / (57 * 16 + 3 * 40**4) - 1
    assert study.compare_auc()["df"][0] == pytest.approx(df, rel=1e-12)
    row = study.operating_points(threshold=0.5, quantities="tpr").iloc[0]
    # half of each cluster is positive
    sums = np.bincount(cluster[y == 1], (score[y == 1] >= 0.5) - row["estimate"])
    variance = 60 / 59 * (sums @ sums) / (y == 1).sum() ** 2
    assert row["se"] == pytest.approx(np.sqrt(variance))
    p, stretch = row["estimate"], stretch_of(np.bincount(cluster[y == 1]))
    assert row["n_effective"] == pytest.approx(p * (1 - p) / variance / stretch**2)


@pytest.mark.parametrize(("large", "noted"), [(0, False), (3, True)])
def test_unequal_clusters_are_few(large, noted):
    # Kish's effective number of 57 clusters of one positive and three of 20: 117^2 / 1257 = 10.9
    y, score, cluster = unequal(large=large)
    study = rs.Study(y, {"a": score, "b": -score}, cluster=cluster)
    asked = [
        study.auc,
        study.compare_auc,
        lambda: study.operating_points(threshold=0.5),
        lambda: study.cutpoints(n_resamples=100, rng=1),
        study.average_precision,
    ]
    for ask in asked:
        notes = ask()["note"]
        assert notes.str.contains("few-clusters").all() == noted
        assert notes.str.contains("few-clusters").any() == noted


def test_predictive_values_count_the_clusters_of_their_denominator():
    y, score, cluster = unequal()
    study = rs.Study(y, score, cluster=cluster)
    frame = study.operating_points(
        threshold=0.5, quantities=["ppv", "npv", "accuracy", "f1"]
    ).set_index("quantity")
    called = score >= 0.5
    among = {"ppv": called, "npv": ~called, "accuracy": called | True}
    for name, inside in among.items():
        sizes = np.bincount(cluster[inside])
        sizes = sizes[sizes > 0]
        event = {"ppv": y == 1, "npv": y == 0, "accuracy": called == (y == 1)}[name]
        p = event[inside].mean()
        sums = np.bincount(cluster[inside], event[inside] - p)
        n = len(sizes)
        variance = n / (n - 1) * (sums @ sums) / inside.sum() ** 2
        expected = p * (1 - p) / variance / stretch_of(sizes) ** 2
        assert frame.loc[name, "n_effective"] == pytest.approx(expected, rel=1e-9), name


def wilson_limits(p, n):
    z = stats.norm.ppf(0.975)
    middle, reach = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle + np.array([-reach, reach])) / (1 + z**2 / n)


def test_a_difference_of_sensitivities_has_mover_of_the_limits_of_each():
    y, scores, cluster = pair()
    study = rs.Study(y, scores, cluster=cluster)
    asked = {"threshold": 0.5, "quantities": "tpr"}
    row = study.compare_operating_points(**asked, adjust="none").iloc[0]
    stretch, rates, influences, distances = stretch_of(np.bincount(cluster[y == 1])), [], [], []
    for score in scores.values():
        called = score[y == 1] >= 0.5
        p, sums = called.mean(), np.bincount(cluster[y == 1], called - called.mean())
        influence = np.sqrt(60 / 59) * sums / len(called)
        size = p * (1 - p) / (influence @ influence) / stretch**2
        rates.append(p)
        influences.append(influence)
        distances.append(wilson_limits(p, size) - p)
    first, second = influences
    rho = (first @ second) / np.sqrt((first @ first) * (second @ second))
    (a, b), (c, d) = distances
    estimate = rates[0] - rates[1]
    low = estimate - np.sqrt(a**2 + d**2 + 2 * rho * a * d)
    high = estimate + np.sqrt(b**2 + c**2 + 2 * rho * b * c)
    assert [row["ci_low"], row["ci_high"]] == pytest.approx([low, high], rel=1e-9)
    assert row["se"] == pytest.approx(np.sqrt(np.sum((first - second) ** 2)), rel=1e-12)
    # the test inverts the limits: at the level 1 - p one of them is 0
    level = 1 - row["p_value"]
    again = study.compare_operating_points(**asked, confidence_level=level).iloc[0]
    assert min(abs(again["ci_low"]), abs(again["ci_high"])) == pytest.approx(0, abs=1e-9)


def test_a_ratio_of_likelihood_ratios_stretches_the_log_of_each_rate():
    y, scores, cluster = pair(large=5)
    # an eighth of the negatives alone, so that the classes have different clusters
    kept = (y == 1) | (np.arange(len(y)) % 8 == 0) | (cluster > 20)
    y, cluster = y[kept], cluster[kept]
    scores = {name: score[kept] for name, score in scores.items()}
    study = rs.Study(y, scores, cluster=cluster)
    row = study.compare_operating_points(threshold=0.5, quantities="lr_positive_ratio").iloc[0]
    logs, value = [], 1.0
    for score, power in zip(scores.values(), (1, -1), strict=True):
        log = np.zeros(cluster.max() + 1)
        for side, sign in ((y == 1, 1), (y == 0, -1)):
            called = score[side] >= 0.5
            rate, sizes = called.mean(), np.bincount(cluster[side], minlength=len(log))
            n = np.count_nonzero(sizes)
            sums = np.bincount(cluster[side], called - rate, minlength=len(log))
            factor = np.sqrt(n / (n - 1)) / side.sum() / rate * stretch_of(sizes[sizes > 0])
            log += sign * factor * sums
            value *= rate ** (sign * power)
        logs.append(log)
    reach = stats.norm.ppf(0.975) * np.sqrt(np.sum((logs[0] - logs[1]) ** 2))
    expected = value * np.exp([-reach, reach])
    assert [row["ci_low"], row["ci_high"]] == pytest.approx(expected, rel=1e-9)


QUANTITIES = [
    *("tpr", "tnr", "both_rates", "ppv", "npv", "ppv_ratio", "npv_ratio", "lr_positive_ratio"),
    *("lr_negative_ratio", "tpr_ratio", "fpr_ratio", "accuracy", "f1", "mcc", "youden"),
]


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_tests_and_limits_decide_alike(alternative):
    wanted = [name for name in QUANTITIES if alternative == "two-sided" or name != "both_rates"]
    cuts = {name: {0.4: 0.5} for name in "ab"}
    asked = {"alternative": alternative}
    decided = set()
    for seed in range(8):
        y, scores, cluster = pair(seed, large=8, of=10)
        scores["b"] = np.random.default_rng(seed).normal(size=len(y))
        study = rs.Study(y, scores, cluster=cluster)
        asked_of_points = {"threshold": 0.5, "quantities": wanted, "adjust": "none"}
        for frame in (
            study.compare_operating_points(**asked_of_points, **asked),
            study.compare_net_benefit(risk_threshold=0.4, threshold=cuts, **asked),
        ):
            rows = frame[frame["ci_low"].notna()]
            assert len(rows) >= len(frame) - 1
            beyond = (rows["ci_low"] > rows["null_value"]) | (rows["ci_high"] < rows["null_value"])
            assert ((rows["p_value"] < 0.05) == beyond).all()
            decided |= set(beyond)
    assert decided == {True, False}


def test_predictors_that_differ_much_have_a_p_value_in_very_few_clusters():
    """Quantiles of one degree of freedom reach 1e300 where a test looks for its limit."""
    y, _, cluster = unequal(large=1, of=400)
    right = np.random.default_rng(1).random((2, len(y))) < np.array([[0.95], [0.1]])
    scores = dict(zip("ab", (right == y).astype(float), strict=True))
    study = rs.Study(y, scores, cluster=cluster)
    rows = study.compare_operating_points(threshold=0.5, quantities=QUANTITIES)
    assert rows["p_value"].between(0, 1).all()
    benefits = study.compare_net_benefit(risk_threshold=0.4, reference="treat-all")
    assert benefits["p_value"].between(0, 1).all()


@pytest.mark.parametrize("each", [1, 2])
def test_comparisons_in_equal_clusters_have_normal_quantiles(each):
    """Each cluster has as many positives as every other, and as many negatives, or one case."""
    rng = np.random.default_rng(2)
    n = 80
    cluster = np.arange(n) // each
    y = np.arange(n) % 2
    scores = {name: rng.normal(size=n) + y for name in "ab"}
    study = rs.Study(y, scores, cluster=cluster)
    rows = study.compare_operating_points(threshold=0.5, quantities=["tpr_ratio"])
    row = rows.iloc[0]
    logs = []
    for score in scores.values():
        called = score[y == 1] >= 0.5
        logs.append((called - called.mean()) / len(called) / called.mean())
    # a cluster has one positive: its influence value is the case's, times sqrt(I / (I - 1))
    se = np.sqrt(40 / 39 * np.sum((logs[0] - logs[1]) ** 2))
    reach = stats.norm.ppf(0.975) * se
    assert np.log([row["ci_low"], row["ci_high"]]) == pytest.approx(
        np.log(row["estimate"]) + np.array([-reach, reach]), rel=1e-9
    )
    assert row["statistic"] == pytest.approx(np.log(row["estimate"]) / se, rel=1e-12)


def test_a_band_of_cost_differences_is_longer_by_the_stretch_of_either_class():
    places, estimate = np.array([0.5]), np.array([0.01])
    draws = np.random.default_rng(1).normal(0.01, 0.02, (200, 1))
    units = cluster_units(np.array([np.full(20, 2.0), np.repeat([10.0, 2.0], [2, 18])]))
    equal, longer = (
        cost_difference_limits(places, estimate, draws, np.array([0.001]), 0.95, unequal)
        for unequal in (None, units)
    )
    for before, after in zip(equal, longer, strict=True):
        ratio = (after - estimate) / (before - estimate)
        assert ratio == pytest.approx(stretch_of(np.repeat([10.0, 2.0], [2, 18])), rel=1e-9)


def test_a_difference_of_resampled_rates_is_longer_by_the_stretch_of_either_class():
    draws = np.random.default_rng(1).normal(0.7, 0.03, (2, 200))
    units = cluster_units(np.array([np.repeat([10.0, 2.0], [2, 18]), np.full(20, 2.0)]))
    # the limits of a level whose normal quantile is as much longer
    z = stats.norm.ppf(0.975) * stretch_of(np.repeat([10.0, 2.0], [2, 18]))
    limits = []
    for unequal, level in ((units, 0.95), (None, 2 * stats.norm.cdf(z) - 1)):
        plan = read_hypothesis("difference", None, "two-sided", 0.0, level)
        rates = [
            ResampledRate(p, of, 60.0, unequal) for p, of in zip((0.8, 0.6), draws, strict=True)
        ]
        limits.append(resampled_difference(*rates, plan, paired=True)[2:4])
    assert limits[0] == pytest.approx(limits[1], rel=1e-9)


def test_limits_of_a_ratio_are_never_shorter_for_unequal_clusters():
    """Stretched parts of both rates cancelled here: P was .047, and .2 of clusters as they are."""
    y, a, b = (
        np.array([int(c) for c in word])
        for word in ("101111111011000100001", "110101010101100000101", "010001010001110010101")
    )
    cluster = np.repeat(range(4), [10, 1, 1, 9])
    study = rs.Study(y, {"a": a, "b": b}, cluster=cluster)
    row = study.compare_operating_points(threshold=0.5, quantities=["lr_negative_ratio"]).iloc[0]
    log, log_se = np.log(row["estimate"]), row["se"] / row["estimate"]
    usual = np.exp(log + np.array([-1, 1]) * stats.norm.ppf(0.975) * log_se)
    assert row["ci_low"] <= usual[0] + 1e-12
    assert row["ci_high"] >= usual[1] - 1e-12
    assert row["p_value"] >= 2 * stats.norm.sf(abs(log) / log_se) - 1e-12
