"""The average curve of several classes: decisions pooled (micro), or curves averaged (macro)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import Numbers, RocPoints, Ties, roc_columns, roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ClassCases


def macro_curve(curves: Sequence[RocPoints]) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the vertices of the vertical mean of curves, (0, 0) first.

    Where a curve has a vertical step the mean has one too: its bottom and top are vertices. The
    area under the mean is the mean of the areas.
    """
    rates = np.unique(np.concatenate([curve.fpr for curve in curves]))
    top = np.mean([tpr_at(curve.fpr, curve.tpr, rates) for curve in curves], axis=0)
    # The bottom of a step is the top of the curve turned by 180 degrees.
    turned = [(1 - curve.fpr[::-1], 1 - curve.tpr[::-1]) for curve in curves]
    bottom = 1 - np.mean([tpr_at(fpr, tpr, 1 - rates) for fpr, tpr in turned], axis=0)
    rises = top > bottom
    fpr = np.repeat(rates, np.where(rises, 2, 1))
    tpr = np.stack([bottom, top], axis=1)[np.stack([rises, np.ones_like(rises)], axis=1)]
    return fpr, tpr


def average_columns(cases: ClassCases, average: str, ties: Ties, *, predictor: int) -> Numbers:
    """Return the number columns of an average curve; macro is NaN if a class has no cases."""
    if average == "micro":
        return roc_columns(roc_points(cases.pooled_counts(predictor=predictor), ties=ties))
    fpr, tpr = np.array([0.0, 1.0]), np.full(2, np.nan)
    if (cases.weight_of > 0).all():
        tables = [cases.counts(k, predictor=predictor) for k in range(cases.n_classes)]
        fpr, tpr = macro_curve([roc_points(counts, ties=ties) for counts in tables])
    unknown = np.full(len(fpr), np.nan)
    threshold = unknown.copy()  # a copy: the counts keep their NaN
    threshold[0] = np.inf
    return {"threshold": threshold, "fpr": fpr, "tpr": tpr, "fp": unknown, "tp": unknown}
