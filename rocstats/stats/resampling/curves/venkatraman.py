"""Whole curves compared by permutation: ranked cases, and Venkatraman's test of two samples.

Curves are compared as error rates over the share of cases below the cut (Venkatraman 2000). With
kappa the share of positives, F and G the distribution functions of positives and negatives, the
error e = kappa F + (1 - kappa)(1 - G) is a function of s = kappa F + (1 - kappa) G. For predictors
on the same cases the distance is ``curve_distance`` over N^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.permutation import midranks, shares_in_ties
from rocstats.stats.resampling.streams import ResamplePlan


class RankedCases(NamedTuple):
    """Single cases with mid-ranks by each predictor (k x n), and their clusters."""

    is_positive: BoolArray
    ranks: FloatArray
    unit: IntArray | None


def ranked_cases(cases: ScoredCases, predictors: Sequence[int]) -> RankedCases:
    """Return the cases of a sample ranked by some predictors; a frequency is so many cases."""
    rows = np.arange(len(cases.is_positive))
    if cases.frequency is not None:
        rows = np.repeat(rows, cases.frequency.astype(np.intp))
    ranks = np.array([midranks(cases, k)[rows] for k in predictors])
    unit = None
    if cases.cluster is not None:
        unit = np.unique(cases.cluster.codes[rows], return_inverse=True)[1]
    return RankedCases(cases.is_positive[rows], ranks, unit)


def in_order(cases: RankedCases) -> tuple[FloatArray, IntArray]:
    """Return the labels of the cases by the first predictor, lowest first, and their tie blocks."""
    order = np.argsort(cases.ranks[0], kind="stable")
    block = np.unique(cases.ranks[0], return_inverse=True)[1]
    return cases.is_positive[order].astype(np.float64), block[order]


def two_sample_distance(first: FloatArray, second: FloatArray, prevalence: float) -> float:
    """Return the integral over s of the absolute difference of two samples' error rates.

    ``first`` and ``second`` are 1 for positive cases and 0 for negative ones, from the lowest score
    up; within a tie the share of positives.
    """
    # As e + s = 2 kappa F + 1 - kappa, the difference of e at equal s is 2 kappa times that of F.
    (below, at), (other_below, other_at) = (
        _positives_below(labels, prevalence) for labels in (first, second)
    )
    places = np.sort(np.concatenate([at, other_at]))
    gap = np.interp(places, at, below) - np.interp(places, other_at, other_below)
    left, right, size = gap[:-1], gap[1:], np.abs(gap)
    total = size[:-1] + size[1:]
    height = total / 2
    crossing = left * right < 0
    # Where the sign changes within a piece, the area is that of two triangles:
    # (l^2 + r^2)/(2(|l| + |r|)) = (|l| + |r|)/2 - |l r|/(|l| + |r|).
    height[crossing] += (left * right)[crossing] / total[crossing]
    return float(2 * prevalence * np.dot(np.diff(places), height))


def _positives_below(labels: FloatArray, prevalence: float) -> tuple[FloatArray, FloatArray]:
    """Return the share of positives, and of the mixture, at or below each cut."""
    positives = np.concatenate([[0.0], np.cumsum(labels)])
    negatives = np.arange(len(labels) + 1) - positives
    share = positives / positives[-1]
    return share, prevalence * share + (1 - prevalence) * (negatives / negatives[-1])


def _places(labels: FloatArray, block: IntArray, prevalence: float) -> FloatArray:
    """Return the place of each case in the mixture of its sample: tied cases have their mean."""
    return shares_in_ties(_positives_below(shares_in_ties(labels, block), prevalence)[1][1:], block)


def two_sample_draws(
    first: tuple[FloatArray, IntArray],
    second: tuple[FloatArray, IntArray],
    prevalence: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the distance with cases exchanged between samples, within their class, at random.

    ``first`` and ``second`` are labels and tie blocks, from the lowest score up. A case is
    represented by its place s in the mixture of its own sample, so that both samples are on one
    scale. All places have one fixed order: tied cases stay tied, equal places of the two samples
    are ordered at random.
    """
    place = np.concatenate([_places(*sample, prevalence) for sample in (first, second)])
    labels = np.concatenate([first[0], second[0]])
    block = np.concatenate([first[1], second[1] + len(first[1])])
    # One lot for all cases of a block: they stay together.
    lots = plan.stream(6).random(int(block.max()) + 1)[block]
    order = np.lexsort((lots, place))
    labels, block, in_first = labels[order], block[order], order < len(first[0])
    classes = ((labels == 1, plan.stream(1)), (labels == 0, plan.stream(0)))
    draws = np.empty(plan.n_resamples)
    # A distance also fills some eight arrays of this length.
    for part in plan.chunks(8 * len(place)):
        size = part.stop - part.start
        exchanged = np.empty((size, len(place)), dtype=bool)
        for chosen, rng in classes:
            members = np.broadcast_to(in_first[chosen], (size, int(chosen.sum())))
            exchanged[:, chosen] = rng.permuted(members, axis=1)
        for row, member in enumerate(exchanged):
            draws[part.start + row] = two_sample_distance(
                shares_in_ties(labels[member], block[member]),
                shares_in_ties(labels[~member], block[~member]),
                prevalence,
            )
    return draws
