"""The committed coverage of chosen grey zones, and the size of tests of interaction."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import rocstats as rs
from rocstats.facts.measures import LOGIT, equal_on_scale
from rocstats.inference.zones.grey_zone import grey_zone_limits_at_targets
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
    first = grey_zone.limits_of_cell(3, 2, grey_zone.SEED)
    assert np.array_equal(first[:1], grey_zone.limits_of_cell(3, 1, grey_zone.SEED))
    table, position, replicates = grey_zone.read_grey_zone(), 3, 200
    cell = grey_zone.SETTINGS[position]
    known = table[(table[[*cell._fields]] == [*cell]).all(axis=1)]
    rows = grey_zone.rows_of_cell(position, replicates, 2, grey_zone.SEED + 1)
    for row, share in zip(rows, known["coverage"], strict=True):
        error = np.sqrt(0.95 * 0.05 * (1 / replicates + 1 / 4000))
        assert abs(row["coverage"] - share) < 4 * error
    cases = grey_zone.cases_of(cell, np.random.default_rng(3))
    asked = rs.Study(cases.is_positive, cases.scores[0]).grey_zone(
        tpr=cell.tpr, tnr=cell.tnr, n_resamples=100, rng=1
    )
    share = cell.n_pos / (cell.n_pos + cell.n_neg)
    limits = np.array(
        grey_zone_limits_at_targets(cases.counts(0), (cell.tpr, cell.tnr), share, 0.95)
    )
    estimate = asked["estimate"].to_numpy()
    assert asked["ci_low"].to_numpy() == pytest.approx(np.minimum(limits[:, 0], estimate))
    assert asked["ci_high"].to_numpy() == pytest.approx(np.maximum(limits[:, 1], estimate))


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
