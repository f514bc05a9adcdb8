"""P values as journals print them, in tables and in sentences."""

from __future__ import annotations

import math

from rocstats.present.styles import style_of
from rocstats.present.text import MISSING, decimal_of, format_number, round_half_up

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
        Name of a style, see ``rocstats.present.styles``.
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
    >>> from rocstats.present.p_values import format_p
    >>> [format_p(p, style="jama") for p in (0.0004, 0.0449, 0.0451, 0.0496, 0.05)]
    ['<.001', '.04', '.045', '.0496', '.05']
    """
    rules = style_of(style)
    text = _p_digits(p_value, rules.p_digits, alpha)
    return text if rules.p_leading_zero else text.replace("0.", ".", 1)


def p_statement(p_value: float, *, style: str = "plain", alpha: float = 0.05) -> str:
    """Return a P value as text for a sentence: "P = .04".

    Parameters
    ----------
    p_value : float
        In [0, 1]; NaN prints as "NA".
    style : str, default "plain"
        Name of a style, see ``rocstats.present.styles``.
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
    >>> from rocstats.present.p_values import p_statement
    >>> p_statement(0.04, style="radiology"), p_statement(0.0001, style="nejm")
    ('P = .04', 'P<0.001')
    """
    text = format_p(p_value, style=style, alpha=alpha)
    sign = text[0] if text[0] in "<>" else "="
    return style_of(style).p_sign.format(sign) + text.lstrip("<>")


def _p_digits(p_value: float, digits: int, alpha: float) -> str:
    if math.isnan(p_value):
        return MISSING
    if p_value < _LEAST_P:
        return f"<{_LEAST_P}"
    if p_value > _LARGEST_P:
        return f">{_LARGEST_P}"
    threshold = decimal_of(round(alpha, _DECIMALS_OF_ALPHA))
    below = decimal_of(p_value) < threshold
    for decimals in range(3 if p_value < _SMALL_P else digits, _MOST_DECIMALS + 1):
        if (round_half_up(p_value, decimals) < threshold) == below:
            return format_number(p_value, decimals)
    return f"{'<' if below else '≥'}{threshold}"
