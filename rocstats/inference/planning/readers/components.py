"""Obuchowski and Rockette's components of a pilot study, from its frame or from numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.inputs.points.thresholds import number_array
from rocstats.stats.planning.readers import Components

_NEEDED = ("modality-x-reader", "error", "cov-1", "cov-2", "cov-3")
_MODEL = "obuchowski-rockette"


def read_components(given: Any) -> Components:
    """Return the components; raise InputError unless all are there, and possible."""
    named = _of_frame(given) if isinstance(given, pd.DataFrame) else given
    if not isinstance(named, Mapping):
        raise InputError(
            "`components` must be a frame of ReaderStudy.components() or a mapping; got"
            f" {type(given).__name__}. Pass for instance components=pilot.components()."
        )
    values = dict(named)
    for k in "123":
        if f"cov-{k}" not in values and f"correlation-{k}" in values:
            values[f"cov-{k}"] = _number(values, f"correlation-{k}") * _number(values, "error")
    components = Components(*(_number(values, name) for name in _NEEDED))
    if components.error <= 0:
        raise InputError(
            "`components` must have a variance above 0 as 'error'; got"
            f" {components.error:g}. Take a pilot with more cases."
        )
    # What the difference of one reader varies by: without it no number of cases would be too few.
    if components.error <= components.cov1:
        raise InputError(
            "`components` must have an 'error' above 'cov-1'; got"
            f" {components.error:g} and {components.cov1:g}. Check the numbers."
        )
    return components


def _of_frame(frame: pd.DataFrame) -> dict[str, float]:
    """Return the components of Obuchowski and Rockette's model by name."""
    missing = {"model", "component", "estimate"} - set(frame.columns)
    if missing:
        raise InputError(
            "`components` must be a frame of ReaderStudy.components(); got one without"
            f" {', '.join(sorted(missing))}. Pass for instance components=pilot.components()."
        )
    rows = frame[frame["model"] == _MODEL]
    if rows["component"].duplicated().any():
        raise InputError(
            "`components` must have each component once; got a frame of several groups. Take the"
            " rows of one group."
        )
    return dict(zip(rows["component"], rows["estimate"].tolist(), strict=True))


def _number(values: Mapping[str, Any], name: str) -> float:
    number = number_array(values.get(name))
    if number.shape != (1,) or not np.isfinite(number[0]):
        got = repr(values[name]) if name in values else f"only {', '.join(map(str, values))}"
        raise InputError(
            f"`components` must have a finite number as {name!r}; got {got}. A pilot needs two"
            " modalities and two readers, each reading every case."
        )
    return float(number[0])
