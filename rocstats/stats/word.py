"""The lightest record of a method: its word, and what is said of it in print."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A word of ``method`` in frames.

    ``phrase`` continues a sentence of the Methods paragraph, ``references`` are keys of the
    bibliography. ``published`` is False for our own methods, simulated but not peer-reviewed.
    """

    word: str
    phrase: str
    references: tuple[str, ...] = ()
    published: bool = True
