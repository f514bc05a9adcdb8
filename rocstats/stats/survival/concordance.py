"""Concordance of scores with times: the share of comparable pairs in which the earlier is higher.

A pair is comparable if the earlier patient has the event of interest, and the other is followed
longer, or is censored at the same time. Pairs are counted without being listed: patients in the
order of their scores are split by the bits of their place in time, and in each part those of the
later half that come before one of the earlier half have lower scores. That takes a number of passes
through the patients that is the logarithm of their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.areas.delong import snapped
from rocstats.stats.intervals.area import Area
from rocstats.stats.survival.areas import Scores, variance_of
from rocstats.stats.survival.follow_up import CASE, CENSORED, FollowUp
from rocstats.stats.survival.status import EXTREME, Ratio


@dataclass(frozen=True, eq=False)
class Pairs:
    """The comparable pairs by their earlier patient: weight, and the numbers of later ones.

    ``key`` numbers the times so that the later of a comparable pair has the larger number;
    ``weighs_g`` says that weights are 1/G^2.
    """

    follow_up: FollowUp
    weight: FloatArray
    key: IntArray
    later: FloatArray
    weighs_g: bool

    @property
    def total(self) -> float:
        """Sum of the weights of all pairs."""
        return float(self.weight @ self.later)

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of patients who are the earlier, and the later, of some pair."""
        return int(np.count_nonzero(self.weight)), int(np.count_nonzero(self.earlier_weight))

    @property
    def n_units(self) -> tuple[int, int] | None:
        """Numbers of clusters with such patients; None without clusters."""
        cluster = self.follow_up.cluster
        if cluster is None:
            return None
        sides = (self.weight > 0, self.earlier_weight > 0)
        earlier, later = (len(np.unique(cluster[side])) for side in sides)
        return earlier, later

    @property
    def has_extreme_weights(self) -> bool:
        """Whether a patient with the event stands for more than ten."""
        return bool(self.weight.max(initial=0.0) > EXTREME**2)

    @cached_property
    def earlier_weight(self) -> FloatArray:
        """Sum over the pairs of which each patient is the later one of their weights."""
        sums = np.bincount(self.key, weights=self.weight)
        return np.asarray((np.cumsum(sums) - sums)[self.key], dtype=np.float64)


def pairs_of(follow_up: FollowUp, limit: float, *, weighs_g: bool) -> Pairs:
    """Return the comparable pairs with an event up to a time limit, each 1 (Harrell's) or 1/G^2.

    With ``weighs_g`` they are Uno's, with G read just before the event.
    """
    is_case = follow_up.status == CASE
    # Of equal times an event comes before the censored, and two events are no pair.
    key = 2 * follow_up.place + (follow_up.status == CENSORED)
    number = np.bincount(key, minlength=2 * len(follow_up.times))
    later = (follow_up.size - np.cumsum(number))[key].astype(np.float64)
    weight = (is_case & (later > 0) & (follow_up.time <= limit)).astype(np.float64)
    if weighs_g:
        weighed = weight > 0
        weight[weighed] /= follow_up.uncensored[follow_up.place[weighed]] ** 2
    return Pairs(follow_up, weight, key, later, weighs_g)


def concordance_of(pairs: Pairs, scores: Scores) -> Ratio:
    """Return C = sum of weight x psi over comparable pairs / sum of weight, with its influence.

    psi is 1 where the earlier patient has the higher score, 1/2 where both are equal.
    """
    weight, of = pairs.weight, pairs.follow_up
    as_earlier, as_later = _won(pairs, scores)
    total = pairs.total
    value = float(weight @ as_earlier) / total
    earlier = weight * (as_earlier - value * pairs.later) / total
    later = (as_later - value * pairs.earlier_weight) / total
    influence = of.size * (earlier + later)
    if pairs.weighs_g:
        influence += 2 * of.of_weights(earlier, of.place)
    return Ratio(snapped(value), influence)


def sized_concordance(found: Ratio, pairs: Pairs) -> Area:
    """Return a concordance with its variance, and with the numbers of its units."""
    m, n = pairs.n_units or pairs.sizes
    variance = variance_of(pairs.follow_up, found.influence, unbiased=False)
    return Area(found.value, variance, np.inf, float(m), float(n), float(min(m, n)))


def _won(pairs: Pairs, scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Return by earlier patient the sum of psi, and by later patient the sum of weight x psi."""
    # Ties count as a half: the mean of both ways to order the patients that have equal scores.
    ways = [_higher(pairs, np.lexsort((side, scores.codes))) for side in (pairs.key, -pairs.key)]
    first, second = ((a + b) / 2 for a, b in zip(*ways, strict=True))
    return first, second


def _higher(pairs: Pairs, order: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the same sums where later patients of a pair count if they come before in ``order``.

    ``order`` lists the patients by ascending scores.
    """
    n, key, weight = len(order), pairs.key, pairs.weight
    number, sums = np.zeros(n), np.zeros(n)
    for bit in reversed(range(int(key.max()).bit_length())):
        half = (key[order] >> bit) & 1
        part = key[order] >> (bit + 1)
        start = np.searchsorted(part, part)  # parts are in ascending order
        # Of each patient: the later ones before it in its part, and the earlier ones after it.
        late = np.concatenate([[0.0], np.cumsum(half)])
        number[order] += np.where(half == 0, late[:-1] - late[start], 0.0)
        early = np.concatenate([[0.0], np.cumsum(np.where(half == 0, weight[order], 0.0))])
        end = np.searchsorted(part, part, side="right")
        sums[order] += np.where(half == 1, early[end] - early[1:], 0.0)
        # A stable split of each part into its halves.
        order = order[np.argsort(key[order] >> bit, kind="stable")]
    return number, sums
