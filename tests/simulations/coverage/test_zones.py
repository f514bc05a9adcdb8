"""Chosen grey zones and tests of interaction: the limits of the package."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import rocstats as rs
from rocstats.facts.measures import LOGIT, equal_on_scale
from rocstats.inference.zones.grey_zone import grey_zone_limits_at_targets
from validation.coverage import grey_zone
from validation.size import subgroups


def test_limits_of_zones_are_those_of_the_question():
    cell = grey_zone.SETTINGS[3]
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
    table = subgroups.read_subgroups().iloc[len(subgroups.EQUAL) + 2]
    assert table["cochran"] > table["size"]
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
