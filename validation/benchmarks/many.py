"""The areas of 10 000 predictors of 100 cases, the study built anew, in argsorts of 10^6."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

import rocstats as rs
from validation.benchmarks.bounded import sort_of_a_million
from validation.benchmarks.data import SEED
from validation.benchmarks.results import REPEATS, SORT_MS, Contender, Gate, Result, race

N, K = 100, 10_000
_MS = 150

CONTAINERS: dict[str, Callable[[pd.DataFrame], object]] = {
    "array": lambda frame: frame.to_numpy(),
    "dict": lambda frame: {name: frame[name].to_numpy().copy() for name in frame},
    "data frame": lambda frame: frame,
}


def many_name(container: str) -> str:
    """Return what results call the areas of many predictors in a container."""
    return f"auc of {K:,} predictors, {container}"


MANY_GATES = tuple(Gate(many_name(each), N, round(_MS / SORT_MS, 1)) for each in CONTAINERS)


def many_cases() -> Iterator[Result]:
    """Time ``Study(y, scores).auc()`` of all predictors in one call, ties or not."""
    rng = np.random.default_rng(SEED)
    y = np.arange(N) % 2
    scores = rng.standard_normal((N, K)) + y[:, np.newaxis]
    for data, matrix in (("continuous", scores), ("one decimal", scores.round(1))):
        frame = pd.DataFrame(matrix, columns=[f"m{k}" for k in range(K)])
        contenders = [
            sort_of_a_million(),
            *(
                Contender(many_name(name), partial(_areas, y, make(frame)))
                for name, make in CONTAINERS.items()
            ),
        ]
        yield from race("many predictors", N, data, contenders, repeats=REPEATS)


def _areas(y: object, scores: object) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rs.Study(y, scores).auc()
