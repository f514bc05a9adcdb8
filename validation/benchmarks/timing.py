"""Ratios of running times inside one interleaved run: machines differ, ratios hardly."""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

Task = Callable[[], object]


def median_seconds(tasks: Mapping[str, Task], *, repeats: int, number: int) -> dict[str, float]:
    """Return the median seconds of each task over rounds in which every task has its turn.

    A turn is ``number`` calls; a first round warms up and does not count.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats + 1):
            for name, task in tasks.items():
                seconds[name].append(_turn(task, number))
    finally:
        gc.enable()
    return {name: statistics.median(turns[1:]) for name, turns in seconds.items()}


def import_seconds(modules: tuple[str, ...], *, repeats: int) -> dict[str, float]:
    """Return the median CPU seconds of importing each module in a fresh process, in turns."""
    seconds: dict[str, list[float]] = {module: [] for module in modules}
    for _ in range(repeats + 1):
        for module in modules:
            seconds[module].append(_import_once(module))
    return {module: statistics.median(turns[1:]) for module, turns in seconds.items()}


def _turn(task: Task, number: int) -> float:
    begin = time.perf_counter()
    for _ in range(number):
        task()
    return (time.perf_counter() - begin) / number


def _import_once(module: str) -> float:
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout)
