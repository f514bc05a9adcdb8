"""Cutoffs in print: the shortest decimal that calls the same cases as the cutoff itself.

A cutoff calls the scores at or beyond it positive. Any number between it and the nearest score that
it does not call calls the same cases of the study: the column ``next_score`` has that score.
Rounded like an estimate, a cutoff could call others: 0.99999862 is not 1.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rocstats.facts.arrays import BoolArray, FloatArray, IntArray

NEXT_SCORES = {
    "threshold": "next_score",
    "reference_threshold": "reference_next_score",
    "threshold_start": "next_score_start",
    "threshold_end": "next_score_end",
    "rule_out_threshold": "rule_out_next_score",
    "rule_in_threshold": "rule_in_next_score",
}
"""Columns of cutoffs, each with the column of its nearest score that is not called positive."""

CUTOFFS = (*NEXT_SCORES, "band_low", "band_high")
"""Columns of cutoffs, which print must not round across a score."""

# Powers of ten up to 10^22, and whole numbers up to 2^53, are floats: the quotient of two of them
# is the float of its decimal digits, so that what is printed is read back as the same number.
MOST_DECIMALS = 22
"""Decimals of the longest text without an exponent."""
_MOST_WHOLE = 2.0**53  # from here on whole numbers are not all floats

# From here on repr() has an exponent.
_MOST_PLAIN = 1e16

# A float that was typed has at most 15 digits, which it gives back; one that was computed has more.
_TYPED_DIGITS = 15


def shortest_decimals(
    next_score: npt.ArrayLike, cutoff: npt.ArrayLike, least: npt.ArrayLike = 0
) -> tuple[FloatArray, IntArray]:
    """Return cutoffs with as few decimals as call the same cases, and the number of decimals.

    Parameters
    ----------
    next_score : array of float
        The nearest score that each cutoff does not call positive: below it where high scores are
        positive, above it where low ones are. Infinite if it calls every score; NaN if unknown.
    cutoff : array of float
        The cutoffs.
    least : array of int, default 0
        Decimals that are there to be used: fewer would be no shorter in print.

    Returns
    -------
    tuple of arrays
        The number with the fewest decimals from the cutoff to, but not at, the next score, the
        nearest to the cutoff of these; whole numbers, and cutoffs with an unknown next score, as
        they are. The number of decimals is 0 of whole and infinite numbers.

    Examples
    --------
    >>> from rocstats.frame.cutoffs import shortest_decimals
    >>> found, decimals = shortest_decimals([0.04908, 0.9999982, 3.5], [0.04923, 0.99999862, 3.0])
    >>> found.tolist(), decimals.tolist()
    ([0.0492, 0.9999986, 3.0], [4, 7, 0])
    """
    cut, other = (np.array(each, dtype=np.float64, ndmin=1) for each in (cutoff, next_score))
    cut, other = np.broadcast_arrays(cut, other)
    found, decimals = cut.copy(), np.zeros(cut.shape, dtype=np.intp)
    # Where low scores are positive both are mirrored, so that the next score lies below.
    sign = np.where(other > cut, -1.0, 1.0)
    high = sign * cut
    # Without a score below, a number of the same order: a limit of 0.1 for 0.123, not of 0.
    with np.errstate(over="ignore"):
        low = np.where(np.isinf(other), np.minimum(high, 0.0) * 2, sign * other)
    left = np.isfinite(cut) & (cut != np.rint(cut))
    least = np.broadcast_to(least, cut.shape)
    for places in range(MOST_DECIMALS + 1):
        if not left.any():
            break
        at = np.flatnonzero(left & (least <= places))
        number, fits = _largest_cutoff_decimals_up_to(high[at], low[at], 10.0**places)
        found[at[fits]] = sign[at[fits]] * number[fits] + 0.0  # -0 is 0
        decimals[at[fits]] = np.where(number[fits] == np.rint(number[fits]), 0, places)
        left[at[fits]] = False
    for i in np.flatnonzero(left):
        decimals[i] = decimals_of_text(float(cut[i]))
    return found, decimals


def _largest_cutoff_decimals_up_to(
    high: FloatArray, low: FloatArray, scale: float
) -> tuple[FloatArray, BoolArray]:
    """Return the largest multiples of 1 / scale up to ``high``, and which of them call the same."""
    units = np.rint(high * scale)
    exact = np.abs(units) < _MOST_WHOLE
    above = units / scale > high
    number = (units - above) / scale
    # An unknown score below: the decimals of the number itself.
    return number, exact & np.where(np.isnan(low), number == high, (low < number))


def cutoff_text(cutoff: float, next_score: float = math.nan, decimals: int = 0) -> str:
    """Return a finite cutoff as text: the shortest decimal that calls the same cases.

    Parameters
    ----------
    cutoff : float
        The cutoff.
    next_score : float, optional
        The nearest score that it does not call positive, see ``shortest_decimals``. By default the
        text is read back as the cutoff itself.
    decimals : int, default 0
        Decimals to which a number that is not whole is filled with zeros.

    Returns
    -------
    str
        Plain digits; with an exponent beyond 10^16, and where more than 22 decimals are needed.

    Examples
    --------
    >>> from rocstats.frame.cutoffs import cutoff_text
    >>> cutoff_text(0.99999862, 0.9999982), cutoff_text(0.5, decimals=2), cutoff_text(600.0)
    ('0.9999986', '0.50', '600')
    """
    values, found = shortest_decimals(next_score, cutoff)
    value, places = float(values[0]), int(found[0])
    if places > MOST_DECIMALS or abs(value) >= _MOST_PLAIN:
        return repr(value)
    whole = value == round(value)
    return f"{value:.0f}" if whole else f"{value:.{max(places, decimals)}f}"


def decimals_of_text(value: float) -> int:
    """Return the decimals of the shortest text that is read back as a finite number."""
    digits, _, exponent = repr(value).partition("e")
    fraction = digits.partition(".")[2].removesuffix("0") if "." in digits else ""
    return max(len(fraction) - int(exponent or 0), 0)


def next_of_given(next_score: FloatArray, cutoff: FloatArray) -> FloatArray:
    """Return the next scores of given cutoffs, NaN for one that was typed: it is printed as it is.

    A cutoff of more than 15 digits was computed, for instance by ``cutpoints``.
    """
    typed = [math.isnan(value) or float(f"{value:.{_TYPED_DIGITS}g}") == value for value in cutoff]
    return np.where(typed, np.nan, next_score)
