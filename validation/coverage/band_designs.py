"""The cells of the simulation of bands: the laws of the scores, their true curves, class sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit, ndtri

from rocstats.facts.arrays import FloatArray

_RATES = np.concatenate([[0.0], expit(np.linspace(-25, 25, 8001)), [1.0]])


class Mixture:
    """A share of one law, the rest of another."""

    def __init__(self, share: float, one: Any, other: Any) -> None:
        self.share, self.one, self.other = share, one, other

    def sf(self, c: FloatArray) -> FloatArray:
        """Return the chance of a score above c."""
        return np.asarray(self.share * self.one.sf(c) + (1 - self.share) * self.other.sf(c))

    def isf(self, rate: FloatArray) -> FloatArray:
        """Return the scores exceeded with these chances."""
        ends = self.one.isf([1 - 1e-12, 1e-12]), self.other.isf([1 - 1e-12, 1e-12])
        grid = np.linspace(np.min(ends), np.max(ends), 200_001)
        return np.asarray(np.interp(rate, self.sf(grid)[::-1], grid[::-1]))

    def rvs(self, size: int, random_state: np.random.Generator) -> FloatArray:
        """Return draws."""
        first = random_state.random(size) < self.share
        one, other = (law.rvs(size, random_state=random_state) for law in (self.one, self.other))
        return np.asarray(np.where(first, one, other))


@dataclass(frozen=True)
class BandLaw:
    """What positives and negatives score, perhaps cut into ordered categories."""

    pos: Any
    neg: Any
    cuts: tuple[float, ...] = ()

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int) -> FloatArray:
        """Return the scores of one study, the positives first."""
        scores = np.concatenate(
            [self.pos.rvs(n_pos, random_state=rng), self.neg.rvs(n_neg, random_state=rng)]
        )
        if self.cuts:
            return np.searchsorted(np.array(self.cuts), scores).astype(np.float64)
        return scores

    def curve(self) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR of the true curve; between categories it is straight."""
        if self.cuts:
            at = np.concatenate([[np.inf], np.sort(self.cuts)[::-1], [-np.inf]])
        else:
            by_neg, by_pos = self.neg.isf(_RATES), self.pos.isf(_RATES)
            at = np.sort(np.concatenate([by_neg, by_pos]))[::-1]
        return self.neg.sf(at), self.pos.sf(at)


def binormal(auc: float, b: float = 1.0) -> BandLaw:
    """Return normal scores with R(t) = Phi(a + b Phi^-1(t))."""
    a = float(ndtri(auc)) * np.hypot(1, b)
    return BandLaw(stats.norm(a / b, 1 / b), stats.norm())


def biexponential(auc: float) -> BandLaw:
    """Return exponential scores with R(t) = t^((1 - A)/A)."""
    return BandLaw(stats.expon(scale=auc / (1 - auc)), stats.expon())


def t3_shift(auc: float) -> BandLaw:
    """Return t scores with 3 degrees of freedom, the positives moved up."""
    rates = np.linspace(0, 1, 20_001)[1:-1]
    below = stats.t(3)
    shift = brentq(lambda d: np.mean(stats.t(3, loc=d).sf(below.isf(rates))) - auc, 0, 20)
    return BandLaw(stats.t(3, loc=shift), below)


def in_categories(auc: float, shares: tuple[float, ...]) -> BandLaw:
    """Return equal-variance scores cut at quantiles of the equal mixture of both classes."""
    law = binormal(auc)
    cuts = Mixture(0.5, law.pos, law.neg).isf(1 - np.array(shares))
    return BandLaw(law.pos, law.neg, tuple(cuts))


def rounded(auc: float, step: float) -> BandLaw:
    """Return equal-variance scores rounded to multiples of a step."""
    law = binormal(auc)
    return BandLaw(law.pos, law.neg, tuple(np.arange(-8, 12, step) + step / 2))


def crossing(share: float, shift: float) -> BandLaw:
    """Return positives of which a share scores far below the negatives: R crosses the diagonal."""
    return BandLaw(Mixture(share, stats.norm(-2, 0.5), stats.norm(shift)), stats.norm())


MAIN = {
    "binormal .80": binormal(0.80),
    "binormal .95": binormal(0.95),
    "binormal .90 b=.6": binormal(0.90, 0.6),
    "biexponential .80": biexponential(0.80),
    "t3 shift .80": t3_shift(0.80),
    "5 categories": in_categories(0.80, (0.2, 0.4, 0.6, 0.8)),
}
MAIN_SIZES = ((20, 20), (50, 50), (100, 100), (500, 500), (30, 300), (300, 30))

HELD_OUT = {
    "beta, skewed": (
        BandLaw(stats.beta(4, 1.5), stats.beta(1.5, 3)),
        ((20, 20), (50, 50), (100, 100)),
    ),
    "crossing the diagonal": (crossing(0.2, 1.2), ((50, 50), (100, 100), (40, 80))),
    "3 categories": (in_categories(0.80, (1 / 3, 2 / 3)), ((20, 20), (50, 50), (40, 80))),
    "4 categories, sparse ends": (in_categories(0.90, (0.1, 0.5, 0.9)), ((40, 80),)),
    "binormal .60": (binormal(0.60), ((20, 20), (50, 50), (100, 100))),
    "binormal .50": (binormal(0.50), ((50, 50),)),
    "binormal .80": (binormal(0.80), ((40, 80), (10, 10), (5, 50), (50, 5), (15, 1000))),
    "binormal .95": (binormal(0.95), ((40, 80), (10, 100))),
    "binormal .85 rounded": (rounded(0.85, 0.25), ((100, 100),)),
    "binormal .99": (
        binormal(0.99),
        ((20, 20), (50, 50), (100, 100), (500, 500), (20, 200), (200, 20)),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class BandCell:
    """One law with class sizes; ``position`` is the key of the random numbers."""

    position: int
    set: str
    design: str
    n_pos: int
    n_neg: int

    @cached_property
    def law(self) -> BandLaw:
        """The law of the scores."""
        return MAIN[self.design] if self.set == "main" else HELD_OUT[self.design][0]


def _cells() -> tuple[BandCell, ...]:
    named = [("main", name, *size) for name, size in product(MAIN, MAIN_SIZES)]
    named += [("held-out", name, *size) for name, (_, sizes) in HELD_OUT.items() for size in sizes]
    return tuple(BandCell(position, *cell) for position, cell in enumerate(named))


BAND_CELLS = _cells()
