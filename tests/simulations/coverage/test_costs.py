"""The simulation of compared costs knows its truth, repeats its cells, and covers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from validation.coverage.costs import (
    AT,
    CELLS,
    COSTS,
    QUESTIONS,
    CostCell,
    read_costs,
    run_cost_cell,
)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return read_costs()


def test_every_cell_is_there_once_and_adds_up(committed):
    wanted = [(c.design, c.n_pos, c.n_neg, name) for c in CELLS for name in QUESTIONS]
    key = ["design", "n_pos", "n_neg", "question"]
    assert list(committed[key].itertuples(index=False, name=None)) == wanted
    assert committed["seed"].nunique() == 1
    missed = 1 - committed["above"] - committed["below"]
    np.testing.assert_allclose(committed["coverage"], missed, atol=2e-6)


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


def test_a_cell_is_a_function_of_itself_and_the_seed():
    one, other = (pd.DataFrame(run_cost_cell(CELLS[0], 5, 1)) for _ in range(2))
    assert one.equals(other)


def test_intervals_cover(committed):
    """The mean of the twelve cells of a question is near .95; normal limits miss with 30 positives.

    The mean of twelve cells has a standard error of .0028; the docs say where cells fall short.
    """
    few = (committed["question"].str.startswith("fixed")) & (committed["n_pos"] == 30)
    below = (committed["coverage"] - 0.95) / np.sqrt(0.95 * 0.05 / committed["replicates"])
    assert (below[~few] > -4).all()
    assert (committed.loc[few, "coverage"] >= 0.91).all()
    assert (committed.groupby("question")["coverage"].mean() > 0.935).all()


def test_the_index_of_equal_curves_says_nothing(committed):
    equal = committed[(committed["design"] == "equal .80") & (committed["question"] == "lc_index")]
    assert (equal["mean_width"] > 1.7).all()


def test_chosen_thresholds_cover_in_the_share_that_the_docstring_says(committed):
    chosen = committed[committed["question"].str.startswith("selected")]
    assert chosen["coverage"].min() > 0.915
    assert chosen["coverage"].max() < 0.985
