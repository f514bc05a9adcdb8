"""The rooms of the package, and the tests that are asked about each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
STOREYS = ("curves", "stats", "inference", "sample", "frames", "studies", "present", "commands")

NEIGHBOURS = {
    "commands/models": ("tests/commands",),
    "commands/studies": ("tests/commands",),
    "curves/points": ("tests/inference/costs",),
    "inference/estimates": (
        "tests/inference/comparison",
        "tests/inference/areas",
        "tests/inference/bands",
    ),
    "inference/subgroups": ("tests/inference/zones",),
    "present/explorer": ("tests/present",),
    "present/formats": ("tests/present",),
    "present/report": ("tests/present",),
    "sample/counts": ("tests/sample/engines", "tests/sample/inputs"),
    "sample/inputs": (
        "tests/study/test_messages.py",
        "tests/study/test_reader_messages.py",
        "tests/study/test_several_groups.py",
        "tests/inference/survival/test_edges.py",
    ),
    "stats/classes": ("tests/inference/classes",),
    "stats/influence": ("tests/stats/areas", "tests/inference/comparison"),
    "stats/intervals": ("tests/stats/areas", "tests/inference/areas", "tests/inference/points"),
    "stats/points": ("tests/inference/comparison",),
    "stats/resampling": ("tests/inference/areas", "tests/inference/bands"),
    "studies": ("tests/sample", "tests/inference/comparison", "tests/inference/readers"),
}
"""Rooms of shared tools are tested through the rooms that use them, too."""

EVERY_QUESTION = (
    "tests/frame/test_questions.py",
    "tests/estimate/test_binned.py",
    "tests/inference/test_wrong_types.py",
)
"""Tests that ask every question are asked about rooms that declare some."""

HOUSE = "tests/test_house.py::test_dataclasses_are_frozen"
"""A rule of all modules that a mutant can break unseen: the other rules are of how sources look."""

AUTHORITIES = "tests/validation/test_references.py::test_every_row_of_a_case_agrees"


def rooms() -> list[str]:
    """Return every room: a folder of a storey with what is below it, or a storey's loose files."""
    package = ROOT / "rocstats"
    found = [*STOREYS]
    for storey in STOREYS:
        folders = (path for path in (package / storey).iterdir() if (path / "__init__.py").exists())
        found += [f"{storey}/{path.name}" for path in folders]
    return sorted(room for room in found if files_of(room))


def files_of(room: str) -> list[Path]:
    """Return the modules of a room; a storey's own are those outside its folders."""
    folder = ROOT / "rocstats" / room
    found = folder.rglob("*.py") if "/" in room else folder.glob("*.py")
    return sorted(path for path in found if path.name != "__init__.py")


def asked_first(room: str, file: str) -> list[str]:
    """Return those tests of a room that are named after a module, or import it: the likely killers.

    They are asked before all others, among which they are again.
    """
    storey, _, topic = room.partition("/")
    path, folder = ROOT / file, ROOT / "tests" / storey / topic
    return _places([*sorted(folder.rglob(f"test_{path.stem}.py")), *_importing([path])], [])


def asked_of(room: str) -> list[list[str]]:
    """Return the tests asked about a room, in the order of asking, as arguments of pytest.

    First come those of the room, then those of its topic on other storeys and those that import its
    modules, then the examples in its docstrings and the numbers of other authorities.
    """
    tests = ROOT / "tests"
    storey, _, topic = room.partition("/")
    if topic:
        own = [tests / storey / topic, *sorted((tests / storey).glob(f"test_{topic}*.py"))]
    else:
        own = sorted((tests / storey).glob("test_*.py"))
    # A topic that is small on one storey is a file there: inference/zones.py, inference/zones/.
    topics = [topic] if topic else [path.stem for path in files_of(room)]
    same = [path for name in topics for path in sorted(tests.glob(f"*/**/{name}")) if path.is_dir()]
    same += [path for name in topics for path in sorted(tests.glob(f"*/test_{name}.py"))]
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
