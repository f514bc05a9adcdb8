"""Ask the programs: ``python -m validation.coming_from.record`` writes recorded.csv.

R with pROC, ROCR and cutpointr, GNU PSPP and scikit-learn must be installed, and the environment
variable ``PEERS_PYTHON`` must name a Python interpreter that has the packages of ``peers.txt``.
With names of pages as arguments only their programs are asked: the numbers of other pages stay.
Each program gets the code of its page, in the order of the page: first the calls of the table, then
those of the numbers.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from validation.coming_from.pages import (
    COLUMNS,
    FOLDER,
    RECORDED,
    ROOT,
    Page,
    page_names,
    read_page,
    read_recorded,
)
from validation.files import read_json, write_csv, write_json

VERSIONS = FOLDER / "versions.json"
Answer = tuple[str, str, list[str]]
Said = tuple[Sequence[Answer], dict[str, str]]
"""The answers of a program, and the versions of what made them."""


def asked(page: Page) -> list[tuple[str, str]]:
    """Return the code that the program is to run, with its kind."""
    calls = [("call", code) for row, _ in page.calls() for code in row]
    numbers = [n.theirs for n in page.numbers.values() if n.kind == "recorded"]
    return calls + [("number", code) for code in dict.fromkeys(numbers)]


def by_r(page: Page) -> Said:
    """Run R code, each expression in the session of those before."""
    program = page.program.split()[0]
    lines = ["pdf(NULL)", "options(warn = -1)", page.setup]
    for kind, code in asked(page):
        lines.append('cat("@@@\\n")')
        if kind == "call":  # that it runs is what is recorded
            lines.append(f"invisible({{{code}}})")
        else:
            lines.append(f'cat(sprintf("%.17g\\n", as.numeric({code})), sep = "")')
    done = subprocess.run(
        ["Rscript", "--vanilla", "-"],
        input="\n".join(lines), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    shown = f'cat(as.character(getRversion()), as.character(packageVersion("{program}")))'
    run = ["Rscript", "--vanilla", "-e", shown]
    told = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    return _split(page, done.stdout), dict(zip(["R", program], told, strict=True))


def by_python(page: Page, python: str = sys.executable, others: Sequence[str] = ("numpy",)) -> Said:
    """Run Python code, each expression with the names of those before."""
    question = {
        "setup": page.setup,
        "code": asked(page),
        "versions": [page.program.split()[0], *others],
    }
    done = subprocess.run(
        [python, str(FOLDER / "ask.py")],
        input=json.dumps(question), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    said = json.loads(done.stdout)
    return [tuple(answer) for answer in said["answers"]], said["versions"]


def by_peers(page: Page) -> Said:
    """Run Python code where the packages of peers.txt are, which this package does not need."""
    return by_python(page, os.environ["PEERS_PYTHON"], others=())


def by_pspp(page: Page) -> Said:
    """Run SPSS syntax in GNU PSPP; the numbers are those of the first row of areas."""
    answers = []
    for kind, code in asked(page):
        with tempfile.TemporaryDirectory() as folder:
            syntax = Path(folder) / "ask.sps"
            syntax.write_text(f"{page.setup}\n{code}\n", encoding="utf-8")
            run = ["pspp", "-O", "format=csv", str(syntax)]
            done = subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True)
        values = ["runs"] if kind == "call" else _areas(done.stdout)
        answers.append((kind, code, values))
    told = subprocess.run(["pspp", "--version"], check=True, capture_output=True, text=True)
    return answers, {"PSPP": told.stdout.split("\n")[0].split()[-1]}


def _areas(printed: str) -> list[str]:
    table = printed.split("Table: Area Under the Curve")[1].split("\n\n")[0]
    rows = csv.reader(io.StringIO(table))
    numbers = ([cell for cell in row if re.fullmatch(r"-?\d*\.\d+", cell)] for row in rows)
    return next(row for row in numbers if row)


def _split(page: Page, printed: str) -> list[Answer]:
    parts = printed.split("@@@\n")[1:]
    code = asked(page)
    if len(parts) != len(code):
        raise ValueError(f"{page.name}: {len(code)} expressions, {len(parts)} answers")
    return [
        (kind, text, ["runs"] if kind == "call" else part.split())
        for (kind, text), part in zip(code, parts, strict=True)
    ]


RUNNERS: dict[str, Callable[[Page], Said]] = {
    "R": by_r,
    "python": by_python,
    "pspp": by_pspp,
    "peers": by_peers,
}


def main() -> None:
    """Record the pages that are named, or all, whose program runs."""
    names = sys.argv[1:] or page_names()
    rows = {(page, kind, code): told for (page, kind, code), told in read_recorded().items()}
    rows = {key: told for key, told in rows.items() if key[0] not in names}
    versions = read_json(VERSIONS)
    for page in map(read_page, names):
        if page.runs:
            answers, told = RUNNERS[page.runs](page)
            rows |= {(page.name, kind, code): values for kind, code, values in answers}
            versions |= told
    # Stable: the pages by name, each in its own order.
    lines = [(*key, value) for key in sorted(rows, key=lambda key: key[0]) for value in rows[key]]
    write_csv(RECORDED, COLUMNS, lines)
    write_json(VERSIONS, versions)


if __name__ == "__main__":
    main()
