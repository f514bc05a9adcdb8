"""Measures of a decision rule, from the four cells of its table. Arrays only.

The cells may be counts, or shares of a population with another prevalence: only their proportions
count. A measure that is 0 / 0 is NaN; a positive number over 0 is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.facts.arrays import FloatArray

RATES = ("tpr", "tnr", "fpr", "fnr")
"""Measures that depend on a single class."""

OF_PREVALENCE = ("ppv", "npv", "accuracy", "f1", "mcc")
"""Those of ``MEASURES`` that depend on the share of positives."""

_FURTHER_OF_PREVALENCE = ("kappa", "f_beta", "false_discovery", "false_omission")


class Cells(NamedTuple):
    """True and false positives and negatives at each of G thresholds."""

    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


def cells_at(tpr: FloatArray, fpr: FloatArray, prevalence: FloatArray | float) -> Cells:
    """Return the cells as shares of a population with given rates and prevalence."""
    others = 1 - prevalence
    return Cells(prevalence * tpr, prevalence * (1 - tpr), others * fpr, others * (1 - fpr))


def shifted(cells: Cells, prevalence: float) -> Cells:
    """Return the cells at another prevalence, as shares, with the rates of each class unchanged."""
    # A class without members has no rates: 0 / 0 is NaN, as it should be.
    n_pos, n_neg = cells.tp + cells.fn, cells.fp + cells.tn
    with np.errstate(divide="ignore", invalid="ignore"):
        pos, neg = prevalence / n_pos, (1 - prevalence) / n_neg
        return Cells(cells.tp * pos, cells.fn * pos, cells.fp * neg, cells.tn * neg)


def _youden(c: Cells) -> FloatArray:
    return c.tp / (c.tp + c.fn) - c.fp / (c.fp + c.tn)


def _mcc(c: Cells) -> FloatArray:
    # Matthews 1975. Cells are float64: the product of the four margins, up to n^4, overflows int64.
    by_call, by_class = (c.tp + c.fp) * (c.tn + c.fn), (c.tp + c.fn) * (c.tn + c.fp)
    return np.asarray((c.tp * c.tn - c.fp * c.fn) / np.sqrt(by_call * by_class))


def _kappa(c: Cells) -> FloatArray:
    # Cohen 1960: (agreement - a)/(1 - a), a the agreement by chance; both times n^2/2.
    by_chance = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn)
    return np.asarray(2 * (c.tp * c.tn - c.fp * c.fn) / by_chance)


def _number_needed(c: Cells) -> FloatArray:
    # The real part decides: derivatives are taken by complex steps.
    index = _youden(c)
    found = np.where(np.real(index) > 0, 1 / index, np.inf)
    return np.where(np.isnan(index), np.nan, found)


def _f_beta(c: Cells, beta: float) -> FloatArray:
    # van Rijsbergen 1979: recall counts beta times as much as precision.
    weight = beta**2
    return np.asarray((1 + weight) * c.tp / ((1 + weight) * c.tp + weight * c.fn + c.fp))


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
"""The usual measures of a table, in the order in which they are reported."""

FURTHER: dict[str, Callable[[Cells], FloatArray]] = {
    "kappa": _kappa,
    "false_discovery": lambda c: c.fp / (c.tp + c.fp),
    "false_omission": lambda c: c.fn / (c.tn + c.fn),
    "number_needed_to_diagnose": _number_needed,
}
"""Measures that are reported by request; beside them "f_beta=2", with any beta."""


def depends_on_prevalence(name: str) -> bool:
    """Return whether a measure depends on the share of positives."""
    return name.partition("=")[0] in (*OF_PREVALENCE, *_FURTHER_OF_PREVALENCE)


def measure(name: str, cells: Cells) -> FloatArray:
    """Return a measure at each threshold; NaN or infinite where its denominator is 0."""
    kind, _, beta = name.partition("=")
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "f_beta":
            return _f_beta(cells, float(beta))
        known = MEASURES[name] if name in MEASURES else FURTHER[name]
        return np.asarray(known(cells))


def measures(cells: Cells, names: Sequence[str] = tuple(MEASURES)) -> dict[str, FloatArray]:
    """Return several measures by name, each at all thresholds."""
    return {name: measure(name, cells) for name in names}
