"""Make the reference cases again from scratch, in a copy, and compare them with the recorded ones.

``python -m validation --remake`` runs the command in the versions.json of each case. A command
whose programs are not here is not run: its cases stay "printed, not re-run".
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pandas as pd

from validation.files import ROOT, read_json
from validation.harness import Case, Row, deviation, list_cases, read_rows

REMADE = "remade"
NOT_RUN = "printed, not re-run"
TOOLS = ("command", "python", "R", "numpy", "scipy", "pandas")
"""What versions.json lists and is no authority: languages, and what draws samples and solves."""

MODULES = {"scikit-learn": "sklearn"}
"""Import names of Python packages that differ from their names."""

SECONDS = 1800
"""No command takes longer; the longest, which lists every exchange, takes a minute."""


def remake() -> pd.DataFrame:
    """Return one row a command: whether it was run, and how its numbers agree with the recorded."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("validation", "rocstats"):
            shutil.copytree(ROOT.parent / name, copy / name)
        rows = [remade(command, cases, copy) for command, cases in commands().items()]
    return pd.DataFrame(rows).astype({"differ": "Int64"})  # missing where nothing was run


def commands() -> dict[str, list[Case]]:
    """Return the cases by the command that makes them; a command that others need comes first."""
    found: dict[str, list[Case]] = {}
    for case in list_cases():
        found.setdefault(_versions(case)["command"], []).append(case)
    # A command of several steps repeats those of others.
    return dict(sorted(found.items(), key=lambda item: item[0].count("&&")))


def missing(cases: list[Case]) -> list[str]:
    """Return the programs of the cases that are not here, with the versions that were used."""
    needed = {name: number for case in cases for name, number in programs_of(case).items()}
    is_r = "Rscript" in _versions(cases[0])["command"]
    return [
        f"{name} {number}"
        for name, number in needed.items()
        if not (has_r(name) if is_r else importlib.util.find_spec(MODULES.get(name, name)))
    ]


def remade(command: str, cases: list[Case], copy: Path) -> dict[str, object]:
    """Return the row of a command: its status, and how its numbers agree with the recorded."""
    absent = missing(cases)
    result = {"authority": cases[0].authority, "cases": len(cases), "command": command}
    recorded = [row for case in cases for row in read_rows(case)]
    if absent:
        return {**result, "status": NOT_RUN, "missing": ", ".join(absent), "rows": len(recorded)}
    for case in cases:
        (copy / "validation" / case.authority / case.name / "expected.csv").unlink()
    run = subprocess.run(
        command.replace("python ", f"{sys.executable} "),
        shell=True, cwd=copy, capture_output=True, text=True, timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip
    if run.returncode != 0:
        raise RuntimeError(f"{command} fails:\n{run.stdout}{run.stderr}")
    made = [
        row
        for case in cases
        for row in read_rows(Case(case.authority, case.name, copy / "validation"))
    ]
    gaps = list(deviations(recorded, made))
    return {
        **result,
        "status": REMADE,
        "missing": "",
        "rows": len(recorded),
        "differ": sum(gap > 1 for gap in gaps),
        "worst": f"{max(gaps):.1g}",
    }


def deviations(recorded: list[Row], made: list[Row]) -> Iterator[float]:
    """Yield the difference of each number in units of its tolerance, infinite where one lacks."""
    again = {_key(row): row.expected for row in made}
    if len(again) != len(recorded):
        yield float("inf")
    for row in recorded:
        found = again.get(_key(row), float("nan"))
        scale = row.tolerance if row.origin == "computed" else 1e-12
        yield deviation(found, row.expected) / scale


def _key(row: Row) -> tuple[str, ...]:
    case = row.case
    return (case.name, row.question, row.arguments, row.where, row.column, row.origin)


def _versions(case: Case) -> dict[str, str]:
    return read_json(case.folder / "versions.json")


def programs_of(case: Case) -> dict[str, str]:
    """Return the programs that gave the numbers of a case, with their versions."""
    return {name: number for name, number in _versions(case).items() if name not in TOOLS}


@cache
def has_r(package: str) -> bool:
    """Return whether R has a package, and the one that its scripts write their files with."""
    if shutil.which("Rscript") is None:
        return False
    code = f'q(status = !all(sapply(c("{package}", "jsonlite"), requireNamespace, quietly = TRUE)))'
    return subprocess.run(["Rscript", "-e", code], capture_output=True).returncode == 0
