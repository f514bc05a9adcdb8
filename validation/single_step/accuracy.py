"""Errors of the largest of correlated normal variables, against integrals and simulation.

Differences of independent areas have the studentized range. For other covariances the reference is
a mean over 2^21 random directions of the tail of the chi distribution, with its standard error.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.special as sp
from scipy.stats import studentized_range

from rocstats.estimate.simultaneous import largest_normal
from rocstats.facts.arrays import FloatArray

TABLE = Path(__file__).with_name("single_step.csv")
N_DIRECTIONS = 2**21
_BLOCK = 2**13
CELLS = tuple(
    (kind, k, rep)
    for kind, sizes in (("independent", (3, 4, 5, 10, 20)), ("correlated", (5, 10, 20)))
    for k in sizes
    for rep in range(3 if kind == "correlated" else 5)
)


def differences(k: int, rng: np.random.Generator) -> FloatArray:
    """Return the weights of all differences of k areas, in random order and of random sign."""
    rows = np.array([np.eye(k)[i] - np.eye(k)[j] for i in range(k) for j in range(i)])
    return np.asarray(rng.permutation(rows) * rng.choice([-1.0, 1.0], (len(rows), 1)))


def covariance(kind: str, k: int, rng: np.random.Generator) -> FloatArray:
    """Return the covariance matrix of k areas: independent, or correlated by about .1 to .9."""
    if kind == "independent":
        return np.eye(k)
    common = rng.uniform(0.3, 0.95, k)
    sd = rng.uniform(0.5, 1.5, k)
    other = rng.uniform(-0.3, 0.3, (k, 2))
    correlation = np.outer(common, common) + other @ other.T
    np.fill_diagonal(correlation, 1 + 0.2)
    return correlation * np.outer(sd, sd)


def simulated(matrix: FloatArray, c: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return P(max |Z| > c) at each c and its standard error, from random directions."""
    values, vectors = np.linalg.eigh(matrix / np.sqrt(np.outer(*[np.diag(matrix)] * 2)))
    kept = values > 1e-9 * len(values)
    root = vectors[:, kept] * np.sqrt(values[kept])
    rng = np.random.default_rng(seed)
    sums, squares = np.zeros(len(c)), np.zeros(len(c))
    for _ in range(N_DIRECTIONS // _BLOCK):
        x = rng.standard_normal((_BLOCK, kept.sum()))
        reach = np.abs(x @ root.T).max(axis=1) / np.linalg.norm(x, axis=1)
        tails = sp.chdtrc(kept.sum(), (c[:, np.newaxis] / reach) ** 2)
        sums += tails.sum(axis=1)
        squares += (tails**2).sum(axis=1)
    mean = sums / N_DIRECTIONS
    return mean, np.sqrt((squares / N_DIRECTIONS - mean**2) / N_DIRECTIONS)


def cell(kind: str, k: int, rep: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of one cell: a tail at each height, and the .95 quantile."""
    rng = np.random.default_rng([k, rep, kind == "correlated"])
    weights = differences(k, rng)
    matrix = weights @ covariance(kind, k, rng) @ weights.T
    found = largest_normal(matrix, two_sided=True)
    quantile = found.quantile(0.95)
    at = np.array([2.0, 2.5, 3.0, 4.0, quantile])
    if kind == "independent":
        exact, se = studentized_range.sf(at * np.sqrt(2), k, np.inf), np.zeros(5)
    else:
        exact, se = simulated(matrix, at, rep)
    slope = (found.exceeds(quantile + 1e-3) - found.exceeds(quantile - 1e-3)) / 2e-3
    # The quantile is off by the miss of its tail over the density.
    miss, miss_se = (exact[4] - 0.05) / slope, se[4] / -slope
    for c, p, error in zip(at[:4], exact, se, strict=False):
        yield row(kind, k, rep, f"tail at {c:g}", float(p), float(error), found.exceeds(c) - p)
    yield row(kind, k, rep, "quantile .95", quantile - miss, miss_se, miss)


def row(
    kind: str, k: int, rep: int, quantity: str, reference: float, se: float, error: float
) -> dict[str, Any]:
    """Return one row of the table."""
    place = {"areas": kind, "k": k, "rep": rep, "quantity": quantity}
    return {**place, "reference": reference, "reference_se": se, "error": error}


def write(rows: list[dict[str, Any]], path: Path) -> pd.Series:
    """Write the rows; return the largest error of each kind of areas, k and quantity."""
    table = pd.DataFrame(rows)
    table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")
    largest = table["error"].abs().groupby([table["areas"], table["k"], table["quantity"]])
    return largest.max()
