"""Bootstrap of areas weighted by the inverse of an estimated probability of verification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.stats.resampling.counts import RankedSides, ranked
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws, require_valid_resamples

Probability = Callable[[IntArray], FloatArray]
"""Estimate the probability of verification of rows drawn with replacement."""


class VerifiedCases(NamedTuple):
    """All tested cases, of which some are verified.

    ``row`` holds the places of the verified among all; ``is_positive`` and ``scores`` (k x
    verified, higher meaning positive) belong to the verified, ``cluster`` to all.
    """

    n_cases: int
    row: IntArray
    is_positive: BoolArray
    scores: FloatArray
    cluster: Factor | None

    def sides(self) -> RankedSides:
        """Return the verified positives and negatives, ranked by each predictor."""
        pos, neg = np.flatnonzero(self.is_positive), np.flatnonzero(~self.is_positive)
        return RankedSides(pos, neg, [ranked(score[pos], score[neg]) for score in self.scores])


def inverse_weights(cases: VerifiedCases, rows: IntArray, probability: Probability) -> FloatArray:
    """Return the sum of 1/probability over the rows drawn of each verified case."""
    chance = probability(rows)
    weight = np.bincount(rows, 1 / chance, minlength=cases.n_cases)
    return np.asarray(weight.take(cases.row), dtype=np.float64)


def draw_verified_areas(
    cases: VerifiedCases, probability: Probability, plan: ResamplePlan
) -> ValidDraws:
    """Return areas of resamples of all cases (clusters whole).

    The probability of verification is estimated again in each resample: its error is part of that
    of the area. A resample without verified cases of both classes is drawn again.
    """
    sides = cases.sides()
    values = np.empty((len(cases.scores), plan.n_resamples))
    verified = np.full(cases.n_cases, -1)  # neither class: not verified
    verified[cases.row] = cases.is_positive
    # A memory of resamples x verified cases a chunk; areas of many resamples take one call.
    draws, n_redrawn = _rows(cases, plan.stream(6)), 0
    for part in plan.chunks(cases.n_cases):
        weights = np.empty((part.stop - part.start, len(cases.row)))
        for number in range(len(weights)):
            rows = next(draws)
            # Checked before the model of verification is fitted, which would fail or take time.
            while not {0, 1} <= set(np.unique(verified[rows]).tolist()):
                n_redrawn += 1
                require_valid_resamples(part.start + number, n_redrawn, "verified-areas")
                rows = next(draws)
            weights[number] = inverse_weights(cases, rows, probability)
        values[:, part] = sides.areas(weights)
    return ValidDraws(values, n_redrawn)


def _rows(cases: VerifiedCases, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield the rows of resamples."""
    if cases.cluster is None:
        while True:
            yield rng.integers(0, cases.n_cases, size=cases.n_cases)
    codes = cases.cluster.codes
    order = np.argsort(codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    while True:
        drawn = rng.integers(0, len(members), size=len(members))
        yield np.concatenate([members[unit] for unit in drawn])
