"""What the codes of events mean: which is the event, which compete, and which are censored.

By convention 0 is censored; other codes are named by the user. No code is guessed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Number, Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_whole
from rocstats.facts.arrays import IntArray
from rocstats.facts.words import did_you_mean
from rocstats.study.vectors import Vector, describe_rows, distinct_labels, label_text

EVENTS = "events"
"""Where frames carry which codes were the event, competing events and censoring, in words."""

_CODES_ADVICE = (
    "Code it 0 for censored, 1 for the event, 2, 3, ... for events of other causes, or pass"
    " event_code= and censored_code=."
)
_OTHERS_COMPETE = "Codes in neither are competing events."


class Events(NamedTuple):
    """What ended each time, 0 for censoring and where missing; the user's codes of each number."""

    numbers: IntArray
    codes: dict[int, tuple[str, ...]]


def read_events(vector: Vector, event_code: Any = None, censored_code: Any = None) -> Events:
    """Return what ended each time; raise InputError where the codes do not tell."""
    found = _distinct_event_codes(event_codes_of_categories(vector))
    if event_code is None and censored_code is None:
        return _numbered_events(found)
    return _named_events(found, event_code, censored_code)


def event_codes_of_categories(vector: Vector) -> Vector:
    """Return categories as the numbers or words that they stand for."""
    if not isinstance(vector.values, pd.Categorical):
        return vector
    return replace(vector, values=np.asarray(vector.values))


def read_cause(cause: Any, events: IntArray, event_code: Any = None) -> int:
    """Return the number of the event of interest; raise InputError if no patient has it."""
    number = require_whole("cause", cause, 1, "It is the code of the event of interest.")
    if event_code is not None and number != 1:
        raise InputError(
            f"`cause` must be left out where event_code is given; got {cause!r}. Pass one of them."
        )
    causes = [int(code) for code in np.unique(events) if code > 0]
    if not causes:
        got = f"{len(events):,} patients, all censored" if len(events) else "no patients"
        raise InputError(f"`event` must hold an event; got {got}. {_CODES_ADVICE}")
    if number not in causes:
        raise InputError(
            f"`cause` must be the code of an event that patients had: {causes}; got {cause!r}."
            f" {_CODES_ADVICE}"
        )
    return number


# --- Events in words ------------------------------------------------------------------------------


class EndOfFollowUp(NamedTuple):
    """A way in which patients left: their number, and its codes as the user wrote them."""

    number: int
    codes: tuple[str, ...]

    def in_words(self, what: str = "") -> str:
        """Return the number, what they did, and the codes: "6 had the event (code 2)"."""
        if not self.number:
            return f"none {what}".strip()
        code = "code" if len(self.codes) == 1 else "codes"
        parts = (f"{self.number:,}", what, f"({code} {', '.join(self.codes)})")
        return " ".join(filter(None, parts))


class EndsOfFollowUp(NamedTuple):
    """The ways in which patients left."""

    event: EndOfFollowUp
    competing: EndOfFollowUp
    censored: EndOfFollowUp

    @classmethod
    def of(
        cls, event: IntArray, cause: int, codes: Mapping[int, tuple[str, ...]]
    ) -> EndsOfFollowUp:
        """Return the ways of some patients; ``codes`` has the texts of each number in ``event``."""
        numbers, counts = np.unique(event, return_counts=True)
        count = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
        others = [number for number in count if number not in (0, cause)]

        def end(kinds: Sequence[int]) -> EndOfFollowUp:
            texts = (text for kind in kinds for text in codes[kind])
            return EndOfFollowUp(sum(count.get(kind, 0) for kind in kinds), tuple(texts))

        return cls(end([cause]), end(others), end([0] if 0 in count else []))

    def in_words(self) -> str:
        """Return a sentence: "Of 8 patients, 4 had the event (code 1), ..."."""
        were = "were" if self.censored.number > 1 else "was"
        return (
            f"Of {sum(end.number for end in self):,} patients,"
            f" {self.event.in_words('had the event')},"
            f" {self.competing.in_words('a competing event first')}, and"
            f" {self.censored.in_words(f'{were} censored')}."
        )


# --- The codes of a column ------------------------------------------------------------------------

# Codes that a message names; a code of so few patients is named with its rows.
_MOST_CODES, _MOST_ROWS = 8, 3


class _EventCodes(NamedTuple):
    """The distinct codes of a column, numbers in their order, and the place of each row's code.

    The place is -1 where the code is missing.
    """

    labels: list[Any]
    places: IntArray
    row_labels: pd.Index[Any] | None

    @property
    def are_numbers(self) -> bool:
        """Whether no code is a word."""
        return all(isinstance(label, (Number, np.bool_)) for label in self.labels)

    @property
    def are_true_or_false(self) -> bool:
        """Whether every code is True or False."""
        return all(isinstance(label, (bool, np.bool_)) for label in self.labels)

    @property
    def zero(self) -> list[int]:
        """The place of the code 0, by convention that of the censored."""
        return [k for k, label in enumerate(self.labels) if self.are_numbers and label == 0]

    def in_words(self) -> str:
        """Return the codes with their numbers of patients: "1 (6 patients), 2 (5)"."""
        parts = []
        for k, label in enumerate(self.labels[:_MOST_CODES]):
            rows = np.flatnonzero(self.places == k)
            number = f"{len(rows):,}" if k else f"{len(rows):,} patient{'s' * (len(rows) != 1)}"
            where = f", {describe_rows(rows, self.row_labels)}" if len(rows) <= _MOST_ROWS else ""
            parts.append(f"{_quoted_event_code(label)} ({number}{where})")
        more = len(self.labels) - len(parts)
        return ", ".join([*parts, *([f"and {more} more codes"] if more else [])])

    def places_of(self, argument: str, given: Any) -> list[int]:
        """Return the places of the codes that a user names; raise InputError for an unknown one."""
        several = isinstance(given, (list, tuple, set, frozenset, np.ndarray, pd.Index, pd.Series))
        places = {label: k for k, label in enumerate(self.labels)}
        found = []
        for code in given if several else [given]:
            if not isinstance(code, Hashable) or code not in places:
                advice = did_you_mean(code, [str(label) for label in self.labels])
                raise InputError(
                    f"`{argument}` must be codes of `event`, which are {self.in_words()}; got"
                    f" {code!r}.{advice or ' Pass one of them.'}"
                )
            found.append(places[code])
        return found

    def texts(self, places: Sequence[int]) -> tuple[str, ...]:
        """Return the codes at some places, words in quotes."""
        return tuple(_quoted_event_code(self.labels[k], '"') for k in places)


def _quoted_event_code(label: Any, mark: str = "'") -> str:
    return f"{mark}{label}{mark}" if isinstance(label, str) else label_text(label)


def _distinct_event_codes(vector: Vector) -> _EventCodes:
    """Return the distinct codes of a vector that occur."""
    codes, distinct = distinct_labels(vector)
    if vector.missing is not None:
        codes = np.where(vector.missing, -1, codes)
    labels = np.asarray(distinct).tolist()  # Python's numbers print as the user wrote them
    # The value behind a mask is a label that no row has.
    order = np.unique(codes[codes >= 0]).tolist()
    if all(isinstance(labels[k], (Real, np.bool_)) for k in order):
        order.sort(key=labels.__getitem__)
    places = np.full(len(labels) + 1, -1)  # the last place is that of the code -1
    places[order] = np.arange(len(order))
    return _EventCodes([labels[k] for k in order], places[codes], vector.index)


def _numbered_events(found: _EventCodes) -> Events:
    """Return events by the convention that 0 is censored; InputError unless 0 is a code."""
    by_convention = found.zero or found.are_true_or_false
    if not by_convention or not found.are_numbers:
        where = "no code of `event` is 0" if found.are_numbers else "codes of `event` are words"
        raise InputError(
            f"`event_code` must be given where {where}; got {found.in_words()}. Pass event_code="
            f" and censored_code=. {_OTHERS_COMPETE}"
        )
    # So few that they are codes: an integer beyond would overflow.
    wrong = [
        k for k, label in enumerate(found.labels)
        if not (float(label).is_integer() and 0 <= label <= 2**31)
    ]  # fmt: skip
    if wrong:
        rows = np.flatnonzero(found.places == wrong[0])
        raise InputError(
            f"`event` must be 0, 1, 2, ... or True and False; got"
            f" {label_text(found.labels[wrong[0]])} ({describe_rows(rows, found.row_labels)})."
            f" {_CODES_ADVICE}"
        )
    numbers = np.array([*map(int, found.labels), 0])
    codes = {int(label): found.texts([k]) for k, label in enumerate(found.labels)}
    return Events(numbers[found.places], codes)


def _named_events(found: _EventCodes, event_code: Any, censored_code: Any) -> Events:
    """Return events by the codes that the user names."""
    if event_code is None:
        raise InputError(
            f"`event_code` must be given with censored_code; got {found.in_words()}. Pass the code"
            f" of the event. {_OTHERS_COMPETE}"
        )
    event = found.places_of("event_code", event_code)
    if not event:
        raise InputError(
            f"`event_code` must name a code of `event`; got none of {found.in_words()}. Pass one."
        )
    if censored_code is None:
        censored = _conventional_censored_code(found, event)
    else:
        censored = found.places_of("censored_code", censored_code)
    both = found.texts([k for k in event if k in censored])
    if both:
        raise InputError(
            f"`censored_code` must not be a code of the event; got {', '.join(both)} for both."
            " Pass each code once."
        )
    numbers = np.zeros(len(found.labels) + 1, dtype=np.intp)  # the last: where missing
    others = [k for k in range(len(found.labels)) if k not in (*event, *censored)]
    numbers[event], numbers[others] = 1, np.arange(2, len(others) + 2)
    _require_one_meaning_of_event_words(found, numbers)
    codes = {0: found.texts(censored), 1: found.texts(sorted(set(event)))}
    codes |= {k: found.texts([other]) for k, other in enumerate(others, start=2)}
    return Events(numbers[found.places], codes)


def _conventional_censored_code(found: _EventCodes, event: Sequence[int]) -> list[int]:
    """Return the place of the code 0, or none if all codes are the event; InputError elsewhere."""
    rest = [k for k in range(len(found.labels)) if k not in event]
    zero = [k for k in found.zero if k in rest]
    if rest and not zero:
        raise InputError(
            f"`censored_code` must be given where 0 does not mean censored; got"
            f" {found.in_words()}. Pass censored_code=, or [] if nobody is censored."
            f" {_OTHERS_COMPETE}"
        )
    return zero


def _require_one_meaning_of_event_words(found: _EventCodes, numbers: IntArray) -> None:
    """Raise InputError for words that differ by case or blanks alone and have two meanings."""
    seen: dict[str, int] = {}
    for k, label in enumerate(found.labels):
        if isinstance(label, str):
            other = seen.setdefault(label.strip().casefold(), k)
            if numbers[other] != numbers[k]:
                raise InputError(
                    "`event` must give codes that differ by case or blanks alone one meaning; got"
                    f" {found.labels[other]!r} and {label!r} apart. Correct them, or pass both."
                )
