"""pROC through Rscript, timed inside R against R's own sort: a ratio to a sort is comparable."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pandas as pd

from validation.benchmarks.data import Data, Floats, Labels, make_scores
from validation.benchmarks.results import NOT_INSTALLED, REPEATS_LARGE, REPEATS_LONG, Result

SCRIPT = Path(__file__).with_name("r_peers.R")
TOPIC = "R, in units of its own sort"
BASELINE = "order() in R"


class AreaInR(NamedTuple):
    """What pROC finds, and the median seconds it takes from the scores to the interval."""

    area: float
    seconds: float
    repeats: int
    software: str


def r_cases(n: int, data: Data, n_boot: int) -> Iterator[Result]:
    """Yield pROC's times over that of R's order(), those of a bootstrap per resample."""
    y, (first, second) = make_scores(n, 2, data)
    printed = _run(pd.DataFrame({"y": y, "a": first, "b": second}), n_boot, REPEATS_LONG)
    if isinstance(printed, str):
        yield _row("pROC", n, data, np.nan, "pROC", printed)
        return
    head, *lines = printed
    cells = [line.split(";") for line in lines]
    seconds = {what: float(time) / float(work) for what, work, time, _ in cells}
    for what in seconds:
        if what != BASELINE:
            ratio = seconds[what] / seconds[BASELINE]
            software = _software(head) if what.startswith("pROC") else "R"
            yield _row(what, n, data, ratio, software, "")


def areas_in_r(y: Labels, scores: Floats) -> AreaInR | str:
    """Return pROC's area of these scores with its time, or why there is none."""
    frame = pd.DataFrame({"y": y, "a": scores, "b": scores})
    printed = _run(frame, 0, REPEATS_LARGE)
    if isinstance(printed, str):
        return printed
    head, *lines = printed
    _, _, seconds, area = lines[-1].split(";")
    return AreaInR(float(area), float(seconds), REPEATS_LARGE, _software(head))


def has_proc() -> bool:
    """Whether R and its package pROC are installed."""
    program = shutil.which("Rscript")
    return program is not None and not _fails([program, "-e", "library(pROC)"])


def _software(head: str) -> str:
    return f"pROC {head.lstrip('#')}"


def _row(what: str, n: int, data: Data, ratio: float, software: str, note: str) -> Result:
    words = (f"{data}, in R", ratio, BASELINE, REPEATS_LONG, software, note)
    return Result(TOPIC, what, n, *words, clock="wall")


def _run(frame: pd.DataFrame, n_boot: int, repeats: int) -> list[str] | str:
    """Return what the script prints, or why it prints nothing."""
    if not has_proc():
        return NOT_INSTALLED
    with TemporaryDirectory() as folder:
        path = Path(folder) / "input.csv"
        frame.to_csv(path, index=False)
        command = ["Rscript", str(SCRIPT), str(path), str(n_boot), str(repeats)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "failed" if done.returncode else done.stdout.splitlines()


def _fails(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode != 0
