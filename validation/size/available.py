"""Size and coverage of the available-case comparison.

All replicates of a cell are answered by array code; those of a boundary rule by the package.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special as sp

import rocstats as rs
from validation.bounds import too_high, too_low
from validation.simulation import Bound, Simulation, stream
from validation.size.differences import DifferenceCell

TABLE = Path(__file__).with_name("available.csv")
SEED = 19960815
LEVEL = 0.95
MARGIN = 0.1
CORRELATION = 0.5
# The policy of the study, and the interval; "omit-t" shows what whole rows cost.
METHODS = {
    "t": ("available", "t"),
    "wald": ("available", "wald"),
    "mover": ("available", "mover"),
    "omit-t": ("omit", "t"),
}
_AT_ONCE = 100  # replicates whose pairs of 100 and 100 cases fit into some megabytes
Matrix = npt.NDArray[np.float64]


class AvailableCell(NamedTuple):
    """Half of ``n`` cases are positive; a score is missing with the chance ``missing``."""

    set: str
    n: int
    missing: float
    auc_1: float
    auc_2: float

    @property
    def is_positive(self) -> npt.NDArray[np.bool_]:
        """Class of each case, the positives first."""
        return np.repeat([True, False], self.n // 2)


_AREAS = {"size": (0.8, 0.8), "high": (0.95, 0.95), "margin": (0.75, 0.75 + MARGIN)}
CELLS = tuple(
    AvailableCell(name, n, missing, *pair)
    for name, pair in _AREAS.items()
    for n in (30, 60, 200)
    for missing in (0.2, 0.4)
)


def draw(cell: AvailableCell, rng: np.random.Generator, replicates: int) -> Matrix:
    """Return replicates x 2 x cases scores, NaN where missing, the positives first."""
    half = cell.n // 2
    drawn = DifferenceCell(0, cell.set, half, half, (cell.auc_1, cell.auc_2), CORRELATION)
    scores = drawn.draw(rng, replicates)
    gone = rng.random(scores.shape) < cell.missing
    for each in gone:
        # A study needs a case of each class, under "omit" one that has both scores.
        while each.any(axis=0).reshape(2, half).all(axis=1).any():
            each[:] = rng.random(each.shape) < cell.missing
    return np.where(gone, np.nan, scores)


class _Areas(NamedTuple):
    """Areas (R x 2), influence of cases by class (2 x R x 2 x cases), known scores, their df."""

    area: Matrix
    influence: Matrix
    known: npt.NDArray[np.bool_]
    variance: Matrix
    df: Matrix


def _areas(scores: Matrix) -> _Areas:
    """Return the areas of each predictor in its own cases, by the definition of placements."""
    half = scores.shape[2] // 2
    pos, neg = scores[..., :half], scores[..., half:]
    known = ~np.isnan(np.stack([pos, neg]))
    m, n = known.sum(axis=3)
    # Continuous scores do not tie; a comparison with NaN is false.
    right = pos[..., :, np.newaxis] > neg[..., np.newaxis, :]
    v10, v01 = right.sum(axis=3) / n[..., np.newaxis], right.sum(axis=2) / m[..., np.newaxis]
    area = right.sum(axis=(2, 3)) / (m * n)
    parts = []
    for place, of_class, size in ((v10, known[0], m), (v01, known[1], n)):
        deviation = np.where(of_class, place - area[..., np.newaxis], 0.0)
        parts.append(deviation / np.sqrt(size * (size - 1.0))[..., np.newaxis])
    influence = np.array(parts)
    by_class = (influence**2).sum(axis=3)
    variance = by_class.sum(axis=0)
    df = variance**2 / (by_class[0] ** 2 / (m - 1) + by_class[1] ** 2 / (n - 1))
    return _Areas(area, influence, known, variance, df)


def _df_of_difference(found: _Areas) -> Matrix:
    """Return Satterthwaite's df: in each class cases with both scores, or with one of them."""
    squares = (found.influence[:, :, 0] - found.influence[:, :, 1]) ** 2
    first, second = found.known[:, :, 0], found.known[:, :, 1]
    below = np.zeros(squares.shape[1])
    for of_sample in (first & second, first & ~second, second & ~first):
        part = (squares * of_sample).sum(axis=2)
        df = np.maximum(of_sample.sum(axis=2) - 1.0, 1.0)
        below += (part**2 / df).sum(axis=0)
    return np.asarray(squares.sum(axis=(0, 2)) ** 2 / below)


def array_limits(scores: Matrix) -> dict[str, tuple[Matrix, Matrix]]:
    """Return the limits of the differences of many studies by interval; NaN at the boundary."""
    with np.errstate(all="ignore"):
        found = _areas(scores)
        difference = found.area[:, 0] - found.area[:, 1]
        gaps = found.influence[:, :, 0] - found.influence[:, :, 1]
        se = np.sqrt((gaps**2).sum(axis=(0, 2)))
        z = sp.ndtri((1 + LEVEL) / 2)
        t = sp.stdtrit(_df_of_difference(found), (1 + LEVEL) / 2)
        spread = np.sqrt(found.variance) / (found.area * (1 - found.area))
        reach = sp.stdtrit(found.df, (1 + LEVEL) / 2) * spread
        own_low, own_high = (sp.expit(sp.logit(found.area) + sign * reach) for sign in (-1, 1))
        below, above = found.area - own_low, own_high - found.area
        covariance = (found.influence[:, :, 0] * found.influence[:, :, 1]).sum(axis=(0, 2))
        r = covariance / np.sqrt(found.variance.prod(axis=1))

        def reached(x: Matrix, y: Matrix) -> Matrix:
            return np.asarray(np.sqrt(np.maximum(x**2 - 2 * r * x * y + y**2, 0.0)))

        limits = {
            "t": (difference - t * se, difference + t * se),
            "wald": (difference - z * se, difference + z * se),
            "mover": (
                difference - reached(below[:, 0], above[:, 1]),
                difference + reached(above[:, 0], below[:, 1]),
            ),
        }
        plain = ((found.area > 0) & (found.area < 1)).all(axis=1) & np.isfinite(se) & (se > 1e-12)
    return {
        name: (
            np.where(plain, np.maximum(low, -1.0), np.nan),
            np.where(plain, np.minimum(high, 1.0), np.nan),
        )
        for name, (low, high) in limits.items()
    }


def package_limits(cell: AvailableCell, scores: Matrix, method: str) -> tuple[float, float]:
    """Return the limits of one study as the package has them."""
    policy, interval = METHODS[method]
    named = dict(zip("ab", scores, strict=True))
    study = rs.Study(cell.is_positive, named, nan_policy=policy)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        row = study.compare_auc(interval=interval).iloc[0]  # type: ignore[arg-type]
    return float(row["ci_low"]), float(row["ci_high"])


def limits_of(cell: AvailableCell, scores: Matrix, method: str) -> tuple[Matrix, Matrix, int]:
    """Return the limits of all studies, and the number that a boundary rule of the package made."""
    policy, interval = METHODS[method]
    if policy == "omit":
        gone = np.isnan(scores).any(axis=1, keepdims=True)
        scores = np.where(gone, np.nan, scores)
    chunks = [
        array_limits(scores[i : i + _AT_ONCE])[interval] for i in range(0, len(scores), _AT_ONCE)
    ]
    low, high = (np.concatenate(ends) for ends in zip(*chunks, strict=True))
    edge = np.flatnonzero(np.isnan(low))
    for i in edge:
        low[i], high[i] = package_limits(cell, scores[i], method)
    return low, high, len(edge)


def run_cell(cell: AvailableCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per method; the random numbers depend on nothing but the cell and the seed."""
    rng = stream(seed, CELLS.index(cell))
    scores, truth = draw(cell, rng, replicates), cell.auc_1 - cell.auc_2
    one_sided = cell.set == "margin"
    rows = []
    for method in METHODS:
        low, high, edge = limits_of(cell, scores, method)
        # Predictors that rank all cases alike have no limits, and reject nothing.
        above, below = low > truth + 1e-12, high < truth - 1e-12
        known = ~np.isnan(low)
        rows.append(
            {
                **cell._asdict(),
                "method": method,
                "replicates": replicates,
                "alpha": round((1 - LEVEL) / (2 if one_sided else 1), 6),
                # A margin is tested by the lower limit alone.
                "rejected": float(np.mean(above if one_sided else above | below)),
                "coverage": round(float(np.mean(~(above | below)[known])), 6),
                "mean_width": round(float(np.mean((high - low)[known])), 6),
                "boundary": edge,
                "identical": int(np.count_nonzero(~known)),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Size and coverage of comparisons of predictors that do not share all cases.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(Bound("rejected", too_high, "alpha"), Bound("coverage", too_low, LEVEL)),
    ends=("seed", "shortfall"),
)
