"""Make mutants of some rooms, run their tests, and say which were not noticed.

``python -m validation.mutants --rooms curves inference/auc --record``
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import date
from pathlib import Path

from validation.mutants.making import Mutant, sample
from validation.mutants.record import (
    TABLE,
    Row,
    draw_killed,
    not_equivalent,
    read_rows,
    read_survivors,
    write_rows,
)
from validation.mutants.rooms import ROOT, asked_first, asked_of, rooms
from validation.mutants.running import CONFTEST, Tree

SEED, MUTANTS = 1, 10


_tree: list[Tree] = []
"""The copy of the project in which this worker works."""


def start(folder: str) -> None:
    """Make the copy of a worker."""
    _tree.append(Tree(Path(folder, str(os.getpid()))))
    _tree[0].compile()


def rows_of(room: str, mutants: list[Mutant]) -> list[Row]:
    """Return the outcomes of the mutants of a room."""
    tree, tests = _tree[0], asked_of(room)
    found = []
    for mutant in mutants:
        result = tree.ask(mutant, [asked_first(room, mutant.file), *tests])
        day = date.today().isoformat()
        found.append(Row(**vars(mutant), outcome=result.outcome, killer=result.killer, asked=day))
        if result.outcome == "survived":
            print(f"{mutant.file} {mutant.operator}", flush=True)
            print(f"  - {mutant.before.strip()}\n  + {mutant.after.strip()}", flush=True)
    # A test that fails anyway kills nothing.
    tree.require([sorted({row.killer for row in found} - {"", CONFTEST})])
    return found


def outcomes(asked: argparse.Namespace) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each room, in the order in which they are done."""
    # A line that has changed since is no longer that mutant: its room is to be asked again.
    survived = [
        row
        for row in not_equivalent(read_rows(), read_survivors())
        if row.outcome == "survived"
        and row.mutant.fits((ROOT / row.file).read_text(encoding="utf-8"))
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(
            asked.jobs, multiprocessing.get_context("fork"), initializer=start, initargs=(folder,)
        ) as pool,
    ):
        runs = {}
        for room in asked.rooms or rooms():
            if asked.survivors:
                mutants = [row.mutant for row in survived if row.room == room]
            else:
                mutants = sample(room, asked.mutants, asked.seed)
            if mutants:
                runs[pool.submit(rows_of, room, mutants)] = room
        for run in as_completed(runs):
            # The other rooms can be recorded, and wait for none that failed.
            if failed := run.exception():
                print(f"{runs[run]}: not done: {failed}", file=sys.stderr, flush=True)
            else:
                yield runs[run], run.result()


def check(n: int) -> list[str]:
    """Ask n recorded mutants again, each of the test that killed it; return what is otherwise."""
    rows, found = draw_killed(n, TABLE), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder, "copy"))
        for row in rows:
            tree.require([[row.killer]])
            result = tree.ask(row.mutant, [[row.killer]])
            if result.outcome != "killed":
                found.append(f"{row.file} {row.after.strip()}: {result.outcome}")
    if len(rows) < n:
        found.append(f"only {len(rows)} of the recorded mutants can be made")
    return found


def main() -> None:
    """Run what the command line asks for; with --record, room by room into the record."""
    parser = argparse.ArgumentParser(prog="python -m validation.mutants", description=__doc__)
    parser.add_argument("--rooms", nargs="+", choices=rooms(), metavar="ROOM", help="default: all")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="of each room")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--survivors",
        action="store_true",
        help="ask recorded survivors again, those that are not called equivalent",
    )
    parser.add_argument("--check", type=int, help="ask so many recorded mutants of their killer")
    parser.add_argument("--record", action="store_true", help="write results.csv")
    asked = parser.parse_args()
    # Workers compute with one thread each, as the tests are timed.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
    if asked.check:
        sys.exit("\n".join(check(asked.check)) or None)
    killed = total = 0
    for room, rows in outcomes(asked):
        killed, total = killed + sum(row.outcome != "survived" for row in rows), total + len(rows)
        print(f"{room}: done; {killed} of {total} mutants killed so far", flush=True)
        if asked.record:
            asked_again = {row.mutant for row in rows}
            before = [
                row
                for row in read_rows()
                if (row.room != room or asked.survivors) and row.mutant not in asked_again
            ]
            write_rows([*before, *rows])


if __name__ == "__main__":
    main()
