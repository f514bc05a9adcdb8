"""Limits at every threshold: true rates, and the limits of the package."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from rocstats.curves.roc import roc_points
from rocstats.studies.studies import Study
from validation.coverage.every_threshold import CELLS, bars_of, held, read_every_threshold

KEY = ["step", "n_pos", "n_neg", "level", "interval"]


def test_only_simultaneous_limits_hold_everywhere():
    table = read_every_threshold().set_index("interval")
    assert not table.loc["dkw", "shortfall"].any()
    assert table.loc["wilson-joint", "shortfall"].all()
    assert (table["chosen"] >= table["everywhere"]).all()


@pytest.mark.parametrize("cell", CELLS[::3], ids=lambda cell: str(cell.step))
def test_true_rates_are_shares_of_many_scores(cell, rng):
    big = type(cell)(0, cell.step, 100_000, 100_000)
    scores = big.draw(rng)
    at = np.array([-1.0, 0.0, 1.0])
    for above, called in ((False, scores[:, None] >= at), (True, scores[:, None] > at)):
        found = cell.rates(at, above=above)
        for rate, part in zip(found, (called[:100_000], called[100_000:]), strict=True):
            # Four standard errors of a share of 100 000 cases are below .007.
            np.testing.assert_allclose(part.mean(axis=0), rate, atol=0.007)


def test_a_sample_is_held_everywhere_as_a_fine_grid_of_thresholds_says(rng):
    cell = CELLS[0]
    positive = np.arange(40) < 20
    grid = np.linspace(-5, 6, 20_001)
    true = np.array([ndtr(1 - grid), ndtr(-grid)])
    found, expected = [], []
    for _ in range(12):
        scores = cell.draw(rng)
        study = Study(positive, scores)
        points = study.operating_points(
            threshold=grid, quantities=["tpr", "fpr"], interval="dkw", confidence_level=0.5
        )
        low, high = (points[end].to_numpy().reshape(-1, 2).T for end in ("ci_low", "ci_high"))
        expected.append(bool(((low <= true) & (true <= high)).all()))
        found.append(held(cell, scores, "dkw", 0.5)[0])
    assert found == expected
    assert 0 < sum(found) < 12


def test_bars_are_what_the_study_answers(three):
    points = three.operating_points(
        threshold="all", quantities=["tpr", "fpr"], interval="dkw"
    ).query("predictor == 'd1'")
    curve = roc_points(three.cases.counts(0))
    for quantity, bars in zip(("tpr", "fpr"), bars_of(curve, "dkw", 0.95), strict=True):
        rows = points[points["quantity"] == quantity]
        np.testing.assert_array_equal(rows["ci_low"], bars.low)
        np.testing.assert_array_equal(rows["ci_high"], bars.high)
