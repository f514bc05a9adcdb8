"""Planned studies: numbers of cases of today, and their simulated power."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from validation.power.simulate import designs

KEY = ["design", "auc", "reference_auc", "null_value", "correlation", "hypothesis", "method"]


COMMITTED = "power/power"


def test_every_design_is_there_once(committed):
    assert len(committed) == len(designs())
    assert not committed.duplicated(KEY).any()
    assert (committed["n_simulations"] >= 2000).all()


def test_numbers_of_cases_are_those_of_today(committed):
    sizes = [rs.sample_size(d, power=0.8, ratio=1.5)[["n_pos", "n_neg"]] for d in designs()]
    found = pd.concat(sizes, ignore_index=True)
    # The file holds the numbers as decimals.
    pd.testing.assert_frame_equal(found.astype(float), committed[["n_pos", "n_neg"]])


def test_the_default_variance_gives_the_power_that_was_wanted(committed):
    default = committed[committed["method"].str.startswith("binormal/")]
    error = 3 * np.sqrt(0.16 / default["n_simulations"])
    assert (default["power_simulated"] > 0.79 - error).all()
    assert (default["power_simulated"] < 0.83 + error).all()


def test_the_variance_of_obuchowski_and_mcclish_is_too_large(committed):
    with_both = committed.assign(
        model=committed["method"].str.partition("/")[0], n=committed["n_pos"]
    )
    n = with_both.pivot_table(index=KEY[:-1], columns="model", values="n", dropna=False)
    ratio = (n["obuchowski"] / n["binormal"]).dropna()
    assert len(ratio) == 17
    assert 2.5 < ratio.max() < 2.7
    assert ratio.min() > 1
    powers = committed.loc[committed["method"].str.startswith("obuchowski"), "power_simulated"]
    assert powers.max() > 0.99


@pytest.mark.parametrize("position", [9, 18, 31, 43])
def test_a_row_run_again_agrees(committed, position):
    row, n = committed.iloc[position], 200
    again = rs.power(
        designs()[position],
        n_pos=int(row["n_pos"]),
        n_neg=int(row["n_neg"]),
        simulate=True,
        n_simulations=n,
        rng=5,
    ).iloc[0]
    p = row["power_simulated"]
    bound = 4 * np.sqrt(p * (1 - p) * (1 / n + 1 / row["n_simulations"]))
    assert again["power_simulated"] == pytest.approx(p, abs=bound)
    assert again["test"] == row["test"]
