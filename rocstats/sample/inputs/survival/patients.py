"""What a user hands in for a survival study: times, what ended them, and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_whole
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.inputs.blocks import distinct_vectors
from rocstats.sample.inputs.columns import Columns, require_rows
from rocstats.sample.inputs.forms import (
    Inputs,
    named_scores,
    one_vector,
    predictor_naming,
    role_vectors,
)
from rocstats.sample.inputs.traps import require_no_outcome
from rocstats.sample.inputs.vectors import Vector, describe_rows, read_scores

_CODES = "Code it 0 for censored, 1 for the event, 2, 3, ... for events of other causes."


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
    codes = _numbers(vector, _CODES)
    codes = np.where(np.isnan(codes), 0.0, codes)
    # Finite and so few that they are codes: an integer beyond would overflow.
    wrong = np.flatnonzero(~(codes == np.floor(codes)) | (codes < 0) | (codes > 2**31))
    if len(wrong):
        raise InputError(
            f"`event` must be 0, 1, 2, ... or True and False; got {codes[wrong[0]]:g}"
            f" ({describe_rows(wrong)}). {_CODES}"
        )
    return codes.astype(np.intp)


def read_cause(cause: Any, events: IntArray) -> int:
    """Return the code of the event of interest; raise InputError if no patient has it."""
    causes = [int(code) for code in np.unique(events) if code > 0]
    number = require_whole("cause", cause, 1, "It is the code of the event of interest.")
    if number not in causes:
        raise InputError(
            f"`cause` must be the code of an event that patients had: {causes}; got {cause!r}."
            f" {_CODES}"
        )
    return number


def _numbers(vector: Vector, advice: str) -> FloatArray:
    values = vector.values
    texts = isinstance(values, pd.Categorical) or values.dtype.kind in "US"
    if texts or (values.dtype.kind == "O" and any(isinstance(v, str) for v in values)):
        raise InputError(f"`{vector.argument}` must be numbers; got words. {advice}")
    return read_scores(vector)
