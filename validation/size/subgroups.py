"""Simulated size of the test of interaction of ``Study.subgroups``: Cochran's Q on its scale.

Levels are alike: binormal areas (logit scale), differences of two correlated markers (no scale),
and sensitivities at a fixed threshold (logit scale), in 2 or 4 levels of 10 to 100 cases a class.
Samples in which a level has no standard error have no test, and are counted. The rule of
shortfalls was fixed before the run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from rocstats.facts.arrays import FloatArray
from rocstats.facts.scales import IDENTITY, LOGIT, equal_on_scale
from validation.bounds import too_high

TABLE = Path(__file__).with_name("subgroups.csv")
SEED, ALPHA = 20040316, 0.05
QUANTITIES = ("auc", "auc difference", "tpr")
CELLS = tuple(itertools.product(QUANTITIES, (2, 4), (10, 30, 100), (0.7, 0.9)))


def placements(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the placements of positives and of negatives; scores are continuous."""
    wins = pos[..., :, None] > neg[..., None, :]
    return wins.mean(axis=-1), wins.mean(axis=-2)


def areas(shape: tuple[int, int], n: int, area: float, rng: np.random.Generator) -> Any:
    """Return areas of samples by level, their standard errors, and differences of two with theirs.

    The second marker has the same area; both are correlated by 1/2 in each class.
    """
    common, own = rng.standard_normal((2, *shape, n)), rng.standard_normal((2, 2, *shape, n))
    x = np.sqrt(0.5) * (common + own)  # marker, class, sample, level, case
    x[:, 0] += np.sqrt(2) * ndtri(area)
    of_pos, of_neg = placements(x[:, 0], x[:, 1])
    value = of_pos.mean(axis=-1)

    def error(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(np.sqrt((a.var(axis=-1, ddof=1) + b.var(axis=-1, ddof=1)) / n))

    one = value[0], error(of_pos[0], of_neg[0])
    return one, (value[0] - value[1], error(of_pos[0] - of_pos[1], of_neg[0] - of_neg[1]))


def p_values_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return the p values of samples; NaN without a test."""
    quantity, levels, n, value = CELLS[position]
    found = []
    for number in range(0, replicates, 100):
        child = np.random.SeedSequence(seed, spawn_key=(position, number))
        rng, shape = np.random.default_rng(child), (min(100, replicates - number), levels)
        if quantity == "tpr":
            estimate = rng.binomial(n, value, shape) / n
            se = np.sqrt(estimate * (1 - estimate) / n)
        else:
            one, pair = areas(shape, n, value, rng)
            estimate, se = one if quantity == "auc" else pair
        scale = IDENTITY if quantity == "auc difference" else LOGIT
        found += [equal_on_scale(scale, a, b)[2] for a, b in zip(estimate, se, strict=True)]
    return np.array(found)


def row_of_cell(position: int, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of one setting."""
    quantity, levels, n, value = CELLS[position]
    p = p_values_of_cell(position, replicates, seed)
    tested = np.isfinite(p)
    size = float(np.mean(p[tested] < ALPHA))
    return {
        "quantity": quantity, "levels": levels, "n_pos": n, "n_neg": n, "value": value,
        "size": size, "tested": int(tested.sum()), "replicates": replicates, "alpha": ALPHA,
        "seed": seed, "shortfall": bool(too_high(size, ALPHA, tested.sum())),
    }  # fmt: skip


def read_subgroups() -> pd.DataFrame:
    """Return the committed table."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(prog="python -m validation.size.subgroups")
    parser.add_argument("--replicates", type=int, default=4000, help="samples per setting")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each part has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    options = parser.parse_args()
    rows = [row_of_cell(k, options.replicates, options.seed) for k in range(len(CELLS))]
    pd.DataFrame(rows).to_csv(options.output, index=False)


if __name__ == "__main__":
    main()
