from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import rocstats as rs
from rocstats.inference.classifiers.repair import vertex_reflected_in_chord
from tests import examples
from tests.quick import each
from tests.strategies import samples

# docs/methods/costs.md, "Repaired concavities" as a rating table: A(.2, .6), B(.4, .65), C(.6, .9)
# of 20 positives, 10 negatives
LABELS, RATINGS, TIMES = [1] * 4 + [0] * 4, [4, 3, 2, 1] * 2, [12, 1, 5, 2, 2, 2, 2, 4]


def f6(times=1, **arguments):
    return rs.Study(LABELS, RATINGS, frequency=np.array(TIMES) * times, **arguments)


def fisher(table):
    """Two-sided Fisher: the chance of all tables with these margins that are no more likely."""
    (a, b), (c, d) = table
    rows, left, n = a + b, a + c, a + b + c + d

    def ways(x):
        return math.comb(rows, x) * math.comb(n - rows, left - x)

    every = range(max(0, left + rows - n), min(rows, left) + 1)
    return sum(ways(x) for x in every if ways(x) <= ways(a)) / math.comb(n, left)


def position(study, called):
    positive = study.is_positive
    times = np.ones(len(positive)) if study.frequency is None else study.frequency
    fpr, tpr = (
        times[called & chosen].sum() / times[chosen].sum() for chosen in (~positive, positive)
    )
    return fpr, tpr


def test_reflection():
    assert vertex_reflected_in_chord((0.2, 0.6), (0.4, 0.65), (0.6, 0.9)) == pytest.approx(
        (0.4, 0.85)
    )


@pytest.mark.parametrize("thresholds", [None, (4, 3, 2), (3.5, 2.5, 1.5)])
def test_worked_example(thresholds):
    found = rs.repair_concavities(f6(), thresholds=thresholds)
    (row,) = found.concavities.itertuples()
    assert (row.fpr, row.tpr) == pytest.approx((0.4, 0.65))
    assert (row.fpr_repaired, row.tpr_repaired) == pytest.approx((0.4, 0.85))
    assert (row.threshold_start, row.threshold, row.threshold_end) == (thresholds or (4, 3, 2))
    assert (row.n_pos, row.n_neg, row.direction, row.method) == (20, 10, ">=", "fisher/exact")
    # positives 1 and 5, negatives 2 and 2: 36 of 120 ways, with 4 and 20 that are rarer
    assert row.p_value == pytest.approx(60 / 120)
    assert row.note == ("selected-concavity" if thresholds is None else "")
    points = found.points[["kind", "fpr", "tpr"]].to_numpy().tolist()
    assert [kind for kind, _, _ in points] == ["observed"] * 3 + ["repaired"]
    expected = [(0.2, 0.6), (0.4, 0.65), (0.6, 0.9), (0.4, 0.85)]
    assert [point[1:] for point in points] == [pytest.approx(point) for point in expected]
    assert found.apply([9, 4, 3, 2, 1]).tolist() == [True, True, False, True, False]


def test_more_data_make_a_concavity_real():
    p = [rs.repair_concavities(f6(times)).concavities["p_value"][0] for times in (1, 4, 16)]
    assert p == pytest.approx([fisher([[t, 5 * t], [2 * t, 2 * t]]) for t in (1, 4, 16)])
    assert p[0] > 0.1 > p[1] > 0.001 > p[2]


def test_thresholds_set_beforehand_raise_no_doubt(recwarn):
    rs.repair_concavities(f6(), thresholds=(4, 3, 2))
    assert not recwarn.list
    with pytest.warns(rs.StatisticalWarning, match="selected-concavity"):
        rs.repair_concavities(f6())


def test_lower_scores_that_are_positive():
    study = rs.Study(LABELS, [-4, -3, -2, -1] * 2, frequency=TIMES, higher_is_positive=False)
    found = rs.repair_concavities(study)
    (row,) = found.concavities.itertuples()
    assert (row.threshold_start, row.threshold, row.threshold_end) == (-4, -3, -2)
    assert (row.direction, row.fpr_repaired) == ("<=", pytest.approx(0.4))
    assert found.apply([-9, -4, -3, -2, -1]).tolist() == [True, True, False, True, False]
    same = rs.repair_concavities(study, thresholds=(-4, -3, -2))
    assert same.points.equals(found.points)


@given(samples(least=1))
def test_repaired_points_are_reflections_that_apply_attains(data):
    y, (score,) = data
    for sign in (1, -1):
        study = rs.Study(y, sign * score, higher_is_positive=sign > 0)
        found = rs.repair_concavities(study)
        points = found.points[["fpr", "tpr"]].to_numpy().reshape(-1, 4, 2)
        assert len(points) == len(found.concavities)
        for i, (a, b, c, mended) in enumerate(points):
            assert mended == pytest.approx(a + c - b)
            assert position(study, found.apply(sign * score, concavity=i)) == pytest.approx(mended)


@given(samples(least=1))
def test_every_concavity_of_the_curve_is_found(data):
    y, (score,) = data
    study = rs.Study(y, score)
    found = rs.repair_concavities(study, adjust="none").concavities
    curve = study.roc_curve()[["fp", "tp", "threshold"]].to_numpy()

    def depth(a, i, c):
        """How far below the chord from a to c the point i lies; negative above it."""
        (x1, y1), (x, y), (x2, y2) = curve[[a, i, c], :2]
        return (y2 - y1) * (x - x1) - (x2 - x1) * (y - y1)

    n = len(curve)
    hull = [
        i
        for i in range(n)
        if not any(depth(a, i, c) >= 0 for a in range(i) for c in range(i + 1, n))
    ]
    expected = []
    for a, c in pairwise(hull):
        deepest = max(range(a, c + 1), key=lambda i, a=a, c=c: depth(a, i, c))
        if depth(a, deepest, c) > 0:
            expected.append([curve[i, 2] for i in (a, deepest, c)])
    thresholds = found[["threshold_start", "threshold", "threshold_end"]].to_numpy()
    assert thresholds.tolist() == expected
    for (start, middle, end), p in zip(thresholds, found["p_value"], strict=True):
        first, second = (score < start) & (score >= middle), (score < middle) & (score >= end)
        table = [[int((y[part] == label).sum()) for part in (first, second)] for label in (1, 0)]
        assert p == pytest.approx(fisher(table))


def test_a_convex_curve_has_none():
    found = rs.repair_concavities(rs.Study([1, 1, 0, 1, 0, 0], [6, 5, 5, 3, 3, 1]))
    assert len(found.concavities) == len(found.points) == 0
    assert list(found.concavities.columns)[:2] == ["predictor", "direction"]
    with pytest.raises(rs.InputError, match="The study has 0 concavities"):
        found.apply([1, 2])


def test_a_concavity_that_starts_where_nobody_is_called():
    # negatives first: (0, 0), (1, 0), (1, 1); inverted, all is right
    study = rs.Study([0, 0, 1, 1], [4, 3, 2, 1])
    found = rs.repair_concavities(study)
    (row,) = found.concavities.itertuples()
    assert (row.threshold_start, row.threshold, row.threshold_end) == (np.inf, 3, 1)
    assert (row.fpr_repaired, row.tpr_repaired) == (0, 1)
    assert found.apply([np.inf, 4, 3, 2, 1, 0]).tolist() == [False] * 3 + [True, True, False]
    given = rs.repair_concavities(study, thresholds=(np.inf, 2.5, 1))
    assert given.points.equals(found.points)
    assert given.apply([9, 3, 2, 1]).tolist() == [False, False, True, True]


def test_several_concavities_are_adjusted():
    # + - + and again: two stretches that get steeper
    score = np.arange(12.0, 0, -1)
    study = rs.Study([1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0], score)
    found = rs.repair_concavities(study)
    p, adjusted = found.concavities["p_value"], found.concavities["p_adjusted"]
    assert len(p) == 2
    assert adjusted.to_numpy() == pytest.approx(
        [min(1, p.max() if i == p.argmax() else 2 * p.min()) for i in range(2)]
        if 2 * p.min() <= p.max()
        else [min(1, 2 * p.min())] * 2
    )
    assert set(found.concavities["note"]) == {"selected-concavity; adjusted=holm"}
    plain = rs.repair_concavities(study, adjust="none").concavities
    assert plain["p_adjusted"].equals(plain["p_value"])


def test_the_predictor_is_named_when_there_are_several(three):
    found = rs.repair_concavities(three, predictor="d3")
    alone = rs.repair_concavities(rs.Study(examples.Y, {"d3": examples.D3}))
    assert found.predictor == "d3"
    assert found.concavities.equals(alone.concavities)


def refused(**role):
    return rs.repair_concavities(rs.Study(LABELS, RATINGS, **role))


MESSAGES = [
    (lambda: refused(group=list("ab") * 4), "`group` must not be in a study whose concavities"),
    (lambda: refused(fold=list("ab") * 4), "`fold` must not be in a study whose concavities"),
    (lambda: refused(cluster=list("ab") * 4), "`cluster` must not be in a study whose concavities"),
    (lambda: refused(sample_weight=TIMES), "`sample_weight` must not be in a study whose"),
    (
        lambda: rs.repair_concavities(rs.Study(LABELS, {"a": RATINGS, "b": RATINGS})),
        r"`predictor` must be one of \['a', 'b'\]; got None",
    ),
    (lambda: rs.repair_concavities(f6(), predictor="x"), r"`predictor` must be one of \['score'\]"),
    (lambda: rs.repair_concavities(f6(), thresholds=(4, 3)), "`thresholds` must be three numbers"),
    (lambda: rs.repair_concavities(f6(), thresholds="abc"), "`thresholds` must be three numbers"),
    (
        lambda: rs.repair_concavities(f6(), thresholds=(2, 3, 4)),
        r"`thresholds` must become less strict .* which call \[24\.0, 17\.0, 14\.0\]",
    ),
    (
        lambda: rs.repair_concavities(f6(), thresholds=(np.inf, 4, 3)),
        r"`thresholds` must have B below the line AC; .* B at \(0\.2, 0\.6\)",
    ),
    (lambda: rs.repair_concavities(f6(), adjust="none at all"), "`adjust` must be one of"),
    (
        lambda: rs.repair_concavities(f6()).apply([1], concavity=1),
        "`concavity` must be a row of `concavities`, 0 to 0; got 1",
    ),
    (
        lambda: rs.repair_concavities(f6()).apply([1, None, 2]),
        r"`scores` must have no missing values; got 1 \(row 1\)",
    ),
]


@each(("call", "message"), MESSAGES)
def test_messages(call, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        call()
