"""Small tables on the engine that has the rows of a frame."""

from __future__ import annotations

from typing import Any


def native_like(rows: Any, columns: dict[str, Any]) -> Any:
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
