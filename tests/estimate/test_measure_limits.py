"""Limits of ratios and of predictive values: worked numbers, brute force, statsmodels, edges."""

from __future__ import annotations

import warnings
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.special import logit, ndtri
from statsmodels.stats.proportion import confint_proportions_2indep

from rocstats.estimate.estimate import Estimate, log_ratio_result
from rocstats.estimate.measure_limits import (
    RatePairs,
    npv_limits,
    odds_log_limits,
    odds_score_limits,
    ppv_limits,
    ratio_log_limits,
    ratio_score_limits,
)
from rocstats.facts.measures import Cells

Z2 = ndtri(0.975) ** 2


def pairs(x1, n1, x0, n0):
    return RatePairs(*(np.array([float(x)]) for x in (x1, n1, x0, n0)))


POSITIVE, NEGATIVE = pairs(670, 744, 202, 842), pairs(74, 744, 640, 842)


# docs/methods/points.md, "Worked table", checked against epiR, PropCIs and statsmodels. Woolf's
# lower limit is first printed as 21.5181916567: with 40 digits it is 21.518191656635.
@pytest.mark.parametrize(
    ("limits", "table", "low", "high", "half"),
    [
        (ratio_score_limits, POSITIVE, 3.328172079, 4.251414458, 5e-10),
        (ratio_score_limits, NEGATIVE, 0.104879794, 0.162473831, 5e-10),
        (odds_score_limits, POSITIVE, 21.527651974, 38.223120162, 5e-10),
        (ratio_log_limits, POSITIVE, 3.3206884355, 4.2432346488, 5e-11),
        (ratio_log_limits, NEGATIVE, 0.1050643235, 0.1629770809, 5e-11),
        (odds_log_limits, POSITIVE, 21.5181916566, 38.2417364087, 5e-11),
    ],
)
def test_worked_ratios(limits, table, low, high, half):
    found = limits(table, 0.95)
    assert found[0][0] == pytest.approx(low, abs=half)
    assert found[1][0] == pytest.approx(high, abs=half)


def most_likely(x1, n1, x0, n0, p1_of):
    """The likeliest p0 under p1 = p1_of(p0), by a search of the likelihood itself."""

    def loss(p0):
        p1 = p1_of(p0)
        if not (0 < p1 < 1 and 0 < p0 < 1):
            return np.inf
        return -(
            x1 * np.log(p1)
            + (n1 - x1) * np.log1p(-p1)
            + x0 * np.log(p0)
            + (n0 - x0) * np.log1p(-p0)
        )

    top = min(1.0, brentq(lambda p: p1_of(p) - 1, 1e-12, 1e9)) if p1_of(1.0) > 1 + 1e-9 else 1.0
    found = minimize_scalar(loss, bounds=(0, top), method="bounded", options={"xatol": 1e-12})
    return found.x, p1_of(found.x)


def pearson(x1, n1, x0, n0, p0, p1):
    return (x1 - n1 * p1) ** 2 / (n1 * p1 * (1 - p1)) + (x0 - n0 * p0) ** 2 / (n0 * p0 * (1 - p0))


@st.composite
def inner_tables(draw):
    """Two rates of 2 to 40 cases, neither 0 nor 1."""
    n1, n0 = draw(st.integers(2, 40)), draw(st.integers(2, 40))
    return draw(st.integers(1, n1 - 1)), n1, draw(st.integers(1, n0 - 1)), n0


inner = inner_tables()


@given(inner)
def test_at_the_limits_pearsons_chi_square_is_z_squared(table):
    for theta in np.concatenate(ratio_score_limits(pairs(*table), 0.95)):
        p0, p1 = most_likely(*table, p1_of=lambda p, theta=theta: theta * p)
        assert pearson(*table, p0=p0, p1=p1) == pytest.approx(Z2, rel=2e-5)
    for psi in np.concatenate(odds_score_limits(pairs(*table), 0.95)):
        p0, p1 = most_likely(*table, p1_of=lambda p, psi=psi: psi * p / (1 + p * (psi - 1)))
        assert pearson(*table, p0=p0, p1=p1) == pytest.approx(Z2, rel=2e-5)


@given(inner, st.sampled_from([0.8, 0.95, 0.99]))
def test_limits_of_statsmodels(table, level):
    for compare, limits in (("ratio", ratio_score_limits), ("odds-ratio", odds_score_limits)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            try:
                expected = confint_proportions_2indep(
                    *table, compare=compare, method="score", correction=False, alpha=1 - level
                )
            except ValueError:  # its bracket misses a root
                assume(False)
        found = limits(pairs(*table), level)
        assert [found[0][0], found[1][0]] == pytest.approx(list(expected), rel=1e-6)


@given(inner)
def test_exchanged_groups_have_the_reciprocals(table):
    x1, n1, x0, n0 = table
    for limits in (ratio_score_limits, odds_score_limits, ratio_log_limits, odds_log_limits):
        low, high, *_ = limits(pairs(x1, n1, x0, n0), 0.95)
        other_low, other_high, *_ = limits(pairs(x0, n0, x1, n1), 0.95)
        assert low == pytest.approx(1 / other_high, rel=1e-9)
        assert high == pytest.approx(1 / other_low, rel=1e-9)
    low, high = odds_score_limits(pairs(x1, n1, x0, n0), 0.95)
    mirrored = odds_score_limits(pairs(n1 - x1, n1, n0 - x0, n0), 0.95)
    assert low == pytest.approx(1 / mirrored[1], rel=1e-9)


@given(inner)
def test_the_estimate_is_inside_and_the_width_grows_with_the_level(table):
    x1, n1, x0, n0 = table
    ratio, odds = x1 / n1 / (x0 / n0), x1 * (n0 - x0) / ((n1 - x1) * x0)
    for limits, value in ((ratio_score_limits, ratio), (odds_score_limits, odds)):
        (low,), (high,) = limits(pairs(*table), 0.9)
        (wide_low,), (wide_high,) = limits(pairs(*table), 0.99)
        assert wide_low < low < value < high < wide_high


@pytest.mark.parametrize(
    ("table", "ratio", "odds"),
    [
        ((0, 5, 3, 7), (0, 1.296419), (0, 1.464632)),
        ((5, 5, 0, 7), (2.822224, np.inf), (9.515634, np.inf)),
        ((5, 5, 7, 7), (0.565518, 1.548780), (np.nan, np.nan)),
        ((0, 5, 7, 7), (0, 0.434482), (0, 0.105090)),
        ((0, 5, 0, 7), (np.nan, np.nan), (np.nan, np.nan)),
    ],
)
def test_empty_cells(table, ratio, odds):
    for limits, expected in ((ratio_score_limits, ratio), (odds_score_limits, odds)):
        found = [float(limit[0]) for limit in limits(pairs(*table), 0.95)]
        assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)
        for limit in found:
            if 0 < limit < np.inf:
                compare = "ratio" if limits is ratio_score_limits else "odds"
                assert boundary_chi2(table, limit, compare) == pytest.approx(Z2, rel=1e-4)


EXTREME = [
    (3, 32470, 31990, 31993),
    (929889, 929892, 148520, 148523),
    (26, 27, 12, 13),
    (1, 10**8, 10**8 - 1, 10**8),
]


def decimal_chi2(table, ratio, *, of_odds):
    """Koopman's chi-square, or the score chi-square of an odds ratio, with 80 digits."""
    x1, n1, x0, n0 = map(Decimal, table)
    if of_odds:
        a, called = n0 * (ratio - 1), x1 + x0
        b = n1 * ratio + n0 - called * (ratio - 1)
        p0 = 2 * called / (b + (b**2 + 4 * a * called).sqrt())
        p1 = ratio * p0 / (1 + p0 * (ratio - 1))
    else:
        total = n1 * ratio + x1 + n0 + x0 * ratio
        p0 = 2 * (x1 + x0) / (total + (total**2 - 4 * (n1 + n0) * ratio * (x1 + x0)).sqrt())
        p1 = ratio * p0
    first = (x1 - n1 * p1) ** 2 / (n1 * p1 * (1 - p1))
    return first + (x0 - n0 * p0) ** 2 / (n0 * p0 * (1 - p0))


@pytest.mark.parametrize("table", EXTREME)
@pytest.mark.parametrize("limits", [ratio_score_limits, odds_score_limits])
def test_limits_keep_their_digits_where_nearly_all_or_none_are_called(table, limits):
    # A wrong digit of the limit, the 13th after the first, would leave z^2 on the other side.
    for limit, inwards in zip(limits(pairs(*table), 0.95), (1, -1), strict=True):
        with localcontext(prec=80):
            of_odds = limits is odds_score_limits
            inner, outer = (
                decimal_chi2(table, Decimal(float(limit[0])) * (1 + step), of_odds=of_odds)
                for step in (inwards * Decimal("1e-13"), -inwards * Decimal("1e-13"))
            )
        assert inner < Z2 < outer


def test_limits_of_an_odds_ratio_of_0_are_those_of_the_cases_not_called():
    low, high = odds_score_limits(pairs(13, 27, 12, 12), 0.95)
    assert low == 0
    assert high == pytest.approx(1 / odds_score_limits(pairs(14, 27, 0, 12), 0.95)[0])
    assert boundary_chi2((13, 27, 12, 12), float(high[0]), "odds") == pytest.approx(Z2, rel=1e-4)


def boundary_chi2(table, value, compare):
    """Pearson's chi-square at the likeliest rates on a fine grid, for tables with empty cells."""
    x1, n1, x0, n0 = table
    low, high = 0.0, 1.0
    # The likelihood has one peak: the second grid, a step to either side of the best point of the
    # first, has steps of 2.2e-7.
    for _ in range(2):
        p0, step = np.linspace(low, high, 3_001, retstep=True)
        p0 = p0[1:-1]
        p1 = value * p0 if compare == "ratio" else value * p0 / (1 + p0 * (value - 1))
        p0, p1 = p0[p1 < 1], p1[p1 < 1]
        of_1 = x1 * np.log(p1) + (n1 - x1) * np.log1p(-p1)
        best = np.argmax(of_1 + x0 * np.log(p0) + (n0 - x0) * np.log1p(-p0))
        low, high = max(p0[best] - step, 0.0), min(p0[best] + step, 1.0)
    return pearson(x1, n1, x0, n0, p0[best], p1[best])


def test_log_limits_of_empty_cells_have_a_half_more_in_each():
    low, high, added = ratio_log_limits(pairs(0, 5, 3, 7), 0.95)
    expected = ratio_log_limits(pairs(0.5, 6, 3.5, 8), 0.95)
    assert added.tolist() == [True]
    assert (low, high) == (expected[0], expected[1])
    assert not ratio_log_limits(pairs(1, 5, 3, 7), 0.95)[2].any()
    assert odds_log_limits(pairs(5, 5, 3, 7), 0.95)[2].all()


def test_a_limit_beyond_every_number_is_infinite():
    """A standard error of 10^4 on the logarithmic scale ended in a warning of NumPy."""
    ratio = Estimate(1e-9, np.array([1e-5]))
    found = log_ratio_result(ratio, 0.95, "influence")
    assert (found.ci_low, found.ci_high) == (0.0, np.inf)


def cells_of(tp, fn, fp, tn):
    return Cells(*(np.array([float(x)]) for x in (tp, fn, fp, tn)))


# docs/methods/points.md, "Worked predictive values at a prevalence", checked against bdpv
@pytest.mark.parametrize(
    ("limits", "prevalence", "adjusted", "expected"),
    [
        (ppv_limits, 0.05, None, (0.1649719325, 0.1487717749, 0.1825578373)),
        (ppv_limits, 0.05, True, (0.1639826131, 0.1479388131, 0.1813959300)),
        (npv_limits, 0.05, None, (0.9931599934, 0.9914952108, 0.9945007082)),
        (npv_limits, 0.05, True, (0.9930087013, 0.9913327535, 0.9943624214)),
        (ppv_limits, 0.20, None, (0.4841190019, 0.4536033004, 0.5147535924)),
        (npv_limits, 0.20, None, (0.9683224976, 0.9608508340, 0.9744061688)),
    ],
)
def test_worked_predictive_values(limits, prevalence, adjusted, expected):
    found = limits(cells_of(670, 74, 202, 640), prevalence, 0.95, adjusted=adjusted)
    numbers = [found.value[0], found.low[0], found.high[0]]
    assert numbers == pytest.approx(expected, abs=5e-11)
    assert found.adjusted.tolist() == [bool(adjusted)]


counts = st.integers(1, 50)


@given(counts, counts, counts, counts, st.floats(0.01, 0.99), st.floats(10, 1e4))
def test_an_estimated_prevalence_adds_its_variance(tp, fn, fp, tn, p, cases):
    m, n = tp + fn, fp + tn
    se, sp = tp / m, tn / n
    z = ndtri(0.975)
    for limits, value, variance in (
        (ppv_limits, se * p / ((1 - sp) * (1 - p)), (1 - se) / (se * m) + sp / ((1 - sp) * n)),
        (npv_limits, sp * (1 - p) / ((1 - se) * p), se / ((1 - se) * m) + (1 - sp) / (sp * n)),
    ):
        found = limits(cells_of(tp, fn, fp, tn), p, 0.95, prevalence_cases=cases)
        reach = z * np.sqrt(variance + 1 / (cases * p * (1 - p)))
        assert logit(found.low[0]) == pytest.approx(np.log(value) - reach, rel=1e-7, abs=1e-7)
        assert logit(found.high[0]) == pytest.approx(np.log(value) + reach, rel=1e-7, abs=1e-7)


@given(counts, counts, counts, counts, st.floats(0.01, 0.99))
def test_negatives_are_the_positives_of_the_mirrored_table(tp, fn, fp, tn, p):
    npv = npv_limits(cells_of(tp, fn, fp, tn), p, 0.9)
    ppv = ppv_limits(cells_of(tn, fp, fn, tp), 1 - p, 0.9)
    assert (npv.low, npv.high) == (pytest.approx(ppv.low), pytest.approx(ppv.high))


@pytest.mark.parametrize(
    ("cells", "ppv", "npv"),
    [
        ((0, 5, 3, 7), True, False),
        ((5, 0, 3, 7), False, True),
        ((5, 2, 0, 7), True, False),
        ((5, 2, 3, 0), False, True),
        ((5, 0, 0, 7), True, True),
        ((5, 0, 3, 0), True, True),
        ((0, 5, 0, 7), True, True),
    ],
)
def test_where_a_cell_that_counts_is_empty_rates_are_adjusted(cells, ppv, npv):
    z2 = ndtri(0.975) ** 2
    more = [cell + z2 / 2 for cell in cells]
    for limits, adjusted in ((ppv_limits, ppv), (npv_limits, npv)):
        found = limits(cells_of(*cells), 0.3, 0.95)
        expected = limits(cells_of(*(more if adjusted else cells)), 0.3, 0.95, adjusted=False)
        assert found.adjusted.tolist() == [adjusted]
        assert found.low == pytest.approx(expected.low)
        assert found.high == pytest.approx(expected.high)
        assert 0 < found.low[0] < found.high[0] < 1
