"""Text files: their encoding, their separator, and the cells between."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, compress, islice
from typing import Any, NamedTuple

from rocstats.errors import InputError

SEPARATORS = (",", ";", "\t", "|")
# Lines in which a separator must show itself: enough for a file whose first rows are incomplete.
_HEAD = 100
# The order matters: the mark of UTF-16 is two bytes that no text in UTF-8 begins with.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# The line with which Excel is told the separator; it stays as an empty line, and is counted.
_HINT = re.compile(r"\ufeff?sep=(.)(?=\r?\n)", re.IGNORECASE)


class Text(NamedTuple):
    """The columns of a text file, the header first, and how they were written."""

    columns: list[list[Any]]
    separator: str
    encoding: str


def read_text(
    content: bytes, file: str, *, sep: str | None, encoding: str | None, usual: str
) -> Text:
    """Return the columns of a text file; what is None is found.

    Parameters
    ----------
    content : bytes
        The file.
    file : str
        Its name, for messages.
    sep, encoding : str or None
        Separator and encoding; if None, UTF-8 and UTF-16 are known by their first bytes, UTF-8 by
        its form, and all else is cp1252; the separator is the one that divides the header, and if
        several do, the only one that divides the first lines alike.
    usual : str
        The separator that the ending promises: it is taken if it divides the header of a tsv.
    """
    beginning, encoding = _decoded(content, file, encoding)
    if hint := _HINT.match(beginning):
        sep = sep or hint[1]
    separator = _separator(partial(_lines, content, encoding), file, sep, usual)
    return Text(_columns(_lines(content, encoding), separator, file), separator, encoding)


def _lines(content: bytes, encoding: str) -> Iterator[str]:
    """Return the lines of a text, without a byte order mark."""
    stream = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")
    first = stream.readline().lstrip("\ufeff")
    return chain([_HINT.sub("", first)], stream)


def _decoded(content: bytes, file: str, encoding: str | None) -> tuple[str, str]:
    """Return the beginning of a text and its encoding, with which all of it is text."""
    # The lines are decoded again as they are read: io.StringIO would hold four bytes a letter.
    marks = (name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark))
    candidates = [encoding] if encoding else [found] if (found := next(marks, None)) else None
    for name in candidates or ["utf-8", "cp1252"]:
        try:
            text = content.decode(name)
        except LookupError:
            raise InputError(
                f"`encoding` must be an encoding that Python knows; got {name!r}. Pass"
                " encoding='utf-8', 'utf-16' or 'cp1252', or none to have it found."
            ) from None
        except UnicodeError:
            continue
        _require_no_nul(text, file)
        return text[:9], name
    tried = " or ".join(candidates or ["utf-8", "cp1252"])
    raise InputError(
        f"`encoding` must be that of the file; got {file!r}, which is no text in {tried}. Pass"
        " another encoding, such as encoding='latin-1', or save the file in UTF-8."
    )


def _require_no_nul(text: str, file: str) -> None:
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        raise InputError(
            f"`path` must be text; got a binary file {file!r} (a NUL character in line {line})."
            " Save it as csv in UTF-8."
        )


def _separator(lines: Callable[[], Iterator[str]], file: str, sep: str | None, usual: str) -> str:
    """Return the separator of a file."""
    heads = {mark: _head(lines(), mark) for mark in dict.fromkeys([*SEPARATORS, sep or ","])}
    dividing = [mark for mark, head in heads.items() if head and len(head[0][1]) > 1]
    if sep is not None:
        if dividing and sep not in dividing:
            raise InputError(
                f"`sep` must divide the header; got {sep!r} and one column in {file!r}. It looks"
                f" separated by {spoken(dividing[0])}: pass sep={dividing[0]!r}."
            )
        return sep
    if usual == "\t" and usual in dividing:
        return usual
    if len(dividing) > 1:
        return _only_even(dividing, heads, file)
    if not dividing:
        # A separator with which no line has text, or can be read: its columns say so.
        dividing = [mark for mark, head in heads.items() if not head] or [usual]
        _require_no_title(heads, file)
    return dividing[0]


def _head(lines: Iterator[str], sep: str) -> list[tuple[int, list[str]]]:
    """Return the fields of the first lines with their numbers; none where a line is not so written.

    That line is the last.
    """
    reader = csv.reader(lines, delimiter=sep, strict=True)
    head: list[tuple[int, list[str]]] = []
    try:  # what comes before a broken line stays in the list
        head.extend((reader.line_num, fields) for fields in islice(filter(any, reader), _HEAD))
    except csv.Error:
        head.append((reader.line_num, []))
    return head


def _only_even(
    dividing: list[str], heads: dict[str, list[tuple[int, list[str]]]], file: str
) -> str:
    even = [mark for mark in dividing if len({len(fields) for _, fields in heads[mark]}) == 1]
    if len(even) != 1:
        both = " and ".join(map(spoken, even or dividing))
        raise InputError(
            f"`sep` must be given where several separators divide the header; got {both} in"
            f" {file!r}. Pass {' or '.join(f'sep={mark!r}' for mark in even or dividing)}."
        )
    return even[0]


def _require_no_title(heads: dict[str, list[tuple[int, list[str]]]], file: str) -> None:
    """Raise InputError if no separator divides the first line, and one a later line."""
    for mark, head in heads.items():
        line = next((line for line, fields in head if len(fields) > 1), None)
        if line is not None:
            raise InputError(
                f"`path` must begin with its header; got the title {head[0][1][0][:40]!r} in line"
                f" {head[0][0]} of {file!r}, and the first line with {spoken(mark)} is {line}."
                f" Remove the lines above the header. If the file has one column, pass a separator"
                " that it does not have."
            )


def spoken(sep: str) -> str:
    """Return a separator as a sentence has it."""
    return "tab" if sep == "\t" else sep


def _columns(lines: Iterator[str], sep: str, file: str) -> list[list[Any]]:
    """Return the columns of a text, the header first; lines without any text are left out."""
    cells: list[str] = []  # of all lines: a list for each line would take twice the time
    width = 0
    reader = csv.reader(lines, delimiter=sep, strict=True)
    for fields in filter(None, reader):  # an empty line has no fields
        width = width or (len(fields) if any(fields) else 0)
        if len(fields) == width:
            cells += fields
        elif any(fields):
            raise InputError(
                f"`path` must have as many fields in each line as in its header, {width}; got"
                f" {len(fields)} in line {reader.line_num} of {file!r}. Remove or add a"
                " separator there, or quote the field that holds one."
            )
    columns = [cells[k::width] for k in range(width)]
    if columns and "" in columns[0]:  # most tables need no look at each line
        filled = [any(fields) for fields in zip(*columns, strict=True)]
        columns = [list(compress(column, filled)) for column in columns]
    return columns
