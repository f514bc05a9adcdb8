"""Bands of 2000 resamples against drawing as many integers, and their memory at a million cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

import rocstats as rs
from rocstats.estimate.bands import BandName
from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.engines import N_RESAMPLES, integers
from validation.benchmarks.results import REPEATS_LONG, Contender, Result, peak_of, race

_FEW = 100
BAND_NAMES: tuple[BandName, ...] = get_args(BandName)


def band_name(method: str) -> str:
    """Return what the band of a method is called in the results."""
    return f"roc_band({method!r})"


def band_cases(n: int, data: Data) -> Iterator[Result]:
    """Time every band of 2000 resamples, given the study; closed forms beside them."""
    y, (scores,) = make_scores(n, 1, data)
    study = rs.Study(y, scores)
    study.roc_curve()
    contenders = [
        integers(n, N_RESAMPLES),
        *(
            Contender(band_name(method), partial(_ask, study, method), N_RESAMPLES)
            for method in BAND_NAMES
        ),
    ]
    yield from race("bands", n, data, contenders, repeats=REPEATS_LONG)


def band_memory(n: int) -> Iterator[Result]:
    """Measure the most memory that a band holds at once beyond the study, resamples being few."""
    y, (scores,) = make_scores(n, 1, "continuous")
    study = rs.Study(y, scores)
    study.roc_curve()
    for method in BAND_NAMES:
        what = f"peak memory of {band_name(method)}"
        yield peak_of("bands", what, n, "continuous", partial(_ask, study, method, _FEW))


def _ask(study: rs.Study, method: BandName, n_resamples: int = N_RESAMPLES) -> object:
    fpr_range = (0.05, 0.95) if method == "regional" else None
    return study.roc_band(method, fpr_range=fpr_range, n_resamples=n_resamples, rng=1)
