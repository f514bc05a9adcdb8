"""Survival: true areas, concordances and rates at a time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from rocstats.inference.survival.areas import survival_area_at, survival_band_level
from rocstats.inference.survival.concordance import comparable_pairs, concordance_of
from rocstats.inference.survival.follow_up import status_at
from rocstats.inference.survival.net_benefit import survival_benefit_at
from rocstats.inference.survival.points import survival_measures_at
from rocstats.inference.survival.ratios import score_codes_by_risk
from tests.simulations.committed import read
from validation.coverage.survival import CELLS, LEVEL, draw, times_of, true_areas, true_concordance
from validation.coverage.survival_points import STAKES, THRESHOLD, cells, truth_of

COMMITTED = "coverage/survival"


def test_shortfalls_of_other_limits_are_those_that_the_pages_name(committed):
    # What docstrings and docs/methods/survival.md say of other limits than Wald's.
    other = committed[committed["interval"] != "wald"]
    columns = ["setting", "n", "quantity", "interval", "share_by_time"]
    named = other.loc[other["shortfall"] != "", columns]
    assert named.astype(str).to_numpy().tolist() == [
        ["high", "100", "auc", "logit", "0.2"],
        ["competing", "100", "auc", "logit", "0.15"],
    ]


def test_truth_by_many_patients():
    """Estimates from 40 000 patients lie within four standard errors of the truth."""
    for number in (0, 3):
        cell = CELLS[number]
        follow_up, markers = draw(cell._replace(n=40_000), np.random.default_rng(3))
        t = float(times_of(cell)[1])
        for marker, truth in zip(markers, true_areas(cell, t), strict=True):
            found = survival_area_at(
                status_at(follow_up, t, "not-case"), score_codes_by_risk(marker, higher=True)
            )
            error = np.sqrt(np.sum(found.influence**2)) / follow_up.size
            assert abs(found.value - truth) <= 4 * error
    cell = CELLS[-1]
    follow_up, markers = draw(cell._replace(n=10_000), np.random.default_rng(4))
    limit = float(times_of(cell)[0])
    pairs = comparable_pairs(follow_up, limit, weighs_g=True)
    found = concordance_of(pairs, score_codes_by_risk(markers[0], higher=True))
    error = np.sqrt(np.sum(found.influence**2)) / follow_up.size
    assert abs(found.value - true_concordance(cell, limit)) <= 4 * error


def test_the_quantile_of_a_band_is_that_of_many_draws():
    follow_up, markers = draw(CELLS[1], np.random.default_rng(5))
    scores = score_codes_by_risk(markers[0], higher=True)
    areas = [
        survival_area_at(status_at(follow_up, t, "not-case"), scores) for t in times_of(CELLS[1])
    ]
    level = survival_band_level(follow_up, areas, LEVEL)
    units = follow_up.units(np.stack([area.influence for area in areas]))
    normal = np.random.default_rng(6).standard_normal((20_000, len(areas)))
    largest = np.abs(normal @ np.linalg.cholesky(np.corrcoef(units)).T).max(axis=1)
    # Influence values sum to 0, so that their correlation is that of the estimates.
    assert np.mean(largest <= norm.ppf((1 + level) / 2)) == pytest.approx(LEVEL, abs=0.006)


def test_wald_alone_falls_short():
    found = read("coverage/survival_points")
    assert len(found) == 2 * 6 * 2 * len(cells())  # times, quantities, limits
    assert set(found.loc[found["shortfall"] != "", "limits"]) == {"wald"}


def test_the_truth_is_that_of_many_patients():
    cell = next(cell for cell in cells() if cell.setting == "competing")
    t = float(times_of(cell)[-1])
    follow_up, markers = draw(cell._replace(n=200_000), np.random.default_rng(5))
    at, called = status_at(follow_up, t, "not-case"), markers[0] >= THRESHOLD
    found = {
        **survival_measures_at(at, called),
        "net_benefit": survival_benefit_at(at, called, STAKES),
    }
    for name, truth in truth_of(cell, t).items():
        error = np.sqrt(found[name].variance)
        assert found[name].value == pytest.approx(truth, abs=4 * error), name
        assert error < 0.003
