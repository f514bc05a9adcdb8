"""Scores of fitted models: classifiers, cross-validated classifiers, and decision trees.

A tree's score is the share of positives at each leaf.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_text, require_whole
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
    classes, how = _classes_and_method(estimator, argument)
    is_positive = read_positives(read_vector(classes, f"{argument}.classes_"), pos_label)
    if len(is_positive) != 2:
        raise InputError(
            f"`{argument}` must have two classes; got {len(is_positive)}. Fit it to cases of both"
            " classes."
        )
    found, name = _asked_scores(estimator, how, classes, X)
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
    classes, how = _classes_and_method(estimator, argument)
    known = [label_text(label) for label in np.asarray(classes).tolist()]
    if set(known) != set(labels):
        raise InputError(
            f"`{argument}` must distinguish the classes {list(labels)}; got classes {known}. Fit it"
            " to cases of every class."
        )
    found, name = _asked_scores(estimator, how, classes, X)
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


def _classes_and_method(estimator: Any, argument: str) -> tuple[Any, str]:
    """Return the classes of a fitted classifier, and the name of its method that scores cases."""
    how = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    classes = getattr(estimator, "classes_", None)
    if not hasattr(estimator, how) or classes is None:
        raise InputError(
            f"`{argument}` must be a fitted classifier with classes_ and predict_proba or"
            f" decision_function; got {type(estimator).__name__} without them. Fit it first."
        )
    return classes, how


def _asked_scores(estimator: Any, how: str, classes: Any, X: Any) -> tuple[FloatArray, str]:
    """Return the scores of cases by a method of a classifier, and the name of the call."""
    given, name = getattr(estimator, how)(X), f"{how}(X)"
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


def scores_by_name(
    estimators: Any, X: Any, y_true: Any, pos_label: Any, predictor: Any = None
) -> dict[str, Vector]:
    """Return the scores of one classifier, or of several by name."""
    named = named_estimators(estimators, predictor, "estimators")
    labels = read_vector(y_true, "y_true")
    found = {}
    for name, estimator in named.items():
        found[name] = positive_scores(estimator, X, pos_label, "estimators")
        require_a_label_a_row(labels, found[name])
    return found


def named_estimators(estimators: Any, predictor: Any, argument: str) -> dict[str, Any]:
    """Return classifiers by name: those of a mapping, as asked for, or of their classes."""
    if isinstance(estimators, Mapping):
        if predictor is not None:
            raise InputError(
                f"`predictor` must stay None for `{argument}` by name; got {predictor!r}. Use the"
                " names that they have."
            )
        return {str(name): one for name, one in estimators.items()}
    several = list(estimators) if isinstance(estimators, list | tuple) else [estimators]
    names = [name_of_estimator(one) for one in several]
    if predictor is not None:
        names = list(predictor) if isinstance(predictor, list | tuple) else [predictor]
    for name in names:
        require_text("predictor", name)
    if len(names) != len(several) or not names:
        raise InputError(
            f"`predictor` must have a name for each of {len(several)} classifiers; got"
            f" {predictor!r}. Pass one name for each classifier."
        )
    if len(set(names)) < len(names):
        raise InputError(
            f"`{argument}` must have different names; got {names}. Pass a dict of classifiers by"
            " name, such as {'linear': a, 'forest': b}."
        )
    return dict(zip(names, several, strict=True))


def name_of_estimator(estimator: Any) -> str:
    """Return the class of a classifier, of a pipeline that of its last step."""
    # The steps of scikit-learn's Pipeline are pairs of name and estimator.
    steps = getattr(estimator, "steps", None)
    last: Any = steps[-1] if isinstance(steps, list) and steps else None
    if isinstance(last, tuple) and len(last) == 2:
        return name_of_estimator(last[1])
    return type(estimator).__name__


def class_tables_by_name(
    estimators: Any, X: Any, y_true: Any, predictor: Any = None
) -> dict[str, dict[str, Vector]]:
    """Return the scores for each class by one classifier, or by several by name."""
    named = named_estimators(estimators, predictor, "estimators")
    truth = read_vector(y_true, "y_true")
    labels, found = labels_in(truth), {}
    for name, estimator in named.items():
        found[name] = class_scores(estimator, X, labels, "estimators")
        require_a_label_a_row(truth, found[name][labels[0]])
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


def held_out_scores(results: Any, X: Any, scores_of: ScoresOf, predictor: Any = None) -> HeldOut:
    """Return the scores of the test cases of each fold of cross-validated classifiers."""
    named = _named_results(results, predictor)
    folds = [_test_rows_of_cv_folds(name, result) for name, result in named.items()]
    if any(len(rows) != len(folds[0]) for rows in folds) or not all(
        np.array_equal(mine, first)
        for rows in folds
        for mine, first in zip(rows, folds[0], strict=True)
    ):
        raise InputError(
            "`results` must have the same folds; got other test cases for some classifiers. Pass"
            " the same cv= with a fixed random_state to each cross_validate."
        )
    scores = {
        name: np.concatenate(
            [
                scores_of(estimator, _rows_of_features(X, rows))
                for estimator, rows in zip(result["estimator"], folds[0], strict=True)
            ],
            axis=-1,
        )
        for name, result in named.items()
    }
    return HeldOut(scores, np.concatenate(folds[0]), _fold_numbers(folds[0]))


def _named_results(results: Any, predictor: Any) -> dict[str, Any]:
    """Return the results of cross-validation by the name of their classifier."""
    if isinstance(results, Mapping) and bool(results) and "estimator" not in results:
        return named_estimators(results, predictor, "results")
    several = list(results) if isinstance(results, list | tuple) else [results]
    for result in several:
        _test_rows_of_cv_folds(ONE_PREDICTOR, result)
    # The classifier of the first fold names its result.
    fitted = [[*result["estimator"], result][0] for result in several]
    names = named_estimators(fitted, predictor, "results")
    return dict(zip(names, several, strict=True))


def _fold_numbers(folds: Sequence[IntArray]) -> IntArray:
    """Return the number of the fold of each test row, from 1."""
    return np.repeat(np.arange(1, len(folds) + 1), [len(rows) for rows in folds])


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


# --- Folds of a splitter --------------------------------------------------------------------------


def scores_of_cross_val_predict(
    y_score: Any, labels: Vector, pos_label: Any, predictor: Any
) -> dict[str, Any]:
    """Return the scores of the positive class by name; of probabilities of both, its column."""
    name = ONE_PREDICTOR if predictor is None else predictor
    require_text("predictor", name)
    if isinstance(y_score, Mapping) and predictor is not None:
        raise InputError(
            f"`predictor` must stay None for scores by name; got {predictor!r}. Use the names that"
            " they have."
        )
    named = y_score if isinstance(y_score, Mapping) else {name: y_score}
    return {str(key): _score_of_positives(one, labels, pos_label) for key, one in named.items()}


def _score_of_positives(y_score: Any, labels: Vector, pos_label: Any) -> Any:
    if len(np.shape(y_score)) != 2:
        return y_score
    found: Any = np.asarray(y_score, dtype=np.float64)
    # Two columns may be two decision functions, or two predictors: only shares add up to 1.
    if found.shape[1:] != (2,) or not np.allclose(found.sum(axis=1), 1):
        raise InputError(
            "`y_score` must have one score for each row, or the probabilities of both classes; got"
            f" shape {found.shape}. Pass one column, or a dict of predictors by name."
        )
    require_complete(labels)
    # cross_val_predict has the columns in the order of the sorted labels.
    classes = Vector("y_true", np.unique(labels.values), None, None, None)
    is_positive = read_positives(classes, pos_label)
    if len(is_positive) != 2:
        raise InputError(
            f"`y_true` must have two labels for probabilities of both classes; got"
            f" {len(is_positive)}. Pass the column of the positive class."
        )
    return np.ascontiguousarray(found[:, int(np.flatnonzero(is_positive)[0])])


def folds_of_splitter(cv: Any, y_true: Any, n_rows: int, groups: Any) -> IntArray:
    """Return the number of the test fold of each row, from 1.

    ``cv`` is a number of folds (stratified, not shuffled), a splitter of scikit-learn's kind, or
    pairs of training and test rows. Every row is in one test fold.
    """
    splitter = _splitter_of(cv)
    first, second = (_test_rows_of_split(splitter, y_true, n_rows, groups) for _ in range(2))
    # A splitter that shuffles without a seed has other folds each time than those of the scores.
    if len(first) != len(second) or not all(map(np.array_equal, first, second)):
        raise InputError(
            "`cv` must split the rows in the same way each time; got a splitter that shuffles"
            " at each call. Give it a whole number as random_state=, and compute the scores again"
            " with it."
        )
    every = np.concatenate([np.empty(0, dtype=np.intp), *first])
    if not np.array_equal(np.sort(every), np.arange(n_rows)):
        raise InputError(
            "`cv` must have every row in one test fold, as cross_val_predict does; got"
            f" {len(every)} test rows, {len(np.unique(every))} of them different, for {n_rows}"
            " cases. For repeated cross-validation pass its rows to Study, with fold= and cluster=."
        )
    fold = np.empty(n_rows, dtype=np.intp)
    fold[every] = _fold_numbers(first)
    return fold


def _splitter_of(cv: Any) -> Any:
    """Return an object with ``split``, or pairs of rows as a list."""
    if hasattr(cv, "split") and not isinstance(cv, str):
        return cv
    is_flag = isinstance(cv, bool)
    if isinstance(cv, Integral) and not is_flag:
        require_whole("cv", cv, 2, "Pass for instance 5.")
        try:
            from sklearn.model_selection import StratifiedKFold
        except ImportError as error:
            raise InputError(
                f"`cv` must be a splitter or pairs of rows without scikit-learn; got {cv}."
                " Install scikit-learn, or pass the folds as fold= to Study."
            ) from error
        # What cross_val_predict makes of a number for a classifier.
        return StratifiedKFold(int(cv))
    try:
        return [(train, test) for train, test in cv]
    except (TypeError, ValueError):
        raise InputError(
            "`cv` must be a number of folds, a splitter with split(), or pairs of training and"
            f" test rows; got {cv!r}. Pass the cv= of cross_val_predict."
        ) from None


def _test_rows_of_split(splitter: Any, y_true: Any, n_rows: int, groups: Any) -> list[IntArray]:
    """Return the test rows of each fold."""
    pairs = splitter
    try:
        # Splitters that have no use for groups warn of them.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            if not isinstance(splitter, list):
                pairs = splitter.split(np.zeros((n_rows, 1)), y_true, groups)
            return [np.asarray(test, dtype=np.intp) for _, test in pairs]
    except ValueError as error:
        raise InputError(
            f"`cv` must split the rows of `y_true`; got {type(error).__name__}: {error} Pass the"
            " cv= of cross_val_predict, and its groups= as cluster=."
        ) from error


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
