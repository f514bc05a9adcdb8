"""Cutpoints of 2000 resamples against drawing as many integers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import rocstats as rs
from rocstats.curves.criteria import CriterionName
from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.engines import N_RESAMPLES, integers
from validation.benchmarks.results import REPEATS_LONG, Contender, Result, race

CRITERIA: tuple[CriterionName, ...] = ("youden", "kappa", "equal-error")


def cut_name(criterion: str) -> str:
    """Return what the cutpoint of a criterion is called in the results."""
    return f"cutpoints({criterion!r})"


def cutpoint_cases(n: int, data: Data) -> Iterator[Result]:
    """Time cutpoints and their 2000 resamples, given the study, by criteria of three kinds."""
    y, (scores,) = make_scores(n, 1, data)
    study = rs.Study(y, scores)
    study.roc_curve()
    contenders = [
        integers(n, N_RESAMPLES),
        *(
            Contender(cut_name(criterion), partial(study.cutpoints, criterion, rng=1), N_RESAMPLES)
            for criterion in CRITERIA
        ),
    ]
    yield from race("cutpoints", n, data, contenders, repeats=REPEATS_LONG)
