"""Confusion table against chance: exact tests, and limits of the difference of both rates."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.intervals.quantiles import Alternative, limits_between
from rocstats.stats.intervals.rates.mover import mover_limit
from rocstats.stats.intervals.rates.proportions import wilson

TableTest = Literal["fisher", "mid-p", "boschloo"]
TABLE_TESTS = ("fisher", "mid-p", "boschloo")
_WINDOW = 40  # standard deviations: exp(-40^2/2) is below the least number in floating point

# Two-sided p values sum the tables that are no more probable than the observed one. Equal
# probabilities differ by rounding; R's fisher.test has the same factor.
_SAME = 1 + 1e-7


class Table(NamedTuple):
    """Cases called positive among m positives and n negatives."""

    tp: float
    fp: float
    n_pos: float
    n_neg: float

    @property
    def tpr(self) -> float:
        """True positive rate."""
        return self.tp / self.n_pos

    @property
    def fpr(self) -> float:
        """False positive rate."""
        return self.fp / self.n_neg


def table_p_value(table: Table, method: TableTest, alternative: Alternative) -> float:
    """Return the p value of tpr = fpr; "greater" is tpr > fpr."""
    if method == "boschloo":
        return _boschloo(table, alternative)
    from scipy.stats import hypergeom

    called = table.tp + table.fp
    total = table.n_pos + table.n_neg
    tp = _likely_counts(table, called, total)
    mass = hypergeom.pmf(tp, total, table.n_pos, called)
    here = float(mass[tp == table.tp].sum())
    if alternative == "two-sided":
        p = float(mass[mass <= here * _SAME].sum())
    else:
        as_good = tp >= table.tp if alternative == "greater" else tp <= table.tp
        p = float(mass[as_good].sum())
    return min(1.0, p - here / 2 if method == "mid-p" else p)


def _likely_counts(table: Table, called: float, total: float) -> FloatArray:
    """Return the numbers of true positives whose probability is above 0 in floating point."""
    mean = called * table.n_pos / total
    variance = mean * (table.n_neg / total) * (total - called) / max(total - 1, 1)
    reach = _WINDOW * float(np.sqrt(variance)) + 1
    least = max(0.0, called - table.n_neg, np.floor(mean - reach))
    most = min(called, table.n_pos, np.ceil(mean + reach))
    return np.arange(least, most + 1)


def _boschloo(table: Table, alternative: Alternative) -> float:
    """Return Boschloo's p value; the classes are the columns, whose totals are fixed."""
    from scipy.stats import boschloo_exact

    cells = np.array(
        [[table.tp, table.fp], [table.n_pos - table.tp, table.n_neg - table.fp]], dtype=np.int64
    )
    if not cells.sum(axis=1).all():  # all cases, or none, are called positive
        return 1.0
    return min(1.0, float(boschloo_exact(cells, alternative=alternative).pvalue))


def pooled_z(table: Table) -> float:
    """Return the z of tpr - fpr with pooled variance; 0 where all cases are called alike."""
    called = (table.tp + table.fp) / (table.n_pos + table.n_neg)
    variance = called * (1 - called) * (1 / table.n_pos + 1 / table.n_neg)
    return (table.tpr - table.fpr) / float(np.sqrt(variance)) if variance > 0 else 0.0


def newcombe_limits(
    table: Table, confidence_level: float, alternative: Alternative
) -> tuple[float, float]:
    """Return Newcombe's hybrid limits of tpr - fpr, from the Wilson limits of both rates."""
    tpr, fpr = table.tpr, table.fpr

    def limit(at: float) -> float:
        # Newcombe 1998, method 10.
        of_tpr = wilson(table.tp, table.n_pos, at) - tpr
        of_fpr = wilson(table.fp, table.n_neg, -at) - fpr
        return mover_limit(tpr - fpr, of_tpr, of_fpr, 0.0, at)

    return limits_between(limit, confidence_level, alternative)
