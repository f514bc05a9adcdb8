"""Rates of a test under partial verification (Begg & Greenes 1983), from counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.stats.intervals.quantiles import quantile
from rocstats.stats.word import Word


class Verified(NamedTuple):
    """Verified cases by true class and test result, and all tested cases by test result.

    ``positive`` and ``negative`` are verified cases of the class whose rate is estimated, by test
    result; ``other_positive`` and ``other_negative`` those of the other class. ``n_positive`` and
    ``n_negative`` are all cases with the result, verified or not.
    """

    positive: float
    negative: float
    other_positive: float
    other_negative: float
    n_positive: float
    n_negative: float

    @property
    def share_positive(self) -> float:
        """Share of the class among verified cases with a positive result."""
        return self.positive / (self.positive + self.other_positive)

    @property
    def share_negative(self) -> float:
        """Share of the class among verified cases with a negative result."""
        return self.negative / (self.negative + self.other_negative)

    @property
    def has_zero(self) -> bool:
        """Whether one of the results has no verified case of the class."""
        return self.positive == 0 or self.negative == 0

    def rate(self) -> float:
        """Return the share of positive results in the class; NaN if no verified case has it."""
        # Bayes' rule: verification depends on the result only, so that the shares within a result
        # are unbiased (docs/methods/verification.md, "Rates of a test").
        expected = self.n_positive * self.share_positive
        total = expected + self.n_negative * self.share_negative
        return expected / total if total > 0 else float("nan")

    def logit_variance(self) -> float:
        """Return the variance of the logit of the rate (Begg & Greenes); infinite with a zero."""
        if self.has_zero:
            return float("inf")
        n = self.n_positive + self.n_negative
        of_positive = self.other_positive / (self.positive * (self.positive + self.other_positive))
        of_negative = self.other_negative / (self.negative * (self.negative + self.other_negative))
        return n / (self.n_positive * self.n_negative) + of_positive + of_negative

    def smoothed(self) -> Verified:
        """Return the counts with 1/2 added to each verified cell."""
        # The variance of the logit stays finite (docs/methods/verification.md, "Rates of a test").
        return Verified(
            self.positive + 0.5,
            self.negative + 0.5,
            self.other_positive + 0.5,
            self.other_negative + 0.5,
            self.n_positive,
            self.n_negative,
        )


def verified_limits(cells: Verified, confidence_level: float) -> tuple[float, float]:
    """Return logit limits, from smoothed cells where a cell is 0; at 0 or 1 that is a limit."""
    rate = cells.rate()
    if np.isnan(rate):
        return float("nan"), float("nan")
    used = cells.smoothed() if cells.has_zero else cells
    centre, sd = sp.logit(used.rate()), np.sqrt(used.logit_variance())
    step = quantile((1 + confidence_level) / 2, np.inf) * sd
    low, high = float(sp.expit(centre - step)), float(sp.expit(centre + step))
    return (0.0 if rate == 0 else low), (1.0 if rate == 1 else high)


def verified_se(cells: Verified) -> float:
    """Return the standard error of the rate by the delta method; NaN where a cell is 0."""
    rate = cells.rate()
    return float("nan") if cells.has_zero else rate * (1 - rate) * np.sqrt(cells.logit_variance())


PRINTED = (
    Word(
        "begg-greenes",
        "by the method of Begg and Greenes for verification that depends on the result of the test",
        ("begg-1983",),
    ),
    Word(
        "inverse-probability",
        "by the standard deviation of resamples, cases weighted by the inverse of their chance to"
        " be verified",
    ),
)
"""The words for standard errors where not every case was verified."""
