"""Sums over rows that a data engine makes: products of what each predictor says of a case."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.engines.native import native_like
from rocstats.sample.engines.on_engine import collected

# Columns of the rows: class (1 or 0), key of the cell of each predictor, cluster, and groups.
POSITIVE, CLUSTER = "positive", "cluster"


class PlacedCells(NamedTuple):
    """The cells of one predictor in one group: key, the two values that a case takes, and rank."""

    group: tuple[Any, ...]
    key: FloatArray
    of_pos: FloatArray
    of_neg: FloatArray
    rank: IntArray


def key_name(k: int) -> str:
    """Return the column of the keys of predictor ``k``."""
    return f"key_{k}"


def sum_products(
    rows: Any, placed: Sequence[Sequence[PlacedCells]], groups: Sequence[str], *, clustered: bool
) -> pd.DataFrame:
    """Return sums over the rows of a lazy frame, by group and kind of unit.

    ``placed`` are the cells of each predictor in each group. Units are rows, or clusters.

    Returns
    -------
    DataFrame
        Columns: groups, ``has_pos``, ``has_neg`` (1 or 0), ``n_units``, ``n_pos``, ``n_neg``,
        ``product_0_1`` (the sum of products of two values of a unit) and ``differ_0_1`` (the number
        of rows to which two predictors give different ranks). A row has a value of each of k
        predictors, a cluster the k sums of its positives, then the k sums of its negatives.
    """
    import narwhals as nw

    for k, tables in enumerate(placed):
        columns = _stacked(tables, groups, k)
        # Cast again: pyarrow joins text with text of the same type only.
        typed = [nw.col(n).cast(nw.String) if n in groups else nw.col(n) for n in columns]
        cells = native_like(rows, columns).select(*typed)
        rows = rows.join(cells, on=[*groups, key_name(k)], how="inner")
    k = len(placed)
    units = _valued(rows, k, clustered=clustered)
    units = _clusters(units, k, groups) if clustered else units
    found: pd.DataFrame = collected(
        _by_kind(units, k, 2 * k if clustered else k, groups)
    ).to_pandas()
    return found


def _stacked(tables: Sequence[PlacedCells], groups: Sequence[str], k: int) -> dict[str, Any]:
    sizes = [len(table.key) for table in tables]
    columns: dict[str, Any] = {
        name: np.repeat(np.array([table.group[i] for table in tables], dtype=object), sizes)
        for i, name in enumerate(groups)
    }
    columns[key_name(k)] = np.concatenate([table.key for table in tables])
    columns[f"pos_{k}"] = np.concatenate([table.of_pos for table in tables])
    columns[f"neg_{k}"] = np.concatenate([table.of_neg for table in tables])
    columns[f"rank_{k}"] = np.concatenate([table.rank for table in tables]).astype(np.int64)
    return columns


def _valued(rows: Any, k: int, *, clustered: bool) -> Any:
    """Return rows with the value of each predictor; of clusters, by class."""
    import narwhals as nw

    positive, none = nw.col(POSITIVE) == 1, nw.lit(0.0)
    of_pos, of_neg = ([nw.col(f"{side}_{i}") for i in range(k)] for side in ("pos", "neg"))
    pairs = list(zip(of_pos, of_neg, strict=True))
    if clustered:
        pairs = [(value, none) for value in of_pos] + [(none, value) for value in of_neg]
    values = [
        nw.when(positive).then(yes).otherwise(no).alias(f"value_{i}")
        for i, (yes, no) in enumerate(pairs)
    ]
    differ = [
        (nw.col(f"rank_{i}") != nw.col(f"rank_{j}")).cast(nw.Int64).alias(f"differ_{i}_{j}")
        for i, j in combinations(range(k), 2)
    ]
    counted = [nw.col(POSITIVE).alias("n_pos"), (1 - nw.col(POSITIVE)).alias("n_neg")]
    return rows.with_columns(*values, *differ, *counted)


def _clusters(valued: Any, k: int, groups: Sequence[str]) -> Any:
    """Return sums over the rows of each cluster."""
    import narwhals as nw

    summed = [*(f"value_{i}" for i in range(2 * k)), *_counted(k)]
    return valued.group_by(*groups, CLUSTER).agg(*(nw.col(name).sum() for name in summed))


def _by_kind(units: Any, k: int, width: int, groups: Sequence[str]) -> Any:
    """Return sums over units of each group and kind."""
    import narwhals as nw

    products = {
        f"product_{i}_{j}": nw.col(f"value_{i}") * nw.col(f"value_{j}")
        for i, j in combinations_with_replacement(range(width), 2)
    }
    kinds = {f"has_{side}": (nw.col(f"n_{side}") > 0).cast(nw.Int64) for side in ("pos", "neg")}
    # Engines such as Dask aggregate columns, not expressions.
    made = units.with_columns(**products, **kinds, n_units=nw.lit(1).cast(nw.Int64))
    summed = [*products, "n_units", *_counted(k)]
    return made.group_by(*groups, *kinds).agg(*(nw.col(name).sum() for name in summed))


def _counted(k: int) -> list[str]:
    return ["n_pos", "n_neg", *(f"differ_{i}_{j}" for i, j in combinations(range(k), 2))]
