"""Tables of counts as users hand them in: positives and negatives at scores, or in bins of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.inputs.columns import Columns, require_complete, require_rows
from rocstats.sample.inputs.vectors import Vector, read_factor, read_scores

COLUMNS = ("score", "score_high", "n_pos", "n_neg")
_NEEDED = ("score", "n_pos", "n_neg")


class CountCells(NamedTuple):
    """Cells from the ``low`` to the ``high`` score of their cases, and the columns of the groups."""

    low: FloatArray
    high: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray
    groups: dict[str, Vector]

    def rows(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return cell, class and number of cases of each row: one for a class with cases."""
        number = np.stack([self.n_pos, self.n_neg], axis=1).ravel()
        kept = np.flatnonzero(number)
        return kept // 2, 1 - kept % 2, number[kept]


def read_count_table(counts: Any) -> CountCells:
    """Return the cells of a count table; InputError unless each group has separate cells."""
    columns = Columns(counts, "counts")
    names = columns.names
    if len(set(names)) < len(names) or not set(_NEEDED) <= set(names):
        raise InputError(
            f"`counts` must have the columns {list(_NEEDED)}, and each name once; got columns"
            f" {names[:20]}. Pass what count_scores returns."
        )
    vectors = {name: columns.column(name, f"counts[{name!r}]") for name in names}
    require_rows(list(vectors.values()))
    for vector in vectors.values():
        require_complete(vector)
    low = read_scores(vectors["score"])
    high = read_scores(vectors["score_high"]) if "score_high" in vectors else low
    n_pos, n_neg = (_whole(vectors[name]) for name in ("n_pos", "n_neg"))
    groups = {name: vector for name, vector in vectors.items() if name not in COLUMNS}
    cells = CountCells(low, high, n_pos, n_neg, groups)
    _require_apart(cells)
    if not (n_pos.sum() > 0 and n_neg.sum() > 0):
        raise InputError(
            f"`counts` must hold both classes; got {n_pos.sum():.0f} positives and"
            f" {n_neg.sum():.0f} negatives. Check `pos_label` where the scores were counted."
        )
    return cells


def _whole(vector: Vector) -> FloatArray:
    numbers = read_scores(vector)
    wrong = numbers[~((numbers >= 0) & (numbers == np.rint(numbers)) & (numbers < 2.0**53))]
    if len(wrong):
        raise InputError(
            f"`{vector.argument}` must hold whole numbers >= 0; got {wrong[0]:g}."
            " Pass numbers of cases."
        )
    return numbers


def _require_apart(cells: CountCells) -> None:
    """Raise InputError if a cell ends before it starts, or two cells of a group overlap."""
    # NaN is no missing value of a column that merging made: an order with it is none.
    turned = np.flatnonzero(~(cells.low <= cells.high))
    if len(turned):
        raise InputError(
            f"`counts` must have score <= score_high in every row; got {cells.low[turned[0]]:g} and"
            f" {cells.high[turned[0]]:g}. Pass what count_scores returns."
        )
    codes = [read_factor(vector).codes for vector in cells.groups.values()]
    order = np.lexsort((cells.low, *codes))
    alike = np.ones(len(order) - 1, dtype=bool)
    for code in codes:
        alike &= np.diff(code[order]) == 0
    overlap = np.flatnonzero(alike & (cells.high[order[:-1]] >= cells.low[order[1:]]))
    if len(overlap):
        first, second = order[overlap[0]], order[overlap[0] + 1]
        raise InputError(
            "`counts` must have cells that do not overlap; got"
            f" {cells.low[first]:g} to {cells.high[first]:g} and {cells.low[second]:g} to"
            f" {cells.high[second]:g}. Unite them with merge_counts."
        )
