"""Options that several commands have, and the library's messages in the words of the command line.

A group of options is a dataclass, in place of options that several commands share. An option with a
choice of words takes the spellings that the library takes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

from rocstats.errors import InputError, require_choice
from rocstats.estimate.claim import Hypothesis
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.notes import NOTES
from rocstats.facts.options import OPTIONS

# --- Single options -------------------------------------------------------------------------------


def command_option_of_parameter(parameter: str, *, repeatable: bool = False, **more: Any) -> Any:
    """Return the option for a parameter of the library, its name and help from the record.

    Parameters
    ----------
    parameter : str
        Name of a record with a help.
    repeatable : bool, default False
        Whether the option may be given several times, which the help says.
    **more
        Other options of ``typer.Option``.
    """
    record = OPTIONS[parameter]
    # typer makes the usual name of an option from that of the argument of the command.
    names = () if record.command == f"--{parameter.replace('_', '-')}" else (record.command,)
    text = f"{record.help.removesuffix('.')} (repeatable)." if repeatable else record.help
    return typer.Option(*names, help=text, **more)


Level = Annotated[float, command_option_of_parameter("confidence_level")]
FprRange = Annotated[
    tuple[float, float] | None, command_option_of_parameter("fpr_range", metavar="LOW HIGH")
]
Tested = Annotated[Hypothesis, command_option_of_parameter("hypothesis")]
Margin = Annotated[float | None, command_option_of_parameter("margin")]
Side = Annotated[Alternative, command_option_of_parameter("alternative")]
Rates = Annotated[list[float] | None, command_option_of_parameter("fpr", repeatable=True)]
Prevalences = Annotated[
    list[float] | None, command_option_of_parameter("prevalence", repeatable=True)
]


def given_command_options(**options: Any) -> dict[str, Any]:
    """Return the options that are given: the question knows the defaults of the others.

    Parameters
    ----------
    **options
        Values by name; None and empty lists are not given.

    Returns
    -------
    dict
        The others.

    Examples
    --------
    >>> from rocstats.commands.options import given_command_options
    >>> given_command_options(method=None, prevalence=[0.1])
    {'prevalence': [0.1]}
    """
    return {
        name: value
        for name, value in options.items()
        if value is not None and not (isinstance(value, list) and not value)
    }


# --- Groups of options ----------------------------------------------------------------------------


def command_with_option_groups(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command for typer, each parameter that is a dataclass replaced by its fields.

    Parameters
    ----------
    function : callable
        A command; annotated with typer's options, or with dataclasses of such fields.

    Returns
    -------
    callable
        Takes every field as an option of its own, makes the dataclasses and calls ``function``.
        A ``Literal`` takes the spellings of the library; a wrong word has the library's message.
        A file to write is refused if the command reads it.

    Examples
    --------
    >>> import inspect
    >>> from dataclasses import dataclass
    >>> from rocstats.commands.options import command_with_option_groups
    >>> @dataclass
    ... class Draws:
    ...     seed: int = 1
    >>> @command_with_option_groups
    ... def show(draws: Draws, level: float = 0.95) -> None:
    ...     print(draws, level)
    >>> list(inspect.signature(show).parameters)
    ['seed', 'level']
    """
    parameters = inspect.signature(function, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: p.annotation for name, p in parameters.items() if is_dataclass(p.annotation)
    }
    options = [
        option
        for name, parameter in parameters.items()
        for option in (
            _command_options_of_group(groups[name])
            if name in groups
            else [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        )
    ]

    choices = {option.name: option for option in options if words_of_command_option(option)}

    @wraps(function)
    def command(**values: Any) -> None:
        paths = {name: value for name, value in values.items() if isinstance(value, Path)}
        for name in _WRITTEN & paths.keys():
            read = [path for other, path in paths.items() if other not in _WRITTEN]
            require_unread(paths[name], read, option=f"--{name}")
        for name, option in choices.items():
            if values[name] is not None:
                values[name] = option_word_as_spelled(option, values[name])
        made = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        function(**made, **values)

    # typer reads the signature; the annotations that wraps copied are those of the groups.
    spelled_options = [
        with_any_word(option) if option.name in choices else option for option in options
    ]
    command.__signature__ = inspect.Signature(spelled_options)  # type: ignore[attr-defined]
    command.__annotations__ = {}
    return command


def _command_options_of_group(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


# --- Files to write -------------------------------------------------------------------------------

_WRITTEN = {"out", "figure"}
"""Options with a path to write; every other path is read."""


def require_unread(file: Path, read: Iterable[Path], *, option: str = "--out") -> None:
    """Raise InputError if a file to write is one that the command reads.

    Parameters
    ----------
    file : pathlib.Path
        The file to write.
    read : iterable of pathlib.Path
        Files that are read; "-" is standard input.
    option : str, default "--out"
        Option that names the file, for the message.

    Raises
    ------
    InputError
        If both are one file, under any of its names: a link, another spelling of the path.
    """
    for path in read:
        data = Path("/dev/stdin") if str(path) == "-" else path
        if file.exists() and data.exists() and file.samefile(data):
            raise InputError(
                f"`{option}` must be a different file from the data; got {str(file)!r}, the same"
                f" file as {str(path)!r}. Name another."
            )


# --- Options with a choice of words ---------------------------------------------------------------


def words_of_command_option(option: Parameter) -> tuple[str, ...]:
    """Return the allowed values of an option; none if any value is allowed.

    Parameters
    ----------
    option : inspect.Parameter
        Parameter of a command, annotated with a ``Literal`` and typer's option.

    Returns
    -------
    tuple of str
        The words of the ``Literal``.
    """
    kind, *about = get_args(option.annotation) or (None,)
    if not any(isinstance(info, OptionInfo) for info in about):
        return ()
    # Of `Literal[...] | None`, the words are those of its first part.
    literal = next((part for part in get_args(kind) if part is not NoneType), None)
    kinds = [kind, literal]
    return next((get_args(part) for part in kinds if get_origin(part) is Literal), ())


def option_word_as_spelled(option: Parameter, word: str) -> str:
    """Return the word of an option that a user's word spells.

    Parameters
    ----------
    option : inspect.Parameter
        Parameter of a command with a choice of words.
    word : str
        In any case, or another spelling of the field.

    Returns
    -------
    str
        One of the words of the option.

    Raises
    ------
    InputError
        If it is none of them; the message names the nearest.
    """
    _, about = get_args(option.annotation)
    # Inside of `Annotated`, typer keeps the first name of an option where a default would be.
    declared = (about.default, *(about.param_decls or ()), f"--{option.name.replace('_', '-')}")
    name = next(text for text in declared if isinstance(text, str))
    return require_choice(name, word, words_of_command_option(option))


def with_any_word(option: Parameter) -> Parameter:
    """Return the option so that typer takes any word: a wrong one gets the library's message.

    Parameters
    ----------
    option : inspect.Parameter
        Parameter of a command with a choice of words.

    Returns
    -------
    inspect.Parameter
        The same with a text; help and shell completion show the words.
    """
    words = words_of_command_option(option)
    _, about = get_args(option.annotation)
    option_info = copy(about)
    option_info.metavar = " | ".join(words)  # blanks, where a line may break
    option_info.autocompletion = _completions_of_option_words(words)
    # None where the option may be left out, as before.
    return option.replace(annotation=Annotated[str | None, option_info])


def _completions_of_option_words(words: tuple[str, ...]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


# --- Messages -------------------------------------------------------------------------------------

UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""What typer raises of a command that it cannot read; it exports only this one kind."""

# Advice that only Python can follow, and the command's own.
_ADVICE = {
    "Use MulticlassStudy for more classes, or pass one class against the rest.": (
        "Use rocstats classes, or add a column of one class against the rest."
    ),
    "Name the columns by their labels, or pass labels=.": (
        "Name the columns by their labels, or pass --class CLASS=SCORE."
    ),
    "Pass their order with pandas.Categorical(..., ordered=True).": "Save them as numbers.",
    "Convert it to numbers, or to ordered categories.": (
        "Correct it, or empty these cells and pass --missing omit; or pass another column."
    ),
    "more than once. Rename the columns.": "more than once. Name each column once.",
    "Resample the classes apart (stratified=True), or merge folds.": "Merge folds.",
    " to read_table.": ".",
    "Pass fold= to the study, or join studies with stack_test_sets.": "Pass fold=.",
    "= to the study": "=",
    "or [] if no patient is censored": 'or --censored "" if no patient is censored',
    "must stay None": "must be left out",
    "Pass None for": "Leave it out for",
    "Call the method once": "Run the command once",
    "got None and None": "got neither",
    "Pass for instance (0, 0.1)": "Pass for instance 0 0.1",
    "independent=False": "--repeated",
    "words={'case': 'woman', 'condition': 'cancer'}": (
        '--word "case=woman" --word "condition=cancer"'
    ),
    "higher_is_positive=False": "higher_is_positive=",
    "or tpr and tnr instead": "or `--tpr` and `--tnr` instead",
    "Pass thresholds=(low, high), or tpr=0.95, tnr=0.95.": (
        "Pass --threshold twice, or --tpr 0.95 --tnr 0.95."
    ),
    "hypothesis='superiority', 'non-inferiority' or 'equivalence'": (
        "--hypothesis superiority, non-inferiority or equivalence"
    ),
    "Pass True for each case with a known true class.": (
        "Write 1 for each case with a known true class, and 0 for others."
    ),
    "; got None.": "; got none.",
    "Describe a reader study with ReaderDesign.": "Describe a reader study with --structure.",
}

# A quoted text is the user's own; `name`, name='value', name= and names that are no English word.
_ARGUMENT = re.compile(
    r"(?<!\w)(?:'[^']*'|\"[^\"]*\")|`(\w+)`|\b([a-z]+_[a-z_]+)\b(?!=)"
    r"|\b(\w+)=(?:['\"]([^'\"]*)['\"]|(?=[\d.])([\d.]*\d))?"
)


def in_words_of_the_command(message: str) -> str:
    """Return the message of the library with options in place of its arguments.

    Parameters
    ----------
    message : str
        The text of an error or a note.

    Returns
    -------
    str
        The same, for someone who has no Python.

    Examples
    --------
    >>> from rocstats.commands.options import in_words_of_the_command
    >>> in_words_of_the_command("`pos_label` must be given; pass sep=';' too.")
    '`--positive` must be given; pass --sep ";" too.'
    """
    message = re.sub(r" Leave it out: y_score\.drop.*", " Leave it out.", message)
    message = re.sub(r"Pass threshold=\{.*\} to net_benefit, or risks", "Pass the risks", message)
    message = re.sub(r"\bauc\(([^()]*)\)", r"rocstats auc \1", message)
    for python, command in _ADVICE.items():
        message = message.replace(python, command)
    return _ARGUMENT.sub(_argument_as_command_option, message)


def _argument_as_command_option(found: re.Match[str]) -> str:
    ticked, bare, given, text, number = found.groups()
    value = number if text is None else text
    name = ticked or given or bare or ""
    word = OPTIONS[name].command if name in OPTIONS else ""
    if not word:
        return found[0]
    if value is None:
        return f"`{word}`" if ticked else word
    if re.fullmatch(r"\w[\w.-]*", value):
        return f"{word} {value}"
    # A shell takes a plain word as it is; a mark is quoted. The command prompt of Windows has no
    # single quotes, and a shell of Unix reads these marks in double ones.
    return f"{word} '{value}'" if re.search(r'["$`\\]', value) else f'{word} "{value}"'


def note_in_words(message: str) -> str:
    """Return a note as a sentence, followed by its code in the documentation."""
    code, _, meaning = message.partition(": ")
    words = in_words_of_the_command(meaning if code in NOTES else message)
    return f"{words} ({code})" if code in NOTES else words


def usage_in_words(problem: Exception) -> str:
    """Return what typer could not read, as a line."""
    found: str = problem.format_message().strip()  # type: ignore[attr-defined]
    # An option without its value is noticed before there is a command.
    command = getattr(getattr(problem, "ctx", None), "command_path", "rocstats")
    end = "" if found.endswith((".", "?")) else "."
    return f"{found}{end} See {command} --help."
