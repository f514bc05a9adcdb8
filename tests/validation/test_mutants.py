"""The record of ``python -m validation.mutants``, and one of its mutants made again."""

from __future__ import annotations

import csv
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from validation.mutants.making import Mutant
from validation.mutants.pages import MODEL, ROOM
from validation.mutants.record import (
    COLUMNS,
    PAGES,
    PAGES_SURVIVORS,
    SURVIVORS,
    TABLE,
    read_rows,
    read_survivors,
    share_killed,
)
from validation.mutants.rooms import ROOT, asked_of, files_of, rooms
from validation.mutants.running import CONFTEST

MUTANT = Mutant("curves", "rocstats/a.py", "AddNot", "    b\n  c", "    d\n  c")

RECORDS = pytest.mark.parametrize(
    ("table", "reasons"), [(TABLE, SURVIVORS), (PAGES, PAGES_SURVIVORS)], ids=["python", "pages"]
)


@RECORDS
def test_a_record_has_every_mutant_once_with_what_killed_it(table, reasons):
    with table.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == list(COLUMNS)
    rows = read_rows(table)
    assert len({row.mutant for row in rows}) == len(rows) > 500
    for row in rows:
        assert row.outcome in {"killed", "timeout", "survived"}, row
        assert bool(row.killer) == (row.outcome == "killed"), row
        assert row.before != row.after, row
        assert date.fromisoformat(row.asked) >= date(2026, 11, 23), row


def test_the_record_is_of_rooms_and_tests_that_exist():
    for row in read_rows():
        assert ROOT / row.file in files_of(row.room), row
        assert (ROOT / row.killer.partition("::")[0]).exists(), row


def test_the_record_of_pages_has_every_model_file_and_tests_that_exist():
    rows = read_rows(PAGES)
    assert {row.room for row in rows} == {ROOM}
    files = {path.relative_to(ROOT).as_posix() for path in MODEL.glob("model/*.js")}
    assert {row.file for row in rows} == files
    for row in rows:
        place, _, name = row.killer.partition("::")
        assert f'test("{name}"' in (ROOT / place).read_text("utf-8") if name else True, row


def test_every_killer_is_among_the_tests_asked_of_its_room():
    asked = {
        room: {place.partition("::")[0] for part in asked_of(room) for place in part}
        for room in rooms()
    }
    # Without a package that can be imported, the common conftest.py fails before any test.
    killed = [row for row in read_rows() if row.killer not in {"", CONFTEST}]
    for row in killed:
        killer = Path(row.killer.partition("::")[0])
        assert asked[row.room] & {path.as_posix() for path in (killer, *killer.parents)}, row


@pytest.mark.parametrize("table", [TABLE, PAGES], ids=["python", "pages"])
def test_nine_in_ten_of_the_mutants_can_still_be_made(table):
    rows = read_rows(table)
    texts = {row.file: (ROOT / row.file).read_text(encoding="utf-8") for row in rows}
    assert sum(row.mutant.fits(texts[row.file]) for row in rows) >= 0.9 * len(rows)


@RECORDS
def test_every_survivor_has_a_reason_and_no_other_mutant_has(table, reasons):
    survived = {
        (row.file, row.before.strip(), row.after.strip())
        for row in read_rows(table)
        if row.outcome == "survived"
    }
    survivors = read_survivors(reasons)
    assert len(survivors) == len(survived)
    assert {(one.file, one.before, one.after) for one in survivors} == survived
    for one in survivors:
        assert len(one.reason.split()) > 5, one


@RECORDS
def test_all_but_three_in_a_hundred_of_the_mutants_that_can_be_killed_are_killed(table, reasons):
    killed, can = share_killed(read_rows(table), read_survivors(reasons))
    assert killed >= 0.97 * can


@pytest.mark.parametrize("text", ["    b\n", "     b\n  c\n", "    b\n  c\n    b\n  c\n"])
def test_lines_that_are_gone_or_twice_in_the_file_are_not_changed(text):
    assert not MUTANT.fits(text)
    with pytest.raises(AssertionError, match=r"rocstats/a\.py does not have once:     b"):
        MUTANT.applied_to(text)


def test_every_module_in_a_folder_is_in_one_room_and_every_room_has_tests():
    package = ROOT / "rocstats"
    inside = {path for path in package.rglob("*/*.py") if path.name != "__init__.py"}
    found = [path for room in rooms() for path in files_of(room)]
    assert sorted(found) == sorted(inside)
    for room in rooms():
        asked = [place for part in asked_of(room) for place in part]
        assert len(set(asked)) == len(asked)
        assert all(Path(ROOT, place.partition("::")[0]).exists() for place in asked)


@pytest.mark.slow  # an interpreter that loads all libraries, and pytest twice
def test_a_recorded_mutant_is_killed_again():
    command = [sys.executable, "-m", "validation.mutants", "--check", "1"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
