"""Simulated coverage of areas pooled over imputed data sets, and of four ways not to do it.

Two binormal markers, correlated by .6 in each class; some 30 % of the scores of the first are
missing at random, more often where the second is high and in positives. Missing scores are drawn
from the regression on outcome and second marker, its coefficients and variance drawn from their
posterior (Rubin 1987, example 5.1). The rule of shortfalls was fixed before the run:
docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

import itertools
import warnings
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, ndtri

import rocstats as rs
from rocstats.estimate.pooling import ImputedAnswers, PooledEstimate, pool_answers
from rocstats.estimate.quantiles import t_quantile, t_quantiles
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import LOGIT
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, misses, stream

TABLE = Path(__file__).with_name("imputation.csv")
SEED, LEVEL = 20040316, 0.95
SETTINGS = tuple(itertools.product((60, 200), (0.76, 0.90), (5, 20)))
METHODS = ("pooled", "identity", "complete-cases", "one-imputation", "averaged")
Z = float(ndtri(0.975))


class Areas(NamedTuple):
    """The area of each of several data sets, DeLong's standard error, Satterthwaite's df."""

    area: FloatArray
    se: FloatArray
    df: FloatArray
    sizes: tuple[int, int]

    def answers(self) -> ImputedAnswers:
        """Return them with limits as `auc()` has them: logit-t, and Newcombe's of an area of 1."""
        low, high = np.full(len(self.area), newcombe_low(*self.sizes)), np.ones(len(self.area))
        inside = self.area < 1
        area, se = self.area[inside], self.se[inside]
        centre = np.log(area / (1 - area))
        half = t_quantiles(0.975, self.df[inside]) * se / (area * (1 - area))
        low[inside], high[inside] = expit(centre - half), expit(centre + half)
        return ImputedAnswers(self.area, self.se, low, high, Z)


def areas(pos: FloatArray, neg: FloatArray) -> Areas:
    """Return the area of each row of scores."""
    wins = (pos[:, :, None] > neg[:, None, :]) + 0.5 * (pos[:, :, None] == neg[:, None, :])
    parts = [
        means.var(axis=1, ddof=1) / means.shape[1]
        for means in (wins.mean(axis=2), wins.mean(axis=1))
    ]
    variance, sizes = np.sum(parts, axis=0), (pos.shape[1], neg.shape[1])
    with np.errstate(invalid="ignore"):
        df = variance**2 / sum(v**2 / (n - 1) for v, n in zip(parts, sizes, strict=True))
    return Areas(wins.mean(axis=(1, 2)), np.sqrt(variance), df, sizes)


def draw_data(
    sizes: tuple[int, int], auc: float, rng: np.random.Generator
) -> tuple[FloatArray, BoolArray]:
    """Return outcome, second and first marker (rows of an array), and which first is missing."""
    y, n = np.repeat([1.0, 0.0], sizes), sum(sizes)
    second = rng.standard_normal(n) + y
    noise = 0.6 * (second - y) + 0.8 * rng.standard_normal(n)
    first = noise + np.sqrt(2) * ndtri(auc) * y
    missing = rng.random(n) < expit(-1.3 + 0.5 * second + 0.3 * y)
    return np.array([y, second, first]), missing


def impute(data: FloatArray, missing: BoolArray, m: int, rng: np.random.Generator) -> FloatArray:
    """Return the first marker of m imputed data sets."""
    design = np.stack([np.ones(data.shape[1]), data[0], data[1]], axis=1)
    known, values = design[~missing], data[2, ~missing]
    inverse = np.linalg.inv(known.T @ known)
    beta = inverse @ known.T @ values
    rest = values - known @ beta
    df = len(values) - 3
    sigma = np.sqrt(rest @ rest / rng.chisquare(df, m))
    betas = beta + sigma[:, None] * (rng.standard_normal((m, 3)) @ np.linalg.cholesky(inverse).T)
    noise = sigma[:, None] * rng.standard_normal((m, int(missing.sum())))
    found = np.tile(data[2], (m, 1))
    found[:, missing] = betas @ design[missing].T + noise
    return found


def limits_of(pooled: PooledEstimate) -> tuple[float, float]:
    """Return the limits of a pooled estimate."""
    t = t_quantile(0.975, pooled.df)
    return pooled.limit(-t), pooled.limit(t)


def pooled_limits(found: Areas) -> tuple[float, float]:
    """Return the limits of pooled areas, as the question gives them."""
    complete = sum(found.sizes) - 1.0
    return limits_of(pool_answers(found.answers(), LOGIT, (0.0, 1.0), complete))


def rubin_limits(value: FloatArray, se: FloatArray) -> tuple[float, float]:
    """Return limits on no scale by Rubin (1987); NaN where nothing varies."""
    m, between = len(value), value.var(ddof=1)
    total = np.mean(se**2) + (1 + 1 / m) * between
    if total == 0:
        return np.nan, np.nan
    lost = (1 + 1 / m) * between / total
    half = t_quantile(0.975, (m - 1) / lost**2 if lost > 0 else np.inf) * np.sqrt(total)
    return float(value.mean() - half), float(value.mean() + half)


@cache
def newcombe_low(n_pos: int, n_neg: int) -> float:
    """Return the lower limit of an area of 1."""
    y = np.repeat([1, 0], (n_pos, n_neg))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        return float(rs.Study(y, y).auc()["ci_low"].iloc[0])


def logit_limits(area: float, se: float) -> tuple[float, float]:
    """Return logit limits of one area; NaN of an area of 1."""
    if area == 1:
        return np.nan, np.nan
    centre, half = np.log(area / (1 - area)), Z * se / (area * (1 - area))
    return float(expit(centre - half)), float(expit(centre + half))


def limits_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return limits (replicates x methods x 2); a shorter run is the start of a longer one."""
    n, auc, m = SETTINGS[position]
    made = []
    for number in range(replicates):
        rng = stream(seed, position, number)
        data, missing = draw_data((n // 2, n // 2), auc, rng)
        score, half = impute(data, missing, m, rng), n // 2
        found = areas(score[:, :half], score[:, half:])
        area, se = found.area, found.se
        whole = ~missing
        kept = areas(data[2][None, :half][:, whole[:half]], data[2][None, half:][:, whole[half:]])
        made.append(
            [
                pooled_limits(found),
                rubin_limits(area, se),
                logit_limits(float(kept.area[0]), float(kept.se[0])),
                logit_limits(float(area[0]), float(se[0])),
                logit_limits(float(area.mean()), float(se.mean())),
            ]
        )
    return np.array(made)


def rows_of_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each method of one setting."""
    n, auc, m = SETTINGS[position]
    limits = limits_of_cell(position, replicates, seed)
    rows = []
    for method, (low, high) in zip(METHODS, limits.transpose(1, 2, 0), strict=True):
        defined = np.isfinite(low)
        low, high = low[defined], high[defined]
        rows.append(
            {
                "n": n, "auc": auc, "m": m, "method": method,
                **misses(low, high, auc), "mean_width": np.mean(high - low),
                "defined": int(defined.sum()), "replicates": replicates, "level": LEVEL,
            }
        )  # fmt: skip
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of areas pooled over imputed data sets, and of four ways not to do it.",
    cells=range(len(SETTINGS)),
    rows=rows_of_cell,
    replicates=2000,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL, samples="defined"),),
    ends=("seed", "shortfall"),
)
read_imputation = SIMULATION.read
