"""Confusion tables in place of cases, and discrete classifiers given by rates or by decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_text
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.columns import Rows, read_columns, require_complete, require_equal_rows
from rocstats.study.forms import ONE_PREDICTOR, read_names
from rocstats.study.points import is_whole
from rocstats.study.vectors import (
    Vector,
    as_narwhals,
    dense_array_of_sparse_matrix,
    index_of,
    read_positives,
    read_scores,
    read_vector,
    require_both_classes,
    require_unique,
)

# --- Confusion tables -----------------------------------------------------------------------------

CELLS = ("tp", "fn", "fp", "tn")


class ConfusionTables(NamedTuple):
    """The confusion tables of k classifiers: counts as float64, each of shape (k,)."""

    names: tuple[str, ...]
    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


_TABLES_ADVICE = (
    " Pass a dict of (tp, fn, fp, tn) or of dicts with these keys, or a frame with these columns."
)
RENAME_ADVICE = "Rename the classifiers, or leave rows out."
_SEQUENCES = (list, tuple, np.ndarray, pd.Series)


def read_confusion_tables(tables: Any) -> ConfusionTables:
    """Return named tables: from a dict of cells by name, or a frame with a row a classifier."""
    if isinstance(tables, Mapping):
        names = [str(name) for name in tables]
        cells = [_counts_of_table(name, table) for name, table in tables.items()]
        # float64, since products of counts (below_diagonal) could overflow integers.
        counts = np.array(cells, dtype=np.float64).reshape(-1, len(CELLS))
    else:
        names, columns = read_named_rows(tables, CELLS, "tables")
        counts = np.column_stack([read_scores(column) for column in columns.values()])
    if not names:
        raise InputError("`tables` must hold at least one classifier; got none. Pass its counts.")
    require_unique(names, "tables", RENAME_ADVICE)
    _require_confusion_counts(names, counts)
    return ConfusionTables(tuple(names), *counts.T)


def read_test_tables(table: Any, cells: Mapping[str, Any], predictor: Any) -> ConfusionTables:
    """Return the tables of tests: rows of a frame, or four counts, or four sequences of counts."""
    if table is not None:
        given = [name for name, value in cells.items() if value is not None]
        if given or predictor is not None:
            raise InputError(
                f"`table` must hold the counts and the names; got {given or 'predictor'} too. Leave"
                " one of them out."
            )
        names, vectors = read_named_rows(table, CELLS, "table")
    elif all(isinstance(value, _SEQUENCES) for value in cells.values()):
        vectors = {name: read_vector(value, name) for name, value in cells.items()}
        require_equal_rows(list(vectors.values()))
        names = _names_of_tabulated_tests(predictor, len(vectors["tp"]))
        require_equal_rows([*vectors.values(), Rows("predictor", len(names), index_of(predictor))])
    elif all(value is None for value in cells.values()):
        raise InputError(
            "`table` must be given, or the counts tp, fn, fp and tn; got none of them."
            " Pass for instance tp=14, fn=6, fp=8, tn=22."
        )
    else:
        counts = read_cells(cells)
        return ConfusionTables((_name_of_tabulated_test(predictor),), *counts[:, np.newaxis])
    require_unique(names, "predictor", RENAME_ADVICE)
    counts = np.column_stack([read_scores(vector) for vector in vectors.values()])
    _require_confusion_counts(names, counts, "table" if table is not None else "tp, fn, fp, tn")
    return ConfusionTables(tuple(names), *counts.T)


def read_cells(cells: Mapping[str, Any]) -> FloatArray:
    """Return the counts of one test; raise InputError unless they are whole numbers >= 0."""
    for name, count in cells.items():
        if not is_whole(count, 0):
            raise InputError(
                f"`{name}` must be a whole number >= 0; got {count!r}. Pass the count of cases."
            )
    return np.array(list(cells.values()), dtype=np.float64)


def _counts_of_table(name: Any, table: Any) -> list[float]:
    """Return the counts of a table in the order of CELLS."""
    if isinstance(table, Mapping):
        lacking = [cell for cell in CELLS if cell not in table]
        if lacking:
            raise InputError(
                f"`tables` must give tp, fn, fp, tn; got {name!r} without {lacking}."
                f"{_TABLES_ADVICE}"
            )
        table = [table[cell] for cell in CELLS]
    try:
        cells = [float(cell) for cell in table]
    except (TypeError, ValueError):
        cells = []
    if len(cells) != len(CELLS):
        raise InputError(
            f"`tables` must give four counts; got {table!r} for {name!r}.{_TABLES_ADVICE}"
        )
    return cells


def _require_confusion_counts(
    names: list[str], counts: FloatArray, argument: str = "tables"
) -> None:
    wrong = np.argwhere(~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"`{argument}` must hold whole numbers >= 0; got {CELLS[column]} ="
            f" {counts[row, column]:g} for {names[row]!r}. Pass counts of cases."
        )


def _name_of_tabulated_test(predictor: Any) -> str:
    name = ONE_PREDICTOR if predictor is None else predictor
    require_text("predictor", name)
    return str(name)


def _names_of_tabulated_tests(predictor: Any, number: int) -> list[str]:
    """Return the names of several tests: "score_1", "score_2", ... by default."""
    if predictor is None:
        return [f"score_{k + 1}" for k in range(number)]
    names = read_names(predictor, "predictor")
    if len(names) != number:
        raise InputError(
            f"`predictor` must name each of the {number} tests; got {len(names)} names."
            " Pass one name per test."
        )
    return names


def read_named_rows(
    frame: Any, columns: Sequence[str], argument: str
) -> tuple[list[str], dict[str, Vector]]:
    """Return the names of the rows, and the named columns.

    The names are the column ``predictor``, else the index of a pandas frame.
    """
    if "predictor" in column_names(frame, argument):
        vectors = read_columns(frame, ["predictor", *columns], argument)
        return [str(name) for name in vectors.pop("predictor").values], vectors
    if isinstance(frame, pd.DataFrame):
        return [str(name) for name in frame.index], read_columns(frame, columns, argument)
    raise InputError(
        f"`{argument}` must name its rows; got the columns {column_names(frame, argument)[:20]}."
        " Add a column predictor."
    )


def column_names(table: Any, argument: str) -> list[str]:
    """Return the names of the columns of a dict or of any eager frame."""
    if isinstance(
        dense_array_of_sparse_matrix(table), Mapping
    ):  # not a sparse matrix, of which one kind is a mapping
        return [str(name) for name in table]
    if isinstance(table, pd.DataFrame):
        return [str(name) for name in table.columns]
    import narwhals as nw

    frame = as_narwhals(table, argument)
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            f"`{argument}` must be a dict or a dataframe held in memory; got"
            f" {type(table).__name__}. Name the classifiers in a dict."
        )
    return list(frame.columns)


# --- Discrete classifiers -------------------------------------------------------------------------

Position = tuple[float, float]
"""False positive rate and true positive rate."""

_POSITIONS_ADVICE = " Pass a dict of (fpr, tpr), or a frame with the columns predictor, fpr, tpr."


class Classifiers(NamedTuple):
    """Named classifiers: their rates and, if known, their decisions on cases.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (k,)
        False and true positive rate of each classifier.
    calls : ndarray of bool, shape (k, n), or None
        Whether each classifier called each case positive, if known.
    is_positive : ndarray of bool, shape (n,), or None
        Whether each case is positive; known iff ``calls`` are.
    """

    names: tuple[str, ...]
    fpr: FloatArray
    tpr: FloatArray
    calls: BoolArray | None = None
    is_positive: BoolArray | None = None

    def take(self, rows: Sequence[int]) -> Classifiers:
        """Return the classifiers with these numbers, in this order."""
        chosen = np.asarray(rows, dtype=np.intp)
        return Classifiers(
            tuple(self.names[i] for i in chosen),
            self.fpr[chosen],
            self.tpr[chosen],
            None if self.calls is None else self.calls[chosen],
            self.is_positive,
        )


def read_classifiers(
    positions: Any, decisions: Any, y_true: Any, pos_label: Any, *, least: int = 1
) -> Classifiers:
    """Return ``least`` or more classifiers from their rates, or from decisions and labels."""
    if (positions is None) == (decisions is None):
        got = "neither" if positions is None else "both"
        raise InputError(
            f"`positions` must be given, or `decisions` with `y_true`; got {got}. Pass one of them."
        )
    if (decisions is None) != (y_true is None):
        raise InputError(
            "`y_true` must be passed with `decisions`, and only with them; got one without the"
            " other. Pass the labels of the cases that were called."
        )
    classifiers = (
        read_positions(positions)
        if decisions is None
        else _classifiers_by_calls(decisions, y_true, pos_label)
    )
    if len(classifiers.names) < least:
        argument = "positions" if decisions is None else "decisions"
        raise InputError(
            f"`{argument}` must hold at least {('one classifier', 'two classifiers')[least - 1]};"
            f" got {len(classifiers.names)}. Pass the classifiers to combine."
        )
    return classifiers


def read_positions(positions: Any) -> Classifiers:
    """Return classifiers from a dict of (fpr, tpr) by name, or a frame with a row a classifier."""
    if isinstance(positions, Mapping):
        names, pairs = [str(name) for name in positions], list(positions.values())
    else:
        names, columns = read_named_rows(positions, ("fpr", "tpr"), "positions")
        fpr, tpr = (read_scores(column) for column in columns.values())
        pairs = list(zip(fpr.tolist(), tpr.tolist(), strict=True))
    require_unique(names, "positions", RENAME_ADVICE)
    numbers = [
        _rate_pair_of_classifier(name, pair) for name, pair in zip(names, pairs, strict=True)
    ]
    rates = np.array(numbers, dtype=np.float64).reshape(-1, 2)  # (0, 2) for no classifiers
    return Classifiers(tuple(names), rates[:, 0], rates[:, 1])


def _rate_pair_of_classifier(name: str, pair: Any) -> list[float]:
    try:
        rates = [float(rate) for rate in pair]
    except (TypeError, ValueError):
        rates = []
    if len(rates) != 2 or not all(0 <= rate <= 1 for rate in rates):
        raise InputError(
            f"`positions` must give (fpr, tpr), both in [0, 1]; got {pair!r} for {name!r}."
            f"{_POSITIONS_ADVICE}"
        )
    return rates


def _classifiers_by_calls(decisions: Any, y_true: Any, pos_label: Any) -> Classifiers:
    """Return classifiers with the rates of their decisions on labelled cases."""
    names = column_names(decisions, "decisions")
    if not names:
        raise InputError("`decisions` must hold at least one classifier; got none. Pass its calls.")
    columns, truth = read_columns(decisions, names, "decisions"), read_vector(y_true, "y_true")
    require_equal_rows([truth, *columns.values()])
    require_complete(truth)
    is_positive = read_positives(truth, pos_label)
    require_both_classes("y_true", is_positive.sum(), (~is_positive).sum())
    calls = np.stack([_decisions_of_classifier(column) for column in columns.values()])
    fpr = calls[:, ~is_positive].mean(axis=1)
    tpr = calls[:, is_positive].mean(axis=1)
    return Classifiers(tuple(names), fpr, tpr, calls, is_positive)


def read_calls(decisions: Any, names: Sequence[str]) -> BoolArray:
    """Return the decisions of the classifiers ``names``, shape (k, n); others are not read."""
    columns = read_columns(decisions, names, "decisions")
    return np.stack([_decisions_of_classifier(column) for column in columns.values()])


def _decisions_of_classifier(vector: Vector) -> BoolArray:
    require_complete(vector)
    values = vector.values
    # Text and categories, of kind "O", are not guessed.
    numeric = getattr(values, "dtype", np.dtype(object)).kind in "biuf"
    if not numeric or not (np.isin(values, (0, 1)).all() or np.isin(values, (-1, 1)).all()):
        raise InputError(
            f"`{vector.argument}` must be booleans, 0/1 or -1/1; got other values."
            " Compare them with the label of the positive class first."
        )
    return np.asarray(values > 0, dtype=bool)  # positive is 1 in 0/1 and in -1/1
