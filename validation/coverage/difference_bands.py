"""Containment of the true difference of two paired curves by its band."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from rocstats.estimate.band_record import largest_empirical_tpr_at_fpr
from rocstats.estimate.bands import resolved_fpr
from rocstats.estimate.difference_bands import difference_band_limits, discordance_floor
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import draw_averaged_curves
from rocstats.facts.arrays import FloatArray
from rocstats.study.sample import Sample
from validation.coverage.bands import contained
from validation.simulation import Simulation, columns_of, stream

TABLE = Path(__file__).with_name("difference_bands.csv")
SEED = 20261123
LEVEL = 0.95
N_RESAMPLES = 400
AT = np.arange(1, 100) / 100

CURVES = {
    "equal .80": ((0.80, 1.0), (0.80, 1.0)),
    ".90 and .80": ((0.90, 1.0), (0.80, 1.0)),
    "crossing .80": ((0.80, 0.5), (0.80, 2.0)),
    ".95 and .90": ((0.95, 1.0), (0.90, 1.0)),
}
"""Area and slope b of both binormal curves."""

SIZES = ((30, 30), (50, 50), (100, 100), (300, 300), (30, 300), (300, 30))
CORRELATIONS = (0.0, 0.6)


@dataclass(frozen=True)
class DifferenceCell:
    """Two correlated binormal predictors; ``position`` is the key of the random numbers."""

    position: int
    design: str
    correlation: float
    n_pos: int
    n_neg: int

    @property
    def truth(self) -> FloatArray:
        """The true difference at the rates of the band."""
        one, other = (_curve(auc, b) for auc, b in CURVES[self.design])
        return one - other

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of both predictors (2, cases), the positives first."""
        n = self.n_pos + self.n_neg
        shared, own = rng.standard_normal(n), rng.standard_normal((2, n))
        scores = np.sqrt(self.correlation) * shared + np.sqrt(1 - self.correlation) * own
        for k, (auc, b) in enumerate(CURVES[self.design]):
            a = ndtri(auc) * np.hypot(1, b)
            scores[k, : self.n_pos] = (a + scores[k, : self.n_pos]) / b
        return np.asarray(scores)


def _curve(auc: float, b: float) -> FloatArray:
    return np.asarray(ndtr(ndtri(auc) * np.hypot(1, b) + b * ndtri(AT)))


CELLS = tuple(
    DifferenceCell(position, *cell[:2], *cell[2])
    for position, cell in enumerate(product(CURVES, CORRELATIONS, SIZES))
)


def run_difference_cell(cell: DifferenceCell, replicates: int, seed: int) -> dict[str, Any]:
    """Return one row; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    inside, truth = resolved_fpr(AT, cell.n_neg), cell.truth
    drawn = np.empty((replicates, 4))
    for number in range(replicates):
        sample = Sample(is_positive, dict(zip("ab", cell.draw(rng), strict=True)))
        draws = draw_averaged_curves(
            sample.cases, [0, 1], AT, ResamplePlan(N_RESAMPLES, number)
        ).values
        low, high = difference_band_limits(
            np.subtract(*(largest_empirical_tpr_at_fpr(sample.cases, k, AT) for k in (0, 1))),
            draws[:, 0] - draws[:, 1],
            discordance_floor(sample.cases, (0, 1), AT),
            inside,
            LEVEL,
        )
        above, below = np.any(low > truth), np.any(high < truth)
        drawn[number] = above, below, np.mean((high - low)[inside]), np.any((low > 0) | (high < 0))
    return {
        **columns_of(cell, "design correlation n_pos n_neg"),
        "replicates": replicates,
        "n_resamples": N_RESAMPLES,
        **contained(drawn),
        "excludes_zero": round(float(drawn[:, 3].mean()), 6),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Containment of the true difference of two paired curves by its band.",
    cells=CELLS,
    rows=run_difference_cell,
    replicates=1000,
    seed=SEED,
    ends=("seed",),
)
read_differences = SIMULATION.read
