"""Make mutants of some rooms, run their tests, and say which were not noticed.

``python -m validation.mutants --rooms stats/areas curves/points --record``
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from validation.mutants.making import sample
from validation.mutants.record import Row, read_rows, write_rows
from validation.mutants.rooms import rooms, tests_of
from validation.mutants.running import Tree

SEED, MUTANTS = 1, 10


def rows_of(room: str, n: int, seed: int, again: list[Row]) -> list[Row]:
    """Return the outcomes of a room: of new mutants, or of those given."""
    mutants = [row.mutant for row in again] or sample(room, n, seed)
    tests = tests_of(room)
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        seconds = tree.seconds(tests)
        print(f"{room}: {len(mutants)} mutants, tests of {seconds:.0f} s", flush=True)
        found = []
        for mutant in mutants:
            result = tree.ask(mutant, tests, seconds)
            found.append(Row(**vars(mutant), outcome=result.outcome, killer=result.killer))
            if result.outcome == "survived":
                print(f"  {mutant.file}:{mutant.line} {mutant.operator}", flush=True)
                print(f"  - {mutant.before.strip()}\n  + {mutant.after.strip()}", flush=True)
    return found


def outcomes(asked: argparse.Namespace, kept: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Return the rows of each room, in the order in which they are done."""
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(asked.jobs, mp_context=context) as pool:
        runs = {}
        for room in asked.rooms or rooms():
            again = [row for row in kept if row.room == room and row.outcome == "survived"]
            if again or not asked.survivors:
                given = again if asked.survivors else []
                runs[pool.submit(rows_of, room, asked.mutants, asked.seed, given)] = room
        for run in as_completed(runs):
            yield runs[run], run.result()


def main() -> None:
    """Run what the command line asks for; with --record, room by room into the record."""
    parser = argparse.ArgumentParser(prog="python -m validation.mutants", description=__doc__)
    parser.add_argument("--rooms", nargs="+", choices=rooms(), metavar="ROOM", help="default: all")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="of each room")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--survivors", action="store_true", help="ask recorded survivors again")
    parser.add_argument("--record", action="store_true", help="write results.csv")
    asked = parser.parse_args()
    # Workers compute with one thread each, as the tests are timed.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
    killed = total = 0
    for room, rows in outcomes(asked, read_rows()):
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
