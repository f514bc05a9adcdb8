"""Size and coverage of the available-case comparison: ``python -m validation.size.available``.

Each replicate is one study of two predictors whose scores are missing completely at random, asked
through the package's own code.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE
from rocstats.inference.comparison.rows import compare_families, infer_row, plan_rows
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.plan import ComparisonPlan, DifferenceInterval
from validation.bounds import too_high, too_low
from validation.size.differences import DifferenceCell

TABLE = Path(__file__).with_name("available.csv")
SEED = 19960815
LEVEL = 0.95
MARGIN = 0.1
CORRELATION = 0.5
# The policy of the study, and the interval; "omit" shows what whole rows cost.
METHODS: dict[str, tuple[str, DifferenceInterval]] = {
    "t": ("available", "t"),
    "wald": ("available", "wald"),
    "mover": ("available", "mover"),
    "omit-t": ("omit", "t"),
}
Matrix = npt.NDArray[np.float64]


class AvailableCell(NamedTuple):
    """Half of ``n`` cases are positive; a score is missing with the chance ``missing``."""

    set: str
    n: int
    missing: float
    auc_1: float
    auc_2: float


def _cells() -> tuple[AvailableCell, ...]:
    areas = {"size": (0.8, 0.8), "high": (0.95, 0.95), "margin": (0.75, 0.75 + MARGIN)}
    return tuple(
        AvailableCell(name, n, missing, *pair)
        for name, pair in areas.items()
        for n in (30, 60, 200)
        for missing in (0.2, 0.4)
    )


CELLS = _cells()


def draw(cell: AvailableCell, rng: np.random.Generator, replicates: int) -> Matrix:
    """Return replicates x 2 x cases scores, NaN where missing, the positives first."""
    half = cell.n // 2
    drawn = DifferenceCell(0, cell.set, half, half, (cell.auc_1, cell.auc_2), CORRELATION)
    scores = drawn.draw(rng, replicates)
    gone = rng.random(scores.shape) < cell.missing
    # A study needs a case of each class that has both scores, under "omit" at the least.
    known = ~gone.any(axis=1).reshape(replicates, 2, half)
    for i in np.flatnonzero(~known.any(axis=2).all(axis=1)):
        while not (~gone[i].any(axis=0)).reshape(2, half).any(axis=1).all():
            gone[i] = rng.random(gone[i].shape) < cell.missing
    return np.where(gone, np.nan, scores)


def answers(cell: AvailableCell, scores: Matrix) -> list[tuple[float, float, float]]:
    """Return the p value and the limits of one study by each method."""
    y = np.repeat([True, False], cell.n // 2)
    hypothesis, margin = ("non-inferiority", MARGIN) if cell.set == "margin" else (None, None)
    asked = read_hypothesis(hypothesis or "difference", margin, "two-sided", 0.0, LEVEL)  # type: ignore[arg-type]
    found = []
    for policy, interval in METHODS.values():
        sample = Sample(y, dict(zip("ab", scores, strict=True)), nan_policy=policy)  # type: ignore[arg-type]
        choice = ComparisonPlan("delong", interval, "pearson", False, FULL_RANGE, None)
        (row,) = plan_rows(sample, "predictors", None, None)
        compared = compare_families(sample, choice, [row], "predictors", "none")
        result = infer_row(compared, row, asked)
        if result is None:
            raise ArithmeticError("a simulated study must have an answer")
        found.append((result.p_value, result.ci_low, result.ci_high))
    return found


def run_cell(cell: AvailableCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(CELLS.index(cell),)))
    found = np.array([answers(cell, scores) for scores in draw(cell, rng, replicates)])
    alpha = (1 - LEVEL) / 2 if cell.set == "margin" else 1 - LEVEL
    truth = cell.auc_1 - cell.auc_2
    rows = []
    for name, (p, low, high) in zip(METHODS, found.transpose(1, 2, 0), strict=True):
        # Predictors that rank all cases alike have p = 1 and no limits.
        known = ~np.isnan(low)
        covered = (low[known] <= truth + 1e-12) & (truth - 1e-12 <= high[known])
        rows.append(
            {
                **cell._asdict(),
                "method": name,
                "replicates": replicates,
                "alpha": round(alpha, 6),
                "rejected": float(np.mean(p <= alpha + 1e-12)),
                "coverage": round(float(np.mean(covered)), 6),
                "mean_width": round(float(np.mean(high[known] - low[known])), 6),
                "identical": int(np.count_nonzero(~known)),
                "seed": seed,
            }
        )
    return rows


def falls_short(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return whether a test rejects too often, or an interval covers too seldom."""
    replicates = rows["replicates"]
    return too_high(rows["rejected"], rows["alpha"], replicates) | too_low(
        rows["coverage"], LEVEL, replicates
    )


def run(
    cells: Iterable[AvailableCell] = CELLS, *, replicates: int, seed: int = SEED
) -> pd.DataFrame:
    """Return the simulation of some cells, a row per cell and method."""
    with ProcessPoolExecutor() as pool:
        done = [pool.submit(run_cell, cell, replicates, seed) for cell in cells]
        return pd.DataFrame([row for cell in done for row in cell.result()])


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.size.available", description=__doc__
    )
    parser.add_argument("--replicates", type=int, default=4000, help="data sets per cell")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each cell has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    rows = run(replicates=asked.replicates, seed=asked.seed)
    rows = rows.assign(shortfall=falls_short(rows))
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    print(rows.drop(columns="seed").to_string(index=False))


if __name__ == "__main__":
    main()
