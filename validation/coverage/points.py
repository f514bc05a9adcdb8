"""Coverage of the intervals of two operating points compared: by the package's own kernels.

Two classifiers are simulated on the same cohort, or on two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.estimate import Result
from rocstats.estimate.paired_tables import Calls
from rocstats.estimate.shares import WeightedCases
from rocstats.facts.arrays import FloatArray
from rocstats.inference.points.compare import (
    default_compared_quantities,
    quantities_of_compared_calls,
)
from validation.simulation import Simulation, collect, columns_of, stream, tally

TABLE = Path(__file__).with_name("points.csv")
LEVEL = 0.95
SEED = 19980891
DISEASED = np.repeat([True, False], 4)
FIRST = np.tile([True, True, False, False], 2)
SECOND = np.tile([True, False, True, False], 2)


@dataclass(frozen=True)
class PointCell:
    """Cohorts of a size; sensitivities and specificities of both tests; how far they agree.

    ``agreement`` is the share of the way from independence, within each class, to the closest
    association that the margins allow. ``position`` is the key of the random numbers.
    """

    position: int
    size: int
    prevalence: float
    tpr: tuple[float, float]
    tnr: tuple[float, float]
    agreement: float

    @cached_property
    def law(self) -> FloatArray:
        """Probabilities of the eight cells of both calls in both classes."""
        positive = self._joint(*self.tpr)
        negative = self._joint(1 - self.tnr[0], 1 - self.tnr[1])
        return np.concatenate([self.prevalence * positive, (1 - self.prevalence) * negative])

    def _joint(self, first: float, second: float) -> FloatArray:
        apart = first * second
        both = apart + self.agreement * (min(first, second) - apart)
        return np.array([both, first - both, second - both, 1 - first - second + both])

    @cached_property
    def truth(self) -> dict[str, float]:
        """True differences and ratios."""
        one, other = (self._values(called) for called in (FIRST, SECOND))
        gaps = {name: one[name] - other[name] for name in ("tpr", "tnr", "ppv", "npv")}
        names = ("ppv", "npv", "lr_positive", "lr_negative")
        return {**gaps, **{f"{name}_ratio": one[name] / other[name] for name in names}}

    def _values(self, called: npt.NDArray[np.bool_]) -> dict[str, float]:
        cells = [self.law[d & c].sum() for d in (DISEASED, ~DISEASED) for c in (called, ~called)]
        tp, fn, fp, tn = cells
        return {
            "tpr": tp / (tp + fn),
            "tnr": tn / (tn + fp),
            "ppv": tp / (tp + fp),
            "npv": tn / (tn + fn),
            "lr_positive": tp / (tp + fn) * (fp + tn) / fp,
            "lr_negative": fn / (tp + fn) * (fp + tn) / tn,
        }


_RATES = (
    ((0.8, 0.8), (0.8, 0.8)),
    ((0.9, 0.8), (0.7, 0.85)),
    ((0.97, 0.95), (0.97, 0.9)),
)
POINT_CELLS = tuple(
    PointCell(i, size, prevalence, *rates, agreement)
    for i, (size, prevalence, rates, agreement) in enumerate(
        product((60, 200), (0.5, 0.2), _RATES, (0.0, 0.6))
    )
)


def rows_of(
    counts: FloatArray, others: FloatArray, interval: Any, *, paired: bool
) -> dict[str, Result]:
    """Return the rows of two tests on one cohort, or of the first on one, the second on another."""
    asked = read_hypothesis("difference", None, "two-sided", 0.0, LEVEL)
    first = Calls(WeightedCases(DISEASED, counts, None), FIRST)
    second = Calls(WeightedCases(DISEASED, counts if paired else others, None), SECOND)
    return quantities_of_compared_calls(
        first,
        second,
        default_compared_quantities(asked),
        "asymptotic",
        interval,
        asked,
        paired=paired,
    )


METHODS: dict[str, tuple[Any, bool]] = {
    "tango": ("tango", True),
    "newcombe": ("newcombe", True),
    "groups": ("tango", False),
}
"""Interval of the rates, and whether both tests see the same cohort."""


def run_point_cell(cell: PointCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell; a sample without both classes is drawn again.

    ``defined`` is the share of samples with an interval; coverage is among them.
    """
    rng = stream(seed, cell.position)
    drawn = collect(dict(_limits(cell, rng)) for _ in range(replicates))
    return [
        {
            **setting_of(cell),
            "quantity": quantity,
            "method": method,
            "replicates": replicates,
            **_tally(limits, cell.truth[quantity]),
        }
        for (method, quantity), limits in drawn.items()
    ]


def _limits(
    cell: PointCell, rng: np.random.Generator
) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """Yield the limits of one sample, by method and quantity."""
    counts, others = draw(cell, rng), draw(cell, rng)
    for method, (interval, paired) in METHODS.items():
        for quantity, row in rows_of(counts, others, interval, paired=paired).items():
            if quantity in cell.truth and (method != "newcombe" or quantity in ("tpr", "tnr")):
                yield (method, quantity), (row.ci_low, row.ci_high)


def setting_of(cell: PointCell) -> dict[str, float]:
    """Return the columns of a cell: its sizes, and the rates of both classifiers."""
    setting = columns_of(cell, "size prevalence agreement")
    rates = {"tpr_first": cell.tpr[0], "tpr_second": cell.tpr[1]}
    return setting | rates | {"tnr_first": cell.tnr[0], "tnr_second": cell.tnr[1]}


def draw(cell: PointCell, rng: np.random.Generator) -> FloatArray:
    """Return the counts of a sample; one without both classes is drawn again."""
    while True:
        counts = rng.multinomial(cell.size, cell.law).astype(np.float64)
        if 0 < counts[:4].sum() < cell.size:
            return np.asarray(counts)


def _tally(limits: FloatArray, truth: float) -> dict[str, float]:
    known = limits[~np.isnan(limits).any(axis=1)]
    if len(known) == 0 or np.any(known[:, 0] >= known[:, 1]):
        raise ArithmeticError("an interval has no width, or no sample has one")
    defined = len(known) / len(limits)
    return {"truth": round(truth, 10), "defined": defined, **tally(known, truth)}


@dataclass(frozen=True)
class MarginCell:
    """Positives of two tests that differ by exactly the margin: the size of non-inferiority."""

    size: int
    tpr: float
    margin: float
    agreement: float

    def size_of_test(self, replicates: int, seed: int) -> float:
        """Return how often the Tango score at the margin rejects at one-sided 2.5%."""
        from rocstats.estimate.paired_tables import PairedTable, tango_statistic

        cell = PointCell(
            0, self.size, 0.5, (self.tpr - self.margin, self.tpr), (0.8, 0.8), self.agreement
        )
        rng = np.random.default_rng(seed)
        tables = rng.multinomial(self.size, cell.law[:4] / cell.law[:4].sum(), size=replicates)
        distinct, times = np.unique(tables, axis=0, return_counts=True)
        z = [tango_statistic(PairedTable(*map(float, t)), -self.margin) for t in distinct]
        return float(np.dot(np.array(z) > ndtri(0.975), times) / replicates)


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of differences and ratios of the rates and values of two operating points.",
    cells=POINT_CELLS,
    rows=run_point_cell,
    replicates=4000,
    seed=SEED,
    ends=("seed",),
)
