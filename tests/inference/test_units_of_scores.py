"""Scores of any size have the answers of the same scores in another unit."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from rocstats.facts.arrays import binary_unit


@pytest.mark.parametrize(
    ("values", "unit"),
    [([1.0, -3.0], 2.0), ([0.0], 1.0), ([np.inf, 1.0], 1.0), ([5e-324], 5e-324), ([], 1.0)],
)
def test_the_unit_is_the_power_of_two_of_the_largest_value(values, unit):
    assert binary_unit(np.array(values)) == unit


def test_denormal_scores_have_the_binormal_curve_of_their_multiples():
    y = np.repeat([0, 1], 12)
    steps = np.array([-1, 0, 0, 0, 1, 1, 0, -1, 2, 0, 1, 0, 1, 0, 2, 1, 1, 2, 0, 1, 3, 1, 2, 1.0])
    frames = []
    for unit in (1.0, 5e-324):
        study = rs.Study(y, steps * unit, cluster=np.arange(24) // 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", rs.StatisticalWarning)
            frames.append(study.binormal_curve(method="normal-theory"))
    numbers = [frame.select_dtypes("number").to_numpy() for frame in frames]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, nan_ok=True)


def test_smoothed_rates_of_one_have_no_limits_and_no_numpy_warning():
    y = np.repeat([0, 1], 6)
    study = rs.Study(y, np.r_[np.arange(6.0), 1e6 + np.arange(6)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        for method in ("kernel", "normal-theory"):
            frame = study.cutpoints(method=method).set_index("quantity")
            assert frame.loc[["tpr", "tnr"], ["ci_low", "ci_high"]].isna().all(axis=None)
