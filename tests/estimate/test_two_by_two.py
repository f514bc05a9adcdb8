from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.two_by_two import (
    TwoByTwoTable,
    newcombe_rate_difference_limits,
    pooled_z,
    two_by_two_p_value,
)

PRINTED = TwoByTwoTable(tp=14, fp=8, n_pos=20, n_neg=30)
Z = 1.959963984540054


@st.composite
def tables(draw):
    m, n = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    return TwoByTwoTable(draw(st.integers(0, m)), draw(st.integers(0, n)), m, n)


def enumerated(table, alternative):
    """Fisher's p value and the probability of the table, in fractions."""
    m, n, called = int(table.n_pos), int(table.n_neg), int(table.tp + table.fp)
    mass = {
        tp: Fraction(comb(m, tp) * comb(n, called - tp), comb(m + n, called))
        for tp in range(max(0, called - n), min(called, m) + 1)
    }
    here = mass[int(table.tp)]
    chosen = {
        "greater": [p for tp, p in mass.items() if tp >= table.tp],
        "less": [p for tp, p in mass.items() if tp <= table.tp],
        "two-sided": [p for p in mass.values() if p <= here],
    }
    return sum(chosen[alternative]), here


# docs/methods/chance.md, "Worked point"
@pytest.mark.parametrize(
    ("method", "alternative", "expected", "digits"),
    [
        ("fisher", "greater", 0.0029461132, 10),
        ("fisher", "two-sided", 0.0037154181, 10),
        ("mid-p", "greater", 0.0016680296, 10),
        ("boschloo", "greater", 0.0014736, 7),
    ],
)
def test_printed_p_values(method, alternative, expected, digits):
    found = two_by_two_p_value(PRINTED, method, alternative)
    assert found == pytest.approx(expected, abs=0.5 * 10.0**-digits)


def test_printed_limits():
    assert pooled_z(PRINTED) == pytest.approx(3.0240737, abs=5e-8)
    tpr = [wilson_limit_of_proportion(14, 20, q) for q in (-Z, Z)]
    fpr = [wilson_limit_of_proportion(8, 30, q) for q in (-Z, Z)]
    assert tpr == pytest.approx([0.4810272, 0.8545228], abs=5e-8)
    assert fpr == pytest.approx([0.1418266, 0.4444796], abs=5e-8)
    low, high = newcombe_rate_difference_limits(PRINTED, 0.95, "two-sided")
    assert PRINTED.tpr - PRINTED.fpr == pytest.approx(0.4333333, abs=5e-8)
    assert (low, high) == pytest.approx((0.1512579, 0.6319846), abs=5e-8)


@given(tables(), st.sampled_from(["two-sided", "greater", "less"]))
def test_fisher_and_mid_p_are_sums_of_fractions(table, alternative):
    expected, here = enumerated(table, alternative)
    assert two_by_two_p_value(table, "fisher", alternative) == pytest.approx(
        float(expected), rel=1e-9
    )
    mid = float(expected - here / 2)
    assert two_by_two_p_value(table, "mid-p", alternative) == pytest.approx(mid, rel=1e-9)


@pytest.mark.parametrize(
    "table",
    [TwoByTwoTable(3, 1, 4, 5), TwoByTwoTable(5, 0, 6, 3), TwoByTwoTable(2, 2, 7, 4)],
    ids=str,
)
def test_boschloo_is_the_largest_probability_over_the_common_rate(table):
    m, n = int(table.n_pos), int(table.n_neg)
    fisher = {
        (a, b): enumerated(TwoByTwoTable(a, b, m, n), "greater")[0]
        for a in range(m + 1)
        for b in range(n + 1)
    }
    as_small = [cell for cell, p in fisher.items() if p <= fisher[int(table.tp), int(table.fp)]]
    rate = np.linspace(0, 1, 2001)
    total = sum(
        comb(m, a) * comb(n, b) * rate ** (a + b) * (1 - rate) ** (m + n - a - b)
        for a, b in as_small
    )
    found = two_by_two_p_value(table, "boschloo", "greater")
    assert found == pytest.approx(float(np.max(total)), abs=2e-4)
    both = two_by_two_p_value(table, "boschloo", "two-sided")
    less = two_by_two_p_value(table, "boschloo", "less")
    assert both == pytest.approx(min(1.0, 2 * min(found, less)), abs=1e-6)


# scipy.stats.boschloo_exact, which takes 8 seconds for the 1400 cases
@pytest.mark.parametrize(
    ("table", "alternative", "expected"),
    [
        (TwoByTwoTable(350, 233, 700, 700), "two-sided", 2.1672916899694345e-10),
        (TwoByTwoTable(19, 2, 20, 14), "less", 0.9999803850283826),
    ],
)
def test_boschloo_is_that_of_scipy(table, alternative, expected):
    assert two_by_two_p_value(table, "boschloo", alternative) == pytest.approx(expected, rel=1e-8)


@given(tables(), st.sampled_from([0.8, 0.95, 0.99]))
def test_limits_hold_the_estimate_and_have_a_width(table, level):
    low, high = newcombe_rate_difference_limits(table, level, "two-sided")
    assert -1 <= low <= table.tpr - table.fpr <= high <= 1
    assert low < high
    # one-sided at the level that leaves the same tail
    for side, expected in (("greater", (low, 1.0)), ("less", (-1.0, high))):
        found = newcombe_rate_difference_limits(table, (1 + level) / 2, side)
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("method", ["fisher", "mid-p", "boschloo"])
@pytest.mark.parametrize("table", [TwoByTwoTable(0, 0, 4, 5), TwoByTwoTable(4, 5, 4, 5)], ids=str)
def test_calling_all_cases_alike_says_nothing(method, table):
    expected = 0.5 if method == "mid-p" else 1.0
    for alternative in ("two-sided", "greater", "less"):
        assert two_by_two_p_value(table, method, alternative) == expected
    assert pooled_z(table) == 0


@given(tables(), st.sampled_from(["two-sided", "greater", "less"]))
def test_fisher_is_that_of_scipy(table, alternative):
    cells = [[table.tp, table.fp], [table.n_pos - table.tp, table.n_neg - table.fp]]
    expected = fisher_exact(cells, alternative=alternative).pvalue
    assert two_by_two_p_value(table, "fisher", alternative) == pytest.approx(expected, rel=1e-9)
