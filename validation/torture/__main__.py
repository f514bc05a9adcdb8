"""``python -m validation.torture --calls 100000 --seed 1``: any study, any question, any option."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from validation.files import write_csv
from validation.runs import run_of, write_run
from validation.torture.machine import Outcome, outcome_of
from validation.torture.questions import all_questions, draw_call

TABLE = Path(__file__).parent / "results.csv"
COLUMNS = ("seed", "question", "calls", "frames", "refusals", "findings")


class Summary:
    """Counts of the outcomes by question, and each kind of finding with its first call."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counts: dict[str, Counter[str]] = {ask.label: Counter() for ask in all_questions()}
        self.findings: dict[tuple[str, str], list[int]] = {}

    def add(self, number: int, outcome: Outcome) -> None:
        """Count an outcome, and print a kind of finding when it is first met."""
        self.counts[outcome.question].update(
            calls=1,
            frames=outcome.frames,
            refusals=int(outcome.refused),
            findings=int(bool(outcome.faults)),
        )
        for fault in outcome.faults:
            seen = self.findings.setdefault((outcome.question, fault), [])
            seen.append(number)
            if len(seen) == 1:
                print(
                    f"{outcome.question}: {fault}\n    {repeat_command(self.seed, number)}",
                    flush=True,
                )

    def rows(self) -> list[list[object]]:
        """Return one row a question, of the cells of ``COLUMNS``."""
        return [
            [self.seed, name, *(count[key] for key in COLUMNS[2:])]
            for name, count in sorted(self.counts.items())
        ]

    def total(self) -> dict[str, int]:
        """Return the sums over all questions."""
        return {key: sum(count[key] for count in self.counts.values()) for key in COLUMNS[2:]}


def repeat_command(seed: int, number: int) -> str:
    """Return the command that makes a call again."""
    return f"python -m validation.torture --seed {seed} --call {number}"


def show(seed: int, number: int) -> int:
    """Print a call and its outcome; return 1 if something is wrong."""
    call = draw_call(seed, number)
    print(f"{call.ask.label}({dict(call.options)})\nof {dict(call.parts.arguments)}")
    outcome = outcome_of(seed, number)
    print(f"refused: {outcome.refused}, frames: {outcome.frames}")
    print(*outcome.faults, sep="\n")
    return int(bool(outcome.faults))


def main() -> int:
    """Make the calls; print the findings and a summary."""
    parser = argparse.ArgumentParser(prog="python -m validation.torture", description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--call", type=int, help="make this one call again and show it")
    parser.add_argument("--jobs", type=int, default=1, help="processes that make the calls")
    parser.add_argument("--record", action="store_true", help="write results.csv")
    options = parser.parse_args()
    began = datetime.now(UTC)
    if options.call is not None:
        return show(options.seed, options.call)
    summary = Summary(options.seed)
    # The clock that stops a call is that of the main thread: processes, not threads.
    with ProcessPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(partial(outcome_of, options.seed), range(options.calls), chunksize=50)
        for number, outcome in enumerate(outcomes):
            summary.add(number, outcome)
    print(f"seed {options.seed}: {summary.total()}, kinds of findings {len(summary.findings)}")
    if options.record:
        write_csv(TABLE, COLUMNS, summary.rows())
        command = f"{parser.prog} --calls {options.calls} --seed {options.seed} --record"
        write_run(TABLE.parent, run_of(command, began))
    return int(bool(summary.findings))


if __name__ == "__main__":
    sys.exit(main())
