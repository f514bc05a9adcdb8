"""Measures of called classes by request, and comparisons: scikit-learn, derivatives, resamples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import rocstats as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
RNG = np.random.default_rng(12)
Y = RNG.choice(4, 150, p=[0.5, 0.3, 0.15, 0.05])
SCORES = RNG.normal(size=(150, 4)) + 1.3 * np.eye(4)[Y]
OTHER = RNG.normal(size=(150, 4)) + 1.0 * np.eye(4)[Y]
STUDY = rs.MulticlassStudy(Y, {"one": SCORES, "other": OTHER})
BY_REQUEST = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
    "weighted_tpr": lambda y, c, **w: metrics.recall_score(y, c, average="weighted", **w),
    "weighted_ppv": lambda y, c, **w: metrics.precision_score(y, c, average="weighted", **w),
    "weighted_f1": lambda y, c, **w: metrics.f1_score(y, c, average="weighted", **w),
}


def measures_of(study, **options):
    return study.operating_points(**options).set_index(["predictor", "class", "quantity"])


@pytest.mark.parametrize("quantity", BY_REQUEST)
def test_measures_are_those_of_scikit_learn(quantity):
    found = measures_of(STUDY, quantities=[quantity])["estimate"]
    for name, scores in (("one", SCORES), ("other", OTHER)):
        expected = BY_REQUEST[quantity](Y, scores.argmax(axis=1))
        assert found[name, "all", quantity] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_top_accuracies_are_those_of_scikit_learn(k):
    found = measures_of(STUDY, quantities=[f"top_k_accuracy={k}"])["estimate"]
    expected = metrics.top_k_accuracy_score(Y, SCORES, k=k) if k < 4 else 1.0
    assert found["one", "all", f"top_k_accuracy={k}"] == pytest.approx(expected, abs=1e-12)


def test_of_tied_scores_the_first_column_comes_first():
    study = rs.MulticlassStudy([0, 1, 2], np.ones((3, 3)))
    found = measures_of(study, quantities=["top_k_accuracy=1", "top_k_accuracy=2"])["estimate"]
    assert found.tolist() == pytest.approx([1 / 3, 2 / 3])


@pytest.mark.parametrize("quantity", BY_REQUEST)
def test_standard_errors_are_those_of_the_derivatives(quantity):
    called, step = SCORES.argmax(axis=1), 1e-5
    slopes = []
    for u in range(len(Y)):
        values = []
        for sign in (1, -1):
            w = np.ones(len(Y))
            w[u] += sign * step
            values.append(BY_REQUEST[quantity](Y, called, sample_weight=w))
        slopes.append((values[0] - values[1]) / (2 * step))
    found = measures_of(STUDY, quantities=[quantity])["se"]["one", "all", quantity]
    assert found == pytest.approx(np.sqrt(np.sum(np.square(slopes))), rel=1e-6)


def test_the_report_is_that_of_scikit_learn():
    called = SCORES.argmax(axis=1)
    expected = metrics.classification_report(Y, called, output_dict=True)
    found = STUDY.classification_report()
    found = found[found["predictor"] == "one"].set_index(["class", "quantity"])
    words = {"ppv": "precision", "tpr": "recall", "f1": "f1-score"}
    for k in range(4):
        for word, name in words.items():
            row = found.loc[str(k), word]
            assert row["estimate"] == pytest.approx(expected[str(k)][name], abs=1e-12)
            assert row["n_pos"] == expected[str(k)]["support"]
    assert found.loc["all", "accuracy"]["estimate"] == pytest.approx(expected["accuracy"])
    for mean in ("macro", "weighted"):
        for word, name in words.items():
            value = found.loc["all", f"{mean}_{word}"]["estimate"]
            assert value == pytest.approx(expected[f"{mean} avg"][name], abs=1e-12)


def test_a_class_that_is_never_called_has_no_precision_nor_has_the_mean():
    study = rs.MulticlassStudy([0, 1, 2, 0], [[2, 1, 0], [1, 2, 0], [1, 2, 0], [2, 1, 0]])
    found = study.classification_report().set_index(["class", "quantity"])
    for key in (("2", "ppv"), ("all", "macro_ppv"), ("all", "weighted_ppv")):
        assert np.isnan(found.loc[key, "estimate"])
        assert "no-calls" in found.loc[key, "note"]
    assert found.loc[("2", "f1"), "estimate"] == 0


@pytest.mark.parametrize("quantity", ["kappa", "mcc"])
def test_perfect_and_wrong_calls_have_limits_of_some_width(quantity):
    y = np.tile([0, 1], 12)
    right, wrong = (rs.MulticlassStudy(y, np.eye(2)[c]) for c in (y, 1 - y))
    for study, value in ((right, 1.0), (wrong, -1.0)):
        row = study.operating_points(quantities=[quantity]).iloc[0]
        assert row["estimate"] == pytest.approx(value)
        assert -1 <= row["ci_low"] < row["ci_high"] <= 1


def test_differences_have_the_variance_of_paired_derivatives():
    found = STUDY.compare_operating_points().set_index("quantity")
    draws = np.random.default_rng(5)
    of_class = [np.flatnonzero(y == Y) for y in range(4)]
    calls = SCORES.argmax(axis=1), OTHER.argmax(axis=1)
    for quantity in ("accuracy", "kappa", "mcc", "balanced_accuracy"):
        resampled = []
        for _ in range(400):
            rows = draws.integers(0, len(Y), len(Y))
            if min(np.isin(rows, own).sum() for own in of_class) == 0:
                continue
            one, other = (BY_REQUEST[quantity](Y[rows], c[rows]) for c in calls)
            resampled.append(one - other)
        row = found.loc[f"{quantity}_difference"]
        assert row["se"] == pytest.approx(np.std(resampled), rel=0.15)
        assert row["ci_low"] < row["estimate"] < row["ci_high"]


def test_two_classes_are_compared_as_in_a_binary_study(rng):
    """Accuracies and both correlations; Fisher's scale and Wilson's differ in limits alone."""
    y = rng.integers(0, 2, 120)
    a, b = y + rng.normal(size=120), y + rng.normal(0, 1.5, 120)
    binary = rs.Study(y, {"a": a, "b": b}).compare_operating_points(
        threshold=0.5, quantities=["accuracy", "mcc", "kappa"]
    )
    several = rs.MulticlassStudy(y, {n: np.column_stack([0.5 - s, s - 0.5]) for n, s in
                                     (("a", a), ("b", b))}).compare_operating_points(
        quantities=["accuracy", "mcc", "kappa"]
    )  # fmt: skip
    for quantity in ("accuracy_difference", "mcc_difference", "kappa_difference"):
        one, other = (f.set_index("quantity").loc[quantity] for f in (binary, several))
        assert other["estimate"] == pytest.approx(one["estimate"], abs=1e-12)
        assert other["se"] == pytest.approx(one["se"], rel=1e-9)


def test_margins_test_the_limits(rng):
    for hypothesis in ("non-inferiority", "superiority"):
        margin = 0.1 if hypothesis == "non-inferiority" else 0.02
        found = STUDY.compare_operating_points(hypothesis=hypothesis, margin=margin)
        bound = -margin if hypothesis == "non-inferiority" else margin
        assert ((found["p_value"] < 0.025) == (found["ci_low"] > bound)).all()
    found = STUDY.compare_operating_points(hypothesis="equivalence", margin=0.3)
    inside = (found["ci_low"] > -0.3) & (found["ci_high"] < 0.3)
    assert ((found["p_value"] < 0.05) == inside).all()


def test_clusters_of_one_case_are_cases_but_for_their_factor():
    alone = rs.MulticlassStudy(Y, {"one": SCORES, "other": OTHER}, cluster=np.arange(len(Y)))
    plain, clustered = STUDY.compare_operating_points(), alone.compare_operating_points()
    factor = np.sqrt(len(Y) / (len(Y) - 1))
    assert clustered["se"].to_numpy() == pytest.approx(plain["se"].to_numpy() * factor)


def test_classifiers_with_the_same_calls_have_no_interval():
    study = rs.MulticlassStudy(Y, {"a": SCORES, "b": SCORES**3})
    found = study.compare_operating_points()
    assert (found["estimate"] == 0).all()
    assert found["ci_low"].isna().all()
    assert found["note"].str.contains("no-discordance").all()


def test_p_values_are_adjusted_within_a_measure():
    three = rs.MulticlassStudy(Y, {"a": SCORES, "b": OTHER, "c": SCORES + OTHER})
    found = three.compare_operating_points(quantities=["accuracy", "tpr"])
    for _, rows in found.groupby(["quantity", "class"]):
        smallest = rows["p_value"].min()
        assert rows["p_adjusted"].min() == pytest.approx(min(1, 3 * smallest))
    assert isinstance(found, pd.DataFrame)


def test_unknown_measures_are_refused_by_name():
    with pytest.raises(rs.InputError, match=r"^`quantities` must be some of .*top_k_accuracy=2"):
        STUDY.compare_operating_points(quantities=["top_k_accuracy=5"])
    with pytest.raises(rs.InputError, match=r"^`y_score` must hold two or more predictors"):
        rs.MulticlassStudy(Y, SCORES).compare_operating_points()
