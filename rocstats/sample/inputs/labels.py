"""The class of each row, and the direction of each predictor: neither is ever guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.vectors import Vector, distinct_labels
from rocstats.words import did_you_mean

_OBVIOUS = ({0, 1}, {-1, 1})  # pairs of labels whose positive class is 1 by convention


def read_labels(vector: Vector, pos_label: Any) -> BoolArray:
    """Return a mask of the positives; rows with a missing label are False.

    ``pos_label`` is optional for labels 0/1, -1/1 and booleans, where 1 (True) is positive.
    """
    values = vector.values
    if pos_label is None and vector.missing is None and _is_zero_one(values):
        return np.array(values, dtype=bool)  # a copy: the array is the caller's
    codes, distinct = distinct_labels(vector)
    if vector.missing is not None:
        # A masked value may be a label that no other row has: it must not count as a third class.
        codes = np.where(vector.missing, -1, codes)
        present = np.unique(codes[codes >= 0])
        distinct = distinct[present]
        codes = np.where(codes >= 0, np.searchsorted(present, codes), -1)
    labels = list(distinct)
    _require_at_most_two(vector, labels)
    positive = _positive_label(vector, labels, pos_label)
    # The code -1 of a missing label reads the last entry, False.
    return np.asarray([_same(label, positive) for label in labels] + [False], dtype=bool)[codes]


def read_directions(
    higher: bool | Mapping[str, bool], names: tuple[str, ...], kind: str = "predictor"
) -> tuple[bool, ...]:
    """Return the direction of each predictor: True if higher scores mean positive."""
    plural = "modalities" if kind == "modality" else "predictors"
    if isinstance(higher, Mapping):
        unknown = [name for name in higher if name not in names]
        if unknown:
            raise InputError(
                f"`higher_is_positive` must name {plural}; got {unknown}."
                f" The {plural} are {list(names)}.{did_you_mean(unknown[0], names)}"
            )
        values = [higher.get(name, True) for name in names]
    else:
        values = [higher] * len(names)
    if not all(isinstance(value, (bool, np.bool_)) for value in values):
        raise InputError(
            f"`higher_is_positive` must be True or False, or a dict of them; got {higher!r}."
            f" Say for each {kind} whether higher scores mean positive."
        )
    return tuple(bool(value) for value in values)


def _is_zero_one(values: Any) -> bool:
    if isinstance(values, pd.Categorical) or values.dtype.kind not in "biuf":
        return False
    if values.dtype.kind == "f":
        return bool(((values == 0) | (values == 1)).all())
    # Of whole numbers the least and the largest say it, without arrays of comparisons.
    return values.dtype.kind == "b" or bool(values.size and values.min() >= 0 and values.max() <= 1)


def _require_at_most_two(vector: Vector, labels: list[Any]) -> None:
    if len(labels) > 2:
        raise InputError(
            f"`{vector.argument}` must hold two classes; got {len(labels)} labels:"
            f" {_shown(labels)}."
            " Use MulticlassStudy for more classes, or pass one class against the rest."
        )


def _positive_label(vector: Vector, labels: list[Any], pos_label: Any) -> Any:
    """Return the label of the positive class; raise InputError if not given or not present."""
    if pos_label is None:
        if any(_is_subset(labels, pair) for pair in _OBVIOUS):
            return 1
        raise InputError(
            f"`pos_label` must be given for labels other than 0/1, -1/1 and booleans;"
            f" got labels {_shown(labels)}. Pass the label of the positive class."
        )
    if len(labels) == 2 and not any(_same(label, pos_label) for label in labels):
        raise InputError(
            f"`pos_label` must be one of the labels of `{vector.argument}`: {_shown(labels)};"
            f" got {pos_label!r}.{did_you_mean(pos_label, labels) or ' Pass one of them.'}"
        )
    return pos_label


def _same(label: Any, other: Any) -> bool:
    # Against an array NumPy compares by element, and pandas answers NA for NA: neither is a label.
    try:
        equal = label == other
    except (ValueError, OverflowError):  # rows of unequal length, an integer beyond any float
        return False
    return isinstance(equal, (bool, np.bool_)) and bool(equal)


def _is_subset(labels: list[Any], pair: set[int]) -> bool:
    return all(not isinstance(label, str) and label in pair for label in labels)


def _shown(labels: list[Any]) -> str:
    # item() turns NumPy scalars into Python ones, which print as the user wrote them.
    shown = ", ".join(
        repr(getattr(label, "item", lambda label=label: label)()) for label in labels[:6]
    )
    return f"{shown}{', ...' if len(labels) > 6 else ''}"
