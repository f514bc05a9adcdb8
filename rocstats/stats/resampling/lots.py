"""Random choice between two classifiers, case by case; points that are always the same."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.resampling.streams import stream


def draw_lots(n: int, share: float, seed: int) -> BoolArray:
    """Return n independent booleans, each true with probability ``share``."""
    return np.asarray(stream(seed).random(n) < share)


def fixed_points(n: int, dimension: int) -> FloatArray:
    """Return n points of the unit cube that look random and are the same in every call."""
    return stream(0).random((n, dimension))
