"""Numbers as journals print them: estimates with intervals, counts, P values, journal styles.

P values are printed for tables and for sentences.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from numbers import Integral
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocstats.errors import InputError, require_choice
from rocstats.facts.tolerances import SAME

if TYPE_CHECKING:
    from collections.abc import Sequence


# --- Journal styles -------------------------------------------------------------------------------

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
    percent: str | None = None
    """Sign after the limits of a percentage; None if shares are printed as decimals."""


# Ours: three decimals everywhere, the shortest words.
PLAIN = Style("plain", 3, " CI ", "-", " to ", 3, True, "P{}", "/")
# JAMA: AMA Manual of Style, 11th edition, chapters 18 and 19; a P value has no leading zero.
# Each limit of a percentage has its sign (chapter 18).
JAMA = Style("jama", 2, " CI, ", "-", " to ", 2, False, "P{}", "/", "%")
# Radiology, instructions to authors; a comma joins limits of either sign, limits have no sign.
RADIOLOGY = Style("radiology", 2, " CI: ", ", ", ", ", 2, False, "P {} ", " of ", "")
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


# --- Numbers and intervals ------------------------------------------------------------------------

MISSING = "NA"

# U+2212: a hyphen is shorter, and may be broken from its digits at the end of a line.
MINUS = "−"


def format_number(
    value: float, digits: int, *, guard: Sequence[int] = (), percent: str | None = None
) -> str:
    """Return a number as text, rounded half up on its decimal digits.

    Parameters
    ----------
    value : float
        The number.
    digits : int
        Decimals, 0 or more.
    guard : sequence of int, default empty
        Values that are printed only if exact: a number that rounds to one of them becomes an
        inequality ("<0.01", ">0.99"). An AUC of 0.999 printed as "1.00" would claim perfect
        separation; a limit of 0.004 printed as "0.00" would claim that the interval holds zero.
    percent : str, optional
        Sign behind 100 times the number, "%" or "", which has two decimals less. By default the
        number itself is printed.

    Returns
    -------
    str
        Digits with U+2212 as minus; "NA" for NaN; "∞" for infinity.

    Notes
    -----
    The shortest decimal string of the double is rounded, so that 0.285 gives 0.29 although the
    double lies below 0.285. A number within 1e-12 of a value in ``guard`` (rounding) is exact.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 18 (numbers) [ama-2020]

    Examples
    --------
    >>> from rocstats.tables.text import format_number
    >>> format_number(0.285, 2), format_number(-0.04, 2), format_number(0.999, 2, guard=(0, 1))
    ('0.29', '−0.04', '>0.99')
    >>> format_number(0.854, 2, percent="%"), format_number(0.999, 2, guard=(0, 1), percent="%")
    ('85%', '>99%')
    """
    if percent is not None:
        hundredfold = format_number(
            as_percentage(value), max(digits - 2, 0), guard=[100 * edge for edge in guard]
        )
        return hundredfold if hundredfold == MISSING else hundredfold + percent
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    rounded = round_half_up(value, digits)
    for edge in guard:
        if rounded == edge and abs(value - edge) > SAME:
            unit = Decimal(1).scaleb(-digits)
            return (
                f"<{_number_text_with_minus(edge + unit)}"
                if value > edge
                else f">{_number_text_with_minus(edge - unit)}"
            )
    return _number_text_with_minus(rounded)


def format_interval(
    ci_low: float,
    ci_high: float,
    *,
    style: str = "plain",
    digits: int | None = None,
    guard: Sequence[int] = (),
    difference: bool = False,
    percent: str | None = None,
) -> str:
    """Return the two limits of an interval as text.

    Parameters
    ----------
    ci_low, ci_high : float
        The limits.
    style : str, default "plain"
        Name of a style, see ``rocstats.tables.styles``.
    digits : int, optional
        Decimals; by default the decimals of the style.
    guard : sequence of int, default empty
        Values printed only if exact, see ``format_number``.
    difference : bool, default False
        Whether the limits belong to a difference, which may be negative.
    percent : str, optional
        Sign behind percentages, see ``format_number``.

    Returns
    -------
    str
        The limits, or one "NA" when both are missing.

    Notes
    -----
    Limits of differences, and limits that start with a sign, are joined by the style's
    ``difference_separator``: "−0.09-−0.01" and "0.97->0.99" cannot be read.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 18 (numbers) [ama-2020]

    Examples
    --------
    >>> from rocstats.tables.text import format_interval
    >>> format_interval(0.749, 0.896), format_interval(-0.09, 0, style="jama")
    ('0.749-0.896', '−0.09 to 0.00')
    """
    decimals = digits_of(style, digits)
    if math.isnan(ci_low) and math.isnan(ci_high):
        return MISSING
    limits = [
        format_number(limit, decimals, guard=guard, percent=percent) for limit in (ci_low, ci_high)
    ]
    signed = difference or any(limit[0] in f"<>{MINUS}" for limit in limits)
    rules = style_of(style)
    return (rules.difference_separator if signed else rules.separator).join(limits)


def format_estimate(
    estimate: float,
    ci_low: float,
    ci_high: float,
    *,
    confidence_level: float = 0.95,
    style: str = "plain",
    digits: int | None = None,
    guard: Sequence[int] = (),
    difference: bool = False,
    percent: str | None = None,
    fraction: str = "",
) -> str:
    """Return an estimate with its interval as the journal prints it.

    Parameters
    ----------
    estimate, ci_low, ci_high : float
        The estimate and its limits; NaN prints as "NA".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1); NaN prints the estimate alone.
    style : str, default "plain"
        Name of a style, see ``rocstats.tables.styles``.
    digits : int, optional
        Decimals; by default the decimals of the style.
    guard : sequence of int, default empty
        Values printed only if exact, see ``format_number``.
    difference : bool, default False
        Whether the estimate is a difference, whose limits are joined by "to".
    percent : str, optional
        Sign behind percentages, see ``format_number``. Limits have the sign of the style.
    fraction : str, default ""
        The counts behind a rate, printed before the interval.

    Returns
    -------
    str
        For instance "0.82 (95% CI, 0.75-0.90)".

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapters 18 and 19 [ama-2020]
    - Instructions to authors of Radiology, NEJM and The BMJ

    Examples
    --------
    >>> from rocstats.tables.text import format_estimate
    >>> format_estimate(0.8231, 0.7489, 0.8957, style="jama")
    '0.82 (95% CI, 0.75-0.90)'
    >>> format_estimate(-0.04, -0.09, 0.0, style="jama", difference=True)
    '−0.04 (95% CI, −0.09 to 0.00)'
    >>> format_estimate(0.854, 0.799, 0.898, style="radiology", percent="%",
    ...                 fraction="181 of 212")
    '85% (181 of 212; 95% CI: 80, 90)'
    """
    number = format_number(estimate, digits_of(style, digits), guard=guard, percent=percent)
    interval = format_interval(
        ci_low, ci_high, style=style, digits=digits, guard=guard, difference=difference,
        percent=sign_of_limits(style, percent),
    )  # fmt: skip
    level = f"{format_level(confidence_level)}{style_of(style).interval}{interval}"
    known = not (number == interval == MISSING or math.isnan(confidence_level))
    parts = [part for part in (fraction, level if known else "") if part]
    return f"{number} ({'; '.join(parts)})" if parts else number


def sign_of_limits(style: str, percent: str | None) -> str | None:
    """Return the sign behind the limits of an estimate with a sign, or none, behind it."""
    return (style_of(style).percent or "") if percent else percent


def format_level(confidence_level: float) -> str:
    """Return a confidence level in (0, 1) as a percentage: "95%", "97.5%"."""
    percent = 100 * confidence_level
    # Four digits keep a Bonferroni level readable (98.33%) but would print 99.999% as 100%.
    return f"{percent:.{4 if percent < 99.9 else 10}g}%"


def as_percentage(share: float) -> float:
    """Return 100 times a share, without the rounding error of the product: 28.5 of 0.285."""
    return float(shortest_decimal_of(share).scaleb(2)) if math.isfinite(share) else share


def format_count(count: float) -> str:
    """Return a number of cases as text: "41"; a sum of weights keeps one decimal: "41.5"."""
    # The tolerance is relative: a sum of weights carries a rounding error in proportion to it.
    whole = math.isfinite(count) and abs(count - round(count)) < SAME * max(1.0, abs(count))
    return format_number(count, 0 if whole else 1)


# Of fewer cases than 100 a percentage without decimals already moves in steps above 1%.
_FEW_FOR_DECIMALS = 100


def percent_decimals(whole: float) -> int:
    """Return the decimals of a percentage of some cases: none of fewer than 100, else one."""
    return 0 if whole < _FEW_FOR_DECIMALS else 1


# `quantize` fails where digits exceed the precision: the largest double has 309 digits before the
# point, and at most 15 are printed behind it. The default of 28 would fail from 1e13 on.
_ALL_DOUBLES = Context(prec=350, rounding=ROUND_HALF_UP)


def round_half_up(value: float, digits: int) -> Decimal:
    """Return a number rounded half up on its shortest decimal string."""
    return shortest_decimal_of(value).quantize(Decimal(1).scaleb(-digits), context=_ALL_DOUBLES)


def shortest_decimal_of(value: float) -> Decimal:
    """Return the shortest decimal number that denotes a double."""
    # `repr` is the shortest string that gives the double back: Decimal(0.285) is 0.28499...
    return Decimal(repr(float(value)))


def _number_text_with_minus(number: Decimal) -> str:
    text = f"{abs(number):f}"
    return MINUS + text if number < 0 else text


# --- P values -------------------------------------------------------------------------------------

# 1 - 0.95 is 0.05000000000000004: rounded to 10 decimals, alpha is the number that was meant, and
# the 5e-8 of genome-wide scans keeps its digits.
_DECIMALS_OF_ALPHA = 10

# AMA Manual of Style, 11th edition, chapter 19: beyond these ends a P value is printed as a bound,
# between the first two it has three decimals.
_LEAST_P, _SMALL_P, _LARGEST_P = 0.001, 0.01, 0.99

# One more than three, which journals allow where two hide on which side of alpha a value is.
_MOST_DECIMALS = 4


def format_p(p_value: float, *, style: str = "plain", alpha: float = 0.05) -> str:
    """Return a P value as text, without "P =".

    Parameters
    ----------
    p_value : float
        In [0, 1]; NaN prints as "NA".
    style : str, default "plain"
        Name of a style, see ``rocstats.tables.styles``.
    alpha : float, default 0.05
        Level of significance, which two decimals must not hide, see Notes.

    Returns
    -------
    str
        For instance ".04" or "<0.001".

    Notes
    -----
    Below .001 and above .99 the bound is printed, never .000 or 1.00. P values from .001 to .01
    have three decimals, those above have two ("plain": three). Three are kept where two would
    put the value on the other side of ``alpha``: .049 stays .049, and four where three would:
    .0496. A value that four would hide is printed as a bound: <.05.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 19 (statistics) [ama-2020]
    - Instructions to authors of NEJM

    Examples
    --------
    >>> from rocstats.tables.text import format_p
    >>> [format_p(p, style="jama") for p in (0.0004, 0.0449, 0.0451, 0.0496, 0.05)]
    ['<.001', '.04', '.045', '.0496', '.05']
    """
    rules = style_of(style)
    text = _digits_of_p_value_as_text(p_value, rules.p_digits, alpha)
    return text if rules.p_leading_zero else text.replace("0.", ".", 1)


def p_statement(p_value: float, *, style: str = "plain", alpha: float = 0.05) -> str:
    """Return a P value as text for a sentence: "P = .04".

    Parameters
    ----------
    p_value : float
        In [0, 1]; NaN prints as "NA".
    style : str, default "plain"
        Name of a style, see ``rocstats.tables.styles``.
    alpha : float, default 0.05
        Level of significance, see ``format_p``.

    Returns
    -------
    str
        For instance "P = .04" or "P<0.001".

    References
    ----------
    - See ``format_p``

    Examples
    --------
    >>> from rocstats.tables.text import p_statement
    >>> p_statement(0.04, style="radiology"), p_statement(0.0001, style="nejm")
    ('P = .04', 'P<0.001')
    """
    text = format_p(p_value, style=style, alpha=alpha)
    sign = text[0] if text[0] in "<>" else "="
    return style_of(style).p_sign.format(sign) + text.lstrip("<>")


def _digits_of_p_value_as_text(p_value: float, digits: int, alpha: float) -> str:
    if math.isnan(p_value):
        return MISSING
    if p_value < _LEAST_P:
        return f"<{_LEAST_P}"
    if p_value > _LARGEST_P:
        return f">{_LARGEST_P}"
    threshold = shortest_decimal_of(round(alpha, _DECIMALS_OF_ALPHA))
    below = shortest_decimal_of(p_value) < threshold
    for decimals in range(3 if p_value < _SMALL_P else digits, _MOST_DECIMALS + 1):
        if (round_half_up(p_value, decimals) < threshold) == below:
            return format_number(p_value, decimals)
    return f"{'<' if below else '≥'}{threshold}"
