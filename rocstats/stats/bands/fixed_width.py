"""Campbell's (1994) band of constant width along the slope -sqrt(n_neg/n_pos), by resampling."""

from __future__ import annotations

import numpy as np

from rocstats.curves.bands.rotated import Rotation, shifted_limits
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, empirical_curve
from rocstats.stats.resampling.curves.blocks import curve_distances
from rocstats.stats.resampling.streams import sup_quantile

# One case more or less moves lam by 1/(2 sqrt(n)), over 1e-4 for 10^7 cases: a largest distance
# below 1e-9 is rounding, and all resampled curves are the same.
_NO_DISTANCE = 1e-9


def _fixed_width(cases: ScoredCases, k: int, request: BandRequest) -> Band | None:
    distances, blocked = curve_distances(cases, k, request.plan)
    half_width = sup_quantile(distances, request.confidence_level)
    if half_width < _NO_DISTANCE:
        return None
    # The curve of a new test set varies too, by n_band/n_future of the variance of this one
    # (docs/methods/bands.md, "Fixed-width bands"); the true curve does not: future is infinite.
    half_width *= np.sqrt(1 + 1 / request.future)
    counts = cases.counts(k)
    limits = shifted_limits(counts, Rotation.of(counts), half_width, request.at)
    codes = ("blocked-resamples",) if blocked else ()
    return Band(empirical_curve(cases, k, request.at), *limits, codes)


FIXED_WIDTH = BandMethod(
    "fixed-width",
    "Campbell's fixed-width bands",
    _fixed_width,
    holds_future=True,
    references=("campbell-1994",),
)
