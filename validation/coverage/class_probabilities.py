"""Coverage and size of average precision and probability scores of five classes, one of them rare.

Probabilities are drawn so that they are right and their true measures are known: those of a case
of class k are Dirichlet(a + e_k), e_k the k-th unit vector, so that all together are Dirichlet(a).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from scipy.integrate import trapezoid
from scipy.special import psi

import rocstats as rs
from rocstats.estimate.claim import read_claim
from rocstats.estimate.estimate import Result
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.inference.calibration.classes import (
    CLASS_SCORES,
    class_score_difference,
    class_score_result,
)
from rocstats.inference.precision_recall.classes import (
    MEAN_PRECISIONS,
    class_precisions,
    mean_precision_difference,
    mean_precision_results,
)
from rocstats.study.multiclass import MulticlassSample
from validation.bounds import too_high, too_low
from validation.coverage.several_classes import SHARES
from validation.simulation import (
    Bound,
    Simulation,
    batches,
    collect,
    columns_of,
    misses,
    share_error,
    stream,
)

TABLE = Path(__file__).with_name("class_probabilities.csv")
SEED = 20261128


@dataclass(frozen=True)
class ProbabilityCell:
    """Cases of five classes, and two classifiers that are equally good.

    ``total`` is the sum of a, in the ratio of the shares of the classes: the smaller, the nearer
    probabilities are to 0 and 1. They come from gamma variables, of which both classifiers share a
    part ``rho``. ``size`` is the number of cases of each cluster, whose members share their class
    and a part ``rho`` of what the classifiers share; 1: no clusters.
    """

    position: int
    mix: str
    n: int
    total: float
    size: int = 1
    rho: float = 0.5

    @property
    def share(self) -> FloatArray:
        """Probability of each class."""
        return np.array(SHARES[self.mix])

    @cached_property
    def truths(self) -> dict[str, float]:
        """True value of each measure."""
        p, a, total = self.share, self.total * self.share, self.total
        squares = float(np.sum(a * (a + 1))) / (total * (total + 1))
        brier = 1 - squares
        each, micro = self._average_precisions()
        return {
            "macro_average_precision": float(np.mean(each)),
            "weighted_average_precision": float(p @ each),
            "micro_average_precision": micro,
            "multiclass_brier_score": brier,
            "scaled_brier_score": 1 - brier / (1 - float(p @ p)),
            "log_score": float(psi(total + 1) - p @ psi(a + 1)),
        }

    def _average_precisions(self) -> tuple[FloatArray, float]:
        """Return the true average precision of each class, and that of all decisions."""
        a, b = self.total * self.share, self.total * (1 - self.share)
        own = [stats.beta(a + 1, b) for a, b in zip(a, b, strict=True)]
        all_cases = [stats.beta(a, b) for a, b in zip(a, b, strict=True)]
        u = np.linspace(0, 1, 4001)
        # From the highest probability down; at recall 0 the precision is 1.
        at = np.unique([one.ppf(u) for one in own])[::-1]
        found = np.array([p * one.sf(at) for p, one in zip(self.share, own, strict=True)])
        called = np.array([one.sf(at) for one in all_cases])

        def area(found: FloatArray, called: FloatArray) -> float:
            ratio = np.divide(found, called, out=np.ones_like(found), where=called > 0)
            return float(trapezoid(ratio, found / found[-1]))

        each = [area(*both) for both in zip(found, called, strict=True)]
        return np.array(each), area(found.sum(axis=0), called.sum(axis=0))

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
        """Return classes, two cases of each or more, and probabilities (2 x cases x classes)."""
        groups, classes = self.n // self.size, len(self.share)
        while True:
            of_group = rng.choice(classes, groups, p=self.share)
            if np.bincount(of_group, minlength=classes).min() > 1:
                break
        shapes = self.total * self.share + np.eye(classes)[of_group]
        codes, shape = np.repeat(of_group, self.size), np.repeat(shapes, self.size, axis=0)
        rho, within = self.rho, self.rho if self.size > 1 else 0.0
        common = rng.gamma(rho * (1 - within) * shape)
        if within:
            common += np.repeat(rng.gamma(rho * within * shapes), self.size, axis=0)
        parts = common + rng.gamma((1 - rho) * shape, size=(2, *shape.shape))
        return codes, parts / parts.sum(axis=2, keepdims=True)


SIZES = (50, 150, 500)
SETTINGS = [
    *((1.0, mix, n, 1) for mix, n in product(SHARES, SIZES)),
    (1.0, "rare", 300, 3),
    *((4.0, "rare", n, 1) for n in SIZES),
]
CELLS = [
    ProbabilityCell(position, mix, n, total, size)
    for position, (total, mix, n, size) in enumerate(SETTINGS)
]
BATCH = 100
LEVEL = 0.95


def answers_of(
    cell: ProbabilityCell, rng: np.random.Generator, number: int
) -> Iterator[dict[Any, tuple[float, ...]]]:
    """Yield the limits of the first classifier, and limits and p value of each difference."""
    # Samples are groups of one study, which is read once.
    drawn = [cell.draw(rng) for _ in range(number)]
    for _, part in study_of(cell, drawn).by_group():
        yield {
            key: (result.ci_low, result.ci_high, result.p_value)
            for key, result in results_of(part).items()
        }


def study_of(cell: ProbabilityCell, drawn: list[tuple[IntArray, FloatArray]]) -> rs.MulticlassStudy:
    """Return the study of some samples, each a group."""
    codes = np.concatenate([codes for codes, _ in drawn])
    first, second = np.concatenate([p for _, p in drawn], axis=1)
    return rs.MulticlassStudy(
        codes,
        {"first": first, "second": second},
        group=np.repeat(np.arange(len(drawn)), cell.n),
        cluster=np.arange(len(codes)) // cell.size if cell.size > 1 else None,
    )


def results_of(part: MulticlassSample) -> dict[tuple[str, str], Result]:
    """Return what the four questions answer about all classes, without the frames."""
    claim = read_claim(part, None, "difference", None, "two-sided", 0.0, "none", LEVEL)
    precisions = [class_precisions(part.cases, p) for p in (0, 1)]
    means = mean_precision_results(part, precisions[0], LEVEL)
    found: dict[tuple[str, str], Result] = {}
    for name, one in zip(MEAN_PRECISIONS, means, strict=True):
        found[name, "value"] = one
        gap = mean_precision_difference(part, precisions, (0, 1), name, claim)
        found[name, "difference"] = gap
    for score in CLASS_SCORES:
        found[score, "value"] = class_score_result(part.cases, 0, score, LEVEL)
        found[score, "difference"] = class_score_difference(part.cases, (0, 1), score, claim)
    return found


def run_probability_cell(cell: ProbabilityCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each value and for each difference; samples without limits do not count."""
    rng = stream(seed, cell.position)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        drawn = collect(
            answer
            for number in batches(replicates, BATCH)
            for answer in answers_of(cell, rng, number)
        )
    rows = []
    for (name, row), answers in drawn.items():
        low, high, p = answers[~np.isnan(answers[:, 0])].T
        truth = cell.truths[name] if row == "value" else 0.0
        covered = misses(low, high, truth)
        rows.append(
            {
                **columns_of(cell, "mix n total size"),
                "quantity": name,
                "row": row,
                "truth": round(truth, 8),
                "samples": len(low),
                **{key: round(float(value), 6) for key, value in covered.items()},
                "error": share_error(float(covered["coverage"]), len(low)),
                "width": round(float(np.mean(high - low)), 6),
                "rejected": round(float(np.mean(p < 0.05)), 6) if row == "difference" else np.nan,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size of average precision and scores of five classes, one of them rare.",
    cells=CELLS,
    rows=run_probability_cell,
    replicates=1000,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, 0.95, samples="samples"),
        Bound("rejected", too_high, 0.05, samples="samples"),
    ),
    ends=("shortfall",),
)
read_class_probabilities = SIMULATION.read
