"""Discrete classifiers, given by their points in ROC space or by their decisions on cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.columns import read_columns, require_complete, require_equal_rows
from rocstats.study.tables import RENAME_ADVICE, column_names, read_named_rows
from rocstats.study.vectors import (
    Vector,
    read_positives,
    read_scores,
    read_vector,
    require_both_classes,
    require_unique,
)

Position = tuple[float, float]
"""False positive rate and true positive rate."""

_POSITIONS_ADVICE = " Pass a dict of (fpr, tpr), or a frame with the columns predictor, fpr, tpr."


class Classifiers(NamedTuple):
    """Named classifiers: their rates and, if known, their decisions on cases.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (k,)
        False and true positive rate of each classifier.
    calls : ndarray of bool, shape (k, n), or None
        Whether each classifier called each case positive, if known.
    is_positive : ndarray of bool, shape (n,), or None
        Whether each case is positive; known iff ``calls`` are.
    """

    names: tuple[str, ...]
    fpr: FloatArray
    tpr: FloatArray
    calls: BoolArray | None = None
    is_positive: BoolArray | None = None

    def take(self, rows: Sequence[int]) -> Classifiers:
        """Return the classifiers with these numbers, in this order."""
        chosen = np.asarray(rows, dtype=np.intp)
        return Classifiers(
            tuple(self.names[i] for i in chosen),
            self.fpr[chosen],
            self.tpr[chosen],
            None if self.calls is None else self.calls[chosen],
            self.is_positive,
        )


def read_classifiers(
    positions: Any, decisions: Any, y_true: Any, pos_label: Any, *, least: int = 1
) -> Classifiers:
    """Return ``least`` or more classifiers from their rates, or from decisions and labels."""
    if (positions is None) == (decisions is None):
        got = "neither" if positions is None else "both"
        raise InputError(
            f"`positions` must be given, or `decisions` with `y_true`; got {got}. Pass one of them."
        )
    if (decisions is None) != (y_true is None):
        raise InputError(
            "`y_true` must come with `decisions`, and only with them; got one without the other."
            " Pass the labels of the cases that were called."
        )
    classifiers = (
        read_positions(positions)
        if decisions is None
        else _classifiers_by_calls(decisions, y_true, pos_label)
    )
    if len(classifiers.names) < least:
        argument = "positions" if decisions is None else "decisions"
        raise InputError(
            f"`{argument}` must hold at least {('one classifier', 'two classifiers')[least - 1]};"
            f" got {len(classifiers.names)}. Pass those to combine."
        )
    return classifiers


def read_positions(positions: Any) -> Classifiers:
    """Return classifiers from a dict of (fpr, tpr) by name, or a frame with a row a classifier."""
    if isinstance(positions, Mapping):
        names, pairs = [str(name) for name in positions], list(positions.values())
    else:
        names, columns = read_named_rows(positions, ("fpr", "tpr"), "positions")
        fpr, tpr = (read_scores(column) for column in columns.values())
        pairs = list(zip(fpr.tolist(), tpr.tolist(), strict=True))
    require_unique(names, "positions", RENAME_ADVICE)
    numbers = [
        _rate_pair_of_classifier(name, pair) for name, pair in zip(names, pairs, strict=True)
    ]
    rates = np.array(numbers, dtype=np.float64).reshape(-1, 2)  # (0, 2) for no classifiers
    return Classifiers(tuple(names), rates[:, 0], rates[:, 1])


def _rate_pair_of_classifier(name: str, pair: Any) -> list[float]:
    try:
        rates = [float(rate) for rate in pair]
    except (TypeError, ValueError):
        rates = []
    if len(rates) != 2 or not all(0 <= rate <= 1 for rate in rates):
        raise InputError(
            f"`positions` must give (fpr, tpr), both in [0, 1]; got {pair!r} for {name!r}."
            f"{_POSITIONS_ADVICE}"
        )
    return rates


def _classifiers_by_calls(decisions: Any, y_true: Any, pos_label: Any) -> Classifiers:
    """Return classifiers with the rates of their decisions on labelled cases."""
    names = column_names(decisions, "decisions")
    if not names:
        raise InputError("`decisions` must hold at least one classifier; got none. Pass its calls.")
    columns, truth = read_columns(decisions, names, "decisions"), read_vector(y_true, "y_true")
    require_equal_rows([truth, *columns.values()])
    require_complete(truth)
    is_positive = read_positives(truth, pos_label)
    require_both_classes("y_true", is_positive.sum(), (~is_positive).sum())
    calls = np.stack([_decisions_of_classifier(column) for column in columns.values()])
    fpr = calls[:, ~is_positive].mean(axis=1)
    tpr = calls[:, is_positive].mean(axis=1)
    return Classifiers(tuple(names), fpr, tpr, calls, is_positive)


def read_calls(decisions: Any, names: Sequence[str]) -> BoolArray:
    """Return the decisions of the classifiers ``names``, shape (k, n); others are not read."""
    columns = read_columns(decisions, names, "decisions")
    return np.stack([_decisions_of_classifier(column) for column in columns.values()])


def _decisions_of_classifier(vector: Vector) -> BoolArray:
    require_complete(vector)
    values = vector.values
    # Text and categories, of kind "O", are not guessed.
    numeric = getattr(values, "dtype", np.dtype(object)).kind in "biuf"
    if not numeric or not (np.isin(values, (0, 1)).all() or np.isin(values, (-1, 1)).all()):
        raise InputError(
            f"`{vector.argument}` must be booleans, 0/1 or -1/1; got other values."
            " Compare them with the label of the positive class first."
        )
    return np.asarray(values > 0, dtype=bool)  # positive is 1 in 0/1 and in -1/1
