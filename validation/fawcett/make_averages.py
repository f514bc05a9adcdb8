"""Make the case of figure 8, and the input of R's ROCR: five curves, averaged.

Command: ``python validation/fawcett/make_averages.py``.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import z_of
from validation.files import ROOT
from validation.reference import (
    Expected,
    Numbers,
    as_columns,
    as_limits,
    computed,
    write_case,
    write_input,
)

STUDY = {"y_true": "class", "y_score": "score", "pos_label": "p", "fold": "sample"}

Instance = tuple[bool, float]
"""Whether it is positive, and its score."""
Point = tuple[float, Fraction, Fraction]
"""Score, FPR and TPR."""


def simulate_samples() -> dict[int, list[Instance]]:
    """Return five samples of 1000 instances, about half of them positive, with few ties."""
    draw = random.Random(20040316)
    samples = {}
    for sample in range(1, 6):
        labels = [draw.random() < 0.5 for _ in range(1000)]
        samples[sample] = [(label, round(draw.gauss(1.2 * label, 1.0), 3)) for label in labels]
    return samples


def algorithm_2(instances: Sequence[Instance]) -> list[Point]:
    """Return the points, each with the score of the instance before which it is pushed."""
    n_pos = sum(label for label, _ in instances)
    n_neg = len(instances) - n_pos
    fp = tp = 0
    points: list[Point] = []
    previous = None
    for label, score in sorted(instances, key=lambda instance: -instance[1]):
        if score != previous:
            points.append((score, Fraction(fp, n_neg), Fraction(tp, n_pos)))
            previous = score
        tp, fp = tp + label, fp + (not label)
    points.append((-math.inf, Fraction(1), Fraction(1)))
    return points


def tpr_for_fpr(fpr: Fraction, points: Sequence[Point]) -> Fraction:
    """Return algorithm 4's sample of a curve; a scan that reaches the last point stays there."""
    i = 0
    while i < len(points) - 1 and points[i + 1][1] <= fpr:
        i += 1
    if points[i][1] == fpr or i == len(points) - 1:
        return points[i][2]
    (_, x1, y1), (_, x2, y2) = points[i], points[i + 1]
    return y1 + (y2 - y1) / (x2 - x1) * (fpr - x1)


def point_at_threshold(points: Sequence[Point], threshold: float) -> Point:
    """Return algorithm 5's sample of a curve; a scan past the last point stays there."""
    i = 0
    while i < len(points) - 1 and points[i][0] > threshold:
        i += 1
    return points[i]


def counted(instances: Sequence[Instance], threshold: float) -> tuple[Fraction, Fraction]:
    """Return the rates of "positive if the score is at or above the threshold"."""
    n_pos = sum(label for label, _ in instances)
    called = [label for label, score in instances if score >= threshold]
    fpr = Fraction(len(called) - sum(called), len(instances) - n_pos)
    return fpr, Fraction(sum(called), n_pos)


def mean(values: Sequence[Fraction]) -> Fraction:
    """Return the unweighted mean."""
    return sum(values, Fraction()) / len(values)


def named(found: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the values with their mean."""
    return {**found, "mean": mean(list(found.values()))}


def vertical_rows(samples: Mapping[int, Sequence[Instance]]) -> Iterator[Expected]:
    """Yield every curve and the mean at FPR 0, .1, ..., 1, as in figure 8c."""
    curves = {str(name): algorithm_2(instances) for name, instances in samples.items()}
    for step in range(11):
        found = {name: tpr_for_fpr(Fraction(step, 10), points) for name, points in curves.items()}
        for name, value in named(found).items():
            where = {"curve": name, "step": step}
            yield from computed("vertical_average", where, {"tpr": value}, samples=10)


def spaced(samples: Mapping[int, Sequence[Instance]], n: int) -> list[float]:
    """Return n distinct thresholds, evenly spaced by position: infinity first, the lowest last."""
    distinct = {score for instances in samples.values() for _, score in instances}
    pooled = [math.inf, *sorted(distinct, reverse=True)]
    return [pooled[i * (len(pooled) - 1) // (n - 1)] for i in range(n)]


def threshold_rows(samples: Mapping[int, Sequence[Instance]], n: int) -> Iterator[Expected]:
    """Yield the mean point at each threshold under both rules, and under one every curve's."""
    curves = {str(name): algorithm_2(instances) for name, instances in samples.items()}
    for step, threshold in enumerate(spaced(samples, n)):
        here = {str(name): counted(instances, threshold) for name, instances in samples.items()}
        if any(
            point_at_threshold(curves[name], math.nextafter(threshold, -math.inf))[1:] != point
            for name, point in here.items()
        ):
            raise ValueError("above the next lower number is at or above the threshold")
        printed_rule = {
            name: point_at_threshold(points, threshold)[1:] for name, points in curves.items()
        }
        for axis, column in enumerate(("fpr", "tpr")):
            for name, value in named({name: point[axis] for name, point in here.items()}).items():
                where = {"curve": name, "step": step}
                yield from computed("threshold_average", where, {column: value}, samples=n)
            row = {column: mean([point[axis] for point in printed_rule.values()])}
            where = {"curve": "mean", "step": step}
            yield from computed("threshold_average", where, row, samples=n, rule="printed")


def merged_rows(samples: Mapping[int, Sequence[Instance]], n: int) -> Iterator[Expected]:
    """Yield points of the curve of all instances together, as in figure 8b."""
    together = [instance for instances in samples.values() for instance in instances]
    for threshold in spaced(samples, n):
        fpr, tpr = counted(together, threshold)
        yield from computed("merged_curve", {"threshold": threshold}, {"fpr": fpr, "tpr": tpr})


def wilson(p: Fraction, n: Fraction) -> tuple[float, float]:
    """Return Wilson's 95% limits, the roots of (p - q)^2 = z^2 q(1 - q)/n in q."""
    share, z2 = float(p), z_of(0.95) ** 2 / float(n)
    half = math.sqrt(z2 * share * (1 - share) + z2**2 / 4)
    low, high = ((share + z2 / 2 + sign * half) / (1 + z2) for sign in (-1, 1))
    return (0.0 if p == 0 else low), (1.0 if p == 1 else high)


def bar_rows(samples: Mapping[int, Sequence[Instance]], n: int) -> Iterator[Expected]:
    """Yield the bars of figures 8c and 8d: Wilson's, of n = K^2 / sum(1/P_i) cases."""
    positives = [sum(label for label, _ in instances) for instances in samples.values()]
    negatives = [
        len(instances) - m for instances, m in zip(samples.values(), positives, strict=True)
    ]
    size = {
        axis: Fraction(len(each) ** 2) / sum(Fraction(1, m) for m in each)
        for axis, each in (("tpr", positives), ("fpr", negatives))
    }
    curves = [algorithm_2(instances) for instances in samples.values()]
    for step in range(11):
        value = mean([tpr_for_fpr(Fraction(step, 10), points) for points in curves])
        where = {"fpr": step / 10, "quantity": "tpr"}
        limits = as_limits(wilson(value, size["tpr"]))
        row: Numbers = {"estimate": value, "n_effective": size["tpr"], **limits}
        yield from computed("roc_average", where, row, kind="vertical")
    for threshold in spaced(samples, n)[1:]:
        points = [counted(instances, threshold) for instances in samples.values()]
        for axis, place in (("fpr", 0), ("tpr", 1)):
            value = mean([point[place] for point in points])
            where = {"threshold": threshold, "quantity": axis}
            row = {"estimate": value, **as_limits(wilson(value, size[axis]))}
            yield from computed("roc_average", where, row, kind="threshold")


def columns_of(samples: Mapping[int, Sequence[Instance]]) -> dict[str, Sequence[object]]:
    """Return the columns of input.csv."""
    rows = [
        (name, "p" if label else "n", score)
        for name, instances in samples.items()
        for label, score in instances
    ]
    return as_columns(("sample", "class", "score"), rows)


def rated(instances: Sequence[Instance]) -> list[Instance]:
    """Return the instances with their scores as ratings from -1.5 to 2.5 in halves."""
    return [(label, min(max(round(2 * score) / 2, -1.5), 2.5)) for label, score in instances]


def write_figure_8() -> None:
    """Write five curves of 1000 instances, merged, and averaged in both ways."""
    samples = simulate_samples()
    write_case(
        __file__,
        "figure_8",
        study=STUDY,
        columns=columns_of(samples),
        expected=[
            *vertical_rows(samples),
            *threshold_rows(samples, 11),
            *merged_rows(samples, 11),
            *bar_rows(samples, 11),
        ],
        packages=(),
    )
    # ROCR takes the mean of a vertical step: a curve of ratings has none.
    coarse = columns_of({name: rated(instances) for name, instances in samples.items()})
    write_input(ROOT / "r_rocr_average" / "figure_8_rated", STUDY, coarse)


if __name__ == "__main__":
    write_figure_8()
