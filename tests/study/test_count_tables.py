"""The table of counts by score of a predictor: by order, and by sorted keys of large samples.

Designs of all kinds are in tests/validation.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.areas import FULL_RANGE
from rocstats.estimate.influence import area_covariance, fold_influence, small_sample_factor
from rocstats.study.count_tables import (
    LEAST_CASES,
    MOST_CASES,
    LabelledScores,
    blocks_of_sort_keys,
    count_scores_of,
    count_whole_numbers,
    sorted_key_rows,
)
from tests.strategies import samples


@given(samples(), st.booleans())
def test_order_puts_values_of_the_table_beside_their_rows(data, higher):
    y, (score,) = data
    study = rs.Study(y, score, higher_is_positive=higher)
    order = study.cases.order(0)
    assert sorted(order.rows.tolist()) == list(range(len(y)))
    assert order.by_row(study.cases.counts(0).score).tolist() == score[order.rows].tolist()


@pytest.mark.parametrize("higher", [True, False])
def test_order_codes_and_counts_of_one_predictor_agree_with_counting(rng, higher):
    y, score = np.tile([1, 0], 20), np.round(rng.normal(size=40) * 3)
    distinct = sorted(set(score.tolist()), reverse=higher)
    positives = [sum(1 for c, s in zip(y, score, strict=True) if c and s == at) for at in distinct]
    negatives = [score.tolist().count(at) - n for at, n in zip(distinct, positives, strict=True)]
    place = [distinct.index(s) for s in score.tolist()]
    # Codes come with a table, and so does the order: each is asked of a fresh study first.
    for first in ("codes", "order", "counts"):
        cases = rs.Study(y, score, higher_is_positive=higher).cases
        getattr(cases, first)(0)
        counts, order = cases.counts(0), cases.order(0)
        assert counts.score.tolist() == distinct
        assert counts.n_pos.tolist() == positives
        assert counts.n_neg.tolist() == negatives
        assert cases.codes(0).tolist() == place
        assert score[order.rows].tolist() == sorted(score.tolist())
        at_row = order.by_row(np.arange(len(distinct), dtype=float))
        assert at_row.tolist() == [place[row] for row in order.rows]


# --- Large samples, whose scores are sorted as keys -----------------------------------------------

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
