"""Brute force: the definitions, as plainly as possible, sharing no code with rocstats."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np


def kernel(y, score):
    """psi(x, y): 1, 1/2 or 0 for each positive (row) and negative (column)."""
    y, score = np.asarray(y, bool), np.asarray(score, float)
    x = score[y][:, None]
    z = score[~y][None, :]
    return np.where(x > z, 1.0, np.where(x == z, 0.5, 0.0))


def auc(y, score):
    return kernel(y, score).mean()


def delong_covariance(y, scores):
    """Covariance matrix of the AUCs of several score vectors by the definition of DeLong."""
    kernels = [kernel(y, score) for score in scores]
    v10 = np.array([k.mean(axis=1) for k in kernels])
    v01 = np.array([k.mean(axis=0) for k in kernels])
    return np.atleast_2d(np.cov(v10)) / v10.shape[1] + np.atleast_2d(np.cov(v01)) / v01.shape[1]


def jackknife_variance(y, score):
    """Two-sample delete-one jackknife of the AUC, every AUC recomputed."""
    y, score = np.asarray(y, bool), np.asarray(score, float)
    total = 0.0
    for label in (True, False):
        rows = np.flatnonzero(y == label)
        left_out = [auc(np.delete(y, i), np.delete(score, i)) for i in rows]
        size = len(rows)
        total += (size - 1) / size * np.sum((np.array(left_out) - np.mean(left_out)) ** 2)
    return total


def obuchowski_variance(y, score, cluster):
    """Obuchowski (1997) by loops over clusters."""
    y, cluster = np.asarray(y, bool), np.asarray(cluster)
    k = kernel(y, score)
    m, n = k.shape
    theta = k.mean()
    v10, v01 = k.mean(axis=1), k.mean(axis=0)
    names = list(dict.fromkeys(cluster.tolist()))
    a = [np.sum(v10[cluster[y] == name] - theta) for name in names]
    b = [np.sum(v01[cluster[~y] == name] - theta) for name in names]
    i10 = sum(np.any(cluster[y] == name) for name in names)
    i01 = sum(np.any(cluster[~y] == name) for name in names)
    s10 = i10 / ((i10 - 1) * m) * np.sum(np.square(a))
    s01 = i01 / ((i01 - 1) * n) * np.sum(np.square(b))
    s11 = len(names) / (len(names) - 1) * np.dot(a, b)
    return s10 / m + s01 / n + 2 * s11 / (m * n)


def bootstrap_variance(y, score):
    """Variance of the stratified bootstrap with infinitely many resamples, over index pairs."""
    k = kernel(y, score)
    m, n = k.shape
    same_both = np.mean(k**2)
    same_row = np.mean([np.outer(row, row).mean() for row in k])
    same_column = np.mean([np.outer(column, column).mean() for column in k.T])
    pairs = (same_both + (n - 1) * same_row + (m - 1) * same_column) / (m * n)
    return pairs + ((m - 1) * (n - 1) / (m * n) - 1) * k.mean() ** 2


def unbiased_variance(y, score):
    """U-statistic estimate of Var(A): products over pairs with distinct indices."""
    k = kernel(y, score)
    m, n = k.shape
    i, j, p, q = np.indices((m, n, m, n))
    products = k[i, j] * k[p, q]
    means = {
        "both": products[(i == p) & (j == q)].mean(),
        "row": products[(i == p) & (j != q)].mean(),
        "column": products[(i != p) & (j == q)].mean(),
        "none": products[(i != p) & (j != q)].mean(),
    }
    first = means["both"] + (n - 1) * means["row"] + (m - 1) * means["column"]
    return (first + (m - 1) * (n - 1) * means["none"]) / (m * n) - means["none"]


def algorithm_1(y, score):
    """Fawcett's algorithm 1: every threshold against every instance."""
    y, score = np.asarray(y, bool), np.asarray(score, float)
    thresholds = np.array([np.inf, *sorted(set(score.tolist()), reverse=True)])
    called = score >= thresholds[:, np.newaxis]
    return np.column_stack([thresholds, (called & ~y).sum(axis=1), (called & y).sum(axis=1)])


def tpr_at(y, score, fpr):
    """Highest TPR at each rate on the polygon of algorithm 1."""
    points = algorithm_1(y, score)
    x, height = points[:, 1] / points[-1, 1], points[:, 2] / points[-1, 2]
    at = [np.abs(x - rate) < 1e-9 for rate in fpr]
    between = np.interp(fpr, x, height)
    return np.array(
        [height[on].max() if on.any() else v for on, v in zip(at, between, strict=True)]
    )


def trapezoid(fpr, tpr):
    return float(
        sum(
            (b - a) * (c + d) / 2
            for a, b, c, d in zip(fpr[:-1], fpr[1:], tpr[:-1], tpr[1:], strict=True)
        )
    )


def precision_at(y, score, recall):
    """Precision of the interpolated curve at a recall: Davis & Goadrich's formula, in fractions."""
    points = [(int(fp), int(tp)) for _, fp, tp in algorithm_1(y, score)]
    wanted = Fraction(recall) * points[-1][1]
    if wanted == 0:
        # The limit of the first segment, where TP / (TP + FP) is the same all along.
        return Fraction(points[1][1], sum(points[1]))
    for (fp_a, tp_a), (fp_b, tp_b) in pairwise(points):
        if tp_b == wanted:
            return wanted / (wanted + fp_b)
        if tp_a < wanted < tp_b:
            x = wanted - tp_a
            return (tp_a + x) / (tp_a + x + fp_a + Fraction(fp_b - fp_a, tp_b - tp_a) * x)
    raise AssertionError("recall above 1")


def average_precision(y, score):
    """Each positive's share of positives among the cases it does not beat, averaged."""
    y, score = np.asarray(y, bool), np.asarray(score, float)
    unbeaten = score >= score[y][:, np.newaxis]
    return float(np.mean((unbeaten & y).sum(axis=1) / unbeaten.sum(axis=1)))


NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)


def pr_area(y, score):
    """Area under the interpolated curve by Gauss-Legendre quadrature of every segment."""
    x, weight = (NODES + 1) / 2, WEIGHTS / 2
    points = algorithm_1(y, score)[:, 1:]
    total = 0.0
    for (fp_a, tp_a), (fp_b, tp_b) in pairwise(points):
        tp, fp = tp_a + x * (tp_b - tp_a), fp_a + x * (fp_b - fp_a)
        total += (tp_b - tp_a) * np.dot(weight, tp / (tp + fp))
    return total / points[-1, 1]
