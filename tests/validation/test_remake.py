"""Cases are made again by their own commands, and a number that is not found again is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from validation import remake
from validation.harness import list_cases, read_rows
from validation.remake import REMADE, commands, deviations, remade

ROOT = Path(remake.__file__).parents[1]


def test_every_case_is_made_by_one_command():
    made = [case for cases in commands().values() for case in cases]
    assert sorted(made, key=str) == sorted(list_cases(), key=str)
    for command in commands():
        scripts = [word for word in command.split() if word.startswith("validation/")]
        assert scripts
        assert all((ROOT / script).is_file() for script in scripts), command


def one_command(authority):
    return next(item for item in commands().items() if item[1][0].authority == authority)


@pytest.fixture
def copy(tmp_path):
    """The files of one authority, which its script writes again, and links to what it reads."""
    folder = tmp_path / "validation"
    folder.mkdir()
    for path in (ROOT / "validation").iterdir():
        if path.name not in ("imputation", "__pycache__"):
            (folder / path.name).symlink_to(path)
    (tmp_path / "rocstats").symlink_to(ROOT / "rocstats")
    for path in (ROOT / "validation" / "imputation").rglob("*"):
        if path.is_file():
            target = folder / path.relative_to(ROOT / "validation")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return tmp_path


def test_a_case_is_made_from_scratch_and_agrees(copy):
    command, cases = one_command("imputation")
    found = remade(command, cases, copy)
    assert (found["status"], found["rows"], found["differ"]) == (REMADE, 12, 0)


def test_a_script_that_writes_nothing_is_no_agreement(copy):
    _, cases = one_command("imputation")
    with pytest.raises(FileNotFoundError):
        remade("python validation/imputation/__init__.py || true", cases, copy)


def test_numbers_that_differ_or_lack_are_found():
    rows = read_rows(one_command("statsmodels")[1][0])
    assert set(deviations(rows, rows)) == {0.0}
    other = [replace(rows[0], expected=rows[0].expected * (1 + 1e-6)), *rows[1:]]
    assert sum(gap > 1 for gap in deviations(rows, other)) == 1
    assert max(deviations(rows, rows[1:])) == float("inf")
