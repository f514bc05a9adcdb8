"""The columns of a band of differences, from one piece for each pair in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.frames import Labels
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.sample import Sample

_FEW_CLUSTERS = 30


@dataclass(frozen=True, eq=False)
class DifferencePiece:
    """The rows of one pair in one group."""

    pair: tuple[int, int]
    group: str
    sizes: tuple[float, float]
    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    notes: list[str]


def few_clusters(sample: Sample) -> list[str]:
    """Return the note of a sample with few clusters, if it has."""
    few = sample.cluster is not None and min(cluster_numbers(sample.cases)[:2]) < _FEW_CLUSTERS
    return ["few-clusters"] if few else []


def difference_columns(
    sample: Sample,
    pieces: Sequence[DifferencePiece],
    along: str,
    places: FloatArray,
    confidence_level: float,
) -> dict[str, Any]:
    """Return the columns of simultaneous bands at ``places``, which stand in the column ``along``.

    The note ``excludes-zero`` stands where a band does not hold 0.
    """
    rows = np.repeat(np.arange(len(pieces)), len(places))
    curves = [(piece.estimate, piece.low, piece.high) for piece in pieces]
    estimate, low, high = np.concatenate([np.empty((3, 0)), *map(np.array, curves)], axis=1)
    # Every piece has two notes: that of places where the band excludes 0, and that of others.
    notes = [
        "; ".join([*first, *piece.notes]) for piece in pieces for first in ([], ["excludes-zero"])
    ]
    differs = (low > 0) | (high < 0)
    one = np.zeros(len(rows), dtype=np.intp)
    columns = {
        "predictor": Labels([sample.predictors[piece.pair[0]] for piece in pieces], rows),
        "reference": Labels([sample.predictors[piece.pair[1]] for piece in pieces], rows),
        along: np.tile(places, len(pieces)),
        "estimate": estimate,
        "ci_low": low,
        "ci_high": high,
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels(["simultaneous"], one),
        "n_pos": np.repeat([piece.sizes[0] for piece in pieces], len(places)),
        "n_neg": np.repeat([piece.sizes[1] for piece in pieces], len(places)),
        "method": Labels(["bootstrap"], one),
        "note": Labels(notes, 2 * rows + differs),
    }
    if sample.group is not None:
        columns["group"] = Labels([piece.group for piece in pieces], rows)
    return columns
