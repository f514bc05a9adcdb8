"""The columns of a table: a row of the frame below the other, or measures side by side."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, get_args

from rocstats.errors import InputError, require_choice
from rocstats.frames.words import RowLike, rows_of, uncapital
from rocstats.present.cells import (
    Column,
    Row,
    Rules,
    count_columns,
    interaction_only,
    measure_columns,
    measure_text,
    number_cell,
    number_column,
    p_columns,
    prevalence_text,
    rules_of,
    without_interaction,
)
from rocstats.present.fractions import fraction_text, table_of
from rocstats.present.places import LABELS, SIGNS, place_columns
from rocstats.present.readers.frames import is_of_readers, without_global
from rocstats.present.readers.tables import reader_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

Layout = Literal["long", "wide"]

# What STARD 2015 (item 24) and most papers report at a cutoff.
_OF_A_PAPER = ("tpr", "tnr", "ppv", "npv", "lr_positive", "lr_negative")
# A page on its side holds some eight columns of intervals.
_MOST_MEASURES = 8
_SHORT = {
    "positive predictive value": "PPV",
    "negative predictive value": "NPV",
    "positive likelihood ratio": "LR+",
    "negative likelihood ratio": "LR−",
    ", corrected for optimism": ", corrected",
}
_THRESHOLD = LABELS["threshold"]


def table_columns(
    frame: pd.DataFrame, style: str, *, digits: int | None = None, layout: str = "long"
) -> list[Column]:
    """Return the columns of an estimate frame in print.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame of estimates.
    style : str
        Name of a style, see ``rocstats.present.styles``.
    digits : int, optional
        Decimals; by default those of the style.
    layout : {"long", "wide"}, default "long"
        A row for each row of the frame, or a column for each measure.

    Returns
    -------
    list of Column
        Columns in order of print.

    Raises
    ------
    InputError
        If ``frame`` is not a frame of estimates, ``style``, ``digits`` or ``layout`` is not
        possible, or two rows would share a cell.

    Examples
    --------
    >>> import pandas as pd
    >>> from rocstats.present.layouts import table_columns
    >>> frame = pd.DataFrame({"predictor": ["wfns"], "quantity": ["auc"], "estimate": [0.8231],
    ...                       "ci_low": [0.7489], "ci_high": [0.8957], "confidence_level": [0.95]})
    >>> [column.head for column in table_columns(frame, "jama")]
    ['Predictor', 'AUC (95% CI)']
    """
    layout = require_choice("layout", layout, get_args(Layout))
    if is_of_readers(frame):
        if layout == "wide":
            return reader_columns([frame], style, digits)
        # Footnotes have the global tests, which share no column with estimates.
        rows = without_global(frame)
        frame = rows if len(rows) else frame
    rules = rules_of(frame, style, digits)
    return (_long if layout == "long" else _wide)(frame, rules)


def printed_rows(frame: pd.DataFrame, layout: str) -> pd.DataFrame:
    """Return the rows of a frame that its table prints: in "wide", of eight measures at most."""
    if layout == "long" or "quantity" not in frame or frame["quantity"].nunique() <= _MOST_MEASURES:
        return frame
    kept = frame[frame["quantity"].isin(_OF_A_PAPER)]
    kept.attrs = frame.attrs
    return kept if len(kept) else frame


def by_heading(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the cells of columns by heading."""
    return {column.head: column.cells for column in columns}


def _long(frame: pd.DataFrame, rules: Rules) -> list[Column]:
    rows: list[Row] = [*rows_of(frame)]
    places = [Column(*pair) for pair in place_columns(frame, rules.digits).items()]
    texts = [measure_text(row) for row in rows if row is not None]
    several = len(set(texts)) > 1
    named = [Column("Quantity", texts)] if several else []
    return [
        *places,
        *named,
        *measure_columns("Estimate" if several else texts[0], without_interaction(rows), rules),
        *_apparent(rows, rules),
        *_fractions(rows, rules),
        *p_columns(interaction_only(rows), rules),
        *count_columns(frame),
    ]


def _wide(frame: pd.DataFrame, rules: Rules) -> list[Column]:
    places = place_columns(frame, rules.digits)
    prevalences = _prevalences(frame, list(zip(*places.values(), strict=True)))
    if prevalences:
        places["Prevalence"] = prevalences
    keys = list(zip(*places.values(), strict=True))
    rows = rows_of(frame)
    texts = [measure_text(row, with_prevalence=not prevalences) for row in rows]
    table: dict[str, dict[tuple[str, ...], RowLike]] = {}
    for key, name, row in zip(keys, texts, rows, strict=True):
        cells = table.setdefault(name, {})
        if key in cells:
            raise InputError(
                f"`layout` 'wide' must have one row of the frame for each cell; got two for"
                f" {_short(name)} of {', '.join(filter(None, key))}."
                " Pass layout='long', or select rows."
            )
        cells[key] = row
    at: dict[tuple[str, ...], list[int]] = {}
    for i, key in enumerate(keys):
        at.setdefault(key, []).append(i)
    lines = list(at)
    marked = {head: [line[k] for line in lines] for k, head in enumerate(places)}
    measured = [
        column
        for text, cells in table.items()
        for column in _measure(text, [cells.get(line) for line in lines], rules, len(table) > 1)
    ]
    if _THRESHOLD in table:  # an estimate of its own, with limits
        marked.pop(_THRESHOLD, None)
    counts = _counts_of_lines(frame, list(at.values()))
    return [*(Column(*pair) for pair in marked.items()), *counts, *measured]


def _prevalences(frame: pd.DataFrame, keys: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the prevalence of each row's line where lines differ in it, as groups do; else []."""
    if "prevalence" not in frame:
        return []
    of_lines: dict[tuple[str, ...], set[str]] = {key: set() for key in keys}
    for key, value in zip(keys, frame["prevalence"], strict=True):
        if not math.isnan(value):
            of_lines[key].add(prevalence_text(value))
    if len(set().union(*of_lines.values())) < 2 or any(len(each) > 1 for each in of_lines.values()):
        return []
    return ["".join(of_lines[key]) for key in keys]


def _measure(text: str, rows: Sequence[Row], rules: Rules, several: bool) -> list[Column]:
    """Return the columns of one measure of a wide table."""
    head = _short(text)
    tested = p_columns(rows, rules, f", {uncapital(head)}" if several else "")
    if several and all(row is None or math.isnan(row["estimate"]) for row in rows) and tested:
        return tested
    columns = measure_columns(head, rows, rules)
    if text == _THRESHOLD:
        signs = ["" if row is None else SIGNS.get(str(row.get("direction")), "") for row in rows]
        columns = [_with_signs(columns[0], signs)]
    name = head.partition(", corrected")[0]
    return [*columns, *_apparent(rows, rules, f"{name}, apparent"), *tested]


def _with_signs(column: Column, signs: Sequence[str]) -> Column:
    """Return a column of thresholds with the sides that are positive."""
    cells = [f"{sign}{cell}" for sign, cell in zip(signs, column.cells, strict=True)]
    numbers = [
        tuple(number._replace(text=f"{sign}{number.text}") for number in cell[:1]) + cell[1:]
        for sign, cell in zip(signs, column.numbers, strict=True)
    ]
    return Column(column.head, cells, numbers)


def _apparent(rows: Sequence[Row], rules: Rules, head: str = "Apparent") -> list[Column]:
    """Return what the cases that chose a threshold show at it; nothing of other frames."""
    values = [
        math.nan if row is None or row["quantity"] == "threshold" else row.get("apparent", math.nan)
        for row in rows
    ]
    if all(map(math.isnan, values)):
        return []
    cells = [
        "" if row is None or math.isnan(value) else number_cell(row, value, rules)
        for row, value in zip(rows, values, strict=True)
    ]
    return [number_column(head, values, cells)]


def _fractions(rows: Sequence[Row], rules: Rules) -> list[Column]:
    cells = ["" if row is None else fraction_text(row, rules.style) for row in rows]
    return [Column("n/N", cells)] if any(cells) else []


def _counts_of_lines(frame: pd.DataFrame, lines: Sequence[Sequence[int]]) -> list[Column]:
    """Return the true and false calls of each line if all are known, else its numbers of cases."""
    tables = [table_of(row) for row in rows_of(frame)]
    known = [table for table in tables if table is not None]
    columns = count_columns(frame)
    if known and len(known) == len(tables):
        calls = {head: [table[head] for table in known] for head in known[0]}
        columns = [number_column(head, n, map(str, n)) for head, n in calls.items()]
    return [_merged(column, lines) for column in columns]


def _merged(column: Column, lines: Sequence[Sequence[int]]) -> Column:
    """Return a column with one cell a line; numbers that differ inside a line are all printed."""
    firsts = [line[0] for line in lines]
    cells = [list(dict.fromkeys(column.cells[i] for i in line)) for line in lines]
    if all(len(texts) == 1 for texts in cells):
        return Column(
            column.head, [texts[0] for texts in cells], [column.numbers[i] for i in firsts]
        )
    return Column(column.head, ["; ".join(texts) for texts in cells])


def _short(text: str) -> str:
    """Return a measure with the abbreviations of papers."""
    for words, letters in _SHORT.items():
        text = re.sub(words, letters, text, flags=re.IGNORECASE)
    return text
