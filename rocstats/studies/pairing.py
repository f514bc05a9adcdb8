"""Count predictors on the same cases on a data engine, for comparisons of their areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE
from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.summed import InfluenceSums, SummedCases
from rocstats.sample.counts.tables import ScoreCounts, most_positive_first
from rocstats.sample.engines.cells import cell_of
from rocstats.sample.engines.counting import counted
from rocstats.sample.engines.inputs import read_by, read_precision
from rocstats.sample.engines.paired_rows import PairedColumns, PairedRows
from rocstats.sample.engines.pairing import PlacedCells
from rocstats.sample.engines.table import Counts
from rocstats.sample.inputs.labels import read_directions
from rocstats.sample.summed import SummedSample
from rocstats.stats.influence.values import deviations
from rocstats.studies.paired import PairedCounts


class _Placed(NamedTuple):
    """One predictor in one group: its cells, its area and the parts of DeLong's variance."""

    cells: PlacedCells
    area: float
    unclustered: FloatArray
    sizes: tuple[float, float]


def count_paired(
    frame: Any,
    y_true: str,
    y_score: Sequence[str],
    *,
    pos_label: Any = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    cluster: str | None = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
) -> PairedCounts:
    """Return areas of predictors on the same cases, with their covariance, counted on an engine."""
    names = _read_names(y_score)
    higher = read_directions(higher_is_positive, names)
    columns = PairedColumns(y_true, names, cluster, read_by(by))
    precision = read_precision(bits, exact)
    rows = PairedRows(frame, columns, pos_label)
    found = [counted(source, precision) for source in rows.sources]
    tables, used = [counts for counts, _ in found], found[0][1]
    placed = [
        {
            group: _place(group, part, used, up)
            for group, part in zip(table.groups, table.by_group(), strict=True)
        }
        for table, up in zip(tables, higher, strict=True)
    ]
    spanned = rows.n_spanning() > 0
    cells = [[one.cells for one in each.values() if one.cells is not None] for each in placed]
    sums = rows.sum_products(cells, used)
    groups = []
    for group in tables[0].groups:
        each = [one[group] for one in placed]
        part = sums[[label == group for label in sums["group"]]]
        groups.append(
            (" / ".join(group), _cases_of(part, each, higher, clustered=cluster is not None))
        )
    sample = SummedSample.of(names, 1 if pos_label is None else pos_label, groups)
    about = {"counted by": rows.engine, "cells": "every score" if used is None else f"{used} bits"}
    return PairedCounts(sample, about, spanned)


def _read_names(y_score: Any) -> tuple[str, ...]:
    """Return the names of two or more columns of scores."""
    names = () if isinstance(y_score, str) else tuple(y_score)
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError(
            f"`y_score` must name two columns of scores or more, each once; got {y_score!r}."
            " Pass a list of names; count_scores counts a single one."
        )
    return names


def _place(group: tuple[str, ...], counts: Counts, bits: int | None, higher: bool) -> _Placed:
    """Return the cells of a predictor in a group, with the values that cases in them take."""
    sizes = float(counts.n_pos.sum()), float(counts.n_neg.sum())
    ascending = ScoreCounts(counts.low, counts.n_pos, counts.n_neg)
    table = most_positive_first(ascending, higher)
    rank = np.arange(len(table.score))
    if 0 in sizes:
        unknown = np.full(len(rank), 0.0)
        return _Placed(
            PlacedCells(group, cell_of(table.score, bits), unknown, unknown, rank),
            np.nan,
            np.full(2, np.nan),
            sizes,
        )
    area, spread, of_neg, of_pos = deviations(table, FULL_RANGE)
    cells = PlacedCells(group, cell_of(table.score, bits), of_pos, of_neg, rank)
    return _Placed(cells, area, np.array(spread), sizes)


def _cases_of(
    rows: pd.DataFrame, placed: Sequence[_Placed], higher: tuple[bool, ...], *, clustered: bool
) -> SummedCases:
    """Return the cases of one group from its rows of ``sum_products``."""
    sizes = placed[0].sizes
    counted_again = float(rows["n_pos"].sum()), float(rows["n_neg"].sum())
    if any(one.sizes != counted_again for one in placed):
        raise InputError(
            "`frame` must not change while it is counted; got"
            f" {sizes[0]:.0f} positives and {sizes[1]:.0f} negatives at first, then"
            f" {counted_again[0]:.0f} and {counted_again[1]:.0f}. Pass a frame that is at rest."
        )
    sums = None if 0 in sizes else _sums_of(rows, placed, sizes, clustered=clustered)
    return SummedCases.of(sizes, sums, higher, clustered=clustered)


def _sums_of(
    rows: pd.DataFrame,
    placed: Sequence[_Placed],
    sizes: tuple[float, float],
    *,
    clustered: bool,
) -> InfluenceSums:
    k = len(placed)
    n_units, products = np.zeros(3), np.zeros((3, 2 * k, 2 * k))
    width = 2 * k if clustered else k
    names = [[f"product_{min(i, j)}_{max(i, j)}" for j in range(width)] for i in range(width)]
    for row in rows.to_dict("records"):
        # Positives only, negatives only, both.
        kind = [(1, 0), (0, 1), (1, 1)].index((int(row["has_pos"]), int(row["has_neg"])))
        n_units[kind] = row["n_units"]
        # A case has a value of its own class alone.
        start = 0 if clustered else k * kind
        place = slice(start, start + width)
        products[kind, place, place] = [[row[name] for name in line] for line in names]
    scale = np.repeat(1 / np.array(sizes), k)
    alike = np.eye(k, dtype=bool)
    for i, j in combinations(range(k), 2):
        alike[i, j] = alike[j, i] = rows[f"differ_{i}_{j}"].sum() == 0
    return InfluenceSums(
        np.array([one.area for one in placed]),
        n_units,
        products * np.outer(scale, scale),
        np.array([one.unclustered for one in placed]).T,
        alike,
    )
