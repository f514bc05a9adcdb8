"""Truth-state runs: neighbouring scores whose cases are all of one class, taken together.

A run is a straight piece of the curve, so that merging its scores leaves the curve unchanged, and a
likelihood of ranks up to a constant factor.
"""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray


def run_numbers(n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the run number of each score, from 0; a score without cases joins the run before."""
    kept = n_pos + n_neg > 0
    pos, neg = n_pos[kept] > 0, n_neg[kept] > 0
    mixed = pos & neg
    # A tie of both classes is a sloped piece of its own: it ends one run and starts the next.
    starts = mixed[1:] | mixed[:-1] | (pos[1:] != pos[:-1])
    number = np.zeros(len(kept), dtype=np.intp)
    number[kept] = np.concatenate([[0], np.cumsum(starts)])
    return np.asarray(np.maximum.accumulate(number))
