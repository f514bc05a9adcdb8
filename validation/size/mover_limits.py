"""MOVER at a margin on other limits of the areas.

Rule, set before the run: other limits replace logit t limits as the default if no test of a true
margin falls short, and no power with classes up to 4 to 1 is lower by more than .02.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from validation.bounds import too_high
from validation.coverage import batch
from validation.simulation import Simulation, stream
from validation.size import margins
from validation.size.margins import MarginCell

TABLE = Path(__file__).with_name("mover_limits.csv")
SEED = 20081006
ALPHA = 0.025
OTHERS = ("effective-wilson", "newcombe")
METHODS = ("mover", *OTHERS, "mover-or-t")
EQUAL, UNEQUAL = "up to 4 to 1, or smaller over 50", "over 4 to 1, smaller up to 50"
POWER_SIZES = ((30, 30), (50, 50), (100, 100), (30, 60), (10, 200), (30, 300))
# Areas, and the value that their difference is to exceed.
POWER = (
    *(((auc, auc), -0.1) for auc in (0.75, 0.85, 0.95)),
    *(((0.95, 0.95), -0.05), ((0.95, 0.8), 0.05), ((0.9, 0.75), 0.0)),
)
Matrix = npt.NDArray[np.float64]


class LimitCell(NamedTuple):
    """Two predictors, and the value that the lower limit of their difference is to exceed."""

    predictors: MarginCell
    null_value: float

    @property
    def is_null(self) -> bool:
        """Whether the true difference is the null value, so that rejections are errors."""
        return self.predictors.truth == self.null_value

    @property
    def setting(self) -> dict[str, float]:
        """The columns that say which cell it is."""
        of = self.predictors._asdict()
        names = ("n_pos", "n_neg", "auc_1", "auc_2", "correlation")
        return {**{name: of[name] for name in names}, "null_value": self.null_value}


def _cells() -> tuple[LimitCell, ...]:
    """Return the cells of margins.csv with a margin and without clusters, then those of power."""
    cells = [LimitCell(c, c.truth) for c in margins.CELLS if c.margin and c.cluster_size == 1]
    for n, (aucs, null), r in product(POWER_SIZES, POWER, (0.0, 0.5)):
        # Beyond the positions of the cells of margins.csv, which key their random numbers.
        place = len(margins.CELLS) + len(cells)
        cells.append(LimitCell(MarginCell(place, "power", *n, *aucs, r, abs(null)), null))
    return tuple(cells)


CELLS = _cells()


def lower_limits(cell: MarginCell, pos: Matrix, neg: Matrix) -> dict[str, Matrix]:
    """Return the lower limit of the difference by each method, for many data sets."""
    found = margins.parts_of(cell, pos, neg)
    package, _ = margins.limits_of(cell, found)
    scores = np.concatenate([pos, neg], axis=2)
    areas = [batch.areas_of(scores[:, k], cell.n_pos) for k in (0, 1)]
    variances = np.diagonal(found.covariance, axis1=1, axis2=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = found.covariance[:, 0, 1] / np.sqrt(variances.prod(axis=1))
    # Where a boundary rule applies, all limits of the package are the same.
    ruled = package["t"][:, 0] == package["mover"][:, 0]
    answers = {"mover": package["mover"][:, 0]}
    for name in OTHERS:
        own = [batch.METHODS[name](area) for area in areas]
        down, up = found.area[:, 0] - own[0][:, 0], own[1][:, 1] - found.area[:, 1]
        low = found.area[:, 0] - found.area[:, 1] - margins.reach(down, up, r)
        answers[name] = np.where(ruled, answers["mover"], np.maximum(low, -1))
    answers["mover-or-t"] = np.minimum(package["mover"], package["t"])[:, 0]
    return answers


def run_cell(cell: LimitCell, replicates: int, seed: int) -> dict[str, Any]:
    """Return a row; the random numbers depend on nothing but the cell and the seed."""
    drawn = cell.predictors.draw(stream(seed, cell.predictors.position), replicates)
    limits = lower_limits(cell.predictors, *drawn)
    rejected = {name: float(np.mean(limits[name] > cell.null_value)) for name in METHODS}
    short = [name for name in METHODS if too_high(rejected[name], ALPHA, replicates)]
    return {
        "set": cell.predictors.set,
        **cell.setting,
        "replicates": replicates,
        **rejected,
        "shortfall": "; ".join(short) if cell.is_null else "",
    }


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Return shortfalls, largest size and largest loss of power of each method, by class sizes."""
    few, many = (getattr(rows[["n_pos", "n_neg"]], end)(axis=1) for end in ("min", "max"))
    noted = (many > 4 * few) & (few <= 50)
    found = []
    for label, chosen in ((EQUAL, ~noted), (UNEQUAL, noted)):
        power, sizes = (
            rows[chosen & (rows["set"] == "power")],
            rows[chosen & (rows["set"] != "power")],
        )
        for name in METHODS:
            short = sizes["shortfall"].str.split("; ").map(lambda names, n=name: n in names)
            lost = (power["mover"] - power[name]).max()
            found.append((label, name, len(sizes), short.sum(), sizes[name].max(), lost))
    columns = ["classes", "limits", "cells", "shortfalls", "largest size", "largest loss of power"]
    return pd.DataFrame(found, columns=columns)


SIMULATION = Simulation(
    table=TABLE,
    shows="Size and power of MOVER at a margin, on other limits of the areas.",
    cells=CELLS,
    rows=run_cell,
    replicates=10_000,
    seed=SEED,
    ends=("shortfall", "seed"),
)
