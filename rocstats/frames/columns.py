"""Columns in their types, and a frame of them.

Labels, texts and numbers come in; pandas gets blocks of columns, each of one type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.screen import Answer
from rocstats.tolerances import spans

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]


class Labels(NamedTuple):
    """A text column as distinct labels and a code for each row."""

    # A million rows then need no million Python strings: pandas takes the labels by code.

    labels: Sequence[str]
    codes: np.ndarray[Any, np.dtype[np.intp]]


def assembled(names: tuple[str, ...], columns: Mapping[str, Any]) -> Answer:
    """Return columns in their types as a frame; a number or a text is that of all rows.

    The first column has a value for each row.
    """
    layout, make = _layout(names), _maker_of_blocks()
    heading = layout.heading.view()  # its own: a user may name the axis
    first = columns[names[0]]
    n_rows = len(first.codes if isinstance(first, Labels) else first)
    index = pd.RangeIndex(n_rows)
    if make is None:
        # Numbers in the place of names, which pandas would make an array of anew for each frame.
        typed = [typed_column(name, columns[name], n_rows) for name in names]
        frame = Answer(dict(enumerate(typed)), index=index, copy=False)
        frame.columns = heading
        return frame
    blocks = [(_texts(columns[name], n_rows), place) for name, place in layout.texts]
    for kind, places in layout.numbers:
        numbers = np.empty((len(places), n_rows))
        for row, place in enumerate(places.tolist()):
            numbers[row] = columns[names[place]]
        blocks += _blocks_of(kind, numbers, places)
    found: Answer = make(blocks, index, heading)
    found.__class__ = Answer  # which has methods only; Answer(found) would copy each block twice
    return found


class _Layout(NamedTuple):
    """Where the columns of a frame are: each of text, and those of each kind of number."""

    heading: pd.Index[str]
    texts: list[tuple[str, IntArray]]
    numbers: list[tuple[str, IntArray]]


@lru_cache(maxsize=256)  # twice the questions: with groups and without
def _layout(names: tuple[str, ...]) -> _Layout:
    kinds = [GLOSSARY[name].kind for name in names]
    places = {kind: np.flatnonzero([each == kind for each in kinds]) for kind in ("count", "real")}
    texts = [
        (name, np.array([place]))
        for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
        if kind == "text"
    ]
    numbers = [(kind, found) for kind, found in places.items() if len(found)]
    return _Layout(pd.Index(names), texts, numbers)


def _blocks_of(kind: str, numbers: FloatArray, places: IntArray) -> list[tuple[Any, IntArray]]:
    """Return rows of numbers as blocks, counts that are all whole as integers."""
    if kind != "count" or not numbers.size:
        return [(numbers, places)]
    whole = _are_whole(numbers)
    if whole.all():
        return [(_as_integers(numbers), places)]
    blocks = [(_as_integers(numbers[whole]), places[whole]), (numbers[~whole], places[~whole])]
    return [block for block in blocks if len(block[1])]


def _as_integers(numbers: FloatArray) -> npt.NDArray[np.int64]:
    """Return whole numbers as integers, in their own memory."""
    whole = numbers.view(np.int64)
    for some in spans(numbers.shape[-1]):
        whole[..., some] = numbers[..., some].astype(np.int64)
    return whole


@cache
def _maker_of_blocks() -> Callable[..., Any] | None:
    """Return what makes a frame of blocks of columns; None in pandas 2."""
    # One by one, twenty columns cost pandas as much as an area of 1000 cases. What takes blocks
    # checks nothing: arrays of objects, as texts are in pandas 2, would have to be rows too.
    if not isinstance(text_dtype(), pd.api.extensions.ExtensionDtype):
        return None
    internals = import_module("pandas.api.internals")  # the stubs of pandas have no such module
    make: Callable[..., Any] = internals.create_dataframe_from_blocks
    return make


def typed_column(name: str, values: Any, n_rows: int) -> Any:
    """Return a column in the type of its name, from one value a row or one for all rows."""
    if GLOSSARY[name].kind != "text":
        return typed_numbers(name, np.full(n_rows, values, dtype=np.float64))
    return _texts(values, n_rows)


def _texts(values: Any, n_rows: int) -> Any:
    """Return a column of texts, or of one text that all rows share."""
    if isinstance(values, str):
        values = Labels([values], np.zeros(n_rows, dtype=np.intp))
    if not isinstance(values, Labels):
        return text_column(values).copy()
    if len(values.labels) == 1 and len(values.codes) <= _REPEATED:
        return _one_label(values.labels[0], len(values.codes)).copy()
    if len(values.codes) <= _SHORT:
        return text_column([values.labels[int(code)] for code in values.codes]).copy()
    return text_column(values.labels).take(values.codes)


def typed_numbers(name: str, values: FloatArray) -> FloatArray | npt.NDArray[np.int64]:
    """Return counts that are all whole as integers; other numbers as they are."""
    if GLOSSARY[name].kind != "count" or not len(values):
        return values
    # Not pandas' Int64: beside floats it would make arrays of objects of a frame.
    return values.astype(np.int64) if _are_whole(values) else values


def _are_whole(values: FloatArray) -> Any:
    """Return whether the numbers of a row, or of each of several, are all whole."""
    parts = (values[..., some] for some in spans(values.shape[-1]))
    found = (((np.rint(part) == part) & (np.abs(part) < 2**53)).all(axis=-1) for part in parts)
    return reduce(np.logical_and, found)


# A short text column costs as much as ten numeric ones, and a loop over studies makes the same few
# again and again.
_SHORT = 32  # all measures at two operating points are 28 rows
_REPEATED = 10**4  # one curve of as many cases; the columns kept are then 20 MB at most


def text_column(values: Sequence[str]) -> Any:
    """Return a column of text, which is kept if it is short."""
    if len(values) <= _SHORT:
        return _short_text(tuple(values))
    return pd.array(list(values), dtype=text_dtype())


@lru_cache(maxsize=256)  # some fifty frames with columns of their own
def _short_text(values: tuple[str, ...]) -> Any:
    return pd.array(list(values), dtype=text_dtype())


@lru_cache(maxsize=64)
def _one_label(label: str, n: int) -> Any:
    return pd.array([label] * n, dtype=text_dtype())


# A dtype made once: to find it by its name costs more than to make the array of a short column.
@cache
def text_dtype() -> Any:
    """Return the default text type of pandas: "str" from version 3 on, object before."""
    return pd.api.types.pandas_dtype("str" if int(pd.__version__.split(".")[0]) >= 3 else object)
