"""Covariates of the cases: numbers, or labels that become indicators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.vectors import Vector, describe_rows, read_factor, read_scores
from rocstats.tolerances import LEAST_UNIT

_TEXTS = ("string", "empty", "bytes")  # kinds of objects as pandas calls them


class Covariate(NamedTuple):
    """Name of a covariate, and its labels; () of one that is a number."""

    name: str
    levels: tuple[str, ...] = ()


def read_covariates(
    vectors: Mapping[str, Vector],
) -> tuple[tuple[Covariate, ...], FloatArray | None]:
    """Return the covariates, and a row of numbers (codes of labels) for each; NaN where missing."""
    read = [_read(name or "covariate", vector) for name, vector in vectors.items()]
    if not read:
        return (), None
    return tuple(covariate for covariate, _ in read), np.stack([values for _, values in read])


def _read(name: str, vector: Vector) -> tuple[Covariate, FloatArray]:
    if _has_labels(vector):
        factor = read_factor(vector)
        codes = np.where(factor.codes < 0, np.nan, factor.codes)
        return Covariate(name, factor.labels), codes
    values = read_scores(vector)
    wrong = np.flatnonzero(np.abs(values) >= 1 / LEAST_UNIT)
    if len(wrong):
        raise InputError(
            f"`covariate` must be numbers below {1 / LEAST_UNIT:g} in size, or labels; got"
            f" {values[wrong[0]]:g} in {describe_rows(wrong)} of {name!r}. Correct these rows, or"
            " express the covariate in another unit."
        )
    return Covariate(name), values


def _has_labels(vector: Vector) -> bool:
    """Return whether values are categories or texts, and no numbers."""
    values = vector.values
    if isinstance(values, pd.Categorical):
        return True
    if values.dtype.kind != "O":
        return values.dtype.kind in "US"
    known = values if vector.missing is None else values[~vector.missing]
    return infer_dtype(known) in _TEXTS
