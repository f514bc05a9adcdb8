"""Risk thresholds: one or several, a range, and the thresholds on other scales in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array
from rocstats.words import did_you_mean

TREAT_ALL = "treat-all"
"""The rule that treats every case, in the place of a predictor."""


def read_risk_thresholds(value: Any) -> FloatArray:
    """Return the distinct risk thresholds in (0, 1), in increasing order."""
    at = number_array(value)
    if at.ndim != 1 or len(at) == 0 or not ((at > 0) & (at < 1)).all():
        raise InputError(
            "`risk_threshold` must be a number strictly between 0 and 1, or a sequence of them; got"
            f" {value!r}. Pass the risks from which on one would treat."
        )
    return np.unique(at)


def read_risk_range(value: Any) -> tuple[float, float]:
    """Return the ends of a range of risk thresholds, 0 < low < high < 1."""
    ends = number_array(value)
    if ends.shape != (2,) or not 0 < ends[0] < ends[1] < 1:
        raise InputError(
            "`risk_threshold` must be two numbers, 0 < low < high < 1; got"
            f" {value!r}. Pass the range of risks from which on people would treat."
        )
    return float(ends[0]), float(ends[1])


def read_cuts(
    threshold: Any, predictors: Sequence[str], directions: Sequence[bool], at: FloatArray
) -> dict[str, FloatArray]:
    """Return the thresholds of some predictors in the place of risk thresholds.

    They are finite and become stricter, or stay, as the risk threshold rises.
    """
    if threshold is None:
        return {}
    form = "Pass threshold={predictor: {risk_threshold: threshold}}."
    if not isinstance(threshold, Mapping) or not threshold:
        raise InputError(
            "`threshold` must map predictors to their thresholds at each risk threshold; got"
            f" {threshold!r}. {form}"
        )
    unknown = [name for name in threshold if name not in predictors]
    if unknown:
        raise InputError(
            f"`threshold` must name predictors; got {unknown}. The predictors are"
            f" {list(predictors)}.{did_you_mean(unknown[0], predictors)}"
        )
    higher = dict(zip(predictors, directions, strict=True))
    return {str(name): _cuts(name, cuts, at, higher[name]) for name, cuts in threshold.items()}


def _cuts(name: Any, cuts: Any, at: FloatArray, higher: bool) -> FloatArray:
    """Return the thresholds of one predictor."""
    given = cuts if isinstance(cuts, Mapping) else {}
    lacking = [risk for risk in at.tolist() if risk not in given]
    if lacking:
        raise InputError(
            f"`threshold` must have a threshold of {name!r} for each of `risk_threshold`; got"
            f" {cuts!r}, without {lacking}. Add them."
        )
    values = number_array([given[risk] for risk in at.tolist()])
    if len(values) != len(at) or values.ndim != 1 or not np.isfinite(values).all():
        raise InputError(
            f"`threshold` must have finite numbers for {name!r}; got {cuts!r}."
            " Pass thresholds on the scale of the scores."
        )
    steps = np.diff(values) if higher else -np.diff(values)
    if (steps < 0).any():
        raise InputError(
            f"`threshold` must become stricter for {name!r} as the risk threshold rises; got"
            f" {cuts!r}. Exchange the thresholds, or check higher_is_positive."
        )
    return values


def require_no_treat_all(predictors: Sequence[str], argument: str = "y_score") -> None:
    """Raise InputError if a predictor has the name of the rule that treats every case."""
    if TREAT_ALL in predictors:
        raise InputError(
            f"`{argument}` must not name a predictor {TREAT_ALL!r}, which is the rule that treats"
            " every case; got one. Give it another name."
        )


def require_risk(
    name: str, score: FloatArray, *, higher: bool, mapped: bool, argument: str = "y_score"
) -> None:
    """Raise InputError unless the scores of a predictor are risks: from 0 to 1, higher for more.

    ``mapped`` says that other predictors have thresholds of their own.
    """
    instead = f"Pass threshold={{{name!r}: {{risk_threshold: threshold}}}} to net_benefit, or risks"
    if not higher:
        raise InputError(
            f"`higher_is_positive` must be True of a risk; got False for {name!r}. {instead} that"
            " rise with the chance of being positive."
        )
    low, high = float(score.min()), float(score.max())
    if low < 0 or high > 1:
        also = ", too" if mapped else ""
        raise InputError(
            f"`{argument}` must be risks in [0, 1]; got scores of {name!r} from {low:g} to"
            f" {high:g}. {instead} of a fitted model{also}."
        )
