"""Which options a number speaks for: those given, and the defaults that had a say in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from validation.ledger.options import Asked, Option, questions, words

ROLES = ("cluster", "group", "fold", "frequency", "sample_weight", "covariate")
"""Roles of a study that are columns of its data."""


class Key(NamedTuple):
    """A row of the ledger: a question, one value of an option of it ("" and "" for all), a role."""

    question: str
    option: str
    value: str
    role: str


class Number(NamedTuple):
    """A number that was checked or simulated: its question, how that was asked, and its column.

    ``method`` is what the answer says in its column of that name, "" where it has none. A table of
    a simulation says which options it is about: ``simulated`` numbers speak for no defaults.
    """

    question: str
    arguments: Mapping[str, Any]
    column: str
    method: str = ""
    quantity: str = ""
    roles: tuple[str, ...] = ()
    simulated: bool = False


def keys_of(number: Number) -> Iterator[Key]:
    """Yield the rows of the ledger that a number belongs to."""
    asked = questions()[number.question]
    spoken_for = [
        (option.name, value)
        for option in asked.options.values()
        if _has_a_say(asked, option.name, number)
        for value in _values(option, number)
    ]
    # A simulation of one method says nothing about the question as such.
    whole = [] if number.simulated and spoken_for else [("", "")]
    for role in number.roles or ("",):
        for option, value in (*whole, *spoken_for):
            yield Key(asked.label, option, value, role)


def roles_of(given: Iterable[str], arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the roles of a question: those of its study, and what counts like one."""
    told = {
        "prevalence given": arguments.get("prevalence") is not None,
        "partial area": "fpr_range" in arguments or "tpr_range" in arguments,
    }
    return (
        *(role for role in ROLES if role in set(given)),
        *(role for role, holds in told.items() if holds),
    )


def named_values(option: Option, method: str) -> tuple[str, ...]:
    """Return the value of an option that the column ``method`` names, as a tuple of one or none.

    A part of the method that is a value wins over one that begins or ends with a value, the
    longest such value over shorter ones: "logit-t" is not "logit".
    """
    aliases = words()["aliases"]
    parts = method.split("/")
    for spelled in (parts, [aliases.get(part, "") for part in parts]):
        for part in spelled:
            if part in option.values:
                return (part,)
    inside = [
        value
        for value in option.values
        if any(part.startswith(f"{value}-") or part.endswith(f"-{value}") for part in parts)
    ]
    return (max(inside, key=len),) if inside else ()


def _has_a_say(asked: Asked, option: str, number: Number) -> bool:
    """Return whether an option, at any value, could have changed a number."""
    rules = words()
    # All of a plan's numbers follow from all of its design.
    columns = None if asked.is_class else rules["bears"].get(option)
    quantities, given = rules["quantities"].get(option), number.arguments
    return (
        (columns is None or number.column in columns)
        and (quantities is None or number.quantity in quantities)
        and (option in given or _any_in(rules["needs"].get(option), given))
        and not any(name in given for name in rules["not_with"].get(option, ()))
    )


def _any_in(names: Iterable[str] | None, given: Mapping[str, Any]) -> bool:
    return names is None or any(name in given for name in names)


def _values(option: Option, number: Number) -> tuple[str, ...]:
    if option.name in ("quantities", "quantity") and number.quantity in option.values:
        return (number.quantity,)
    if option.name in number.arguments:
        given = number.arguments[option.name]
        listed = given if isinstance(given, list) else [given]
        return tuple(str(value) for value in listed if str(value) in option.values)
    if number.simulated or option.default is None or option.name in words()["named"]:
        return named_values(option, number.method)
    return (option.default,)
