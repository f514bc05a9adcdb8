"""The band over a range of false positive rates, from the limit process of the curve."""

from __future__ import annotations

from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands import vertical
from rocstats.stats.bands.binormal import fit_ranks
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, empirical_curve
from rocstats.stats.binormal.areas import curve as fitted_curve
from rocstats.stats.binormal.areas import slope as fitted_slope


def _regional(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    # The binormal fit gives the smooth R and its slope of the variance only; the band is around
    # the empirical curve.
    fit = fit_ranks(cases, k)
    if not fit.converged:  # no slope, no variance
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
        request.plan,
    )
    return Band(curve, low, high)


REGIONAL = BandMethod(
    "regional",
    "regional bands from the limit process of the curve",
    _regional,
    clusters=False,
    needs_range=True,
    references=("jensen-2000",),
)
