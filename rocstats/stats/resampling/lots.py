"""Random choice between two classifiers, case by case, which interpolates between their points."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import BoolArray
from rocstats.stats.resampling.streams import stream


def draw_lots(n: int, share: float, seed: int) -> BoolArray:
    """Return n independent booleans, each true with probability ``share``."""
    return np.asarray(stream(seed).random(n) < share)
