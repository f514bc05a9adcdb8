"""Coverage of the intervals of a partial area, by the package's own code."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from rocstats.curves.areas import AreaRange, partial_area
from rocstats.estimate.areas import estimate_areas
from rocstats.estimate.intervals import Interval, bca_method, percentile_method
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_areas
from rocstats.facts.arrays import FloatArray
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.sample import Sample
from validation.coverage.simulate import inferred
from validation.simulation import (
    Bound,
    Simulation,
    Variant,
    columns_of,
    stream,
    tally,
    under_margin,
)

TABLE = Path(__file__).with_name("partial.csv")
SEED = 20081118
LEVEL = 0.95
N_RESAMPLES = 500
CLOSED: tuple[Interval, ...] = ("wald", "logit", "logit-t", "effective-wilson")
RESAMPLED = ("percentile", "bca")
QUINTILES = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True)
class PartialCell:
    """Positives N(shift, sd^2), negatives N(0, 1), perhaps in five categories, and a range of FPR.

    ``position`` is the key of the random numbers.
    """

    position: int
    set: str
    design: str
    sd: float
    n_pos: int
    n_neg: int
    auc: float
    low: float
    high: float

    @property
    def over(self) -> AreaRange:
        """The range of the area."""
        return AreaRange("fpr", self.low, self.high)

    @property
    def shift(self) -> float:
        """Mean of the positives."""
        return float(np.hypot(1.0, self.sd) * ndtri(self.auc))

    @property
    def cuts(self) -> FloatArray:
        """Cuts between categories: quintiles of the negatives moved half way to the positives."""
        return np.asarray(ndtri(QUINTILES) + self.shift / 2)

    @property
    def truth(self) -> float:
        """True mean rate over the range; with categories that of the polygon."""
        if self.design == "five-categories":
            edges = np.concatenate(([-np.inf], self.cuts, [np.inf]))
            pos, neg = (np.diff(ndtr((edges - m) / s)) for m, s in ((self.shift, self.sd), (0, 1)))
            counts = ScoreCounts(np.arange(5.0)[::-1], pos[::-1], neg[::-1])
            return partial_area(counts, self.over) / self.over.width
        whole = quad(self._tpr, self.low, self.high, epsabs=1e-12)[0]
        return float(whole / self.over.width)

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the scores of one study, the positives first."""
        scores = rng.standard_normal(self.n_pos + self.n_neg)
        scores[: self.n_pos] = self.shift + self.sd * scores[: self.n_pos]
        if self.design == "five-categories":
            return np.searchsorted(self.cuts, scores).astype(np.float64)
        return scores

    def _tpr(self, fpr: float) -> float:
        return float(ndtr((self.shift + ndtri(fpr)) / self.sd))


def _cells() -> tuple[PartialCell, ...]:
    """Return the four cells of docs/methods/partial-areas.md, then a grid of other ones."""
    named: list[tuple[Any, ...]] = [
        ("named", "equal-variance", 1.0, 50, 50, 0.8, 0.0, 0.2),
        ("named", "sd-ratio-5/3", 1 / 0.6, 50, 50, 0.9, 0.0, 0.2),
        ("named", "equal-variance", 1.0, 100, 100, 0.8, 0.0, 0.1),
        ("named", "equal-variance", 1.0, 100, 200, 0.8, 0.1, 0.3),
    ]
    designs = (("equal-variance", 1.0), ("sd-ratio-2", 2.0), ("five-categories", 1.0))
    sizes, ranges = ((20, 20), (15, 60), (60, 15), (50, 50)), ((0.0, 0.1), (0.0, 0.2), (0.1, 0.3))
    named += [
        ("grid", *design, *size, auc, *ends)
        for design, size, auc, ends in product(designs, sizes, (0.7, 0.9, 0.97), ranges)
    ]
    return tuple(PartialCell(position, *setting) for position, setting in enumerate(named))


PARTIAL_CELLS = _cells()


@dataclass(frozen=True)
class Drawn:
    """What one simulated study gave: its mean rate, its standard error, the limits by method."""

    value: float
    variance: float
    limits: dict[str, tuple[float, float]]


def closed_limits(sample: Sample, over: AreaRange) -> Drawn:
    """Return the limits of the methods in closed form for one data set."""
    area = estimate_areas(sample.cases, [0], "delong", over, spread=True).take(0)
    return Drawn(area.value, area.variance, {name: inferred(area, name) for name in CLOSED})


def resampled_limits(sample: Sample, over: AreaRange, number: int) -> Drawn:
    """Return the limits of percentile and BCa for one data set, its number their seed."""
    area = estimate_areas(sample.cases, [0], "delong", over, spread=True).take(0)
    drawn = draw_areas(sample.cases, 0, ResamplePlan(N_RESAMPLES, number), over=over)
    draws = drawn.values / over.width
    plain = percentile_method(draws)
    corrected, _ = bca_method(draws[np.newaxis], sample.cases, [0], np.array([area.value]), over)
    found = {
        "percentile": inferred(area, "percentile", plain),
        "bca": inferred(area, "bca", corrected),
    }
    return Drawn(area.value, area.variance, found)


def run_partial_cell(
    cell: PartialCell, replicates: int, seed: int, *, resampled: bool = False
) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    drawn = []
    for number in range(replicates):
        sample = Sample(is_positive, cell.draw(rng))
        drawn.append(
            resampled_limits(sample, cell.over, number)
            if resampled
            else closed_limits(sample, cell.over)
        )
    return _rows_of(cell, drawn, N_RESAMPLES if resampled else 0)


def _rows_of(cell: PartialCell, drawn: list[Drawn], n_resamples: int) -> list[dict[str, Any]]:
    width = cell.over.width
    values, variances = np.array([(one.value, one.variance) for one in drawn]).T
    common = {
        **columns_of(cell, "set design n_pos n_neg auc"),
        "range_low": cell.low,
        "range_high": cell.high,
        "truth": round(width * cell.truth, 10),
        "mean": round(float(width * values.mean()), 8),
        "sd": round(float(width * values.std(ddof=1)), 8),
        "rms_se": round(float(width * np.sqrt(variances.mean())), 8),
    }
    return [
        {
            **common,
            "method": name,
            "replicates": len(drawn),
            "n_resamples": n_resamples,
            **tally(np.array([one.limits[name] for one in drawn]), cell.truth),
        }
        for name in drawn[0].limits
    ]


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of intervals of a partial area; mean widths are of the mean rate.",
    cells=[
        Variant(cell, {"resampled": resampled})
        for cell in PARTIAL_CELLS
        for resampled in ((False, True) if cell.set == "named" else (False,))
    ],
    rows=run_partial_cell,
    replicates=lambda cell: 4000 if cell.arguments["resampled"] else 8000,
    seed=SEED,
    bounds=(Bound("coverage", under_margin, LEVEL),),
    ends=("shortfall", "seed"),
)
read_partial = SIMULATION.read
