"""The error and the warning of the package, and the checks that all questions share."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from numbers import Integral, Real
from os import PathLike, fsencode
from typing import TypeVar

from rocstats.facts.tolerances import LEAST_UNIT
from rocstats.facts.words import did_you_mean, known_word

Choice = TypeVar("Choice")


class InputError(ValueError):
    """Invalid input: the message names the argument, what it must be, the value and the remedy."""


class StatisticalWarning(UserWarning):
    """Warning that a result may mislead; the column ``note`` of the row records it too."""


def require_choice(argument: str, value: Choice, allowed: Collection[str | None]) -> Choice:
    """Return the allowed word that matches ``value``, or raise InputError.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    value : object
        Value that was passed, in any case, or one of the aliases of ``rocstats.facts.words``.
    allowed : collection of str or None
        The allowed words.
    """
    # Arrays and lists are no words: "in" would compare them by element, or need their hash.
    if (value is None or isinstance(value, str)) and value in allowed:
        return value
    word = known_word(value, allowed) if isinstance(value, str) else None
    if word is None:
        raise _unknown_word_error(argument, value, allowed)
    return word  # type: ignore[return-value]


def require_name(argument: str, value: object, names: Collection[str]) -> None:
    """Raise InputError unless ``value`` is exactly one of the ``names``."""
    if not isinstance(value, str) or value not in names:
        raise _unknown_word_error(argument, value, names)


def _unknown_word_error(
    argument: str, value: object, allowed: Collection[str | None]
) -> InputError:
    # The words are listed in full: a user who mistypes a word sees the right spelling.
    words = ", ".join(repr(word) for word in allowed)
    advice = did_you_mean(value, allowed) or " Pass one of these."
    return InputError(f"`{argument}` must be one of {words}; got {value!r}.{advice}")


def require_open_interval(argument: str, value: object, low: float, high: float) -> None:
    """Raise InputError unless ``low < value < high``.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    value : object
        Value that was passed; anything but a real number is refused.
    low, high : float
        The excluded ends.
    """
    # A bool is a number in Python, but never a level or a cost; NaN compares as False.
    inside = isinstance(value, Real) and not isinstance(value, bool)
    try:
        inside = inside and low < float(value) < high  # type: ignore[arg-type]
    except OverflowError:  # an integer beyond every float
        inside = False
    if not inside:
        raise InputError(
            f"`{argument}` must be a number strictly between {low:g} and {high:g}; got {value!r}."
            f" Pass a value inside ({low:g}, {high:g})."
        )


def require_cost(argument: str, value: object) -> None:
    """Raise InputError unless a cost is a number > 0 that is neither too small nor too large."""
    require_open_interval(argument, value, 0, float("inf"))
    cost = float(value)  # type: ignore[arg-type]
    if not LEAST_UNIT <= cost <= 1 / LEAST_UNIT:
        raise InputError(
            f"`{argument}` must lie between {LEAST_UNIT:g} and {1 / LEAST_UNIT:g}; got {cost:g}."
            " Express both costs in another unit."
        )


def require_flag(argument: str, value: object) -> None:
    """Raise InputError unless ``value`` is True or False."""
    # NumPy's booleans are not a subclass of bool; its name is compared to spare the import.
    if not isinstance(value, bool) and type(value).__name__ != "bool":
        raise InputError(f"`{argument}` must be True or False; got {value!r}. Pass one of these.")


def require_text(argument: str, value: object) -> None:
    """Raise InputError unless ``value`` is text that can be encoded."""
    if not isinstance(value, str):
        raise InputError(f"`{argument}` must be a text; got {value!r}. Pass a name.")
    require_writable([value], f"`{argument}`")


def require_writable(texts: Iterable[object], what: str = "Names and labels") -> None:
    """Raise InputError for text with a lone surrogate, which cannot be encoded.

    Parameters
    ----------
    texts : iterable of object
        Anything that is not text is ignored.
    what : str
        Description of the texts, for the message.
    """
    for text in texts:
        if isinstance(text, str) and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise InputError(
                    f"{what} must be text that can be written; got {str(text)!r}, which has an"
                    " invalid character (a lone surrogate). Correct the text, or decode its"
                    " bytes with the right encoding."
                ) from None


def require_possible_path(file: PathLike[str]) -> None:
    """Raise InputError for a path that is impossible on this system."""
    try:
        fsencode(file)
    except UnicodeEncodeError:
        raise InputError(
            f"`path` must be a valid file name; got {str(file)!r}, which has an invalid character"
            " (a lone surrogate). Rename the file."
        ) from None


def require_whole(argument: str, value: object, least: int, advice: str) -> int:
    """Return ``value`` as int; raise InputError unless it is a whole number >= ``least``.

    Parameters
    ----------
    argument : str
        Name of the argument, as the user wrote it.
    value : object
        Value that was passed; numpy's integers are whole numbers, 2.0 is not.
    least : int
        The smallest value that is allowed.
    advice : str
        What to do, as a sentence.
    """
    # A bool is an int in Python, but never a number of cases.
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"`{argument}` must be a whole number >= {least}; got {value!r}. {advice}")
    # 2^53: beyond it whole numbers are not exact as floats, and no array has as many elements.
    if int(value) >= 2**53:
        raise InputError(
            f"`{argument}` must be a whole number under 2**53; got {value!r}. {advice}"
        )
    return int(value)
