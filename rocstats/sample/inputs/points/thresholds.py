"""Thresholds: one or several, common to all predictors or for each predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from pandas.api.types import infer_dtype

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.words import did_you_mean

_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal")  # objects, as pandas says


def read_thresholds(
    threshold: Any,
    predictors: Sequence[str],
    *,
    argument: str = "threshold",
    of: tuple[str, str] = ("predictor", "predictors"),
) -> dict[str, FloatArray]:
    """Return the thresholds of each predictor; an empty array if a mapping leaves it out.

    ``of`` says in messages what the names are of: one, and several.
    """
    if not isinstance(threshold, Mapping):
        numbers = _numbers(threshold, argument)
        return dict.fromkeys(predictors, numbers)
    unknown = [name for name in threshold if name not in predictors]
    if unknown or not threshold:
        raise InputError(
            f"`{argument}` must name {of[1]}; got {unknown}."
            f" The {of[1]} are {list(predictors)}."
            f"{did_you_mean(next(iter(unknown), None), predictors)}"
        )
    return {
        name: _numbers(threshold[name], argument) if name in threshold else np.empty(0)
        for name in predictors
    }


def read_single_thresholds(
    threshold: Any,
    predictors: Sequence[str],
    *,
    argument: str = "threshold",
    of: tuple[str, str] = ("predictor", "predictors"),
) -> dict[str, float]:
    """Return the single threshold of each predictor that has a threshold."""
    read = read_thresholds(threshold, predictors, argument=argument, of=of)
    given = {name: at for name, at in read.items() if len(at)}
    if any(len(at) > 1 for at in given.values()):
        raise InputError(
            f"`{argument}` must be one number, or one for each {of[0]}; got {threshold!r}."
            " Ask once for each threshold."
        )
    return {name: float(at[0]) for name, at in given.items()}


def number_array(value: Any) -> FloatArray:
    """Return a number or a sequence of numbers as an array; empty for anything else."""
    try:
        given = np.asarray(value)
        # Text would be read as numbers, and booleans are none. Objects may be decimals, say.
        if given.dtype.kind in "iuf" or (
            given.dtype.kind == "O" and infer_dtype(given.ravel()) in _NUMBERS
        ):
            return np.atleast_1d(given.astype(np.float64))
    except (TypeError, ValueError, OverflowError):
        pass  # rows of unequal length, or an integer beyond every float
    return np.empty(0)


def is_whole(value: Any, least: float) -> bool:
    """Return whether a value is a whole number >= ``least``: 2.0 is one, True and "2" are none."""
    number = number_array(value)
    scalar = isinstance(value, Real) and len(number) == 1
    return scalar and bool(number[0] >= least) and float(number[0]).is_integer()


def _numbers(value: Any, argument: str) -> FloatArray:
    """Return a number or a sequence of numbers as an array without NaN."""
    numbers = number_array(value)
    # Infinite thresholds are legal: they call nobody, or everybody, positive.
    if numbers.ndim != 1 or len(numbers) == 0 or np.isnan(numbers).any():
        raise InputError(
            f"`{argument}` must be a number, or a sequence of numbers; got {value!r}."
            " Pass thresholds on the scale of the scores."
        )
    return numbers
