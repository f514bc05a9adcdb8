"""Part of the area under the empirical curve: over a range of FPR, or of TPR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.curves.area import placements
from rocstats.errors import InputError
from rocstats.sample.counts import ScoreCounts
from rocstats.sample.vectors import FloatArray

_SAME_RATE = 1e-12


@dataclass(frozen=True)
class AreaRange:
    """The range of an area: from ``low`` to ``high`` on an axis, "fpr" or "tpr"."""

    axis: Literal["fpr", "tpr"] = "fpr"
    low: float = 0.0
    high: float = 1.0

    @property
    def width(self) -> float:
        """Largest value of the area."""
        return self.high - self.low

    @property
    def full(self) -> bool:
        """Whether it is the whole area."""
        return self.low == 0 and self.high == 1

    def chance(self) -> float:
        """Return the area of a predictor that knows nothing: the part under the diagonal."""
        low, high = (self.low, self.high) if self.axis == "fpr" else (1 - self.high, 1 - self.low)
        return (high**2 - low**2) / 2


FULL_RANGE = AreaRange()


def read_range(fpr_range: Any, tpr_range: Any) -> AreaRange | None:
    """Return the range asked for, None for the whole area."""
    if fpr_range is None and tpr_range is None:
        return None
    if fpr_range is not None and tpr_range is not None:
        raise InputError(
            "`tpr_range` must stay None when `fpr_range` is given; got both. Pass one of them."
        )
    axis: Literal["fpr", "tpr"] = "fpr" if fpr_range is not None else "tpr"
    given = fpr_range if fpr_range is not None else tpr_range
    try:
        low, high = (float(end) for end in given)
        fits = 0 <= low < high <= 1
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise InputError(
            f"`{axis}_range` must be two rates, 0 <= low < high <= 1; got {given!r}."
            " Pass for instance (0, 0.1)."
        )
    return AreaRange(axis, low, high)


def range_placements(counts: ScoreCounts, over: AreaRange) -> tuple[FloatArray, FloatArray]:
    """Return what a positive, and a negative, at each distinct score adds to a partial area.

    The mean over the positives is the area. A positive adds the part of the range to the right of
    it, averaged over the FPRs [f0, f1] of the negatives tied with it; a negative adds, up to a
    constant, the curve along its own FPRs [f0, f1] cut to the range, averaged. Both are derivatives
    of the area in the weight of the case; over the whole range they are the placements.
    """
    if over.full:
        return placements(counts)
    if over.axis == "tpr":
        of_neg, of_pos = _over_fpr(_swapped(counts), 1 - over.high, 1 - over.low)
        of_neg, of_pos = of_neg[::-1], of_pos[::-1]
        # Now the negatives average to the area; the positives' constant is free.
        area = np.dot(counts.n_neg, of_neg) / counts.total_neg
        return of_pos + (area - np.dot(counts.n_pos, of_pos) / counts.total_pos), of_neg
    return _over_fpr(counts, over.low, over.high)


def partial_area(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the area over a range, exact through vertical steps and sloped ties."""
    of_pos, _ = range_placements(counts, over)
    return float(np.dot(counts.n_pos, of_pos) / counts.total_pos)


def ends_at_step(counts: ScoreCounts, over: AreaRange) -> bool:
    """Whether an inner end of the range stands at a vertical step of the curve."""
    if over.full:
        return False
    table = counts if over.axis == "fpr" else _swapped(counts)
    ends = (over.low, over.high) if over.axis == "fpr" else (1 - over.high, 1 - over.low)
    fpr, tpr = _vertices(table)
    return any(0 < end < 1 and _step(fpr, tpr, end)[0] < _step(fpr, tpr, end)[1] for end in ends)


def _swapped(counts: ScoreCounts) -> ScoreCounts:
    """Return the table with classes exchanged: its curve is the mirror image (1 - tpr, 1 - fpr)."""
    return ScoreCounts(counts.score[::-1], counts.n_neg[::-1], counts.n_pos[::-1])


def _vertices(counts: ScoreCounts) -> tuple[FloatArray, FloatArray]:
    fpr = np.concatenate(([0.0], np.cumsum(counts.n_neg))) / counts.total_neg
    tpr = np.concatenate(([0.0], np.cumsum(counts.n_pos))) / counts.total_pos
    return fpr, tpr


def _over_fpr(counts: ScoreCounts, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    fpr, tpr = _vertices(counts)
    f0, f1 = fpr[:-1], fpr[1:]
    width = np.where(f1 > f0, f1 - f0, 1.0)
    # The curve along [f0, f1] cut to the range: its ends before and after, the curve between.
    inner_low, inner_high = np.clip(f0, low, high), np.clip(f1, low, high)
    before = np.clip(low - f0, 0.0, width) * np.mean(_step(fpr, tpr, low))
    after = np.clip(f1 - high, 0.0, width) * np.mean(_step(fpr, tpr, high))
    slope = np.where(f1 > f0, (tpr[1:] - tpr[:-1]) / width, 0.0)
    middle = tpr[:-1] + slope * ((inner_low + inner_high) / 2 - f0)
    of_neg = (before + after + (inner_high - inner_low) * middle) / width
    return part_to_the_right(f0, f1, low, high), np.where(f1 > f0, of_neg, 0.0)


def part_to_the_right(f0: FloatArray, f1: FloatArray, low: float, high: float) -> FloatArray:
    """Return how much of a range of FPR lies to the right of positives, averaged over [f0, f1]."""
    spread = f1 > f0
    width = np.where(spread, f1 - f0, 1.0)
    tied = (_right_of(f1, low, high) - _right_of(f0, low, high)) / width
    return np.where(spread, tied, np.clip(high - f0, 0.0, high - low))


def _right_of(fpr: FloatArray, low: float, high: float) -> FloatArray:
    """Return the integral from 0 to each FPR of the range's part to the right of u."""
    inside = np.clip(fpr, low, high)
    return (high - low) * np.minimum(fpr, low) + (inside - low) * (high - (inside + low) / 2)


def _step(fpr: FloatArray, tpr: FloatArray, at: float) -> tuple[float, float]:
    """Return the TPRs of the lower and the upper end of the curve at an FPR."""
    first = int(np.searchsorted(fpr, at - _SAME_RATE, "left"))
    last = int(np.searchsorted(fpr, at + _SAME_RATE, "right")) - 1
    if first <= last:
        return float(tpr[first]), float(tpr[last])
    between = float(np.interp(at, fpr[last : first + 1], tpr[last : first + 1]))
    return between, between
