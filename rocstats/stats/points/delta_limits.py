"""Standard errors of measures by the delta method, and limits of F1 and MCC from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import rocstats.special as sp
from rocstats.curves.points.measures import cells_at, depends_on_prevalence, measure
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.points.measured import Measured, PointPlan, sizeless
from rocstats.stats.points.tables import PointTables, Spread, slopes


def delta_se(tables: PointTables, name: str, p: float | None, plan: PointPlan) -> FloatArray:
    """Return the standard error of a measure by the delta method; NaN where there is none."""
    share = tables.prevalence if p is None else p
    # A known prevalence has infinitely many cases, and the variance 0.
    spread = tables.spread(
        own_prevalence=p is None and depends_on_prevalence(name),
        prevalence_variance=share * (1 - share) / plan.prevalence_cases,
    )
    with np.errstate(invalid="ignore", over="ignore"):
        variance = spread.of(slopes(name, tables.tpr, tables.fpr, share))
    return np.sqrt(np.where(np.isfinite(variance), variance, np.nan))


def delta_limits(
    tables: PointTables, name: str, estimate: FloatArray, p: float | None, plan: PointPlan
) -> Measured:
    """Return limits by the delta method: of F scores on the logit scale, others on Fisher's.

    Where a cell is empty, limits are those of the table with 1/2 added to every cell.
    """
    share = tables.prevalence if p is None else p
    tpr, fpr, spread, added = _half_added(tables, p, plan)
    centre = measure(name, cells_at(tpr, fpr, share))
    z = quantile((1 + plan.level) / 2, np.inf)
    word, (forward, back, slope) = _SCALES[name.partition("=")[0]]
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(spread.of(slopes(name, tpr, fpr, share)))
        middle, reach = forward(centre), z * se * slope(centre)
        low, high = back(middle - reach), back(middle + reach)
    # Limits of the table with 1/2 added need not contain the estimate of the table without.
    measured = sizeless(
        estimate,
        np.minimum(low, estimate),
        np.maximum(high, estimate),
        delta_se(tables, name, p, plan),
        f"{tables.source}/{word}",
    )
    return measured.noted("half-added", added)


def _half_added(
    tables: PointTables, p: float | None, plan: PointPlan
) -> tuple[FloatArray, FloatArray, Spread, BoolArray]:
    """Return rates and their variances, with 1/2 added to every cell where a cell is empty.

    Cells of clustered cases are those of the effective numbers of cases.
    """
    c = tables.cells
    added = (c.tp == 0) | (c.fn == 0) | (c.fp == 0) | (c.tn == 0)
    share = tables.prevalence if p is None else p
    spread = tables.spread(
        own_prevalence=p is None, prevalence_variance=share * (1 - share) / plan.prevalence_cases
    )
    if not added.any():
        return tables.tpr, tables.fpr, spread, added
    moved = []
    for name, rate, variance in (("tpr", tables.tpr, spread.t), ("fpr", tables.fpr, spread.f)):
        size = tables.rate(name, plan.interval, plan.level).size
        # 1/2 in both cells of a class: its size grows by 1.
        shrunk = (rate * size + 0.5) / (size + 1)
        moved.append(np.where(added, shrunk, rate))
        moved.append(np.where(added, shrunk * (1 - shrunk) / (size + 1), variance))
    tpr, of_tpr, fpr, of_fpr = moved
    # The effective sizes are of each rate alone: covariances are left out where 1/2 is added.
    shared = [np.where(added, 0.0, part) for part in (spread.tf, spread.tp, spread.fp)]
    return tpr, fpr, Spread(of_tpr, of_fpr, shared[0], spread.p, shared[1], shared[2]), added


def _logit(x: FloatArray) -> FloatArray:
    return np.asarray(np.log(x) - np.log1p(-x))


Function = Callable[[FloatArray], FloatArray]

Scale = tuple[str, tuple[Function, Function, Function]]
"""The word of a scale g, then g, its inverse and its derivative."""

# The logit keeps limits of F scores in [0, 1], Fisher's z those of MCC and kappa in [-1, 1].
_LOGIT: Scale = "logit", (_logit, sp.expit, lambda x: 1 / (x * (1 - x)))
_FISHER: Scale = "fisher", (np.arctanh, np.tanh, lambda x: 1 / (1 - x**2))
_SCALES = {"f1": _LOGIT, "f_beta": _LOGIT, "mcc": _FISHER, "kappa": _FISHER}
