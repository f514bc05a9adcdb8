"""Fields of a form, read from the signature of a command, and the arguments they make.

The command line is the one description of questions: a new command or option has its field here
without a further line.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from typer.models import ArgumentInfo

from rocstats.commands.options import command_with_option_groups
from rocstats.commands.reading import READING_PANEL

Command = Callable[..., None]
Values = Mapping[str, Sequence[str]]
"""What a form holds: the texts of each field, by its name."""
Kind = Literal["column", "columns", "choice", "flag", "text", "lines", "pair"]

# What the window itself decides: the form of an answer, and which files it has. No form names a
# path, so that no page can read or write a file of its choice.
_OF_THE_WINDOW = {"form", "layout", "digits", "force", "methods", "kind", "example", "width"}
# Commands of a terminal, and pictures, which the window draws beside their answers.
_NO_QUESTIONS = {"completion", "plot", "app"}


class Field(NamedTuple):
    """An option or an argument of a command, as a field of a form."""

    name: str
    flag: str
    """The option on the command line; "" of an argument, which has its place instead."""
    metavar: str
    help: str
    panel: str
    kind: Kind
    words: tuple[str, ...]
    default: str
    required: bool

    @property
    def label(self) -> str:
        """Words beside the field."""
        words = (self.flag.removeprefix("--") or self.metavar).replace("-", " ")
        return words[:1].upper() + words[1:].lower()


class Question(NamedTuple):
    """A question in words, with the commands that answer it."""

    words: str
    commands: tuple[str, ...]


_QUESTIONS = (
    Question("How good is a test?", ("auc", "random", "curve", "precision-recall", "band")),
    Question("Which of several tests is better?", ("compare",)),
    Question("Which cutoff, and how good is the test there?", ("cutpoint", "points", "goals")),
    Question("Is a predicted risk right, and is it of use?", ("calibration", "net-benefit")),
    Question("How good are several readers?", ("readers",)),
    Question("How well does a test predict an event in time?", ("survival",)),
    Question("All of it for a paper", ("report",)),
)
_WITHOUT_FILE = (
    Question("Numbers from a paper", ("table", "verified-table", "compare-published")),
    Question("How many patients do I need?", ("size", "power")),
)


def questions_of(commands: Mapping[str, Command]) -> list[Question]:
    """Return the questions about a file; commands without a question of their own come last."""
    return _with_other_commands(_QUESTIONS, commands, of_file=True)


def questions_without_file(commands: Mapping[str, Command]) -> list[Question]:
    """Return the questions that need no file."""
    return _with_other_commands(_WITHOUT_FILE, commands, of_file=False)


def _with_other_commands(
    questions: Sequence[Question], commands: Mapping[str, Command], *, of_file: bool
) -> list[Question]:
    asked = {name for question in (*_QUESTIONS, *_WITHOUT_FILE) for name in question.commands}
    others = tuple(
        name
        for name, command in commands.items()
        if name not in asked | _NO_QUESTIONS and paths_of(command) == ["file"] * of_file
    )
    more = [Question("More questions", others)] if others else []
    return [*questions, *more]


def paths_of(command: Command) -> list[str]:
    """Return the names of the files that a command must be given."""
    parameters = inspect.signature(command_with_option_groups(command)).parameters.values()
    return [p.name for p in parameters if _is_path(p) and p.default is inspect.Parameter.empty]


def summary_of(command: Command) -> str:
    """Return what a command answers: the first line of its help, without its verb."""
    first = inspect.getdoc(command).partition("\n\n")[0]  # type: ignore[union-attr]
    text = " ".join(first.split()).removeprefix("Print ")
    return text[:1].upper() + text[1:].removesuffix(".")


def fields_of(command: Command) -> list[Field]:
    """Return the fields of a command, arguments first."""
    parameters = inspect.signature(command_with_option_groups(command)).parameters.values()
    asked = [p for p in parameters if p.name not in _OF_THE_WINDOW and not _is_path(p)]
    fields = [_field_of(p) for p in asked]
    return sorted(fields, key=lambda field: bool(field.flag))


def has_option(command: Command, name: str) -> bool:
    """Return whether a command has an option."""
    return name in inspect.signature(command_with_option_groups(command)).parameters


def reading_fields(fields: Sequence[Field]) -> list[Field]:
    """Return the fields that say how a file is read."""
    return [field for field in fields if field.panel == READING_PANEL]


def _field_of(parameter: inspect.Parameter) -> Field:
    annotated, about = get_args(parameter.annotation)[:2]
    typed = next((part for part in get_args(annotated) if part is not NoneType), annotated)
    if get_origin(annotated) in (list, tuple):
        typed = annotated
    words = tuple(about.autocompletion("")) if about.autocompletion else ()
    flags = [text for text in (about.default, *(about.param_decls or ())) if _is_flag(text)]
    usual = f"--{parameter.name.replace('_', '-')}"
    empty = parameter.default is inspect.Parameter.empty
    return Field(
        name=parameter.name,
        flag="" if isinstance(about, ArgumentInfo) else (flags or [usual])[0],
        metavar=about.metavar or parameter.name,
        help=about.help or "",
        panel=about.rich_help_panel or "",
        kind=_kind_of(typed, about.help or "", words),
        words=words,
        default="" if empty or parameter.default in (None, False) else str(parameter.default),
        required=empty,
    )


def _is_path(parameter: inspect.Parameter) -> bool:
    annotated = get_args(parameter.annotation)[0]
    return Path in (annotated, *get_args(annotated))


def _is_flag(text: Any) -> bool:
    return isinstance(text, str) and text.startswith("--")


def _kind_of(typed: Any, help_text: str, words: tuple[str, ...]) -> Kind:
    """Return the kind of a field; help that begins with "Column" is of a name of a column."""
    many = get_origin(typed) is list
    if help_text.startswith(("Column", "A score of")):
        return "columns" if many else "column"
    if words:
        return "choice"
    if typed is bool:
        return "flag"
    if get_origin(typed) is tuple:
        return "pair"
    return "lines" if many else "text"


# --- From values to arguments ---------------------------------------------------------------------


def arguments_of(fields: Sequence[Field], values: Values, file: str | Path | None) -> list[str]:
    """Return the arguments of a command: options first, then the file and the other arguments.

    Parameters
    ----------
    fields : sequence of Field
        The fields of the command.
    values : mapping of str to sequence of str
        The texts of the form; empty ones are left out, and values that are the default.
    file : str, Path or None
        The file that the command reads.
    """
    options: list[str] = []
    places: list[str] = [] if file is None else [str(file)]
    for field in fields:
        texts = texts_of(field, values)
        if not field.flag:
            places += texts
        elif field.kind == "flag":
            options += [field.flag] if texts else []
        elif field.kind == "pair":
            options += [field.flag, *texts] if texts else []
        else:
            options += [part for text in texts for part in _option(field.flag, text)]
    # After "--" no name of a column is taken for an option.
    safe = ["--"] if any(place.startswith("-") for place in places) else []
    return [*options, *safe, *places]


def _option(flag: str, text: str) -> list[str]:
    """Return an option with its value; one that begins with "-" is joined to it."""
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def texts_of(field: Field, values: Values) -> list[str]:
    """Return the texts of a field, one for each value; none of a field that is left as it is."""
    texts = [text.strip() for text in values.get(field.name, ())]
    if field.kind == "lines":
        texts = [line.strip() for text in texts for line in text.splitlines()]
    if field.kind == "pair":
        texts = [part for text in texts for part in text.replace(",", " ").split()]
    return [text for text in texts if text not in ("", field.default)]
