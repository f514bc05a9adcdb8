"""One curve of several classes: decisions pooled (micro), or curves averaged (macro)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import Numbers, RocPoints, Ties, roc_columns, roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ClassCases


def macro_curve(curves: Sequence[RocPoints]) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of the mean of curves at every false positive rate, (0, 0) first.

    A curve that rises at a rate makes the mean rise there: bottom and top of the step are vertices.
    The area under the mean is the mean of the areas.
    """
    rates = np.unique(np.concatenate([curve.fpr for curve in curves]))
    top = np.mean([tpr_at(curve.fpr, curve.tpr, rates) for curve in curves], axis=0)
    turned = [(1 - curve.fpr[::-1], 1 - curve.tpr[::-1]) for curve in curves]
    bottom = 1 - np.mean([tpr_at(fpr, tpr, 1 - rates) for fpr, tpr in turned], axis=0)
    rises = top > bottom
    rises[0] = True
    fpr = np.repeat(rates, np.where(rises, 2, 1))
    tpr = np.stack([bottom, top], axis=1)[np.stack([rises, np.ones_like(rises)], axis=1)]
    return fpr, tpr


def average_columns(cases: ClassCases, average: str, ties: Ties, *, predictor: int) -> Numbers:
    """Return the number columns of an average curve; no mean (NaN) where a class has no cases."""
    if average == "micro":
        return roc_columns(roc_points(cases.pooled_counts(predictor=predictor), ties=ties))
    fpr, tpr = np.array([0.0, 1.0]), np.full(2, np.nan)
    if (cases.weight_of > 0).all():
        classes = range(cases.n_classes)
        tables = [cases.counts(k, predictor=predictor) for k in classes]
        fpr, tpr = macro_curve([roc_points(counts, ties=ties) for counts in tables])
    unknown = np.full(len(fpr), np.nan)
    threshold = unknown.copy()
    threshold[0] = np.inf
    return {"threshold": threshold, "fpr": fpr, "tpr": tpr, "fp": unknown, "tp": unknown}
