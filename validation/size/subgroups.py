"""Simulated size of the test of interaction of ``Study.subgroups``: Welch's test on its scale.

Levels are alike: binormal areas (logit scale), differences of two correlated markers, sensitivities
(logit scale), measures of both rates and differences of two sensitivities at a threshold; 2 to 10
levels of equal and unequal classes, with ties, with unequal spread, and of different sizes. Samples
in which a level has no standard error have no test, and are counted. The rule of shortfalls was
fixed before the run: docs/methods/simulation.md, "Shortfalls". ``cochran`` is the size of Cochran's
Q of the same estimates and variances.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from rocstats.estimate.measure_limits import half_added_measure_se
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import cells_at, equal_on_scale, measure, scale_of
from validation.bounds import too_high
from validation.simulation import Bound, Simulation, stream

TABLE = Path(__file__).with_name("subgroups.csv")
SEED, ALPHA = 20040316, 0.05
# Of four levels of one variable, with classes from 11 to 200 cases.
MIXED_POS, MIXED_NEG = (11, 37, 150, 23), (110, 61, 41, 200)
# Where continuous scores of negatives, N(0, 1), and positives become five points.
POINTS = (-0.3, 0.4, 1.0, 1.7)
FALSE_POSITIVE_RATE, AGREEMENT = 0.1, 0.5


class Cell(NamedTuple):
    """A setting; ``n_pos`` and ``n_neg`` of 0 are those of the mixed levels."""

    quantity: str
    levels: int
    n_pos: int
    n_neg: int
    value: float
    scores: str = "continuous"

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Positives and negatives of each level."""
        if not self.n_pos:
            return list(zip(MIXED_POS, MIXED_NEG, strict=True))
        return [(self.n_pos, self.n_neg)] * self.levels


EQUAL = tuple(
    Cell(quantity, levels, n, n, value)
    for quantity, levels, n, value in itertools.product(
        ("auc", "auc difference", "tpr"), (2, 4), (10, 30, 100), (0.7, 0.9)
    )
)
UNEQUAL = (
    *(Cell("auc", 6, 20, 200, value) for value in (0.7, 0.8, 0.9)),
    *(Cell("auc", *cell) for cell in ((2, 20, 200, 0.9), (6, 200, 20, 0.8), (10, 10, 100, 0.7))),
    *(Cell("auc", *cell) for cell in ((10, 10, 100, 0.9), (10, 100, 8, 0.8), (3, 13, 47, 0.8))),
    Cell("auc", 4, 0, 0, 0.85),
    *(Cell("auc", 6, 20, 200, 0.8, scores) for scores in ("five-point", "sd-ratio-2")),
    Cell("auc", 6, 12, 120, 0.9, "five-point"),
    *(Cell("auc difference", 6, 20, 200, value) for value in (0.8, 0.9)),
    Cell("auc difference", 10, 10, 100, 0.8),
    *(Cell("tpr", levels, n, 0, 0.7) for levels, n in ((6, 20), (10, 13))),
    *(Cell("youden", 6, 20, 200, tpr) for tpr in (0.6, 0.8, 0.9)),
    *(Cell("youden", *cell) for cell in ((2, 20, 200, 0.8), (6, 200, 20, 0.9), (10, 13, 101, 0.7))),
    *(Cell("tpr difference", levels, n, 0, 0.7) for levels, n in ((2, 20), (6, 20), (6, 100))),
    *(Cell("balanced_accuracy", *cell) for cell in ((6, 20, 200, 0.9), (10, 13, 101, 0.7))),
    *(Cell("mcc", *cell) for cell in ((6, 20, 200, 0.9), (10, 13, 101, 0.7))),
)
CELLS = (*EQUAL, *UNEQUAL)


class Levels(NamedTuple):
    """Estimates, standard errors and their degrees of freedom, one row a sample."""

    estimate: FloatArray
    se: FloatArray
    df: FloatArray


def placements(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the placements of positives and of negatives."""
    a, b = pos[..., :, None], neg[..., None, :]
    wins = (a > b) + (a == b) / 2
    return wins.mean(axis=-1), wins.mean(axis=-2)


def spread_of(placed: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the part of a variance of the placements of a class, and its degrees of freedom."""
    n = placed.shape[-1]
    u = placed - placed.mean(axis=-1, keepdims=True)
    second, fourth = (u**2).sum(axis=-1), (u**4).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = fourth / second**2 - 1 / n
        df = np.where(excess > 0, np.minimum(2 / excess, n - 1), n - 1)
    return second / (n * (n - 1)), np.maximum(df, 1.0)


def inferred(of_pos: FloatArray, of_neg: FloatArray) -> Levels:
    """Return areas, or differences, from the placements of each class."""
    (pos, df_pos), (neg, df_neg) = spread_of(of_pos), spread_of(of_neg)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = (pos + neg) ** 2 / (pos**2 / df_pos + neg**2 / df_neg)
    return Levels(of_pos.mean(axis=-1), np.sqrt(pos + neg), df)


def areas(
    sizes: tuple[int, int, int, int], area: float, scores: str, rng: np.random.Generator
) -> tuple[Levels, Levels]:
    """Return areas of samples by level, and differences of two markers.

    ``sizes`` are samples, levels, positives and negatives. The second marker has the same area;
    both are correlated by 1/2 in each class.
    """
    samples, levels, *of_class = sizes
    x = []
    for n in of_class:
        common = rng.standard_normal((samples, levels, n))
        x.append(np.sqrt(0.5) * (common + rng.standard_normal((2, samples, levels, n))))
    spread = 2.0 if scores == "sd-ratio-2" else 1.0
    pos, neg = spread * x[0] + np.sqrt(1 + spread**2) * ndtri(area), x[1]
    if scores == "five-point":
        pos, neg = (np.searchsorted(POINTS, one).astype(np.float64) for one in (pos, neg))
    of_pos, of_neg = placements(pos, neg)
    one = inferred(of_pos[0], of_neg[0])
    return one, inferred(of_pos[0] - of_pos[1], of_neg[0] - of_neg[1])


def rates(
    cell: Cell, samples: int, n_pos: int, n_neg: int, levels: int, rng: np.random.Generator
) -> Levels:
    """Return a rate, a measure of both, or the difference of two rates in the same cases."""
    shape = (samples, levels)
    if cell.quantity == "tpr difference":
        differ = 2 * cell.value * (1 - cell.value) * AGREEMENT
        cells = rng.multinomial(n_pos, (differ / 2, differ / 2, 1 - differ), shape)
        gap, share = (cells[..., 0] - cells[..., 1]) / n_pos, 1 - cells[..., 2] / n_pos
        return Levels(gap, np.sqrt((share - gap**2) / n_pos), np.full(shape, np.inf))
    tp = rng.binomial(n_pos, cell.value, shape)
    if cell.quantity == "tpr":
        tpr = tp / n_pos
        return Levels(tpr, np.sqrt(tpr * (1 - tpr) / n_pos), np.full(shape, np.inf))
    fp = rng.binomial(n_neg, FALSE_POSITIVE_RATE, shape)
    pairs = zip(tp.ravel().tolist(), fp.ravel().tolist(), strict=True)
    found = np.array([half_added_measure_se(cell.quantity, a, b, n_pos, n_neg) for a, b in pairs])
    se, df = found.T.reshape(2, *shape)
    estimate = measure(cell.quantity, cells_at(tp / n_pos, fp / n_neg, n_pos / (n_pos + n_neg)))
    return Levels(estimate, se, df)


def levels_of(cell: Cell, samples: int, rng: np.random.Generator) -> Levels:
    """Return the levels of some samples of a setting."""
    groups = [(cell.levels, *cell.sizes[0])] if cell.n_pos else [(1, *n) for n in cell.sizes]
    found = []
    for levels, n_pos, n_neg in groups:
        if cell.quantity.startswith("auc"):
            one, pair = areas((samples, levels, n_pos, n_neg), cell.value, cell.scores, rng)
            found.append(one if cell.quantity == "auc" else pair)
        else:
            found.append(rates(cell, samples, n_pos, n_neg, levels, rng))
    return Levels(*(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))


def p_values_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return the P values of Welch's test and of Cochran's (2 columns); NaN without a test."""
    cell = CELLS[position]
    scale = scale_of(cell.quantity.replace(" difference", "_difference"))
    found = []
    for number in range(0, replicates, 100):
        rng = stream(seed, position, number)
        batch = levels_of(cell, min(100, replicates - number), rng)
        for estimate, se, df in zip(*batch, strict=True):
            known = np.full_like(df, np.inf)
            tests = [equal_on_scale(scale, estimate, se, one) for one in (df, known)]
            found.append([test.p_value for test in tests])
    return np.array(found)


def row_of_cell(position: int, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of one setting."""
    p = p_values_of_cell(position, replicates, seed)
    tested = np.isfinite(p[:, 0])
    size, cochran = (p[tested] < ALPHA).mean(axis=0).tolist()
    return {
        **CELLS[position]._asdict(),
        "size": size, "cochran": cochran, "tested": int(tested.sum()), "replicates": replicates,
        "alpha": ALPHA,
    }  # fmt: skip


SIMULATION = Simulation(
    table=TABLE,
    shows="Size of the test of interaction of subgroups that are alike.",
    cells=range(len(CELLS)),
    rows=row_of_cell,
    replicates=4000,
    seed=SEED,
    bounds=(Bound("size", too_high, "alpha", samples="tested"),),
    ends=("seed", "shortfall"),
)
read_subgroups = SIMULATION.read
