"""Influence values are the derivative of the weighted estimate, ties and competing risks included.

The oracles take every pair of patients, each with a weight that may be complex: a step of 1e-30
along the imaginary axis gives the derivative without cancellation (Squire & Trapp 1998).
docs/methods/survival.md, "Influence values" and "Points and net benefit at a time".
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from rocstats.estimate.benefit import Stakes
from rocstats.inference.survival.areas import survival_area_at, survival_band_level
from rocstats.inference.survival.concordance import comparable_pairs, concordance_of
from rocstats.inference.survival.follow_up import CONTROLS, FollowUp, SurvivalRatio, status_at
from rocstats.inference.survival.net_benefit import (
    standardized_survival_benefit,
    survival_benefit_at,
    survival_benefit_over_treat_all,
)
from rocstats.inference.survival.points import survival_measures_at
from rocstats.inference.survival.ratios import score_codes_by_risk
from tests.inference.survival.studies import EVENT, SCORES, TIME

STEP = 1e-30


def drawn(seed, n=25):
    """Patients with many ties of times and scores; the last time may be an event."""
    rng = np.random.default_rng(seed)
    follow_up = FollowUp(rng.integers(1, 9, n).astype(float), rng.integers(0, 3, n))
    return follow_up, rng.integers(0, 6, n).astype(float)


SAMPLES = [(FollowUp(TIME, EVENT), SCORES["s1"]), *(drawn(seed) for seed in range(1, 5))]


def uncensored(follow_up, w):
    """G after the first 0, 1, ... distinct times, of weighted patients."""
    g = [1.0 + 0j]
    for s in np.unique(follow_up.time):
        here, event = follow_up.time == s, follow_up.status != 0
        risk = w[follow_up.time >= s].sum() - w[here & event].sum()
        left = risk - w[here & ~event].sum()
        g.append(g[-1] * (left / risk if (follow_up.time >= s)[~(here & event)].any() else 1.0))
    return np.array(g)


def before(follow_up, x):
    """The number of distinct times before x."""
    return np.searchsorted(np.unique(follow_up.time), x)


def weights_at(follow_up, w, t):
    """The weight of each patient at t, 0 if censored before."""
    g, time = uncensored(follow_up, w), follow_up.time
    beyond, event = time > t, (time <= t) & (follow_up.status != 0)
    found = np.zeros(len(w), complex)
    found[event] = w[event] / g[before(follow_up, time[event])]
    if beyond.any():
        found[beyond] = w[beyond] / g[np.sum(np.unique(time) <= t)]
    return found


def psi(scores):
    return np.where(scores[:, None] > scores, 1.0, np.where(scores[:, None] == scores, 0.5, 0.0))


def area(w, follow_up, scores, t, controls):
    weight, by_t = weights_at(follow_up, w, t), follow_up.time <= t
    a = weight * (by_t & (follow_up.status == 1))
    b = weight * (~by_t | (controls == "not-case") & (follow_up.status == 2))
    return a @ psi(scores) @ b / (a.sum() * b.sum())


def c_index(w, follow_up, scores, limit, weighs_g):
    time, status = follow_up.time, follow_up.status
    later = (time > time[:, None]) | ((time == time[:, None]) & (status == 0))
    earlier = w * ((status == 1) & (time <= limit))
    if weighs_g:
        events = np.flatnonzero((status == 1) & (time <= limit))
        earlier[events] /= uncensored(follow_up, w)[before(follow_up, time[events])] ** 2
    pairs = earlier[:, None] * later * w
    return (pairs * psi(scores)).sum() / pairs.sum()


def ratio(w, follow_up, t, of, among):
    weight = weights_at(follow_up, w, t)
    return weight @ of / (weight @ among)


def mean(w, follow_up, t, of):
    return weights_at(follow_up, w, t) @ of / w.sum()


def derivative(estimate, follow_up, *given):
    """n times the derivative of an estimate in the weight of each patient."""
    steps = 1 + 1j * STEP * np.eye(follow_up.size)
    parts = [estimate(w, follow_up, *given).imag for w in steps]
    return follow_up.size * np.array(parts) / STEP


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_areas(number):
    follow_up, scores = SAMPLES[number]
    ones = np.ones(follow_up.size, complex)
    for t in (8, 14) if number == 0 else (3, 4.5, 6):
        for controls in ("not-case", "event-free"):
            at = status_at(follow_up, t, controls)
            assert at.is_defined
            found = survival_area_at(at, score_codes_by_risk(scores, higher=True))
            value = area(ones, follow_up, scores, t, controls)
            assert found.value == pytest.approx(value, abs=1e-12)
            exact = derivative(area, follow_up, scores, t, controls)
            assert found.influence == pytest.approx(exact, abs=1e-8)
            assert found.influence.sum() == pytest.approx(0, abs=1e-10)
            reverse = survival_area_at(at, score_codes_by_risk(-scores, higher=False))
            assert reverse.value == found.value


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_concordances(number):
    follow_up, scores = SAMPLES[number]
    ones = np.ones(follow_up.size, complex)
    for limit in (np.inf, 6.0):
        for weighs_g in (False, True):
            pairs = comparable_pairs(follow_up, limit, weighs_g=weighs_g)
            found = concordance_of(pairs, score_codes_by_risk(scores, higher=True))
            value = c_index(ones, follow_up, scores, limit, weighs_g)
            assert found.value == pytest.approx(value, abs=1e-12)
            exact = derivative(c_index, follow_up, scores, limit, weighs_g)
            assert found.influence == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize("number", range(2))
def test_ratios_and_means_of_weighted_sums(number):
    """Sensitivity, positive predictive value and net benefit of scores above their median."""
    follow_up, scores = SAMPLES[number]
    positive = scores >= np.median(scores)
    at = status_at(follow_up, 5.0, "not-case")
    cost = positive * (at.is_case - 0.4 * at.is_control)
    called, either = at.is_case & positive, at.is_case | at.is_control
    for of, among in ((called, at.is_case), (called, either & positive)):
        exact = derivative(ratio, follow_up, 5.0, of, among)
        assert at.ratio(of, among).influence == pytest.approx(exact, abs=1e-8)
    exact = derivative(mean, follow_up, 5.0, cost)
    assert at.mean(cost).influence == pytest.approx(exact, abs=1e-8)
    assert np.isnan(at.ratio(called, called & ~positive).value)


def test_everybody_leaves_at_the_last_time():
    """Where all who are left are censored, or have events, at once, G has no infinite factor."""
    for last in (0, 1, 2):
        follow_up = FollowUp(np.array([1.0, 2, 3, 4, 4, 4]), np.array([1, 0, 2, last, last, last]))
        scores = np.array([5.0, 1, 2, 3, 4, 0])
        at = status_at(follow_up, 3, "not-case")
        found = survival_area_at(at, score_codes_by_risk(scores, higher=True))
        exact = derivative(area, follow_up, scores, 3, "not-case")
        assert found.influence == pytest.approx(exact, abs=1e-8)
        assert status_at(follow_up, 4, "not-case").is_defined == (last != 0)


def test_an_area_without_variance_counts_as_independent_in_a_band():
    follow_up, scores = SAMPLES[0]
    at = [status_at(follow_up, t, "not-case") for t in (8, 14)]
    areas = [survival_area_at(one, score_codes_by_risk(scores, higher=True)) for one in at]
    still = SurvivalRatio(1.0, np.zeros(follow_up.size))
    assert survival_band_level(follow_up, [areas[0], still], 0.95) == pytest.approx(
        0.95**0.5, abs=1e-9
    )
    each = survival_band_level(follow_up, [*areas, still], 0.95)
    assert survival_band_level(follow_up, areas, 0.95 / each) == pytest.approx(each, abs=1e-5)


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
