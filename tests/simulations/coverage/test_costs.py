"""Compared costs: true values, the limits of the package, coverage."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

import rocstats as rs
from rocstats.inference.costs.costs import Costs
from validation.coverage.cost_limits import coverage, read_cost_limits
from validation.coverage.costs import AT, CELLS, COSTS, FIXED, CostCell, fixed_limits

COMMITTED = "coverage/costs"


@pytest.mark.parametrize("position", [0, 4, 8])
def test_truth_by_an_optimiser(position):
    cell = CELLS[position]

    def least(k, of_neg, of_pos):
        mean, sd = cell.laws[k]

        def cost(cut):
            return of_neg * norm.sf(cut) + of_pos * norm.cdf(cut, mean, sd)

        starts = [(-6, 0), (-1, 2), (0, 8)]
        inner = [minimize_scalar(cost, bounds=ends, method="bounded").fun for ends in starts]
        return min(*inner, of_neg, of_pos)

    for end, costs in COSTS.items():
        p = costs["prevalence"]
        weights = costs["cost_fp"] * (1 - p), costs["cost_fn"] * p
        expected = least(0, *weights) - least(1, *weights)
        assert cell.difference(cell.best[end], end) == pytest.approx(expected, abs=1e-6)
    for place in (3, 19, 30):
        expected = least(0, 1 - AT[place], AT[place]) - least(1, 1 - AT[place], AT[place])
        assert cell.truth["band"][place] == pytest.approx(expected, abs=1e-6)


def test_truth_of_the_index():
    assert CELLS[0].truth["lc_index"] == 0
    assert CELLS[4].truth["lc_index"] == pytest.approx(1, abs=1e-6)
    assert -1 < CELLS[8].truth["lc_index"] < 1


def test_large_samples_have_the_rates(rng):
    large = CostCell(8, "crossing .80", 40_000, 40_000)
    scores = large.draw(rng)
    for k, name in enumerate("ab"):
        fpr, fnr = large.rates(k, 0.7)
        assert np.mean(scores[name][40_000:] >= 0.7) == pytest.approx(float(fpr), abs=0.01)
        assert np.mean(scores[name][:40_000] < 0.7) == pytest.approx(float(fnr), abs=0.01)


def test_tables_of_calls_are_those_of_scores(rng):
    cell, n = CELLS[9], 100_000
    scores = dataclasses.replace(cell, n_pos=n, n_neg=n).draw(rng)
    cuts = cell.best[""]
    called = [scores[name] >= cut for name, cut in zip("ab", cuts, strict=True)]
    for positive, part in ((True, slice(n)), (False, slice(n, None))):
        first, second = (calls[part] != positive for calls in called)
        found = [first & second, first & ~second, ~first & second, ~first & ~second]
        expected = cell.wrong(cuts, positive=positive)
        # four binomial standard errors are at most .0064
        assert np.mean(found, axis=1) == pytest.approx(expected, abs=0.0064)


@pytest.mark.parametrize("costs", FIXED.values(), ids=str)
def test_limits_are_those_of_the_question(costs):
    missed, alarmed = np.array([3.0, 4, 1, 7]), np.array([2.0, 3, 6, 9])
    wrong = {"a": [1, 1, 0, 0], "b": [1, 0, 1, 0]}
    calls = {name: np.r_[1 - np.array(x), x] for name, x in wrong.items()}
    study = rs.Study(np.repeat([1, 0], 4), calls, frequency=np.r_[missed, alarmed].astype(int))
    row = study.compare_costs(**costs, threshold=1).iloc[0]
    found = fixed_limits(Costs(**costs), missed, alarmed)
    assert found == pytest.approx((row["ci_low"], row["ci_high"]), rel=1e-12)


def test_intervals_cover(committed):
    """No row falls short, and no question in mean.

    The mean of the twelve cells of a question with 500 samples has a standard error of .0028.
    """
    fixed = committed["question"].isin(FIXED)
    assert (committed.loc[fixed, "replicates"] == 4000).all()
    assert not committed["shortfall"].any()
    assert (committed.groupby("question")["coverage"].mean() > 0.935).all()


def test_the_index_of_equal_curves_says_nothing(committed):
    equal = committed[(committed["design"] == "equal .80") & (committed["question"] == "lc_index")]
    assert (equal["mean_width"] > 1.7).all()


def test_chosen_thresholds_cover_in_the_share_that_the_docstring_says(committed):
    chosen = committed[committed["question"].str.startswith("selected")]
    assert chosen["coverage"].min() > 0.915
    assert chosen["coverage"].max() < 0.985


def test_the_least_coverage_of_a_setting_is_repeated():
    table = read_cost_limits()
    for row in table[table["n_pos"] <= 10].to_dict("records"):
        of_pos = row["pos_first"], row["pos_second"]
        of_neg = row["neg_first"], row["neg_second"]
        found = coverage((row["n_pos"], row["n_neg"]), of_pos, of_neg, row["weight"])
        assert found[row["limits"]][0] == pytest.approx(row["least"], abs=1e-6)


def test_combined_limits_cover_best_at_the_worst():
    least = read_cost_limits().pivot_table(index=["n_pos", "n_neg"], columns="limits")["least"]
    assert (least["tango-mover"] > np.maximum(least["t"], least["normal"])).all()
    assert least["tango-mover"].min() == pytest.approx(0.95, abs=0.0035)
