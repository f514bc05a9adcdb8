"""Simulated coverage of intervals of covariate-adjusted areas, and of their differences.

The covariate is normal, half a standard deviation higher in positives, and moves the scores of both
classes alike; errors are normal, exponential or t with 3 degrees of freedom. The adjusted area is
then the same at every value of the covariate, and known. "clusters" have two positives and three
negatives with a shared error (correlation .3); "pairs" compare two scores whose errors correlate
by .5. ``covariate_auc`` is asked at one standard deviation above the mean of the negatives.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import stdtr

import rocstats as rs
from rocstats.estimate.influence import satterthwaite
from rocstats.estimate.intervals import Area, Interval
from rocstats.facts.arrays import FloatArray
from rocstats.inference.covariates.adjusted import (
    RESIDUALS,
    PositivesWithCovariates,
    Residuals,
    adjusted_area,
)
from rocstats.inference.covariates.at_values import area_at_values
from rocstats.inference.covariates.regression import Regression, fit_covariate_regression
from validation.bounds import too_low
from validation.coverage.simulate import inferred
from validation.simulation import Bound, Simulation, collect

TABLE = Path(__file__).with_name("covariates.csv")
REPLICATES = 4000
SEED = 20215
LEVEL = 0.95
_SLOPE, _SHIFT = 0.8, 0.5
_OF_CLUSTER = 0.3
_OF_PAIR = 0.5
_T3 = 2 / (np.pi * np.sqrt(3))  # density of t with 3 degrees of freedom at 0
_SECOND = 0.85  # area of the second score of "pairs"


class Cell(NamedTuple):
    """Design, numbers of positives and negatives, adjusted area and distribution of the errors."""

    design: str
    n_pos: int
    n_neg: int
    area: float
    errors: str


CELLS = (
    *(
        Cell("cases", n_pos, n_neg, area, errors)
        for errors in ("normal", "exponential", "t3")
        for n_pos, n_neg in ((20, 40), (50, 50), (100, 200))
        for area in (0.78, 0.95)
    ),
    *(Cell("clusters", 2 * n, 3 * n, 0.78, "normal") for n in (30, 60)),
    *(Cell("pairs", n_pos, n_neg, 0.78, "normal") for n_pos, n_neg in ((20, 40), (100, 200))),
)


def distance_of(area: float, errors: str) -> float:
    """Return the shift of the positives that gives an area."""
    if errors == "normal":
        return float(np.sqrt(2) * stats.norm.ppf(area))
    if errors == "exponential":
        # The difference of two is Laplace: P(D < d) = 1 - exp(-d)/2.
        return float(-np.log(2 * (1 - area)))

    def gap(d: float) -> float:
        return quad(lambda t: stdtr(3, d + t) * _T3 / (1 + t**2 / 3) ** 2, -60, 60)[0] - area

    return float(brentq(gap, 0, 20))


def run_cell(cell: Cell, replicates: int = REPLICATES, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell: the share of intervals that hold the truth, by question."""
    rng = np.random.default_rng([seed, CELLS.index(cell)])
    draw = _of_cases if cell.design == "cases" else _of_studies
    shift = distance_of(cell.area, cell.errors)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        drawn = collect(draw(cell, shift, rng) for _ in range(replicates))
    return [_row(cell, question, limits) for question, limits in drawn.items()]


def _row(cell: Cell, question: str, limits: FloatArray) -> dict[str, Any]:
    truth = cell.area - _SECOND if question.startswith("compare") else cell.area
    below, above = limits[:, 1] < truth, limits[:, 0] > truth
    return {
        **cell._asdict(),
        "question": question,
        "coverage": float(1 - np.mean(below | above)),
        "below": float(below.mean()),
        "above": float(above.mean()),
        "width": float(np.mean(limits[:, 1] - limits[:, 0])),
        "replicates": len(limits),
    }


def _errors(cell: Cell, rng: np.random.Generator, size: int) -> FloatArray:
    if cell.errors == "exponential":
        return rng.standard_exponential(size) - 1
    return rng.standard_normal(size) if cell.errors == "normal" else rng.standard_t(3, size)


def _of_cases(cell: Cell, shift: float, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Return the limits of one sample of independent cases, by the kernels."""
    n_pos, n_neg = cell.n_pos, cell.n_neg
    at = rng.standard_normal(n_pos + n_neg) + _SHIFT * (np.arange(n_pos + n_neg) < n_pos)
    score = _SLOPE * at + _errors(cell, rng, len(at))
    score[:n_pos] += shift
    design = np.column_stack([np.ones(len(at)), at])
    pos, neg = (
        fit_covariate_regression(score[rows], design[rows], np.ones(len(score[rows])))
        for rows in (slice(n_pos), slice(n_pos, None))
    )
    positives = PositivesWithCovariates(score[:n_pos], design[:n_pos], np.ones(n_pos))
    found = {f"adjusted_auc, {kind}": _adjusted(positives, neg, kind) for kind in RESIDUALS}
    if cell.errors == "normal":
        there = area_at_values(np.array([1.0, 1.0]), pos, neg)
        found["covariate_auc"] = _limits(there.value, there.se**2, np.inf, n_pos, n_neg, "probit")
    return found


def _adjusted(
    positives: PositivesWithCovariates, negatives: Regression, kind: Residuals
) -> tuple[float, float]:
    area = adjusted_area(positives, negatives, kind)
    m, n = len(positives.score), len(negatives.residual)
    parts = np.array([
        size / (size - 1) * np.sum(influence**2)
        for size, influence in ((m, area.of_positives), (n, area.of_negatives))
    ])  # fmt: skip
    df = satterthwaite(parts, np.array([m - 1.0, n - 1.0]))
    return _limits(area.value, float(parts.sum()), df, m, n, "logit-t")


def _limits(
    value: float, variance: float, df: float, n_pos: int, n_neg: int, interval: Interval
) -> tuple[float, float]:
    return inferred(Area(value, variance, df, n_pos, n_neg, min(n_pos, n_neg)), interval)


def _of_studies(
    cell: Cell, shift: float, rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """Return the limits of one sample with clusters, or with two scores, by the questions."""
    size = cell.n_pos + cell.n_neg
    if cell.design == "clusters":
        y, cluster = np.tile([1, 1, 0, 0, 0], size // 5), np.repeat(np.arange(size // 5), 5)
        shared = np.sqrt(_OF_CLUSTER) * rng.standard_normal(size // 5)[cluster]
        errors = shared + np.sqrt(1 - _OF_CLUSTER) * rng.standard_normal(size)
        at = rng.standard_normal(size) + _SHIFT * y
        score = _SLOPE * at + errors + shift * y
        frame = rs.Study(y, score, covariate=at, cluster=cluster).adjusted_auc()
        return {"adjusted_auc, empirical": _of_frame(frame)}
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    at = rng.standard_normal(size) + _SHIFT * y
    first = rng.standard_normal(size)
    second = _OF_PAIR * first + np.sqrt(1 - _OF_PAIR**2) * rng.standard_normal(size)
    scores = {
        "first": _SLOPE * at + first + shift * y,
        "second": second - _SLOPE * at + distance_of(_SECOND, "normal") * y,
    }
    study = rs.Study(y, scores, covariate=at)
    return {
        f"compare_adjusted_auc, {kind}": _of_frame(study.compare_adjusted_auc(residuals=kind))
        for kind in RESIDUALS
    }


def _of_frame(frame: pd.DataFrame) -> tuple[float, float]:
    return float(frame["ci_low"].iloc[0]), float(frame["ci_high"].iloc[0])


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of covariate-adjusted areas, and of their differences.",
    cells=CELLS,
    rows=run_cell,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL),),
    ends=("shortfall",),
    digits=6,
    words=True,
)
