"""The rates at which curves are sampled, or the number of samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import InputError, require_whole
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array, read_thresholds

_BY_THRESHOLD = "Pass rates, or average by threshold."
_AXES = {
    "at": "false positive rates",
    "fpr": "false positive rates",
    "tpr": "true positive rates",
}


def read_rates(
    at: Any, predictors: Sequence[str], *, argument: str = "at", mend: str = _BY_THRESHOLD
) -> dict[str, FloatArray]:
    """Return the rates in [0, 1] given for each predictor."""
    rates = read_thresholds(at, predictors, argument=argument)
    for values in rates.values():
        outside = values[(values < 0) | (values > 1)]
        if len(outside):
            raise InputError(
                f"`{argument}` must be {_AXES[argument]} in [0, 1]; got {outside[0]:g}. {mend}"
            )
    return rates


def read_common_rates(at: Any) -> FloatArray:
    """Return the false positive rates in [0, 1] at which all predictors are compared."""
    if isinstance(at, Mapping):
        raise InputError(
            f"`at` must be the same for predictors that are compared; got {type(at).__name__}."
            " Pass a number or a sequence."
        )
    return read_rates(at, ["all"])["all"]  # a stand-in for the predictors, who share the rates


def read_increasing_rates(
    at: Any, low: float = 0.0, high: float = 1.0, *, what: str = "false positive rates"
) -> FloatArray:
    """Return increasing rates (``what`` in messages) in [low, high] at which a band is read."""
    rates = number_array(at)
    increasing = rates.ndim == 1 and len(rates) > 0 and bool(np.all(np.diff(rates) > 0))
    if not (increasing and rates[0] >= low and rates[-1] <= high):
        raise InputError(
            f"`at` must be increasing {what} in [{low:g}, {high:g}]; got {at!r}."
            " Sort them, and leave out repeats."
        )
    return rates


def require_samples(n_samples: Any) -> int:
    """Return ``n_samples`` as int; raise InputError unless it is a whole number >= 2."""
    return require_whole("n_samples", n_samples, 2, "Both ends of the curve are samples.")


def read_points_of_curve(fpr: Any) -> FloatArray:
    """Return the false positive rates; raise InputError unless they are numbers in [0, 1]."""
    rates = number_array(fpr)
    # "not all inside" refuses NaN too, which compares as False.
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates <= 1)):
        raise InputError(
            f"`fpr` must be rates in [0, 1]; got {fpr!r}. Pass for instance [0.1, 0.2]."
        )
    return rates
