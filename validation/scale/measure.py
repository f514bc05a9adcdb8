"""One engine doing one task in a process of its own: its time, memory and answer."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.counts.count import DEFAULT_BITS, with_cells
from validation.scale.rows import ROWS_OF_FILE

ENGINES = ("duckdb", "polars")
TABLE = Path(__file__).with_name("results.csv")
KEYS = ["engine", "task", "rows"]
# Files of the task in which pairs are compared with a study of the rows in memory.
PAIRED_ROWS = 10**7


def scan(engine: str, folder: Path, rows: int) -> Any:
    """Return the rows of the first files, unread."""
    files = [str(folder / f"{i:04d}.parquet") for i in range(rows // ROWS_OF_FILE)]
    if engine == "duckdb":
        import duckdb

        return duckdb.read_parquet(files)
    import polars as pl

    return pl.scan_parquet(files)


def bare(engine: str, folder: Path, rows: int) -> dict[str, Any]:
    """Count by the engine alone: GROUP BY the cell of a score, sum of the label, number of rows."""
    import narwhals as nw

    frame = nw.from_native(scan(engine, folder, rows)).select("label", "a")
    cells = with_cells(frame, "a", "cell", DEFAULT_BITS)
    counted = cells.group_by("cell").agg(nw.col("label").sum().alias("n_pos"), nw.len().alias("n"))
    found = counted.collect(**({"engine": "streaming"} if engine == "polars" else {}))
    return {"cells": len(found), "answer": float(found["n"].to_numpy().sum())}


def area(engine: str, folder: Path, rows: int) -> dict[str, Any]:
    """Ask for an area and its interval: checks of the columns, counts, bound, study, frame."""
    counts = rs.count_scores(scan(engine, folder, rows), "label", "a", tolerance=1e-4)
    found = rs.Study.from_counts(counts).auc()
    return {"cells": len(counts), "answer": float(found["estimate"][0])}


def pairs(engine: str, folder: Path, rows: int) -> dict[str, Any]:
    """Compare two predictors by every distinct score."""
    frame = scan(engine, folder, min(rows, PAIRED_ROWS))
    found = rs.count_paired(frame, "label", ["a", "b"], exact=True).compare_auc()
    return {"cells": min(rows, PAIRED_ROWS), "answer": found.to_json(double_precision=15)}


def binned_pairs(engine: str, folder: Path, rows: int) -> dict[str, Any]:
    """Compare two predictors by cells of 14 bits."""
    frame = scan(engine, folder, rows)
    found = rs.count_paired(frame, "label", ["a", "b"], bits=14).compare_auc()
    return {"cells": 0, "answer": found.to_json(double_precision=15)}


TASKS: dict[str, Callable[[str, Path, int], dict[str, Any]]] = {
    "group-by": bare,
    "auc": area,
    "exact pairs": pairs,
    "binned pairs": binned_pairs,
}


def measure(engine: str, task: str, folder: Path, rows: int) -> dict[str, Any]:
    """Return the row of one task, done by a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "validation.scale.measure"]
    command += [engine, task, str(folder), str(rows)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    found: dict[str, Any] = json.loads(done.stdout)
    if task == "exact pairs":
        found["rows"] = min(rows, PAIRED_ROWS)
        found["from_memory"] = distance(found.pop("answer"), folder, found["rows"])
    elif task == "binned pairs":
        found.pop("answer")
    return {"engine": engine, "task": task, "rows": rows, **found}


def best(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the row with the shortest time, and the largest memory, of repeated ones."""
    fastest = min(found, key=lambda row: row["seconds"])
    return {**fastest, "peak_mib": max(row["peak_mib"] for row in found)}


def distance(answer: str, folder: Path, rows: int) -> float:
    """Return the largest distance of the numbers of a frame from those of a study of the rows."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    files = [folder / f"{i:04d}.parquet" for i in range(rows // ROWS_OF_FILE)]
    frame = pd.concat([pq.read_table(f, columns=["label", "a", "b"]).to_pandas() for f in files])
    expected = rs.Study("label", ["a", "b"], data=frame).compare_auc()
    found = pd.DataFrame(json.loads(answer)).reset_index(drop=True)
    apart = [
        np.abs(found[name].astype(float) - expected[name].astype(float))
        / max(1.0, abs(float(expected[name][0])))
        for name in ("estimate", "ci_low", "ci_high", "p_value", "se", "statistic", "df")
    ]
    return float(np.max(apart))


def record(found: dict[str, Any]) -> None:
    """Write a row to the table, in place of that of the same engine, task and number of rows."""
    about = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "version": version(found["engine"]),
        "narwhals": version("narwhals"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores",
    }
    row = pd.DataFrame([{**found, **about}])
    if TABLE.exists():
        known = pd.read_csv(TABLE)
        same = (known[KEYS] == row[KEYS].iloc[0]).all(axis=1)
        row = pd.concat([known[~same], row])
    row.sort_values(KEYS).to_csv(TABLE, index=False, lineterminator="\n", float_format="%.9g")


def main() -> None:
    """Do one task and print its time, its peak memory and its answer as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("task")
    parser.add_argument("folder", type=Path)
    parser.add_argument("rows", type=int)
    asked = parser.parse_args()
    scan(asked.engine, asked.folder, ROWS_OF_FILE)  # imports are not timed
    start = time.perf_counter()
    found = TASKS[asked.task](asked.engine, asked.folder, asked.rows)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": round(seconds, 2), "peak_mib": round(peak), **found}))


if __name__ == "__main__":
    main()
