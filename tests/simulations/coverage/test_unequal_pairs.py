"""The simulation of comparisons in unequal clusters repeats a cell, and is of the package."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from validation.coverage import unequal_pairs as simulated
from validation.coverage.unequal_pairs import COVERAGE, SETTINGS, SIZE, TABLE


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(TABLE)


def test_every_setting_is_there_and_marked(table):
    assert set(table["setting"]) == {one.name for one in SETTINGS}
    assert (table["replicates"] == simulated.REPLICATES).all()
    beyond = (table["what"] == "size") & (table["after"] > SIZE)
    beyond |= (table["what"] == "coverage") & (table["after"] < COVERAGE)
    assert (table["shortfall"] == beyond).all()


def test_a_setting_repeats(table):
    own = table[table["setting"] == SETTINGS[4].name].set_index(["quantity", "what"])["first_after"]
    for row in simulated.run_setting(4, 250):
        assert row["first_after"] == pytest.approx(own[row["quantity"], row["what"]], abs=1e-6)


@pytest.mark.parametrize("place", range(len(SETTINGS)))
def test_the_package_has_the_limits_of_the_simulation(place):
    """Wilson's, Tango's and log limits, t ratios and MOVER by the formulas of the methods page."""
    cell = SETTINGS[place]
    for seed in (1, 2):
        y, scores, cluster = simulated.drawn(cell, np.random.default_rng(seed))
        counts = simulated.counted(cell, np.random.default_rng(seed))[np.newaxis]
        wanted = simulated.limits(counts, tuple(simulated.CALLED[:2]), unequal=True)
        for name, (low, high) in _found(y, scores[:2], cluster).items():
            assert [low, high] == pytest.approx([float(x[0]) for x in wanted[name]], abs=1e-7), name


def _found(y, scores, cluster):
    """Return the limits that the package has by quantity."""
    study = rs.Study(y.astype(int), {"a": scores[0], "b": scores[1]}, cluster=cluster)
    cut, risk, p = simulated.CUT, simulated.RISK, simulated.ELSEWHERE
    names = [*simulated.RATES, *simulated.VALUES, "accuracy", "f1", "youden"]
    names += [f"{name}_ratio" for name in simulated.RATIOS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = study.compare_operating_points(threshold=cut, quantities=names, adjust="none")
        found = dict(zip(rows["quantity"], rows[["ci_low", "ci_high"]].to_numpy(), strict=True))
        for word, prevalence in (("", None), (", elsewhere", p)):
            benefit = study.compare_net_benefit(
                risk_threshold=risk,
                threshold={name: {risk: cut} for name in "ab"},
                prevalence=prevalence,
            )
            found[f"net_benefit{word}"] = benefit[["ci_low", "ci_high"]].to_numpy()[0]
            cost = study.compare_costs(
                cost_fp=risk, cost_fn=1 - risk, threshold=cut, prevalence=prevalence
            )
            # in units of true positives
            found[f"cost{word}"] = cost[["ci_low", "ci_high"]].to_numpy()[0] / (1 - risk)
    return found


def test_the_test_of_both_rates_is_that_of_the_simulation():
    cell, first, same = SETTINGS[0], simulated.CALLED[0], simulated.CALLED[2]
    decided = []
    for seed in range(12):
        y, scores, cluster = simulated.drawn(cell, np.random.default_rng(seed))
        counts = simulated.counted(cell, np.random.default_rng(seed))[np.newaxis]
        study = rs.Study(y.astype(int), {"a": scores[0], "b": scores[2]}, cluster=cluster)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row = study.compare_operating_points(threshold=simulated.CUT, quantities="both_rates")
        before, after = (
            bool(simulated.both_rates(counts, (first, same), unequal=unequal)[0])
            for unequal in (False, True)
        )
        assert (row["p_value"][0] <= 0.05) == after
        decided.append((before, after))
    assert len(set(decided)) > 1
