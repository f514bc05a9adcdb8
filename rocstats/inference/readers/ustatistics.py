"""Average areas of modalities by the theory of U-statistics, for any pattern of reads.

An average is the mean of psi(x, y) over every pair of a positive x and a negative y that a reader
read: psi is 1 where the positive has the higher rating, 1/2 where both are equal, else 0. Its
variance is unbiased, whoever read what (Gallas 2006; Gallas et al. 2009). Of psi less the average
area, the variance does not depend on the level of the areas; that is ours
(docs/methods/readers.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.estimate.pair_sums import (
    Centre,
    PairSums,
    bootstrap_covariance_from_pair_sums,
    centred_covariance_from_pair_sums,
    centred_pair_sums,
    pair_sums_of_reads,
    pair_sums_without_shared_cases,
    quotients_or_nan,
    resampling_factors_of_pair_sums,
    unbiased_covariance_from_pair_sums,
)
from rocstats.estimate.readers import Effect, ReaderEstimate, ustatistic_df
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.study.cases import Reads

# --- Estimates of a study, and of a contrast of two modalities ------------------------------------


@dataclass(frozen=True)
class UStatistics:
    """Estimates of a reader study by U-statistics; the sums over pairs are made once.

    Random readers have t with the degrees of freedom of Obuchowski, Gallas and Hillis (2012), fixed
    readers infinitely many. A variance that is not positive is replaced by that of the bootstrap
    of readers and cases with infinitely many resamples: note ``negative-variance``. A modality with
    one reader (for random readers), or with one case of a class, has no variance: notes
    ``single-reader``, ``single-case``; one without pairs of cases has no area: ``no-estimate``.

    ``centre`` takes the average area from psi before its moments: the same if all pairs of cases
    have equally many others to go with, as in fully crossed studies, and steadier if not.
    """

    reads: Reads
    centre: bool = False

    @cached_property
    def sums(self) -> PairSums:
        """Sums over pairs of all curves, modality after modality."""
        return pair_sums_of_reads(self.reads)

    @property
    def areas(self) -> FloatArray:
        """Area of each reader under each modality (t x r); NaN where a class was not read."""
        return self.sums.areas.reshape(self.reads.n_modalities, self.reads.n_readers)

    @property
    def mean_areas(self) -> FloatArray:
        """Average area of each modality (t), readers weighted by their pairs of cases."""
        shape = self.reads.n_modalities, self.reads.n_readers
        total, n_pairs = (part.reshape(shape) for part in (self.sums.total, self.sums.n_pairs))
        return quotients_or_nan(total.sum(axis=1), n_pairs.sum(axis=1))

    def average(self, i: int, readers: Effect = "random") -> ReaderEstimate:
        """Return the average area of modality i."""
        return self.contrast(i).estimate(readers)

    def difference(self, i: int, k: int, readers: Effect = "random") -> ReaderEstimate:
        """Return the average area of modality i minus that of modality k."""
        return self.contrast(i, k).estimate(readers)

    def contrast(self, i: int, k: int | None = None) -> AverageContrast:
        """Return the average of modality i, less that of modality k if there is one."""
        second = None if k is None else self._curves(k)
        return AverageContrast(self.sums, self._curves(i), second, centre=self.centre)

    def reader_difference(self, i: int, k: int, j: int) -> ReaderEstimate:
        """Return the area of reader j under modality i minus that under k, the reader fixed."""
        first, second = self._curves(i)[[j]], self._curves(k)[[j]]
        return AverageContrast(self.sums, first, second, centre=self.centre).estimate("fixed")

    def minus_machine(self, readers: Effect = "random") -> ReaderEstimate:
        """Return the average area minus that of a machine, the last reader of the one modality.

        The machine is fixed, also where the readers are random.
        """
        return self._machine_contrast(self._curves(0)[:-1]).estimate(readers)

    def reader_minus_machine(self, j: int) -> ReaderEstimate:
        """Return the area of reader j minus that of a machine, the last reader; both are fixed."""
        return self._machine_contrast(self._curves(0)[[j]]).estimate("fixed")

    def _machine_contrast(self, readers: IntArray) -> AverageContrast:
        machine = self._curves(0)[-1:]
        return AverageContrast(self.sums, readers, machine, is_machine=True, centre=self.centre)

    def _curves(self, i: int) -> IntArray:
        r = self.reads.n_readers
        return np.arange(i * r, (i + 1) * r)


@dataclass(frozen=True)
class AverageContrast:
    """An average over the curves ``first``, minus that over ``second`` if there are any.

    ``is_machine`` says that ``second`` is a machine, which is no reader.
    """

    sums: PairSums
    first: IntArray
    second: IntArray | None = None
    is_machine: bool = False
    centre: bool = False

    def estimate(self, readers: Effect) -> ReaderEstimate:
        """Return the estimate with its variance and degrees of freedom."""
        unbiased, bootstrap = self.random_variances if readers == "random" else self.fixed_variances
        if np.isnan(unbiased):
            return ReaderEstimate(self.value, np.nan, np.nan, self._why_no_variance(readers))
        variance = unbiased
        codes: tuple[str, ...] = ()
        if unbiased <= SAME_TO_ROUNDING:
            # Where nothing varies, both are 0 but for rounding.
            variance = bootstrap if bootstrap > SAME_TO_ROUNDING else 0.0
            codes = ("negative-variance",) if variance > 0 else ()
        df = np.inf
        if readers == "random":
            df = ustatistic_df(self.within, self.between, variance)
        return ReaderEstimate(self.value, variance, df, codes)

    @property
    def value(self) -> float:
        """The average, or the difference."""
        used = self.weights != 0
        return float(self.weights[used] @ self.sums.areas[used])

    @cached_property
    def weights(self) -> FloatArray:
        """Weight of the area of each curve in the contrast: its share of the pairs of cases."""
        weights = np.zeros(len(self.sums.n_pairs))
        for curves, sign in ((self.first, 1.0), (self.second, -1.0)):
            if curves is not None:
                n_pairs = self.sums.n_pairs[curves]
                weights[curves] += sign * quotients_or_nan(
                    n_pairs, np.full(len(curves), n_pairs.sum())
                )
        return weights

    @property
    def random_variances(self) -> tuple[float, float]:
        """The unbiased and the bootstrap variance with random readers."""
        unbiased = sum(moments.covariance for moments in self.within)
        bootstrap = sum(moments.bootstrap for moments in self.within)
        if self.between is not None:
            unbiased -= 2 * self.between.covariance
            bootstrap -= 2 * self.between.bootstrap
        return unbiased, bootstrap

    @cached_property
    def within(self) -> tuple[PairMoments, ...]:
        """Moments of each average with itself."""
        within = [self._moments(self.first, self.first)]
        # A machine is no reader that was drawn: two terms of it have no reader in common.
        if self.second is not None:
            within.append(self._moments(self.second, self.second, not self.is_machine))
        return tuple(within)

    @cached_property
    def between(self) -> PairMoments | None:
        """Moments of the one average with the other."""
        if self.second is None:
            return None
        return self._moments(self.first, self.second, not self.is_machine)

    def _moments(self, a: IntArray, b: IntArray, same_readers: bool = True) -> PairMoments:
        return pair_moments(self.sums, a, b, same_readers, centre=self.centre)

    @property
    def fixed_variances(self) -> tuple[float, float]:
        """The unbiased and the bootstrap variance with fixed readers: w' Sigma w."""
        used = np.flatnonzero(self.weights)
        w, unbiased_covariance = (
            self.weights[used],
            centred_covariance_from_pair_sums
            if self.centre
            else unbiased_covariance_from_pair_sums,
        )
        unbiased, bootstrap = (
            float(w @ covariance(self.sums)[np.ix_(used, used)] @ w)
            for covariance in (unbiased_covariance, bootstrap_covariance_from_pair_sums)
        )
        return unbiased, bootstrap

    def _why_no_variance(self, readers: Effect) -> tuple[str, ...]:
        if np.isnan(self.value):
            return ("no-estimate",)
        alone = any(moments.shares[2] == 1 for moments in self.within)
        return ("single-reader",) if readers == "random" and alone else ("single-case",)


# --- Second moments of the averages, by what two terms have in common -----------------------------
# A term of the product of two averages is psi(x, y) of one reader times psi(x', y') of another or
# the same reader. Eight moments: the same reader or another, times the same pair of cases, the same
# positive, the same negative, or no case in common (Gallas 2006; Gallas et al. 2009).


class PairMoments(NamedTuple):
    """Sums of products of psi and their numbers of terms, for a pair of modalities.

    Both have shape (2 x 4): the same reader, any reader; by the case sums of ``PairSums``. Each sum
    lets what is not fixed be the same too. ``bootstrap`` is the covariance of the averages if
    readers, positives and negatives are resampled infinitely often.
    """

    sums: FloatArray
    counts: FloatArray
    bootstrap: float

    @property
    def covariance(self) -> float:
        """Unbiased covariance E[AB] - E[A] E[B] of the averages A and B.

        The mean of all terms is AB (0 of centred psi); terms without a common reader or case have
        the mean E[A] E[B]. NaN where there are no such terms.
        """
        product = _quotient(self.sums[1, 3], self.counts[1, 3])
        apart = (
            _sums_with_nothing_else_shared(self.sums)[1, 3],
            _sums_with_nothing_else_shared(self.counts)[1, 3],
        )
        return product - _quotient(*apart)

    @property
    def components(self) -> FloatArray:
        """Parts of the covariance: of the negatives, of the positives, of the readers.

        A part without terms is 0: two modalities without a common reader share no variance of
        readers.
        """
        means = quotients_or_nan(self.sums, self.counts)
        parts = np.array([means[1, 2], means[1, 1], means[0, 3]]) - means[1, 3]
        # Of constants nothing but rounding is left.
        real = (self.shares > 0) & (np.abs(parts) > SAME_TO_ROUNDING)
        return np.where(real, parts, 0.0)

    @property
    def shares(self) -> FloatArray:
        """Share of terms with the same negative, positive and reader: 1/n, 1/m, 1/r if crossed."""
        # Coefficients of the eight moments in AB, whose sum is 1.
        c = quotients_or_nan(_sums_with_nothing_else_shared(self.counts), self.counts[1, 3])
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


def pair_moments(
    sums: PairSums, a: IntArray, b: IntArray, same_readers: bool = True, *, centre: bool = False
) -> PairMoments:
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
        Whether products are of psi less the average area of the modality.
    """
    chosen = (slice(None), a[:, np.newaxis], b)
    numerators, denominators = (
        _curve_sums_by_reader(block[chosen], same_readers) for block in (sums.sums, sums.counts)
    )
    products = _curve_sums_by_reader(
        centred_pair_sums(
            sums, _modality_average_by_curve(sums, a), _modality_average_by_curve(sums, b)
        ),
        same_readers,
    )
    cases = resampling_factors_of_pair_sums(sums.n_pos, sums.n_neg)
    # Only readers are resampled: a machine takes part in every resample.
    readers = np.array([1.0, 1 - same_readers / len(a)])
    bootstrap = _quotient(float(readers @ products @ cases), denominators[1, 3])
    return PairMoments(products if centre else numerators, denominators, bootstrap)


def _curve_sums_by_reader(block: FloatArray, same_readers: bool) -> FloatArray:
    """Return sums over curves of the same reader, and over all curves (2 x 4)."""
    same = np.trace(block, axis1=1, axis2=2) * same_readers
    return np.stack([same, block.sum(axis=(1, 2))])


def _modality_average_by_curve(sums: PairSums, curves: IntArray) -> Centre:
    """Return the average area of a modality, for each of its curves."""
    n_pairs = sums.n_pairs[curves].sum()
    average = sums.total[curves].sum() / n_pairs if n_pairs > 0 else 0.0
    return curves, np.full(len(curves), average)


def _sums_with_nothing_else_shared(sums: FloatArray) -> FloatArray:
    """Return sums over terms with nothing else in common: the same reader, then another (2 x 4)."""
    same, any_reader = sums
    return np.stack(
        [pair_sums_without_shared_cases(same), pair_sums_without_shared_cases(any_reader - same)]
    )


def _quotient(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else np.nan
