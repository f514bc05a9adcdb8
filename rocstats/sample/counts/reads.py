"""Ratings of a reader study as arrays: modality by reader by case, split by the true class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray


class Reads(NamedTuple):
    """Ratings of a reader study, higher meaning more positive; NaN where a case was not read.

    Attributes
    ----------
    pos : ndarray of float64, shape (t, r, m)
        Ratings of the m positive cases by r readers under t modalities. Infinite ratings are legal.
    neg : ndarray of float64, shape (t, r, n)
        Ratings of the n negative cases.
    pos_cluster, neg_cluster : ndarray of int, shapes (m,) and (n,), or None
        Cluster of each case, numbered from 0 over both classes; None: every case is its own unit.
    """

    pos: FloatArray
    neg: FloatArray
    pos_cluster: IntArray | None = None
    neg_cluster: IntArray | None = None

    @property
    def n_modalities(self) -> int:
        """Number of modalities, t."""
        return int(self.pos.shape[0])

    @property
    def n_readers(self) -> int:
        """Number of readers, r."""
        return int(self.pos.shape[1])

    @property
    def n_pos(self) -> int:
        """Number of positive cases, m."""
        return int(self.pos.shape[2])

    @property
    def n_neg(self) -> int:
        """Number of negative cases, n."""
        return int(self.neg.shape[2])

    @property
    def has_read(self) -> BoolArray:
        """Which cases were read by whom, shape (t, r, m + n): the positives, then the negatives."""
        read: BoolArray = ~np.isnan(np.concatenate([self.pos, self.neg], axis=2))
        return read
