"""How often tests of two learners of equal merit reject, over repeated cross-validation.

Two learners score cases by the distance from their class means, each on features of its own, which
have the same law: neither is better.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import ttest_rel

import rocstats as rs
from validation.bounds import too_high
from validation.simulation import Bound, Simulation, stream

TABLE = Path(__file__).with_name("learners.csv")
LEVEL = 0.05
N_FEATURES, SHIFT = 4, 0.4
CELLS = ((60, 5, 1), (60, 10, 1), (60, 5, 10), (120, 10, 10))
"""Cases (half of them positive), folds, repeats."""

Matrix = npt.NDArray[np.float64]


def draw(n: int, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Return features of two learners, 2 x n x p, and labels."""
    label = np.repeat([1.0, 0.0], n // 2)
    return rng.standard_normal((2, n, N_FEATURES)) + SHIFT * label[:, np.newaxis], label


def fold_areas(
    features: Matrix, label: Matrix, folds: int, repeats: int, rng: np.random.Generator
) -> Matrix:
    """Return the areas of both learners in every fold, classes spread evenly over folds."""
    half = len(label) // 2
    areas = []
    for _ in range(repeats):
        fold = np.concatenate([rng.permutation(half) % folds for _ in range(2)])
        for k in range(folds):
            test = fold == k
            areas.append([area(x, label, test) for x in features])
    return np.array(areas)


def area(x: Matrix, label: Matrix, test: npt.NDArray[np.bool_]) -> float:
    """Return the area on the test fold of the score along the difference of the class means."""
    means = [x[~test & (label == c)].mean(axis=0) for c in (0, 1)]
    score = x[test] @ (means[1] - means[0])
    pos, neg = score[label[test] == 1], score[label[test] == 0]
    return float((pos[:, np.newaxis] > neg).mean())


def run_cell(cell: tuple[int, int, int], replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the shares of rejections in a cell."""
    n, folds, repeats = cell
    rng = stream(seed, CELLS.index(cell))
    rejected = np.zeros(2)
    for _ in range(replicates):
        areas = fold_areas(*draw(n, rng), folds, repeats, rng)
        p = rs.compare_learners(areas, n_train=folds - 1, n_test=1)["p_value"][0]
        rejected += [p <= LEVEL, ttest_rel(*areas.T).pvalue <= LEVEL]
    size = rejected / replicates
    return [
        {
            "n": n,
            "folds": folds,
            "repeats": repeats,
            "test": test,
            "size": share,
            "se": np.sqrt(share * (1 - share) / replicates),
            "replicates": replicates,
        }
        for test, share in zip(("corrected", "plain t"), size, strict=True)
    ]


SIMULATION = Simulation(
    table=TABLE,
    shows="How often tests of two equal learners reject, over repeated cross-validation.",
    cells=CELLS,
    rows=run_cell,
    replicates=2000,
    seed=20040316,
    bounds=(Bound("size", too_high, LEVEL),),
    ends=("seed", "shortfall"),
)
