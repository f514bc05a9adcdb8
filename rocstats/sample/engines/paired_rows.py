"""Rows on a data engine with the scores of several predictors: counted by each, then summed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from rocstats.sample.engines.cells import with_cells
from rocstats.sample.engines.inputs import Columns, require_column, require_complete
from rocstats.sample.engines.on_engine import (
    OnEngine,
    collected,
    flag,
    is_missing,
    label_of,
    number_of,
    rows_of,
    texts,
)
from rocstats.sample.engines.pairing import CLUSTER, POSITIVE, PlacedCells, key_name, sum_products

Labels = tuple[str, ...]


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
        source, self.engine = rows_of(frame)
        self._source = source.lazy()
        each = [Columns(columns.label, name, columns.by) for name in columns.scores]
        self.sources = [OnEngine(frame, one, pos_label) for one in each]
        # Joined as text, whatever their type: keys of a joined table must have that of the rows.
        if columns.cluster is not None:
            require_column("cluster", columns.cluster, self._source.collect_schema().names())
        self._groups = [f"group_{i}" for i in range(len(columns.by))]

    def sum_products(
        self, placed: Sequence[Sequence[PlacedCells]], bits: Sequence[int | None]
    ) -> pd.DataFrame:
        """Return the sums of ``pairing.sum_products``, given cells and bits of each predictor."""
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
        missing = flag(is_missing(name, self._source.collect_schema())).alias("missing")
        rows = self._source.select(nw.col(name).alias(CLUSTER), missing, *self._by())
        n_missing = collected(rows.select(nw.col("missing").sum()))["missing"][0]
        require_complete({("cluster", name): float(n_missing)})
        pairs = _distinct(rows.select(CLUSTER, *self._groups))
        one = pairs.select(CLUSTER).with_columns(n=nw.lit(1).cast(nw.Int64))
        clusters = one.group_by(CLUSTER).agg(nw.col("n").sum())
        spanning = clusters.select((nw.col("n") > 1).cast(nw.Int64).alias("n"))
        return int(collected(spanning.select(nw.col("n").sum()))["n"][0])

    def _rows(self, bits: Sequence[int | None]) -> Any:
        import narwhals as nw

        label, scores, cluster, _ = self._columns
        schema = self._source.collect_schema()
        positive = self.sources[0].positive
        columns = [flag(label_of(label, schema[label]) == nw.lit(positive)).alias(POSITIVE)]
        columns += [
            number_of(name, schema[name]).alias(f"score_{k}") for k, name in enumerate(scores)
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

    def _keys_of_groups(self) -> dict[Labels, Labels]:
        """Return the text by which an engine joins each group, by its labels in frames."""
        import narwhals as nw

        if not self._groups:
            return {(): ()}
        shown = [nw.col(name).alias(f"shown_{i}") for i, name in enumerate(self._columns.by)]
        found = collected(_distinct(self._source.select(*shown, *self._by())))
        labels = [texts(found[f"shown_{i}"]) for i in range(len(self._groups))]
        keys = [found[name].to_list() for name in self._groups]
        return dict(zip(zip(*labels, strict=True), zip(*keys, strict=True), strict=True))


def _distinct(rows: Any) -> Any:
    """Return the distinct rows; not by unique(), for which DuckDB holds all rows in memory."""
    import narwhals as nw

    names = rows.collect_schema().names()
    return rows.group_by(*names).agg(nw.len().alias("n")).select(*names)
