"""Bands and cutpoints of many cases, whose resamples have a bounded cost, in argsorts of 10^6."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

import rocstats as rs
from validation.benchmarks.data import make_scores
from validation.benchmarks.results import REPEATS_LARGE, REPEATS_LONG, Contender, Result, race

SIZES = (10**5, 10**6, 10**7)
_LONG = 10**6  # beyond it three rounds take as long as seven here

BOUNDED: Mapping[str, Callable[[rs.Study], pd.DataFrame]] = {
    "roc_band(rng=1)": lambda study: study.roc_band(rng=1),
    "roc_band('smoothed-score', rng=1)": lambda study: study.roc_band("smoothed-score", rng=1),
    "cutpoints(rng=1)": lambda study: study.cutpoints(rng=1),
}


def sort_of_a_million() -> Contender:
    """Return the baseline of what is bounded in seconds."""
    _, (unit,) = make_scores(10**6, 1, "continuous")
    return Contender("np.argsort of 1,000,000 normal doubles", lambda: np.argsort(unit))


def bounded_cases(n: int) -> Iterator[Result]:
    """Time bands and cutpoints of 2000 resamples, given the study and its curve."""
    y, (scores,) = make_scores(n, 1, "continuous")
    study = rs.Study(y, scores)
    study.roc_curve()
    contenders = [
        sort_of_a_million(),
        *(Contender(name, partial(ask, study)) for name, ask in BOUNDED.items()),
    ]
    repeats = REPEATS_LONG if n <= _LONG else REPEATS_LARGE
    yield from race(
        "bands and cutpoints of many cases", n, "continuous", contenders, repeats=repeats
    )
