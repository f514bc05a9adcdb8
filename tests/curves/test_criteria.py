"""Criteria against their definitions in fractions, over all thresholds; which vertices can win."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.curves.criteria import (
    CRITERIA,
    AlikeThresholds,
    CutpointRequest,
    best_vertices,
    candidate_vertices,
    last_vertex_calling_alike,
    make_criterion,
    threshold_place_reported,
    vertex_of_first_best_merit,
)
from rocstats.facts.arrays import cumulated
from tests.strategies import samples

COSTS = CutpointRequest(cost_fp=1, cost_fn=3, prevalence=0.25)
OPTIONS = {
    "cost": {"cost_fp": 1, "cost_fn": 3, "prevalence": 0.25},
    "fixed-tpr": {"tpr": 0.6},
    "fixed-fpr": {"fpr": 0.6},
}


def asked_of(name):
    return CutpointRequest(rate=0.6) if name.startswith("fixed") else COSTS


def points_of(counts):
    """True and false positives at each vertex, as the only row of arrays."""
    return [cumulated(c[np.newaxis]) for c in (counts.n_pos, counts.n_neg)]


def resampled_points_of(counts, rng, size):
    """True and false positives at each vertex of resamples within the classes, one a row."""
    return [
        cumulated(rng.multinomial(int(c.sum()), c / c.sum(), size=size))
        for c in (counts.n_pos, counts.n_neg)
    ]


def merit_by_hand(name, tp, fp, m, n):
    """What is to be largest, as a number or a tuple; None where a point cannot be chosen."""
    tpr, fpr = Fraction(int(tp), int(m)), Fraction(int(fp), int(n))
    right, total = tp + n - fp, m + n
    if name == "kappa":
        chance = Fraction(int((tp + fp) * m + (total - tp - fp) * n), int(total) ** 2)
        return (Fraction(int(right), int(total)) - chance) / (1 - chance)
    least = Fraction(3, 5)
    return {
        "youden": tpr - fpr,
        "closest-topleft": -(fpr**2) - (1 - tpr) ** 2,
        "product": tpr * (1 - fpr),
        "equal-error": -abs(fpr - (1 - tpr)),
        "accuracy": Fraction(int(right), int(total)),
        "cost": -(Fraction(3, 4) * fpr + 3 * Fraction(1, 4) * (1 - tpr)),
        "fixed-tpr": (1 - fpr, tpr) if tpr >= least else (Fraction(-1), tpr * 0),
        "fixed-fpr": tpr if fpr <= least else Fraction(-1),
    }[name]


def best_by_hand(name, y, score):
    """The counts of the best point: of several the one with the fewest called positive."""
    m, n = y.sum(), len(y) - y.sum()
    points = [(0, 0)]
    for cut in np.unique(score)[::-1]:
        called = score >= cut
        points.append((int((called & (y == 1)).sum()), int((called & (y == 0)).sum())))
    merits = [merit_by_hand(name, tp, fp, m, n) for tp, fp in points]
    return points[merits.index(max(merits))]


@pytest.mark.parametrize("name", CRITERIA)
@given(data=samples(least=1))
def test_the_chosen_point_is_the_best_of_all(name, data):
    y, (score,) = data
    counts, criterion = rs.Study(y, score).cases.counts(0), make_criterion(name, asked_of(name))
    tp, fp = points_of(counts)
    for columns in (candidate_vertices(counts, criterion), np.arange(tp.shape[1])):
        (vertex,) = best_vertices(fp, tp, columns, criterion)
        assert (tp[0, vertex], fp[0, vertex]) == best_by_hand(name, y, score)


@pytest.mark.parametrize("name", CRITERIA)
@given(data=samples(least=1))
def test_candidates_of_rising_criteria_end_a_rise_and_those_of_others_are_all(name, data):
    y, (score,) = data
    counts, criterion = rs.Study(y, score).cases.counts(0), make_criterion(name, asked_of(name))
    positives = [set(y[score == at]) for at in np.unique(score)[::-1]]
    rises = [
        vertex + 1
        for vertex, (here, after) in enumerate(zip(positives, [*positives[1:], {0}], strict=True))
        if 1 in here and 0 in after
    ]
    everywhere = list(range(len(positives) + 1))
    expected = [0, *rises] if criterion.rising else everywhere
    assert candidate_vertices(counts, criterion).tolist() == expected


@pytest.mark.parametrize("name", CRITERIA)
@given(data=samples(least=2), seed=st.integers(0, 10**6))
def test_corners_of_the_sample_hold_the_best_of_every_resample(name, data, seed):
    y, (score,) = data
    counts, criterion = rs.Study(y, score).cases.counts(0), make_criterion(name, asked_of(name))
    tp, fp = resampled_points_of(counts, np.random.default_rng(seed), 20)
    chosen = best_vertices(fp, tp, candidate_vertices(counts, criterion), criterion)
    everywhere = best_vertices(fp, tp, np.arange(tp.shape[1]), criterion)
    np.testing.assert_array_equal(chosen, everywhere)
    called, rows = tp + fp, np.flatnonzero(chosen > 0)
    # A threshold is a score that was drawn.
    assert (called[rows, chosen[rows]] > called[rows, chosen[rows] - 1]).all()


@pytest.mark.parametrize("prevalence", [0.1, 0.5, 0.9])
def test_the_coarse_search_for_equal_errors_finds_what_looking_everywhere_finds(prevalence, rng):
    criterion = make_criterion("equal-error", asked_of("equal-error"))
    y = rng.random(400) < prevalence
    counts = rs.Study(y, (rng.normal(size=400) + y).round(2)).cases.counts(0)
    tp, fp = resampled_points_of(counts, rng, 300)
    coarse, plain = (
        best_vertices(fp, tp, np.arange(tp.shape[1]), way)
        for way in (criterion, criterion._replace(crossing=False))
    )
    np.testing.assert_array_equal(coarse, plain)


def test_ties_go_to_the_first_but_for_rounding():
    merit = np.array([[0.0, 0.3 - 0.1, 0.2, 0.2], [0.0, -1.0, -2.0, 0.0], [-np.inf, 1, 2, 2]])
    assert merit[0, 1] < merit[0, 2]
    assert vertex_of_first_best_merit(merit).tolist() == [1, 0, 2]


@given(data=samples(least=2), cost_fn=st.sampled_from([0.2, 1.0, 5.0]))
def test_cost_is_that_of_optimal_points(data, cost_fn):
    y, (score,) = data
    study = rs.Study(y, score)
    asked = {"cost_fp": 1, "cost_fn": cost_fn, "prevalence": 0.3}
    hull = study.optimal_points(**asked)
    frame = study.cutpoints("cost", n_resamples=100, rng=1, **asked).set_index("quantity")
    assert frame.loc["expected_cost", "apparent"] == pytest.approx(
        hull["expected_cost"].iloc[0], abs=1e-12
    )
    assert frame.loc["threshold", "estimate"] == hull["threshold"].iloc[0]


# An answer of a study takes milliseconds, three of them an example: few examples a criterion.
@pytest.mark.parametrize("name", [name for name in CRITERIA if name != "equal-error"])
@settings(max_examples=12)
@given(data=samples(least=2))
def test_increasing_transforms_and_directions_change_nothing(name, data):
    y, (score,) = data
    # Observed scores go with the transform; a midpoint only stays between the same two scores.
    asked = {"n_resamples": 100, "rng": 1, "threshold_at": "observed", **OPTIONS.get(name, {})}
    frame = rs.Study(y, score).cutpoints(name, **asked)
    grown = rs.Study(y, np.exp(score / 3)).cutpoints(name, **asked)
    turned = rs.Study(y, -score, higher_is_positive=False).cutpoints(name, **asked)
    columns = ["apparent", "optimism", "estimate", "se", "ci_low", "ci_high", "threshold"]
    # One array a frame: a column of a frame costs more than its comparison.
    one, two, three = (found[columns].to_numpy() for found in (frame, grown, turned))
    for other in (two, three):
        assert np.array_equal(other[1:, :-1], one[1:, :-1], equal_nan=True)
    low, high, threshold = (columns.index(c) for c in ("ci_low", "ci_high", "threshold"))
    assert two[0, threshold] == np.exp(one[0, threshold] / 3)
    assert three[0, threshold] == -one[0, threshold]
    assert three[0, low] == -one[0, high]
    assert three[0, high] == -one[0, low]
    assert set(turned["direction"]) == {"<="}


SCALES = [
    (lambda score: score + 0.25, True),
    (lambda score: np.exp(score / 3), True),
    (lambda score: -score / 7 - 0.01, False),
]


@pytest.mark.parametrize("name", ["youden", "equal-error", "cost", "fixed-tpr"])
@settings(max_examples=18)
@given(data=samples(least=2), scale=st.sampled_from(SCALES))
def test_midpoints_decide_as_the_observed_score_on_every_scale(name, data, scale):
    """Strictly between the chosen score and the next one, whatever increasing map was applied."""
    y, (score,) = data
    asked = {"n_resamples": 100, "rng": 1, **OPTIONS.get(name, {})}
    observed = rs.Study(y, score).cutpoints(name, threshold_at="observed", **asked).iloc[0]
    called = score >= observed["threshold"]
    transform, higher = scale
    scores = transform(score)
    study = rs.Study(y, scores, higher_is_positive=higher)
    row = study.cutpoints(name, **asked).iloc[0]
    threshold = row["threshold"]
    assert row["estimate"] == row["apparent"] == threshold
    np.testing.assert_array_equal(scores >= threshold if higher else scores <= threshold, called)
    rates = ["fpr", "tpr", "fp", "tp"]
    assert row[rates].tolist() == observed[rates].tolist()
    if 0 < called.sum() < len(called):
        inside, outside = scores[called], scores[~called]
        ends = (outside.max(), inside.min()) if higher else (inside.max(), outside.min())
        assert ends[0] < threshold < ends[1]
        assert threshold == pytest.approx(np.mean(ends), rel=1e-14)
        at = study.cutpoints(name, threshold_at="observed", **asked).loc[0, "threshold"]
        assert at == (ends[1] if higher else ends[0])


@pytest.mark.parametrize(
    ("scores", "reported"),
    [
        ([4.0, 3.0, 1.0], "observed"),
        ([np.inf, 3.0, -np.inf], "observed"),
        # Below 2^52 there are doubles with a fraction; from there on, none.
        ([1.0, 150.0, 2.0**52 - 1], "observed"),
        ([1.0, 150.0, 2.0**52], "midpoint"),
        ([4.0, 3.5, 1.0], "midpoint"),
        ([np.inf, 0.5], "midpoint"),
    ],
)
def test_whole_numbers_are_reported_as_observed(scores, reported):
    assert threshold_place_reported(np.array(scores), "midpoint") == reported
    assert threshold_place_reported(np.array(scores), "observed") == "observed"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_midpoint_that_is_no_number_between_both_ends_gives_the_observed_score(sign):
    tiny = np.nextafter(0.0, 1.0)
    strict = np.array([1.0, np.nextafter(1.0, 2.0), np.inf, 0.3, np.inf, 1.5e308, tiny, 2 * tiny])
    lax = np.array([0.5, 1.0, 0.3, -np.inf, -np.inf, 1.0e308, 0.0, 0.0])
    found = AlikeThresholds(sign * strict, sign * lax).at("midpoint")
    kept = strict.copy()
    kept[0], kept[5] = 0.75, 1.25e308
    kept[7] = tiny
    np.testing.assert_array_equal(found, sign * kept)


@given(data=samples(least=1))
def test_the_last_vertex_that_decides_alike_is_found_by_looking_at_each(data):
    y, (score,) = data
    counts = rs.Study(y, score).cases.counts(0)
    rng = np.random.default_rng(5)
    fp, tp = (cumulated(rng.binomial(c.astype(int), 0.5, (20, len(c)))) for c in counts[1:3])
    vertex = rng.integers(tp.shape[1], size=20)
    for row, (at, last) in enumerate(
        zip(vertex, last_vertex_calling_alike(fp, tp, vertex), strict=True)
    ):
        same = (fp[row] == fp[row, at]) & (tp[row] == tp[row, at])
        assert last == np.flatnonzero(same).max()


@pytest.mark.parametrize(
    "name", ["youden", "closest-topleft", "product", "equal-error", "accuracy"]
)
@given(data=samples(least=2))
def test_exchanged_classes_have_the_same_best_value(name, data):
    """Rates trade places; of equally good points each side takes its own strictest."""
    y, (score,) = data
    cases, criterion, values = rs.Study(y, score).cases, make_criterion(name, COSTS), []
    for counts in (cases.counts(0), cases.exchanged().counts(0)):
        tp, fp = points_of(counts)
        (v,) = best_vertices(fp, tp, candidate_vertices(counts, criterion), criterion)
        m, n = tp[:, -1], fp[:, -1]
        values.append(criterion.value(fp[:, v] / n, tp[:, v] / m, m, n)[0])
    assert values[0] == pytest.approx(values[1], abs=1e-12)
