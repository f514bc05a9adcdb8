"""Whole curves compared by permutation: untied ranks, and Venkatraman's test of two samples.

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
from rocstats.stats.resampling.streams import ResamplePlan


class RankedCases(NamedTuple):
    """Single cases with untied ranks 0..n-1 by each predictor (k x n), and their clusters."""

    is_positive: BoolArray
    ranks: IntArray
    unit: IntArray | None


def ranked_cases(
    cases: ScoredCases, predictors: Sequence[int], rng: np.random.Generator
) -> RankedCases:
    """Return the cases of a sample ranked by some predictors, ties broken once at random.

    A row with a frequency is so many cases. All predictors break their ties by the same random
    order of the cases, so that predictors which order all cases alike have the same ranks.
    """
    rows = np.arange(len(cases.is_positive))
    if cases.frequency is not None:
        rows = np.repeat(rows, cases.frequency.astype(np.intp))
    tie_break = rng.random(len(rows))
    ranks = np.empty((len(predictors), len(rows)), dtype=np.intp)
    for place, k in enumerate(predictors):
        ranks[place, np.lexsort((tie_break, -cases.codes(k)[rows]))] = np.arange(len(rows))
    unit = None
    if cases.cluster is not None:
        unit = np.unique(cases.cluster.codes[rows], return_inverse=True)[1]
    return RankedCases(cases.is_positive[rows], ranks, unit)


def two_sample_distance(first: BoolArray, second: BoolArray, prevalence: float) -> float:
    """Return the integral over s of the absolute difference of two samples' error rates.

    ``first`` and ``second`` mark the positive cases, from the lowest score up.
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


def _positives_below(labels: BoolArray, prevalence: float) -> tuple[FloatArray, FloatArray]:
    """Return the share of positives, and of the mixture, at or below each cut."""
    positives = np.concatenate([[0], np.cumsum(labels)])
    negatives = np.arange(len(labels) + 1) - positives
    share = positives / positives[-1]
    return share, prevalence * share + (1 - prevalence) * (negatives / negatives[-1])


def two_sample_draws(
    first: BoolArray, second: BoolArray, prevalence: float, plan: ResamplePlan
) -> FloatArray:
    """Return the distance with cases exchanged between samples, within their class, at random.

    A case is represented by its place s in the mixture of its own sample, so that both samples are
    on one scale. All places have one fixed order, equal places a random one.
    """
    place = np.concatenate(
        [_positives_below(labels, prevalence)[1][1:] for labels in (first, second)]
    )
    order = np.lexsort((plan.stream(6).random(len(place)), place))
    positive = np.concatenate([first, second])[order]
    in_first = order < len(first)
    classes = ((positive, plan.stream(1)), (~positive, plan.stream(0)))
    draws = np.empty(plan.n_resamples)
    # A distance also fills some eight arrays of this length.
    for part in plan.chunks(8 * len(place)):
        size = part.stop - part.start
        exchanged = np.empty((size, len(place)), dtype=bool)
        for chosen, rng in classes:
            labels = np.broadcast_to(in_first[chosen], (size, int(chosen.sum())))
            exchanged[:, chosen] = rng.permuted(labels, axis=1)
        for row, member in enumerate(exchanged):
            draws[part.start + row] = two_sample_distance(
                positive[member], positive[~member], prevalence
            )
    return draws
