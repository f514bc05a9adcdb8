"""Limits of both rates at each threshold, joined: published as a band, but pointwise."""

from __future__ import annotations

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import roc_points
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.bars import binomial_bars
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, empirical_curve


def _threshold_average(cases: ScoredCases, k: int, request: BandRequest) -> Band:
    """Join the corners of the boxes of Wilson limits around the point of each threshold."""
    points = roc_points(cases.counts(k))
    fpr, tpr = (
        binomial_bars(rates, size, "wilson", request.confidence_level)
        for rates, size in ((points.fpr, cases.n_neg), (points.tpr, cases.n_pos))
    )
    # The lower edge joins the lower right corners of the boxes, the upper edge the upper left
    # ones, both from (0, 0) to (1, 1).
    fpr_low, fpr_high, tpr_low, tpr_high = (
        np.concatenate([[0.0], edge, [1.0]]) for edge in (fpr.low, fpr.high, tpr.low, tpr.high)
    )
    low, high = tpr_at(fpr_high, tpr_low, request.at), tpr_at(fpr_low, tpr_high, request.at)
    return Band(empirical_curve(cases, k, request.at), low, high)


THRESHOLD_AVERAGE = BandMethod(
    "threshold-average",
    "joined limits of both rates at each threshold",
    _threshold_average,
    scope="pointwise",
    resamples=False,
    clusters=False,
    references=("fawcett-2004", "macskassy-2005"),
)
