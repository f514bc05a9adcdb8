"""Cases with several labels: scikit-learn, slow loops, derivatives, binary studies, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    classification_report,
    hamming_loss,
    roc_auc_score,
)

import rocstats as rs
from rocstats.estimate.labels import LABEL_AVERAGES, auc_influence, label_summary
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


def test_200_random_studies_have_the_numbers_of_scikit_learn():
    rng = np.random.default_rng(7)
    for k in range(200):
        y, s = draw(rng, n=int(rng.integers(12, 80)), labels=int(rng.integers(2, 6)))
        weight = rng.random(len(y)) if k % 2 else None
        study = rs.MultilabelStudy(y, s, sample_weight=weight)
        average = LABEL_AVERAGES[k % 3]
        options = {"average": average, "sample_weight": weight}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            areas = study.auc(average=average)["estimate"]
            precisions = study.average_precision(average=average)["estimate"]
            report = study.classification_report(threshold=0.5)
            called = (s >= 0.5).astype(int)
            theirs = classification_report(
                y, called, output_dict=True, sample_weight=weight, zero_division=np.nan
            )
        for found, score in ((areas, roc_auc_score), (precisions, average_precision_score)):
            each_label = score(y, s, average=None, sample_weight=weight)
            np.testing.assert_allclose(found, [*each_label, score(y, s, **options)], atol=1e-12)
        words = {"ppv": "precision", "tpr": "recall", "f1": "f1-score"}
        for _, row in report.iterrows():
            mean, _, name = row["quantity"].rpartition("_")
            part = theirs[f"{mean} avg" if mean else row["class"]]
            # scikit-learn leaves labels without a value out of its means.
            if mean != "" and report["estimate"][report["class"] != "all"].isna().any():
                continue
            assert row["estimate"] == pytest.approx(part[words[name]], abs=1e-12, nan_ok=True)
        of_all = summary_of(
            study.operating_points(threshold=0.5, quantities=["subset_accuracy", "hamming_loss"])
        )["estimate"]
        exact = accuracy_score(y, called, sample_weight=weight)
        assert of_all["subset_accuracy"] == pytest.approx(exact, abs=1e-12)
        wrong = hamming_loss(y, called, sample_weight=weight)
        assert of_all["hamming_loss"] == pytest.approx(wrong, abs=1e-12)


# --- Influence values are derivatives -------------------------------------------------------------


def slow_area(y, s, w):
    above = [(wi * wj, (si > sj) + (si == sj) / 2)
             for yi, si, wi in zip(y, s, w, strict=True) if yi
             for yj, sj, wj in zip(y, s, w, strict=True) if not yj]  # fmt: skip
    return sum(w * value for w, value in above) / sum(w for w, _ in above)


def slow_summary(y, s, w, average):
    if average == "micro":
        return slow_area(y.ravel(), s.ravel(), np.repeat(w, y.shape[1]))
    share = w @ y if average == "weighted" else np.ones(y.shape[1])
    return np.average([slow_area(y[:, k], s[:, k], w) for k in range(y.shape[1])], weights=share)


def derivatives(estimate, n):
    step = 1e-5
    ends = [[estimate(1 + sign * step * row) for row in np.eye(n)] for sign in (1, -1)]
    return (np.array(ends[0]) - ends[1]) / (2 * step)


@pytest.mark.parametrize("average", LABEL_AVERAGES)
def test_influence_on_a_summary_is_its_derivative_in_the_weights(average):
    y, s = draw(np.random.default_rng(4), n=16)
    found = label_summary(rs.MultilabelStudy(y, s).cases, average, auc_influence)
    expected = derivatives(lambda w: slow_summary(y, s, w, average), 16)
    assert found.value[0] == pytest.approx(slow_summary(y, s, np.ones(16), average))
    if average != "micro":  # each side of each label has a factor of its own: of about 1.1
        slope = np.polyfit(expected, found.influence[0], 1)[0]
        assert 1.0 < slope < 1.3
        return
    sides = [y.any(axis=1).sum(), (1 - y).any(axis=1).sum()]
    assert sides == [sum(y.sum(axis=1) > 0), sum(y.sum(axis=1) < 3)]
    np.testing.assert_allclose(
        found.influence[0], expected * np.sqrt(sides[0] / (sides[0] - 1)), rtol=0.06, atol=2e-3
    )


@pytest.mark.parametrize("word", LABEL_MEASURES)
def test_influence_on_a_measure_is_its_derivative_in_the_weights(word):
    cases = rs.MultilabelStudy(Y, S).cases

    def measures(w):
        calls = call_labels(cases, 0, np.full(3, 0.5))._replace(weight=np.asarray(w))
        return list(label_measures(calls, [word]))

    for place, measure in enumerate(measures(np.ones(60))):
        expected = derivatives(lambda w, place=place: measures(w)[place].value, 60)
        np.testing.assert_allclose(measure.influence, expected, atol=1e-8)


# --- Studies that mean the same -------------------------------------------------------------------


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
                **{"0": False, "1": True, "2": False},
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
        ((Y, {1: S, "1": S}), "`y_score` must have names that differ as text"),
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
        (lambda: study.compare_auc(), "two predictors or more"),
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
    with pytest.raises(rs.InputError, match="`fold` must leave cases with and without every label"):
        rs.MultilabelStudy(Y, S, fold=fold).auc()
