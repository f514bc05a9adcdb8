"""The cells of the simulation of an area: the law of the scores, the class sizes, the truth."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from rocstats.facts.arrays import FloatArray

Design = Literal["equal-variance", "sd-ratio-2", "five-categories"]

DESIGNS: tuple[Design, ...] = ("equal-variance", "sd-ratio-2", "five-categories")
SIZES = ((10, 10), (20, 20), (10, 50), (50, 10), (50, 50))
AREAS = (0.70, 0.90, 0.95, 0.99)
QUINTILES = (0.2, 0.4, 0.6, 0.8)


def area_of_categories(pos: FloatArray, neg: FloatArray) -> float:
    """Return P(X > Y) + P(X = Y)/2 from the shares of both classes in rising categories."""
    return float(pos @ (np.cumsum(neg) - neg / 2))


@dataclass(frozen=True)
class Cell:
    """One simulated study: negatives are N(0, 1), positives N(shift, sd^2), perhaps in categories.

    ``auc`` is the area of the continuous scores; ``position`` is the cell's place in ``CELLS`` and
    the key of its random numbers.
    """

    position: int
    design: Design
    n_pos: int
    n_neg: int
    auc: float

    @property
    def sd(self) -> float:
        """Standard deviation of the positives; that of the negatives is 1."""
        return 2.0 if self.design == "sd-ratio-2" else 1.0

    @property
    def shift(self) -> float:
        """Mean of the positives: AUC = Phi(shift / sqrt(1 + sd^2))."""
        return float(np.sqrt(1 + self.sd**2) * ndtri(self.auc))

    @property
    def cuts(self) -> FloatArray:
        """Cuts between the categories: the quintiles of the scores at prevalence 1/2."""
        ends = (-10.0, self.shift + 10.0)
        return np.array([brentq(self._below, *ends, args=(q,), xtol=1e-14) for q in QUINTILES])

    @property
    def truth(self) -> float:
        """True area; with categories P(X > Y) + P(X = Y)/2 of the discretised law."""
        if self.design != "five-categories":
            return self.auc
        pos, neg = (
            np.diff(ndtr(np.concatenate(([-np.inf], self.cuts - mean, [np.inf]))))
            for mean in (self.shift, 0.0)
        )
        return area_of_categories(pos, neg)

    def draw(self, rng: np.random.Generator, replicates: int) -> FloatArray:
        """Return a row of scores per replicate, the positives first.

        Rows are drawn one after the other: a shorter run is the start of a longer one.
        """
        scores = rng.standard_normal((replicates, self.n_pos + self.n_neg))
        scores[:, : self.n_pos] = self.shift + self.sd * scores[:, : self.n_pos]
        if self.design == "five-categories":
            return np.searchsorted(self.cuts, scores).astype(np.float64)
        return scores

    def _below(self, cut: float, share: float) -> float:
        return float(ndtr(cut) + ndtr(cut - self.shift)) / 2 - share


CELLS = tuple(
    Cell(position, design, n_pos, n_neg, auc)
    for position, (design, (n_pos, n_neg), auc) in enumerate(product(DESIGNS, SIZES, AREAS))
)
