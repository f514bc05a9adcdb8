"""Docstrings document shared parameters as the records do, and commands have their options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import typer

import rocstats as rs
from rocstats import classifiers, cli, learners, planning, verification
from rocstats.facts.options import OPTIONS, Option


class Documented(NamedTuple):
    """A parameter of a public function, as its docstring and its signature have it."""

    function: str
    kind: str
    text: str
    default: Any


def _public() -> Iterator[tuple[str, Any]]:
    for module in (rs, classifiers, learners, planning, verification):
        for name in module.__all__:
            found = getattr(module, name)
            yield name, found
            if inspect.isclass(found):
                for method in dir(found):
                    if not method.startswith("_") and callable(getattr(found, method)):
                        yield f"{name}.{method}", getattr(found, method)


def _parameters(name: str, found: Any) -> Iterator[tuple[str, Documented]]:
    text = inspect.getdoc(found) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n---|\Z)", text, re.S | re.M)
    if section is None or not callable(found):
        return
    try:
        signature = inspect.signature(found).parameters
    except ValueError:  # of a class that is made in C
        signature = {}
    entry = re.compile(r"^(\w+(?:, \w+)*) : (.*)\n((?:(?:    .*)?\n)*)", re.M)
    for names, kind, lines in entry.findall(f"{section[1]}\n"):
        for parameter in names.split(", "):
            default = signature[parameter].default if parameter in signature else inspect._empty
            yield parameter, Documented(name, kind, " ".join(lines.split()), default)


PARAMETERS = [found for one in _public() for found in _parameters(*one)]
SHARED = [one for one in OPTIONS.values() if one.sentences]


def _of(option: Option) -> list[Documented]:
    return [one for name, one in PARAMETERS if name == option.name and one.kind == option.kind]


@pytest.mark.parametrize("option", SHARED, ids=[one.name for one in SHARED])
def test_a_shared_parameter_has_one_sentence(option):
    # "{}" is some words of the same sentence.
    forms = [re.escape(each).replace(r"\{\}", "[^.]*?") for each in option.sentences]
    documented = _of(option)
    assert len(documented) >= 3
    for one in documented:
        assert any(re.match(form, one.text) for form in forms), (one.function, one.text)
        assert one.default == option.default, one.function
    used = [form for form in forms if any(re.match(form, one.text) for one in documented)]
    assert used == forms


def test_commands_have_the_options_of_the_records():
    commands: Any = typer.main.get_command(cli.app)
    parameters = [one for command in commands.commands.values() for one in command.params]
    known = {name for one in parameters for name in (*one.opts, one.metavar)}
    assert [one.name for one in OPTIONS.values() if one.command not in {"", *known}] == []
    helps = {str(getattr(one, "help", "")).removesuffix(" (repeatable).") for one in parameters}
    shared = {one.help for one in OPTIONS.values() if one.help}
    assert {text for text in shared if not {text, text.removesuffix(".")} & helps} == set()
