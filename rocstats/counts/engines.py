"""Scores counted where they are: one row for each cell of scores.

A frame in memory, or a dict of columns, is read as a study reads it. A data engine counts by
itself, asked through narwhals: rows never leave the engine, cells do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.counts.count import (
    COUNT_COLUMNS,
    CellCounts,
    CountColumns,
    CountPrecision,
    cell_of_score,
    count_table_frame,
    excess_of_bound,
    finer_bits,
    ordered_counts,
    read_by,
    read_precision,
    require_columns,
    require_no_missing,
    require_no_pattern,
    require_nonempty,
    with_cells,
)
from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray, joint_codes
from rocstats.facts.tolerances import MOST_LABELS
from rocstats.frame.question import Question
from rocstats.study.columns import Columns, require_equal_rows
from rocstats.study.vectors import (
    EXACT_INTEGERS,
    Vector,
    as_narwhals,
    read_factor,
    read_positives,
    read_scores,
    read_vector,
    require_both_classes,
)

# --- The question ---------------------------------------------------------------------------------

COUNT_SCORES = Question("count_scores", COUNT_COLUMNS, ("delong-1988", "dekker-1971"))


def count_scores(
    frame: Any,
    label: str,
    score: str,
    *,
    pos_label: Any = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
    tolerance: float | None = None,
) -> pd.DataFrame:
    r"""Return numbers of positives and negatives per score; a row is one score or range of scores.

    Use this function for data that are too large for memory: a data engine (such as DuckDB or
    PySpark) counts the scores, and returns only counts. If the data fit in memory, use a ``Study``
    of the rows, which is exact.

    Parameters
    ----------
    frame : dataframe
        Rows of cases: pandas, a dict of columns, Polars (eager or lazy), a DuckDB relation, Dask,
        PySpark, pyarrow, or another frame that the narwhals library can read. Lazy frames stay
        lazy.
    label : str
        Column of the class labels: two numbers, texts or booleans.
    score : str
        Column of the score: numbers or booleans; infinite scores are allowed.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    by : str or sequence of str, default ()
        Columns of groups; each group is counted separately.
    bits : int in [1, 50], optional
        Number of significant bits of the scores. Scores that agree in these bits form a cell: with
        10 bits they differ by less than 2^-10 of their value. By default 10 bits. Large data get
        more bits, until the bound on the error of the area is at most a tenth of the area's
        standard error. ``attrs["rocstats"]`` has the number of bits.
    exact : bool, default False
        Whether to count each distinct score. Use it for rounded scores or few distinct scores;
        otherwise the table can be as long as the data.
    tolerance : float in (0, 1), optional
        Largest allowed bound on the error of the area, in any group. The data are counted with more
        and more bits, and at last exactly, until the bound is small enough.

    Returns
    -------
    pandas.DataFrame
        The columns of ``by`` as text, ``score, score_high, n_pos, n_neg``, ascending in ``score``
        within a group. ``score`` and ``score_high`` are the lowest and the highest score of a cell.
        If they are equal, the row is one score. With ``exact=True`` there is no ``score_high``.
        ``attrs["rocstats"]`` has the engine, the bits and the number of cases.

    Raises
    ------
    InputError
        If a column is missing; if a value is null or NaN; if scores are not numbers; if there are
        not two labels; if a class has no cases; if there are no rows; if columns of a dict have
        unequal indexes; if an engine would read the name of a column as a pattern ("*", "^...$");
        or if more than one of ``bits``, ``exact`` and ``tolerance`` is passed. Also if ``bits`` is
        too small, so that the bound on the error of the area exceeds a tenth of its standard error
        in a group. The message names a sufficient number of bits.

    Notes
    -----
    A cell is [k w, (k + 1) w) with w = 2^(e - bits), where 2^e <= \|score\| < 2^(e + 1): cells are
    narrow near 0, and their ends are the same for all data. 0, infinities and scores beyond 2^900
    have separate cells. Cells are computed by exact operations only (Dekker's splitting, no
    logarithm). All engines therefore return the same table.

    A positive and a negative in the same cell count as tied (1/2). The error of the area is
    therefore at most 1/2 sum p_b n_b / (m n). The sum is over the cells b with more than one score,
    which have p_b of the m positives and n_b of the n negatives. Points of the ROC curve between
    cells are exact. The standard error is DeLong's.

    Scores are compared as 64-bit floats; decimal numbers that differ only beyond that precision
    become equal. Integers of 2^53 and more are refused.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Dekker (1971), section 5: a float split by multiplication [dekker-1971]

    Examples
    --------
    >>> import rocstats as rs
    >>> cases = {"sick": [0, 0, 1, 0, 1, 1], "risk": [0.1, 0.35, 0.35, 0.35002, 0.8, 0.9]}
    >>> rs.count_scores(cases, "sick", "risk", exact=True).to_dict("list")
    {'score': [0.1, 0.35, 0.35002, 0.8, 0.9], 'n_pos': [0, 1, 0, 1, 1], 'n_neg': [1, 1, 1, 0, 0]}
    >>> rs.count_scores(cases, "sick", "risk", tolerance=0.2).to_dict("list")["score_high"]
    [0.1, 0.35002, 0.8, 0.9]
    """
    columns = CountColumns(label, score, read_by(by))
    precision = read_precision(bits, exact, tolerance)
    source = _source_of_counts(frame, columns, pos_label)
    counts, used = count_finely(source, precision)
    about = {"engine": source.engine, "bits": used}
    return count_table_frame(COUNT_SCORES, counts, exact=exact, about=about)


def _source_of_counts(frame: Any, columns: CountColumns, pos_label: Any) -> InMemory | OnEngine:
    """Return the data to be counted: by an engine if it has one, else in memory."""
    if isinstance(frame, (pd.DataFrame, Mapping)):
        return InMemory(frame, columns, pos_label)
    import narwhals as nw

    # Polars groups a frame in memory by all cores, and needs no copy of its columns.
    rows, engine = rows_and_engine(frame)
    if isinstance(rows, nw.LazyFrame):
        return OnEngine(frame, columns, pos_label)
    return InMemory(frame, columns, pos_label, engine)


def count_finely(
    source: InMemory | OnEngine, precision: CountPrecision
) -> tuple[CellCounts, int | None]:
    """Return counts that are fine enough, and their bits (None where each score is counted)."""
    bits = precision.bits
    counts = source.count(bits)
    require_both_classes("label", counts.n_pos.sum(), counts.n_neg.sum())
    ratio = 0.0 if bits is None else excess_of_bound(counts, precision.tolerance)
    coarse = ratio
    while bits is not None and ratio > 1:
        bits = finer_bits(bits, ratio)
        counts = source.count(bits)
        ratio = 0.0 if bits is None else excess_of_bound(counts, precision.tolerance)
    if coarse > 1 and precision.fixed:
        raise InputError(
            f"`bits` must keep the error of the area below a tenth of its standard error; got"
            f" {precision.bits}, with a bound of {coarse / 10:.2g} standard errors. Pass"
            f" {'exact=True' if bits is None else f'bits={bits}'}, which is enough for these data."
        )
    return counts, bits


# --- Counts in memory -----------------------------------------------------------------------------


class InMemory:
    """Scores in memory, validated once, to be counted by cells of any size."""

    def __init__(
        self, frame: Any, columns: CountColumns, pos_label: Any, engine: str = "pandas"
    ) -> None:
        self.engine = engine
        table = Columns(frame, "frame")
        require_columns(columns, table.names)
        label = table.column(columns.label, "label")
        score = table.column(columns.score, "score")
        groups = {name: table.column(name, "by") for name in columns.by}
        require_nonempty(len(score))
        require_equal_rows([label, score, *groups.values()])
        if isinstance(score.values, pd.Categorical):
            raise InputError(
                "`score` must be numbers; got categories, but counts keep numbers only. Pass the"
                " number of each category, in order."
            )
        self._score = read_scores(score) + 0.0
        missing = {("label", columns.label): label, ("score", columns.score): score}
        missing |= {("by", name): vector for name, vector in groups.items()}
        require_no_missing({key: _n_missing_in_vector(vector) for key, vector in missing.items()})
        self._positive = read_positives(label, pos_label)
        self._factors = {name: read_factor(vector) for name, vector in groups.items()}
        self._group = joint_codes(list(self._factors.values()), len(score))

    def count(self, bits: int | None) -> CellCounts:
        """Return the counts by cells with these bits; None counts each score."""
        cells = cell_of_score(self._score, bits)
        # Sorted by group, then by score: the scores of a cell are neighbours.
        order = np.lexsort((self._score, self._group))
        cells, group = cells[order], self._group[order]
        is_new = (cells[1:] != cells[:-1]) | (group[1:] != group[:-1])
        first = np.flatnonzero(np.append(True, is_new))
        last = np.append(first[1:], len(order)) - 1
        n_pos = np.add.reduceat(self._positive[order].astype(np.float64), first)
        rows = order[first]
        return ordered_counts(
            {
                name: [each.labels[code] for code in each.codes[rows]]
                for name, each in self._factors.items()
            },
            self._score[rows],
            self._score[order[last]],
            n_pos,
            (last - first + 1).astype(np.float64) - n_pos,
        )


def _n_missing_in_vector(vector: Vector) -> int:
    return 0 if vector.missing is None else int(vector.missing.sum())


# --- Counts by a data engine ----------------------------------------------------------------------

# Names of our own, which no column of the user's can have taken: only these are selected.
_LABEL, _SCORE, _CELL = "rocstats_label", "rocstats_score", "rocstats_cell"
_NO_LABEL, _NO_SCORE = "rocstats_no_label", "rocstats_no_score"


class OnEngine:
    """Columns of a frame that an engine has, to be counted there by cells of any size."""

    def __init__(self, frame: Any, columns: CountColumns, pos_label: Any) -> None:
        import narwhals as nw

        source, self.engine = rows_and_engine(frame)
        schema = source.collect_schema()
        require_columns(columns, list(schema.names()))
        for argument, name in columns.by_argument:
            require_no_pattern(argument, name)
        self._columns = columns
        self._groups = [f"rocstats_group_{k}" for k in range(len(columns.by))]
        self._is_integer = schema[columns.score].is_integer()
        self._rows = source.select(
            label_column(columns.label, schema[columns.label]).alias(_LABEL),
            score_column(columns.score, schema[columns.score]).alias(_SCORE),
            *(nw.col(name).alias(own) for name, own in zip(columns.by, self._groups, strict=True)),
        )
        self.positive = self._positive_label(pos_label)
        self._marked = self._with_flags(self.positive)

    def count(self, bits: int | None) -> CellCounts:
        """Return the counts by cells with these bits; None counts each score."""
        import narwhals as nw

        missing = {_NO_LABEL: ("label", self._columns.label)}
        missing[_NO_SCORE] = ("score", self._columns.score)
        for own, name in zip(self._groups, self._columns.by, strict=True):
            missing[f"{own}_missing"] = ("by", name)
        summed = ["n_pos", "n_neg", *missing]
        cells = with_cells(self._marked, _SCORE, _CELL, bits)
        found = collected_from_engine(
            cells.group_by(*self._groups, _CELL).agg(
                nw.col(_SCORE).min().alias("low"),
                nw.col(_SCORE).max().alias("high"),
                *(nw.col(name).sum().alias(f"{name}_sum") for name in summed),
            )
        )
        # DuckDB sums integers as Decimal(38, 0); a float holds a number of cases up to 2^53.
        sums = {name: _floats_of_engine_column(found[f"{name}_sum"]) for name in summed}
        require_nonempty(len(sums["n_pos"]))
        require_no_missing({key: sums[name].sum() for name, key in missing.items()})
        low, high = (
            _floats_of_engine_column(found["low"]) + 0.0,
            _floats_of_engine_column(found["high"]) + 0.0,
        )
        if self._is_integer and max(abs(low.min()), abs(high.max())) >= EXACT_INTEGERS:
            raise InputError(
                "`score` must be exact as 64-bit floats; got integers of 2**53 or more (some would"
                " become equal). Pass their ranks."
            )
        labels = {
            name: group_labels(found[own])
            for own, name in zip(self._groups, self._columns.by, strict=True)
        }
        return ordered_counts(labels, low, high, sums["n_pos"], sums["n_neg"])

    def _positive_label(self, pos_label: Any) -> Any:
        """Return the label of the positives as the engine has it; None where no row has it."""
        import narwhals as nw

        # Not by unique(), for which DuckDB holds all rows in memory.
        labels = self._rows.group_by(_LABEL).agg(nw.len().alias("n"))
        found = collected_from_engine(labels.head(MOST_LABELS))
        # A missing label is None, NaN or, of Dask, pandas' NA.
        known = [each for each in found[_LABEL].to_list() if not pd.isna(each)]
        if not known:
            return None
        mask = read_positives(read_vector(np.array(known, dtype=object), "label"), pos_label)
        return next((each for each, positive in zip(known, mask, strict=True) if positive), None)

    def _with_flags(self, positive: Any) -> Any:
        """Return the rows with what is summed as whole numbers, the scores without missing ones."""
        import narwhals as nw

        schema = self._rows.collect_schema()
        no_score = is_missing(_SCORE, schema)
        is_positive = nw.lit(False) if positive is None else nw.col(_LABEL) == nw.lit(positive)
        rows = self._rows.with_columns(
            zero_one_of_condition(is_positive).alias("n_pos"),
            zero_one_of_condition(is_missing(_LABEL, schema)).alias(_NO_LABEL),
            zero_one_of_condition(no_score).alias(_NO_SCORE),
            *(
                zero_one_of_condition(is_missing(own, schema)).alias(f"{own}_missing")
                for own in self._groups
            ),
            nw.when(no_score).then(nw.lit(0.0)).otherwise(nw.col(_SCORE)).alias(_SCORE),
        )
        return rows.with_columns((1 - nw.col("n_pos")).alias("n_neg"))


def rows_and_engine(frame: Any) -> tuple[Any, str]:
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


def zero_one_of_condition(condition: Any) -> Any:
    """Return 1 where a condition is true, else 0, to be summed."""
    import narwhals as nw

    # Engines disagree on sums of truth values, and on what null is equal to.
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)


def label_column(name: str, dtype: Any) -> Any:
    """Return the column of labels, categories as text and decimal numbers as floats."""
    import narwhals as nw

    if dtype in (nw.Categorical, nw.Enum):
        return nw.col(name).cast(nw.String)
    return nw.col(name).cast(nw.Float64) if dtype.is_decimal() else nw.col(name)


def score_column(name: str, dtype: Any) -> Any:
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


def collected_from_engine(frame: Any) -> Any:
    """Return an answer of the engine as an eager frame."""
    import narwhals as nw

    if not isinstance(frame, nw.LazyFrame):
        return frame
    # In pieces: Polars would hold all rows of the columns in memory otherwise.
    return (
        frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()
    )


def _floats_of_engine_column(series: Any) -> FloatArray:
    return np.asarray(series.to_numpy()).astype(np.float64)


def group_labels(series: Any) -> list[str]:
    """Return the labels of the groups in a column."""
    factor = read_factor(read_vector(np.array(series.to_list(), dtype=object), "by"))
    return [factor.labels[code] for code in factor.codes]
