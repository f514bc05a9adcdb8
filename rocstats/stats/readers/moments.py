"""Second moments of the average areas of two modalities, by what two terms have in common.

A term of the product of two averages is psi(x, y) of one reader times psi(x', y') of another or the
same reader. Eight moments: the same reader or another, times the same pair of cases, the same
positive, the same negative, or no case in common (Gallas 2006; Gallas et al. 2009).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.readers.pair_covariance import (
    Centre,
    centred,
    distinct,
    resampling_factors,
)
from rocstats.stats.readers.pairs import PairSums, divided
from rocstats.tolerances import SAME_TO_ROUNDING


class Moments(NamedTuple):
    """Sums of products and their numbers of terms, for a pair of modalities.

    Both have shape (2 x 4): the same reader, any reader; by the case sums of ``PairSums``. Each sum
    lets what is not fixed be the same too. ``bootstrap`` is the covariance of the averages if
    readers, positives and negatives are resampled infinitely often.
    """

    sums: FloatArray
    counts: FloatArray
    bootstrap: float

    @property
    def product(self) -> float:
        """The product of both average areas, each pair of cases read having the same weight.

        Of centred kernels it is 0.
        """
        return _ratio(self.sums[1, 3], self.counts[1, 3])

    @property
    def coefficients(self) -> FloatArray:
        """Share of each moment in the product (2 x 4): the same reader, another; the sum is 1."""
        return divided(_exclusive(self.counts), self.counts[1, 3])

    @property
    def covariance(self) -> float:
        """Unbiased covariance of the averages; NaN where no two terms have nothing in common.

        It is the sum of coefficient times moment, less the moment of terms with nothing in common:
        all but that one add up to the product of the averages.
        """
        return self.product - _ratio(_exclusive(self.sums)[1, 3], _exclusive(self.counts)[1, 3])

    @property
    def components(self) -> FloatArray:
        """Parts of the covariance: of the negatives, of the positives, of the readers.

        A part whose coefficients are all 0 is 0: two modalities without a common reader share no
        variance of readers.
        """
        means = divided(self.sums, self.counts)
        parts = np.array([means[1, 2], means[1, 1], means[0, 3]]) - means[1, 3]
        # Of constants nothing but rounding is left.
        real = (self.shares > 0) & (np.abs(parts) > SAME_TO_ROUNDING)
        return np.where(real, parts, 0.0)

    @property
    def shares(self) -> FloatArray:
        """Share of terms with the same negative, positive and reader: 1/n, 1/m, 1/r if crossed."""
        c = self.coefficients
        return np.array([c[:, [0, 2]].sum(), c[:, [0, 1]].sum(), c[0].sum()])

    @property
    def numbers(self) -> FloatArray:
        """Effective numbers of negatives, positives and readers, less 1; infinite without a share.

        Rounded, as in the published rule; at least 1.
        """
        shares, inverse = self.shares, np.full(3, np.inf)
        np.divide(1.0, shares, out=inverse, where=shares > 0)
        # A share near 1 would leave no degree of freedom: one reader who made nearly all reads.
        return np.maximum(np.round(inverse - 1), 1.0)


def moments(
    sums: PairSums, a: IntArray, b: IntArray, same_readers: bool = True, *, centre: bool = False
) -> Moments:
    """Return the moments of two modalities.

    Parameters
    ----------
    sums : PairSums
        Sums over pairs of all curves.
    a, b : ndarray of int
        The curves of each modality.
    same_readers : bool
        Whether the j-th curves of both are of the same reader. Readers who are not (a machine has
        none) add nothing to the variance of readers.
    centre : bool
        Whether products are of kernels less the average area of their modality.
    """
    chosen = (slice(None), a[:, np.newaxis], b)
    numerators, denominators = (
        _by_reader(block[chosen], same_readers) for block in (sums.sums, sums.counts)
    )
    products = _by_reader(centred(sums, _centre(sums, a), _centre(sums, b)), same_readers)
    cases = resampling_factors(sums.n_pos, sums.n_neg)
    # Only readers are resampled: a machine takes part in every resample.
    readers = np.array([1.0, 1 - same_readers / len(a)])
    bootstrap = _ratio(float(readers @ products @ cases), denominators[1, 3])
    return Moments(products if centre else numerators, denominators, bootstrap)


def _by_reader(block: FloatArray, same_readers: bool) -> FloatArray:
    """Return sums over curves of the same reader, and over all curves (2 x 4)."""
    same = np.trace(block, axis1=1, axis2=2) * same_readers
    return np.stack([same, block.sum(axis=(1, 2))])


def _centre(sums: PairSums, curves: IntArray) -> Centre:
    """Return the average area of a modality, for each of its curves."""
    n_pairs = sums.n_pairs[curves].sum()
    average = sums.total[curves].sum() / n_pairs if n_pairs > 0 else 0.0
    return curves, np.full(len(curves), average)


def _exclusive(sums: FloatArray) -> FloatArray:
    """Return sums over terms with just that in common: the same reader, then another (2 x 4)."""
    same, any_reader = sums
    return np.stack([distinct(same), distinct(any_reader - same)])


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else np.nan
