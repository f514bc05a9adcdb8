"""Count predictors on the same cases on a data engine, for comparisons of their areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE
from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.summed import InfluenceSums, SummedCases
from rocstats.sample.counts.tables import ScoreCounts, most_positive_first
from rocstats.sample.engines.pairing import PlacedCells, sum_products
from rocstats.sample.inputs.labels import read_directions
from rocstats.sample.summed import SummedSample
from rocstats.stats.influence.values import deviations
from rocstats.studies.paired import PairedCounts

Group = tuple[Any, ...]


def _placed(
    table: pd.DataFrame, groups: Sequence[str], bits: int | None, *, higher: bool
) -> tuple[dict[Group, PlacedCells], dict[Group, tuple[float, FloatArray]]]:
    """Return the cells of a predictor in each group, and its area with the parts of its variance."""
    cells, areas = {}, {}
    parts = table.groupby(list(groups), sort=False) if groups else [((), table)]
    for group, part in parts:
        n_pos, n_neg = (part[name].to_numpy(np.float64) for name in ("n_pos", "n_neg"))
        if not n_pos.sum() or not n_neg.sum():
            continue
        ascending = ScoreCounts(part["score"].to_numpy(np.float64), n_pos, n_neg)
        counts = most_positive_first(ascending, higher)
        area, spread, of_neg, of_pos = deviations(counts, FULL_RANGE)
        rank = np.arange(len(counts.score))
        cells[group] = PlacedCells(group, cell_of(counts.score, bits), of_pos, of_neg, rank)
        areas[group] = area, np.array(spread)
    return cells, areas


def _sums_of(
    rows: pd.DataFrame, areas: Sequence[tuple[float, FloatArray]], sizes: tuple[float, float], *, clustered: bool
) -> InfluenceSums:
    """Return the sums of one group from its rows of ``sum_products``."""
    k = len(areas)
    n_units, products = np.zeros(3), np.zeros((3, 2 * k, 2 * k))
    scale = np.repeat(1 / np.array(sizes), k)
    # Positives only, negatives only, both.
    kinds = [(1, 0), (0, 1), (1, 1)]
    for row in rows.to_dict("records"):
        kind = kinds.index((int(row["has_pos"]), int(row["has_neg"])))
        n_units[kind] = row["n_units"]
        width = 2 * k if clustered else k
        matrix = np.array([[row[f"product_{min(i, j)}_{max(i, j)}"] for j in range(width)] for i in range(width)])
        start = 0 if clustered else k * kind
        place = slice(start, start + width)
        products[kind, place, place] = matrix
    products *= np.outer(scale, scale)
    differ = rows.filter(like="differ_").sum()
    alike = np.eye(k, dtype=bool)
    for i in range(k):
        for j in range(i + 1, k):
            alike[i, j] = alike[j, i] = differ[f"differ_{i}_{j}"] == 0
    return InfluenceSums(
        np.array([area for area, _ in areas]), n_units, products, np.array([spread for _, spread in areas]).T, alike
    )
