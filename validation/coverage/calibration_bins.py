"""Coverage of Wilson's limits of the shares of events in bins of the predicted risk.

The truth of a bin is the mean of the true risks of its cases, for calibrated risks and for risks
that are too extreme. The bound was set before the run: the mean coverage over the bins of a setting
must not fall short by the rule of docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from rocstats.estimate.shares import WeightedCases
from rocstats.inference.calibration.curves import BinStrategy, risk_bins, shares_in_bins
from rocstats.inference.calibration.risks import Risks
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("calibration_bins.csv")
SEED, LEVEL, N_BINS = 20261128, 0.95, 10


class BinCell(NamedTuple):
    """Number of cases, kind of bins and model; the mean logit of the true risks is ``centre``."""

    position: int
    n: int
    strategy: BinStrategy
    model: str
    centre: float


_STRATEGIES: tuple[BinStrategy, ...] = ("quantile", "uniform")
_SETTINGS = product((100, 300, 1000), _STRATEGIES, ("calibrated", "extreme"), (-1.0, -3.0))
CELLS = tuple(BinCell(position, *setting) for position, setting in enumerate(_SETTINGS))


def draw(cell: BinCell, rng: np.random.Generator) -> tuple[Risks, Any]:
    """Return cases with their predicted risks, and their true risks."""
    while True:
        logit = cell.centre + rng.standard_normal(cell.n)
        true = expit(logit)
        event = rng.random(cell.n) < true
        if 0 < event.sum() < cell.n:
            break
    predicted = true if cell.model == "calibrated" else expit(1.5 * logit)
    return Risks(predicted, WeightedCases(event, np.ones(cell.n), None)), true


def run_bin_cell(cell: BinCell, replicates: int, seed: int) -> dict[str, Any]:
    """Return the coverage over all bins, and that of the bin of the highest risks."""
    rng = stream(seed, cell.position)
    held, last, few = [], [], []
    for _ in range(replicates):
        risks, true = draw(cell, rng)
        bins = risk_bins(risks, N_BINS, cell.strategy)
        found = shares_in_bins(risks, bins, LEVEL)
        sizes = np.bincount(bins, minlength=N_BINS)
        used = sizes > 0
        truth = np.bincount(bins, true, N_BINS)[used] / sizes[used]
        inside = (found["ci_low"] <= truth) & (truth <= found["ci_high"])
        held += inside.tolist()
        last.append(inside[-1])
        few.append(sizes[used].min())
    return {
        **columns_of(cell, "n strategy model centre"),
        "samples": replicates,
        "bins": len(held),
        "smallest_bin": round(float(np.mean(few)), 2),
        "coverage": round(float(np.mean(held)), 6),
        "error": share_error(float(np.mean(held)), len(held)),
        "highest_bin": round(float(np.mean(last)), 6),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of the shares of events in bins of the predicted risk.",
    cells=CELLS,
    rows=run_bin_cell,
    replicates=500,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL, samples="bins"),),
    ends=("shortfall",),
)
read_calibration_bins = SIMULATION.read
