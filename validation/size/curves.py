"""How often the tests of equal curves reject.

Sizes where the curves are equal, power where curves of equal area cross; the package's own frames
are asked.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

import rocstats as rs
from validation.simulation import Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("curves.csv")
LEVEL = 0.05
N_PERMUTATIONS = 199
AUC = 0.8
CUTS = (-0.5, 0.3, 0.8, 1.6)

Design = Literal["paired", "paired-tied", "crossing", "groups", "groups-tied", "groups-crossing"]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """Two markers of correlation 1/2, or two groups, of AUC 0.8, perhaps in five categories.

    Crossing: the positives of the second have three times the spread, at the same area. The second
    of two groups has twice as many negatives. ``position`` is the key of the random numbers.
    """

    position: int
    design: Design
    n_pos: int
    n_neg: int

    @property
    def paired(self) -> bool:
        """Whether both markers are measured on the same cases."""
        return not self.design.startswith("groups")

    @property
    def null(self) -> bool:
        """Whether the curves are equal."""
        return not self.design.endswith("crossing")

    def study(self, rng: np.random.Generator) -> rs.Study:
        """Return one simulated study."""
        if self.paired:
            y = np.repeat([1, 0], [self.n_pos, self.n_neg])
            shared = rng.standard_normal(len(y))
            noise = [(shared + rng.standard_normal(len(y))) / np.sqrt(2) for _ in range(2)]
            return rs.Study(y, {"a": self._score(y, noise[0]), "b": self._score(y, noise[1], 1)})
        y = np.repeat([1, 0, 1, 0], [self.n_pos, self.n_neg, self.n_pos, 2 * self.n_neg])
        site = np.repeat(["a", "b"], [self.n_pos + self.n_neg, self.n_pos + 2 * self.n_neg])
        noise_of_all = rng.standard_normal(len(y))
        first, second = self._score(y, noise_of_all), self._score(y, noise_of_all, 1)
        return rs.Study(y, np.where(site == "a", first, second), group=site)

    def _score(self, y: npt.NDArray[np.int64], noise: Matrix, marker: int = 0) -> Matrix:
        spread = 3.0 if marker == 1 and not self.null else 1.0
        shift = np.hypot(1.0, spread) * ndtri(AUC)
        score = np.where(y == 1, shift + spread * noise, noise)
        if self.design.endswith("tied"):
            return np.digitize(score, CUTS).astype(np.float64)
        return np.asarray(score)


_DESIGNS: list[tuple[Design, int, int]] = [
    ("paired", 15, 15),
    ("paired", 30, 30),
    ("paired", 10, 50),
    ("paired-tied", 30, 30),
    ("crossing", 50, 50),
    ("groups", 15, 15),
    ("groups", 30, 30),
    ("groups", 60, 20),
    ("groups-tied", 30, 30),
    ("groups-crossing", 50, 50),
]
CELLS = tuple(Cell(i, *design) for i, design in enumerate(_DESIGNS))


def run_cell(cell: Cell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    rng = stream(seed, cell.position)
    found = np.empty((replicates, 2))
    across: Literal["predictors", "groups"] = "predictors" if cell.paired else "groups"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        for number in range(replicates):
            study = cell.study(rng)
            curves = study.compare_curves(across=across, n_resamples=N_PERMUTATIONS, rng=number)
            areas = study.compare_auc(across=across)
            found[number] = curves["p_value"][0], areas["p_value"][0]
    return [
        {
            **columns_of(cell, "design n_pos n_neg"),
            "test": test,
            "replicates": replicates,
            "rejected": (share := float(np.mean(p <= LEVEL + 1e-12))),
            "se": share_error(share, replicates),
        }
        for test, p in zip(("venkatraman", "delong"), found.T, strict=True)
    ]


SIMULATION = Simulation(
    table=TABLE,
    shows="How often tests of equal curves reject: sizes, and power where curves cross.",
    cells=CELLS,
    rows=run_cell,
    replicates=2000,
    seed=19960835,
    ends=("seed",),
)
