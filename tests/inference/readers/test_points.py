"""Sensitivity and specificity of readers; curves and components."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.readers.endpoints import called_reads
from rocstats.study.cases import Reads
from tests.inference.readers.studies import averages, drawn, perfect, rows_of, study_of, viper
from tests.inference.readers.worked import random_study


@pytest.mark.parametrize("clusters", [0, 9])
@pytest.mark.parametrize("higher", [True, False])
def test_a_reader_has_the_rates_of_a_binary_study(rng, clusters, higher):
    rows = rows_of(random_study(rng, clusters=clusters))
    study = study_of(rows, higher_is_positive=higher)
    found = study.operating_points(threshold={"m1": 4, "m2": 5}, readers="fixed")
    own = rows[(rows["reader"] == "r3") & (rows["modality"] == "m2")]
    cluster = own["cluster"].to_numpy() if clusters else None
    alone = rs.Study(own["truth"], own["rating"], cluster=cluster, higher_is_positive=higher)
    points = alone.operating_points(threshold=5, quantities=["tpr", "tnr"])
    rows_of_reader = found[(found["reader"] == "r3") & (found["modality"] == "m2")]
    for name in ("quantity", "direction", "threshold", "estimate", "se", "ci_low", "ci_high"):
        assert rows_of_reader[name].tolist() == points[name].tolist(), name


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize("method", ["obuchowski-rockette", "u-statistic", "u-statistic-centred"])
def test_averages_are_shares_of_right_calls(rng, missing, method):
    reads = random_study(rng, missing=missing)
    rows = rows_of(reads)
    found = averages(study_of(rows).operating_points(threshold=4, method=method))
    rows["right"] = (rows["rating"] >= 4) == (rows["truth"] == 1)
    by_reader = rows.groupby(["truth", "modality", "reader"])["right"].mean()
    pooled = rows.groupby(["truth", "modality"])["right"].mean()
    for row in found.to_dict("records"):
        at = (int(row["quantity"] == "tpr"), row["modality"])
        # Every read of a rate is one pair in the sums, so that readers weigh by their reads.
        mean = by_reader[at].mean() if method == "obuchowski-rockette" else pooled[at]
        assert row["estimate"] == pytest.approx(mean)
        assert ("uneven-reads" in row["note"]) == (method == "u-statistic" and missing > 0)


def test_differences_with_fixed_cases_are_the_paired_t_test(rng):
    rows = rows_of(random_study(rng, r=5))
    found = study_of(rows).compare_operating_points(threshold=4, cases="fixed")
    called = (rows["rating"] >= 4).groupby([rows["truth"], rows["modality"], rows["reader"]]).mean()
    t = stats.ttest_rel(called[1, "m1"], called[1, "m2"])
    assert (found["statistic"][0], found["p_value"][0]) == pytest.approx(tuple(t))
    t = stats.ttest_rel(called[0, "m2"], called[0, "m1"])
    assert (found["statistic"][1], found["p_value"][1]) == pytest.approx(tuple(t))


@pytest.mark.parametrize("covariance", ["jackknife", "delong", "unbiased"])
def test_one_reader_has_the_variance_of_paired_calls(rng, covariance):
    rows = rows_of(random_study(rng, r=1, m=14))
    found = study_of(rows).compare_operating_points(threshold=4, by="reader", covariance=covariance)
    called = (rows["rating"] >= 4).astype(float)
    wide = called.groupby([rows["truth"], rows["case"], rows["modality"]]).first().unstack()
    for i, truth in enumerate((1, 0)):
        d = wide.loc[truth]["m1"] - wide.loc[truth]["m2"]
        assert found["se"][i] == pytest.approx(d.std(ddof=1) / np.sqrt(len(d)))


def test_calls_at_infinite_thresholds():
    reads = Reads(np.array([[[np.inf, 1.0, np.nan]]]), np.array([[[-np.inf, 0.0]]]))
    for threshold, called in ((np.inf, [0, 0, np.nan]), (-np.inf, [2, 2, np.nan])):
        pos = called_reads(reads, np.array([threshold]), "tpr").pos
        np.testing.assert_array_equal(pos[0, 0], called)


@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_rates_of_perfect_readers_have_limits(readers):
    study = perfect()
    found = study.operating_points(threshold=1, readers=readers)
    assert (found["estimate"] == 1).all()
    assert (found["ci_low"] < 1).all()
    assert averages(found)["method"].str.endswith("/wilson").all()
    rows = rows_of(study.reads)
    rows.loc[(rows["modality"] == "m2") & (rows["case"] < 3), "rating"] = 0.5
    row = study_of(rows).compare_operating_points(threshold=1, readers=readers).iloc[0]
    assert row["estimate"] == pytest.approx(3 / 8)
    assert -1 < row["ci_low"] < row["estimate"] < row["ci_high"] < 1


def test_the_area_of_the_average_curve_is_the_average_area(rng):
    study = drawn(rng, missing=0.2)
    curve, areas = study.roc_curve(), study.auc()
    for modality in study.modalities:
        own = curve[(curve["modality"] == modality) & (curve["reader"] == "all")]
        readers = areas[(areas["modality"] == modality) & (areas["reader"] != "all")]
        heights = own["tpr"].rolling(2).mean().iloc[1:]
        area = (heights * own["fpr"].diff().iloc[1:]).sum()
        assert area == pytest.approx(readers["estimate"].mean())
        assert own["threshold"].isna().all()
        assert set(own["direction"]) == {""}


def test_the_average_curve_has_each_vertex_once_whatever_the_order_of_rows():
    """A rate has two vertices where some reader's curve is vertical there, else one."""
    rows, curve = rs.load_viper(), viper().roc_curve()
    for modality, own in curve.groupby("modality", sort=False):
        rates, steep = set(), set()
        for _, reader in own[own["reader"] != "all"].groupby("reader"):
            counts = reader["fp"].astype(int).tolist()
            at = [Fraction(fp, counts[-1]) for fp in counts]
            rates |= set(at)
            steep |= {x for x, y in itertools.pairwise(at) if x == y}
        average = own[own["reader"] == "all"]
        assert len(average) == len(rates) + len(steep)
        for seed in range(3):
            again = study_of(rows.sample(frac=1, random_state=seed)).roc_curve()
            again = again[(again["reader"] == "all") & (again["modality"] == modality)]
            np.testing.assert_allclose(again[["fpr", "tpr"]], average[["fpr", "tpr"]], atol=1e-12)


def test_a_curve_of_a_reader_is_that_of_a_binary_study(rng):
    rows = rows_of(random_study(rng))
    found = study_of(rows, higher_is_positive=False).roc_curve(ties="optimistic")
    own = rows[(rows["reader"] == "r2") & (rows["modality"] == "m1")]
    alone = rs.Study(own["truth"], own["rating"], higher_is_positive=False)
    expected = alone.roc_curve(ties="optimistic")
    part = found[(found["reader"] == "r2") & (found["modality"] == "m1")]
    for name in ("direction", "threshold", "fpr", "tpr", "fp", "tp"):
        assert part[name].tolist() == expected[name].tolist(), name


def test_components_of_designs(rng):
    crossed = drawn(rng).components()
    assert set(crossed["model"]) == {"obuchowski-rockette", "dorfman-berbaum-metz"}
    by = crossed.set_index(["model", "component"])["estimate"]
    n_cases = 20
    cov3 = by["obuchowski-rockette", "cov-3"]
    assert by["dorfman-berbaum-metz", "case"] == pytest.approx(n_cases * cov3)
    one = drawn(rng, t=1).components()
    assert one["component"].tolist() == ["reader", "error", "cov-2", "correlation-2"]
    alone = drawn(rng, r=1).components()
    assert alone["component"].tolist() == ["error", "cov-1", "correlation-1"]
