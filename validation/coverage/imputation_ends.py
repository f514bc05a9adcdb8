"""Simulated coverage of proportions and areas near 1 that are pooled over imputed data sets.

The markers, the missing scores and their imputation are those of ``imputation``; classes are small
or unequal. A threshold gives the sensitivity. Limits by ``pool_imputations`` beside those of Rubin
(1987) without a scale. The bound was fixed before the run: a setting falls short under .93.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from rocstats.estimate.pooling import ImputedAnswers, PooledNearEnd, pool_answers
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import LOGIT
from validation.coverage.imputation import (
    LEVEL,
    Z,
    areas,
    draw_data,
    impute,
    limits_of,
    rubin_limits,
)
from validation.simulation import Bound, Simulation, misses, stream, under_margin

TABLE = Path(__file__).with_name("imputation_ends.csv")
SEED = 20200521
SIZES = ((10, 100), (20, 200), (50, 50), (100, 10))
# Area and sensitivity.
TRUTHS = ((0.90, 0.90), (0.98, 0.95), (0.98, 0.98))
SETTINGS = tuple(itertools.product(SIZES, TRUTHS, (5, 20)))
QUANTITIES = ("tpr", "tnr", "auc")
METHODS = ("pooled", "identity")


def truths_of(auc: float, tpr: float) -> tuple[float, tuple[float, float, float]]:
    """Return the threshold with a sensitivity, and the truth of each quantity."""
    cut = float(np.sqrt(2) * ndtri(auc) - ndtri(tpr))
    return cut, (tpr, float(ndtr(cut)), auc)


def rate_answers(rate: FloatArray, size: int) -> ImputedAnswers:
    """Return rates with their standard errors and Wilson's limits, as `operating_points()`."""
    se = np.sqrt(rate * (1 - rate) / size)
    return ImputedAnswers(
        rate, se, *binomial_limits_of_rates(rate, size, "wilson", LEVEL), Z, of_counts=True
    )


def limits_of_cell(position: int, replicates: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return limits (replicates x quantities x methods x 2), and which were near an end.

    A shorter run is the start of a longer one.
    """
    sizes, (auc, tpr), m = SETTINGS[position]
    cut, _ = truths_of(auc, tpr)
    limits = np.empty((replicates, len(QUANTITIES), len(METHODS), 2))
    near = np.empty((replicates, len(QUANTITIES)))
    for number in range(replicates):
        rng = stream(seed, position, number)
        data, missing = draw_data(sizes, auc, rng)
        # One in 10 000 samples has no known score in a class: nothing to impute from.
        while not all((~missing[data[0] == label]).any() for label in (0, 1)):
            data, missing = draw_data(sizes, auc, rng)
        scores = impute(data, missing, m, rng)
        pos, neg = scores[:, : sizes[0]], scores[:, sizes[0] :]
        asked = (
            (rate_answers((pos > cut).mean(axis=1), sizes[0]), sizes[0]),
            (rate_answers((neg <= cut).mean(axis=1), sizes[1]), sizes[1]),
            (areas(pos, neg).answers(), sum(sizes)),
        )
        for k, (answers, n) in enumerate(asked):
            pooled = pool_answers(answers, LOGIT, (0.0, 1.0), n - 1.0)
            near[number, k] = isinstance(pooled, PooledNearEnd)
            limits[number, k] = limits_of(pooled), rubin_limits(answers.estimate, answers.se)
    return limits, near


def rows_of_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each quantity and method of one setting."""
    (n_pos, n_neg), (auc, tpr), m = SETTINGS[position]
    limits, near = limits_of_cell(position, replicates, seed)
    _, truths = truths_of(auc, tpr)
    rows = []
    for (k, quantity), (j, method) in itertools.product(enumerate(QUANTITIES), enumerate(METHODS)):
        low, high = limits[:, k, j].T
        defined = np.isfinite(low)
        low, high, truth = low[defined], high[defined], truths[k]
        rows.append(
            {
                "n_pos": n_pos, "n_neg": n_neg, "auc": auc, "m": m, "quantity": quantity,
                "truth": truth, "method": method, **misses(low, high, truth),
                "mean_width": np.mean(high - low), "near": near[:, k].mean(),
                "defined": int(defined.sum()), "replicates": replicates, "level": LEVEL,
            }
        )  # fmt: skip
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of proportions and areas near 1, pooled over imputed data sets.",
    cells=range(len(SETTINGS)),
    rows=rows_of_cell,
    replicates=2000,
    seed=SEED,
    bounds=(Bound("coverage", under_margin, LEVEL),),
    ends=("seed", "shortfall"),
)
read_ends = SIMULATION.read
