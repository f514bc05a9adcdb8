"""The cells of the validation: small studies, each with the engines that it is put to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import rocstats as rs
from rocstats.facts.arrays import FloatArray

Kind = Literal["area", "folds", "frequencies", "predictors", "clusters", "signs", "swaps"]

SEED = 20040316
FPR = np.array([0.02, 0.1, 0.3, 0.7])


@dataclass(frozen=True)
class Cell:
    """A study to resample; ``position`` keys its data and its random numbers.

    ``digits`` rounds the scores, which ties them; ``units`` is the number of clusters or folds.
    """

    position: int
    name: str
    kind: Kind
    n_pos: int
    n_neg: int
    digits: int | None = None
    n_predictors: int = 1
    units: int = 0
    replicates: int = 100_000

    @property
    def n(self) -> int:
        """Number of cases."""
        return self.n_pos + self.n_neg

    def study(self) -> rs.Study:
        """Return the study, the same whenever it is asked for."""
        if self.kind == "frequencies":
            data = rs.load_ct_ratings()
            return rs.Study("abnormal", "rating", data=data, frequency="n")
        rng = np.random.default_rng([SEED, self.position])
        y = np.repeat([1, 0], [self.n_pos, self.n_neg])
        shared = rng.normal(size=self.n)
        scores = y + (shared + rng.normal(size=(self.n_predictors, self.n))) / np.sqrt(2)
        roles = self._roles(rng, y)
        if "cluster" in roles:
            scores += rng.normal(size=self.units)[roles["cluster"]]
        if self.digits is not None:
            scores = np.round(scores, self.digits)
        names = [f"score_{k + 1}" for k in range(self.n_predictors)]
        return rs.Study(y, scores.T, predictor=names, **roles)

    def _roles(self, rng: np.random.Generator, y: npt.NDArray[np.int64]) -> dict[str, Any]:
        if self.kind == "clusters":
            return {"cluster": rng.permutation(np.arange(self.n) % self.units)}
        if self.kind == "folds":
            return {"fold": np.arange(self.n) % self.units}
        return {}


CELLS = (
    Cell(0, "continuous 300", "area", 150, 150),
    Cell(1, "ties 300", "area", 120, 180, digits=0),
    Cell(2, "unbalanced 300", "area", 15, 285),
    Cell(3, "one positive 300", "area", 1, 299, digits=1),
    Cell(4, "continuous 2000", "area", 1000, 1000, replicates=400_000),
    Cell(5, "ties 2000", "area", 800, 1200, digits=1),
    Cell(6, "unbalanced 2000", "area", 40, 1960),
    Cell(7, "folds 300", "folds", 120, 180, digits=1, units=5),
    Cell(8, "ratings 109", "frequencies", 51, 58),
    Cell(9, "predictors 300", "predictors", 120, 180, digits=1, n_predictors=3),
    Cell(10, "predictors 2000", "predictors", 700, 1300, n_predictors=3),
    Cell(11, "clusters 300", "clusters", 150, 150, digits=1, units=100),
    Cell(12, "clusters 2000", "clusters", 1000, 1000, units=400),
    Cell(13, "clusters enumerated", "clusters", 11, 10, digits=1, units=7),
    Cell(14, "signs enumerated", "signs", 10, 8, digits=0, n_predictors=2),
    Cell(15, "swaps enumerated", "swaps", 5, 7, n_predictors=2),
)
"""Every cell."""


def cell_named(name: str) -> Cell:
    """Return the cell of a name."""
    return next(cell for cell in CELLS if cell.name == name)


def kernel_of(study: rs.Study, k: int = 0) -> FloatArray:
    """Return 1, 1/2 or 0 for each pair of a positive (row) and a negative (column)."""
    pos, neg = study.scores[k][study.is_positive], study.scores[k][~study.is_positive]
    return np.asarray((1 + np.sign(pos[:, np.newaxis] - neg)) / 2)
