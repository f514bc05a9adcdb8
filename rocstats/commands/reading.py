"""The options of reading a file and its columns: labels are text with one spelling each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.options import command_option_of_parameter
from rocstats.errors import InputError
from rocstats.study.cells import (
    fold_labels,
    is_column_of_labels,
    label_counts,
    label_spellings_with_counts,
    read_codes,
    strip_file_labels,
)
from rocstats.study.files import read_file, reading_in_words
from rocstats.study.marks import (
    AboveLimit,
    BelowLimit,
    empty_missing_codes,
    read_mark_options,
)
from rocstats.study.selection import cut_into_ranges, read_cut_points, rows_that_meet

READING_PANEL = "Reading the file"
"""Heading of these options in the help."""

_reading = partial(command_option_of_parameter, rich_help_panel=READING_PANEL)


def _flag(name: str, text: str) -> Any:
    return typer.Option(name, help=text, rich_help_panel=READING_PANEL)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is read."""

    sep: Annotated[str | None, _reading("sep")] = None
    decimal: Annotated[str | None, _reading("decimal")] = None
    thousands: Annotated[str | None, _reading("thousands")] = None
    encoding: Annotated[str | None, _reading("encoding")] = None
    sheet: Annotated[str | None, _reading("sheet")] = None
    header_row: Annotated[int, _reading("header_row")] = 1
    footer_rows: Annotated[int | None, _reading("footer_rows")] = None
    na: Annotated[list[str] | None, _reading("na", metavar="TEXT")] = None
    below_limit: Annotated[BelowLimit | None, _reading("below_limit")] = None
    above_limit: Annotated[AboveLimit | None, _reading("above_limit")] = None
    missing_code: Annotated[list[float] | None, _reading("missing_code", repeatable=True)] = None
    filter: Annotated[str | None, _reading("filter", metavar="CONDITION")] = None
    cut: Annotated[
        list[str] | None, _reading("cut", repeatable=True, metavar="COLUMN=VALUE,...")
    ] = None
    fold_case: Annotated[
        bool, _flag("--fold-case", "Count labels that differ by case alone as one.")
    ] = False
    keep_case: Annotated[
        bool, _flag("--keep-case", "Keep labels that differ by case alone apart.")
    ] = False

    def __post_init__(self) -> None:
        if self.fold_case and self.keep_case:
            raise InputError(
                "`--fold-case` must be left out with --keep-case; got both. Leave one of them out."
            )

    def read(
        self,
        file: Path,
        *,
        labels: Collection[str] = (),
        codes: Collection[str] = (),
        words: Collection[str] = (),
    ) -> pd.DataFrame:
        """Return the data of a file.

        Parameters
        ----------
        file : pathlib.Path
            The file, or "-".
        labels : collection of str
            Columns of labels, which stay as they are written: 010 and 10 differ.
        codes : collection of str
            Columns of outcomes: labels, unless they are numbers written in one way, or booleans.
        words : collection of str
            Columns of numbers, or of labels if one of them is no number.

        Returns
        -------
        pandas.DataFrame
            The data, their labels without blanks at the ends and each spelled in one way.

        Raises
        ------
        InputError
            If labels of a column differ by case alone, unless an option says what they are.
        """
        ranges = read_cut_points(self.cut or [])
        data, rows = read_file(
            file,
            sep=self.sep,
            decimal=self.decimal,
            thousands=self.thousands,
            encoding=self.encoding,
            sheet=self.sheet,
            text=[name for name in (*labels, *codes) if name not in ranges],
            header_row=self.header_row,
            footer_rows=self.footer_rows,
            marks=read_mark_options(self.na or (), self.below_limit, self.above_limit),
        )
        # Messages name rows by their labels: here as a spreadsheet counts them.
        data.index = rows
        empty_missing_codes(data, self.missing_code or [], but=codes)
        strip_file_labels(data, words)
        for name in codes:
            read_codes(data, name)
        for name in dict.fromkeys([*labels, *codes, *words]):
            if name in data.columns and is_column_of_labels(data[name]):
                if self.fold_case:
                    fold_labels(data, name)
                else:
                    self.require_one_spelling(name, label_counts(data[name]))
        if self.filter is not None:
            data = rows_that_meet(data, self.filter)
        cut_into_ranges(data, ranges)
        return data

    def require_one_spelling(self, column: str, numbers: Mapping[Any, int]) -> None:
        """Raise InputError for labels of a column that differ by case alone, unless they may."""
        if not self.keep_case and (spellings := label_spellings_with_counts(numbers)):
            got = " and ".join(f"{label!r} ({number:,})" for label, number in spellings[0].items())
            others = len(spellings) - 1
            more = f", and {others} more label{'s' * (others > 1)} alike" if others else ""
            raise InputError(
                f"`FILE` must spell each label in one way; got {got} in column {column!r}, which"
                f" differ only in capital letters{more}. Pass --fold-case if they are one label,"
                " or --keep-case if they are not."
            )


def report_hints(hints: Iterable[str]) -> None:
    """Print hints on mistakes that the data may have, a line each."""
    for hint in hints:
        typer.echo(f"rocstats: hint: {hint}", err=True)


def report_parsing(data: pd.DataFrame) -> None:
    """Report how the file was parsed. Call after building the study: errors stay one line.

    Parameters
    ----------
    data : pandas.DataFrame
        What ``Reading.read`` returned.
    """
    if note := reading_in_words(data):
        typer.echo(f"rocstats: {note}", err=True)
