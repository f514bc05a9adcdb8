"""Lots: which of two rules decides each case."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import BoolArray
from rocstats.stats.resampling.streams import stream


def draw_lots(n: int, share: float, seed: int) -> BoolArray:
    """Return for each of n cases whether its lot says yes, as it does with the chance ``share``."""
    return np.asarray(stream(seed).random(n) < share)
