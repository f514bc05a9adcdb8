"""Readers against a machine; references in docs/methods/readers.md."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocstats as rs
from rocstats.estimate.reader_covariance import reader_table
from rocstats.inference.readers.engines import beside_machine
from rocstats.inference.readers.ustatistics import UStatistics
from tests.inference.readers.studies import perfect, rows_of, study_of
from tests.inference.readers.worked import random_study


def test_viper_against_the_first_reader_of_each_case():
    data = rs.load_viper()
    scores = data[data["modality"] == "FFDM"].groupby("case", sort=False)["rating"].first()
    films = data[data["modality"] == "SFM"]
    names = {name: name for name in ("reader", "case", "modality")}
    study = rs.ReaderStudy("truth", "rating", data=films, **names)
    # Printed with the machine first.
    row = study.compare_with(scores).iloc[0]
    assert -row["estimate"] == pytest.approx(0.0121000866, abs=1e-10)
    assert row["se"] ** 2 == pytest.approx(0.000878175470, abs=1e-12)
    assert row["df"] == pytest.approx(132.188, abs=1e-3)
    assert (-row["ci_high"], -row["ci_low"]) == pytest.approx((-0.0465, 0.0707), abs=5e-5)
    margin = study.compare_with(scores, alternative="less", null_value=0.05).iloc[0]
    assert margin["p_value"] == pytest.approx(0.0190, abs=5e-5)


def with_machine(rng, **sizes):
    reads = random_study(rng, t=1, r=4, **sizes)
    rows = rows_of(reads)
    score = rng.normal(size=rows["case"].max() + 1)
    rows["ai"] = score[rows["case"]] + rows["truth"]
    return rows


def test_one_sample_rule_on_the_differences(rng):
    rows = with_machine(rng, m=15, n=15)
    study = study_of(rows, machine="ai")
    row = study.compare_with("ai").iloc[0]
    pos, neg = study.machine_scores("ai")
    reads = study.reads._replace(
        pos=np.concatenate([study.reads.pos, pos[None, None]], axis=1),
        neg=np.concatenate([study.reads.neg, neg[None, None]], axis=1),
    )
    theta, sigma = reader_table(reads, "jackknife")
    contrast = np.column_stack([np.eye(4), -np.ones(4)])
    d, s = contrast @ theta[0], contrast @ sigma @ contrast.T
    ms, cov2 = d.var(ddof=1), max(s[~np.eye(4, dtype=bool)].mean(), 0)
    den = ms + 4 * cov2
    assert row["estimate"] == pytest.approx(d.mean())
    assert (row["se"], row["df"]) == pytest.approx((np.sqrt(den / 4), den**2 / (ms**2 / 3)))
    fixed = study.compare_with("ai", cases="fixed").iloc[0]
    assert fixed["p_value"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue)


def test_a_machine_may_be_named_given_or_a_modality(rng):
    rows = with_machine(rng)
    named = study_of(rows, machine="ai").compare_with("ai").iloc[0]
    scores = rows.groupby("case")["ai"].first()
    given = study_of(rows).compare_with(scores).iloc[0]
    own = rows[rows["reader"] == "r1"].assign(reader="software", modality="AI", rating=rows["ai"])
    both = study_of(pd.concat([rows, own], ignore_index=True))
    modality = both.compare_with("AI").iloc[0]
    assert (given["reference"], named["reference"], modality["reference"]) == (
        "machine",
        "ai",
        "AI",
    )
    for name in ("estimate", "se", "df", "p_value", "n_readers"):
        assert named[name] == pytest.approx(given[name]) == pytest.approx(modality[name]), name


def test_by_reader_is_the_paired_comparison(rng):
    rows = with_machine(rng)
    found = study_of(rows, machine="ai").compare_with("ai", by="reader", covariance="delong")
    own = rows[rows["reader"] == "r3"]
    paired = rs.Study(own["truth"], {"r3": own["rating"], "ai": own["ai"]}).compare_auc(
        interval="wald"
    )
    row = found[found["reader"] == "r3"].iloc[0]
    for name in ("estimate", "se", "ci_low", "ci_high", "p_value"):
        assert row[name] == pytest.approx(paired[name][0]), name


def test_a_machine_that_ranks_cases_as_a_reader_does_has_no_interval_beside_that_reader(rng):
    rows = with_machine(rng)
    own = rows[rows["reader"] == "r3"].set_index("case")["rating"]
    rows["ai"] = 2 * rows["case"].map(own) + 1
    found = study_of(rows, machine="ai").compare_with("ai", by="reader").set_index("reader")
    row = found.loc["r3"]
    assert (row["estimate"], row["p_value"]) == (0, 1)
    assert row[["ci_low", "ci_high"]].isna().all()
    assert found["note"].str.contains("identical-predictors").tolist() == [
        False,
        False,
        True,
        False,
    ]


def test_sensitivity_and_specificity_against_a_machine(rng):
    rows = with_machine(rng, m=12, n=14)
    found = study_of(rows, machine="ai").compare_with("ai", threshold=4, machine_threshold=0.5)
    assert found["quantity"].tolist() == ["tpr_difference", "tnr_difference"]
    assert set(found["reference_threshold"]) == {0.5}
    called = (rows["rating"] >= 4).astype(int) - (rows["ai"] >= 0.5).astype(int)
    by_class = called.groupby(rows["truth"]).mean()
    assert found["estimate"].tolist() == pytest.approx([by_class[1], -by_class[0]])


@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_a_machine_beside_readers_with_missing_reads(rng, readers):
    rows = with_machine(rng, m=20, n=20)
    study = study_of(rows.sample(frac=0.8, random_state=2), machine="ai")
    scores = study.machine_scores("ai")
    row = study.compare_with("ai", method="u-statistic-centred", readers=readers).iloc[0]
    beside = beside_machine(study.reads, 0, *scores)
    expected = UStatistics(beside, centre=True).minus_machine(readers)
    assert row["se"] ** 2 == pytest.approx(expected.variance)
    assert row["method"].startswith("u-statistic-centred/")
    assert study.compare_with("ai", readers=readers)["method"][0].startswith("obuchowski")
    with pytest.warns(rs.StatisticalWarning, match="uneven-reads"):
        published = study.compare_with("ai", method="u-statistic", readers=readers).iloc[0]
    assert published["estimate"] == pytest.approx(row["estimate"])
    assert published["se"] != pytest.approx(row["se"], rel=1e-3)


def test_a_perfect_machine_among_perfect_readers_has_limits():
    study = perfect(n_modalities=1)
    scores = dict.fromkeys(study.case.labels, 0.0)
    scores |= dict.fromkeys(study.case.labels[:8], 5.0)
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = study.compare_with(scores).iloc[0]
    assert row["estimate"] == 0
    assert row["ci_low"] < 0 < row["ci_high"]
    assert row["p_value"] == 1


@pytest.mark.parametrize("higher", [True, False])
def test_a_machine_alone_is_a_study_of_its_scores(rng, higher):
    rows = rows_of(random_study(rng, clusters=6))
    rows["AI"] = np.sin(1.0 + rows["case"])
    rows["site"] = np.where(rows["case"] % 2, "east", "west")
    names = {"labels": {"AI": "Software"}, "outcome": "Cancer", "group": "site"}
    study = study_of(rows, machine="AI", higher_is_positive={"AI": higher}, **names)
    one = rows.drop_duplicates("case").sort_values("case")
    wanted = rs.Study(
        "truth", "AI", data=one, higher_is_positive=higher, cluster="cluster", group="site"
    )
    found = study.machine_study("AI")
    assert found.labels == {"AI": "Software"}
    assert found.outcome == "Cancer"
    by_group = ["predictor", "group", "estimate", "se", "n_pos", "n_neg"]
    columns = [
        frame[by_group].sort_values("group", ignore_index=True)
        for frame in (found.auc(), wanted.auc())
    ]
    pd.testing.assert_frame_equal(*columns, check_frame_type=False)
    with pytest.raises(rs.InputError, match="machine"):
        study.machine_study("other")
    of_cases = one.set_index("case")["AI"] * (1 if higher else -1)
    alone = study.machine_study(of_cases)
    assert alone.predictors == ("machine",)
    assert alone.auc()["estimate"].tolist() == pytest.approx(found.auc()["estimate"].tolist())
