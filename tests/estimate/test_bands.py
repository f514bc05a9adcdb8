from __future__ import annotations

import numpy as np
import pytest
import scipy.special as sp
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.curves.roc import roc_points, tpr_at
from rocstats.estimate.bands import (
    kolmogorov_band_limits,
    regional_band_limits,
    sup_t_band_limits,
    wilson_tpr_centre_and_sd,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import curve_draws, limit_process_sups
from tests.strategies import samples
from validation.engines.quantiles import step_tpr

GRID = np.linspace(0, 1, 21)


# docs/methods/averages.md, "Worked bars": R = .8, m = 50
def test_printed_wilson_centre():
    centre, floor = wilson_tpr_centre_and_sd(np.array([0.8]), 50, 0.95)
    z2 = sp.ndtri(0.975) ** 2
    assert centre == pytest.approx(0.7785957203, abs=5.1e-11)
    assert floor**2 == pytest.approx(centre * (1 - centre) / (50 + z2))


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_the_floor_is_that_of_agresti_and_coull(p):
    centre, floor = wilson_tpr_centre_and_sd(np.array([p]), 40, 0.9)
    z = sp.ndtri(0.95)
    expected = proportion_confint(40 * p, 40, 0.1, "agresti_coull")
    found = np.clip([centre[0] - z * floor[0], centre[0] + z * floor[0]], 0, 1)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert floor > 0


def sup_t_by_loops(fpr, curve, draws, m, n, level):
    """The equal-precision band, one number after the other."""
    z = sp.ndtri((1 + level) / 2)
    inside = [g for g, t in enumerate(fpr) if 1 / n - 1e-9 <= t <= 1 - 1 / n + 1e-9]
    p = {g: (m * curve[g] + z**2 / 2) / (m + z**2) for g in inside}
    s = {
        g: max(np.sqrt(np.mean((draws[:, g] - draws[:, g].mean()) ** 2)),
               np.sqrt(p[g] * (1 - p[g]) / (m + z**2)))
        for g in inside
    }  # fmt: skip
    sups = sorted(max(abs(row[g] - curve[g]) / s[g] for g in inside) for row in draws)
    q = max(sups[int(np.ceil((len(draws) + 1) * level - 1e-9)) - 1], z)
    low = {g: max(min(curve[g], p[g]) - q * s[g], 0) for g in inside}
    high = {g: min(max(curve[g], p[g]) + q * s[g], 1) for g in inside}
    return inside, low, high


@given(data=samples(least=3), level=st.floats(0.5, 0.98))
def test_sup_t_limits_are_their_definition(data, level):
    y, scores = data
    counts = rs.Study(y, scores[0]).cases.counts(0)
    m, n = counts.total_pos, counts.total_neg
    points = roc_points(counts)
    curve = tpr_at(points.fpr, points.tpr, GRID)
    draws = curve_draws(rs.Study(y, scores[0]).cases, 0, GRID, ResamplePlan(60, 1)).values
    low, high = sup_t_band_limits(GRID, curve, draws, m, n, level)
    inside, expected_low, expected_high = sup_t_by_loops(GRID, curve, draws, m, n, level)
    np.testing.assert_allclose(low[inside], [expected_low[g] for g in inside], atol=1e-12)
    np.testing.assert_allclose(high[inside], [expected_high[g] for g in inside], atol=1e-12)
    assert (low[: inside[0]] == 0).all()
    assert (high[: inside[0]] == high[inside[0]]).all()
    assert (high[inside[-1] + 1 :] == 1).all()
    assert (low[inside[-1] + 1 :] == low[inside[-1]]).all()
    assert ((low <= curve)[inside]).all()
    assert ((high >= curve)[inside]).all()
    assert (low < high).all()


def test_one_negative_says_nothing_about_any_rate_of_sup_t():
    low, high = sup_t_band_limits(GRID, GRID, np.tile(GRID, (50, 1)), 5, 1, 0.95)
    assert low.tolist() == [0] * 21
    assert high.tolist() == [1] * 21


def test_a_perfect_curve_has_a_width_by_sup_t_only():
    curve = np.ones(21)
    draws = np.ones((200, 21))
    low, high = sup_t_band_limits(GRID, curve, draws, 20, 20, 0.95)
    assert kolmogorov_band_limits(curve, draws, 0.95)[0].tolist() == [1] * 21
    # draws do not vary: the normal quantile below the centre of Wilson's interval
    z = sp.ndtri(0.975)
    centre = (20 + z**2 / 2) / (20 + z**2)
    np.testing.assert_allclose(low[1:], centre - z * np.sqrt(centre * (1 - centre) / (20 + z**2)))
    assert (high == 1).all()


def test_kolmogorov_limits_hold_their_share_of_the_draws(rng):
    y = np.repeat([1, 0], [40, 50])
    study = rs.Study(y, np.round(rng.normal(size=90) + y, 1))
    draws = curve_draws(study.cases, 0, GRID, ResamplePlan(999, 1)).values
    curve = draws.mean(axis=0)
    low, high = kolmogorov_band_limits(curve, draws, 0.9)
    inside = ((draws >= low - 1e-12) & (draws <= high + 1e-12)).all(axis=1)
    assert inside.mean() == pytest.approx(900 / 999, abs=0.02)
    assert inside.sum() >= 900
    reach = np.sort(np.abs(draws - curve).max(axis=1))[899]
    np.testing.assert_allclose(high, np.minimum(curve + reach, 1))
    np.testing.assert_allclose(low, np.maximum(curve - reach, 0))


# docs/methods/bands.md, "Containment of the bands", equal classes, grid .01 to .99: containment and
# mean width
@pytest.mark.parametrize(
    ("n", "auc", "b", "kolmogorov", "sup_t"),
    [
        (50, 0.8, 1.0, (0.961, 0.513), (0.953, 0.414)),
        (100, 0.8, 1.0, (0.959, 0.407), (0.962, 0.311)),
        (100, 0.9, 0.6, (0.905, 0.296), (0.952, 0.205)),
    ],
)
def test_printed_containment_and_width(n, auc, b, kolmogorov, sup_t, rng):
    runs, t = 120, np.linspace(0.01, 0.99, 99)
    a = sp.ndtri(auc) * np.sqrt(1 + b**2)
    truth = sp.ndtr(a + b * sp.ndtri(t))
    inside = (t >= 1 / n) & (t <= 1 - 1 / n)
    y = np.repeat([1, 0], [n, n])
    held, widths = np.zeros((2, runs)), np.zeros((2, runs))
    for run in range(runs):
        score = rng.normal(size=2 * n)
        score[:n] = (score[:n] + a) / b
        study = rs.Study(y, score)
        curve = step_tpr(study.cases.counts(0), t)
        draws = curve_draws(study.cases, 0, t, ResamplePlan(500, run)).values
        bands = (
            kolmogorov_band_limits(curve, draws, 0.95),
            sup_t_band_limits(t, curve, draws, n, n, 0.95),
        )
        for i, (low, high) in enumerate(bands):
            held[i, run] = ((low <= truth) & (truth <= high))[inside].all()
            widths[i, run] = (high - low).mean()
    for i, (containment, width) in enumerate((kolmogorov, sup_t)):
        noise = 4 * np.sqrt(containment * (1 - containment) * (1 / runs + 1 / 1000))
        assert held[i].mean() == pytest.approx(containment, abs=noise)
        noise = 4 * widths[i].std() * np.sqrt(1 / runs + 1 / 1000) + 0.001
        assert widths[i].mean() == pytest.approx(width, abs=noise)


def test_regional_limits_of_one_rate_are_normal():
    t, one = np.array([0.3]), np.array([1.0])
    sd = np.sqrt(0.6 * 0.4 / 80 + 0.3 * 0.7 / 60)
    args = (t, np.array([0.55]), np.array([0.6]), one, 80, 60, 0.95)
    low, high = regional_band_limits(*args, ResamplePlan(100_000, 1))
    assert (high - 0.55) / sd == pytest.approx(sp.ndtri(0.975), abs=0.025)
    assert high + low == pytest.approx(1.1)


def test_regional_limits_are_their_definition():
    t = np.linspace(0.1, 0.5, 41)
    fitted, slope = np.sqrt(t), 0.5 / np.sqrt(t)
    curve = fitted + 0.01
    low, high = regional_band_limits(t, curve, fitted, slope, 100, 70, 0.9, ResamplePlan(999, 5))
    sups = np.sort(limit_process_sups(t, fitted, slope, 100, 70, ResamplePlan(999, 5)))
    sd = np.sqrt(fitted * (1 - fitted) / 100 + slope**2 * t * (1 - t) / 70)
    np.testing.assert_allclose(high, np.minimum(curve + sups[899] * sd, 1))
    np.testing.assert_allclose(low, np.maximum(curve - sups[899] * sd, 0))


# docs/methods/bands.md, "The regional band", binormal .8 on [.1, .5]: contains .952 at n = 100;
# here with the true R and r
def test_regional_band_holds_the_curve_on_its_region(rng):
    n, runs, t = 100, 300, np.linspace(0.1, 0.5, 41)
    a = np.sqrt(2) * sp.ndtri(0.8)
    z = sp.ndtri(t)
    truth, slope = sp.ndtr(a + z), np.exp((z**2 - (a + z) ** 2) / 2)
    y = np.repeat([1, 0], [n, n])
    held = 0
    for run in range(runs):
        curve = step_tpr(rs.Study(y, rng.normal(size=2 * n) + a * y).cases.counts(0), t)
        low, high = regional_band_limits(t, curve, truth, slope, n, n, 0.95, ResamplePlan(500, run))
        held += bool(((low <= truth) & (truth <= high)).all())
    assert held / runs == pytest.approx(0.952, abs=4 * np.sqrt(0.05 * 0.95 * (1 / runs + 1 / 1000)))
