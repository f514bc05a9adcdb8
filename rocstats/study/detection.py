"""The validated data of a localisation study: cases, lesions, and the marks of readers.

A reader, or an algorithm, puts marks with a rating on a case; a mark is on a lesion or false. Every
reader reads every case under every modality: a case without marks was read, and nothing was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, take_rows
from rocstats.facts.words import did_you_mean
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    BaseSample,
    joint_factor_of_role_columns,
    names_in_short,
    role_facts,
)
from rocstats.study.columns import Columns, require_complete, require_one_column
from rocstats.study.forms import read_names
from rocstats.study.units import Units, count_units, name_of_clusters
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    label_text,
    read_factor,
    read_positives,
    read_scores,
    read_weights,
)

# --- The study ------------------------------------------------------------------------------------

ONE_MODALITY, ONE_READER = "modality", "reader"
"""Names of the one modality, and of the one reader, of marks without such a column."""


class CurveMarks(NamedTuple):
    """Marks of one reader under one modality.

    ``found`` (n lesions) is the highest rating on each lesion, minus infinity if it was missed.
    ``false_case`` and ``false_rating`` are the case and the rating of each false mark.
    """

    found: FloatArray
    false_case: IntArray
    false_rating: FloatArray

    @property
    def is_empty(self) -> bool:
        """Whether the reader made no mark."""
        return not len(self.false_rating) and not np.isfinite(self.found).any()


class DetectionSample(BaseSample):
    """Marks of lesions on cases, by one or more readers, each under one or more modalities.

    Use this class if readers or algorithms say where a lesion is, and not only whether a case is
    positive. Rules that match boxes or points to lesions are applied before: each mark is on a
    lesion or false.

    Parameters
    ----------
    marks : dataframe
        A row for each mark: its case, rating and lesion. An empty lesion means a false mark. Every
        reader is taken to have read every case under every modality.
    cases : dataframe
        A row for each case, also for cases without marks.
    lesions : dataframe
        A row for each lesion, also for lesions that nobody marked. A case is positive if it has a
        lesion.
    case, rating, lesion : str, default "case", "rating", "lesion"
        Names of columns: ``case`` in all three tables, ``rating`` (finite; higher means more
        suspicious) in ``marks``, and ``lesion`` in ``marks`` and ``lesions``. Lesions need
        different names within a case only.
    reader, modality : str, optional
        Columns of ``marks`` with the reader and the modality (or the algorithm). Default: one
        reader, one modality. Categories of a categorical column without marks are kept.
    weight : str, optional
        Column of ``lesions`` with the weight of each lesion in its case, a number >= 0. Weights are
        divided by their sum over the case. Default: all lesions of a case are equal.
    truth : str, optional
        Column of ``cases`` with the truth (0/1, -1/1 or boolean), to be checked against
        ``lesions``.
    cluster : str, optional
        Column of ``cases`` with units whose cases are dependent (images of a patient). Clusters
        change standard errors only.
    group : str or list of str, optional
        Columns of ``cases`` with independent subgroups (site, sex): every method returns a set of
        rows per group. Every group has positive cases.
    machine : str, optional
        Name of the reader that is an algorithm, to be compared with the other readers. If its marks
        are under one modality only, they are compared with the readers under every modality.
    labels : mapping of str to str, optional
        Printed names of modalities, readers and the machine in tables, plots and reports.
    outcome : str, optional
        Printed name of the condition in tables and reports, such as "Cancer".

    Raises
    ------
    InputError
        If a mark is on an unknown case or lesion; if a case or a lesion occurs twice; if a rating
        is not finite or a value is missing; if the truth contradicts the lesions; if weights are
        negative or all 0 in a case; if no case has a lesion; or if a column is unknown.

    Notes
    -----
    Of several marks of a reader on one lesion the highest counts; the others are not false (note
    ``extra-marks``).

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> study.n_pos, study.n_neg, study.n_lesions
    (25, 30, 49)
    """

    predictors: tuple[str, ...]
    readers: tuple[str, ...]
    machine: str | None
    case: Factor
    is_positive: BoolArray
    weighted: bool
    _found: FloatArray
    _lesion_case: IntArray
    _lesion_weight: FloatArray
    _false_case: IntArray
    _false_rating: FloatArray
    _false_curve: IntArray
    _extra: IntArray

    def __init__(
        self,
        marks: Any,
        cases: Any,
        lesions: Any,
        *,
        case: str = "case",
        rating: str = "rating",
        lesion: str = "lesion",
        reader: str | None = None,
        modality: str | None = None,
        weight: str | None = None,
        truth: str | None = None,
        cluster: str | None = None,
        group: str | list[str] | None = None,
        machine: str | None = None,
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> None:
        tables = _Tables({"marks": marks, "cases": cases, "lesions": lesions})
        names = read_factor(tables.column("cases", case, "case"), as_text=label_text)
        _require_distinct_rows("cases", "case", names.codes, names.labels)
        roles = _read_roles(tables, cluster, group)
        lesion_case, weights, lesion_key = _read_lesions(tables, names, case, lesion, weight)
        is_positive = np.bincount(lesion_case, minlength=len(names.codes)) > 0
        if truth is not None:
            known = read_positives(tables.column("cases", truth, "truth"), None)
            _require_same_truth(known, is_positive, names)
        found = _read_marks(
            tables, names, lesion_key, columns=(case, rating, lesion, reader, modality)
        )
        found = _with_machine_everywhere(found, machine)
        modalities, readers = found.modalities, found.readers
        self._settle(
            {
                "predictors": modalities,
                "readers": tuple(name for name in readers if name != machine),
                "machine": machine,
                "case": names,
                "is_positive": is_positive,
                "weighted": weight is not None,
                "_found": found.found,
                "_lesion_case": lesion_case,
                "_lesion_weight": weights,
                "_false_case": found.false_case,
                "_false_rating": found.false_rating,
                "_false_curve": found.false_curve,
                "_extra": found.extra,
                "_everyone": readers,
                "_cluster_name": cluster or "",
                **roles,
                "_shown": read_print_words(
                    labels,
                    outcome,
                    list(dict.fromkeys((*modalities, *readers))),
                    read_names(group, "group") if group is not None else [],
                    columns=tables.names("cases"),
                ),
            }
        )
        for label, part in self.by_group():
            if part.n_pos == 0:
                raise InputError(
                    f"`group` must have positive cases in every group; got none in {label!r}."
                    " Merge groups, or leave this one out."
                )

    _everyone: tuple[str, ...]

    @property
    def modalities(self) -> tuple[str, ...]:
        """Names of the modalities, in order of appearance."""
        return self.predictors

    @property
    def outcome(self) -> str | None:
        """Printed name of the condition, or None."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def n_pos(self) -> int:
        """Number of cases with a lesion."""
        return int(np.count_nonzero(self.is_positive))

    @property
    def n_neg(self) -> int:
        """Number of cases without lesions."""
        return len(self.is_positive) - self.n_pos

    @property
    def n_lesions(self) -> int:
        """Number of lesions."""
        return len(self._lesion_case)

    @property
    def lesion_case(self) -> IntArray:
        """Place of the case of each lesion, in ascending order."""
        return self._lesion_case

    @property
    def lesion_weight(self) -> FloatArray:
        """Weight of each lesion; the weights of a case sum to 1."""
        return self._lesion_weight

    @property
    def n_extra_marks(self) -> int:
        """Number of marks on a lesion below the highest mark of the same reader on it."""
        return int(self._extra.sum())

    @property
    def n_marks(self) -> tuple[int, int]:
        """Number of marks on lesions, several on one lesion counted, and of false marks."""
        on_lesions = int(np.count_nonzero(np.isfinite(self._found))) + self.n_extra_marks
        return on_lesions, len(self._false_case)

    def marks_of(self, modality: int, reader: str) -> CurveMarks:
        """Return the marks of a reader, or the machine, under the modality at a place."""
        j = self._everyone.index(reader)
        here = self._false_curve == modality * len(self._everyone) + j
        return CurveMarks(
            self._found[modality, j], self._false_case[here], self._false_rating[here]
        )

    def highest_marks(self, modality: int, reader: str) -> FloatArray:
        """Return the highest mark of each case, minus infinity without one."""
        marks = self.marks_of(modality, reader)
        highest = np.full(len(self.is_positive), -np.inf)
        np.maximum.at(highest, self._lesion_case, marks.found)
        np.maximum.at(highest, marks.false_case, marks.false_rating)
        return highest

    def require_machine(self, machine: Any) -> str:
        """Return a machine: the machine of the study, or one of its readers."""
        if not isinstance(machine, str) or machine not in self._everyone:
            raise InputError(
                f"`machine` must name the machine or a reader of the study; got {machine!r}. The"
                f" readers are {list(self._everyone)}."
                f"{did_you_mean(str(machine), self._everyone)}"
            )
        return machine

    def _part(self, rows: IntArray) -> Self:
        """Return the study of some cases with their lesions and marks."""
        place = np.full(len(self.is_positive), -1)
        place[rows] = np.arange(len(rows))
        of_lesions = np.flatnonzero(place[self._lesion_case] >= 0)
        of_lesions = of_lesions[np.argsort(place[self._lesion_case[of_lesions]], kind="stable")]
        of_marks = np.flatnonzero(place[self._false_case] >= 0)
        fields = self.__getstate__()
        by_lesion = {
            "_found": self._found[..., of_lesions],
            "_lesion_case": place[self._lesion_case[of_lesions]],
            "_lesion_weight": self._lesion_weight[of_lesions],
        }
        by_mark = {
            "_false_case": place[self._false_case[of_marks]],
            "_false_rating": self._false_rating[of_marks],
            "_false_curve": self._false_curve[of_marks],
        }
        rest = {key: fields[key] for key in fields if key not in {*by_lesion, *by_mark}}
        return self._of({**take_rows(rest, rows), **by_lesion, **by_mark, "group": None})

    def _units(self) -> Units | None:
        if self.cluster is None:
            return None
        unit = self.cluster.codes
        n_units = count_units(unit, [np.flatnonzero(self.is_positive)])
        if n_units[0] == len(unit):
            return None
        name = name_of_clusters(self._cluster_name)
        return Units(name, "cases", (self.outcome or "",), n_units, (len(unit), self.n_pos))

    def _facts(self) -> dict[str, str]:
        on_lesions, false = self.n_marks
        facts = {
            "cases": f"{self.n_pos:,} with {self.n_lesions:,} lesions, {self.n_neg:,} without",
            "marks": f"{on_lesions:,} on lesions, {false:,} false",
            "modalities": names_in_short(self.predictors),
            "readers": names_in_short(self.readers),
        }
        if self.machine is not None:
            facts["machine"] = self.machine
        return {**facts, **role_facts(self)}


# --- Reading the tables ---------------------------------------------------------------------------


class _Tables:
    """The tables of a study, with their columns by name."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        for source, table in tables.items():
            if table is None:
                raise InputError(
                    f"`{source}` must be a table; got None. Pass a frame with a row for each of all"
                    f" {source}, with or without marks."
                )
        self._columns = {source: Columns(table, source) for source, table in tables.items()}

    def names(self, source: str) -> list[str]:
        """Return the names of all columns of a table."""
        return self._columns[source].names

    def column(self, source: str, name: Any, argument: str, *, complete: bool = True) -> Vector:
        """Return a column; raise InputError unless it is there, with all values if ``complete``."""
        columns = self._columns[source]
        require_one_column(argument, source, name, columns.names.count(name), columns.names)
        vector = columns.column(name, argument)
        if complete:
            require_complete(vector)
        return vector


class _MarksRead(NamedTuple):
    """Marks by curve: modality i and reader j of R have the curve i R + j.

    ``found`` is modalities x readers x lesions; ``extra`` is the number of further marks on lesions
    by case.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    found: FloatArray
    false_case: IntArray
    false_rating: FloatArray
    false_curve: IntArray
    extra: IntArray


def _read_roles(tables: _Tables, cluster: Any, group: Any) -> dict[str, Any]:
    """Return clusters and groups of the cases; several columns of groups are combined."""
    found: dict[str, Any] = {"cluster": None, "group": None}
    if cluster is not None:
        found["cluster"] = read_factor(tables.column("cases", cluster, "cluster"))
    if group is not None:
        names = read_names(group, "group")
        columns = {name: read_factor(tables.column("cases", name, "group")) for name in names}
        found["group"] = joint_factor_of_role_columns(columns)
    return found


def _read_lesions(
    tables: _Tables, cases: Factor, case: str, lesion: str, weight: str | None
) -> tuple[IntArray, FloatArray, dict[tuple[int, str], int]]:
    """Return the case and the weight of each lesion, by case, and its place by case and name."""
    of_case = _places_of_cases(tables.column("lesions", case, "case"), cases, "lesions")
    if not len(of_case):
        raise InputError(
            "`lesions` must have at least one lesion; got none. Without lesions nothing can be"
            " found: pass the table of all lesions, also of those that nobody marked."
        )
    names = read_factor(tables.column("lesions", lesion, "lesion"), as_text=label_text)
    order = np.argsort(of_case, kind="stable")
    of_case, codes = of_case[order], names.codes[order]
    key: dict[tuple[int, str], int] = {}
    for place, (at, code) in enumerate(zip(of_case.tolist(), codes.tolist(), strict=True)):
        one = (at, names.labels[code])
        if one in key:
            raise InputError(
                f"`lesions` must have each lesion of a case once; got lesion {one[1]!r} of case"
                f" {cases.labels[cases.codes[at]]!r} twice. Give different lesions different names."
            )
        key[one] = place
    given = np.ones(len(of_case))
    if weight is not None:
        given = read_weights(tables.column("lesions", weight, "weight"), whole=False)[order]
    total = np.bincount(of_case, given, len(cases.codes))
    without = np.flatnonzero((total == 0) & (np.bincount(of_case, minlength=len(total)) > 0))
    if len(without):
        raise InputError(
            "`weight` must be above 0 for a lesion of every positive case; got only 0 in case"
            f" {cases.labels[cases.codes[without[0]]]!r} ({len(without)} such cases). Leave"
            " lesions without weight out, or weigh them."
        )
    return of_case, given / total[of_case], key


def _read_marks(
    tables: _Tables,
    cases: Factor,
    lesion_key: Mapping[tuple[int, str], int],
    columns: tuple[str, str, str, str | None, str | None],
) -> _MarksRead:
    """Return the marks by reader and modality; InputError for one on an unknown case or lesion."""
    case, rating, lesion, reader, modality = columns
    at = _places_of_cases(tables.column("marks", case, "case"), cases, "marks")
    n_marks = len(at)
    ratings = np.empty(0)
    vector = tables.column("marks", rating, "rating")
    if n_marks:  # an empty column has no type
        ratings = read_scores(vector)
    wrong = np.flatnonzero(~np.isfinite(ratings))
    if len(wrong):
        raise InputError(
            f"`rating` must be finite; got {ratings[wrong[0]]} in"
            f" {describe_rows(wrong, vector.index)}. Correct these marks, or leave them out."
        )
    readers, of_reader = _names_of_marks(tables, reader, "reader", ONE_READER, n_marks)
    modalities, of_modality = _names_of_marks(tables, modality, "modality", ONE_MODALITY, n_marks)
    place = _places_of_lesions(
        tables.column("marks", lesion, "lesion", complete=False), at, cases, lesion_key
    )
    curve = of_modality * len(readers) + of_reader
    is_false = place < 0
    found = np.full((len(modalities) * len(readers), len(lesion_key)), -np.inf)
    on = np.flatnonzero(~is_false)
    np.maximum.at(found, (curve[on], place[on]), ratings[on])
    _, first = np.unique(np.stack([curve[on], place[on]]), axis=1, return_index=True)
    further = np.delete(on, first)
    return _MarksRead(
        modalities,
        readers,
        found.reshape(len(modalities), len(readers), -1),
        at[is_false],
        ratings[is_false],
        curve[is_false],
        np.bincount(at[further], minlength=len(cases.codes)),
    )


def _names_of_marks(
    tables: _Tables, name: str | None, argument: str, alone: str, n_marks: int
) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of readers or modalities, and the place of that of each mark."""
    if name is None:
        return (alone,), np.zeros(n_marks, dtype=np.intp)
    vector = tables.column("marks", name, argument)
    factor = read_factor(vector, as_text=label_text)
    names, codes = factor.labels, factor.codes
    if isinstance(vector.values, pd.Categorical):
        # A category without marks is a reader, or a modality, under which nothing was marked.
        names = tuple(map(label_text, vector.values.categories))
        codes = np.array([names.index(label) for label in factor.labels], dtype=np.intp)[codes]
    if not names:
        raise InputError(
            f"`{argument}` must have a name for every {argument}; got no marks. Leave {argument}="
            " out, or pass a categorical column with all names as categories."
        )
    return names, codes


def _places_of_cases(vector: Vector, cases: Factor, source: str) -> IntArray:
    """Return the place in the table of cases of each row of marks or lesions."""
    factor = read_factor(vector, as_text=label_text)
    row_of = {cases.labels[code]: row for row, code in enumerate(cases.codes.tolist())}
    unknown = [label for label in factor.labels if label not in row_of]
    if unknown:
        one = "mark" if source == "marks" else "lesion"
        raise InputError(
            f"`{source}` must have cases of the table `cases`; got a {one} on case {unknown[0]!r}"
            f" ({len(unknown)} unknown cases).{did_you_mean(unknown[0], cases.labels)} Add the"
            " cases to the table, with all cases that have no marks."
        )
    rows = np.array([row_of[label] for label in factor.labels], dtype=np.intp)
    return rows[factor.codes] if len(factor.codes) else np.empty(0, dtype=np.intp)


def _places_of_lesions(
    vector: Vector, at: IntArray, cases: Factor, key: Mapping[tuple[int, str], int]
) -> IntArray:
    """Return the place of the lesion that each mark is on, -1 of false marks."""
    if not len(at):
        return np.empty(0, dtype=np.intp)
    values = vector.values
    empty = np.array([isinstance(one, str) and not one.strip() for one in values], dtype=bool)
    if vector.missing is not None:
        empty |= vector.missing
    place = np.full(len(at), -1, dtype=np.intp)
    rows = np.flatnonzero(~empty)
    if not len(rows):
        return place
    factor = read_factor(replace(vector, missing=None).take(rows), as_text=label_text)
    for row, code in zip(rows.tolist(), factor.codes.tolist(), strict=True):
        one = (int(at[row]), factor.labels[code])
        if one not in key:
            raise InputError(
                f"`lesion` must name a lesion of the case in the table `lesions`; got lesion"
                f" {one[1]!r} of case {cases.labels[cases.codes[one[0]]]!r}"
                f" ({describe_rows(np.array([row]), vector.index)}). Add it to the table, or leave"
                " the lesion of a false mark empty."
            )
        place[row] = key[one]
    return place


def _with_machine_everywhere(marks: _MarksRead, machine: Any) -> _MarksRead:
    """Return the marks under the modalities of readers; those of a machine may be under one only.

    The marks of a machine under one modality are repeated under each modality of the readers.
    """
    if machine is None:
        return marks
    if machine not in marks.readers:
        raise InputError(
            f"`machine` must be a reader of the marks; got {machine!r}. The readers are"
            f" {list(marks.readers)}.{did_you_mean(str(machine), marks.readers)}"
        )
    if len(marks.readers) == 1:
        raise InputError(
            f"`machine` must be marked beside readers; got only {machine!r}. Leave `machine` out:"
            " one algorithm is one reader."
        )
    n_readers, j = len(marks.readers), marks.readers.index(machine)
    has_marks = np.isfinite(marks.found).any(axis=2)
    has_marks |= (
        np.bincount(marks.false_curve, minlength=has_marks.size).reshape(has_marks.shape) > 0
    )
    of_readers = np.flatnonzero(np.delete(has_marks, j, axis=1).any(axis=1))
    of_machine = np.flatnonzero(has_marks[:, j])
    if not len(of_readers):
        of_readers = np.arange(len(has_marks))
    elsewhere = np.setdiff1d(of_machine, of_readers)
    if len(elsewhere) and len(of_machine) > 1:
        raise InputError(
            f"`machine` must be marked under one modality, or under those of the readers; got"
            f" {machine!r} under {[marks.modalities[i] for i in of_machine]}. Leave marks out."
        )
    source = np.full(len(of_readers), of_machine[0]) if len(of_machine) == 1 else of_readers
    found = marks.found[of_readers].copy()
    found[:, j] = marks.found[source, j]
    parts = []
    for place, (i, k) in enumerate(zip(of_readers, source, strict=True)):
        for reader in range(n_readers):
            row = k if reader == j else i
            rows = np.flatnonzero(marks.false_curve == row * n_readers + reader)
            parts.append((rows, np.full(len(rows), place * n_readers + reader)))
    rows, curve = (np.concatenate(each) for each in zip(*parts, strict=True))
    return marks._replace(
        modalities=tuple(marks.modalities[i] for i in of_readers),
        found=found,
        false_case=marks.false_case[rows],
        false_rating=marks.false_rating[rows],
        false_curve=curve,
    )


# --- Checks ---------------------------------------------------------------------------------------


def _require_distinct_rows(
    source: str, argument: str, codes: IntArray, labels: tuple[str, ...]
) -> None:
    if not len(codes):
        raise InputError(f"`{source}` must have at least one row; got none. Pass all {source}.")
    times = np.bincount(codes)
    if (times > 1).any():
        twice = int(np.flatnonzero(times > 1)[0])
        rows = np.flatnonzero(codes == twice)
        raise InputError(
            f"`{source}` must have each {argument} once; got {labels[twice]!r} in"
            f" {describe_rows(rows, None)}. Leave one of the rows out."
        )


def _require_same_truth(truth: BoolArray, is_positive: BoolArray, cases: Factor) -> None:
    wrong = np.flatnonzero(truth != is_positive)
    if len(wrong):
        first = wrong[0]
        has = "positive without a lesion" if truth[first] else "negative with a lesion"
        raise InputError(
            f"`truth` must be positive for cases with a lesion, and for no others; got case"
            f" {cases.labels[cases.codes[first]]!r} {has} ({len(wrong)} such cases). Correct the"
            " truth or the table of lesions."
        )
