"""The root of a function of one variable between two points where its signs differ."""

from __future__ import annotations

from collections.abc import Callable

from rocstats.facts.tolerances import SAME_TO_ROUNDING

# Bisection alone needs 1100 steps, from the largest double to the least; usual are ten.
_MOST_BISECTIONS = 1100


def find_root(excess: Callable[[float], float], low: float, high: float, *, xtol: float) -> float:
    """Return where a continuous function changes its sign, to ``xtol`` or two last digits.

    Chandrupatla's (1997) method: inverse quadratic interpolation where the last three points say
    that it is safe, else bisection.
    """
    # Not scipy.optimize, whose import costs more than a hundred of these searches.
    new, old = low, high
    of_new, of_old = excess(new), excess(old)
    if of_new == 0 or of_old == 0:
        return new if of_new == 0 else old
    if (of_new > 0) == (of_old > 0):
        raise ValueError(f"no sign change between {low} and {high}")
    best, share = old, 0.5
    for _ in range(_MOST_BISECTIONS):
        point = new + share * (old - new)
        of_point = excess(point)
        # The root stays between new and old; last is the point that is left out.
        if (of_point > 0) == (of_new > 0):
            last, of_last = new, of_new
        else:
            last, of_last, old, of_old = old, of_old, new, of_new
        new, of_new = point, of_point
        best = new if abs(of_new) < abs(of_old) else old
        least = (xtol + SAME_TO_ROUNDING * abs(best)) / abs(old - new)
        if of_new == 0 or least >= 1:
            return best
        share = _step_share_towards_root(new, old, last, of_new, of_old, of_last)
        share = min(max(share, least / 2), 1 - least / 2)
    return best


def _step_share_towards_root(
    new: float, old: float, last: float, of_new: float, of_old: float, of_last: float
) -> float:
    """Return how far from new to old the next point is: by interpolation, else half way."""
    place, height = (new - old) / (last - old), (of_new - of_old) / (of_last - of_old)
    # Chandrupatla: inside these the parabola through the three points is monotone.
    if not (height**2 < place and (1 - height) ** 2 < 1 - place):
        return 0.5
    first = of_new / (of_old - of_new) * of_last / (of_old - of_last)
    slope = (last - new) / (old - new)
    return first + slope * of_new / (of_last - of_new) * of_old / (of_last - of_old)
