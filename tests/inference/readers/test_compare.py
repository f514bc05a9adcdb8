"""Modalities compared over readers, docs/methods/readers.md; what reader studies refuse."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.readers.ustatistics import UStatistics
from tests.inference.readers.studies import (
    drawn,
    perfect,
    rows_of,
    study_of,
    viper,
    worked_study,
)
from tests.inference.readers.worked import PRINTED, random_study
from tests.quick import each


@pytest.mark.parametrize("covariance", PRINTED)
def test_the_worked_study(covariance):
    known = PRINTED[covariance]
    f, df, p = known["f"]
    both, row = (r for _, r in worked_study().compare_auc(covariance=covariance).iterrows())
    assert (both["statistic"], both["df"], both["p_value"]) == pytest.approx((f, df, p), rel=1e-9)
    assert both["df_numerator"] == 1
    assert (both["modality"], both["reference"], both["reader"]) == ("all", "", "all")
    assert row["estimate"] == pytest.approx(-0.026692708333, abs=1e-12)
    found = (row["se"], row["df"], row["ci_low"], row["ci_high"], row["p_value"])
    assert found == pytest.approx((known["se"], df, *known["limits"], p), rel=1e-9)


@pytest.mark.parametrize("covariance", PRINTED)
def test_the_worked_study_with_fixed_readers(covariance):
    found = worked_study().compare_auc(readers="fixed", covariance=covariance)
    chi, p, se = PRINTED[covariance]["fixed"]
    assert found["statistic"][0] == pytest.approx(chi, rel=1e-9)
    assert found["p_value"].tolist() == pytest.approx([p, p], abs=1e-9)
    assert found["se"][1] == pytest.approx(se, rel=1e-9)
    assert np.isinf(found["df"]).all()


def test_fixed_cases_are_the_paired_t_test_over_readers():
    study = worked_study()
    found = study.compare_auc(cases="fixed")
    areas = study.auc()
    of = [
        areas[(areas["modality"] == m) & (areas["reader"] != "all")]["estimate"]
        for m in study.modalities
    ]
    t = stats.ttest_rel(*of)
    row = found.iloc[1]
    assert (row["statistic"], row["p_value"], row["df"]) == pytest.approx((*t, 3), rel=1e-10)
    assert found["statistic"][0] == pytest.approx(0.630138697988, rel=1e-9)


def test_the_worked_study_by_u_statistics():
    row = worked_study().compare_auc(method="u-statistic").iloc[0]
    found = (row["se"] ** 2, row["df"])
    assert found == pytest.approx((0.00138398568219, 4.30859472699), rel=1e-10)


def test_viper():
    row = viper().compare_auc().iloc[0]
    assert row["method"] == "u-statistic/wald-t"
    assert row["estimate"] == pytest.approx(-0.0250637213254, abs=1e-13)
    assert row["se"] ** 2 == pytest.approx(0.00060525485593, abs=1e-14)
    assert row["df"] == pytest.approx(47.5315729164, abs=1e-8)


@pytest.mark.parametrize("clusters", [0, 8])
def test_one_fixed_reader_is_a_paired_comparison(rng, clusters):
    rows = rows_of(random_study(rng, r=1, clusters=clusters))
    wide = rows.pivot(index="case", columns="modality", values="rating")
    truth = rows.groupby("case")["truth"].first()
    cluster = rows.groupby("case")["cluster"].first() if clusters else None
    paired = rs.Study(truth, wide, cluster=cluster).compare_auc(interval="wald").iloc[0]
    study = study_of(rows)
    one = study.compare_auc(readers="fixed", covariance="delong").iloc[1]
    by = study.compare_auc(by="reader", covariance="delong").iloc[0]
    for row in (one, by):
        for name in ("estimate", "se", "ci_low", "ci_high", "statistic", "p_value"):
            assert row[name] == pytest.approx(paired[name], rel=1e-9), name


def test_by_reader_each_reader_is_fixed(rng):
    found = drawn(rng, missing=0.2).compare_auc(by="reader")
    assert found["reader"].tolist() == ["r1", "r2", "r3"]
    assert set(found["readers"]) == {"fixed"}
    assert set(found["n_readers"]) == {1}
    assert (found["p_adjusted"] >= found["p_value"]).all()


def test_three_modalities_have_a_global_test_and_three_pairs(rng):
    found = drawn(rng, t=3).compare_auc()
    names = list(zip(found["modality"], found["reference"], strict=True))
    assert names == [("all", ""), ("m1", "m2"), ("m1", "m3"), ("m2", "m3")]
    assert found["df_numerator"][0] == 2
    assert np.isnan(found["p_adjusted"][0])
    assert found["note"][1].endswith("adjusted=holm")
    against = drawn(rng, t=3).compare_auc(reference="m2")
    assert against["modality"].tolist() == ["all", "m1", "m3"]


def test_margins_and_sides_follow_the_statistic():
    study = worked_study()
    _, plain = (row for _, row in study.compare_auc().iterrows())
    (inferior,) = study.compare_auc(hypothesis="non-inferiority", margin=0.1).to_dict("records")
    t = (plain["estimate"] + 0.1) / plain["se"]
    assert inferior["statistic"] == pytest.approx(t)
    assert inferior["p_value"] == pytest.approx(stats.t.sf(t, plain["df"]))
    assert (inferior["ci_low"], inferior["ci_high"]) == (plain["ci_low"], plain["ci_high"])
    (same,) = study.compare_auc(hypothesis="equivalence", margin=0.1).to_dict("records")
    assert same["p_value"] == pytest.approx(stats.t.sf(t, plain["df"]))
    assert same["confidence_level"] == pytest.approx(0.9)
    (less,) = study.compare_auc(alternative="less").to_dict("records")
    assert less["p_value"] == pytest.approx(plain["p_value"] / 2)
    assert less["ci_low"] == -1


@pytest.mark.parametrize("method", ["obuchowski-rockette", "u-statistic"])
@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_perfect_readers_under_both_modalities_do_not_differ(method, readers):
    with pytest.warns(rs.StatisticalWarning):
        found = perfect().compare_auc(method=method, readers=readers)
    row = found.iloc[-1]
    assert (row["estimate"], row["p_value"], row["note"]) == (0, 1, "identical-predictors")
    if method == "obuchowski-rockette":
        assert found["note"][0] == "no-variance"
        assert np.isnan(found["p_value"][0])


@pytest.mark.parametrize("method", ["obuchowski-rockette", "u-statistic"])
@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_perfect_readers_of_one_modality_have_limits(rng, method, readers):
    rows = rows_of(random_study(rng))
    ideal = rows["modality"] == "m1"
    rows.loc[ideal, "rating"] = rows.loc[ideal, "truth"]
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = study_of(rows).compare_auc(method=method, readers=readers).iloc[-1]
    assert -1 < row["ci_low"] < row["estimate"] < row["ci_high"] < 1
    assert row["method"].endswith("average-mover" if readers == "random" else "/mover")
    assert 0 < row["p_value"] < 1


def test_equal_differences_of_all_readers_still_have_limits():
    # Two perfect readings of other scores: equal areas of 1, but no equal ranks.
    study = perfect()
    rows = rows_of(study.reads)
    shifted = (rows["modality"] == "m2") & (rows["case"] == 0)
    rows.loc[shifted, "rating"] += 1
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        row = study_of(rows).compare_auc().iloc[1]
    assert row["estimate"] == 0
    assert row["ci_low"] < 0 < row["ci_high"]
    assert row["p_value"] == 1


def test_methods_of_a_design():
    rng = np.random.default_rng(5)
    assert drawn(rng).compare_auc()["method"][1].startswith("obuchowski-rockette-jackknife/")
    missing = drawn(rng, missing=0.2).compare_auc()
    assert missing["method"][1].startswith("obuchowski-rockette-jackknife/")
    assert "missing-reads=25" in missing["note"][1]
    clustered = drawn(rng, m=20, n=20, missing=0.1, clusters=15)
    with pytest.warns(rs.StatisticalWarning):
        assert clustered.auc()["method"].iloc[-1].startswith("obuchowski-rockette-jackknife/")
    part = drawn(rng, missing=0.1).compare_auc(tpr_range=(0.5, 1))
    assert part["method"][1].startswith("obuchowski-rockette-jackknife/")
    assert part["quantity"][1] == "partial_auc_difference"


def test_reads_spread_unevenly_without_some_area_have_centred_u_statistics(rng):
    rows = rows_of(random_study(rng, m=20, n=20, missing=0.1))
    alone = rows["modality"].eq("m1") & rows["reader"].eq("r1") & rows["truth"].eq(1)
    study = study_of(rows[~alone])
    with pytest.warns(rs.StatisticalWarning, match="reader-one-class"):
        areas = study.auc()
    assert areas["method"].iloc[-1] == "u-statistic-centred/logit-t"
    row = study.compare_auc().iloc[0]
    assert row["method"] == "u-statistic-centred/wald-t"
    estimate = UStatistics(study.reads, centre=True).difference(0, 1)
    assert (row["se"] ** 2, row["df"]) == pytest.approx(estimate[1:3])
    assert "uneven-reads" not in row["note"]
    fixed = study.compare_auc(readers="fixed").iloc[0]
    estimate = UStatistics(study.reads, centre=True).difference(0, 1, "fixed")
    assert fixed["se"] ** 2 == pytest.approx(estimate.variance)


def test_groups_of_which_one_lacks_an_area_have_one_method(rng):
    rows = rows_of(random_study(rng, m=20, n=20, missing=0.1)).assign(half="a")
    rows.loc[rows["case"] % 2 == 1, "half"] = "b"
    gone = rows["modality"].eq("m1") & rows["reader"].eq("r1") & rows["half"].eq("b")
    study = study_of(rows[~gone], group="half")
    assert set(study.compare_auc()["method"]) == {"u-statistic-centred/wald-t"}


def test_published_u_statistics_of_uneven_reads_are_doubted(rng):
    study = drawn(rng, m=20, n=20, missing=0.1)
    with pytest.warns(rs.StatisticalWarning, match="13 to 24%"):
        row = study.compare_auc(method="u-statistic").iloc[0]
    assert "uneven-reads" in row["note"]
    areas = study.auc(method="u-statistic")
    doubted = areas["note"].str.contains("uneven-reads")
    assert (doubted == (areas["reader"] == "all")).all()
    for method in (None, "u-statistic-centred"):
        assert "uneven-reads" not in study.compare_auc(method=method)["note"].str.cat()


def test_partially_paired_averages_are_even_and_their_differences_are_not(rng):
    rows = rows_of(random_study(rng, m=20, n=20))
    study = study_of(rows[~((rows["modality"] == "m1") & (rows["case"] % 5 == 0))])
    assert study.design.pattern == "partially paired"
    assert study.compare_auc()["method"][1].startswith("obuchowski-rockette")
    with pytest.warns(rs.StatisticalWarning, match="uneven-reads"):
        row = study.compare_auc(method="u-statistic").iloc[0]
    assert "uneven-reads" in row["note"]
    published, centred = (study.auc(method=f"u-statistic{w}") for w in ("", "-centred"))
    assert "uneven-reads" not in published["note"].str.cat()
    np.testing.assert_allclose(published["se"], centred["se"], rtol=1e-12)


def test_readers_nested_in_modalities(rng):
    rows = rows_of(random_study(rng, r=6))
    first = rows["reader"].isin(["r1", "r2", "r3"])
    nested = study_of(rows[first == (rows["modality"] == "m1")])
    found = nested.compare_auc(method="obuchowski-rockette")
    assert found["df_numerator"][0] == 1
    assert found["df"][1] >= 4
    assert found["n_readers"].tolist() == [6, 6]
    assert nested.compare_auc().iloc[0]["estimate"] == pytest.approx(found["estimate"][1])


def _one_positive(seed):
    drawn = rs.simulate_readers(
        n_readers=3, n_pos=1, n_neg=15, auc=[0.75, 0.75], structure="HL", rng=seed
    )
    return rs.ReaderStudy(
        "truth", "rating", data=drawn, reader="reader", case="case", modality="modality"
    )


@pytest.mark.parametrize("covariance", ["jackknife", "delong", "unbiased", "bootstrap"])
def test_one_case_of_a_class_has_no_variance_by_any_covariance(covariance):
    found = _one_positive(1).compare_auc(readers="fixed", covariance=covariance).iloc[-1]
    assert "single-case" in found["note"]
    assert "mover" in found["method"]


def test_the_test_of_all_is_silent_where_a_pair_leaves_the_model():
    # Every reader ranks all cases right under A, so that the pair has limits of its own.
    rows = [
        (int(k < 10), 100 + k if m == "A" and k < 10 else (7 * k + 3 * j) % 22, f"r{j}", k, m)
        for m in "AB"
        for j in range(3)
        for k in range(22)
    ]
    study = rs.ReaderStudy(
        "truth",
        "rating",
        data=pd.DataFrame(rows, columns=["truth", "rating", "reader", "case", "modality"]),
        reader="reader",
        case="case",
        modality="modality",
    )
    every, pair = study.compare_auc().itertuples()
    assert np.isnan(every.p_value)
    assert every.note == pair.note
    assert pair.method.endswith("mover")


def _two_readers(first_reads):
    # Reader b reads ten positives and ten negatives, reader a those of them that are given.
    rows = [
        (int(k < 10), k % 7 + 3 * (k < 10), reader, k)
        for reader, cases in (("a", first_reads), ("b", range(20)))
        for k in cases
    ]
    data = pd.DataFrame(rows, columns=["truth", "rating", "reader", "case"])
    return rs.ReaderStudy("truth", "rating", data=data, reader="reader", case="case")


def test_a_reader_of_positives_alone_has_a_sensitivity_and_no_specificity():
    found = _two_readers(range(8)).operating_points(threshold=6).set_index(["quantity", "reader"])
    # Ratings of the positives: 3 to 9, then 3, 4, 5; four of the first eight are 6 or more.
    assert found["estimate"]["tpr", "a"] == 0.5
    assert np.isnan(found["estimate"]["tnr", "a"])
    assert found["note"]["tnr", "a"].startswith("reader-one-class")


def test_an_average_of_1_is_said_to_be_at_the_boundary_and_nothing_else():
    rows = [(int(k < 10), int(k < 10), r, k) for r in "ab" for k in range(20)]
    data = pd.DataFrame(rows, columns=["truth", "rating", "reader", "case"])
    study = rs.ReaderStudy("truth", "rating", data=data, reader="reader", case="case")
    note = study.auc()["note"].iloc[-1].split("; ")
    assert "auc-at-boundary" in note
    assert "zero-variance" not in note


def test_of_fixed_cases_only_the_readers_vary():
    """One modality perfect: the differences of the readers are all that its t test is made of."""
    rows = rows_of(random_study(np.random.default_rng(3)))
    ideal = rows["modality"] == "m1"
    rows.loc[ideal, "rating"] = rows.loc[ideal, "truth"]
    study = study_of(rows)
    row = study.compare_auc(cases="fixed", method="obuchowski-rockette").iloc[-1]
    single = (
        study.auc()
        .query("reader != 'all'")
        .pivot(index="reader", columns="modality", values="estimate")
    )
    apart = single["m1"] - single["m2"]
    wanted = stats.ttest_1samp(apart, 0)
    limits = wanted.confidence_interval(0.95)
    assert row["p_value"] == pytest.approx(wanted.pvalue, rel=1e-9)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((limits.low, min(limits.high, 1)))


def test_of_fixed_cases_equal_readers_leave_nothing_to_vary():
    """No limits for the sampling of cases, which are fixed: averages of 1, equal differences."""
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        areas = perfect().auc(cases="fixed").query("reader == 'all'")
    assert areas["note"].str.contains("no-variance").all()
    assert areas[["ci_low", "ci_high"]].isna().all(axis=None)
    rows = rows_of(perfect().reads)
    # Under the second modality every reader rates case 0 as the other class.
    turned = (rows["modality"] == "m2") & (rows["case"] == 0)
    rows.loc[turned, "rating"] = 1 - rows.loc[turned, "rating"]
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        row = study_of(rows).compare_auc(cases="fixed").iloc[-1]
    assert row["estimate"] > 0
    assert row[["ci_low", "ci_high", "p_value"]].isna().all()


RNG = np.random.default_rng(3)

STUDY, ONE = drawn(RNG), drawn(RNG, r=1)

SINGLE = drawn(RNG, t=1)

CLUSTERED = drawn(RNG, clusters=8)

ROWS = rows_of(random_study(RNG, m=12, n=12, clusters=10))

GONE = (ROWS["reader"] == "r1") & (ROWS["modality"] == "m1")

UNSERVED = study_of(ROWS[~GONE])

PLAIN = study_of(ROWS[~GONE].drop(columns="cluster"))

NESTED = study_of(ROWS[(ROWS["reader"] == "r1") == (ROWS["modality"] == "m1")])

MESSAGES = [
    (
        lambda: STUDY.compare_auc(readers="fixed", cases="fixed"),
        "`cases` must be 'random' if readers are fixed",
    ),
    (lambda: ONE.auc(), "`readers` must be 'fixed' in a study with one reader, because"),
    (
        lambda: STUDY.auc(cases="fixed", method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for fixed cases",
    ),
    (
        lambda: CLUSTERED.compare_auc(method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for a study with clusters",
    ),
    (lambda: UNSERVED.compare_auc(), "`method` 'obuchowski-rockette' for a study with clusters"),
    (
        lambda: PLAIN.compare_auc(method="obuchowski-rockette"),
        "`method` 'obuchowski-rockette' must have an area of every reader under every modality",
    ),
    (lambda: PLAIN.components(), "`method` 'obuchowski-rockette' must have an area of every"),
    (
        lambda: CLUSTERED.compare_auc(covariance="unbiased"),
        "`covariance` must be 'jackknife' or 'delong' for a study with clusters",
    ),
    (
        lambda: STUDY.auc(covariance="bootstrap", fpr_range=(0, 0.2)),
        "`covariance` must be 'jackknife' or 'delong' for partial areas",
    ),
    (
        lambda: SINGLE.compare_auc(),
        "`modality` must have two or more values to be compared; got ['m1']",
    ),
    (
        lambda: STUDY.compare_auc(by="reader", cases="fixed"),
        "`cases` must be 'random' with by='reader', because the reader is fixed",
    ),
    (lambda: NESTED.compare_auc(by="reader"), "`by` must be None unless a reader read two"),
    (
        lambda: STUDY.operating_points(threshold={"m1": 3}),
        "`threshold` must be one number, or one for each modality; got none for ['m2']",
    ),
    (lambda: STUDY.operating_points(threshold=[1, 2]), "`threshold` must be one number, or one"),
    (lambda: STUDY.operating_points(), "`threshold` must be given, or `fpr` instead"),
    (
        lambda: STUDY.compare_operating_points(threshold=3, fpr=0.1),
        "`threshold` must be given, or `fpr` instead; got both",
    ),
    (lambda: STUDY.operating_points(fpr=[0.1, 1.0]), "`fpr` must be a number in [0, 1), or a"),
    (lambda: STUDY.operating_points(fpr=-0.1), "`fpr` must be a number in [0, 1), or a sequence"),
    (lambda: STUDY.operating_points(fpr={"m1": 0.1}), "`fpr` must be a number in [0, 1), or a"),
    (
        lambda: STUDY.compare_operating_points(fpr=0.1, covariance="delong"),
        "`covariance` must stay None with `fpr`, where it comes from resamples",
    ),
    (
        lambda: STUDY.operating_points(fpr=0.1, method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for sensitivity at a false positive rate",
    ),
    (
        lambda: PLAIN.compare_operating_points(fpr=0.1, n_resamples=100, rng=1),
        "`method` 'obuchowski-rockette' for",
    ),
    (
        lambda: STUDY.operating_points(threshold={"m3": 3}),
        "`threshold` must name modalities; got ['m3']",
    ),
    (
        lambda: SINGLE.compare_with(dict.fromkeys(SINGLE.case.labels, 1.0), threshold=3),
        "`machine_threshold` must be given with the other threshold",
    ),
    (
        lambda: SINGLE.compare_with(
            dict.fromkeys(SINGLE.case.labels, 1.0),
            threshold=3,
            machine_threshold=1,
            fpr_range=(0, 0.5),
        ),
        "`threshold` must stay None for partial areas; got both",
    ),
    (
        lambda: STUDY.compare_with("m2"),
        "`machine` must be a modality with one read per case; got 'm2' with 60 reads of 20 cases",
    ),
    (
        lambda: SINGLE.compare_with("m1"),
        "`machine` must not be the only modality; got 'm1'",
    ),
    (lambda: STUDY.auc(interval="logit"), "`interval` must be one of"),
    (lambda: STUDY.auc(readers="some"), "`readers` must be one of"),
    (
        lambda: STUDY.compare_auc(hypothesis="non-inferiority"),
        "`margin` must be given for the hypothesis 'non-inferiority'",
    ),
]


@each(("ask", "message"), MESSAGES)
def test_message(ask, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        ask()
