"""Coverage and size of summaries over five correlated labels, one of them rare.

Labels are cuts of normal variables with a common part of the variance (``share``), scores are
normal with a mean that is higher in cases with the label, and a common part ``share`` too. Two
classifiers are equally good. Bounds were set before the run: docs/methods/simulation.md,
"Shortfalls".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri

from rocstats.estimate.areas import infer_area, read_area_test
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.labels import (
    LABEL_AVERAGES,
    auc_influence,
    average_precision_influence,
    label_summary,
)
from rocstats.estimate.paired_tables import mover_measure_difference
from rocstats.estimate.precision import precision_limits
from rocstats.estimate.shares import MeasureDifference
from rocstats.facts.arrays import Factor, FloatArray
from rocstats.inference.classes.calls import called_limits, estimated_measure
from rocstats.inference.classes.label_points import call_labels, label_measures
from rocstats.study.cases import LabelCases
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

TABLE = Path(__file__).with_name("labels.csv")
SEED, LEVEL = 20261127, 0.95
PREVALENCES = {"rare": (0.5, 0.3, 0.2, 0.1, 0.05), "even": (0.2,) * 5}
AUCS = np.array([0.9, 0.85, 0.8, 0.75, 0.85])
MEASURES = (
    "macro_tpr", "macro_ppv", "macro_f1", "micro_tpr", "micro_ppv", "micro_f1", "weighted_f1",
    "hamming_loss",
)  # fmt: skip
_TEST = read_area_test(LEVEL, "two-sided", None)
_PLAN = read_hypothesis("difference", None, "two-sided", 0.0, LEVEL)
_ABOVE = 0.5  # of a threshold over the mean score of cases without the label


@dataclass(frozen=True)
class LabelCell:
    """Cases with five labels; ``size`` is the number of cases of each cluster (1: no clusters).

    Members of a cluster have a part ``share`` of the common variables of labels and scores in
    common.
    """

    position: int
    mix: str
    n: int
    share: float
    size: int = 1

    @property
    def prevalence(self) -> FloatArray:
        """Probability of each label."""
        return np.array(PREVALENCES[self.mix])

    @property
    def shift(self) -> FloatArray:
        """How much higher the mean score is in cases with the label."""
        return np.asarray(np.sqrt(2) * ndtri(AUCS))

    @property
    def offset(self) -> FloatArray:
        """Mean score of cases without the label: scores of rare labels are lower."""
        return np.asarray(0.5 * ndtri(self.prevalence))

    def truths(self) -> dict[str, float]:
        """Return the true value of each summary and of each measure."""
        p, shift, offset = self.prevalence, self.shift, self.offset
        share = p / p.sum()
        # Of a case with label k against one without label j, by the scores for each.
        pooled = ndtr((shift + offset)[:, np.newaxis] / np.sqrt(2) - offset / np.sqrt(2))
        precision = [self._precision([k]) for k in range(len(p))]
        tpr, called_wrongly = ndtr(shift - _ABOVE), (1 - p) * ndtr(-_ABOVE)
        right = p * tpr
        called = right + called_wrongly
        f1 = 2 * right / (p + called)
        return {
            "macro auc": float(AUCS.mean()),
            "weighted auc": float(share @ AUCS),
            "micro auc": float(share @ pooled @ ((1 - p) / (1 - p).sum())),
            "macro average_precision": float(np.mean(precision)),
            "weighted average_precision": float(share @ precision),
            "micro average_precision": self._precision(list(range(len(p)))),
            "macro_tpr": float(tpr.mean()),
            "macro_ppv": float((right / called).mean()),
            "macro_f1": float(f1.mean()),
            "micro_tpr": float(right.sum() / p.sum()),
            "micro_ppv": float(right.sum() / called.sum()),
            "micro_f1": float(2 * right.sum() / (p + called).sum()),
            "weighted_f1": float(share @ f1),
            "hamming_loss": float((p - right + called_wrongly).mean()),
        }

    def _precision(self, labels: list[int]) -> float:
        """Return the average precision of the decisions on some labels."""
        x = np.linspace(-9, 9, 20_001)[:, np.newaxis]
        p, low = self.prevalence[labels], self.offset[labels]
        high = low + self.shift[labels]
        above = (p * ndtr(high - x)).sum(axis=1)
        others = ((1 - p) * ndtr(low - x)).sum(axis=1)
        density = (p * np.exp(-((x - high) ** 2) / 2)).sum(axis=1) / np.sqrt(2 * np.pi) / p.sum()
        return float(trapezoid(density * above / (above + others), x[:, 0]))

    def draw(self, rng: np.random.Generator) -> LabelCases:
        """Return cases with two or more of each label, scored by two classifiers."""
        shape = (self.n, len(self.prevalence))
        while True:
            has = self._correlated(rng, shape) < ndtri(self.prevalence)
            if has.sum(axis=0).min() > 1:
                break
        both = self._correlated(rng, shape)
        noise = np.sqrt(0.5) * both + np.sqrt(0.5) * np.stack(
            [self._correlated(rng, shape) for _ in range(2)]
        )
        scores = self.offset + self.shift * has + noise
        codes = np.arange(self.n) // self.size
        cluster = Factor(tuple(map(str, range(codes[-1] + 1))), codes) if self.size > 1 else None
        return LabelCases(
            scores=np.ascontiguousarray(scores.transpose(0, 2, 1)),
            has_label=np.ascontiguousarray(np.asarray(has, dtype=bool).T),
            cluster=cluster,
        )

    def _correlated(self, rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        """Return standard normal variables, correlated in a row and, through it, in a cluster."""
        row = rng.standard_normal((shape[0], 1))
        if self.size > 1:
            group = np.repeat(rng.standard_normal((shape[0] // self.size, 1)), self.size, axis=0)
            row = np.sqrt(self.share) * group + np.sqrt(1 - self.share) * row
        own = rng.standard_normal(shape)
        return np.asarray(np.sqrt(self.share) * row + np.sqrt(1 - self.share) * own)


_SETTINGS = [
    *((mix, n, 0.6, 1) for mix, n in product(PREVALENCES, (50, 150, 500))),
    ("rare", 150, 0.0, 1),
    ("rare", 300, 0.6, 3),
]
CELLS = tuple(LabelCell(position, *setting) for position, setting in enumerate(_SETTINGS))
Answer = tuple[tuple[str, str], tuple[float, float, float]]
"""Quantity and row ("value" or "difference"), with both limits and the P value."""


def answers_of(cases: LabelCases) -> Iterator[Answer]:
    """Yield the limits of the first classifier, and limits and p value of the difference."""
    weights = np.array([1.0, -1.0])
    for average in LABEL_AVERAGES:
        summary = label_summary(cases, average, auc_influence)
        areas = [summary.of(p) for p in range(2)]
        one = infer_area(areas[0], "logit-t", _TEST)
        yield (f"{average} auc", "value"), (one.ci_low, one.ci_high, np.nan)
        df = summary.df(weights)
        gap = infer_contrast(weights, areas, summary.covariance, df, _PLAN, identical=False)
        yield (f"{average} auc", "difference"), (gap.ci_low, gap.ci_high, gap.p_value)
        precision = label_summary(cases, average, average_precision_influence).of(0)
        low, high, *_ = precision_limits(precision, "logit-t", LEVEL)
        yield (f"{average} average_precision", "value"), (low, high, np.nan)


def measures_of(cell: LabelCell, cases: LabelCases) -> Iterator[Answer]:
    """Yield the same of measures of the called labels."""
    calls = [call_labels(cases, p, cell.offset + _ABOVE) for p in range(2)]
    for first, second in zip(*(label_measures(one, MEASURES) for one in calls), strict=True):
        if np.isnan(first.value) or np.isnan(second.value):
            continue
        _, low, high, _ = called_limits(cases, first, LEVEL)
        yield (first.quantity, "value"), (low, high, np.nan)
        one, other = (estimated_measure(cases, each) for each in (first, second))
        gap = mover_measure_difference(MeasureDifference(one, other, paired=True), _PLAN, "")
        yield (first.quantity, "difference"), (gap.ci_low, gap.ci_high, gap.p_value)


def run_label_cell(cell: LabelCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each value and for each difference; samples without limits do not count."""
    rng, truths = stream(seed, cell.position), cell.truths()

    def sample() -> dict[Any, Any]:
        cases = cell.draw(rng)
        return dict([*answers_of(cases), *measures_of(cell, cases)])

    rows = []
    for (name, row), answers in collect(sample() for _ in range(replicates)).items():
        low, high, p = answers[~np.isnan(answers[:, 0])].T
        truth, samples = truths[name] if row == "value" else 0.0, len(low)
        covered = misses(low, high, truth)
        rows.append(
            {
                **columns_of(cell, "mix n share size"),
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
    shows="Coverage and size of summaries over five correlated labels, one rare in some cells.",
    cells=CELLS,
    rows=run_label_cell,
    replicates=500,
    seed=SEED,
    bounds=(
        Bound("coverage", too_low, LEVEL, samples="samples"),
        Bound("rejected", too_high, 0.05, samples="samples"),
    ),
    ends=("shortfall",),
)
read_labels = SIMULATION.read
