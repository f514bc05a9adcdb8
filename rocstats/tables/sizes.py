"""The size of a sample in words: patients by condition, then rows where these are no patients.

Every table, paragraph and page takes its sentence from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.frame.make import about_of
from rocstats.study.units import UNITS, Units
from rocstats.tables.text import format_count, format_number, percent_decimals
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd


# What one is called whom nobody named.
_CASES = "patients"


def _cases_in_words(n_all: float, n_pos: float, cases: str, condition: str) -> str:
    """Return the numbers of cases: "569 women; 212 had cancer (37.3%)."."""
    share = format_number(100 * n_pos / n_all, percent_decimals(n_all))
    return f"{format_count(n_all)} {cases}; {format_count(n_pos)} had {condition} ({share}%)."


def size_in_words(
    n_all: float, n_pos: float, units: Units | None, cases: str, condition: str
) -> str:
    """Return the size of a sample of two classes for the head of a page.

    Parameters
    ----------
    n_all, n_pos : float
        Number of cases, and of positive ones.
    units : Units or None
        The units of the cases; None if each case is one unit.
    cases, condition : str
        Words of the page for cases and for their condition.

    Examples
    --------
    >>> from rocstats.study.units import Units
    >>> from rocstats.tables.sizes import size_in_words
    >>> size_in_words(569, 212, None, "women", "cancer")
    '569 women; 212 had cancer (37.3%).'
    >>> units = Units("", "rows", ("",), (240, 80), (720, 240))
    >>> size_in_words(720, 240, units, "women", "cancer")
    '240 women; 80 had cancer (33.3%). 720 rows; 240 with cancer.'
    """
    if units is None:
        return _cases_in_words(n_all, n_pos, cases, condition)
    n_units, with_it = units.n_units
    first = _cases_in_words(
        n_units, with_it, units.name or cases, condition + _in_some_row_of_cluster_in_words(units)
    )
    rows, positive = map(format_count, units.n_rows)
    return f"{first} {rows} {units.counted}; {positive} with {condition}."


def _in_some_row_of_cluster_in_words(units: Units) -> str:
    """Return what a cluster of unknown kind needs to be said: a hospital has no condition."""
    return f" in some {units.counted.removesuffix('s')}" if units.are_clusters else ""


def units_in_words(units: Units, cases: str = _CASES, condition: str = "") -> str:
    """Return the numbers of patients and of rows, by condition, to be read inside a sentence.

    Parameters
    ----------
    units : Units
        The numbers.
    cases : str, default "patients"
        Printed name of cases that are in several folds.
    condition : str, optional
        Printed name of their condition; by default that of the study.

    Examples
    --------
    >>> from rocstats.study.units import Units
    >>> from rocstats.tables.sizes import units_in_words
    >>> units_in_words(Units("patients", "rows", ("",), (240, 80), (1720, 240)))
    '240 patients, 80 with the condition; 1720 rows, 240 with the condition'
    """
    names = [condition or name or "the condition" for name in units.classes]

    def counted(numbers: Sequence[int], what: str, how: str = "") -> str:
        n_all, *of_each = map(format_count, numbers)
        parts = [f"{n} with {name}{how}" for n, name in zip(of_each, names, strict=True)]
        return f"{n_all} {what}, {list_words(parts)}"

    whole = counted(units.n_units, units.name or cases, _in_some_row_of_cluster_in_words(units))
    return f"{whole}; {counted(units.n_rows, units.counted)}"


def counted_units_in_words(units: Units | None, cases: str) -> str:
    """Return what is counted: rows where they are no cases, else cases."""
    return cases if units is None or units.name else units.counted


def units_of_frame(frame: pd.DataFrame) -> Units | None:
    """Return the units of the study of a frame; None where each row of it was one."""
    found = about_of(frame).get(UNITS)
    return None if found is None else Units(**found)


def units_sentences(frame: pd.DataFrame) -> list[str]:
    """Return the sentence on the sample of a frame whose rows are no patients; [] of others."""
    units = units_of_frame(frame)
    if units is None:
        return []
    return [f"The study has {units_in_words(units)}."]


# Headings of columns that count.
_COUNTS = ("Positive", "Negative", "Shared", "TP", "FN", "FP", "TN", "n/N", "Found", "Missed")


def footnotes_on_counted_units(
    frame: pd.DataFrame, heads: Iterable[str], *, without: Sequence[str] = ()
) -> list[str]:
    """Return the footnote of a table that counts rows which are no patients; [] of others.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame of the table.
    heads : iterable of str
        The headings of the table.
    without : sequence of str, default empty
        What is told elsewhere: "units" leaves the numbers out.
    """
    units = units_of_frame(frame)
    if units is None or not any(head.startswith(_COUNTS) for head in heads):
        return []
    numbers = "" if UNITS in without else f": {units_in_words(units)}"
    return [f"Counts are of {units.counted}{numbers}."]


def counts_note(units: Units | None, cases: str, condition: str) -> str:
    """Return the sentence on what the figures of a page count; "" where each row is a case."""
    if units is None:
        return ""
    return f"Counts are of {units.counted}: {units_in_words(units, cases, condition)}."
