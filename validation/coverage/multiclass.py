"""Coverage of the intervals of several classes, and of differences of two classifiers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from rocstats.estimate.areas import AreaTest, infer_area
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.classes import MULTICLASS_METHODS, MulticlassMethod, class_results
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.intervals import percentile_method
from rocstats.estimate.resample import plan_resamples
from rocstats.estimate.resample_areas import draw_class_areas
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.multiclass import MulticlassSample
from validation.coverage.heldout import tally
from validation.coverage.simulate import require_honest

TABLE = Path(__file__).with_name("multiclass.csv")
SEED = 20010704
LEVEL = 0.95
N_RESAMPLES = 500
CLOSED = ("logit", "wald", "logit-t")
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
        if method == "hand-till":
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
    for method in MULTICLASS_METHODS:
        results = list(class_results(sample.cases, method))
        rows = {"first": 0, "all": len(results) - 1}
        if resampled:
            plan = plan_resamples(
                sample.cases, N_RESAMPLES, None, number, False, apart=method == "hand-till"
            )
            draws = draw_class_areas(sample.cases, method, plan.at(0)).values
        for row, place in rows.items():
            area = results[place].of(0)
            names = ("percentile",) if resampled else CLOSED
            for interval in names:
                drawn = percentile_method(draws[place, 0]) if resampled else None
                inferred = infer_area(
                    area,
                    interval,  # type: ignore[arg-type]
                    AreaTest(LEVEL, "two-sided", np.nan),
                    drawn,
                )
                found[method, row, interval] = (inferred.ci_low, inferred.ci_high)
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
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
    drawn = [
        limits_of(sample_of(*cell.draw(rng)), number, resampled=resampled)
        for number in range(replicates)
    ]
    rows = []
    for method, row, interval in drawn[0]:
        limits = np.array([one[method, row, interval] for one in drawn])
        truth = cell.truth(method, "all" if row == "difference" else row)
        if row == "difference":
            truth -= cell.truth(method, "all", float(np.sqrt(1 + NOISE**2)))
        else:
            require_honest(limits)
        rows.append(
            {
                "sizes": "/".join(map(str, cell.sizes)),
                "auc": cell.auc,
                "mix": cell.mix,
                "summary": method,
                "row": row,
                "method": interval,
                "truth": round(truth, 10),
                "replicates": replicates,
                "n_resamples": N_RESAMPLES if resampled else 0,
                **tally(limits, truth),
                "seed": seed,
            }
        )
    return rows


def run_classes(
    cells: Iterable[ClassCell] = CLASS_CELLS,
    *,
    replicates: int,
    resampled_replicates: int,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return the coverage in some cells; resampled limits in the first six only."""
    rows = []
    for cell in cells:
        rows += run_class_cell(cell, replicates, seed)
        if cell.position < 6 and resampled_replicates:
            rows += run_class_cell(cell, resampled_replicates, seed, resampled=True)
    return pd.DataFrame(rows)


def read_classes() -> pd.DataFrame:
    """Return the committed simulation."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.multiclass", description=__doc__
    )
    parser.add_argument("--replicates", type=int, default=4000, help="data sets per cell")
    parser.add_argument("--resampled-replicates", type=int, default=1000, help="for percentile")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run_classes(
        replicates=asked.replicates,
        resampled_replicates=asked.resampled_replicates,
        seed=asked.seed,
    )
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.groupby(["summary", "row", "method"], sort=False)["coverage"].describe().round(3))


if __name__ == "__main__":
    main()
