"""The base of all samples: immutable rows with roles, split by group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.questions import Question
from rocstats.sample.arrays import Factor, FloatArray, IntArray, take_rows
from rocstats.sample.covariates import Covariate
from rocstats.sample.describe import as_html, as_text
from rocstats.special import scipy_special

Kept = TypeVar("Kept")

REPEATED = "repeated-cases"
"""Note of every row about a study whose cases evidently repeat over folds."""

# Pandas copies what a frame carries at every step, and no graph tells more series apart than this.
_MOST_NAMED = 100


class BaseSample:
    """Rows, each a case or several equal cases, with their roles; every array is read-only.

    A subclass sets its fields with ``_settle`` once: arrays whose last axis is the row, factors,
    and properties of the whole sample.
    """

    frequency: FloatArray | None
    sample_weight: FloatArray | None
    cluster: Factor | None
    predictors: tuple[str, ...]
    fold: Factor | None
    group: Factor | None
    # A row of numbers, or of codes of labels, for each covariate of ``_covariates``.
    covariate: FloatArray | None = None
    _covariates: tuple[Covariate, ...] = ()
    n_dropped: int
    # Set where they apply: the words of the study in print (``rocstats.frames.labels``), and
    # whether cases evidently repeat over folds without ``cluster=``.
    _shown: Mapping[str, Any] = MappingProxyType({})
    _repeats: bool = False
    # The other end of the bin of each row, whose first end is its score; None for exact scores.
    _bin_end: FloatArray | None = None
    # Whether the rows are cells of a count table: there are no single cases.
    _from_counts: bool = False

    @property
    def labels(self) -> dict[str, str]:
        """Labels in print, by name; empty if none were given."""
        return dict(self._shown.get("labels", {}))

    def by_group(self) -> list[tuple[str, Self]]:
        """Return the sample of each group in order of appearance; ("", itself) without groups."""
        if self.group is None:
            return [("", self)]
        if "group" not in self._cache:
            self._cache["group"] = [
                (label, self._part(rows)) for label, rows in self.group.rows_by_label()
            ]
        return self._cache["group"]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return as_text(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return as_html(type(self).__name__, self._facts())

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


def once(sample: BaseSample, key: Hashable, compute: Callable[[], Kept]) -> Kept:
    """Return what is computed of a sample at the first call with a key, and kept."""
    if key not in sample._cache:
        sample._cache[key] = compute()
    kept: Kept = sample._cache[key]
    return kept


def asked(question: Question, sample: BaseSample) -> Question:
    """Return the question with the columns that the study adds; InputError if it has no answer."""
    question.refuse_covariates(sample)  # once more: no question can forget to ask
    return question if sample._bin_end is None else question.of_bins()


def require_cases(sample: BaseSample, what: str) -> None:
    """Raise InputError for what needs single cases, if the study is made of counts."""
    if sample._from_counts:
        raise InputError(
            f"`counts` must not be all that is known of the cases for {what}, since counts say"
            " nothing of single cases; got a study from counts. Pass the cases to Study."
        )


def said_of(sample: BaseSample) -> set[str]:
    """Return the doubts that a study has warned of, to be added to."""
    return once(sample, "said", set[str])


def shown_of(sample: BaseSample) -> Mapping[str, Any]:
    """Return what the frames of a study carry for print: its words, and its order."""
    names, groups = sample.predictors, () if sample.group is None else sample.group.labels
    if len(names) + len(groups) > _MOST_NAMED:
        names = groups = ()
    # A predictor has the same colour in a graph of its own as in that of all predictors.
    return {**sample._shown, "predictors": list(names), "groups": list(groups)}


def row_codes(sample: BaseSample) -> list[str]:
    """Return the codes of the column ``note`` that all rows about a sample have."""
    codes = [f"rows-dropped={sample.n_dropped}"] if sample.n_dropped else []
    return [*codes, REPEATED] if sample._repeats else codes
