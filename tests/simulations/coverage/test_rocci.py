"""The peer of the simulation of bands: what is asked of it, and how its answer is judged."""

from __future__ import annotations

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from validation.coverage.rocci_envelope import Envelope, compare_with_truth, envelope

GRID = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
LOW = np.array([0.0, 0.1, 0.3, 0.6, 1.0])
HIGH = np.array([0.4, 0.6, 0.8, 1.0, 1.0])


def judge(fpr, tpr):
    return compare_with_truth(Envelope(GRID, LOW, HIGH), np.array(fpr), np.array(tpr))


def test_a_curve_inside_is_held_and_the_ends_do_not_count():
    assert judge([0, 1], [0, 1])[:2] == (False, False)
    assert judge([0, 0, 0.1, 1], [0, 0.5, 0.5, 1])[:2] == (False, False)


def test_the_width_is_linear_between_the_rates():
    # Widths .4 .5 .5 .4 0: by trapezes of 25 steps the hundredths from 0 to 1 sum to
    # 25 (.45 + .5 + .45 + .2) + (.4 + 0)/2 = 40.2, without both ends to 39.8.
    assert judge([0, 1], [0, 1])[2] == pytest.approx(39.8 / 99)


def test_a_curve_outside_is_missed_on_its_side():
    assert judge([0, 0.5, 1], [0, 0.25, 1])[:2] == (True, False)
    assert judge([0, 0.25, 1], [0, 0.65, 1])[:2] == (False, True)
    assert judge([0, 0.25, 0.75, 1], [0, 0.65, 0.55, 1])[:2] == (True, True)


def test_what_is_asked_of_the_peer(monkeypatch):
    asked = []

    def roc_band(y_true, y_score, **options):
        asked.append((y_true.tolist(), y_score.tolist(), options))
        warnings.warn("few cases", UserWarning, stacklevel=1)
        return SimpleNamespace(fpr=GRID, lower=LOW, upper=HIGH)

    monkeypatch.setitem(sys.modules, "rocci", SimpleNamespace(roc_band=roc_band))
    band = envelope(np.array([True, False]), np.array([2.0, 1.0]), 7)
    assert (band.fpr is GRID, band.low is LOW, band.high is HIGH) == (True, True, True)
    options = {"confidence": 0.95, "n_boot": 1000, "random_state": 7, "n_threads": 1}
    assert asked == [([1, 0], [2.0, 1.0], options)]


def test_a_peer_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rocci", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "\.\[peers\]"'):
        envelope(np.array([True, False]), np.array([2.0, 1.0]), 1)
