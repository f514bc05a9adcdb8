"""The model of Roe & Metz, read from areas or separations and from variances or a structure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array
from rocstats.stats.readers.simulated import (
    KINDS,
    STRUCTURES,
    RoeMetz,
    Structure,
    structured,
    structured_areas,
)

Variances = Mapping[str, Any]
"""A variance of each kind, shared by all modalities or ("modality_...") of each alone."""

OWN_KINDS = tuple(f"modality_{kind}" for kind in KINDS)
# Variances beyond this, or separations of that size, leave the areas 1/2 or 1 to rounding.
_LARGEST = 1e6


def read_model(
    auc: float | Sequence[float] | FloatArray | None,
    separation: float | Sequence[float] | None,
    structure: Structure | None,
    variances: Variances | None,
    n_modalities: int,
) -> RoeMetz:
    """Return the model with the areas or separations, one for all modalities or one for each."""
    if (auc is None) == (separation is None):
        raise InputError(
            f"`auc` or `separation` must be given, and only one; got {auc!r} and {separation!r}."
            " Pass the area of each modality."
        )
    if (structure is None) == (variances is None):
        raise InputError(
            f"`structure` or `variances` must be given, and only one; got {structure!r} and"
            f" {variances!r}. Pass a structure of Roe & Metz, such as 'HL'."
        )
    if auc is not None:
        values = _each("auc", auc, n_modalities, (0, 1))
    else:
        values = _each("separation", separation, n_modalities, (-_LARGEST, _LARGEST))
    if variances is None:
        word: Any = require_choice("structure", structure, STRUCTURES)
        return (structured if auc is None else structured_areas)(word, values)
    model = _with_variances(variances, values)
    return model if auc is None else model.with_areas(values)


def _each(name: str, value: Any, n: int, inside: tuple[float, float]) -> FloatArray:
    """Return the value of each of n modalities, inside an open interval."""
    low, high = inside
    values = number_array(value)
    if (
        values.ndim != 1
        or len(values) not in (1, n)
        or not np.all((low < values) & (values < high))
    ):
        raise InputError(
            f"`{name}` must be a number strictly between {low:g} and {high:g}, or {n} of them, one"
            f" a modality; got {value!r}. Pass one or {n}."
        )
    return np.broadcast_to(values, (n,)).copy()


def _with_variances(variances: Any, separation: FloatArray) -> RoeMetz:
    given = dict(variances) if isinstance(variances, Mapping) else {}
    if set(given) != {*KINDS, *OWN_KINDS}:
        raise InputError(
            f"`variances` must have the keys {', '.join((*KINDS, *OWN_KINDS))};"
            f" got {list(given) if given else variances!r}. Give 0 for what does not vary."
        )
    n = len(separation)
    shared = np.stack([_variance(kind, given[kind], (2,)) for kind in KINDS], axis=-1)
    own = np.stack([_variance(kind, given[kind], (n, 2)) for kind in OWN_KINDS], axis=-1)
    model = RoeMetz(separation, shared[0], shared[1], own[:, 0], own[:, 1])
    if not np.all(model.spread > 0):
        raise InputError(
            "`variances` must leave the ratings of each modality a variance above 0; got 0. Give"
            " the variance of a case, say."
        )
    return model


def _variance(kind: str, value: Any, shape: tuple[int, ...]) -> FloatArray:
    """Return a variance by (modality and) class: one number, one a class, or all of them."""
    values = number_array(value)
    try:
        values = np.broadcast_to(values if values.size else np.nan, shape)
    except ValueError:
        values = np.full(shape, np.nan)
    if not np.all((values >= 0) & (values <= _LARGEST)):
        pairs = " or such a pair for each modality" if len(shape) > 1 else ""
        raise InputError(
            f"`variances` must have a number from 0 to {_LARGEST:g} as {kind!r}, a pair (positives,"
            f" negatives){pairs}; got {value!r}. Give variances, not standard deviations."
        )
    return values
