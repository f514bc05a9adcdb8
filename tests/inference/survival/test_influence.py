"""Influence values are the derivative of the weighted estimate, ties and competing risks included.

The oracles take every pair of patients, each with a weight that may be complex: a step of 1e-30
along the imaginary axis gives the derivative without cancellation (Squire & Trapp 1998).
docs/methods/survival.md, "Influence values".
"""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.inference.survival.areas import survival_area_at, survival_band_level
from rocstats.inference.survival.concordance import comparable_pairs, concordance_of
from rocstats.inference.survival.follow_up import FollowUp, SurvivalRatio, status_at
from rocstats.inference.survival.ratios import score_codes_by_risk

STEP = 1e-30


def forty():
    """40 patients with tied times; 13 censored, 21 cases, 6 with another cause."""
    k = np.arange(1, 41)
    time = np.ceil(37 * k % 41 / 2)
    status = np.where(11 * k % 3 == 0, 0, np.where(13 * k % 5 == 0, 2, 1))
    return FollowUp(time, status), (50 - time) / 4 + 17 * k % 23


def drawn(seed, n=25):
    """Patients with many ties of times and scores; the last time may be an event."""
    rng = np.random.default_rng(seed)
    follow_up = FollowUp(rng.integers(1, 9, n).astype(float), rng.integers(0, 3, n))
    return follow_up, rng.integers(0, 6, n).astype(float)


SAMPLES = [forty(), *(drawn(seed) for seed in range(1, 5))]


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
    follow_up, scores = forty()
    at = [status_at(follow_up, t, "not-case") for t in (8, 14)]
    areas = [survival_area_at(one, score_codes_by_risk(scores, higher=True)) for one in at]
    still = SurvivalRatio(1.0, np.zeros(follow_up.size))
    assert survival_band_level(follow_up, [areas[0], still], 0.95) == pytest.approx(
        0.95**0.5, abs=1e-9
    )
    each = survival_band_level(follow_up, [*areas, still], 0.95)
    assert survival_band_level(follow_up, areas, 0.95 / each) == pytest.approx(each, abs=1e-5)
