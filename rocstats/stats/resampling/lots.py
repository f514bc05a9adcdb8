"""Random numbers of a few lines: lots, random classifiers, refits, outcomes, points of a cube."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.stats.resampling.streams import ResamplePlan, stream


def draw_lots(n: int, share: float, seed: int) -> BoolArray:
    """Return n independent booleans, each true with probability ``share``.

    Lots choose between two classifiers, case by case, which interpolates between their points.
    """
    return np.asarray(stream(seed).random(n) < share)


def draw_guesses(
    n_pos: int, n_neg: int, n_points: int, seed: tuple[int, ...]
) -> tuple[IntArray, IntArray]:
    """Return the false and the true positives of random classifiers.

    The number of cases called positive is uniform on 0, ..., N; the cases are chosen at random.
    """
    # Without replacement the true positives are hypergeometric: no labels need shuffling.
    rng = stream(*seed, 7)
    called = rng.integers(0, n_pos + n_neg, size=n_points, endpoint=True)
    tp = np.asarray(rng.hypergeometric(n_pos, n_neg, called), dtype=np.intp)
    return called - tp, tp


def draw_refits(is_positive: BoolArray, n_resamples: int, seed: int) -> tuple[IntArray, int]:
    """Return n_resamples x n rows drawn with replacement, and the number of redrawn resamples.

    All rows are drawn together; a resample that lacks a class is drawn again.
    """
    rng, n = stream(seed, 5), len(is_positive)
    rows = np.empty((n_resamples, n), dtype=np.intp)
    n_redrawn = 0
    for number in range(n_resamples):
        drawn = rng.integers(0, n, size=n)
        # No bound on redraws: where the sample has both classes, a resample lacks one with a
        # probability of at most 1/2 (n = 2), of 1/e with a single positive among many.
        while is_positive[drawn].all() or not is_positive[drawn].any():
            drawn = rng.integers(0, n, size=n)
            n_redrawn += 1
        rows[number] = drawn
    return rows, n_redrawn


def redraw_outcomes(
    risk: FloatArray, number: IntArray, draws: ResamplePlan
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield numbers of positives and of negatives of rows of so many cases with a risk each."""
    rng = draws.stream(3)
    for _ in draws.watched(range(draws.n_resamples)):
        events = rng.binomial(number, risk).astype(np.float64)
        yield events, number - events


def fixed_points(n: int, dimension: int) -> FloatArray:
    """Return n points of the unit cube that look random and are the same in every call."""
    return stream(0).random((n, dimension))
