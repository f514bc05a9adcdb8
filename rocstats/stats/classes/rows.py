"""Rows of areas of several classes: pairs of classes, or each class against the rest."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.sample.arrays import BoolArray, IntArray, effective_size
from rocstats.sample.counts.cases import ClassCases

MulticlassMethod = Literal["hand-till", "class-reference"]
METHODS: tuple[MulticlassMethod, ...] = get_args(MulticlassMethod)


class ClassRow(NamedTuple):
    """Classes and areas of a row.

    ``positive`` and ``versus`` are its classes: ``versus`` is None for the rest, both are None in
    the summary. ``terms`` are the areas whose mean the row is: class and other class (None: the
    rest); the summary has none. ``side`` gives for each class the compared sample of its cases: 1,
    0, or -1 for none. ``share`` is the weight of the row in the summary.
    """

    positive: int | None
    versus: int | None
    terms: tuple[tuple[int, int | None], ...]
    side: IntArray
    share: float


def class_rows(sample: ClassCases, method: MulticlassMethod) -> list[ClassRow]:
    """Return the rows of the areas, the summary last."""
    each = np.arange(sample.n_classes)
    summary = ClassRow(None, None, (), each, 0.0)
    if method == "class-reference":
        share = sample.weight_of / sample.weight_of.sum()
        against = [
            ClassRow(k, None, ((k, None),), np.where(each == k, 1, 0), float(share[k]))
            for k in each.tolist()
        ]
        return [*against, summary]
    # Hand & Till (2001): all pairs weigh alike, whatever the prevalence of their classes.
    pairs = list(combinations(each.tolist(), 2))
    return [
        *(
            ClassRow(
                i,
                j,
                ((i, j), (j, i)),
                np.where(each == i, 1, np.where(each == j, 0, -1)),
                1 / len(pairs),
            )
            for i, j in pairs
        ),
        summary,
    ]


def is_known(sample: ClassCases, row: ClassRow) -> bool:
    """Whether a (group of a) sample has cases on every side of a row."""
    held = sample.weight_of > 0
    return all(held[row.side == s].any() for s in np.unique(row.side[row.side >= 0]))


def sizes_of(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the numbers of cases of a class and of its counterpart; NaN in a summary."""
    if not row.terms:
        return np.nan, np.nan
    n_of = sample.n_of
    return float(n_of[row.side == 1].sum()), float(n_of[row.side == 0].sum())


def units_of_sides(sample: ClassCases, row: ClassRow) -> tuple[float, float]:
    """Return the numbers of independent units on both sides of a row: cases, or clusters."""
    n_pos, n_neg = (_units_of(sample, row.side == s) for s in (1, 0))
    return n_pos, n_neg


def _units_of(sample: ClassCases, in_side: BoolArray) -> float:
    rows = in_side.take(sample.class_codes)
    if sample.cluster is not None:
        return float(len(np.unique(sample.cluster.codes[rows])))
    frequency = np.ones(len(rows)) if sample.frequency is None else sample.frequency
    if sample.sample_weight is None:
        return float(frequency[rows].sum())
    return effective_size(sample.sample_weight[rows], frequency[rows])
