"""Makes a call and says what is wrong with its outcome."""

from __future__ import annotations

import signal
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rocstats as rs
from validation.torture import functions as learners
from validation.torture.contract import (
    codes_of,
    faults_of,
    faults_of_message,
    frames_in,
    other_warnings,
)
from validation.torture.questions import Call, draw_call
from validation.torture.relations import RELATIONS
from validation.torture.studies import Rng

SLOW = 5.0
"""CPU seconds that no question of 60 cases may take."""

STUCK = 20.0
"""CPU seconds after which a call is stopped."""


class StuckError(Exception):
    """A call was stopped."""


class Outcome(NamedTuple):
    """What became of a call: its question, how it ended, its frames, and what is wrong."""

    question: str
    refused: bool
    frames: int
    faults: tuple[str, ...]


def outcome_of(seed: int, number: int) -> Outcome:
    """Return the outcome of a call; the same numbers repeat it."""
    call = draw_call(seed, number)
    rng = np.random.default_rng([seed, number, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        started = time.process_time()
        frames: list[pd.DataFrame] = []
        faults: list[str] = []
        refused = False
        try:
            with _time_limit():
                frames = list(frames_in(call.make()))
        except rs.InputError as error:
            refused = True
            faults += faults_of_message(str(error))
        except Exception as error:
            # A learner of ours that fails on odd features is the user's: its error is passed on.
            refused = _place(error).filename == learners.__file__
            faults += [] if refused else [_described(error)]
        taken = time.process_time() - started
    faults += [f"took {taken:.0f} s"] if taken > SLOW else []
    faults += other_warnings(caught)
    for frame in frames:
        faults += faults_of(frame, grouped=_grouped(call, frame), warned=codes_of(caught))
    if frames and not faults and call.ask.kind is not None:
        faults += _related(call, frames[0], rng)
    return Outcome(call.ask.label, refused, len(frames), tuple(dict.fromkeys(faults)))


def _grouped(call: Call, frame: pd.DataFrame) -> bool:
    return call.ask.kind is not None and call.parts.arguments.get("group") is not None


def _related(call: Call, frame: pd.DataFrame, rng: Rng) -> list[str]:
    """Return the faults of one relation, taken at random: all would cost six answers a call."""
    relation = RELATIONS[int(rng.integers(len(RELATIONS)))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with _time_limit():
                return list(relation(call, frame, rng))
        except Exception as error:
            return [f"{relation.__name__}: {_described(error)}"]


def _place(error: Exception) -> traceback.FrameSummary:
    return traceback.extract_tb(error.__traceback__)[-1]


def _described(error: Exception) -> str:
    place = _place(error)
    file = "/".join(place.filename.split("/")[-2:])
    return f"{type(error).__name__}: {str(error)[:100]} ({file}:{place.lineno})"


@contextmanager
def _time_limit() -> Iterator[None]:
    """Stop what takes too long; CPU time, so that a busy machine is not taken for a hang."""
    previous: Any = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, STUCK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _stop(*_: Any) -> None:
    raise StuckError(f"stopped after {STUCK:g} s")
