"""Exact coverage of the intervals of every measure at a threshold: sums over all tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom

from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.tables import PointPlan, PointTables
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import MEASURES, RATES, Cells, cells_at, depends_on_prevalence, measure
from validation.simulation import Simulation, columns_of

TABLE = Path(__file__).parent / "measures.csv"
LEVEL = 0.95
_NEGLIGIBLE = 1e-12
OF_PREVALENCE = tuple(filter(depends_on_prevalence, MEASURES))

SUM_OF_LIMITS = "sum of limits (epiR)"
"""Limits of J as epiR has them: those of sensitivity and specificity, added."""


@dataclass(frozen=True)
class MeasureCell:
    """A rule with rates (tpr, fpr), and how cases are sampled.

    ``n_neg`` is None in a cohort of ``n_pos`` cases of both classes; ``prevalence`` is its share of
    positives, or else that of the population that predictive values are for. With
    ``prevalence_cases`` it is estimated in so many other cases.
    """

    n_pos: int
    n_neg: int | None
    tpr: float
    fpr: float
    prevalence: float
    prevalence_cases: int | None = None

    @property
    def sampling(self) -> str:
        """What is fixed: the sizes of the classes, or of the cohort."""
        return "classes" if self.n_neg is not None else "cohort"


MEASURE_CELLS = (
    *(
        MeasureCell(m, n, tpr, fpr, 0.1)
        for m, n in ((20, 30), (50, 50), (30, 120), (150, 150))
        for tpr, fpr in ((0.8, 0.2), (0.9, 0.05), (0.6, 0.4), (0.97, 0.02))
    ),
    *(
        MeasureCell(n, None, tpr, fpr, p)
        for n in (60, 120)
        for p in (0.5, 0.2)
        for tpr, fpr in ((0.8, 0.2), (0.9, 0.05), (0.6, 0.4))
    ),
    *(MeasureCell(50, 50, tpr, fpr, 0.1, 100) for tpr, fpr in ((0.8, 0.2), (0.9, 0.05))),
)


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables of one pair of class sizes, how likely each is, and the prevalence they are read at.

    ``prevalence`` is None for the share of positives in the tables.
    """

    tables: PointTables
    probability: FloatArray
    prevalence: float | None


def tables_of(cell: MeasureCell) -> Iterator[Tables]:
    """Yield every table that may come about with more than a negligible chance."""
    if cell.n_neg is None:
        for m in range(1, cell.n_pos):
            chance = float(binom.pmf(m, cell.n_pos, cell.prevalence))
            if chance > _NEGLIGIBLE:
                tables, probability = _of_sizes(cell, m, cell.n_pos - m)
                yield Tables(tables, chance * probability, None)
        return
    tables, probability = _of_sizes(cell, cell.n_pos, cell.n_neg)
    if cell.prevalence_cases is None:
        yield Tables(tables, probability, cell.prevalence)
        return
    for x in range(1, cell.prevalence_cases):
        chance = float(binom.pmf(x, cell.prevalence_cases, cell.prevalence))
        if chance > _NEGLIGIBLE:
            yield Tables(tables, chance * probability, x / cell.prevalence_cases)


def _of_sizes(cell: MeasureCell, m: int, n: int) -> tuple[PointTables, FloatArray]:
    of_pos, of_neg = binom.pmf(range(m + 1), m, cell.tpr), binom.pmf(range(n + 1), n, cell.fpr)
    probability = np.outer(of_pos, of_neg).ravel()
    kept = probability > _NEGLIGIBLE
    tp, fp = (np.asarray(x, dtype=np.float64).ravel()[kept] for x in np.indices((m + 1, n + 1)))
    return PointTables(Cells(tp, m - tp, fp, n - fp), float(m), float(n)), probability[kept]


def _asked(cell: MeasureCell) -> list[tuple[str, str]]:
    """Return the measures of a cell and the kinds of their limits."""
    if cell.n_neg is None:
        return [(name, "default") for name in OF_PREVALENCE]
    if cell.prevalence_cases is not None:
        return [(name, "default") for name in OF_PREVALENCE]
    asked = [(name, "default") for name in MEASURES if name not in RATES]
    asked += [(name, "log") for name in ("lr_positive", "lr_negative", "odds_ratio")]
    return [*asked, ("youden", SUM_OF_LIMITS)]


def _limits(
    cell: MeasureCell, one: Tables, name: str, kind: str
) -> tuple[str, FloatArray, FloatArray]:
    """Return the name of a method, and its limits in every table."""
    if kind == SUM_OF_LIMITS:
        bars = [one.tables.rate(rate, "clopper-pearson", LEVEL) for rate in ("tpr", "tnr")]
        return kind, bars[0].low + bars[1].low - 1, bars[0].high + bars[1].high - 1
    ratio: Any = "log" if kind == "log" else "score"
    cases = np.inf if cell.prevalence_cases is None else float(cell.prevalence_cases)
    plan = PointPlan("wilson", ratio, "cohort", LEVEL, cases)
    found = measure_at_thresholds(one.tables, name, one.prevalence, plan)
    return found.method, found.low, found.high


def run_measure_cell(cell: MeasureCell) -> list[dict[str, Any]]:
    """Return a row per measure and method; nothing is random."""
    setting = columns_of(cell, "sampling n_pos n_neg tpr fpr prevalence prevalence_cases")
    every = list(tables_of(cell))
    rows = []
    for name, kind in _asked(cell):
        truth = float(
            measure(name, cells_at(np.array([cell.tpr]), np.array([cell.fpr]), cell.prevalence))[0]
        )
        parts = [(_limits(cell, one, name, kind), one.probability) for one in every]
        low, high = (np.concatenate([limits[i] for limits, _ in parts]) for i in (1, 2))
        probability = np.concatenate([chance for _, chance in parts])
        rows.append(
            {
                **setting,
                "quantity": name,
                "truth": round(truth, 8),
                "method": parts[0][0][0],
                **_tally(low, high, probability, truth),
            }
        )
    return rows


def _tally(
    low: FloatArray, high: FloatArray, probability: FloatArray, truth: float
) -> dict[str, float]:
    """Return coverage among tables with limits, and the median width over them."""
    known = ~np.isnan(low)
    defined = float(probability[known].sum())
    low, high, chance = low[known], high[known], probability[known] / defined
    # The truth may be a limit but for rounding.
    below, above = truth < low - 1e-12, truth > high + 1e-12
    miss_low, miss_high = float(chance[below].sum()), float(chance[above].sum())
    width = high - low
    order = np.argsort(width)
    middle = min(int(np.searchsorted(np.cumsum(chance[order]), 0.5)), len(width) - 1)
    return {
        "defined": round(defined, 6),
        "coverage": round(1 - miss_low - miss_high, 6),
        "miss_low": round(miss_low, 6),
        "miss_high": round(miss_high, 6),
        "median_width": round(float(width[order][middle]), 6),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Exact coverage of the intervals of every measure at a threshold.",
    cells=MEASURE_CELLS,
    rows=run_measure_cell,
)
read_measures = SIMULATION.read
