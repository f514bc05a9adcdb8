"""Make the cases of figure 9, section 7.3 and appendix A.

Command: ``python validation/fawcett/make_costs_classes_tree.py``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import area_rows
from validation.reference import Expected, Numbers, as_columns, computed, derived, write_case

WHERE = {"predictor": "score"}

# Figure 9: amount x, class (l = legitimate, f = fraudulent), score for "legitimate".
TRANSACTIONS: list[tuple[int, str, float]] = [
    (100, "l", 0.95),
    (40, "l", 0.9),
    (500, "f", 0.85),
    (250, "l", 0.8),
    (20, "l", 0.7),
    (75, "f", 0.7),
    (60, "l", 0.55),
    (1000, "l", 0.5),
    (10, "f", 0.4),
    (120, "f", 0.3),
    (5, "l", 0.2),
    (300, "f", 0.1),
]
WEIGHTS = ["22", "20.8", "520", "25", "20.4", "95", "21.2", "40", "30", "140", "20.1", "320"]

# Appendix A: class concluded, matched, errors. Leaves 3 and 5 are two thirds positive.
LEAVES: list[tuple[str, int, int]] = [
    ("n", 12, 2),
    ("p", 10, 1),
    ("p", 6, 2),
    ("n", 5, 0),
    ("p", 3, 1),
    ("n", 9, 4),
]
LEAF_CURVE = [(0, 0), (1, 9), (4, 15), (9, 19), (19, 21), (24, 21)]

# Section 7.3: twelve cases of three classes.
CLASSES = "abc"
CASES: list[tuple[str, float, float, float]] = [
    ("a", 0.8, 0.1, 0.1),
    ("a", 0.5, 0.3, 0.2),
    ("a", 0.3, 0.4, 0.3),
    ("a", 0.6, 0.2, 0.2),
    ("b", 0.3, 0.5, 0.2),
    ("b", 0.1, 0.7, 0.2),
    ("b", 0.5, 0.4, 0.1),
    ("c", 0.2, 0.1, 0.7),
    ("c", 0.3, 0.4, 0.3),
    ("c", 0.1, 0.3, 0.6),
    ("c", 0.6, 0.2, 0.2),
    ("c", 0.2, 0.2, 0.6),
]
ONCE = {"a": 1, "b": 1, "c": 1}
SKEW = {"a": 1, "b": 10, "c": 1}

# Worked out in the READMEs of the cases.
PAIRS = {
    ("a", "b"): "0.8958333333",
    ("a", "c"): "0.8625000000",
    ("b", "c"): "0.9500000000",
    ("all", ""): "0.9027777778",
}
AGAINST_REST = {
    ("a", "rest"): "0.8437500000",
    ("b", "rest"): "0.9629629630",
    ("c", "rest"): "0.9000000000",
    ("all", ""): "0.8969907407",
}
AGAINST_REST_SKEWED = {
    ("a", "rest"): "0.8357142857",
    ("b", "rest"): "0.9629629630",
    ("c", "rest"): "0.9264705882",
    ("all", ""): "0.9452333070",
}


def scan(rows: Iterable[tuple[float, bool, Fraction]]) -> list[bf.Vertex]:
    """Return the vertices of algorithm 6: one instance after the other, ties together."""
    vertices: list[bf.Vertex] = [(math.inf, Fraction(), Fraction())]
    for score, positive, worth in sorted(rows, key=lambda row: -row[0]):
        _, fp, tp = vertices[-1]
        if vertices[-1][0] == score:
            vertices.pop()
        fp, tp = fp + worth * (not positive), tp + worth * positive
        vertices.append((score, fp, tp))
    return vertices


def vertex_rows(vertices: Sequence[bf.Vertex], where: Mapping[str, str]) -> Iterator[Expected]:
    """Yield counts and rates of each vertex; the last line of algorithm 6 divides by the totals."""
    _, total_fp, total_tp = vertices[-1]
    for threshold, fp, tp in vertices:
        point = {"fp": fp, "tp": tp, "fpr": fp / total_fp, "tpr": tp / total_tp}
        yield from computed("roc_curve", {**where, "threshold": threshold}, point)


def write_figure_9() -> None:
    """Write twelve transactions and their benefits, approved or refused."""
    worth = [Fraction(x, 50) + 20 if c == "l" else Fraction(20 + x) for x, c, _ in TRANSACTIONS]
    if worth != [Fraction(digits) for digits in WEIGHTS]:
        raise ValueError("the matrix of figure 9b must give the weights by hand")
    rows = zip(TRANSACTIONS, worth, strict=True)
    vertices = scan([(score, c == "l", w) for (_, c, score), w in rows])
    names = {"l": "legitimate", "f": "fraudulent"}
    weights: list[Expected] = []
    for i, digits in enumerate(WEIGHTS, start=1):
        weights += derived("weights", {"row": i}, {"weight": f"{float(digits):.10f}"})
    summary: Numbers = {"points": len(vertices), "area": bf.trapezoids(vertices)}
    write_case(
        __file__,
        "figure_9",
        study={
            "constructor": "study_with_benefits",
            "y_true": "class",
            "y_score": "score",
            "pos_label": "legitimate",
            "benefits": {
                "N": {"n": 20, "p": -20},
                "Y": {"n": "approve_fraudulent", "p": "approve_legitimate"},
            },
        },
        columns={
            "class": [names[c] for _, c, _ in TRANSACTIONS],
            "amount": [x for x, _, _ in TRANSACTIONS],
            "approve_fraudulent": [-x for x, _, _ in TRANSACTIONS],
            "approve_legitimate": [x / 50 for x, _, _ in TRANSACTIONS],
            "score": [score for _, _, score in TRANSACTIONS],
        },
        expected=[
            *weights,
            *vertex_rows(vertices, WHERE),
            *computed("curve_summary", WHERE, summary),
            *computed("auc", WHERE, {"estimate": summary["area"]}),
        ],
    )


def write_appendix_a() -> None:
    """Write a tree of six leaves, its curve counted leaf by leaf and case by case."""
    positives = [m - e if c == "p" else e for c, m, e in LEAVES]
    rows: list[tuple[float, bool, Fraction]] = []
    for (_, matched, _), pos in zip(LEAVES, positives, strict=True):
        cases = [True] * pos + [False] * (matched - pos)
        rows += [(pos / matched, positive, Fraction(1)) for positive in cases]
    vertices = scan(rows)
    if [(int(fp), int(tp)) for _, fp, tp in vertices] != LEAF_CURVE:
        raise ValueError("counting cases must give the curve by hand")
    pairs = bf.Pairs.of(
        [score for score, positive, _ in rows if positive],
        [score for score, positive, _ in rows if not positive],
    )
    if pairs.area != bf.trapezoids(vertices):
        raise ValueError("pairs and trapezoids must agree")
    curve: list[Expected] = []
    for fp, tp in LEAF_CURVE:
        rates = {"fpr": f"{fp / 24:.10f}", "tpr": f"{tp / 21:.10f}"}
        curve += derived("roc_curve", {"fp": fp, "tp": tp}, rates)
    write_case(
        __file__,
        "appendix_a",
        study={"constructor": "from_leaves", "pos_label": "p"},
        columns={
            "leaf": range(1, len(LEAVES) + 1),
            **as_columns(("class", "matched", "errors"), LEAVES),
        },
        expected=[
            *curve,
            *vertex_rows(vertices, WHERE),
            *computed("curve_summary", WHERE, {"points": len(vertices)}),
            *area_rows(pairs, WHERE),
        ],
    )


def area_of(positive: str, negatives: str, frequency: Mapping[str, int]) -> Fraction:
    """Return the area of the scores for one class against others, over all pairs of cases."""
    column = 1 + CLASSES.index(positive)
    won = total = Fraction()
    for one in CASES:
        for two in CASES:
            if one[0] == positive and two[0] in negatives:
                x, y = float(one[column]), float(two[column])
                weight = frequency[one[0]] * frequency[two[0]]
                won += weight * (Fraction(x > y) + Fraction(x == y) / 2)
                total += weight
    return won / total


def multiclass_rows(frequency: Mapping[str, int]) -> Iterator[Expected]:
    """Yield areas of pairs and of classes, both summaries, and the curve of each class."""
    n_of = {c: frequency[c] * sum(case[0] == c for case in CASES) for c in CLASSES}
    pairs = {
        (i, j): (area_of(i, j, frequency) + area_of(j, i, frequency)) / 2
        for i, j in combinations(CLASSES, 2)
    }
    for (i, j), area in pairs.items():
        where = {"class": i, "versus": j}
        row = {"estimate": area, "n_pos": n_of[i], "n_neg": n_of[j]}
        yield from computed("auc", where, row, method="ovo-macro")
    mean = sum(pairs.values(), Fraction()) * 2 / (len(CLASSES) * (len(CLASSES) - 1))
    yield from computed("auc", {"class": "all"}, {"estimate": mean}, method="ovo-macro")
    total = Fraction()
    for c in CLASSES:
        rest = CLASSES.replace(c, "")
        area = area_of(c, rest, frequency)
        total += area * Fraction(n_of[c], sum(n_of.values()))
        where = {"class": c, "versus": "rest"}
        yield from computed("auc", where, {"estimate": area}, method="ovr-weighted")
        k = 1 + CLASSES.index(c)
        rows = [(float(case[k]), case[0] == c, Fraction(frequency[case[0]])) for case in CASES]
        vertices = scan(rows)
        if area != bf.trapezoids(vertices):
            raise ValueError("pairs and trapezoids must agree")
        yield from vertex_rows(vertices, where)
    yield from computed("auc", {"class": "all"}, {"estimate": total}, method="ovr-weighted")


def write_multiclass(
    name: str, frequency: Mapping[str, int], against_rest: Mapping[tuple[str, str], str]
) -> None:
    """Write twelve cases of three classes, each standing for several."""
    write_case(
        __file__,
        name,
        study={
            "constructor": "MulticlassStudy",
            "y_true": "class",
            "y_score": list(CLASSES),
            "frequency": "n",
        },
        columns={
            **as_columns(("class", *CLASSES), CASES),
            "n": [frequency[case[0]] for case in CASES],
        },
        expected=[
            *by_hand("ovo-macro", PAIRS),
            *by_hand("ovr-weighted", against_rest),
            *multiclass_rows(frequency),
        ],
    )


def by_hand(method: str, areas: Mapping[tuple[str, str], str]) -> Iterator[Expected]:
    """Yield the rows of areas that the README of the case works out."""
    for (c, versus), digits in areas.items():
        where = {"class": c, "versus": versus}
        yield from derived("auc", where, {"estimate": digits}, method=method)


if __name__ == "__main__":
    write_figure_9()
    write_appendix_a()
    write_multiclass("multiclass_auc", ONCE, AGAINST_REST)
    write_multiclass("multiclass_skew", SKEW, AGAINST_REST_SKEWED)
