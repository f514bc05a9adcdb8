"""The validated data of a study of cases with several labels: 0 or 1, and a score, for each label.

The scores are a table of one classifier, or a dict of tables of several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.frame.make import CLASS_HEADING, read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    cached,
    keep_whole_rows,
    names_in_short,
    read_roles,
    role_facts,
)
from rocstats.study.cases import LabelCases
from rocstats.study.columns import Columns
from rocstats.study.forms import (
    ONE_PREDICTOR,
    Inputs,
    Naming,
    inputs_with_roles,
    is_list_of_names,
    named_scores,
)
from rocstats.study.multiclass import holds_tables_of_classifiers, read_class_labels
from rocstats.study.repeats import repeated_cases
from rocstats.study.units import Units
from rocstats.study.vectors import Vector, dense_array_of_sparse_matrix, read_scores

# --- The study ------------------------------------------------------------------------------------


class MultilabelSample(BaseSample):
    """Study of cases that have any number of labels: none, one or several.

    Parameters
    ----------
    y_true : array-like of shape (n, C), dict, dataframe or list of str
        For each label, a column that is 1 in cases with the label and 0 in other cases. With
        ``data``, the names of the columns in ``data``.
    y_score : array-like of shape (n, C), dict, dataframe or list of str
        Scores or probabilities, a column for each label; higher scores mean that label. If the
        columns have names, these are the labels. Columns without names are in the order of the
        labels. With ``data``, the names of columns are in the order of the labels too. Pass several
        classifiers of the same cases as a dict of such tables, ``{"forest": proba_1, "net":
        proba_2}``.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    labels : sequence, optional
        Labels of the columns of an unnamed ``y_true``, in order; default "0", "1", ...
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 counts as three cases; a row with 0 is
        omitted.
    sample_weight : array-like of float >= 0, or str, optional
        Importance or cost of each row.
    cluster : array-like, or str, optional
        Units whose rows are dependent (patient, household). Clusters change standard errors only.
    fold : array-like, or str, optional
        Cross-validation fold of each row: areas are means over folds.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups (site, sex): every method returns a set of rows per group. Several
        columns make one group of each combination that occurs, "F / 60-69"; answers have them too.
    nan_policy : {"raise", "omit"}, default "raise"
        Missing values are refused ("raise"), or rows with missing values are omitted and counted in
        ``note`` ("omit").
    display_labels : mapping of str to str, optional
        Printed names of labels, classifiers and columns of groups in tables and plots. Returned
        frames keep the original names. (The labels of the cases are passed as ``labels``.)

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.
    """

    predictors: tuple[str, ...]
    classes: tuple[str, ...]
    scores: FloatArray
    has_label: BoolArray

    def __init__(
        self,
        y_true: Any,
        y_score: Any,
        *,
        data: Any = None,
        labels: Sequence[Any] | None = None,
        frequency: Any = None,
        sample_weight: Any = None,
        cluster: Any = None,
        fold: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        display_labels: Mapping[str, str] | None = None,
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        roles = {
            "frequency": frequency,
            "sample_weight": sample_weight,
            "cluster": cluster,
            "fold": fold,
            "group": group,
        }
        given = _read_label_inputs(y_true, y_score, data, read_class_labels(labels), roles)
        truth = np.stack([_read_indicator(name, one) for name, one in given.truth.items()])
        columns = np.stack([read_scores(one) for one in given.scores])
        arrays = {
            "has_label": truth,
            # Columns run over the labels of each classifier in turn.
            "scores": columns.reshape(len(given.predictors), len(truth), -1),
            **read_roles(given.inputs),
        }
        _, kinds = np.unique(np.nan_to_num(truth, nan=-1), axis=1, return_inverse=True)
        arrays["_repeated"] = repeated_cases(given.inputs, kinds.ravel(), arrays["fold"])
        fields = keep_whole_rows(arrays, given.inputs, nan_policy)
        fields["has_label"] = fields["has_label"] == 1
        if not fields["has_label"].size:
            raise InputError(
                "`y_true` must leave at least one case; got none without missing values, of a"
                " frequency above 0. Fill them in, or leave out a classifier."
            )
        classes = tuple(given.truth)
        names = {
            "predictors": given.predictors,
            "classes": classes,
            "_shown": {
                **read_print_words(
                    display_labels,
                    None,
                    (*given.predictors, *classes),
                    given.inputs.group_names,
                    columns=given.inputs.columns,
                    argument="display_labels",
                ),
                CLASS_HEADING: "Label",
            },
            "_cluster_name": given.inputs.cluster_name,
        }
        self._settle({**names, **fields})

    @property
    def cases(self) -> LabelCases:
        """The validated arrays behind the study."""
        return cached(
            self,
            "cases",
            lambda: LabelCases(
                scores=self.scores,
                has_label=self.has_label,
                frequency=self.frequency,
                sample_weight=self.sample_weight,
                cluster=self.cluster,
                fold=self.fold,
            ),
        )

    def _units(self) -> Units | None:
        rows = np.arange(self.has_label.shape[1])
        # Cases of one unit may have different labels: the outcome of a row says nothing of units.
        return self._units_of({"cases": rows}, np.zeros(len(rows), dtype=np.intp))

    def _facts(self) -> dict[str, str]:
        cases = self.cases
        sizes = [f"{name} ({cases.label(k).n_pos:,.0f})" for k, name in enumerate(self.classes)]
        several = (
            {"predictors": names_in_short(self.predictors)} if len(self.predictors) > 1 else {}
        )
        return {
            **several,
            "labels": names_in_short(sizes),
            "cases": f"{cases.n_cases:,.0f}",
            **role_facts(self),
        }


# --- Reading its inputs ---------------------------------------------------------------------------


class LabelInputs(NamedTuple):
    """Columns of each label, the scores for each label within each classifier, and the roles."""

    inputs: Inputs
    predictors: tuple[str, ...]
    truth: Mapping[str, Vector]
    scores: tuple[Vector, ...]


def _read_label_inputs(
    y_true: Any,
    y_score: Any,
    data: Any,
    labels: Sequence[str] | None,
    roles: Mapping[str, Any],
) -> LabelInputs:
    columns = None if data is None else Columns(data)
    naming = Naming("labels", labels, lambda width: [str(k) for k in range(width)], "y_true")
    truth = named_scores(y_true, naming, columns)
    if len(truth) < 2:
        raise InputError(
            f"`y_true` must have a column for each of two or more labels; got {len(truth)}. Pass"
            " the table of labels, with 0 and 1; if each case has one label, use Study or"
            " MulticlassStudy."
        )
    y_score = dense_array_of_sparse_matrix(y_score)
    tables = {ONE_PREDICTOR: y_score}
    if holds_tables_of_classifiers(y_score, named=columns is not None):
        tables = {str(name): table for name, table in y_score.items()}
        if len(tables) < len(y_score):  # 1 and "1" are different keys, but equal names
            raise InputError(
                f"`y_score` must have different names, compared as text; got {list(y_score)}."
                " Rename one of them."
            )
    scores = {
        f"{predictor}: {label}": replace(vector, name=f"{predictor}: {label}")
        for predictor, table in tables.items()
        for label, vector in _scores_by_label(table, tuple(truth), columns)
    }
    first, *_ = truth.values()
    checked = {f"label {name}": vector for name, vector in truth.items()} | scores
    inputs = inputs_with_roles(first, checked, columns, roles)
    return LabelInputs(inputs, tuple(tables), truth, tuple(scores.values()))


def _scores_by_label(
    table: Any, labels: tuple[str, ...], columns: Columns | None
) -> Iterator[tuple[str, Vector]]:
    """Yield each label with the scores for it by one classifier, in the order of the labels."""
    # Columns of ``data`` cannot have the names of the labels, which are columns of it too.
    in_order = columns is not None and is_list_of_names(table)
    naming = Naming("labels", None, lambda width: _names_by_place(labels, width))
    found = named_scores(table, naming, columns)
    if in_order and len(found) == len(labels):
        yield from zip(labels, found.values(), strict=True)
        return
    if set(found) != set(labels):
        raise InputError(
            f"`y_score` must have one column for each label of `y_true`, {list(labels)}; got"
            f" {list(found)}. Pass a column for each, with the names of the labels or in their"
            " order. If scikit-learn returns a list of arrays, pass np.column_stack([p[:, 1] for p"
            " in proba])."
        )
    yield from ((label, found[label]) for label in labels)


def _names_by_place(labels: tuple[str, ...], width: int) -> list[str]:
    """Return the names of the columns of an unnamed table: the labels, if they are as many."""
    return list(labels) if width == len(labels) else [f"column {k + 1}" for k in range(width)]


def _read_indicator(name: str, vector: Vector) -> FloatArray:
    """Return a column of 0 and 1, NaN where missing."""
    values = read_scores(vector)
    odd = values[~np.isnan(values) & (values != 0) & (values != 1)]
    if len(odd):
        raise InputError(
            f"`y_true` must be 0 or 1 in each column; got {odd[0]:g} in column {name!r}. Pass 1 for"
            " the cases with the label, for instance by sklearn.preprocessing.MultiLabelBinarizer."
        )
    return values
