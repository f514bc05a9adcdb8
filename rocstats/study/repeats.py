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


def repeats_cases(
    inputs: Inputs, classes: npt.NDArray[np.integer] | BoolArray, fold: Factor | None
) -> bool:
    """Return whether cases evidently stand in several folds, and no cluster says so.

    ``classes`` are the codes of the class of each row, or which rows are positive. Evident is one
    of three: the index repeats from fold to fold; folds are named by their repeat; the outcomes
    repeat, in order.
    """
    if fold is None or "cluster" in inputs.roles or len(fold.labels) < 2 or fold.codes.min() < 0:
        return False
    codes = classes.astype(np.intp)
    codes -= codes.min()  # from 0: a missing class may have the code -1
    index = inputs.cases.index
    return (
        (index is not None and _repeats_index(index, codes, fold))
        or _names_repeats(codes, fold)
        or repeats_outcomes(codes)
    )


def _repeats_index(index: pd.Index[Any], classes: npt.NDArray[np.integer], fold: Factor) -> bool:
    """Return whether labels of the index repeat over folds, never in one, with equal outcomes."""
    if index.is_unique:
        return False
    codes, labels = pd.factorize(index)
    in_fold = codes * len(fold.labels) + fold.codes
    if codes.min() < 0 or len(np.unique(in_fold)) < len(in_fold):
        return False
    first = np.unique(codes, return_index=True)[1]
    if not np.array_equal(classes, classes[first][codes]):
        return False
    if not pd.api.types.is_integer_dtype(labels.dtype):
        return True
    return bool(labels.max() - labels.min() + 1 > _ANEW * np.bincount(fold.codes).max())


def _names_repeats(classes: npt.NDArray[np.integer], fold: Factor) -> bool:
    """Return whether folds are named by repeats ("Fold2.Rep1"), each with the same class sizes."""
    found = [_REPEAT.search(label) for label in fold.labels]
    names = [match.group(1) for match in found if match]
    repeats, of_fold = np.unique(names, return_inverse=True)
    if len(names) < len(found) or len(repeats) < 2 or np.bincount(of_fold).min() < 2:
        return False
    sizes = np.zeros((len(repeats), int(classes.max()) + 1))
    np.add.at(sizes, (of_fold[fold.codes], classes), 1)
    return bool((sizes == sizes[0]).all())


def repeats_outcomes(classes: npt.NDArray[np.integer]) -> bool:
    """Return whether the outcomes are one list several times over, too long to be chance.

    Of the orders with the same first outcome, numbers of cases and number of runs, all are equally
    likely if the chance of an outcome depends on the last one only: sorted, alternating and random
    outcomes are of this kind. One list repeats another with the chance 1 / number of orders.
    """
    n = len(classes)
    shorter = np.arange(2, n // 2 + 1)
    lengths = shorter[n % shorter == 0].tolist()
    # The shortest list: twice a pattern that is itself repeated says no more than the pattern.
    length = next((m for m in lengths if _has_period(classes, m)), None)
    if length is None:
        return False
    orders = _log_orders(classes[:length] == np.bincount(classes).argmax())
    return orders > math.log(len(lengths) / _CHANCE)


def _has_period(classes: npt.NDArray[np.integer], length: int) -> bool:
    # Most lengths fail at once: the whole is compared only where the beginning agrees.
    begins = np.array_equal(classes[length : length + 2], classes[:2])
    return begins and np.array_equal(classes[length:], classes[:-length])


def _log_orders(marked: npt.NDArray[np.bool_]) -> float:
    """Return the log of the number of orders with the same first mark, counts and runs.

    Where all runs are multiples of a length, as of patients with that many rows, it is the unit.
    """
    starts = np.flatnonzero(np.diff(marked)) + 1
    runs: IntArray = np.diff(np.concatenate([[0], starts, [len(marked)]]))
    units = runs // np.gcd.reduce(runs)
    kinds = [kind for kind in (units[::2], units[1::2]) if len(kind)]
    # A count of c falls into k runs in (c - 1 over k - 1) ways.
    return sum(_log_choose(int(kind.sum()) - 1, len(kind) - 1) for kind in kinds)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
