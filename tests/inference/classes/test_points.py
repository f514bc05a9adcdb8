"""Rates and F1 of called classes: scikit-learn, derivatives in the weights, and roles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats
from sklearn import metrics
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.inference.classes.calls import (
    CLASS_RATES,
    SUMMARIES,
    CalledClasses,
    called_measures,
)
from rocstats.inference.classes.points import BY_DEFAULT
from tests.strategies import multiclass_samples

RNG = np.random.default_rng(8)

TRUTH = RNG.choice(list("abc"), 90, p=[0.5, 0.3, 0.2])

SCORES = RNG.random((90, 3)) + 0.4 * (TRUTH[:, np.newaxis] == np.array(list("abc")))

STUDY = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"))

NUMBERS = ["estimate", "se", "ci_low", "ci_high"]


def rows_of(study, **options):
    return study.operating_points(**options).set_index(["class", "quantity"])


def test_estimates_are_those_of_scikit_learn():
    called = np.array(list("abc"))[SCORES.argmax(axis=1)]
    found = rows_of(STUDY)["estimate"]
    ppv, tpr, f1, _ = metrics.precision_recall_fscore_support(TRUTH, called, labels=list("abc"))
    for k, name in enumerate("abc"):
        assert found[name, "ppv"] == pytest.approx(ppv[k], rel=1e-12)
        assert found[name, "tpr"] == pytest.approx(tpr[k], rel=1e-12)
        assert found[name, "f1"] == pytest.approx(f1[k], rel=1e-12)
        tnr = np.mean(called[name != TRUTH] != name)
        assert found[name, "tnr"] == pytest.approx(tnr, rel=1e-12)
        assert found[name, "npv"] == pytest.approx(np.mean(TRUTH[called != name] != name))
    assert found["all", "macro_ppv"] == pytest.approx(ppv.mean(), rel=1e-12)
    assert found["all", "macro_tpr"] == pytest.approx(tpr.mean(), rel=1e-12)
    assert found["all", "macro_f1"] == pytest.approx(f1.mean(), rel=1e-12)
    micro = metrics.f1_score(TRUTH, called, average="micro")
    assert found["all", "micro_f1"] == pytest.approx(micro, rel=1e-12)
    assert found["all", "micro_tnr"] == pytest.approx(1 - np.mean(called != TRUTH) / 2)


def test_shares_have_wilson_limits_and_summaries_those_of_effective_size():
    called = np.array(list("abc"))[SCORES.argmax(axis=1)]
    found = rows_of(STUDY)
    for name in "abc":
        size = float(np.sum(name == TRUTH))
        count = np.sum((called == name) & (name == TRUTH))
        limits = proportion_confint(count, size, 0.05, "wilson")
        row = found.loc[name, "tpr"]
        assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-10)
        assert row["n_effective"] == pytest.approx(size)
    micro = found.loc["all", "micro_f1"]
    limits = proportion_confint(np.sum(called == TRUTH), 90, 0.05, "wilson")
    assert micro[["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-10)
    macro = found.loc["all", "macro_f1"]
    p, z = macro["estimate"], stats.norm.ppf(0.975)
    for limit in macro[["ci_low", "ci_high"]]:
        # Wilson: (p - x)^2 = z^2 x (1 - x)/n, n = p (1 - p)/se^2
        wilson = z**2 * limit * (1 - limit) * macro["se"] ** 2 / (p * (1 - p))
        assert (p - limit) ** 2 == pytest.approx(wilson, rel=1e-9)


def takahashi(table):
    """Variance of macro F1 by Takahashi et al. (2022), from the shares of the table of classes."""
    p, n = table / table.sum(), table.sum()
    size, total = len(p), 0.0
    both = p.sum(axis=0) + p.sum(axis=1)
    f1 = 2 * np.diag(p) / both
    slope = np.zeros_like(p)
    for i in range(size):
        for j in range(size):
            of_true, of_called = f1[i] / both[i], f1[j] / both[j]
            slope[i, j] = (2 / both[i] - 2 * of_true if i == j else -of_true - of_called) / size
    total = np.sum(p * slope**2) - np.sum(p * slope) ** 2
    return total / n


def test_the_variance_of_macro_f1_is_the_published_one():
    table = np.array([[30.0, 5, 2], [4, 20, 6], [1, 7, 15]])
    times = table.ravel().astype(int)
    truth, called = (np.repeat(grid.ravel(), times) for grid in np.indices((3, 3)))
    study = rs.MulticlassStudy(truth, np.eye(3)[called])
    row = rows_of(study).loc["all", "macro_f1"]
    assert row["se"] == pytest.approx(np.sqrt(takahashi(table)), rel=1e-10)


@settings(max_examples=15)
@given(multiclass_samples())
def test_influence_is_the_derivative_in_the_weights(sample):
    labels, columns = sample
    truth = np.unique(labels, return_inverse=True)[1]
    scores = np.asarray(list(columns.values()) if isinstance(columns, dict) else columns)
    guess, size = scores.argmax(axis=0), len(scores)

    def calls(weight):
        return CalledClasses(truth, guess, (truth != guess).astype(int), weight, size)

    def values(weight):
        return np.array([one.value for one in called_measures(calls(weight), BY_DEFAULT)])

    h, ones = 1e-5, np.ones(len(truth))
    found = np.array([one.influence for one in called_measures(calls(ones), BY_DEFAULT)])
    for i, row in enumerate(np.eye(len(truth))):
        slope = (values(ones + h * row) - values(ones - h * row)) / (2 * h)
        known = ~np.isnan(slope)
        np.testing.assert_allclose(found[known, i], slope[known], atol=1e-8)


def test_two_classes_are_a_binary_study():
    y = (TRUTH == "a").astype(int)
    score = SCORES[:, 0]
    two = rs.MulticlassStudy(y, np.column_stack([np.full(90, 0.7), score]))
    found = rows_of(two, quantities=["tpr", "tnr", "ppv", "npv", "f1"]).loc["1"]
    binary = rs.Study(y, score).operating_points(
        threshold=np.nextafter(0.7, 1), quantities=list(CLASS_RATES), sampling="cohort"
    )
    known = binary.set_index("quantity").loc[list(CLASS_RATES)]
    np.testing.assert_allclose(found.loc[list(CLASS_RATES), "estimate"], known["estimate"])
    kept = ["tpr", "tnr", "ppv", "npv"]
    np.testing.assert_allclose(found.loc[kept, NUMBERS], known.loc[kept, NUMBERS], rtol=1e-9)


def test_roles():
    times = RNG.integers(1, 4, 90)
    rows = np.repeat(np.arange(90), times)
    counted = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"), frequency=times)
    listed = rs.MulticlassStudy(TRUTH[rows], SCORES[rows], labels=list("abc"))
    np.testing.assert_allclose(rows_of(counted)[NUMBERS], rows_of(listed)[NUMBERS], rtol=1e-10)
    alone = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"), cluster=np.arange(90))
    se = rows_of(STUDY)["se"] * np.sqrt(90 / 89)
    np.testing.assert_allclose(rows_of(alone)["se"], se, rtol=1e-10)
    twice = rs.MulticlassStudy(
        np.tile(TRUTH, 2),
        np.tile(SCORES, (2, 1)),
        labels=list("abc"),
        cluster=np.tile(np.arange(90), 2),
    )
    np.testing.assert_allclose(rows_of(twice)["se"], se, rtol=1e-10)
    weighted = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"), sample_weight=times)
    with pytest.warns(rs.StatisticalWarning, match="weights-need-bootstrap"):
        found = rows_of(weighted)
    np.testing.assert_allclose(found["estimate"], rows_of(counted)["estimate"], rtol=1e-12)
    assert found["ci_low"].isna().all()
    folded = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"), fold=np.arange(90) % 3)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        assert folded.operating_points()["note"].str.startswith("pooled-folds").all()


def test_edges_have_limits_with_a_width_or_none():
    perfect = rows_of(rs.MulticlassStudy([0, 1, 2] * 4, np.tile(np.eye(3), (4, 1))))
    assert (perfect["estimate"] == 1).all()
    assert (perfect["ci_high"] == 1).all()
    assert (perfect["ci_low"] < 1).all()
    # 4 cases of each class: the mean of three shares counts 9/(3/4) = 12.
    assert perfect.loc[("all", "macro_tpr"), "n_effective"] == 12
    one = rows_of(rs.MulticlassStudy([0, 1, 2], [[1, 0, 0]] * 3))
    assert np.isnan(one.loc[("1", "ppv"), "estimate"])
    assert one.loc[("1", "ppv"), "note"] == "no-calls; few-cases"
    assert one.loc[("1", "f1"), "estimate"] == 0
    assert np.isnan(one.loc[("all", "macro_ppv"), "estimate"])
    tied = rs.MulticlassStudy([0, 1, 1], [[0.5, 0.5], [0.2, 0.8], [0.5, 0.5]]).operating_points()
    assert (tied["note"] == "few-cases; tied-calls=2").all()
    grouped = rs.MulticlassStudy(TRUTH, SCORES, labels=list("abc"), group=(TRUTH == "a") * 1)
    lacking = grouped.operating_points().query("quantity == 'macro_tpr'")
    assert lacking["note"].str.startswith("one-class").all()


def test_quantities_and_messages():
    assert set(STUDY.operating_points()["quantity"]) == {*CLASS_RATES, *SUMMARIES}
    assert STUDY.operating_points(quantities="F1 score")["class"].tolist() == ["a", "b", "c"]
    with pytest.raises(rs.InputError, match="`quantities` must be some of tpr, tnr, ppv, npv, f1,"):
        STUDY.operating_points(quantities=["auc"])
    with pytest.raises(rs.InputError, match="`confidence_level` must be a number strictly"):
        STUDY.operating_points(confidence_level=2)
