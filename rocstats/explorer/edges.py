"""Cutoffs that an explorer offers, and the counts of cases between them.

Scores are turned so that high ones are positive: a case is positive at a cutoff if its score is at
least the cutoff.

A page that is mailed must not single out a patient. The page has the ROC curve, so the order of the
outcomes is public; what the page must hide is the score of a patient. A cutoff is therefore shown
if its counts leave nobody alone:

- each count of its 2x2 table is 0 or at least 5, the usual least cell of public tables;
- subtracting the tables of two neighbouring cutoffs gives the patients between them: these are at
  least 5, so that the score of a patient is known no closer than that of four others;
- none of these patients is the only one with, or the only one without, the condition.

The largest set of cutoffs with these properties is shown. A study of frequencies is a table of
counts already, and shows all. Two cutoffs that the report names are shown whatever lies between.
"""

from __future__ import annotations

import itertools
import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from rocstats.facts.arrays import BoolArray, FloatArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# A slider of 500 pixels and its arrow keys go through so many; typed cutoffs find the others.
MOST_EDGES = 1000

# Below it a count could point to a patient: the least cell of public tables is mostly 5.
LEAST_COUNT = 5

# One case of a class between two cutoffs would be alone.
_ALONE = 1

# The axis ends at a multiple of a tenth of the power of ten in the range: 10 to 100 of them.
_UNITS = 1

# Far below every unit of measurement, and far above where numbers underflow.
_LEAST_RANGE = 1e-300

# Steps of a shown cutoff in the range of most cutoffs, at least: each is 2% of it.
_STEPS = 50

# A float64 holds 15 digits.
_MOST_DECIMALS = 15

# A cutoff that is to be applied is shown with up to three decimals more, as in the tables: rounded,
# it might call some cases otherwise.
_MORE_DECIMALS = 3


class ScoreSteps(NamedTuple):
    """Distinct scores, ascending, and how many of each class score at least as much.

    ``below`` is the next lower score, NaN where a number between both may be a score.
    """

    score: FloatArray
    pos: FloatArray
    neg: FloatArray
    below: FloatArray

    @property
    def finite(self) -> FloatArray:
        """Return the finite scores."""
        return self.score[np.isfinite(self.score)]


def read_steps(curve: pd.DataFrame) -> ScoreSteps:
    """Return the steps of one curve, a frame of ``study.roc_curve()``."""
    sign = 1.0 if curve["direction"].iloc[0] == ">=" else -1.0
    # From the strictest threshold down: reversed, scores ascend and the last row calls nobody.
    names = ("threshold", "tp", "fp", "next_score")
    threshold, pos, neg, below = (curve[name].to_numpy(dtype=np.float64)[::-1] for name in names)
    return ScoreSteps(sign * threshold, pos, neg, sign * below)


def counts_called_at_edges(steps: ScoreSteps, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of positives and of negatives at or above each finite edge."""
    at = np.searchsorted(steps.score, edges)
    return steps.pos[at], steps.neg[at]


def below(steps: ScoreSteps, edges: FloatArray) -> FloatArray:
    """Return the next score below each of the finite edges."""
    return steps.below[np.searchsorted(steps.score, edges)]


def counts_between_edges(steps: ScoreSteps, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the counts of both classes below, between and above ascending edges."""
    pos, neg = (
        -np.diff(np.concatenate([[total[0]], at, [0.0]]))
        for total, at in zip(
            (steps.pos, steps.neg), counts_called_at_edges(steps, edges), strict=True
        )
    )
    return pos, neg


def offered_edges(steps: ScoreSteps, presets: Iterable[float], *, exact: bool) -> FloatArray:
    """Return the edges that an explorer offers, ascending.

    Parameters
    ----------
    steps : Steps
        Scores and counts of a predictor.
    presets : iterable of float
        Finite cutoffs that are always offered.
    exact : bool
        Whether every score is offered.

    Returns
    -------
    array of float
        Some of the scores, and the presets: the largest set that leaves nobody alone, see the
        module. Of more than 1000 scores those at equal steps of rank are considered, where each
        class weighs the same: equal steps along the ROC curve. Only between two presets (or a
        preset and an end) may counts be smaller.
    """
    fixed = np.unique(np.fromiter(presets, dtype=np.float64))
    if exact:
        return np.union1d(steps.finite, fixed)
    edges = np.union1d(_scores_at_even_steps_of_rank(steps, steps.finite), fixed)
    # Counts called at each edge, between those of everybody and of nobody.
    pos, neg = (
        np.concatenate([[total[0]], at, [0.0]])
        for total, at in zip(
            (steps.pos, steps.neg), counts_called_at_edges(steps, edges), strict=True
        )
    )
    tables = np.array([pos, pos[0] - pos, neg, neg[0] - neg])
    large = np.all((tables == 0) | (tables >= LEAST_COUNT), axis=0)
    ends = [0, *(np.flatnonzero(np.isin(edges, fixed)) + 1), len(edges) + 1]
    inner = [
        own
        for first, last in itertools.pairwise(ends)
        for own in _most_places_between(pos, neg, large, first, last)
    ]
    kept = np.sort([*inner, *ends[1:-1]]).astype(int)
    return np.take(edges, kept - 1)


def number_of_cutoffs(steps: ScoreSteps, edges: FloatArray) -> tuple[int, int]:
    """Return how many 2x2 tables the edges show, and how many the scores allow.

    Tables that call everybody or nobody positive do not count.
    """

    def tables(cuts: FloatArray) -> int:
        called = np.array(counts_called_at_edges(steps, cuts)).T
        total = called.sum(axis=1)
        everybody = steps.pos[0] + steps.neg[0]
        return len(np.unique(called[(total > 0) & (total < everybody)], axis=0))

    return tables(edges), tables(steps.finite)


def upper_of_two(groups: Iterable[ScoreSteps]) -> float | None:
    """Return the upper of two results that all groups have together; None for more, or one."""
    # More than two scores of a group are not needed to know that there are more than two.
    scores = [steps.score[steps.pos + steps.neg > 0][:3] for steps in groups]
    distinct = np.unique(np.concatenate(scores))
    return float(distinct[1]) if len(distinct) == 2 and np.isfinite(distinct[1]) else None


def _scores_at_even_steps_of_rank(steps: ScoreSteps, scores: FloatArray) -> FloatArray:
    """Return at most 1000 of the scores, at equal steps of the mean rank of both classes."""
    if len(scores) <= MOST_EDGES:
        return scores
    pos, neg = counts_called_at_edges(steps, scores)
    # A class without cases has no ranks: the other decides.
    shares = [part / total for part, total in ((pos, steps.pos[0]), (neg, steps.neg[0])) if total]
    below = -np.mean(shares, axis=0)
    wanted = np.linspace(-1, 0, MOST_EDGES + 2)[1:-1]
    at = np.unique(np.searchsorted(below, wanted).clip(max=len(scores) - 1))
    return np.take(scores, at)


def _most_places_between(
    pos: FloatArray, neg: FloatArray, large: BoolArray, first: int, last: int
) -> list[int]:
    """Return the most places between two that leave nobody alone; [] if there are none.

    ``most[k]`` is the largest number of places up to ``k`` that is possible if ``k`` is shown, -1
    if it cannot be; ``before[k]`` is the last of them.
    """
    most, before = np.full(last + 1, -1), np.zeros(last + 1, dtype=int)
    most[first] = 0
    for place in range(first + 1, last + 1):
        if place < last and not large[place]:
            continue
        ill, well = (called[first:place] - called[place] for called in (pos, neg))
        together = (ill + well >= LEAST_COUNT) & (ill != _ALONE) & (well != _ALONE)
        reached = np.where(together, most[first:place], -1)
        best = int(reached.argmax())
        if reached[best] >= 0:
            most[place], before[place] = reached[best] + 1, first + best
    found: list[int] = []
    place = last
    while most[last] > 0 and before[place] > first:
        place = int(before[place])
        found.append(place)
    return found


def ends_of_score_axis(low: float, high: float, *, exact: bool) -> tuple[float, float]:
    """Return the ends of the axis of scores: rounded outward, unless every score is shown.

    Parameters
    ----------
    low, high : float
        The least and the greatest finite score or cutoff.
    exact : bool
        Whether every score is shown.
    """
    half = high / 2 - low / 2  # the difference itself may be infinite
    size = max(half or abs(high) or 1.0, _LEAST_RANGE)
    unit = Decimal(1).scaleb(math.floor(math.log10(size)) - _UNITS)
    if exact and low < high:
        return low, high
    ends = [
        (Decimal(end) / unit).to_integral_value(rounding) * unit
        for end, rounding in ((low, ROUND_FLOOR), (high, ROUND_CEILING))
    ]
    if ends[0] == ends[1]:
        ends = [ends[0] - unit, ends[1] + unit]
    most = np.finfo(np.float64).max
    floor, ceiling = (float(np.clip(float(end), -most, most)) for end in ends)
    # A number that overflows, or loses digits, is rounded inward.
    return min(floor, low), max(ceiling, high)


def decimals_of_shown_cutoffs(edges: FloatArray, given: Sequence[float]) -> int:
    """Return the number of decimals of displayed cutoffs.

    Parameters
    ----------
    edges : array of float
        The cutoffs, ascending.
    given : sequence of float
        Those to be applied: set beforehand, or chosen.

    Returns
    -------
    int
        Enough for a step of 2% of the range of most cutoffs, and no more than they have.
    """
    low, high = np.quantile(edges, [0.1, 0.9]) if len(edges) > 2 else edges[[0, -1]]
    half = float(high / 2 - low / 2) or float(np.abs(edges).max()) or 1.0
    needed = math.ceil(math.log10(_STEPS / 2) - math.log10(half))
    enough = min(max(0, needed), _MOST_DECIMALS)
    shown = next((d for d in range(enough) if _have_no_more_decimals(edges, d)), enough)
    more = range(shown, shown + _MORE_DECIMALS + 1)
    return max(
        [
            shown,
            *(
                next((d for d in more if _have_no_more_decimals(value, d)), shown)
                for value in given
            ),
        ]
    )


@np.errstate(all="ignore")  # the largest numbers have no decimals, and no product with 1000
def _have_no_more_decimals(values: FloatArray | float, decimals: int) -> bool:
    """Return whether values have no more decimals."""
    # Midpoints of scores have more decimals by rounding only, below 1e-12 of them.
    return bool(np.all(np.isclose(np.round(values, decimals), values, rtol=1e-12, atol=0)))
