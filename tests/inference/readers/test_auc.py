"""Areas of readers and their averages; references in docs/methods/readers.md."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.inference.readers.studies import (
    averages,
    drawn,
    perfect,
    rows_of,
    study_of,
    viper,
    worked_study,
)
from tests.inference.readers.worked import PRINTED, random_study

NUMBERS = ["se", "df", "ci_low", "ci_high"]


@pytest.mark.parametrize("covariance", PRINTED)
def test_averages_of_the_worked_study(covariance):
    found = averages(worked_study().auc(covariance=covariance, interval="wald"))
    assert found["estimate"].tolist() == pytest.approx([0.879557292, 0.906250000], abs=5e-10)
    known = PRINTED[covariance]
    rows = np.hstack([known["averages"], known["average limits"]])
    np.testing.assert_allclose(found[NUMBERS], rows, rtol=1e-9)
    assert set(found["method"]) == {f"obuchowski-rockette-{covariance}/wald-t"}


def test_averages_of_the_worked_study_by_u_statistics():
    found = averages(worked_study().auc(method="u-statistic"))
    assert (found["se"] ** 2).tolist() == pytest.approx([0.00179918200114, 0.00179020732689])
    assert found["df"].tolist() == pytest.approx([21.2355001387, 14.4629056380])


@pytest.mark.parametrize("clusters", [0, 8])
@pytest.mark.parametrize("over", [{}, {"fpr_range": (0, 0.4)}])
def test_a_reader_has_the_row_of_a_binary_study(rng, clusters, over):
    reads = random_study(rng, clusters=clusters)
    rows = rows_of(reads)
    found = study_of(rows).auc(readers="fixed", **over)
    own = rows[(rows["reader"] == "r2") & (rows["modality"] == "m1")]
    cluster = own["cluster"].to_numpy() if clusters else None
    alone = rs.Study(own["truth"], own["rating"], cluster=cluster).auc(**over).iloc[0]
    row = found[(found["reader"] == "r2") & (found["modality"] == "m1")].iloc[0]
    for name in ("quantity", "estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg", "method"):
        assert row[name] == alone[name], name


def test_limits_of_averages_stay_inside_on_the_logit_scale():
    found = averages(worked_study().auc())
    assert ((found["ci_low"] > 0) & (found["ci_high"] < 1)).all()
    middle = (np.log(found[side] / (1 - found[side])) for side in ("ci_low", "ci_high"))
    logit = np.log(found["estimate"] / (1 - found["estimate"]))
    np.testing.assert_allclose(sum(middle) / 2, logit, rtol=1e-12)


@pytest.mark.parametrize("method", ["obuchowski-rockette", "u-statistic"])
@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_perfect_readers_have_limits(method, readers):
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        found = perfect().auc(method=method, readers=readers)
    assert (found["estimate"] == 1).all()
    assert (found["ci_low"] < 1).all()
    assert (found["ci_high"] == 1).all()
    assert found["note"].str.contains("auc-at-boundary").all()


def test_a_reader_of_one_class_has_no_area_and_is_left_out(rng):
    rows = rows_of(random_study(rng))
    gone = (rows["reader"] == "r1") & (rows["truth"] == 1)
    with pytest.warns(rs.StatisticalWarning, match="reader-one-class"):
        found = study_of(rows[~gone]).auc()
    first = found[found["reader"] == "r1"]
    assert first["estimate"].isna().all()
    assert (averages(found)["n_readers"] == 2).all()
    others = found[~found["reader"].isin(["r1", "all"]) & (found["modality"] == "m1")]
    assert averages(found)["estimate"][0] == pytest.approx(others["estimate"].mean())


def test_one_reader_of_a_modality_shows_no_spread(rng):
    rows = rows_of(random_study(rng))
    kept = (rows["modality"] == "m1") | (rows["reader"] == "r1")
    with pytest.warns(rs.StatisticalWarning, match="single-reader"):
        second = averages(study_of(rows[kept]).auc()).iloc[1]
    assert second["note"].startswith("single-reader")
    assert np.isnan(second["ci_low"])
    assert second["estimate"] == second["estimate"]


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_order_and_scale_do_not_matter(rng, missing):
    rows = rows_of(random_study(rng, missing=missing))
    found = averages(study_of(rows).auc())
    mixed = rows.sample(frac=1, random_state=1).assign(case=lambda d: -d["case"])
    mixed["rating"] = np.exp(mixed["rating"])
    again = averages(study_of(mixed).auc()).set_index("modality").loc[["m1", "m2"]]
    for name in ("estimate", "se", "df", "ci_low"):
        np.testing.assert_allclose(again[name], found[name], rtol=1e-9)
    turned = study_of(rows.assign(rating=-rows["rating"]), higher_is_positive=False)
    assert averages(turned.auc())["se"].tolist() == found["se"].tolist()


def test_infinite_ratings_are_ratings(rng):
    rows = rows_of(random_study(rng))
    least = rows["rating"] == rows["rating"].min()
    unmarked = rows.assign(rating=rows["rating"].mask(least, -np.inf))
    assert study_of(unmarked).auc()["se"].tolist() == study_of(rows).auc()["se"].tolist()


def test_a_partial_area_of_the_whole_range_is_the_area(rng):
    study = drawn(rng)
    whole, part = study.auc(), study.auc(fpr_range=(0, 1))
    assert whole.equals(part)


def test_viper_by_u_statistics():
    found = averages(viper().auc())
    assert (found["estimate"].diff().iloc[1]) == pytest.approx(0.0250637213254, abs=1e-12)
    assert set(found["note"]) == {""}  # a split plot: no read is missing


def test_an_average_counts_the_readers_with_an_area(rng):
    rows = rows_of(random_study(rng))
    # The first reader reads no negatives, and alone reads the first positive.
    first, ill = rows["reader"] == "r1", rows["truth"] == 1
    case = rows.loc[ill, "case"].iloc[0]
    study = study_of(rows[(first & ill) | (~first & (rows["case"] != case))])
    n_pos, n_neg = (rows.loc[rows["truth"] == truth, "case"].nunique() for truth in (1, 0))
    found = study.auc()
    sizes = averages(found)[["n_pos", "n_neg", "n_readers"]].to_numpy()
    assert (sizes == [n_pos - 1, n_neg, 2]).all()
    own = found.query("reader == 'r1'")[["n_pos", "n_neg", "n_readers"]].to_numpy()
    assert (own == [n_pos, 0, 1]).all()
    others = found.query("modality == 'm1' and reader in ('r2', 'r3')")["estimate"]
    assert averages(found)["estimate"][0] == pytest.approx(others.mean())


def in_clusters(sizes):
    """Return two modalities read by three readers; ``sizes`` are the cases of each patient."""
    rng = np.random.default_rng(2)
    patient = np.repeat(np.arange(len(sizes)), sizes)
    n = len(patient)
    truth = np.arange(n) % 2
    rows = [
        {"case": c, "reader": r, "modality": m, "y": truth[c], "patient": patient[c]}
        for m in "ab"
        for r in range(3)
        for c in range(n)
    ]
    frame = pd.DataFrame(rows)
    frame["rating"] = frame["y"] + rng.normal(size=len(frame))
    return rs.ReaderStudy(
        "y",
        "rating",
        data=frame,
        reader="reader",
        case="case",
        modality="modality",
        cluster="patient",
    )


@pytest.mark.parametrize(
    ("sizes", "noted"),
    [([2] * 40, False), ([2] * 20, True), ([40, 40, *[2] * 40], True)],
)
def test_few_or_unequal_clusters_are_noted_in_every_row(sizes, noted):
    readers = in_clusters(sizes)
    for ask in (readers.auc, readers.compare_auc):
        notes = ask()["note"]
        assert notes.str.contains("few-clusters").all() == noted
        assert notes.str.contains("few-clusters").any() == noted
        assert (notes.str.count("few-clusters") <= 1).all()
