"""Coverage and size of accuracies of two systems on the same items, right or wrong, or graded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri

from rocstats.estimate.claim import read_hypothesis
from rocstats.facts.arrays import Factor, FloatArray, IntArray
from rocstats.inference.items import (
    difference_of_items,
    items_as_cases,
    mean_score,
    mean_score_with_limits,
)
from rocstats.study.items import ItemSample
from validation.bounds import too_high, too_low
from validation.simulation import (
    Bound,
    Simulation,
    collect,
    columns_of,
    misses,
    share_error,
    stream,
)

TABLE = Path(__file__).with_name("items.csv")
SEED = 20261128


@dataclass(frozen=True)
class ItemCell:
    """Items and two systems, of which the second is less accurate by ``gap``.

    Items differ in difficulty: latent normal variables of both systems have the correlation
    ``rho``. A score is whether the variable is below a cut, or a quantile of the beta distribution
    with parameters that sum to 2. Of ``clusters`` (0: none) each has 1 item or more, the others by
    shares from a Dirichlet distribution with parameter 0.7; half of the variance of the difficulty
    is that of the cluster.
    """

    position: int
    graded: bool
    n: int
    clusters: int
    accuracy: float
    rho: float
    gap: float = 0.0

    def draw(self, rng: np.random.Generator) -> tuple[FloatArray, IntArray | None]:
        """Return the scores of both systems, and the cluster of each item."""
        cluster, difficulty = None, rng.standard_normal(self.n)
        if self.clusters:
            share = rng.dirichlet(np.full(self.clusters, 0.7))
            sizes = 1 + rng.multinomial(self.n - self.clusters, share)
            cluster = np.repeat(np.arange(self.clusters), sizes)
            shared = rng.standard_normal(self.clusters)[cluster]
            difficulty = np.sqrt(0.5) * shared + np.sqrt(0.5) * difficulty
        noise = rng.standard_normal((2, self.n))
        latent = np.sqrt(self.rho) * difficulty + np.sqrt(1 - self.rho) * noise
        mean = np.array([[self.accuracy], [self.accuracy - self.gap]])
        if self.graded:
            grades = betaincinv(2 * mean, 2 * (1 - mean), ndtr(-latent))
            return grades.astype(np.float64), cluster
        return (latent < ndtri(mean)).astype(np.float64), cluster


# Of single items that are right or wrong, where systems agree in most: others are in points.csv.
RIGHT: list[tuple[Any, ...]] = [*product((False,), (30, 100, 500), (0,), (0.9, 0.98), (0.95,))]
GRADED: list[tuple[Any, ...]] = [
    *product((True,), (30, 100, 500), (0,), (0.5, 0.9, 0.98), (0.5, 0.95))
]
CLUSTERED: list[tuple[Any, ...]] = [
    (graded, n, clusters, accuracy, rho)
    for graded, (n, clusters), accuracy, rho in product(
        (False, True), ((60, 20), (150, 30), (400, 60)), (0.5, 0.9), (0.5, 0.9)
    )
]
APART: list[tuple[Any, ...]] = [
    (graded, 150, clusters, 0.9, 0.5, 0.1) for graded, clusters in product((False, True), (0, 30))
]
CELLS = tuple(
    ItemCell(position, *cell) for position, cell in enumerate([*RIGHT, *GRADED, *CLUSTERED, *APART])
)


PLAN = read_hypothesis("difference", None, "two-sided", 0.0, 0.95)


def item_answers(cell: ItemCell, rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Return the limits of the first system, and limits and p value of the difference.

    They are those of the frames, without the time that frames and checks take.
    """
    scores, cluster = cell.draw(rng)
    study = ItemSample._of(
        {
            "predictors": ("a", "b"),
            "scores": scores,
            "graded": cell.graded,
            "most_samples": 1,
            "cluster": None if cluster is None else Factor(("",) * cell.clusters, cluster),
        }
    )
    value, _ = mean_score_with_limits(study, mean_score(study, items_as_cases(study), 0), 0.95)
    gap = difference_of_items(study, 0, 1, "mid-p", "tango", PLAN)
    return {
        "value": (value.ci_low, value.ci_high, np.nan),
        "difference": (gap.ci_low, gap.ci_high, gap.p_value),
    }


def run_item_cell(cell: ItemCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for the value and one for the difference.

    Samples without limits, in which systems do not differ, have no coverage, and do not reject.
    """
    rng = stream(seed, cell.position)
    drawn = collect(item_answers(cell, rng) for _ in range(replicates))
    rows = []
    for row, answers in drawn.items():
        low, high, _ = answers[~np.isnan(answers[:, 0])].T
        truth = cell.accuracy if row == "value" else cell.gap
        covered = misses(low, high, truth)
        tested = row == "difference" and cell.gap == 0
        rows.append(
            {
                **columns_of(cell, "graded n clusters accuracy rho gap"),
                "row": row,
                "samples": len(low),
                **{key: round(float(value), 6) for key, value in covered.items()},
                "error": share_error(float(covered["coverage"]), len(low)),
                "width": round(float(np.mean(high - low)), 6),
                "rejected": round(float(np.mean(answers[:, 2] < 0.05)), 6) if tested else np.nan,
                "replicates": replicates,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size for two systems on the same items, single or in clusters.",
    cells=CELLS,
    rows=run_item_cell,
    replicates=400,
    seed=SEED,
    # Set before the first run: the rule of docs/methods/simulation.md.
    bounds=(
        Bound("coverage", too_low, 0.95, samples="samples"),
        Bound("rejected", too_high, 0.05, mark="size_shortfall"),
    ),
    ends=("shortfall", "size_shortfall"),
)
read_items = SIMULATION.read
