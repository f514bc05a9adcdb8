"""The rows left out for a missing value: what is known of their class, scores and group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.inputs.forms import Inputs


@dataclass(frozen=True, eq=False)
class Dropped:
    """Rows left out: scores (k x d), class (and whether it is known), frequency, code of the group.

    A missing score is NaN. The code is -1 if the group is missing too, and for every row of a study
    without groups.
    """

    scores: FloatArray
    is_positive: BoolArray
    is_labelled: BoolArray
    frequency: FloatArray
    group: IntArray

    def placed(self, group: int | None) -> BoolArray:
        """Return which rows have a known class and are of a group; None is a study without any."""
        here = np.ones(len(self.group), dtype=bool) if group is None else self.group == group
        return here & self.is_labelled

    def n_lost(self, group: int | None) -> float:
        """Return the number of cases of unknown class, or that could be of this group."""
        # A case of unknown group could be of every group: each group counts it among its unknown.
        lost = ~self.is_labelled
        if group is not None:
            lost = (lost & (self.group == group)) | (self.group < 0)
        return float(self.frequency[lost].sum())


def read_dropped(
    arrays: dict[str, Any], inputs: Inputs, missing: BoolArray | None
) -> Dropped | None:
    """Return the rows left out, given the arrays of all rows; None without any."""
    if missing is None:
        return None
    rows = np.flatnonzero(missing)
    frequency, group = arrays["frequency"], arrays["group"]
    no_label = inputs.y_true.missing
    fields = (
        np.ascontiguousarray(arrays["scores"][:, rows]),
        arrays["is_positive"][rows],
        np.ones(len(rows), dtype=bool) if no_label is None else ~no_label[rows],
        np.ones(len(rows)) if frequency is None else frequency[rows],
        np.full(len(rows), -1, dtype=np.intp) if group is None else group.codes[rows],
    )
    for array in fields:
        array.flags.writeable = False
    return Dropped(*fields)
