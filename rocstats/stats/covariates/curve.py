"""The covariate-adjusted curve: the distribution of 1 - U over the positives."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import SAME


def curve_vertices(placement: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the vertices (2 x v) of the staircase from (0, 0) to (1, 1)."""
    rate, share = _steps(placement, weight)
    before = np.concatenate([[0.0], share[:-1]])
    fpr = np.concatenate([[0.0], np.repeat(rate, 2), [1.0]])
    tpr = np.concatenate([[0.0], np.column_stack([before, share]).ravel(), [1.0]])
    # A step at 0 or 1 starts or ends in a corner of the unit square.
    vertices = np.stack([fpr, tpr])
    moved = np.any(np.diff(vertices, axis=1) > 0, axis=0)
    return np.asarray(vertices[:, np.concatenate([[True], moved])])


def rates_at(fpr: FloatArray, placement: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the share of positives with 1 - U at most each false positive rate."""
    rate, share = _steps(placement, weight)
    # 1 - U is rounded: a rate that is meant to be k/n must find it.
    below = np.searchsorted(rate, fpr + SAME, side="right")
    return np.asarray(np.concatenate([[0.0], share])[below])


def _steps(placement: FloatArray, weight: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Return the false positive rates of the steps, rising, and the share up to each."""
    rate, row = np.unique(1 - placement, return_inverse=True)
    counts = np.bincount(row, weight, len(rate))
    share = np.cumsum(counts) / counts.sum()
    share[-1] = 1.0  # whatever the rounding of the sum
    return rate, share
