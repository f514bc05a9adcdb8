"""The roles of the rows of a sample, and the rows kept under a policy for missing values."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray, take_rows
from rocstats.sample.inputs.forms import Inputs
from rocstats.sample.inputs.vectors import Vector, describe_rows, read_factor, read_weights

NanPolicy = Literal["raise", "omit"]
NAN_POLICIES = ("raise", "omit")
FACTORS = ("cluster", "fold", "group")


def read_roles(inputs: Inputs) -> dict[str, Any]:
    """Return every role as a validated array or factor; None for a role that was not given."""
    roles = inputs.roles
    return {
        "frequency": read_weights(roles["frequency"], whole=True) if "frequency" in roles else None,
        "sample_weight": (
            read_weights(roles["sample_weight"], whole=False) if "sample_weight" in roles else None
        ),
        **{name: read_factor(roles[name]) if name in roles else None for name in FACTORS},
    }


def keep_whole_rows(
    arrays: dict[str, Any], inputs: Inputs, nan_policy: NanPolicy
) -> dict[str, Any]:
    """Return the arrays without rows with a missing value or frequency 0, and ``n_dropped``."""
    missing = _missing_rows(inputs, nan_policy)
    # Rows of frequency 0 are no cases: they are left out, and not counted as dropped.
    n_dropped = 0 if missing is None else int(np.count_nonzero(missing))
    absent = None if arrays["frequency"] is None else arrays["frequency"] == 0
    if missing is not None or (absent is not None and absent.any()):
        gone = np.zeros(len(inputs.y_true), dtype=bool)
        for rows in (missing, absent):
            if rows is not None:
                gone |= rows
        arrays = take_rows(arrays, np.flatnonzero(~gone))
    return {**arrays, "n_dropped": n_dropped}


def _missing_rows(inputs: Inputs, nan_policy: NanPolicy) -> BoolArray | None:
    """Return a mask of the rows with a missing value, None if there are none; or raise."""
    vectors: list[tuple[str, Vector]] = [("", inputs.y_true)]
    vectors += [(f" of {name!r}", vector) for name, vector in inputs.scores.items()]
    vectors += [("", vector) for vector in inputs.roles.values()]
    incomplete = [
        (of, vector, vector.missing) for of, vector in vectors if vector.missing is not None
    ]
    if not incomplete:
        return None
    if nan_policy == "raise":
        of, vector, missing = incomplete[0]
        rows = np.flatnonzero(missing)
        raise InputError(
            f"`{vector.argument}` must have no missing values; got {len(rows)}{of}"
            f" ({describe_rows(rows)}). Pass nan_policy='omit' to leave these rows out,"
            " or fill them in."
        )
    # Whole rows: every predictor is then of the same cases, as paired comparisons need.
    return np.asarray(np.any([missing for _, _, missing in incomplete], axis=0))
