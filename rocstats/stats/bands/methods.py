"""Bands of one predictor's curve by name: from a sample to limits of the TPR at given FPRs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.curves.areas.whole import area
from rocstats.curves.bands.average import tpr_at
from rocstats.curves.bands.rotated import Rotation, read_limits, shifted_limits
from rocstats.curves.points.roc import roc_points
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands import joint as joint_bands
from rocstats.stats.bands import vertical
from rocstats.stats.bands.bars import binomial_bars, effective_bars, percentile_bars
from rocstats.stats.bands.smoothed import smoothed_score_limits
from rocstats.stats.binormal.areas import curve as fitted_curve
from rocstats.stats.binormal.areas import slope as fitted_slope
from rocstats.stats.binormal.bands import ellipse_limits, working_hotelling_limits
from rocstats.stats.binormal.fit import BinormalFit, fit_counts, fit_normal
from rocstats.stats.resampling.curves.bands import curve_draws
from rocstats.stats.resampling.curves.rotated import sup_distances
from rocstats.stats.resampling.streams import sup_quantile

Scope = Literal["pointwise", "simultaneous"]
_NO_DISTANCE = 1e-9


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


@dataclass(frozen=True)
class BandMethod:
    """A kind of band: how it is made, where it holds, and what of a study it can use.

    ``has_floor`` says that it has a width even where resamples do not vary.
    """

    make: MakeBand
    scope: Scope = "simultaneous"
    resamples: bool = True
    clusters: bool = True
    ranks_only: bool = True
    has_floor: bool = False


def empirical_curve(cases: ScoredCases, k: int, at: FloatArray) -> FloatArray:
    """Return the largest TPR of the curve of the sample at each FPR."""
    points = roc_points(cases.counts(k))
    return tpr_at(points.fpr, points.tpr, at)


def is_degenerate(cases: ScoredCases, k: int) -> bool:
    """Return whether resamples cannot vary as samples do: an area of 0 or 1, or a single score."""
    counts = cases.counts(k)
    return len(counts.score) == 1 or area(counts) in (0.0, 1.0)


def joint(cases: ScoredCases, k: int, request: BandRequest) -> Band:
    """Return the band of both classes' Kolmogorov limits, which needs no resamples."""
    return _joint(joint_bands.joint_limits, cases, k, request)


def _joint_exact(cases: ScoredCases, k: int, request: BandRequest) -> Band:
    return _joint(joint_bands.joint_exact_limits, cases, k, request)


def _joint(
    limits: Callable[..., tuple[FloatArray, FloatArray]],
    cases: ScoredCases,
    k: int,
    request: BandRequest,
) -> Band:
    low, high = limits(cases.counts(k), request.at, request.confidence_level)
    return Band(empirical_curve(cases, k, request.at), low, high)


def _fixed_width(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    distances = sup_distances(
        cases, k, request.n_resamples, request.seed, progress=request.progress
    )
    half_width = sup_quantile(distances, request.confidence_level)
    if half_width < _NO_DISTANCE:
        return None
    half_width *= np.sqrt(1 + 1 / request.future)
    counts = cases.counts(k)
    limits = shifted_limits(counts, Rotation.of(counts), half_width, request.at)
    return Band(empirical_curve(cases, k, request.at), *limits)


def _smoothed_score(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    limits = smoothed_score_limits(
        cases,
        k,
        request.confidence_level,
        request.n_resamples,
        request.seed,
        progress=request.progress,
    )
    if limits is None:
        return None
    low, high = read_limits(Rotation.of(cases.counts(k)), *limits, request.at)
    return Band(empirical_curve(cases, k, request.at), low, high)


def _vertical(
    limits: Callable[
        [ScoredCases, BandRequest, FloatArray, FloatArray], tuple[FloatArray, FloatArray]
    ],
) -> MakeBand:
    """Return what makes a band from resampled curves read at the FPRs."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band:
        curve = empirical_curve(cases, k, request.at)
        draws = curve_draws(
            cases, k, request.at, request.n_resamples, request.seed, progress=request.progress
        )
        return Band(curve, *limits(cases, request, curve, draws.tpr))

    return make


def _sup_t(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    return vertical.sup_t_limits(
        request.at, curve, draws, cases.n_pos, cases.n_neg, request.confidence_level
    )


def _kolmogorov(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    return vertical.kolmogorov_limits(curve, draws, request.confidence_level)


def _effective(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    bars = effective_bars(curve, cases.n_pos, draws.var(axis=0), request.confidence_level)
    return bars.low, bars.high


def _percentile(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    bars = percentile_bars(draws, cases.n_pos, request.confidence_level)
    return bars.low, bars.high


def _threshold_average(cases: ScoredCases, k: int, request: BandRequest) -> Band:
    """Join the corners of the boxes of Wilson limits around the point of each threshold."""
    points = roc_points(cases.counts(k))
    fpr, tpr = (
        binomial_bars(rates, size, "wilson", request.confidence_level)
        for rates, size in ((points.fpr, cases.n_neg), (points.tpr, cases.n_pos))
    )
    low = tpr_at(_to_one(fpr.high), _to_one(tpr.low), request.at)
    high = tpr_at(_to_one(fpr.low), _to_one(tpr.high), request.at)
    return Band(empirical_curve(cases, k, request.at), low, high)


def _to_one(rate: FloatArray) -> FloatArray:
    """Return an edge that starts at 0 and ends at 1."""
    return np.concatenate([[0.0], rate, [1.0]])


def _fitted(
    fit: Callable[[ScoredCases, int], BinormalFit],
    limits: Callable[[BinormalFit, FloatArray, float], tuple[FloatArray, FloatArray]],
) -> MakeBand:
    """Return what makes a band around a binormal curve."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
        found = fit(cases, k)
        if not found.converged:
            return None
        low, high = limits(found, request.at, request.confidence_level)
        return Band(fitted_curve(found, request.at), low, high)

    return make


def _by_ranks(cases: ScoredCases, k: int) -> BinormalFit:
    return fit_counts(cases.counts(k))


def _by_scores(cases: ScoredCases, k: int) -> BinormalFit:
    counts = cases.counts(k)
    sign = 1.0 if cases.higher_is_positive[k] else -1.0
    return fit_normal(sign * counts.score, counts.n_pos, counts.n_neg)


def _working_hotelling(
    fit: BinormalFit, at: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    return working_hotelling_limits(fit, at, level, "simultaneous")


def _regional(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    fit = _by_ranks(cases, k)
    if not fit.converged:
        return None
    curve = empirical_curve(cases, k, request.at)
    low, high = vertical.regional_limits(
        request.at,
        curve,
        fitted_curve(fit, request.at),
        fitted_slope(fit, request.at),
        cases.n_pos,
        cases.n_neg,
        request.confidence_level,
        request.seed,
        n_paths=request.n_resamples,
    )
    return Band(curve, low, high)


METHODS: Mapping[str, BandMethod] = {
    "fixed-width": BandMethod(_fixed_width),
    "smoothed-score": BandMethod(_smoothed_score),
    "working-hotelling": BandMethod(
        _fitted(_by_ranks, _working_hotelling), resamples=False, clusters=False
    ),
    "working-hotelling-normal": BandMethod(
        _fitted(_by_scores, _working_hotelling), resamples=False, clusters=False, ranks_only=False
    ),
    "ellipse": BandMethod(
        _fitted(_by_scores, ellipse_limits), resamples=False, clusters=False, ranks_only=False
    ),
    "joint": BandMethod(joint, resamples=False, clusters=False),
    "joint-exact": BandMethod(_joint_exact, resamples=False, clusters=False),
    "bootstrap": BandMethod(_vertical(_sup_t)),
    "kolmogorov": BandMethod(_vertical(_kolmogorov)),
    "regional": BandMethod(_regional, clusters=False),
    "pointwise": BandMethod(_vertical(_effective), scope="pointwise", has_floor=True),
    "vertical-average": BandMethod(_vertical(_percentile), scope="pointwise"),
    "threshold-average": BandMethod(
        _threshold_average, scope="pointwise", resamples=False, clusters=False
    ),
}
