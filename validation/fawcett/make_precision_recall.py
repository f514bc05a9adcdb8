"""Make the cases of figure 5 and of two lecture examples.

Command: ``python validation/fawcett/make_precision_recall.py``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

from scipy.integrate import quad

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.reference import Expected, Numbers, agree, computed, derived, write_case

RECALLS = (Fraction(1, 20), Fraction(9, 20), Fraction(13, 20), Fraction(19, 20))

# Figure 5 has no numbers. Two orderings of ten positives and ten negatives; "pn" is a tie.
ORDERINGS = {
    "a": "p p p p n n n n n p n p n p n n pp n p",
    "b": "n p p p p p p pn p p n p n n n n n n n",
}
SKEWS = {"1:1": 1, "1:10": 10}

TEN_ROWS: list[bf.Case] = [
    (score, label == "+", 1)
    for score, label in zip((15, 12, 10, 8, 6, 2, -1, -3, -14, -20), "-++-+---+-", strict=True)
]
# The lecture's table: TPR in quarters and FPR in sixths at thresholds between the scores.
IN_PRINT = {
    16: (0, 0), 13: (0, 1), 11: (1, 1), 9: (2, 1), 7: (2, 2), 4: (3, 2),
    0: (3, 3), -2: (3, 4), -9: (3, 5), -16: (4, 5), -21: (4, 6),
}  # fmt: skip
CONFUSION = {"tp": 723, "fp": 15, "fn": 72, "tn": 409}


def interpolate(vertices: Sequence[bf.Vertex], recall: Fraction) -> tuple[Fraction, Fraction]:
    """Return false positives and precision at a recall between two points (not at one)."""
    wanted = recall * vertices[-1][2]
    for (_, fp_a, tp_a), (_, fp_b, tp_b) in pairwise(vertices):
        if tp_a < wanted < tp_b:
            fp = fp_a + (wanted - tp_a) * Fraction(fp_b - fp_a, tp_b - tp_a)
            return fp, wanted / (wanted + fp)
    raise ValueError("the recall must lie between two points")


def average_precision(vertices: Sequence[bf.Vertex]) -> Fraction:
    """Return the sum of precision times the rise in recall."""
    rises = [(b[2] - a[2], Fraction(b[2], b[1] + b[2])) for a, b in pairwise(vertices) if b[2]]
    return sum((Fraction(rise) * ppv for rise, ppv in rises), Fraction()) / vertices[-1][2]


def area_by_quadrature(vertices: Sequence[bf.Vertex]) -> float:
    """Return the area under the interpolated curve, every segment integrated numerically."""
    total = 0.0
    for (_, fp_a, tp_a), (_, fp_b, tp_b) in pairwise(vertices):
        if tp_a < tp_b:
            slope = (fp_b - fp_a) / (tp_b - tp_a)
            part, _ = quad(
                lambda x, tp=tp_a, fp=fp_a, slope=slope: (tp + x) / (tp + x + fp + slope * x),
                0,
                float(tp_b - tp_a),
                epsabs=0,
                epsrel=1e-13,
            )
            total += part
    return total / vertices[-1][2]


def vertex_rows(vertices: Sequence[bf.Vertex], where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield what every graph has at each threshold, the first row but for its limits."""
    _, n_neg, n_pos = vertices[-1]
    n = n_pos + n_neg
    for threshold, fp, tp in vertices:
        here = {**where, "threshold": threshold}
        fpr, tpr = Fraction(fp, n_neg), Fraction(tp, n_pos)
        det: Numbers = {
            "fnr": 1 - tpr,
            "fpr_deviate": deviate(fpr),
            "fnr_deviate": deviate(1 - tpr),
        }
        yield from computed("roc_curve", here, {"fpr": fpr, "tpr": tpr})
        yield from computed("pr_curve", here, {"tpr": tpr})
        yield from computed("lift_curve", here, {"positive_rate": (fp + tp) / n, "tpr": tpr})
        yield from computed("det_curve", here, det)
        # In the first row the limit of the first segment, along which the precision is constant.
        _, fp_shown, tp_shown = vertices[1] if fp + tp == 0 else (threshold, fp, tp)
        ppv = Fraction(tp_shown, fp_shown + tp_shown)
        yield from computed("pr_curve", here, {"ppv": ppv})
        yield from computed("lift_curve", here, {"lift": ppv * n / n_pos})


def deviate(rate: Fraction) -> float:
    """Return the standard normal quantile, infinite at 0 and 1."""
    if rate in (0, 1):
        return math.copysign(math.inf, rate - 0.5)
    return NormalDist().inv_cdf(float(rate)) if rate != Fraction(1, 2) else 0.0


def area_rows(vertices: Sequence[bf.Vertex], where: Mapping[str, Any]) -> Iterator[Expected]:
    """Yield both areas."""
    for quantity, value in (
        ("average_precision", average_precision(vertices)),
        ("pr_auc", area_by_quadrature(vertices)),
    ):
        here = {**where, "quantity": quantity}
        yield from computed("average_precision", here, {"estimate": value})


def auc_of(cases: Sequence[bf.Case]) -> Fraction:
    """Return the area under the ROC curve, over all pairs."""
    scores: dict[bool, list[float]] = {True: [], False: []}
    for score, positive, n in cases:
        scores[positive] += [score] * n
    return bf.Pairs.of(scores[True], scores[False]).area


def ordered(ordering: str, negatives: int) -> list[bf.Case]:
    """Return the cases of an ordering, each negative standing for several."""
    places = ordering.split()
    return [
        (len(places) - place, label == "p", 1 if label == "p" else negatives)
        for place, labels in enumerate(places)
        for label in labels
    ]


def figure_5_rows() -> Iterator[Expected]:
    """Yield all graphs of both classifiers at both skews, and what the README works out."""
    recalls = [float(recall) for recall in RECALLS]
    for skew, negatives in SKEWS.items():
        for name, ordering in ORDERINGS.items():
            where = {"predictor": name, "group": skew}
            cases = ordered(ordering, negatives)
            vertices = bf.vertices_of(cases)
            yield from vertex_rows(vertices, where)
            yield from area_rows(vertices, where)
            yield from computed("auc", where, {"estimate": auc_of(cases)})
            for recall in RECALLS:
                fp, ppv = interpolate(vertices, recall)
                here = {**where, "tpr": float(recall)}
                yield from computed("pr_curve", here, {"fp": fp, "ppv": ppv}, tpr=recalls)
    for skew, last, between in (("1:1", "0.5", "0.8125"), ("1:10", "0.0909", "0.3023")):
        at_last = {"predictor": "a", "group": skew, "threshold": 1}
        yield from derived("pr_curve", at_last, {"ppv": last})
        at_tie = {"predictor": "b", "group": skew, "tpr": 0.65}
        yield from derived("pr_curve", at_tie, {"ppv": between}, tpr=[0.65])


def require_a_change_of_winner() -> None:
    """Raise ValueError unless the better average precision changes with the skew."""
    balanced, skewed = (
        {name: average_precision(bf.vertices_of(ordered(o, k))) for name, o in ORDERINGS.items()}
        for k in SKEWS.values()
    )
    if not (balanced["a"] < balanced["b"] and skewed["a"] > skewed["b"]):
        raise ValueError("the better classifier must change with the skew")


def write_figure_5() -> None:
    """Write two classifiers on balanced data, and with every negative ten times over."""
    require_a_change_of_winner()
    labels = "p" * 10 + "n" * 10
    scores = {
        name: [
            score
            for label in "pn"
            for score, positive, _ in ordered(ordering, 1)
            if positive is (label == "p")
        ]
        for name, ordering in ORDERINGS.items()
    }
    columns: dict[str, list[object]] = {
        "skew": [skew for skew in SKEWS for _ in labels],
        "class": [label for _ in SKEWS for label in labels],
        **{name: [score for _ in SKEWS for score in values] for name, values in scores.items()},
        "n": [k if label == "n" else 1 for k in SKEWS.values() for label in labels],
    }
    study = {"y_score": list(ORDERINGS), "pos_label": "p", "group": "skew", "frequency": "n"}
    write_case(
        __file__,
        "figure_5",
        study={"y_true": "class", **study},
        columns=columns,
        expected=figure_5_rows(),
    )


def write_ten_rows() -> None:
    """Write the ten scores of the lecture, its table of rates, and the other graphs."""
    where = {"predictor": "f"}
    printed: list[Expected] = []
    for threshold, (tp, fp) in IN_PRINT.items():
        above = [score for score, _, _ in TEN_ROWS if score > threshold]
        here = {"threshold": min(above, default=math.inf)}
        rates = {"tpr": f"{tp / 4:.10f}", "fpr": f"{fp / 6:.10f}"}
        printed += derived("roc_curve", here, rates)
    vertices = bf.vertices_of(TEN_ROWS)
    agree(auc_of(TEN_ROWS), "0.625")
    write_case(
        __file__,
        "lecture_ten_rows",
        study={"y_true": "y", "y_score": "f"},
        columns={
            "f": [score for score, _, _ in TEN_ROWS],
            "y": [1 if positive else -1 for _, positive, _ in TEN_ROWS],
        },
        expected=[
            *printed,
            *derived("auc", where, {"estimate": "0.6250000000"}),
            *vertex_rows(vertices, where),
            *area_rows(vertices, where),
        ],
    )


def write_confusion() -> None:
    """Write the lecture's confusion table with its measures by definition."""
    tp, fp, fn, tn = (CONFUSION[cell] for cell in ("tp", "fp", "fn", "tn"))
    cases: list[bf.Case] = [(1, True, tp), (1, False, fp), (-1, True, fn), (-1, False, tn)]
    vertices = bf.vertices_of(cases)
    measures = {
        "tpr": Fraction(tp, tp + fn),
        "fpr": Fraction(fp, fp + tn),
        "tnr": Fraction(tn, fp + tn),
        "ppv": Fraction(tp, tp + fp),
        "accuracy": 1 - Fraction(fp + fn, tp + fp + fn + tn),
    }
    precision, recall = measures["ppv"], measures["tpr"]
    measures["f1"] = 2 * precision * recall / (precision + recall)
    write_case(
        __file__,
        "lecture_confusion",
        study={"y_true": "y", "y_score": "predicted", "frequency": "n"},
        columns={
            "y": [1 if positive else -1 for _, positive, _ in cases],
            "predicted": [int(score) for score, _, _ in cases],
            "n": [n for _, _, n in cases],
        },
        expected=[
            *computed("threshold_rates", {"threshold": 1}, measures),
            *vertex_rows(vertices, {"predictor": "predicted"}),
            *area_rows(vertices, {"predictor": "predicted"}),
        ],
    )


if __name__ == "__main__":
    write_figure_5()
    write_ten_rows()
    write_confusion()
