"""Predictive values at a prevalence: worked numbers, mirrored tables, empty cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit, ndtri

from rocstats.estimate.measure_limits import npv_limits, ppv_limits
from rocstats.facts.measures import Cells


def one(tp, fn, fp, tn):
    return Cells(*(np.array([float(x)]) for x in (tp, fn, fp, tn)))


WORKED = one(670, 74, 202, 640)


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
def test_worked_limits(limits, prevalence, adjusted, expected):
    found = limits(WORKED, prevalence, 0.95, adjusted=adjusted)
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
        found = limits(one(tp, fn, fp, tn), p, 0.95, prevalence_cases=cases)
        reach = z * np.sqrt(variance + 1 / (cases * p * (1 - p)))
        assert logit(found.low[0]) == pytest.approx(np.log(value) - reach, rel=1e-7, abs=1e-7)
        assert logit(found.high[0]) == pytest.approx(np.log(value) + reach, rel=1e-7, abs=1e-7)


@given(counts, counts, counts, counts, st.floats(0.01, 0.99))
def test_negatives_are_the_positives_of_the_mirrored_table(tp, fn, fp, tn, p):
    npv = npv_limits(one(tp, fn, fp, tn), p, 0.9)
    ppv = ppv_limits(one(tn, fp, fn, tp), 1 - p, 0.9)
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
        found = limits(one(*cells), 0.3, 0.95)
        expected = limits(one(*(more if adjusted else cells)), 0.3, 0.95, adjusted=False)
        assert found.adjusted.tolist() == [adjusted]
        assert found.low == pytest.approx(expected.low)
        assert found.high == pytest.approx(expected.high)
        assert 0 < found.low[0] < found.high[0] < 1
