"""Mutants of the explorer's model files, which are JavaScript: made and run by StrykerJS.

``npm ci --prefix validation/mutants``, then ``python -m validation.mutants.pages --record``
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from validation.mutants.making import mutant_of
from validation.mutants.record import PAGES, Row, draw_killed, write_rows
from validation.mutants.rooms import ROOT

ROOM = "explorer/model"
MODEL, TESTS = ROOT / "rocstats" / "explorer", ROOT / "tests" / "explorer" / "model"
ALL = "tests/explorer/model/all.mjs"
CONFIG = Path(__file__).parent / "stryker.json"
STRYKER = CONFIG.parent / "node_modules" / "@stryker-mutator" / "core" / "bin" / "stryker.js"

# The tests take a fifth of a second. A mutant that runs so long has an endless loop.
SECONDS = 60

_OUTCOMES = {"Killed": "killed", "Timeout": "timeout", "Survived": "survived"}


def node(*command: str, folder: Path, seconds: int | None = None) -> tuple[int, str]:
    """Run Node.js in a folder; return its exit code and its output."""
    program = shutil.which("node")
    if program is None:
        raise RuntimeError("the explorer's model files need Node.js: .ci/programs installs it")
    done = subprocess.run(
        [program, *command],
        cwd=folder, capture_output=True, text=True, check=False, timeout=seconds,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def failures(output: str) -> list[str]:
    """Return the tests that failed in an output of Node.js: "file::name", in their order.

    Without any, the files could not be loaded: the file that loads them stands for all tests.
    """
    output = re.sub(r"\n+", "\n", output)  # Stryker's report has every line end twice
    found = re.findall(r"^not ok \d+ - (.*)\n(?:  .*\n)*?  location: '(.*):\d+:\d+'", output, re.M)
    places = [f"tests/explorer/model/{Path(path).name}::{name}" for name, path in found]
    return places or [ALL]


def run_tests(folder: Path) -> list[str]:
    """Return the tests that fail in a copy of the project; none if all pass."""
    code, output = node("--test-reporter=tap", ALL, folder=folder, seconds=SECONDS)
    return failures(output) if code else []


def copy_to(folder: Path) -> None:
    """Copy the model files and their tests."""
    for source in (MODEL, TESTS):
        shutil.copytree(source, folder / source.relative_to(ROOT))


def rows_of(report: dict[str, Any]) -> list[Row]:
    """Return the mutants of a report of Stryker, each change once."""
    found: dict[tuple[str, str, str], Row] = {}
    day = date.today().isoformat()
    for file, content in report["files"].items():
        text = content["source"]
        for one in content["mutants"]:
            start, end = (_offset(text, one["location"][key]) for key in ("start", "end"))
            changed = text[:start] + one["replacement"] + text[end:]
            mutant = mutant_of(ROOM, file, one["mutatorName"], text, changed)
            outcome = _OUTCOMES[one["status"]]
            killer = failures(one["statusReason"])[0] if outcome == "killed" else ""
            row = Row(**vars(mutant), outcome=outcome, killer=killer, asked=day)
            found.setdefault((row.file, row.before, row.after), row)
    return list(found.values())


def _offset(text: str, place: dict[str, int]) -> int:
    """Return the index of a place in a text; its lines and columns are counted from 1."""
    lines = text.split("\n")[: place["line"] - 1]
    return sum(len(line) + 1 for line in lines) + place["column"] - 1


def make_and_run() -> list[Row]:
    """Make every mutant of the model files, and ask all tests about each."""
    if not STRYKER.is_file():
        raise RuntimeError("Stryker is missing: `npm ci --prefix validation/mutants` installs it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        shutil.copy2(CONFIG, folder)
        code, output = node(str(STRYKER), "run", CONFIG.name, folder=folder)
        if code:
            raise RuntimeError(output)
        return rows_of(json.loads((folder / "mutants.json").read_text(encoding="utf-8")))


def check(n: int) -> list[str]:
    """Ask n recorded mutants again; return those that are not killed by the recorded test."""
    rows, found = draw_killed(n, PAGES), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        if failed := run_tests(folder):
            return [f"{failed[0]} fails without any mutant"]
        for row in rows:
            path = folder / row.file
            text = path.read_text(encoding="utf-8")
            path.write_text(row.mutant.applied_to(text), encoding="utf-8")
            if row.killer not in run_tests(folder):
                found.append(f"{row.file} {row.after.strip()}: not noticed by {row.killer}")
            path.write_text(text, encoding="utf-8")
    if len(rows) < n:
        found.append(f"only {len(rows)} of the recorded mutants can be made")
    return found


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m validation.mutants.pages", description=__doc__)
    parser.add_argument("--check", type=int, help="ask so many recorded mutants again")
    parser.add_argument("--record", action="store_true", help="write pages.csv")
    asked = parser.parse_args()
    if asked.check:
        sys.exit("\n".join(check(asked.check)) or None)
    rows = make_and_run()
    for row in rows:
        if row.outcome == "survived":
            print(f"{row.file} {row.operator}\n  - {row.before.strip()}\n  + {row.after.strip()}")
    print(f"{sum(row.outcome != 'survived' for row in rows)} of {len(rows)} mutants killed")
    if asked.record:
        write_rows(rows, PAGES)


if __name__ == "__main__":
    main()
