"""What all samples share: immutable rows with roles, split by group or by fold."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from rocstats.sample.describe import as_html, as_text
from rocstats.sample.rows import take_rows
from rocstats.sample.vectors import BoolArray, Factor, FloatArray, IntArray

_SMALL = 2**16


class Cases:
    """Rows that stand for cases, with their roles; every array is read-only.

    A subclass sets its fields with ``_settle`` once: arrays whose last axis is the row, factors,
    and facts about the whole.
    """

    frequency: FloatArray | None
    sample_weight: FloatArray | None
    cluster: Factor | None
    fold: Factor | None
    group: Factor | None
    n_dropped: int

    def by_group(self) -> list[tuple[str, Self]]:
        """Return the sample of each group in order of appearance; ("", itself) without groups."""
        return self._split("group", self.group)

    def by_fold(self) -> list[tuple[str, Self]]:
        """Return the sample of each fold in order of appearance; ("", itself) without folds."""
        return self._split("fold", self.fold)

    def pooled(self) -> Self:
        """Return the sample without its folds."""
        return self if self.fold is None else self._of({**self.__getstate__(), "fold": None})

    def notes(self) -> list[str]:
        """Return the codes that every row about this sample carries."""
        return [f"rows-dropped={self.n_dropped}"] if self.n_dropped else []

    def __repr__(self) -> str:
        return as_text(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return as_html(type(self).__name__, self._facts())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a study is immutable: `{name}` cannot be set; make a new study.")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._settle(state)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}

    _cache: dict[Any, Any]

    def _facts(self) -> dict[str, str]:
        """Return what the sample says of itself."""
        raise NotImplementedError

    @classmethod
    def _of(cls, fields: dict[str, Any]) -> Self:
        """Return a sample of fields that are validated already."""
        sample = object.__new__(cls)
        sample._settle(fields)
        return sample

    def _settle(self, fields: dict[str, Any]) -> None:
        """Set the fields once and for all, every array read-only."""
        for value in fields.values():
            array = value.codes if isinstance(value, Factor) else value
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        self.__dict__.update(fields, _cache={})

    def _total(self, mask: BoolArray) -> float:
        """Return the number of cases of some rows."""
        if self.frequency is None:
            return float(np.count_nonzero(mask))
        return float(self.frequency[mask].sum())

    def _weight(self) -> FloatArray | None:
        """Return what each row counts for: frequency times weight, None if each counts once."""
        if self.frequency is None or self.sample_weight is None:
            return self.frequency if self.sample_weight is None else self.sample_weight
        if "weight" not in self._cache:
            self._cache["weight"] = self.frequency * self.sample_weight
        return self._cache["weight"]  # type: ignore[no-any-return]

    def _split(self, name: str, factor: Factor | None) -> list[tuple[str, Self]]:
        if factor is None:
            return [("", self)]
        if name not in self._cache:
            codes = factor.codes
            if len(factor.labels) < _SMALL:  # sorted by counting, in linear time
                codes = codes.astype(np.uint16)
            order = np.argsort(codes, kind="stable")
            ends = np.cumsum(np.bincount(factor.codes, minlength=len(factor.labels)))
            rows = np.split(order, ends[:-1])
            self._cache[name] = [
                (label, self._part(part, without=name))
                for label, part in zip(factor.labels, rows, strict=True)
                if len(part)
            ]
        return self._cache[name]  # type: ignore[no-any-return]

    def _part(self, rows: IntArray, without: str) -> Self:
        return self._of({**take_rows(self.__getstate__(), rows), without: None})
