"""The committed coverage of chosen grey zones, and the size of tests of interaction."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.scales import LOGIT, equal_on_scale
from rocstats.inference.zones import ZonePlan, at_targets
from rocstats.study.cases import ScoredCases
from validation.bounds import too_high, too_low
from validation.coverage import grey_zone
from validation.size import subgroups


def test_marks_of_the_tables_are_those_of_the_rule():
    zones = grey_zone.read_grey_zone()
    again = too_low(zones["coverage"], grey_zone.LEVEL, zones["defined"])
    assert np.array_equal(zones["shortfall"], again)
    assert len(zones) == 8 * len(grey_zone.SETTINGS)
    sizes = subgroups.read_subgroups()
    assert np.array_equal(sizes["shortfall"], too_high(sizes["size"], 0.05, sizes["tested"]))
    assert len(sizes) == len(subgroups.CELLS)


def test_cells_are_made_again_and_limits_are_those_of_the_question():
    first = grey_zone.limits_of_cell(0, 1, grey_zone.SEED)
    assert np.array_equal(first, grey_zone.limits_of_cell(0, 1, grey_zone.SEED))
    rng = np.random.default_rng(3)
    y = np.arange(60) < 30
    score = rng.standard_normal(60) + y
    cases = ScoredCases(scores=score[None], is_positive=y, higher_is_positive=(True,))
    draws = ResamplePlan(100, 1)
    plan = ZonePlan(None, (0.9, 0.8), None, grey_zone.LEVEL, draws)
    found = at_targets(cases, 0, plan, draws.at(0, 0)).answers
    asked = rs.Study(y, score).grey_zone(tpr=0.9, tnr=0.8, n_resamples=100, rng=1)
    limits = np.array([(answer.low, answer.high) for answer in found])
    assert np.array_equal(asked[["ci_low", "ci_high"]].to_numpy(), limits, equal_nan=True)


def test_sizes_of_interactions_are_those_of_the_question():
    p = subgroups.p_values_of_cell(24, 100, subgroups.SEED)
    assert np.array_equal(
        p, subgroups.p_values_of_cell(24, 200, subgroups.SEED)[:100], equal_nan=True
    )
    # A cell of unequal classes is run again: four Monte-Carlo errors of the difference.
    table = subgroups.read_subgroups()
    at = len(subgroups.EQUAL) + 2
    again = subgroups.row_of_cell(at, 600, subgroups.SEED + 1)
    assert tuple(again[name] for name in subgroups.Cell._fields) == subgroups.CELLS[at]
    error = np.sqrt(0.05 * 0.95 * (1 / 600 + 1 / 4000))
    assert abs(again["size"] - table["size"][at]) < 4 * error
    assert again["cochran"] > again["size"]
    # The array code has the estimates, variances and degrees of freedom of the package.
    cell, rng = subgroups.Cell("auc", 3, 12, 40, 0.85, "five-point"), np.random.default_rng(8)
    levels = subgroups.levels_of(cell, 1, rng)
    y, score, level = _scores_again(cell, np.random.default_rng(8))
    row = rs.Study(y, score).subgroups({"level": level}).iloc[1]
    test = equal_on_scale(LOGIT, *(values[0] for values in levels))
    assert [row["statistic"], row["df"]] == pytest.approx([test.statistic, test.df], rel=1e-10)


def _scores_again(cell, rng):
    """Return classes, scores of the first marker and levels of the first sample of a cell."""
    first = []
    for n in (cell.n_pos, cell.n_neg):
        common, own = rng.standard_normal((1, 3, n)), rng.standard_normal((2, 1, 3, n))
        first.append((np.sqrt(0.5) * (common + own))[0, 0])
    pos = first[0] + np.sqrt(2) * ndtri(cell.value)
    score = np.searchsorted(subgroups.POINTS, np.hstack([pos, first[1]]))
    y = np.repeat([[1, 0]], 3, axis=0).repeat([cell.n_pos, cell.n_neg], axis=1)
    return y.ravel(), score.ravel(), np.repeat(np.arange(3), y.shape[1])
