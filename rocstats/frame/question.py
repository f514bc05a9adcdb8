"""The declaration of a question: name, columns, references, and the roles that it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from rocstats.errors import InputError
from rocstats.facts.columns import GLOSSARY

BINNING_ERROR = "binning_error"
"""The column of the bound on the error that binned scores make."""


class HasRoles(Protocol):
    """The roles of a study, which a question checks before it computes anything."""

    # A protocol: the folder of the studies imports this one, which therefore cannot import them.
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
    @property
    def covariate(self) -> Any: ...  # noqa: D102


class RoleRefusal(NamedTuple):
    """The message with which a question refuses a role of the study.

    The message reads "`role` must {must}; got {got}. {instead}"; ``got`` may hold "{role}".
    """

    must: str
    instead: str
    got: str = "a study with {role}="

    def message(self, role: str) -> str:
        """Return what the user reads."""
        return f"`{role}` must {self.must}; got {self.got.format(role=role)}. {self.instead}"


def counts_only(name: str, why: str, got: str) -> RoleRefusal:
    """Return the refusal of weights by a question ``name`` whose method counts cases."""
    return RoleRefusal(
        f"not be in a study for {name}",
        f"{why}: pass frequency=, or leave the weights out.",
        got,
    )


class Question(NamedTuple):
    """The declaration of a question of a study, beside its function.

    ``columns`` are those of its frame in order (``group`` is there only if the study has groups),
    ``references`` keys of the bibliography, ``refuses`` the roles that a study must not have.
    ``own_columns`` are further columns where each predictor keeps its own cases. ``binned`` says
    that answers about binned scores have the column ``binning_error``; others are refused.
    ``adjusts`` says that the answer allows for covariates; other questions refuse them. ``advice``
    is what its own options can do about a note, by code: it follows the meaning in the warning.
    """

    name: str
    columns: tuple[str, ...]
    references: tuple[str, ...] = ()
    # A read-only mapping: the default is shared by all questions.
    refuses: Mapping[str, RoleRefusal] = MappingProxyType({})
    own_columns: tuple[str, ...] = ()
    binned: bool = False
    adjusts: bool = False
    advice: Mapping[str, str] = MappingProxyType({})

    def columns_of(self, *, grouped: bool) -> list[str]:
        """Return the columns of a frame, with or without ``group``."""
        return [name for name in self.columns if name != "group" or grouped]

    def of_own_cases(self) -> Question:
        """Return the question of a study whose predictors keep their own cases."""
        return self._replace(columns=estimate_columns(" ".join(self.columns + self.own_columns)))

    def of_bins(self) -> Question:
        """Return the question of a study of binned scores; InputError if it has no bound there."""
        self.require_bound()
        # Answers with an interval have the error behind it, curves at their end.
        ordered = "ci_low" in self.columns
        names = (*self.columns, BINNING_ERROR)
        return self._replace(columns=estimate_columns(" ".join(names)) if ordered else names)

    def require_bound(self) -> None:
        """Raise InputError if no bound is known on the error that binned scores make."""
        if not self.binned:
            raise InputError(
                f"`exact` must be True in the counts of a study for {self.name}; got binned"
                " scores, for which the error of this method is not known. Count the scores"
                " again with exact=True."
            )

    def refuse_covariates(self, sample: HasRoles) -> None:
        """Raise InputError if the study has covariates that this question does not adjust for."""
        if not self.adjusts and sample.covariate is not None:
            raise InputError(
                f"`covariate` must not be in a study for {self.name}; got a study with covariate=."
                " This method does not adjust for covariates: leave covariate= out, or use"
                " adjusted_auc(), compare_adjusted_auc(), adjusted_roc_curve() or covariate_auc()."
            )

    def require_roles(self, sample: HasRoles) -> None:
        """Raise InputError if the study has a role, or bins, that this question refuses."""
        self.refuse_covariates(sample)
        if getattr(sample, "_bin_end", None) is not None:
            self.require_bound()
        # In the order of the declaration, so that a study with several roles has one message.
        for role, refusal in self.refuses.items():
            if getattr(sample, role) is not None:
                raise InputError(refusal.message(role))


def columns_in(words: str) -> tuple[str, ...]:
    """Return the columns that a text names, in its order."""
    return tuple(words.split())


def estimate_columns(words: str) -> tuple[str, ...]:
    """Return the columns of estimates that a text names, in the order of the glossary.

    What is estimated comes first, then the answer, then the rest: the answer is on the screen.
    """
    return tuple(sorted(words.split(), key=list(GLOSSARY).index))


# Columns shared by several questions, written once: frames can then be stacked on each other.
ESTIMATE = "estimate se ci_low ci_high confidence_level"
"""Columns of an estimate and its interval."""

TEST = "null_value statistic df p_value"
"""Columns of a test."""

AREA = f"quantity range_axis range_low range_high {ESTIMATE}"
"""Columns of an area and its interval."""

CURVE = "predictor group fold direction threshold next_score"
"""Columns that name the curve, the threshold of a vertex and the score next to it."""
