"""The pages "Coming from": our calls run, theirs were run, and both numbers are true."""

from __future__ import annotations

import json
import re
import shlex
import sys
import warnings
from functools import cache

import pytest

from rocstats import cli
from validation.coming_from.pages import (
    CELL,
    FOLDER,
    PAGES,
    ours,
    page_names,
    read_page,
    read_recorded,
    same,
    theirs,
    tolerances,
)
from validation.coming_from.record import asked

NUMBERS = [(name, key) for name in page_names() for key in read_page(name).numbers]


@cache
def names_of(page):
    """What the visible cells of a page define; cells that begin with an option show numbers."""
    names = {}
    for cell in CELL.findall(read_page(page).text):
        if not cell.startswith(":"):
            exec(cell, names)
    return names


def within(found, expected, bounds):
    return [
        abs(one - other) <= bound * (1 + 1e-9)
        for one, other, bound in zip(found, expected, bounds, strict=True)
    ]


@pytest.mark.parametrize("name", page_names())
def test_every_call_of_ours_runs(name):
    rows = read_page(name).calls()
    assert len(rows) >= 10
    names = dict(names_of(name))
    for _, calls in rows:
        for call in calls:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(call, names)


ONE = "diagnosis texture --positive malignant"
TWO = ONE.replace("texture", "texture symmetry")
COMMANDS = [
    (name, command)
    for name in page_names()
    for command in dict.fromkeys(read_page(name).commands())
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for each page, with the files that its commands read."""
    folders = {}
    for name in dict.fromkeys(name for name, _ in COMMANDS):
        folders[name] = tmp_path_factory.mktemp(name)
        for file in ("masses", "ratings"):
            if file in names_of(name):
                names_of(name)[file].to_csv(folders[name] / f"{file}.csv", index=False)
    return folders


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_every_command_runs(folder, name, command, monkeypatch, capsys):
    pair = command.startswith("rocstats compare ") and "--across groups" not in command
    words = shlex.split(command.replace("...", f"masses.csv {TWO if pair else ONE}"))
    if words[1] == "report":
        words += ["--kind", "html"]
    monkeypatch.chdir(folder[name])
    monkeypatch.setattr(sys, "argv", [*words, *(["--force"] if "--out" in words else [])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(SystemExit) as end:
            cli.main()
    printed = capsys.readouterr()
    assert not end.value.code, printed.err
    assert printed.out


@pytest.mark.parametrize("name", [name for name in page_names() if read_page(name).runs])
def test_every_call_of_theirs_was_run(name):
    page = read_page(name)
    recorded = {(kind, code) for of, kind, code in read_recorded() if of == name}
    assert recorded == set(asked(page)), "python -m validation.coming_from.record"


@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_both_numbers_are_true(name, key):
    page, names = read_page(name), dict(names_of(name))
    number, expected, bounds = page.numbers[key], theirs(page, key), tolerances(page, key)
    equal = within(ours(number, names), expected, bounds)
    assert all(equal) is not number.differs
    if number.same:
        assert all(within(same(number, names), expected, bounds))


@pytest.mark.parametrize("name", page_names())
def test_every_number_is_on_its_page(name):
    page = read_page(name)
    shown = re.findall(r'numbers\.beside\("(.*?)", globals\(\)\)', page.text)
    assert sorted(shown) == sorted(page.numbers)


def test_every_page_is_in_the_index():
    pages = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")
    assert pages == page_names()
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    assert [name for name in pages if f"({name}.md)" not in index] == []


def test_pages_name_the_versions_that_were_recorded():
    versions = json.loads((FOLDER / "versions.json").read_text(encoding="utf-8"))
    for name in page_names():
        page = read_page(name)
        if page.runs:
            program = page.program.removeprefix("GNU ").split()[0]
            assert page.program.endswith(versions[program])
            assert f"recorded from {program} {versions[program]}" in page.text


def test_the_limits_that_pspp_calls_95_percent_are_those_of_90():
    (printed,) = {tuple(values) for key, values in read_recorded().items() if is_free(*key)}
    area, se, _, low, high = map(float, printed)
    for limit, sign in ((low, -1), (high, 1)):
        assert limit == pytest.approx(area + sign * 1.6448536 * se, abs=2e-9)


def is_free(page, kind, code):
    return (page, kind) == ("spss", "number") and "NEGEXPO" not in code
