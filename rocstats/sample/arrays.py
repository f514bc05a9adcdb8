"""The array types of the package, and a role as codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
CodeArray = npt.NDArray[np.int32]

_FEW_LABELS = 2**16  # so many labels fit into uint16, which NumPy sorts by counting


@dataclass(frozen=True, eq=False)
class Factor:
    """A role (cluster, fold, group): distinct labels in order of appearance, a code a row."""

    labels: tuple[str, ...]
    codes: IntArray

    @property
    def present(self) -> IntArray:
        """Codes that at least one row has; a part of a sample need not have them all."""
        return np.flatnonzero(np.bincount(self.codes, minlength=len(self.labels)))

    def take(self, rows: Any) -> Factor:
        """Return the factor of some rows, the codes meaning the same labels as before."""
        return Factor(self.labels, self.codes[rows])

    def rows_by_label(self) -> list[tuple[str, IntArray]]:
        """Return the rows of each label that has any, in the order of the labels."""
        # The sort must be stable: rows of a label keep their order. It is by counting, in linear
        # time, where the codes fit into 16 bits.
        small = len(self.labels) < _FEW_LABELS
        order = np.argsort(self.codes.astype(np.uint16) if small else self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.labels)))
        parts = np.split(order, ends[:-1])
        return [(label, rows) for label, rows in zip(self.labels, parts, strict=True) if len(rows)]


def take_rows(fields: dict[str, Any], rows: IntArray) -> dict[str, Any]:
    """Return the fields with some rows of every array and factor; others stay as they are."""
    taken: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, Factor):
            taken[name] = value.take(rows)
        elif isinstance(value, np.ndarray):
            taken[name] = np.ascontiguousarray(value[..., rows])
        else:
            taken[name] = value
    return taken
