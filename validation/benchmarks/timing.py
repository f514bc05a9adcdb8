"""Times in turns inside one run, CPU seconds of imports, peaks of memory."""

from __future__ import annotations

import gc
import math
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping

Task = Callable[[], object]
Clock = Callable[[], float]
Repeats = int | Callable[[float], int]
"""How many turns a task has, or a rule that says so from the seconds of a call."""

CLOCKS: Mapping[Clock, str] = {
    time.perf_counter: "wall",
    time.process_time: "CPU",
    time.thread_time: "CPU of one thread",
}
"""What the clocks count: the CPU time of a process includes all its threads."""

LEAST_SECONDS = 0.005  # of a turn: shorter ones would time the clock
LONG_SECONDS = 0.1  # of a turn, after which a search for garbage takes a small part of the time


def median_seconds(
    tasks: Mapping[str, Task], *, repeats: Repeats, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """Return the median seconds of each task over its turns."""
    turns = seconds_in_turns(tasks, repeats=repeats, clock=clock)
    return {name: statistics.median(seconds) for name, seconds in turns.items()}


def seconds_in_turns(
    tasks: Mapping[str, Task], *, repeats: Repeats, clock: Clock = time.perf_counter
) -> dict[str, list[float]]:
    """Return the seconds a call of each task takes, over rounds in which every task has its turn.

    A turn is as many calls as fill 5 ms; the calls that find this out warm up and do not count.
    ``time.thread_time`` as a clock leaves out the turns of other programs, and other threads.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    first = {name: _turn(task, 1, clock) for name, task in tasks.items()}
    calls = {name: _calls(task, first[name], clock) for name, task in tasks.items()}
    turns = {name: repeats if isinstance(repeats, int) else repeats(first[name]) for name in tasks}
    gc.collect()
    gc.disable()
    try:
        for done in range(max(turns.values())):
            for name, task in tasks.items():
                if done < turns[name]:
                    seconds[name].append(_turn(task, calls[name], clock))
                    # Frames of millions of rows would stay, and the next task take new memory.
                    if seconds[name][-1] > LONG_SECONDS:
                        gc.collect()
    finally:
        gc.enable()
    return seconds


def import_seconds(imports: tuple[str, ...], *, repeats: int) -> dict[str, float]:
    """Return the median CPU seconds of each import in a fresh process, in turns.

    The first round of each, which may have to write byte code, does not count.
    """
    seconds: dict[str, list[float]] = {statement: [] for statement in imports}
    for _ in range(repeats + 1):
        for statement in imports:
            seconds[statement].append(_import_once(statement))
    return {statement: statistics.median(turns[1:]) for statement, turns in seconds.items()}


def peak_bytes(task: Task) -> int:
    """Return the most memory that a second call of a task holds at once, its result included."""
    task()
    gc.collect()
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _calls(task: Task, first: float, clock: Clock) -> int:
    if first >= LEAST_SECONDS:
        return 1
    return max(1, math.ceil(LEAST_SECONDS / _turn(task, 3, clock)))


def _turn(task: Task, number: int, clock: Clock) -> float:
    begin = clock()
    for _ in range(number):
        task()
    return (clock() - begin) / number


def _import_once(statement: str) -> float:
    code = f"import time; t = time.process_time(); {statement}; print(time.process_time() - t)"
    return float(printed_by(code))


def printed_by(code: str, **variables: str) -> str:
    """Return what a fresh process prints that runs the code, with more environment variables."""
    # An installed package has its byte code; one told not to write any would compile every time.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env={**kept, **variables}
    ).stdout
