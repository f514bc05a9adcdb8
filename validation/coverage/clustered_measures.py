"""Coverage of the intervals of every measure at a threshold when cases have clusters."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from rocstats.errors import StatisticalWarning
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import cells_at, measure
from rocstats.inference.points.operating_points import operating_points
from rocstats.study.sample import Sample
from validation.coverage.measures import OF_PREVALENCE
from validation.simulation import Simulation, share_error, stream

TABLE = Path(__file__).parent / "clustered_measures.csv"
SEED = 19970610
ELSEWHERE = 0.1
"""Prevalence of another population, for which the measures that depend on it are asked too."""


@dataclass(frozen=True)
class ClusterCell:
    """Clusters of cases with correlation 1/2 of their scores, read at a threshold of 0.

    ``together`` says that all cases of a cluster have one status.
    """

    n_clusters: int
    n_each: int
    prevalence: float
    together: bool
    tpr: float
    fpr: float

    def draw(self, rng: np.random.Generator) -> Sample:
        """Return a cohort."""
        shape = (self.n_clusters, self.n_each)
        status = rng.random((self.n_clusters, 1) if self.together else shape) < self.prevalence
        status = np.broadcast_to(status, shape)
        shared = rng.standard_normal((self.n_clusters, 1)) + rng.standard_normal(shape)
        score = shared * np.sqrt(0.5) + np.where(status, ndtri(self.tpr), ndtri(self.fpr))
        cluster = np.repeat(np.arange(self.n_clusters), self.n_each)
        return Sample(status.ravel(), score.ravel(), cluster=cluster)


CLUSTER_CELLS = (
    ClusterCell(40, 4, 0.4, False, 0.8, 0.2),
    ClusterCell(40, 4, 0.4, True, 0.8, 0.2),
    ClusterCell(100, 3, 0.3, False, 0.9, 0.1),
    ClusterCell(100, 3, 0.3, True, 0.9, 0.1),
)


def run_cluster_cell(position: int, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return a row per measure and prevalence; random numbers depend on the cell and the seed."""
    cell = CLUSTER_CELLS[position]
    rng = stream(seed, position)
    limits: list[FloatArray] = []
    asked = pd.DataFrame()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        for _ in range(replicates):
            sample = cell.draw(rng)
            asked = pd.concat(
                [
                    operating_points(sample, threshold=0, sampling="cohort"),
                    operating_points(
                        sample, threshold=0, prevalence=ELSEWHERE, quantities=OF_PREVALENCE
                    ),
                ]
            )
            limits.append(asked[["ci_low", "ci_high"]].to_numpy())
    return list(_rows(cell, asked, np.array(limits)))


def _rows(cell: ClusterCell, asked: pd.DataFrame, limits: FloatArray) -> Iterable[dict[str, Any]]:
    """Yield what limits (replicates x rows x 2) cover of each row's true value."""
    rates = np.array([cell.tpr]), np.array([cell.fpr])
    for i, (quantity, method) in enumerate(zip(asked["quantity"], asked["method"], strict=True)):
        elsewhere = i >= len(asked) - len(OF_PREVALENCE)
        share = ELSEWHERE if elsewhere else cell.prevalence
        truth = float(measure(quantity, cells_at(*rates, share))[0])
        low, high = limits[:, i].T
        known = ~np.isnan(low)
        coverage = float(np.mean((low[known] <= truth) & (truth <= high[known])))
        yield {
            **vars(cell),
            "quantity": quantity,
            "at_prevalence": share if quantity in OF_PREVALENCE else np.nan,
            "truth": round(truth, 8),
            "method": method,
            "replicates": len(limits),
            "defined": round(float(known.mean()), 6),
            "coverage": round(coverage, 6),
            "se": share_error(coverage, known.sum()),
            "median_width": round(float(np.median((high - low)[known])), 6),
        }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the intervals of every measure at a threshold when cases have clusters.",
    cells=range(len(CLUSTER_CELLS)),
    rows=run_cluster_cell,
    replicates=2000,
    seed=SEED,
    ends=("seed",),
)
