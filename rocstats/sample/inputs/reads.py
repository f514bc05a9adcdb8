"""What a user hands in for a reader study: truth, rating, who read what, and machine scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.sample.inputs.columns import Columns, is_frame, require_rows
from rocstats.sample.inputs.forms import Inputs, one_vector, read_names, role_vectors
from rocstats.sample.inputs.labels import read_directions
from rocstats.sample.inputs.vectors import (
    Vector,
    describe_rows,
    label_text,
    read_factor,
    read_scores,
    read_vector,
    require_unique,
)

ONE_MODALITY = "modality"
"""Name of the one modality of a study whose ratings have no name."""


_SAME_TRUTH = "Correct the truth, or give different cases different names."
_SAME_CLUSTER = "Correct these rows, or give different cases different names."
_SAME_GROUP = "Groups are of cases; for groups of readers make a study of each."
_SAME_MACHINE = "A machine has one score a case: repeat it in every row of the case."


class ReadInputs(NamedTuple):
    """The vectors of a reader study: one rating, its roles, and machine scores by name."""

    inputs: Inputs
    machines: dict[str, Vector]


def read_read_inputs(
    truth: Any, rating: Any, *, data: Any, roles: Mapping[str, Any], machine: Any
) -> ReadInputs:
    """Return truth, rating, the given roles and machines as vectors with the same rows."""
    columns = None if data is None else Columns(data)
    labels = one_vector(truth, "truth", columns)
    ratings = one_vector(rating, "rating", columns)
    name = rating if isinstance(rating, str) else ratings.name or ONE_MODALITY
    given = {
        role: one_vector(value, role, columns)
        for role, value in roles.items()
        if role in ("reader", "case") or (value is not None and role != "group")
    }
    group = role_vectors(roles.get("group"), "group", columns, len(labels))
    names = columns.names if columns else ()
    inputs = Inputs(labels, {name: ratings}, given, group, names)
    machines = _machine_vectors(machine, columns)
    require_rows([labels, ratings, *inputs.of_roles, *machines.values()])
    return ReadInputs(inputs, machines)


def read_ratings(vector: Vector) -> FloatArray:
    """Return ratings as float64, NaN where missing; texts are refused with their rows."""
    values = vector.values
    if not isinstance(values, pd.Categorical) and values.dtype.kind in "OUS":
        known = np.ones(len(values), bool) if vector.missing is None else ~vector.missing
        texts = [r for r in np.flatnonzero(known).tolist() if isinstance(values[r], (str, bytes))]
        if texts:
            raise InputError(
                f"`{vector.argument}` must be numbers; got texts such as"
                f" {str(values[texts[0]])!r} ({describe_rows(texts)})."
                " Convert them to numbers, or to ordered categories."
            )
    return read_scores(vector)


def read_labels_of(vector: Vector, kept: IntArray) -> Factor:
    """Return readers, cases or modalities by their names as text, in order of appearance."""
    return read_factor(vector, as_text=label_text).in_order_of(kept)


def _declared_labels(vector: Vector) -> tuple[str, ...]:
    """Return the categories of a categorical as text, used or not; () for other kinds."""
    values = vector.values
    kinds = values.categories if isinstance(values, pd.Categorical) else ()
    return tuple(label_text(kind) for kind in kinds)


def _require_read_once(reader: Factor, case: Factor, modality: Factor, rows: IntArray) -> None:
    """Raise InputError if a reader read a case twice under a modality.

    ``rows`` are the row numbers of the user's data, here and below.
    """
    read = (modality.codes * len(reader.labels) + reader.codes) * len(case.labels) + case.codes
    _, number, times = np.unique(read, return_inverse=True, return_counts=True)
    if (times > 1).any():
        twice = int(np.count_nonzero(times > 1))
        first = np.flatnonzero(times[number] > 1)[0]
        same = np.flatnonzero(number == number[first])
        names = [role.labels[role.codes[first]] for role in (reader, case, modality)]
        raise InputError(
            "`rating` must be one for each reader, case and modality; got"
            f" {len(same)} of reader {names[0]!r}, case {names[1]!r}, modality {names[2]!r}"
            f" ({describe_rows(rows[same])}){_first_of(twice, 'reads')}. Keep one of them, or pass"
            " modality= with what tells them apart."
        )


def _require_same_in_case(
    argument: str, values: npt.NDArray[Any], case: Factor, rows: IntArray, advice: str
) -> None:
    """Raise InputError unless all rows of a case have the same value."""
    first = np.empty(len(case.labels), dtype=np.intp)
    # Written from the last row to the first, so that the first row of each case remains.
    first[case.codes[::-1]] = np.arange(len(case.codes))[::-1]
    differs = values != values[first][case.codes]
    if differs.any():
        bad = case.codes[np.flatnonzero(differs)[0]]
        same = np.flatnonzero(case.codes == bad)
        number = len(np.unique(case.codes[differs]))
        raise InputError(
            f"`{argument}` must be the same in all rows of a case; got different ones for case"
            f" {case.labels[bad]!r} ({describe_rows(rows[same])}){_first_of(number, 'cases')}."
            f" {advice}"
        )


def read_machines(
    machines: Mapping[str, Vector], missing: BoolArray | None, n_rows: int
) -> FloatArray:
    """Return the scores of machines, shape (k, n); refuse missing ones in rows that are kept."""
    scores = [read_scores(vector) for vector in machines.values()]
    for name, values in zip(machines, scores, strict=True):
        absent = np.isnan(values) if missing is None else np.isnan(values) & ~missing
        if absent.any():
            rows = np.flatnonzero(absent)
            raise InputError(
                f"`machine` must score every case; got missing scores of {name!r}"
                f" ({describe_rows(rows)}). Fill them in, or leave these cases out."
            )
    return np.stack(scores) if scores else np.empty((0, n_rows))


def _first_of(number: int, what: str) -> str:
    """Return how many such problems there are, if more than the one that is shown."""
    return f", the first of {number} such {what}" if number > 1 else ""


def _machine_vectors(machine: Any, columns: Columns | None) -> dict[str, Vector]:
    """Return the scores of machines by name, given as names, arrays by name, or one array."""
    if machine is None:
        return {}
    if isinstance(machine, Mapping) or is_frame(machine):
        table = Columns(machine, "machine")
        require_unique(table.names, "machine")
        return {name: table.column(name, "machine") for name in table.names}
    listed = isinstance(machine, (list, tuple)) and all(isinstance(n, str) for n in machine)
    if isinstance(machine, str) or listed:
        names = read_names(machine, "machine")
        require_unique(names, "machine")
        return {name: one_vector(name, "machine", columns) for name in names}
    vector = one_vector(machine, "machine", columns)
    return {vector.name or "machine": vector}


def require_reads(
    fields: dict[str, Any], modality: Vector | None, machines: tuple[str, ...]
) -> None:
    """Raise InputError unless reads are unique, of known modalities, and equal within a case."""
    rows, case = fields["_row"], fields["case"]
    read = {fields["modality"].labels[code] for code in fields["modality"].present}
    declared = () if modality is None else _declared_labels(modality)
    unread = [name for name in (*declared, *fields["modality"].labels) if name not in read]
    if unread:
        raise InputError(
            f"`modality` must be read by at least one reader; got no reads of {unread[0]!r}."
            " Leave this category out, or check its ratings."
        )
    alike = [name for name in machines if name in read]
    if alike:
        raise InputError(
            f"`machine` must have a name that no modality has; got {alike[0]!r}. Rename it."
        )
    _require_same_in_case("truth", fields["is_positive"], case, rows, _SAME_TRUTH)
    for role, advice in (("cluster", _SAME_CLUSTER), ("group", _SAME_GROUP)):
        if fields[role] is not None:
            _require_same_in_case(role, fields[role].codes, case, rows, advice)
    for scores in fields["_machine"]:
        _require_same_in_case("machine", scores, case, rows, _SAME_MACHINE)
    _require_read_once(fields["reader"], case, fields["modality"], rows)


def scores_by_case(machine: Any, cases: tuple[str, ...]) -> FloatArray:
    """Return the scores of the cases from a Series or mapping by their names."""
    if not isinstance(machine, (Mapping, pd.Series)):
        raise InputError(
            "`machine` must be the name of a machine, or scores by case; got"
            f" {type(machine).__name__}. Pass a Series whose index is the cases, or a dict."
        )
    series = machine if isinstance(machine, pd.Series) else pd.Series(dict(machine))
    labels = [label_text(label) for label in series.index]
    twice = [label for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise InputError(
            f"`machine` must have one score a case; got several of case {twice[0]!r}."
            " Keep one of them."
        )
    scores = read_ratings(read_vector(series, "machine")).tolist()
    found = dict(zip(labels, scores, strict=True))
    absent = [case for case in cases if np.isnan(found.get(case, np.nan))]
    if absent:
        raise InputError(
            f"`machine` must score every case; got none of {len(absent)} of the"
            f" {len(cases)} cases, as of {absent[:5]}. Add them, or leave these cases out of the"
            " study."
        )
    return np.array([found[case] for case in cases])


def read_reader_directions(
    higher: bool | Mapping[str, bool], modalities: tuple[str, ...], machines: tuple[str, ...]
) -> dict[str, tuple[bool, ...]]:
    """Return the directions of modalities and of machines; True or False is of ratings only."""
    if not isinstance(higher, Mapping):
        read = (*read_directions(higher, modalities, "modality"), *[True] * len(machines))
    else:
        read = read_directions(higher, (*modalities, *machines), "modality")
    t = len(modalities)
    return {"higher_is_positive": read[:t], "_machine_higher": read[t:]}
