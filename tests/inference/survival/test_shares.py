"""Rates, predictive values and net benefits at a time: influence is the derivative of the estimate.

docs/methods/survival.md, "Points and net benefit at a time".
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from rocstats.estimate.benefit import Stakes
from rocstats.inference.survival.follow_up import CONTROLS, status_at
from rocstats.inference.survival.net_benefit import (
    standardized_survival_benefit,
    survival_benefit_at,
    survival_benefit_over_treat_all,
)
from rocstats.inference.survival.points import survival_measures_at
from tests.inference.survival.test_influence import SAMPLES, STEP, weights_at

# By sample: two causes and ties; the last of the first is at few patients.
TIMES = [(0, 8), (0, 14), (1, 4.5), (2, 2), (3, 4.5), (4, 6)]


@cache
def moved(number, t):
    """The weights at t where each patient in turn counts a little more, and the sum of patients."""
    follow_up, _ = SAMPLES[number]
    n = follow_up.size
    counts = 1 + 1j * STEP * np.eye(n)
    return np.stack([weights_at(follow_up, w, t) for w in counts]), counts.sum(axis=1)


def check(found, influence, estimates):
    """Compare a value and its influence with estimates that each patient in turn has moved."""
    assert found == pytest.approx(estimates[0].real, abs=1e-12)
    assert influence == pytest.approx(len(estimates) * estimates.imag / STEP, abs=1e-8)


@pytest.mark.parametrize(("number", "t"), TIMES)
def test_measures(number, t):
    follow_up, scores = SAMPLES[number]
    called, by_t, n = scores >= np.median(scores), follow_up.time <= t, follow_up.size
    weight, _ = moved(number, t)
    for controls in CONTROLS:
        case = by_t & (follow_up.status == 1)
        control = ~by_t | (controls == "not-case") & by_t & (follow_up.status == 2)
        # Who is censored has no weight: the others stand for all patients.
        known = ~(by_t & (follow_up.status == 0))
        events = {
            "tpr": (case & called, case),
            "tnr": (control & ~called, control),
            "ppv": (case & called, called & known),
            "npv": (control & ~called, ~called & known),
            "prevalence": (case, known),
        }
        found = survival_measures_at(status_at(follow_up, t, controls), called)
        assert list(found) == list(events)
        for name, (of, among) in events.items():
            share = found[name]
            check(share.value, n * share.influence, weight @ of / (weight @ among))


@pytest.mark.parametrize(("number", "t"), TIMES)
def test_benefits(number, t):
    follow_up, scores = SAMPLES[number]
    called, n, stakes = scores >= np.median(scores), follow_up.size, Stakes(0.3, None)
    at, (weight, size) = status_at(follow_up, t, "not-case"), moved(number, t)
    gain = at.is_case - stakes.odds * at.is_control
    wanted = {
        survival_benefit_at: weight @ (called * gain) / size,
        survival_benefit_over_treat_all: -weight @ (~called * gain) / size,
        standardized_survival_benefit: weight @ (called * gain) / (weight @ at.is_case),
    }
    for function, estimates in wanted.items():
        found = function(at, called, stakes)
        # The variance has the divisor n - 1.
        check(found.value, n * found.influence / np.sqrt(n / (n - 1)), estimates)
