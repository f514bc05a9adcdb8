"""The counts of a table as arrays: a row is a cell of scores, with its positives and negatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.making import count_frame
from rocstats.frames.questions import Question
from rocstats.sample.arrays import FloatArray, IntArray

COUNT_COLUMNS = ("score", "score_high", "n_pos", "n_neg")


class Counts(NamedTuple):
    """Cells of scores by group, ascending within a group.

    ``names`` are the columns of groups, ``groups`` the labels of each group in these, ``group`` its
    place in ``groups`` for each cell; without such columns the only group is (). All scores of a
    cell lie in [low, high]; equal ends are one score, and a tie of all cases in the cell.
    """

    names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    group: IntArray
    low: FloatArray
    high: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray

    def by_group(self) -> list[Counts]:
        """Return the cells of each group."""
        ends = np.searchsorted(self.group, np.arange(len(self.groups) + 1))
        return [
            self._replace(**{name: getattr(self, name)[start:end] for name in _ARRAYS})
            for start, end in pairwise(ends)
        ]


_ARRAYS = ("group", "low", "high", "n_pos", "n_neg")


def ordered_counts(
    labels: Mapping[str, Sequence[str]],
    low: FloatArray,
    high: FloatArray,
    n_pos: FloatArray,
    n_neg: FloatArray,
) -> Counts:
    """Return cells in the order of their groups and scores, cells without cases left out."""
    keys = list(zip(*labels.values(), strict=True)) if labels else [()] * len(low)
    groups = tuple(sorted(set(keys)))
    place = {key: k for k, key in enumerate(groups)}
    group = np.fromiter(map(place.__getitem__, keys), np.intp, len(keys))
    rows = np.lexsort((high, low, group))
    rows = rows[(n_pos + n_neg)[rows] > 0]
    arrays = (each[rows] for each in (low, high, n_pos, n_neg))
    return Counts(tuple(labels), groups, group[rows], *arrays)


def united(counts: Counts) -> Counts:
    """Return the counts with cells that have a score in common made one, within each group.

    Their order is unknown where their ranges overlap. The ranges of what is left are disjoint, so
    that the order of cells is that of all scores, however many tables they are from.
    """
    if not len(counts.low):  # every cell of the table was without cases
        return counts
    values, places = np.unique(np.concatenate([counts.low, counts.high]), return_inverse=True)
    # Places among all ends of cells, those of a group above all of the groups before.
    start, end = places.reshape(2, -1) + counts.group * len(values)
    first = np.flatnonzero(np.append(True, start[1:] > np.maximum.accumulate(end)[:-1]))
    return counts._replace(
        group=counts.group[first],
        low=counts.low[first],
        high=np.maximum.reduceat(counts.high, first),
        n_pos=np.add.reduceat(counts.n_pos, first),
        n_neg=np.add.reduceat(counts.n_neg, first),
    )


def require_both_classes(counts: Counts) -> None:
    """Raise InputError unless there are cases of both classes."""
    n_pos, n_neg = counts.n_pos.sum(), counts.n_neg.sum()
    if n_pos == 0 or n_neg == 0:
        raise InputError(
            f"`label` must hold both classes; got {n_pos:.0f} positives and {n_neg:.0f}"
            " negatives. Check `pos_label`, and that cases of both classes are in the data."
        )


def frame_of(
    question: Question, counts: Counts, *, exact: bool, about: Mapping[str, Any]
) -> pd.DataFrame:
    """Return the count table that users see; an exact one has no column ``score_high``."""
    labels = {
        name: [counts.groups[code][k] for code in counts.group]
        for k, name in enumerate(counts.names)
    }
    columns = {"score": counts.low, "n_pos": counts.n_pos, "n_neg": counts.n_neg}
    n_cases = float(counts.n_pos.sum() + counts.n_neg.sum())
    about = {**about, "n_cases": int(n_cases)}
    return count_frame(
        question, labels, columns if exact else {**columns, "score_high": counts.high}, about
    )
