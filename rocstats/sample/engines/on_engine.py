"""Counts made by a data engine through narwhals: rows never leave the engine, cells do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.engines.cells import with_cells
from rocstats.sample.engines.inputs import Columns, require_columns, require_complete, require_rows
from rocstats.sample.engines.table import Counts, ordered_counts
from rocstats.sample.inputs.labels import read_labels
from rocstats.sample.inputs.vectors import EXACT_INTEGERS, as_narwhals, read_factor, read_vector

# A column with more labels than this is not of classes: no more are brought here to say so.
_MOST_LABELS = 1000

# Names of our own, which no column of the user's can have taken: only these are selected.
_LABEL, _SCORE, _CELL = "rocstats_label", "rocstats_score", "rocstats_cell"
_NO_LABEL, _NO_SCORE = "rocstats_no_label", "rocstats_no_score"


class OnEngine:
    """Columns of a frame that an engine has, to be counted there by cells of any size."""

    def __init__(self, frame: Any, columns: Columns, pos_label: Any) -> None:
        import narwhals as nw

        source, self.engine = rows_of(frame)
        schema = source.collect_schema()
        require_columns(columns, list(schema.names()))
        self._columns = columns
        self._groups = [f"rocstats_group_{k}" for k in range(len(columns.by))]
        self._is_integer = schema[columns.score].is_integer()
        self._rows = source.select(
            label_of(columns.label, schema[columns.label]).alias(_LABEL),
            number_of(columns.score, schema[columns.score]).alias(_SCORE),
            *(nw.col(name).alias(own) for name, own in zip(columns.by, self._groups, strict=True)),
        )
        self.positive = self._positive_label(pos_label)
        self._marked = self._with_flags(self.positive)

    def count(self, bits: int | None) -> Counts:
        """Return the counts by cells of so many bits; of each score without."""
        import narwhals as nw

        missing = {_NO_LABEL: ("label", self._columns.label)}
        missing[_NO_SCORE] = ("score", self._columns.score)
        for own, name in zip(self._groups, self._columns.by, strict=True):
            missing[f"{own}_missing"] = ("by", name)
        summed = ["n_pos", "n_neg", *missing]
        cells = with_cells(self._marked, _SCORE, _CELL, bits)
        found = collected(
            cells.group_by(*self._groups, _CELL).agg(
                nw.col(_SCORE).min().alias("low"),
                nw.col(_SCORE).max().alias("high"),
                *(nw.col(name).sum().alias(f"{name}_sum") for name in summed),
            )
        )
        # DuckDB sums integers as Decimal(38, 0); a float holds a number of cases up to 2^53.
        sums = {name: _floats(found[f"{name}_sum"]) for name in summed}
        require_rows(len(sums["n_pos"]))
        require_complete({key: sums[name].sum() for name, key in missing.items()})
        low, high = _floats(found["low"]) + 0.0, _floats(found["high"]) + 0.0
        if self._is_integer and max(abs(low.min()), abs(high.max())) >= EXACT_INTEGERS:
            raise InputError(
                "`score` must be exact as 64-bit floats; got integers of 2**53 or more, of which"
                " some would become equal. Pass their ranks."
            )
        labels = {
            name: texts(found[own])
            for own, name in zip(self._groups, self._columns.by, strict=True)
        }
        return ordered_counts(labels, low, high, sums["n_pos"], sums["n_neg"])

    def _positive_label(self, pos_label: Any) -> Any:
        """Return the label of the positives as the engine has it; None where no row has it."""
        import narwhals as nw

        label = nw.col(_LABEL)
        found = collected(self._rows.select(label).unique().head(_MOST_LABELS))
        # A missing label is None, NaN or, of Dask, pandas' NA.
        known = [each for each in found[_LABEL].to_list() if not pd.isna(each)]
        if not known:
            return None
        mask = read_labels(read_vector(np.array(known, dtype=object), "label"), pos_label)
        return next((each for each, positive in zip(known, mask, strict=True) if positive), None)

    def _with_flags(self, positive: Any) -> Any:
        """Return the rows with what is summed as whole numbers, the scores without missing ones."""
        import narwhals as nw

        schema = self._rows.collect_schema()
        no_score = is_missing(_SCORE, schema)
        is_positive = nw.lit(False) if positive is None else nw.col(_LABEL) == nw.lit(positive)
        rows = self._rows.with_columns(
            flag(is_positive).alias("n_pos"),
            flag(is_missing(_LABEL, schema)).alias(_NO_LABEL),
            flag(no_score).alias(_NO_SCORE),
            *(flag(is_missing(own, schema)).alias(f"{own}_missing") for own in self._groups),
            nw.when(no_score).then(nw.lit(0.0)).otherwise(nw.col(_SCORE)).alias(_SCORE),
        )
        return rows.with_columns((1 - nw.col("n_pos")).alias("n_neg"))


def rows_of(frame: Any) -> tuple[Any, str]:
    """Return the rows of a frame of any library, lazy where that helps, and the engine's name."""
    import narwhals as nw

    source = as_narwhals(frame, "frame")
    if not isinstance(source, (nw.DataFrame, nw.LazyFrame)):
        raise InputError(
            f"`frame` must be a frame that narwhals reads, or a dict of columns; got"
            f" {type(frame).__name__}. Pass a frame of pandas, Polars, DuckDB, Dask, PySpark or"
            " pyarrow."
        )
    engine = source.implementation.name.lower()
    return source.lazy() if engine == "polars" else source, engine


def flag(condition: Any) -> Any:
    """Return 1 where a condition is true, else 0, to be summed."""
    import narwhals as nw

    # Engines disagree on sums of truth values, and on what null is equal to.
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)


def label_of(name: str, dtype: Any) -> Any:
    """Return the column of labels, categories as text and decimal numbers as floats."""
    import narwhals as nw

    if dtype in (nw.Categorical, nw.Enum):
        return nw.col(name).cast(nw.String)
    return nw.col(name).cast(nw.Float64) if dtype.is_decimal() else nw.col(name)


def number_of(name: str, dtype: Any) -> Any:
    """Return the column of scores as 64-bit floats; a column that is no number is refused."""
    import narwhals as nw

    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise InputError(
            f"`score` must be numbers; got the column {name!r} of type {dtype}. Convert it to"
            " numbers."
        )
    return nw.col(name).cast(nw.Float64)


def is_missing(name: str, schema: Any) -> Any:
    """Return whether a column has no value, be it null or NaN."""
    import narwhals as nw

    # Only floats can be NaN; is_nan() of another type is an error.
    null = nw.col(name).is_null()
    return null | nw.col(name).is_nan() if schema[name].is_float() else null


def collected(frame: Any) -> Any:
    """Return an answer of the engine as an eager frame."""
    import narwhals as nw

    if not isinstance(frame, nw.LazyFrame):
        return frame
    # In pieces: Polars would hold all rows of the columns in memory otherwise.
    return (
        frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()
    )


def _floats(series: Any) -> FloatArray:
    return np.asarray(series.to_numpy()).astype(np.float64)


def texts(series: Any) -> list[str]:
    """Return the labels of the groups in a column."""
    factor = read_factor(read_vector(np.array(series.to_list(), dtype=object), "by"))
    return [factor.labels[code] for code in factor.codes]
