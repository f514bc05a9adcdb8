"""Coverage of differences at a false positive rate and of clustered rates: the package's frames."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

import rocstats as rs
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import base_of
from validation.simulation import Simulation, columns_of, stream, tally

TABLE = Path(__file__).with_name("point_roles.csv")
SEED = 19870147
N_RESAMPLES = 500
FPR = 0.2
THRESHOLD = 0.5

Family = Literal["fpr", "clusters"]


@dataclass(frozen=True)
class RoleCell:
    """Two binormal markers of correlation 1/2 given the class, shifted in the positives.

    "fpr": the sensitivities at a false positive rate of 0.2, ``n_pos`` and ``n_neg`` cases.
    "clusters": both rates at the threshold 0.5; ``n_pos`` and ``n_neg`` are clusters of three cases
    whose noise has correlation 1/2. ``position`` is the key of the random numbers.
    """

    position: int
    family: Family
    n_pos: int
    n_neg: int
    shifts: tuple[float, float]

    @property
    def truth(self) -> dict[str, float]:
        """True differences."""
        first, second = self.shifts
        if self.family == "fpr":
            cut = ndtri(1 - FPR)
            return {"tpr": float(ndtr(first - cut) - ndtr(second - cut))}
        tpr = float(ndtr(first - THRESHOLD) - ndtr(second - THRESHOLD))
        return {"tpr": tpr, "tnr": 0.0}

    def study(self, rng: np.random.Generator) -> rs.Study:
        """Return one simulated study."""
        size = 1 if self.family == "fpr" else 3
        y = np.repeat([1, 0], [self.n_pos * size, self.n_neg * size])
        unit = np.arange(len(y)) // size
        noise = [self._noise(rng, unit, size) for _ in range(3)]
        scores = {
            name: np.sqrt(0.5) * (noise[0] + own) + shift * y
            for name, own, shift in zip("ab", noise[1:], self.shifts, strict=True)
        }
        return rs.Study(y, scores, cluster=None if size == 1 else unit)

    def _noise(self, rng: np.random.Generator, unit: Any, size: int) -> FloatArray:
        own = rng.standard_normal(len(unit))
        if size == 1:
            return np.asarray(own)
        shared = rng.standard_normal(self.n_pos + self.n_neg)[unit]
        return np.asarray(np.sqrt(0.5) * (shared + own))

    def ask(self, study: rs.Study, number: int) -> pd.DataFrame:
        """Return the answer of the package."""
        if self.family == "fpr":
            return study.compare_operating_points(fpr=FPR, n_resamples=N_RESAMPLES, rng=number)
        return study.compare_operating_points(threshold=THRESHOLD)


_SETTINGS: list[tuple[Family, int, int, tuple[float, float]]] = [
    ("fpr", 30, 30, (1.2, 1.2)),
    ("fpr", 50, 50, (1.6, 1.0)),
    ("fpr", 30, 150, (2.2, 1.4)),
    ("clusters", 15, 15, (1.5, 1.5)),
    ("clusters", 40, 40, (1.5, 1.0)),
    ("clusters", 40, 40, (2.5, 2.0)),
]
ROLE_CELLS = tuple(RoleCell(i, *setting) for i, setting in enumerate(_SETTINGS))


def run_role_cell(cell: RoleCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    rng = stream(seed, cell.position)
    limits = np.empty((replicates, len(cell.truth), 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        for number in range(replicates):
            frame = cell.ask(cell.study(rng), number)
            frame = frame.set_index(frame["quantity"].map(base_of))
            limits[number] = frame.loc[list(cell.truth), ["ci_low", "ci_high"]].to_numpy()
    return [
        {
            **columns_of(cell, "family n_pos n_neg"),
            "quantity": quantity,
            "truth": round(truth, 10),
            "replicates": replicates,
            **_tally(limits[:, place], truth),
        }
        for place, (quantity, truth) in enumerate(cell.truth.items())
    ]


def _tally(limits: FloatArray, truth: float) -> dict[str, float]:
    known = limits[~np.isnan(limits).any(axis=1)]
    return {"defined": len(known) / len(limits), **tally(known, truth)}


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of differences at a false positive rate, and of clustered rates.",
    cells=ROLE_CELLS,
    rows=run_role_cell,
    replicates=2000,
    seed=SEED,
    ends=("seed",),
)
