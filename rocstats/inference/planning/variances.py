"""Variances of areas before there are data, by positive and by negative.

Empirical area of normal scores (``Binormal.empirical_variance``): a positive x ~ N(a/b, 1/b^2) has
the placement V10(x) = Phi(x), so that Var V10 = Phi2(q, q; 1/(1 + b^2)) - auc^2, with
q = Phi^-1(auc), and Var V01 = Phi2(q, q; b^2/(1 + b^2)) - auc^2 [bamber-1975]. Obuchowski and
McClish [obuchowski-mcclish-1997] take the delta method for a and b instead, without their
covariance in the variance of one area but with it in the covariance of two: at b = 1 up to 1.7
times as large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.area_variances import hanley_mcneil_q1_q2
from rocstats.estimate.binormal import (
    BinormalFit,
    BinormalIndex,
    bivariate_normal_probability,
    fitted_binormal_partial_area,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.tolerances import SAME_TO_ROUNDING

# --- Variances by positive and by negative, and the models of one area ----------------------------


@dataclass(frozen=True)
class CaseVariance:
    """A variance pos/n_pos + neg/n_neg."""

    pos: float
    neg: float

    def at(self, n_pos: float, n_neg: float) -> float:
        """Return the variance with these numbers of cases."""
        return self.pos / n_pos + self.neg / n_neg

    def __add__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos + other.pos, self.neg + other.neg)

    def __sub__(self, other: CaseVariance) -> CaseVariance:
        return CaseVariance(self.pos - other.pos, self.neg - other.neg)


# Placements are uniform on [0, 1] under the null hypothesis: a variance of 1/12.
MANN_WHITNEY = CaseVariance(1 / 12, 1 / 12)
"""Variance of an area if both classes have one distribution, without ties and terms of 1/(mn)."""


def obuchowski_variance(auc: float) -> CaseVariance:
    """Return the variance of Obuchowski & McClish (1997) for normal scores of equal variance."""
    # exp(-A^2/2)/(32 pi) times 5 A^2 + 8 for a positive and A^2 + 8 for a negative, A the distance
    # of the means; in print the constants are rounded to .0099 and A to 1.414 Phi^-1(auc).
    return Binormal.of_area(auc, 1.0).delta_variance()


def hanley_mcneil_variance(auc: float) -> CaseVariance:
    """Return Hanley & McNeil's variance for exponential scores, without terms of order 1/(mn)."""
    q1, q2 = hanley_mcneil_q1_q2(auc)
    return CaseVariance(q2 - auc**2, q1 - auc**2)


def binormal_variance(auc: float) -> CaseVariance:
    """Return the variance of the empirical area of normal scores of equal variance."""
    return Binormal.of_area(auc, 1.0).empirical_variance()


MODELS = {
    "binormal": binormal_variance,
    "obuchowski": obuchowski_variance,
    "hanley-mcneil": hanley_mcneil_variance,
}


# --- Binormal curves: areas, and their variances and covariances ----------------------------------


class Binormal(NamedTuple):
    """A binormal curve TPR = Phi(a + b Phi^-1(FPR)), and the range of its area."""

    a: float
    b: float
    over: AreaRange = FULL_RANGE

    @classmethod
    def of_area(cls, auc: float, b: float, over: AreaRange = FULL_RANGE) -> Binormal:
        """Return the curve with slope ``b`` whose full area is ``auc``."""
        return cls(float(np.sqrt(1 + b**2) * sp.ndtri(auc)), b, over)

    def area(self) -> float:
        """Return the area over the range."""
        if self.over.full:
            return float(sp.ndtr(self.a / np.sqrt(1 + self.b**2)))
        return self._partial().value

    def gradient(self) -> tuple[float, float]:
        """Return the derivatives of the area in a and in b."""
        in_a, in_b = self._partial().gradient
        return float(in_a), float(in_b)

    def _partial(self) -> BinormalIndex:
        # Sizes are those of no sample: neither the area nor its gradient depends on them.
        fit = BinormalFit(self.a, self.b, np.nan, np.nan)
        return fitted_binormal_partial_area(fit, self.over.low, self.over.high)

    def empirical_variance(self) -> CaseVariance:
        """Return the variance of the empirical full area, without its term of order 1/(mn)."""
        return self.empirical_covariance(self, 1.0, 1.0)

    def empirical_covariance(self, other: Binormal, of_pos: float, of_neg: float) -> CaseVariance:
        """Return the covariance of the empirical full areas of predictors on the same cases.

        ``of_pos`` and ``of_neg`` are the correlations of both predictors in each class.
        """
        q1, q2 = (curve.a / float(np.sqrt(1 + curve.b**2)) for curve in (self, other))
        root = float(np.sqrt((1 + self.b**2) * (1 + other.b**2)))
        return CaseVariance(
            normal_indicator_covariance(q1, q2, of_pos / root),
            normal_indicator_covariance(q1, q2, of_neg * self.b * other.b / root),
        )

    def delta_variance(self) -> CaseVariance:
        """Return the variance of Obuchowski & McClish, in which a and b are uncorrelated."""
        # docs/methods/planning.md, "Two paired areas": V_k, and C in ``delta_covariance``.
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


def normal_indicator_covariance(h: float, k: float, r: float) -> float:
    """Return P(X <= h, Y <= k) - Phi(h) Phi(k) of standard normals with correlation ``r``."""
    if h + k > 0:
        # By symmetry the same; probabilities near 1 would leave rounding as their difference.
        h, k = -h, -k
    # At r = 1 both are one variable; a sum of variances over itself is 1 to rounding.
    one = r > 1 - SAME_TO_ROUNDING
    both = (
        float(sp.ndtr(min(h, k))) if one else float(bivariate_normal_probability(h, np.array(k), r))
    )
    return both - float(sp.ndtr(h) * sp.ndtr(k))
