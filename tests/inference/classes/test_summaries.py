"""The five summaries of areas of several classes: against scikit-learn, derivatives, resamples."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocstats as rs
from rocstats.estimate.resample import plan_resamples
from rocstats.estimate.resample_areas import draw_class_areas

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
SKLEARN = {
    "ovo-macro": ("ovo", "macro"),
    "ovo-weighted": ("ovo", "weighted"),
    "ovr-macro": ("ovr", "macro"),
    "ovr-weighted": ("ovr", "weighted"),
    "micro": ("ovr", "micro"),
}


def draw_cases(rng, n, n_classes, *, rounded=False):
    """Return labels of unequal classes, and probabilities that depend on them."""
    share = np.arange(1, n_classes + 1) / np.arange(1, n_classes + 1).sum()
    y = np.repeat(np.arange(n_classes), 2)
    y = np.concatenate([y, rng.choice(n_classes, n - len(y), p=share)])
    score = np.exp(rng.normal(size=(n, n_classes)) + 1.2 * np.eye(n_classes)[y])
    return y, (score / score.sum(axis=1, keepdims=True)).round(2 if rounded else 12)


def summary_of(study, method):
    """The summary row of a study of one classifier."""
    return study.auc(method=method).iloc[-1]


@pytest.mark.parametrize("method", SKLEARN)
def test_summaries_are_those_of_scikit_learn(method, rng):
    multi_class, average = SKLEARN[method]
    for number in range(40):
        y, scores = draw_cases(rng, 60, 3 + number % 3)
        # The check of scikit-learn that rows sum to 1 forbids rounding: columns of ranks are ties.
        if multi_class == "ovr" and number % 2:
            y, scores = draw_cases(rng, 60, 3 + number % 3, rounded=True)
            scores[:, 0] += 1 - scores.sum(axis=1)
        expected = roc_auc_score(y, scores, multi_class=multi_class, average=average)
        found = summary_of(rs.MulticlassStudy(y, scores), method)
        assert found["estimate"] == pytest.approx(expected, abs=1e-12)


def weighted_summary(y, scores, w, method):
    """A summary by all pairs of weighted cases."""

    def area(rows_pos, s_pos, rows_neg, s_neg):
        above, below = s_pos[:, None], s_neg[None, :]
        weight = np.outer(w[rows_pos], w[rows_neg])
        return np.sum(weight * ((above > below) + 0.5 * (above == below))) / weight.sum()

    classes = range(scores.shape[1])
    if method == "micro":
        rows = np.tile(np.arange(len(y))[:, None], scores.shape[1])
        own = y[:, None] == np.arange(scores.shape[1])
        return area(rows[own], scores[own], rows[~own], scores[~own])
    size = np.array([w[y == c].sum() for c in classes])
    pairs = [(i, None) for i in classes]
    if method.startswith("ovo"):
        pairs = [(i, j) for i in classes for j in classes if i != j]
    areas, weights = [], []
    for i, j in pairs:
        pos = np.flatnonzero(y == i)
        neg = np.flatnonzero(y != i if j is None else y == j)
        areas.append(area(pos, scores[pos, i], neg, scores[neg, i]))
        weights.append(size[i] + (0 if j is None else size[j]))
    return np.average(areas, weights=weights if method.endswith("weighted") else None)


@pytest.mark.parametrize("method", SKLEARN)
def test_variances_are_sums_of_squared_derivatives(method, rng):
    y, scores = draw_cases(rng, 40, 3, rounded=True)
    found, step, variance = summary_of(rs.MulticlassStudy(y, scores), method), 1e-4, 0.0
    for u in range(len(y)):
        up, down = np.ones(len(y)), np.ones(len(y))
        up[u], down[u] = 1 + step, 1 - step
        slope = weighted_summary(y, scores, up, method) - weighted_summary(y, scores, down, method)
        # Classes are the samples of a mean of areas; pooled decisions have one sample of all cases.
        n = len(y) if method == "micro" else np.sum(y == y[u])
        variance += (slope / (2 * step)) ** 2 * n / (n - 1)
    assert found["se"] ** 2 == pytest.approx(variance, rel=1e-6)


@pytest.mark.parametrize("method", SKLEARN)
def test_resampled_summaries_vary_as_their_standard_error_says(method, rng):
    y, scores = draw_cases(rng, 400, 3)
    study = rs.MulticlassStudy(y, scores, cluster=np.arange(400) // 2)
    plan = plan_resamples(study.cases, 4000, None, 1, False, apart=method == "ovo-macro")
    values = draw_class_areas(study.cases, method, plan).values[-1, 0]
    found = summary_of(study, method)
    assert values.mean() == pytest.approx(found["estimate"], abs=4 * found["se"] / np.sqrt(4000))
    assert values.std() == pytest.approx(found["se"], rel=0.1)


@pytest.mark.parametrize("method", SKLEARN)
def test_a_difference_has_the_variance_of_its_resamples(method, rng):
    y, scores = draw_cases(rng, 300, 4)
    study = rs.MulticlassStudy(y, {"a": scores, "b": scores + rng.normal(0, 0.2, scores.shape)})
    closed = study.compare_auc(method=method).iloc[0]
    resampled = study.compare_auc(method=method, interval="percentile", rng=1).iloc[0]
    assert closed["estimate"] == pytest.approx(resampled["estimate"])
    width = closed["ci_high"] - closed["ci_low"]
    assert resampled["ci_high"] - resampled["ci_low"] == pytest.approx(width, rel=0.15)


# Weights of a mean are the shares of classes in all folds together.
@pytest.mark.parametrize("method", ["ovo-macro", "ovr-macro", "micro"])
def test_summaries_of_folds_are_means_over_folds(method, rng):
    y, scores = draw_cases(rng, 80, 3)
    fold = np.arange(80) % 2
    parts = [rs.MulticlassStudy(y[fold == v], scores[fold == v]) for v in (0, 1)]
    rows = [summary_of(part, method) for part in parts]
    found = summary_of(rs.MulticlassStudy(y, scores, fold=fold), method)
    assert found["estimate"] == pytest.approx(np.mean([row["estimate"] for row in rows]))
    if method == "micro":
        se = np.sqrt(sum(row["se"] ** 2 for row in rows)) / 2
        assert found["se"] == pytest.approx(se)


def test_pooled_decisions_see_scores_across_classes_and_means_do_not(rng):
    y, scores = draw_cases(rng, 60, 3)
    moved = scores + np.array([0.0, 1.0, -1.0])  # each column keeps its ranks
    study = rs.MulticlassStudy(y, {"plain": scores, "moved": moved})
    for method in ("ovo-macro", "ovr-weighted"):
        row = study.compare_auc(method=method).iloc[0]
        assert (row["estimate"], row["p_value"]) == (0, 1)
    assert study.compare_auc(method="micro").iloc[0]["p_value"] < 0.05
    again = rs.MulticlassStudy(y, {"plain": scores, "cubed": scores**3})
    assert again.compare_auc(method="micro").iloc[0]["p_value"] == 1


def test_perfect_scores_have_limits_of_the_number_of_cases():
    y = np.repeat([0, 1, 2], [4, 9, 30])
    study = rs.MulticlassStudy(y, np.eye(3)[y])
    for method in SKLEARN:
        row = summary_of(study, method)
        assert row["ci_low"] < row["estimate"] == row["ci_high"] == 1
    # All cases stand behind the pooled area, the smallest class behind a mean.
    assert summary_of(study, "micro")["ci_low"] > summary_of(study, "ovr-macro")["ci_low"]


def test_former_words_are_spellings():
    y, scores = draw_cases(np.random.default_rng(1), 30, 3)
    study = rs.MulticlassStudy(y, scores)
    assert study.auc(method="hand-till").equals(study.auc())
    assert study.auc(method="class-reference").equals(study.auc(method="ovr-weighted"))
