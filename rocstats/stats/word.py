"""Record of a method that needs no functions: its word, phrase in print and references."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """Word of the column ``method`` with its phrase in print.

    ``phrase`` continues a sentence of the Methods paragraph, ``references`` are keys of the
    bibliography. ``published`` is False for our own methods, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    references: tuple[str, ...] = ()
    published: bool = True
