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


def hanley_mcneil_relative(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982), over theta (1 - theta)."""
    # Q1 - theta^2 and Q2 - theta^2 both hold the factor theta (1 - theta): without it nothing
    # cancels near areas of 0 and 1.
    inner = 1 + (n_pos - 1) * (1 - theta) / (2 - theta) + (n_neg - 1) * theta / (1 + theta)
    return inner / (n_pos * n_neg)


def hanley_mcneil(theta: float, n_pos: float, n_neg: float) -> float:
    """Return the variance of Hanley & McNeil (1982) under their exponential approximation."""
    return theta * (1 - theta) * hanley_mcneil_relative(theta, n_pos, n_neg)


# The same inversion as Newcombe's, with the variance as printed in 1982, not made symmetric.
HANLEY_MCNEIL_SCORE = AreaInterval(
    "hanley-mcneil-score",
    "by inverting the score test of Hanley and McNeil",
    Score(hanley_mcneil_relative),
    fails=never,
    refuses=TAKES_ONE_WHOLE_AREA,
    references=("hanley-mcneil-1982",),
)
