"""Which predictor loses least, over the whole range of relative costs (Adams and Hand)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.hull import Hull, hulls_by_group, hulls_of, joint_hull, share_of_positives
from rocstats.curves.points import REFERENCES as FAWCETT
from rocstats.curves.points import Numbers, Texts, curve_frame
from rocstats.errors import InputError, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.sample.pairs import index_pairs
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray, IntArray

REFERENCES = (
    "Adams NM, Hand DJ. Pattern Recognition 1999;32:1139-1147.",
    *FAWCETT,
)


def winners(hull: Hull, prevalence: float) -> tuple[IntArray, FloatArray]:
    """Return who loses least between successive cost shares, and these shares from 0 to 1.

    The winner at a cost share owns the vertex of the joint hull that is optimal there; -1 where
    several predictors have that vertex. The optimal vertex changes where an edge of the hull is an
    iso-performance line. Without a class there are no shares.
    """
    if np.isnan(hull.points.fp[0]):
        return np.array([-1]), np.full(2, np.nan)
    rise = np.diff(hull.points.tpr) * prevalence
    run = np.diff(hull.points.fpr) * (1 - prevalence)
    shares = np.concatenate(([1.0], rise / (rise + run), [0.0]))[::-1]
    owner = np.where(hull.tied, -1, hull.owner)[::-1]
    lasts = shares[1:] > shares[:-1]
    owner, starts, end = owner[lasts], shares[:-1][lasts], shares[-1]
    changes = np.diff(owner, prepend=-2) != 0
    return owner[changes], np.append(starts[changes], end)


def superiority_curve(sample: Sample, *, prevalence: float | None = None) -> pd.DataFrame:
    """Return which predictor loses least; a row is a range of cost shares with one winner.

    Parameters
    ----------
    prevalence : float in (0, 1), optional
        Share of positives where the predictors will be used. Default: that of the sample (of the
        group; of the weights under ``sample_weight``). Case-control samples, whose share of
        positives was designed, must not leave it out.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], cost_share_low, cost_share_high``: the predictor with the
        least loss, "" where several have the same least loss; the ranges fill [0, 1] in order. A
        predictor without a row is never alone the best.

    Raises
    ------
    InputError
        If the study has one predictor, or ``prevalence`` is not in (0, 1).

    Notes
    -----
    The cost share is c = cost_fp / (cost_fp + cost_fn): near 0 only false negatives matter, near 1
    only false positives. The loss of a predictor is that of its best threshold,
    L(c) = min over its ROC points of c (1 - prevalence) fpr + (1 - c) prevalence (1 - tpr). The
    ends of the ranges are exact: they come from the slopes of the hull of all curves. Near c = 0
    and c = 1 calling everybody or nobody positive is often best, which every predictor can do: a
    tie. The rows say who is best, not by how much: cost curves do.

    Ties are exact equality of the points. No interval: winners on these cases need not win on
    others. A group without a class has a row of NaN.

    References
    ----------
    Adams & Hand (1999); Fawcett (2004), section 7.5.3.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> study.superiority_curve().round(3)
      predictor  cost_share_low  cost_share_high
    0      late           0.000            0.333
    1     early           0.333            1.000
    """
    _require_two(sample, "relative superiority")
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    pieces: list[tuple[Texts, Numbers]] = []
    names = (*sample.predictors, "")
    for group, hulls in hulls_by_group(sample).items():
        hull = joint_hull(hulls)
        found, shares = winners(hull, _prevalence_of(hull, prevalence))
        for owner, low, high in zip(found, shares[:-1], shares[1:], strict=True):
            numbers = {"cost_share_low": np.array([low]), "cost_share_high": np.array([high])}
            pieces.append(({"predictor": names[owner], "group": group}, numbers))
    return curve_frame(
        "superiority_curve", pieces, grouped=sample.group is not None, references=REFERENCES
    )


def lc_index(
    sample: Sample,
    *,
    low: float,
    mode: float,
    high: float,
    reference: str | None = None,
    prevalence: float | None = None,
) -> pd.DataFrame:
    """Return the LC index (loss comparison) of predictors; a row is one pair of predictors.

    Parameters
    ----------
    low, high : float in [0, 1]
        Range in which the cost share cost_fp / (cost_fp + cost_fn) is believed to lie.
    mode : float in [low, high]
        Most likely cost share. A false negative k times as costly as a false positive is the cost
        share 1 / (1 + k).
    reference : str, optional
        Predictor that all others are compared with. Default: every pair, the earlier one against
        the later one.
    prevalence : float in (0, 1), optional
        Share of positives where the predictors will be used. Default: that of the sample (of the
        group; of the weights under ``sample_weight``). Case-control samples, whose share of
        positives was designed, must not leave it out.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, se, ci_low, ci_high,
        confidence_level, n_pos, n_neg, method, note``; ``quantity`` is "lc_index", the estimate is
        in [-1, 1], standard error and limits are NaN (note ``no-interval``).

    Raises
    ------
    InputError
        If the study has one predictor, ``reference`` is not one, or a number is out of its range.

    Warns
    -----
    StatisticalWarning
        If folds are pooled, or a group lacks a class.

    Notes
    -----
    LC = integral of D(c) [1{L_predictor < L_reference} - 1{L_predictor > L_reference}] dc, with
    D the triangular density on [low, high] with its peak at ``mode`` and L(c) the loss of
    ``superiority_curve``; ties count 0. It is P(predictor is better) minus P(reference is better)
    under the belief D: 1 if the predictor loses less over the whole range, -1 if the reference
    does. Swapping the two changes the sign. Exact: the belief's mass between exact breakpoints.

    A measure of how sure one may be about *which* is better, given what is known of the costs; not
    of how much better (two predictors a hair apart can have 1), and without sampling error. The
    definition follows Fawcett's description; Adams and Hand may count the cost share from the
    other class.

    References
    ----------
    Adams & Hand (1999); Fawcett (2004), section 7.5.3.

    Examples
    --------
    A false negative is believed to be worse than a false positive, at most 9 times, most likely
    twice:

    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> index = study.lc_index(low=1/10, mode=1/3, high=1/2)
    >>> index[["predictor", "reference", "estimate"]].round(3)
      predictor reference  estimate
    0     early      late    -0.167
    """
    _require_two(sample, "an LC index")
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    _require_belief(low, mode, high)
    pairs = index_pairs(sample.predictors, reference)
    rows = [
        {**_blank(part, group), "predictor": names[0], "reference": names[1], **found}
        for group, part in sample.by_group()
        for names, found in _indices(part, pairs, prevalence, (low, mode, high))
    ]
    return estimate_frame("lc_index", rows, grouped=sample.group is not None, references=REFERENCES)


def loss_comparison(
    owner: IntArray, shares: FloatArray, belief: tuple[float, float, float]
) -> float:
    """Return the belief's mass where predictor 0 wins, minus that where predictor 1 does."""
    mass = np.diff(triangular_cdf(shares, *belief))
    return float(mass[owner == 0].sum() - mass[owner == 1].sum())


def triangular_cdf(x: FloatArray, low: float, mode: float, high: float) -> FloatArray:
    """Return P(X <= x) of the triangular distribution; the mode may be an end of the range."""
    x, width = np.clip(x, low, high), high - low
    rising = (x - low) ** 2 / (width * (mode - low)) if mode > low else np.zeros_like(x)
    falling = (high - x) ** 2 / (width * (high - mode)) if high > mode else np.zeros_like(x)
    return np.where(x < mode, rising, 1 - falling)


def _indices(
    sample: Sample,
    pairs: Sequence[tuple[int, int]],
    prevalence: float | None,
    belief: tuple[float, float, float],
) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Yield the names, the estimate and the notes of each pair."""
    hulls = hulls_of(sample)
    pooled = [] if sample.fold is None else ["pooled-folds"]
    for i, j in pairs:
        hull = joint_hull([hulls[i], hulls[j]])
        if np.isnan(hull.points.fp[0]):
            estimate, code = np.nan, "one-class"
        else:
            estimate = loss_comparison(*winners(hull, _prevalence_of(hull, prevalence)), belief)
            code = "no-interval"
        names = sample.predictors[i], sample.predictors[j]
        yield names, {"estimate": estimate, "note": [code, *pooled, *sample.notes()]}


def _blank(sample: Sample, group: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan),
        "group": group,
        "quantity": "lc_index",
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "method": "none/none",
    }


def _prevalence_of(hull: Hull, prevalence: float | None) -> float:
    return share_of_positives(hull.points) if prevalence is None else prevalence


def _require_two(sample: Sample, purpose: str) -> None:
    if len(sample.predictors) < 2:
        raise InputError(
            f"`y_score` must hold at least two predictors for {purpose}; got 1."
            " Pass the scores of the others too."
        )


def _require_belief(low: float, mode: float, high: float) -> None:
    """Raise InputError unless 0 <= low <= mode <= high <= 1 and low < high."""
    try:
        ordered = 0 <= low <= mode <= high <= 1 and low < high
    except TypeError:
        ordered = False
    if not ordered:
        raise InputError(
            "`low`, `mode` and `high` must be cost shares with 0 <= low <= mode <= high <= 1 and"
            f" low < high; got {low!r}, {mode!r} and {high!r}."
            " Pass cost_fp / (cost_fp + cost_fn) at its lowest, most likely and highest."
        )
