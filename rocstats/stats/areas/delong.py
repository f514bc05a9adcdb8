"""Areas with DeLong's variance; Obuchowski's with clusters, a mean of DeLong's over folds."""

from __future__ import annotations

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.record import AreaVariance
from rocstats.stats.areas.units import units_of
from rocstats.stats.influence.areas import AreaCovariance, area_covariance
from rocstats.stats.intervals.area import Area, Spread
from rocstats.stats.word import Word
from rocstats.tolerances import NO_VARIANCE, SAME, cleared


def areas_of(
    sample: ScoredCases, result: AreaCovariance, over: AreaRange = FULL_RANGE
) -> list[Area]:
    """Return each area of a joint covariance as an Area, a partial one over its width."""
    units = units_of(sample)
    values, variances = result.area, np.diag(result.covariance)
    if over != FULL_RANGE:
        # The area over its width is a mean rate in [0, 1], which the limits need.
        values = np.array([snapped(value / over.width) for value in values.tolist()])
        variances = variances / over.width**2
    return [
        Area(float(value), cleared(float(variance)), result.df(k), *units)
        for k, (value, variance) in enumerate(zip(values, variances, strict=True))
    ]


def snapped(value: float) -> float:
    """Return a mean rate, snapped to 0 or 1 within 1e-12 (rounding)."""
    # Folds and widths divide: a perfect area must still count as one at the boundary.
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < SAME else value


def _estimate(sample: ScoredCases, k: int, over: AreaRange, spread: bool) -> Area:
    # Effective-sample-size intervals are not defined for partial areas: no parts are needed.
    if over != FULL_RANGE:
        return areas_of(sample, area_covariance(sample, [k], over=over), over)[0]
    result = area_covariance(sample, [k])
    found = areas_of(sample, result)[0]
    return found._replace(spread=_spread_of(sample, result)) if spread else found


def _spread_of(sample: ScoredCases, result: AreaCovariance) -> Spread | None:
    """Return the parts of the variance; there are none over folds.

    Clusters shrink the numbers of cases as they raise the variance, at most to their own numbers.
    """
    if sample.fold is not None:
        return None
    if sample.cluster is None:
        return Spread(sample.n_pos, sample.n_neg, *result.components[:, 0, 0])
    i10, i01, _ = units_of(sample)
    variance = float(result.covariance[0, 0])
    # m* = m v_DeLong/v: the design effect of the clusters, applied to both classes.
    share = float(result.unclustered[0]) / variance if variance > NO_VARIANCE else 0.0
    m = min(max(sample.n_pos * share, i10), sample.n_pos)
    n = min(max(sample.n_neg * share, i01), sample.n_neg)
    # Obuchowski's variance has no parts by class; its df are of the class with fewer clusters.
    return Spread(m, n, np.nan, np.nan, df=min(i10, i01) - 1)


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
