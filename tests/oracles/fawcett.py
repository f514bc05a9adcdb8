"""Fawcett's algorithms 4 and 5 with their slips mended, as plain loops in rational arithmetic.

A curve is a list of (score, fp, tp) of counts; nothing here is shared with rocstats.
"""

from __future__ import annotations

from fractions import Fraction


def algorithm_2(y, score):
    """Points with the score of the instance before which each is pushed; the last has none."""
    order = sorted(range(len(y)), key=lambda i: -score[i])
    points, fp, tp, previous = [], 0, 0, None
    for i in order:
        if score[i] != previous:
            points.append((score[i], fp, tp))
            previous = score[i]
        if y[i]:
            tp += 1
        else:
            fp += 1
    points.append((float("-inf"), fp, tp))
    return points


def rates(points):
    _, n_neg, n_pos = points[-1]
    return [(s, Fraction(fp, n_neg), Fraction(tp, n_pos)) for s, fp, tp in points]


def tpr_for_fpr(fpr, points):
    """TPR_FOR_FPR of algorithm 4; a scan that reaches the last point stays there."""
    i = 0
    while i < len(points) - 1 and points[i + 1][1] <= fpr:
        i += 1
    if points[i][1] == fpr or i == len(points) - 1:
        return points[i][2]
    (_, x1, y1), (_, x2, y2) = points[i], points[i + 1]
    return y1 + (y2 - y1) / (x2 - x1) * (fpr - x1)


def algorithm_4(curves, samples):
    """Means over the curves at 0, 1/samples, ..., 1; divided by the number of curves."""
    grid = [Fraction(k, samples) for k in range(samples + 1)]
    return [sum(tpr_for_fpr(fpr, rates(curve)) for curve in curves) / len(curves) for fpr in grid]


def point_at_threshold(points, threshold):
    """ROC_POINT_AT_THRESHOLD of algorithm 5; a scan past the last point stays there."""
    i = 0
    while i < len(points) - 1 and points[i][0] > threshold:
        i += 1
    return points[i]


def algorithm_5(curves, thresholds):
    """Mean points at given thresholds, by the printed rule."""
    averages = []
    for threshold in thresholds:
        found = [point_at_threshold(rates(curve), threshold) for curve in curves]
        fpr = sum(point[1] for point in found) / len(curves)
        tpr = sum(point[2] for point in found) / len(curves)
        averages.append((fpr, tpr))
    return averages


def at_or_beyond(samples, threshold):
    """Mean rates of "positive if score >= threshold", counted case by case."""
    fpr = tpr = Fraction(0)
    for y, score in samples:
        called = [label for label, s in zip(y, score, strict=True) if s >= threshold]
        tpr += Fraction(sum(called), sum(y))
        fpr += Fraction(len(called) - sum(called), len(y) - sum(y))
    return fpr / len(samples), tpr / len(samples)
