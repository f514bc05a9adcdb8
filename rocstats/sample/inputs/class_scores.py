"""Scores for several classes: a table of a classifier, or a dict of tables of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rocstats.errors import InputError
from rocstats.sample.inputs.columns import is_frame, require_rows
from rocstats.sample.inputs.forms import Inputs, Naming, is_matrix, read_inputs
from rocstats.sample.inputs.vectors import Vector

ONE_PREDICTOR = "score"


class ClassInputs(NamedTuple):
    """Labels, scores and roles; scores are those of each class within each predictor."""

    inputs: Inputs
    predictors: tuple[str, ...]
    classes: tuple[str, ...]


def read_class_inputs(
    y_true: Any, y_score: Any, *, data: Any, labels: Sequence[str] | None, roles: Mapping[str, Any]
) -> ClassInputs:
    """Return the validated inputs of a classifier, or of several given as a dict of tables."""
    if not _holds_tables(y_score, named=data is not None):
        inputs = read_inputs(y_true, y_score, data=data, naming=_naming(labels), roles=roles)
        return ClassInputs(inputs, (ONE_PREDICTOR,), tuple(inputs.scores))
    names = [str(name) for name in y_score]
    if len(set(names)) < len(names):  # 1 and "1" are different keys, but equal names
        raise InputError(
            f"`y_score` must have names that differ as text; got {names}. Rename one of them."
        )
    tables = dict(zip(names, y_score.values(), strict=True))
    parts = {
        # Roles belong to the cases, not to a classifier: they are read with the first table.
        name: _read_table(y_true, table, data, labels, {} if number else roles)
        for number, (name, table) in enumerate(tables.items())
    }
    first = next(iter(parts.values()))
    classes = tuple(first.scores)
    for name, part in parts.items():
        _require_same_classes(name, tuple(part.scores), classes)
    scores: dict[str, Vector] = {
        f"{name}: {label}": part.scores[label] for name, part in parts.items() for label in classes
    }
    require_rows([first.y_true, *scores.values(), *first.of_roles])
    return ClassInputs(first._replace(scores=scores), tuple(parts), classes)


def _naming(labels: Sequence[str] | None) -> Naming:
    return Naming("labels", labels, lambda width: [str(k) for k in range(width)])


def _holds_tables(y_score: Any, *, named: bool) -> bool:
    """Return whether scores are a dict of tables (with ``data``, also of lists of names)."""
    if not isinstance(y_score, Mapping) or not y_score:
        return False
    return all(
        isinstance(table, Mapping) or is_frame(table) or is_matrix(table) or _is_names(table, named)
        for table in y_score.values()
    )


def _is_names(table: Any, named: bool) -> bool:
    listed = named and isinstance(table, (list, tuple)) and len(table) > 0
    return listed and all(isinstance(name, str) for name in table)


def _read_table(
    y_true: Any, table: Any, data: Any, labels: Sequence[str] | None, roles: Mapping[str, Any]
) -> Inputs:
    """Return the inputs with the scores of one classifier, keyed by class."""
    if labels is None or not _is_names(table, data is not None):
        return read_inputs(y_true, table, data=data, naming=_naming(labels), roles=roles)
    # Columns of two classifiers in one frame cannot both be named by the class.
    inputs = read_inputs(y_true, table, data=data, naming=_naming(None), roles=roles)
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
