"""Random classifiers: cases are called positive without regard to their scores."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import IntArray
from rocstats.stats.resampling.streams import stream


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
