"""The LC index: how probable each of two predictors is to be the one of lower loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import hulls_of, joint_hull
from rocstats.curves.roc import RocPoints
from rocstats.curves.superiority import (
    loss_comparison,
    predictors_of_least_loss,
    prevalence_given_or_of_cases,
    require_two_predictors,
)
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
)
from rocstats.estimate.claim import index_pairs
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    percentile_limits_of_draws,
    plan_draws,
    redrawn_notes,
    require_drawing,
)
from rocstats.estimate.resample_curves import hull_draws
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.sample import Sample

LC_INDEX = Question(
    "lc_index",
    estimate_columns(f"predictor reference group quantity {ESTIMATE} n_pos n_neg method note"),
    ("adams-1999", "fawcett-2004", "efron-1993"),
)


def lc_index(
    sample: Sample,
    *,
    low: float,
    mode: float,
    high: float,
    reference: str | None = None,
    prevalence: float | None = None,
    interval: Literal["percentile"] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the LC index, a comparison of losses under uncertain costs; a row is one pair.

    Parameters
    ----------
    low, high : float in [0, 1]
        Lowest and highest value of the cost share cost_fp / (cost_fp + cost_fn) in its prior
        distribution.
    mode : float in [low, high]
        Most likely cost share. If a false negative costs k times a false positive, the cost share
        is 1 / (1 + k).
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier against later.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. Default: the share in the sample or group
        (weighted with ``sample_weight``). Required for case-control samples, where the share of
        positives was chosen.
    interval : {"percentile"}, optional
        "percentile" gives bootstrap percentile limits. By default there is no interval.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    n_resamples : int >= 100, default 2000
        Number of resamples for the interval.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, se, n_pos,
        n_neg, confidence_level, method, note``; ``quantity`` is "lc_index", and the estimate is in
        [-1, 1]. If ``interval`` is not passed, the standard error, limits and level are NaN (note
        ``no-interval``). ``attrs`` has the number of resamples and the seed.

    Raises
    ------
    InputError
        If the study has only one predictor; if ``reference`` is not a predictor; or if a number is
        out of range.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``no-resampled-spread``: resamples do not vary.

    Notes
    -----
    LC = integral of D(c) [1{L_predictor < L_reference} - 1{L_predictor > L_reference}] dc. Here c
    is the cost share, and D is its prior: the triangular density on [low, high] with its peak at
    ``mode``. L(c) is the loss of a predictor (see ``superiority_curve``), and 1{} is 1 if the
    inequality is true. Ties count 0. LC is P(predictor is better) minus P(reference is better)
    under the prior D. LC is 1 if the predictor has the lower loss over the whole range. LC is -1 if
    the reference has the lower loss over the whole range. The index is computed exactly, from the
    probabilities of D between the exact points where the losses cross.

    The index compares the probabilities that a predictor is *better* under the prior on costs. It
    does not measure the size of the difference. Almost equal predictors can have an index of 1. The
    definition follows Fawcett's description. Adams and Hand may define the cost share with the
    costs exchanged.

    The interval shows the variation of the index over resamples. Each resample uses its best
    thresholds. With ``prevalence``, cases are resampled within their class. Otherwise all cases are
    resampled together, since the share of positives is estimated too. Clusters are resampled as a
    whole, and weights stay with their cases. If nearly all resamples have the same index, the
    limits are the lowest and highest index (note ``resampled-range``). If the true curves are
    equal, the true index is 0, but its estimate can be anywhere in [-1, 1] for any sample size.
    Limits are then only descriptive. To test for a difference, use ``cost_difference_band``.

    References
    ----------
    - Adams & Hand (1999) [adams-1999]
    - Fawcett (2004), section 7.5.3 [fawcett-2004]
    - Efron & Tibshirani (1993), chapter 13 (percentile limits) [efron-1993]

    Examples
    --------
    A false negative costs 1 to 9 times as much as a false positive, most likely twice as much:

    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 1, 1, 0, 0, 0, 0], {"early": [8, 7, 6, 1, 5, 4, 3, 2],
    ...                                             "late": [6, 5, 4, 3, 8, 7, 2, 1]})
    >>> index = study.lc_index(low=1/10, mode=1/3, high=1/2)
    >>> index[["predictor", "reference", "estimate"]].round(3)
      predictor reference  estimate
    0     early      late    -0.167
    """
    LC_INDEX.refuse_covariates(sample)
    require_two_predictors(sample, "an LC index")
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    _require_triangular_cost_prior(low, mode, high)
    interval = require_choice("interval", interval, (None, "percentile"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    # A wrong number is refused without an interval too; the source is not touched then.
    require_drawing(n_resamples, rng, progress)
    draws = None if interval is None else plan_draws(n_resamples, rng, progress)
    pairs = index_pairs(sample.predictors, reference)
    rows = list(
        _lc_index_rows(sample, pairs, (low, mode, high), prevalence, draws, confidence_level)
    )
    return answer_rows(LC_INDEX, sample, rows, draws)


def _require_triangular_cost_prior(low: Any, mode: Any, high: Any) -> None:
    """Raise InputError unless 0 <= low <= mode <= high <= 1 and low < high."""
    # What is no number has the same message as a wrong order.
    numbers = all(isinstance(x, Real) and not isinstance(x, bool) for x in (low, mode, high))
    if not (numbers and 0 <= low <= mode <= high <= 1 and low < high):
        raise InputError(
            "`low`, `mode` and `high` must be cost shares with 0 <= low <= mode <= high <= 1 and"
            f" low < high; got {low!r}, {mode!r} and {high!r}. Pass the lowest, most likely and"
            " highest value of cost_fp / (cost_fp + cost_fn)."
        )


# --- Rows -----------------------------------------------------------------------------------------

Prior = tuple[float, float, float]
"""Lowest, most likely and highest cost share: a triangular distribution."""


def _lc_index_rows(
    sample: Sample,
    pairs: Sequence[tuple[int, int]],
    prior: Prior,
    prevalence: float | None,
    draws: ResamplePlan | None,
    confidence_level: float,
) -> Iterator[dict[str, Any]]:
    """Yield the row of each pair in each group."""

    def indices(hulls: Sequence[RocPoints]) -> FloatArray:
        return np.array(
            [_lc_index_of_pair(hulls[i], hulls[j], prior, prevalence) for i, j in pairs]
        )

    for g, (group, part) in enumerate(sample.by_group()):
        one_class = lacks_class(part)
        pooled = ["pooled-folds"] if part.fold is not None else []
        reason = "one-class" if one_class else "no-interval"
        known = {"group": group, "quantity": "lc_index", **class_size_columns(part)}
        unlimited = answer_row_without_result(
            LC_INDEX, known, [reason, *pooled, *sample_notes(part)]
        )
        values = np.full(len(pairs), np.nan) if one_class else indices(hulls_of(part.cases))
        intervals: list[dict[str, Any]] = [{} for _ in pairs]
        if draws is not None and not one_class:
            # Without a given prevalence the share of positives is an estimate, and varies too.
            plan = draws.at(g)._replace(stratified=prevalence is not None)
            with enough_valid_resamples():
                drawn = hull_draws(part.cases.pooled(), indices, plan)
            codes = [*pooled, *redrawn_notes(drawn.n_redrawn), *sample_notes(part)]
            intervals = [
                _lc_interval_columns(column, confidence_level, codes) for column in drawn.values.T
            ]
        for (i, j), value, interval in zip(pairs, values.tolist(), intervals, strict=True):
            names = {"predictor": part.predictors[i], "reference": part.predictors[j]}
            yield {**unlimited, **names, "estimate": value, **interval}


def _lc_index_of_pair(
    first: RocPoints, second: RocPoints, prior: Prior, prevalence: float | None
) -> float:
    """Return the index of two predictors from their hulls [adams-1999]."""
    # The hull of both has every cost at which the better of the two changes.
    hull = joint_hull([first, second])
    return loss_comparison(
        *predictors_of_least_loss(hull, prevalence_given_or_of_cases(hull, prevalence)), prior
    )


def _lc_interval_columns(
    draws: FloatArray, confidence_level: float, codes: list[str]
) -> dict[str, Any]:
    """Return what an interval adds to a row; no limits where resamples do not vary."""
    # All draws are equal, as under perfect separation: their limits would have no width.
    if np.ptp(draws) == 0:
        return {"note": ["no-resampled-spread", *codes]}
    low, high = (float(limit) for limit in percentile_limits_of_draws(draws, confidence_level))
    # The middle of the draws is a single value: the range of all shows that resamples differ.
    if low == high:
        low, high = float(draws.min()), float(draws.max())
        codes = ["resampled-range", *codes]
    return {
        "se": float(np.std(draws, ddof=1)),
        "ci_low": low,
        "ci_high": high,
        "confidence_level": confidence_level,
        "method": "resamples/percentile",
        "note": codes,
    }
