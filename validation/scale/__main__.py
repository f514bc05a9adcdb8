"""Time counting on engines against their own group-by, with peak memory; compare with memory."""

from __future__ import annotations

import argparse
from pathlib import Path

from validation.scale.measure import ENGINES, TASKS, best, measure, record
from validation.scale.rows import write_rows


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.scale", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the Parquet files are, or will be")
    parser.add_argument("--rows", type=int, default=10**8, help="a multiple of a million")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument("--tasks", nargs="+", choices=["write", *TASKS], default=["write", *TASKS])
    parser.add_argument("--repeats", type=int, default=1, help="the shortest time counts")
    parser.add_argument("--record", action="store_true", help="write the rows of results.csv")
    asked = parser.parse_args()
    if "write" in asked.tasks:
        write_rows(asked.folder, asked.rows)
    tasks = [task for task in TASKS if task in asked.tasks]
    # In turn, so that a busy moment of the machine is not that of one task alone.
    turns = [
        [
            measure(engine, task, asked.folder, asked.rows)
            for engine in asked.engines
            for task in tasks
        ]
        for _ in range(asked.repeats)
    ]
    for found in zip(*turns, strict=True):
        row = {**best(found), "repeats": asked.repeats}
        print(row, flush=True)
        if asked.record:
            record(row)


if __name__ == "__main__":
    main()
