"""The ROC curve of a learning algorithm: one fit, and one point, for each class weight.

Each fit takes a weight of the positive class, as a parameter ``class_weight`` or as sample weights,
and decides on new cases. Points on the convex hull have the slopes for which they are optimal
[fawcett-2004].
"""

from __future__ import annotations

import copy
import inspect
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.convex_hull import edge_slopes, hull_vertices
from rocstats.curves.roc import RocPoints
from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.frame.make import make_frame
from rocstats.frame.question import Question, columns_in
from rocstats.study.columns import Rows, require_complete, require_equal_rows, require_same_index
from rocstats.study.points import number_array
from rocstats.study.vectors import index_of, read_positives, read_vector

CLASS_WEIGHT_SWEEP = Question(
    "class_weight_sweep",
    columns_in("predictor class_weight fpr tpr fp tp slope_low slope_high n_pos n_neg method"),
    ("fawcett-2004",),
)


def sweep_class_weight(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    weights: Any,
    pos_label: Any = None,
) -> pd.DataFrame:
    """Return ROC points of an algorithm fitted with different class weights; a row is one fit.

    Parameters
    ----------
    estimator : object
        A classifier with ``fit(X, y)`` and ``predict(X)`` as in scikit-learn. For each weight a
        copy is fitted; the object is not changed. The weight is passed as the parameter
        ``class_weight``, {positive: weight, negative: 1}, of the classifier or of a step of the
        pipeline. Without this parameter it is passed as ``sample_weight`` of ``fit``.
    X, y : array-like
        Training data, passed on unchanged. ``y`` has labels of two classes.
    X_test, y_test : array-like
        Held-out data, on which every fit is evaluated.
    weights : array-like of float > 0
        Weights of the positive class; the negative class has weight 1. Use a wide range, such as
        ``numpy.geomspace(0.01, 100, 21)``.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class_weight, fpr, tpr, fp, tp, slope_low, slope_high, n_pos, n_neg,
        method``, in the order of ``weights``; ``predictor`` is the name of the estimator's class,
        and ``method`` is the name of the parameter. A fit on the convex hull is optimal for
        iso-performance lines with slopes from ``slope_low`` to ``slope_high``. For other fits both
        slopes are NaN.

    Raises
    ------
    InputError
        If the held-out data are the training data; if features and labels differ in length or
        index; if the estimator accepts no weights; if a weight is not a finite number > 0; if
        labels are missing or not of two classes; or if predictions are not labels.

    Notes
    -----
    The ROC curve of a single model varies the threshold on one score. Here the algorithm is fitted
    again for each weight w, and the loss of each positive is multiplied by w. A point is therefore
    often above the curve of a single model. Points need not be monotone in w, and some points may
    be below this curve: use the convex hull.

    If you choose a weight by these points, this choice is part of training. Evaluate the chosen fit
    on a third set of cases (Fawcett, section 7.4.5). There is no interval. If the algorithm uses
    random numbers, set its seed; this function uses no random numbers.

    References
    ----------
    - Fawcett (2004), sections 7.1 and 7.4.5 [fawcett-2004]

    Examples
    --------
    Any object with ``fit`` and ``predict`` can be used:

    >>> import rocstats as rs
    >>> class Cut:
    ...     def fit(self, X, y, sample_weight):
    ...         cases = list(zip(X, y, sample_weight))
    ...         loss = lambda cut: sum(w for x, label, w in cases if (x >= cut) != label)
    ...         self.cut = min([1, 2, 3, 4, 5], key=loss)
    ...     def predict(self, X):
    ...         return [int(x >= self.cut) for x in X]
    >>> X, y = [1, 2, 2, 3, 3, 4], [0, 0, 1, 0, 1, 1]
    >>> X_test, y_test = [1, 2, 3, 4, 4], [0, 0, 1, 0, 1]
    >>> points = rs.sweep_class_weight(Cut(), X, y, X_test, y_test, weights=[0.4, 1.5, 3])
    >>> points[["predictor", "class_weight", "fpr", "tpr", "method"]].round(3)
      predictor  class_weight    fpr  tpr         method
    0       Cut           0.4  0.333  0.5  sample_weight
    1       Cut           1.5  0.667  1.0  sample_weight
    2       Cut           3.0  0.667  1.0  sample_weight
    """
    if X_test is X or y_test is y:
        raise InputError(
            "`X_test` and `y_test` must be held out; got the training data themselves. Split the"
            " cases first, and pass cases that are not used for fitting."
        )
    values = _read_swept_class_weights(weights)
    train = read_sweep_labels(y, "y", pos_label, X, "X")
    test = read_sweep_labels(y_test, "y_test", pos_label, X_test, "X_test")
    method, parameters = class_weight_entry(estimator)
    n_pos = float(np.count_nonzero(test.is_positive))
    n_neg = len(test.is_positive) - n_pos
    tp, fp = np.empty(len(values)), np.empty(len(values))
    for i, weight in enumerate(values):
        fitted = fit_weighted(estimator, X, y, train, float(weight), parameters)
        predicted = fitted.predict(X_test)
        require_same_index("predict(X_test)", "X_test", index_of(predicted), index_of(X_test))
        called = read_held_out_predictions(predicted, train, len(test.is_positive))
        tp[i] = np.count_nonzero(called & test.is_positive)
        fp[i] = np.count_nonzero(called & ~test.is_positive)
    slope_low, slope_high = _optimal_slopes_of_weighted_fits(fp, tp, n_neg, n_pos)
    columns = {
        "predictor": [type(estimator).__name__] * len(values),
        "class_weight": values,
        "fpr": fp / n_neg,
        "tpr": tp / n_pos,
        "fp": fp,
        "tp": tp,
        "slope_low": slope_low,
        "slope_high": slope_high,
        "n_pos": np.full(len(values), n_pos),
        "n_neg": np.full(len(values), n_neg),
        "method": [method] * len(values),
    }
    return make_frame(CLASS_WEIGHT_SWEEP, columns, grouped=False)


def _read_swept_class_weights(weights: Any) -> FloatArray:
    values = np.empty(0) if np.isscalar(weights) else number_array(weights)
    if values.ndim != 1 or not len(values) or not (np.isfinite(values) & (values > 0)).all():
        raise InputError(
            f"`weights` must be finite numbers > 0; got {weights!r}."
            " Pass a list of weights of the positive class."
        )
    return values


def _optimal_slopes_of_weighted_fits(
    fp: FloatArray, tp: FloatArray, n_neg: float, n_pos: float
) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and highest slope for which each point is optimal; NaN if for none."""
    ends = np.array([[0.0, 0.0], [n_neg, n_pos]])
    points = np.vstack([ends, np.column_stack([fp, tp])])
    # Several weights may give the same point, and the hull needs distinct ones.
    distinct, place = np.unique(points, axis=0, return_inverse=True)
    at = hull_vertices(distinct[:, 0], distinct[:, 1])
    fp_hull, tp_hull = distinct[at].T
    edges = edge_slopes(RocPoints(np.full(len(at), np.nan), fp_hull, tp_hull))
    low, high = np.full((2, len(distinct)), np.nan)
    low[at], high[at] = np.append(edges, 0.0), np.insert(edges, 0, np.inf)
    # NumPy 2.0 gave the inverse a second axis; the first two points are the ends.
    of_fit = place.reshape(-1)[2:]
    return low[of_fit], high[of_fit]


# --- Labels of the cases --------------------------------------------------------------------------


class ClassLabels(NamedTuple):
    """Labels of cases: whether each is positive, and the two labels as the user writes them."""

    is_positive: BoolArray
    positive: Any
    negative: Any


def read_sweep_labels(
    labels: Any, argument: str, pos_label: Any, features: Any, features_argument: str
) -> ClassLabels:
    """Return validated labels of two classes, none missing, for the rows of the features."""
    vector = read_vector(labels, argument)
    require_equal_rows([vector, Rows.of(features, features_argument)])
    require_complete(vector)
    is_positive = read_positives(vector, pos_label)
    if is_positive.all() or not is_positive.any():
        raise InputError(
            f"`{argument}` must hold both classes; got {int(is_positive.sum())} positives and"
            f" {int((~is_positive).sum())} negatives. Check `pos_label`, and the split."
        )
    values = np.asarray(vector.values)
    return ClassLabels(is_positive, values[is_positive][0], values[~is_positive][0])


# --- Fits under a class weight, and their decisions -----------------------------------------------


def class_weight_entry(estimator: Any) -> tuple[str, list[str]]:
    """Return the way in which a weight enters, and the names of the parameters that take it."""
    for need in ("fit", "predict"):
        if not hasattr(estimator, need):
            raise InputError(
                f"`estimator` must have fit and predict; got {type(estimator).__name__} without"
                f" {need}. Pass a classifier."
            )
    # The parameter comes first: it reaches an estimator inside a pipeline, as "step__class_weight",
    # where sample_weight of fit would need routing.
    settings = estimator.get_params() if hasattr(estimator, "get_params") else {}
    names = [name for name in settings if name.rpartition("__")[2] == "class_weight"]
    if names:
        return "class_weight", ["class_weight"] if "class_weight" in names else names
    if "sample_weight" in inspect.signature(estimator.fit).parameters:
        return "sample_weight", []
    raise InputError(
        f"`estimator` must accept weights; got {type(estimator).__name__}without class_weight,"
        " and without sample_weight in fit. Pass an estimator with one of them."
    )


def fit_weighted(
    estimator: Any, X: Any, y: Any, labels: ClassLabels, weight: float, parameters: list[str]
) -> Any:
    """Return a fresh copy of the estimator, fitted under a weight of the positive class."""
    fresh = _unfitted_copy(estimator)
    if parameters:
        class_weight = {labels.positive: weight, labels.negative: 1.0}
        # A dict for each parameter: a fit may change the one it was given.
        fresh.set_params(**{name: dict(class_weight) for name in parameters})
        fresh.fit(X, y)
    else:
        fresh.fit(X, y, sample_weight=np.where(labels.is_positive, weight, 1.0))
    return fresh


def _unfitted_copy(estimator: Any) -> Any:
    """Return an unfitted copy that shares nothing with the estimator."""
    # As sklearn.base.clone does, without needing scikit-learn: its estimators keep all settings in
    # parameters, so that fitted attributes are left behind. Others are copied whole.
    if hasattr(estimator, "get_params"):
        return type(estimator)(**copy.deepcopy(estimator.get_params(deep=False)))
    return copy.deepcopy(estimator)


def read_held_out_predictions(predicted: Any, labels: ClassLabels, n: int) -> BoolArray:
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
            "`estimator` must predict the labels of `y`; got other values:"
            f" {np.unique(values)[:4].tolist()}. Pass a classifier, not a regressor."
        )
    return positive
