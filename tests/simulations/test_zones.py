"""The committed coverage of chosen grey zones, and the size of tests of interaction."""

from __future__ import annotations

import numpy as np

import rocstats as rs
from rocstats.estimate.resample import ResamplePlan
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
    p = subgroups.p_values_of_cell(24, 100, subgroups.SEED)
    assert np.array_equal(
        p, subgroups.p_values_of_cell(24, 200, subgroups.SEED)[:100], equal_nan=True
    )
