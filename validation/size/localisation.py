"""Size of tests that two modalities have equal areas of marks.

Marks are drawn from a search model with equal modalities (``validation.search_model``) and answered
by the analysis that ``DetectionStudy.compare_auc`` asks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from rocstats.estimate.readers import modality_difference
from rocstats.inference.localisation.areas import _area_endpoint
from rocstats.inference.localisation.endpoints import MarksPlan
from rocstats.inference.localisation.figures import MARKS_AREAS
from validation.search_model import MODELS
from validation.simulation import Bound, Simulation, over, share_error, stream, under

TABLE = Path(__file__).with_name("localisation.csv")
SEED = 20260311
# Published before the run: a size of .05 lies between .03 and .075.
SIZE_BOUNDS = (0.6, 1.5)
CURVES = ("wafroc", "afroc", "wafroc1", "inferred-roc")


class MarksCell(NamedTuple):
    """A model, numbers of readers and cases, and the least and largest number of lesions."""

    model: str
    n_readers: int
    n_pos: int
    n_neg: int
    lesions_low: int = 1
    lesions_high: int = 3


CELLS = (
    *(
        MarksCell("mid", readers, n, n, *lesions)
        for readers in (3, 5, 1)
        for n in (25, 50)
        for lesions in ((1, 1), (1, 3), (5, 5))
    ),
    *(
        MarksCell(model, readers, 50, 50)
        for readers in (3, 5)
        for model in ("good", "mid, many false marks", "mid, unequal readers", "mid, lesions alike")
    ),
    *(
        MarksCell("mid", readers, *sizes)
        for readers in (3, 5)
        for sizes in ((100, 30), (15, 60), (15, 15), (20, 100), (100, 20))
    ),
    MarksCell("hardly a mark", 5, 50, 50),
    MarksCell("no marks at all", 5, 50, 50),
)


def run_cell(cell: MarksCell, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return a row for each curve."""
    rng, model = stream(seed, CELLS.index(cell), 0), MODELS[cell.model]
    plan = MarksPlan("random" if cell.n_readers > 1 else "fixed", "random")
    p_values: dict[str, list[float]] = {curve: [] for curve in CURVES}
    for _ in range(replicates):
        lesions = cell.lesions_low, cell.lesions_high
        study = model.draw(rng, (cell.n_pos, cell.n_neg), lesions, 2, cell.n_readers)
        for curve, kept in p_values.items():
            endpoint = _area_endpoint("", study, MARKS_AREAS[curve], plan, study.readers)
            if cell.n_readers == 1:
                found = endpoint.lone_difference(0, 1)
            else:
                found = modality_difference(endpoint.table, 0, 1, "random", "random")
            # A study without a variance rejects nothing.
            t = found.value / np.sqrt(found.variance) if found.variance > 0 else 0.0
            kept.append(float(2 * stats.t.sf(abs(t), found.df)) if t else 1.0)
    rows = []
    for curve, kept in p_values.items():
        size = float(np.mean(np.array(kept) < 0.05))
        rows.append(
            {
                **cell._asdict(),
                "curve": curve,
                "studies": replicates,
                "alpha": 0.05,
                "size": size,
                "size_se": share_error(size, replicates),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of tests that two modalities have equal areas of marks.",
    cells=CELLS,
    rows=run_cell,
    replicates=1000,
    seed=SEED,
    bounds=(
        Bound("size / alpha", under, SIZE_BOUNDS[0], samples=None),
        Bound("size / alpha", over, SIZE_BOUNDS[1], samples=None),
    ),
    ends=("seed", "shortfall"),
)
