"""Influence values of average precision and PR AUC, against derivatives in the case weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import rocstats as rs
from rocstats.curves.precision import influence_and_slope, recall_steps
from rocstats.estimate.precision import AREAS, PrecisionPrevalence, precision_covariance
from tests.examples import D1, D1_CLUSTERS, D2, Y
from tests.strategies import samples

POSITIVE = Y == 1
PREVALENCES = {
    "of the cases": PrecisionPrevalence(),
    "random": PrecisionPrevalence(random=True),
    "given": PrecisionPrevalence(0.1),
}
PLACES = (8190, 8192, 16_382, 16_384, 17_700)
"""Steps around the ends of the parts that are computed one by one, and near the last."""


def value(score, weight, quantity, prevalence, y=POSITIVE):
    """Return an area of weighted cases, from tables of their distinct scores."""
    code = np.unique(-score, return_inverse=True)[1]
    pos, neg = (np.bincount(code, weight * side) for side in (y, ~y))
    pi = prevalence.given
    if pi is None and not prevalence.random:  # known: it does not move with the weights
        pi = y.mean()
    if pi is not None:
        pos, neg = pi * pos / pos.sum(), (1 - pi) * neg / neg.sum()
    return float(AREAS[quantity](pos, neg))


def derivatives(score, quantity, prevalence, y=POSITIVE):
    """Return the derivative in the weight of each case, by differences of the fourth order."""
    h, ones = 1e-3, np.ones(len(y))
    rows = []
    for row in np.eye(len(y)):
        f = [value(score, ones + s * h * row, quantity, prevalence, y) for s in (-2, -1, 1, 2)]
        rows.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h))
    return np.array(rows)


def variance_of(values, prevalence, y=POSITIVE):
    """Return the variance that influence values give: of both classes, or of all cases."""
    if prevalence.random:
        return len(y) / (len(y) - 1) * values @ values
    return sum(len(v) / (len(v) - 1) * v @ v for v in (values[y], values[~y]))


@pytest.mark.parametrize("prevalence", PREVALENCES.values(), ids=PREVALENCES)
@pytest.mark.parametrize("quantity", AREAS)
def test_influence_is_the_derivative_in_the_weights(quantity, prevalence):
    study = rs.Study(Y, {"d1": D1, "d2": D2})
    first, second = (derivatives(score, quantity, prevalence) for score in (D1, D2))
    joint = precision_covariance(study.cases, [0, 1], quantity, prevalence).covariance
    expected = [variance_of(v, prevalence) for v in (first, second, first - second)]
    found = [joint[0, 0], joint[1, 1], joint[0, 0] + joint[1, 1] - 2 * joint[0, 1]]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    alone = precision_covariance(study.cases, [0], quantity, prevalence)
    np.testing.assert_allclose(alone.covariance[0, 0], expected[0], rtol=1e-9)
    clustered = rs.Study(Y, {"d1": D1}, cluster=D1_CLUSTERS)
    sums = np.array([np.bincount(D1_CLUSTERS, first * side) for side in (~POSITIVE, POSITIVE)])
    neg, pos, number = *sums, len(np.unique(D1_CLUSTERS))
    # Obuchowski's factors: of the clusters with the class, and of all of them across classes.
    factors = [len(np.unique(D1_CLUSTERS[side])) for side in (~POSITIVE, POSITIVE)] + [number] * 2
    terms = [neg @ neg, pos @ pos, 2 * (neg @ pos), (neg + pos) @ (neg + pos)]
    each = np.array([c / (c - 1) * term for c, term in zip(factors, terms, strict=True)])
    total = each[3] if prevalence.random else each[:3].sum()
    result = precision_covariance(clustered.cases, [0], quantity, prevalence)
    np.testing.assert_allclose(result.covariance[0, 0], total, rtol=1e-8)


@settings(max_examples=8)
@given(samples(most=8))
def test_influence_of_any_sample_is_its_derivative(sample):
    y, score = sample[0] == 1, sample[1][0]
    cases = rs.Study(y.astype(int), score).cases
    for quantity in AREAS:
        for prevalence in PREVALENCES.values():
            expected = variance_of(derivatives(score, quantity, prevalence, y), prevalence, y)
            found = precision_covariance(cases, [0], quantity, prevalence)
            assert found.covariance[0, 0] == pytest.approx(expected, rel=1e-6, abs=1e-12)
    unbeaten = score >= score[y][:, np.newaxis]
    tpr, fpr = ((unbeaten & side).sum(axis=1) / side.sum() for side in (y, ~y))
    by_definition = np.mean(0.3 * tpr / (0.3 * tpr + 0.7 * fpr))
    scaled = PrecisionPrevalence(0.3).area("average_precision", *cases.counts(0)[1:])
    assert scaled == pytest.approx(by_definition)


def test_segments_of_many_cases_and_of_few_have_the_same_derivative():
    # Of 300 cases the steps reach from a third of those before them to a thousandth.
    rng = np.random.default_rng(3)
    y = np.arange(300) < 100
    score = np.where(rng.random(300) < 0.3, 2.5, np.round(rng.normal(size=300) + y, 2))
    for prevalence in (PrecisionPrevalence(), PrecisionPrevalence(0.02)):
        expected = variance_of(derivatives(score, "pr_auc", prevalence, y), prevalence, y)
        found = precision_covariance(rs.Study(y * 1, score).cases, [0], "pr_auc", prevalence)
        assert found.covariance[0, 0] == pytest.approx(expected, rel=1e-8)


def test_a_frequency_is_so_many_cases_and_folds_are_averaged():
    number, fold = np.arange(18) % 3 + 1, np.arange(18) % 2
    rows, both = np.repeat(np.arange(18), number), np.stack([D1, D2])
    for prevalence in PREVALENCES.values():

        def found(score, y, of=prevalence, **roles):
            cases = rs.Study(y, score.T, **roles).cases
            return precision_covariance(cases, range(len(score)), "average_precision", of)

        counted, listed = found(both, Y, frequency=number), found(both[:, rows], Y[rows])
        np.testing.assert_allclose(counted.covariance, listed.covariance, rtol=1e-12)
        np.testing.assert_allclose(counted.df(0), listed.df(0), rtol=1e-12)
        of_folds = found(both[:1], Y, fold=fold)
        parts = [found(both[:1, fold == v], Y[fold == v]) for v in (0, 1)]
        assert of_folds.area[0] == pytest.approx(np.mean([part.area[0] for part in parts]))
        total = sum(part.covariance[0, 0] for part in parts) / 4
        assert of_folds.covariance[0, 0] == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("quantity", AREAS)
def test_influence_over_many_scores_is_the_derivative(quantity, rng):
    n, h, known = 20_000, 0.01, PREVALENCES["of the cases"]
    y, score = rng.random(n) < 0.9, -np.arange(n)
    steps = recall_steps(rs.Study(y, score).cases.counts(0))
    found = influence_and_slope(quantity, steps, float(y.mean()))
    at_score = np.where(y, found.pos.take(steps.number - 1), found.between.take(steps.number))
    ends = np.flatnonzero(y)[list(PLACES)]
    for side in (y, ~y):
        rows = np.flatnonzero(side)
        at = np.concatenate([rows[:2], *(rows[np.searchsorted(rows, e) :][:2] for e in ends)])
        moved = []
        for i in at:
            weights = (1 + s * h * (np.arange(n) == i) for s in (-2, -1, 1, 2))
            f = [value(score, weight, quantity, known, y) for weight in weights]
            moved.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h) * side.sum())
        # Influence is known but for a constant of the class.
        expected, own = np.array(moved), at_score[at]
        np.testing.assert_allclose(own - own[-1], expected - expected[-1], rtol=1e-6, atol=1e-8)
