"""Cutpoints in two stages of blocks: against resampled cases, and where they may be chosen."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.criteria import CRITERIA, CutpointRequest, candidate_vertices, make_criterion
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.cutpoints.rule import case_cutpoints, draw_cutpoints, staged_cutpoints
from rocstats.study.count_tables import ScoreCounts

ASKED = CutpointRequest(cost_fp=1, cost_fn=2, prevalence=0.4, rate=0.3)


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
    counts, criterion = table(rng), make_criterion(name, ASKED)
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
    found = staged_cutpoints(counts, make_criterion("youden", ASKED), ResamplePlan(200, 1))
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
    youden, plan = make_criterion("youden", ASKED), ResamplePlan(3, 1)
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


def test_draws_are_of_the_seed_alone_and_go_on_as_resamples_are_added(many):
    counts, youden = many.cases.counts(0), make_criterion("youden", ASKED)
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
    criterion = make_criterion(steep, ASKED)
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
