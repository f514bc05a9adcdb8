"""Part of the area under the empirical curve: over a range of FPR, or of TPR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rocstats.curves.areas.whole import placements, weighted_sum
from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.tables import ScoreCounts

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

    def quantities(self) -> list[tuple[str, float, float]]:
        """Return the quantities of a partial area as (name, offset, scale) of the mean rate."""
        chance = self.chance()
        spread = self.width - chance
        return [
            ("partial_auc", 0.0, self.width),
            ("partial_auc_standardized", (1 - chance / spread) / 2, self.width / spread / 2),
            ("mean_tpr" if self.axis == "fpr" else "mean_tnr", 0.0, 1.0),
        ]


FULL_RANGE = AreaRange()


def read_range(fpr_range: Any, tpr_range: Any) -> AreaRange | None:
    """Return the range asked for, None for the whole area."""
    axis: Literal["fpr", "tpr"]
    if fpr_range is None:
        axis, given = "tpr", tpr_range
    elif tpr_range is None:
        axis, given = "fpr", fpr_range
    else:
        raise InputError(
            "`tpr_range` must stay None when `fpr_range` is given; got both. Pass one of them."
        )
    if given is None:
        return None
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not 0 <= low < high <= 1:
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
        area = weighted_sum(counts.n_neg, of_neg) / counts.total_neg
        return of_pos + (area - weighted_sum(counts.n_pos, of_pos) / counts.total_pos), of_neg
    return _over_fpr(counts, over.low, over.high)


def partial_area(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the area over a range, exact through vertical steps and sloped ties."""
    of_pos, _ = range_placements(counts, over)
    return weighted_sum(counts.n_pos, of_pos) / counts.total_pos


def ends_at_step(counts: ScoreCounts, over: AreaRange) -> bool:
    """Whether an inner end of the range stands at a vertical step of the curve."""
    if over.full:
        return False
    table = counts if over.axis == "fpr" else _swapped(counts)
    ends = (over.low, over.high) if over.axis == "fpr" else (1 - over.high, 1 - over.low)
    curve = _curve(table)
    steps = [curve.tpr_at(end) for end in ends if 0 < end < 1]
    return any(bottom < top for bottom, top in steps)


def _swapped(counts: ScoreCounts) -> ScoreCounts:
    """Return the table with classes exchanged: its curve is the mirror image (1 - tpr, 1 - fpr)."""
    return ScoreCounts(counts.score[::-1], counts.n_neg[::-1], counts.n_pos[::-1])


@dataclass(frozen=True, eq=False)
class _Curve:
    """The vertices of a curve after (0, 0): where the cells of its table end."""

    fpr: FloatArray
    tpr: FloatArray

    def vertex(self, i: int) -> tuple[float, float]:
        """Return the point where cell ``i`` starts."""
        return (float(self.fpr[i - 1]), float(self.tpr[i - 1])) if i > 0 else (0.0, 0.0)

    def tpr_at(self, fpr: float) -> tuple[float, float]:
        """Return the TPRs of the lower and the upper end of the curve at an FPR."""
        first = int(np.searchsorted(self.fpr, fpr - _SAME_RATE, "left")) + 1
        last = int(np.searchsorted(self.fpr, fpr + _SAME_RATE, "right"))
        if fpr <= _SAME_RATE:
            first = 0
        if first <= last:
            return self.vertex(first)[1], self.vertex(last)[1]
        (f0, t0), (f1, t1) = self.vertex(last), self.vertex(first)
        between = t0 + (t1 - t0) * (fpr - f0) / (f1 - f0)
        return between, between


def _curve(counts: ScoreCounts) -> _Curve:
    fpr, tpr = np.cumsum(counts.n_neg), np.cumsum(counts.n_pos)
    fpr /= fpr[-1]
    tpr /= tpr[-1]
    return _Curve(fpr, tpr)


def _over_fpr(counts: ScoreCounts, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    """Return the parts of cells inside the range, which are placements, and mend the others."""
    of_pos, of_neg = placements(counts)
    of_pos -= 1 - high
    curve = _curve(counts)
    at_low = int(np.searchsorted(curve.fpr, low, "left")) if low > 0 else -1
    at_high = int(np.searchsorted(curve.fpr, high, "right"))
    outside = slice(0, max(at_low, 0)), slice(at_high + 1, None)
    for cells, part, end in zip(outside, (high - low, 0.0), (low, high), strict=True):
        of_pos[cells], of_neg[cells] = part, np.mean(curve.tpr_at(end))
    for i in {at_low, at_high}:
        if 0 <= i < len(of_pos):
            of_pos[i], of_neg[i] = _cut_cell(curve, i, low, high)
    return of_pos, of_neg


def _cut_cell(curve: _Curve, i: int, low: float, high: float) -> tuple[float, float]:
    """Return the parts of a cell that an end of the range may cut."""
    (f0, t0), (f1, t1) = curve.vertex(i), curve.vertex(i + 1)
    of_pos = float(part_to_the_right(np.array([f0]), np.array([f1]), low, high)[0])
    if f1 == f0:  # no negative stands here
        return of_pos, 0.0
    inner_low, inner_high = np.clip([f0, f1], low, high)
    middle = t0 + (t1 - t0) * ((inner_low + inner_high) / 2 - f0) / (f1 - f0)
    before = max(min(low, f1) - f0, 0.0) * np.mean(curve.tpr_at(low))
    after = max(f1 - max(high, f0), 0.0) * np.mean(curve.tpr_at(high))
    return of_pos, float(before + after + (inner_high - inner_low) * middle) / (f1 - f0)


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
