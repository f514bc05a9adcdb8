"""The labels in columns of a data file: what text on a command line means, and their spelling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pandas as pd

from rocstats.facts.words import spelled_alike
from rocstats.study.cells import label_cells, outcome_codes_of_labels


def is_column_of_labels(column: pd.Series[Any]) -> bool:
    """Return whether a column of a file holds texts, not numbers, dates or codes with words."""
    return column.dtype.kind == "O" and not isinstance(column.dtype, pd.CategoricalDtype)


def label_texts_of_column(column: pd.Series[Any]) -> list[Any]:
    """Return the cells of a column, "" where they are missing."""
    return [cell if known else "" for cell, known in zip(column, column.notna(), strict=True)]


def read_codes(frame: pd.DataFrame, column: str) -> None:
    """Make numbers or booleans of the labels of an outcome that was read as text, if they are."""
    if column in frame.columns and is_column_of_labels(frame[column]):
        labels = [None if pd.isna(label) else label for label in frame[column]]
        codes = outcome_codes_of_labels(labels, frame.attrs["rocstats"]["decimal"] or ".")
        if codes is not labels:
            frame[column] = pd.Series(codes, index=frame.index)


def label_meant(frame: pd.DataFrame, column: str, text: str | None) -> Any:
    """Return the label of a column of a file that a text means: as written, or by its code."""
    if text is None or column not in frame.columns:
        return text
    about, labels = frame.attrs["rocstats"], frame[column].dropna().unique().tolist()
    found = spelled_label(labels, text, any_case=column in about.get("folded", {}))
    # A file of SPSS or Stata has a word for each code; both are known to its users.
    words = (about["value_labels"] or {}).get(column, {})
    return words.get(text, text) if found is None else found


def spelled_label(labels: Collection[Any], text: str, *, any_case: bool = False) -> Any:
    """Return the label that a text spells, in any case if labels were folded; else None."""
    for label in labels:
        # A file may hold the labels 0 and 1 as 0.0 and 1.0: "1" means 1.0 then.
        if text in (str(label), f"{label:g}" if isinstance(label, float) else None):
            return label
    alike = (label for label in labels if str(label).casefold() == text.casefold())
    return next(alike, None) if any_case else None


def strip_file_labels(frame: pd.DataFrame, columns: Collection[str]) -> None:
    """Take the blanks at the ends of the labels of columns that hold labels, not numbers."""
    for name in columns:
        if name in frame.columns and is_column_of_labels(frame[name]):
            labels, number = label_cells(label_texts_of_column(frame[name]))
            frame[name] = pd.Series(labels, index=frame.index)
            if number:
                about = frame.attrs["rocstats"]
                about["stripped"] = {**(about["stripped"] or {}), name: number}


def label_counts(labels: Iterable[Any]) -> dict[Any, int]:
    """Return the number of rows of each label that is a text."""
    return Counter(label for label in labels if isinstance(label, str))


def label_spellings_with_counts(numbers: Mapping[Any, int]) -> list[dict[str, int]]:
    """Return the spellings, with their numbers of rows, of each label that has several.

    That of most rows is first, of as many the first in the order of the alphabet: engines give
    labels in any order, and the order of rows says nothing.
    """
    of: Counter[str] = Counter()
    for label, number in numbers.items():
        if isinstance(label, str):
            of[label.strip()] += number
    ordered = sorted(of, key=lambda label: (-of[label], label))
    return [{label: of[label] for label in alike} for alike in spelled_alike(ordered)]


def fold_labels(frame: pd.DataFrame, column: str) -> None:
    """Give labels of a column that differ by case alone the spelling that most rows have."""
    folded: dict[str, str] = {}
    for numbers in label_spellings_with_counts(label_counts(frame[column])):
        kept, *others = numbers
        folded |= dict.fromkeys(others, kept)
    if folded:
        frame[column] = frame[column].replace(folded)
        frame.attrs["rocstats"].setdefault("folded", {})[column] = folded


def label_has_blanks(label: Any) -> bool:
    """Return whether a label has blanks at its ends."""
    return isinstance(label, str) and label != label.strip()


def stripped_in_words(column: str, number: int) -> str:
    """Return in words for how many labels of a column blanks at the ends were left out."""
    labels = "1 label" if number == 1 else f"{number:,} labels"
    return f"without the blanks at the ends of {labels} in {column!r}"
