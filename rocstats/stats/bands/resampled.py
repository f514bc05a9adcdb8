"""Bands and pointwise limits from resampled curves, read vertically at the FPRs."""

from __future__ import annotations

from collections.abc import Callable

from rocstats.sample.arrays import FloatArray, Limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands import vertical
from rocstats.stats.bands.bars import effective_bars, percentile_bars
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, MakeBand, empirical_curve
from rocstats.stats.resampling.curves.bands import curve_draws


def _vertical(
    limits: Callable[[ScoredCases, BandRequest, FloatArray, FloatArray], Limits],
) -> MakeBand:
    """Return the function that makes a band from resampled curves, read at the FPRs."""

    def make(cases: ScoredCases, k: int, request: BandRequest) -> Band:
        curve = empirical_curve(cases, k, request.at)
        draws = curve_draws(cases, k, request.at, request.plan)
        return Band(curve, *limits(cases, request, curve, draws.values))

    return make


def _sup_t(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    return vertical.sup_t_limits(
        request.at, curve, draws, cases.n_pos, cases.n_neg, request.confidence_level
    )


def _kolmogorov(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    return vertical.kolmogorov_limits(curve, draws, request.confidence_level)


def _effective(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    bars = effective_bars(curve, cases.n_pos, draws.var(axis=0), request.confidence_level)
    return bars.low, bars.high


def _percentile(
    cases: ScoredCases, request: BandRequest, curve: FloatArray, draws: FloatArray
) -> Limits:
    bars = percentile_bars(draws, cases.n_pos, request.confidence_level)
    return bars.low, bars.high


BOOTSTRAP = BandMethod(
    "bootstrap",
    "vertical bands of equal precision from resampled curves",
    _vertical(_sup_t),
)
KOLMOGOROV = BandMethod(
    "kolmogorov",
    "vertical bands of constant width from resampled curves",
    _vertical(_kolmogorov),
)
# Wilson's floor gives a width at an area of 0 or 1, where resamples do not vary.
POINTWISE = BandMethod(
    "pointwise",
    "pointwise limits by the method of Wilson with an effective sample size",
    _vertical(_effective),
    scope="pointwise",
    has_floor=True,
)
# Macskassy & Provost (2004, 2005) join these percentiles; simultaneous containment is far lower.
VERTICAL_AVERAGE = BandMethod(
    "vertical-average",
    "joined percentiles of resampled curves",
    _vertical(_percentile),
    scope="pointwise",
    references=("fawcett-2004", "macskassy-2005"),
)
