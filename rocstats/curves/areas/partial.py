"""The partial area under the empirical curve: over a range of FPR, or of TPR."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.curves.areas.whole import placements, weighted_sum
from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.tolerances import SAME


class AreaRange(NamedTuple):
    """The range of a partial area: from ``low`` to ``high`` on an axis, "fpr" or "tpr"."""

    axis: Literal["fpr", "tpr"] = "fpr"
    low: float = 0.0
    high: float = 1.0

    @property
    def width(self) -> float:
        """Width of the range, the largest value of the area."""
        return self.high - self.low

    @property
    def full(self) -> bool:
        """Whether the range is [0, 1], so that the area is the AUC."""
        return self.low == 0 and self.high == 1

    @property
    def shares(self) -> tuple[float, float]:
        """Shares of positives and of negatives expected in the range; 1 off its axis."""
        return (self.width, 1.0) if self.axis == "tpr" else (1.0, self.width)

    def chance(self) -> float:
        """Return the area of an uninformative predictor: the part under the diagonal."""
        # The area over TPRs is that to the right of the curve, over FPRs of the mirrored curve.
        low, high = (self.low, self.high) if self.axis == "fpr" else (1 - self.high, 1 - self.low)
        return (high**2 - low**2) / 2

    def quantities(self) -> list[tuple[str, float, float]]:
        """Return name, offset and scale of each quantity: offset + scale x the mean rate."""
        # McClish 1989: standardized = (1 + (area - chance) / (width - chance)) / 2, 0.5 for chance
        # and 1 for a perfect predictor; the area is width x the mean rate.
        chance = self.chance()
        # Not width - chance, of which rounding alone is left for short ranges near an FPR of 1.
        above = 2 - self.low - self.high if self.axis == "fpr" else self.low + self.high
        spread = self.width * above / 2
        return [
            ("partial_auc", 0.0, self.width),
            ("partial_auc_standardized", (1 - chance / spread) / 2, self.width / spread / 2),
            ("mean_tpr" if self.axis == "fpr" else "mean_tnr", 0.0, 1.0),
        ]


FULL_RANGE = AreaRange()


def read_range(fpr_range: Any, tpr_range: Any) -> AreaRange | None:
    """Return the validated range, None for the whole area."""
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
    """Return the placement in a range of a positive, and of a negative, at each distinct score.

    The mean over the positives is the partial area. The placement of a positive is the part of the
    range to its right, averaged over the FPRs [f0, f1] of the negatives tied with it. The placement
    of a negative is, up to a constant, the mean TPR along its own FPRs [f0, f1], clipped to the
    range. Both are derivatives of the area in the weight of the case; over the whole range they are
    DeLong's placements.
    """
    if over.full:
        return placements(counts)
    if over.axis == "tpr":
        of_neg, of_pos = _over_fpr(_swapped(counts), 1 - over.high, 1 - over.low)
        of_neg, of_pos = of_neg[::-1], of_pos[::-1]
        # With classes exchanged the negatives average to the area; the constant of the positives is
        # free, and set so that they do too.
        area = weighted_sum(counts.n_neg, of_neg) / counts.total_neg
        return of_pos + (area - weighted_sum(counts.n_pos, of_pos) / counts.total_pos), of_neg
    return _over_fpr(counts, over.low, over.high)


def partial_area(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the area over a range, exact through vertical steps and sloped ties."""
    of_pos, _ = range_placements(counts, over)
    return weighted_sum(counts.n_pos, of_pos) / counts.total_pos


def mean_rate(counts: ScoreCounts, over: AreaRange) -> float:
    """Return the mean height of the curve over a range, exact: the area over the width."""
    return partial_area(counts, over) / over.width


def ends_at_step(counts: ScoreCounts, over: AreaRange) -> bool:
    """Return whether an inner end of the range is at a vertical step of the curve."""
    if over.full:
        return False
    table = counts if over.axis == "fpr" else _swapped(counts)
    ends = (over.low, over.high) if over.axis == "fpr" else (1 - over.high, 1 - over.low)
    curve = _curve(table)
    steps = [curve.tpr_at(end) for end in ends if 0 < end < 1]
    return any(bottom < top for bottom, top in steps)


def _swapped(counts: ScoreCounts) -> ScoreCounts:
    """Return the table with classes exchanged, whose curve is mirrored to (1 - tpr, 1 - fpr)."""
    return ScoreCounts(counts.score[::-1], counts.n_neg[::-1], counts.n_pos[::-1])


class _Curve(NamedTuple):
    """The vertices of a curve after (0, 0): where the cells of its table end."""

    fpr: FloatArray
    tpr: FloatArray

    def vertex(self, i: int) -> tuple[float, float]:
        """Return the FPR and TPR where cell ``i`` starts."""
        return (float(self.fpr[i - 1]), float(self.tpr[i - 1])) if i > 0 else (0.0, 0.0)

    def tpr_at(self, fpr: float) -> tuple[float, float]:
        """Return the TPRs of the lower and the upper end of the curve at an FPR."""
        # A given end such as 0.1 need not be the float of the quotient of counts that it means.
        first = int(np.searchsorted(self.fpr, fpr - SAME, "left")) + 1
        last = int(np.searchsorted(self.fpr, fpr + SAME, "right"))
        if fpr <= SAME:
            first = 0  # (0, 0), which the arrays leave out
        if first <= last:  # vertices at this FPR: the ends of a vertical step, or a single vertex
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
    """Return the placements in a range of FPR of positives and negatives, by cell of the table."""
    # Inside the range the placements are those of the whole area, for positives without the part
    # of [0, 1] beyond the range. Outside they are constant, and at most two cells are cut.
    of_pos, of_neg = placements(counts)
    of_pos -= 1 - high
    curve = _curve(counts)
    at_low = int(np.searchsorted(curve.fpr, low, "left")) if low > 0 else -1
    at_high = int(np.searchsorted(curve.fpr, high, "right"))
    outside = slice(0, max(at_low, 0)), slice(at_high + 1, None)
    for cells, part, end in zip(outside, (high - low, 0.0), (low, high), strict=True):
        # At a vertical step the derivative is one-sided: the middle of the step is the mean of the
        # two.
        of_pos[cells], of_neg[cells] = part, np.mean(curve.tpr_at(end))
    for i in {at_low, at_high}:
        if 0 <= i < len(of_pos):
            of_pos[i], of_neg[i] = _cut_cell(curve, i, low, high)
    return of_pos, of_neg


def _cut_cell(curve: _Curve, i: int, low: float, high: float) -> tuple[float, float]:
    """Return the placements of the positives and negatives of a cell cut by an end of the range."""
    (f0, t0), (f1, t1) = curve.vertex(i), curve.vertex(i + 1)
    of_pos = float(part_to_the_right(np.array([f0]), np.array([f1]), low, high)[0])
    if f1 == f0:  # a vertical step: the cell has no negatives
        return of_pos, 0.0
    inner_low, inner_high = np.clip([f0, f1], low, high)
    middle = t0 + (t1 - t0) * ((inner_low + inner_high) / 2 - f0) / (f1 - f0)
    before = max(min(low, f1) - f0, 0.0) * np.mean(curve.tpr_at(low))
    after = max(f1 - max(high, f0), 0.0) * np.mean(curve.tpr_at(high))
    return of_pos, float(before + after + (inner_high - inner_low) * middle) / (f1 - f0)


def part_to_the_right(f0: FloatArray, f1: FloatArray, low: float, high: float) -> FloatArray:
    """Return the mean over u in [f0, f1] of the length of the part of a range of FPR beyond u."""
    spread = f1 > f0
    width = np.where(spread, f1 - f0, 1.0)  # no 0 / 0 where no negative ties
    tied = (_right_of(f1, low, high) - _right_of(f0, low, high)) / width
    return np.where(spread, tied, np.clip(high - f0, 0.0, high - low))


def _right_of(fpr: FloatArray, low: float, high: float) -> FloatArray:
    """Return the integral over u from 0 to each FPR of the length of the part beyond u."""
    inside = np.clip(fpr, low, high)
    return (high - low) * np.minimum(fpr, low) + (inside - low) * (high - (inside + low) / 2)
