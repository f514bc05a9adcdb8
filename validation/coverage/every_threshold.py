"""How often limits of both rates hold at every threshold at once.

Whole studies are simulated. A sample counts as held ``everywhere`` if both true rates are within
their limits at every real threshold, those between the observed scores too; as held where
``chosen`` if they are at the threshold with the highest Youden index of the sample.
``wilson-joint`` is Wilson's rectangle, which is for one threshold fixed beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.bars import Bars, sidak_level_of_each_axis
from rocstats.estimate.tables import PointTables
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import Cells
from rocstats.study.count_tables import LabelledScores, count_scores_of
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, columns_of, stream

TABLE = Path(__file__).with_name("every_threshold.csv")
SEED = 19560903
FIRST_SAMPLES = 25
"""Samples of each cell whose result a test finds again."""

STEPS = (0.0, 0.5, 1.0)
SIZES = ((20, 20), (50, 200), (200, 350))
LEVELS = (0.95, 0.9)
INTERVALS = ("dkw", "wilson-joint")


@dataclass(frozen=True)
class ThresholdCell:
    """Negatives are N(0, 1), positives N(1, 1), rounded to multiples of ``step`` (0: not)."""

    position: int
    step: float
    n_pos: int
    n_neg: int

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of one study, the positives first."""
        scores = rng.standard_normal(self.n_pos + self.n_neg)
        scores[: self.n_pos] += 1
        return np.round(scores / self.step) * self.step if self.step else scores

    def rates(self, threshold: FloatArray, *, above: bool) -> tuple[FloatArray, FloatArray]:
        """Return the true TPR and FPR at thresholds, or just ``above`` them."""
        # A rounded score is at least a multiple t of the step if the score is at least t - step/2.
        cut = threshold + (self.step / 2 if above else -self.step / 2)
        return ndtr(1 - cut), ndtr(-cut)


CELLS = tuple(
    ThresholdCell(i, step, *sizes) for i, (step, sizes) in enumerate(product(STEPS, SIZES))
)


def bars_of(curve: RocPoints, interval: str, level: float) -> tuple[Bars, Bars]:
    """Return the limits of TPR and FPR at every vertex of a curve."""
    n_pos, n_neg = float(curve.tp[-1]), float(curve.fp[-1])
    cells = Cells(curve.tp, n_pos - curve.tp, curve.fp, n_neg - curve.fp)
    tables = PointTables(cells, n_pos, n_neg)
    if interval == "dkw":
        return tables.rate("tpr", "dkw", level), tables.rate("fpr", "dkw", level)
    each = sidak_level_of_each_axis(level)
    return tables.rate("tpr", "wilson", each), tables.rate("fpr", "wilson", each)


def _within(bars: tuple[Bars, Bars], truths: tuple[FloatArray, FloatArray]) -> BoolArray:
    """Return at which vertices both rates are within their limits."""
    tpr, fpr = (
        (bar.low <= truth) & (truth <= bar.high) for bar, truth in zip(bars, truths, strict=True)
    )
    return np.asarray(tpr & fpr)


def held(
    cell: ThresholdCell, scores: FloatArray, interval: str, level: float
) -> tuple[bool, bool, float, float]:
    """Return whether one sample holds everywhere, whether where chosen, and both mean widths."""
    curve = roc_points(count_scores_of(LabelledScores(scores, np.arange(len(scores)) < cell.n_pos)))
    bars = bars_of(curve, interval, level)
    # The rates of a vertex are those of its score, and of all thresholds down to the next score:
    # true rates rise on the way, so that both ends decide.
    here = _within(bars, cell.rates(curve.threshold, above=False))
    below = np.append(curve.threshold[1:], -np.inf)
    everywhere = here & _within(bars, cell.rates(below, above=True))
    best = int(np.argmax(curve.tpr - curve.fpr))
    widths = [float(np.mean(bar.high - bar.low)) for bar in bars]
    return bool(everywhere.all()), bool(here[best]), widths[0], widths[1]


def run_cell(cell: ThresholdCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per level and interval; random numbers depend on the cell and the seed only."""
    rng = stream(seed, cell.position)
    drawn = [cell.draw(rng) for _ in range(replicates)]
    rows = []
    for level, interval in product(LEVELS, INTERVALS):
        found = np.array([held(cell, scores, interval, level) for scores in drawn])
        everywhere, chosen, tpr_width, fpr_width = found.mean(axis=0).tolist()
        rows.append(
            {
                **columns_of(cell, "step n_pos n_neg"),
                "level": level,
                "interval": interval,
                "replicates": replicates,
                "everywhere": everywhere,
                "chosen": chosen,
                "tpr_width": round(tpr_width, 6),
                "tnr_width": round(fpr_width, 6),
                "first_everywhere": int(found[:FIRST_SAMPLES, 0].sum()),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="How often limits of both rates hold at every threshold at once.",
    cells=CELLS,
    rows=run_cell,
    replicates=10_000,
    seed=SEED,
    bounds=(Bound("everywhere", too_low, "level"),),
    ends=("seed", "shortfall"),
)
read_every_threshold = SIMULATION.read
