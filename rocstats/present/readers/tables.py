"""The table of a reader study: a row for each reader, the average last, modalities side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeGuard

from rocstats.errors import InputError
from rocstats.frames.words import RowLike, rows_of
from rocstats.present.cells import (
    Column,
    measure_columns,
    measure_text,
    p_columns,
    require_frame,
    rules_of,
)
from rocstats.present.places import LABELS, SIGNS, heading_of, threshold_text
from rocstats.present.readers.frames import EVERY, is_of_readers, reader_text, without_global
from rocstats.present.text import MISSING, format_count
from rocstats.present.wording import is_adjusted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

# Decimals of a threshold, if it needs them to be told from others.
_DIGITS = 3

Line = tuple[str, str]
"""Group ("" without groups) and reader of a row."""

Measure = tuple[str, str, str]
"""What a column is of: quantity in words, modality, reference ("" of no difference)."""


def are_several(frames: object) -> TypeGuard[Sequence[pd.DataFrame]]:
    """Return whether an argument is several frames; raise InputError if not of a reader study."""
    if not (isinstance(frames, (list, tuple)) and frames):
        return False
    if not all(hasattr(frame, "columns") for frame in frames):
        return False
    for frame in frames:
        require_frame(frame)
        if not is_of_readers(frame) and "component" not in frame:
            raise InputError(
                "`frame` must be one frame, or several answers of a reader study; got several with"
                f" columns {', '.join(map(str, frame.columns[:4]))}. Pass them one by one."
            )
    return True


def reader_columns(
    frames: Sequence[pd.DataFrame], style: str, digits: int | None = None
) -> list[Column]:
    """Return the columns of the table of a reader study.

    Parameters
    ----------
    frames : sequence of pandas.DataFrame
        Any of ``auc()``, ``compare_auc(by="reader")``, ``compare_auc()`` and ``components()``, of
        which there is no column.
    style : str
        Name of a style, see ``rocstats.present.styles``.
    digits : int, optional
        Decimals; by default those of the style.
    """
    estimates = [_tested(without_global(frame)) for frame in frames if is_of_readers(frame)]
    each = [rules_of(frame, style, digits) for frame in estimates if len(frame)]
    if not each:
        raise InputError(
            "`frame` must hold estimates of a reader study; got none. Pass readers.auc() too."
        )
    signed = any(rules.signed for rules in each)
    rules = each[0]._replace(signed=signed, adjusted=any(one.adjusted for one in each))
    table = _by_measure(estimates)
    lines = _lines(table)
    several = len({quantity for quantity, _, _ in table}) > 1
    pairs = sum(bool(reference) for _, _, reference in table)
    columns = _places(estimates[0], lines)
    for measure, cells in table.items():
        rows = [cells.get(line) for line in lines]
        columns += measure_columns(_head(measure, several), rows, rules)
        of = f", {_pair(measure)}{_quantity(measure, several)}" if pairs > 1 else ""
        columns += map(_without_missing, p_columns(rows, rules, of) if measure[2] else [])
    return [*columns, *_counts(table, lines)]


def _tested(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose P values are adjusted ones only if an adjustment was made."""
    if "p_adjusted" not in frame or is_adjusted(frame):
        return frame
    plain = frame.assign(p_adjusted=math.nan)
    plain.attrs = frame.attrs
    return plain


def _without_missing(column: Column) -> Column:
    """Return a column of P values, empty where there is none."""
    cells = ["" if cell == MISSING else cell for cell in column.cells]
    numbers = [number if cell else () for number, cell in zip(column.numbers, cells, strict=True)]
    return Column(column.head, cells, numbers)


def _by_measure(frames: Sequence[pd.DataFrame]) -> dict[Measure, dict[Line, RowLike]]:
    """Return the rows by what they estimate, areas before differences, and by reader."""
    table: dict[Measure, dict[Line, RowLike]] = {}
    for frame in frames:
        for row in rows_of(frame):
            reference = str(row.get("reference", ""))
            words = measure_text({**row, "reference": ""}) + _cut(row)
            cells = table.setdefault((words, str(row["modality"]), reference), {})
            line = (str(row.get("group", "")), str(row["reader"]))
            if line in cells and not _alike(cells[line], row):
                raise InputError(
                    "`frame` must have one row for each cell of the table; got two for"
                    f" {words} with {row['modality']}, {reader_text(line[1])}. Pass one"
                    " answer of each question, or layout='long'."
                )
            cells[line] = row
    return dict(sorted(table.items(), key=lambda item: bool(item[0][2])))


def _cut(row: RowLike) -> str:
    """Return " at ≥ 3", the threshold of a rate; nothing of areas."""
    threshold = float(row.get("threshold", math.nan))
    if math.isnan(threshold):
        return ""
    return f" at {SIGNS[row['direction']]}{threshold_text(threshold, _DIGITS)}"


def _alike(first: RowLike, second: RowLike) -> bool:
    """Return whether two frames say the same of a cell: answers may share the row of averages."""
    pairs = [(first[name], second[name]) for name in ("estimate", "ci_low", "ci_high")]
    return all(one == other or (math.isnan(one) and math.isnan(other)) for one, other in pairs)


def _lines(table: Mapping[Measure, Mapping[Line, RowLike]]) -> list[Line]:
    """Return groups and readers in order of appearance, the average of a group last."""
    lines = list(dict.fromkeys(line for cells in table.values() for line in cells))
    groups = list(dict.fromkeys(group for group, _ in lines))
    return sorted(lines, key=lambda line: (groups.index(line[0]), line[1] == EVERY))


def _places(frame: pd.DataFrame, lines: Sequence[Line]) -> list[Column]:
    readers = Column(LABELS["reader"], [reader_text(name, alone=False) for _, name in lines])
    if not any(group for group, _ in lines):
        return [readers]
    return [Column(heading_of(frame, "group"), [group for group, _ in lines]), readers]


def _head(measure: Measure, several: bool) -> str:
    quantity, modality, reference = measure
    if reference:
        return f"Difference, {_pair(measure)}{_quantity(measure, several)}"
    return f"{quantity}, {modality}"


def _pair(measure: Measure) -> str:
    return f"{measure[1]} − {measure[2]}"


def _quantity(measure: Measure, several: bool) -> str:
    return f", {measure[0]}" if several else ""


def _counts(table: Mapping[Measure, Mapping[Line, RowLike]], lines: Sequence[Line]) -> list[Column]:
    """Return the numbers of cases of readers where they differ; the footnote has them otherwise."""
    columns = []
    for name, head in (("n_pos", "Positives"), ("n_neg", "Negatives")):
        cells = [
            list(
                dict.fromkeys(
                    format_count(own[line][name])
                    for own in table.values()
                    if line in own and name in own[line]
                )
            )
            for line in lines
        ]
        if len({tuple(texts) for texts in cells}) > 1 or any(len(texts) > 1 for texts in cells):
            columns.append(Column(head, ["; ".join(texts) for texts in cells]))
    return columns


def case_sentence(frames: Sequence[pd.DataFrame]) -> list[str]:
    """Return the numbers of cases, if all rows have the same."""
    known = [frame for frame in frames if {"n_pos", "n_neg"} <= set(frame)]
    pairs = {
        pair
        for frame in known
        for pair in frame[["n_pos", "n_neg"]].itertuples(index=False, name=None)
    }
    if len(pairs) != 1:
        return []
    n_pos, n_neg = (format_count(count) for count in next(iter(pairs)))
    return [f"Cases: {n_pos} positive, {n_neg} negative."]
