"""Make the cases of Fawcett's figures 3, 4 and 6: ``python validation/fawcett/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import area_rows, perfect_rows
from validation.reference import (
    Expected,
    Numbers,
    agree,
    as_columns,
    computed,
    derived,
    printed,
    write_case,
)

WHERE = {"predictor": "score"}
CURVE = {"y_true": "class", "y_score": "score", "pos_label": "p"}

Instance = tuple[str, float]

FIGURE_3: list[Instance] = [
    *zip("ppnppp", [0.9, 0.8, 0.7, 0.6, 0.55, 0.54], strict=True),
    *zip("nnpnpnp", [0.53, 0.52, 0.51, 0.505, 0.4, 0.39, 0.38], strict=True),
    *zip("nnnpnpn", [0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1], strict=True),
]
FIGURE_4: list[Instance] = [
    ("p", 0.99999),
    ("p", 0.99999),
    ("p", 0.99993),
    ("p", 0.99986),
    ("p", 0.99964),
    ("p", 0.99955),
    ("n", 0.68139),
    ("n", 0.50961),
    ("n", 0.4888),
    ("n", 0.44951),
]
TIED = 0.5
FIGURE_6: list[Instance] = [
    *zip("ppnp", [0.9, 0.8, 0.7, 0.6], strict=True),
    *[("p", TIED)] * 6,
    *[("n", TIED)] * 4,
    *zip("npnnnn", [0.4, 0.35, 0.3, 0.25, 0.2, 0.1], strict=True),
]


def vertices_of(instances: Sequence[Instance]) -> list[bf.Vertex]:
    """Return threshold, FP and TP: for every score, count the instances at or above it."""
    return bf.vertices_of([(score, label == "p", 1) for label, score in instances])


def break_ties(instances: Sequence[Instance], first: str) -> list[bf.Vertex]:
    """Return the vertices when in every tie one class comes first, under the tied thresholds."""
    split = [(label, score + (1e-6 if label == first else 0.0)) for label, score in instances]
    vertices = []
    for threshold, fp, tp in vertices_of(split):
        tied = [score for _, score in instances if abs(score - threshold) < 1e-5]
        vertices.append((tied[0] if tied else threshold, fp, tp))
    return vertices


def algorithm_3(instances: Sequence[Instance], *, as_printed: bool) -> float:
    """Return the area by Fawcett's algorithm 3, its last line as printed or corrected.

    The increment of i, missing in print, is always there: without it the loop never ends.
    """

    def trapezoid(x1: float, x2: float, y1: float, y2: float) -> float:
        return abs(x1 - x2) * (y1 + y2) / 2

    n_pos = sum(label == "p" for label, _ in instances)
    n_neg = len(instances) - n_pos
    area, previous = 0.0, -math.inf
    fp = tp = fp_before = tp_before = 0
    for label, score in sorted(instances, key=lambda instance: -instance[1]):
        if score != previous:
            area += trapezoid(fp, fp_before, tp, tp_before)
            previous, fp_before, tp_before = score, fp, tp
        tp, fp = tp + (label == "p"), fp + (label == "n")
    last = (1, 1) if as_printed else (n_neg, n_pos)
    area += trapezoid(last[0], fp_before, last[1], tp_before)
    return area / (n_pos * n_neg)


def pairs_of(instances: Sequence[Instance]) -> bf.Pairs:
    """Return the kernel of the instances."""
    scores = {wanted: [s for label, s in instances if label == wanted] for wanted in "pn"}
    return bf.Pairs.of(scores["p"], scores["n"])


def curve_rows(vertices: Sequence[bf.Vertex], **arguments: Any) -> Iterator[Expected]:
    """Yield the rates and the threshold of each vertex, and how many there are."""
    _, n_neg, n_pos = vertices[-1]
    for threshold, fp, tp in vertices:
        where = {"threshold": threshold, "fp": fp, "tp": tp}
        yield from computed("roc_curve", where, {"fpr": fp / n_neg, "tpr": tp / n_pos}, **arguments)
    summary: Numbers = {"points": len(vertices), "area": bf.trapezoids(vertices)}
    yield from computed("curve_summary", WHERE, summary, **arguments)


def columns(instances: Sequence[Instance]) -> dict[str, Sequence[object]]:
    """Return the columns of input.csv."""
    rows = [(i, *instance) for i, instance in enumerate(instances, start=1)]
    return as_columns(("instance", "class", "score"), rows)


def point_rows(threshold: float, fpr: str, tpr: str) -> list[Expected]:
    """Return the rows of a point that the paper's text names."""
    where = {"threshold": threshold}
    return printed("roc_curve", where, {"fpr": fpr, "tpr": tpr})


def write_figure_3() -> None:
    """Write the twenty instances and their 21 points."""
    vertices, pairs = vertices_of(FIGURE_3), pairs_of(FIGURE_3)
    area = algorithm_3(FIGURE_3, as_printed=False)
    if len(vertices) != 21 or not area == float(bf.trapezoids(vertices)) == float(pairs.area):
        raise ValueError("algorithm 3, trapezoids and pairs must agree on 21 points")
    agree(algorithm_3(FIGURE_3, as_printed=True), "1.02")
    write_case(
        __file__,
        "figure_3",
        study=CURVE,
        columns=columns(FIGURE_3),
        expected=[
            *point_rows(math.inf, "0.0", "0.0"),
            *point_rows(0.9, "0.0", "0.1"),
            *point_rows(0.54, "0.1", "0.5"),
            *point_rows(0.1, "1.0", "1.0"),
            *derived("auc", WHERE, {"estimate": "0.6800000000"}),
            *curve_rows(vertices),
            *area_rows(pairs, WHERE),
        ],
    )


def write_figure_4() -> None:
    """Write the ten instances of a perfect ranking."""
    pairs = pairs_of(FIGURE_4)
    write_case(
        __file__,
        "figure_4",
        study=CURVE,
        columns=columns(FIGURE_4),
        expected=[
            *point_rows(0.99955, "0.0", "1.0"),
            *point_rows(0.44951, "1.0", "1.0"),
            *derived("auc", WHERE, {"estimate": "1.0000000000"}),
            *computed("auc", WHERE, {"se": 0}),
            *perfect_rows(pairs.m, pairs.n, WHERE),
            *curve_rows(vertices_of(FIGURE_4)),
        ],
    )


def write_figure_6() -> None:
    """Write six positives and four negatives tied among ten others."""
    write_case(
        __file__,
        "figure_6",
        study=CURVE,
        columns=columns(FIGURE_6),
        expected=[
            *curve_rows(vertices_of(FIGURE_6), ties="expected"),
            *curve_rows(break_ties(FIGURE_6, "p"), ties="optimistic"),
            *curve_rows(break_ties(FIGURE_6, "n"), ties="pessimistic"),
            *area_rows(pairs_of(FIGURE_6), WHERE),
            *derived("curve_summary", WHERE, {"area": "0.7500000000"}, ties="expected"),
            *derived("curve_summary", WHERE, {"area": "0.8700000000"}, ties="optimistic"),
            *derived("curve_summary", WHERE, {"area": "0.6300000000"}, ties="pessimistic"),
        ],
    )


if __name__ == "__main__":
    write_figure_3()
    write_figure_4()
    write_figure_6()
