"""The kernels under the questions, from bare arrays, against the sorts that they need."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

import rocstats as rs
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.estimate.influence import area_covariance
from rocstats.facts.measures import Cells, measures
from rocstats.study.count_tables import LabelledScores, count_scores_of
from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.results import REPEATS, REPEATS_LONG, Contender, Result, race

TOPIC = "kernels, from bare arrays"


def table_cases(n: int, data: Data) -> Iterator[Result]:
    """Time the count table, and DeLong's variance from it, against one argsort."""
    y, (scores,) = make_scores(n, 1, data)
    study, is_positive = rs.Study(y, scores), y == 1
    contenders = [
        Contender("np.argsort", lambda: np.argsort(scores)),
        Contender(
            "count table", lambda: count_scores_of(LabelledScores(scores, is_positive, None, True))
        ),
        Contender("table + AUC + DeLong", lambda: area_covariance(copy.copy(study).cases, [0])),
    ]
    yield from race(TOPIC, n, f"{data}, bare", contenders)


def measure_cases(n: int, data: Data) -> Iterator[Result]:
    """Time all measures at all thresholds, their curve included, against the curve alone."""
    y, (scores,) = make_scores(n, 1, data)
    is_positive = y == 1

    def curve() -> RocPoints:
        return roc_points(count_scores_of(LabelledScores(scores, is_positive, None, True)))

    def all_measures() -> object:
        points = curve()
        tp, fp = points.tp, points.fp
        return measures(Cells(tp, tp[-1] - tp, fp, fp[-1] - fp))

    contenders = [
        Contender("curve from bare scores", curve),
        Contender("all measures at all thresholds", all_measures),
    ]
    yield from race(TOPIC, n, f"{data}, bare", contenders)


def delong_cases(n: int, k: int, data: Data) -> Iterator[Result]:
    """Time DeLong's covariance of k predictors against k argsorts."""
    y, scores = make_scores(n, k, data)
    study = rs.Study(y, np.stack(scores, axis=1))
    contenders = [
        Contender(f"{k} x np.argsort", lambda: [np.argsort(score) for score in scores]),
        Contender(
            f"DeLong covariance, {k} predictors",
            lambda: area_covariance(copy.copy(study).cases, range(k)),
        ),
    ]
    repeats = REPEATS if n < 10**6 else REPEATS_LONG
    yield from race(TOPIC, n, f"{data}, bare", contenders, repeats=repeats)
