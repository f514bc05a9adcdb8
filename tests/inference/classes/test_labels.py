"""Cases with several labels: scikit-learn, slow loops, derivatives, binary studies, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    classification_report,
    hamming_loss,
    precision_recall_fscore_support,
    roc_auc_score,
)

import rocstats as rs
from rocstats.estimate.labels import (
    LABEL_AVERAGES,
    auc_influence,
    average_precision_influence,
    label_summary,
)
from rocstats.inference.classes.label_points import LABEL_MEASURES, call_labels, label_measures
from tests.quick import each
from tests.strategies import SEEDS

NUMBERS = ["estimate", "se", "ci_low", "ci_high"]
RNG = np.random.default_rng(20261127)


def draw(rng, n=60, labels=3, ties=True):
    """Return labels, of which cases may have none or all, and scores (rounded: ties)."""
    latent = rng.normal(size=(n, 1)) + rng.normal(size=(n, labels))
    y = (latent > rng.uniform(-0.5, 1.0, labels)).astype(int)
    y[0], y[1] = 0, 1  # every label has cases on both sides
    scores = y + rng.normal(size=y.shape)
    return y, np.round(scores, 1) if ties else scores


Y, S = draw(RNG)
OTHER = Y + RNG.normal(size=Y.shape)


def summary_of(frame):
    return frame[frame["class"] == "all"].set_index("quantity")


# --- scikit-learn ---------------------------------------------------------------------------------


WORDS = {"ppv": "precision", "tpr": "recall", "f1": "f1-score"}


def test_200_random_studies_have_the_numbers_of_scikit_learn():
    rng = np.random.default_rng(7)
    for k in range(200):
        y, s = draw(rng, n=int(rng.integers(12, 60)), labels=int(rng.integers(2, 5)))
        weight = rng.random(len(y)) if k % 2 else None
        cases = rs.MultilabelStudy(y, s, sample_weight=weight).cases
        average = LABEL_AVERAGES[k % 3]
        asked = {"average": average, "sample_weight": weight}
        for area, score in (
            (auc_influence, roc_auc_score),
            (average_precision_influence, average_precision_score),
        ):
            found = label_summary(cases, average, area).value[0]
            assert found == pytest.approx(score(y, s, **asked), abs=1e-12)
        if k % 5:  # the averages of calls take scikit-learn longer than all else
            continue
        called = (s >= 0.5).astype(int)
        words = [f"{average}_{word}" for word in WORDS]
        calls = call_labels(cases, 0, np.full(y.shape[1], 0.5))
        theirs = precision_recall_fscore_support(y, called, zero_division=np.nan, **asked)
        for measure, value in zip(label_measures(calls, words), theirs[:3], strict=True):
            # scikit-learn leaves labels that are never called out of its means.
            if called.any(axis=0).all() or average == "micro":
                assert measure.value == pytest.approx(value, abs=1e-12)
        exact, wrong = label_measures(calls, ["subset_accuracy", "hamming_loss"])
        assert exact.value == pytest.approx(accuracy_score(y, called, sample_weight=weight))
        assert wrong.value == pytest.approx(hamming_loss(y, called, sample_weight=weight))


@pytest.mark.parametrize("seed", range(4))
def test_frames_have_the_report_and_the_areas_of_scikit_learn(seed):
    y, s = draw(np.random.default_rng(seed), labels=4)
    study = rs.MultilabelStudy(y, s)
    theirs = classification_report(y, (s >= 0.5).astype(int), output_dict=True, zero_division=0.0)
    report = study.classification_report(threshold=0.5)
    assert len(report) == 3 * (4 + 3)
    for _, row in report.iterrows():
        mean, _, name = row["quantity"].rpartition("_")
        part = theirs[f"{mean} avg" if mean else row["class"]]
        assert row["estimate"] == pytest.approx(part[WORDS[name]], abs=1e-12)
    for found, score in (
        (study.auc(), roc_auc_score),
        (study.average_precision(), average_precision_score),
    ):
        expected = [*score(y, s, average=None), score(y, s)]
        np.testing.assert_allclose(found["estimate"], expected, atol=1e-12)


# --- Influence values are derivatives -------------------------------------------------------------


def slow_area(y, s, w):
    pairs = [
        (w[i] * w[j], (s[i] > s[j]) + (s[i] == s[j]) / 2)
        for i in np.flatnonzero(y)
        for j in np.flatnonzero(1 - y)
    ]
    return sum(weight * value for weight, value in pairs) / sum(weight for weight, _ in pairs)


def derivatives(estimate, shape):
    step, found = 1e-5, np.empty(shape)
    for place in np.ndindex(shape):
        ends = []
        for sign in (1, -1):
            w = np.ones(shape)
            w[place] += sign * step
            ends.append(estimate(w))
        found[place] = (ends[0] - ends[1]) / (2 * step)
    return found


def factors(y, n_units):
    """Return the root of n/(n - 1) of each decision, n the units on its side of its label."""
    n = np.where(y == 1, n_units(y == 1), n_units(y == 0))
    return np.sqrt(n / (n - 1))


@pytest.mark.parametrize("average", LABEL_AVERAGES)
def test_influence_on_a_summary_is_its_derivative_in_the_weights_of_decisions(average):
    y, s = draw(np.random.default_rng(4), n=14)
    found = label_summary(rs.MultilabelStudy(y, s).cases, average, auc_influence)
    if average == "micro":
        value = slow_area(y.ravel(), s.ravel(), np.ones(y.size))
        moved = derivatives(lambda w: slow_area(y.ravel(), s.ravel(), w.ravel()), y.shape)
        expected = (moved * factors(y, lambda side: side.any(axis=1).sum())).sum(axis=1)
    else:
        share = y.sum(axis=0) / y.sum() if average == "weighted" else np.full(3, 1 / 3)
        areas = np.array([slow_area(y[:, k], s[:, k], np.ones(14)) for k in range(3)])
        value = share @ areas
        moved = np.column_stack(
            [derivatives(lambda w, k=k: slow_area(y[:, k], s[:, k], w), 14) for k in range(3)]
        )
        expected = (moved * factors(y, lambda side: side.sum(axis=0))) @ share
        if average == "weighted":  # the shares are estimates, of all 14 cases
            expected += y @ (areas - value) / y.sum() * np.sqrt(14 / 13)
    assert found.value[0] == pytest.approx(value)
    np.testing.assert_allclose(found.influence[0], expected, atol=1e-8)


@pytest.mark.parametrize("word", LABEL_MEASURES)
def test_influence_on_a_measure_is_its_derivative_in_the_weights(word):
    cases = rs.MultilabelStudy(Y[:20], S[:20]).cases

    def measures(w):
        calls = call_labels(cases, 0, np.full(3, 0.5))._replace(weight=np.asarray(w))
        return list(label_measures(calls, [word]))

    for place, measure in enumerate(measures(np.ones(20))):
        expected = derivatives(lambda w, place=place: measures(w)[place].value, 20)
        np.testing.assert_allclose(measure.influence, expected, atol=1e-8)


# --- Studies that mean the same -------------------------------------------------------------------


@settings(max_examples=15)
@given(SEEDS, st.sampled_from(["", "cluster", "fold", "frequency", "group"]))
def test_a_label_has_the_answers_of_its_binary_study(seed, role):
    rng = np.random.default_rng(seed)
    y, s = draw(rng, n=40)
    y[20], y[21] = 0, 1
    roles = {
        "cluster": np.arange(40) // 2,
        "fold": np.arange(40) // 20,
        "frequency": rng.integers(1, 3, 40),
        "group": np.arange(40) // 20,
    }
    study = rs.MultilabelStudy(y, {"m": s, "n": -s}, **({role: roles[role]} if role else {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        areas, precisions = study.auc(), study.average_precision()
        for label in study.classes:
            binary = study.label_study(label)
            precision = binary.average_precision()
            precision = precision[precision["quantity"] == "average_precision"]
            for found, expected in ((areas, binary.auc()), (precisions, precision)):
                mine = found[found["class"] == label]
                order = ["group", "predictor"] if role == "group" else ["predictor"]
                mine, theirs = (one.sort_values(order) for one in (mine, expected))
                np.testing.assert_allclose(mine[NUMBERS], theirs[NUMBERS], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("average", LABEL_AVERAGES)
@each("cluster", [None, np.arange(60) // 3])
def test_the_same_label_twice_is_that_label_once(average, cluster):
    twice = rs.MultilabelStudy(Y[:, [0, 0]], S[:, [0, 0]], cluster=cluster)
    once = twice.label_study("0").auc().iloc[0]
    row = summary_of(twice.auc(average=average)).loc["auc"]
    assert row["estimate"] == pytest.approx(once["estimate"], abs=1e-12)
    # Clusters of both sides have one factor here, and one for each product in a binary study.
    assert row["se"] == pytest.approx(once["se"], rel=1e-9 if cluster is None else 0.02)


def test_indicators_of_classes_have_the_areas_of_several_classes():
    codes = RNG.integers(0, 3, 90)
    scores = np.eye(3)[codes] + RNG.normal(size=(90, 3))
    classes = rs.MulticlassStudy(codes, scores)
    labels = rs.MultilabelStudy(np.eye(3)[codes], scores)
    for average, method in zip(LABEL_AVERAGES, ("ovr-macro", "ovr-weighted", "micro"), strict=True):
        mine, theirs = labels.auc(average=average), classes.auc(method=method)
        np.testing.assert_allclose(mine["estimate"], theirs["estimate"], atol=1e-12)
        np.testing.assert_allclose(mine["se"], theirs["se"], rtol=0.03)


@pytest.mark.parametrize("ask", ["auc", "average_precision", "operating_points"])
@pytest.mark.parametrize("role", ["frequency", "cluster"])
def test_frequencies_are_rows_and_clusters_of_one_are_none(ask, role):
    options = {"threshold": 0.5} if ask == "operating_points" else {}
    if role == "frequency":
        times = RNG.integers(1, 4, 60)
        one = rs.MultilabelStudy(Y, S, frequency=times)
        other = rs.MultilabelStudy(np.repeat(Y, times, axis=0), np.repeat(S, times, axis=0))
    else:
        one, other = rs.MultilabelStudy(Y, S, cluster=np.arange(60)), rs.MultilabelStudy(Y, S)
    mine, theirs = (getattr(study, ask)(**options) for study in (one, other))
    # Of measures of calls a sample of clusters has the factor n/(n - 1), one of cases has not.
    rtol = 0.02 if role == "cluster" and ask == "operating_points" else 1e-9
    np.testing.assert_allclose(mine[NUMBERS], theirs[NUMBERS], rtol=rtol, atol=1e-12)


def test_correlated_labels_add_up():
    # The variance of a mean of uncorrelated labels is that of each over 2; of alike ones it is not.
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, (4000, 2))
    s = y + rng.normal(size=y.shape)
    alike = rs.MultilabelStudy(y[:, [0, 0]], s[:, [0, 0]]).auc()["se"]
    apart = rs.MultilabelStudy(y, s).auc()["se"]
    assert alike[2] / alike[0] == pytest.approx(1.0)
    assert apart[2] / apart[0] == pytest.approx(np.sqrt(0.5), rel=0.05)


# --- Comparisons ----------------------------------------------------------------------------------


@pytest.mark.parametrize("average", LABEL_AVERAGES)
def test_a_difference_is_that_of_its_sides_with_their_covariance(average):
    study = rs.MultilabelStudy(Y, {"m": S, "n": OTHER})
    summary = label_summary(study.cases, average, auc_influence)
    row = study.compare_auc(average=average).iloc[0]
    assert row["estimate"] == pytest.approx(summary.value[0] - summary.value[1])
    of = summary.covariance
    assert row["se"] == pytest.approx(np.sqrt(of[0, 0] + of[1, 1] - 2 * of[0, 1]))
    areas = summary_of(study.auc(average=average))
    np.testing.assert_allclose(areas["se"], np.sqrt(np.diag(of)))
    margin = study.compare_auc(average=average, hypothesis="non-inferiority", margin=0.9)
    assert margin["p_value"].iloc[0] < 1e-6


def test_compared_calls_are_those_of_each_classifier():
    study = rs.MultilabelStudy(Y, {"m": S, "n": OTHER})
    at = {"0": 0.5, "1": 0.2, "2": 0.7}
    words = ["f1", "macro_f1", "micro_ppv", "weighted_tpr", "subset_accuracy", "hamming_loss"]
    single = study.operating_points(threshold=at, quantities=words)
    gaps = study.compare_operating_points(threshold=at, quantities=words)
    keys = ["class", "quantity"]
    m, n = (single[single["predictor"] == name].set_index(keys)["estimate"] for name in "mn")
    np.testing.assert_allclose(gaps.set_index(keys)["estimate"], m - n, atol=1e-12)
    assert (gaps["ci_low"] < gaps["estimate"]).all()
    assert (gaps["estimate"] < gaps["ci_high"]).all()
    thresholds = gaps.set_index("class")["threshold"]
    assert thresholds["1"] == 0.2
    assert thresholds["all"].isna().all()


def test_alike_classifiers_have_no_interval():
    study = rs.MultilabelStudy(Y, {"m": S, "n": 2 * S + 1})
    row = study.compare_auc().iloc[0]
    assert (row["estimate"], row["p_value"]) == (0, 1)
    assert "identical-predictors" in row["note"]
    same = rs.MultilabelStudy(Y, {"m": S, "n": S})
    gap = same.compare_operating_points(threshold=0.5).iloc[0]
    assert "no-discordance" in gap["note"]


# --- Data at the edge -----------------------------------------------------------------------------


def test_a_label_without_cases_is_nan_and_so_is_a_mean_but_not_the_pooled_area():
    y = Y.copy()
    y[:, 1] = 0
    study = rs.MultilabelStudy(y, S)
    for average in LABEL_AVERAGES:
        for frame in (study.auc(average=average), study.average_precision(average=average)):
            rows = frame.set_index("class")
            assert rows["estimate"].isna().to_dict() == {
                "0": False,
                "1": True,
                "2": False,
                "all": average != "micro",
            }
            assert "one-class" in rows.loc["1", "note"]
            assert ("one-class" in rows.loc["all", "note"]) == (average != "micro")
    points = study.operating_points(threshold=0.5).set_index("quantity")
    assert np.isnan(points.loc["macro_tpr", "estimate"])
    assert "one-class" in points.loc["macro_tpr", "note"]
    assert np.isfinite(points.loc["micro_tpr", "estimate"])
    never = study.operating_points(threshold={"0": 9, "1": 0, "2": 0}, quantities=["ppv"])
    assert "no-calls" in never["note"][0]


@pytest.mark.parametrize("average", LABEL_AVERAGES)
def test_perfect_and_single_labels_have_no_interval_of_zero_width(average):
    perfect = rs.MultilabelStudy(Y, Y + 0.1 * RNG.random(Y.shape))
    y = Y.copy()
    y[:, 2] = np.arange(60) == 5
    for study in (perfect, rs.MultilabelStudy(y, S)):
        rows = pd.concat([study.auc(average=average), study.average_precision(average=average)])
        assert not (rows["ci_high"] - rows["ci_low"] <= 1e-12).any()
        assert (rows["note"] != "").any()
    called = perfect.operating_points(threshold=0.5)
    assert (called["estimate"].round(12).isin([0, 1])).all()
    assert (called["ci_high"] - called["ci_low"] > 0.01).all()
    row = summary_of(perfect.auc(average=average)).loc["auc"]
    assert row["estimate"] == 1
    assert "auc-at-boundary" in row["note"]


# --- Inputs ---------------------------------------------------------------------------------------


def test_forms_of_the_same_study_are_the_same():
    labels = ["cough", "fever", "rash"]
    plain = rs.MultilabelStudy(Y, S, labels=labels).auc()
    y, s = pd.DataFrame(Y, columns=labels), pd.DataFrame(S, columns=labels)
    table = y.join(s.add_prefix("p_"))
    names = [f"p_{label}" for label in labels]
    for study in (
        rs.MultilabelStudy(y, S),
        rs.MultilabelStudy(y, s[labels[::-1]]),
        rs.MultilabelStudy(y.astype(bool), {name: S[:, k] for k, name in enumerate(labels)}),
        rs.MultilabelStudy(labels, names, data=table),
        rs.MultilabelStudy(labels, {"score": names}, data=table),
    ):
        pd.testing.assert_frame_equal(pd.DataFrame(study.auc()), pd.DataFrame(plain))
    assert "cough (" in repr(rs.MultilabelStudy(y, S))


def test_missing_values_leave_out_rows_or_are_refused():
    y = Y.astype(float)
    y[7, 1] = np.nan
    with pytest.raises(rs.InputError, match="`y_true` must have no missing values; got 1"):
        rs.MultilabelStudy(y, S)
    found = rs.MultilabelStudy(y, S, nan_policy="omit").auc()
    kept = np.delete(np.arange(60), 7)
    expected = rs.MultilabelStudy(Y[kept], S[kept]).auc()
    np.testing.assert_array_equal(found[NUMBERS], expected[NUMBERS])
    assert found["note"].str.contains("rows-dropped=1").all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Y[:, 0], S[:, 0]), "`y_true` must have a column for each of two or more labels; got 1"),
        ((Y + 1, S), "`y_true` must be 0 or 1 in each column; got 2 in column '0'"),
        ((Y, S[:, :2]), "`y_score` must have one column for each label of `y_true`"),
        ((Y, pd.DataFrame(S, columns=list("abc"))), "got \\['a', 'b', 'c'\\]"),
        ((Y, {1: S, "1": S}), "`y_score` must have different names, compared as text"),
        ((Y, S[:50]), "50"),
    ],
)
def test_other_tables_are_refused(arguments, message):
    with pytest.raises(rs.InputError, match=message):
        rs.MultilabelStudy(*arguments)


def test_options_that_are_refused():
    study = rs.MultilabelStudy(Y, S)
    for call, message in (
        (lambda: study.auc(average="samples"), "`average` must be"),
        (lambda: study.auc(interval="percentile"), "`interval` must be"),
        (lambda: study.compare_auc(), "two or more predictors"),
        (lambda: study.operating_points(threshold={"0": 1}), "`threshold` must have a number for"),
        (lambda: study.operating_points(threshold={"x": 1}), "`threshold` must name labels"),
        (lambda: study.operating_points(threshold=[0.1, 0.5]), "`threshold` must be one number"),
        (lambda: study.operating_points(threshold=0.5, quantities=["mcc"]), "`quantities` must be"),
        (lambda: study.label_study("x"), "`label` must be"),
    ):
        with pytest.raises(rs.InputError, match=message):
            call()
    both = rs.MultilabelStudy(Y, {"m": S, "n": OTHER})
    with pytest.raises(rs.InputError, match="must not hold 'hamming_loss' with a margin"):
        both.compare_operating_points(
            threshold=0.5, quantities="hamming_loss", hypothesis="non-inferiority", margin=0.1
        )
    fold = np.where(np.arange(60) < 1, "a", "b")
    with pytest.raises(rs.InputError, match="`fold` must have cases with and without every label"):
        rs.MultilabelStudy(Y, S, fold=fold).auc()


def test_a_group_without_weight_has_no_measures_but_a_note():
    y, group = np.tile([[0, 1], [1, 0]], (10, 1)), np.repeat(["x", "y"], 10)
    study = rs.MultilabelStudy(
        y, {"m": y + 0.5, "n": 1.0 - y}, group=group, sample_weight=(group == "x") * 1.0
    )
    words = ["subset_accuracy", "hamming_loss", "micro_f1", "macro_f1"]
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frames = [
            study.operating_points(threshold=0.5, quantities=words),
            study.compare_operating_points(threshold=0.5, quantities=words),
        ]
    for frame in frames:
        rows = frame[frame["group"] == "y"]
        assert rows["estimate"].isna().all()
        assert rows["note"].str.contains("one-class").all()


@pytest.mark.parametrize(
    "given",
    [
        {"y_score": [[np.nan, 1.0], [0.2, np.nan]], "nan_policy": "omit"},
        {"y_score": [[0.1, 1.0], [0.2, 0.4]], "frequency": [0, 0]},
    ],
)
def test_a_study_without_a_case_is_refused(given):
    with pytest.raises(rs.InputError, match="`y_true` must leave at least one case; got none"):
        rs.MultilabelStudy([[0, 1], [1, 0]], **given)
