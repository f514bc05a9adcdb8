"""Counts of a frame in memory or a dict of columns, read as a study reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import IntArray
from rocstats.sample.engines.cells import cell_of
from rocstats.sample.engines.inputs import Columns, require_columns, require_complete, require_rows
from rocstats.sample.engines.table import Counts, ordered_counts
from rocstats.sample.inputs.columns import Columns as Table
from rocstats.sample.inputs.labels import read_labels
from rocstats.sample.inputs.vectors import Vector, read_factor, read_scores


class InMemory:
    """Scores in memory, validated once, to be counted by cells of any size."""

    def __init__(
        self, frame: Any, columns: Columns, pos_label: Any, engine: str = "pandas"
    ) -> None:
        self.engine = engine
        table = Table(frame, "frame")
        require_columns(columns, table.names)
        label = table.column(columns.label, "label")
        score = table.column(columns.score, "score")
        groups = {name: table.column(name, "by") for name in columns.by}
        require_rows(len(score))
        if isinstance(score.values, pd.Categorical):
            raise InputError(
                "`score` must be numbers; got categories, whose words counts do not keep. Number"
                " them in their order."
            )
        self._score = read_scores(score) + 0.0
        missing = {("label", columns.label): label, ("score", columns.score): score}
        missing |= {("by", name): vector for name, vector in groups.items()}
        require_complete({key: _n_missing(vector) for key, vector in missing.items()})
        self._positive = read_labels(label, pos_label)
        self._factors = {name: read_factor(vector) for name, vector in groups.items()}
        self._group = _joint_codes([each.codes for each in self._factors.values()], len(score))

    def count(self, bits: int | None) -> Counts:
        """Return the counts by cells of so many bits; of each score without."""
        cells = cell_of(self._score, bits)
        # Sorted by group, then by score: the scores of a cell are neighbours.
        order = np.lexsort((self._score, self._group))
        cells, group = cells[order], self._group[order]
        is_new = (cells[1:] != cells[:-1]) | (group[1:] != group[:-1])
        first = np.flatnonzero(np.append(True, is_new))
        last = np.append(first[1:], len(order)) - 1
        n_pos = np.add.reduceat(self._positive[order].astype(np.float64), first)
        rows = order[first]
        return ordered_counts(
            {
                name: [each.labels[code] for code in each.codes[rows]]
                for name, each in self._factors.items()
            },
            self._score[rows],
            self._score[order[last]],
            n_pos,
            (last - first + 1).astype(np.float64) - n_pos,
        )


def _n_missing(vector: Vector) -> int:
    return 0 if vector.missing is None else int(vector.missing.sum())


def _joint_codes(codes: list[IntArray], n_rows: int) -> IntArray:
    joint = np.zeros(n_rows, dtype=np.intp)
    for each in codes:
        # Made dense at each column, so that products of numbers of labels do not overflow.
        joint = np.unique(joint * (int(each.max()) + 1) + each, return_inverse=True)[1]
    return joint
