"""Coverage of limits of average precision, PR AUC and paired differences of average precision.

Negatives are N(0, 1), positives N(shift, 1), with fixed numbers of both. The second predictor of a
pair has the shift less .3 and the correlation .5 with the first in each class. ``random`` draws the
class of each case. The truth is the integral of the precision of the populations over the recall.
The rule of shortfalls was fixed before the run: docs/methods/simulation.md, "Shortfalls".

Run: python -m validation.coverage.average_precision
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
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

TABLE = Path(__file__).with_name("average_precision.csv")
SEED, LEVEL = 20130451, 0.95
REPLICATES, RESAMPLED, N_RESAMPLES = 1500, 100, 400
LESS, CORRELATION = 0.3, 0.5
_PLAN = HypothesisPlan(LEVEL, "two-sided", 0.0, "two-sided", ((0.0, "two-sided"),))
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


def draw_cases(cell: PrecisionCell, rng: np.random.Generator) -> ScoredCases:
    """Return a sample with the scores of both predictors."""
    size = cell.n_pos + cell.n_neg
    positive: BoolArray = np.arange(size) < cell.n_pos
    if cell.random:
        positive = rng.random(size) < cell.prevalence
    first, other = rng.standard_normal((2, size))
    second = CORRELATION * first + np.sqrt(1 - CORRELATION**2) * other
    scores = np.array([first + cell.shift * positive, second + (cell.shift - LESS) * positive])
    return ScoredCases(scores=scores, is_positive=positive, higher_is_positive=(True, True))


def limits_of(cell: PrecisionCell, cases: ScoredCases) -> dict[str, tuple[float, float, float]]:
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
    pair = np.array([1.0, -1.0])
    df = precision_covariance_and_df(cases, [0, 1], "average_precision", prevalence)[1]
    gap = infer_contrast(
        pair, areas_of_covariance(cases, both).each(), both.covariance, df, _PLAN, identical=False,
        boundary=EffectiveCasesPrecisionLimits(),
    )  # fmt: skip
    found["difference/wald-t"] = gap.estimate, gap.ci_low, gap.ci_high
    return found


def resampled_limits(cases: ScoredCases, plan: ResamplePlan) -> tuple[float, float, float]:
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
    """Return the rows of a cell, one for each kind of limits."""
    key = np.random.SeedSequence(seed, spawn_key=(cell.position,))
    rng = np.random.Generator(np.random.PCG64(key))
    drawn: dict[str, list[tuple[float, float, float]]] = {}
    for number in range(replicates):
        cases = draw_cases(cell, rng)
        if cases.n_pos < 2:
            continue
        found = limits_of(cell, cases)
        if number < resampled and not cell.random:
            plan = ResamplePlan(N_RESAMPLES, seed + number)
            found["average_precision/bootstrap-logit"] = resampled_limits(cases, plan)
        for word, values in found.items():
            drawn.setdefault(word, []).append(values)
    first = true_value(cell.shift, cell.prevalence)
    gap = first - true_value(cell.shift - LESS, cell.prevalence)
    return [
        _row(cell, word, np.array(values), gap if word.startswith("difference") else first, seed)
        for word, values in drawn.items()
    ]


def _row(
    cell: PrecisionCell, word: str, values: FloatArray, truth: float, seed: int
) -> dict[str, Any]:
    known = np.isfinite(values[:, 1])
    estimate, low, high = values[known].T
    coverage = float(np.mean((low <= truth) & (truth <= high)))
    quantity, _, interval = word.partition("/")
    return {
        "n_pos": cell.n_pos,
        "n_neg": cell.n_neg,
        "shift": cell.shift,
        "random": cell.random,
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
        "seed": seed,
        "shortfall": bool(too_low(coverage, LEVEL, len(estimate))),
    }


def read_precision() -> pd.DataFrame:
    """Return the committed simulation, a row per cell and kind of limits."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.coverage.average_precision", description=__doc__
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the replicates")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    asked = parser.parse_args()
    number, resampled = (round(asked.share * size) for size in (REPLICATES, RESAMPLED))
    rows = pd.DataFrame(
        [row for cell in CELLS for row in run_precision_cell(cell, number, resampled, SEED)]
    )
    rows.to_csv(asked.output, index=False, lineterminator="\n")
    index = ["n_pos", "n_neg", "shift", "random", "truth"]
    print(rows.assign(w=rows["quantity"] + "/" + rows["limits"]).pivot_table(
        index=index[:4], columns="w", values="coverage").to_string())  # fmt: skip


if __name__ == "__main__":
    main()
