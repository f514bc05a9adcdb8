"""Limits of a difference from the limits of its two terms (MOVER), and the test they invert."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocstats.stats.crossing import crossing
from rocstats.stats.intervals.rates.proportions import wilson

Limit = Callable[[float], float]
"""A confidence limit as a function of a normal quantile, negative for lower limits."""

LARGEST_Z = 38.0  # the normal tail beyond is under 3e-316, below the least normal double


def mover_limit(
    estimate: float,
    first: float,
    second: float,
    correlation: float,
    at: float,
    *,
    furthest: float = 1.0,
) -> float:
    """Return a limit of a difference of two measures from the limits of both (MOVER).

    ``first`` and ``second`` are the distances from each term to its own limit. A lower limit uses
    the lower limit of the first term and the upper limit of the second (Zou & Donner 2008).
    ``furthest`` is the largest possible difference, that of shares being 1.
    """
    # ``first`` and ``second`` have opposite signs, so that a positive correlation shortens.
    squares = first**2 + second**2 + 2 * correlation * first * second
    reach = float(np.sqrt(max(squares, 0.0)))
    return float(np.clip(estimate + np.sign(at) * reach, -furthest, furthest))


def effective_wilson_limit(share: float, size: float, variance: float, at: float) -> float:
    """Return Wilson's limit of a share at a normal quantile, with an effective sample size.

    With p = (size share + z^2/2)/(size + z^2), z the quantile, n_eff = p(1 - p)/variance, at most
    ``size``.
    """
    z2 = at**2
    adjusted = (size * share + z2 / 2) / (size + z2)
    spread = adjusted * (1 - adjusted)
    if spread == 0:  # a share of 0 or 1, and a quantile so near 0 that it moves nothing
        return share
    # No more than the cases at hand, whatever the quantile: with size + z^2, which grows with it,
    # limits of shares without a variance would reach no null value, and the test would print p = 0.
    effective = spread / max(variance, spread / size)
    # The share keeps its value: only the size changes.
    return wilson(share * effective, effective, at)


def inverted_statistic(
    limit: Limit, estimate: float, null_value: float, beyond: float = LARGEST_Z
) -> float:
    """Return the z at which a limit reaches the null value; ``beyond`` (> 0) if none does."""
    if estimate == null_value:
        return 0.0
    sign = 1.0 if estimate > null_value else -1.0

    def distance(z: float) -> float:
        # Limits at z = 0 are the estimate, where the root searches of some limits have no bracket.
        reached = estimate if z == 0 else limit(-sign * z)
        return sign * (reached - null_value)

    if distance(LARGEST_Z) > 0:  # by default p is 0 to all digits
        return sign * beyond
    # The distance is above 0 at z = 0; an error of 1e-13 in z is under 1e-12 of p, relative to p,
    # while z is below 10.
    return sign * crossing(distance, 0.0, LARGEST_Z, xtol=1e-13)
