"""What a measurement says, the race that makes it, and the table of all of them."""

from __future__ import annotations

import csv
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from validation.benchmarks.timing import (
    CLOCKS,
    Clock,
    Repeats,
    Task,
    peak_bytes,
    seconds_in_turns,
)

REPEATS = 9
REPEATS_LONG = 7
REPEATS_LARGE = 3
LARGE = 10**7
NOT_INSTALLED = "not installed"
SORT_MS = 28.0
"""Milliseconds of np.argsort of 10^6 doubles where bounds in seconds were asked for: their unit."""
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Result:
    """One ratio: the median time of ``what`` over the median time of ``baseline``.

    ``repeats`` is the number of turns of ``what``, ``clock`` what the clock counted, "" where
    nothing is timed. ``note`` says why there is no ratio.
    """

    topic: str
    what: str
    n: int | None
    data: str
    ratio: float
    baseline: str
    repeats: int
    software: str = "rocstats"
    note: str = ""
    clock: str = ""


class Gate(NamedTuple):
    """The largest ratio that every result of a name and size may have.

    Several tables may have a task in units of their own: then the gate says which it is about.
    """

    what: str
    n: int | None
    limit: float
    unit: str = ""

    def judges(self, result: Result) -> bool:
        """Return whether the gate is about a result."""
        same = (result.what, result.n) == (self.what, self.n)
        return same and self.unit in ("", result.baseline)


@dataclass(frozen=True)
class Contender:
    """A task that does ``work`` (in resamples, say); no task: its software is not installed."""

    what: str
    task: Task | None
    work: float = 1.0
    software: str = "rocstats"

    @property
    def is_peer(self) -> bool:
        """Whether other people's software does the task."""
        return self.software != "rocstats"


def race(
    topic: str,
    n: int,
    data: str,
    contenders: Sequence[Contender],
    *,
    repeats: Repeats = REPEATS,
    clock: Clock = time.perf_counter,
) -> Iterator[Result]:
    """Yield the ratios of all contenders to the first of them, time per work."""
    notes = {contender.what: _absence(contender) for contender in contenders}
    tasks = {c.what: c.task for c in contenders if c.task is not None and not notes[c.what]}
    turns = seconds_in_turns(tasks, repeats=repeats, clock=clock)
    seconds = {what: statistics.median(each) for what, each in turns.items()}
    base = contenders[0]
    unit = seconds[base.what] / base.work
    for c in contenders[1:]:
        note = notes[c.what]
        ratio = np.nan if note else seconds[c.what] / c.work / unit
        done = 0 if note else len(turns[c.what])
        words = (c.software, note, CLOCKS[clock])
        yield Result(topic, c.what, n, data, ratio, base.what, done, *words)


def peak_of(topic: str, what: str, n: int, data: str, task: Task) -> Result:
    """Return the most memory in MiB that a call of a task holds at once, its result included."""
    return Result(topic, what, n, data, peak_bytes(task) / _MEBIBYTE, "1 MiB", 1)


def as_table(results: Sequence[Result]) -> pd.DataFrame:
    """Return the results as a frame, ratios with three digits."""
    table = pd.DataFrame([asdict(result) for result in results])
    table["n"] = table["n"].astype("Int64")
    table["ratio"] = [float(f"{ratio:.3g}") for ratio in table["ratio"]]
    return table


def as_text(table: pd.DataFrame) -> str:
    """Return the ratios in print: a block a topic, a column a size."""
    blocks = []
    for topic, rows in table.groupby("topic", sort=False):
        sizes = [f"{n:.0e}".replace("e+0", "e") if n > 0 else "-" for n in rows["n"].fillna(0)]
        shown = [_shown(*cells) for cells in zip(rows["ratio"], rows["note"], strict=True)]
        wide = rows.assign(size=sizes, shown=shown).pivot_table(
            index=["what", "data", "baseline"],
            columns="size",
            values="shown",
            sort=False,
            aggfunc="first",
        )
        columns = sorted(wide.columns, key=lambda size: 0.0 if size == "-" else float(size))
        text = wide[columns].reset_index().to_string(index=False, na_rep="")
        blocks.append(f"{topic}\n{text}")
    return "\n\n".join(blocks)


def read_results(path: Path) -> list[Result]:
    """Return the results of a file."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Result(
                topic=row["topic"],
                what=row["what"],
                n=int(row["n"]) if row["n"] else None,
                data=row["data"],
                ratio=float(row["ratio"] or "nan"),
                baseline=row["baseline"],
                repeats=int(row["repeats"]),
                software=row["software"],
                note=row["note"],
                clock=row["clock"],
            )
            for row in csv.DictReader(file)
        ]


def _shown(ratio: float, note: str) -> str:
    return note or (f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}")


def fewer_if_slow(seconds: float) -> int:
    """Return how many turns a call of so many seconds has, lest a table take hours."""
    for limit, turns in ((0.05, 9), (2.0, 7), (10.0, 3)):
        if seconds < limit:
            return turns
    return 1


def _absence(contender: Contender) -> str:
    """Return why a peer has no time: it is not there, or fails when it is tried."""
    if contender.task is None:
        return NOT_INSTALLED
    if contender.is_peer:
        try:
            contender.task()
        except Exception as problem:
            return failure(problem)
    return ""


def failure(problem: Exception) -> str:
    """Return the note of a peer that raises an error."""
    return f"failed: {type(problem).__name__}"
