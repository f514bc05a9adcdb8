"""Ask the programs: ``python -m validation.coming_from.record`` writes recorded.csv.

R with pROC, ROCR and cutpointr, GNU PSPP and scikit-learn must be installed. Each program gets the
code of its page, in the order of the page: first the calls of the table, then those of the numbers.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from validation.coming_from.pages import (
    COLUMNS,
    FOLDER,
    RECORDED,
    ROOT,
    Page,
    page_names,
    read_page,
)
from validation.files import write_csv, write_json

Answer = tuple[str, str, list[str]]


def asked(page: Page) -> list[tuple[str, str]]:
    """Return the code that the program is to run, with its kind."""
    calls = [("call", code) for row, _ in page.calls() for code in row]
    numbers = [n.theirs for n in page.numbers.values() if n.kind == "recorded"]
    return calls + [("number", code) for code in dict.fromkeys(numbers)]


def by_r(page: Page) -> list[Answer]:
    """Run R code, each expression in the session of those before."""
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
    return _split(page, done.stdout)


def by_python(page: Page) -> list[Answer]:
    """Run Python code, each expression with the names of those before."""
    names: dict[str, Any] = {}
    exec(page.setup, names)
    answers = []
    for kind, code in asked(page):
        if kind == "call":
            exec(code, names)
            answers.append((kind, code, ["runs"]))
        else:
            values = [f"{float(value):.17g}" for value in eval(code, names)]
            answers.append((kind, code, values))
    return answers


def by_pspp(page: Page) -> list[Answer]:
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
    return answers


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


def versions() -> dict[str, str]:
    """Return the versions of the programs."""
    names = ["pROC", "ROCR", "cutpointr"]
    shown = "; ".join(f'cat(as.character(packageVersion("{name}")), "\\n")' for name in names)
    run = ["Rscript", "--vanilla", "-e", f'cat(as.character(getRversion()), "\\n"); {shown}']
    lines = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    pspp = subprocess.run(["pspp", "--version"], check=True, capture_output=True, text=True)
    return {
        "command": "python -m validation.coming_from.record",
        **dict(zip(["R", *names], lines, strict=True)),
        "PSPP": pspp.stdout.split("\n")[0].split()[-1],
        "scikit-learn": version("scikit-learn"),
        "numpy": version("numpy"),
    }


RUNNERS: dict[str, Callable[[Page], Sequence[Answer]]] = {
    "R": by_r,
    "python": by_python,
    "pspp": by_pspp,
}


def main() -> None:
    """Record all pages whose program runs."""
    rows = []
    for page in map(read_page, page_names()):
        if page.runs:
            for kind, code, values in RUNNERS[page.runs](page):
                rows += [(page.name, kind, code, value) for value in values]
    write_csv(RECORDED, COLUMNS, rows)
    write_json(FOLDER / "versions.json", versions())


if __name__ == "__main__":
    main()
