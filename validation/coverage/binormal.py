"""Coverage of the binormal interval of an AUC."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from rocstats.estimate.areas import estimate_areas
from rocstats.estimate.binormal import binormal_area_limits, fitted_binormal_area
from rocstats.facts.arrays import FloatArray
from rocstats.inference.binormal import BinormalFitPlan, fit_sample
from rocstats.study.sample import Sample
from validation.coverage.simulate import LEVEL, BoolArray, inferred, require_honest
from validation.simulation import Simulation, columns_of, stream, tally

TABLE = Path(__file__).with_name("binormal.csv")
SEED = 19690606
Law = Literal["equal-variance", "sd-ratio-2", "five-categories", "biexponential"]
LAWS: tuple[Law, ...] = ("equal-variance", "sd-ratio-2", "five-categories", "biexponential")
SIZES = ((20, 20), (50, 50), (30, 300))
AREAS = (0.80, 0.90)
PLANS = {
    "maximum-likelihood/probit": BinormalFitPlan(),
    "maximum-likelihood-20-bins/probit": BinormalFitPlan(n_bins=20),
    "normal-theory/probit": BinormalFitPlan("normal-theory"),
}
NAMES = (*PLANS, "delong/logit")
QUINTILES = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True)
class BinormalCell:
    """One simulated study; ``auc`` is the area of the continuous scores, and the truth.

    Negatives are N(0, 1), positives N(shift, sd^2), sd 1 or 2. ``five-categories`` cuts scores of
    equal variance at the quintiles of N(shift/2, 1.44), about those of all cases; the model still
    aims at the area of the continuous scores. ``biexponential`` has exponential scores, whose curve
    is t^r with r = 1/auc - 1.
    """

    position: int
    law: Law
    n_pos: int
    n_neg: int
    auc: float

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of one study, the positives first."""
        size = self.n_pos + self.n_neg
        positive = np.arange(size) < self.n_pos
        if self.law == "biexponential":
            return np.asarray(
                rng.standard_exponential(size) / np.where(positive, 1 / self.auc - 1, 1.0)
            )
        sd = 2.0 if self.law == "sd-ratio-2" else 1.0
        shift = np.sqrt(1 + sd**2) * ndtri(self.auc)
        scores = rng.standard_normal(size) * np.where(positive, sd, 1.0) + shift * positive
        if self.law == "five-categories":
            cuts = ndtri(QUINTILES) * 1.2 + shift / 2
            return np.asarray(np.searchsorted(cuts, scores), dtype=np.float64)
        return np.asarray(scores)


CELLS = tuple(
    BinormalCell(i, law, n_pos, n_neg, auc)
    for i, (law, (n_pos, n_neg), auc) in enumerate(product(LAWS, SIZES, AREAS))
)


def limits_of(is_positive: BoolArray, scores: FloatArray) -> list[tuple[float, float]]:
    """Return the limits of each method for one data set; NaN where nothing could be fitted."""
    sample = Sample(is_positive, scores)
    found = []
    for plan in PLANS.values():
        fit = fit_sample(sample, 0, plan)
        fitted = (
            binormal_area_limits(fit, fitted_binormal_area(fit), LEVEL)[:2]
            if fit.converged
            else (np.nan, np.nan)
        )
        found.append(fitted)
    return [*found, inferred(estimate_areas(sample.cases, [0]).take(0), "logit")]


def run_cell(cell: BinormalCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed.

    Coverage is that of the data sets with a fit; ``share_fitted`` says how many there are.
    """
    rng = stream(seed, cell.position)
    is_positive = np.arange(cell.n_pos + cell.n_neg) < cell.n_pos
    limits = np.array([limits_of(is_positive, cell.draw(rng)) for _ in range(replicates)])
    rows = []
    for k, name in enumerate(NAMES):
        fitted = limits[np.isfinite(limits[:, k, 0]), k]
        require_honest(fitted)
        rows.append(
            {
                **columns_of(cell, "law n_pos n_neg auc"),
                "method": name,
                "replicates": replicates,
                "share_fitted": len(fitted) / replicates,
                **tally(fitted, cell.auc),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of intervals of an area by the binormal model, beside DeLong's.",
    cells=CELLS,
    rows=run_cell,
    replicates=1000,
    seed=SEED,
    ends=("seed",),
)
