"""Cases that evidently stand in several folds: repeated cross-validation without ``cluster=``."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.facts.arrays import BoolArray, Factor, IntArray
from rocstats.study.forms import Inputs

# Chance that ordinary data look repeated by the order of their outcomes, at most.
_CHANCE = 1e-6

# Rows numbered anew in every fold have numbers up to the size of a fold, or a little more where
# rows were left out; the rows of the folds of one case list have numbers up to twice it or more.
_ANEW = 1.5

_REPEAT = re.compile(r"(?<![a-z])rep(?:eat|etition)?s?[\W_]*(\d+)", re.IGNORECASE)


def repeated_cases(
    inputs: Inputs, classes: npt.NDArray[np.integer] | BoolArray, fold: Factor | None
) -> IntArray | None:
    """Return the number of each row's case if cases evidently stand in several folds, else None.

    None where a cluster says so. ``classes`` are the codes of the class of each row, or which rows
    are positive. Evident is one of three: the index repeats from fold to fold; folds are named by
    their repeat; the outcomes repeat, in order.
    """
    if fold is None or "cluster" in inputs.roles or len(fold.labels) < 2 or fold.codes.min() < 0:
        return None
    codes = classes.astype(np.intp)
    codes -= codes.min()  # from 0: a missing class may have the code -1
    index = inputs.cases.index
    found = None if index is None else _cases_of_index(index, codes, fold)
    if found is None:
        found = _cases_of_repeats(codes, fold)
    return cases_of_outcomes(codes) if found is None else found


def _cases_of_index(
    index: pd.Index[Any], classes: npt.NDArray[np.integer], fold: Factor
) -> IntArray | None:
    """Return the codes of labels that repeat over folds, never in one, with equal outcomes."""
    if index.is_unique:
        return None
    codes, labels = pd.factorize(index)
    in_fold = codes * len(fold.labels) + fold.codes
    if codes.min() < 0 or len(np.unique(in_fold)) < len(in_fold):
        return None
    first = np.unique(codes, return_index=True)[1]
    if not np.array_equal(classes, classes[first][codes]):
        return None
    if pd.api.types.is_integer_dtype(labels.dtype):
        size_of_fold = np.bincount(fold.codes).max()
        if not labels.max() - labels.min() + 1 > _ANEW * size_of_fold:
            return None
    return np.asarray(codes, dtype=np.intp)


def _cases_of_repeats(classes: npt.NDArray[np.integer], fold: Factor) -> IntArray | None:
    """Return cases of folds named by repeats ("Fold2.Rep1"), each with the same class sizes.

    Which row of one repeat is which of another is unknown: they are numbered in order, by class.
    """
    found = [_REPEAT.search(label) for label in fold.labels]
    names = [match.group(1) for match in found if match]
    repeats, of_fold = np.unique(names, return_inverse=True)
    if len(names) < len(found) or len(repeats) < 2 or np.bincount(of_fold).min() < 2:
        return None
    sizes = np.zeros((len(repeats), int(classes.max()) + 1))
    repeat = of_fold[fold.codes]
    np.add.at(sizes, (repeat, classes), 1)
    if not (sizes == sizes[0]).all():
        return None
    place = pd.Series(classes).groupby([repeat, classes]).cumcount().to_numpy()
    return np.asarray(place * sizes.shape[1] + classes, dtype=np.intp)


def cases_of_outcomes(classes: npt.NDArray[np.integer]) -> IntArray | None:
    """Return the places in a list of which the outcomes are copies, too long to be chance.

    Of the orders with the same first outcome, numbers of cases and number of runs, all are equally
    likely if the chance of an outcome depends on the last one only: sorted, alternating and random
    outcomes are of this kind. One list repeats another with the chance 1 / number of orders.
    """
    n = len(classes)
    shorter = np.arange(2, n // 2 + 1)
    lengths = shorter[n % shorter == 0].tolist()
    # The shortest list: twice a pattern that is itself repeated says no more than the pattern.
    length = next((m for m in lengths if _outcomes_have_period(classes, m)), None)
    if length is None:
        return None
    orders = _log_number_of_outcome_orders(classes[:length] == np.bincount(classes).argmax())
    return np.arange(n) % length if orders > math.log(len(lengths) / _CHANCE) else None


def _outcomes_have_period(classes: npt.NDArray[np.integer], length: int) -> bool:
    # Most lengths fail at once: the whole is compared only where the beginning agrees.
    begins = np.array_equal(classes[length : length + 2], classes[:2])
    return begins and np.array_equal(classes[length:], classes[:-length])


def _log_number_of_outcome_orders(marked: npt.NDArray[np.bool_]) -> float:
    """Return the log of the number of orders with the same first mark, counts and runs.

    Where all runs are multiples of a length, as of patients with that many rows, it is the unit.
    """
    starts = np.flatnonzero(np.diff(marked)) + 1
    runs: IntArray = np.diff(np.concatenate([[0], starts, [len(marked)]]))
    units = runs // np.gcd.reduce(runs)
    kinds = [kind for kind in (units[::2], units[1::2]) if len(kind)]
    # A count of c falls into k runs in (c - 1 over k - 1) ways.
    return sum(_log_binomial_coefficient(int(kind.sum()) - 1, len(kind) - 1) for kind in kinds)


def _log_binomial_coefficient(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
