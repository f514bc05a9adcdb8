"""What a band of one predictor's curve is: from cases to limits of the TPR at given FPRs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.areas.whole import area
from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases

Scope = Literal["pointwise", "simultaneous"]


@dataclass(frozen=True, eq=False)
class BandRequest:
    """What is asked of a band: increasing FPRs, the level, and what the resamples are drawn by.

    ``future`` is the size of a new test set, over this one's, whose curve is to be held; infinite
    for the true curve.
    """

    at: FloatArray
    confidence_level: float
    n_resamples: int
    seed: tuple[int, ...]
    future: float = np.inf
    progress: bool = False


@dataclass(frozen=True, eq=False)
class Band:
    """The curve and its limits at the FPRs asked for."""

    tpr: FloatArray
    low: FloatArray
    high: FloatArray


MakeBand = Callable[[ScoredCases, int, BandRequest], Band | None]
"""None where the resamples, or the fit, say nothing of the spread."""


class BandMethod(NamedTuple):
    """A kind of band: how it is made, where it holds, and what of a study it can use.

    ``clusters`` says that it resamples clusters whole, ``ranks_only`` that infinite scores are
    nothing to it, ``has_floor`` that it has a width even where resamples do not vary,
    ``needs_range`` that it is for a range of false positive rates, ``holds_future`` that it can
    hold the curve of a new test set. ``phrase`` continues "Bands around the curves are";
    ``references`` are keys. ``published`` is False for our own, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    make: MakeBand
    scope: Scope = "simultaneous"
    resamples: bool = True
    clusters: bool = True
    ranks_only: bool = True
    has_floor: bool = False
    needs_range: bool = False
    holds_future: bool = False
    references: tuple[str, ...] = ()
    published: bool = True


def empirical_curve(cases: ScoredCases, k: int, at: FloatArray) -> FloatArray:
    """Return the largest TPR of the curve of the sample at each FPR."""
    points = roc_points(cases.counts(k))
    return tpr_at(points.fpr, points.tpr, at)


def is_degenerate(cases: ScoredCases, k: int) -> bool:
    """Return whether resamples cannot vary as samples do: an area of 0 or 1, or a single score."""
    counts = cases.counts(k)
    return len(counts.score) == 1 or area(counts) in (0.0, 1.0)
