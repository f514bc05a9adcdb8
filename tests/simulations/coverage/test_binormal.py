"""The binormal interval: true areas, and what the pages say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from validation.coverage.binormal import CELLS

KEY = ["law", "n_pos", "n_neg", "auc", "method"]
FIT = "maximum-likelihood/probit"


COMMITTED = "coverage/binormal"


def test_ranks_cover_where_the_model_is_right_and_near_it(committed):
    covered = committed.set_index("method").loc[FIT, "coverage"]
    noise = 3 * np.sqrt(0.95 * 0.05 / committed["replicates"].min())
    assert covered.min() >= 0.93 - noise
    assert covered.mean() == pytest.approx(0.95, abs=0.01)


def test_normal_theory_fails_where_scores_are_not_normal(committed):
    rows = committed[committed["method"] == "normal-theory/probit"].set_index("law")
    assert rows.loc[["equal-variance", "sd-ratio-2"], "coverage"].min() >= 0.91
    assert rows.loc["biexponential", "coverage"].min() < 0.5


@pytest.mark.parametrize("position", [1, 8, 19])
def test_truth_is_the_area_of_the_law(position):
    cell = CELLS[position]
    assert cell.law != "five-categories"
    scores = np.array([cell.draw(np.random.default_rng(i)) for i in range(300)])
    pos, neg = scores[:, : cell.n_pos], scores[:, cell.n_pos :]
    areas = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2))
    assert abs(areas.mean() - cell.auc) < 4 * areas.std() / np.sqrt(300)


def test_categories_are_the_scores_of_equal_variance_cut():
    cut, plain = CELLS[12], CELLS[0]
    assert (cut.law, plain.law) == ("five-categories", "equal-variance")
    shift = np.sqrt(2) * norm.ppf(0.8)
    edges = norm.ppf([0.2, 0.4, 0.6, 0.8], shift / 2, 1.2)
    drawn = plain.draw(np.random.default_rng(1))
    expected = (drawn[:, None] > edges).sum(axis=1)
    np.testing.assert_array_equal(cut.draw(np.random.default_rng(1)), expected)
