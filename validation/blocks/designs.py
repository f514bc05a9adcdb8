"""The samples on which engines that draw blocks are compared with those that draw cases."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

import rocstats as rs

Design = Literal["normal", "exponential", "separated", "half tied", "rare"]

SEED = 20261123
DESIGNS: tuple[Design, ...] = ("normal", "exponential", "separated", "half tied", "rare")


def make_study(design: Design, n: int) -> rs.Study:
    """Return the sample of a design and size, the same whenever it is asked for.

    Positives are half of the cases, of "rare" 1 in 100. Scores are normal, 1 apart ("separated": 3
    apart, an area of .98) or exponential with means of 3 and 1; of "half tied" every second score
    is rounded to halves.
    """
    rng = np.random.default_rng([SEED, DESIGNS.index(design), n])
    y = rng.random(n) < (0.01 if design == "rare" else 0.5)
    return rs.Study(y, _scores(design, y, rng))


def _scores(
    design: Design, y: npt.NDArray[np.bool_], rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    if design == "exponential":
        return rng.exponential(1 + 2.0 * y)
    scores = rng.normal(size=len(y)) + (3.0 if design == "separated" else 1.0) * y
    if design == "half tied":
        return np.where(rng.random(len(y)) < 0.5, np.round(2 * scores) / 2, scores)
    return scores
