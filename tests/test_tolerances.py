"""Variances that are nothing but rounding: they are 0 wherever one is formed."""

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.tolerances import clear_rounding


def test_a_variance_is_cleared_at_its_own_rounding_and_at_that_of_its_terms():
    assert clear_rounding(4e-34) == 0.0
    assert clear_rounding(1e-20) == 1e-20
    assert clear_rounding(1e-20, terms=1.0) == 1e-20
    assert clear_rounding(1e-25, terms=1.0) == 0.0
    assert np.isnan(clear_rounding(np.nan))


def test_resampled_rates_that_never_move_have_no_p_value_out_of_rounding():
    # All scores of a are equal, so that its sensitivity at FPR 0.2 is 0.2 in every resample; b
    # separates the classes. The difference -0.8 has a variance of 5e-32, the rounding of 0.2 - 1.
    y = np.repeat([0.0, 1.0], [8, 6])
    study = rs.Study(y, pd.DataFrame({"a": np.zeros(14), "b": 2 * y}), pos_label=1)
    row = study.compare_operating_points(fpr=[0.2], rng=1, n_resamples=100).iloc[0]
    assert row["se"] == 0.0
    assert 1e-6 < row["p_value"] < 0.05
    assert row["ci_low"] < row["estimate"] < row["ci_high"]


@pytest.mark.parametrize("weighted", [False, True])
def test_classes_whose_areas_never_move_have_no_p_value_out_of_rounding(weighted):
    # a separates class 0 from the others, which it ties; all scores of b are equal. Each pair of
    # classes has the same area in every resample, and their mean varies by rounding alone.
    y = np.repeat([0, 1, 2], [7, 11, 13])
    a = np.where((y == 0)[:, np.newaxis], [0.8, 0.1, 0.1], [0.2, 0.4, 0.4])
    frames = {name: pd.DataFrame(x, columns=[0, 1, 2]) for name, x in (("a", a), ("b", 0 * a))}
    weights = 1 + np.arange(len(y)) % 3 if weighted else None
    study = rs.MulticlassStudy(y, frames, sample_weight=weights)
    drawn = {"interval": "percentile", "rng": 1, "n_resamples": 100} if weighted else {}
    row = study.compare_auc(**drawn).iloc[0]
    assert row["estimate"] == pytest.approx(1 / 3)
    assert row["se"] == 0.0
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    assert row["method"].endswith("/mover")
