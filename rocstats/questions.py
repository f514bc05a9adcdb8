"""What a question says of itself, once: name, columns, literature, and the roles it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from rocstats.errors import InputError


class HasRoles(Protocol):
    """A study, as far as a question looks at it before it answers."""

    @property
    def frequency(self) -> Any: ...  # noqa: D102
    @property
    def sample_weight(self) -> Any: ...  # noqa: D102
    @property
    def cluster(self) -> Any: ...  # noqa: D102
    @property
    def fold(self) -> Any: ...  # noqa: D102
    @property
    def group(self) -> Any: ...  # noqa: D102


class Refusal(NamedTuple):
    """Why a question has no answer for a study with a role, in the words of its message.

    The message reads "`role` must {must}; got {got}. {mend}"; ``got`` may hold "{role}".
    """

    must: str
    mend: str
    got: str = "a study with {role}="

    def message(self, role: str) -> str:
        """Return what the user reads."""
        return f"`{role}` must {self.must}; got {self.got.format(role=role)}. {self.mend}"


def counts_only(name: str, why: str, got: str) -> Refusal:
    """Return why the question ``name`` refuses weights: it is of cases that are counted."""
    return Refusal(
        f"not be given to a study that is asked for {name}",
        f"{why}: pass frequency=, or leave the weights out.",
        got,
    )


class Question(NamedTuple):
    """A question of a study, declared once beside its function.

    ``columns`` are those of its frame in order (``group`` is there only if the study has groups),
    ``references`` keys of the bibliography, ``refuses`` the roles that a study must not have.
    """

    name: str
    columns: tuple[str, ...]
    references: tuple[str, ...] = ()
    refuses: Mapping[str, Refusal] = MappingProxyType({})

    def columns_of(self, *, grouped: bool) -> list[str]:
        """Return the columns of a frame, with or without ``group``."""
        return [name for name in self.columns if name != "group" or grouped]

    def require_roles(self, sample: HasRoles) -> None:
        """Raise InputError if the study has a role that this question refuses."""
        for role, refusal in self.refuses.items():
            if getattr(sample, role) is not None:
                raise InputError(refusal.message(role))


def columns_in(words: str) -> tuple[str, ...]:
    """Return the columns that a text names, in its order."""
    return tuple(words.split())


ESTIMATE = "estimate se ci_low ci_high confidence_level"
"""Columns of an estimate and its interval."""

TEST = "null_value statistic df p_value"
"""Columns of a test."""

AREA = f"quantity range_axis range_low range_high {ESTIMATE}"
"""Columns of an area and its interval."""

CURVE = "predictor group fold direction threshold"
"""Columns that say what a vertex of a curve is of."""
