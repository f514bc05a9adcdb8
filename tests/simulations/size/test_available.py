"""Comparisons of available cases: the limits of the package, and shortfalls."""

from __future__ import annotations

import numpy as np
import pytest

from validation.size.available import CELLS, METHODS, draw, limits_of, package_limits

SETTING = ["set", "n", "missing", "auc_1", "auc_2"]


COMMITTED = "size/available"


def test_the_default_interval_has_no_shortfall_and_is_shorter_than_whole_rows_give(committed):
    is_margin = committed["set"] == "margin"
    assert (committed["alpha"] == np.where(is_margin, 0.025, 0.05)).all()
    by_method = committed.set_index([*SETTING, "method"]).unstack()
    assert not by_method["shortfall", "t"].any()
    assert not by_method.loc["margin"]["shortfall", "mover"].any()
    assert (by_method["mean_width", "t"] < by_method["mean_width", "omit-t"]).all()


@pytest.mark.parametrize("method", METHODS)
def test_the_package_has_the_limits_of_the_array_code(method):
    for cell in (CELLS[0], CELLS[9]):
        scores = draw(cell, np.random.default_rng(3), 6)
        low, high, _ = limits_of(cell, scores, method)
        expected = [package_limits(cell, one, method) for one in scores]
        np.testing.assert_allclose(np.column_stack([low, high]), expected, atol=1e-12)
