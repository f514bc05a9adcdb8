"""Areas and curves of large samples by sorted keys, against the same by ``np.argsort``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.study import count_tables
from validation.benchmarks.data import Data, Floats, Labels, make_scores
from validation.benchmarks.results import REPEATS, Contender, Result, race
from validation.benchmarks.timing import median_seconds, printed_by

TOPIC = "one sort of keys"
DECIMALS = {"continuous": 16, "5 decimals": 5, "3 decimals": 3}
PLAIN = "auc, without vector instructions"
NEVER = 2**62
REPEATS_SMALL = 27  # below a million cases a call takes milliseconds


def key_name(question: str) -> str:
    """Return the name of a question answered by sorted keys."""
    return f"{question} by keys"


def key_cases(n: int) -> Iterator[Result]:
    """Time ``auc``, and ``roc_curve`` and ``auc``, against the same with keys turned off."""
    y, (score,) = make_scores(n, 1, "continuous")
    scores = {name: np.round(score, decimals) for name, decimals in DECIMALS.items()}
    scores["100 distinct"] = make_scores(n, 1, "100 distinct")[1][0]
    for data, values in scores.items():
        for question, ask in (("auc", _auc), ("roc_curve and auc", _curve_and_area)):
            contenders = [
                Contender(f"{question} by np.argsort", partial(_ordered, ask, y, values)),
                Contender(key_name(question), partial(ask, y, values)),
            ]
            repeats = REPEATS if n >= 10**6 else REPEATS_SMALL
            # The frame costs as much as the sort: CPU seconds, lest other programs decide.
            yield from race(
                TOPIC, n, f"{data}, sorted", contenders, repeats=repeats, clock=time.thread_time
            )


def plain_cases(n: int, data: Data) -> Iterator[Result]:
    """Time ``auc`` against an argsort in a process whose numpy has no vector instructions."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    code = f"from validation.benchmarks.sorting import auc_ratio; print(auc_ratio({n}, {data!r}))"
    ratio = float(printed_by(code, NPY_DISABLE_CPU_FEATURES=" ".join(found)))
    words = (f"{data}, sorted", ratio, "np.argsort", REPEATS)
    yield Result(TOPIC, PLAIN, n, *words, clock="wall")


def auc_ratio(n: int, data: Data) -> float:
    """Return the time of ``Study(...).auc()`` over that of an argsort."""
    y, (scores,) = make_scores(n, 1, data)
    tasks = {"np.argsort": lambda: np.argsort(scores), "auc": lambda: _auc(y, scores)}
    seconds = median_seconds(tasks, repeats=REPEATS)
    return seconds["auc"] / seconds["np.argsort"]


def _auc(y: Labels, scores: Floats) -> pd.DataFrame:
    return rs.Study(y, scores).auc()


def _curve_and_area(y: Labels, scores: Floats) -> pd.DataFrame:
    study = rs.Study(y, scores)
    study.roc_curve()
    return study.auc()


def _ordered(ask: Callable[[Labels, Floats], pd.DataFrame], y: Labels, scores: Floats) -> object:
    least, count_tables.LEAST_CASES = count_tables.LEAST_CASES, NEVER
    try:
        return ask(y, scores)
    finally:
        count_tables.LEAST_CASES = least
