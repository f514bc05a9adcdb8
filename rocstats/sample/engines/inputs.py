"""The arguments of the counting functions, and what they say of data that cannot be counted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rocstats.errors import InputError, require_flag, require_open_interval, require_whole
from rocstats.sample.engines.cells import DEFAULT_BITS, LARGEST_BITS
from rocstats.sample.engines.table import COUNT_COLUMNS
from rocstats.sample.inputs.columns import require_one_column


class Columns(NamedTuple):
    """The columns to count by: label, score and groups."""

    label: str
    score: str
    by: tuple[str, ...]


class Precision(NamedTuple):
    """How finely scores are counted: the bits of the first pass (None for exact), and the bound."""

    bits: int | None
    tolerance: float | None


def names_in(given: Any) -> tuple[Any, ...]:
    """Return the entries of a list of names; anything else is one entry."""
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    return tuple(given) if is_list else (given,)


def read_by(by: str | Sequence[str]) -> tuple[str, ...]:
    """Return the columns of groups; they must not be named as what is counted."""
    names = names_in(by)
    wrong = [name for name in names if not isinstance(name, str) or name in COUNT_COLUMNS]
    if wrong or len(set(names)) < len(names):
        raise InputError(
            f"`by` must be names of columns, each once and none of {list(COUNT_COLUMNS)}, which the"
            f" counts have; got {by!r}. Rename the column first."
        )
    return names


def read_precision(bits: int | None, exact: bool, tolerance: float | None = None) -> Precision:
    """Return how finely to count; more than one of the three words is an InputError."""
    require_flag("exact", exact)
    given = {"bits": bits is not None, "exact": exact, "tolerance": tolerance is not None}
    words = [f"{word}=" for word, is_given in given.items() if is_given]
    if len(words) > 1:
        raise InputError(
            f"`{words[0][:-1]}` must be the only one of bits=, exact= and tolerance=; got"
            f" {' and '.join(words)}. Pass one of them."
        )
    if tolerance is not None:
        require_open_interval("tolerance", tolerance, 0, 1)
    if bits is not None:
        bits = require_whole("bits", bits, 1, f"Pass 1 to {LARGEST_BITS}, for instance 10.")
        if bits > LARGEST_BITS:
            raise InputError(
                f"`bits` must be at most {LARGEST_BITS}; got {bits}. Pass exact=True to count every"
                " score."
            )
    return Precision(None if exact else bits or DEFAULT_BITS, tolerance)


def require_columns(columns: Columns, names: Sequence[str]) -> None:
    """Raise InputError unless the frame has each column once."""
    for argument, name in [
        ("label", columns.label),
        ("score", columns.score),
        *(("by", name) for name in columns.by),
    ]:
        require_column(argument, name, names)


def require_column(argument: str, name: Any, names: Sequence[str]) -> None:
    """Raise InputError unless the frame has a column once."""
    count = list(names).count(name) if isinstance(name, str) else 0
    require_one_column(argument, "frame", name, count, names)


def require_rows(n_rows: float) -> None:
    """Raise InputError unless the frame has rows."""
    if not n_rows:
        raise InputError("`frame` must have at least one row; got 0. Pass the data.")


def require_complete(missing: Mapping[tuple[str, str], float]) -> None:
    """Raise InputError if a column has missing values; keys are argument and column."""
    for (argument, name), number in missing.items():
        if number:
            raise InputError(
                f"`{argument}` must have no missing values; got {number:.0f} null or NaN in the"
                f" column {name!r}. Fill them in, or leave these rows out."
            )


def finer(bits: int, excess: float) -> int | None:
    """Return the bits for the next pass, given how far the bound exceeds what is allowed."""
    # A bit more halves the cells, and nearly the bound. Where no limit can be met, ten at a time.
    more = 10 if math.isinf(excess) else max(1, math.ceil(math.log2(excess)))
    return bits + more if bits + more <= LARGEST_BITS else None
