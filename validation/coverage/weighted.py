"""Coverage of percentile limits of weighted cases: areas, rates, F1, and their differences.

Cases are sampled with unequal probabilities from a population and weigh the inverse of these. In
each class there are two strata, common and rare, and the rare one has lower scores. The bounds were
set before the run: docs/methods/simulation.md, "Shortfalls".
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

import rocstats as rs
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.measures import base_of
from validation.bounds import too_high, too_low
from validation.simulation import (
    Bound,
    Simulation,
    collect,
    columns_of,
    misses,
    share_error,
    stream,
)

TABLE = Path(__file__).with_name("weighted.csv")
SEED, N_RESAMPLES = 20261127, 399
PREVALENCE = 0.2
LOWER = 0.5
"""How much lower the scores of the rare stratum are, in standard deviations."""
EDGES = np.array([-0.5, 0.3, 1.0, 1.8])
"""Ends of the five categories of tied scores; the rule calls scores from ``EDGES[2]`` on."""
SPREADS = {"moderate": 0.3, "strong": 0.1}
"""Share of the rare stratum in the population; it is half of the sample."""


@dataclass(frozen=True)
class WeightedCell:
    """``n`` cases of which about a share ``sampled`` is positive, of the population ``PREVALENCE``.

    The first predictor has the area ``auc``, and the second one the same: both are correlated by
    1/2. ``tied`` scores are five categories. The sizes of class and stratum are multinomial.
    """

    position: int
    n: int
    sampled: float
    auc: float
    spread: str
    tied: bool

    @property
    def rare(self) -> float:
        """Share of the rare stratum in the population."""
        return SPREADS[self.spread]

    def means(self, shift: float) -> FloatArray:
        """Mean scores by class (negatives, positives) and stratum (common, rare)."""
        return np.array([[0.0, -LOWER], [shift, shift - LOWER]])

    def area(self, shift: float) -> float:
        """Return the area in the population, at a shift of the positives."""
        share = np.array([1 - self.rare, self.rare])
        neg, pos = self.means(shift)
        if not self.tied:
            above = ndtr((pos[:, np.newaxis] - neg) / np.sqrt(2))
            return float(share @ above @ share)
        cells = [share @ np.diff(self._below(mean), axis=1) for mean in (neg, pos)]
        of_neg, of_pos = cells
        lower = np.cumsum(of_neg) - of_neg
        return float(of_pos @ (lower + of_neg / 2))

    @staticmethod
    def _below(mean: FloatArray) -> FloatArray:
        """Return the distribution function of each stratum at the ends of the categories."""
        ends = np.concatenate([[-np.inf], EDGES, [np.inf]])
        return np.asarray(ndtr(ends - mean[:, np.newaxis]))

    @cached_property
    def shift(self) -> float:
        """Shift of the positives that gives the area."""
        return float(brentq(lambda shift: self.area(shift) - self.auc, 0, 8))

    def truths(self) -> dict[str, float]:
        """Return the true values in the population."""
        share = np.array([1 - self.rare, self.rare])
        fpr, tpr = (float(share @ ndtr(mean - EDGES[2])) for mean in self.means(self.shift))
        hit, false = PREVALENCE * tpr, (1 - PREVALENCE) * fpr
        return {"auc": self.auc, "tpr": tpr, "tnr": 1 - fpr,
                "f1": 2 * hit / (hit + false + PREVALENCE)}  # fmt: skip

    def draw(self, rng: np.random.Generator) -> tuple[BoolArray, FloatArray, FloatArray]:
        """Return labels, scores (2 x n) and weights; each class has two cases or more."""
        while True:
            positive = rng.random(self.n) < self.sampled
            if 1 < positive.sum() < self.n - 1:
                break
        rare: IntArray = rng.integers(0, 2, self.n)
        parts = rng.standard_normal((3, self.n))
        mean = self.means(self.shift)[positive.astype(int), rare]
        scores = np.sqrt(0.5) * (parts[0] + parts[1:]) + mean
        if self.tied:
            scores = np.searchsorted(EDGES, scores, "right").astype(float)
        of_class = np.where(
            positive, PREVALENCE / self.sampled, (1 - PREVALENCE) / (1 - self.sampled)
        )
        return positive, scores, of_class * np.where(rare == 1, self.rare, 1 - self.rare) / 0.5


SETTINGS = [
    (n, sampled, auc, spread, False)
    for n, sampled in ((60, 0.5), (200, 0.1), (400, 0.25))
    for auc in (0.7, 0.97)
    for spread in SPREADS
] + [(200, 0.1, auc, "moderate", True) for auc in (0.7, 0.97)]
CELLS = tuple(WeightedCell(position, *setting) for position, setting in enumerate(SETTINGS))
QUANTITIES = ("tpr", "tnr", "f1")


def answers_of(cell: WeightedCell, rng: np.random.Generator) -> dict[Any, tuple[float, ...]]:
    """Return limits and p value of each value of the first predictor, and of each difference."""
    positive, (first, second), weight = cell.draw(rng)
    study = rs.Study(positive, {"first": first, "second": second}, sample_weight=weight)
    alone = rs.Study(positive, {"first": first}, sample_weight=weight)
    asked: dict[str, Any] = {"interval": "percentile", "n_resamples": N_RESAMPLES}
    seed = int(rng.integers(2**31))
    at = 3.0 if cell.tied else float(EDGES[2])
    found: dict[Any, tuple[float, ...]] = {}
    area = alone.auc(**asked, rng=seed).iloc[0]
    found["auc", "value"] = area["ci_low"], area["ci_high"], np.nan
    gap = study.compare_auc(**asked, rng=seed).iloc[0]
    found["auc", "difference"] = gap["ci_low"], gap["ci_high"], gap["p_value"]
    points = alone.operating_points(threshold=at, quantities=QUANTITIES, **asked, rng=seed)
    gaps = study.compare_operating_points(threshold=at, quantities=QUANTITIES, **asked, rng=seed)
    for name, low, high in points[["quantity", "ci_low", "ci_high"]].to_numpy():
        found[name, "value"] = low, high, np.nan
    for word, *limits in gaps[["quantity", "ci_low", "ci_high", "p_value"]].to_numpy():
        found[base_of(word), "difference"] = tuple(limits)
    return found


def run_weighted_cell(cell: WeightedCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each value and for each difference; samples without limits do not count."""
    rng, truths = stream(seed, cell.position), cell.truths()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        drawn = collect(answers_of(cell, rng) for _ in range(replicates))
    rows = []
    for (name, row), answers in drawn.items():
        answers = answers.astype(float)
        low, high, p = answers[~np.isnan(answers[:, 0])].T
        truth, samples = truths[name] if row == "value" else 0.0, len(low)
        covered = misses(low, high, truth)
        rows.append(
            {
                **columns_of(cell, "n sampled auc spread tied"),
                "quantity": name,
                "row": row,
                "truth": round(truth, 8),
                "samples": samples,
                **{key: round(float(value), 6) for key, value in covered.items()},
                "error": share_error(float(covered["coverage"]), samples),
                "width": round(float(np.mean(high - low)), 6),
                "least_width": round(float(np.min(high - low)), 6),
                "rejected": round(float(np.mean(p < 0.05)), 6) if row == "difference" else np.nan,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of percentile limits of cases weighted by the inverse of a sampling"
    " probability, and size of the tests of their differences.",
    cells=CELLS,
    rows=run_weighted_cell,
    replicates=1000,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, 0.95, samples="samples"),
        Bound("rejected", too_high, 0.05, samples="samples"),
    ),
    ends=("shortfall",),
)
read_weighted = SIMULATION.read
