"""The best of many random candidates: its p value from that of one."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray


def best_of(p: FloatArray | float, n_candidates: float) -> FloatArray:
    """Return 1 - (1 - p)^K, the p value of the best of K independent candidates."""
    single = np.minimum(np.asarray(p, dtype=np.float64), 1.0)
    if n_candidates == 1:
        return single  # not by way of the logarithm, which would round
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(n_candidates * np.log1p(-single)))
