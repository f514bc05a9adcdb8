"""Resampled cutpoints: the law over all resamples, both ways to draw, clusters whole, streams."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CutpointRequest, make_criterion
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.cutpoints.rule import draw_cutpoints

N = 20_000
ASKED = CutpointRequest(cost_fp=1, cost_fn=2, prevalence=0.4, rate=0.5)


def chosen_by_hand(name, pos, neg):
    """The threshold of a resample by plain loops: strictest of the best, as floats."""
    best = (-np.inf, None)
    m, n = len(pos), len(neg)
    for cut in [np.inf, *np.unique(np.concatenate([pos, neg]))[::-1]]:
        tpr, fpr = np.mean(pos >= cut), np.mean(neg >= cut)
        merit = {
            "youden": tpr - fpr,
            "closest-topleft": -np.hypot(fpr, 1 - tpr),
            "product": tpr * (1 - fpr),
            "equal-error": -abs(fpr + tpr - 1),
            "accuracy": (tpr * m + (1 - fpr) * n) / (m + n),
            "kappa": kappa(tpr * m, fpr * n, m, n),
            "cost": -(0.6 * fpr + 0.8 * (1 - tpr)),
            "fixed-tpr": 1 - fpr + 1e-3 * tpr if tpr >= 0.5 else -1.0,
            "fixed-fpr": tpr if fpr <= 0.5 else -1.0,
        }[name]
        if merit > best[0] + 1e-12:
            best = (merit, cut)
    return best[1]


def kappa(tp, fp, m, n):
    total, called = m + n, tp + fp
    observed = (tp + n - fp) / total
    chance = (called * m + (total - called) * n) / total**2
    return (observed - chance) / (1 - chance)


POS, NEG = np.array([4.0, 3.0, 1.5]), np.array([3.5, 3.0, 1.0])


@pytest.mark.parametrize("name", CRITERIA)
def test_the_law_is_that_of_all_729_resamples(name):
    """Frequencies of thresholds against their probabilities, four standard errors each."""
    law = Counter(
        chosen_by_hand(name, POS[list(i)], NEG[list(j)])
        for i, j in product(product(range(3), repeat=3), repeat=2)
    )
    study = rs.Study([1, 1, 1, 0, 0, 0], [*POS, *NEG])
    draws = draw_cutpoints(study.cases, 0, make_criterion(name, ASKED), ResamplePlan(N, 5))
    found = Counter(np.append(np.inf, study.cases.counts(0).score)[draws.vertex].tolist())
    assert set(found) <= set(law)
    for cut, count in law.items():
        p = count / 729
        assert abs(found[cut] / N - p) <= 4 * np.sqrt(p * (1 - p) / N)


def test_rates_are_those_of_the_resample_and_below_one_by_what_was_not_drawn():
    study = rs.Study([1, 1, 1, 0, 0, 0], [*POS, *NEG])
    draws = draw_cutpoints(study.cases, 0, make_criterion("youden", ASKED), ResamplePlan(N, 5))
    by_hand = []
    for i, j in product(product(range(3), repeat=3), repeat=2):
        pos, neg = POS[list(i)], NEG[list(j)]
        cut = chosen_by_hand("youden", pos, neg)
        by_hand.append((np.mean(pos >= cut), np.mean(neg >= cut)))
    for drawn, exact in zip((draws.tpr, draws.fpr), np.transpose(by_hand), strict=True):
        assert abs(drawn.mean() - exact.mean()) <= 4 * exact.std() / np.sqrt(N)
    assert set(draws.n_pos) == set(draws.n_neg) == {3}


def test_few_scores_of_many_cases_are_drawn_as_a_table_of_the_same_law():
    """40 cases a score: multinomials. The same cases a little apart are counted one by one."""
    table = {
        "y": [1, 0] * 4,
        "s": np.repeat([4.0, 3, 2, 1], 2),
        "n": [30, 6, 25, 20, 20, 25, 5, 29],
    }
    tied = rs.Study("y", "s", data=table, frequency="n")
    youden = make_criterion("youden", ASKED)
    found = draw_cutpoints(tied.cases, 0, youden, ResamplePlan(N, 1))
    rng = np.random.default_rng(2)
    counts = tied.cases.counts(0)
    by_cases = Counter()
    for _ in range(4000):
        pos, neg = (
            np.bincount(rng.choice(4, int(c.sum()), p=c / c.sum()), minlength=4)
            for c in (counts.n_pos, counts.n_neg)
        )
        index = np.cumsum(pos) / pos.sum() - np.cumsum(neg) / neg.sum()
        by_cases[int(np.argmax(index >= index.max() - 1e-12)) + 1] += 1
    for vertex in range(1, 5):
        p, q = np.mean(found.vertex == vertex), by_cases[vertex] / 4000
        assert abs(p - q) <= 4 * np.sqrt(max(p * (1 - p), 1e-4) * (1 / N + 1 / 4000))


def test_clusters_are_drawn_whole():
    """Three clusters: 27 resamples, of which those without a class are drawn again."""
    y = np.array([1, 0, 1, 1, 0, 0])
    score = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 2.5])
    cluster = np.array([0, 0, 1, 1, 2, 2])
    study = rs.Study(y, score, cluster=cluster)
    law = Counter()
    for drawn in product(range(3), repeat=3):
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in drawn])
        pos, neg = score[rows][y[rows] == 1], score[rows][y[rows] == 0]
        if len(pos) and len(neg):
            law[chosen_by_hand("youden", pos, neg), len(pos), len(neg)] += 1
    draws = draw_cutpoints(study.cases, 0, make_criterion("youden", ASKED), ResamplePlan(N, 3))
    thresholds = np.append(np.inf, study.cases.counts(0).score)[draws.vertex]
    found = Counter(zip(thresholds.tolist(), draws.n_pos, draws.n_neg, strict=True))
    assert set(found) == set(law)
    for key, count in law.items():
        p = count / sum(law.values())
        assert abs(found[key] / N - p) <= 4 * np.sqrt(p * (1 - p) / N)


def test_draws_are_of_the_seed_alone(rng):
    study = rs.Study(np.arange(40) % 2, rng.normal(size=40))
    youden = make_criterion("youden", ASKED)
    few, many = (
        draw_cutpoints(study.cases, 0, youden, ResamplePlan(b, 7)).vertex for b in (300, 5000)
    )
    other = draw_cutpoints(study.cases, 0, youden, ResamplePlan(300, 8)).vertex
    np.testing.assert_array_equal(
        draw_cutpoints(study.cases, 0, youden, ResamplePlan(300, 7)).vertex, few
    )
    assert len(many) == 5000
    assert (few != other).any()
