"""Make the cases of figures 2, 10, 11 and 12 and of section 7.4.4: classifiers and what they make.

Command: ``python validation/fawcett/make_combinations.py``.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import (
    RELATIVE_TOLERANCE,
    Expected,
    agree,
    as_columns,
    computed,
    derived,
    printed,
    write_case,
)

NO_STUDY = {"constructor": "columns"}

# Figure 2. In print: C at (.7, .7), D perfect, E the negation of B, A more conservative than B.
TABLES = {
    "A": (50, 50, 10, 90),
    "B": (80, 20, 30, 70),
    "C": (70, 30, 70, 30),
    "D": (100, 0, 0, 100),
    "E": (20, 80, 70, 30),
}
# Figure 11 as ratings: A (.2, .6), B (.4, .65), C (.6, .9) of 200 positives and 100 negatives.
RATINGS = [("p", 4, 120), ("p", 3, 10), ("p", 2, 50), ("p", 1, 20)]
RATINGS += [("n", 4, 20), ("n", 3, 20), ("n", 2, 20), ("n", 1, 40)]
# Figure 12: any pair with these products has the printed point (0.08, 0.42).
PAIR = {"c1": (Fraction("0.2"), Fraction("0.6")), "c2": (Fraction("0.4"), Fraction("0.7"))}
# Section 7.4.1.
COIL = {"A": (Fraction("0.1"), Fraction("0.2")), "B": (Fraction("0.25"), Fraction("0.6"))}


def table_rates(tp: int, fn: int, fp: int, tn: int) -> dict[str, Fraction]:
    """Return the rates of a confusion table by their definitions."""
    rates = {
        "fpr": Fraction(fp, fp + tn),
        "tpr": Fraction(tp, tp + fn),
        "fnr": Fraction(fn, tp + fn),
        "tnr": Fraction(tn, fp + tn),
        "ppv": Fraction(tp, tp + fp),
        "npv": Fraction(tn, tn + fn),
        "accuracy": Fraction(tp + tn, tp + fn + fp + tn),
    }
    return {**rates, "f1": 2 / (1 / rates["ppv"] + 1 / rates["tpr"])}


def write_figure_2() -> None:
    """Write five discrete classifiers, E negated."""
    rows: list[Expected] = []
    asked = {"negate": "below-diagonal"}
    reversed_e = (TABLES["E"][1], TABLES["E"][0], TABLES["E"][3], TABLES["E"][2])
    for (name, kind), table in {
        **{(name, "observed"): table for name, table in TABLES.items()},
        ("E", "negated"): reversed_e,
    }.items():
        where = {"predictor": name, "kind": kind}
        rows += computed("confusion_rates", where, table_rates(*table), **asked)
    where = {"predictor": "C", "kind": "observed"}
    rows += printed("confusion_rates", where, {"fpr": "0.7", "tpr": "0.7"}, **asked)
    # (0, 1) is the corner of perfect classification, not a point rounded to whole numbers.
    where = {"predictor": "D", "kind": "observed"}
    corner = printed("confusion_rates", where, {"fpr": "0", "tpr": "1"}, **asked)
    rows += [replace(row, tolerance=RELATIVE_TOLERANCE) for row in corner]
    if reversed_e != TABLES["B"]:
        raise ValueError("E must be the negation of B")
    tables = [(name, *cells) for name, cells in TABLES.items()]
    write_case(
        __file__,
        "figure_2",
        study=NO_STUDY,
        columns=as_columns(("predictor", "tp", "fn", "fp", "tn"), tables),
        expected=rows,
        packages=(),
    )


def position_columns(
    positions: Mapping[str, tuple[Fraction, Fraction]],
) -> dict[str, Sequence[object]]:
    """Return the columns of input.csv for classifiers with known positions."""
    rows = [(name, float(fpr), float(tpr)) for name, (fpr, tpr) in positions.items()]
    return as_columns(("predictor", "fpr", "tpr"), rows)


def write_figure_10() -> None:
    """Write the budget of 800 clients: the intersection of two lines, by Cramer's rule."""
    n_pos, n_neg, calls = 240, 3760, 800
    (ax, ay), (bx, by) = COIL.values()
    # (by - ay) x - (bx - ax) y = (by - ay) ax - (bx - ax) ay   and   n_neg x + n_pos y = calls
    right = (by - ay) * ax - (bx - ax) * ay
    determinant = (by - ay) * n_pos + (bx - ax) * n_neg
    x = (right * n_pos + (bx - ax) * calls) / determinant
    y = ((by - ay) * calls - right * n_neg) / determinant
    k = (x - ax) / (bx - ax)
    if n_neg * x + n_pos * y != calls or k != Fraction(376, 660):
        raise ValueError("C must lie on both lines")
    agree(n_neg * ax + n_pos * ay, "424")
    agree(n_neg * bx + n_pos * by, "1084")
    share = Fraction("0.53")  # as printed
    at_printed_share = {"fpr": ax + share * (bx - ax), "tpr": ay + share * (by - ay)}
    asked = {"n_positive_calls": calls, "n_pos": n_pos, "n_neg": n_neg}
    where = {"predictor": "between"}
    question = "interpolate_classifiers"
    rows = [
        *derived(question, where, {"k": "0.5697", "fpr": "0.1855", "tpr": "0.4279"}, **asked),
        *computed(question, where, {"k": k, "fpr": x, "tpr": y}, **asked),
        *computed(question, where, {"k": k}, fpr=float(x)),
        *computed(question, where, {"tpr": y}, fpr=float(x)),
        *computed(question, where, {"fpr": x}, tpr=float(y)),
        *computed(question, where, at_printed_share, k=0.53),
    ]
    write_case(
        __file__,
        "figure_10",
        study=NO_STUDY,
        columns=position_columns(COIL),
        expected=rows,
        packages=(),
    )


def fisher(table: Sequence[Sequence[int]]) -> Fraction:
    """Return the chance of all tables with the same margins that are no likelier than this one."""
    (a, b), (c, d) = table
    first, left, n = a + b, a + c, a + b + c + d

    def ways(x: int) -> int:
        return math.comb(first, x) * math.comb(n - first, left - x)

    possible = range(max(0, left + first - n), min(first, left) + 1)
    return Fraction(sum(ways(x) for x in possible if ways(x) <= ways(a)), math.comb(n, left))


def write_figure_11() -> None:
    """Write the concavity of three thresholds and its repair."""
    times = {(label, rating): n for label, rating, n in RATINGS}
    n_pos = sum(n for (label, _), n in times.items() if label == "p")
    n_neg = sum(n for (label, _), n in times.items() if label == "n")

    def rates(ratings: Sequence[int]) -> tuple[Fraction, Fraction]:
        fp, tp = (sum(times[label, rating] for rating in ratings) for label in "np")
        return Fraction(fp, n_neg), Fraction(tp, n_pos)

    # B' as Flach and Wu define it: yes where A says yes, and where C does but B does not
    corners = {"a": rates([4]), "b": rates([4, 3]), "c": rates([4, 3, 2]), "d": rates([4, 2])}
    segments = [[times[label, rating] for rating in (3, 2)] for label in "pn"]
    where = {"predictor": "rating", "threshold": 3}
    digits = {"a": ("0.2", "0.6"), "b": ("0.4", "0.65"), "c": ("0.6", "0.9"), "d": ("0.4", "0.85")}
    rows: list[Expected] = []
    for asked in ({}, {"thresholds": [4, 3, 2]}):
        question = "repair_concavities"
        for corner, point in corners.items():
            for rate, value, text in zip(("fpr", "tpr"), point, digits[corner], strict=True):
                column = f"{rate}_{corner}"
                rows += computed(question, where, {column: value}, **asked)
                rows += derived(question, where, {column: text}, **asked)
        concavity = {
            "fpr": corners["b"][0],
            "tpr": corners["b"][1],
            "fpr_repaired": corners["d"][0],
            "tpr_repaired": corners["d"][1],
            "threshold_start": Fraction(4),
            "threshold_end": Fraction(2),
            "p_value": fisher(segments),
        }
        rows += computed(question, where, concavity, **asked)
        fpr, tpr = corners["d"]
        applied = {"predictor": "rating"}
        rows += computed("repaired_rates", applied, {"fpr": fpr, "tpr": tpr}, **asked)
    write_case(
        __file__,
        "figure_11",
        study={"y_true": "class", "y_score": "rating", "pos_label": "p", "frequency": "n"},
        columns=as_columns(("class", "rating", "n"), RATINGS),
        expected=rows,
        packages=(),
    )


def extremes(first: Fraction, second: Fraction, n: int) -> dict[str, list[Fraction]]:
    """Return all rates that two classifiers together can have among n cases of a class."""
    a, b = int(first * n), int(second * n)
    overlaps = range(max(0, a + b - n), min(a, b) + 1)
    return {
        "and": [Fraction(both, n) for both in overlaps],
        "or": [Fraction(a + b - both, n) for both in overlaps],
    }


def write_figure_12() -> None:
    """Write bounds by trying every overlap, and independence by counting pairs of lots."""
    rows: list[Expected] = []
    (fpr1, tpr1), (fpr2, tpr2) = PAIR.values()
    for column, first, second, both in (
        ("fpr", fpr1, fpr2, "0.08"),
        ("tpr", tpr1, tpr2, "0.42"),
    ):
        possible = extremes(first, second, 100)
        lots = [(i < 100 * first, j < 100 * second) for i in range(100) for j in range(100)]
        chances = {
            "and": Fraction(sum(x and y for x, y in lots), len(lots)),
            "or": Fraction(sum(x or y for x, y in lots), len(lots)),
        }
        for word, question in (("and", "conjoin_classifiers"), ("or", "disjoin_classifiers")):
            name = f"c1 {word} c2"
            for kind, value in (
                ("lower-bound", min(possible[word])),
                ("upper-bound", max(possible[word])),
                ("independent", chances[word]),
            ):
                where = {"predictor": name, "kind": kind}
                rows += computed(question, where, {column: value})
        where = {"predictor": "c1 and c2", "kind": "independent"}
        rows += printed("conjoin_classifiers", where, {column: both})
    write_case(
        __file__,
        "figure_12",
        study=NO_STUDY,
        columns=position_columns(PAIR),
        expected=rows,
        packages=(),
    )


def simulate_decisions() -> tuple[list[bool], dict[str, list[bool]]]:
    """Return labels and the decisions of four classifiers that share most of what they know."""
    draw = random.Random(7)
    labels = [draw.random() < 0.4 for _ in range(200)]
    shared = [draw.gauss(1.5 * label, 1.0) for label in labels]
    cuts = {"liberal": 0.2, "middle": 0.8, "strict": 1.6, "noisy": 0.7}
    spread = {"liberal": 0.3, "middle": 0.3, "strict": 0.3, "noisy": 2.0}
    calls = {
        name: [knows + draw.gauss(0.0, spread[name]) >= cut for knows in shared]
        for name, cut in cuts.items()
    }
    return labels, calls


def write_chain() -> None:
    """Write a chain of classifiers that are far from independent."""
    labels, calls = simulate_decisions()

    def rates(called: Sequence[bool]) -> tuple[Fraction, Fraction]:
        n_pos = sum(labels)
        tp = sum(call and label for call, label in zip(called, labels, strict=True))
        fp = sum(called) - tp
        return Fraction(fp, len(labels) - n_pos), Fraction(tp, n_pos)

    positions = {name: rates(called) for name, called in calls.items()}
    order = [name for name in sorted(positions, key=positions.__getitem__) if name != "noisy"]
    require_hull(positions, order)
    rows: list[Expected] = []
    for name, (fpr, tpr) in positions.items():
        where = {"predictor": name, "kind": "observed"}
        rows += computed("chain_classifiers", where, {"fpr": fpr, "tpr": tpr})
    for end in range(2, len(order) + 1):
        chain = order[:end]
        called = [any(answers) for answers in zip(*(calls[name] for name in chain), strict=True)]
        for axis, column in enumerate(("fpr", "tpr")):
            single = [positions[name][axis] for name in chain]
            for kind, value in (
                ("observed", rates(called)[axis]),
                ("independent", 1 - math.prod(1 - rate for rate in single)),
                ("lower-bound", max(single)),
                ("upper-bound", min(Fraction(1), sum(single, Fraction()))),
            ):
                where = {"predictor": " or ".join(chain), "kind": kind}
                rows += computed("chain_classifiers", where, {column: value})
    write_case(
        __file__,
        "chain",
        study=NO_STUDY,
        columns={"y_true": [int(label) for label in labels]}
        | {name: [int(call) for call in called] for name, called in calls.items()},
        expected=rows,
        packages=(),
    )


def require_hull(positions: Mapping[str, tuple[Fraction, Fraction]], kept: Sequence[str]) -> None:
    """Raise ValueError unless ``kept`` are the classifiers below no chord of the others."""
    zero, one = Fraction(0), Fraction(1)
    points = sorted([(zero, zero), (one, one), *positions.values()])
    for name, (x, y) in positions.items():
        below = any(
            x1 < x < x2 and y1 + (y2 - y1) * (x - x1) / (x2 - x1) > y
            for (x1, y1), (x2, y2) in combinations(points, 2)
        )
        if below == (name in kept):
            raise ValueError(f"{name} must {'be on' if name in kept else 'be below'} the hull")


if __name__ == "__main__":
    write_figure_2()
    write_figure_10()
    write_figure_11()
    write_figure_12()
    write_chain()
