"""Ratings of a reader study as arrays, the input of every statistic of readers."""

from __future__ import annotations

from typing import NamedTuple

from rocstats.sample.arrays import FloatArray, IntArray


class Reads(NamedTuple):
    """Ratings of a reader study, higher meaning more positive; NaN where a case was not read.

    ``pos`` (t x r x m) and ``neg`` (t x r x n) hold those of the positives and of the negatives.
    The codes of clusters are shared by both classes; None: every case is its own unit.
    """

    pos: FloatArray
    neg: FloatArray
    pos_cluster: IntArray | None = None
    neg_cluster: IntArray | None = None
