"""The predictor with the least loss at each ratio of costs (Adams and Hand)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import Hull, curve_prevalence, joint_hull
from rocstats.curves.hull import hulls_by_group
from rocstats.curves.roc import Numbers, Texts, curve_frame
from rocstats.errors import InputError, require_open_interval
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import TINY
from rocstats.frame.question import Question, columns_in
from rocstats.study.base import require_cases
from rocstats.study.sample import Sample, require_same_cases

# --- The question ---------------------------------------------------------------------------------

SUPERIORITY_CURVE = Question(
    "superiority_curve",
    columns_in("predictor group cost_share_low cost_share_high"),
    (
        "adams-1999",
        "fawcett-2004",
    ),
)


def superiority_curve(sample: Sample, *, prevalence: float | None = None) -> pd.DataFrame:
    """Return the predictor with the lowest loss at each cost share; a row is a range of shares.

    Parameters
    ----------
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. Default: the share in the sample or group
        (weighted with ``sample_weight``). Required for case-control samples, where the share of
        positives was chosen.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], cost_share_low, cost_share_high``. The cost share is cost_fp /
        (cost_fp + cost_fn). ``predictor`` has the lowest loss in the range. If several predictors
        have the same lowest loss, ``predictor`` is an empty text. The ranges cover [0, 1] in
        ascending order. A predictor without a row never has the lowest loss alone.

    Raises
    ------
    InputError
        If the study has only one predictor, or if ``prevalence`` is not in (0, 1).

    Notes
    -----
    Let c = cost_fp / (cost_fp + cost_fn) be the cost share. If c is near 0, only false negatives
    matter. If c is near 1, only false positives matter. The loss L(c) of a predictor is the loss at
    its best threshold. It is the smallest value of c (1 - prevalence) fpr + (1 - c) prevalence (1 -
    tpr) over its ROC points. The ends of the ranges are computed exactly from the slopes of the
    hull of all curves. Near c = 0 and c = 1 the best rule often calls every case, or no case,
    positive. All predictors are then tied. The rows show which predictor is best. Use cost curves
    to see the size of the difference. Only exactly equal losses are ties. There is no interval, and
    the best predictor on these cases may not be the best predictor on other cases. A group that
    lacks a class has a row of NaN.

    References
    ----------
    - Adams & Hand (1999) [adams-1999]
    - Fawcett (2004), section 7.5.3 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> study.superiority_curve().round(3)
      predictor cost_share_low cost_share_high
    0      late          0.000           0.333
    1     early          0.333           1.000
    [2 rows, 3 columns in all]
    """
    SUPERIORITY_CURVE.refuse_covariates(sample)
    require_two_predictors(sample, "relative superiority")
    require_same_cases(sample)
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    pieces: list[tuple[Texts, Numbers]] = []
    names = (*sample.predictors, "")  # owner -1, a tie, is the last of them
    for group, hulls in hulls_by_group(sample).items():
        hull = joint_hull(hulls)
        owners, shares = predictors_of_least_loss(
            hull, prevalence_given_or_of_cases(hull, prevalence)
        )
        for owner, low, high in zip(owners, shares[:-1], shares[1:], strict=True):
            numbers = {"cost_share_low": np.array([low]), "cost_share_high": np.array([high])}
            pieces.append(({"predictor": names[owner], "group": group}, numbers))
    return curve_frame(SUPERIORITY_CURVE, pieces, sample)


def require_two_predictors(sample: Sample, purpose: str) -> None:
    """Raise InputError unless there are two predictors."""
    require_cases(sample, purpose)
    if len(sample.predictors) < 2:
        raise InputError(
            f"`y_score` must hold at least two predictors for {purpose}; got 1. Pass the scores"
            " of another predictor too."
        )


def prevalence_given_or_of_cases(hull: Hull, prevalence: float | None) -> float:
    """Return the given prevalence, or that of the cases."""
    return curve_prevalence(hull.points) if prevalence is None else prevalence


def predictors_of_least_loss(hull: Hull, prevalence: float) -> tuple[IntArray, FloatArray]:
    """Return the predictor of least loss in each range of cost shares, and the ends of the ranges.

    The ends rise from 0 to 1. The winner at a cost share owns the vertex of the joint hull that is
    optimal there; -1 where several predictors share the vertex. The optimal vertex changes where an
    edge of the hull is an iso-performance line. Without a class the ends are NaN.
    """
    # Adams & Hand 1999, in ROC space: the range of a vertex is that of the slopes that touch it.
    if np.isnan(hull.points.fp[0]):
        return np.array([-1]), np.full(2, np.nan)
    rises = np.diff(hull.points.tpr)
    rise = rises * prevalence
    run = np.diff(hull.points.fpr) * (1 - prevalence)
    # c (1 - p) dfpr = (1 - c) p dtpr along an edge: both ends cost the same at this share c. Along
    # the hull it falls from 1 (only false positives matter) to 0.
    # Where weights round the prevalence to 0 or 1, no 0/0: rising edges are at 1, flat ones at 0.
    at_edge = np.divide(rise, rise + run, out=(rises > 0).astype(float), where=rise + run > 0)
    shares = np.concatenate(([1.0], at_edge, [0.0]))[::-1]
    owner = np.where(hull.tied, -1, hull.owner)[::-1]
    lasts = shares[1:] > shares[:-1]
    owner, starts, end = owner[lasts], shares[:-1][lasts], shares[-1]
    changes = np.diff(owner, prepend=-2) != 0  # owners are -1 or more: the first always starts
    return owner[changes], np.append(starts[changes], end)


# --- The LC index ---------------------------------------------------------------------------------


def loss_comparison(
    owner: IntArray, shares: FloatArray, prior: tuple[float, float, float]
) -> float:
    """Return the probability that predictor 0 has the lower loss minus that of predictor 1.

    The probability is that of the cost share under a triangular prior (low, mode, high). It is the
    LC index of Adams & Hand 1999.
    """
    mass = np.diff(triangular_cdf(shares, *prior))
    return float(mass[owner == 0].sum() - mass[owner == 1].sum())


def triangular_cdf(x: FloatArray, low: float, mode: float, high: float) -> FloatArray:
    """Return P(X <= x) of the triangular distribution; its mode may be an end of its range."""
    x, width = np.clip(x, low, high), high - low
    # A mode at an end leaves one side empty, whose formula would divide by 0, or by a number that
    # is nearly 0. On the other side of the mode a formula is not used, and would overflow near an
    # end: it is that at the mode.
    below, above = np.minimum(x, mode) - low, high - np.maximum(x, mode)
    rising = below / width * (below / (mode - low)) if mode - low > TINY else np.zeros_like(x)
    falling = above / width * (above / (high - mode)) if high > mode else np.zeros_like(x)
    return np.where(x < mode, rising, 1 - falling)
