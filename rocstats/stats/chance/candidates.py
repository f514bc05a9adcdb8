"""P value of the best of several random candidates."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray


def best_of(p: FloatArray | float, n_candidates: float) -> FloatArray:
    """Return 1 - (1 - p)^K, the p value of the best of K independent candidates."""
    # Exact for random scorers, which are independent given the labels, and conservative for
    # correlated ones (docs/methods/chance.md, "The best of many").
    single = np.minimum(np.asarray(p, dtype=np.float64), 1.0)
    if n_candidates == 1:
        return single  # not by way of the logarithm, which would round
    with np.errstate(divide="ignore"):  # log 0 at p = 1; logarithms keep the digits of a small p
        return np.asarray(-np.expm1(n_candidates * np.log1p(-single)))
