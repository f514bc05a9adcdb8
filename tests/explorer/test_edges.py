"""Cutoffs of an explorer: counts between them are those of the cases, and none is small."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.explorer.edges import (
    ScoreSteps,
    counts_between_edges,
    counts_called_at_edges,
    decimals_of_shown_cutoffs,
    ends_of_score_axis,
    number_of_cutoffs,
    offered_edges,
    read_steps,
)
from tests.quick import each
from tests.strategies import SEEDS


@st.composite
def scored(draw, most=400):
    """Labels, scores with many ties or none, and presets among and between them."""
    m, n = draw(st.integers(1, most)), draw(st.integers(1, most))
    rng = np.random.default_rng(draw(SEEDS))
    labels = np.repeat([1, 0], [m, n])
    scores = rng.normal(labels * rng.integers(3), 1.0).round(draw(st.integers(0, 6)))
    scores[rng.random(m + n) < draw(st.sampled_from([0.0, 0.02]))] = math.inf
    scores[rng.random(m + n) < draw(st.sampled_from([0.0, 0.02]))] = -math.inf
    presets = rng.choice([*scores[np.isfinite(scores)], 0.125, -9.0, 9.0], draw(st.integers(0, 3)))
    return labels, scores, presets


def steps_of(labels, scores, *, high=True):
    return read_steps(rs.Study(labels, scores, higher_is_positive=high).roc_curve())


@settings(max_examples=20)
@given(scored(), st.booleans())
def test_counts_at_every_edge_are_those_of_the_cases(case, exact):
    labels, scores, presets = case
    steps = steps_of(labels, scores)
    edges = offered_edges(steps, presets, exact=exact)
    at_least = scores >= edges[:, None]
    for which, found in zip((1, 0), counts_called_at_edges(steps, edges), strict=True):
        assert found.tolist() == (at_least & (labels == which)).sum(axis=1).tolist()
    for which, counts in zip((1, 0), counts_between_edges(steps, edges), strict=True):
        above = np.cumsum(counts[::-1])[::-1]
        assert above[1:].tolist() == (at_least & (labels == which)).sum(axis=1).tolist()
        assert above[0] == (labels == which).sum()


def leaves_nobody_alone(ill, well):
    return ill + well >= 5 and ill != 1 and well != 1


@settings(max_examples=20)
@given(scored())
def test_every_cutoff_leaves_nobody_alone_except_between_presets(case):
    labels, scores, presets = case
    edges = offered_edges(steps_of(labels, scores), presets, exact=False)
    assert set(presets) <= set(edges)
    assert (np.diff(edges) > 0).all()
    assert set(edges) <= {*scores, *presets}
    called = scores >= edges[:, None]
    for ill in (labels == 1, labels == 0):
        for edge, one in zip(edges, called, strict=True):
            cells = ((one & ill).sum(), (~one & ill).sum())
            assert edge in presets or all(cell == 0 or cell >= 5 for cell in cells)
    # Who is called otherwise by a neighbour: as a reader finds by subtracting two tables.
    bounds = [np.ones(len(scores), dtype=bool), *called, np.zeros(len(scores), dtype=bool)]
    fixed = [True, *(edge in presets for edge in edges), True]
    for i, (one, other) in enumerate(itertools.pairwise(bounds)):
        between = one & ~other
        if not (fixed[i] and fixed[i + 1]):
            assert leaves_nobody_alone(
                (between & (labels == 1)).sum(), (between & (labels == 0)).sum()
            )


@settings(max_examples=25)
@given(st.integers(4, 12), SEEDS)
def test_no_larger_set_of_cutoffs_leaves_nobody_alone(n, seed):
    """All sets of scores are tried."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 5, (n, 2))
    counts[0, 0] = counts[-1, 1] = 5
    steps = hand(*((i, *row) for i, row in enumerate(counts.tolist())))
    best = 0
    for picked in itertools.product([False, True], repeat=n - 1):
        cells = np.add.reduceat(counts, [0, *(np.flatnonzero(picked) + 1)], axis=0)
        up, down = cells.cumsum(axis=0)[:-1], cells[::-1].cumsum(axis=0)[::-1][1:]
        tables = np.concatenate([up, down])
        if all(leaves_nobody_alone(*cell) for cell in cells) and np.all(
            (tables == 0) | (tables >= 5)
        ):
            best = max(best, sum(picked))
    assert len(offered_edges(steps, [], exact=False)) == best


def test_208_patients_have_more_than_ten_cutoffs():
    labels = np.repeat([1, 0], [111, 97])
    scores = np.random.default_rng(1).normal(labels)
    steps = steps_of(labels, scores)
    shown, every = number_of_cutoffs(steps, offered_edges(steps, [], exact=False))
    assert shown > 25
    assert every == 207


def test_the_number_of_cutoffs_leaves_out_those_that_divide_nobody():
    steps = hand((1, 5, 5), (2, 5, 5), (3, 5, 5))
    assert number_of_cutoffs(steps, np.array([2.0])) == (1, 2)
    # 1 calls everybody positive; 2.5 and 3 call the same cases
    assert number_of_cutoffs(steps, np.array([1.0, 2.0, 2.5, 3.0])) == (2, 2)


@settings(max_examples=20)
@given(scored())
def test_an_exact_explorer_has_every_finite_score(case):
    labels, scores, presets = case
    edges = offered_edges(steps_of(labels, scores), presets, exact=True)
    assert set(edges) == {*scores[np.isfinite(scores)], *presets}


@settings(max_examples=20)
@given(scored())
def test_low_scores_that_are_positive_are_turned(case):
    labels, scores, presets = case
    turned = offered_edges(steps_of(labels, -scores, high=False), presets, exact=False)
    assert turned.tolist() == offered_edges(steps_of(labels, scores), presets, exact=False).tolist()


def hand(*rows):
    """Steps of scores with their positives and negatives, ascending."""
    score, pos, neg = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    pos, neg = (np.append(part[::-1].cumsum()[::-1], 0.0) for part in (pos, neg))
    return ScoreSteps(np.append(score, math.inf), pos, neg, np.append(-math.inf, score))


def test_cutoffs_that_leave_nobody_alone_by_hand():
    # Below 2 are 3 ill. At 3 and at 4 all counts are large; 5 patients lie between. At 5 there are
    # 2 well above.
    steps = hand((1, 3, 7), (2, 3, 2), (3, 5, 0), (4, 9, 6), (5, 8, 2))
    edges = offered_edges(steps, [], exact=False)
    assert edges.tolist() == [3, 4]
    assert [part.tolist() for part in counts_between_edges(steps, edges)] == [[6, 5, 17], [9, 0, 8]]


def test_one_patient_of_a_class_is_never_between_two_cutoffs():
    steps = hand((1, 9, 9), (2, 1, 9), (3, 9, 9))
    assert len(offered_edges(steps, [], exact=False)) == 1
    steps = hand((1, 9, 9), (2, 2, 9), (3, 9, 9))
    assert offered_edges(steps, [], exact=False).tolist() == [2, 3]


def test_a_preset_stays_and_its_neighbours_make_room():
    # At 2.5 the counts are those of 3, which goes.
    steps = hand((1, 3, 7), (2, 3, 2), (3, 5, 0), (4, 9, 6), (5, 8, 2))
    assert offered_edges(steps, [2.5], exact=False).tolist() == [2.5, 4]
    # 1.5 leaves 3 ill below it, and 5 has 2 well above: they stay as presets.
    assert offered_edges(steps, [1.5, 5.0], exact=False).tolist() == [1.5, 3, 4, 5]


def test_the_lowest_score_is_no_cutoff_as_everybody_is_positive_there():
    steps = hand((1, 5, 5), (2, 5, 5))
    assert offered_edges(steps, [], exact=False).tolist() == [2]
    steps = hand((1, 5, 5), (2, 5, 5), (3, 5, 5))
    assert offered_edges(steps, [], exact=False).tolist() == [2, 3]


def test_five_rows_offer_nothing_but_presets():
    steps = hand((1, 0, 1), (2, 1, 1), (3, 1, 0), (4, 1, 0))
    assert offered_edges(steps, [], exact=False).tolist() == []
    assert offered_edges(steps, [2.5], exact=False).tolist() == [2.5]
    assert offered_edges(steps, [2.5], exact=True).tolist() == [1, 2, 2.5, 3, 4]


def test_a_rare_class_has_as_many_cutoffs_as_the_other():
    """Of 100,000 cases with 1% positives, edges by rank of all cases would leave it a few."""
    labels = np.arange(100_000) % 100 == 0
    scores = np.arange(100_000) + 90_000.0 * labels
    edges = offered_edges(steps_of(labels, scores), [], exact=False)
    assert 150 < len(edges) <= 1000
    ill_above = 1000 - np.searchsorted(np.sort(scores[labels]), edges)
    assert len(set(ill_above)) > 150


@pytest.mark.parametrize(
    ("ends", "axis"),
    [
        ((9.71, 39.28), (9, 40)),  # a range of 30: units of 1
        ((143.5, 2501.0), (100, 2600)),
        ((0.003, 0.997), (0, 1)),
        ((-5.35, 5.05), (-5.4, 5.1)),
        ((5.0, 5.0), (4.9, 5.1)),
        ((0.0, 0.0), (-0.1, 0.1)),
        ((-5e-324, 5e-324), (-1e-301, 1e-301)),  # no smaller units
        ((-sys.float_info.max, sys.float_info.max), (-sys.float_info.max, sys.float_info.max)),
    ],
)
def test_the_axis_is_rounded_outward(ends, axis):
    assert ends_of_score_axis(*ends, exact=False) == axis


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_the_axis_holds_its_scores(one, other):
    low, high = sorted((one, other))
    floor, ceiling = ends_of_score_axis(low, high, exact=False)
    assert floor <= low <= high <= ceiling
    assert floor < ceiling
    assert ends_of_score_axis(low, high, exact=True)[0] <= low


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_the_axis_tells_no_score_within_its_units(one, other):
    assert ends_of_score_axis(10 + one, 60 + other, exact=False) == (10, 61)


@each(
    ("edges", "given", "decimals"),
    [
        ([10.38, 19.315, 39.28], [], 1),  # 2% of 23 is 0.46
        ([143.5, 696.25, 2501.0], [], 0),
        ([0.01, 0.5, 0.99], [], 2),
        ([1, 2, 3, 4, 5], [], 0),
        ([1, 2, 3, 3.5, 4, 5], [], 1),
        ([10.38, 19.315, 39.28], [20.0], 1),
        ([10.38, 19.315, 39.28], [19.25], 2),
        ([10.38, 19.315, 39.28], [1 / 3], 1),
        ([5.0], [], 0),
        ([0.1234], [], 3),
        ([1e300, 3e300], [1e300], 0),
        ([1e-300, 3e-300], [], 15),
        ([0.0], [], 0),
        (np.linspace(0, 6.3125, 11), [], 1),  # 2% of 5.05 is 0.101
        (np.linspace(0, 6.125, 11), [], 2),  # 2% of 4.9 is 0.098
    ],
)
def test_decimals_show_steps_of_a_fiftieth(edges, given, decimals):
    assert decimals_of_shown_cutoffs(np.array(edges, dtype=float), given) == decimals
