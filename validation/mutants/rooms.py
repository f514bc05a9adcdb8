"""The rooms of the package, and the tests that are asked about each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "rocstats"

NEIGHBOURS = {
    "counts": ("tests/study",),
    "curves": ("tests/inference/costs", "tests/inference/cutpoints", "tests/inference/points"),
    "estimate": ("tests/inference",),
    "explorer": ("tests/explorer/browser", "tests/reports"),
    "frame": ("tests/tables",),
    "inference/auc": ("tests/estimate/test_own_cases.py",),
    "inference/cutpoints": ("tests/inference/points",),
    "inference/points": ("tests/inference/cutpoints",),
    "studies": (
        "tests/study",
        "tests/counts",
        "tests/inference/auc",
        "tests/inference/points",
        "tests/inference/readers",
    ),
    "study": ("tests/inference/covariates", "tests/inference/survival"),
    "tables": ("tests/reports",),
}
"""Rooms of shared tools are tested through the rooms that use them, too."""

EVERY_QUESTION = (
    "tests/test_contract.py",
    "tests/frame/test_questions.py",
    "tests/estimate/test_binned.py",
    "tests/test_wrong_types.py",
)
"""Tests that ask every question are asked about rooms that declare some."""

HOUSE = "tests/test_house.py::test_dataclasses_are_frozen"
"""A rule of all modules that a mutant can break unseen: the other rules are of how sources look."""

AUTHORITIES = "tests/validation/test_references.py::test_every_row_of_a_case_agrees"


def rooms() -> list[str]:
    """Return every room: a folder of the package. The files beside the folders are in none."""
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    return sorted(room for room in folders - {"."} if files_of(room))


def files_of(room: str) -> list[Path]:
    """Return the modules of a room, without those of the rooms inside it."""
    return sorted(path for path in (PACKAGE / room).glob("*.py") if path.name != "__init__.py")


def asked_first(room: str, file: str) -> list[str]:
    """Return those tests of a room that are named after a module, or import it: the likely killers.

    They are asked before all others, among which they are again.
    """
    path = ROOT / file
    return _places([ROOT / "tests" / room / f"test_{path.stem}.py", *_importing([path])], [])


def asked_of(room: str) -> list[list[str]]:
    """Return the tests asked about a room, in the order of asking, as arguments of pytest.

    First come those of the room, then those of its topic in other folders and those that import its
    modules, then the examples in its docstrings and the numbers of other authorities.
    """
    tests = ROOT / "tests"
    own = sorted((tests / room).glob("test_*.py"))
    # A topic is a folder of inference, or a file there.
    topics = [path.stem for path in files_of(room)] if room == "inference" else [Path(room).name]
    same = [path for topic in topics for path in sorted(tests.glob(f"*/test_{topic}*.py"))]
    others = [ROOT / path for path in NEIGHBOURS.get(room, ())]
    if any("Question(" in path.read_text(encoding="utf-8") for path in files_of(room)):
        others += [ROOT / path for path in EVERY_QUESTION]
    first = _places(own, [])
    second = _places([*same, *others, *_importing(files_of(room))], first)
    return [first, second, [HOUSE], _places(files_of(room), []), [AUTHORITIES]]


def _importing(paths: Iterable[Path]) -> list[Path]:
    """Return the files of tests that import one of the modules."""
    modules = [path.relative_to(ROOT).with_suffix("").parts for path in paths]
    names = "|".join(
        rf"{'.'.join(parts)}\b|{'.'.join(parts[:-1])} import.*\b{parts[-1]}\b" for parts in modules
    )
    every = sorted((ROOT / "tests").rglob("test_*.py"))
    return [path for path in every if re.search(names, path.read_text(encoding="utf-8"))]


def _places(paths: Iterable[Path], asked: list[str]) -> list[str]:
    """Return what exists, relative to the project, and is not in a folder that is asked already."""
    found: list[str] = []
    for path in paths:
        place = path.relative_to(ROOT).as_posix()
        above = {place, *(folder.as_posix() for folder in path.relative_to(ROOT).parents)}
        # Simulations are recorded: their tests read tables, or repeat a cell for a long time.
        elsewhere = place.startswith("tests/simulations") or above & {*asked, *found}
        if path.exists() and not elsewhere:
            found.append(place)
    return found
