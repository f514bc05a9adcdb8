"""The best of many random candidates: its p value from that of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray


def best_of(p: FloatArray | float, n_candidates: float) -> FloatArray:
    """Return 1 - (1 - p)^K, the p value of the best of K independent candidates."""
    single = np.minimum(np.asarray(p, dtype=np.float64), 1.0)
    if n_candidates == 1:
        return single  # not by way of the logarithm, which would round
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(n_candidates * np.log1p(-single)))


def require_candidates(n_candidates: Any) -> int:
    """Return ``n_candidates`` as int; raise InputError unless it is a whole number >= 1."""
    whole = isinstance(n_candidates, (int, np.integer)) and not isinstance(n_candidates, bool)
    if not whole or n_candidates < 1:
        raise InputError(
            f"`n_candidates` must be a whole number >= 1; got {n_candidates!r}."
            " Pass how many predictors were tried."
        )
    return int(n_candidates)
