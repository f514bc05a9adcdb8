"""Scores of fitted models: classifiers, cross-validated classifiers, and decision trees.

A tree's score is the share of positives at each leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.study.columns import (
    read_columns,
    require_complete,
    require_same_index,
    rows_of_features,
)
from rocstats.study.forms import ONE_PREDICTOR
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    index_of,
    label_text,
    read_factor,
    read_positives,
    read_vector,
    read_weights,
)

# --- Fitted classifiers, and results over folds ---------------------------------------------------


ScoresOf = Callable[[Any, Any], FloatArray]
"""Scores of cases by a classifier and their features; the last axis is the case."""


class HeldOut(NamedTuple):
    """Scores of the test cases of each fold, and the rows of the data that they are.

    Scores are n, or classes x n.
    """

    scores: dict[str, FloatArray]
    rows: IntArray
    fold: IntArray


def positive_scores(estimator: Any, X: Any, pos_label: Any, argument: str) -> Vector:
    """Return the probability of the positive class of each row, or its decision function.

    The index is that of ``X``.
    """
    classes, ask = _classes_and_scores(estimator, argument)
    is_positive = read_positives(read_vector(classes, f"{argument}.classes_"), pos_label)
    if len(is_positive) != 2:
        raise InputError(
            f"`{argument}` must tell two classes apart; got {len(is_positive)}."
            " Fit it to cases of both classes."
        )
    found, name = _asked_scores(ask, classes, X)
    if found.ndim == 1:  # a decision function: high for the second class
        score = found if is_positive[1] else -found
    elif found.ndim != 2 or found.shape[1] != 2:
        raise InputError(
            f"`{argument}` must give one probability for each class and row; got an array of shape"
            f" {found.shape} from predict_proba. Pass a classifier with a single outcome."
        )
    else:
        # The columns are in the order of classes_, whichever label is positive.
        score = np.ascontiguousarray(found[:, int(np.flatnonzero(is_positive)[0])])
    missing = np.isnan(score)
    return Vector(name, score, missing if missing.any() else None, index_of(X), None)


def class_scores(estimator: Any, X: Any, labels: Sequence[str], argument: str) -> dict[str, Vector]:
    """Return the probability of each of some classes of each row, or its decision function.

    The index is that of ``X``. ``labels`` are those of all cases, as text.
    """
    classes, ask = _classes_and_scores(estimator, argument)
    known = [label_text(label) for label in np.asarray(classes).tolist()]
    if set(known) != set(labels):
        raise InputError(
            f"`{argument}` must tell the classes {list(labels)} apart; got classes {known}."
            " Fit it to cases of every class."
        )
    found, name = _asked_scores(ask, classes, X)
    if found.ndim == 1 and len(known) == 2:  # a decision function: high for the second class
        found = np.column_stack([-found, found])
    if found.ndim != 2 or found.shape[1] != len(known):
        raise InputError(
            f"`{argument}` must give one score for each class and row; got an array of shape"
            f" {found.shape} from {name}. Pass a classifier with a score for each class."
        )
    columns = dict(zip(known, found.T, strict=True))
    missing = {label: np.isnan(columns[label]) for label in labels}
    return {
        label: Vector(name, columns[label], mask if mask.any() else None, index_of(X), None)
        for label, mask in missing.items()
    }


def _classes_and_scores(estimator: Any, argument: str) -> tuple[Any, Callable[[Any], Any]]:
    """Return the classes of a fitted classifier, and the method that scores cases."""
    how = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    ask = getattr(estimator, how, None)
    classes = getattr(estimator, "classes_", None)
    if ask is None or classes is None:
        raise InputError(
            f"`{argument}` must be a fitted classifier with classes_ and predict_proba or"
            f" decision_function; got {type(estimator).__name__} without them. Fit it first."
        )
    return classes, ask


def _asked_scores(ask: Callable[[Any], Any], classes: Any, X: Any) -> tuple[FloatArray, str]:
    """Return the scores of cases by a method of a classifier, and what it is called."""
    given, name = ask(X), f"{ask.__name__}(X)"
    require_same_index(name, "X", index_of(given), index_of(X))
    _require_classes_in_order(given, classes, name)
    return np.asarray(given, dtype=np.float64), name


def _require_classes_in_order(given: Any, classes: Any, name: str) -> None:
    """Raise InputError if a frame of probabilities has the classes in another order."""
    names = [str(column) for column in getattr(given, "columns", ())]
    wanted = [str(label) for label in classes]
    if names != wanted and sorted(names) == sorted(wanted):
        raise InputError(
            f"`{name}` must have its columns in the order of classes_, {wanted}; got {names}."
            " Return them in that order."
        )


def require_a_label_a_row(y_true: Vector, score: Vector) -> None:
    """Raise InputError unless ``X``, from which the scores come, has the rows of the labels."""
    if len(y_true) != len(score):
        raise InputError(
            f"`X` must have as many rows as `y_true`; got {len(score)} and {len(y_true)}."
            " Pass the outcome of the same cases."
        )
    require_same_index("X", "y_true", score.index, y_true.index)


def scores_by_name(estimators: Any, X: Any, y_true: Any, pos_label: Any) -> dict[str, Vector]:
    """Return the scores of one classifier, or of those in a mapping by name."""
    named = estimators if isinstance(estimators, Mapping) else {ONE_PREDICTOR: estimators}
    labels = read_vector(y_true, "y_true")
    found = {}
    for name, estimator in named.items():
        found[str(name)] = positive_scores(estimator, X, pos_label, "estimators")
        require_a_label_a_row(labels, found[str(name)])
    return found


def class_tables_by_name(estimators: Any, X: Any, y_true: Any) -> dict[str, dict[str, Vector]]:
    """Return the scores for each class by one classifier, or by those in a mapping by name."""
    named = estimators if isinstance(estimators, Mapping) else {ONE_PREDICTOR: estimators}
    truth = read_vector(y_true, "y_true")
    labels, found = labels_in(truth), {}
    for name, estimator in named.items():
        found[str(name)] = class_scores(estimator, X, labels, "estimators")
        require_a_label_a_row(truth, found[str(name)][labels[0]])
    return found


def labels_in(truth: Vector) -> list[str]:
    """Return the labels of cases as text, in the order of ``MulticlassStudy``."""
    factor = read_factor(truth, as_text=label_text)
    return [factor.labels[code] for code in factor.present]


def positive_scores_of(pos_label: Any) -> ScoresOf:
    """Return what scores cases for the positive class."""

    def scores(estimator: Any, X: Any) -> FloatArray:
        return np.asarray(positive_scores(estimator, X, pos_label, "results['estimator']").values)

    return scores


def class_scores_of(labels: Sequence[str]) -> ScoresOf:
    """Return what scores cases for each class (classes x cases)."""

    def scores(estimator: Any, X: Any) -> FloatArray:
        found = class_scores(estimator, X, labels, "results['estimator']")
        return np.stack([vector.values for vector in found.values()])

    return scores


def held_out_scores(results: Any, X: Any, scores_of: ScoresOf) -> HeldOut:
    """Return the scores of the test cases of each fold of cross-validated classifiers."""
    several = isinstance(results, Mapping) and bool(results) and "estimator" not in results
    named = results if several else {ONE_PREDICTOR: results}
    folds = [_test_rows_of_cv_folds(name, result) for name, result in named.items()]
    if any(len(rows) != len(folds[0]) for rows in folds) or not all(
        np.array_equal(mine, first)
        for rows in folds
        for mine, first in zip(rows, folds[0], strict=True)
    ):
        raise InputError(
            "`results` must be of the same folds; got other test cases for some classifiers."
            " Pass the same cv= with a fixed random_state to each cross_validate."
        )
    scores = {
        str(name): np.concatenate(
            [
                scores_of(estimator, _rows_of_features(X, rows))
                for estimator, rows in zip(result["estimator"], folds[0], strict=True)
            ],
            axis=-1,
        )
        for name, result in named.items()
    }
    numbers = np.repeat(np.arange(1, len(folds[0]) + 1), [len(rows) for rows in folds[0]])
    return HeldOut(scores, np.concatenate(folds[0]), numbers)


def _test_rows_of_cv_folds(name: str, result: Any) -> list[IntArray]:
    """Return the rows of the test set of each fold."""
    if not isinstance(result, Mapping) or not {"estimator", "indices"} <= set(result):
        raise InputError(
            f"`results` must hold the classifiers and the rows of each fold; got none for {name!r}."
            " Call cross_validate with return_estimator=True and return_indices=True."
        )
    return [np.asarray(rows) for rows in result["indices"]["test"]]


def _rows_of_features(X: Any, rows: IntArray) -> Any:
    """Return some rows of features, in any form that a classifier reads."""
    listed = isinstance(X, Sequence) and not isinstance(X, str)
    shape = getattr(X, "shape", ())
    n = shape[0] if shape else len(X) if listed else 0
    if len(rows) and np.max(rows) >= n:
        raise InputError(
            f"`X` must have the rows that were given to cross_validate; got {n} of"
            f" {np.max(rows) + 1} or more. Pass the same X."
        )
    return [X[i] for i in rows] if isinstance(X, Sequence) else rows_of_features(X, rows)


# --- Decision trees -------------------------------------------------------------------------------

LEAF_COLUMNS = ("class", "matched", "errors")


def leaf_rows(leaves: Any, pos_label: Any) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return classes, scores and frequencies: a row for each leaf and class with instances.

    The score of a leaf is its share of positives. Leaves without instances are left out.
    """
    columns = read_columns(leaves, LEAF_COLUMNS, "leaves")
    require_complete(columns["class"])
    concludes_positive = read_positives(columns["class"], pos_label)
    matched = read_weights(columns["matched"], whole=True)
    errors = read_weights(columns["errors"], whole=True)
    _require_fewer_leaf_errors(matched, errors, columns["matched"].index)
    n_pos = np.where(concludes_positive, matched - errors, errors)
    _require_leaves_of_both_classes(n_pos.sum(), matched.sum() - n_pos.sum(), pos_label)
    used = matched > 0
    n_pos, matched = n_pos[used], matched[used]
    # Equal shares are equal floats: a quotient of whole numbers is rounded correctly.
    share = n_pos / matched
    frequency = np.concatenate([n_pos, matched - n_pos])
    is_positive = np.repeat([True, False], len(share))
    present = frequency > 0
    return is_positive[present], np.tile(share, 2)[present], frequency[present]


def _require_fewer_leaf_errors(
    matched: FloatArray, errors: FloatArray, index: pd.Index[Any] | None
) -> None:
    wrong: IntArray = np.flatnonzero(errors > matched)
    if len(wrong):
        row = wrong[0]
        raise InputError(
            "`leaves` must not have more errors than instances matched; got"
            f" {errors[row]:.0f} errors of {matched[row]:.0f} in {describe_rows(wrong, index)}."
            " Count as matched all instances that reach the leaf, errors too."
        )


def _require_leaves_of_both_classes(n_pos: float, n_neg: float, pos_label: Any) -> None:
    if n_pos == 0 or n_neg == 0:
        label = 1 if pos_label is None else pos_label
        raise InputError(
            f"`leaves` must hold instances of both classes; got {n_pos:.0f} positives"
            f" (label {label!r}) and {n_neg:.0f} negatives."
            " Check `pos_label`, and that no leaf is missing."
        )
