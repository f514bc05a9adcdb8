"""Costs and benefits of single cases, which become weights of the cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.study.columns import require_complete, require_equal_rows
from rocstats.study.vectors import Vector, describe_rows, read_positives, read_scores, read_vector

_DECISIONS = ("Y", "N")
_CLASSES = ("p", "n")


def cost_benefit_matrix(
    benefits: Mapping[str, Mapping[str, Any]], y_true: Any, *, pos_label: Any = None
) -> FloatArray:
    """Return case weights (costs or benefits of single cases) for ROC curves; one weight per case.

    Parameters
    ----------
    benefits : mapping of str to mapping of str to float or array-like of shape (n,)
        Benefit of each decision ("Y" positive, "N" negative) for each class ("p" positive, "n"
        negative): ``{"Y": {"p": ..., "n": ...}, "N": {"p": ..., "n": ...}}``. Losses are negative.
        An entry is one number, or an array with a number for each case.
    y_true : array-like of shape (n,)
        Class labels. Labels 0/1, -1/1 and booleans need no ``pos_label``.
    pos_label : object, optional
        Label of the positive class, for which Y is the correct decision. Needed unless the labels
        are 0/1, -1/1 or booleans.

    Returns
    -------
    numpy.ndarray of float64, shape (n,)
        For each positive the benefit of a true positive, and for each negative the cost of a false
        positive. Both are >= 0 and relative to decision N. Pass the array as ``sample_weight`` of
        ``Study``.

    Raises
    ------
    InputError
        If an entry of ``benefits`` is missing, is not finite or differs in length from ``y_true``;
        if Y is worse than N for a positive or better than N for a negative; or if ``y_true`` has
        missing values or more than two classes.

    Notes
    -----
    Decision N for all cases is the baseline: c(Y, p) = B(Y, p) - B(N, p) and c(Y, n) = B(N, n) -
    B(Y, n). With these weights the x axis of a curve is the share of the total false positive cost.
    The y axis is the share of the total true positive benefit. The curve ends at (1, 1). A case of
    weight 0 does not change the curve.

    The benefit of a true positive and the cost of a false positive must not be negative: with a
    benefit of x - 20 and x in [0, 40] the curve would run backwards. The curve is valid for another
    population only if costs and scores have the same joint distribution in that population.

    References
    ----------
    - Fawcett (2004), section 7.2, figure 9 and algorithm 6 (corrected: the last line must divide by
      the total cost and the total benefit) [fawcett-2004]
    - Elkan (2001) [elkan-2001]

    Examples
    --------
    Card transactions of amount x, approved (Y) or refused (N); the legitimate ones are positive:

    >>> import numpy as np
    >>> import rocstats as rs
    >>> x = np.array([100.0, 500, 50, 300])
    >>> truth = ["legitimate", "legitimate", "fraudulent", "fraudulent"]
    >>> benefits = {"N": {"n": 20, "p": -20}, "Y": {"n": -x, "p": 0.02 * x}}
    >>> weight = rs.cost_benefit_matrix(benefits, truth, pos_label="legitimate")
    >>> weight.tolist()
    [22.0, 30.0, 70.0, 320.0]
    >>> study = rs.Study(
    ...     truth, [0.9, 0.4, 0.6, 0.1], pos_label="legitimate", sample_weight=weight
    ... )
    >>> study.roc_curve()[["threshold", "fp", "tp"]]
       threshold   fp  tp
    0        inf    0   0
    1        0.9    0  22
    2        0.6   70  22
    3        0.4   70  52
    4        0.1  390  52
    """
    labels = read_vector(y_true, "y_true")
    cells = _read_benefits(benefits, labels)
    require_complete(labels)
    is_positive = read_positives(labels, pos_label)
    # Elkan 2001: only differences within a column of the matrix affect decisions.
    benefit = cells["Y", "p"] - cells["N", "p"]
    cost = cells["N", "n"] - cells["Y", "n"]
    # Signs are checked for the class that a cell applies to: other cases never use it.
    _require_one_sign_of_benefits(
        benefit, is_positive, labels.index, "true positive a benefit", "worse"
    )
    _require_one_sign_of_benefits(
        cost, ~is_positive, labels.index, "false positive a cost", "better"
    )
    return np.where(is_positive, benefit, cost)


def _read_benefits(benefits: Any, labels: Vector) -> dict[tuple[str, str], FloatArray]:
    """Return the benefit of each case under each pair of decision and class."""
    _require_benefit_keys(benefits, _DECISIONS)
    vectors: dict[tuple[str, str], Vector] = {}
    for decision in _DECISIONS:
        _require_benefit_keys(benefits[decision], _CLASSES, of=f"[{decision!r}]")
        for name in _CLASSES:
            entry = benefits[decision][name]
            # A string is no number for all cases: read_vector refuses it with its own message.
            if not isinstance(entry, str) and np.ndim(entry) == 0:
                entry = np.repeat(entry, len(labels))
            vectors[decision, name] = read_vector(entry, f"benefits[{decision!r}][{name!r}]")
    require_equal_rows([labels, *vectors.values()])
    return {cell: _read_finite_benefits(vector) for cell, vector in vectors.items()}


def _require_benefit_keys(mapping: Any, keys: tuple[str, str], of: str = "") -> None:
    if not isinstance(mapping, Mapping) or set(mapping) != set(keys):
        got = list(mapping) if isinstance(mapping, Mapping) else type(mapping).__name__
        raise InputError(
            f"`benefits{of}` must be a dict with the keys {keys[0]!r} and {keys[1]!r}; got {got}."
            ' Pass {"Y": {"p": ..., "n": ...}, "N": {"p": ..., "n": ...}}.'
        )


def _read_finite_benefits(vector: Vector) -> FloatArray:
    values = read_scores(vector)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise InputError(
            f"`{vector.argument}` must be finite; got {values[wrong[0]]:g} in"
            f" {describe_rows(wrong[:1], vector.index)} (wrong values: {len(wrong)})."
            " Correct them, or leave these cases out."
        )
    return values


def _require_one_sign_of_benefits(
    value: FloatArray, rows: BoolArray, index: pd.Index[Any] | None, cell: str, does: str
) -> None:
    # A negative weight would make the curve turn back, and no total could normalise it.
    wrong = np.flatnonzero(rows & (value < 0))
    if len(wrong):
        raise InputError(
            f"`benefits` must make every {cell}; got Y {does} than N in"
            f" {describe_rows(wrong, index)} ({len(wrong)} in all, by {abs(value[wrong[0]]):g} in"
            " the first). An ROC curve needs one sign: check the signs, or leave these cases out."
        )
