"""Frames of reader studies: how they are told from others, their rows, and readers in print."""

from __future__ import annotations

import pandas as pd

EVERY = "all"
"""The reader of a row about the average over readers, and the modality of a global test."""

AVERAGE = "Average"


def is_of_readers(frame: pd.DataFrame) -> bool:
    """Return whether a frame of estimates is an answer of a reader study."""
    return {"modality", "reader"} <= set(frame)


def reader_text(name: str, *, alone: bool = True) -> str:
    """Return what a reader is called in print.

    Parameters
    ----------
    name : str
        The label in the data; "all" is the average.
    alone : bool, default True
        Whether no heading says that it is a reader: "1" is "Reader 1" then.

    Examples
    --------
    >>> from rocstats.tables.reader_frames import reader_text
    >>> reader_text("1"), reader_text("1", alone=False), reader_text("Lee"), reader_text("all")
    ('Reader 1', '1', 'Lee', 'Average')
    """
    if name == EVERY:
        return AVERAGE
    return f"Reader {name}" if alone and name.isdigit() else name


def rows_of_reader_averages(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about averages over readers, without global tests."""
    return _reader_rows_where(frame, frame["reader"].eq(EVERY) & ~_is_global_test_of_readers(frame))


def rows_without_global_tests(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of estimates: all but the global tests."""
    return _reader_rows_where(frame, ~_is_global_test_of_readers(frame))


def rows_of_global_tests(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of global tests."""
    return _reader_rows_where(frame, _is_global_test_of_readers(frame))


def _is_global_test_of_readers(frame: pd.DataFrame) -> pd.Series:
    every: pd.Series = frame["modality"].eq(EVERY)
    return every & frame["reference"].eq("") if "reference" in frame else every & False


def _reader_rows_where(frame: pd.DataFrame, keep: pd.Series) -> pd.DataFrame:
    kept = frame[keep]
    kept.attrs = frame.attrs
    return kept


def modalities_as_predictors(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose modalities are its predictors, as graphs read them."""
    renamed = frame.rename(columns={"modality": "predictor"})
    renamed.attrs = frame.attrs
    return renamed


def reader_frame_in_print(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with modalities as predictors, readers as in print, averages first."""
    rows = modalities_as_predictors(frame)
    groups = rows["group"] if "group" in rows else rows["reader"].map(lambda _: "")
    order = [*dict.fromkeys(groups)]
    places = [
        (order.index(group), reader != EVERY)
        for group, reader in zip(groups, rows["reader"], strict=True)
    ]
    rows = rows.iloc[sorted(range(len(places)), key=places.__getitem__)]
    words = {name: reader_text(str(name)) for name in rows["reader"].unique()}
    named = rows.assign(reader=rows["reader"].map(words))
    named.attrs = frame.attrs
    return named
