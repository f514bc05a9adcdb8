"""Marks among the numbers of a column: missing results, and results beyond a limit of detection.

A mark is read only where the user says what it means. A result below a limit is the lowest of its
column, tied with others below it: minus infinity. Ranks are all that a ROC curve needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import FloatArray
from rocstats.study.cells import cell_as_number, cells_are_numbers
from rocstats.study.forms import read_names
from rocstats.study.vectors import COMMON_MISSING_MARKS, LIMIT_OF_DETECTION, MISSING_MARKS

BelowLimit = Literal["lowest"]
AboveLimit = Literal["highest"]

_AUTO = "auto"


class Marks(NamedTuple):
    """What marks mean: texts for a missing value, limits of detection, rows at the end."""

    na: frozenset[str] = frozenset()
    below_limit: str | None = None
    above_limit: str | None = None

    def reads_limit(self, cell: Any) -> bool:
        """Return whether a cell is a limit that the user has explained."""
        found = LIMIT_OF_DETECTION.fullmatch(cell) if isinstance(cell, str) else None
        if found is None:
            return False
        return (self.below_limit if found[1][0] in "<≤" else self.above_limit) is not None

    def reads_missing(self, cell: Any) -> bool:
        """Return whether a cell among numbers is empty, or a mark that means a missing value."""
        if not isinstance(cell, str):
            return False
        common = _AUTO in self.na and _is_common_missing_mark(cell)
        return cell in MISSING_MARKS or cell.strip() in self.na or common


def read_mark_options(
    na: str | Sequence[str], below_limit: str | None, above_limit: str | None
) -> Marks:
    """Return what marks mean; raise InputError for a wrong option."""
    texts = frozenset(text.strip() for text in read_names(na, "na"))
    below_limit = require_choice("below_limit", below_limit, (None, "lowest"))
    above_limit = require_choice("above_limit", above_limit, (None, "highest"))
    return Marks(texts, below_limit, above_limit)


def without_percent_signs(
    columns: Mapping[str, list[Any]], marks: Marks, labels: Collection[str]
) -> tuple[dict[str, list[Any]], list[str]]:
    """Return columns of percentages without their signs, and the names of these columns.

    Every value of such a column is a number with a percent sign: 30.8% is read as 30.8. Columns of
    labels, and columns with other values, stay.
    """
    found = dict(columns)
    for name, cells in columns.items():
        first = next((cell for cell in cells if not marks.reads_missing(cell)), None)
        if name in labels or not _is_percentage(first):
            continue
        values = [cell for cell in cells if not marks.reads_missing(cell)]
        numbers = [cell.rstrip().removesuffix("%") for cell in values if _is_percentage(cell)]
        if len(numbers) == len(values) and any(cells_are_numbers(numbers, mark) for mark in ".,"):
            found[name] = [
                cell.rstrip().removesuffix("%") if _is_percentage(cell) else cell for cell in cells
            ]
    return found, [name for name in columns if found[name] is not columns[name]]


def _is_percentage(cell: Any) -> bool:
    return isinstance(cell, str) and cell.rstrip().endswith("%")


class UnmarkedCells(NamedTuple):
    """Cells of columns with marks emptied, the limits by place, and the missing marks counted."""

    columns: dict[str, list[Any]]
    limits: dict[str, dict[int, str]]
    missing: dict[str, dict[str, int]]


def empty_marked_cells(
    columns: Mapping[str, list[Any]], marks: Marks, labels: Collection[str]
) -> UnmarkedCells:
    """Return cells without marks: "" where a value is missing or beyond a limit.

    Texts that the user names are missing in every column. Common marks, and limits, are read in
    columns whose other cells are numbers, and not in columns of labels.
    """
    found, limits, missing = dict(columns), {}, {}
    for name, cells in columns.items():
        named = [isinstance(cell, str) and cell.strip() in marks.na - {_AUTO} for cell in cells]
        if name not in labels:
            common = [_AUTO in marks.na and _is_common_missing_mark(cell) for cell in cells]
            beyond = [marks.reads_limit(cell) for cell in cells]
            marked = [any(each) for each in zip(named, common, beyond, strict=True)]
            rest = [
                cell
                for cell, is_mark in zip(cells, marked, strict=True)
                if not is_mark and cell not in MISSING_MARKS
            ]
            if any(marked) and any(cells_are_numbers(rest, mark) for mark in ".,"):
                limits[name] = {place: cells[place] for place in np.flatnonzero(beyond).tolist()}
                named = [
                    is_named or is_common for is_named, is_common in zip(named, common, strict=True)
                ]
        if any(named):
            texts = (cell for cell, is_named in zip(cells, named, strict=True) if is_named)
            # An empty cell is missing anyway, and nothing to report.
            missing[name] = dict(Counter(text for text in texts if text != ""))
        emptied = {*np.flatnonzero(named).tolist(), *limits.get(name, ())}
        if emptied:
            found[name] = ["" if place in emptied else cell for place, cell in enumerate(cells)]
    return UnmarkedCells(
        found,
        {name: at for name, at in limits.items() if at},
        {name: texts for name, texts in missing.items() if texts},
    )


def _is_common_missing_mark(cell: Any) -> bool:
    return isinstance(cell, str) and cell.strip().casefold() in COMMON_MISSING_MARKS


def numbers_with_limits(values: Any, limits: Mapping[int, str], decimal: str, name: str) -> Any:
    """Return the numbers of a column, infinite where a limit stood; InputError if one is beyond it.

    Parameters
    ----------
    values : array
        Numbers, missing where the limits stood.
    limits : mapping of int to str
        The limits, by place in the column.
    decimal : {".", ","}
        Decimal mark of the limits.
    name : str
        The column, for messages.
    """
    numbers: FloatArray = pd.Series(values).to_numpy(dtype=np.float64, na_value=np.nan).copy()
    known = numbers[np.isfinite(numbers)]
    for place, text in limits.items():
        sign, digits = LIMIT_OF_DETECTION.fullmatch(text).groups()  # type: ignore[union-attr]  # found before
        # Numbers of a sheet have no mark: there <0,5 may stand beside 1.5.
        other = "," if decimal == "." else "."
        written = decimal if cells_are_numbers([digits], decimal) else other
        limit, low = float(cell_as_number(digits, written)), sign[0] in "<≤"
        beyond = known[known < limit] if low else known[known > limit]
        if len(beyond) > 0:
            argument = "below_limit" if low else "above_limit"
            raise InputError(
                f"`{argument}` must be used only if no number of the column is beyond the limit;"
                f" got {beyond[0]:g} and {text.strip()!r} in column {name!r}. Cells beyond a limit"
                " are ranked beyond all numbers: the column needs a single limit of detection."
            )
        numbers[place] = -np.inf if low else np.inf
    return numbers


LIMITS = "limits"
"""Key of the limits of detection in the ``attrs`` of data, and of answers about them."""


def limits_of_columns(data: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the limits of detection of some columns of data that were read from a file.

    Parameters
    ----------
    data : dataframe or None
        What ``read_table`` returned, or other data, of which nothing is known.
    names : sequence of str
        The columns of scores.

    Returns
    -------
    dict
        How often each limit stands in each column, under "limits"; {} without any.
    """
    attrs = getattr(data, "attrs", {})
    about = attrs.get("rocstats", {}) if isinstance(attrs, Mapping) else {}
    limits = about.get(LIMITS) or {}
    found = {name: dict(limits[name]) for name in names if name in limits}
    return {LIMITS: found} if found else {}


def marks_in_words(
    missing: Mapping[str, Mapping[str, int]] | None, limits: Mapping[str, Mapping[str, int]] | None
) -> list[str]:
    """Return in words which cells of each column were read as missing, or as beyond all numbers."""
    texts = [
        f"{_counted_texts(found)} as missing in {name!r}" for name, found in (missing or {}).items()
    ]
    for name, found in (limits or {}).items():
        for signs, rank in (("<≤", "lowest"), (">≥", "highest")):
            of_side = {text: n for text, n in found.items() if text.strip()[0] in signs}
            if of_side:
                texts.append(f"{_counted_texts(of_side)} as the {rank} in {name!r}, tied")
    return texts


def _counted_texts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{text!r} ({number:,})" for text, number in found.items())


# --- Numbers that mean a missing value ------------------------------------------------------------


def empty_missing_codes(
    frame: pd.DataFrame, missing_codes: Sequence[float], *, but: Collection[str]
) -> None:
    """Make missing the numbers that mean so, in all columns of numbers but those named."""
    found: dict[str, dict[str, int]] = {}
    for name in frame.columns:
        if name in but or frame[name].dtype.kind not in "iuf":
            continue
        for code in missing_codes:
            is_code = (frame[name] == code).fillna(False).to_numpy(dtype=bool)
            if is_code.any():
                frame[name] = frame[name].mask(is_code)
                found.setdefault(str(name), {})[f"{code:g}"] = int(is_code.sum())
    if missing_codes and not found:
        raise InputError(
            f"`missing_code` must be in a column of numbers; got"
            f" {', '.join(f'{code:g}' for code in missing_codes)}, which no cell has. Check the"
            " code."
        )
    if found:
        about = frame.attrs["rocstats"]
        marks = about["missing_marks"] or {}
        about["missing_marks"] = marks | {
            name: marks.get(name, {}) | codes for name, codes in found.items()
        }
