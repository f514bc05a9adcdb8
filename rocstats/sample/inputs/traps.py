"""Inputs that have the form of scores, and are something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.inputs.columns import is_frame
from rocstats.sample.inputs.vectors import Vector

# Probabilities of both classes sum to 1 but for rounding, of single precision too.
_SUM_IS_ONE = 1e-5


def require_no_pair_of_probabilities(matrix: Any) -> None:
    """Raise InputError if an unnamed matrix holds the probabilities of both classes."""
    if matrix.shape[1] != 2 or matrix.dtype.kind != "f":
        return
    inside = ((matrix >= 0) & (matrix <= 1)).all()
    if inside and (np.abs(matrix.sum(axis=1) - 1) < _SUM_IS_ONE).all():
        raise InputError(
            "`y_score` must hold the scores of the positive class; got two columns that sum to 1 in"
            " every row, as predict_proba returns them. Pass y_score[:, 1], or name both columns"
            " with predictor= if these are two predictors."
        )


def require_no_outcome(
    labels: Vector, scores: Mapping[str, Vector], argument: str = "y_score"
) -> None:
    """Raise InputError if the outcome is among the scores, under its own name."""
    name = labels.name
    if name is None or name not in scores:
        return
    mine, theirs = np.asarray(labels.values), np.asarray(scores[name].values)
    if mine.shape == theirs.shape and bool(np.all(mine == theirs)):
        raise InputError(
            f"`{argument}` must not hold the outcome; got the column {name!r} in both. Leave it"
            f" out: {argument}.drop(columns={name!r})."
        )


def require_labels_first(y_true: Any, unnamed: tuple[Any, ...]) -> None:
    """Raise InputError if the outcome is a whole frame, or values follow the scores unnamed."""
    # Of a name that two columns have, pandas gives both as a frame: read_vector says so.
    if is_frame(y_true) and len(set(y_true.columns)) == len(y_true.columns):
        raise InputError(
            f"`y_true` must be the labels, or the name of their column; got a frame"
            f" ({type(y_true).__name__}). Pass the names first:"
            " Study('outcome', ['marker'], data=frame)."
        )
    if unnamed:
        raise InputError(
            f"`data` and what follows must be given by name; got {len(unnamed)} more after the"
            " scores. Write data=, predictor=, pos_label=."
        )
