from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.rank_sum import (
    continuity_corrected_z,
    mann_whitney_null_variance,
    rank_sum_deviation_of_area,
    rank_sum_distribution,
    subset_sums,
    untied_counts,
)
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


def enumerated_areas(score, m):
    """The area under every choice of m positives, in fractions."""
    score = list(score)
    areas = []
    for chosen in combinations(range(len(score)), m):
        x = [score[i] for i in chosen]
        y = [s for i, s in enumerate(score) if i not in chosen]
        wins = sum(2 * (a > b) + (a == b) for a in x for b in y)
        areas.append(Fraction(wins, 2 * len(x) * len(y)))
    return areas


def enumerated_p(score, y, alternative, mid=False):
    m = int(np.sum(y))
    half = Fraction(1, 2)
    observed = [score[i] for i in np.flatnonzero(y)], [score[i] for i in np.flatnonzero(1 - y)]
    wins = sum(2 * (a > b) + (a == b) for a in observed[0] for b in observed[1])
    reached = Fraction(int(wins), 2 * m * (len(y) - m)) - half
    distances = [area - half for area in enumerated_areas(score, m)]
    change = {"two-sided": abs, "greater": lambda d: d, "less": lambda d: -d}[alternative]
    beyond = sum(change(d) > change(reached) for d in distances)
    equal = sum(change(d) == change(reached) for d in distances)
    share = Fraction(equal, 2) if mid else Fraction(equal)
    return float((beyond + share) / len(distances))


def counts_of(y, score):
    return rs.Study(y, score).cases.counts(0)


def found_p(y, score, alternative, mid=False):
    counts = counts_of(y, score)
    deviation = rank_sum_deviation_of_area(
        oracles.auc(y, score), counts.total_pos, counts.total_neg
    )
    return rank_sum_distribution(counts).p_value(deviation, alternative, mid=mid)


@given(samples(least=1, most=6), st.sampled_from(["two-sided", "greater", "less"]), st.booleans())
def test_exact_p_values_are_those_of_full_enumeration(data, alternative, mid):
    y, (score,) = data
    found = found_p(y, score, alternative, mid)
    assert found == pytest.approx(enumerated_p(score, y, alternative, mid), rel=1e-12)


# docs/methods/chance.md, "Worked rank sum"
def test_printed_p_values_of_d1():
    y, score = examples.Y, examples.D1
    assert comb(18, 8) == 43758
    assert found_p(y, score, "greater") == pytest.approx(0.0038392980, abs=5e-11)
    assert found_p(y, score, "two-sided") == pytest.approx(0.0073586544, abs=5e-11)
    assert found_p(y, score, "greater", mid=True) == pytest.approx(0.0034850770, abs=5e-11)


def test_printed_null_variance_of_d1():
    variance = mann_whitney_null_variance(counts_of(examples.Y, examples.D1))
    assert variance == pytest.approx(0.0196282680, abs=5e-11)
    assert mann_whitney_null_variance(untied_counts(8, 10)) == pytest.approx(
        0.0197916667, abs=5e-11
    )
    z = continuity_corrected_z(0.8625 - 0.5, variance, 0.0, "two-sided")
    # .3625 / sqrt((19 - 48/306)/960) = 2.58742054124; first printed with a last digit of 3
    assert z == pytest.approx(2.58742054124, abs=5e-12)


@given(samples(least=1, most=6))
def test_the_null_variance_is_that_of_all_choices(data):
    y, (score,) = data
    areas = np.array(enumerated_areas(score, int(y.sum())), dtype=float)
    assert mann_whitney_null_variance(counts_of(y, score)) == pytest.approx(areas.var(), abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 7), (12, 5), (15, 20)])
def test_untied_p_values_are_those_of_scipy(m, n, alternative, rng):
    from scipy.stats import mannwhitneyu

    score, y = rng.permutation(m + n).astype(float), np.repeat([1, 0], [m, n])
    expected = mannwhitneyu(score[:m], score[m:], alternative=alternative, method="exact").pvalue
    assert found_p(y, score, alternative) == pytest.approx(expected, rel=1e-10)


def test_counts_stay_exact_where_they_are_huge():
    law = rank_sum_distribution(untied_counts(100, 100))
    # exactly one of C(200, 100) choices ranks all positives on top
    assert law.probability[-1] == pytest.approx(float(Fraction(1, comb(200, 100))), rel=1e-12)
    assert law.probability.sum() == pytest.approx(1, abs=1e-12)
    assert law.deviation[-1] == 100 * 100
    assert law.upper_tails()[-1] == law.probability[-1]
    np.testing.assert_allclose(law.probability, law.probability[::-1], rtol=1e-12)


def test_subset_sums_of_equal_values():
    sums, ways = subset_sums(np.array([4, 4, 4, 4]), 2)
    assert (sums.tolist(), ways.tolist()) == ([8], [6.0])
    sums, ways = subset_sums(np.array([3, 5, 5, 9]), 2)
    by_hand = {8: 2, 10: 1, 12: 1, 14: 2}
    assert {int(s): int(w) for s, w in zip(sums, ways, strict=True) if w} == by_hand


def test_all_scores_equal_say_nothing():
    counts = counts_of([1, 1, 0, 0, 0], np.ones(5))
    assert mann_whitney_null_variance(counts) == 0
    assert rank_sum_distribution(counts).p_value(0.0, "two-sided") == 1
    assert continuity_corrected_z(0.0, 0.0, 0.1, "greater") == 0


def test_the_continuity_correction_moves_towards_the_null_value():
    assert continuity_corrected_z(0.2, 0.01, 0.05, "two-sided") == pytest.approx(1.5)
    assert continuity_corrected_z(-0.2, 0.01, 0.05, "two-sided") == pytest.approx(-1.5)
    assert continuity_corrected_z(0.02, 0.01, 0.05, "two-sided") == 0
    assert continuity_corrected_z(-0.2, 0.01, 0.05, "less") == pytest.approx(-1.5)
    assert continuity_corrected_z(-0.2, 0.01, 0.05, "greater") == pytest.approx(-2.5)
