"""Resampled cutpoints: the law over all resamples, clusters whole, streams, stages of blocks."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CutpointRequest, candidate_vertices, make_criterion
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.cutpoints.rule import case_cutpoints, draw_cutpoints, staged_cutpoints
from rocstats.study.count_tables import ScoreCounts

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
    first, again, other = (
        draw_cutpoints(study.cases, 0, youden, ResamplePlan(300, seed)).vertex for seed in (7, 7, 8)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


STAGED = ASKED._replace(rate=0.3)


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 2, 17_000)
    return rs.Study(y, y + rng.normal(size=len(y)))


def table(rng, n_scores=60, cases=40):
    """A count table of scores with many cases each: normal counts are close to multinomial ones."""
    pos = rng.integers(cases // 2, cases, n_scores) * np.linspace(2, 0.2, n_scores)
    return ScoreCounts(-np.arange(float(n_scores)), np.rint(pos), np.rint(pos)[::-1].copy())


@pytest.mark.parametrize("name", CRITERIA)
def test_the_law_of_few_scores_is_that_of_resampled_cases(name, rng):
    """60 scores: each is a block of its own, so that only counts are not those of cases."""
    counts, criterion = table(rng), make_criterion(name, STAGED)
    y, score = np.repeat([1, 0], 60), np.tile(counts.score, 2)
    frequency = np.concatenate([counts.n_pos, counts.n_neg]).astype(int)
    cases = rs.Study(y, score, frequency=frequency).cases
    full = case_cutpoints(cases, 0, criterion, ResamplePlan(1000, 1))
    found = staged_cutpoints(counts, criterion, ResamplePlan(1000, 2))
    vertices = np.arange(61)
    shares = [(draws.vertex <= vertices[:, np.newaxis]).mean(axis=1) for draws in (full, found)]
    # Kolmogorov-Smirnov at level 1e-4; ties make it conservative.
    assert np.abs(shares[0] - shares[1]).max() < np.sqrt(-np.log(5e-5) / 1000)
    for one, other in ((full.fpr, found.fpr), (full.tpr, found.tpr)):
        assert other.mean() == pytest.approx(one.mean(), abs=4 * one.std() * np.sqrt(2 / 1000))
    assert np.isin(found.vertex, candidate_vertices(counts, criterion)).all()


def test_rates_are_those_of_the_resample_at_its_vertex(many):
    counts = many.cases.counts(0)
    found = staged_cutpoints(counts, make_criterion("youden", STAGED), ResamplePlan(200, 1))
    tpr = np.append(0, np.cumsum(counts.n_pos))[found.vertex] / counts.total_pos
    fpr = np.append(0, np.cumsum(counts.n_neg))[found.vertex] / counts.total_neg
    for drawn, observed, size in (
        (found.tpr, tpr, counts.total_pos),
        (found.fpr, fpr, counts.total_neg),
    ):
        sd = np.sqrt(observed * (1 - observed) / size)
        assert np.std((drawn - observed) / sd) == pytest.approx(1, abs=0.3)
    # Chosen because it looks best there.
    assert np.mean((found.tpr - found.fpr) - (tpr - fpr)) > 0


def test_many_scores_without_clusters_are_drawn_by_blocks(many):
    youden, plan = make_criterion("youden", STAGED), ResamplePlan(3, 1)
    assert draw_cutpoints(many.cases, 0, youden, plan).codes == ("blocked-resamples",)
    y, score = many.is_positive, many.scores[0]
    clustered = rs.Study(y, score, cluster=np.arange(len(y)) // 2)
    few = rs.Study(y[:16_384], score[:16_384])
    for study in (clustered, few):
        drawn = draw_cutpoints(study.cases, 0, youden, plan)
        assert drawn.codes == ()
        np.testing.assert_array_equal(
            drawn.vertex, case_cutpoints(study.cases, 0, youden, plan).vertex
        )


def test_staged_draws_are_of_the_seed_alone_and_go_on_as_resamples_are_added(many):
    counts, youden = many.cases.counts(0), make_criterion("youden", STAGED)
    few, more = (staged_cutpoints(counts, youden, ResamplePlan(b, 5)) for b in (40, 100))
    np.testing.assert_array_equal(few.vertex, more.vertex[:40])
    np.testing.assert_array_equal(few.tpr, more.tpr[:40])
    other = staged_cutpoints(counts, youden, ResamplePlan(40, 6))
    assert (other.vertex != few.vertex).any()


def test_a_function_may_forbid_points_and_be_steep(many):
    """Infinite merits, and one that falls by 10^6 of what rates do, are chosen as by cases."""

    def steep(tpr, fpr):
        return np.where(fpr <= 0.2, 1e6 * (tpr - fpr), -np.inf)

    counts = many.cases.counts(0)
    criterion = make_criterion(steep, STAGED)
    found = staged_cutpoints(counts, criterion, ResamplePlan(300, 1))
    full = case_cutpoints(many.cases, 0, criterion, ResamplePlan(100, 2))
    assert np.all(found.fpr <= 0.2)
    scores = [counts.score[draws.vertex - 1] for draws in (found, full)]
    se = np.hypot(scores[0].std() / np.sqrt(300), scores[1].std() / 10)
    assert scores[0].mean() == pytest.approx(scores[1].mean(), abs=4 * se)


def test_nobody_positive_stays_a_choice():
    """Scores without a signal: in some resamples no threshold is worth its cost."""
    rng = np.random.default_rng(4)
    y = rng.random(17_000) < 0.5
    counts = rs.Study(y, rng.normal(size=len(y))).cases.counts(0)
    costly = CutpointRequest(cost_fp=50, cost_fn=1, prevalence=0.1)
    found = staged_cutpoints(counts, make_criterion("cost", costly), ResamplePlan(200, 1))
    assert (found.vertex == 0).any()
    assert np.all(found.tpr[found.vertex == 0] == 0)
