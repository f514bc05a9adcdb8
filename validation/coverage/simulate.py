"""Coverage of the intervals of an AUC: the package's own code is what is simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.estimate.areas import AreaTest, Variance, area_variance, estimate_areas, infer_area
from rocstats.estimate.intervals import DEFAULT_INTERVAL, Interval, bca_method, percentile_method
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_areas
from rocstats.study.sample import Sample
from validation.coverage.designs import CELLS, Cell

DEFAULT = f"delong/{DEFAULT_INTERVAL}"
LEVEL = 0.95
RESAMPLED: tuple[Interval, ...] = ("percentile", "bca")
VARIANCES: tuple[Variance, ...] = tuple(
    word for word in get_args(Variance) if not area_variance(word).needs_folds
)
METHODS: tuple[tuple[Variance, Interval], ...] = (
    *(("delong", interval) for interval in get_args(Interval) if interval not in RESAMPLED),
    *((variance, "logit") for variance in VARIANCES if variance != "delong"),
)
"""Every closed interval with DeLong's variance, and logit with every other variance."""

NAMES = tuple(f"{variance}/{interval}" for variance, interval in METHODS)
RESAMPLED_NAMES = tuple(f"delong/{interval}" for interval in RESAMPLED)
N_RESAMPLES = 500

BoolArray = npt.NDArray[np.bool_]
LimitArray = npt.NDArray[np.float64]


def run(
    cells: Iterable[Cell] = CELLS, *, replicates: int, seed: int, family: str = "auc"
) -> pd.DataFrame:
    """Return the coverage of every method in some cells, a row per cell and method."""
    return pd.DataFrame(
        [row for cell in cells for row in run_cell(cell, replicates, seed, family=family)]
    )


def run_cell(
    cell: Cell, replicates: int, seed: int, *, family: str = "auc"
) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.position,)))
    is_positive = np.repeat([True, False], [cell.n_pos, cell.n_neg])
    names, limits_of_one = FAMILIES[family]
    limits = np.array(
        [
            limits_of_one(is_positive, scores, i)
            for i, scores in enumerate(cell.draw(rng, replicates))
        ]
    )
    require_honest(limits)
    return [
        {
            "design": cell.design,
            "n_pos": cell.n_pos,
            "n_neg": cell.n_neg,
            "auc": cell.auc,
            "truth": cell.truth,
            "method": name,
            "replicates": replicates,
            **tally(limits[:, k, 0], limits[:, k, 1], cell.truth),
            "seed": seed,
        }
        for k, name in enumerate(names)
    ]


def limits_of(is_positive: BoolArray, scores: LimitArray, number: int) -> LimitArray:
    """Return the lower and upper limit of each closed method for one data set."""
    sample = Sample(is_positive, scores)
    areas = {
        variance: estimate_areas(sample.cases, [0], variance, spread=True).take(0)
        for variance in VARIANCES
    }
    found = [
        infer_area(
            areas[variance],
            interval,
            AreaTest(LEVEL, "two-sided", np.nan),
        )
        for variance, interval in METHODS
    ]
    return np.array([(result.ci_low, result.ci_high) for result in found])


def resampled_limits_of(is_positive: BoolArray, scores: LimitArray, number: int) -> LimitArray:
    """Return the limits of percentile and BCa for one data set, its number their seed."""
    sample = Sample(is_positive, scores)
    area = estimate_areas(sample.cases, [0], "delong", spread=True).take(0)
    draws = draw_areas(sample.cases, 0, ResamplePlan(N_RESAMPLES, number)).values
    plain = percentile_method(draws)
    corrected, _ = bca_method(draws[np.newaxis], sample.cases, [0], np.array([area.value]))
    methods = (plain, corrected)
    found = [
        infer_area(
            area,
            interval,
            AreaTest(LEVEL, "two-sided", np.nan),
            method,
        )
        for interval, method in zip(RESAMPLED, methods, strict=True)
    ]
    return np.array([(result.ci_low, result.ci_high) for result in found])


Limits = Callable[[BoolArray, LimitArray, int], LimitArray]
FAMILIES: dict[str, tuple[tuple[str, ...], Limits]] = {
    "auc": (NAMES, limits_of),
    "auc_resampled": (RESAMPLED_NAMES, resampled_limits_of),
}
"""What the command line can ask for: names of methods, and their limits for one data set."""


def require_honest(limits: LimitArray) -> None:
    """Raise ArithmeticError unless every interval lies in [0, 1] and has a width."""
    low, high = limits[..., 0], limits[..., 1]
    if not np.all((low >= 0) & (high <= 1) & (low < high)):
        raise ArithmeticError("an interval leaves [0, 1], is not a number or has no width")


def tally(low: LimitArray, high: LimitArray, truth: LimitArray | float) -> dict[str, float]:
    """Return coverage with its Monte-Carlo error, both misses and the mean width."""
    miss_low, miss_high = float(np.mean(truth < low)), float(np.mean(truth > high))
    coverage = float(np.mean((low <= truth) & (truth <= high)))
    return {
        "coverage": coverage,
        "se": round(float(np.sqrt(coverage * (1 - coverage) / len(low))), 6),
        "miss_low": miss_low,
        "miss_high": miss_high,
        "mean_width": round(float(np.mean(high - low)), 6),
    }
