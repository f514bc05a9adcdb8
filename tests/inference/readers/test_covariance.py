from __future__ import annotations

import tracemalloc
from time import process_time
from typing import get_args

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.areas import AreaRange
from rocstats.estimate import readers as anova
from rocstats.estimate.influence import area_covariance
from rocstats.estimate.reader_covariance import (
    COVARIANCES,
    Covariance,
    reader_influence,
    reader_table,
)
from rocstats.study.cases import Reads
from tests.inference.readers.worked import areas, random_study, refitted_jackknife

RANGES = (AreaRange("fpr", 0.0, 0.35), AreaRange("tpr", 0.4, 1.0))


def as_study(reads: Reads, **roles) -> rs.Study:
    """Return a study whose predictors are the curves of fully crossed reads."""
    t, r, m = reads.pos.shape
    scores = np.concatenate([reads.pos, reads.neg], axis=2).reshape(t * r, -1)
    return rs.Study(np.arange(scores.shape[1]) < m, scores.T, **roles)


def test_the_words_of_the_type_are_those_of_the_records():
    assert get_args(Covariance) == tuple(record.word for record in COVARIANCES)


@pytest.mark.parametrize("clusters", [0, 6])
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_the_jackknife_in_closed_form_is_that_by_refitting(rng, missing, clusters):
    reads = random_study(rng, m=12, n=14, missing=missing, clusters=clusters)
    table = reader_table(reads, "jackknife")
    assert table.theta == pytest.approx(areas(reads), abs=1e-15)
    assert table.sigma == pytest.approx(refitted_jackknife(reads), abs=1e-15)


@pytest.mark.parametrize("clusters", [0, 6])
@pytest.mark.parametrize("over", RANGES)
def test_the_jackknife_of_partial_areas_leaves_out_each_unit(rng, over, clusters):
    reads = random_study(rng, t=1, r=2, m=8, n=9, clusters=clusters)
    ends = {f"{over.axis}_range": (over.low, over.high)}

    def mean_rate(x, y):
        frame = rs.Study(np.repeat([1, 0], [len(x), len(y)]), np.append(x, y)).auc(**ends)
        partial = frame.set_index("quantity")["estimate"]["partial_auc"]
        return partial / over.width

    table = reader_table(reads, "jackknife", over)
    assert table.theta == pytest.approx(areas(reads, mean_rate), abs=1e-14)
    assert table.sigma == pytest.approx(refitted_jackknife(reads, mean_rate), abs=1e-14)


@pytest.mark.parametrize("over", [AreaRange(), *RANGES])
def test_delong_is_that_of_a_study_with_a_predictor_for_each_curve(rng, over):
    reads = random_study(rng)
    expected = area_covariance(as_study(reads).cases, range(6), over=over)
    table = reader_table(reads, "delong", over)
    assert table.theta.ravel() == pytest.approx(expected.area / over.width, abs=1e-14)
    assert table.sigma == pytest.approx(expected.covariance / over.width**2, abs=1e-15)


@pytest.mark.parametrize("over", [AreaRange(), *RANGES])
def test_clusters_are_summed_as_in_a_study_with_clusters(rng, over):
    reads = random_study(rng, m=12, n=14, clusters=7)
    cluster = np.concatenate([reads.pos_cluster, reads.neg_cluster])
    expected = area_covariance(as_study(reads, cluster=cluster).cases, range(6), over=over)
    found = reader_table(reads, "delong", over).sigma
    assert found == pytest.approx(expected.covariance / over.width**2, abs=1e-15)


# docs/methods/areas.md, "Worked clusters": 20 clusters, two predictors; the jackknife
# by refitting, rounded to 8 digits
def test_printed_jackknife_of_clusters():
    rows = np.array([(i, j) for i in range(1, 21) for j in range(1, 2 + i % 3)])
    i, j = rows.T
    positive = (7 * i + 3 * j) % 5 < 2
    scores = np.stack(
        [
            ((37 * i + 17 * j) % 29) / 10 + 0.9 * positive,
            ((23 * i + 11 * j) % 31) / 10 + 0.5 * positive,
        ]
    ).round(6)[:, np.newaxis]
    reads = Reads(scores[..., positive], scores[..., ~positive], i[positive], i[~positive])
    expected = np.array([[0.00471196, -0.00163626], [-0.00163626, 0.01145927]])
    assert reader_table(reads, "jackknife").sigma == pytest.approx(expected, abs=5e-9)
    expected = np.array(
        [[0.00462571120226, -0.00166158549129], [-0.00166158549129, 0.01112863610742]]
    )
    assert reader_table(reads, "delong").sigma == pytest.approx(expected, abs=5e-15)


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize("covariance", ["jackknife", "delong"])
def test_clusters_of_one_case_are_no_clusters(rng, covariance, missing):
    reads = random_study(rng, m=12, n=14, missing=missing)
    single = reads._replace(pos_cluster=np.arange(12), neg_cluster=12 + rng.permutation(14))
    expected = reader_table(reads, covariance).sigma
    assert reader_table(single, covariance).sigma == pytest.approx(expected, abs=1e-15)


def test_curves_share_the_cases_that_both_readers_read(rng):
    reads = random_study(rng, t=1, r=2, m=20, n=20)
    # Zhou & Gatsonis 1996: readers of different cases have no covariance.
    reads.pos[0, 0, :10] = reads.neg[0, 0, :10] = np.nan
    reads.pos[0, 1, 10:] = reads.neg[0, 1, 10:] = np.nan
    for covariance in get_args(Covariance):
        sigma = reader_table(reads, covariance).sigma
        assert sigma[0, 1] == pytest.approx(0, abs=1e-17)
        assert np.diag(sigma).min() > 0


def test_a_curve_without_a_class_has_neither_area_nor_covariance(rng):
    reads = random_study(rng)
    reads.pos[1, 2] = np.nan
    for covariance in get_args(Covariance):
        table = reader_table(reads, covariance)
        assert np.isnan(table.theta).sum() == 1
        assert np.isnan(table.theta[1, 2])
        unknown = np.isnan(table.sigma)
        assert unknown[5].all()
        assert unknown[:, 5].all()
        assert not unknown[:5, :5].any()


def test_with_one_positive_there_is_an_area_without_variance(rng):
    reads = random_study(rng, m=1)
    for covariance in ("jackknife", "delong", "unbiased"):
        table = reader_table(reads, covariance)
        assert np.isfinite(table.theta).all()
        assert np.isnan(table.sigma).all()


def test_perfect_readers_have_the_area_1_and_no_variance():
    reads = Reads(np.full((2, 3, 7), np.inf), np.full((2, 3, 9), -np.inf))
    for covariance in get_args(Covariance):
        table = reader_table(reads, covariance)
        assert (table.theta == 1).all()
        assert table.sigma == pytest.approx(0, abs=1e-17)


def test_a_rate_has_one_sample_of_cases(rng):
    # Right calls are rated 2 and wrong ones 0, beside two marks rated 1: the area is the rate.
    right = rng.random((2, 3, 15)) < 0.8
    reads = Reads(2.0 * right, np.ones((2, 3, 2)))
    expected = np.cov(right.reshape(6, 15).astype(float)) / 15
    for covariance in ("jackknife", "delong"):
        table = reader_table(reads, covariance)
        assert table.theta == pytest.approx(right.mean(axis=2), abs=1e-15)
        assert table.sigma == pytest.approx(expected, abs=1e-16)
    marked = reads._replace(pos_cluster=np.arange(15), neg_cluster=np.array([15, 16]))
    for covariance in ("jackknife", "delong"):
        assert reader_table(marked, covariance).sigma == pytest.approx(expected, abs=1e-16)


@pytest.mark.parametrize("covariance", ["jackknife", "delong"])
def test_nothing_hangs_on_the_order_of_cases_or_the_scale_of_a_reader(rng, covariance):
    reads = random_study(rng, missing=0.1, m=20, n=20)
    pos, neg = rng.permutation(20), rng.permutation(20)
    scale = np.array([1.0, 3.0, 0.1])[:, np.newaxis]
    other = Reads(np.exp(scale * reads.pos[..., pos]), np.exp(scale * reads.neg[..., neg]))
    first, second = (reader_table(each, covariance) for each in (reads, other))
    assert (first.theta == second.theta).all()
    assert first.sigma == pytest.approx(second.sigma, abs=1e-17)


def test_influence_values_of_a_class_sum_to_0_and_are_0_where_not_read(rng):
    reads = random_study(rng, missing=0.2, m=30, n=30)
    influence = reader_influence(reads)
    for values, ratings in ((influence.pos, reads.pos), (influence.neg, reads.neg)):
        assert values.sum(axis=1) == pytest.approx(0, abs=1e-16)
        assert (values[np.isnan(ratings.reshape(6, -1))] == 0).all()


def test_five_thousand_cases_of_a_class_need_no_matrix_of_pairs(rng):
    reads = Reads(rng.normal(size=(2, 5, 5000)) + 1, rng.normal(size=(2, 5, 5000)))
    start = process_time()
    tracemalloc.start()
    for covariance in ("jackknife", "delong"):
        anova.modality_difference(reader_table(reads, covariance), 0, 1, "random", "random")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # One matrix of pairs has 200 MB.
    assert peak < 20e6
    assert process_time() - start < 3
