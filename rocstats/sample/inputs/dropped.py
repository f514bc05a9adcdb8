"""The rows left out for a missing value: their class, frequency and group, where known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.inputs.forms import Inputs


@dataclass(frozen=True, eq=False)
class Dropped:
    """Rows left out: class (and whether it is known), frequency and code of the group.

    The code is -1 if the group is missing too, and for every row of a study without groups.
    """

    is_positive: BoolArray
    is_labelled: BoolArray
    frequency: FloatArray
    group: IntArray

    def count(self, group: int | None) -> tuple[float, float, float]:
        """Return the numbers of positives, negatives, and cases of unknown class or group.

        ``group`` is the code of a group; None counts all rows.
        """
        # A case of unknown group could be of every group: each group counts it among its unknown.
        here = np.ones(len(self.group), dtype=bool) if group is None else self.group == group
        placed = here & self.is_labelled
        lost = ~self.is_labelled if group is None else (~self.is_labelled & here) | (self.group < 0)
        return (
            float(self.frequency[placed & self.is_positive].sum()),
            float(self.frequency[placed & ~self.is_positive].sum()),
            float(self.frequency[lost].sum()),
        )


def read_dropped(arrays: dict[str, Any], inputs: Inputs) -> Dropped | None:
    """Return the rows with a missing value, given the arrays of all rows; None without any."""
    missing = inputs.missing
    if missing is None:
        return None
    rows = np.flatnonzero(missing)
    frequency, group = arrays["frequency"], arrays["group"]
    no_label = inputs.y_true.missing
    fields = (
        arrays["is_positive"][rows],
        np.ones(len(rows), dtype=bool) if no_label is None else ~no_label[rows],
        np.ones(len(rows)) if frequency is None else frequency[rows],
        np.full(len(rows), -1, dtype=np.intp) if group is None else group.codes[rows],
    )
    for array in fields:
        array.flags.writeable = False
    return Dropped(*fields)
