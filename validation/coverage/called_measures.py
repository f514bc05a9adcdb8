"""Coverage of limits of measures by request, of true prevalence, and of F1 of several classes.

A cohort of n cases with a prevalence has multinomial tables: its rates are those of normal scores
1.5 apart, cut at .75. ``true_prevalence`` has the classes of such a table fixed, and as many other
cases at the same prevalence. Several classes: three with the shares .6, .3, .1, each case called
its own class with chance .8, else one of the others. The rule of shortfalls was fixed before the
run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.tables import ApparentPrevalence, PointPlan, PointTables
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import FURTHER, Cells, cells_at, measure
from rocstats.inference.classes.calls import CalledClasses, called_limits, called_measures
from rocstats.inference.classes.points import BY_DEFAULT
from rocstats.study.cases import ClassCases
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, columns_of, stream

TABLE = Path(__file__).with_name("called_measures.csv")
SEED, LEVEL = 20221, 0.95
TPR, FPR = float(norm.sf(-0.75)), float(norm.sf(0.75))
MEASURES = (*FURTHER, "f_beta=2")
RIGHT, SHARES = 0.8, np.array([0.6, 0.3, 0.1])
PLAN = PointPlan("wilson", "score", "cohort", LEVEL)


class CallCell(NamedTuple):
    """Kind of table, number of cases and prevalence (0 for several classes)."""

    position: int
    kind: str
    n: int
    prevalence: float = 0.0


_BINARY = [
    (kind, n, prevalence)
    for kind in ("cohort", "true_prevalence")
    for n, prevalence in ((100, 0.3), (500, 0.3), (500, 0.05))
]
_CELLS = [*_BINARY, ("classes", 100, 0.0), ("classes", 500, 0.0)]
CELLS = tuple(CallCell(i, *cell) for i, cell in enumerate(_CELLS))
Values = tuple[str, float, FloatArray, FloatArray]
"""A quantity with its truth, and both limits in each sample."""


def cohorts(cell: CallCell, number: int, rng: np.random.Generator) -> Iterator[Values]:
    """Yield the measures by request of cohorts."""
    p = cell.prevalence
    shares = np.array(cells_at(np.array(TPR), np.array(FPR), p), dtype=np.float64)
    draws = rng.multinomial(cell.n, shares, number).astype(np.float64)
    for name in MEASURES:
        truth = float(measure(name, Cells(*shares)))
        limits = np.full((2, number), np.nan)
        # Tables of one number of positives are one question.
        for m in np.unique(draws[:, 0] + draws[:, 1]):
            here = draws[:, 0] + draws[:, 1] == m
            tables = PointTables(Cells(*draws[here].T), float(m), cell.n - float(m))
            found = measure_at_thresholds(tables, name, None, PLAN)
            limits[:, here] = found.low, found.high
        yield name, truth, limits[0], limits[1]


def prevalences(cell: CallCell, number: int, rng: np.random.Generator) -> Iterator[Values]:
    """Yield the true prevalence of as many other cases."""
    m = round(cell.n * cell.prevalence)
    tp, fp = rng.binomial(m, TPR, number), rng.binomial(cell.n - m, FPR, number)
    share = cell.prevalence * TPR + (1 - cell.prevalence) * FPR
    called, limits = rng.binomial(cell.n, share, number), []
    for t, f, x in np.array([tp, fp, called], dtype=np.float64).T[:, :, np.newaxis]:
        tables = PointTables(Cells(t, m - t, f, cell.n - m - f), float(m), float(cell.n - m))
        plan = PLAN._replace(apparent=ApparentPrevalence(float(x[0]), float(cell.n)))
        found = measure_at_thresholds(tables, "true_prevalence", None, plan)
        limits.append((found.low[0], found.high[0]))
    low, high = np.array(limits).T
    yield "true_prevalence", cell.prevalence, low, high


def classes(cell: CallCell, number: int, rng: np.random.Generator) -> Iterator[Values]:
    """Yield the measures of called classes."""
    wrong = (1 - RIGHT) / (len(SHARES) - 1)
    table = SHARES[:, np.newaxis] * np.where(np.eye(len(SHARES)) > 0, RIGHT, wrong)
    truth, called = (grid.ravel() for grid in np.indices(table.shape))
    calls = CalledClasses(truth, called, (truth != called).astype(int), table.ravel(), len(SHARES))
    known = list(called_measures(calls._replace(weight=1e9 * calls.weight), BY_DEFAULT))
    limits: list[list[tuple[float, float]]] = [[] for _ in known]
    for counts in rng.multinomial(cell.n, table.ravel(), number).astype(np.float64):
        cases = ClassCases(scores=np.eye(9)[np.newaxis], class_codes=truth, frequency=counts)
        for place, rate in enumerate(called_measures(calls._replace(weight=counts), BY_DEFAULT)):
            pair = (np.nan, np.nan)
            if not np.isnan(rate.value):
                pair = called_limits(cases, rate, LEVEL)[1:3]
            limits[place].append(pair)
    for rate, both in zip(known, limits, strict=True):
        low, high = np.array(both).T
        name = rate.quantity if rate.of_class is None else f"{rate.quantity} of {rate.of_class}"
        yield name, rate.value, low, high


KINDS = {"cohort": cohorts, "true_prevalence": prevalences, "classes": classes}


def run_call_cell(cell: CallCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a cell, one a measure; samples without limits are left out."""
    rng = stream(seed, cell.position)
    rows = []
    for quantity, truth, low, high in KINDS[cell.kind](cell, replicates, rng):
        known = ~np.isnan(low)
        held = (low <= truth) & (truth <= high)
        coverage, size = float(held[known].mean()), int(known.sum())
        rows.append(
            {
                **columns_of(cell, "kind n prevalence"),
                "quantity": quantity,
                "truth": round(truth, 9),
                "replicates": size,
                "coverage": round(coverage, 6),
                "first_low": round(float(low[known][0]), 9),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of measures by request, of true prevalence and of called classes.",
    cells=CELLS,
    rows=run_call_cell,
    replicates=2000,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL),),
    ends=("seed", "shortfall"),
)
