"""The same seed and data give the same frames on other machines, within 1e-10.

A process computes as an older processor would: OpenBLAS takes the kernels of another core,
numpy leaves out its vector instructions. Run with ``python -m validation.machines``.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs

CORES = ("Prescott", "Haswell", "Zen")
TOLERANCE = 1e-10
_DRAWN: dict[str, Any] = {"n_resamples": 120, "rng": 1}
_PERCENTILE: dict[str, Any] = {"interval": "percentile", **_DRAWN}

Frames = dict[str, pd.DataFrame]
Question = Callable[[rs.Study], pd.DataFrame]

QUESTIONS: dict[str, Question] = {
    "auc": lambda s: s.auc(),
    "auc percentile": lambda s: s.auc(**_PERCENTILE),
    "auc partial": lambda s: s.auc(fpr_range=(0, 0.3), **_PERCENTILE),
    "average precision": lambda s: s.average_precision(**_DRAWN),
    "compare, single step": lambda s: s.compare_auc(adjust="single-step"),
    "compare, one-sided": lambda s: s.compare_auc(adjust="single-step", alternative="greater"),
    "compare, percentile": lambda s: s.compare_auc(method="bootstrap", **_PERCENTILE),
    "compare, permutation": lambda s: s.compare_auc(method="permutation", **_DRAWN),
    "equal auc": lambda s: s.test_equal_auc(),
    "hull": lambda s: s.roc_hull(across="predictors"),
    "curves": lambda s: s.compare_curves(**_DRAWN),
    "lc index": lambda s: s.lc_index(low=0.1, mode=0.2, high=0.6, **_PERCENTILE),
    "costs": lambda s: s.compare_costs(cost_fp=1, cost_fn=3, prevalence=0.2, **_DRAWN),
    "cost band": lambda s: s.cost_difference_band(at=[0.2, 0.5, 0.8], **_DRAWN),
    "points at rates": lambda s: s.compare_operating_points(fpr=[0.1, 0.5], **_DRAWN),
    "rates": lambda s: s.operating_points(fpr=[0.1, 0.2, 0.5], **_DRAWN),
    "average difference": lambda s: s.roc_average_difference(at=[0.2, 1], **_DRAWN),
    "cutpoints": lambda s: s.cutpoints(**_DRAWN),
    "average": lambda s: s.roc_average(**_DRAWN),
    "band": lambda s: s.roc_band(**_DRAWN),
    "difference band": lambda s: s.roc_difference_band(**_DRAWN),
    "versus random": lambda s: s.versus_random(method="permutation", **_DRAWN),
    "random band": lambda s: s.random_band(scope="simultaneous"),
    "binormal": lambda s: s.binormal(),
}


def studies() -> dict[str, rs.Study]:
    """Return small studies of one data set with ties: plain, with folds, clusters, frequencies."""
    rng = np.random.Generator(np.random.PCG64(20040316))
    y = np.repeat([1, 0], [37, 46])
    shared = rng.integers(-4, 5, size=len(y))
    scores = {
        f"s{k}": y * (2 + k) + shared + rng.integers(-5 - k, 6 + k, size=len(y)) for k in range(4)
    }
    return {
        "plain": rs.Study(y, scores),
        "folds": rs.Study(y, scores, fold=np.arange(len(y)) % 3),
        "clusters": rs.Study(y, scores, cluster=np.arange(len(y)) // 2 % 30),
        "frequencies": rs.Study(y, scores, frequency=1 + np.arange(len(y)) % 4),
    }


def answers(questions: Iterable[str] = QUESTIONS) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the frame of each question, by name; none where a study refuses the question."""
    for word, study in studies().items():
        for name in questions:
            try:
                yield f"{word}: {name}", QUESTIONS[name](study)
            except rs.InputError:
                continue


def differences(first: Frames, second: Frames) -> Iterator[tuple[str, str, float]]:
    """Yield question, column and largest difference, relative beyond 1; inf if text differs."""
    for name, frame in first.items():
        for column in frame:
            a, b = frame[column], second[name][column]
            if len(a) != len(b) or not pd.api.types.is_numeric_dtype(a):
                yield name, str(column), 0.0 if a.tolist() == b.tolist() else np.inf
                continue
            x, y = (v.to_numpy(dtype=np.float64, na_value=np.nan) for v in (a, b))
            same = (x == y) | (np.isnan(x) & np.isnan(y))
            with np.errstate(invalid="ignore"):
                apart = np.where(same, 0.0, np.abs(x - y) / np.maximum(np.abs(x), 1.0))
            yield name, str(column), float(np.nan_to_num(apart, nan=np.inf).max(initial=0.0))


def as_on(
    core: str, folder: Path, *, vectors: bool, questions: Iterable[str] = QUESTIONS
) -> Frames:
    """Return the answers of a process with the kernels of another core."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    out = folder / f"{core}{vectors}.pickle"
    environment = {**os.environ, "OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": "1"}
    if not vectors:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(found)
    command = [sys.executable, "-W", "ignore", "-m", "validation.machines", "--output", str(out)]
    command += ["--questions", *questions]
    subprocess.run(command, check=True, env=environment, cwd=Path(__file__).parents[1])
    with out.open("rb") as file:
        return dict(pickle.load(file))


def main() -> int:
    """Compare all simulated machines; print the largest differences."""
    parser = argparse.ArgumentParser(prog="python -m validation.machines", description=__doc__)
    parser.add_argument("--output", type=Path, help="only write the answers of this process")
    parser.add_argument("--questions", nargs="+", default=list(QUESTIONS))
    asked = parser.parse_args()
    if asked.output is not None:
        with asked.output.open("wb") as file:
            pickle.dump(dict(answers(asked.questions)), file)
        return 0
    with tempfile.TemporaryDirectory() as name:
        machines = [as_on(core, Path(name), vectors=core != CORES[0]) for core in CORES]
    worst = [row for other in machines[1:] for row in differences(machines[0], other)]
    for question, column, apart in sorted(worst, key=lambda row: -row[2])[:10]:
        print(f"{apart:9.2g}  {question}, {column}")
    return int(any(apart > TOLERANCE for *_, apart in worst))


if __name__ == "__main__":
    sys.exit(main())
