"""Clusters of unequal size: degrees of freedom, effective sample sizes and the note."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.facts.arrays import equal_clusters
from tests import examples


def unequal(seed=3, *, n=60, large=3, of=40):
    """Return labels, scores and clusters: ``large`` clusters of ``of`` cases, the others of two."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n), np.where(np.arange(n) < large, of, 2))
    y = np.concatenate([np.tile([0, 1], len(cluster) // 2)])
    score = y + rng.normal(size=n)[cluster] + rng.normal(size=len(cluster))
    return y, score, cluster


def quietly(ask):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ask()


@pytest.mark.parametrize(
    ("sizes", "number"),
    [([4, 4, 4], 3), ([1, 0, 0], 1), ([], 0), ([3, 1], 100 / 82), ([0.2, 0.2, 0.2, 0.2, 0.2], 5)],
)
def test_equal_clusters(sizes, number):
    assert equal_clusters(np.array(sizes, dtype=float)) == pytest.approx(number, rel=1e-15)


def test_an_area_has_the_degrees_of_freedom_of_equal_clusters():
    y, score, cluster = unequal()
    row = quietly(lambda: rs.Study(y, score, cluster=cluster).auc(null_value=0.5)).iloc[0]
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
    row = quietly(lambda: rs.Study(y, score, cluster=cluster).auc(null_value=0.5)).iloc[0]
    assert row["df"] == 59
    assert row["note"] == ""


def test_a_difference_and_a_sensitivity_have_them_too():
    y, score, cluster = unequal()
    scores = {"a": score, "b": score + np.random.default_rng(1).normal(size=len(y))}
    study = rs.Study(y, scores, cluster=cluster)
    df = (57 * 4 + 3 * 1600) ** 2 / (57 * 16 + 3 * 40**4) - 1
    assert quietly(study.compare_auc)["df"][0] == pytest.approx(df, rel=1e-12)
    row = quietly(lambda: study.operating_points(threshold=0.5, quantities="tpr")).iloc[0]
    # half of each cluster is positive
    sums = np.bincount(cluster[y == 1], (score[y == 1] >= 0.5) - row["estimate"])
    variance = 60 / 59 * (sums @ sums) / (y == 1).sum() ** 2
    assert row["se"] == pytest.approx(np.sqrt(variance))
    p = row["estimate"]
    few, many = examples.t_quantile(0.975, np.array([df, 59]))
    assert row["n_effective"] == pytest.approx(p * (1 - p) / variance * (many / few) ** 2)


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
        notes = quietly(ask)["note"]
        assert notes.str.contains("few-clusters").all() == noted
        assert notes.str.contains("few-clusters").any() == noted


def test_predictive_values_count_the_clusters_of_their_denominator():
    y, score, cluster = unequal()
    study = rs.Study(y, score, cluster=cluster)
    frame = quietly(
        lambda: study.operating_points(threshold=0.5, quantities=["ppv", "npv", "accuracy", "f1"])
    ).set_index("quantity")
    called = score >= 0.5
    among = {"ppv": called, "npv": ~called, "accuracy": called | True}
    for name, inside in among.items():
        sizes = np.bincount(cluster[inside])
        sizes = sizes[sizes > 0].astype(float)
        event = {"ppv": y == 1, "npv": y == 0, "accuracy": called == (y == 1)}[name]
        p = event[inside].mean()
        sums = np.bincount(cluster[inside], event[inside] - p)
        n = len(sizes)
        variance = n / (n - 1) * (sums @ sums) / inside.sum() ** 2
        equal = (sizes**2).sum() ** 2 / (sizes**4).sum()
        few, many = examples.t_quantile(0.975, np.array([max(equal - 1, 1), n - 1]))
        expected = p * (1 - p) / variance * (many / few) ** 2
        assert frame.loc[name, "n_effective"] == pytest.approx(expected, rel=1e-9), name
