"""The options of reading a file and its columns: labels are text with one spelling each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

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

_READING_PANEL = "Reading the file"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is read."""

    sep: Annotated[
        str | None,
        typer.Option(
            help="Separator of a text file: , ; | or tab.", rich_help_panel=_READING_PANEL
        ),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option(help="Decimal mark of the numbers: . or ,", rich_help_panel=_READING_PANEL),
    ] = None
    thousands: Annotated[
        str | None,
        typer.Option(help="Mark that divides thousands: . or ,", rich_help_panel=_READING_PANEL),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            help="Encoding of a text file: utf-8, cp1252, ...", rich_help_panel=_READING_PANEL
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(
            help="Sheet of a workbook: its name, or number from 1.", rich_help_panel=_READING_PANEL
        ),
    ] = None

    fold_case: Annotated[
        bool,
        typer.Option(
            "--fold-case",
            help="Count labels that differ by case alone as one.",
            rich_help_panel=_READING_PANEL,
        ),
    ] = False
    keep_case: Annotated[
        bool,
        typer.Option(
            "--keep-case",
            help="Keep labels that differ by case alone apart.",
            rich_help_panel=_READING_PANEL,
        ),
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
        data, rows = read_file(
            file,
            sep=self.sep,
            decimal=self.decimal,
            thousands=self.thousands,
            encoding=self.encoding,
            sheet=self.sheet,
            text=[*labels, *codes],
        )
        # Messages name rows by their labels: here as a spreadsheet counts them.
        data.index = rows
        strip_file_labels(data, words)
        for name in codes:
            read_codes(data, name)
        for name in dict.fromkeys([*labels, *codes, *words]):
            if name in data.columns and is_column_of_labels(data[name]):
                if self.fold_case:
                    fold_labels(data, name)
                else:
                    self.require_one_spelling(name, label_counts(data[name]))
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


def report_parsing(data: pd.DataFrame) -> None:
    """Report how the file was parsed. Call after building the study: errors stay one line.

    Parameters
    ----------
    data : pandas.DataFrame
        What ``Reading.read`` returned.
    """
    if note := reading_in_words(data):
        typer.echo(f"rocstats: {note}", err=True)
