"""Bands of one predictor's curve by name: from a sample to limits of the TPR at given FPRs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rocstats.curves.area import area
from rocstats.curves.average import tpr_at
from rocstats.curves.points import roc_points
from rocstats.curves.rotated import Rotation, read_limits, shifted_limits
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray
from rocstats.stats.bands import joint as joint_bands
from rocstats.stats.bands import vertical
from rocstats.stats.bands.smoothed import smoothed_score_limits
from rocstats.stats.bars import binomial_bars, effective_bars, percentile_bars
from rocstats.stats.binormal.areas import curve as fitted_curve
from rocstats.stats.binormal.areas import slope as fitted_slope
from rocstats.stats.binormal.bands import ellipse_limits, working_hotelling_limits
from rocstats.stats.binormal.fit import BinormalFit, fit_counts, fit_normal
from rocstats.stats.resampling.bands import curve_draws
from rocstats.stats.resampling.rotated import sup_distances
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


MakeBand = Callable[[Sample, int, BandRequest], Band | None]
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


def empirical_curve(sample: Sample, k: int, at: FloatArray) -> FloatArray:
    """Return the largest TPR of the curve of the sample at each FPR."""
    points = roc_points(sample.counts(k))
    return tpr_at(points.fpr, points.tpr, at)


def is_degenerate(sample: Sample, k: int) -> bool:
    """Return whether resamples cannot vary as samples do: an area of 0 or 1, or a single score."""
    counts = sample.counts(k)
    return len(counts.score) == 1 or area(counts) in (0.0, 1.0)


def joint(sample: Sample, k: int, request: BandRequest) -> Band:
    """Return the band of both classes' Kolmogorov limits, which needs no resamples."""
    return _joint(joint_bands.joint_limits, sample, k, request)


def _joint_exact(sample: Sample, k: int, request: BandRequest) -> Band:
    return _joint(joint_bands.joint_exact_limits, sample, k, request)


def _joint(
    limits: Callable[..., tuple[FloatArray, FloatArray]],
    sample: Sample,
    k: int,
    request: BandRequest,
) -> Band:
    low, high = limits(sample.counts(k), request.at, request.confidence_level)
    return Band(empirical_curve(sample, k, request.at), low, high)


def _fixed_width(sample: Sample, k: int, request: BandRequest) -> Band | None:
    distances = sup_distances(
        sample, k, request.n_resamples, request.seed, progress=request.progress
    )
    half_width = sup_quantile(distances, request.confidence_level)
    if half_width < _NO_DISTANCE:
        return None
    half_width *= np.sqrt(1 + 1 / request.future)
    counts = sample.counts(k)
    limits = shifted_limits(counts, Rotation.of(counts), half_width, request.at)
    return Band(empirical_curve(sample, k, request.at), *limits)


def _smoothed_score(sample: Sample, k: int, request: BandRequest) -> Band | None:
    limits = smoothed_score_limits(
        sample,
        k,
        request.confidence_level,
        request.n_resamples,
        request.seed,
        progress=request.progress,
    )
    if limits is None:
        return None
    low, high = read_limits(Rotation.of(sample.counts(k)), *limits, request.at)
    return Band(empirical_curve(sample, k, request.at), low, high)


def _vertical(
    limits: Callable[[Sample, BandRequest, FloatArray, FloatArray], tuple[FloatArray, FloatArray]],
) -> MakeBand:
    """Return what makes a band from resampled curves read at the FPRs."""

    def make(sample: Sample, k: int, request: BandRequest) -> Band:
        curve = empirical_curve(sample, k, request.at)
        draws = curve_draws(
            sample, k, request.at, request.n_resamples, request.seed, progress=request.progress
        )
        return Band(curve, *limits(sample, request, curve, draws.tpr))

    return make


def _sup_t(
    sample: Sample, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    return vertical.sup_t_limits(
        request.at, curve, draws, sample.n_pos, sample.n_neg, request.confidence_level
    )


def _kolmogorov(
    sample: Sample, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    return vertical.kolmogorov_limits(curve, draws, request.confidence_level)


def _effective(
    sample: Sample, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    bars = effective_bars(curve, sample.n_pos, draws.var(axis=0), request.confidence_level)
    return bars.low, bars.high


def _percentile(
    sample: Sample, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> tuple[FloatArray, FloatArray]:
    bars = percentile_bars(draws, sample.n_pos, request.confidence_level)
    return bars.low, bars.high


def _threshold_average(sample: Sample, k: int, request: BandRequest) -> Band:
    """Join the corners of the boxes of Wilson limits around the point of each threshold."""
    points = roc_points(sample.counts(k))
    fpr, tpr = (
        binomial_bars(rates, size, "wilson", request.confidence_level)
        for rates, size in ((points.fpr, sample.n_neg), (points.tpr, sample.n_pos))
    )
    low = tpr_at(_to_one(fpr.high), _to_one(tpr.low), request.at)
    high = tpr_at(_to_one(fpr.low), _to_one(tpr.high), request.at)
    return Band(empirical_curve(sample, k, request.at), low, high)


def _to_one(rate: FloatArray) -> FloatArray:
    """Return an edge that starts at 0 and ends at 1."""
    return np.concatenate([[0.0], rate, [1.0]])


def _fitted(
    fit: Callable[[Sample, int], BinormalFit],
    limits: Callable[[BinormalFit, FloatArray, float], tuple[FloatArray, FloatArray]],
) -> MakeBand:
    """Return what makes a band around a binormal curve."""

    def make(sample: Sample, k: int, request: BandRequest) -> Band | None:
        found = fit(sample, k)
        if not found.converged:
            return None
        low, high = limits(found, request.at, request.confidence_level)
        return Band(fitted_curve(found, request.at), low, high)

    return make


def _by_ranks(sample: Sample, k: int) -> BinormalFit:
    return fit_counts(sample.counts(k))


def _by_scores(sample: Sample, k: int) -> BinormalFit:
    counts = sample.counts(k)
    sign = 1.0 if sample.higher_is_positive[k] else -1.0
    return fit_normal(sign * counts.score, counts.n_pos, counts.n_neg)


def _working_hotelling(
    fit: BinormalFit, at: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    return working_hotelling_limits(fit, at, level, "simultaneous")


def _regional(sample: Sample, k: int, request: BandRequest) -> Band | None:
    fit = _by_ranks(sample, k)
    if not fit.converged:
        return None
    curve = empirical_curve(sample, k, request.at)
    low, high = vertical.regional_limits(
        request.at,
        curve,
        fitted_curve(fit, request.at),
        fitted_slope(fit, request.at),
        sample.n_pos,
        sample.n_neg,
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
