"""The variance of Hanley & McNeil (1982) from an area and the class sizes, and its score limits."""

from __future__ import annotations

from rocstats.stats.intervals.methods.score import TAKES_ONE_WHOLE_AREA, Score, never
from rocstats.stats.intervals.record import AreaInterval


def hanley_mcneil_terms(theta: float) -> tuple[float, float]:
    """Return Q1 and Q2 of exponentially distributed scores with AUC ``theta``."""
    return theta / (2 - theta), 2 * theta**2 / (1 + theta)


def three_terms(theta: float, q1: float, q2: float, m: float, n: float) -> float:
    """Return Hanley & McNeil's variance from Q1 and Q2, with m positives and n negatives."""
    spread = theta * (1 - theta) + (m - 1) * (q1 - theta**2) + (n - 1) * (q2 - theta**2)
    # Q1 and Q2 that are counted in few cases can make the sum negative.
    return max(spread, 0.0) / (m * n)


def hanley_mcneil(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982) under their exponential approximation."""
    q1, q2 = hanley_mcneil_terms(theta)
    return three_terms(theta, q1, q2, n_pos, n_neg)


# The same inversion as Newcombe's, with the variance as printed in 1982, not made symmetric.
HANLEY_MCNEIL_SCORE = AreaInterval(
    "hanley-mcneil-score",
    "by inverting the score test of Hanley and McNeil",
    Score(hanley_mcneil),
    fails=never,
    refuses=TAKES_ONE_WHOLE_AREA,
    references=("hanley-mcneil-1982",),
)
