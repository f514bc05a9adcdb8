"""Coverage under partial verification: Begg and Greenes from counts, weighted areas from scores.

The package has "logit" and "percentile" for weighted areas; "logit-t" and "effective-wilson" are
tried here with Kish's effective numbers. The rule was fixed before the run of 8000 data sets: an
interval passes if it covers at least its level less .02 in every cell. The shortest on average of
those that pass is the default unless "logit", the present one, passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

from rocstats.estimate.areas import estimate_areas
from rocstats.estimate.influence import satterthwaite
from rocstats.estimate.intervals import Area, ClassVariances, Interval, percentile_method
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_areas import (
    Probability,
    VerifiedCases,
    draw_verified_areas,
    inverse_weights,
)
from rocstats.facts.arrays import BoolArray, FloatArray, effective_size
from rocstats.inference.verification.rates import VerifiedCounts, verified_limits
from rocstats.study.sample import Sample
from validation.coverage.simulate import inferred, require_honest
from validation.simulation import Simulation, collect, columns_of, stream, tally

TABLE = Path(__file__).with_name("verification.csv")
SEED = 19830307
LEVEL = 0.95
N_RESAMPLES = 300
CUT = 0.0
SETTING = "n_cases prevalence verified_pos verified_neg"
INTERVALS: tuple[Interval, ...] = ("percentile", "logit", "logit-t", "effective-wilson")


@dataclass(frozen=True)
class RateCell:
    """N cases tested once; positives are verified always or often, negatives less.

    ``position`` is the key of the random numbers.
    """

    position: int
    n_cases: int
    prevalence: float
    tpr: float
    tnr: float
    verified_pos: float
    verified_neg: float

    def draw(self, rng: np.random.Generator, replicates: int) -> FloatArray:
        """Return tables (tp, fp, fn, tn verified; then positive and negative not verified)."""
        with_it, without = self.prevalence, 1 - self.prevalence
        cells = [
            with_it * self.tpr * self.verified_pos,
            without * (1 - self.tnr) * self.verified_pos,
            with_it * (1 - self.tpr) * self.verified_neg,
            without * self.tnr * self.verified_neg,
        ]
        positive = with_it * self.tpr + without * (1 - self.tnr)
        cells += [positive * (1 - self.verified_pos), (1 - positive) * (1 - self.verified_neg)]
        return rng.multinomial(self.n_cases, cells, size=replicates).astype(np.float64)


RATE_CELLS = tuple(
    RateCell(position, *setting)
    for position, setting in enumerate(
        (n, prevalence, tpr, tnr, 0.9, verified)
        for n, prevalence, (tpr, tnr), verified in product(
            (200, 1000), (0.1, 0.4), ((0.8, 0.7), (0.95, 0.9)), (0.1, 0.4)
        )
    )
)


def rate_limits_of(table: FloatArray) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the limits of one table; NaN where no verified case is of a kind."""
    tp, fp, fn, tn, more_pos, more_neg = table.tolist()
    n_pos, n_neg = tp + fp + more_pos, fn + tn + more_neg
    sides = {
        "tpr": VerifiedCounts(tp, fn, fp, tn, n_pos, n_neg),
        "tnr": VerifiedCounts(tn, fp, fn, tp, n_neg, n_pos),
    }
    return {(q, "begg-greenes/logit"): verified_limits(side, LEVEL) for q, side in sides.items()}


def run_rate_cell(cell: RateCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per rate and method.

    Tables without a verified case of each result and of each class have no rates; ``share_known``
    says how many have them.
    """
    rng = stream(seed, 0, cell.position)
    tables = cell.draw(rng, replicates)
    tp, fp, fn, tn = tables[:, :4].T
    known = (tp + fp > 0) & (fn + tn > 0) & (tp + fn > 0) & (fp + tn > 0)
    tables = tables[known]
    limits = collect(rate_limits_of(table) for table in tables)
    tp, fp, fn, tn = tables[:, :4].T
    for quantity, right, wrong in (("tpr", tp, fn), ("tnr", tn, fp)):
        low, high = binomial_limits_of_rates(
            right / (right + wrong), right + wrong, "wilson", LEVEL
        )
        limits[quantity, "verified-only/wilson"] = np.stack([low, high], axis=1)
    rows = []
    for (quantity, method), found in limits.items():
        require_honest(found)
        truth = cell.tpr if quantity == "tpr" else cell.tnr
        setting = columns_of(cell, SETTING)
        counted = {"replicates": replicates, "share_known": round(float(known.mean()), 6)}
        what = {"quantity": quantity, "truth": truth, "method": method, "n_resamples": 0}
        rows.append({**setting, **what, **counted, **tally(found, truth)})
    return rows


@dataclass(frozen=True)
class AreaCell:
    """Normal scores of an AUC; scores above 0 are verified more often than others."""

    position: int
    n_cases: int
    prevalence: float
    auc: float
    verified_pos: float
    verified_neg: float

    def draw(self, rng: np.random.Generator) -> tuple[BoolArray, FloatArray, FloatArray]:
        """Return classes, scores and chances of one data set."""
        y = rng.uniform(size=self.n_cases) < self.prevalence
        score = rng.standard_normal(self.n_cases) + np.sqrt(2) * ndtri(self.auc) * y
        chance = np.where(score > CUT, self.verified_pos, self.verified_neg)
        return y, score, chance


AREA_CELLS = tuple(
    AreaCell(position, *setting)
    for position, setting in enumerate(
        [(200, 0.4, 0.8, 0.9, 0.3), (200, 0.4, 0.95, 0.9, 0.3), (500, 0.2, 0.8, 0.9, 0.3)]
    )
)


def share_verified(score: Any, verified: Any) -> FloatArray:
    """Return the shares verified on both sides of the cut."""
    above = score > CUT
    shares = [verified[side].mean() if side.any() else 1.0 for side in (above, ~above)]
    return np.where(above, *shares)


def _probabilities(
    score: FloatArray, verified: BoolArray, chance: FloatArray
) -> dict[str, Probability]:
    """Return the chances of the rows of a resample, known and estimated."""
    return {
        "known": lambda rows: chance[rows],
        "estimated": lambda rows: share_verified(score[rows], verified[rows]),
    }


def verified_area(cases: VerifiedCases, weight: FloatArray, draws: FloatArray) -> Area:
    """Return the weighted area with the variance of its resamples and Kish's effective numbers.

    Each class has the part of the variance that its squared influence values have of their sum.
    """
    y, score = cases.is_positive, cases.scores[0]
    pos, neg = (weight[side] / weight[side].sum() for side in (y, ~y))
    kernel = (np.sign(np.subtract.outer(score[y], score[~y])) + 1) / 2
    value = float(pos @ kernel @ neg)
    variance = float(np.var(draws, ddof=1))
    squares = np.array([pos**2 @ (kernel @ neg - value) ** 2, neg**2 @ (pos @ kernel - value) ** 2])
    m, n = effective_size(pos), effective_size(neg)
    df = satterthwaite(squares, np.array([m - 1, n - 1]))
    share = float(np.sum(squares)) / variance
    worth = min(share, 1.0)
    spread = ClassVariances(m * worth, n * worth, *(squares / share))
    return Area(value, variance, df, m, n, min(m, n), spread)


def area_limits(
    cases: VerifiedCases, probability: Probability, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the limits of every interval from one set of draws."""
    weight = inverse_weights(cases, np.arange(cases.n_cases), probability)
    plan = ResamplePlan(N_RESAMPLES, seed)
    draws = draw_verified_areas(cases, probability, plan).values[0]
    area = verified_area(cases, weight, draws)
    return {
        word: inferred(area, word, percentile_method(draws) if word == "percentile" else None)
        for word in INTERVALS
    }


def run_area_cell(cell: AreaCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row per kind of chances and interval, and one of the verified alone."""
    rng = stream(seed, 1, cell.position)
    found: dict[str, list[tuple[float, float]]] = {}
    for number in range(replicates):
        y, score, chance = cell.draw(rng)
        verified = rng.uniform(size=cell.n_cases) < chance
        row = np.flatnonzero(verified)
        cases = VerifiedCases(cell.n_cases, row, y[row], score[np.newaxis, row], None)
        for name, probability in _probabilities(score, verified, chance).items():
            for interval, limits in area_limits(cases, probability, number).items():
                found.setdefault(f"{name}/{interval}", []).append(limits)
        alone = estimate_areas(Sample(y[row], score[row]).cases, [0]).take(0)
        found.setdefault("verified-only/logit", []).append(inferred(alone, "logit"))
    rows = []
    for method, drawn in found.items():
        both = np.array(drawn)
        require_honest(both)
        setting = columns_of(cell, SETTING)
        what = {"quantity": "auc", "truth": cell.auc, "method": method}
        counted = {"n_resamples": N_RESAMPLES, "replicates": replicates, "share_known": 1.0}
        rows.append({**setting, **what, **counted, **tally(both, cell.auc)})
    return rows


def run_cell(cell: RateCell | AreaCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a cell of either kind."""
    run = run_rate_cell if isinstance(cell, RateCell) else run_area_cell
    return run(cell, replicates, seed)  # type: ignore[arg-type]


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of rates and areas under partial verification, and of the verified alone.",
    cells=(*RATE_CELLS, *AREA_CELLS),
    rows=run_cell,
    replicates=lambda cell: 4000 if isinstance(cell, RateCell) else 8000,
    seed=SEED,
    ends=("seed",),
)
read_verification = SIMULATION.read
