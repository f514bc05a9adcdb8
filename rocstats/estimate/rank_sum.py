"""Null distribution of the Mann-Whitney statistic: exact with ties, and normal.

Under the null hypothesis F = G the positives are a random subset of the pooled cases. Their sum of
doubled mid-ranks D, an integer, gives the area: 2 m n A = D - m (m + 1). Sums of subsets are
counted by the algorithm of Streitberg & Roehmel (1986).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.study.count_tables import ScoreCounts

# --- Exact null distribution ----------------------------------------------------------------------

LARGEST_PAIRS = 1e4
"""Pairs of a positive and a negative up to which the null distribution is counted (in a second)."""


class RankSumDistribution(NamedTuple):
    """Exact null distribution of 2 m n (A - 1/2), which is a whole number."""

    deviation: IntArray
    probability: FloatArray

    def p_value(self, observed: float, alternative: Alternative, *, mid: bool = False) -> float:
        """Return the p value of a deviation; ``mid`` counts the probability of equality half.

        Two-sided: P(abs(deviation) >= abs(observed)).
        """
        distance, reached = self.deviation.astype(np.float64), observed
        if alternative == "two-sided":
            distance, reached = np.abs(distance), abs(observed)
        elif alternative == "less":
            distance, reached = -distance, -observed
        # Deviations are whole; observed ones come from an area, whose rounding stays below 1/4.
        beyond = float(self.probability[distance > reached + 0.25].sum())
        equal = float(self.probability[np.abs(distance - reached) <= 0.25].sum())
        return min(1.0, beyond + (equal / 2 if mid else equal))

    def upper_tails(self) -> FloatArray:
        """Return P(deviation >= each value)."""
        # Summed from the small end, so that small tails keep all digits.
        return np.asarray(np.cumsum(self.probability[::-1])[::-1])


def rank_sum_distribution(counts: ScoreCounts) -> RankSumDistribution:
    """Return the exact null distribution, ties of the sample included."""
    ties = (counts.n_pos + counts.n_neg).astype(int)
    return _rank_sum_distribution_of_ties(int(counts.total_pos), tuple(ties.tolist()))


@lru_cache(maxsize=16)
def _rank_sum_distribution_of_ties(m: int, ties: tuple[int, ...]) -> RankSumDistribution:
    """Return the distribution by the sizes of ties, which all predictors without ties share."""
    # Doubled mid-ranks are whole; the sums of the smaller class take the smaller table.
    doubled = np.repeat(_doubled_midranks(np.array(ties)), ties)
    fewer = min(m, len(doubled) - m)
    sums, ways = subset_sums(doubled, fewer)
    kept = ways > 0
    deviation = sums[kept] - fewer * (len(doubled) + 1)
    probability = ways[kept] / ways.sum()
    if fewer < m:  # sums of negatives were counted: those of positives deviate the other way
        deviation, probability = -deviation[::-1], probability[::-1]
    deviation.flags.writeable = probability.flags.writeable = False
    return RankSumDistribution(deviation, probability)


def _doubled_midranks(ties: IntArray) -> IntArray:
    """Return twice the mid-rank at each score, the most positive first."""
    return np.asarray(2 * (ties.sum() - np.cumsum(ties)) + ties + 1)


def subset_sums(values: IntArray, size: int) -> tuple[IntArray, FloatArray]:
    """Return the possible sums of subsets of a given size, and the number of subsets with each."""
    # float64 counts: sums of positive numbers without cancellation, exact below 2^53 and to a
    # relative 1e-14 above, where integers would overflow.
    least = int(values.min())
    # In units of their common divisor the table is shortest (2 without ties, as mid-ranks double).
    steps = np.sort(values - least)
    step = max(int(np.gcd.reduce(steps)), 1)
    steps = steps // step
    top = int(steps[-size:].sum())
    ways = np.zeros((size + 1, top + 1))
    ways[0, 0] = 1
    reached = 0
    for number, value in enumerate(steps.tolist(), start=1):
        rows, reached = min(number, size), min(reached + value, top)
        ways[1 : rows + 1, value : reached + 1] += ways[:rows, : reached + 1 - value]
    return size * least + step * np.arange(ways.shape[1]), ways[size]


def rank_sum_deviation_of_area(area: float, n_pos: float, n_neg: float) -> float:
    """Return the deviation 2 m n (A - 1/2) of an area."""
    return 2 * n_pos * n_neg * (area - 0.5)


def untied_counts(n_pos: int, n_neg: int) -> ScoreCounts:
    """Return the counts of a sample without ties, all positives on top."""
    first = np.repeat([1.0, 0.0], [n_pos, n_neg])
    return ScoreCounts(np.arange(n_pos + n_neg, 0.0, -1.0), first, 1 - first)


# --- Normal null distribution ---------------------------------------------------------------------


def mann_whitney_null_variance(counts: ScoreCounts) -> float:
    """Return the variance of the area under F = G: (N + 1 - sum(t^3 - t)/(N(N - 1)))/(12 m n)."""
    ties, m, n = counts.n_pos + counts.n_neg, counts.total_pos, counts.total_neg
    total = m + n
    lost = float(np.sum(ties * (ties * ties - 1))) / (total * (total - 1))
    variance = (total + 1 - lost) / (12 * m * n)
    return variance if variance > _NO_NULL_VARIANCE / (m * n) else 0.0


# Times mn, a null variance is (N + 1 - lost)/12: 1/4 if a single case differs from the rest, more
# otherwise, and rounding of N + 1 if all are tied.
_NO_NULL_VARIANCE = 1e-9


def continuity_corrected_z(
    distance: float, variance: float, half_step: float, side: Alternative
) -> float:
    """Return z of a distance from the null value, with a continuity correction of half a step.

    0 where the variance is 0: all scores are equal.
    """
    if variance == 0:
        return 0.0
    if side == "two-sided":
        moved = float(np.sign(distance)) * max(abs(distance) - half_step, 0.0)
    else:
        moved = distance - half_step if side == "greater" else distance + half_step
    return moved / float(np.sqrt(variance))
