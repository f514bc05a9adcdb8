"""Simulated coverage of limits of average precision in cohorts and in case-control studies.

Negatives are N(0, 1), positives N(shift, 1); the second predictor of a pair has the shift less .3
and the correlation .5 with the first in each class. In a cohort the class of each case is drawn; of
a case-control study the numbers of both are fixed, and the prevalence is known. Of "five-point"
scores the normal ones are cut at -.5, .5, 1 and 1.5.

``before`` and ``before_width`` are of the limits before: with the degrees of freedom of the numbers
of cases, in a cohort with its share of positives taken as known, of a case-control study whatever
the number of negatives. ``given`` says whether
there are limits now: where not, ``coverage`` is missing. The bound was set before the run: .93.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

import rocstats as rs
from rocstats.estimate.areas import areas_of_covariance
from rocstats.estimate.influence import contrast_df
from rocstats.estimate.precision import (
    PrecisionPrevalence,
    few_negatives_for_precision_codes,
    precision_area,
    precision_covariance,
    precision_covariance_and_df,
    precision_limits,
)
from rocstats.facts.arrays import FloatArray
from rocstats.study.cases import ScoredCases
from validation.coverage.average_precision import (
    LESS,
    PAIR,
    Limits,
    difference_of,
    draw_scores,
    true_value,
)
from validation.simulation import Bound, Simulation, collect, under

TABLE = Path(__file__).with_name("precision_sampling.csv")
SEED, LEVEL, BOUND = 20061201, 0.95, 0.93
POINTS = (-0.5, 0.5, 1.0, 1.5)


class Cell(NamedTuple):
    """Cases (in a cohort: expected ones), the prevalence, the shift and how scores are written."""

    sampling: str
    n_pos: int
    n_neg: int
    prevalence: float
    shift: float
    scores: str = "continuous"

    @property
    def at(self) -> PrecisionPrevalence:
        """How the question takes the prevalence."""
        return (
            PrecisionPrevalence(random=True)
            if self.sampling == "cohort"
            else PrecisionPrevalence(self.prevalence)
        )


def cohort(n_pos: int, n_neg: int, shift: float, scores: str = "continuous") -> Cell:
    """Return a cohort with its share of positives."""
    return Cell("cohort", n_pos, n_neg, n_pos / (n_pos + n_neg), shift, scores)


CELLS = (
    cohort(10, 90, 1.2), cohort(20, 81, 2.2), cohort(20, 380, 0.75), cohort(20, 380, 1.2),
    cohort(51, 949, 1.2), cohort(51, 949, 2.2), cohort(30, 270, 1.2, "five-point"),
    Cell("case-control", 50, 50, 0.02, 1.5), Cell("case-control", 200, 200, 0.1, 1.2),
    Cell("case-control", 50, 450, 0.1, 1.2), Cell("case-control", 21, 1030, 0.02, 1.5),
    Cell("case-control", 49, 2500, 0.02, 1.5), Cell("case-control", 51, 120, 0.3, 2.2),
)  # fmt: skip


def truth_of(cell: Cell, shift: float) -> float:
    """Return average precision in the population."""
    if cell.scores == "continuous":
        return true_value(shift, cell.prevalence)
    t, f = (norm.sf(np.array(POINTS[::-1]) - mean) for mean in (shift, 0.0))
    t, f = np.append(t, 1.0), np.append(f, 1.0)
    precision = cell.prevalence * t / (cell.prevalence * t + (1 - cell.prevalence) * f)
    return float(np.diff(t, prepend=0.0) @ precision)


def draw_cases(cell: Cell, rng: np.random.Generator) -> ScoredCases:
    """Return a sample with the scores of both predictors."""
    scores, positive = draw_scores(cell, rng, random=cell.sampling == "cohort")
    if cell.scores == "five-point":
        scores = np.searchsorted(POINTS, scores).astype(np.float64)
    return ScoredCases(scores=scores, is_positive=positive, higher_is_positive=(True, True))


def limits_of(
    cases: ScoredCases, at: PrecisionPrevalence, *, now: bool = True
) -> dict[str, Limits]:
    """Return estimate and limits of the first predictor and of the difference, now or before."""
    found = precision_covariance(cases, [0, 1], "average_precision", at)
    areas = areas_of_covariance(cases, found).each()
    # Before the degrees of freedom were those of cases, not of influence values.
    df = contrast_df([(PAIR, found.parts, found.part_df)])
    if now:
        areas[0] = precision_area(cases, 0, "average_precision", at)
        df = precision_covariance_and_df(cases, [0, 1], "average_precision", at)[1]
    low, high, *_ = precision_limits(areas[0], "logit-t", LEVEL)
    return {
        "average_precision": (areas[0].value, low, high),
        "difference": difference_of(areas, found.covariance, df),
    }


def gives_limits(cell: Cell) -> bool:
    """Return whether the question gives limits to samples of these numbers of cases."""
    y = np.repeat([1, 0], [cell.n_pos, cell.n_neg])
    return not few_negatives_for_precision_codes(rs.Study(y, np.arange(len(y))), cell.at)


def run_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a cell: the area, and the difference of two."""
    cell, rng = CELLS[position], np.random.default_rng([seed, position])

    def found() -> dict[str, tuple[float, ...]]:
        cases = draw_cases(cell, rng)
        if min(cases.n_pos, cases.n_neg) < 2:
            return {}
        known = PrecisionPrevalence() if cell.sampling == "cohort" else cell.at
        before = limits_of(cases, known, now=False)
        return {
            name: (*values, *before[name][1:]) for name, values in limits_of(cases, cell.at).items()
        }

    drawn = collect(found() for _ in range(replicates))
    first = truth_of(cell, cell.shift)
    truths = {"average_precision": first, "difference": first - truth_of(cell, cell.shift - LESS)}
    return [_row(cell, name, values, truths[name]) for name, values in drawn.items()]


def _row(cell: Cell, name: str, values: FloatArray, truth: float) -> dict[str, Any]:
    estimate, low, high, before_low, before_high = values.T
    given = gives_limits(cell)
    coverage = float(np.mean((low <= truth) & (truth <= high))) if given else np.nan
    return {
        **cell._asdict(),
        "quantity": name,
        "truth": truth,
        "mean": float(np.mean(estimate)),
        "given": given,
        "coverage": coverage,
        "before": float(np.mean((before_low <= truth) & (truth <= before_high))),
        "width": float(np.nanmean(high - low)) if given else np.nan,
        "before_width": float(np.nanmean(before_high - before_low)),
        "replicates": len(values),
    }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of limits of average precision in cohorts and in case-control studies.",
    cells=range(len(CELLS)),
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(Bound("coverage", under, BOUND),),
    ends=("shortfall",),
    digits=6,
)
read_sampling = SIMULATION.read
