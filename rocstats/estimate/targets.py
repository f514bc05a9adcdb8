"""Limits of rates at a threshold that reaches a target rate of the other class.

A threshold with the share p of one class beyond it lies between two order statistics of that class,
whose ranks are binomial. The share of the other class at the threshold has limits from that and,
at a threshold, Wilson's, combined by MOVER (ours). See docs/methods/points.md, "Grey zones at
targets".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.facts import special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.study.count_tables import ScoreCounts

RateLimits = tuple[float, float]
"""Lower and upper limit of a rate."""


class OuterZoneLimits(NamedTuple):
    """Limits of the shares of positives and negatives in the outer zones.

    ``missed`` and ``called`` are of the positives in the negative and in the positive zone,
    ``cleared`` and ``alarmed`` of the negatives there.
    """

    missed: RateLimits
    called: RateLimits
    cleared: RateLimits
    alarmed: RateLimits


def outer_zone_limits(
    counts: ScoreCounts,
    beyond: tuple[float, float],
    targets: tuple[float, float],
    level: float,
) -> OuterZoneLimits:
    """Return limits of the shares beyond the thresholds that reach a sensitivity and a specificity.

    ``beyond`` are the positives in the positive and the negatives in the negative zone.
    """
    pos, neg = (np.asarray(side, dtype=np.float64) for side in (counts.n_pos, counts.n_neg))
    missed, cleared = _share_limits_beyond_threshold(
        pos[::-1], neg[::-1], 1 - targets[0], beyond[1], level
    )
    alarmed, called = _share_limits_beyond_threshold(neg, pos, 1 - targets[1], beyond[0], level)
    return OuterZoneLimits(missed, called, cleared, alarmed)


def zone_limits(rates: OuterZoneLimits, both: OuterZoneLimits, share: float) -> list[RateLimits]:
    """Return limits of the measures of three zones, in the order of ``grey_zone``.

    ``rates`` are at the level of one rate, ``both`` at that of two together; ``share`` is that of
    positives in the population.
    """
    missed, called, cleared, alarmed = rates
    grey_pos, grey_neg = _grey_zone_limits(missed, called), _grey_zone_limits(alarmed, cleared)
    both_pos = _grey_zone_limits(both.missed, both.called)
    both_neg = _grey_zone_limits(both.alarmed, both.cleared)
    low, high = (share * p + (1 - share) * n for p, n in zip(both_pos, both_neg, strict=True))
    return [
        _zone_ratio_limits(missed, cleared),
        _zone_predictive_limits(1 - share, cleared, missed),
        _zone_ratio_limits(both_pos, both_neg),
        grey_pos,
        grey_neg,
        (low, high),
        _zone_ratio_limits(called, alarmed),
        _zone_predictive_limits(share, called, alarmed),
    ]


def _share_limits_beyond_threshold(
    reaching: FloatArray, other: FloatArray, share: float, beyond: float, level: float
) -> tuple[RateLimits, RateLimits]:
    """Return limits of the share of both classes beyond a threshold.

    ``reaching`` has the counts of the class that reaches the target, ``other`` those of the other
    class, by distinct score, the outermost first. At most the ``share`` of the former lies beyond
    the threshold, and the number ``beyond`` of the latter.
    """
    m, n = float(reaching.sum()), float(other.sum())
    low_at, high_at, most = _counts_beyond(reaching, other, share, (1 - level) / 2)
    reach = float(sp.ndtri((1 + level) / 2))
    if most > 1:
        # Tied scores: a threshold is one of few, and its error no sum of small ones. Half of the
        # tail is for the threshold, half for the share there.
        low_at, high_at, most = _counts_beyond(reaching, other, share, (1 - level) / 4)
        half = float(sp.ndtri((3 + level) / 4))
        ends = (
            min(wilson_limit_of_proportion(low_at, n, -half), beyond / n),
            max(wilson_limit_of_proportion(high_at, n, half), beyond / n),
        )
        # The share beyond is less than the target by up to the cases of one score.
        return (max(share - wilson_limit_of_proportion(most, m, reach), 0.0), share), ends
    value, ends = (
        beyond / n,
        (
            wilson_limit_of_proportion(beyond, n, -reach),
            wilson_limit_of_proportion(beyond, n, reach),
        ),
    )
    low = value - np.hypot(max(value - low_at / n, 0.0), value - ends[0])
    high = value + np.hypot(max(high_at / n - value, 0.0), ends[1] - value)
    return (share, share), (float(max(low, 0.0)), float(min(high, 1.0)))


def _counts_beyond(
    reaching: FloatArray, other: FloatArray, share: float, tail: float
) -> tuple[float, float, float]:
    """Return how many of the other class are beyond the limits of the threshold.

    The third number is the most cases of the class itself at one score between them.
    """
    m, n = float(reaching.sum()), float(other.sum())
    first, last = _quantile_ranks(m, share, tail)
    places = np.searchsorted(np.cumsum(reaching), [first, last], side="left")
    before = np.concatenate([[0.0], np.cumsum(other)])
    at = before[np.minimum(places, len(other))]
    # Beyond every case of the class there may be all of the other, or none of it.
    low, high = (0.0 if first == 0 else float(at[0])), (n if last > m else float(at[1]))
    return low, high, float(reaching[places[0] : places[1] + 1].max(initial=0.0))


# Beyond 40 standard deviations a binomial count has no probability in floating point.
_FARTHEST = 40


def _quantile_ranks(m: float, share: float, tail: float) -> tuple[float, float]:
    """Return the ranks between which a quantile lies; 0 and m + 1 for no bound.

    The number of cases below the quantile is binomial: fewer than the first, and as many as the
    last, each have at most the probability ``tail``.
    """
    centre, spread = m * share, _FARTHEST * (np.sqrt(m * share * (1 - share)) + 1)
    rank = np.arange(max(0.0, np.floor(centre - spread)), min(m + 1, np.ceil(centre + spread)) + 1)
    fewer = np.where(rank > 0, sp.bdtr(np.maximum(rank - 1, 0.0), int(m), share), 0.0)
    last = np.append(rank, m + 1)[np.append(1 - fewer, 0.0) <= tail].min()
    return float(rank[fewer <= tail].max()), float(last)


def _grey_zone_limits(outer: RateLimits, inner: RateLimits) -> RateLimits:
    """Return limits of what two shares leave."""
    return max(1 - outer[1] - inner[1], 0.0), max(1 - outer[0] - inner[0], 0.0)


def _zone_ratio_limits(above: RateLimits, below: RateLimits) -> RateLimits:
    """Return limits of the ratio of two shares."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (np.divide(*pair) for pair in ((above[0], below[1]), (above[1], below[0])))
    return float(np.nan_to_num(low, nan=0.0)), float(np.nan_to_num(high, nan=np.inf, posinf=np.inf))


def _zone_predictive_limits(share: float, right: RateLimits, wrong: RateLimits) -> RateLimits:
    """Return limits of the share of right calls, ``share`` being that of the class."""
    low, high = (
        share * r / (share * r + (1 - share) * w) if r > 0 or w > 0 else np.nan
        for r, w in ((right[0], wrong[1]), (right[1], wrong[0]))
    )
    return float(np.nan_to_num(low, nan=0.0)), float(np.nan_to_num(high, nan=1.0))
