"""The validated data of a survival study: times, what ended them, and scores of patients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_whole
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.frame.make import read_shown
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    in_short,
    keep_whole_rows,
    read_roles,
    role_facts,
)
from rocstats.study.columns import Columns, require_rows
from rocstats.study.forms import (
    Inputs,
    distinct_vectors,
    named_scores,
    one_vector,
    predictor_naming,
    read_score_rows,
    read_words,
    role_vectors,
)
from rocstats.study.models import require_no_outcome
from rocstats.study.vectors import Vector, describe_rows, read_directions, read_scores

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
    event : array-like of int or bool, shape (n,), or str
        What ended it: 0 (False) for censored, 1 (True) for the event, further whole numbers for
        events of other causes, after which the event of interest cannot occur. The codes 1 and 2
        that R also reads as censored and event must be recoded.
    score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors at the start, as in ``Study``: numbers, or ordered
        categories. Names with ``data=``.
    data : dataframe, optional
        Frame with the named columns: pandas, or any eager frame narwhals reads.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``score``. Default: the name of the Series, else
        "score"; "score_1", "score_2", ... for a matrix.
    cause : int >= 1, default 1
        Code of the event of interest.
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
        If an argument is not of the described kind, or no patient had an event of ``cause``; the
        message says what to do.

    Notes
    -----
    Censoring is taken to be independent of the time of the event, its cause and the scores, within
    a group. Where scores are related to censoring, areas are biased: those at a time by .001 to
    .007, the later the more, in simulations in which a standard deviation of the score doubled the
    hazard of censoring and 24 % were censored.

    Patients with an event leave before those who are censored at the same time.

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
      events      4 of cause 1, 1 of another
      censored    3
      last time   14
    """

    predictors: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    time: FloatArray
    event: IntArray
    cause: int
    _categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def __init__(
        self,
        time: Any,
        event: Any,
        score: Any,
        *,
        data: Any = None,
        predictor: str | Sequence[str] | None = None,
        cause: int = 1,
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
        arrays = {
            "time": read_times(inputs.roles["time"]),
            "event": read_events(inputs.y_true),
            "scores": read_score_rows(inputs.scores),
            **read_roles(inputs),
        }
        kept = keep_whole_rows(arrays, inputs, nan_policy)
        shown = read_shown(labels, outcome, names, inputs.group_names, columns=inputs.columns)
        self._settle(
            {
                "predictors": names,
                "higher_is_positive": read_directions(higher_is_positive, names),
                "cause": read_cause(cause, kept["event"]),
                "_categories": read_words(inputs.scores),
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

    def _facts(self) -> dict[str, str]:
        marked = (
            f"{name}{'' if higher else ' (lower is positive)'}"
            for name, higher in zip(self.predictors, self.higher_is_positive, strict=True)
        )
        others = self.n_patients - self.n_events - self.n_censored
        more = f", {others:,} of another" if others else ""
        return {
            "predictors": in_short(marked),
            "patients": f"{self.n_patients:,}",
            "events": f"{self.n_events:,} of cause {self.cause}{more}",
            "censored": f"{self.n_censored:,}",
            "last time": f"{self.time.max():g}",
            **role_facts(self),
        }


# --- Reading its inputs ---------------------------------------------------------------------------

_EVENT_CODES_ADVICE = (
    "Code it 0 for censored, 1 for the event, 2, 3, ... for events of other causes."
)


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
    require_rows([times, events, *distinct_vectors(scores).values(), *inputs.of_roles])
    return inputs


def read_times(vector: Vector) -> FloatArray:
    """Return times as finite numbers >= 0, 0 where missing."""
    times = _numbers(vector, "Pass days, months or years from the start to the event.")
    times = np.where(np.isnan(times), 0.0, times)
    wrong = np.flatnonzero(~np.isfinite(times) | (times < 0))
    if len(wrong):
        raise InputError(
            f"`time` must be finite and >= 0; got {times[wrong[0]]:g} ({describe_rows(wrong)})."
            " Count it from the start of each patient's follow-up."
        )
    return times


def read_events(vector: Vector) -> IntArray:
    """Return what ended each time, 0 for censoring and where missing, else the cause."""
    codes = _numbers(vector, _EVENT_CODES_ADVICE)
    codes = np.where(np.isnan(codes), 0.0, codes)
    # Finite and so few that they are codes: an integer beyond would overflow.
    wrong = np.flatnonzero(~(codes == np.floor(codes)) | (codes < 0) | (codes > 2**31))
    if len(wrong):
        raise InputError(
            f"`event` must be 0, 1, 2, ... or True and False; got {codes[wrong[0]]:g}"
            f" ({describe_rows(wrong)}). {_EVENT_CODES_ADVICE}"
        )
    return codes.astype(np.intp)


def read_cause(cause: Any, events: IntArray) -> int:
    """Return the code of the event of interest; raise InputError if no patient has it."""
    causes = [int(code) for code in np.unique(events) if code > 0]
    number = require_whole("cause", cause, 1, "It is the code of the event of interest.")
    if number not in causes:
        raise InputError(
            f"`cause` must be the code of an event that patients had: {causes}; got {cause!r}."
            f" {_EVENT_CODES_ADVICE}"
        )
    return number


def _numbers(vector: Vector, advice: str) -> FloatArray:
    values = vector.values
    texts = isinstance(values, pd.Categorical) or values.dtype.kind in "US"
    if texts or (values.dtype.kind == "O" and any(isinstance(v, str) for v in values)):
        raise InputError(f"`{vector.argument}` must be numbers; got words. {advice}")
    return read_scores(vector)
