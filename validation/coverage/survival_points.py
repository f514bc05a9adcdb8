"""Simulated coverage of rates, predictive values and net benefits at a time.

Studies are those of ``survival.py``. Patients with a marker of .5 and more are called positive; the
net benefit is at the risk threshold .2. Limits are Wilson's of effective size (of net benefits
combined by MOVER), and normal ones; the times are the first and the last of a cell.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

from rocstats.estimate.benefit import Stakes
from rocstats.estimate.shares import EstimatedMeasure
from rocstats.facts.arrays import FloatArray
from rocstats.inference.survival.follow_up import status_at
from rocstats.inference.survival.net_benefit import survival_benefit_at
from rocstats.inference.survival.points import survival_measures_at
from validation.bounds import too_low
from validation.coverage.survival import CELLS, LEVEL, Cell, draw, population, times_of
from validation.simulation import Bound, Simulation, columns_of

TABLE = Path(__file__).with_name("survival_points.csv")
REPLICATES = 1500
SEED = 20214
SETTINGS = ("moderate", "high", "competing", "rare")
THRESHOLD = 0.5
STAKES = Stakes(0.2, None)
_Z = float(ndtri((1 + LEVEL) / 2))


def cells() -> list[Cell]:
    """Return the cells of ``survival.py`` in which censoring does not depend on the marker."""
    return [cell for cell in CELLS if cell.setting in SETTINGS]


def truth_of(cell: Cell, t: float) -> dict[str, float]:
    """Return the true values, by sums over a grid of the normal distribution."""
    z, case, control = population(cell, t)
    called = z >= THRESHOLD
    tp, fp = case[called].sum(), control[called].sum()
    tn, fn = control[~called].sum(), case[~called].sum()
    return {
        "tpr": tp / (tp + fn), "tnr": tn / (tn + fp), "ppv": tp / (tp + fp),
        "npv": tn / (tn + fn), "prevalence": tp + fn, "net_benefit": tp - STAKES.odds * fp,
    }  # fmt: skip


def run_cell(cell: Cell, replicates: int = REPLICATES, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell: shares of samples whose limits hold the truth."""
    rng = np.random.default_rng([seed, CELLS.index(cell)])
    shares, times = np.array(cell.shares)[[0, -1]], times_of(cell)[[0, -1]]
    truth = [truth_of(cell, t) for t in times.tolist()]
    held: dict[tuple[int, str, str], list[float]] = {}
    for _ in range(replicates):
        follow_up, markers = draw(cell, rng)
        called = markers[0] >= THRESHOLD
        for place, t in enumerate(times.tolist()):
            at = status_at(follow_up, t, "not-case")
            found: dict[str, EstimatedMeasure] = {}
            if at.is_defined:
                benefit = survival_benefit_at(at, called, STAKES)
                found = {**survival_measures_at(at, called), "net_benefit": benefit}
            for name, value in truth[place].items():
                for limits, inside in _holds(found.get(name), value).items():
                    held.setdefault((place, name, limits), []).append(inside)
    return [
        _row(cell, float(shares[place]), name, limits, np.array(each))
        for (place, name, limits), each in held.items()
    ]


def _holds(found: EstimatedMeasure | None, truth: float) -> dict[str, float]:
    """Return by kind of limits whether they hold the truth; NaN without limits."""
    if found is None or np.isnan(found.value):
        return {"wilson": np.nan, "wald": np.nan}
    # Normal limits of no width are replaced by the others, as in the package.
    wilson = float(found.limit(-_Z) <= truth <= found.limit(_Z))
    se = np.sqrt(found.variance)
    return {"wilson": wilson, "wald": float(abs(found.value - truth) <= _Z * se) if se else wilson}


def _row(cell: Cell, share: float, quantity: str, limits: str, held: FloatArray) -> dict[str, Any]:
    return {
        **columns_of(cell, "setting n"),
        "share_by_time": share,
        "quantity": quantity,
        "limits": limits,
        "coverage": float(np.nanmean(held)),
        "undefined": float(np.isnan(held).mean()),
        "replicates": int(np.isfinite(held).sum()),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of rates, predictive values and net benefits at a time.",
    cells=cells(),
    rows=run_cell,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL),),
    ends=("shortfall",),
    digits=6,
    words=True,
)
