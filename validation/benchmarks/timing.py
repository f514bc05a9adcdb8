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

LEAST_SECONDS = 0.005  # of a turn: shorter ones would time the clock


def median_seconds(
    tasks: Mapping[str, Task], *, repeats: int, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """Return the median seconds of each task over rounds in which every task has its turn.

    A turn is as many calls as fill 5 ms; the calls that find this out warm up and do not count.
    ``time.thread_time`` as a clock leaves out the turns of other programs, and other threads.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    numbers = {name: _calls(task, clock) for name, task in tasks.items()}
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, task in tasks.items():
                seconds[name].append(_turn(task, numbers[name], clock))
    finally:
        gc.enable()
    return {name: statistics.median(turns) for name, turns in seconds.items()}


def import_seconds(modules: tuple[str, ...], *, repeats: int) -> dict[str, float]:
    """Return the median CPU seconds of importing each module in a fresh process, in turns.

    The first round of each module, which may have to write its byte code, does not count.
    """
    seconds: dict[str, list[float]] = {module: [] for module in modules}
    for _ in range(repeats + 1):
        for module in modules:
            seconds[module].append(_import_once(module))
    return {module: statistics.median(turns[1:]) for module, turns in seconds.items()}


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


def _calls(task: Task, clock: Clock) -> int:
    first = _turn(task, 1, clock)
    if first >= LEAST_SECONDS:
        return 1
    return max(1, math.ceil(LEAST_SECONDS / _turn(task, 3, clock)))


def _turn(task: Task, number: int, clock: Clock) -> float:
    begin = clock()
    for _ in range(number):
        task()
    return (clock() - begin) / number


def _import_once(module: str) -> float:
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    # An installed package has its byte code; one told not to write any would compile every time.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    return float(done.stdout)
