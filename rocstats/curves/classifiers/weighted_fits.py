"""Fits of an estimator under a weight of the positive class, and their decisions on new cases."""

from __future__ import annotations

import copy
import inspect
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.columns import require_complete
from rocstats.sample.inputs.labels import read_labels
from rocstats.sample.inputs.vectors import read_vector


class KnownLabels(NamedTuple):
    """Labels of cases: whether each is positive, and the two labels as the user writes them."""

    is_positive: BoolArray
    positive: Any
    negative: Any


def read_truth(labels: Any, argument: str, pos_label: Any) -> KnownLabels:
    """Return validated labels of two classes, none missing."""
    vector = read_vector(labels, argument)
    require_complete(vector)
    is_positive = read_labels(vector, pos_label)
    if is_positive.all() or not is_positive.any():
        raise InputError(
            f"`{argument}` must hold both classes; got {int(is_positive.sum())} positives and"
            f" {int((~is_positive).sum())} negatives. Check `pos_label`, and the split."
        )
    values = np.asarray(vector.values)
    return KnownLabels(is_positive, values[is_positive][0], values[~is_positive][0])


def weight_entry(estimator: Any) -> tuple[str, list[str]]:
    """Return the way in which a weight enters, and the names of the parameters that take it."""
    for need in ("fit", "predict"):
        if not hasattr(estimator, need):
            raise InputError(
                f"`estimator` must have fit and predict; got {type(estimator).__name__} without"
                f" {need}. Pass a classifier."
            )
    # The parameter comes first: it reaches an estimator inside a pipeline, as "step__class_weight",
    # where sample_weight of fit would need routing.
    known = estimator.get_params() if hasattr(estimator, "get_params") else {}
    names = [name for name in known if name.rpartition("__")[2] == "class_weight"]
    if names:
        return "class_weight", ["class_weight"] if "class_weight" in names else names
    if "sample_weight" in inspect.signature(estimator.fit).parameters:
        return "sample_weight", []
    raise InputError(
        f"`estimator` must take weights; got {type(estimator).__name__}, which has neither a"
        " parameter class_weight nor sample_weight in fit. Pass an estimator that has one."
    )


def fit_under(
    estimator: Any, X: Any, y: Any, labels: KnownLabels, weight: float, parameters: list[str]
) -> Any:
    """Return a fresh copy of the estimator, fitted under a weight of the positive class."""
    fresh = _fresh(estimator)
    if parameters:
        class_weight = {labels.positive: weight, labels.negative: 1.0}
        # A dict for each parameter: a fit may change the one it was given.
        fresh.set_params(**{name: dict(class_weight) for name in parameters})
        fresh.fit(X, y)
    else:
        fresh.fit(X, y, sample_weight=np.where(labels.is_positive, weight, 1.0))
    return fresh


def _fresh(estimator: Any) -> Any:
    """Return an unfitted copy that shares nothing with the estimator."""
    # As sklearn.base.clone does, without needing scikit-learn: its estimators keep all settings in
    # parameters, so that fitted attributes are left behind. Others are copied whole.
    if hasattr(estimator, "get_params"):
        return type(estimator)(**copy.deepcopy(estimator.get_params(deep=False)))
    return copy.deepcopy(estimator)


def calls_on(predicted: Any, labels: KnownLabels, n: int) -> BoolArray:
    """Return whether each held-out case is called positive."""
    values = np.asarray(predicted)
    if values.shape != (n,):
        raise InputError(
            f"`X_test` must have as many rows as `y_test`; got predictions of shape {values.shape}"
            f" for {n} labels. Pass one label per row."
        )
    positive = np.asarray(values == labels.positive)
    if not (positive | np.asarray(values == labels.negative)).all():
        raise InputError(
            f"`estimator` must predict the labels of `y`; got others from"
            f" {np.unique(values)[:4].tolist()}. Pass a classifier, not a regressor."
        )
    return positive
