"""What is timed: questions with the building of the study included, peers, and the import."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

import rocstats as rs
from validation.benchmarks.timing import Task, import_seconds, median_seconds

Data = Literal["continuous", "100 distinct"]
Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

SEED = 20040316
REPEATS = 9
REPEATS_LARGE = 3
LARGE = 10**7


@dataclass(frozen=True)
class Result:
    """One ratio: the median time of ``what`` over the median time of ``baseline``."""

    what: str
    n: int | None
    data: str
    ratio: float
    baseline: str
    repeats: int


def make_scores(n: int, k: int, data: Data) -> tuple[Labels, list[Floats]]:
    """Return labels of prevalence 1/2 and k correlated normal scores of AUC 0.76."""
    rng = np.random.default_rng([SEED, n, k])
    y = rng.integers(0, 2, n)
    shared = rng.standard_normal(n)
    scores = [y + np.sqrt(0.5) * (shared + rng.standard_normal(n)) for _ in range(k)]
    if data == "continuous":
        return y, scores
    shares = np.arange(1, 100) / 100
    return y, [
        np.searchsorted(np.quantile(score, shares), score).astype(np.float64) for score in scores
    ]


def single_cases(n: int, data: Data) -> Iterator[Result]:
    """Time the questions about one predictor, and their peers, against one argsort."""
    y, (scores,) = make_scores(n, 1, data)
    tasks: dict[str, Task] = {
        "np.argsort": lambda: np.argsort(scores),
        "auc": lambda: rs.Study(y, scores).auc(),
        "roc_curve": lambda: rs.Study(y, scores).roc_curve(),
        **(_peers(y, scores) if n < LARGE else {}),
    }
    yield from _ratios(tasks, "np.argsort", n, data)


def compare_cases(n: int, k: int, data: Data) -> Iterator[Result]:
    """Time the comparison of k predictors against k argsorts."""
    y, scores = make_scores(n, k, data)
    named = {f"score_{i}": score for i, score in enumerate(scores)}
    baseline = f"{k} x np.argsort"
    tasks: dict[str, Task] = {
        baseline: lambda: [np.argsort(score) for score in scores],
        f"compare_auc, {k} predictors": lambda: rs.Study(y, named).compare_auc(),
    }
    yield from _ratios(tasks, baseline, n, data)


def import_cases() -> Iterator[Result]:
    """Time the import in fresh processes, in CPU seconds."""
    seconds = import_seconds(("pandas", "rocstats"), repeats=REPEATS)
    ratio = seconds["rocstats"] / seconds["pandas"]
    yield Result("import rocstats", None, "", ratio, "import pandas", REPEATS)


def _peers(y: Labels, scores: Floats) -> dict[str, Task]:
    """Return the same questions put to scikit-learn, nothing when it is not installed."""
    if importlib.util.find_spec("sklearn") is None:
        return {}
    from sklearn import metrics

    return {
        "sklearn roc_auc_score": lambda: metrics.roc_auc_score(y, scores),
        "sklearn roc_curve": lambda: metrics.roc_curve(y, scores),
    }


def _ratios(tasks: dict[str, Task], baseline: str, n: int, data: Data) -> Iterator[Result]:
    repeats = REPEATS_LARGE if n >= LARGE else REPEATS
    seconds = median_seconds(tasks, repeats=repeats, number=max(1, 200_000 // n))
    for name in tasks:
        if name != baseline:
            yield Result(name, n, data, seconds[name] / seconds[baseline], baseline, repeats)
