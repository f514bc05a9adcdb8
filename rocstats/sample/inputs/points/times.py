"""Times at which a survival study is asked: one or several."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array


def read_horizons(value: Any, argument: str = "time") -> FloatArray:
    """Return the distinct times > 0, in increasing order."""
    at = number_array(value)
    if at.ndim != 1 or len(at) == 0 or not ((at > 0) & np.isfinite(at)).all():
        raise InputError(
            f"`{argument}` must be a finite number > 0, or a sequence of them; got {value!r}. Pass"
            " times in the unit of the study, for instance 12 for a year in months."
        )
    return np.unique(at)
