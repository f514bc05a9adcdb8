"""Coverage of the intervals of an AUC of studies with folds, and of studies with clusters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from rocstats.estimate.areas import Variance, estimate_areas
from rocstats.estimate.intervals import Interval
from rocstats.study.sample import Sample
from validation.coverage.simulate import BoolArray, LimitArray, inferred, require_honest
from validation.simulation import Simulation, stream, tally

CORRELATION = 0.5
IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True)
class RoleCell:
    """One simulated study: negatives are N(0, 1), positives N(shift, 1), in parts of equal make.

    Parts are folds, of independent cases, or clusters, in which any two cases have the correlation
    ``correlation`` given their class. ``apart`` makes two clusters of each: one holds its
    positives, the other its negatives. The true area is that of cases of different parts.
    """

    position: int
    design: str
    n_parts: int
    pos_each: int
    neg_each: int
    auc: float
    correlation: float = 0.0
    apart: bool = False

    @property
    def is_positive(self) -> BoolArray:
        """Class of each case, part after part."""
        each = np.repeat([True, False], [self.pos_each, self.neg_each])
        return np.tile(each, self.n_parts)

    @property
    def parts(self) -> IntArray:
        """Fold or cluster of each case."""
        whole = np.repeat(np.arange(self.n_parts), self.pos_each + self.neg_each)
        return 2 * whole + self.is_positive if self.apart else whole

    def draw(self, rng: np.random.Generator, replicates: int) -> LimitArray:
        """Return a row of scores per replicate; a shorter run is the start of a longer one."""
        parts, is_positive = self.parts, self.is_positive
        n_shared = int(parts.max()) + 1
        normal = rng.standard_normal((replicates, n_shared + len(parts)))
        shared, own = normal[:, :n_shared], normal[:, n_shared:]
        mixed = np.sqrt(self.correlation) * shared[:, parts]
        mixed += np.sqrt(1 - self.correlation) * own
        return np.asarray(mixed + is_positive * np.sqrt(2) * ndtri(self.auc))


FOLD_CELLS = tuple(
    RoleCell(i, f"folds-{pos}-{neg}", n_folds, pos, neg, auc)
    for i, ((n_folds, pos, neg), auc) in enumerate(
        product(((10, 3, 10), (5, 5, 45), (5, 20, 20)), (0.70, 0.90))
    )
)
"""Cross-validation: folds of few positives, of few and many, and of enough."""

CLUSTER_CELLS = tuple(
    RoleCell(100 + i, design, n, pos, neg, auc, CORRELATION, apart)
    for i, ((design, n, pos, neg, apart), auc) in enumerate(
        product(
            (
                ("both-2-3", 15, 2, 3, False),
                ("both-2-3", 30, 2, 3, False),
                ("apart-2-3", 15, 2, 3, True),
                ("apart-2-3", 30, 2, 3, True),
                ("both-2-2", 40, 2, 2, False),
            ),
            (0.80, 0.95),
        )
    )
)
"""Clusters of both classes, or one each: of docs/methods/effective-size.md, and 40 of four."""

FOLD_METHODS: tuple[tuple[Variance, Interval], ...] = (
    ("delong", "logit"),
    ("delong", "wald"),
    ("delong", "logit-t"),
    ("ledell", "wald"),
    ("ledell", "logit"),
)
CLUSTER_INTERVALS: tuple[Interval, ...] = (
    "logit",
    "wald",
    "logit-t",
    "effective-wilson",
)
FOLD_NAMES = tuple(
    f"{'foldwise-' if variance == 'delong' else ''}{variance}/{interval}"
    for variance, interval in FOLD_METHODS
)
CLUSTER_NAMES = (
    *(f"obuchowski/{interval}" for interval in CLUSTER_INTERVALS),
    "clusters-ignored/logit",
)


def fold_limits(cell: RoleCell, scores: LimitArray) -> list[tuple[float, float]]:
    """Return the limits of each method of a cross-validated area."""
    sample = Sample(cell.is_positive, scores, fold=cell.parts)
    areas = {
        word: estimate_areas(sample.cases, [0], word, spread=True).take(0)
        for word, _ in FOLD_METHODS
    }
    return [inferred(areas[variance], interval) for variance, interval in FOLD_METHODS]


def cluster_limits(cell: RoleCell, scores: LimitArray) -> list[tuple[float, float]]:
    """Return the limits of each method of a clustered area, last those that ignore clusters."""
    clustered, plain = (
        estimate_areas(
            Sample(cell.is_positive, scores, cluster=cluster).cases, [0], "delong", spread=True
        ).take(0)
        for cluster in (cell.parts, None)
    )
    found = [inferred(clustered, interval) for interval in CLUSTER_INTERVALS]
    return [*found, inferred(plain, "logit")]


Limits = Callable[[RoleCell, LimitArray], list[tuple[float, float]]]
ROLE_FAMILIES: dict[str, tuple[tuple[RoleCell, ...], tuple[str, ...], Limits]] = {
    "auc_folds": (FOLD_CELLS, FOLD_NAMES, fold_limits),
    "auc_clusters": (CLUSTER_CELLS, CLUSTER_NAMES, cluster_limits),
}
"""Cells, names of methods, and their limits for one data set."""


def run_role_cell(cell: RoleCell, family: str, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    _, names, limits_of_one = ROLE_FAMILIES[family]
    rng = stream(seed, 1, cell.position)
    limits = np.array([limits_of_one(cell, scores) for scores in cell.draw(rng, replicates)])
    require_honest(limits)
    return [
        {
            "design": cell.design,
            "n_parts": cell.n_parts,
            "n_pos": cell.n_parts * cell.pos_each,
            "n_neg": cell.n_parts * cell.neg_each,
            "auc": cell.auc,
            "method": name,
            "replicates": replicates,
            **tally(limits[:, k], cell.auc),
        }
        for k, name in enumerate(names)
    ]


def _simulation(family: str, shows: str) -> Simulation:
    return Simulation(
        table=Path(__file__).with_name(f"{family}.csv"),
        shows=shows,
        cells=ROLE_FAMILIES[family][0],
        rows=partial(run_role_cell, family=family),
        replicates=4000,
        seed=20040316,
        ends=("seed",),
    )


FOLDS = _simulation("auc_folds", "Coverage of intervals of a cross-validated area.")
CLUSTERS = _simulation("auc_clusters", "Coverage of intervals of an area of clustered cases.")
