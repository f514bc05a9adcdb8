"""Resamples of rows, with both classes in each, for models that are refitted."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import BoolArray, IntArray
from rocstats.stats.resampling.streams import stream


def draw_refits(is_positive: BoolArray, n_resamples: int, seed: int) -> tuple[IntArray, int]:
    """Return n_resamples x n rows drawn with replacement, and the number of redrawn resamples.

    All rows are drawn together; a resample that lacks a class is drawn again.
    """
    rng, n = stream(seed, 5), len(is_positive)
    rows = np.empty((n_resamples, n), dtype=np.intp)
    n_redrawn = 0
    for number in range(n_resamples):
        drawn = rng.integers(0, n, size=n)
        # No bound on redraws: where the sample has both classes, a resample lacks one with a
        # probability of at most 1/2 (n = 2), of 1/e with a single positive among many.
        while is_positive[drawn].all() or not is_positive[drawn].any():
            drawn = rng.integers(0, n, size=n)
            n_redrawn += 1
        rows[number] = drawn
    return rows, n_redrawn
