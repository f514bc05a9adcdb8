"""Large samples, whose scores are sorted as keys. Designs of all kinds are in tests/validation."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE
from rocstats.estimate.influence import area_covariance, fold_influence, small_sample_factor
from rocstats.study.clusters import clusters_span_folds
from rocstats.study.count_tables import (
    LEAST_CASES,
    MOST_CASES,
    LabelledScores,
    blocks_of_sort_keys,
    count_scores_of,
    count_whole_numbers,
    sorted_key_rows,
)

DECIMALS = {"continuous": 16, "short ties": 4, "few scores": 2, "whole numbers": 0}


def large(decimals=16, n=LEAST_CASES):
    rng = np.random.default_rng(20040316)
    y = rng.random(n) < 0.3
    return y, np.round(3 * rng.normal(size=n) + 2 * y, decimals)


@pytest.mark.parametrize("decimals", DECIMALS.values(), ids=DECIMALS)
@pytest.mark.parametrize("higher", [True, False])
def test_a_large_sample_has_the_count_table_of_its_order(decimals, higher):
    y, score = large(decimals)
    expected = count_scores_of(LabelledScores(score, y, None, higher))
    study = rs.Study(y, score, higher_is_positive=higher)
    study.auc()
    for found, known in zip(study.cases.counts(0), expected, strict=True):
        assert np.array_equal(found, known)


@pytest.mark.parametrize("decimals", DECIMALS.values(), ids=DECIMALS)
@pytest.mark.parametrize("higher", [True, False])
def test_a_large_area_and_its_variance_are_those_of_its_placements(decimals, higher):
    y, score = large(decimals)
    cases = rs.Study(y, score, higher_is_positive=higher).cases
    found, known = area_covariance(cases, [0]), fold_influence(cases, [0], FULL_RANGE)
    sides = (known.pos, known.neg)
    parts = [float(side.products()[0, 0]) * small_sample_factor(side.size) for side in sides]
    assert found.area[0] == pytest.approx(known.area[0], rel=1e-13)
    assert found.parts[:, 0, 0] == pytest.approx(parts, rel=1e-11)
    assert found.unclustered[:, 0] == pytest.approx(parts, rel=1e-11)
    assert found.covariance[0, 0] == pytest.approx(sum(parts), rel=1e-11)
    assert found.part_df.tolist() == [y.sum() - 1, len(y) - y.sum() - 1]


@pytest.mark.parametrize("decimals", DECIMALS.values(), ids=DECIMALS)
def test_an_answer_does_not_depend_on_the_questions_before(decimals):
    y, score = large(decimals)
    first = rs.Study(y, score).auc()
    for before in ("codes", "order", "counts"):
        study = rs.Study(y, score)
        getattr(study.cases, before)(0)
        assert study.auc().equals(first)


@pytest.mark.parametrize("roles", ["frequency", "sample_weight"])
def test_weighted_cases_have_no_keys(roles):
    y, score = large()
    assert rs.Study(y, score).cases.keys(0) is not None
    assert rs.Study(y, score, **{roles: np.ones(len(y))}).cases.keys(0) is None


def test_fewer_cases_and_infinite_scores_are_ordered():
    y, score = large()
    assert rs.Study(y[1:], score[1:]).cases.keys(0) is None
    score[:3] = -np.inf, np.inf, np.inf
    cases = rs.Study(y, score).cases
    assert cases.keys(0) is None
    assert cases.counts(0).score[[0, -1]].tolist() == [np.inf, -np.inf]
    assert cases.counts(0).n_pos[0] + cases.counts(0).n_neg[0] == 2


def test_a_large_group_without_a_class_has_no_area():
    y, score = large(n=2 * LEAST_CASES)
    group = np.where(np.arange(len(y)) < LEAST_CASES, "mixed", "negative")
    with pytest.warns(rs.StatisticalWarning, match="class"):
        rows = rs.Study(y & (group == "mixed"), score, group=group).auc()
    assert rows["estimate"].isna().tolist() == [False, True]


@pytest.mark.parametrize("kind", [-1.0, 1.0])
def test_large_classes_without_overlap_have_areas_of_one_and_zero(kind):
    y, score = large()
    row = rs.Study(y, kind * np.where(y, np.abs(score) + 1, -np.abs(score))).auc().iloc[0]
    assert row["estimate"] == (1 + kind) / 2
    assert row["se"] == 0
    assert row["ci_low"] < row["ci_high"]


def test_sums_of_squares_over_a_block_fit_into_64_bits():
    for n in (1, LEAST_CASES, 2**24, MOST_CASES):
        sizes = [
            at.stop - at.start for at in (blocks_of_sort_keys(n)[0], blocks_of_sort_keys(n)[-1])
        ]
        assert max(sizes) * n**2 < 2**63
        assert min(sizes) > 0


@pytest.mark.parametrize("largest", [1.5, 1e300, np.inf])
@pytest.mark.parametrize("second", [0.0, 2e-300])
def test_rows_of_keys_keep_scores_apart_that_a_power_of_two_would_not(second, largest):
    score = np.array([3e-300, second, largest, 1e-300, -2e-300])
    ((_, keys),) = sorted_key_rows(score[np.newaxis], np.array([True, False, True, False, True]))
    # In the order of the scores, the positives are the first, the fourth and the last.
    assert (keys[0] & 1).tolist() == [1, 0, 0, 1, 1]
    assert len(np.unique(keys[0] >> 1)) == 5


def test_whole_steps_whose_range_rounds_below_a_whole_number_are_counted():
    # 2.01 - 0.01 is 2 less its last digit.
    score, y = np.tile([0.01, 1.01, 2.01], 20), np.arange(60) % 4 == 0
    assert score.max() - score.min() < 2
    column = LabelledScores(score, y, None, True)
    for found, known in zip(count_whole_numbers(column), count_scores_of(column), strict=True):
        assert np.array_equal(found, known)


def test_clusters_inside_folds_do_not_span_them():
    fold = [1, 1, 1, 1, 2, 2, 2, 2]
    for cluster, spans in ([1, 1, 2, 2, 3, 3, 4, 4], False), ([1, 1, 2, 2, 2, 3, 4, 4], True):
        study = rs.Study([1, 0] * 4, np.arange(8.0), fold=fold, cluster=cluster)
        assert clusters_span_folds(study.cases) is spans
