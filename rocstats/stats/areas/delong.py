"""Areas with DeLong's variance; Obuchowski's with clusters, a mean of DeLong's over folds."""

from __future__ import annotations

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.record import AreaVariance
from rocstats.stats.areas.units import units_of
from rocstats.stats.influence.areas import AreaCovariance, area_covariance, satterthwaite
from rocstats.stats.intervals.area import Area, Spread
from rocstats.stats.word import Word
from rocstats.tolerances import NO_VARIANCE, SAME, cleared


def areas_of(
    sample: ScoredCases, result: AreaCovariance, over: AreaRange = FULL_RANGE
) -> list[Area]:
    """Return each area of a joint covariance as an Area, a partial one over its width."""
    units = units_of(sample)
    values, variances = result.area, result.covariance.diagonal()
    if over != FULL_RANGE:
        # The area over its width is a mean rate in [0, 1], which the limits need.
        values = np.array([snapped(value / over.width) for value in values.tolist()])
        variances = variances / over.width**2
    return [
        Area(value, cleared(variance), satterthwaite(parts, result.part_df), *units)
        for value, variance, parts in zip(
            values.tolist(), variances.tolist(), result.components.T, strict=True
        )
    ]


def snapped(value: float) -> float:
    """Return a mean rate, snapped to 0 or 1 within 1e-12 (rounding)."""
    # Folds and widths divide: a perfect area must still count as one at the boundary.
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < SAME else value


def _estimate(sample: ScoredCases, k: int, over: AreaRange, spread: bool) -> Area:
    result = area_covariance(sample, [k], over=over)
    estimate = areas_of(sample, result, over)[0]
    return estimate._replace(spread=_spread_of(sample, result, over)) if spread else estimate


def _spread_of(sample: ScoredCases, result: AreaCovariance, over: AreaRange) -> Spread | None:
    """Return the parts of the variance; there are none over folds.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers.
    """
    if sample.fold is not None:
        return None
    i10, i01, _ = units_of(sample)
    variance, parts = float(result.covariance[0, 0]), result.unclustered[:, 0]
    # m* = m v_DeLong/v: the design effect of the clusters, applied to both classes.
    share = float(np.sum(parts)) / variance if variance > NO_VARIANCE else 0.0
    m = min(max(sample.n_pos * share, i10), sample.n_pos)
    n = min(max(sample.n_neg * share, i01), sample.n_neg)
    # The class on the axis of a range counts with the cases that the range is expected to hold.
    if over.axis == "fpr":
        n = max(1.0, n * over.width)
    else:
        m = max(1.0, m * over.width)
    # Obuchowski's variance has no parts by class: it is split as DeLong's is.
    pos, neg = parts / (share * over.width**2) if share > 0 else np.zeros(2)
    return Spread(m, n, float(pos), float(neg))


DELONG = AreaVariance(
    "delong",
    _estimate,
    (
        Word("delong", "by the method of DeLong et al", ("delong-1988",)),
        Word("obuchowski", "by the method of Obuchowski for clustered data", ("obuchowski-1997",)),
        Word(
            "foldwise-delong",
            "by the method of DeLong et al within each cross-validation fold",
            ("delong-1988",),
        ),
        Word(
            "foldwise-obuchowski",
            "by the method of Obuchowski for clustered data, over the cross-validation folds",
            ("obuchowski-1997",),
        ),
    ),
    clustered="obuchowski",
    partial=True,
)
