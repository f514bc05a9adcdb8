"""Coverage of limits of average precision, PR AUC and paired differences of average precision.

Negatives are N(0, 1), positives N(shift, 1), with fixed numbers of both. The second predictor of a
pair has the shift less .3 and the correlation .5 with the first in each class. ``random`` draws the
class of each case. The truth is the integral of the precision of the populations over the recall.
The rule of shortfalls was fixed before the run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid
from scipy.stats import norm

from rocstats.estimate.areas import areas_of_covariance
from rocstats.estimate.claim import HypothesisPlan
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.intervals import LOGIT_LIMITS, Area, limits_of_area
from rocstats.estimate.precision import (
    AREAS,
    EffectiveCasesPrecisionLimits,
    PrecisionPrevalence,
    precision_covariance,
    precision_covariance_and_df,
    precision_limits,
)
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_statistics import draw_statistics
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.cases import ScoredCases
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, collect, columns_of, stream

TABLE = Path(__file__).with_name("average_precision.csv")
SEED, LEVEL = 20130451, 0.95
RESAMPLED, N_RESAMPLES = 100, 400
LESS, CORRELATION = 0.3, 0.5
_PLAN = HypothesisPlan(LEVEL, "two-sided", 0.0, "two-sided", ((0.0, "two-sided"),))
PAIR = np.array([1.0, -1.0])
Limits = tuple[float, float, float]
"""An estimate and both limits."""

_X = np.linspace(-9, 13, 44_001)


class PrecisionCell(NamedTuple):
    """Numbers of cases and the shift; ``position`` keys the streams."""

    position: int
    n_pos: int
    n_neg: int
    shift: float
    random: bool = False

    @property
    def prevalence(self) -> float:
        """Share of positives in the population."""
        return self.n_pos / (self.n_pos + self.n_neg)


_SIZES = ((10, 90), (20, 80), (20, 380), (50, 950), (25, 475), (150, 350))
_SHIFTS = (0.75, 1.2, 2.2)
_FIXED = [(m, n, shift, False) for m, n in _SIZES for shift in _SHIFTS]
_RANDOM = [(m, n, 1.2, True) for m, n in ((20, 80), (25, 475), (150, 350))]
CELLS = tuple(PrecisionCell(i, *cell) for i, cell in enumerate([*_FIXED, *_RANDOM]))


def true_value(shift: float, prevalence: float) -> float:
    """Return the area under the precision-recall curve of the populations."""
    # From the strictest threshold down; the trapezium rule in the recall.
    t, f = norm.sf(_X[::-1] - shift), norm.sf(_X[::-1])
    precision = prevalence * t / (prevalence * t + (1 - prevalence) * f)
    return float(trapezoid(precision, t) + t[0] * precision[0])


def draw_scores(
    cell: Any, rng: np.random.Generator, *, random: bool
) -> tuple[FloatArray, BoolArray]:
    """Return the scores of both predictors and the classes of a sample; classes may be drawn."""
    size = cell.n_pos + cell.n_neg
    positive: BoolArray = np.arange(size) < cell.n_pos
    if random:
        positive = rng.random(size) < cell.prevalence
    first, other = rng.standard_normal((2, size))
    second = CORRELATION * first + np.sqrt(1 - CORRELATION**2) * other
    scores = np.array([first + cell.shift * positive, second + (cell.shift - LESS) * positive])
    return scores, positive


def draw_cases(cell: PrecisionCell, rng: np.random.Generator) -> ScoredCases:
    """Return a sample with the scores of both predictors."""
    scores, positive = draw_scores(cell, rng, random=cell.random)
    return ScoredCases(scores=scores, is_positive=positive, higher_is_positive=(True, True))


def difference_of(areas: list[Area], covariance: FloatArray, df: float) -> Limits:
    """Return the difference of the average precision of both predictors, with its limits."""
    gap = infer_contrast(
        PAIR, areas, covariance, df, _PLAN, identical=False,
        boundary=EffectiveCasesPrecisionLimits(),
    )  # fmt: skip
    return gap.estimate, gap.ci_low, gap.ci_high


def limits_of(cell: PrecisionCell, cases: ScoredCases) -> dict[str, Limits]:
    """Return estimate and both limits by what they are of."""
    prevalence, found = PrecisionPrevalence(random=cell.random), {}
    both = precision_covariance(cases, [0, 1], "average_precision", prevalence)
    alone = precision_covariance(cases, [0], "pr_auc", prevalence)
    for quantity, result in zip(AREAS, (both, alone), strict=True):
        df = precision_covariance_and_df(cases, [0], quantity, prevalence)[1]
        area = areas_of_covariance(cases, result).take(0)._replace(df=df)
        for interval in ("logit-t", "logit"):
            low, high, *_ = precision_limits(area, interval, LEVEL)
            found[f"{quantity}/{interval}"] = area.value, low, high
    df = precision_covariance_and_df(cases, [0, 1], "average_precision", prevalence)[1]
    found["difference/wald-t"] = difference_of(
        areas_of_covariance(cases, both).each(), both.covariance, df
    )
    return found


def resampled_limits(cases: ScoredCases, plan: ResamplePlan) -> Limits:
    """Return average precision with the logit limits of the bootstrap; none where all agree."""
    counts = cases.counts(0)
    value = float(AREAS["average_precision"](counts.n_pos, counts.n_neg))
    draws = draw_statistics(cases, 0, [AREAS["average_precision"]], plan).values[0]
    if not 0 < value < 1 or np.ptp(draws) == 0:
        return value, np.nan, np.nan
    area = Area(value, float(np.var(draws, ddof=1)), np.inf, np.nan, np.nan, np.nan)
    return value, *limits_of_area(LOGIT_LIMITS, area, LEVEL, "two-sided")


def run_precision_cell(
    cell: PrecisionCell, replicates: int, resampled: int, seed: int
) -> list[dict[str, Any]]:
    """Return the rows of a cell, one for each kind of limits; some samples are resampled."""
    rng = stream(seed, cell.position)

    def found(number: int) -> dict[str, Limits]:
        cases = draw_cases(cell, rng)
        if cases.n_pos < 2:
            return {}
        limits = limits_of(cell, cases)
        if number < resampled and not cell.random:
            plan = ResamplePlan(N_RESAMPLES, seed + number)
            limits["average_precision/bootstrap-logit"] = resampled_limits(cases, plan)
        return limits

    drawn = collect(found(number) for number in range(replicates))
    first = true_value(cell.shift, cell.prevalence)
    gap = first - true_value(cell.shift - LESS, cell.prevalence)
    return [
        _row(cell, word, values, gap if word.startswith("difference") else first)
        for word, values in drawn.items()
    ]


def _row(cell: PrecisionCell, word: str, values: FloatArray, truth: float) -> dict[str, Any]:
    known = np.isfinite(values[:, 1])
    estimate, low, high = values[known].T
    coverage = float(np.mean((low <= truth) & (truth <= high)))
    quantity, _, interval = word.partition("/")
    return {
        **columns_of(cell, "n_pos n_neg shift random"),
        "quantity": quantity,
        "limits": interval,
        "truth": round(truth, 9),
        "replicates": len(estimate),
        "coverage": round(coverage, 6),
        "miss_low": round(float(np.mean(truth < low)), 6),
        "miss_high": round(float(np.mean(truth > high)), 6),
        "bias": round(float(values[:, 0].mean() - truth), 6),
        "mean_width": round(float(np.mean(high - low)), 6),
        "first_widths": round(float(np.mean((high - low)[:3])), 9),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of average precision, PR AUC and differences of two predictors.",
    cells=CELLS,
    rows=partial(run_precision_cell, resampled=RESAMPLED),
    replicates=1500,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL),),
    ends=("seed", "shortfall"),
)
read_precision = SIMULATION.read
