"""Measures of a decision: everything that the four cells of its table say. Arrays only.

The cells may be counts, or shares of a population with another prevalence: only their proportions
count. A measure without a denominator is NaN; one divided by 0 is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray

RATES = ("tpr", "tnr", "fpr", "fnr")
"""Measures that one class alone has."""

OF_PREVALENCE = ("ppv", "npv", "accuracy", "f1", "mcc")
"""Measures that depend on the share of positives."""


@dataclass(frozen=True, eq=False)
class Cells:
    """True and false positives and negatives at each of G thresholds."""

    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


def cells_of(curve: RocPoints) -> Cells:
    """Return the counts at every vertex of a curve."""
    return Cells(curve.tp, curve.tp[-1] - curve.tp, curve.fp, curve.fp[-1] - curve.fp)


def cells_at(tpr: FloatArray, fpr: FloatArray, prevalence: FloatArray | float) -> Cells:
    """Return shares of a population with this prevalence."""
    others = 1 - prevalence
    return Cells(prevalence * tpr, prevalence * (1 - tpr), others * fpr, others * (1 - fpr))


def shifted(cells: Cells, prevalence: float) -> Cells:
    """Return the shares of a population with this prevalence and the rates of these cells."""
    n_pos, n_neg = cells.tp + cells.fn, cells.fp + cells.tn
    with np.errstate(divide="ignore", invalid="ignore"):
        pos, neg = prevalence / n_pos, (1 - prevalence) / n_neg
        return Cells(cells.tp * pos, cells.fn * pos, cells.fp * neg, cells.tn * neg)


def _youden(c: Cells) -> FloatArray:
    return c.tp / (c.tp + c.fn) - c.fp / (c.fp + c.tn)


def _mcc(c: Cells) -> FloatArray:
    called, left = (c.tp + c.fp) * (c.tn + c.fn), (c.tp + c.fn) * (c.tn + c.fp)
    return np.asarray((c.tp * c.tn - c.fp * c.fn) / np.sqrt(called * left))


MEASURES: dict[str, Callable[[Cells], FloatArray]] = {
    "tpr": lambda c: c.tp / (c.tp + c.fn),
    "tnr": lambda c: c.tn / (c.fp + c.tn),
    "fpr": lambda c: c.fp / (c.fp + c.tn),
    "fnr": lambda c: c.fn / (c.tp + c.fn),
    "ppv": lambda c: c.tp / (c.tp + c.fp),
    "npv": lambda c: c.tn / (c.tn + c.fn),
    "lr_positive": lambda c: c.tp / (c.tp + c.fn) / (c.fp / (c.fp + c.tn)),
    "lr_negative": lambda c: c.fn / (c.tp + c.fn) / (c.tn / (c.fp + c.tn)),
    "odds_ratio": lambda c: c.tp * c.tn / (c.fp * c.fn),
    "accuracy": lambda c: (c.tp + c.tn) / (c.tp + c.fn + c.fp + c.tn),
    "balanced_accuracy": lambda c: (c.tp / (c.tp + c.fn) + c.tn / (c.fp + c.tn)) / 2,
    "youden": _youden,
    "f1": lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn),
    "mcc": _mcc,
}
"""Every measure of a table, in the order in which they are reported."""


def measure(name: str, cells: Cells) -> FloatArray:
    """Return one measure of every table."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(MEASURES[name](cells))


def measures(cells: Cells, names: Sequence[str] = tuple(MEASURES)) -> dict[str, FloatArray]:
    """Return measures of every table by name."""
    return {name: measure(name, cells) for name in names}
