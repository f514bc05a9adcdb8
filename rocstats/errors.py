"""The error and the warning of the package, and the checks every question shares."""

from __future__ import annotations

from collections.abc import Collection


class InputError(ValueError):
    """Wrong input: the message names the argument, what was got, and the mend."""


class StatisticalWarning(UserWarning):
    """Statistical doubt about a result; the same doubt stands in the row's ``note``."""


def require_choice(argument: str, value: object, allowed: Collection[str | None]) -> None:
    """Raise InputError unless ``value`` is one of the ``allowed`` words.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    value : object
        What the user passed.
    allowed : collection of str or None
        The words that mean something.
    """
    if value not in allowed:
        words = ", ".join(repr(word) for word in allowed)
        raise InputError(f"`{argument}` must be one of {words}; got {value!r}. Pass one of these.")


def require_open_interval(argument: str, value: object, low: float, high: float) -> None:
    """Raise InputError unless ``low < value < high``.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    value : object
        What the user passed; a real number is wanted.
    low, high : float
        The excluded ends.
    """
    try:
        inside = low < value < high  # type: ignore[operator]
    except TypeError:
        inside = False
    if not inside:
        raise InputError(
            f"`{argument}` must be a number strictly between {low:g} and {high:g}; got {value!r}."
            f" Pass a value inside ({low:g}, {high:g})."
        )
