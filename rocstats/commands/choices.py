"""Options with a choice of words, read as the library reads its words."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from inspect import Parameter
from types import NoneType
from typing import Annotated, Literal, get_args, get_origin

from typer.models import OptionInfo

from rocstats.errors import require_choice


def words_of(option: Parameter) -> tuple[str, ...]:
    """Return the words that an option has to choose from; none if it takes anything.

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


def spelled(option: Parameter, word: str) -> str:
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
    return require_choice(name, word, words_of(option))


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
    words = words_of(option)
    _, about = get_args(option.annotation)
    shown = copy(about)
    shown.metavar = " | ".join(words)  # blanks, where a line may break
    shown.autocompletion = _beginning_with(words)
    # None where the option may be left out, as before.
    return option.replace(annotation=Annotated[str | None, shown])


def _beginning_with(words: tuple[str, ...]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete
