"""Size of tests of sensitivity at a given false positive rate in reader studies.

Ratings are drawn from the model of Roe and Metz with equal areas, so that the sensitivities of the
modalities are equal at every false positive rate.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from rocstats.estimate import readers as anova
from rocstats.estimate.reader_covariance import reader_tables_at_fpr
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.planning.simulated_studies import (
    ReadingPlan,
    Structure,
    draw_simulated_reads,
    roe_metz_of_areas,
)
from validation.simulation import Bound, Simulation, over, share_error, stream, under

TABLE = Path(__file__).with_name("readers_at_fpr.csv")
SEED = 19870601
N_RESAMPLES = 300
FPR = 0.1
ALPHA = 0.05
AUC = 0.855
# Set before the run: a size of .05 lies between these.
SIZE_BOUNDS = (0.03, 0.075)
FIRST = 6
"""Studies of a cell that a test draws again: their mean standard error is ``first_se``."""


class Cell(NamedTuple):
    """A structure of Roe and Metz with numbers of readers and cases; all readers read all."""

    structure: Structure
    n_readers: int
    n_pos: int
    n_neg: int


CELLS = (Cell("HL", 5, 50, 50), Cell("LH", 5, 50, 50))


def answers(cell: Cell, studies: int, seed: int = SEED) -> npt.NDArray[np.float64]:
    """Return difference, variance and degrees of freedom of each study (studies x 3)."""
    key = (CELLS.index(cell),)
    rng = stream(seed, *key)
    model = roe_metz_of_areas(cell.structure, np.array([AUC, AUC]))
    plan = ReadingPlan(*cell[1:])
    found = np.empty((studies, 3))
    for study in range(studies):
        reads = draw_simulated_reads(model, plan, rng)
        draws = ResamplePlan(N_RESAMPLES, seed, (*key, study))
        table = reader_tables_at_fpr(reads, np.array([FPR]), draws).tables[0]
        found[study] = anova.modality_difference(table, 0, 1, "random", "random")[:3]
    return found


def run_cell(cell: Cell, replicates: int, seed: int = SEED) -> dict[str, Any]:
    """Return the row of a cell."""
    value, variance, df = answers(cell, replicates, seed).T
    p = 2 * stats.t.sf(np.abs(value) / np.sqrt(variance), df)
    size = float(np.mean(p < ALPHA))
    return {
        **cell._asdict(),
        "auc": AUC,
        "fpr": FPR,
        "n_resamples": N_RESAMPLES,
        "studies": replicates,
        "alpha": ALPHA,
        "size": size,
        "size_se": share_error(size, replicates),
        "mean_se": round(float(np.sqrt(variance.mean())), 6),
        "first_se": float(f"{np.sqrt(variance[:FIRST].mean()):.10g}"),
        "sd": round(float(np.std(value, ddof=1)), 6),
        "median_df": round(float(np.median(df)), 4),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of tests of sensitivity at a false positive rate in reader studies.",
    cells=CELLS,
    rows=run_cell,
    replicates=2000,
    seed=SEED,
    bounds=(
        Bound("size", under, SIZE_BOUNDS[0], samples=None),
        Bound("size", over, SIZE_BOUNDS[1], samples=None),
    ),
    ends=("shortfall", "seed"),
)
