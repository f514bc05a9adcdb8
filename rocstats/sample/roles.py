"""The roles of the rows of a sample, and the rows kept under a policy for missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray, Factor, FloatArray, take_rows
from rocstats.sample.inputs.blocks import distinct_vectors
from rocstats.sample.inputs.forms import Inputs
from rocstats.sample.inputs.vectors import Vector, describe_rows, read_factor, read_weights

NanPolicy = Literal["raise", "omit"]
NAN_POLICIES = ("raise", "omit")
OwnNanPolicy = Literal["raise", "omit", "available"]
OWN_NAN_POLICIES = (*NAN_POLICIES, "available")
FACTORS = ("cluster", "fold")

# Not a comma: sentences list groups, and legends join a predictor and a group, with commas.
_JOINT = " / "


def read_roles(inputs: Inputs, nan_policy: OwnNanPolicy = "omit") -> dict[str, Any]:
    """Return every role as a validated array or factor; None for a role that was not given."""
    roles = inputs.roles
    frequency, weight = (
        read_weights(roles[name], whole=whole) if name in roles else None
        for name, whole in (("frequency", True), ("sample_weight", False))
    )
    gone = _gone_rows(frequency, inputs, nan_policy)

    def factor(vector: Vector) -> Factor:
        role = read_factor(vector)
        # Rows left out say nothing of the order of groups: they are as if they were not there.
        return role if gone is None else role.in_order_of(np.flatnonzero(~gone))

    factors = {name: factor(roles[name]) if name in roles else None for name in FACTORS}
    columns = [factor(vector) for vector in inputs.group.values()]
    group = _joined(columns) if columns else None
    return {"frequency": frequency, "sample_weight": weight, **factors, "group": group}


def _joined(columns: Sequence[Factor]) -> Factor:
    """Return the factor of the combinations that occur, ordered by the first column, and so on."""
    if len(columns) == 1:
        return columns[0]
    missing = np.any([column.codes < 0 for column in columns], axis=0)
    known = np.flatnonzero(~missing)
    cell = np.zeros(len(known), dtype=np.intp)
    for column in columns:
        # Numbered anew at each step: the product of many numbers of labels would overflow.
        _, cell = np.unique(cell * len(column.labels) + column.codes[known], return_inverse=True)
    _, first = np.unique(cell, return_index=True)
    labels = [_JOINT.join(c.labels[c.codes[row]] for c in columns) for row in known[first]]
    if len(set(labels)) < len(labels):
        alike = next(label for label in labels if labels.count(label) > 1)
        raise InputError(
            f"`group` must have values that stay apart when its columns are joined by {_JOINT!r};"
            f" got {alike!r} for two groups. Rename the values."
        )
    codes = np.full(len(missing), -1, dtype=np.intp)
    codes[known] = cell
    return Factor(tuple(labels), codes)


def keep_whole_rows(
    arrays: dict[str, Any], inputs: Inputs, nan_policy: OwnNanPolicy
) -> dict[str, Any]:
    """Return the arrays without rows with a missing value or frequency 0, and ``n_dropped``.

    Under "available" scores of some predictors may be missing in the rows that are kept.
    """
    if nan_policy == "raise":
        _require_whole_rows(inputs)
    missing = inputs.missing(each_own=nan_policy == "available")
    gone = _gone_rows(arrays["frequency"], inputs, nan_policy)
    if gone is not None:
        arrays = take_rows(arrays, np.flatnonzero(~gone))
    return {**arrays, "n_dropped": 0 if missing is None else int(np.count_nonzero(missing))}


def read_own_dropped(
    scores: FloatArray, inputs: Inputs, nan_policy: OwnNanPolicy
) -> tuple[int, ...] | None:
    """Return the number of rows left out for each predictor; None if they share all cases.

    ``scores`` are those of the rows that are kept.
    """
    if nan_policy != "available" or not np.isnan(scores).any():
        return None
    shared = inputs.missing(each_own=True)
    numbers = []
    for vector in inputs.scores.values():
        masks = [mask for mask in (shared, vector.missing) if mask is not None]
        numbers.append(int(np.count_nonzero(np.any(masks, axis=0))) if masks else 0)
    return tuple(numbers)


def _gone_rows(
    frequency: FloatArray | None, inputs: Inputs, nan_policy: OwnNanPolicy
) -> BoolArray | None:
    """Return a mask of the rows to leave out, None if there are none."""
    # Rows of frequency 0 are no cases: they are left out, and not counted as dropped.
    absent = None if frequency is None or frequency.all() else frequency == 0
    # Whole rows, but under "available": every predictor is then of the same cases.
    missing = inputs.missing(each_own=nan_policy == "available")
    masks = [mask for mask in (missing, absent) if mask is not None]
    return np.asarray(np.any(masks, axis=0)) if masks else None


def _require_whole_rows(inputs: Inputs) -> None:
    vectors: list[tuple[str, Vector]] = [("", inputs.y_true)]
    vectors += [(f" of {n!r}", vector) for n, vector in distinct_vectors(inputs.scores).items()]
    vectors += [("", vector) for vector in inputs.of_roles]
    for of, vector in vectors:
        if vector.missing is not None:
            rows = np.flatnonzero(vector.missing)
            raise InputError(
                f"`{vector.argument}` must have no missing values; got {len(rows)}{of}"
                f" ({describe_rows(rows)}). Pass nan_policy='omit' to leave these rows out,"
                " or fill them in."
            )
