"""Cases of many predictors by score: the keys of a block of predictors, sorted row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.sorted_keys import KeyArray, keys_in_place

# 512 kB of keys stay in the second-level cache of a core, and Python's share of a block is small.
_BLOCK = 2**16

# Up to here a predictor costs more by itself than its cases do. Products of sums over pairs of
# cases, n^4/4 at most, fit into int64.
MOST_ROW_CASES = 2**12

# Below this a double has fewer digits (is subnormal).
_LEAST_NORMAL = 2.0**-1022


class KeyRows(NamedTuple):
    """Sorted keys (see ``SortedKeys``) of the predictors ``at``: a row each, a column each case."""

    at: slice
    keys: KeyArray


def sorted_key_rows(scores: FloatArray, is_positive: BoolArray) -> Iterator[KeyRows]:
    """Yield the sorted keys of unweighted cases with no missing score, block by block."""
    n_rows, n = scores.shape
    step = max(1, _BLOCK // n)
    labels = is_positive.astype(np.int64)
    for start in range(0, n_rows, step):
        at = slice(start, min(start + step, n_rows))
        keys = keys_in_place(_below_two(scores[at]).view(np.int64), labels)
        keys.sort(axis=1)
        yield KeyRows(at, keys)


def _below_two(scores: FloatArray) -> FloatArray:
    """Return scores over a power of two for each row, so that their magnitudes are below 2."""
    sizes = np.abs(scores)
    largest, least = sizes.max(axis=1), sizes.min()
    if largest.max() < 2:
        return scores.copy()
    finite = largest < np.inf
    exponents = np.maximum(np.frexp(np.where(finite, largest, 0.0))[1] - 1, 0)
    factors = np.ldexp(1.0, -exponents)
    with np.errstate(under="ignore", invalid="ignore"):
        scaled = scores * factors[:, np.newaxis]
        if least * factors.min() >= _LEAST_NORMAL and finite.all():
            return np.asarray(scaled)
        # A power of two changes no digit of a score, but of one that it makes subnormal.
        lost = ((np.abs(scaled) < _LEAST_NORMAL) & (scores != 0)).any(axis=1) & (exponents > 0)
    for row in np.flatnonzero(lost | ~finite):
        scaled[row] = _ranks(scores[row])
    return np.asarray(scaled)


def _ranks(score: FloatArray) -> npt.NDArray[np.float64]:
    """Return numbers below 1 in the order of infinite or very small scores, ties kept."""
    places = np.unique(score, return_inverse=True)[1].astype(np.float64)
    return np.asarray(places / 2.0 ** np.frexp(len(score))[1])
