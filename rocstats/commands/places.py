"""Thresholds of the command line: one for all scores, or one for each."""

from __future__ import annotations

from typing import Annotated

import typer

from rocstats.errors import InputError

Thresholds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[SCORE=]VALUE",
        help="Threshold, of all scores or of one such as area=600 (repeatable).",
    ),
]
Places = list[float] | dict[str, list[float]] | None


def places_of(texts: list[str] | None, option: str = "--threshold") -> Places:
    """Return thresholds: a list for all scores, or a dict of lists by score; None without any.

    Parameters
    ----------
    texts : list of str or None
        Each a number, or each of the form SCORE=NUMBER.
    option : str, default "--threshold"
        Option that they come from, for the message.

    Returns
    -------
    list, dict or None
        The thresholds.

    Raises
    ------
    InputError
        If one is no number, or only some name a score.

    Examples
    --------
    >>> from rocstats.commands.places import places_of
    >>> places_of(["area=600", "texture=20", "area=700"])
    {'area': [600.0, 700.0], 'texture': [20.0]}
    """
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    if not any(equals for _, equals, _ in pairs):
        return [_number(text, option) for text in texts]
    if not all(equals for _, equals, _ in pairs):
        raise InputError(
            f"`{option}` must name a score each time, or never; got {', '.join(texts)}. Write"
            " SCORE=NUMBER."
        )
    found: dict[str, list[float]] = {}
    for name, _, number in pairs:
        found.setdefault(name, []).append(_number(number, option))
    return found


def one_place(texts: list[str] | None) -> float | dict[str, float] | None:
    """Return the threshold to compare scores at: one for all, or one for each; None without any.

    Parameters
    ----------
    texts : list of str or None
        See ``places_of``.

    Returns
    -------
    float, dict or None
        The threshold, or one of each score.

    Raises
    ------
    InputError
        See ``places_of``; if a score has two.
    """
    places = places_of(texts)
    if places is None:
        return None
    lists = places.values() if isinstance(places, dict) else [places]
    if any(len(values) > 1 for values in lists):
        raise InputError(
            f"`--threshold` must be one of each score to compare; got {', '.join(texts or [])}."
            " Ask once for each."
        )
    if isinstance(places, dict):
        return {name: values[0] for name, values in places.items()}
    return places[0]


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        advice = "Write the decimals behind a point." if "," in text else "Correct it."
        raise InputError(
            f"`{option}` must be a number, or SCORE=NUMBER; got {text!r}. {advice}"
        ) from None
