"""The validated data of a survival study: times, what ended them, and scores of patients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import FloatArray, IntArray
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
from rocstats.study.event_codes import (
    EVENTS,
    EndsOfFollowUp,
    event_codes_of_categories,
    read_cause,
    read_events,
)
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
    read_directions,
    read_scores,
    require_no_text,
)

# --- The study ------------------------------------------------------------------------------------


class SurvivalSample(BaseSample):
    """Times to an event, censored or not, and scores of one or more predictors of it.

    Use it when patients are followed for different times, and the question is how well a score
    taken at the start tells who has the event by a time. Not for scores that are updated during
    follow-up.

    Parameters
    ----------
    time : array-like of float >= 0, shape (n,), or str
        Time from the start of follow-up to the event or to the end of observation, in any unit; a
        name with ``data=``.
    event : array-like of int, bool or str, shape (n,), or str
        What ended it: 0 (False) for censored, 1 (True) for the event, further whole numbers for
        events of other causes, after which the event of interest cannot occur. Codes of which none
        is 0, such as 1 for censored and 2 for dead, and words need ``event_code`` and
        ``censored_code``.
    score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors at the start, as in ``Study``: numbers, or ordered
        categories. Names with ``data=``.
    data : dataframe, optional
        Frame with the named columns: pandas, or any eager frame narwhals reads.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``score``. Default: the name of the Series, else
        "score"; "score_1", "score_2", ... for a matrix.
    cause : int >= 1, default 1
        Code of the event of interest, where 0 is censored.
    event_code : int, bool or str, or sequence of them, optional
        Code of the event of interest, or codes that count as one event, in the place of ``cause``.
        Codes that are neither ``event_code`` nor ``censored_code`` are competing events.
    censored_code : int, bool or str, or sequence of them, optional
        Code, or codes, of censored patients. Default 0 where that is a code, else nobody if all
        codes are in ``event_code``; it must be given otherwise, as [] if nobody is censored.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean an earlier event. Never guessed.
    cluster : array-like, or str, optional
        Units whose patients are dependent (centre, family): they change standard errors only.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups: every question gives one row set per group, as in ``Study``. Each
        group has its own distribution of censoring.
    nan_policy : {"raise", "omit"}, default "raise"
        Missing values are refused, or whole rows left out and counted in ``note``.
    labels : mapping of str to str, optional
        What predictors (and columns of groups) are called in print: tables, plots and reports.
        Frames keep the names. Labels of other columns of ``data`` are left out.
    outcome : str, optional
        Name of the event in words, for tables and reports: "Death".

    Raises
    ------
    InputError
        If an argument is not of the described kind, the codes do not say which is the event and
        which is censored, or no patient had the event; the message says what to do.

    Notes
    -----
    Censoring is taken to be independent of the time of the event, its cause and the scores, within
    a group. Where scores are related to censoring, areas are biased: those at a time by .001 to
    .007, the later the more, in simulations in which a standard deviation of the score doubled the
    hazard of censoring and 24 % were censored.

    Patients with an event leave before those who are censored at the same time.

    ``events_in_words`` is a sentence on which codes were the event, competing events and censoring,
    and of how many patients; ``attrs["rocstats"]["events"]`` of each frame has it.

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

    Codes of which none is 0, and words, are named:

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
        """Name of the event in words, if it was given."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Words of ordered categories, by predictor: their scores are numbers from 0."""
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
        """Numbers of patients with the event, with a competing one and censored, and the codes."""
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
