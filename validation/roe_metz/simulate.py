"""Whether plans of reader studies hold: variances and power of drawn studies, real tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

import rocstats as rs
from rocstats.estimate import readers as anova
from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import ReaderEstimate
from rocstats.inference.planning.reader_model import average_patterns
from rocstats.inference.planning.reader_plan import reader_model_of
from rocstats.inference.planning.simulated_studies import (
    Nested,
    ReadingPlan,
    RoeMetz,
    Structure,
    draw_simulated_reads,
)
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads
from validation.simulation import Bound, Simulation, columns_of, over

TABLE = Path(__file__).with_name("roe_metz.csv")
LEVEL = 0.05
# What was allowed before the first run: the planned degrees of freedom are those of the expected
# components, where the test has those of the data, and the jackknife's variance is a little large.
TOLERANCE = 0.02
"""Difference of planned and simulated power beyond four Monte-Carlo errors that is a shortfall."""


class Cell(NamedTuple):
    """A design, areas and numbers; ``position`` is the key of the random numbers."""

    position: int
    structure: Structure
    areas: tuple[float, float]
    n_readers: int
    n_pos: int
    n_neg: int
    n_groups: int = 1
    nested: Nested | None = None

    @property
    def design(self) -> rs.ReaderDesign:
        """The planned study."""
        return rs.ReaderDesign(*self.areas, structure=self.structure, nested=self.nested)

    @property
    def plan(self) -> ReadingPlan:
        """Who reads what."""
        return ReadingPlan(self.n_readers, self.n_pos, self.n_neg, self.n_groups, self.nested)


# Differences that a study of this size finds with a power between .5 and .9.
_SETTINGS: tuple[tuple[Any, ...], ...] = (
    ("HL", (0.86, 0.78), 5, 50, 50),
    ("LL", (0.86, 0.78), 5, 50, 50),
    ("HH", (0.90, 0.76), 5, 50, 50),
    ("LH", (0.90, 0.76), 5, 50, 50),
    ("LH", (0.86, 0.76), 10, 100, 100),
    ("HL", (0.96, 0.91), 8, 40, 120),
    ("LL", (0.78, 0.70), 4, 100, 60),
    ("HH", (0.84, 0.76), 20, 100, 100),
    ("HL", (0.86, 0.78), 6, 60, 60, 2),
    ("LH", (0.88, 0.76), 12, 60, 90, 3),
    ("LL", (0.86, 0.78), 7, 45, 45, 3),
    ("LL", (0.86, 0.76), 6, 60, 60, 6),
    ("HL", (0.88, 0.78), 10, 60, 60, 1, "readers"),
    ("HH", (0.90, 0.72), 12, 60, 60, 2, "readers"),
    ("HL", (0.88, 0.76), 6, 100, 100, 1, "cases"),
)
CELLS = tuple(Cell(position, *setting) for position, setting in enumerate(_SETTINGS))


def tested(reads: Reads, cell: Cell) -> ReaderEstimate:
    """Return the difference by the test that the package takes for the design."""
    if cell.n_groups == 1 and cell.nested is None:
        return anova.modality_difference(reader_table(reads, "jackknife"), 0, 1, "random", "random")
    return UStatistics(reads).difference(0, 1)


def rejects(found: ReaderEstimate) -> bool:
    """Return whether a two-sided test at the level finds the first modality better."""
    if not found.variance > 0:
        return False
    return bool(found.value > stats.t.ppf(1 - LEVEL / 2, found.df) * np.sqrt(found.variance))


def drawn(cell: Cell, replicates: int, seed: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return differences of drawn studies, and who rejected."""
    generator = np.random.default_rng([seed, cell.position])
    model = reader_model_of(cell.design)
    found = [
        tested(draw_simulated_reads(model, cell.plan, generator), cell) for _ in range(replicates)
    ]
    values = np.array([estimate.value for estimate in found])
    return values, np.array([rejects(estimate) for estimate in found])


def variance_of_difference(model: RoeMetz, plan: ReadingPlan) -> float:
    """Return the exact variance of the difference of the average areas of two modalities."""
    first, second, between = (
        average_patterns(model, plan, i, k).covariance for i, k in ((0, 0), (1, 1), (0, 1))
    )
    return first + second - 2 * between


def run_cell(cell: Cell, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of a cell."""
    model = reader_model_of(cell.design)
    planned = rs.power(
        cell.design,
        n_readers=cell.n_readers,
        n_pos=cell.n_pos,
        n_neg=cell.n_neg,
        n_groups=cell.n_groups,
    ).iloc[0]
    values, rejected = drawn(cell, replicates, seed)
    exact = variance_of_difference(model, cell.plan)
    squares = (values - values.mean()) ** 2
    simulated = float(rejected.mean())
    error = float(np.sqrt(simulated * (1 - simulated) / replicates))
    return {
        "structure": cell.structure,
        "auc": cell.areas[0],
        "reference_auc": cell.areas[1],
        **columns_of(cell, "n_readers n_pos n_neg n_groups"),
        "nested": cell.nested or "",
        "method": planned["method"],
        "variance_average": average_patterns(model, cell.plan, 0, 0).covariance,
        "variance_difference": exact,
        "variance_simulated": float(squares.sum() / (replicates - 1)),
        "variance_error": float(squares.std() / np.sqrt(replicates)),
        "mean_simulated": float(values.mean()),
        "power": planned["power"],
        "power_simulated": simulated,
        "power_error": error,
        "replicates": replicates,
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Variances and power of planned reader studies, beside those of drawn studies.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=19970403,
    bounds=(
        Bound("abs(power_simulated - power)", over, f"{TOLERANCE} + 4 * power_error", samples=None),
    ),
    ends=("shortfall", "replicates", "seed"),
)
