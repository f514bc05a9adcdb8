"""Ratings turned into calls, so that the area of a reader is a sensitivity or a specificity."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.reads import Reads

CalledRate = Literal["tpr", "tnr"]


def called_reads(reads: Reads, threshold: FloatArray, quantity: CalledRate) -> Reads:
    """Return reads whose areas are the rates of calls at thresholds.

    ``threshold`` (t, or t x r) is on the scale of the reads, where higher is more positive: ratings
    at or above it are called positive, none at an infinite one.

    The cases of the rate have the rating 2 if they are called positive and else 0. Those of the
    other class are replaced by two marks rated 1: positives called right lie above them, negatives
    called right below. The placements of the marks are equal, so that they add nothing to a
    variance; with one mark, variances of the other class would be undefined.
    """
    at = np.asarray(threshold, dtype=np.float64).reshape(len(threshold), -1, 1)
    ratings = reads.pos if quantity == "tpr" else reads.neg
    read = ~np.isnan(ratings)
    cases = np.where(read, 2.0 * _called(ratings, at), np.nan)
    marks = np.where(read.any(axis=2, keepdims=True), np.ones(2), np.nan)
    own, marked = _clusters(reads, quantity)
    if quantity == "tpr":
        return Reads(cases, marks, own, marked)
    return Reads(marks, cases, marked, own)


def _called(ratings: FloatArray, at: FloatArray) -> BoolArray:
    # As everywhere in the package, the threshold beyond every score calls nobody positive.
    return np.asarray((ratings >= at) & (at < np.inf))


def _clusters(reads: Reads, quantity: CalledRate) -> tuple[IntArray | None, IntArray | None]:
    """Return the clusters of the cases, and one of its own for each mark."""
    if reads.pos_cluster is None or reads.neg_cluster is None:
        return None, None
    own = reads.pos_cluster if quantity == "tpr" else reads.neg_cluster
    last = max(int(side.max()) for side in (reads.pos_cluster, reads.neg_cluster) if len(side))
    return own, np.array([last + 1, last + 2])
