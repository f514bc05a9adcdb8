"""Public questions, the building of the study included; what they add to their kernel; growth."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.areas.estimates import Inference, infer
from rocstats.stats.influence.areas import area_covariance
from validation.benchmarks.data import Data, Floats, Labels, make_scores
from validation.benchmarks.peers import single_peers
from validation.benchmarks.results import (
    LARGE,
    REPEATS,
    REPEATS_LARGE,
    Contender,
    Result,
    race,
)
from validation.benchmarks.timing import import_seconds, median_seconds

TOPIC = "questions, the study built anew"
REPEATS_OVERHEAD = 27
REPEATS_IMPORT = 15
MICROSECONDS = 1e6


def single_cases(n: int, data: Data) -> Iterator[Result]:
    """Time the questions about one predictor, and their peers, against one argsort."""
    y, (scores,) = make_scores(n, 1, data)
    contenders = [
        Contender("np.argsort", lambda: np.argsort(scores)),
        Contender("auc", lambda: _auc(y, [scores])),
        Contender("roc_curve", lambda: rs.Study(y, scores).roc_curve()),
        *(single_peers(y, scores) if n < LARGE else []),
    ]
    repeats = REPEATS_LARGE if n >= LARGE else REPEATS
    yield from race(TOPIC, n, data, contenders, repeats=repeats)


def compare_cases(n: int, k: int, data: Data) -> Iterator[Result]:
    """Time the comparison of k predictors against k argsorts."""
    y, scores = make_scores(n, k, data)
    named = {f"score_{i}": score for i, score in enumerate(scores)}
    contenders = [
        Contender(f"{k} x np.argsort", lambda: [np.argsort(score) for score in scores]),
        Contender(f"compare_auc, {k} predictors", lambda: rs.Study(y, named).compare_auc()),
    ]
    yield from race(TOPIC, n, data, contenders)


def overhead_cases(n: int) -> Iterator[Result]:
    """Time ``Study(...).auc()`` less its kernel: table, placements, variance, limits."""
    y, (scores,) = make_scores(n, 1, "continuous")
    study = rs.Study(y, scores)
    seconds = median_seconds(
        {
            "np.argsort": lambda: np.argsort(scores),
            "kernel": lambda: area_kernel(study),
            "auc": lambda: _auc(y, [scores]),
        },
        repeats=REPEATS_OVERHEAD,
    )
    kernel, beyond = seconds["kernel"], seconds["auc"] - seconds["kernel"]
    for what, value, baseline in (
        ("auc, its kernel alone", kernel / seconds["np.argsort"], "np.argsort"),
        ("auc beyond its kernel", beyond / seconds["np.argsort"], "np.argsort"),
        ("auc beyond its kernel, absolute", beyond * MICROSECONDS, "1 microsecond"),
    ):
        yield Result("a call", what, n, "continuous, one call", value, baseline, REPEATS_OVERHEAD)


def area_kernel(study: rs.Study) -> Inference:
    """Return the limits of an area from the validated arrays of a study, nothing cached."""
    fresh = copy.copy(study)
    return infer(
        areas_of(fresh.cases, area_covariance(fresh.cases, [0]))[0],
        "logit",
        confidence_level=0.95,
        alternative="two-sided",
        null_value=np.nan,
    )


def growth_cases(sizes: Sequence[int]) -> Iterator[Result]:
    """Time ``auc`` at each size against the size before, these two in turns."""
    for before, n in pairwise(sizes):
        repeats = REPEATS_LARGE if n >= LARGE else REPEATS
        tasks = {
            str(size): partial(_auc, *make_scores(size, 1, "continuous")) for size in (before, n)
        }
        seconds = median_seconds(tasks, repeats=repeats)
        ratio, baseline = seconds[str(n)] / seconds[str(before)], f"the same at n / {n // before}"
        yield Result("growth", "auc grows", n, "continuous, growth", ratio, baseline, repeats)


def import_cases() -> Iterator[Result]:
    """Time the import of Study, alone and with what the first study imports, in CPU seconds."""
    # `import rocstats` alone imports no name.
    study = "rocstats.studies.study"
    modules = {"rocstats": study, "rocstats, scipy.special": f"{study}, scipy.special"}
    seconds = import_seconds(("pandas", *modules.values()), repeats=REPEATS_IMPORT)
    for name, imported in modules.items():
        ratio, what = seconds[imported] / seconds["pandas"], f"import {name}"
        yield Result("import", what, None, "", ratio, "import pandas", REPEATS_IMPORT)


def _auc(y: Labels, scores: Sequence[Floats]) -> pd.DataFrame:
    return rs.Study(y, scores[0]).auc()
