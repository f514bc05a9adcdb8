"""What a measurement says, the race that makes it, and the table of all of them."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from validation.benchmarks.timing import Clock, Task, median_seconds

REPEATS = 9
REPEATS_LONG = 7
REPEATS_LARGE = 3
LARGE = 10**7


@dataclass(frozen=True)
class Result:
    """One ratio: the median time of ``what`` over the median time of ``baseline``.

    ``note`` says why there is none.
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
    repeats: int = REPEATS,
    clock: Clock = time.perf_counter,
) -> Iterator[Result]:
    """Yield the ratios of all contenders to the first of them, time per work."""
    notes = {contender.what: _absence(contender) for contender in contenders}
    tasks = {c.what: c.task for c in contenders if c.task is not None and not notes[c.what]}
    seconds = median_seconds(tasks, repeats=repeats, clock=clock)
    base = contenders[0]
    unit = seconds[base.what] / base.work
    for c in contenders[1:]:
        ratio = np.nan if notes[c.what] else seconds[c.what] / c.work / unit
        yield Result(topic, c.what, n, data, ratio, base.what, repeats, c.software, notes[c.what])


def as_table(results: Sequence[Result]) -> pd.DataFrame:
    """Return the results as a frame, with the versions they hold for."""
    table = pd.DataFrame([asdict(result) for result in results])
    table["n"] = table["n"].astype("Int64")
    table["ratio"] = [float(f"{ratio:.3g}") for ratio in table["ratio"]]
    return table.assign(numpy=np.__version__, pandas=pd.__version__)


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
            )
            for row in csv.DictReader(file)
        ]


def _shown(ratio: float, note: str) -> str:
    return note or (f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}")


def _absence(contender: Contender) -> str:
    """Return why a peer has no time: it is not there, or fails when it is tried."""
    if contender.task is None:
        return "not installed"
    if contender.is_peer:
        try:
            contender.task()
        except Exception as problem:
            return f"failed: {type(problem).__name__}"
    return ""
