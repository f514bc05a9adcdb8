"""The validated data of a study of classes in an order, with one score of a case per predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    cached,
    directed_names,
    keep_whole_rows,
    names_in_short,
    read_roles,
    role_facts,
)
from rocstats.study.cases import ClassCases
from rocstats.study.forms import predictor_naming, read_inputs, read_score_rows
from rocstats.study.multiclass import read_class_labels
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    distinct_labels,
    label_text,
    read_directions,
    read_factor,
)

# Counts of distinct scores by class are one table: more classes are a measurement, not grades.
_MOST_CLASSES = 100


class OrdinalSample(BaseSample):
    """Study of ordered classes (grades, stages), and scores of one or more predictors.

    Use this study if the outcome has more than two classes from low to high, and a test gives one
    number. If classes have no order, or a classifier has a score for each class, use
    ``MulticlassStudy``. If one cut of the outcome decides on treatment, use ``Study`` with the
    outcome dichotomized at this cut.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class of each case. With ``data``, the name of the column in ``data``. Numbers are in
        ascending order, and ordered categories keep their order; other labels need ``order``. There
        must be 2 to 100 classes.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors on the same cases, as in ``Study``.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    order : sequence, optional
        All labels from the lowest class to the highest, compared as text (1.0 as "1"). Labels
        without a case are allowed.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``y_score``.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean a higher class.
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 counts as three cases; a row with 0 is
        omitted.
    cluster : array-like, or str, optional
        Units whose rows are dependent (a patient with several lesions). Clusters change standard
        errors only.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups (site, sex): every method returns a set of rows per group. Several
        columns make one group of each combination that occurs, "F / 60-69"; answers have them too.
    nan_policy : {"raise", "omit"}, default "raise"
        Missing values are refused ("raise"), or rows with missing values are omitted and counted in
        ``note`` ("omit").
    labels : mapping of str to str, optional
        Printed names of predictors (and columns of groups) in tables and plots. Returned frames
        keep the original names.

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.

    Notes
    -----
    Weights of cases and cross-validation folds are not supported. To analyse cross-validation
    folds, pass the fold of each held-out score as ``group``.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.OrdinalStudy(
    ...     ["mild", "none", "severe", "mild"], [3, 1, 4, 2], order=["none", "mild", "severe"]
    ... )
    OrdinalStudy
      predictors  score
      classes     none (1) < mild (2) < severe (1)
      cases       4
    """

    predictors: tuple[str, ...]
    classes: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    class_codes: IntArray

    def __init__(
        self,
        y_true: Any,
        y_score: Any,
        *,
        data: Any = None,
        order: Sequence[Any] | None = None,
        predictor: str | Sequence[str] | None = None,
        higher_is_positive: bool | Mapping[str, bool] = True,
        frequency: Any = None,
        cluster: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        roles = {"frequency": frequency, "cluster": cluster, "group": group}
        inputs = read_inputs(
            y_true, y_score, data=data, naming=predictor_naming(predictor), roles=roles
        )
        names = tuple(inputs.scores)
        ordered, codes = _ordered_classes(inputs.y_true, order)
        arrays = {
            "scores": read_score_rows(inputs.scores),
            "class_codes": codes,
            **read_roles(inputs),
        }
        fields = keep_whole_rows(arrays, inputs, nan_policy)
        # Classes without a case, or with omitted cases only, have no place in the order.
        present, fields["class_codes"] = np.unique(fields["class_codes"], return_inverse=True)
        if not 2 <= len(present) <= _MOST_CLASSES:
            raise InputError(
                f"`y_true` must have 2 to {_MOST_CLASSES} classes; got {len(present)}. Pass the"
                " grades or stages of the cases; cut a measurement into classes."
            )
        self._settle(
            {
                "predictors": names,
                "classes": tuple(ordered[k] for k in present),
                "higher_is_positive": read_directions(higher_is_positive, names),
                "_cluster_name": inputs.cluster_name,
                "_shown": read_print_words(
                    labels, None, names, inputs.group_names, columns=inputs.columns
                ),
                **fields,
            }
        )

    @property
    def cases(self) -> ClassCases:
        """The validated arrays of the study, in which a case has one score for all classes."""
        shape = len(self.scores), len(self.classes), len(self.class_codes)
        return cached(
            self,
            "cases",
            lambda: ClassCases(
                scores=np.broadcast_to(self.scores[:, np.newaxis], shape),
                class_codes=self.class_codes,
                frequency=self.frequency,
                cluster=self.cluster,
            ),
        )

    @property
    def n_of(self) -> FloatArray:
        """Number of cases of each class: rows, or the sums of their frequencies."""
        return self.cases.n_of

    def _facts(self) -> dict[str, str]:
        sizes = [f"{name} ({n:,.0f})" for name, n in zip(self.classes, self.n_of, strict=True)]
        return {
            "predictors": directed_names(self.predictors, self.higher_is_positive),
            "classes": " < ".join(sizes) if len(sizes) < 8 else names_in_short(sizes),
            "cases": f"{self.n_of.sum():,.0f}",
            **role_facts(self),
        }


def _ordered_classes(y_true: Vector, order: Sequence[Any] | None) -> tuple[list[str], IntArray]:
    """Return the classes from low to high, and the place of each row; -1 where missing."""
    if order is None:
        return _classes_in_their_own_order(y_true)
    classes = read_class_labels(order, "order") or []
    if len(set(classes)) < len(classes):
        raise InputError(f"`order` must name each label once; got {classes}. Remove one of them.")
    truth = read_factor(y_true, as_text=label_text)
    lacking = [label for label in truth.labels if label not in classes]
    if lacking:
        raise InputError(
            f"`order` must name every label of `y_true`; got none for {lacking}. Add these labels"
            " to `order`, from low to high."
        )
    place = np.array([classes.index(label) for label in truth.labels] + [-1], dtype=np.intp)
    return classes, place[truth.codes]


def _classes_in_their_own_order(y_true: Vector) -> tuple[list[str], IntArray]:
    """Return the classes of numbers, or of ordered categories; other labels are refused."""
    values = y_true.values
    if isinstance(values, pd.Categorical) and values.ordered:
        return [label_text(label) for label in values.categories], values.codes.astype(np.intp)
    codes, distinct = distinct_labels(y_true)
    labels = list(distinct)
    if isinstance(values, pd.Categorical) or not all(
        isinstance(label, (Real, np.bool_)) for label in labels
    ):
        raise InputError(
            "`order` must be given for labels that are not numbers; got"
            f" {[str(label) for label in labels[:5]]}. Pass order=, all labels from the lowest"
            " class to the highest."
        )
    numbers = np.array(labels, dtype=np.float64)
    infinite = np.flatnonzero(~np.isfinite(numbers))
    if len(infinite):
        rows = np.flatnonzero(codes == infinite[0])
        raise InputError(
            f"`y_true` must be finite numbers; got {numbers[infinite[0]]:g} in"
            f" {describe_rows(rows, y_true.index)}. Correct these rows."
        )
    rank = np.argsort(numbers, kind="stable")
    place = np.empty(len(rank) + 1, dtype=np.intp)
    place[rank], place[-1] = np.arange(len(rank)), -1
    return [label_text(labels[k]) for k in rank], place[codes]
