"""The rooms of the package, and the tests that are asked about each."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
STOREYS = ("curves", "stats", "inference", "sample", "frames", "studies", "present", "commands")

NEIGHBOURS = {
    "curves/points": ("tests/inference/costs",),
    "inference/estimates": ("tests/inference/comparison", "tests/inference/areas"),
    "inference/subgroups": ("tests/inference/zones",),
    "sample/counts": ("tests/sample/engines", "tests/sample/inputs"),
    "sample/roles": ("tests/sample/inputs",),
    "stats/classes": ("tests/inference/classes",),
    "stats/influence": ("tests/stats/areas", "tests/inference/comparison"),
    "stats/intervals": ("tests/stats/areas", "tests/inference/areas", "tests/inference/points"),
    "stats/resampling": ("tests/inference/areas", "tests/inference/bands"),
}
"""Rooms of shared tools are tested through the rooms that use them, too."""

AUTHORITIES = "tests/validation/test_references.py"


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


def tests_of(room: str) -> list[str]:
    """Return the tests asked about a room, nearest first, as arguments of pytest.

    They are the tests of its topic on every storey, the examples in its docstrings, and the numbers
    of other authorities.
    """
    storey, _, topic = room.partition("/")
    tests = ROOT / "tests"
    own = tests / storey / topic
    if topic:
        same = (path for path in sorted(tests.glob(f"*/**/{topic}")) if path.is_dir())
        named = sorted(tests.glob(f"*/test_{topic}*.py"))
        near = [own, *same, *named]
    else:
        near = sorted(own.glob("test_*.py"))
    found = [path.relative_to(ROOT).as_posix() for path in near if path.exists()]
    found = [place for place in found if not place.startswith("tests/simulations")]
    examples = [path.relative_to(ROOT).as_posix() for path in files_of(room)]
    return list(dict.fromkeys([*found, *NEIGHBOURS.get(room, ()), *examples, AUTHORITIES]))
