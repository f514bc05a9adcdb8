"""Concordance of scores with classes in an order, and the volume under the ROC surface.

Both come from one table of counts, distinct scores by class, and its cumulative sums. Influence
values are the derivatives in the weights of the cases. Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import NamedTuple

import numpy as np

from rocstats.estimate.areas import snap_to_boundary
from rocstats.estimate.class_units import ClassUnits, class_units, units_of_values
from rocstats.estimate.influence import row_frequency, small_sample_factor
from rocstats.estimate.intervals import Area
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import clear_rounding
from rocstats.study.ordinal import OrdinalSample

# --- One predictor: the value, and the derivative in the weight of each case ----------------------


class OrdinalCounts(NamedTuple):
    """Numbers of cases by class (rows, low to high) and by distinct score (columns, low to high).

    ``codes`` are the columns of the cases, and ``class_codes`` their rows.
    """

    table: FloatArray
    codes: IntArray
    class_codes: IntArray


def ordinal_counts(part: OrdinalSample, k: int) -> OrdinalCounts:
    """Return the counts of predictor ``k``, whose higher scores mean a higher class."""
    scores = part.scores[k] if part.higher_is_positive[k] else -part.scores[k]
    distinct, codes = np.unique(scores, return_inverse=True)
    shape = len(part.classes), len(distinct)
    cell = part.class_codes * shape[1] + codes
    table = np.bincount(cell, part.frequency, shape[0] * shape[1]).reshape(shape)
    return OrdinalCounts(table.astype(np.float64), codes, part.class_codes)


def concordance_influence(counts: OrdinalCounts) -> tuple[float, FloatArray]:
    """Return the share of pairs of different classes in order, and the derivative of each case."""
    table, sizes = counts.table, counts.table.sum(axis=1, keepdims=True)
    # Cases of each class with a lower score, equal scores counting one half.
    below = np.cumsum(table, axis=1) - table / 2
    above = sizes - below
    lower = np.cumsum(below, axis=0) - below
    higher = np.cumsum(above[::-1], axis=0)[::-1] - above
    in_order, others = lower + higher, sizes.sum() - sizes
    pairs = float((sizes * others).sum()) / 2
    value = float((table * in_order).sum()) / (2 * pairs)
    derivative = (in_order - value * others) / pairs
    return value, derivative[counts.class_codes, counts.codes]


def volume_influence(counts: OrdinalCounts) -> tuple[float, FloatArray]:
    """Return P(S_1 < ... < S_C) of one case of each class, and the derivative of each case.

    A run of t classes with equal scores counts 1/t!.
    """
    table, n = counts.table, len(counts.table)
    sizes = table.sum(axis=1)
    share = table / sizes[:, np.newaxis]
    before = _ordered_before(share)
    # The same from the other end: the classes from j on, in reversed order.
    after = _ordered_before(share[::-1, ::-1])[::-1, ::-1]
    value = 0.0
    derivative = np.empty_like(table)
    for k in range(n):
        # The case of class k has the scores of the classes i to j: the others of them are tied.
        placed = np.zeros(table.shape[1])
        for i in range(k + 1):
            for j in range(k, n):
                tied = np.prod(np.delete(share[i : j + 1], k - i, axis=0), axis=0)
                placed += before[i] * tied * after[j + 1] / factorial(j - i + 1)
        value = float(share[k] @ placed)
        derivative[k] = (placed - value) / sizes[k]
    return value, derivative[counts.class_codes, counts.codes]


def _ordered_before(share: FloatArray) -> FloatArray:
    """Return P(the lowest j classes are in order, all below a score): j from 0, by score."""
    n, width = share.shape
    before = np.ones((n + 1, width))
    for j in range(1, n + 1):
        # The last run of equal scores has the classes i + 1 to j.
        ends = sum(before[i] * np.prod(share[i:j], axis=0) / factorial(j - i) for i in range(j))
        before[j] = np.concatenate([[0.0], np.cumsum(ends)[:-1]])
    return before


# --- All predictors of a group, as intervals and comparisons take them ----------------------------


class OrdinalAreas(NamedTuple):
    """Estimates of predictors, influence values of units, and numbers of units on two sides.

    ``df`` gives the degrees of freedom of a weighted sum of the estimates.
    """

    value: FloatArray
    units: ClassUnits
    df: Callable[[FloatArray], float]
    sides: tuple[float, float]

    def variance(self, weights: FloatArray) -> float:
        """Return the variance of a weighted sum, NaN without a second unit."""
        influence = weights @ self.units.influence
        return float(clear_rounding(float(self.units.times @ influence**2)))

    def of(self, k: int) -> Area:
        """Return the estimate of predictor ``k`` as intervals take it."""
        one = np.eye(len(self.value))[k]
        variance = self.variance(one)
        df = np.nan if np.isnan(variance) else self.df(one)
        return Area(float(self.value[k]), variance, df, *self.sides, min(self.sides))


def ordinal_concordances(part: OrdinalSample) -> OrdinalAreas | None:
    """Return the concordances of a group; None if all its cases are of one class."""
    present = np.flatnonzero(part.n_of)
    if len(present) < 2:
        return None
    found = [concordance_influence(ordinal_counts(part, k)) for k in range(len(part.predictors))]
    influence = np.stack([of_cases for _, of_cases in found])
    numbers = _units_of_classes(part)[present]
    # Of two classes the share of the pairs is known: a single case cannot tell how it varies.
    if len(present) == 2 and numbers.min() < 2:
        influence = np.full_like(influence, np.nan)
    units = class_units(part.cases, influence)
    cuts = [_units_of_sides(part, part.class_codes <= k) for k in present[:-1]]
    value = snap_to_boundary(np.array([value for value, _ in found]))
    return OrdinalAreas(value, units, units.df_of_numbers, max(cuts, key=min))


def ordinal_volumes(part: OrdinalSample) -> OrdinalAreas | None:
    """Return the volumes of a group; None if it lacks a class."""
    if not part.n_of.all():
        return None
    found = [volume_influence(ordinal_counts(part, k)) for k in range(len(part.predictors))]
    numbers = _units_of_classes(part)
    root = np.sqrt([small_sample_factor(float(number)) for number in numbers])
    influence = np.stack([of_cases for _, of_cases in found]) * root[part.class_codes]
    units = units_of_values(part.cases, influence)
    first, second, *_ = sorted(numbers.tolist())
    value = snap_to_boundary(np.array([value for value, _ in found]))
    return OrdinalAreas(value, units, units.df_of_values, (first, second))


def _units_of_classes(part: OrdinalSample) -> FloatArray:
    """Return the number of units (cases, or clusters) of each class."""
    classes = range(len(part.classes))
    return np.array([_number_of_units(part, part.class_codes == k) for k in classes])


def _units_of_sides(part: OrdinalSample, low: BoolArray) -> tuple[float, float]:
    return _number_of_units(part, low), _number_of_units(part, ~low)


def _number_of_units(part: OrdinalSample, rows: BoolArray) -> float:
    """Return the number of cases in some rows, or of clusters with a case there."""
    if part.cluster is not None:
        return float(len(np.unique(part.cluster.codes[rows])))
    return float(row_frequency(part.cases, np.flatnonzero(rows)).sum())
