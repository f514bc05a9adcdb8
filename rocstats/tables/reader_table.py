"""The table of a reader study: a row for each reader, the average last, modalities side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeGuard

import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import base_of
from rocstats.facts.words import RowLike, row_dicts
from rocstats.frame.checks import require_frame
from rocstats.frame.groups import columns_of_groups
from rocstats.frame.screen import is_adjusted
from rocstats.tables.cells import (
    LABELS,
    SIGNS,
    TableColumn,
    heading_of_identifying_column,
    headings_of_groups,
    measure_columns,
    measure_text,
    p_columns,
    rules_of,
    threshold_text,
)
from rocstats.tables.reader_frames import (
    EVERY,
    is_of_readers,
    reader_text,
    rows_without_global_tests,
)
from rocstats.tables.text import MISSING, format_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


RowKey = tuple[str, str]
"""Group ("" without groups) and reader of a row."""

ColumnKey = tuple[str, str, str]
"""What a column is of: quantity in words, modality, reference ("" of no difference)."""


def reader_columns(
    frames: Sequence[pd.DataFrame],
    style: str,
    digits: int | None = None,
    percent: bool | None = None,
) -> list[TableColumn]:
    """Return the columns of the table of a reader study.

    Parameters
    ----------
    frames : sequence of pandas.DataFrame
        Any of ``auc()``, ``compare_auc(by="reader")``, ``compare_auc()`` and ``components()``, of
        which there is no column.
    style : str
        Name of a style, see ``rocstats.tables.styles``.
    digits : int, optional
        Decimals; by default the decimals of the style.
    percent : bool, optional
        Whether shares are printed as percentages; by default the style decides.
    """
    estimates = [
        _without_equal_adjusted(rows_without_global_tests(frame))
        for frame in frames
        if is_of_readers(frame)
    ]
    each = [rules_of(frame, style, digits, percent) for frame in estimates if len(frame)]
    if not each:
        raise InputError(
            "`frame` must hold estimates of a reader study; got none. Pass readers.auc() too."
        )
    signed = any(rules.signed for rules in each)
    rules = each[0]._replace(signed=signed, adjusted=any(one.adjusted for one in each))
    table = _reader_rows_by_measure(estimates)
    lines = _groups_and_readers_in_order(table)
    several = len({quantity for quantity, _, _ in table}) > 1
    pairs = sum(bool(reference) for _, _, reference in table)
    columns = _columns_of_reader_names(estimates[0], lines)
    for measure, cells in table.items():
        rows = [cells.get(line) for line in lines]
        columns += measure_columns(_heading_of_modality_measure(measure, several), rows, rules)
        of = (
            f", {_modality_pair(measure)}{_quantity_in_heading_of_modality(measure, several)}"
            if pairs > 1
            else ""
        )
        columns += map(
            _p_column_empty_where_missing, p_columns(rows, rules, of) if measure[2] else []
        )
    return [*columns, *_case_counts_where_readers_differ(table, lines)]


def are_frames_of_readers(frames: object) -> TypeGuard[Sequence[pd.DataFrame]]:
    """Return whether an argument is several frames; raise InputError if not of a reader study."""
    if not (isinstance(frames, (list, tuple)) and frames):
        return False
    if not all(hasattr(frame, "columns") for frame in frames):
        return False
    for frame in frames:
        require_frame(frame)
        if not is_of_readers(frame) and "component" not in frame:
            raise InputError(
                "`frame` must be one frame, or several answers of a reader study; got several"
                f" with columns {', '.join(map(str, frame.columns[:4]))}. Pass one frame at a"
                " time."
            )
    return True


def _without_equal_adjusted(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose P values are adjusted ones only if an adjustment was made."""
    if "p_adjusted" not in frame or is_adjusted(frame):
        return frame
    plain = frame.assign(p_adjusted=math.nan)
    plain.attrs = frame.attrs
    return plain


def _p_column_empty_where_missing(column: TableColumn) -> TableColumn:
    """Return a column of P values, empty where there is none."""
    cells = ["" if cell == MISSING else cell for cell in column.cells]
    numbers = [number if cell else () for number, cell in zip(column.numbers, cells, strict=True)]
    return TableColumn(column.head, cells, numbers)


def _reader_rows_by_measure(
    frames: Sequence[pd.DataFrame],
) -> dict[ColumnKey, dict[RowKey, RowLike]]:
    """Return the rows by what they estimate, areas before differences, and by reader."""
    table: dict[ColumnKey, dict[RowKey, RowLike]] = {}
    for frame in frames:
        for row in row_dicts(frame):
            reference = str(row.get("reference", ""))
            words = measure_text(_row_of_compared_quantity(row)) + _threshold_of_rate_in_words(row)
            cells = table.setdefault((words, str(row["modality"]), reference), {})
            line = (str(row.get("group", "")), str(row["reader"]))
            if line in cells and not _are_equal_cells(cells[line], row):
                raise InputError(
                    f"`frame` must have one row for each cell of the table; got two for {words}"
                    f" with {row['modality']}, {reader_text(line[1])}. Pass one frame of each"
                    " method, or layout='long'."
                )
            cells[line] = row
    return dict(sorted(table.items(), key=lambda item: bool(item[0][2])))


def _row_of_compared_quantity(row: Mapping[str, Any]) -> RowLike:
    """Return a row as if about one modality; the heading of the column says that it compares."""
    return {**row, "quantity": base_of(str(row["quantity"])), "reference": ""}


# Decimals of a threshold, if it needs them to be told from others.
_DIGITS = 3


def _threshold_of_rate_in_words(row: RowLike) -> str:
    """Return " at ≥ 3", the threshold of a rate; nothing of areas."""
    threshold = float(row.get("threshold", math.nan))
    if math.isnan(threshold):
        return ""
    # Marks of lesions have no direction: higher ratings are more suspicious.
    if threshold == -math.inf and "direction" not in row:
        return ", every mark"
    text = threshold_text(threshold, row.get("next_score", math.nan), _DIGITS)
    return f" at {SIGNS[row.get('direction', '>=')]}{text}"


def _are_equal_cells(first: RowLike, second: RowLike) -> bool:
    """Return whether two frames say the same of a cell: answers may share the row of averages."""
    pairs = [(first[name], second[name]) for name in ("estimate", "ci_low", "ci_high")]
    return all(one == other or (math.isnan(one) and math.isnan(other)) for one, other in pairs)


def _groups_and_readers_in_order(
    table: Mapping[ColumnKey, Mapping[RowKey, RowLike]],
) -> list[RowKey]:
    """Return groups and readers in order of appearance, the average of a group last."""
    lines = list(dict.fromkeys(line for cells in table.values() for line in cells))
    groups = list(dict.fromkeys(group for group, _ in lines))
    return sorted(lines, key=lambda line: (groups.index(line[0]), line[1] == EVERY))


def _columns_of_reader_names(frame: pd.DataFrame, lines: Sequence[RowKey]) -> list[TableColumn]:
    readers = TableColumn(LABELS["reader"], [reader_text(name, alone=False) for _, name in lines])
    if not any(group for group, _ in lines):
        return [readers]
    heads = headings_of_groups(frame, columns_of_groups(frame))
    if not heads:
        heads = {"group": heading_of_identifying_column(frame, "group")}
    found = [
        TableColumn(head, [values.get(group, group) for group, _ in lines])
        for head, values in (
            (head, dict(zip(frame["group"], frame[name], strict=True)))
            for name, head in heads.items()
        )
    ]
    return [*found, readers]


def _heading_of_modality_measure(measure: ColumnKey, several: bool) -> str:
    quantity, modality, reference = measure
    if reference:
        quantity = _quantity_in_heading_of_modality(measure, several)
        return f"Difference, {_modality_pair(measure)}{quantity}"
    return f"{quantity}, {modality}"


def _modality_pair(measure: ColumnKey) -> str:
    return f"{measure[1]} − {measure[2]}"


def _quantity_in_heading_of_modality(measure: ColumnKey, several: bool) -> str:
    return f", {measure[0]}" if several else ""


def _case_counts_where_readers_differ(
    table: Mapping[ColumnKey, Mapping[RowKey, RowLike]], lines: Sequence[RowKey]
) -> list[TableColumn]:
    """Return the numbers of cases of readers where they differ; the footnote has them otherwise."""
    columns = []
    for name in ("n_pos", "n_neg"):
        cells = [
            list(
                dict.fromkeys(
                    format_count(rows[line][name])
                    for rows in table.values()
                    if line in rows and name in rows[line]
                )
            )
            for line in lines
        ]
        if len({tuple(texts) for texts in cells}) > 1 or any(len(texts) > 1 for texts in cells):
            texts_of_lines = ["; ".join(texts) for texts in cells]
            columns.append(TableColumn(GLOSSARY[name].heading, texts_of_lines))
    return columns
