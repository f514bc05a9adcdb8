"""Calls of readers at thresholds, as ratings whose area is a sensitivity or a specificity."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.study.cases import Reads
from rocstats.study.points import read_single_thresholds
from rocstats.study.readers import ReaderSample

CalledRate = Literal["tpr", "tnr"]
CALLED_RATES: tuple[CalledRate, ...] = ("tpr", "tnr")


def read_modality_thresholds(sample: ReaderSample, threshold: Any) -> FloatArray:
    """Return the threshold of each modality; raise InputError if one has none."""
    thresholds = read_single_thresholds(threshold, sample.modalities, of=("modality", "modalities"))
    without = [name for name in sample.modalities if name not in thresholds]
    if without:
        raise InputError(
            f"`threshold` must be one number, or one for each modality; got none for {without}."
            " Add them to the mapping."
        )
    return np.array([thresholds[name] for name in sample.modalities])


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
    # As everywhere in the package, the threshold beyond every score calls nobody positive.
    called = (ratings >= at) & (at < np.inf)
    cases = np.where(read, 2.0 * called, np.nan)
    marks = np.where(read.any(axis=2, keepdims=True), np.ones(2), np.nan)
    clusters, mark_clusters = None, None
    if reads.pos_cluster is not None and reads.neg_cluster is not None:
        clusters = reads.pos_cluster if quantity == "tpr" else reads.neg_cluster
        # Each mark is a cluster of its own.
        last = max(int(side.max()) for side in (reads.pos_cluster, reads.neg_cluster) if len(side))
        mark_clusters = np.array([last + 1, last + 2])
    if quantity == "tpr":
        return Reads(cases, marks, clusters, mark_clusters)
    return Reads(marks, cases, mark_clusters, clusters)
