"""Groups of options: a dataclass in place of options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

from rocstats.commands.choices import spelled, with_any_word, words_of


def with_groups(function: Callable[..., None]) -> Callable[..., None]:
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

    Examples
    --------
    >>> import inspect
    >>> from dataclasses import dataclass
    >>> from rocstats.commands.groups import with_groups
    >>> @dataclass
    ... class Draws:
    ...     seed: int = 1
    >>> @with_groups
    ... def show(draws: Draws, level: float = 0.95) -> None:
    ...     print(draws, level)
    >>> list(inspect.signature(show).parameters)
    ['seed', 'level']
    """
    asked = inspect.signature(function, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: p.annotation for name, p in asked.items() if is_dataclass(p.annotation)
    }
    options = [
        option
        for name, parameter in asked.items()
        for option in (
            _options_of(groups[name])
            if name in groups
            else [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        )
    ]

    choices = {option.name: option for option in options if words_of(option)}

    @wraps(function)
    def command(**given: Any) -> None:
        for name, option in choices.items():
            if given[name] is not None:
                given[name] = spelled(option, given[name])
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        function(**made, **given)

    # typer reads the signature; the annotations that wraps copied are those of the groups.
    shown = [with_any_word(option) if option.name in choices else option for option in options]
    command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    command.__annotations__ = {}
    return command


def _options_of(group: Any) -> list[inspect.Parameter]:
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
