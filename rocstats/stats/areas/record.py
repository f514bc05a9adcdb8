"""The record of a variance of an area: its estimator, and the roles of a study it supports."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rocstats.curves.areas.partial import AreaRange
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.intervals.area import Area
from rocstats.stats.word import Word

Estimate = Callable[[ScoredCases, int, AreaRange, bool], Area]
"""From cases, predictor, range, and whether the parts of the variance are wanted too."""


class AreaVariance(NamedTuple):
    """A variance of one area.

    ``clustered`` is its word where cases come in clusters; without one it refuses clusters.
    ``partial`` says that it has a form for partial areas, ``needs_folds`` that it is defined for
    cross-validated areas only. ``printed`` are its words in ``method`` under each role. ``codes``
    returns the notes of a sample that is too small for it.
    """

    word: str
    estimate: Estimate
    printed: tuple[Word, ...]
    clustered: str = ""
    partial: bool = False
    needs_folds: bool = False
    codes: Callable[[ScoredCases], tuple[str, ...]] = lambda cases: ()

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of all references, each once."""
        # Keys of a dict keep their order, those of a set do not.
        return tuple(dict.fromkeys(key for word in self.printed for key in word.references))

    @property
    def published(self) -> bool:
        """Whether every form of it is published."""
        return all(word.published for word in self.printed)

    def name(self, cases: ScoredCases) -> str:
        """Return the word for the variance under the roles of a sample."""
        # LeDell's variance is a mean over folds already, and is not called foldwise.
        word = self.clustered if cases.cluster is not None else self.word
        return f"foldwise-{word}" if cases.fold is not None and not self.needs_folds else word
