"""Coverage of the intervals of several classes, and of differences of two classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.classes import MulticlassMethod, class_results
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.intervals import Interval, percentile_method
from rocstats.estimate.resample import plan_resamples
from rocstats.estimate.resample_areas import draw_class_areas
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.multiclass import MulticlassSample
from validation.coverage.simulate import inferred, require_honest
from validation.simulation import Simulation, Variant, collect, columns_of, stream, tally

TABLE = Path(__file__).with_name("multiclass.csv")
SEED = 20010704
LEVEL = 0.95
METHODS: tuple[MulticlassMethod, ...] = ("ovo-macro", "ovr-weighted")
N_RESAMPLES = 500
CLOSED: tuple[Interval, ...] = ("logit", "wald", "logit-t")
ROWS = ("first", "all")
"""The first pair (or class), and the summary."""


@dataclass(frozen=True)
class ClassCell:
    """C classes of expected sizes; the score for a class is N(0, 1) but for two classes.

    The mean for the class itself is that of an area ``auc`` against the others, and half of it for
    the next class, with which it is confused. ``mix`` says whether sizes are as given, or drawn.
    The second classifier has the scores of the first with noise added. ``position`` is the key of
    the random numbers.
    """

    position: int
    sizes: tuple[int, ...]
    auc: float
    mix: str

    @property
    def shift(self) -> float:
        """Mean of the score for a class in the class."""
        return float(np.sqrt(2) * ndtri(self.auc))

    def pair(self, i: int, j: int, sd: float = 1.0) -> float:
        """Return the true A(i|j) of scores with a standard deviation."""
        confused = j == (i + 1) % len(self.sizes)
        gap = self.shift * (0.5 if confused else 1.0)
        return float(ndtr(gap / (np.sqrt(2) * sd)))

    def truth(self, method: MulticlassMethod, row: str, sd: float = 1.0) -> float:
        """Return the true area of a row."""
        classes = range(len(self.sizes))
        if method == "ovo-macro":
            pairs = [
                (self.pair(i, j, sd) + self.pair(j, i, sd)) / 2 for i, j in combinations(classes, 2)
            ]
            return pairs[0] if row == "first" else float(np.mean(pairs))
        share = np.array(self.sizes) / sum(self.sizes)
        against = [
            sum(share[j] * self.pair(c, j, sd) for j in classes if j != c) / (1 - share[c])
            for c in classes
        ]
        return float(against[0] if row == "first" else np.dot(share, against))

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
        """Return the classes and the scores (classifiers x classes x cases) of one data set."""
        n, n_classes = sum(self.sizes), len(self.sizes)
        codes = np.repeat(np.arange(n_classes), self.sizes)
        if self.mix == "drawn":
            share = np.array(self.sizes) / n
            codes = rng.choice(n_classes, size=n, p=share)
            while len(np.unique(codes)) < n_classes:
                codes = rng.choice(n_classes, size=n, p=share)
        own = np.arange(n_classes)[:, np.newaxis]
        means = self.shift * ((codes == own) + 0.5 * (codes == (own + 1) % n_classes))
        score = means + rng.standard_normal((n_classes, n))
        noise = NOISE * rng.standard_normal((n_classes, n))
        return codes, np.stack([score, score + noise])


NOISE = 0.75
SIZES = ((20, 20, 20), (50, 50, 50), (10, 20, 70), (15, 15, 15, 15, 15))
CLASS_CELLS = tuple(
    ClassCell(position, sizes, auc, mix)
    for position, (sizes, auc, mix) in enumerate(
        (sizes, auc, mix)
        for sizes in SIZES
        for auc in (0.75, 0.9, 0.97)
        for mix in ("fixed", "drawn")
    )
)


def sample_of(codes: IntArray, scores: FloatArray) -> MulticlassSample:
    """Return the sample of one data set."""
    names = [str(k) for k in range(scores.shape[1])]
    tables = {
        name: dict(zip(names, table, strict=True)) for name, table in zip("ab", scores, strict=True)
    }
    return MulticlassSample(codes, tables)


def limits_of(sample: MulticlassSample, number: int, *, resampled: bool) -> dict[Any, Any]:
    """Return the limits of one data set, its number their seed, by summary, row and method."""
    found: dict[Any, Any] = {}
    for method in METHODS:
        results = list(class_results(sample.cases, method))
        rows = {"first": 0, "all": len(results) - 1}
        if resampled:
            plan = plan_resamples(
                sample.cases, N_RESAMPLES, None, number, False, apart=method == "ovo-macro"
            )
            draws = draw_class_areas(sample.cases, method, plan.at(0)).values
        for row, place in rows.items():
            area = results[place].of(0)
            names: tuple[Interval, ...] = ("percentile",) if resampled else CLOSED
            for interval in names:
                drawn = percentile_method(draws[place, 0]) if resampled else None
                found[method, row, interval] = inferred(area, interval, drawn)
        asked = read_hypothesis("difference", None, "two-sided", 0.0, LEVEL)
        weights, last = np.array([1.0, -1.0]), results[-1]
        between = infer_contrast(
            weights,
            [last.of(0), last.of(1)],
            last.covariance,
            np.inf,
            asked,
            identical=False,
            draws=weights @ draws[-1] if resampled else None,
        )
        name = "percentile" if resampled else "wald"
        found[method, "difference", name] = (between.ci_low, between.ci_high)
    return found


def run_class_cell(
    cell: ClassCell, replicates: int, seed: int, *, resampled: bool = False
) -> list[dict[str, Any]]:
    """Return a row per summary, row and method, whose random numbers hang on cell and seed only."""
    rng = stream(seed, cell.position)
    drawn = collect(
        limits_of(sample_of(*cell.draw(rng)), number, resampled=resampled)
        for number in range(replicates)
    )
    rows = []
    for (method, row, interval), limits in drawn.items():
        truth = cell.truth(method, "all" if row == "difference" else row)
        if row == "difference":
            truth -= cell.truth(method, "all", float(np.sqrt(1 + NOISE**2)))
        else:
            require_honest(limits)
        rows.append(
            {
                "sizes": "/".join(map(str, cell.sizes)),
                **columns_of(cell, "auc mix"),
                "summary": method,
                "row": row,
                "method": interval,
                "truth": round(truth, 10),
                "replicates": replicates,
                "n_resamples": N_RESAMPLES if resampled else 0,
                **tally(limits, truth),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of intervals of areas of several classes, and of differences of two.",
    # Resampled limits are those of the first sizes.
    cells=[
        Variant(cell, {"resampled": resampled})
        for cell in CLASS_CELLS
        for resampled in ((False, True) if cell.position < 6 else (False,))
    ],
    rows=run_class_cell,
    replicates=lambda cell: 200 if cell.arguments["resampled"] else 1000,
    seed=SEED,
    ends=("seed",),
)
read_classes = SIMULATION.read
