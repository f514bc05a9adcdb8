from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn.isotonic import IsotonicRegression

import rocstats as rs
from rocstats.curves.convex_hull import hull_vertices
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import assert_frames_equal, each
from tests.strategies import samples

INF = float("inf")
TWO = {"a": examples.D1, "b": examples.D2}
FIGURE_4_Y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
FIGURE_4_SCORE = [
    *(0.99999, 0.99999, 0.99993, 0.99986, 0.99964, 0.99955),
    *(0.68139, 0.50961, 0.48880, 0.44951),
]


def points_of(y, score):
    """Counts (fp, tp) of every threshold, by algorithm 1."""
    return [(int(fp), int(tp)) for _, fp, tp in oracles.algorithm_1(y, score)]


def on_or_below(p, a, b):
    """Whether p lies on or below the segment from a to b, a.x <= p.x <= b.x."""
    if not a[0] <= p[0] <= b[0]:
        return False
    if a[0] == b[0]:
        return min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    height = a[1] + Fraction(p[0] - a[0], b[0] - a[0]) * (b[1] - a[1])
    return height >= p[1]


def brute_hull(points):
    """The ends, and every point that no segment of two others covers."""
    points = sorted(set(points))
    inner = [
        p
        for p in points[1:-1]
        if not any(on_or_below(p, a, b) for a, b in combinations(points, 2) if p not in (a, b))
    ]
    return [points[0], *inner, points[-1]]


def counts_of(frame):
    return list(zip(frame["fp"].astype(int), frame["tp"].astype(int), strict=True))


@given(samples(least=1))
def test_the_hull_is_what_no_segment_covers(data):
    y, (score,) = data
    hull = rs.Study(y, score).roc_hull()
    assert counts_of(hull) == brute_hull(points_of(y, score))
    curve = {(t, fp, tp) for t, fp, tp in oracles.algorithm_1(y, score).tolist()}
    assert set(hull[["threshold", "fp", "tp"]].itertuples(index=False, name=None)) <= curve


@given(samples(least=1))
def test_the_hull_is_concave_and_dominates_the_curve(data):
    y, (score,) = data
    study = rs.Study(y, score)
    hull, curve = study.roc_hull(), study.roc_curve()
    inside = hull["slope_low"].to_numpy()
    assert (np.diff(inside[:-1]) < 0).all()
    assert hull["slope_high"][1:].tolist() == inside[:-1].tolist()
    assert (hull["slope_high"][0], inside[-1]) == (INF, 0)
    # at an upright edge the hull's height is that of its upper end
    upper = hull.drop_duplicates("fpr", keep="last")
    height = np.interp(curve["fpr"], upper["fpr"], upper["tpr"])
    assert (height >= curve["tpr"] - 1e-12).all()
    area = oracles.trapezoid(hull["fpr"].tolist(), hull["tpr"].tolist())
    assert area >= oracles.auc(y, score) - 1e-12
    assert area >= 0.5 - 1e-12


@given(samples(least=1))
def test_edges_are_the_blocks_of_isotonic_regression(data):
    # Fawcett & Niculescu-Mizil (2007): pooled adjacent violators give the hull's edges
    y, (score,) = data
    fitted = IsotonicRegression().fit(score, y).predict(score)
    values = np.unique(fitted.round(9))[::-1]
    hull = rs.Study(y, score).roc_hull()
    share = np.diff(hull["tp"]) / (np.diff(hull["tp"]) + np.diff(hull["fp"]))
    assert share == pytest.approx(values)


@given(samples(least=1))
def test_slopes_are_those_of_the_edges(data):
    y, (score,) = data
    hull = rs.Study(y, score).roc_hull()
    corners = hull[["fpr", "tpr"]].to_numpy().tolist()
    slopes = [INF if c[0] == a[0] else (c[1] - a[1]) / (c[0] - a[0]) for a, c in pairwise(corners)]
    assert hull["slope_low"][:-1].tolist() == pytest.approx(slopes)


@given(samples(least=1))
def test_swapping_labels_and_direction_reflects_the_hull(data):
    y, (score,) = data
    hull = rs.Study(y, score).roc_hull()
    other = rs.Study(1 - y, score, higher_is_positive=False).roc_hull().iloc[::-1]
    # a point (f, t) becomes (1 - t, 1 - f), read backwards; a slope m becomes 1 / m
    assert other["fpr"].to_numpy() == pytest.approx(1 - hull["tpr"].to_numpy())
    assert other["tpr"].to_numpy() == pytest.approx(1 - hull["fpr"].to_numpy())
    with np.errstate(divide="ignore"):
        assert other["slope_high"].to_numpy() == pytest.approx(1 / hull["slope_low"].to_numpy())


@given(samples(least=1), st.data())
def test_a_frequency_is_replicated_rows(data, draw):
    y, (score,) = data
    n = draw.draw(st.lists(st.integers(1, 4), min_size=len(y), max_size=len(y)))
    once = rs.Study(y, score, frequency=n)
    often = rs.Study(np.repeat(y, n), np.repeat(score, n))
    assert_frames_equal(once.roc_hull(), often.roc_hull(), check_exact=True)
    costs = {"cost_fp": 1, "cost_fn": 3}
    assert_frames_equal(once.optimal_points(**costs), often.optimal_points(**costs))


def upper_height(x, y):
    """The upper hull's height at each x by Qhull."""
    corners = np.column_stack([x, y])
    at = np.sort(ConvexHull(corners).vertices)
    # the lower hull of a curve over the chord of its ends is below that chord
    at = [i for i in at if (y[i] - y[0]) * (x[-1] - x[0]) >= (y[-1] - y[0]) * (x[i] - x[0])]
    return np.interp(x, x[at], y[at])


@pytest.mark.parametrize("scale", [1.0, 1e7])
def test_long_walks_against_qhull(rng, scale):
    up = rng.random(30_000) < np.linspace(0.9, 0.2, 30_000)
    x = np.insert(np.cumsum(~up), 0, 0) * scale
    y = np.insert(np.cumsum(up), 0, 0) * scale
    at = hull_vertices(x, y)
    last = np.append(np.flatnonzero(np.diff(x)), len(x) - 1)  # top of each upright piece
    height = upper_height(x[last], y[last])
    assert np.interp(x[last], x[at], y[at]) == pytest.approx(height, rel=1e-12)


def test_hulls_that_fall_one_point_at_a_time():
    # a concave arc, then a jump over it: each point is a vertex until the next one has gone
    n = 20_000
    x = np.arange(n, dtype=float)
    y = x * (2 * n - x)
    assert hull_vertices(x, y).tolist() == list(range(n))
    x, y = np.append(x, n), np.append(y, 1e12)
    assert hull_vertices(x, y).tolist() == [0, n]


def test_huge_counts():
    # 2^53 would be passed by the products of these counts in 32-bit or careless arithmetic
    big = 3 * 10**8
    study = rs.Study.from_confusion(tp=2 * big, fn=big, fp=big, tn=2 * big)
    hull = study.roc_hull()
    assert counts_of(hull) == [(0, 0), (big, 2 * big), (3 * big, 3 * big)]
    assert hull["slope_low"].tolist() == pytest.approx([2, 0.5, 0])


@pytest.mark.parametrize(
    ("y", "score", "vertices"),
    [
        ([0, 0, 1, 1], [4, 3, 2, 1], [(0, 0), (1, 1)]),  # AUC 0
        ([0, 1, 1, 0], [5, 5, 5, 5], [(0, 0), (1, 1)]),  # constant
        ([1, 1, 0, 0], [4, 3, 2, 1], [(0, 0), (0, 1), (1, 1)]),  # perfect
        ([1, 0], [1, 2], [(0, 0), (1, 1)]),  # one case a class
        ([1, 0, 1, 0], [4, 3, 2, 1], [(0, 0), (0, 0.5), (0.5, 1), (1, 1)]),
    ],
)
def test_degenerate_hulls(y, score, vertices):
    hull = rs.Study(y, score).roc_hull()
    assert list(zip(hull["fpr"], hull["tpr"], strict=True)) == vertices
    assert np.isinf(hull["threshold"][0])


def test_weights_of_nothing_add_no_vertex():
    y, score = [1, 1, 0, 1, 0, 0], [6.0, 5, 4, 3, 2, 1]
    weighted = rs.Study(y, score, sample_weight=[0, 0.5, 1, 0, 2, 0])
    hull = weighted.roc_hull()
    assert hull["threshold"].tolist() == [INF, 5, 2]
    assert hull["tpr"].tolist() == [0, 1, 1]


@given(samples(predictors=3, least=1))
def test_the_hull_across_predictors(data):
    y, scores = data
    study = rs.Study(y, dict(zip("abc", scores, strict=True)))
    hull = study.roc_hull(across="predictors")
    curves = {name: points_of(y, score) for name, score in zip("abc", scores, strict=True)}
    assert counts_of(hull) == brute_hull([point for curve in curves.values() for point in curve])
    assert (hull["hull"] == "all").all()
    assert hull["predictor"].iloc[[0, -1]].tolist() == ["", ""]
    assert hull["threshold"].iloc[[0, -1]].isna().all()
    for row in hull.iloc[1:-1].itertuples():
        owners = [name for name, curve in curves.items() if (int(row.fp), int(row.tp)) in curve]
        assert row.predictor == owners[0]
        score = scores["abc".index(row.predictor)]
        assert ((score >= row.threshold) & (y == 1)).sum() == row.tp


def test_across_one_predictor_nothing_is_shared():
    study = rs.Study(examples.Y, examples.D1)
    own, joint = study.roc_hull(), study.roc_hull(across="predictors")
    assert own.drop(columns="hull").equals(joint.drop(columns="hull"))
    assert (joint["hull"] == "all").all()


def test_sums_of_weights_in_different_order_are_one_vertex():
    # both predictors separate the classes; the sums of 0.1, 0.2, 0.3 differ in the last bit
    y, weight = [1, 1, 1, 0, 0], [0.1, 0.2, 0.3, 0.7, 0.1]
    study = rs.Study(y, {"a": [5, 4, 3, 2, 1], "b": [3, 4, 5, 1, 2]}, sample_weight=weight)
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    hull = study.roc_hull(across="predictors")
    assert hull["predictor"].tolist() == ["", "a", ""]
    assert hull["fpr"].tolist() == [0, 0, 1]


def test_hulls_across_predictors_are_those_of_each_group(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    joint = study.roc_hull(across="predictors")
    assert joint["group"].drop_duplicates().tolist() == ["x", "y"]
    for site in "xy":
        rows = patients[patients["site"] == site].reset_index(drop=True)
        alone = rs.Study("outcome", ["a", "b"], data=rows, pos_label="Poor")
        part = joint[joint["group"] == site].reset_index(drop=True)
        assert part.drop(columns="group").equals(alone.roc_hull(across="predictors"))


def test_folds_are_pooled_with_a_warning_once():
    fold = np.where(np.arange(18) % 2 == 0, "even", "odd")
    plain = rs.Study(examples.Y, TWO)
    for across in (None, "predictors"):
        study = rs.Study(examples.Y, TWO, fold=fold)
        with pytest.warns(rs.StatisticalWarning, match="pooled-folds") as caught:
            pooled = study.roc_hull(across=across)
        assert len(caught) == 1
        assert pooled.equals(plain.roc_hull(across=across))


@pytest.mark.parametrize("across", [None, "predictors"])
def test_a_group_without_a_class_has_rows_of_nan(across):
    scores = {"a": [3, 1, 1, 2, 0, 2], "b": [1, 2, 1, 2, 0, 3]}
    study, again = (rs.Study([1, 1, 0, 0, 1, 1], scores, group=list("uuuuvv")) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        hull = study.roc_hull(across=across)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        best = again.optimal_points(cost_fp=1, cost_fn=2, across=across)
    lone, best = hull[hull["group"] == "v"], best[best["group"] == "v"]
    assert len(lone) == (2 if across is None else 1)
    assert lone.select_dtypes("number").isna().all(axis=None)
    assert best[["threshold", "fpr", "tpr", "expected_cost"]].isna().all(axis=None)
    assert hull.loc[hull["group"] == "u", ["fpr", "tpr"]].notna().all(axis=None)


def cheapest(points, cost_fp, cost_fn, prevalence):
    """Of all points with the least exact cost, the one with the fewest false positives."""
    n_neg, n_pos = points[-1]
    cost = {
        (fp, tp): cost_fp * (1 - prevalence) * Fraction(fp, n_neg)
        + cost_fn * prevalence * (1 - Fraction(tp, n_pos))
        for fp, tp in points
    }
    least = min(cost.values())
    return min(point for point in points if cost[point] == least), float(least)


@given(samples(least=1), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_the_optimal_point_is_the_cheapest_of_all(data, cost_fp, cost_fn, tenths):
    y, (score,) = data
    study, points = rs.Study(y, score), points_of(y, score)
    for prevalence in (None, tenths / 10):
        exact = Fraction(int(y.sum()), len(y)) if prevalence is None else Fraction(tenths, 10)
        point, least = cheapest(points, cost_fp, cost_fn, exact)
        best = study.optimal_points(cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence)
        assert counts_of(best) == [point]
        assert best["expected_cost"][0] == pytest.approx(least, abs=1e-14)
        assert best["prevalence"][0] == pytest.approx(float(exact))
        scaled = study.optimal_points(
            cost_fp=0.1 * cost_fp, cost_fn=0.1 * cost_fn, prevalence=prevalence
        )
        assert counts_of(scaled) == [point]
        by_slope = study.optimal_points(slope=best["slope"][0])
        assert counts_of(by_slope) == [point]
        assert by_slope["threshold"].tolist() == best["threshold"].tolist()


@given(samples(least=1), st.floats(1e-3, 1e3))
def test_the_optimal_point_is_the_vertex_whose_slopes_hold_the_slope(data, slope):
    y, (score,) = data
    study = rs.Study(y, score)
    hull, best = study.roc_hull(), study.optimal_points(slope=slope)
    (row,) = hull[hull["threshold"] == best["threshold"][0]].itertuples()
    assert row.slope_low <= slope * (1 + 1e-9)
    assert slope <= row.slope_high * (1 + 1e-9)


@given(samples(predictors=2, least=1), st.integers(1, 5), st.integers(1, 5))
def test_the_best_point_across_predictors(data, cost_fp, cost_fn):
    y, scores = data
    study = rs.Study(y, {"a": scores[0], "b": scores[1]})
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    each = study.optimal_points(**costs)
    best = study.optimal_points(**costs, across="predictors")
    assert len(best) == 1
    assert best["expected_cost"][0] == pytest.approx(each["expected_cost"].min(), abs=1e-14)
    if 0 < best["tpr"][0] + best["fpr"][0] < 2:
        name = best["predictor"][0]
        (alone,) = each[each["predictor"] == name].itertuples()
        assert (alone.fp, alone.tp) == (best["fp"][0], best["tp"][0])
    else:
        assert best["predictor"][0] == ""
        assert np.isnan(best["threshold"][0])


def accuracy(y, score, threshold):
    return np.mean((np.asarray(score) >= threshold) == np.asarray(y, bool))


def test_accuracy_of_figure_4():
    # printed: 80 % at 0.5, 90 % at 0.6 (the share of positives), and the ranking is perfect
    assert accuracy(FIGURE_4_Y, FIGURE_4_SCORE, 0.5) == 0.8
    assert accuracy(FIGURE_4_Y, FIGURE_4_SCORE, 0.6) == 0.9
    best = rs.Study(FIGURE_4_Y, FIGURE_4_SCORE).optimal_points(cost_fp=1, cost_fn=1)
    assert best["threshold"][0] == 0.99955
    assert accuracy(FIGURE_4_Y, FIGURE_4_SCORE, best["threshold"][0]) == 1
    assert best["expected_cost"][0] == 0
    assert best["slope"][0] == pytest.approx(4 / 6)


def test_highest_accuracy_of_figure_3():
    # printed (section 3): the highest accuracy is 70 %, at >= .54
    y = [int(label == "p") for label in "ppnpppnnpnpnpnnnpnpn"]
    score = [
        *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
        *(0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
    ]
    best = rs.Study(y, score).optimal_points(cost_fp=1, cost_fn=1)
    assert best["threshold"][0] == 0.54
    assert 1 - best["expected_cost"][0] == pytest.approx(0.7)


def test_a_tie_goes_to_the_conservative_end():
    # hull (0, 0), (0, .5), (.5, 1), (1, 1): the middle edge has slope 1
    study = rs.Study([1, 0, 1, 0], [4, 3, 2, 1])
    assert study.optimal_points(slope=1)["threshold"].tolist() == [4]
    assert study.optimal_points(slope=0.999)["threshold"].tolist() == [2]
    # a third of three: 0.1 + 0.2 is not 0.3, the slope is still that of the edge
    assert study.optimal_points(slope=(0.1 + 0.2) / 0.3)["threshold"].tolist() == [4]
    assert study.optimal_points(slope=0.3 / (0.1 + 0.2))["threshold"].tolist() == [4]


def test_a_slope_leaves_costs_undefined():
    best = rs.Study(examples.Y, examples.D1).optimal_points(slope=2)
    assert best["slope"].tolist() == [2]
    assert best[["cost_fp", "cost_fn", "prevalence", "expected_cost"]].isna().all(axis=None)


def test_the_default_prevalence_is_that_of_the_group_or_of_the_weights(patients):
    arguments = {"data": patients, "pos_label": "Poor"}
    costs = {"cost_fp": 1, "cost_fn": 1}
    grouped = rs.Study("outcome", "a", group="site", frequency="n", **arguments)
    # Poor are the rows 0, 2, ... with n = 1, 1 | 1, 2, 1, 1; all n: 7 | 10
    assert grouped.optimal_points(**costs)["prevalence"].tolist() == pytest.approx([2 / 7, 5 / 10])
    weighted = rs.Study("outcome", "a", sample_weight="n", **arguments)
    assert weighted.optimal_points(**costs)["prevalence"].tolist() == pytest.approx([7 / 17])


MESSAGES = [
    ({}, "`cost_fp` must be given without `slope`; got None."),
    ({"cost_fp": 1}, "`cost_fn` must be given without `slope`; got None."),
    ({"slope": 1, "cost_fn": 2}, "`cost_fn` must stay None when `slope` is given"),
    ({"slope": 1, "prevalence": 0.1}, "`prevalence` must stay None when `slope` is given"),
    ({"slope": 0}, "`slope` must be a number strictly between 0 and inf; got 0."),
    (
        {"cost_fp": -1, "cost_fn": 2},
        "`cost_fp` must be a number strictly between 0 and inf; got -1",
    ),
    ({"cost_fp": 1, "cost_fn": np.nan}, "`cost_fn` must be a number strictly between 0 and inf"),
    ({"cost_fp": 1, "cost_fn": INF}, "`cost_fn` must be a number strictly between 0 and inf"),
    ({"cost_fp": "1", "cost_fn": 1}, "`cost_fp` must be a number strictly between 0 and inf"),
    (
        {"cost_fp": 1, "cost_fn": 1, "prevalence": 6},
        "`prevalence` must be a number strictly between 0 and 1; got 6.",
    ),
]


@each(("arguments", "message"), MESSAGES)
def test_messages(arguments, message):
    study = rs.Study(examples.Y, examples.D1)
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        study.optimal_points(**arguments)


@pytest.mark.parametrize(
    ("question", "options"), [("roc_hull", {}), ("optimal_points", {"slope": 1})]
)
def test_unknown_across(question, options):
    with pytest.raises(
        rs.InputError, match=r"^`across` must be one of None, 'predictors'; got 'x'"
    ):
        getattr(rs.Study(examples.Y, examples.D1), question)(across="x", **options)
