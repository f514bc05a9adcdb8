"""The user's own criterion of a cutpoint: a function that takes counts and rates by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import WHOLE
from rocstats.words import did_you_mean

OwnCriterion = Callable[..., npt.ArrayLike]
"""A function of any of the ``INPUTS``, by keyword."""

Value = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""A function of fpr, tpr, n_pos and n_neg."""

INPUTS: dict[str, Value] = {
    "tp": lambda fpr, tpr, n_pos, n_neg: _count(tpr * n_pos),
    "fp": lambda fpr, tpr, n_pos, n_neg: _count(fpr * n_neg),
    "tn": lambda fpr, tpr, n_pos, n_neg: _count((1 - fpr) * n_neg),
    "fn": lambda fpr, tpr, n_pos, n_neg: _count((1 - tpr) * n_pos),
    "fpr": lambda fpr, tpr, n_pos, n_neg: fpr,
    "tpr": lambda fpr, tpr, n_pos, n_neg: tpr,
    "prevalence": lambda fpr, tpr, n_pos, n_neg: np.broadcast_to(
        n_pos / (n_pos + n_neg), np.shape(fpr)
    ),
}
"""What a criterion can take: arrays of one shape, an element for each threshold of a sample."""


def required_inputs(criterion: OwnCriterion) -> list[str]:
    """Return the inputs that a criterion takes; raise InputError if it takes others, or none.

    A parameter with a default keeps it: a prevalence fixed by the user is not that of the sample.
    """
    try:
        parameters = inspect.signature(criterion).parameters.values()
    except (TypeError, ValueError):  # some functions written in C have no signature
        raise _refusal("a function without a signature") from None
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        own = {one.name for one in parameters if one.default is not one.empty}
        names = [name for name in INPUTS if name not in own]
    else:
        names = []
    for one in parameters:
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL) or one.default is not one.empty:
            continue
        if one.kind is one.POSITIONAL_ONLY:
            raise _refusal(f"{one.name!r} by position only")
        if one.name not in INPUTS:
            raise _refusal(repr(one.name), did_you_mean(one.name, INPUTS))
        names = names if one.name in names else [*names, one.name]
    if not names:
        raise _refusal("a function without them")
    return names


def checked(criterion: OwnCriterion) -> Value:
    """Return a user's function of rates and class sizes, with checks of what it returns."""
    names = required_inputs(criterion)

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        given: dict[str, Any] = {name: INPUTS[name](fpr, tpr, n_pos, n_neg) for name in names}
        values = np.asarray(criterion(**given), dtype=np.float64)
        if values.shape != np.shape(fpr):
            raise InputError(
                f"`criterion` must return an array like fpr, of shape {np.shape(fpr)}; got shape"
                f" {values.shape}. Use functions that work on arrays."
            )
        if np.isnan(values).any():
            raise InputError(
                f"`criterion` must return numbers; got {int(np.isnan(values).sum())} NaN of"
                f" {values.size}. Return -inf where a point cannot be chosen."
            )
        return values

    return value


def _refusal(got: str, advice: str = "") -> InputError:
    return InputError(
        f"`criterion` must take its arguments by name, any of {', '.join(INPUTS)}; got {got}."
        f"{advice or ' Write for instance: def youden(tpr, fpr): return tpr - fpr.'}"
    )


def _count(cases: FloatArray) -> FloatArray:
    """Return numbers of cases, whole where only rounding keeps them from it."""
    # At corrected rates, which are between vertices, counts are not whole.
    whole = np.rint(cases)
    return np.where(np.abs(cases - whole) <= WHOLE, whole, cases)
