"""pROC through Rscript, timed inside R against R's own sort: a ratio to a sort is comparable."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from validation.benchmarks.data import Data, make_scores
from validation.benchmarks.results import REPEATS_LONG, Result

SCRIPT = Path(__file__).with_name("r_peers.R")
TOPIC = "R, in units of its own sort"
BASELINE = "order() in R"


def r_cases(n: int, data: Data, n_boot: int) -> Iterator[Result]:
    """Yield pROC's times over that of R's order(), those of a bootstrap per resample."""
    printed = _run(n, data, n_boot)
    if isinstance(printed, str):
        yield _row("pROC", n, data, np.nan, "pROC", printed)
        return
    head, *lines = printed
    cells = [line.split(";") for line in lines]
    seconds = {what: float(time) / float(work) for what, work, time in cells}
    for what in seconds:
        if what != BASELINE:
            ratio = seconds[what] / seconds[BASELINE]
            software = f"pROC {head.lstrip('#')}" if what.startswith("pROC") else "R"
            yield _row(what, n, data, ratio, software, "")


def _row(what: str, n: int, data: Data, ratio: float, software: str, note: str) -> Result:
    return Result(TOPIC, what, n, f"{data}, in R", ratio, BASELINE, REPEATS_LONG, software, note)


def _run(n: int, data: Data, n_boot: int) -> list[str] | str:
    """Return what the script prints, or why it prints nothing."""
    program = shutil.which("Rscript")
    if program is None or _fails([program, "-e", "library(pROC)"]):
        return "not installed"
    y, (first, second) = make_scores(n, 2, data)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "input.csv"
        pd.DataFrame({"y": y, "a": first, "b": second}).to_csv(path, index=False)
        command = [program, str(SCRIPT), str(path), str(n_boot), str(REPEATS_LONG)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "failed" if done.returncode else done.stdout.splitlines()


def _fails(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode != 0
