"""Exact coverage of three limits of a difference of costs at fixed thresholds, few cases.

``normal`` has the divisor n, ``t`` the divisor n - 1 and Satterthwaite's degrees of freedom; both
have Tango's limits where a class is called alike. ``tango-mover`` is that of the package. The
prevalence is given. Coverage is a sum over all tables of discordant calls: no random numbers.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import multinomial, norm, t

from rocstats.estimate.paired_tables import PairedTable, tango_limit
from rocstats.facts.arrays import BoolArray, FloatArray
from validation.simulation import Simulation

TABLE = Path(__file__).with_name("cost_limits.csv")
SIZES = ((10, 50), (20, 20), (15, 150), (50, 200))
DISCORDANT = ((0.02, 0.02), (0.05, 0.05), (0.1, 0.02), (0.1, 0.1), (0.25, 0.05), (0.3, 0.2))
"""Probabilities that the first alone, and the second alone, is wrong about a case of a class."""

WEIGHTS = (1 / 9, 1 / 4, 1.0, 5.0, 20.0)
"""Weight of the positives, that of the negatives being 1: the ratio of costs times the odds."""

METHODS = ("normal", "t", "tango-mover")
_Z = float(norm.ppf(0.975))


class Tables(NamedTuple):
    """Every table of a class: probability, difference, variance times n, and Tango's reach."""

    probability: FloatArray
    difference: FloatArray
    variance: FloatArray
    reach: FloatArray
    alike: BoolArray


@cache
def tables_of(n: int, first: float, second: float) -> Tables:
    """Return the tables of a class whose probability is not below 1e-7."""
    kinds = np.array([(b, c, n - b - c) for b in range(n + 1) for c in range(n + 1 - b)])
    probability = multinomial.pmf(kinds, n, (first, second, 1 - first - second))
    kinds, probability = kinds[probability > 1e-7], probability[probability > 1e-7]
    b, c, _ = kinds.T
    difference = (b - c) / n
    limits = [[_tango(*kind, z) for kind in kinds.tolist()] for z in (-_Z, _Z)]
    alike = kinds.max(axis=1) == n
    variance = (b + c) / n - difference**2
    return Tables(
        probability / probability.sum(), difference, variance, np.array(limits) - difference, alike
    )


@cache
def _tango(b: int, c: int, rest: int, z: float) -> float:
    return tango_limit(PairedTable(0, b, c, rest), z)


def coverage(
    sizes: tuple[int, int],
    of_pos: tuple[float, float],
    of_neg: tuple[float, float],
    weight: float,
) -> dict[str, tuple[float, float]]:
    """Return coverage and mean width of each kind of limits."""
    one, two = tables_of(sizes[0], *of_pos), tables_of(sizes[1], *of_neg)
    probability = np.outer(one.probability, two.probability)
    estimate = np.add.outer(weight * one.difference, two.difference)
    truth = weight * (of_pos[0] - of_pos[1]) + of_neg[0] - of_neg[1]
    tango = [
        sign * np.hypot(weight * a[:, None], b)
        for sign, a, b in zip((-1, 1), one.reach, two.reach, strict=True)
    ]
    alike = np.logical_or.outer(one.alike, two.alike)
    reach = {"tango-mover": tango}
    for name, less in (("normal", 0), ("t", 1)):
        m, n = sizes
        pos = weight**2 * one.variance[:, None] / (m - less)
        neg = two.variance / (n - less)
        variance = pos + neg
        below = pos**2 / (m - 1) + neg**2 / (n - 1)
        df = variance**2 / np.where(below > 0, below, np.inf) + (below == 0)
        half = (t.ppf(0.975, df) if less else _Z) * np.sqrt(variance)
        reach[name] = [np.where(alike, tango[0], -half), np.where(alike, tango[1], half)]
    found = {}
    for name in METHODS:
        low, high = (estimate + part for part in reach[name])
        held = (low <= truth + 1e-12) & (high >= truth - 1e-12)
        width = float((probability * (high - low)).sum())
        found[name] = float(probability[held].sum()), width
    return found


def rows_of(sizes: tuple[int, int]) -> list[dict[str, float | str]]:
    """Return the least and mean coverage of each kind of limits, and where the least is."""
    cells = list(product(DISCORDANT, DISCORDANT, WEIGHTS))
    found = [coverage(sizes, *cell) for cell in cells]
    rows: list[dict[str, float | str]] = []
    for name in METHODS:
        covered, width = np.array([each[name] for each in found]).T
        of_pos, of_neg, weight = cells[int(covered.argmin())]
        rows.append(
            {
                "n_pos": sizes[0],
                "n_neg": sizes[1],
                "limits": name,
                "least": round(float(covered.min()), 6),
                "mean": round(float(covered.mean()), 6),
                "mean_width": round(float(width.mean()), 6),
                "pos_first": of_pos[0],
                "pos_second": of_pos[1],
                "neg_first": of_neg[0],
                "neg_second": of_neg[1],
                "weight": weight,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Exact coverage of three limits of a difference of costs at fixed thresholds.",
    cells=SIZES,
    rows=rows_of,
)
read_cost_limits = SIMULATION.read
