"""Rows on a data engine with the scores of several predictors: counted by each, then summed.

The sums are of products of what each predictor says of a case (its influence on each area). The
engine makes them; rows never leave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, combinations_with_replacement
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.counts.count import (
    CountColumns,
    require_column,
    require_no_missing,
    require_no_pattern,
    with_cells,
)
from rocstats.counts.engines import (
    OnEngine,
    collected_from_engine,
    group_labels,
    is_missing,
    label_column,
    rows_and_engine,
    score_column,
    zero_one_of_condition,
)
from rocstats.facts.arrays import FloatArray, IntArray

# Columns of the rows: class (1 or 0), key of the cell of each predictor, cluster, and groups.
POSITIVE, CLUSTER = "positive", "cluster"


# --- The rows, and their groups and clusters ------------------------------------------------------

GroupLabels = tuple[str, ...]


class PairedColumns(NamedTuple):
    """The columns to count by: label, scores of each predictor, cluster and groups."""

    label: str
    scores: tuple[str, ...]
    cluster: str | None
    by: tuple[str, ...]


class PairedRows:
    """Rows of a frame that an engine has: ``sources`` count them by each predictor."""

    def __init__(self, frame: Any, columns: PairedColumns, pos_label: Any) -> None:
        self._columns = columns
        source, self.engine = rows_and_engine(frame)
        self._source = source.lazy()
        each = [CountColumns(columns.label, name, columns.by) for name in columns.scores]
        self.sources = [OnEngine(frame, one, pos_label) for one in each]
        # Joined as text, whatever their type: keys of a joined table must have that of the rows.
        if columns.cluster is not None:
            require_column("cluster", columns.cluster, self._source.collect_schema().names())
            require_no_pattern("cluster", columns.cluster)
        self._groups = [f"group_{i}" for i in range(len(columns.by))]

    def sum_products(
        self, placed: Sequence[Sequence[PlacedCells]], bits: Sequence[int | None]
    ) -> pd.DataFrame:
        """Return the sums of ``sum_products``, given cells and bits of each predictor."""
        rows = self._rows(bits)
        keyed = self._keys_of_groups()
        cells = [[one._replace(group=keyed[one.group]) for one in each] for each in placed]
        clustered = self._columns.cluster is not None
        found = sum_products(rows, cells, self._groups, clustered=clustered)
        labels = {key: label for label, key in keyed.items()}
        found["group"] = [labels[tuple(row)] for row in found[self._groups].to_numpy(dtype=object)]
        return found

    def n_spanning(self) -> int:
        """Return the number of clusters with cases in several groups; refuse missing clusters."""
        import narwhals as nw

        name = self._columns.cluster
        if name is None:
            return 0
        missing = zero_one_of_condition(is_missing(name, self._source.collect_schema())).alias(
            "missing"
        )
        rows = self._source.select(nw.col(name).alias(CLUSTER), missing, *self._by())
        n_missing = collected_from_engine(rows.select(nw.col("missing").sum()))["missing"][0]
        require_no_missing({("cluster", name): float(n_missing)})
        pairs = _distinct_rows(rows.select(CLUSTER, *self._groups))
        one = pairs.select(CLUSTER).with_columns(n=nw.lit(1).cast(nw.Int64))
        clusters = one.group_by(CLUSTER).agg(nw.col("n").sum())
        spanning = clusters.select((nw.col("n") > 1).cast(nw.Int64).alias("n"))
        return int(collected_from_engine(spanning.select(nw.col("n").sum()))["n"][0])

    def _rows(self, bits: Sequence[int | None]) -> Any:
        import narwhals as nw

        label, scores, cluster, _ = self._columns
        schema = self._source.collect_schema()
        positive = self.sources[0].positive
        columns = [
            zero_one_of_condition(label_column(label, schema[label]) == nw.lit(positive)).alias(
                POSITIVE
            )
        ]
        columns += [
            score_column(name, schema[name]).alias(f"score_{k}") for k, name in enumerate(scores)
        ]
        columns += [] if cluster is None else [nw.col(cluster).alias(CLUSTER)]
        rows = self._source.select(*columns, *self._by())
        for k, used in enumerate(bits):
            rows = with_cells(rows, f"score_{k}", key_name(k), used)
        return rows

    def _by(self) -> list[Any]:
        import narwhals as nw

        pairs = zip(self._columns.by, self._groups, strict=True)
        return [nw.col(name).cast(nw.String).alias(own) for name, own in pairs]

    def _keys_of_groups(self) -> dict[GroupLabels, GroupLabels]:
        """Return the text by which an engine joins each group, by its labels in frames."""
        import narwhals as nw

        if not self._groups:
            return {(): ()}
        shown = [nw.col(name).alias(f"shown_{i}") for i, name in enumerate(self._columns.by)]
        found = collected_from_engine(_distinct_rows(self._source.select(*shown, *self._by())))
        labels = [group_labels(found[f"shown_{i}"]) for i in range(len(self._groups))]
        keys = [found[name].to_list() for name in self._groups]
        return dict(zip(zip(*labels, strict=True), zip(*keys, strict=True), strict=True))


def _distinct_rows(rows: Any) -> Any:
    """Return the distinct rows; not by unique(), for which DuckDB holds all rows in memory."""
    import narwhals as nw

    names = rows.collect_schema().names()
    return rows.group_by(*names).agg(nw.len().alias("n")).select(*names)


# --- Sums of products over rows or clusters -------------------------------------------------------


class PlacedCells(NamedTuple):
    """The cells of one predictor in one group: key, the two values that a case takes, and rank."""

    group: tuple[Any, ...]
    key: FloatArray
    of_pos: FloatArray
    of_neg: FloatArray
    rank: IntArray


SIZE_POWERS = ((2, 0), (1, 1), (0, 2), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4))
"""Powers of the numbers of positives and of negatives of a cluster, of which sums are needed."""


def power_name(powers: tuple[int, int]) -> str:
    """Return the column of the sum of powers of the sizes of clusters."""
    return f"power_{powers[0]}_{powers[1]}"


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
        predictors, a cluster the k sums of its positives, then the k sums of its negatives. Of
        clusters also ``power_a_b`` for ``SIZE_POWERS``: the sum of n_pos^a n_neg^b.
    """
    import narwhals as nw

    for k, tables in enumerate(placed):
        columns = _stacked_cells(tables, groups, k)
        # Cast again: pyarrow joins text with text of the same type only.
        typed = [nw.col(n).cast(nw.String) if n in groups else nw.col(n) for n in columns]
        cells = _columns_on_engine_of_rows(rows, columns).select(*typed)
        rows = rows.join(cells, on=[*groups, key_name(k)], how="inner")
    k = len(placed)
    units = _rows_with_placement_values(rows, k, clustered=clustered)
    units = _cluster_sums(units, k, groups) if clustered else units
    found: pd.DataFrame = collected_from_engine(
        _sums_by_kind(units, k, groups, clustered)
    ).to_pandas()
    return found


def _stacked_cells(tables: Sequence[PlacedCells], groups: Sequence[str], k: int) -> dict[str, Any]:
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


def _columns_on_engine_of_rows(rows: Any, columns: dict[str, Any]) -> Any:
    """Return columns as a lazy frame on the engine that has the rows."""
    import narwhals as nw

    engine = rows.implementation
    eager = engine.is_pandas_like() or engine.is_pyarrow() or engine.is_polars()
    used: Any = engine if eager else "pandas"
    # Of texts a list: Polars takes an array of objects for a column of objects.
    lists = {n: v.tolist() if v.dtype == object else v for n, v in columns.items()}
    first, *others = (nw.new_series(n, v, backend=used) for n, v in lists.items())
    table = first.to_frame().with_columns(*others)
    if eager:
        return table.lazy()
    cells = nw.to_native(table)
    if engine.is_duckdb():
        # Asked of the rows, since DuckDB joins relations of one connection only.
        return nw.from_native(nw.to_native(rows).query("rows_of_cells", "SELECT * FROM cells"))
    if engine.is_pyspark():
        import pyarrow as pa  # type: ignore[import-untyped]

        # Not of pandas, whose rows Python workers would read again for every query.
        arrow = pa.Table.from_pandas(cells, preserve_index=False)
        return nw.from_native(nw.to_native(rows).sparkSession.createDataFrame(arrow))
    return nw.from_native(cells).lazy(engine)


def _rows_with_placement_values(rows: Any, k: int, *, clustered: bool) -> Any:
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


def _cluster_sums(valued: Any, k: int, groups: Sequence[str]) -> Any:
    """Return sums over the rows of each cluster."""
    import narwhals as nw

    summed = [*(f"value_{i}" for i in range(2 * k)), *_count_columns(k)]
    return valued.group_by(*groups, CLUSTER).agg(*(nw.col(name).sum() for name in summed))


def _sums_by_kind(units: Any, k: int, groups: Sequence[str], clustered: bool) -> Any:
    """Return sums over units of each group and kind."""
    import narwhals as nw

    products = {
        f"product_{i}_{j}": nw.col(f"value_{i}") * nw.col(f"value_{j}")
        for i, j in combinations_with_replacement(range(2 * k if clustered else k), 2)
    }
    # Real numbers: the fourth power of 100 000 cases is beyond 64-bit integers.
    sizes = [nw.col(f"n_{side}").cast(nw.Float64) for side in ("pos", "neg")]
    for powers in SIZE_POWERS if clustered else ():
        factors = [size for size, power in zip(sizes, powers, strict=True) for _ in range(power)]
        products[power_name(powers)] = reduce(mul, factors)
    kinds = {f"has_{side}": (nw.col(f"n_{side}") > 0).cast(nw.Int64) for side in ("pos", "neg")}
    # Engines such as Dask aggregate columns, not expressions.
    made = units.with_columns(**products, **kinds, n_units=nw.lit(1).cast(nw.Int64))
    summed = [*products, "n_units", *_count_columns(k)]
    return made.group_by(*groups, *kinds).agg(*(nw.col(name).sum() for name in summed))


def _count_columns(k: int) -> list[str]:
    return ["n_pos", "n_neg", *(f"differ_{i}_{j}" for i, j in combinations(range(k), 2))]
