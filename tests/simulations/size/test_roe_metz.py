"""Planned reader studies: exact variances, and power near an area of 1."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.inference.planning.reader_plan import reader_model_of
from validation.roe_metz.simulate import CELLS, variance_of_difference

COMMITTED = "roe_metz/roe_metz"


def test_variances_and_powers_are_those_of_today(committed):
    for cell, row in zip(CELLS, committed.itertuples(), strict=True):
        exact = variance_of_difference(reader_model_of(cell.design), cell.plan)
        assert row.variance_difference == pytest.approx(exact, rel=1e-12)
        planned = rs.power(
            cell.design,
            n_readers=cell.n_readers,
            n_pos=cell.n_pos,
            n_neg=cell.n_neg,
            n_groups=cell.n_groups,
        )
        # The quantiles of t of the oldest SciPy have an error of 1e-9.
        assert row.power == pytest.approx(planned["power"][0], rel=1e-7)


def test_variances_and_differences_are_exact_but_for_monte_carlo_error(committed):
    away = committed["variance_simulated"] - committed["variance_difference"]
    assert (abs(away) <= 4 * committed["variance_error"]).all()
    error = np.sqrt(committed["variance_difference"] / committed["replicates"])
    truth = committed["auc"] - committed["reference_auc"]
    assert (abs(committed["mean_simulated"] - truth) <= 4 * error).all()


def test_near_an_area_of_1_alone_the_plan_is_on_the_safe_side(committed):
    marked = committed[committed["shortfall"]]
    assert marked["auc"].tolist() == [0.96]
    assert (marked["power_simulated"] > marked["power"]).all()
