"""Several classes and partial verification: true areas, what the pages say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.estimate.classes import MULTICLASS_METHODS, class_results
from rocstats.estimate.labels import (
    LABEL_AVERAGES,
    auc_influence,
    average_precision_influence,
    label_summary,
)
from rocstats.estimate.resample_areas import VerifiedCases
from rocstats.inference.calibration.classes import CLASS_SCORES
from rocstats.inference.classes.label_points import call_labels, label_measures
from rocstats.inference.precision_recall.classes import MEAN_PRECISIONS
from rocstats.inference.verification.areas import verified_auc
from validation.coverage import (
    calibration_bins,
    class_probabilities,
    labels,
    multiclass,
    several_classes,
    verification,
)


@pytest.fixture(scope="module")
def classes() -> pd.DataFrame:
    return multiclass.read_classes()


@pytest.fixture(scope="module")
def verified() -> pd.DataFrame:
    return verification.read_verification()


def test_true_areas_are_those_of_large_samples():
    rng = np.random.default_rng(1)
    cell = multiclass.ClassCell(0, (4000, 8000, 28000), 0.8, "drawn")
    sample = multiclass.sample_of(*cell.draw(rng))
    for method in multiclass.METHODS:
        results = list(class_results(sample.cases, method))
        for row, result in (("first", results[0]), ("all", results[-1])):
            z = (result.area[0] - cell.truth(method, row)) / np.sqrt(result.covariance[0, 0])
            assert abs(z) < 4
            blurred = cell.truth(method, row, float(np.sqrt(1 + multiclass.NOISE**2)))
            z = (result.area[1] - blurred) / np.sqrt(result.covariance[1, 1])
            assert abs(z) < 4


def test_logit_intervals_of_summaries_hold(classes):
    logit = classes[(classes["method"] == "logit") & (classes["row"] == "all")]
    assert (logit["coverage"] >= 0.93 - 3 * logit["se"]).all()
    assert logit["coverage"].mean() == pytest.approx(0.95, abs=0.012)
    difference = classes[(classes["method"] == "wald") & (classes["row"] == "difference")]
    assert (difference["coverage"] >= 0.92 - 3 * difference["se"]).all()


def test_limits_of_weighted_areas_are_those_of_the_question(rng):
    y, score, chance = verification.AREA_CELLS[0].draw(rng)
    known = rng.uniform(size=len(y)) < chance
    cases = VerifiedCases(len(y), np.flatnonzero(known), y[known], score[np.newaxis, known], None)
    limits = verification.area_limits(cases, lambda rows: chance[rows], 5)
    for interval in ("logit", "percentile"):
        frame = verified_auc(
            y.astype(int), score, known, probability=chance, interval=interval,
            n_resamples=verification.N_RESAMPLES, rng=5,
        )  # fmt: skip
        assert limits[interval] == pytest.approx(tuple(frame.loc[0, ["ci_low", "ci_high"]]))


# the rule of validation/coverage/verification.py: at least .93 in every cell
def test_no_interval_of_weighted_areas_passes(verified):
    areas = verified[verified["quantity"] == "auc"]
    assert (areas["replicates"] == 8000).all()
    kind = areas["method"].str.split("/").str[1]
    corrected = ~areas["method"].str.startswith("verified-only")
    least = areas[corrected].groupby(kind)["coverage"].min()
    assert set(least.index) == set(verification.INTERVALS)
    assert (least < 0.93).all()


def test_corrected_intervals_hold_and_the_others_do_not(verified):
    corrected = verified[verified["method"] == "begg-greenes/logit"]
    assert corrected["coverage"].mean() == pytest.approx(0.955, abs=0.015)
    alone = verified[verified["method"] == "verified-only/wilson"]
    assert alone["coverage"].median() < 0.5
    areas = verified[
        (verified["quantity"] == "auc") & ~verified["method"].str.startswith("verified")
    ]
    assert (areas["coverage"] >= 0.91 - 3 * areas["se"]).all()


def test_truths_of_five_classes_are_those_of_large_samples():
    cell = replace(several_classes.CELLS[0], n=60_000)
    codes, (scores, _) = cell.draw(np.random.default_rng(2))
    study = rs.MulticlassStudy(codes, scores)
    truths = cell.truths()
    for method in MULTICLASS_METHODS:
        found = study.auc(method=method).iloc[-1]
        assert abs(found["estimate"] - truths[method]) < 4 * found["se"]
    for row in study.operating_points(quantities=several_classes.MEASURES).itertuples():
        assert abs(row.estimate - truths[row.quantity]) < 4 * row.se


# --- Several labels -------------------------------------------------------------------------------


def test_true_values_of_labels_are_those_of_a_large_sample():
    cell = replace(labels.CELLS[0], n=40_000)
    cases, truths = cell.draw(np.random.default_rng(5)), cell.truths()
    for average in LABEL_AVERAGES:
        for name, area in (
            ("auc", auc_influence),
            ("average_precision", average_precision_influence),
        ):
            found = label_summary(cases, average, area)
            z = (found.value[0] - truths[f"{average} {name}"]) / np.sqrt(found.covariance[0, 0])
            assert abs(z) < 4
    calls = call_labels(cases, 0, cell.offset + 0.5)
    for measure in label_measures(calls, labels.MEASURES):
        se = float(np.sqrt(np.sum(measure.influence**2)))
        assert abs(measure.value - truths[measure.quantity]) < 4 * se


def test_simulated_limits_of_labels_are_those_of_the_questions():
    cell = labels.CELLS[-1]  # in clusters
    cases = cell.draw(np.random.default_rng(6))
    study = rs.MultilabelStudy(
        cases.has_label.T,
        {name: scores.T for name, scores in zip("mn", cases.scores, strict=True)},
        cluster=cases.cluster.codes,
    )
    found = dict([*labels.answers_of(cases), *labels.measures_of(cell, cases)])
    limits = ["ci_low", "ci_high"]
    for average in LABEL_AVERAGES:
        row = study.auc(average=average).query("predictor == 'm' and `class` == 'all'")
        assert found[f"{average} auc", "value"][:2] == pytest.approx(row[limits].to_numpy()[0])
        gap = study.compare_auc(average=average)[[*limits, "p_value"]].to_numpy()[0]
        assert found[f"{average} auc", "difference"] == pytest.approx(gap)
        row = study.average_precision(average=average).query(
            "predictor == 'm' and `class` == 'all'"
        )
        expected = found[f"{average} average_precision", "value"][:2]
        assert expected == pytest.approx(row[limits].to_numpy()[0])
    at = {str(k): float(c) + 0.5 for k, c in enumerate(cell.offset)}
    points = study.operating_points(threshold=at, quantities=labels.MEASURES)
    gaps = study.compare_operating_points(threshold=at, quantities=labels.MEASURES)
    points = points[points["predictor"] == "m"].set_index("quantity")
    for name in labels.MEASURES:
        assert found[name, "value"][:2] == pytest.approx(points.loc[name, limits].tolist())
        row = gaps.set_index("quantity").loc[f"{name}_difference", [*limits, "p_value"]]
        assert found[name, "difference"] == pytest.approx(row.tolist())


def test_what_the_pages_say_of_labels():
    table = labels.read_labels()
    short = table[table["shortfall"]]
    assert set(short["quantity"]) == {"macro_tpr"}
    others = table[table["quantity"] != "macro_tpr"]
    single = others[others["row"] == "value"]
    kinds = (
        single["quantity"].str.rpartition(" ")[2].where(single["quantity"].str.contains(" "), "")
    )
    found = single.groupby(kinds)["coverage"].agg(["min", "max"]).round(3)
    assert found.loc["auc"].tolist() == [0.926, 0.964]
    assert found.loc["average_precision"].tolist() == [0.916, 0.96]
    assert found.loc[""].tolist() == [0.922, 0.972]
    sizes = table.groupby(table["quantity"].str.endswith("auc"))["rejected"].max()
    assert sizes.round(3).tolist() == [0.122, 0.058]
    assert others["rejected"].max() == pytest.approx(0.084)
    bins = calibration_bins.read_calibration_bins()
    assert bins["coverage"].round(3).agg(["min", "max"]).tolist() == [0.946, 0.973]


def test_truths_of_probabilities_are_those_of_large_samples():
    cell = replace(class_probabilities.CELLS[0], n=20_000)
    codes, (probabilities, _) = cell.draw(np.random.default_rng(2))
    study = rs.MulticlassStudy(codes, probabilities)
    found = pd.concat([study.average_precision().tail(3), study.probability_scores()])
    assert found["quantity"].tolist() == [*MEAN_PRECISIONS, *CLASS_SCORES]
    for row in found.itertuples():
        assert abs(row.estimate - cell.truths[row.quantity]) < 4 * row.se


def test_simulated_limits_are_those_of_the_questions():
    cell = class_probabilities.CELLS[6]
    study = class_probabilities.study_of(cell, [cell.draw(np.random.default_rng(3))])
    ((_, part),) = study.by_group()
    results = class_probabilities.results_of(part)
    values = pd.concat([study.average_precision(), study.probability_scores()])
    values = values[values["predictor"] == "first"].set_index("quantity")
    for name in (*MEAN_PRECISIONS, *CLASS_SCORES):
        ask = study.compare_average_precision
        if name in CLASS_SCORES:
            ask = study.compare_probability_scores
        for row, result in (
            (values.loc[name], results[name, "value"]),
            (ask(quantity=name).iloc[0], results[name, "difference"]),
        ):
            assert (row["ci_low"], row["ci_high"]) == (result.ci_low, result.ci_high)
            assert row.get("p_value", np.nan) == pytest.approx(result.p_value, nan_ok=True)
