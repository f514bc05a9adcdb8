"""Truth-state runs: neighbouring scores whose cases are all of one class, taken together.

A run is a straight piece of the curve, so that merging loses nothing of it; nor does it of a
likelihood of ranks, where the cut inside a run factors out.
"""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray


def run_numbers(n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the number of each score's run; scores of no case go with the one before."""
    kept = n_pos + n_neg > 0
    pos, neg = n_pos[kept] > 0, n_neg[kept] > 0
    mixed = pos & neg
    starts = mixed[1:] | mixed[:-1] | (pos[1:] != pos[:-1])
    number = np.zeros(len(kept), dtype=np.intp)
    number[kept] = np.concatenate([[0], np.cumsum(starts)])
    return np.asarray(np.maximum.accumulate(number))
