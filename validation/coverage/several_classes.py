"""Coverage and size of five summaries of areas and of measures of calls, with a rare class."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri

import rocstats as rs
from rocstats.estimate.classes import MULTICLASS_METHODS
from rocstats.facts.arrays import FloatArray, IntArray
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

TABLE = Path(__file__).with_name("several_classes.csv")
SEED = 20261127
MEASURES = (
    "accuracy", "balanced_accuracy", "kappa", "mcc", "macro_ppv", "macro_f1", "weighted_ppv",
    "weighted_f1", "top_k_accuracy=2",
)  # fmt: skip
SHARES = {"rare": (0.40, 0.30, 0.15, 0.10, 0.05), "even": (0.2,) * 5}


@dataclass(frozen=True)
class CallCell:
    """Cases of five classes, and two classifiers that are equally good.

    The score for a class is N(0, 1) but for its own cases, whose mean is that of an area ``auc``,
    and for those of the next class, whose mean is half of it. Scores of both classifiers have the
    correlation ``rho``. ``size`` is the number of cases of each cluster, whose members share a part
    ``rho`` of the variance of their scores and their class; 1: no clusters.
    """

    position: int
    mix: str
    n: int
    auc: float
    size: int = 1
    rho: float = 0.5

    @cached_property
    def means(self) -> FloatArray:
        """Means of the score for each class (rows) in the cases of each class (columns)."""
        own = np.eye(len(self.share))
        shift = float(np.sqrt(2) * ndtri(self.auc))
        return np.asarray(shift * (own + 0.5 * np.roll(own, 1, axis=1)))

    @property
    def share(self) -> FloatArray:
        """Probability of each class."""
        return np.array(SHARES[self.mix])

    @property
    def table(self) -> FloatArray:
        """True shares of cases by class (rows) and by the class that they are called."""
        x = np.linspace(-9, 12, 8001)[:, np.newaxis]
        below = [ndtr(x - of_class) for of_class in self.means.T]
        density = [np.exp(-((x - m) ** 2) / 2) / np.sqrt(2 * np.pi) for m in self.means.T]
        # A class is called where its score is x and all others are below.
        called = [
            trapezoid(d * b.prod(axis=1, keepdims=True) / b, dx=21 / 8000, axis=0)
            for d, b in zip(density, below, strict=True)
        ]
        return np.asarray(self.share[:, np.newaxis] * np.array(called))

    @property
    def second(self) -> float:
        """True share of cases whose class has the highest score or the second highest."""
        x = np.linspace(-9, 12, 8001)
        found = 0.0
        for k, means in enumerate(self.means.T):
            others = ndtr(x[:, np.newaxis] - np.delete(means, k))
            none_above = others.prod(axis=1)
            one_above = (none_above[:, np.newaxis] / others * (1 - others)).sum(axis=1)
            density = np.exp(-((x - means[k]) ** 2) / 2) / np.sqrt(2 * np.pi)
            found += self.share[k] * trapezoid(density * (none_above + one_above), x)
        return float(found)

    def truths(self) -> dict[str, float]:
        """Return the true value of each summary and of each measure."""
        table, p = self.table, self.share
        right, called = np.diag(table), table.sum(axis=0)
        chance, ppv, f1 = float(p @ called), right / called, 2 * right / (p + called)
        accuracy = float(right.sum())
        return {
            **self.areas(),
            "accuracy": accuracy,
            "balanced_accuracy": float(np.mean(right / p)),
            "kappa": (accuracy - chance) / (1 - chance),
            "mcc": (accuracy - chance) / float(np.sqrt((1 - p @ p) * (1 - called @ called))),
            "macro_ppv": float(ppv.mean()),
            "macro_f1": float(f1.mean()),
            "weighted_ppv": float(p @ ppv),
            "weighted_f1": float(p @ f1),
            "top_k_accuracy=2": self.second,
        }

    def areas(self) -> dict[str, float]:
        """Return the true summaries of the areas."""
        p, classes = self.share, range(len(self.share))
        # Of a class k against class j, by the scores for k.
        pair = ndtr((np.diag(self.means)[:, np.newaxis] - self.means) / np.sqrt(2))
        pairs = [(i, j) for i in classes for j in classes if i < j]
        of_pair = np.array([(pair[i, j] + pair[j, i]) / 2 for i, j in pairs])
        rest = np.array([np.delete(p, k) @ np.delete(pair[k], k) / (1 - p[k]) for k in classes])
        pooled = sum(
            p[k]
            * p[j]
            * ndtr((self.means[k, k] - np.delete(self.means[:, j], j)) / np.sqrt(2)).mean()
            for k in classes
            for j, others in enumerate(np.delete(self.means[:, j], j) for j in classes)
        )
        return {
            "ovo-macro": float(of_pair.mean()),
            "ovo-weighted": float(np.average(of_pair, weights=[p[i] + p[j] for i, j in pairs])),
            "ovr-macro": float(rest.mean()),
            "ovr-weighted": float(p @ rest),
            "micro": float(pooled),
        }

    def draw(self, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
        """Return classes and scores (classifiers x cases x classes), two cases a class or more."""
        groups = self.n // self.size
        while True:
            of_group = rng.choice(len(self.share), groups, p=self.share)
            if np.bincount(of_group, minlength=len(self.share)).min() > 1:
                break
        codes = np.repeat(of_group, self.size)
        parts = rng.standard_normal((3, self.n, len(self.share)))
        common = parts[0]
        if self.size > 1:
            shared = np.repeat(rng.standard_normal((groups, len(self.share))), self.size, axis=0)
            common = np.sqrt(self.rho) * shared + np.sqrt(1 - self.rho) * common
        noise = np.sqrt(self.rho) * common + np.sqrt(1 - self.rho) * parts[1:]
        return codes, self.means.T[codes] + noise


SIZES, AUCS = (60, 150, 500), (0.8, 0.95)
SINGLE = [
    CallCell(position, mix, n, auc)
    for position, (mix, n, auc) in enumerate(product(SHARES, SIZES, AUCS))
]
CELLS = (*SINGLE, CallCell(len(SINGLE), "rare", 300, 0.8, 3))


def answers_of(cell: CallCell, rng: np.random.Generator) -> dict[Any, tuple[float, ...]]:
    """Return the limits of the first classifier, and limits and p value of each difference."""
    codes, (first, second) = cell.draw(rng)
    cluster = np.arange(cell.n) // cell.size if cell.size > 1 else None
    labels = [str(k) for k in range(len(cell.share))]
    study = rs.MulticlassStudy(
        codes.astype(str), {"first": first, "second": second}, labels=labels, cluster=cluster
    )
    found: dict[Any, tuple[float, ...]] = {}
    for method in MULTICLASS_METHODS:
        areas = study.auc(method=method)
        row = areas[(areas["class"] == "all") & (areas["predictor"] == "first")].iloc[0]
        found[method, "value"] = row["ci_low"], row["ci_high"], np.nan
        gap = study.compare_auc(method=method).iloc[0]
        found[method, "difference"] = gap["ci_low"], gap["ci_high"], gap["p_value"]
    points = study.operating_points(quantities=MEASURES)
    points = points[points["predictor"] == "first"].set_index("quantity")
    gaps = study.compare_operating_points(quantities=MEASURES).set_index("quantity")
    for name in MEASURES:
        found[name, "value"] = *points.loc[name, ["ci_low", "ci_high"]], np.nan
        difference = gaps.loc[[f"{name}_difference"]].iloc[0]
        found[name, "difference"] = tuple(difference[["ci_low", "ci_high", "p_value"]])
    return found


def run_call_cell(cell: CallCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each value and for each difference; samples without limits do not count."""
    rng, truths = stream(seed, cell.position), cell.truths()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        drawn = collect(answers_of(cell, rng) for _ in range(replicates))
    rows = []
    for (name, row), answers in drawn.items():
        low, high, p = answers[~np.isnan(answers[:, 0])].T
        samples = len(low)
        truth = truths[name] if row == "value" else 0.0
        covered = misses(low, high, truth)
        rows.append(
            {
                **columns_of(cell, "mix n auc size"),
                "quantity": name,
                "row": row,
                "truth": round(truth, 8),
                "samples": samples,
                **{key: round(float(value), 6) for key, value in covered.items()},
                "error": share_error(float(covered["coverage"]), samples),
                "width": round(float(np.mean(high - low)), 6),
                "rejected": round(float(np.mean(p < 0.05)), 6) if row == "difference" else np.nan,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size for five classes, one of them rare in some cells.",
    cells=CELLS,
    rows=run_call_cell,
    replicates=1000,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, 0.95, samples="samples"),
        Bound("rejected", too_high, 0.05, samples="samples"),
    ),
    ends=("shortfall",),
)
read_several_classes = SIMULATION.read
