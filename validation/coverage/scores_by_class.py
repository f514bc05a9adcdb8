"""Simulated coverage of probability scores at a prevalence, of cases sampled by class.

Models and cells are those of ``calibration_by_class``, with others of equal classes. All samples of
a cell are answered by arrays; tests ask the package for the same samples. ``before`` had the
degrees of freedom of both class sizes, ``coverage`` those of the influence values, as the limits of
calibration at a prevalence have. The bound was set before the run: coverage of .93. ``noted`` says
whether the rows carry the note ``heavy-negatives``: each negative counts over 1.5 times. That rule
was set after some 500 samples a cell, with another seed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import t as t_law

from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import MOST_WEIGHT
from validation.coverage.calibration_by_class import CELLS as FEWER
from validation.coverage.calibration_by_class import Cell, rounded, true_values
from validation.simulation import Bound, Simulation, batches, under

TABLE = Path(__file__).with_name("scores_by_class.csv")
SEED, LEVEL = 19500101, 0.95
COVERAGE = 0.93
"""The bound, set before the run."""
CELLS = (
    *(cell for cell in FEWER if cell.risks == "continuous"),
    *(
        Cell(*sizes, "calibrated")
        for sizes in (
            (200, 200, 0.02), (1000, 1000, 0.02), (50, 150, 0.02), (31, 63, 0.02), (50, 50, 0.1),
            (50, 50, 0.2), (150, 50, 0.2),
        )
    ),
)  # fmt: skip
SCORES = ("brier_score", "log_score")


def losses(name: str, logit: FloatArray, *, positive: bool) -> FloatArray:
    """Return the loss of each case of a class."""
    of_outcome = expit(logit if positive else -logit)
    return np.asarray((1 - of_outcome) ** 2 if name == "brier_score" else -np.log(of_outcome))


def truth(cell: Cell, name: str) -> float:
    """Return the score in the population."""
    found = true_values(cell)
    shown = rounded(cell, found.places)
    return float(
        sum(
            weight @ losses(name, shown, positive=positive)
            for weight, positive in zip(found.by_class, (True, False), strict=True)
        )
    )


def draw(cell: Cell, samples: int, rng: np.random.Generator) -> list[FloatArray]:
    """Return logits (samples x cases) of positives and of negatives."""
    found = true_values(cell)
    return [
        np.interp(rng.random((samples, n)), np.cumsum(weight) / weight.sum(), found.places)
        for n, weight in zip((cell.n_pos, cell.n_neg), found.by_class, strict=True)
    ]


def limits(cell: Cell, name: str, logits: list[FloatArray]) -> dict[str, FloatArray]:
    """Return estimates and half widths of samples, by degrees of freedom."""
    value = np.zeros(len(logits[0]))
    parts, plain, shaped = [], [], []
    sides = zip(logits, (True, False), (cell.prevalence, 1 - cell.prevalence), strict=True)
    for logit, positive, share in sides:
        loss, n = losses(name, logit, positive=positive), logit.shape[1]
        mean = loss.mean(axis=1, keepdims=True)
        value += share * mean[:, 0]
        second, fourth = (((loss - mean) ** power).sum(axis=1) for power in (2, 4))
        parts.append(share**2 * second / (n * (n - 1)))
        plain.append(np.full(len(loss), n - 1.0))
        excess = fourth / second**2 - 1 / n
        with np.errstate(divide="ignore"):
            shaped.append(np.clip(np.where(excess > 0, 2 / excess, n - 1), 1, n - 1))
    se = np.sqrt(np.sum(parts, axis=0))
    reach = {"value": value}
    for word, df in (("sizes", plain), ("shape", shaped)):
        of_both = np.sum(parts, axis=0) ** 2 / sum(
            part**2 / each for part, each in zip(parts, df, strict=True)
        )
        reach[word] = se * t_law.ppf((1 + LEVEL) / 2, of_both)
    return reach


def run_cell(position: int, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell."""
    cell, rng = CELLS[position], np.random.default_rng([seed, position])
    found: dict[str, list[dict[str, FloatArray]]] = {name: [] for name in SCORES}
    for size in batches(replicates, 500):
        logits = draw(cell, size, rng)
        for name in SCORES:
            found[name].append(limits(cell, name, logits))
    weight = (1 - cell.prevalence) * (cell.n_pos + cell.n_neg) / cell.n_neg
    rows = []
    for name, parts in found.items():
        value, reach, before = (
            np.concatenate([part[word] for part in parts]) for word in ("value", "shape", "sizes")
        )
        target = truth(cell, name)
        rows.append(
            {
                **cell._asdict(), "quantity": name, "truth": target,
                "coverage": float((np.abs(value - target) <= reach).mean()),
                "below": float((value + reach < target).mean()),
                "before": float((np.abs(value - target) <= before).mean()),
                "width": float(np.median(2 * reach)), "before_width": float(np.median(2 * before)),
                "noted": bool(weight > MOST_WEIGHT) and name == "brier_score",
                "replicates": replicates, "bound": COVERAGE,
            }
        )  # fmt: skip
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of probability scores at a prevalence, of cases sampled by class.",
    cells=range(len(CELLS)),
    rows=run_cell,
    replicates=4000,
    seed=SEED,
    bounds=(Bound("coverage", under, COVERAGE),),
    ends=("shortfall",),
    digits=6,
)
