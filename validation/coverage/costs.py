"""Coverage of differences of costs, of their band, and of the LC index."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

import rocstats as rs
from rocstats.curves.convex_hull import hull_of, joint_hull
from rocstats.curves.roc import RocPoints
from rocstats.curves.superiority import loss_comparison, predictors_of_least_loss
from rocstats.estimate.paired_tables import tango_limit
from rocstats.estimate.shares import WeightedCases
from rocstats.facts.arrays import FloatArray
from rocstats.inference.costs import costs as differences
from rocstats.inference.costs.costs import Costs, cost_difference
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, Variant, columns_of, share_error, stream

TABLE = Path(__file__).with_name("costs.csv")
SEED = 20261124
N_RESAMPLES = 200
AT = np.arange(1, 40) / 40
CURVES = {
    "equal .80": ((0.80, 1.0), (0.80, 1.0)),
    ".90 and .80": ((0.90, 1.0), (0.80, 1.0)),
    "crossing .80": ((0.80, 0.5), (0.80, 2.0)),
}
"""Area and slope b of both binormal curves."""

SIZES = ((30, 30), (100, 100), (300, 300), (30, 300))
FEW = ((10, 50), (20, 20), (15, 150), (50, 200))
"""Further numbers of cases at fixed thresholds, which few cases decide."""

CORRELATION = 0.6
COSTS: dict[str, dict[str, float]] = {
    "": {"cost_fp": 1.0, "cost_fn": 3.0, "prevalence": 0.3},
    "-rare": {"cost_fp": 1.0, "cost_fn": 2.0, "prevalence": 0.15},
}
"""Both classes weigh about alike, or false alarms three times as much; by the end of a word."""

PREVALENCE = 0.3
BELIEF: dict[str, Any] = {"low": 0.2, "mode": 0.4, "high": 0.8}
FIXED: dict[str, dict[str, Any]] = {
    "fixed": COSTS[""],
    "fixed-rare": COSTS["-rare"],
    "fixed-dear": {"cost_fp": 1.0, "cost_fn": 20.0, "prevalence": 0.3},
    "fixed-cohort": {"cost_fp": 1.0, "cost_fn": 5.0, "prevalence": None},
}
"""Costs at fixed thresholds; without a prevalence the number of positives is binomial."""

FIXED_REPLICATES = 4000
QUESTIONS = (
    *(f"{kind}{end}" for end in COSTS for kind in ("selected", "selected-own")),
    "band",
    "lc_index",
)
"""``selected`` covers the least true costs, ``selected-own`` the true ones of the chosen points."""

_CUTS = np.linspace(-8.0, 12.0, 20001)


@dataclass(frozen=True)
class CostCell:
    """Two correlated binormal predictors; ``position`` is the key of the random numbers."""

    position: int
    design: str
    n_pos: int
    n_neg: int

    @property
    def laws(self) -> tuple[tuple[float, float], ...]:
        """Mean and standard deviation of the positives of each predictor."""
        return tuple((ndtri(auc) * np.hypot(1, b) / b, 1 / b) for auc, b in CURVES[self.design])

    def draw(self, rng: np.random.Generator) -> dict[str, FloatArray]:
        """Return the scores of both predictors, the positives first."""
        n = self.n_pos + self.n_neg
        shared, own = rng.standard_normal(n), rng.standard_normal((2, n))
        scores = np.sqrt(CORRELATION) * shared + np.sqrt(1 - CORRELATION) * own
        for row, (mean, sd) in zip(scores, self.laws, strict=True):
            row[: self.n_pos] = mean + sd * row[: self.n_pos]
        return {"a": scores[0], "b": scores[1]}

    def rates(self, k: int, cut: Any) -> tuple[FloatArray, FloatArray]:
        """Return the true false positive and false negative rates at a threshold."""
        mean, sd = self.laws[k]
        return np.asarray(ndtr(-cut)), np.asarray(ndtr((cut - mean) / sd))

    def cost(self, k: int, cut: Any, end: str) -> FloatArray:
        """Return the true expected cost at a threshold."""
        fpr, fnr = self.rates(k, cut)
        p, costs = COSTS[end]["prevalence"], COSTS[end]
        return np.asarray(costs["cost_fp"] * (1 - p) * fpr + costs["cost_fn"] * p * fnr)

    def wrong(self, cuts: Sequence[float], *, positive: bool) -> FloatArray:
        """Return the probabilities that both, the first, the second, and neither is wrong."""
        laws = self.laws if positive else [(0.0, 1.0)] * 2
        at = [(cut - mean) / sd for cut, (mean, sd) in zip(cuts, laws, strict=True)]
        # A positive is missed below its threshold, a negative is called above it.
        at = at if positive else [-x for x in at]
        both = multivariate_normal.cdf(at, cov=[[1, CORRELATION], [CORRELATION, 1]])
        first, second = ndtr(at)
        return np.array([both, first - both, second - both, 1 - first - second + both])

    @cached_property
    def best(self) -> dict[str, tuple[float, float]]:
        """The best threshold of each predictor, for both costs."""

        def of(k: int, end: str) -> float:
            return float(_CUTS[self.cost(k, _CUTS, end).argmin()])

        return {end: (of(0, end), of(1, end)) for end in COSTS}

    def difference(self, cuts: Sequence[float], end: str) -> float:
        """Return the true difference of costs at two thresholds."""
        return float(self.cost(0, cuts[0], end) - self.cost(1, cuts[1], end))

    @cached_property
    def truth(self) -> dict[str, Any]:
        """The true values of the band and of the index."""
        curves = []
        hulls = []
        for k in (0, 1):
            fpr, fnr = self.rates(k, _CUTS)
            curves.append([min(np.min(x * fnr + (1 - x) * fpr), x, 1 - x) for x in AT])
            hulls.append(
                hull_of(
                    RocPoints(
                        np.arange(len(_CUTS) + 2.0),
                        np.concatenate(([0.0], fpr[::-1], [1.0])),
                        np.concatenate(([0.0], 1 - fnr[::-1], [1.0])),
                    )
                )
            )
        index = loss_comparison(
            *predictors_of_least_loss(joint_hull(hulls), PREVALENCE), tuple(BELIEF.values())
        )
        if CURVES[self.design][0] == CURVES[self.design][1]:
            index = 0.0
        return {"band": np.array(curves[0]) - curves[1], "lc_index": index}


CELLS = tuple(
    CostCell(position, design, *sizes)
    for position, (design, sizes) in enumerate(product(CURVES, SIZES))
)
FIXED_CELLS = CELLS + tuple(
    CostCell(position, design, *sizes)
    for position, (design, sizes) in enumerate(product(CURVES, FEW), start=len(CELLS))
)


def _held(row: pd.Series, truth: float) -> tuple[bool, bool, float]:
    low, high = row["ci_low"], row["ci_high"]
    if np.isnan(low):  # resamples that are all alike: the value itself
        low = high = row["estimate"]
    return bool(low > truth + 1e-12), bool(high < truth - 1e-12), float(high - low)


def answers(cell: CostCell, study: rs.Study, seed: int) -> list[tuple[bool, bool, float]]:
    """Return, for each question, whether its interval lies above or below the truth; its width."""
    truth = cell.truth
    drawn: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": seed}
    found = []
    for end, costs in COSTS.items():
        asked: dict[str, Any] = dict(costs)
        best = cell.best[end]
        chosen = study.compare_costs(**asked, **drawn).iloc[0]
        own = chosen["threshold"], chosen["reference_threshold"]
        least = cell.difference(best, end)
        found.append(_held(chosen, least))
        found.append(_held(chosen, cell.difference(own, end)))
    band = study.cost_difference_band(at=AT, **drawn)
    low, high = band["ci_low"].to_numpy(), band["ci_high"].to_numpy()
    index = study.lc_index(**BELIEF, prevalence=PREVALENCE, interval="percentile", **drawn).iloc[0]
    return [
        *found,
        (
            bool(np.any(low > truth["band"])),
            bool(np.any(high < truth["band"])),
            float(np.mean(high - low)),
        ),
        _held(index, truth["lc_index"]),
    ]


def fixed_limits(costs: Costs, missed: FloatArray, alarmed: FloatArray) -> tuple[float, float]:
    """Return the limits from the counts of both, first, second, neither wrong, by class."""
    cases = WeightedCases(np.arange(8) < 4, np.concatenate((missed, alarmed)), None)
    wrong = np.array([1, 1, 0, 0]) == 1, np.array([1, 0, 1, 0]) == 1
    calls = [np.concatenate((~x, x)) for x in wrong]
    difference = cost_difference(cases, calls[0], calls[1], costs.relative)
    low, high = (costs.unit * difference.limit(z) for z in ndtri([0.025, 0.975]))
    return low, high


def run_fixed_cell(cell: CostCell, name: str, replicates: int, seed: int) -> dict[str, Any]:
    """Return the row of one question at fixed thresholds.

    They are the best ones with costs of 1 and 3; the counts of calls have their distribution.
    """
    rng = stream(seed, cell.position, 1 + list(FIXED).index(name))
    costs, cuts = Costs(**FIXED[name]), cell.best[""]
    n = cell.n_pos + cell.n_neg
    p = costs.prevalence or cell.n_pos / n
    of_pos, of_neg = (cell.wrong(cuts, positive=positive) for positive in (True, False))
    n_pos = np.full(replicates, cell.n_pos)
    if costs.prevalence is None:
        n_pos = rng.binomial(n, p, replicates).clip(1, n - 1)
    # Limits and difference need no more than the cases that one of the two alone has wrong.
    of_pos, of_neg = (np.array([0, p[1], p[2], p[0] + p[3]]) for p in (of_pos, of_neg))
    counts = np.hstack((rng.multinomial(n_pos, of_pos), rng.multinomial(n - n_pos, of_neg)))
    kinds, which = np.unique(counts, axis=0, return_inverse=True)
    # Few tables of a class recur in many pairs of tables.
    with mock.patch.object(differences, "tango_limit", lru_cache(None)(tango_limit)):
        limits = np.array([fixed_limits(costs, row[:4], row[4:]) for row in kinds.astype(float)])
    low, high = limits[which.ravel()].T
    truth = costs.cost_fn * p * (of_pos[1] - of_pos[2])
    truth += costs.cost_fp * (1 - p) * (of_neg[1] - of_neg[2])
    found = np.column_stack((low > truth + 1e-12, high < truth - 1e-12, high - low))
    return _row(cell, name, found, 0)


def run_cost_cell(cell: CostCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each question; the random numbers depend on cell and seed alone."""
    rng = stream(seed, cell.position)
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    found = np.empty((replicates, len(QUESTIONS), 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        for number in range(replicates):
            found[number] = answers(cell, rs.Study(y, cell.draw(rng)), number)
    return [
        _row(cell, name, column, N_RESAMPLES)
        for name, column in zip(QUESTIONS, np.moveaxis(found, 1, 0), strict=True)
    ]


def _row(cell: CostCell, name: str, found: FloatArray, n_resamples: int) -> dict[str, Any]:
    above, below, width = found.T
    coverage, replicates = 1 - ((above + below) > 0).mean(), len(found)
    return {
        **columns_of(cell, "design n_pos n_neg"),
        "question": name,
        "replicates": replicates,
        "n_resamples": n_resamples,
        "coverage": round(float(coverage), 6),
        "se": share_error(coverage, replicates),
        "above": round(float(above.mean()), 6),
        "below": round(float(below.mean()), 6),
        "mean_width": round(float(width.mean()), 6),
    }


def run_cell(
    cell: CostCell, replicates: int, seed: int, fixed: str | None = None
) -> list[dict[str, Any]]:
    """Return the row of a question at fixed thresholds, or a row for each of the others."""
    if fixed is None:
        return run_cost_cell(cell, replicates, seed)
    return [run_fixed_cell(cell, fixed, replicates, seed)]


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of differences of costs, of their band, and of the LC index.",
    cells=[
        *(Variant(cell, {"fixed": name}) for cell in FIXED_CELLS for name in FIXED),
        *CELLS,
    ],
    rows=run_cell,
    replicates=lambda cell: FIXED_REPLICATES if isinstance(cell, Variant) else 500,
    seed=SEED,
    bounds=(Bound("coverage", too_low, 0.95),),
    ends=("seed", "shortfall"),
)
read_costs = SIMULATION.read
