"""The cell of a score: the score cut to some significant bits, the same on every engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.sample.arrays import FloatArray

# Cells of 2^-10 of the score: the bound of the area was 1/20 of its standard error in 4 million
# rows with probabilities near 0, from 20,000 cells.
DEFAULT_BITS = 10

# A float has 52 bits after the first. Up to 50 of them, the rounding to whole numbers in
# `with_cells` is exact for both signs; cells of 50 bits are next to exact.
LARGEST_BITS = 50

# Times SPLIT, a float less than this stays finite; scores beyond are cells of their own.
HUGE = 2.0**900

# Scores closer to 0 are scaled by LIFT first, since some are subnormal, with fewer bits.
SMALL = 2.0**-900

# Lifts the least float, 2^-1074, above 2^-900, and SMALL no higher than 1.
LIFT = 2.0**200

# Veltkamp's constant for one bit: with c = SPLIT a, the float c - (c - a) is 2^e or 2^(e + 1) for
# 2^e <= a < 2^(e + 1), and 2^e for a = 2^e. No logarithm is used, which engines round differently.
SPLIT = 2.0**52 + 1

# Added and taken off, it rounds a float below 2^51 to a whole one; engines round .5 differently.
_WHOLE = 1.5 * 2.0**52

_STEPS = ("rocstats_lifted", "rocstats_size", "rocstats_power", "rocstats_share", "rocstats_whole")


def cell_of(scores: FloatArray, bits: int | None) -> FloatArray:
    """Return the cell of each score: its lower end, and the score itself without ``bits``.

    Parameters
    ----------
    scores : array of float64
        Without NaN; infinities are cells of their own.
    bits : int or None
        Significant bits after the first, 1 to 50. A cell is [k w, (k + 1) w) with w = 2^(e - bits)
        where 2^e <= abs(score) < 2^(e + 1); beyond 2^900 a score is a cell of its own.
    """
    # Adding 0 makes 0.0 of -0.0, which is the same score.
    if bits is None:
        return scores + 0.0
    mantissa, exponent = np.frexp(scores)
    with np.errstate(over="ignore", invalid="ignore"):  # of scores beyond HUGE, which are kept
        cells = np.ldexp(np.floor(np.ldexp(mantissa, bits + 1)), exponent - (bits + 1))
    return np.where(np.abs(scores) > HUGE, scores, cells) + 0.0


def with_cells(frame: Any, score: str, cell: str, bits: int | None) -> Any:
    """Return a narwhals frame with the column ``cell`` of the cell of each ``score``.

    It is ``cell_of`` by +, -, *, / and comparisons alone, each exact or rounded as IEEE 754 says,
    so that engines agree in every bit. The column ``score`` is Float64; where it is null or NaN, so
    is the cell.
    """
    import narwhals as nw

    if bits is None:
        zero = nw.col(score) == 0
        return frame.with_columns(
            nw.when(zero).then(nw.lit(0.0)).otherwise(nw.col(score)).alias(cell)
        )
    lifted, size, power, share, whole = map(nw.col, _STEPS)
    x = nw.col(score)
    own = (x == 0) | (x.abs() > HUGE)
    small = x.abs() < SMALL
    one = nw.lit(1.0)
    # A column a step: each is used more than once, and one expression would double at each.
    frame = frame.with_columns(
        nw.when(own)
        .then(one)
        .otherwise(nw.when(small).then(x * LIFT).otherwise(x))
        .alias(_STEPS[0])
    )
    frame = frame.with_columns(lifted.abs().alias(_STEPS[1]))
    frame = frame.with_columns((size * SPLIT - (size * SPLIT - size)).alias(_STEPS[2]))
    frame = frame.with_columns(
        (nw.when(power > size).then(power / 2).otherwise(power) / 2.0**bits).alias(_STEPS[2])
    )
    frame = frame.with_columns((lifted / power).alias(_STEPS[3]))
    frame = frame.with_columns((share + _WHOLE - _WHOLE).alias(_STEPS[4]))
    frame = frame.with_columns(
        (nw.when(whole > share).then(whole - 1).otherwise(whole) * power).alias(_STEPS[4])
    )
    kept = nw.when(x == 0).then(nw.lit(0.0)).otherwise(x)
    binned = nw.when(small).then(whole / LIFT).otherwise(whole)
    cells = nw.when(own).then(kept).otherwise(binned)
    return frame.with_columns(cells.alias(cell)).drop(*_STEPS)
