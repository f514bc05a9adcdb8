"""The array types of the package, and roles (cluster, fold, group) as codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
CodeArray = npt.NDArray[np.int32]
Limits = tuple[FloatArray, FloatArray]
"""Lower and upper limits at each place."""

_FEW_LABELS = 2**16  # up to this number codes fit into uint16, for which NumPy has a radix sort


class Factor(NamedTuple):
    """A role (cluster, fold, group): distinct labels in order of appearance, a code a row.

    ``columns`` are those of groups of several columns: the name of each, and its value for each
    label, which joins the values.
    """

    labels: tuple[str, ...]
    codes: IntArray
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def present(self) -> IntArray:
        """Codes that at least one row has; a part of a sample need not have every code."""
        return np.flatnonzero(np.bincount(self.codes, minlength=len(self.labels)))

    def take(self, rows: Any) -> Factor:
        """Return the factor of some rows, the codes meaning the same labels as before."""
        return self._replace(codes=self.codes[rows])

    def in_order_of(self, rows: Any) -> Factor:
        """Return the factor with its labels in order of appearance in some rows, others last."""
        codes = self.codes[rows]
        every = np.concatenate([codes[codes >= 0], np.arange(len(self.labels))])
        return self.with_labels(every[np.sort(np.unique(every, return_index=True)[1])])

    def with_labels(self, order: IntArray) -> Factor:
        """Return the factor with the labels of some codes in this order; other codes become -1."""
        places = np.full(len(self.labels) + 1, -1)  # the last place is that of the code -1
        places[order] = np.arange(len(order))
        labels, *columns = (
            tuple(values[code] for code in order)
            for values in (self.labels, *(values for _, values in self.columns))
        )
        names = [name for name, _ in self.columns]
        return Factor(labels, places[self.codes], tuple(zip(names, columns, strict=True)))

    def rows_by_label(self) -> list[tuple[str, IntArray]]:
        """Return each label that has rows, with its rows, in the order of the labels."""
        # Stable, so that rows of a label keep their order; a radix sort of 16-bit codes is linear.
        small = len(self.labels) < _FEW_LABELS
        order = np.argsort(self.codes.astype(np.uint16) if small else self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.labels)))
        parts = np.split(order, ends[:-1])
        return [(label, rows) for label, rows in zip(self.labels, parts, strict=True) if len(rows)]


def joint_codes(factors: Sequence[Factor], n_rows: int) -> IntArray:
    """Return a code for each combination of labels that rows have, by the first factor, and so on.

    No label of the rows is missing.
    """
    codes = np.zeros(n_rows, dtype=np.intp)
    for factor in factors:
        # Numbered anew at each step: the product of many numbers of labels would overflow.
        _, codes = np.unique(codes * len(factor.labels) + factor.codes, return_inverse=True)
    return codes


def binary_unit(values: FloatArray) -> float:
    """Return the power of two of the largest value: in this unit no square overflows.

    To divide by it changes no digit. It is 1 where the largest value is 0 or infinite.
    """
    largest = float(np.abs(values).max(initial=0.0))
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if 0 < largest < math.inf else 1.0


def in_unit(values: FloatArray, unit: float) -> FloatArray:
    """Return values divided by their ``binary_unit``."""
    # NumPy before 2 calls a division by a denormal number an overflow, though its result is right.
    with np.errstate(over="ignore"):
        return values / unit


def take_rows(fields: dict[str, Any], rows: IntArray) -> dict[str, Any]:
    """Return the fields with the given rows of every array, factor and index; others unchanged."""
    taken: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, (Factor, pd.Index)):
            taken[name] = value.take(rows)
        elif isinstance(value, np.ndarray):
            # Indexing the last axis of a matrix gives a transposed layout, slow to read by row.
            taken[name] = np.ascontiguousarray(value[..., rows])
        else:
            taken[name] = value
    return taken


# Some arrays of as many numbers fit in the second-level cache together. Each step of a formula on
# whole arrays of millions takes new memory, which costs more than the arithmetic.
_SPAN = 2**13


def spans(length: int) -> Iterator[slice]:
    """Yield the parts of a long array, one after the other, for formulas of many steps."""
    return (slice(first, first + _SPAN) for first in range(0, length, _SPAN))


def cumulated(counts: Any) -> Any:
    """Return the cumulative counts of each row, starting with 0."""
    # The dtype of the counts is kept: integers are half the memory of float64, or less.
    sums = np.zeros((len(counts), counts.shape[1] + 1), dtype=counts.dtype)
    np.cumsum(counts, axis=1, out=sums[:, 1:])
    return sums


def effective_size(weight: FloatArray | IntArray, times: FloatArray | float = 1.0) -> float:
    """Return Kish's (1965) effective number of weighted cases, (sum w)^2 / sum w^2.

    ``times`` is the multiplicity of each row: it repeats a case, which a weight does not.
    """
    squares = float(np.sum(times * weight**2))
    return float(np.sum(times * weight)) ** 2 / squares if squares > 0 else 0.0


def equal_clusters(size: FloatArray) -> float:
    """Return the number of equal clusters with the degrees of freedom of unequal ones.

    It is (sum s^2)^2 / sum s^4 of their numbers of cases, or shares of a class; 0 if none is above
    0. See docs/methods/areas.md, "Clusters of unequal size".
    """
    # Carter, Schnepel & Steigerwald 2017: the parts of the variance of a mean are as squared sizes
    # where cases of a cluster agree, and their inequality is what the degrees of freedom lose.
    # In units of the largest, so that equal sizes are counted without rounding.
    largest = float(size.max(initial=0.0))
    return effective_size((size / largest) ** 2) if largest > 0 else 0.0
