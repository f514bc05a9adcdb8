"""The validated data of a survival study: times, what ended them, and scores of patients.

Codes say which end is the event, which compete, and which are censored. By convention 0 is
censored; other codes are named by the user. No code is guessed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Number, Real
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_whole
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.words import did_you_mean
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    directed_names,
    keep_whole_rows,
    read_roles,
    role_facts,
)
from rocstats.study.columns import Columns, require_equal_rows
from rocstats.study.forms import (
    Inputs,
    distinct_vectors,
    named_scores,
    one_vector,
    predictor_naming,
    read_category_words,
    read_score_rows,
    require_no_outcome,
    role_vectors,
)
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    distinct_labels,
    label_text,
    read_directions,
    read_scores,
    require_no_text,
)

EVENTS = "events"
"""Where frames carry which codes were the event, competing events and censoring, in words."""

_CODES_ADVICE = (
    "Code it 0 for censored, 1 for the event, 2, 3, ... for events of other causes, or pass"
    " event_code= and censored_code=."
)
_OTHERS_COMPETE = "Codes in neither option are competing events."


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
            "`censored_code` must be given where 0 does not mean censored; got"
            f" {found.in_words()}. Pass censored_code=, or [] if no patient is censored."
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
                    "`event` must have one meaning for codes that differ only in capital letters"
                    f" or blanks; got {found.labels[other]!r} and {label!r} with different"
                    " meanings. Correct the codes, or pass both."
                )


# --- The study ------------------------------------------------------------------------------------


class SurvivalSample(BaseSample):
    """Survival study: times to an event, possibly censored, and scores of one or more predictors.

    Use this study if patients have different follow-up times, to evaluate how well a score at
    baseline predicts the event up to a given time. Do not use it for scores that are updated during
    follow-up.

    Parameters
    ----------
    time : array-like of float >= 0, shape (n,), or str
        Time from the start of follow-up to the event or to the end of observation, in any unit.
        With ``data``, the name of the column in ``data``.
    event : array-like of int, bool or str, shape (n,), or str
        Status at the end of this time: 0 (False) for censored, 1 (True) for the event, and other
        whole numbers for competing events. After a competing event, the event of interest cannot
        occur. Text needs ``event_code`` and ``censored_code``. Codes without 0, such as 1 for
        censored and 2 for dead, need both options too.
    score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors at the start, as in ``Study``: numbers, or ordered
        categories. With ``data``, the names of the columns in ``data``.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``score``. Default: the name of the Series, else "score".
        The columns of a matrix are named "score_1", "score_2", ....
    cause : int >= 1, default 1
        Code of the event of interest; 0 is censored.
    event_code : int, bool or str, or sequence of them, optional
        Code of the event of interest, or codes that count as one event, instead of ``cause``. Codes
        that are neither ``event_code`` nor ``censored_code`` are competing events.
    censored_code : int, bool or str, or sequence of them, optional
        Code, or codes, of censored patients; [] if no patient is censored. By default 0 if 0 is
        among the codes, and no code if all codes are in ``event_code``. Otherwise required.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean an earlier event. The direction is
        never guessed.
    cluster : array-like, or str, optional
        Units whose patients are dependent (centre, family). Clusters change standard errors only.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups: every method returns a set of rows per group, as in ``Study``. Each
        group has a separate distribution of censoring.
    nan_policy : {"raise", "omit"}, default "raise"
        Missing values are refused ("raise"), or rows with missing values are omitted and counted in
        ``note`` ("omit").
    labels : mapping of str to str, optional
        Printed names of predictors (and columns of groups) in tables, plots and reports. Returned
        frames keep the original names. Labels of other columns of ``data`` are ignored.
    outcome : str, optional
        Printed name of the event in tables and reports, such as "Death".

    Raises
    ------
    InputError
        If an argument is not of the described kind; if it is unclear which codes are the event and
        which are censoring; or if no patient had the event. The message says what to do.

    Notes
    -----
    Censoring is assumed to be independent of the time of the event, its cause and the scores,
    within a group. If scores are related to censoring, areas are biased. In simulations, one
    standard deviation of the score doubled the hazard of censoring, and 24% of the patients were
    censored. Areas at a time were then biased by .001 to .007, with larger bias at later times.

    At equal times, events come before censoring.

    ``events_in_words`` is a sentence with the codes and numbers of patients for the event,
    competing events and censoring. ``attrs["rocstats"]["events"]`` of each frame has this sentence
    too.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.SurvivalStudy(
    ...     [5, 8, 12, 3, 9, 14, 7, 11], [1, 0, 1, 1, 2, 0, 1, 0], [3, 1, 2, 5, 2, 1, 4, 2],
    ...     predictor="marker",
    ... )
    >>> study
    SurvivalStudy
      predictors  marker
      patients    8
      event       4 (code 1)
      competing   1 (code 2)
      censored    3 (code 0)
      last time   14

    If no code is 0, or codes are words, name the codes:

    >>> rs.SurvivalStudy(
    ...     [5, 8, 12, 3, 9, 14], ["dead", "alive", "alive", "dead", "dead", "alive"],
    ...     [3, 1, 2, 5, 2, 1], predictor="marker", event_code="dead", censored_code="alive",
    ... )
    SurvivalStudy
      predictors  marker
      patients    6
      event       3 (code "dead")
      competing   none
      censored    3 (code "alive")
      last time   14
    """

    predictors: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    time: FloatArray
    event: IntArray
    cause: int
    _categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    _codes: Mapping[int, tuple[str, ...]] = MappingProxyType({})

    def __init__(
        self,
        time: Any,
        event: Any,
        score: Any,
        *,
        data: Any = None,
        predictor: str | Sequence[str] | None = None,
        cause: int = 1,
        event_code: Any = None,
        censored_code: Any = None,
        higher_is_positive: bool | Mapping[str, bool] = True,
        cluster: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        roles = {"cluster": cluster, "group": group}
        inputs = read_survival_inputs(
            time, event, score, data=data, predictor=predictor, roles=roles
        )
        names = tuple(inputs.scores)
        events = read_events(inputs.y_true, event_code, censored_code)
        arrays = {
            "time": read_times(inputs.roles["time"]),
            "event": events.numbers,
            "scores": read_score_rows(inputs.scores),
            **read_roles(inputs),
        }
        kept = keep_whole_rows(arrays, inputs, nan_policy)
        shown = read_print_words(labels, outcome, names, inputs.group_names, columns=inputs.columns)
        number = read_cause(cause, kept["event"], event_code)
        shown[EVENTS] = EndsOfFollowUp.of(kept["event"], number, events.codes).in_words()
        self._settle(
            {
                "predictors": names,
                "higher_is_positive": read_directions(higher_is_positive, names),
                "cause": number,
                "_categories": read_category_words(inputs.scores),
                "_codes": events.codes,
                "_shown": shown,
                **kept,
            }
        )

    @property
    def outcome(self) -> str | None:
        """Printed name of the event, or None."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Labels of ordered categories, by predictor; their scores are numbers from 0."""
        return dict(self._categories)

    @property
    def n_patients(self) -> int:
        """Number of patients."""
        return len(self.time)

    @property
    def n_events(self) -> int:
        """Number of patients with an event of the cause of interest."""
        return int(np.count_nonzero(self.event == self.cause))

    @property
    def n_censored(self) -> int:
        """Number of patients who are censored at any time."""
        return int(np.count_nonzero(self.event == 0))

    @property
    def events_in_words(self) -> str:
        """Numbers of patients with the event, with a competing event and censored; codes."""
        return EndsOfFollowUp.of(self.event, self.cause, self._codes).in_words()

    def _facts(self) -> dict[str, str]:
        ends = EndsOfFollowUp.of(self.event, self.cause, self._codes)._asdict()
        return {
            "predictors": directed_names(self.predictors, self.higher_is_positive),
            "patients": f"{self.n_patients:,}",
            **{name: end.in_words() for name, end in ends.items()},
            "last time": f"{self.time.max():g}",
            **role_facts(self),
        }


# --- Reading its inputs ---------------------------------------------------------------------------


def read_survival_inputs(
    time: Any, event: Any, score: Any, *, data: Any, predictor: Any, roles: Mapping[str, Any]
) -> Inputs:
    """Return events, times (as a role), named scores and the given roles with the same rows."""
    columns = None if data is None else Columns(data)
    events, times = one_vector(event, "event", columns), one_vector(time, "time", columns)
    scores = named_scores(score, predictor_naming(predictor, "score"), columns)
    for outcome in (events, times):
        require_no_outcome(outcome, scores, "score")
    given = {"time": times}
    if roles["cluster"] is not None:
        given["cluster"] = one_vector(roles["cluster"], "cluster", columns)
    group = role_vectors(roles["group"], "group", columns, len(events))
    inputs = Inputs(events, scores, given, group, columns.names if columns else ())
    require_equal_rows([times, events, *distinct_vectors(scores).values(), *inputs.of_roles])
    return inputs


def read_times(vector: Vector) -> FloatArray:
    """Return times as finite numbers >= 0, 0 where missing."""
    vector = event_codes_of_categories(vector)
    require_no_text(vector, "Pass days, months or years from the start to the event.")
    times = read_scores(vector)
    times = np.where(np.isnan(times), 0.0, times)
    wrong = np.flatnonzero(~np.isfinite(times) | (times < 0))
    if len(wrong):
        raise InputError(
            f"`time` must be finite and >= 0; got {times[wrong[0]]:g}"
            f" ({describe_rows(wrong, vector.index)})."
            " Count it from the start of each patient's follow-up."
        )
    return times
