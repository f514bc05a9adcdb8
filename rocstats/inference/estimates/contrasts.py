"""Pairs of predictors (or groups), and linear contrasts of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_name
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array


class Contrast(NamedTuple):
    """Weights of the areas, and the names of the row."""

    predictor: str
    reference: str
    weights: FloatArray


def index_pairs(names: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    """Return every pair of positions, the earlier first, or all others with the reference."""
    if reference is None:
        return list(combinations(range(len(names)), 2))
    require_name("reference", reference, names)
    fixed = list(names).index(reference)
    return [(i, fixed) for i in range(len(names)) if i != fixed]


def require_several(names: Sequence[str], kind: str) -> None:
    """Raise InputError unless there are two names to compare."""
    if len(names) < 2:
        raise InputError(
            f"`across` must name something of which there are two or more; got {len(names)}"
            f" {kind}. Pass more {kind} to the study."
        )


def plan_contrasts(
    names: Sequence[str], kind: str, reference: str | None, contrasts: Any
) -> list[Contrast]:
    """Return the contrasts: those given, all others with the reference, or every pair."""
    require_several(names, kind)
    if contrasts is not None:
        return _given(names, reference, contrasts)
    pairs = index_pairs(names, reference)
    unit = np.eye(len(names))
    return [Contrast(names[i], names[j], unit[i] - unit[j]) for i, j in pairs]


def _given(names: Sequence[str], reference: str | None, contrasts: Any) -> list[Contrast]:
    if reference is not None:
        raise InputError(
            f"`reference` must stay None when `contrasts` are given; got {reference!r}."
            " Leave one of them out."
        )
    if isinstance(contrasts, Mapping):
        labels, matrix = list(contrasts), number_array(list(contrasts.values()))
    else:
        matrix = np.atleast_2d(number_array(contrasts))
        labels = [f"contrast_{i + 1}" for i in range(len(matrix))]
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise InputError(
            f"`contrasts` must have one weight for each of {list(names)}; got shape {matrix.shape}."
            " Pass a row of weights per contrast."
        )
    # 1e-9 lets weights such as 1/3, typed with ten digits, sum to 0; twice that changes nothing.
    for label, weights in zip(labels, matrix, strict=True):
        if not np.isfinite(weights).all() or abs(weights.sum()) > 1e-9 or not weights.any():
            raise InputError(
                f"`contrasts` must be finite, not all 0 and sum to 0; got {weights.tolist()} for"
                f" {label!r}. Make the weights sum to 0."
            )
    return [
        Contrast(label, "contrast", weights) for label, weights in zip(labels, matrix, strict=True)
    ]
