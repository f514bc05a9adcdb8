"""The validated data of a study of several classes: a column of scores for each class.

The scores are a table of one classifier, or a dict of tables of several.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_whole
from rocstats.facts.arrays import Factor, FloatArray, IntArray
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    cached,
    keep_whole_rows,
    names_in_short,
    print_attrs,
    read_roles,
    role_facts,
)
from rocstats.study.cases import ClassCases
from rocstats.study.columns import is_frame, require_equal_rows
from rocstats.study.forms import (
    ONE_PREDICTOR,
    Inputs,
    Naming,
    is_list_of_names,
    is_matrix,
    read_inputs,
)
from rocstats.study.repeats import repeated_cases
from rocstats.study.sample import Sample
from rocstats.study.units import Units
from rocstats.study.vectors import (
    dense_array_of_sparse_matrix,
    label_text,
    read_factor,
    read_scores,
)

# --- The study ------------------------------------------------------------------------------------


class MulticlassSample(BaseSample):
    """Study of several classes: class labels, and a score of each case for each class.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels, compared as text (1.0 as "1"). With ``data``, the name of the column in
        ``data``.
    y_score : array-like of shape (n, C), dict, dataframe or list of str
        Scores or probabilities, a column for each class; higher scores mean that class. Rows need
        not sum to 1. The names of the columns are exactly the labels in ``y_true``. Pass several
        classifiers of the same cases as a dict of such tables, ``{"forest": proba_1, "net":
        proba_2}``. With ``data``, the names of the columns in ``data``. For several classifiers,
        pass a dict with a list of names for each classifier, in the order of ``labels``.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    labels : sequence, optional
        Labels of the columns of an unnamed ``y_score``, in order, the same for every classifier.
        Not required if the labels are 0, 1, ..., C - 1: column k is then class k.
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
        Printed names of classes, predictors and columns of groups in tables and plots. Returned
        frames keep the original names. (The class labels are passed as ``labels``.)

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.
    """

    predictors: tuple[str, ...]
    classes: tuple[str, ...]
    scores: FloatArray
    class_codes: IntArray

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
        given = read_class_inputs(
            y_true, y_score, data=data, labels=read_class_labels(labels), roles=roles
        )
        columns = np.stack([read_scores(vector) for vector in given.inputs.scores.values()])
        arrays = {
            "truth": read_factor(given.inputs.y_true, as_text=label_text),
            # Columns run over the classes of each classifier in turn.
            "scores": columns.reshape(len(given.predictors), -1, columns.shape[1]),
            **read_roles(given.inputs),
        }
        arrays["_repeated"] = repeated_cases(given.inputs, arrays["truth"].codes, arrays["fold"])
        # Classes are checked after rows are left out: a class may have had its cases there.
        fields = keep_whole_rows(arrays, given.inputs, nan_policy)
        codes = _class_codes(fields.pop("truth"), given.classes)
        words = (*given.predictors, *given.classes)
        names = {
            "predictors": given.predictors,
            "classes": given.classes,
            "_shown": read_print_words(
                display_labels,
                None,
                words,
                given.inputs.group_names,
                columns=given.inputs.columns,
                argument="display_labels",
            ),
            "_cluster_name": given.inputs.cluster_name,
        }
        self._settle({**names, "class_codes": codes, **fields})
        _require_weight_in_every_class(self)

    @property
    def cases(self) -> ClassCases:
        """The validated arrays behind the study."""
        return cached(
            self,
            "cases",
            lambda: ClassCases(
                scores=self.scores,
                class_codes=self.class_codes,
                frequency=self.frequency,
                sample_weight=self.sample_weight,
                cluster=self.cluster,
                fold=self.fold,
            ),
        )

    @property
    def n_of(self) -> FloatArray:
        """Number of cases of each class: rows, or the sums of their frequencies."""
        return self.cases.n_of

    def one_against_rest(self, k: int, *, predictor: int = 0) -> Sample:
        """Return the binary sample of a class against all others by the scores for it."""
        for argument, place, names in (
            ("k", k, self.classes),
            ("predictor", predictor, self.predictors),
        ):
            advice = f"Pass a place in {list(names)}."
            if require_whole(argument, place, 0, advice) >= len(names):
                raise InputError(
                    f"`{argument}` must be under {len(names)}; got {place!r}. {advice}"
                )
        roles = ("frequency", "sample_weight", "cluster", "fold", "group")
        return Sample._of(
            {
                "predictors": (self.classes[k],),
                "pos_label": self.classes[k],
                "higher_is_positive": (True,),
                "is_positive": self.class_codes == k,
                "scores": self.scores[predictor, k][np.newaxis],
                **{role: getattr(self, role) for role in roles},
                "n_dropped": self.n_dropped,
                "_shown": print_attrs(self),
                "_cluster_name": self._cluster_name,
                "_repeated": self._repeated,
            }
        )

    def _units(self) -> Units | None:
        classes = {
            f"class {name}": np.flatnonzero(self.class_codes == k)
            for k, name in enumerate(self.classes)
        }
        return self._units_of(classes, self.class_codes)

    def _facts(self) -> dict[str, str]:
        sizes = (f"{name} ({n:,.0f})" for name, n in zip(self.classes, self.n_of, strict=True))
        several = (
            {"predictors": names_in_short(self.predictors)} if len(self.predictors) > 1 else {}
        )
        return {
            **several,
            "classes": names_in_short(sizes),
            "cases": f"{self.n_of.sum():,.0f}",
            **role_facts(self),
        }


def read_class_labels(labels: Sequence[Any] | None, argument: str = "labels") -> list[str] | None:
    """Return the labels of classes in order as texts; None if there are none."""
    if labels is None:
        return None
    if isinstance(labels, str):
        return [labels]
    listed = isinstance(labels, (list, tuple, np.ndarray, pd.Index, pd.Series))
    if not listed or not all(isinstance(label, Hashable) for label in labels):
        raise InputError(
            f"`{argument}` must be the labels of the classes in order; got {labels!r}."
            " Pass a list with one label per class."
        )
    return [label_text(label) for label in labels]


def _class_codes(truth: Factor, classes: tuple[str, ...]) -> IntArray:
    """Return the column number of each row's class; raise InputError unless both sets agree."""
    if len(classes) < 2:
        raise InputError(
            f"`y_score` must have a column for each of two or more classes; got {len(classes)}."
            " Pass the scores of every class."
        )
    present = [truth.labels[code] for code in truth.present]
    odd = {
        "labels without a column": [name for name in present if name not in classes],
        "columns without a case": [name for name in classes if name not in present],
    }
    if any(odd.values()):
        got = " and ".join(f"{what} {names}" for what, names in odd.items() if names)
        raise InputError(
            f"`y_score` must have one column for each label of `y_true`; got {got}."
            " Name the columns by their labels, or pass labels=."
        )
    column = {name: k for k, name in enumerate(classes)}
    return np.array([column.get(name, -1) for name in truth.labels], dtype=np.intp)[truth.codes]


def _require_weight_in_every_class(sample: MulticlassSample) -> None:
    # "not > 0" instead of "== 0" refuses NaN as well.
    without = [
        name for name, w in zip(sample.classes, sample.cases.weight_of, strict=True) if not w > 0
    ]
    if without:
        raise InputError(
            f"`sample_weight` must have a positive sum in each class; got sum 0 in {without}."
            " Give at least one case of every class a weight."
        )


def require_fold_of_every_class(sample: MulticlassSample) -> None:
    """Raise InputError when a fold lacks a class that the sample has."""
    # By weight, not by number of cases: a class of weight 0 has no rates either.
    held = sample.cases.weight_of > 0
    for label, part in sample.cases.by_fold():
        lacking = np.flatnonzero(held & ~(part.weight_of > 0))
        if len(lacking):
            raise InputError(
                "`fold` must have every class in every fold; got no case of"
                f" {[sample.classes[k] for k in lacking]} in fold {label!r}. Stratify the folds,"
                " or merge them."
            )


# --- Reading its inputs ---------------------------------------------------------------------------


class ClassInputs(NamedTuple):
    """Labels, scores and roles; scores are those of each class within each predictor."""

    inputs: Inputs
    predictors: tuple[str, ...]
    classes: tuple[str, ...]


def read_class_inputs(
    y_true: Any, y_score: Any, *, data: Any, labels: Sequence[str] | None, roles: Mapping[str, Any]
) -> ClassInputs:
    """Return the validated inputs of a classifier, or of several given as a dict of tables."""
    y_score = dense_array_of_sparse_matrix(y_score)
    if not holds_tables_of_classifiers(y_score, named=data is not None):
        inputs = read_inputs(
            y_true, y_score, data=data, naming=_naming_of_class_scores(labels), roles=roles
        )
        return ClassInputs(inputs, (ONE_PREDICTOR,), tuple(inputs.scores))
    names = [str(name) for name in y_score]
    if len(set(names)) < len(names):  # 1 and "1" are different keys, but equal names
        raise InputError(
            f"`y_score` must have different names, compared as text; got {names}. Rename one of"
            " them."
        )
    tables = dict(zip(names, y_score.values(), strict=True))
    parts = {
        # Roles belong to the cases, not to a classifier: they are read with the first table.
        name: _read_class_score_table(y_true, table, data, labels, {} if number else roles)
        for number, (name, table) in enumerate(tables.items())
    }
    first = next(iter(parts.values()))
    classes = tuple(first.scores)
    for name, part in parts.items():
        _require_same_classes(name, tuple(part.scores), classes)
    scores = {
        key: replace(part.scores[label], name=key)
        for name, part in parts.items()
        for label, key in ((label, f"{name}: {label}") for label in classes)
    }
    require_equal_rows([first.y_true, *scores.values(), *first.of_roles])
    return ClassInputs(first._replace(scores=scores), tuple(parts), classes)


def _naming_of_class_scores(labels: Sequence[str] | None) -> Naming:
    return Naming("labels", labels, lambda width: [str(k) for k in range(width)])


def holds_tables_of_classifiers(y_score: Any, *, named: bool) -> bool:
    """Return whether scores are a dict of tables (with ``data``, also of lists of names)."""
    if not isinstance(y_score, Mapping) or not y_score:
        return False
    return all(
        isinstance(table, Mapping)
        or is_frame(table, "y_score")
        or is_matrix(table)
        or (named and is_list_of_names(table))
        for table in y_score.values()
    )


def _read_class_score_table(
    y_true: Any, table: Any, data: Any, labels: Sequence[str] | None, roles: Mapping[str, Any]
) -> Inputs:
    """Return the inputs with the scores of one classifier, keyed by class."""
    if labels is None or data is None or not is_list_of_names(table):
        return read_inputs(
            y_true, table, data=data, naming=_naming_of_class_scores(labels), roles=roles
        )
    # Columns of two classifiers in one frame cannot both be named by the class.
    inputs = read_inputs(
        y_true, table, data=data, naming=_naming_of_class_scores(None), roles=roles
    )
    if len(labels) != len(inputs.scores):
        raise InputError(
            f"`labels` must name each of the {len(inputs.scores)} columns of a classifier; got"
            f" {len(labels)} names. Pass one name per column."
        )
    renamed = dict(zip(labels, inputs.scores.values(), strict=True))
    return inputs._replace(scores=renamed)


def _require_same_classes(name: str, given: Sequence[str], classes: Sequence[str]) -> None:
    if set(given) != set(classes):  # the order of the columns may differ
        raise InputError(
            "`y_score` must have the same classes for every classifier; got"
            f" {list(given)} for {name!r} and {list(classes)} for the first."
            " Pass a column for each class."
        )
