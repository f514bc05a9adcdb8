"""Simulated scores of planned studies: normal in each class, predictors correlated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.stats.resampling.streams import stream

Scores = tuple[FloatArray, FloatArray]
"""Scores of the positives (k x n_pos) and of the negatives (k x n_neg) by k predictors."""


def draw_studies(
    curves: Sequence[tuple[float, float]],
    correlations: tuple[float, float],
    sizes: tuple[int, int],
    n_simulations: int,
    seed: int,
) -> Iterator[Scores]:
    """Yield studies of one predictor, or of two with correlations among positives and negatives.

    Negatives are N(0, 1), positives N(a/b, 1/b^2), each predictor with its own a and b.
    """
    # One stream in the order of studies: the first of many are those of a shorter simulation.
    rng = stream(seed, 6)
    shift, slope = np.array(curves).T[:, :, np.newaxis]
    for _ in range(n_simulations):
        pos, neg = (
            _correlated(rng.standard_normal((len(curves), n)), correlation)
            for n, correlation in zip(sizes, correlations, strict=True)
        )
        yield (pos + shift) / slope, neg


def _correlated(deviates: FloatArray, correlation: float) -> FloatArray:
    if len(deviates) > 1:
        # Cholesky's factor of a 2 x 2 correlation matrix; the product keeps digits near 1.
        rest = np.sqrt((1 - correlation) * (1 + correlation))
        deviates[1] = correlation * deviates[0] + rest * deviates[1]
    return deviates
