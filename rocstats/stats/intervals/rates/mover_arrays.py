"""MOVER at many tables at once: limits of sums and of ratios from the limits of their terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, Limits


class Term(NamedTuple):
    """An estimate with its limits."""

    value: FloatArray
    low: FloatArray
    high: FloatArray

    def times(self, factor: FloatArray | float) -> Term:
        """Return the term times a number; a negative one exchanges the limits."""
        ends = self.low * factor, self.high * factor
        return Term(self.value * factor, np.minimum(*ends), np.maximum(*ends))

    @property
    def log(self) -> Term:
        """Natural logarithm of a term that is not negative."""
        # log 0 is -inf on purpose: ``sum_limits`` knows what to do with infinite terms.
        with np.errstate(divide="ignore"):
            return Term(np.log(self.value), np.log(self.low), np.log(self.high))

    @property
    def logit(self) -> Term:
        """Logit of a share."""
        with np.errstate(divide="ignore"):
            # log1p keeps the digits of shares near 0.
            return Term(*(np.log(x) - np.log1p(-x) for x in (self.value, self.low, self.high)))


def sum_limits(terms: Sequence[Term], correlation: FloatArray | float = 0.0) -> Limits:
    """Return the limits of a sum; the correlation is that of its first two terms.

    Where a term is infinite, both limits are the sums of the limits of the terms, which are never
    too narrow.
    """
    with np.errstate(invalid="ignore"):
        value, low_edge, high_edge = (
            sum(getattr(term, part) for term in terms) for part in ("value", "low", "high")
        )
        # Zou & Donner 2008: distances to the limits are added in squares, as variances are.
        below, above = (
            _reach([abs(term.value - getattr(term, side)) for term in terms], correlation)
            for side in ("low", "high")
        )
        low, high = value - below, value + above
    return (
        np.where(np.isfinite(low), low, low_edge),
        np.where(np.isfinite(high), high, high_edge),
    )


def _reach(distances: Sequence[FloatArray], correlation: FloatArray | float) -> FloatArray:
    squares = sum(distance**2 for distance in distances)
    shared = 2 * correlation * distances[0] * distances[1] if len(distances) > 1 else 0.0
    # A correlation of -1 with equal distances leaves less than 0 by rounding.
    return np.sqrt(np.maximum(squares + shared, 0.0))


def ratio_limits(first: Term, second: Term, correlation: FloatArray | float = 0.0) -> Limits:
    """Return the limits of first over second, both not negative, from those of their logarithms."""
    low, high = sum_limits([first.log, second.log.times(-1.0)], -np.asarray(correlation))
    return np.exp(low), np.exp(high)


def odds_ratio_limits(first: Term, second: Term, correlation: FloatArray | float = 0.0) -> Limits:
    """Return the limits of the odds of one share over those of another."""
    low, high = sum_limits([first.logit, second.logit.times(-1.0)], -np.asarray(correlation))
    return np.exp(low), np.exp(high)
