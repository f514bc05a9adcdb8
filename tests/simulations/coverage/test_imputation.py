"""Pooled imputations: the limits of the package, also near 0 and 1."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.simulations.committed import read
from validation.coverage import imputation_ends as ends
from validation.coverage.imputation import areas, draw_data, impute, pooled_limits


def test_the_simulated_limits_are_those_of_the_question():
    rng = np.random.default_rng(7)
    data, missing = draw_data((30, 30), 0.8, rng)
    scores = impute(data, missing, 5, rng)
    found = rs.pool_imputations([rs.Study(data[0].astype(int), one).auc() for one in scores])
    expected = pooled_limits(areas(scores[:, :30], scores[:, 30:]))
    assert found[["ci_low", "ci_high"]].iloc[0].tolist() == pytest.approx(expected, rel=1e-9)
    assert 0.15 < missing.mean() < 0.5


def test_the_simulated_limits_near_an_end_are_those_of_the_question():
    sizes, (auc, tpr), _ = ends.SETTINGS[6]
    limits, near = ends.limits_of_cell(6, 1, ends.SEED)
    rng = np.random.default_rng(np.random.SeedSequence(ends.SEED, spawn_key=(6, 0)))
    data, missing = draw_data(sizes, auc, rng)
    scores = impute(data, missing, 5, rng)
    cut, truths = ends.truths_of(auc, tpr)
    assert truths[0] == tpr
    studies = [rs.Study(data[0].astype(int), one) for one in scores]
    asked = {"threshold": cut, "quantities": ["tpr", "tnr"]}
    points = rs.pool_imputations([study.operating_points(**asked) for study in studies])
    area = rs.pool_imputations([study.auc() for study in studies])
    for k, frame in enumerate((points.iloc[:1], points.iloc[1:], area)):
        expected = frame[["ci_low", "ci_high"]].iloc[0].tolist()
        assert limits[0, k, 0].tolist() == pytest.approx(expected, rel=1e-9)
        assert near[0, k] == ("boundary-imputation" in frame["note"].iloc[0])
    assert near[0].any()


def test_pooled_limits_do_not_fall_short():
    table = read("coverage/imputation")
    assert not table.loc[table["method"] == "pooled", "shortfall"].any()


def test_a_cell_near_an_end_is_made_again():
    position = ends.SETTINGS.index(((10, 100), (0.98, 0.98), 5))
    found = pd.DataFrame(ends.rows_of_cell(position, 2000, ends.SEED))
    kept = read("coverage/imputation_ends").iloc[6 * position : 6 * position + 6]
    kept = kept[list(found)].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, kept, check_dtype=False, rtol=1e-6)
