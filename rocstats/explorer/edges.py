"""Cutoffs that an explorer offers, and the counts of cases between them.

Scores are turned so that high ones are positive: a case is positive at a cutoff if its score is at
least the cutoff. A page that is mailed must not carry patients: unless every score is asked for,
cutoffs are left out until a count between two of them is 0 or at least 5.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from rocstats.facts.arrays import FloatArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Cell = tuple[float, float]

# A slider of 400 pixels moves 2 pixels a step.
MOST_EDGES = 200

# Below it a count could point to a patient: the least cell of public tables is mostly 5.
LEAST_COUNT = 5

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
        Some of the scores, and the presets. Of more than 200 scores those at equal steps of rank
        are considered, where each class weighs the same: equal steps along the ROC curve. Counts
        between edges are then 0 or at least 5, and no cell is empty, except between two presets
        (or a preset and an end). The lowest score, at which everybody is positive, is left out.
    """
    fixed = np.unique(np.fromiter(presets, dtype=np.float64))
    scores = steps.finite
    if exact:
        return np.union1d(scores, fixed)
    edges = np.union1d(_scores_at_even_steps_of_rank(steps, scores), fixed)
    counts = zip(*(part.tolist() for part in counts_between_edges(steps, edges)), strict=True)
    return edges[_edges_kept_for_large_cells(list(counts), np.isin(edges, fixed).tolist())]


def upper_of_two(groups: Iterable[ScoreSteps]) -> float | None:
    """Return the upper of two results that all groups have together; None for more, or one."""
    # More than two scores of a group are not needed to know that there are more than two.
    scores = [steps.score[steps.pos + steps.neg > 0][:3] for steps in groups]
    distinct = np.unique(np.concatenate(scores))
    return float(distinct[1]) if len(distinct) == 2 and np.isfinite(distinct[1]) else None


def _scores_at_even_steps_of_rank(steps: ScoreSteps, scores: FloatArray) -> FloatArray:
    """Return at most 200 of the scores, at equal steps of the mean rank of both classes."""
    if len(scores) <= MOST_EDGES:
        return scores
    pos, neg = counts_called_at_edges(steps, scores)
    # A class without cases has no ranks: the other decides.
    shares = [part / total for part, total in ((pos, steps.pos[0]), (neg, steps.neg[0])) if total]
    below = -np.mean(shares, axis=0)
    wanted = np.linspace(-1, 0, MOST_EDGES + 2)[1:-1]
    at = np.unique(np.searchsorted(below, wanted).clip(max=len(scores) - 1))
    return np.take(scores, at)


def _edges_kept_for_large_cells(counts: Sequence[Cell], fixed: Sequence[bool]) -> list[int]:
    """Return the edges that stay so that cells are large enough; those fixed stay anyway."""
    kept: list[int] = []
    own: list[tuple[int, Cell]] = []  # edges since the last fixed one, and the cell below each
    cell = (0.0, 0.0)
    for edge, count in enumerate(counts):
        cell = (cell[0] + count[0], cell[1] + count[1])
        last = edge == len(fixed)
        if not last and not fixed[edge]:
            if _is_large_cell_of_counts(cell):
                own.append((edge, cell))
                cell = (0.0, 0.0)
            continue
        while own and not _is_large_cell_of_counts(cell):
            _, (pos, neg) = own.pop()
            cell = (cell[0] + pos, cell[1] + neg)
        kept += [each for each, _ in own] + ([] if last else [edge])
        own, cell = [], (0.0, 0.0)
    return kept


def _is_large_cell_of_counts(cell: Cell) -> bool:
    """Return whether each count of a cell is 0 or at least 5, and it is not empty."""
    return sum(cell) > 0 and all(count == 0 or count >= LEAST_COUNT for count in cell)


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
