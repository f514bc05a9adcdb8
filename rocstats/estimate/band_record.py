"""The record of a band of one curve: from cases to limits of the TPR at given FPRs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.areas import area
from rocstats.curves.roc import roc_points, tpr_at
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.study.cases import ScoredCases

Scope = Literal["pointwise", "simultaneous"]


class BandRequest(NamedTuple):
    """Where a band is read, its level, and its resamples.

    ``at`` are increasing FPRs. ``future`` is the size of a new test set whose curve the band is to
    contain, as a multiple of the size of this one; infinite for the true curve.
    """

    at: FloatArray
    confidence_level: float
    plan: ResamplePlan
    future: float = np.inf


class Band(NamedTuple):
    """The curve and its limits at the FPRs of the request, with notes on how they were made."""

    tpr: FloatArray
    low: FloatArray
    high: FloatArray
    codes: tuple[str, ...] = ()


MakeBand = Callable[[ScoredCases, int, BandRequest], Band | None]
"""None where the resamples do not vary, or the fit did not converge."""


class BandMethod(NamedTuple):
    """A kind of band: its maker, its scope, and the properties of a study it supports.

    ``clusters`` says that it resamples clusters whole, ``ranks_only`` that it accepts infinite
    scores, ``fitted`` that it is around the curve of a model, ``has_floor`` that it has a width
    even where resamples do not vary, ``needs_range`` that it is for a range of false positive
    rates, ``holds_future`` that it can contain the curve of a new test set, ``guaranteed`` that it
    has its level for any distributions and numbers of cases.
    ``phrase`` continues "Bands around the curves are";
    ``references`` are keys. ``published`` is False for our own, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    make: MakeBand
    scope: Scope = "simultaneous"
    resamples: bool = True
    clusters: bool = True
    ranks_only: bool = True
    fitted: bool = False
    has_floor: bool = False
    needs_range: bool = False
    holds_future: bool = False
    guaranteed: bool = False
    references: tuple[str, ...] = ()
    published: bool = True


def largest_empirical_tpr_at_fpr(cases: ScoredCases, k: int, at: FloatArray) -> FloatArray:
    """Return the largest TPR of the curve of the sample at each FPR."""
    points = roc_points(cases.counts(k))
    return tpr_at(points.fpr, points.tpr, at)


def resamples_cannot_vary(cases: ScoredCases, k: int) -> bool:
    """Return whether resamples cannot vary as samples do: an area of 0 or 1, or a single score."""
    counts = cases.counts(k)
    return len(counts.score) == 1 or area(counts) in (0.0, 1.0)
