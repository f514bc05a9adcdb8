"""Count tables read back from users, and several of them made one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.counts.count import (
    COUNT_COLUMNS,
    CellCounts,
    count_table_frame,
    ordered_counts,
    united_cells,
)
from rocstats.errors import InputError
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import Question
from rocstats.study.columns import Columns, require_equal_rows
from rocstats.study.vectors import Vector, label_text, read_factor, read_scores, read_weights

MERGE_COUNTS = Question("merge_counts", COUNT_COLUMNS, ("fawcett-2004",))


def merge_counts(counts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return a merged count table; a row is one score or a cell of neighbouring scores.

    Use this function for sites that share counts but not cases, and for data that arrive in parts.

    Parameters
    ----------
    counts : sequence of pandas.DataFrame
        Tables of ``count_scores`` or of the query of ``count_sql``, with the same columns of
        groups. Exact tables, tables by cells and tables of different bits can be merged.

    Returns
    -------
    pandas.DataFrame
        The columns of groups, ``score, score_high, n_pos, n_neg``, as from ``count_scores``. There
        is no ``score_high`` if no table has this column.

    Raises
    ------
    InputError
        If there is no table; if a table lacks a column; if columns of groups differ; if a row has
        no score; or if numbers of cases are not whole.

    Notes
    -----
    Counts of the same score are added. Overlapping cells of a group (ranges from ``score`` to
    ``score_high``) become one cell, since the order of their scores is unknown. The bound of
    ``count_scores`` is therefore valid for the merged table. Merged exact tables equal the exact
    table of all cases. The order of the tables does not matter.

    References
    ----------
    - Fawcett (2004), section 6, figure 8b: merged instances of several test sets [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> north = rs.count_scores({"y": [0, 1, 1], "x": [1, 2, 3]}, "y", "x", exact=True)
    >>> south = rs.count_scores({"y": [0, 0, 1], "x": [1, 2, 2]}, "y", "x", exact=True)
    >>> rs.merge_counts([north, south]).to_dict("list")
    {'score': [1.0, 2.0, 3.0], 'n_pos': [0, 2, 1], 'n_neg': [2, 1, 0]}
    """
    given: Any = counts  # callers need not be typed
    if isinstance(given, pd.DataFrame) or not isinstance(given, Sequence) or not given:
        raise InputError(
            "`counts` must be a list of count tables, at least one; got"
            f" {type(given).__name__}. Pass [first, second]."
        )
    tables = [read_counts(table, f"counts[{k}]") for k, table in enumerate(counts)]
    names = tables[0].names
    for k, table in enumerate(tables):
        if set(table.names) != set(names):
            raise InputError(
                f"`counts[{k}]` must have the same columns of groups as `counts[0]`, which has"
                f" {list(names)}; got {list(table.names)}. Count all with the same by=."
            )
    exact = not any("score_high" in table.columns for table in counts)
    return count_table_frame(
        MERGE_COUNTS,
        _joined_counts(tables),
        exact=exact,
        about=_provenance_of_merged_counts(counts),
    )


def read_counts(table: Any, argument: str) -> CellCounts:
    """Return a count table as sorted arrays; raise InputError for an invalid table.

    Cells of one group that have scores in common are united, as they come from tables that were
    put one below the other.
    """
    columns = Columns(table, argument)
    absent = [name for name in ("score", "n_pos", "n_neg") if columns.names.count(name) != 1]
    if absent:
        raise InputError(
            f"`{argument}` must be a table of count_scores, with the columns score, n_pos and"
            f" n_neg; got none, or several, of {absent}. Its columns are {columns.names[:20]}."
        )
    vectors = {name: columns.column(name, f"{argument}[{name!r}]") for name in columns.names}
    require_equal_rows(list(vectors.values()))
    n_pos, n_neg = (read_weights(vectors[name], whole=True) for name in ("n_pos", "n_neg"))
    low = read_scores(vectors["score"])
    _require_scores_of_counted_cases(argument, low, n_pos + n_neg)
    high = low
    if "score_high" in vectors:
        high = read_scores(vectors["score_high"])
        wrong = ~(high >= low)  # NaN too
        if wrong.any():
            raise InputError(
                f"`{argument}` must have score_high >= score in each row; got {int(wrong.sum())}"
                " other rows. Pass the table unchanged."
            )
    labels = {
        name: _group_labels_of_count_table(vector)
        for name, vector in vectors.items()
        if name not in COUNT_COLUMNS
    }
    return united_cells(ordered_counts(labels, low + 0.0, high + 0.0, n_pos, n_neg))


def _joined_counts(tables: Sequence[CellCounts]) -> CellCounts:
    """Return the counts of all tables, which have the same columns of groups."""
    names = tables[0].names
    labels = {
        name: [
            table.groups[code][table.names.index(name)] for table in tables for code in table.group
        ]
        for name in names
    }
    arrays = (
        np.concatenate([getattr(table, name) for table in tables])
        for name in ("low", "high", "n_pos", "n_neg")
    )
    return united_cells(ordered_counts(labels, *arrays))


def _require_scores_of_counted_cases(argument: str, scores: FloatArray, cases: FloatArray) -> None:
    """Raise InputError for counts without a score, which SQL makes of invalid cases."""
    without = np.isnan(scores)
    if without.any():
        raise InputError(
            f"`{argument}` must have a score in each row; got {cases[without].sum():.0f} cases"
            " without a score. Their score, label or group is missing, or there is a third"
            " label: correct the data or leave these cases out, then count again."
        )


def _group_labels_of_count_table(vector: Vector) -> list[str]:
    factor = read_factor(vector, as_text=label_text)
    if (factor.codes < 0).any():
        raise InputError(
            f"`{vector.argument}` must have no missing labels; got {int((factor.codes < 0).sum())}."
            " Fill them in; read a csv file with keep_default_na=False."
        )
    return [factor.labels[code] for code in factor.codes]


def _provenance_of_merged_counts(counts: Sequence[pd.DataFrame]) -> dict[str, Any]:
    """Return where merged counts are from: the engines, and the least bits."""
    known = [table.attrs.get("rocstats", {}) for table in counts]
    engines = {each["engine"] for each in known if each.get("engine")}
    bits = [each["bits"] for each in known if each.get("bits")]
    return {"engine": ", ".join(sorted(engines)), "bits": min(bits, default=None)}
