"""Comparisons of many predictors, what a call adds to its kernel, and the import."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

import rocstats as rs
from rocstats.estimate.areas import AreaTest, areas_of_covariance, infer_areas
from rocstats.estimate.estimate import Results as AreaResults
from rocstats.estimate.influence import area_covariance
from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.results import Contender, Result, race
from validation.benchmarks.timing import import_seconds, median_seconds

TOPIC = "comparisons, the study built anew"
REPEATS_OVERHEAD = 27
REPEATS_IMPORT = 15
IMPORT = "from rocstats import Study"
MICROSECONDS = 1e6


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
            "auc": lambda: rs.Study(y, scores).auc(),
        },
        repeats=REPEATS_OVERHEAD,
    )
    kernel, beyond = seconds["kernel"], seconds["auc"] - seconds["kernel"]
    for what, value, baseline in (
        ("auc, its kernel alone", kernel / seconds["np.argsort"], "np.argsort"),
        ("auc beyond its kernel", beyond / seconds["np.argsort"], "np.argsort"),
        ("auc beyond its kernel, absolute", beyond * MICROSECONDS, "1 microsecond"),
    ):
        words = ("continuous, one call", value, baseline, REPEATS_OVERHEAD)
        yield Result("a call", what, n, *words, clock="wall")


def area_kernel(study: rs.Study) -> AreaResults:
    """Return the limits of an area from the validated arrays of a study, nothing cached."""
    fresh = copy.copy(study)
    return infer_areas(
        areas_of_covariance(fresh.cases, area_covariance(fresh.cases, [0])),
        "logit",
        AreaTest(0.95, "two-sided", np.nan),
    )


def import_cases() -> Iterator[Result]:
    """Time the import, alone and with what the first study imports, in CPU seconds."""
    # A public name is imported when it is first asked for.
    imports = ("import pandas", IMPORT, f"{IMPORT}; import scipy.special")
    seconds = import_seconds(imports, repeats=REPEATS_IMPORT)
    for what in imports[1:]:
        ratio = seconds[what] / seconds["import pandas"]
        yield Result("import", what, None, "", ratio, "import pandas", REPEATS_IMPORT, clock="CPU")
