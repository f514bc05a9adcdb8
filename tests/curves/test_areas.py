from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocstats as rs
from rocstats.curves.areas import (
    AreaRange,
    partial_area,
    range_ends_at_vertical_step,
    range_placements,
)
from rocstats.estimate.influence import area_covariance
from rocstats.study.count_tables import LabelledScores, ScoreCounts, count_scores_of
from tests import examples
from tests.strategies import samples

ENDS = (
    st.tuples(st.integers(0, 60), st.integers(0, 60))
    .filter(lambda ends: ends[0] < ends[1])
    .map(lambda ends: (ends[0] / 60, ends[1] / 60))
)


def counts_of(y, score):
    return count_scores_of(LabelledScores(np.asarray(score, float), np.asarray(y) == 1, None, True))


def polygon_area(x, y, low, high):
    """Area under a polygon from low to high, segment by segment; vertical segments add nothing."""
    total = 0.0
    for x0, x1, y0, y1 in zip(x[:-1], x[1:], y[:-1], y[1:], strict=True):
        a, b = max(x0, low), min(x1, high)
        if b > a:
            at = [y0 + (y1 - y0) * (u - x0) / (x1 - x0) for u in (a, b)]
            total += (b - a) * sum(at) / 2
    return total


def by_definition(counts, axis, low, high):
    fpr = np.append(0, np.cumsum(counts.n_neg) / counts.n_neg.sum())
    tpr = np.append(0, np.cumsum(counts.n_pos) / counts.n_pos.sum())
    if axis == "fpr":
        return polygon_area(fpr, tpr, low, high)
    return polygon_area(tpr, 1 - fpr, low, high)  # specificity over the sensitivities


@given(samples(least=1), ENDS, st.sampled_from(["fpr", "tpr"]))
def test_partial_area_is_that_of_the_polygon(data, ends, axis):
    y, (score,) = data
    counts = counts_of(y, score)
    found = partial_area(counts, AreaRange(axis, *ends))
    assert found == pytest.approx(by_definition(counts, axis, *ends), abs=1e-12)


@given(samples(least=2), ENDS, st.sampled_from(["fpr", "tpr"]))
def test_influence_is_the_derivative_in_the_weight_of_a_case(data, ends, axis):
    y, (score,) = data
    counts, over = counts_of(y, score), AreaRange(axis, *ends)
    if range_ends_at_vertical_step(counts, over):
        return  # the derivative has two sides there
    influence = range_placements(counts, over)
    step = 1e-7
    for which, name in enumerate(("n_pos", "n_neg")):
        table, of_class = getattr(counts, name), influence[which]
        mean = np.dot(table, of_class) / table.sum()
        for k in np.flatnonzero(table):
            areas = []
            for sign in (1, -1):
                moved = table.copy()
                moved[k] += sign * step
                parts = {"n_pos": counts.n_pos, "n_neg": counts.n_neg, name: moved}
                areas.append(by_definition(ScoreCounts(counts.score, **parts), axis, *ends))
            slope = (areas[0] - areas[1]) / (2 * step)
            assert slope == pytest.approx((of_class[k] - mean) / table.sum(), abs=2e-6)


# docs/methods/partial-areas.md, "Worked partial areas"
def test_printed_partial_area_of_d1():
    study = rs.Study(examples.Y, examples.D1)
    over = AreaRange("fpr", 0, 0.2)
    assert partial_area(study.cases.counts(0), over) == pytest.approx(0.10625, abs=1e-15)
    found = area_covariance(study.cases, [0], over=over)
    assert found.covariance[0, 0] == pytest.approx(0.0014670139, abs=5e-11)
    assert not range_ends_at_vertical_step(
        study.cases.counts(0), over
    )  # a vertex between two sloped ties


def test_an_end_at_a_vertical_step_takes_its_middle():
    # the curve (0, 0) (0, 1/2) (1/2, 1/2) (1/2, 1) (1, 1): at FPR 1/2 it rises from 1/2 to 1
    counts = counts_of([1, 0, 1, 0], [4, 3, 2, 1])
    over = AreaRange("fpr", 0, 0.5)
    assert range_ends_at_vertical_step(counts, over)
    assert not range_ends_at_vertical_step(counts, AreaRange("fpr", 0, 0.4))
    assert partial_area(counts, over) == 0.25
    _, of_neg = range_placements(counts, over)
    # the first negative spans FPR [0, 1/2] (TPR 1/2); the second lies beyond: the middle, 3/4
    assert of_neg[[1, 3]].tolist() == [0.5, 0.75]


# docs/methods/partial-areas.md, "Worked partial areas": variance of the CT ratings over [0, .2],
# whose end cuts a tied segment
def test_printed_partial_variance_of_the_ct_ratings(ct):
    over = AreaRange("fpr", 0, 0.2)
    found = area_covariance(ct.cases, [0], over=over).covariance[0, 0]
    assert found == pytest.approx(2.58e-4, abs=5e-7)


@given(samples(), st.sampled_from(["fpr", "tpr"]))
def test_the_whole_range_is_the_whole_area(data, axis):
    y, (score,) = data
    study = rs.Study(y, score)
    whole = area_covariance(study.cases, [0])
    # just inside the ends, so that the general code runs
    found = area_covariance(study.cases, [0], over=AreaRange(axis, 1e-15, 1 - 1e-15))
    assert found.area == pytest.approx(whole.area, abs=1e-12)
    assert found.covariance == pytest.approx(whole.covariance, abs=1e-12)


@given(samples(least=2), st.integers(1, 59))
def test_ranges_add_up(data, cut):
    y, (score,) = data
    counts = counts_of(y, score)
    parts = [AreaRange("fpr", 0, cut / 60), AreaRange("fpr", cut / 60, 1)]
    whole = partial_area(counts, AreaRange())
    assert sum(partial_area(counts, part) for part in parts) == pytest.approx(whole, abs=1e-12)


def test_scikit_learn_standardises_the_same_area(rng):
    y = np.repeat([1, 0], [40, 70])
    score = np.round(rng.normal(size=110) + y, 1)
    over = AreaRange("fpr", 0, 0.3)
    p = partial_area(counts_of(y, score), over)
    standardised = (1 + (p - over.chance()) / (over.width - over.chance())) / 2
    assert standardised == pytest.approx(roc_auc_score(y, score, max_fpr=0.3), abs=1e-12)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("low", [0.25, 1 - 2**-40])
def test_scales_of_short_ranges_near_1_are_exact(axis, low):
    over = AreaRange(axis, low, 1.0)
    at = Fraction(low) if axis == "fpr" else Fraction(0)
    width = 1 - Fraction(low)
    # McClish 1989: (1 + (area - chance)/(width - chance))/2, over FPRs of the mirrored curve
    chance = width * (2 * at + width) / 2
    offset, scale = (1 - chance / (width - chance)) / 2, width / (width - chance) / 2
    _, found_offset, found_scale = over.quantities()[1]
    assert found_offset == pytest.approx(float(offset), rel=1e-12)
    assert found_scale == pytest.approx(float(scale), rel=1e-12)
