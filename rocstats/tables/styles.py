"""Journal styles: how each journal prints intervals, P values and fractions."""

from __future__ import annotations

from numbers import Integral
from typing import Literal, NamedTuple

from rocstats.errors import InputError, require_choice

# A double holds 15 significant decimals (DBL_DIG): more would print digits the number never had.
MOST_DIGITS = 15
"""The most decimals of a printed number."""


class Style(NamedTuple):
    """Rules of print of a journal."""

    name: str
    """Word that users pass as ``style``."""
    digits: int
    """Decimals of estimates and limits."""
    interval: str
    """Text between the level and the limits: "95%" + interval + "0.75-0.90"."""
    separator: str
    """Text between two limits."""
    difference_separator: str
    """Text between two limits that may carry a sign."""
    p_digits: int
    """Decimals of P values above 0.01."""
    p_leading_zero: bool
    """Whether a P value is printed as "0.04" or ".04"."""
    p_sign: str
    """A P value in a sentence; the braces take "=", "<" or ">"."""
    fraction: str
    """Text between numerator and denominator."""


# Ours: three decimals everywhere, the shortest words.
PLAIN = Style("plain", 3, " CI ", "-", " to ", 3, True, "P{}", "/")
# JAMA: AMA Manual of Style, 11th edition, chapters 18 and 19; a P value has no leading zero.
JAMA = Style("jama", 2, " CI, ", "-", " to ", 2, False, "P{}", "/")
# Radiology, instructions to authors; a comma joins limits of either sign.
RADIOLOGY = Style("radiology", 2, " CI: ", ", ", ", ", 2, False, "P {} ", " of ")
# NEJM, instructions to authors; "to" joins all limits, so differences need no rule of their own.
NEJM = Style("nejm", 3, " CI, ", " to ", " to ", 2, True, "P{}", "/")
# The BMJ, instructions to authors; the words of the interval are spelled out.
BMJ = Style("bmj", 3, " confidence interval ", " to ", " to ", 2, True, "P{}", "/")

StyleName = Literal["plain", "jama", "radiology", "nejm", "bmj"]
STYLES = {style.name: style for style in (PLAIN, JAMA, RADIOLOGY, NEJM, BMJ)}
"""Styles by name; a new style is a record and a word of ``StyleName`` here; the command follows."""


def style_of(name: str) -> Style:
    """Return the style called ``name``; raise InputError for an unknown name."""
    return STYLES[require_choice("style", name, STYLES)]


def digits_of(style: str, digits: object) -> int:
    """Return the decimals to print, 0 to 15: those of the style when ``digits`` is None."""
    default = style_of(style).digits
    if digits is None:
        return default
    if (
        isinstance(digits, bool)
        or not isinstance(digits, Integral)
        or not 0 <= int(digits) <= MOST_DIGITS
    ):
        raise InputError(
            f"`digits` must be a whole number from 0 to {MOST_DIGITS}; got {digits!r}."
            f" Pass None for the {default} decimals of style {style!r}."
        )
    return int(digits)
