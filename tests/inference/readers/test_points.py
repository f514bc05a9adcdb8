"""Sensitivity and specificity of readers, at a rate too; curves and components."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.estimate.reader_covariance import reader_tables_at_fpr
from rocstats.estimate.resample import ResamplePlan, Streams, draw_counts
from rocstats.inference.readers.endpoints import called_reads
from rocstats.study.cases import Reads
from tests.inference.readers.studies import averages, drawn, perfect, rows_of, study_of, viper
from tests.inference.readers.worked import areas, random_study
from tests.oracles import definitions


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


FPR = np.array([0.0, 0.15, 0.4])

FEW = {"n_resamples": 150, "rng": 7}


def at_rate(fpr):
    """Return the definition of sensitivity at a rate, of the ratings of one curve."""

    def read(x, y):
        x, y = x[~np.isnan(x)], y[~np.isnan(y)]
        if not (len(x) and len(y)):
            return np.nan
        labels = np.repeat([1, 0], [len(x), len(y)])
        return definitions.tpr_at(labels, np.append(x, y), [fpr])[0]

    return read


def repeated(reads, weights):
    """Return the reads of a resample, each case as often as it was drawn."""
    m = reads.pos.shape[2]
    return Reads(
        np.repeat(reads.pos, weights[:m], axis=2), np.repeat(reads.neg, weights[m:], axis=2)
    )


def drawn_weights(reads, n_resamples, seed):
    """Return the weights of cases in the resamples of a seed."""
    streams, sizes = Streams(seed, 8), reads.pos.shape[2:] + reads.neg.shape[2:]
    if reads.pos_cluster is None:
        sides = [draw_counts(streams[k], n_resamples, n) for k, n in enumerate(sizes)]
        return np.concatenate(sides, axis=1)
    codes = np.concatenate([reads.pos_cluster, reads.neg_cluster])
    return draw_counts(streams[0], n_resamples, codes.max() + 1)[:, codes]


@pytest.mark.parametrize(("missing", "clusters"), [(0.0, 0), (0.3, 0), (0.0, 7), (0.2, 9)])
def test_the_covariance_is_that_of_the_studies_refitted_to_resamples(rng, missing, clusters):
    reads = random_study(rng, t=2, r=2, m=12, n=14, missing=missing, clusters=clusters)
    n_resamples = 25
    found = reader_tables_at_fpr(reads, FPR, ResamplePlan(n_resamples, 5))
    assert found.n_redrawn == 0
    weights = drawn_weights(reads, n_resamples, 5)
    for fpr, table in zip(FPR, found.tables, strict=True):
        assert table.theta == pytest.approx(areas(reads, at_rate(fpr)), abs=1e-12)
        refitted = [areas(repeated(reads, weight), at_rate(fpr)).ravel() for weight in weights]
        assert table.sigma == pytest.approx(np.cov(refitted, rowvar=False), abs=1e-12)


def test_curves_of_different_cases_have_no_covariance(rng):
    reads = random_study(rng, t=1, r=4, m=12, n=14)
    for side in (reads.pos, reads.neg):
        side[:, :2, 6:] = side[:, 2:, :6] = np.nan
    sigma = reader_tables_at_fpr(reads, FPR, ResamplePlan(40, 1)).tables[1].sigma
    assert (sigma[:2, 2:] == 0).all()
    assert (sigma[:2, :2] != 0).all()
    assert (sigma[2:, 2:] != 0).all()


@pytest.mark.parametrize("clusters", [0, 9])
@pytest.mark.parametrize("higher", [True, False])
def test_a_reader_has_the_row_of_a_binary_study(rng, clusters, higher):
    rows = rows_of(random_study(rng, clusters=clusters))
    study = study_of(rows, higher_is_positive=higher)
    found = study.operating_points(fpr=[0.1, 0.3], readers="fixed", **FEW)
    own = rows[(rows["reader"] == "r3") & (rows["modality"] == "m2")]
    cluster = own["cluster"].to_numpy() if clusters else None
    alone = rs.Study(own["truth"], own["rating"], cluster=cluster, higher_is_positive=higher)
    points = alone.operating_points(fpr=[0.1, 0.3], quantities=["tpr"], **FEW)
    of_reader = found[(found["reader"] == "r3") & (found["modality"] == "m2")]
    for name in ("estimate", "se", "ci_low", "ci_high", "fpr", "threshold", "n_resamples"):
        assert of_reader[name].tolist() == pytest.approx(points[name].tolist(), nan_ok=True), name
    for name in ("quantity", "direction", "method"):
        assert of_reader[name].tolist() == points[name].tolist(), name


def test_one_reader_has_the_paired_bootstrap_of_a_binary_study(rng):
    reads = random_study(rng, r=1, m=15, n=20)
    found = study_of(rows_of(reads)).compare_operating_points(fpr=0.2, readers="fixed", **FEW)
    scores = np.concatenate([reads.pos, reads.neg], axis=2)[:, 0]
    alone = rs.Study(np.repeat([1, 0], [15, 20]), {"m1": scores[0], "m2": scores[1]})
    row = alone.compare_operating_points(fpr=0.2, **FEW).iloc[0]
    assert found["estimate"][0] == pytest.approx(row["estimate"])
    assert found["se"][0] == pytest.approx(row["se"])
    assert found["method"][0] == "obuchowski-rockette-resampled/wald"


def test_averages_and_differences_follow_from_the_table(rng):
    reads = random_study(rng, r=4, m=12, n=15)
    study = study_of(rows_of(reads))
    table = reader_tables_at_fpr(reads, np.array([0.2]), ResamplePlan(150, 7, (0,))).tables[0]
    found = averages(study.operating_points(fpr=0.2, readers="fixed", **FEW))
    assert found["estimate"].tolist() == pytest.approx(table.theta.mean(axis=1).tolist())
    # Fixed readers: the variance of the mean, if no mean covariance is negative.
    block = table.sigma[:4, :4]
    assert found["se"][0] == pytest.approx(np.sqrt(block.mean()))
    d = study.compare_operating_points(fpr=0.2, **FEW)
    assert d["estimate"][0] == pytest.approx(table.theta[0].mean() - table.theta[1].mean())
    assert d["readers"][0] == "random"
    assert np.isfinite(d["df"][0])
    assert (found["n_resamples"] == 150).all()
    assert d.attrs["rocstats"]["seed"] == 7


def test_a_seed_repeats_the_frame_and_rates_do_not_change_each_other(rng):
    study = drawn(rng)
    both = study.compare_operating_points(fpr=[0.1, 0.3], **FEW)
    again = study.compare_operating_points(fpr=[0.1, 0.3], **FEW)
    assert both.equals(again)
    alone = study.compare_operating_points(fpr=0.3, **FEW)
    assert both["se"][1] == alone["se"][0]
    # Each rate is a question of its own.
    assert both["p_adjusted"].tolist() == both["p_value"].tolist()
    other = study.compare_operating_points(fpr=0.3, n_resamples=150, rng=8)
    assert other["se"][0] != alone["se"][0]


def test_incomplete_and_nested_designs(rng):
    rows = rows_of(random_study(rng, r=4, m=20, n=20))
    number = rows["reader"].str[1:].astype(int)
    split = study_of(rows[number % 2 == rows["case"] % 2])
    found = split.compare_operating_points(fpr=0.2, **FEW)
    assert 0 < found["se"][0] < 1
    nested = study_of(rows[number % 2 == rows["modality"].str[1:].astype(int) % 2])
    assert 0 < nested.compare_operating_points(fpr=0.2, **FEW)["se"][0] < 1
    gone = study_of(rows[(number > 1) | (rows["modality"] == "m1")])
    average = averages(gone.operating_points(fpr=0.2, **FEW))
    assert average["n_readers"].tolist() == [4, 3]
    one = gone.compare_operating_points(fpr=0.2, by="reader", **FEW)
    assert one["reader"].tolist() == ["r2", "r3", "r4"]


def test_perfect_readers_and_single_cases_have_limits(rng):
    reads = random_study(rng, m=8, n=8)
    perfect = reads._replace(pos=reads.pos + 20)
    found = study_of(rows_of(perfect)).operating_points(fpr=0.1, **FEW)
    assert (found["estimate"] == 1).all()
    assert (found["ci_low"] < 1).all()
    assert averages(found)["method"].tolist() == ["obuchowski-rockette-resampled/wilson"] * 2
    single = reads._replace(pos=reads.pos[..., :1])
    average = averages(study_of(rows_of(single)).operating_points(fpr=0.1, **FEW))
    assert average["note"].str.contains("single-case|no-width").all()
    assert (average["ci_high"] > average["ci_low"]).all()
