"""Draw the samples that epiR is asked about: ``python validation/r_epir/simulate.py``.

``make.R`` then writes expected.csv. README.md of each case is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.samples import Columns, Draw, write_samples

STUDY = {"y_true": "truth", "y_score": "a", "frequency": "n"}


def worked_table(rng: np.random.Generator) -> Columns:
    """Return the table of the worked numbers, a row a cell; nothing is drawn."""
    return {
        "truth": np.array([1, 1, 0, 0]),
        "a": np.array([1.0, 0.0, 1.0, 0.0]),
        "n": np.array([670, 74, 202, 640]),
    }


def cohort(rng: np.random.Generator) -> Columns:
    """Return 150 cases of a cohort with a prevalence of 0.3 and a normal marker."""
    truth = rng.binomial(1, 0.3, 150)
    score = np.round(rng.normal(1.3 * truth, 1.0), 2)
    return {"truth": truth, "a": score, "n": np.ones(150, dtype=int)}


def imperfect(rng: np.random.Generator) -> Columns:
    """Return 200 cases whose labels are of another test, sensitivity 0.85 and specificity 0.9."""
    disease = rng.binomial(1, 0.4, 200)
    reference = rng.binomial(1, np.where(disease == 1, 0.85, 0.1))
    score = np.digitize(rng.normal(1.5 * disease, 1.0), (-0.5, 0.5, 1.2, 2.0)).astype(float)
    return {"truth": reference, "a": score, "n": np.ones(200, dtype=int)}


def empty_cell(rng: np.random.Generator) -> Columns:
    """Return 40 cases well apart: at the lowest threshold no positive is missed."""
    truth = np.repeat([1, 0], [18, 22])
    score = np.where(truth == 1, rng.uniform(2, 5, 40), rng.uniform(0, 3, 40))
    return {"truth": truth, "a": np.round(score, 1), "n": np.ones(40, dtype=int)}


SAMPLES: dict[str, tuple[Draw, list[float]]] = {
    "worked_table": (worked_table, [1.0]),
    "cohort_150": (cohort, [0.0, 0.75, 1.5]),
    "imperfect_200": (imperfect, [1.0, 2.0, 3.0]),
    "empty_cell_40": (empty_cell, [2.0, 2.5, 3.1]),
}
"""How each sample is drawn, and the thresholds at which epiR is asked."""


if __name__ == "__main__":
    write_samples(
        Path(__file__).parent,
        20071116,
        {name: (draw, STUDY) for name, (draw, _) in SAMPLES.items()},
        thresholds={name: cuts for name, (_, cuts) in SAMPLES.items()},
    )
