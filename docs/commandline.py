"""The reference of the command line: each command and option, read from the program."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from IPython.display import Markdown
from page import table

from rocstats.cli import COMMANDS
from rocstats.commands.options import command_with_option_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = ("Reading the file", "The study", "Printing")
"""Groups of options that most commands have; each is described once."""


class Option(NamedTuple):
    """An argument or option of a command, as its help shows it."""

    name: str
    group: str | None
    values: str
    default: str
    meaning: str


def describe(command: str) -> Markdown:
    """Return what a command does, its examples, its own options, and which shared ones it has."""
    paragraphs = inspect.cleandoc(COMMANDS[command].__doc__ or "").split("\n\n")
    options = list(_options(command))
    parts = [f"```sh\n{p}\n```" if p.startswith("rocstats ") else p for p in paragraphs]
    if own := [option for option in options if option.group not in SHARED]:
        parts.append(_table(own))
    for group in SHARED:
        if names := [f"`{option.name}`" for option in options if option.group == group]:
            parts.append(f"{group}: {', '.join(names)}.")
    return Markdown("\n\n".join(parts))


def shared(group: str) -> Markdown:
    """Return the options of a group, as the first command that has each describes it."""
    found: dict[str, Option] = {}
    for command in COMMANDS:
        for option in _options(command):
            if option.group == group:
                found.setdefault(option.name, option)
    return Markdown(_table(list(found.values())))


def _table(options: list[Option]) -> str:
    rows = [(f"`{o.name}`", o.values, o.default, o.meaning) for o in options]
    return str(table(["Option", "Values", "Unless given", "Meaning"], rows).data)


def _options(command: str) -> Iterator[Option]:
    signature = inspect.signature(command_with_option_groups(COMMANDS[command]))
    for name, parameter in signature.parameters.items():
        kind, info = get_args(parameter.annotation)[:2]
        # typer takes the first of the option's own names for its default
        declared = [
            text for text in (info.default, *(info.param_decls or ())) if str(text)[:2] == "--"
        ]
        is_argument = type(info).__name__ == "ArgumentInfo"
        yield Option(
            name.upper() if is_argument else (declared or [f"--{name.replace('_', '-')}"])[0],
            info.rich_help_panel,
            _values(kind, info.metavar),
            _default(parameter.default),
            (info.help or "").replace("\n", " "),
        )


def _values(kind: Any, metavar: str | None) -> str:
    if metavar:
        return ", ".join(f"`{word}`" for word in metavar.split(" | "))
    words = [word for part in (kind, *get_args(kind)) if get_origin(part) is Literal
             for word in get_args(part)]  # fmt: skip
    if words:
        return ", ".join(f"`{word}`" for word in words)
    if kind is bool:
        return ""
    return "number" if "float" in str(kind) or "int" in str(kind) else "text"


def _default(default: Any) -> str:
    empty = default is inspect.Parameter.empty
    return "required" if empty else "" if default in (None, False, (), []) else f"`{default}`"
