"""Coverage of the intervals of an AUC: the package's own code is what is simulated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from rocstats.estimate.areas import AreaTest, Variance, area_variance, estimate_areas, infer_area
from rocstats.estimate.intervals import (
    DEFAULT_INTERVAL,
    Area,
    Interval,
    IntervalMethod,
    bca_method,
    percentile_method,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import draw_areas
from rocstats.study.sample import Sample
from validation.coverage.designs import CELLS, Cell
from validation.coverage.summary import AUC_TABLE, RESAMPLED_TABLE
from validation.simulation import Simulation, columns_of, stream, tally

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


def run_cell(
    cell: Cell, replicates: int, seed: int, *, family: str = "auc"
) -> list[dict[str, Any]]:
    """Return the rows of one cell, whose random numbers depend on nothing but it and the seed."""
    rng = stream(seed, cell.position)
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
            **columns_of(cell, "design n_pos n_neg auc truth"),
            "method": name,
            "replicates": replicates,
            **tally(limits[:, k], cell.truth),
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
    return np.array([inferred(areas[variance], interval) for variance, interval in METHODS])


def resampled_limits_of(is_positive: BoolArray, scores: LimitArray, number: int) -> LimitArray:
    """Return the limits of percentile and BCa for one data set, its number their seed."""
    sample = Sample(is_positive, scores)
    area = estimate_areas(sample.cases, [0], "delong", spread=True).take(0)
    draws = draw_areas(sample.cases, 0, ResamplePlan(N_RESAMPLES, number)).values
    plain = percentile_method(draws)
    corrected, _ = bca_method(draws[np.newaxis], sample.cases, [0], np.array([area.value]))
    methods = zip(RESAMPLED, (plain, corrected), strict=True)
    return np.array([inferred(area, interval, method) for interval, method in methods])


Limits = Callable[[BoolArray, LimitArray, int], LimitArray]
FAMILIES: dict[str, tuple[tuple[str, ...], Limits]] = {
    "auc": (NAMES, limits_of),
    "auc_resampled": (RESAMPLED_NAMES, resampled_limits_of),
}
"""Names of methods, and their limits for one data set."""


def require_honest(limits: LimitArray) -> None:
    """Raise ArithmeticError unless every interval lies in [0, 1] and has a width."""
    low, high = limits[..., 0], limits[..., 1]
    if not np.all((low >= 0) & (high <= 1) & (low < high)):
        raise ArithmeticError("an interval leaves [0, 1], is not a number or has no width")


def inferred(
    area: Area, interval: Interval, resampled: IntervalMethod | None = None
) -> tuple[float, float]:
    """Return the limits of an area at the level; of resamples by their method."""
    found = infer_area(area, interval, AreaTest(LEVEL, "two-sided", np.nan), resampled)
    return found.ci_low, found.ci_high


AUC = Simulation(
    table=AUC_TABLE,
    shows="Coverage of every closed interval of an area, of three distributions.",
    cells=CELLS,
    rows=run_cell,
    replicates=4000,
    seed=20040316,
    ends=("seed",),
)
AUC_RESAMPLED = Simulation(
    table=RESAMPLED_TABLE,
    shows="Coverage of percentile and BCa intervals of an area, of the same distributions.",
    cells=CELLS,
    rows=partial(run_cell, family="auc_resampled"),
    replicates=2000,
    seed=20040316,
    ends=("seed",),
)
