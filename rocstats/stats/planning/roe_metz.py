"""Exact variances of average areas under the model of Roe & Metz, without simulation.

A term of an average area is psi(x, y), whether a positive's rating x exceeds a negative's y. The
product of two terms has the expectation P(X > Y, X' > Y'), an orthant probability of two normals
whose correlation depends on what the terms have in common: the reader or not, and both cases, the
positive, the negative or none. The variance of an average is the sum over these eight patterns of
their share of all pairs of terms times the probability less the product of both areas.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.binormal.areas import bivariate_normal
from rocstats.stats.readers.simulated import ReadingPlan, RoeMetz
from rocstats.tolerances import SAME_TO_ROUNDING

# By what two terms have in common: same reader, other reader; and in each row both cases, the
# positive, the negative, none. Every array of patterns has this shape (2 x 4).
_SAME_READER = np.array([[1.0], [0.0]])
_SAME_POS = np.array([1.0, 1.0, 0.0, 0.0])
_SAME_NEG = np.array([1.0, 0.0, 1.0, 0.0])


class Patterns(NamedTuple):
    """Covariance of two terms, and the number of pairs of terms, by pattern (2 x 4 each)."""

    covariances: FloatArray
    counts: FloatArray

    @property
    def covariance(self) -> float:
        """The covariance of both averages, each pair of reads having the same weight."""
        return float(np.sum(self.covariances * self.counts) / self.counts.sum())

    @property
    def of_readers(self) -> float:
        """Covariance of the areas that one reader has on all cases of the world."""
        return float(self.covariances[0, 3])

    @property
    def of_cases(self) -> float:
        """The covariance of both averages with the readers fixed, in expectation over readers."""
        return float(self.covariance - self.shares[2] * self.of_readers)

    @property
    def given_readers(self) -> FloatArray:
        """Covariance of the areas of one reader, and of two readers, on the same cases.

        In expectation over readers; crossed cases, without groups.
        """
        beyond = self.covariances - self.covariances[:, 3:]
        cases = self.counts[0] / self.counts[0].sum()
        return np.asarray(beyond @ cases)

    @property
    def shares(self) -> FloatArray:
        """Share of pairs of terms with the same negative, positive and reader."""
        counts = self.counts / self.counts.sum()
        return np.array([counts[:, [0, 2]].sum(), counts[:, [0, 1]].sum(), counts[0].sum()])

    @property
    def components(self) -> FloatArray:
        """Parts of the covariance of negatives, positives and readers, 0 without common ones.

        Each is the mean over the pairs of terms that have it in common, less that of all.
        """
        products = self.covariances * self.counts
        sums = [products[:, [0, 2]].sum(), products[:, [0, 1]].sum(), products[0].sum()]
        shares = self.shares * self.counts.sum()
        common = shares > 0
        means = np.divide(sums, shares, out=np.zeros(3), where=common)
        return np.where(common, means - self.covariance, 0.0)

    @property
    def numbers(self) -> FloatArray:
        """Effective numbers of negatives, positives and readers, less 1, and at least 1."""
        inverse = np.divide(1.0, self.shares, out=np.full(3, np.inf), where=self.shares > 0)
        return np.asarray(np.maximum(inverse - 1, 1.0))


def patterns(model: RoeMetz, plan: ReadingPlan, i: int, k: int) -> Patterns:
    """Return the patterns of the average areas of modalities i and k; i = k for a variance."""
    return Patterns(pair_covariances(model, i, k), pair_counts(plan, len(model.separation), i, k))


def variance_of_average(model: RoeMetz, plan: ReadingPlan, i: int) -> float:
    """Return the variance of the average area of a modality."""
    return patterns(model, plan, i, i).covariance


def variance_of_difference(model: RoeMetz, plan: ReadingPlan, i: int, k: int) -> float:
    """Return the variance of the difference of the average areas of two modalities."""
    both = patterns(model, plan, i, k).covariance
    return variance_of_average(model, plan, i) + variance_of_average(model, plan, k) - 2 * both


def pair_covariances(model: RoeMetz, i: int, k: int) -> FloatArray:
    """Return Cov(psi, psi') of a term of modality i and one of modality k, by pattern."""
    shared_pos, shared_neg = model.shared_pos, model.shared_neg
    if i == k:
        shared_pos, shared_neg = shared_pos + model.own_pos[i], shared_neg + model.own_neg[i]
    common = _common(shared_pos, _SAME_POS) + _common(shared_neg, _SAME_NEG)
    scale = np.sqrt(model.spread)
    h, k_ = model.separation[[i, k]] / scale[[i, k]]
    if h + k_ > 0:
        # The same by symmetry; probabilities near 1 would leave rounding as their difference.
        h, k_ = -h, -k_
    product = float(sp.ndtr(h) * sp.ndtr(k_))
    correlations = common / (scale[i] * scale[k])
    return np.asarray(np.vectorize(_orthant)(h, k_, correlations) - product)


def _common(variances: FloatArray, same_case: FloatArray) -> FloatArray:
    """Return the variance that two ratings of a class share, by pattern."""
    reader, case, reader_case = variances
    return np.asarray(
        reader * _SAME_READER + case * same_case + reader_case * _SAME_READER * same_case
    )


def _orthant(h: float, k: float, r: float) -> float:
    """Return P(X <= h, Y <= k) of standard normals with correlation r, 0 <= r <= 1."""
    # At r = 1 both are one variable; a sum of variances over itself is 1 to rounding.
    if r > 1 - SAME_TO_ROUNDING:
        return float(sp.ndtr(min(h, k)))
    return float(bivariate_normal(h, np.array(k), r))


def pair_counts(plan: ReadingPlan, n_modalities: int, i: int, k: int) -> FloatArray:
    """Return the number of pairs of a term of modality i and one of modality k, by pattern.

    Two terms of different groups have nothing in common.
    """
    readers, pos, neg = (sizes.astype(np.float64) for sizes in plan.sizes(n_modalities))
    own_readers, own_cases = (plan.nested == kind and i != k for kind in ("readers", "cases"))

    def same_and_other(n: FloatArray, apart: bool) -> tuple[FloatArray, FloatArray]:
        same = np.zeros_like(n[i]) if apart else n[i]
        return same, n[i] * n[k] - same

    same_pos, other_pos = same_and_other(pos, own_cases)
    same_neg, other_neg = same_and_other(neg, own_cases)
    cases = [same_pos * same_neg, same_pos * other_neg, other_pos * same_neg, other_pos * other_neg]
    counts = np.stack(
        [[number @ of for of in cases] for number in same_and_other(readers, own_readers)]
    )
    terms = [float(np.sum(readers[x] * pos[x] * neg[x])) for x in (i, k)]
    counts[1, 3] += terms[0] * terms[1] - counts.sum()
    return counts
