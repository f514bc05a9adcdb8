"""Small tables on the engine that has the rows of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np


def native_like(rows: Any, columns: dict[str, Any]) -> Any:
    """Return columns as a lazy frame on the engine that has the rows."""
    import narwhals as nw

    engine = rows.implementation
    if engine.is_pandas_like() or engine.is_pyarrow() or engine.is_polars():
        arrays = {name: np.asarray(values) for name, values in columns.items()}
        return nw.from_dict(arrays, backend=engine).lazy()
    cells = nw.to_native(nw.from_dict(columns, backend="pandas"))
    if engine.is_duckdb():
        # Asked of the rows, since DuckDB joins relations of one connection only.
        return nw.from_native(nw.to_native(rows).query("rows_of_cells", "SELECT * FROM cells"))
    if engine.is_pyspark():
        import pyarrow as pa  # type: ignore[import-untyped]

        # Not of pandas, whose rows Python workers would read again for every query.
        table = pa.Table.from_pandas(cells, preserve_index=False)
        return nw.from_native(nw.to_native(rows).sparkSession.createDataFrame(table))
    return nw.from_native(cells).lazy(engine)
