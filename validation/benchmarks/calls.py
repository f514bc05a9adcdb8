"""One call of each question at 1000 cases.

Milliseconds are those of a machine whose np.argsort of 10^6 normal scores takes 28 ms, by the
argsort of the same run.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

import rocstats as rs
from validation.benchmarks.data import SEED, make_scores
from validation.benchmarks.results import SORT_MS, Result

TOPIC = "one call, 1000 cases"
UNIT = "1 ms, np.argsort of 10^6 being 28 ms"
N = 1000
_ROUNDS, _CALLS = 25, 5

QUESTIONS = {
    "auc": "auc()",
    "roc_curve": "roc_curve()",
    "operating_points": "operating_points(threshold=0.5)",
    "operating_points, two rates": "operating_points(threshold=0.5, quantities=['tpr', 'tnr'])",
    "operating_points at a rate": "operating_points(fpr=0.1, rng=1)",
    "compare_auc": "compare_auc()",
    "compare_auc, margin": "compare_auc(hypothesis='non-inferiority', margin=0.05)",
    "compare_operating_points": "compare_operating_points(threshold=0.5)",
    "test_equal_auc": "test_equal_auc()",
    "test_performance_goals": "test_performance_goals(threshold=0.5, tpr=0.7, tnr=0.7)",
    "versus_random": "versus_random()",
    "operating_points_versus_random": "operating_points_versus_random(threshold=0.5)",
    "average_precision": "average_precision()",
    "pr_curve": "pr_curve()",
    "roc_hull": "roc_hull()",
    "cutpoints": "cutpoints('youden', rng=1)",
    "roc_band": "roc_band(rng=1)",
    "binormal": "binormal()",
}
"""Calls of a study; comparisons have two predictors, other questions one."""


def call_name(name: str) -> str:
    """Return what results call one call of a question, others having gone before."""
    return f"{name}, one call"


def asked(name: str) -> Callable[[], object]:
    """Return the call of a question, the study built anew."""
    y, (first, second) = make_scores(N, 2, "continuous")
    compared = name.startswith(("compare", "test_equal"))
    scores = {"a": first, "b": second} if compared else first
    call = eval(f"lambda study: study.{QUESTIONS[name]}")
    return lambda: call(rs.Study(y, scores))


def call_cases() -> Iterator[Result]:
    """Time calls that follow others, and those of fresh processes, in CPU seconds."""
    scores = np.random.default_rng(SEED).standard_normal(10**6)
    calls = {name: asked(name) for name in QUESTIONS}
    sorts: list[float] = []
    seconds: dict[str, list[float]] = {name: [] for name in QUESTIONS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(_ROUNDS + 1):  # the first round, which imports, does not count
            sorts.append(_cpu_seconds(lambda: np.argsort(scores), 1))
            for name, call in calls.items():
                seconds[name].append(_cpu_seconds(call, _CALLS))
    unit = statistics.median(sorts[1:]) / SORT_MS
    for name in QUESTIONS:
        ms = statistics.median(seconds[name][1:]) / unit
        words = ("continuous, calls", ms, UNIT, _ROUNDS)
        yield Result(TOPIC, call_name(name), N, *words, clock="CPU")


def _cpu_seconds(task: Callable[[], object], number: int) -> float:
    begin = time.process_time()
    for _ in range(number):
        task()
    return (time.process_time() - begin) / number
