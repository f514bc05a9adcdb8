"""The base of all samples: immutable rows with roles, split by group.

Also read here: the roles of the rows, the rows kept under a policy for missing values, covariates
(numbers, or labels that become indicators), and the printed description, as text and as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import infer_dtype

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, joint_codes, take_rows
from rocstats.facts.scipy_special import scipy_special
from rocstats.facts.tolerances import LEAST_UNIT
from rocstats.frame.groups import (
    joined_group_label,
    names_of_group_columns,
    require_distinct_group_labels,
)
from rocstats.frame.question import Question
from rocstats.study.forms import Inputs, distinct_vectors
from rocstats.study.units import UNITS, Units, are_cases, count_units, name_of_clusters
from rocstats.study.vectors import Vector, describe_rows, read_factor, read_scores, read_weights

# --- The base of all samples ----------------------------------------------------------------------

Value = TypeVar("Value")

REPEATED = "repeated-cases"
"""Note of every row about a study whose cases evidently repeat over folds."""

# Pandas copies what a frame carries at every step, and no graph tells more series apart than this.
_MOST_SERIES = 100


class BaseSample:
    """Rows (a case or several equal cases) with their roles; every array is read-only.

    A subclass sets its fields with ``_settle`` once: arrays whose last axis is the row, factors,
    and properties of the whole sample.
    """

    predictors: tuple[str, ...]
    # Roles that are not given, or not possible, are None.
    frequency: FloatArray | None = None
    sample_weight: FloatArray | None = None
    cluster: Factor | None = None
    fold: Factor | None = None
    group: Factor | None = None
    # A row of numbers, or of codes of labels, for each covariate of ``_covariates``.
    covariate: FloatArray | None = None
    _covariates: tuple[Covariate, ...] = ()
    n_dropped: int = 0
    # Set where they apply: the words of the study in print (``rocstats.frame.make``), the name of
    # the column of clusters, and the case of each row where cases evidently repeat over folds
    # without ``cluster=``.
    _shown: Mapping[str, Any] = MappingProxyType({})
    _cluster_name: str = ""
    _repeated: IntArray | None = None
    # The other end of the bin of each row, whose first end is its score; None for exact scores.
    _bin_end: FloatArray | None = None
    # Whether the rows are cells of a count table: there are no single cases.
    _from_counts: bool = False

    @property
    def units(self) -> Units | None:
        """Patients or other units with several rows; None if each row is one unit."""
        return cached(self, UNITS, self._units)

    def _units(self) -> Units | None:
        return None

    def _units_of(
        self, classes: Mapping[str, IntArray], class_codes: npt.NDArray[np.integer] | BoolArray
    ) -> Units | None:
        """Return the units of a study with the rows of each class."""
        if self._repeated is not None:
            unit, name = self._repeated, ""
        elif self.cluster is None or not len(self.cluster.codes):
            return None
        else:
            unit, name = self.cluster.codes, name_of_clusters(self._cluster_name)
            if are_cases(self.cluster, self.fold, class_codes):
                name = ""
        rows = list(classes.values())
        n_units = count_units(unit, rows)
        if n_units[0] == len(unit):
            return None
        times = np.ones(len(unit)) if self.frequency is None else self.frequency
        n_rows = (times.sum(), *(times[each].sum() for each in rows))
        return Units(name, "rows", tuple(classes), n_units, tuple(map(round, n_rows)))

    @property
    def labels(self) -> dict[str, str]:
        """Printed labels by name; empty without labels."""
        return dict(self._shown.get("labels", {}))

    def by_group(self) -> list[tuple[str, Self]]:
        """Return the name and sample of each group, in order; without groups ("", this study)."""
        group = self.group
        if group is None:
            return [("", self)]
        return cached(
            self,
            "group",
            lambda: [(label, self._part(rows)) for label, rows in group.rows_by_label()],
        )

    def __repr__(self) -> str:
        return study_description_as_text(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return study_description_as_html(type(self).__name__, self._facts())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a study is immutable: `{name}` cannot be set; make a new study.")

    # Pickled arrays come back writable, so that they are settled again; the cache is not pickled.
    def __setstate__(self, state: dict[str, Any]) -> None:
        self._settle(state)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}

    _cache: dict[Any, Any]

    def _facts(self) -> dict[str, str]:
        """Return the lines of the printed description: name and value."""
        raise NotImplementedError

    @classmethod
    def _of(cls, fields: dict[str, Any]) -> Self:
        """Return a sample made of validated fields, without a further check."""
        sample = object.__new__(cls)
        sample._settle(fields)
        return sample

    def _settle(self, fields: dict[str, Any]) -> None:
        """Set the fields, every array read-only."""
        # Count tables are cached: a changed array would not change them, and give wrong numbers.
        for value in fields.values():
            array = value.codes if isinstance(value, Factor) else value
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        self.__dict__.update(fields, _cache={})  # past __setattr__, which refuses
        scipy_special()  # nearly every question needs it: no first answer waits for the import

    def _part(self, rows: IntArray) -> Self:
        return self._of({**take_rows(self.__getstate__(), rows), "group": None})


def cached(sample: BaseSample, key: Hashable, compute: Callable[[], Value]) -> Value:
    """Return a cached value: computed from the sample at the first call with a key."""
    if key not in sample._cache:
        sample._cache[key] = compute()
    kept: Value = sample._cache[key]
    return kept


def question_for(question: Question, sample: BaseSample) -> Question:
    """Return the question with the columns that the study adds; raise InputError if unsupported."""
    question.refuse_covariates(sample)  # checked again in case the question did not
    return question if sample._bin_end is None else question.of_bins()


def require_cases(sample: BaseSample, what: str) -> None:
    """Raise InputError if the study is made of counts; ``what`` needs single cases."""
    if sample._from_counts:
        raise InputError(
            f"`counts` must not be used for {what}; got a study made from counts. Individual cases"
            " are needed: pass them to Study."
        )


def warned_doubts(sample: BaseSample) -> set[str]:
    """Return the mutable set of notes that the study has already warned of."""
    return cached(sample, "said", set[str])


def print_attrs(sample: BaseSample) -> Mapping[str, Any]:
    """Return the metadata for print of the frames of a study: labels and order."""
    names, groups = sample.predictors, () if sample.group is None else sample.group.labels
    if len(names) + len(groups) > _MOST_SERIES:
        names = groups = ()
    # A predictor has the same colour in a graph of its own as in that of all predictors.
    shown = {**sample._shown, "predictors": list(names), "groups": list(groups)}
    return shown if sample.units is None else {**shown, UNITS: sample.units.carried()}


def sample_notes(sample: BaseSample) -> list[str]:
    """Return the codes of the column ``note`` that all rows about a sample have."""
    codes = [f"rows-dropped={sample.n_dropped}"] if sample.n_dropped else []
    return codes if sample._repeated is None else [*codes, REPEATED]


# --- Roles, and the rows kept under a policy for missing values -----------------------------------

NanPolicy = Literal["raise", "omit"]
NAN_POLICIES = ("raise", "omit")
OwnNanPolicy = Literal["raise", "omit", "available"]
OWN_NAN_POLICIES = (*NAN_POLICIES, "available")
_FACTORS = ("cluster", "fold")


def read_roles(inputs: Inputs, nan_policy: OwnNanPolicy = "omit") -> dict[str, Any]:
    """Return every role as a validated array or factor; None for a role that was not given."""
    roles = inputs.roles
    frequency, weight = (
        read_weights(roles[name], whole=whole) if name in roles else None
        for name, whole in (("frequency", True), ("sample_weight", False))
    )
    gone = _rows_left_out_for_missing(frequency, inputs, nan_policy)

    def factor(vector: Vector) -> Factor:
        role = read_factor(vector)
        # Rows left out say nothing of the order of groups: they are as if they were not there.
        return role if gone is None else role.in_order_of(np.flatnonzero(~gone))

    factors = {name: factor(roles[name]) if name in roles else None for name in _FACTORS}
    columns = {name: factor(vector) for name, vector in inputs.group.items()}
    group = joint_factor_of_role_columns(columns) if columns else None
    return {"frequency": frequency, "sample_weight": weight, **factors, "group": group}


def joint_factor_of_role_columns(named: Mapping[str, Factor]) -> Factor:
    """Return the factor of the combinations that occur, ordered by the first column, and so on."""
    columns = list(named.values())
    if len(columns) == 1:
        return columns[0]
    names = names_of_group_columns(list(named))
    missing = np.any([column.codes < 0 for column in columns], axis=0)
    known = np.flatnonzero(~missing)
    cell = joint_codes([column.take(known) for column in columns], len(known))
    _, first = np.unique(cell, return_index=True)
    values = [tuple(c.labels[code] for code in c.codes[known[first]]) for c in columns]
    labels = list(map(joined_group_label, zip(*values, strict=True)))
    require_distinct_group_labels(labels)
    codes = np.full(len(missing), -1, dtype=np.intp)
    codes[known] = cell
    return Factor(tuple(labels), codes, tuple(zip(names, values, strict=True)))


def keep_whole_rows(
    arrays: dict[str, Any], inputs: Inputs, nan_policy: OwnNanPolicy
) -> dict[str, Any]:
    """Return the arrays without rows that have a missing value or frequency 0, and ``n_dropped``.

    Under "available" scores of some predictors may be missing in the rows that are kept.
    """
    if nan_policy == "raise":
        _require_whole_rows(inputs)
    missing = inputs.missing(each_own=nan_policy == "available")
    gone = _rows_left_out_for_missing(arrays["frequency"], inputs, nan_policy)
    if gone is not None:
        arrays = take_rows(arrays, np.flatnonzero(~gone))
    return {**arrays, "n_dropped": 0 if missing is None else int(np.count_nonzero(missing))}


def read_own_dropped(
    scores: FloatArray, inputs: Inputs, nan_policy: OwnNanPolicy
) -> tuple[int, ...] | None:
    """Return the number of rows left out for each predictor; None if they share all cases.

    ``scores`` are those of the rows that are kept.
    """
    if nan_policy != "available" or not np.isnan(scores).any():
        return None
    shared = inputs.missing(each_own=True)
    numbers = []
    for vector in inputs.scores.values():
        masks = [mask for mask in (shared, vector.missing) if mask is not None]
        numbers.append(int(np.count_nonzero(np.any(masks, axis=0))) if masks else 0)
    return tuple(numbers)


def _rows_left_out_for_missing(
    frequency: FloatArray | None, inputs: Inputs, nan_policy: OwnNanPolicy
) -> BoolArray | None:
    """Return a mask of the rows to leave out, None if there are none."""
    # Rows of frequency 0 are no cases: they are left out, and not counted as dropped.
    absent = None if frequency is None or frequency.all() else frequency == 0
    # Whole rows, but under "available": every predictor is then of the same cases.
    missing = inputs.missing(each_own=nan_policy == "available")
    masks = [mask for mask in (missing, absent) if mask is not None]
    return np.asarray(np.any(masks, axis=0)) if masks else None


def _require_whole_rows(inputs: Inputs) -> None:
    vectors: list[tuple[str, Vector]] = [("", inputs.y_true)]
    vectors += [(f" of {n!r}", vector) for n, vector in distinct_vectors(inputs.scores).items()]
    vectors += [("", vector) for vector in inputs.of_roles]
    index = inputs.cases.index
    for of, vector in vectors:
        if vector.missing is not None:
            rows = np.flatnonzero(vector.missing)
            raise InputError(
                f"`{vector.argument}` must have no missing values; got {len(rows)}{of}"
                f" ({describe_rows(rows, index)}). Pass nan_policy='omit' to leave these rows out,"
                " or fill them in."
            )


# --- Covariates -----------------------------------------------------------------------------------

_TEXT_KINDS = ("string", "empty", "bytes")  # kinds of objects as pandas calls them


class Covariate(NamedTuple):
    """Name of a covariate, and its labels; () of one that is a number."""

    name: str
    levels: tuple[str, ...] = ()


def read_covariates(
    vectors: Mapping[str, Vector],
) -> tuple[tuple[Covariate, ...], FloatArray | None]:
    """Return the covariates, and a row of numbers (codes of labels) for each; NaN where missing."""
    read = [_read_covariate(name or "covariate", vector) for name, vector in vectors.items()]
    if not read:
        return (), None
    return tuple(covariate for covariate, _ in read), np.stack([values for _, values in read])


def _read_covariate(name: str, vector: Vector) -> tuple[Covariate, FloatArray]:
    if _covariate_has_labels(vector):
        factor = read_factor(vector)
        codes = np.where(factor.codes < 0, np.nan, factor.codes)
        return Covariate(name, factor.labels), codes
    values = read_scores(vector)
    wrong = np.flatnonzero(np.abs(values) >= 1 / LEAST_UNIT)
    if len(wrong):
        raise InputError(
            f"`covariate` must be numbers below {1 / LEAST_UNIT:g} in size, or labels; got"
            f" {values[wrong[0]]:g} in {describe_rows(wrong, vector.index)} of {name!r}."
            " Correct these rows, or express the covariate in another unit."
        )
    return Covariate(name), values


def _covariate_has_labels(vector: Vector) -> bool:
    """Return whether values are categories or texts, not numbers."""
    values = vector.values
    if isinstance(values, pd.Categorical):
        return True
    if values.dtype.kind != "O":
        return values.dtype.kind in "US"
    known = values if vector.missing is None else values[~vector.missing]
    return infer_dtype(known) in _TEXT_KINDS


# --- The printed description ----------------------------------------------------------------------

_NAMES_IN_A_LINE = 8  # names of usual length fill a line of about 100 characters


def names_in_short(names: Iterable[str]) -> str:
    """Return the first names of a list, and the number of all if not all are shown."""
    shown: Sequence[str] = list(names)
    more = f", ... ({len(shown)} in all)" if len(shown) > _NAMES_IN_A_LINE else ""
    return ", ".join(shown[:_NAMES_IN_A_LINE]) + more


def directed_names(names: Sequence[str], higher_is_positive: Sequence[bool]) -> str:
    """Return shortened names, with a mark if lower scores are positive."""
    return names_in_short(
        name if higher else f"{name} (lower is positive)"
        for name, higher in zip(names, higher_is_positive, strict=True)
    )


def role_facts(sample: BaseSample) -> dict[str, str]:
    """Return a line of the description for each role that a sample has."""
    facts = {}
    for role in ("cluster", "fold", "group"):
        factor = getattr(sample, role)
        if factor is not None:
            # Labels present, not all labels: the sample of a group keeps the labels of the whole.
            facts[f"{role}s"] = f"{len(factor.present):,}"
    if sample.covariate is not None:
        facts["covariates"] = names_in_short(covariate.name for covariate in sample._covariates)
    if sample.frequency is not None:
        facts["frequency"] = "rows stand for several cases"
    if sample.sample_weight is not None:
        facts["sample_weight"] = "rows are weighted"
    if sample.n_dropped:
        facts["rows dropped"] = f"{sample.n_dropped:,} with a missing value"
    return facts


def study_description_as_text(title: str, facts: Mapping[str, str]) -> str:
    """Return the description as aligned lines under a title."""
    width = max(map(len, facts))
    lines = [f"  {name:<{width}}  {value}" for name, value in facts.items()]
    return "\n".join([title, *lines])


def study_description_as_html(title: str, facts: Mapping[str, str]) -> str:
    """Return the description as an HTML table for notebooks, names and values escaped."""
    # Names come from the columns of the user, which may contain markup.
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table><caption>{title}</caption><tbody>{rows}</tbody></table>"
