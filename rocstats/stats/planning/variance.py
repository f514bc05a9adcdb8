"""Variances of areas before there are data: what each positive and each negative adds.

Of the empirical area under normal laws (``Binormal.empirical_variance``), with placements
V10(x) = Phi(x) of a positive x ~ N(a/b, 1/b^2): Var V10 = Phi2(q, q; 1/(1 + b^2)) - auc^2, with
q = Phi^-1(auc), and Var V01 = Phi2(q, q; b^2/(1 + b^2)) - auc^2 (Bamber 1975). Obuchowski &
McClish (1997) instead take the delta method for a and b without their covariance in the variance of
one area, but with it in the covariance of two: at b = 1 up to 1.7 times as large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.special as sp

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.stats.intervals.hanley_mcneil_score import hanley_mcneil_terms


@dataclass(frozen=True)
class CaseVariance:
    """A variance pos/n_pos + neg/n_neg."""

    pos: float
    neg: float

    def at(self, n_pos: float, n_neg: float) -> float:
        """Return the variance with so many cases."""
        return self.pos / n_pos + self.neg / n_neg

    def __add__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos + other.pos, self.neg + other.neg)

    def __sub__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos - other.pos, self.neg - other.neg)


MANN_WHITNEY = CaseVariance(1 / 12, 1 / 12)
"""Variance of an area when both classes have one law, without ties and terms of order 1/(mn)."""


def obuchowski(auc: float) -> CaseVariance:
    """Return the variance of Obuchowski & McClish (1997) under two normal laws of equal spread.

    exp(-A^2/2)/(32 pi) times 5 A^2 + 8 for a positive and A^2 + 8 for a negative, A the distance
    of the laws; in print the constants are rounded to .0099 and A to 1.414 Phi^-1(auc).
    """
    return Binormal.of_area(auc, 1.0).delta_variance()


def hanley_mcneil(auc: float) -> CaseVariance:
    """Return the variance under exponential laws, without its terms of order 1/(mn)."""
    q1, q2 = hanley_mcneil_terms(auc)
    return CaseVariance(q2 - auc**2, q1 - auc**2)


def binormal(auc: float) -> CaseVariance:
    """Return the variance of the empirical area under two normal laws of equal spread."""
    return Binormal.of_area(auc, 1.0).empirical_variance()


MODELS = {"binormal": binormal, "obuchowski": obuchowski, "hanley-mcneil": hanley_mcneil}


@dataclass(frozen=True)
class Binormal:
    """A binormal curve TPR = Phi(a + b Phi^-1(FPR)), and the range of its area."""

    a: float
    b: float
    over: AreaRange = FULL_RANGE

    @classmethod
    def of_area(cls, auc: float, b: float, over: AreaRange = FULL_RANGE) -> Binormal:
        """Return the curve with a slope that has a full area."""
        return cls(float(np.sqrt(1 + b**2) * sp.ndtri(auc)), b, over)

    def area(self) -> float:
        """Return the area over the range."""
        if self.over.full:
            return float(sp.ndtr(self.a / np.sqrt(1 + self.b**2)))
        from scipy.integrate import quad

        def height(z: float) -> float:
            density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
            return float(sp.ndtr(self.a + self.b * z) * density)

        return float(quad(height, *self._deviates(), epsabs=1e-13, epsrel=1e-12)[0])

    def gradient(self) -> tuple[float, float]:
        """Return the derivatives of the area in a and in b."""
        a, b = self.a, self.b
        square = 1 + b**2
        low, high = ((z + a * b / square) * np.sqrt(square) for z in self._deviates())
        scale = np.exp(-(a**2) / (2 * square))
        share = sp.ndtr(high) - sp.ndtr(low)
        ends = np.exp(-(low**2) / 2) - np.exp(-(high**2) / 2)
        in_a = scale * share / np.sqrt(2 * np.pi * square)
        turn = a * b * share / np.sqrt(2 * np.pi * square**3)
        in_b = scale * (ends / (2 * np.pi * square) - turn)
        return float(in_a), float(in_b)

    def empirical_variance(self) -> CaseVariance:
        """Return the variance of the empirical full area, without its term of order 1/(mn)."""
        return self.empirical_covariance(self, 1.0, 1.0)

    def empirical_covariance(self, other: Binormal, of_pos: float, of_neg: float) -> CaseVariance:
        """Return the covariance of the empirical full areas of predictors on the same cases.

        ``of_pos`` and ``of_neg`` are the correlations of both predictors in each class.
        """
        q1, q2 = (curve.a / float(np.sqrt(1 + curve.b**2)) for curve in (self, other))
        root = np.sqrt((1 + self.b**2) * (1 + other.b**2))
        product = float(sp.ndtr(q1) * sp.ndtr(q2))
        pos = both_below(q1, q2, of_pos / root)
        neg = both_below(q1, q2, of_neg * self.b * other.b / root)
        return CaseVariance(pos - product, neg - product)

    def delta_variance(self) -> CaseVariance:
        """Return the variance of Obuchowski & McClish, in which a and b are uncorrelated."""
        f, g = self.gradient()
        of_b = (g * self.b) ** 2 / 2
        return CaseVariance(f**2 * (1 + self.a**2 / 2) + of_b, (f * self.b) ** 2 + of_b)

    def delta_covariance(self, other: Binormal, of_pos: float, of_neg: float) -> CaseVariance:
        """Return the covariance of Obuchowski & McClish with the area of another predictor."""
        (f1, g1), (f2, g2) = self.gradient(), other.gradient()
        bb = self.b * other.b
        crossed = f1 * g2 * self.a * other.b + f2 * g1 * other.a * self.b
        both = f1 * f2 * self.a * other.a + g1 * g2 * bb
        return CaseVariance(
            f1 * f2 * of_pos + of_pos**2 * (both + crossed) / 2,
            f1 * f2 * of_neg * bb + g1 * g2 * of_neg**2 * bb / 2,
        )

    def _deviates(self) -> tuple[float, float]:
        low, high = sp.ndtri([self.over.low, self.over.high])
        return float(low), float(high)


def both_below(h: float, k: float, r: float) -> float:
    """Return P(X <= h, Y <= k) of standard normals with correlation ``r``, by Owen's T."""
    if h == 0 and k == 0:
        return 0.25 + float(np.arcsin(r)) / (2 * np.pi)
    root = np.sqrt((1 - r) * (1 + r))
    with np.errstate(divide="ignore"):
        slopes = [np.divide(y - r * x, x * root) for x, y in ((h, k), (k, h))]
    below = sum(
        sp.ndtr(x) / 2 - sp.owens_t(x, slope) for x, slope in zip((h, k), slopes, strict=True)
    )
    apart = h * k < 0 or (h * k == 0 and h + k < 0)
    return float(below - (0.5 if apart else 0.0))
