"""Laws of scores that the intervals of an area were not tuned on, and their cells.

Every law is a function of the area: it returns what draws the positives, what draws the negatives,
and the true area of the scores as drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri

from rocstats.facts.arrays import FloatArray
from validation.coverage.designs import CELLS, area_of_categories

Shape = tuple[int, int]
Draw = Callable[[np.random.Generator, Shape], FloatArray]


@dataclass(frozen=True)
class Law:
    """What draws a matrix of positives, what draws one of negatives, and their true area."""

    draw_pos: Draw
    draw_neg: Draw
    truth: float


def _normal(mean: float, sd: float) -> Draw:
    return lambda rng, shape: mean + sd * rng.standard_normal(shape)


def binormal(auc: float, sd_pos: float, sd_neg: float = 1.0) -> Law:
    """Return normal positives over normal negatives of mean 0."""
    mean = float(ndtri(auc)) * np.hypot(sd_pos, sd_neg)
    return Law(_normal(mean, sd_pos), _normal(0.0, sd_neg), auc)


def exponential_shift(auc: float) -> Law:
    """Return standard exponentials, the positives moved up: A = 1 - exp(-shift)/2."""
    shift = -np.log(2 * (1 - auc))
    return Law(
        lambda rng, shape: shift + rng.standard_exponential(shape),
        lambda rng, shape: rng.standard_exponential(shape),
        auc,
    )


def exponential_scale(auc: float) -> Law:
    """Return exponentials of means A/(1 - A) and 1."""
    return Law(
        lambda rng, shape: auc / (1 - auc) * rng.standard_exponential(shape),
        lambda rng, shape: rng.standard_exponential(shape),
        auc,
    )


def t3_shift(auc: float) -> Law:
    """Return t scores with 3 degrees of freedom, the positives moved up."""
    shift = _solve(lambda d: _above(stats.t(3, loc=d), stats.t(3)) - auc, 0.0, 20.0)
    return Law(
        lambda rng, shape: shift + rng.standard_t(3, shape),
        lambda rng, shape: rng.standard_t(3, shape),
        auc,
    )


def opposite_skew(auc: float) -> Law:
    """Return positives shift - E and negatives E': long tails that point at one another."""
    shift = float(stats.gamma(2).ppf(auc))
    return Law(
        lambda rng, shape: shift - rng.standard_exponential(shape),
        lambda rng, shape: rng.standard_exponential(shape),
        auc,
    )


def mirrored_betas(auc: float) -> Law:
    """Return positives Beta(a, 2) and negatives Beta(2, a)."""
    a = _solve(lambda a: _above(stats.beta(a, 2), stats.beta(2, a)) - auc, 2.0, 40.0)
    return Law(
        lambda rng, shape: rng.beta(a, 2, shape), lambda rng, shape: rng.beta(2, a, shape), auc
    )


def categories(auc: float, shares: tuple[float, ...]) -> Law:
    """Return equal-variance scores cut at quantiles of the equal mixture of both classes."""
    shift = float(np.sqrt(2) * ndtri(auc))
    cuts = np.array([_mixture_quantile(shift, share) for share in shares])
    pos, neg = (
        np.diff(ndtr(np.concatenate(([-np.inf], cuts - mean, [np.inf])))) for mean in (shift, 0.0)
    )
    return Law(
        _cut(_normal(shift, 1.0), cuts), _cut(_normal(0.0, 1.0), cuts), area_of_categories(pos, neg)
    )


def hopeless_positives(auc: float) -> Law:
    """Return a share 1 - A of positives that score as negatives do, the others moved up."""
    shift = _shift_of_rest(auc)
    return Law(_mixed(0.0, shift, 1 - auc), _normal(0.0, 1.0), auc)


def hopeless_negatives(auc: float) -> Law:
    """Return a share 1 - A of negatives that score as positives do, the others below."""
    shift = _shift_of_rest(auc)
    return Law(_normal(shift, 1.0), _mixed(shift, 0.0, 1 - auc), auc)


def logistic_shift(auc: float) -> Law:
    """Return logistic scores, the positives moved up."""
    shift = _solve(lambda d: _above(stats.logistic(loc=d), stats.logistic()) - auc, 0.0, 30.0)
    return Law(
        lambda rng, shape: shift + rng.logistic(size=shape),
        lambda rng, shape: rng.logistic(size=shape),
        auc,
    )


def lognormal(auc: float) -> Law:
    """Return lognormal scores, log-sd 1 for the positives and 0.4 for the negatives."""
    logs = binormal(auc, 1.0, 0.4)
    return Law(
        lambda rng, shape: np.exp(logs.draw_pos(rng, shape)),
        lambda rng, shape: np.exp(logs.draw_neg(rng, shape)),
        auc,
    )


def overlapping_uniforms(auc: float) -> Law:
    """Return uniform scores on [d, 1 + d] and [0, 1]: A = 1 - (1 - d)^2/2."""
    shift = 1 - np.sqrt(2 * (1 - auc))
    return Law(
        lambda rng, shape: shift + rng.random(shape), lambda rng, shape: rng.random(shape), auc
    )


def poisson_counts(auc: float) -> Law:
    """Return Poisson counts, mean 2 for the negatives; the area counts ties half."""
    counts = np.arange(120)
    neg = stats.poisson.pmf(counts, 2.0)
    mean = _solve(
        lambda mu: area_of_categories(stats.poisson.pmf(counts, mu), neg) - auc, 2.0, 40.0
    )
    return Law(
        lambda rng, shape: rng.poisson(mean, shape).astype(np.float64),
        lambda rng, shape: rng.poisson(2.0, shape).astype(np.float64),
        auc,
    )


def t2_over_normal(auc: float) -> Law:
    """Return positives of twice t scores with 2 degrees of freedom, moved up, normal negatives."""
    shift = _solve(lambda d: _above(stats.t(2, loc=d, scale=2), stats.norm()) - auc, 0.0, 60.0)
    return Law(lambda rng, shape: shift + 2 * rng.standard_t(2, shape), _normal(0.0, 1.0), auc)


def normal_over_t2(auc: float) -> Law:
    """Return normal positives, negatives of twice t scores with 2 degrees of freedom."""
    mirrored = t2_over_normal(auc)
    return Law(
        lambda rng, shape: -mirrored.draw_neg(rng, shape),
        lambda rng, shape: -mirrored.draw_pos(rng, shape),
        auc,
    )


def both_mixed(auc: float) -> Law:
    """Return classes of which a share (1 - A)/2 each scores as the other class does."""
    share = (1 - auc) / 2

    def area(shift: float) -> float:
        above = float(ndtr(shift / np.sqrt(2)))
        return (1 - share) ** 2 * above + share * (1 - share) + share**2 * (1 - above)

    shift = _solve(lambda d: area(d) - auc, 0.0, 30.0)
    return Law(_mixed(0.0, shift, share), _mixed(shift, 0.0, share), auc)


def gumbel_shift(auc: float) -> Law:
    """Return Gumbel scores, the positives moved up: their difference is logistic."""
    # The difference of two Gumbel variables is logistic: the area is that of its distribution.
    shift = float(np.log(auc / (1 - auc)))
    return Law(
        lambda rng, shape: shift + rng.gumbel(size=shape),
        lambda rng, shape: rng.gumbel(size=shape),
        auc,
    )


def laplace_shift(auc: float) -> Law:
    """Return Laplace scores, the positives moved up: A = 1 - exp(-d) (2 + d)/4."""
    shift = _solve(lambda d: 1 - np.exp(-d) * (2 + d) / 4 - auc, 0.0, 30.0)
    return Law(
        lambda rng, shape: shift + rng.laplace(size=shape),
        lambda rng, shape: rng.laplace(size=shape),
        auc,
    )


def cauchy_shift(auc: float) -> Law:
    """Return Cauchy scores, the positives moved up: A = 1/2 + arctan(d/2)/pi."""
    shift = float(2 * np.tan(np.pi * (auc - 0.5)))
    return Law(
        lambda rng, shape: shift + rng.standard_cauchy(shape),
        lambda rng, shape: rng.standard_cauchy(shape),
        auc,
    )


def gamma_shape(auc: float) -> Law:
    """Return gamma scores of shape a and 1: A = 1 - 2^-a."""
    shape_pos = float(-np.log2(1 - auc))
    return Law(
        lambda rng, shape: rng.standard_gamma(shape_pos, shape),
        lambda rng, shape: rng.standard_exponential(shape),
        auc,
    )


def detection_limit(auc: float) -> Law:
    """Return equal-variance scores of which those under the median of the negatives are tied."""

    def area(shift: float) -> float:
        above = quad(lambda y: stats.norm.pdf(y) * ndtr(shift - y), 0.0, np.inf, epsabs=1e-12)[0]
        return float(above) + 0.5 * float(ndtr(shift) + ndtr(-shift) / 2)

    shift = _solve(lambda d: area(d) - auc, 0.0, 20.0)
    pos, neg = _normal(shift, 1.0), _normal(0.0, 1.0)
    return Law(
        lambda rng, shape: np.maximum(pos(rng, shape), 0.0),
        lambda rng, shape: np.maximum(neg(rng, shape), 0.0),
        auc,
    )


def two_kinds_of_positives(auc: float) -> Law:
    """Return normal scores, half of the positives moved up four times as far as the others."""
    shift = _solve(
        lambda d: float(ndtr(d / np.sqrt(8)) + ndtr(d * np.sqrt(2))) / 2 - auc, 0.0, 30.0
    )
    return Law(_mixed(shift / 2, 2 * shift, 0.5), _normal(0.0, 1.0), auc)


def binomial_score(auc: float) -> Law:
    """Return numbers of 12 items, chance 0.3 each for the negatives; the area counts ties half."""
    items = np.arange(13)
    neg = stats.binom.pmf(items, 12, 0.3)
    share = _solve(lambda p: area_of_categories(stats.binom.pmf(items, 12, p), neg) - auc, 0.3, 1.0)
    return Law(
        lambda rng, shape: rng.binomial(12, share, shape).astype(np.float64),
        lambda rng, shape: rng.binomial(12, 0.3, shape).astype(np.float64),
        auc,
    )


def _cut(draw: Draw, cuts: FloatArray) -> Draw:
    return lambda rng, shape: np.searchsorted(cuts, draw(rng, shape)).astype(np.float64)


def _mixed(mean: float, other: float, share: float) -> Draw:
    """Draw unit normals, a share of them about ``mean``, the rest about ``other``."""
    return lambda rng, shape: (
        np.where(rng.random(shape) < share, mean, other) + rng.standard_normal(shape)
    )


def _shift_of_rest(auc: float) -> float:
    """Return the shift with A = (1 - A)/2 + A Phi(shift/sqrt 2)."""
    return float(np.sqrt(2) * ndtri((auc - (1 - auc) / 2) / auc))


def _solve(excess: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(excess, low, high, xtol=1e-12))


def _above(pos: Any, neg: Any) -> float:
    """Return P(positive > negative) of two frozen continuous laws."""
    # The mean of P(positive > y) over quantiles y of the negatives, by the tanh-sinh rule: it does
    # not mind the ends, and gives 12 digits here.
    step = 1 / 32
    x = np.arange(-4.0, 4.0 + step, step)
    share = expit(np.pi * np.sinh(x))
    weight = step * np.pi * np.cosh(x) * share * (1 - share)
    return float(weight @ pos.sf(neg.ppf(share)))


def _mixture_quantile(shift: float, share: float) -> float:
    return _solve(lambda c: float(ndtr(c) + ndtr(c - shift)) / 2 - share, -10.0, shift + 10.0)


FIRST: dict[str, Callable[[float], Law]] = {
    "exponential-shift": exponential_shift,
    "exponential-scale": exponential_scale,
    "t3-shift": t3_shift,
    "opposite-skew": opposite_skew,
    "mirrored-betas": mirrored_betas,
    "three-categories": lambda auc: categories(auc, (1 / 3, 2 / 3)),
    "sd-ratio-3": lambda auc: binormal(auc, 3.0),
    "hopeless-positives": hopeless_positives,
    "equal-variance": lambda auc: binormal(auc, 1.0),
}
SECOND: dict[str, Callable[[float], Law]] = {
    "logistic-shift": logistic_shift,
    "lognormal": lognormal,
    "overlapping-uniforms": overlapping_uniforms,
    "poisson-counts": poisson_counts,
    "four-skewed-categories": lambda auc: categories(auc, (0.5, 0.75, 0.9)),
    "hopeless-negatives": hopeless_negatives,
    "sd-ratio-1/3": lambda auc: binormal(auc, 1 / 3),
}
THIRD: dict[str, Callable[[float], Law]] = {
    "t2-over-normal": t2_over_normal,
    "normal-over-t2": normal_over_t2,
    "both-mixed": both_mixed,
    "gumbel-shift": gumbel_shift,
    "laplace-shift": laplace_shift,
    "cauchy-shift": cauchy_shift,
    "gamma-shape": gamma_shape,
    "detection-limit": detection_limit,
    "two-kinds-of-positives": two_kinds_of_positives,
    "seven-categories": lambda auc: categories(auc, tuple(i / 7 for i in range(1, 7))),
    "binomial-score": binomial_score,
}
"""Written down before any interval was tried on them."""

FIRST_SIZES = ((8, 8), (15, 30), (30, 15), (12, 100), (25, 25))
FIRST_AREAS = (0.60, 0.80, 0.90, 0.97)
SECOND_SIZES = ((9, 14), (40, 12), (7, 60), (60, 7), (120, 40))
SECOND_AREAS = (0.55, 0.75, 0.93, 0.98)
THIRD_SIZES = ((8, 40), (18, 150), (35, 70), (12, 12), (50, 10), (90, 25))
THIRD_AREAS = (0.62, 0.70, 0.85, 0.92, 0.98)


@cache
def law_of(set_name: str, design: str, auc: float) -> Law:
    """Return the law of a held-out cell."""
    return {"held-out-1": FIRST, "held-out-2": SECOND, "held-out-3": THIRD}[set_name][design](auc)


@dataclass(frozen=True)
class HeldoutCell:
    """One simulated study of a set; ``position`` is the key of its random numbers."""

    position: int
    set: str
    design: str
    n_pos: int
    n_neg: int
    auc: float

    @property
    def truth(self) -> float:
        """True area of the scores as drawn."""
        if self.set == "tuning":
            return CELLS[self.position].truth
        return self._law.truth

    def draw(self, rng: np.random.Generator, replicates: int) -> FloatArray:
        """Return a row of scores per replicate, the positives first."""
        if self.set == "tuning":
            return CELLS[self.position].draw(rng, replicates)
        pos = self._law.draw_pos(rng, (replicates, self.n_pos))
        return np.hstack([pos, self._law.draw_neg(rng, (replicates, self.n_neg))])

    @cached_property
    def _law(self) -> Law:
        return law_of(self.set, self.design, self.auc)


def _cells() -> tuple[HeldoutCell, ...]:
    """Return the 60 cells of ``designs.py``, then the held-out sets."""
    settings: list[tuple[str, str, int, int, float]] = [
        ("tuning", cell.design, cell.n_pos, cell.n_neg, cell.auc) for cell in CELLS
    ]
    for name, laws, sizes, areas in (
        ("held-out-1", FIRST, FIRST_SIZES, FIRST_AREAS),
        ("held-out-2", SECOND, SECOND_SIZES, SECOND_AREAS),
        ("held-out-3", THIRD, THIRD_SIZES, THIRD_AREAS),
    ):
        settings += [(name, law, *size, auc) for law, size, auc in product(laws, sizes, areas)]
    return tuple(HeldoutCell(position, *setting) for position, setting in enumerate(settings))


HELDOUT_CELLS = _cells()
