"""Size of paired tests, also at a margin, by the interval.

All replicates of a cell are answered at once, by arrays; replicates at which a boundary rule of the
package applies are answered by the package. Tests ask the package for the same replicates.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri, stdtrit

from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.contrasts import contrast_variance, infer_contrast
from rocstats.estimate.intervals import Area
from validation.bounds import too_high
from validation.simulation import Bound, Simulation, share_error, stream

TABLE = Path(__file__).with_name("margins.csv")
SEED = 20080131
LEVEL = 0.95
METHODS = ("t", "wald", "mover")
SIZES = ((20, 20), (30, 30), (50, 50), (10, 50), (10, 200), (200, 10), (15, 150), (30, 300))
EQUAL = [("size", (auc, auc)) for auc in (0.75, 0.85, 0.95)]
WORSE = [
    ("non-inferiority", aucs)
    for aucs in ((0.7, 0.75), (0.75, 0.85), (0.8, 0.85), (0.85, 0.95), (0.9, 0.95))
]
BETTER = [("superiority", aucs) for aucs in ((0.85, 0.75), (0.95, 0.85), (0.95, 0.9))]
# More class sizes: where the note of unequal ones begins.
UNBALANCED = (
    *((10, 20), (20, 10), (20, 40), (40, 20), (15, 60), (60, 15), (30, 120), (120, 30)),
    *((300, 30), (50, 250), (250, 50), (50, 500), (500, 50), (100, 1000)),
)
_BLOCK = 250  # replicates at a time: 250 x 9000 pairs are 2 MB
Matrix = npt.NDArray[np.float64]
_DIFFERENCE = np.array([1.0, -1.0])


class MarginCell(NamedTuple):
    """Two predictors of equal spread on the same cases, with the true difference at the null value.

    ``n_pos`` and ``n_neg`` are cases; with ``cluster_size`` above 1 so many of a class are one
    cluster and share half of their variance. ``margin`` 0 is the two-sided test at .05; else the
    test that the difference exceeds ``auc_1 - auc_2`` at .025.
    """

    position: int
    set: str
    n_pos: int
    n_neg: int
    auc_1: float
    auc_2: float
    correlation: float
    margin: float
    cluster_size: int = 1

    @property
    def truth(self) -> float:
        """True difference, which is the null value."""
        return round(self.auc_1 - self.auc_2, 10)

    @property
    def alpha(self) -> float:
        """Level of the test."""
        return (1 - LEVEL) / (2 if self.margin else 1)

    def draw(self, rng: np.random.Generator, replicates: int) -> tuple[Matrix, Matrix]:
        """Return scores of positives and of negatives, replicates x 2 x cases."""
        pos, neg = (self._normal(rng, replicates, n) for n in (self.n_pos, self.n_neg))
        shift = np.sqrt(2) * ndtri([self.auc_1, self.auc_2])
        return pos + shift[:, np.newaxis], neg

    def _normal(self, rng: np.random.Generator, replicates: int, n: int) -> Matrix:
        normal = rng.standard_normal((replicates, 3, n))
        if self.cluster_size > 1:
            shared = rng.standard_normal((replicates, 3, n // self.cluster_size))
            normal = np.sqrt(0.5) * (normal + shared.repeat(self.cluster_size, axis=2))
        r = self.correlation
        return np.asarray(np.sqrt(r) * normal[:, :1] + np.sqrt(1 - r) * normal[:, 1:])


def _cells() -> tuple[MarginCell, ...]:
    """Return sizes of equal areas, non-inferiority, superiority, clusters and more class sizes."""
    cells: list[MarginCell] = []

    def add(what: str, n: tuple[int, int], aucs: tuple[float, float], r: float, c: int = 1) -> None:
        margin = round(abs(aucs[0] - aucs[1]), 10)
        cells.append(MarginCell(len(cells), what, *n, *aucs, r, margin, c))

    for n in SIZES:
        for what, aucs in (*EQUAL, *WORSE, *BETTER):
            add(what, n, aucs, 0.5)
    for n, r in product(((20, 20), (10, 200), (30, 300)), (0.0, 0.8)):
        for what, aucs in (EQUAL[1], WORSE[1], WORSE[4]):
            add(what, n, aucs, r)
    for n in ((20, 200), (40, 40), (40, 400)):
        add("clusters", n, (0.85, 0.85), 0.5, 2)
        add("clusters", n, (0.75, 0.85), 0.5, 2)
    for n in UNBALANCED:
        for what, aucs in (EQUAL[1], WORSE[1], WORSE[3], WORSE[4]):
            add(what, n, aucs, 0.5)
    return tuple(cells)


CELLS = _cells()


class Parts(NamedTuple):
    """Areas (replicates x 2), covariances over each class (replicates x class x 2 x 2), and df."""

    area: Matrix
    parts: Matrix
    df: Matrix

    @property
    def covariance(self) -> Matrix:
        """Covariance of the areas, replicates x 2 x 2."""
        return np.asarray(self.parts.sum(axis=1))


def parts_of(cell: MarginCell, pos: Matrix, neg: Matrix) -> Parts:
    """Return DeLong's areas and covariances by class; of cluster sums where there are clusters."""
    blocks = [slice(i, i + _BLOCK) for i in range(0, len(pos), _BLOCK)]
    placed = [placements(pos[block], neg[block]) for block in blocks]
    v10, v01 = (np.concatenate(side) for side in zip(*placed, strict=True))
    size = cell.cluster_size
    # Clusters of one size: the variance of a mean is that of the mean of cluster means.
    means = [v.reshape(*v.shape[:2], -1, size).mean(axis=3) for v in (v10, v01)]
    centred = [v - v.mean(axis=2, keepdims=True) for v in means]
    n = np.array([v.shape[2] for v in means])
    parts = [
        np.einsum("rki,rli->rkl", c, c) / (k * (k - 1)) for c, k in zip(centred, n, strict=True)
    ]
    return Parts(v10.mean(axis=2), np.stack(parts, axis=1), n - 1.0)


def placements(pos: Matrix, neg: Matrix) -> tuple[Matrix, Matrix]:
    """Return the placements of positives and of negatives, replicates x 2 x cases."""
    above = pos[..., np.newaxis] > neg[:, :, np.newaxis]
    return above.mean(axis=3), above.mean(axis=2)


def limits_of(cell: MarginCell, found: Parts) -> tuple[dict[str, Matrix], int]:
    """Return the limits of each method (replicates x 2), and how many are of a boundary rule."""
    covariance = found.covariance
    d = found.area @ _DIFFERENCE
    variance = np.einsum("i,rij,j->r", _DIFFERENCE, covariance, _DIFFERENCE)
    own_variance = np.diagonal(covariance, axis1=1, axis2=2)
    ruled = np.any((found.area == 0) | (found.area == 1), axis=1) | (variance < 1e-13)
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = (1 + LEVEL) / 2
        by_class = np.einsum("i,rcij,j->rc", _DIFFERENCE, found.parts, _DIFFERENCE)
        t = stdtrit(satterthwaite(by_class, found.df), tail)
        half = np.sqrt(variance) * np.stack([t, np.full_like(t, ndtri(tail))])
        of_areas = np.diagonal(found.parts, axis1=2, axis2=3)
        own_t = stdtrit(
            np.stack([satterthwaite(of_areas[..., k], found.df) for k in (0, 1)], axis=1), tail
        )
        step = own_t * np.sqrt(own_variance) / (found.area * (1 - found.area))
        down, up = (np.abs(expit(logit(found.area) + s * step) - found.area) for s in (-1, 1))
        r = covariance[:, 0, 1] / np.sqrt(own_variance.prod(axis=1))
    answers = {
        "t": np.stack([d - half[0], d + half[0]], axis=1),
        "wald": np.stack([d - half[1], d + half[1]], axis=1),
        "mover": np.stack(
            [d - reach(down[:, 0], up[:, 1], r), d + reach(up[:, 0], down[:, 1], r)], axis=1
        ),
    }
    for i in np.flatnonzero(ruled).tolist():
        limits = _by_rule(cell, found, i)
        for name in METHODS:
            answers[name][i] = limits
    return {name: np.clip(limits, -1, 1) for name, limits in answers.items()}, int(ruled.sum())


def satterthwaite(parts: Matrix, df: Matrix) -> Matrix:
    """Return the degrees of freedom of sums over the parts, the second axis."""
    return np.asarray(parts.sum(axis=1) ** 2 / (parts**2 / df).sum(axis=1))


def reach(first: Matrix, second: Matrix, r: Matrix) -> Matrix:
    """Return the distances of MOVER from those of both areas and their correlations."""
    return np.asarray(np.sqrt(np.maximum(first**2 - 2 * r * first * second + second**2, 0)))


def _by_rule(cell: MarginCell, found: Parts, i: int) -> tuple[float, float]:
    """Return the limits of one replicate as the package rules where no variance is of use."""
    covariance, area = found.covariance[i], found.area[i]
    m, n = found.df + 1
    areas = [
        Area(float(a), float(covariance[k, k]), np.inf, m, n, min(m, n)) for k, a in enumerate(area)
    ]
    none = contrast_variance(_DIFFERENCE, covariance) == 0
    alike = bool(none and area[0] == area[1] and 0 < area[0] < 1)
    asked = read_hypothesis("difference", None, "two-sided", cell.truth, LEVEL)
    result = infer_contrast(_DIFFERENCE, areas, covariance, np.inf, asked, identical=alike)
    return result.ci_low, result.ci_high


def run_cell(cell: MarginCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, cell.position)
    found = parts_of(cell, *cell.draw(rng, replicates))
    answers, n_ruled = limits_of(cell, found)
    rows = []
    for name in METHODS:
        low, high = answers[name].T
        above, below = low > cell.truth, high < cell.truth
        rejected = float(np.mean(above if cell.margin else above | below))
        rows.append(
            {
                **dict(zip(KEY, cell[1:], strict=True)),
                "method": name,
                "replicates": replicates,
                "alpha": round(cell.alpha, 10),
                "rejected": rejected,
                "rejected_se": share_error(rejected, replicates),
                "above": float(np.mean(above)),
                "below": float(np.mean(below)),
                "mean_width": round(float(np.nanmean(high - low)), 6),
                "boundary": n_ruled,
            }
        )
    return rows


KEY = MarginCell._fields[1:]


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of paired tests by interval, also at a margin.",
    cells=CELLS,
    rows=run_cell,
    replicates=10_000,
    seed=SEED,
    bounds=(Bound("rejected", too_high, "alpha"),),
    ends=("shortfall", "seed"),
)
