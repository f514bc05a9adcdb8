"""Numbers as journals print them: estimates with intervals, P values, percentages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

from rocstats.errors import InputError, require_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

MISSING = "NA"
MINUS = "−"
_NOISE = 1e-12
_DECIMALS_OF_ALPHA = 10
_ALL_DOUBLES = Context(prec=350, rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Style:
    """How a journal prints an estimate with its interval, a P value and a fraction."""

    digits: int
    interval: str
    separator: str
    difference_separator: str
    p_digits: int
    p_leading_zero: bool
    p_sign: str
    fraction: str


STYLES: dict[str, Style] = {
    "plain": Style(3, " CI ", "-", " to ", 3, True, "P{}", "/"),
    "jama": Style(2, " CI, ", "-", " to ", 2, False, "P{}", "/"),
    "radiology": Style(2, " CI: ", ", ", ", ", 2, False, "P {} ", " of "),
    "nejm": Style(3, " CI, ", " to ", " to ", 2, True, "P{}", "/"),
    "bmj": Style(3, " confidence interval ", " to ", " to ", 2, True, "P{}", "/"),
}
"""The styles by name; every rule that differs between journals is a field of the table."""


def style_of(name: str) -> Style:
    """Return the style called ``name``, or raise InputError."""
    require_choice("style", name, STYLES)
    return STYLES[name]


def digits_of(style: str, digits: int | None) -> int:
    """Return the decimals to print, 0 to 15: those of the style when ``digits`` is None."""
    default = style_of(style).digits
    if digits is None:
        return default
    if digits not in range(16):
        raise InputError(
            f"`digits` must be a whole number from 0 to 15; got {digits!r}."
            f" Pass None for the {default} decimals of style {style!r}."
        )
    return int(digits)


def format_number(value: float, digits: int, *, guard: Sequence[int] = ()) -> str:
    """Return the number in print, rounded half up on its decimal digits.

    Parameters
    ----------
    value : float
        The number.
    digits : int
        Decimals, 0 or more.
    guard : sequence of int, default empty
        Numbers that must not be printed unless they are exact: a value that rounds to one of them
        becomes an inequality ("<0.01", ">0.99"). An AUC of 0.999 printed as "1.00" would claim
        perfect separation, and a limit of 0.004 printed as "0.00" would claim that zero is in the
        interval.

    Returns
    -------
    str
        Digits with U+2212 as minus; "NA" for NaN; "∞" for infinity.

    Notes
    -----
    Rounding works on the shortest decimal string that denotes the double, so that 0.285 gives
    0.29 although the double lies below 0.285. Exactness in ``guard`` allows for 1e-12 of
    floating-point noise.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 18 (numbers) [ama-2020]

    Examples
    --------
    >>> from rocstats.present.text import format_number
    >>> format_number(0.285, 2), format_number(-0.04, 2), format_number(0.999, 2, guard=(0, 1))
    ('0.29', '−0.04', '>0.99')
    """
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    rounded = _half_up(value, digits)
    for edge in guard:
        if rounded == edge and abs(value - edge) > _NOISE:
            unit = Decimal(1).scaleb(-digits)
            return f"<{_signed(edge + unit)}" if value > edge else f">{_signed(edge - unit)}"
    return _signed(rounded)


def format_interval(
    ci_low: float,
    ci_high: float,
    *,
    style: str = "plain",
    digits: int | None = None,
    guard: Sequence[int] = (),
    difference: bool = False,
) -> str:
    """Return the two limits in print.

    Parameters
    ----------
    ci_low, ci_high : float
        The limits.
    style : str, default "plain"
        A key of ``STYLES``.
    digits : int, optional
        Decimals; by default those of the style.
    guard : sequence of int, default empty
        Numbers that must not be printed unless exact, see ``format_number``.
    difference : bool, default False
        Whether the limits are those of a difference, which may be negative.

    Returns
    -------
    str
        The limits, or one "NA" when both are missing.

    Notes
    -----
    A hyphen between limits gives way to "to" for differences and wherever a limit starts with a
    sign, because "−0.09-−0.01" and "0.97->0.99" cannot be read.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 18 (numbers) [ama-2020]

    Examples
    --------
    >>> from rocstats.present.text import format_interval
    >>> format_interval(0.749, 0.896), format_interval(-0.09, 0, style="jama")
    ('0.749-0.896', '−0.09 to 0.00')
    """
    decimals = digits_of(style, digits)
    if math.isnan(ci_low) and math.isnan(ci_high):
        return MISSING
    limits = [format_number(limit, decimals, guard=guard) for limit in (ci_low, ci_high)]
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
) -> str:
    """Return an estimate with its interval as the journal prints it.

    Parameters
    ----------
    estimate, ci_low, ci_high : float
        The estimate and its limits; NaN prints as "NA".
    confidence_level : float, default 0.95
        Coverage of the interval, in (0, 1); NaN when none was asked for, and none is printed.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules.
    digits : int, optional
        Decimals; by default 2 in "jama" and "radiology", 3 elsewhere.
    guard : sequence of int, default empty
        Numbers that must not be printed unless exact, see ``format_number``.
    difference : bool, default False
        Whether this is a difference, whose limits are joined by "to".

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
    >>> from rocstats.present.text import format_estimate
    >>> format_estimate(0.8231, 0.7489, 0.8957, style="jama")
    '0.82 (95% CI, 0.75-0.90)'
    >>> format_estimate(-0.04, -0.09, 0.0, style="jama", difference=True)
    '−0.04 (95% CI, −0.09 to 0.00)'
    """
    number = format_number(estimate, digits_of(style, digits), guard=guard)
    interval = format_interval(
        ci_low, ci_high, style=style, digits=digits, guard=guard, difference=difference
    )
    if number == interval == MISSING or math.isnan(confidence_level):
        return number
    return f"{number} ({format_level(confidence_level)}{style_of(style).interval}{interval})"


def format_p(p_value: float, *, style: str = "plain", alpha: float = 0.05) -> str:
    """Return a P value in print, without "P =".

    Parameters
    ----------
    p_value : float
        In [0, 1]; NaN prints as "NA".
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules; "jama" and "radiology" leave out the leading zero.
    alpha : float, default 0.05
        Level of significance, which rounding must not hide.

    Returns
    -------
    str
        For instance ".04" or "<0.001".

    Notes
    -----
    Below .001 and above .99 the bound is printed, never .000 or 1.00. From .001 to .01 there are
    three decimals, above .01 two ("plain": three), but three where two would put the value on the
    other side of ``alpha``: .049 stays .049. No more than three are ever printed, so .0496 becomes
    .050.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 19 (statistics) [ama-2020]
    - Instructions to authors of NEJM

    Examples
    --------
    >>> from rocstats.present.text import format_p
    >>> [format_p(p, style="jama") for p in (0.0004, 0.0449, 0.0451, 0.994)]
    ['<.001', '.04', '.045', '>.99']
    """
    rules = style_of(style)
    text = _p_digits(p_value, rules.p_digits, alpha)
    return text if rules.p_leading_zero else text.replace("0.", ".", 1)


def p_statement(p_value: float, *, style: str = "plain", alpha: float = 0.05) -> str:
    """Return a P value in print as it stands in a sentence.

    Parameters
    ----------
    p_value : float
        In [0, 1]; NaN prints as "NA".
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules.
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
    >>> from rocstats.present.text import p_statement
    >>> p_statement(0.04, style="radiology"), p_statement(0.0001, style="nejm")
    ('P = .04', 'P<0.001')
    """
    text = format_p(p_value, style=style, alpha=alpha)
    sign = text[0] if text[0] in "<>" else "="
    return style_of(style).p_sign.format(sign) + text.lstrip("<>")


def format_level(confidence_level: float) -> str:
    """Return a confidence level in (0, 1) as a percentage: "95%", "97.5%"."""
    percent = 100 * confidence_level
    return f"{percent:.{4 if percent < 99.9 else 10}g}%"


def format_count(count: float) -> str:
    """Return a number of cases: "41"; a sum of weights keeps one decimal: "41.5"."""
    whole = math.isfinite(count) and abs(count - round(count)) < _NOISE * max(1.0, abs(count))
    return format_number(count, 0 if whole else 1)


def format_percent(part: float, whole: float, *, style: str = "plain") -> str:
    """Return a percentage with its fraction beside it.

    Parameters
    ----------
    part, whole : float
        Numerator and denominator, counts.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules.

    Returns
    -------
    str
        For instance "36.3% (41/113)"; no decimals when ``whole`` is under 100, else one, since
        more would claim a precision that the counts do not have.

    References
    ----------
    - JAMA Network Editors (2020), AMA Manual of Style, chapter 18 (numbers and percentages)
      [ama-2020]

    Examples
    --------
    >>> from rocstats.present.text import format_percent
    >>> format_percent(41, 113), format_percent(51, 60, style="radiology")
    ('36.3% (41/113)', '85% (51 of 60)')
    """
    share = 100 * part / whole if whole > 0 else math.nan
    percent = format_number(share, 0 if whole < 100 else 1)
    sign = "" if percent == MISSING else "%"
    return f"{percent}{sign} ({format_count(part)}{style_of(style).fraction}{format_count(whole)})"


def _p_digits(p_value: float, digits: int, alpha: float) -> str:
    if math.isnan(p_value):
        return MISSING
    if p_value < 0.001:
        return "<0.001"
    if p_value > 0.99:
        return ">0.99"
    # 1 - 0.95 is 0.05000000000000004: rounding makes alpha the number that was meant.
    threshold = _decimal(round(alpha, _DECIMALS_OF_ALPHA))
    hides = (_half_up(p_value, digits) < threshold) != (_decimal(p_value) < threshold)
    return format_number(p_value, 3 if p_value < 0.01 or hides else digits)


def _half_up(value: float, digits: int) -> Decimal:
    return _decimal(value).quantize(Decimal(1).scaleb(-digits), context=_ALL_DOUBLES)


def _decimal(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _signed(number: Decimal) -> str:
    text = f"{abs(number):f}"
    return MINUS + text if number < 0 else text
