"""Make the cases of sections 3.1, 5, 7.1, 7.5.2 and 7.5.3: hulls, costs, superiority.

Command: ``python validation/fawcett/make_hulls.py``. Everything is searched for by brute force in
rational arithmetic: hulls over all segments, optima over all points, envelopes over all crossings.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.fawcett.make import CURVE, FIGURE_3, FIGURE_4, columns, vertices_of
from validation.reference import (
    Expected,
    agree,
    as_columns,
    computed,
    derived,
    printed,
    write_case,
)

SCORE = {"predictor": "score"}
TWO = {"y_true": "class", "y_score": ["A", "B"], "pos_label": "p", "frequency": "n"}

Point = tuple[Fraction, Fraction]
"""False and true positive rate."""

Curve = dict[Point, float]
"""The points of a classifier, each with its threshold."""

Belief = tuple[Fraction, Fraction, Fraction]
"""Lowest, most likely and highest cost share."""

# Class, levels of A and of B, number of cases. A: (.3, .4), (.7, 1); B: (.1, .5), (.3, .8).
FIGURE_7 = [
    ("p", 3, 3, 4),
    ("p", 2, 3, 1),
    ("p", 2, 2, 3),
    ("p", 2, 1, 2),
    ("n", 3, 3, 1),
    ("n", 3, 1, 2),
    ("n", 2, 2, 2),
    ("n", 2, 1, 2),
    ("n", 1, 1, 3),
]
# Class, decisions of A and of B, number of cases. A: (.1, .6); B: (.4, .95).
DECISIONS = [
    ("p", 1, 1, 12),
    ("p", 0, 1, 7),
    ("p", 0, 0, 1),
    ("n", 1, 1, 2),
    ("n", 0, 1, 6),
    ("n", 0, 0, 12),
]


def curve_of(vertices: Sequence[bf.Vertex]) -> Curve:
    """Return the points of counted vertices, each with its highest threshold."""
    _, n_neg, n_pos = vertices[-1]
    points: Curve = {}
    for threshold, fp, tp in vertices:
        points.setdefault((Fraction(fp, n_neg), Fraction(tp, n_pos)), threshold)
    return points


def covered(p: Point, a: Point, b: Point) -> bool:
    """Return whether a point is on or below the segment from a to b, a to the left."""
    if p in (a, b) or not a[0] <= p[0] <= b[0]:
        return False
    if a[0] == b[0]:
        return min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    return a[1] + (p[0] - a[0]) / (b[0] - a[0]) * (b[1] - a[1]) >= p[1]


def hull_of(points: Sequence[Point]) -> list[Point]:
    """Return the ends, and the points that no segment between two others covers."""
    ordered = sorted(set(points))
    inner = [p for p in ordered[1:-1] if not any(covered(p, *s) for s in combinations(ordered, 2))]
    return [ordered[0], *inner, ordered[-1]]


def slopes_of(hull: Sequence[Point]) -> list[float]:
    """Return the slope of each edge."""
    return [
        math.inf if b[0] == a[0] else float((b[1] - a[1]) / (b[0] - a[0]))
        for a, b in pairwise(hull)
    ]


def cheapest(points: Sequence[Point], cost: Callable[[Point], Fraction]) -> tuple[Point, Fraction]:
    """Return the point of least cost, of several the one with the lowest rates, and the cost."""
    least = min(cost(point) for point in points)
    return min(point for point in points if cost(point) == least), least


def height(point: Point, x: Fraction) -> Fraction:
    """Return how high the cost line of a point is at x: it runs from (0, fpr) to (1, 1 - tpr)."""
    fpr, tpr = point
    return (1 - x) * fpr + x * (1 - tpr)


def crossings(
    points: Sequence[Point], lines: Callable[[Point, Fraction], Fraction]
) -> list[Fraction]:
    """Return 0, 1, and wherever the lines of two points cross in between."""
    found = {Fraction(0), Fraction(1)}
    for a, b in combinations(points, 2):
        at_0, at_1 = (lines(a, Fraction(x)) - lines(b, Fraction(x)) for x in (0, 1))
        if at_0 * at_1 < 0:
            found.add(at_0 / (at_0 - at_1))
    return sorted(found)


def envelope(points: Sequence[Point]) -> list[tuple[Fraction, Point]]:
    """Return where each point begins to have the lowest cost line, and which point it is."""
    found: list[tuple[Fraction, Point]] = []
    for x, after in pairwise(crossings(points, height)):
        middle = (x + after) / 2
        point, _ = cheapest(points, lambda p, middle=middle: height(p, middle))  # type: ignore[misc]
        if not found or found[-1][1] != point:
            found.append((x, point))
    return found


def loss(prevalence: Fraction) -> Callable[[Point, Fraction], Fraction]:
    """Return the expected loss of a point at a cost share."""

    def at(point: Point, share: Fraction) -> Fraction:
        fpr, tpr = point
        return share * (1 - prevalence) * fpr + (1 - share) * prevalence * (1 - tpr)

    return at


def superior(
    curves: Mapping[str, Curve], prevalence: Fraction
) -> list[tuple[str, Fraction, Fraction]]:
    """Return the only winner ("" if there are several) of each range of cost shares."""
    lines = loss(prevalence)
    every = sorted({point for curve in curves.values() for point in curve})
    found: list[tuple[str, Fraction, Fraction]] = []
    for low, high in pairwise(crossings(every, lines)):
        losses = {
            name: min(lines(point, (low + high) / 2) for point in curve)
            for name, curve in curves.items()
        }
        best = [name for name, value in losses.items() if value == min(losses.values())]
        winner = best[0] if len(best) == 1 else ""
        if found and found[-1][0] == winner:
            low = found.pop()[1]
        found.append((winner, low, high))
    return found


def mass_below(x: Fraction, belief: Belief) -> Fraction:
    """Return the area of the triangle of height 2 / (high - low) to the left of x."""
    low, mode, high = belief
    if x <= mode:
        base = max(x - low, Fraction(0))
        return base * base / ((high - low) * (mode - low)) if base else Fraction(0)
    base = max(high - x, Fraction(0))
    return 1 - (base * base / ((high - low) * (high - mode)) if base else Fraction(0))


def lc_index(curves: Mapping[str, Curve], prevalence: Fraction, belief: Belief) -> Fraction:
    """Return the mass where the first classifier wins minus that where the second does."""
    first, second = curves
    sign = {first: 1, second: -1, "": 0}
    return sum(
        (
            sign[winner] * (mass_below(high, belief) - mass_below(low, belief))
            for winner, low, high in superior(curves, prevalence)
        ),
        Fraction(0),
    )


def hull_rows(
    name: str, points: Sequence[Point], owners: Mapping[Point, str], **arguments: Any
) -> Iterator[Expected]:
    """Yield the slopes of every vertex, and how many vertices each predictor has."""
    hull = hull_of(points)
    slopes = slopes_of(hull)
    bounds = zip([math.inf, *slopes], [*slopes, 0.0], strict=True)
    for point, (high, low) in zip(hull, bounds, strict=True):
        # The rates are quotients of counts, so the nearest doubles are equal.
        where = {"hull": name, "fpr": float(point[0]), "tpr": float(point[1])}
        if point in owners:
            where["predictor"] = owners[point]
        yield from computed("roc_hull", where, {"slope_low": low, "slope_high": high}, **arguments)
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(hull))
    summary = {"vertices": len(hull), "area": area}
    yield from computed("hull_summary", {"hull": name}, summary, **arguments)


def optimum_rows(curve: Curve, prevalences: Sequence[str]) -> Iterator[Expected]:
    """Yield the least costly point for some costs and prevalences, all points tried."""
    for prevalence in prevalences:
        share = Fraction(prevalence)
        for cost_fp, cost_fn in ((1, 1), (1, 5), (20, 1), (3, 2)):

            def cost(point: Point, a: int = cost_fp, b: int = cost_fn) -> Fraction:
                return a * (1 - share) * point[0] + b * share * (1 - point[1])  # noqa: B023

            point, least = cheapest(list(curve), cost)
            asked = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": float(share)}
            row = {
                "threshold": curve[point],
                "fpr": float(point[0]),
                "tpr": float(point[1]),
                "expected_cost": float(least),
                "slope": float(cost_fp * (1 - share) / (cost_fn * share)),
            }
            yield from computed("optimal_points", SCORE, row, **asked)


def cost_rows(curve: Curve, name: str = "score") -> Iterator[Expected]:
    """Yield the vertices of the envelope but its end, and its height on a grid."""
    where = {"predictor": name}
    found = envelope(list(curve))
    for x, point in found[:-1]:
        at = {**where, "threshold": curve[point]}
        row = {"probability_cost": x, "normalized_cost": height(point, x)}
        yield from computed("cost_curve", at, row)
    last = {**where, "probability_cost": 1.0}
    end = {"threshold": curve[found[-1][1]], "normalized_cost": 0.0}
    yield from computed("cost_curve", last, end)
    for twentieth in range(1, 20):
        x = Fraction(twentieth, 20)
        lowest = min(height(point, x) for point in curve)
        yield from computed("cost_at", where, {"normalized_cost": lowest}, x=float(x))


def superiority_rows(
    curves: Mapping[str, Curve], prevalences: Sequence[str | None]
) -> Iterator[Expected]:
    """Yield the ranges of the classifiers that win once, at some prevalences."""
    for prevalence in prevalences:
        arguments = {} if prevalence is None else {"prevalence": float(Fraction(prevalence))}
        for winner, low, high in superior(curves, Fraction(prevalence or "1/2")):
            if winner:
                shares = {"cost_share_low": low, "cost_share_high": high}
                where = {"predictor": winner}
                yield from computed("superiority_curve", where, shares, **arguments)


def index_rows(
    curves: Mapping[str, Curve], belief: Sequence[str], prevalence: str | None = None
) -> list[Expected]:
    """Return the LC index of the first classifier with the second."""
    low, mode, high = (Fraction(end) for end in belief)
    index = lc_index(curves, Fraction(prevalence or "1/2"), (low, mode, high))
    asked = {"low": float(low), "mode": float(mode), "high": float(high)}
    if prevalence is not None:
        asked["prevalence"] = float(Fraction(prevalence))
    first, second = curves
    where = {"predictor": first, "reference": second}
    return computed("lc_index", where, {"estimate": index}, **asked)


def curves_of(table: Sequence[tuple[str, int, int, int]]) -> dict[str, Curve]:
    """Return the curves of A and B from classes, levels and numbers of cases."""
    first = bf.vertices_of([(float(a), label == "p", n) for label, a, _, n in table])
    second = bf.vertices_of([(float(b), label == "p", n) for label, _, b, n in table])
    return {"A": curve_of(first), "B": curve_of(second)}


def write_figure_4_threshold() -> None:
    """Write the accuracy of figure 4 at three thresholds, and the best of all."""
    curve = curve_of(vertices_of(FIGURE_4))
    best = {
        "threshold": "0.9995500000",
        "expected_cost": "0.0000000000",
        "prevalence": "0.6000000000",
    }
    expected = [
        # "score > 0.5" begins at 0.50961, "score > 0.6" at 0.68139.
        *printed("threshold_rates", {"threshold": 0.50961}, {"accuracy": "0.80"}),
        *printed("threshold_rates", {"threshold": 0.68139}, {"accuracy": "0.90"}),
        *derived("threshold_rates", {"threshold": 0.99955}, {"accuracy": "1.0000000000"}),
        *derived("optimal_points", SCORE, best, cost_fp=1, cost_fn=1),
        *derived("cost_at", SCORE, {"normalized_cost": "0.0000000000"}, x=0.25),
        *derived("cost_at", SCORE, {"normalized_cost": "0.0000000000"}, x=0.75),
        *hull_rows("score", list(curve), {}),
        *optimum_rows(curve, ("3/5", "1/100")),
    ]
    write_case(
        __file__, "figure_4_threshold", study=CURVE, columns=columns(FIGURE_4), expected=expected
    )


def write_iso_performance() -> None:
    """Write the hull of figure 3 and the points where lines of many slopes touch it."""
    curve = curve_of(vertices_of(FIGURE_3))
    equal = {"cost_fp": 1, "cost_fn": 1}
    best = {"threshold": "0.54", "fpr": "0.1", "tpr": "0.5"}
    expected = [
        *printed("optimal_points", SCORE, best, **equal),
        *printed("threshold_rates", {"threshold": 0.54}, {"accuracy": "0.70"}),
        *derived("optimal_points", SCORE, {"expected_cost": "0.3000000000"}, **equal),
        *hull_rows("score", list(curve), {}),
        *optimum_rows(curve, ("1/2", "1/4", "9/10")),
    ]
    for slope in ("5", "3", "1", "1/2", "1/8"):
        point, _ = cheapest(list(curve), lambda p, m=Fraction(slope): m * p[0] - p[1])  # type: ignore[misc]
        asked = {"slope": float(Fraction(slope))}
        expected += computed("optimal_points", SCORE, {"threshold": curve[point]}, **asked)
    write_case(
        __file__, "iso_performance", study=CURVE, columns=columns(FIGURE_3), expected=expected
    )


def write_cost_lines() -> None:
    """Write the cost curve of figure 3."""
    rows = cost_rows(curve_of(vertices_of(FIGURE_3)))
    write_case(__file__, "cost_lines", study=CURVE, columns=columns(FIGURE_3), expected=rows)


def write_figure_7() -> None:
    """Write two crossing curves: B has the larger area, A is better above a rate of 0.63."""
    curves = curves_of(FIGURE_7)
    points = [point for curve in curves.values() for point in curve]
    ends = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    owners = {p: name for name, curve in curves.items() for p in curve if p not in ends}
    pair = {"predictor": "A", "reference": "B"}
    index = {"estimate": "0.5555555556"}
    expected = [
        *derived("auc", {"predictor": "A"}, {"estimate": "0.6400000000"}),
        *derived("auc", {"predictor": "B"}, {"estimate": "0.7850000000"}),
        *derived("superiority_curve", {"predictor": "A"}, {"cost_share_high": "0.3333333333"}),
        *derived("superiority_curve", {"predictor": "B"}, {"cost_share_high": "0.8333333333"}),
        *derived("lc_index", pair, index, low=0.0, mode=0.25, high=0.5),
        *hull_rows("all", points, owners, across="predictors"),
        *superiority_rows(curves, (None, "1/10", "4/5")),
        *cost_rows(curves["A"], "A"),
        *cost_rows(curves["B"], "B"),
        *index_rows(curves, ("1/4", "1/2", "3/4")),
        *index_rows(curves, ("1/4", "1/2", "3/4"), prevalence="1/10"),
    ]
    write_case(
        __file__,
        "figure_7",
        study=TWO,
        columns=as_columns(("class", "A", "B", "n"), FIGURE_7),
        expected=expected,
    )


def write_lc_index() -> None:
    """Write the LC index of two discrete classifiers under several beliefs."""
    curves = curves_of(DECISIONS)
    pair = {"predictor": "A", "reference": "B"}
    index = {"estimate": "-0.5650888"}
    tenths = (Fraction(3, 10), Fraction(4, 10), Fraction(7, 10))
    agree(lc_index(curves, Fraction(1, 2), tenths), index["estimate"])
    expected = [
        *derived("lc_index", pair, index, low=0.3, mode=0.4, high=0.7),
        *derived("superiority_curve", {"predictor": "A"}, {"cost_share_low": "0.5384615"}),
        *superiority_rows(curves, (None, "1/5", "19/20")),
        *index_rows(curves, ("0", "1/2", "1")),
        *index_rows(curves, ("1/8", "1/8", "5/8")),
        *index_rows(curves, ("3/8", "7/8", "7/8")),
        *index_rows(curves, ("1/4", "3/8", "1/2"), prevalence="1/5"),
    ]
    write_case(
        __file__,
        "lc_index",
        study=TWO,
        columns=as_columns(("class", "A", "B", "n"), DECISIONS),
        expected=expected,
    )


if __name__ == "__main__":
    write_figure_4_threshold()
    write_iso_performance()
    write_cost_lines()
    write_figure_7()
    write_lc_index()
