from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import norm

import rocstats as rs
from rocstats.estimate.paired_tables import (
    PAIRED_TESTS,
    PairedTable,
    mcnemar_p_value,
    newcombe_limit,
    newcombe_phi_of_paired_table,
    tang_limit,
    tango_limit,
    tango_statistic,
)

Z = 1.959963984540054
A = PairedTable(both=1, first=1, second=7, neither=12)
DISEASED = PairedTable(both=319, first=78, second=22, neither=32)
HEALTHY = PairedTable(both=155, first=22, second=53, neither=31)  # those called negative

counts = st.integers(0, 12)


@st.composite
def tables(draw):
    cells = [draw(counts) for _ in range(4)]
    return PairedTable(*map(float, cells if any(cells) else [1, 0, 0, 0]))


def limits(table, limit, z=Z):
    return limit(table, -z), limit(table, z)


# docs/methods/paired-tables.md, "Worked example A" (the limits as printed by Fagerland 2014)
def test_printed_example_a():
    assert A.difference == pytest.approx(-0.2857142857, abs=5e-11)
    assert limits(A, tango_limit) == pytest.approx((-0.517232276, -0.026003032), abs=5e-10)
    assert limits(A, newcombe_limit) == pytest.approx((-0.506920227, -0.025559124), abs=5e-10)
    assert tango_statistic(A, 0) ** 2 == pytest.approx(4.5, abs=1e-12)
    found = [mcnemar_p_value(A, test, "two-sided") for test in PAIRED_TESTS]
    assert found == pytest.approx([0.0390625, 0.0703125, 0.0338948535], abs=5e-11)


# docs/methods/paired-tables.md, "Worked example B"
def test_printed_example_b():
    assert DISEASED.share_first == pytest.approx(0.8802660754, abs=5e-11)
    assert DISEASED.share_second == pytest.approx(0.7560975610, abs=5e-11)
    assert DISEASED.difference == pytest.approx(0.1241685144, abs=5e-11)
    assert limits(DISEASED, tango_limit) == pytest.approx((0.0827495694, 0.1673204489), abs=5e-11)
    newcombe = limits(DISEASED, newcombe_limit)
    assert newcombe == pytest.approx((0.0820281239, 0.1666491508), abs=5e-11)
    wald = DISEASED.difference - Z * DISEASED.se, DISEASED.difference + Z * DISEASED.se
    assert wald == pytest.approx((0.0822484716, 0.1660885572), abs=5e-11)
    assert tango_statistic(DISEASED, 0) ** 2 == pytest.approx(31.36, abs=1e-10)
    p = [mcnemar_p_value(DISEASED, test, "two-sided") for test in ("asymptotic", "mid-p")]
    assert p == pytest.approx([2.143518e-08, 1.012135e-08], abs=5e-15)
    assert HEALTHY.share_first == pytest.approx(0.6781609195, abs=5e-11)
    assert HEALTHY.share_second == pytest.approx(0.7969348659, abs=5e-11)
    assert HEALTHY.difference == pytest.approx(-0.1187739464, abs=5e-11)
    # First printed as -0.0551412433, cut off and not rounded; bisection in 40 digits gives
    # -0.05514124335194.
    assert limits(HEALTHY, tango_limit) == pytest.approx((-0.1832436023, -0.0551412434), abs=5e-11)
    newcombe = limits(HEALTHY, newcombe_limit)
    assert newcombe == pytest.approx((-0.1820531610, -0.0544943041), abs=5e-11)
    assert tango_statistic(HEALTHY, 0) ** 2 == pytest.approx(12.8133333, abs=5e-8)
    p = mcnemar_p_value(HEALTHY, "asymptotic", "two-sided")
    assert p == pytest.approx(3.44157854e-04, abs=5e-13)


# docs/methods/paired-tables.md, "Worked rates of 60 cases"
def test_printed_discrete_classifiers():
    table = PairedTable(both=30, first=12, second=4, neither=14)
    found = [mcnemar_p_value(table, test, "two-sided") for test in ("exact", "mid-p")]
    assert found == pytest.approx([0.0768127, 0.0490417], abs=5e-8)
    assert tango_statistic(table, 0) ** 2 == pytest.approx(4.0, abs=1e-12)
    assert table.difference == pytest.approx(0.1333333, abs=5e-8)
    assert newcombe_phi_of_paired_table(table) == pytest.approx(0.4183493, abs=5e-8)
    assert limits(table, newcombe_limit) == pytest.approx((0.0023000, 0.2573071), abs=6e-8)


# docs/methods/paired-tables.md, "Limits of paired differences": mid-p and Tango can disagree
def test_printed_disagreement():
    table = PairedTable(both=5, first=4, second=0, neither=6)
    assert mcnemar_p_value(table, "mid-p", "two-sided") == 0.0625
    p = mcnemar_p_value(table, "asymptotic", "two-sided")
    assert p == pytest.approx(0.0455, abs=5e-5)
    assert tango_limit(table, -Z) > 0


@given(tables(), st.sampled_from(["two-sided", "greater", "less"]))
def test_mcnemar_is_a_sum_of_fractions(table, alternative):
    b, n = int(table.first), int(table.first + table.second)
    mass = [Fraction(comb(n, i), 2**n) for i in range(n + 1)]
    sides = {"greater": sum(mass[b:]), "less": sum(mass[: b + 1])}
    sides["two-sided"] = min(Fraction(1), 2 * min(sides.values()))
    exact = mcnemar_p_value(table, "exact", alternative)
    assert exact == pytest.approx(float(sides[alternative]), rel=1e-12)
    halved = {side: p - mass[b] / 2 for side, p in sides.items()}
    halved["two-sided"] = 2 * min(halved["greater"], halved["less"])
    mid = mcnemar_p_value(table, "mid-p", alternative)
    assert mid == pytest.approx(float(halved[alternative]), rel=1e-12)


def score_by_maximum(table, t):
    """Tango's z with the likelihood of (b, c, rest) maximised numerically along d = t."""
    n, b, c = table.size, table.first, table.second

    def minus_log(q):
        cells = ((b, q + t), (c, q), (n - b - c, 1 - 2 * q - t))
        return -sum(count * np.log(max(share, 1e-300)) for count, share in cells if count)

    span = (max(0.0, -t), (1 - t) / 2)
    q = minimize_scalar(minus_log, bounds=span, method="bounded", options={"xatol": 1e-12}).x
    return (b - c - n * t) / sqrt(n * (2 * q + t * (1 - t)))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 20), st.floats(-0.8, 0.8))
def test_the_score_uses_the_restricted_maximum(b, c, rest, t):
    table = PairedTable(float(rest), float(b), float(c), 0.0)
    assert tango_statistic(table, t) == pytest.approx(
        score_by_maximum(table, t), rel=1e-5, abs=1e-6
    )


@given(tables(), st.sampled_from([0.8, 0.95, 0.999]))
def test_tango_limits_are_where_the_score_is_z(table, level):
    z = float(norm.ppf((1 + level) / 2))
    low, high = limits(table, tango_limit, z)
    assert -1 <= low <= table.difference <= high <= 1
    assert low < high
    for limit, sign in ((low, 1), (high, -1)):
        if abs(limit) < 1:
            assert tango_statistic(table, limit) == pytest.approx(sign * z, rel=1e-6)


@given(tables(), st.sampled_from([tango_limit, newcombe_limit]))
def test_swapping_the_classifiers_mirrors_the_limits(table, limit):
    low, high = limits(table, limit)
    mirrored = limits(table.swapped(), limit)
    assert mirrored == pytest.approx((-high, -low), abs=1e-14)
    assert table.swapped().difference == -table.difference
    for test in PAIRED_TESTS:
        mine = mcnemar_p_value(table, test, "greater")
        assert mcnemar_p_value(table.swapped(), test, "less") == mine


@given(tables(), st.sampled_from([tango_limit, newcombe_limit]))
def test_limits_widen_with_the_level(table, limit):
    narrow, wide = limits(table, limit, 1.0), limits(table, limit, 2.5)
    assert wide[0] <= narrow[0] + 1e-12
    assert narrow[1] <= wide[1] + 1e-12


def test_without_discordant_cases():
    for table in (PairedTable(5, 0, 0, 5), PairedTable(10, 0, 0, 0), PairedTable(0, 0, 0, 10)):
        assert [mcnemar_p_value(table, test, "two-sided") for test in PAIRED_TESTS] == [1, 1, 1]
        # n|t| = z sqrt(n|t|(1 - |t|)) solved for t
        reach = Z**2 / (10 + Z**2)
        assert limits(table, tango_limit) == pytest.approx((-reach, reach), rel=1e-10)
        low, high = limits(table, newcombe_limit)
        assert low < 0 < high


def test_all_cases_discordant():
    low, high = limits(PairedTable(0, 10, 0, 0), tango_limit)
    # c = 0: the score z at t solves n(1 - t) = z^2 (1 + t)
    assert (low, high) == (pytest.approx((10 - Z**2) / (10 + Z**2), rel=1e-9), 1.0)
    assert limits(PairedTable(0, 0, 10, 0), tango_limit) == pytest.approx((-1.0, -low), rel=1e-9)


def test_a_margin_of_zero_has_no_correlation():
    table = PairedTable(both=6, first=4, second=0, neither=0)
    assert newcombe_phi_of_paired_table(table) == 0.0
    low, high = limits(table, newcombe_limit)
    assert -1 < low < table.difference < high < 1


def test_negative_association_is_not_corrected():
    table = PairedTable(both=1, first=7, second=6, neither=2)
    assert newcombe_phi_of_paired_table(table) == pytest.approx(
        (2 - 42) / sqrt(8 * 8 * 7 * 9), rel=1e-12
    )


@given(tables(), st.sampled_from([0.0, 1e-200, 1e-12, 1e-7, 1e-3, 30.0]))
def test_tango_limits_exist_at_every_quantile(table, quantile):
    lower, upper = tango_limit(table, -quantile), tango_limit(table, quantile)
    assert -1 <= lower <= table.difference + 1e-15
    assert table.difference - 1e-15 <= upper <= 1
    if quantile <= 1e-7:  # the reach is of order z, or z^2 where nothing is discordant
        assert (lower, upper) == pytest.approx((table.difference, table.difference), abs=1e-6)


@pytest.mark.parametrize("ratio", [1e-12, 1e-5, 1e5, 1e12])
@pytest.mark.parametrize("level", [0.5 + 1e-12, 0.95])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_costs_and_points_answer_at_every_ratio_and_level(ratio, level, alternative):
    # The classifiers differ on the positives only: Tango's limits serve.
    y = np.repeat([1, 0], [30, 40])
    case = np.r_[np.arange(30), np.arange(40)]
    called = {name: case < np.where(y == 1, n, 8) for name, n in (("a", 20), ("b", 13))}
    study = rs.Study(y, {name: calls.astype(float) for name, calls in called.items()})
    asked = {"threshold": 0.5, "alternative": alternative, "confidence_level": level}
    for frame in (
        study.compare_costs(cost_fp=1, cost_fn=ratio, **asked),
        study.compare_operating_points(**asked).query("quantity == 'tpr_difference'"),
    ):
        assert frame["estimate"].between(frame["ci_low"], frame["ci_high"]).all()
        assert frame["p_value"].between(0, 1).all()


# Fagerland, Lydersen & Laake (2014), Table VI
def test_printed_ratio_of_example_a():
    assert A.ratio == 0.25
    assert limits(A, tang_limit) == pytest.approx((0.065, 0.907), abs=5e-4)


def ratio_score(table, ratio):
    """z of x1 - ratio x2, its variance at the numerical maximum of the likelihood under it."""
    a, b, c = table.both, table.first, table.second

    def minus_log(q):
        # Given a call by either, the shares of both, of the first alone and of the second alone.
        p = (1 - (1 + ratio) * q) / ratio
        cells = ((a, p), (b, 1 - p - q), (c, q))
        return -sum(count * np.log(max(share, 1e-300)) for count, share in cells if count)

    # p >= 0 and 1 - p - q = (ratio - 1 + q)/ratio >= 0
    span = (max(0.0, 1 - ratio), 1 / (1 + ratio))
    q = minimize_scalar(minus_log, bounds=span, method="bounded", options={"xatol": 1e-12}).x
    p, called = (1 - (1 + ratio) * q) / ratio, a + b + c
    variance = called * ((1 - p - q) + ratio**2 * q + (1 - ratio) ** 2 * p)
    return (a + b - ratio * (a + c)) / sqrt(variance)


@given(st.integers(1, 15), st.integers(1, 9), st.integers(1, 9))
def test_tang_limits_are_where_the_score_is_z(a, b, c):
    table = PairedTable(float(a), float(b), float(c), 3.0)
    low, high = limits(table, tang_limit)
    assert 0 < low < table.ratio < high
    assert ratio_score(table, low) == pytest.approx(Z, rel=1e-5)
    assert ratio_score(table, high) == pytest.approx(-Z, rel=1e-5)
    # at a ratio of 1 the score is McNemar's
    assert ratio_score(table, 1.0) == pytest.approx(tango_statistic(table, 0.0), abs=1e-5)


@given(tables(), st.sampled_from([0.8, 0.95, 0.999]))
def test_swapping_the_classifiers_inverts_tangs_limits(table, level):
    z = float(norm.ppf((1 + level) / 2))
    if table.both + table.first + table.second == 0:
        assert np.isnan(table.ratio)
        return
    low, high = limits(table, tang_limit, z)
    assert 0 <= low <= table.ratio <= high
    assert low < high
    mirrored = limits(table.swapped(), tang_limit, z)
    with np.errstate(divide="ignore"):
        assert mirrored == pytest.approx((1 / np.float64(high), 1 / np.float64(low)), rel=1e-9)
    # the limits exclude 1 exactly where McNemar's asymptotic test rejects
    excludes = not low <= 1 <= high
    p = mcnemar_p_value(table, "asymptotic", "two-sided")
    assert excludes == (p < 1 - level) or abs(p - (1 - level)) < 1e-9


def test_tang_limits_of_empty_cells():
    same = limits(PairedTable(10, 0, 0, 7), tang_limit)
    # without discordant cases the score z at r > 1 solves a (r - 1) = z^2
    assert same == pytest.approx((10 / (10 + Z**2), 1 + Z**2 / 10), rel=1e-12)
    assert limits(PairedTable(0, 0, 3, 9), tang_limit) == (0.0, pytest.approx(Z**2 / 3))
    assert limits(PairedTable(0, 3, 0, 9), tang_limit) == (pytest.approx(3 / Z**2), np.inf)
    assert PairedTable(0, 3, 0, 9).ratio == np.inf
    assert np.isnan(PairedTable(0, 0, 3, 9).log_ratio_se)
    # the closed form is the limit of the root search: half a discordant case, and less
    for few in (1e-3, 1e-6):
        near = limits(PairedTable(10, few, 0, 7), tang_limit)
        assert near == pytest.approx(same, rel=30 * few**0.5)


# Counts of the Coronary Artery Surgery Study, Pepe (2003), section 3.3: with a thousand cases the
# score limits are near those of the logarithm, exp(log r -+ z sqrt((b + c)/((a + b)(a + c))))
@pytest.mark.parametrize("cells", [(786, 183, 29, 25), (69, 176, 46, 151)])
def test_score_limits_of_many_cases_are_near_those_of_the_logarithm(cells):
    table = PairedTable(*map(float, cells))
    log = table.ratio * np.exp(np.array([-Z, Z]) * table.log_ratio_se)
    assert limits(table, tang_limit) == pytest.approx(tuple(log), rel=5e-3)
    a, b, c, _ = cells
    assert table.log_ratio_se == pytest.approx(sqrt((b + c) / ((a + b) * (a + c))))
