"""Counts of scores: how finely scores are counted, the cells, and the error that cells make.

A row of counts is a cell of scores, with its positives and negatives. The cell of a score is the
score cut to some significant bits, by exact operations alone, so that every engine has the same
cells (Dekker's splitting in place of a logarithm [dekker-1971]). ``area_bound`` is how far the area
of counts by cells can be from that of the scores themselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_flag, require_open_interval, require_whole
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.words import label_order
from rocstats.frame.make import count_frame
from rocstats.frame.question import Question
from rocstats.study.columns import require_one_column

COUNT_COLUMNS = ("score", "score_high", "n_pos", "n_neg")


# --- The arguments of the counting functions ------------------------------------------------------


class CountColumns(NamedTuple):
    """The columns to count by: label, score and groups."""

    label: str
    score: str
    by: tuple[str, ...]

    @property
    def by_argument(self) -> list[tuple[str, str]]:
        """Each argument with the column that it names."""
        named = [("label", self.label), ("score", self.score)]
        return [*named, *(("by", name) for name in self.by)]


class CountPrecision(NamedTuple):
    """How finely scores are counted: the bits of the first pass (None for exact), and the bound.

    ``fixed`` is whether no more bits may be taken than those.
    """

    bits: int | None
    tolerance: float | None
    fixed: bool = False


def names_given(given: Any) -> tuple[Any, ...]:
    """Return the entries of a list of names; anything else is one entry."""
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    return tuple(given) if is_list else (given,)


def read_by(by: str | Sequence[str]) -> tuple[str, ...]:
    """Return the columns of groups; raise InputError for names of count columns."""
    names = names_given(by)
    wrong = [name for name in names if not isinstance(name, str) or name in COUNT_COLUMNS]
    if wrong or len(set(names)) < len(names):
        raise InputError(
            f"`by` must be names of columns, each once and different from {list(COUNT_COLUMNS)},"
            f" which the counts have; got {by!r}. Rename the column first."
        )
    return names


def read_precision(bits: int | None, exact: bool, tolerance: float | None = None) -> CountPrecision:
    """Return how finely to count; more than one of the three words is an InputError."""
    require_flag("exact", exact)
    given = {"bits": bits is not None, "exact": exact, "tolerance": tolerance is not None}
    words = [f"{word}=" for word, is_given in given.items() if is_given]
    if len(words) > 1:
        raise InputError(
            f"`{words[0][:-1]}` must be the only one of bits=, exact= and tolerance=; got"
            f" {' and '.join(words)}. Pass one of them."
        )
    if tolerance is not None:
        require_open_interval("tolerance", tolerance, 0, 1)
    if bits is not None:
        bits = require_whole("bits", bits, 1, f"Pass 1 to {LARGEST_BITS}, for instance 10.")
        if bits > LARGEST_BITS:
            raise InputError(
                f"`bits` must be at most {LARGEST_BITS}; got {bits}. Pass exact=True to count every"
                " score."
            )
    return CountPrecision(
        None if exact else bits or DEFAULT_BITS, tolerance, fixed=bits is not None
    )


def require_columns(columns: CountColumns, names: Sequence[str]) -> None:
    """Raise InputError unless the frame has each column once."""
    for argument, name in columns.by_argument:
        require_column(argument, name, names)


def require_column(argument: str, name: Any, names: Sequence[str]) -> None:
    """Raise InputError unless the frame has a column once."""
    count = list(names).count(name) if isinstance(name, str) else 0
    require_one_column(argument, "frame", name, count, names)


def require_no_pattern(argument: str, name: str) -> None:
    """Raise InputError for the name of a column that an engine takes for other columns."""
    # DuckDB and Polars take "*" for all columns, Polars "^...$" for those that match it.
    if name == "*" or (name.startswith("^") and name.endswith("$")):
        raise InputError(
            f"`{argument}` must not be a pattern (engines would select other columns); got"
            f" {name!r}. Rename the column first."
        )


def require_nonempty(n_rows: float) -> None:
    """Raise InputError unless the frame has rows."""
    if not n_rows:
        raise InputError("`frame` must have at least one row; got 0. Pass the data.")


def require_no_missing(missing: Mapping[tuple[str, str], float]) -> None:
    """Raise InputError if a column has missing values; keys are argument and column."""
    for (argument, name), number in missing.items():
        if number:
            raise InputError(
                f"`{argument}` must have no missing values; got {number:.0f} null or NaN in the"
                f" column {name!r}. Fill them in, or leave these rows out."
            )


# --- Counts as arrays -----------------------------------------------------------------------------


class CellCounts(NamedTuple):
    """Cells of scores by group, ascending within a group.

    ``names`` are the columns of groups, ``groups`` the labels of each group in these, ``group`` its
    place in ``groups`` for each cell; without such columns the only group is (). All scores of a
    cell lie in [low, high]; equal ends are one score, and a tie of all cases in the cell.
    """

    names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    group: IntArray
    low: FloatArray
    high: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray

    def by_group(self) -> list[CellCounts]:
        """Return the cells of each group."""
        ends = np.searchsorted(self.group, np.arange(len(self.groups) + 1))
        return [
            self._replace(**{name: getattr(self, name)[start:end] for name in _CELL_ARRAYS})
            for start, end in pairwise(ends)
        ]


_CELL_ARRAYS = ("group", "low", "high", "n_pos", "n_neg")


def ordered_counts(
    labels: Mapping[str, Sequence[str]],
    low: FloatArray,
    high: FloatArray,
    n_pos: FloatArray,
    n_neg: FloatArray,
) -> CellCounts:
    """Return cells in the order of their groups and scores, cells without cases left out."""
    keys = list(zip(*labels.values(), strict=True)) if labels else [()] * len(low)
    groups = tuple(sorted(set(keys), key=lambda key: tuple(map(label_order, key))))
    place = {key: k for k, key in enumerate(groups)}
    group = np.fromiter(map(place.__getitem__, keys), np.intp, len(keys))
    rows = np.lexsort((high, low, group))
    rows = rows[(n_pos + n_neg)[rows] > 0]
    arrays = (each[rows] for each in (low, high, n_pos, n_neg))
    return CellCounts(tuple(labels), groups, group[rows], *arrays)


def united_cells(counts: CellCounts) -> CellCounts:
    """Return the counts with cells that have a score in common made one, within each group.

    Their order is unknown where their ranges overlap. The ranges of what is left are disjoint, so
    that the order of cells is that of all scores, however many tables they are from.
    """
    if not len(counts.low):  # every cell of the table was without cases
        return counts
    values, places = np.unique(np.concatenate([counts.low, counts.high]), return_inverse=True)
    # Places among all ends of cells, those of a group above all of the groups before.
    start, end = places.reshape(2, -1) + counts.group * len(values)
    first = np.flatnonzero(np.append(True, start[1:] > np.maximum.accumulate(end)[:-1]))
    return counts._replace(
        group=counts.group[first],
        low=counts.low[first],
        high=np.maximum.reduceat(counts.high, first),
        n_pos=np.add.reduceat(counts.n_pos, first),
        n_neg=np.add.reduceat(counts.n_neg, first),
    )


def count_table_frame(
    question: Question, counts: CellCounts, *, exact: bool, about: Mapping[str, Any]
) -> pd.DataFrame:
    """Return the count table that users see; an exact one has no column ``score_high``."""
    labels = {
        name: [counts.groups[code][k] for code in counts.group]
        for k, name in enumerate(counts.names)
    }
    columns = {"score": counts.low, "n_pos": counts.n_pos, "n_neg": counts.n_neg}
    n_cases = float(counts.n_pos.sum() + counts.n_neg.sum())
    about = {**about, "n_cases": int(n_cases)}
    return count_frame(
        question, labels, columns if exact else {**columns, "score_high": counts.high}, about
    )


# --- The cell of a score --------------------------------------------------------------------------

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
_ROUNDING = 1.5 * 2.0**52

# Columns of the steps from a score to its cell.
_CELL_STEPS = (
    "rocstats_lifted",
    "rocstats_size",
    "rocstats_power",
    "rocstats_share",
    "rocstats_whole",
)
_LIFTED, _SIZE, _POWER, _SHARE, _WHOLE = _CELL_STEPS


def cell_of_score(scores: FloatArray, bits: int | None) -> FloatArray:
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

    It is ``cell_of_score`` by +, -, *, / and comparisons alone, exact or rounded as IEEE 754 says,
    so that engines agree in every bit. The column ``score`` is Float64; where it is null or NaN, so
    is the cell.
    """
    import narwhals as nw

    if bits is None:
        zero = nw.col(score) == 0
        return frame.with_columns(
            nw.when(zero).then(nw.lit(0.0)).otherwise(nw.col(score)).alias(cell)
        )
    lifted, size, power, share, whole = map(nw.col, _CELL_STEPS)
    x = nw.col(score)
    single = (x == 0) | (x.abs() > HUGE)
    small = x.abs() < SMALL
    one = nw.lit(1.0)
    # A column a step: each is used more than once, and one expression would double at each.
    frame = frame.with_columns(
        nw.when(single)
        .then(one)
        .otherwise(nw.when(small).then(x * LIFT).otherwise(x))
        .alias(_LIFTED)
    )
    frame = frame.with_columns(lifted.abs().alias(_SIZE))
    frame = frame.with_columns((size * SPLIT - (size * SPLIT - size)).alias(_POWER))
    frame = frame.with_columns(
        (nw.when(power > size).then(power / 2).otherwise(power) / 2.0**bits).alias(_POWER)
    )
    frame = frame.with_columns((lifted / power).alias(_SHARE))
    frame = frame.with_columns((share + _ROUNDING - _ROUNDING).alias(_WHOLE))
    frame = frame.with_columns(
        (nw.when(whole > share).then(whole - 1).otherwise(whole) * power).alias(_WHOLE)
    )
    kept = nw.when(x == 0).then(nw.lit(0.0)).otherwise(x)
    binned = nw.when(small).then(whole / LIFT).otherwise(whole)
    cells = nw.when(single).then(kept).otherwise(binned)
    return frame.with_columns(cells.alias(cell)).drop(*_CELL_STEPS)


# --- The error that cells make --------------------------------------------------------------------

# A tenth of the standard error widens a 95% interval by a twentieth at most.
SHARE_OF_SE = 0.1


def area_bound(counts: CellCounts) -> float:
    """Return the largest error of the area of one group; NaN where a class has no cases.

    A pair of a positive and a negative in one cell counts 1/2, where its scores may say 0 or 1: at
    most 1/2 sum p_b n_b / (m n), over the cells b with more than one score.
    """
    pairs = counts.n_pos.sum() * counts.n_neg.sum()
    mixed = (counts.low < counts.high) * counts.n_pos * counts.n_neg
    return float(mixed.sum() / 2 / pairs) if pairs else math.nan


def delong_se(counts: CellCounts) -> float:
    """Return DeLong's standard error of the area of one group, ties in a cell counting 1/2."""
    p, n = counts.n_pos, counts.n_neg
    negatives_below = (np.cumsum(n) - n / 2) / n.sum()
    positives_above = 1 - (np.cumsum(p) - p / 2) / p.sum()
    return math.sqrt(
        _variance_of_mean_placement(negatives_below, p)
        + _variance_of_mean_placement(positives_above, n)
    )


def _variance_of_mean_placement(values: FloatArray, frequency: FloatArray) -> float:
    """Return the variance of a mean; that of one case is unknown, and counts as none."""
    total = frequency.sum()
    mean = np.sum(frequency * values) / total
    return float(np.sum(frequency * (values - mean) ** 2) / total / max(total - 1, 1))


def excess_of_bound(counts: CellCounts, tolerance: float | None) -> float:
    """Return the largest ratio, over groups, of the bound to the allowed bound.

    Allowed is ``tolerance``, or a tenth of the standard error without one.
    """
    largest = 0.0
    for each in counts.by_group():
        bound = area_bound(each)
        if bound > 0:  # not of NaN: a group of one class has no area
            allowed = SHARE_OF_SE * delong_se(each) if tolerance is None else tolerance
            largest = max(largest, bound / allowed if allowed else math.inf)
    return largest


def finer_bits(bits: int, excess: float) -> int | None:
    """Return the bits for the next pass from the ratio of the bound to the allowed bound."""
    # A bit more halves the cells, and nearly the bound. Where no limit can be met, ten at a time.
    more = 10 if math.isinf(excess) else max(1, math.ceil(math.log2(excess)))
    return bits + more if bits + more <= LARGEST_BITS else None
