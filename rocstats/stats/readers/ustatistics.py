"""Average areas of modalities by the theory of U-statistics, for any pattern of reads.

Every pair of a positive and a negative that a reader read has the same weight in an average. The
variance is unbiased, whoever read what (Gallas 2006; Gallas et al. 2009). Centred, it does not
hang on the level of the areas, which is ours: docs/methods/readers.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.reads import Reads
from rocstats.stats.readers.moments import Moments, moments
from rocstats.stats.readers.pair_covariance import (
    bootstrap_of,
    centred_of,
    curve_sums,
    unbiased_of,
)
from rocstats.stats.readers.pairs import PairSums, divided, pair_sums
from rocstats.stats.readers.record import Estimate, Factor
from rocstats.tolerances import SAME_TO_ROUNDING


@dataclass(frozen=True)
class UStatistics:
    """Estimates of a reader study by U-statistics; the sums over pairs are made once.

    Random readers have t with the degrees of freedom of Obuchowski, Gallas and Hillis (2012), fixed
    readers infinitely many. A variance that is not positive is replaced by that of the bootstrap
    of readers and cases with infinitely many resamples: code ``negative-variance``. A modality with
    one reader (for random readers), or with one case of a class, has no variance: codes
    ``single-reader``, ``single-case``; one without pairs of cases has no area: ``no-estimate``.

    ``centre`` takes the average area from the kernel before its moments: the same if all pairs of
    cases have equally many others to go with, as in fully crossed studies, and steadier if not.
    """

    reads: Reads
    centre: bool = False

    @cached_property
    def sums(self) -> PairSums:
        """Sums over pairs of all curves, modality after modality."""
        return curve_sums(self.reads)

    @property
    def areas(self) -> FloatArray:
        """Area of each reader under each modality (t x r); NaN where a class was not read."""
        return self.sums.areas.reshape(self.reads.n_modalities, self.reads.n_readers)

    @property
    def mean_areas(self) -> FloatArray:
        """Average area of each modality (t), readers weighted by their pairs of cases."""
        shape = self.reads.n_modalities, self.reads.n_readers
        total, n_pairs = (part.reshape(shape) for part in (self.sums.total, self.sums.n_pairs))
        return divided(total.sum(axis=1), n_pairs.sum(axis=1))

    def average(self, i: int, readers: Factor = "random") -> Estimate:
        """Return the average area of modality i."""
        return self.contrast(i).estimate(readers)

    def difference(self, i: int, k: int, readers: Factor = "random") -> Estimate:
        """Return the average area of modality i minus that of modality k."""
        return self.contrast(i, k).estimate(readers)

    def contrast(self, i: int, k: int | None = None) -> Contrast:
        """Return the average of modality i, less that of modality k if there is one."""
        second = None if k is None else self._curves(k)
        return Contrast(self.sums, self._curves(i), second, centre=self.centre)

    def reader_difference(self, i: int, k: int, j: int) -> Estimate:
        """Return the area of reader j under modality i minus that under k, the reader fixed."""
        first, second = self._curves(i)[[j]], self._curves(k)[[j]]
        return Contrast(self.sums, first, second, centre=self.centre).estimate("fixed")

    def against_machine(
        self, i: int, pos: FloatArray, neg: FloatArray, readers: Factor = "random"
    ) -> Estimate:
        """Return the average area of modality i minus that of a machine on the same cases.

        Parameters
        ----------
        i : int
            The modality.
        pos, neg : ndarray, shapes (m,) and (n,)
            Scores of the machine; NaN where it has none.
        readers : {"random", "fixed"}
            Whether the readers are a sample. The machine is always fixed.
        """
        sums = self._with_machine(i, pos, neg)
        return self._beside(sums, np.arange(self.reads.n_readers)).estimate(readers)

    def reader_against_machine(self, i: int, j: int, pos: FloatArray, neg: FloatArray) -> Estimate:
        """Return the area of reader j under modality i minus that of a machine, both fixed."""
        sums = self._with_machine(i, pos, neg)
        return self._beside(sums, np.array([j])).estimate("fixed")

    def _beside(self, sums: PairSums, readers: IntArray) -> Contrast:
        """Return some readers less the machine, which is the last curve."""
        last = np.array([self.reads.n_readers])
        return Contrast(sums, readers, last, machine=True, centre=self.centre)

    def _with_machine(self, i: int, pos: FloatArray, neg: FloatArray) -> PairSums:
        """Return the sums of the readers of a modality, and of the machine as the last curve."""
        return pair_sums(np.vstack([self.reads.pos[i], pos]), np.vstack([self.reads.neg[i], neg]))

    def _curves(self, i: int) -> IntArray:
        r = self.reads.n_readers
        return np.arange(i * r, (i + 1) * r)


@dataclass(frozen=True)
class Contrast:
    """An average over curves, or the difference of two such averages."""

    sums: PairSums
    first: IntArray
    second: IntArray | None = None
    machine: bool = False
    centre: bool = False

    def estimate(self, readers: Factor) -> Estimate:
        """Return the estimate with its variance and degrees of freedom."""
        unbiased, bootstrap = self.random_variances if readers == "random" else self.fixed_variances
        if np.isnan(unbiased):
            return Estimate(self.value, np.nan, np.nan, self._reasons(readers))
        variance = unbiased
        codes: tuple[str, ...] = ()
        if unbiased <= SAME_TO_ROUNDING:
            # Where nothing varies, both are 0 but for rounding.
            variance = bootstrap if bootstrap > SAME_TO_ROUNDING else 0.0
            codes = ("negative-variance",) if variance > 0 else ()
        df = self._df(variance) if readers == "random" else np.inf
        return Estimate(self.value, variance, df, codes)

    @cached_property
    def weights(self) -> FloatArray:
        """Weight of each curve in the contrast."""
        weights = np.zeros(len(self.sums.n_pairs))
        for curves, sign in ((self.first, 1.0), (self.second, -1.0)):
            if curves is not None:
                n_pairs = self.sums.n_pairs[curves]
                weights[curves] += sign * divided(n_pairs, np.full(len(curves), n_pairs.sum()))
        return weights

    @property
    def value(self) -> float:
        """The average, or the difference."""
        used = self.weights != 0
        return float(self.weights[used] @ self.sums.areas[used])

    @cached_property
    def own(self) -> tuple[Moments, ...]:
        """Moments of each modality with itself."""
        own = [self._moments(self.first, self.first)]
        # A machine is no reader that was drawn: two terms of it have no reader in common.
        if self.second is not None:
            own.append(self._moments(self.second, self.second, not self.machine))
        return tuple(own)

    @cached_property
    def both(self) -> Moments | None:
        """Moments of the one modality with the other."""
        if self.second is None:
            return None
        return self._moments(self.first, self.second, not self.machine)

    def _moments(self, a: IntArray, b: IntArray, same_readers: bool = True) -> Moments:
        return moments(self.sums, a, b, same_readers, centre=self.centre)

    @property
    def random_variances(self) -> tuple[float, float]:
        """The unbiased and the bootstrap variance with random readers."""
        unbiased = sum(part.covariance for part in self.own)
        bootstrap = sum(part.bootstrap for part in self.own)
        if self.both is not None:
            unbiased -= 2 * self.both.covariance
            bootstrap -= 2 * self.both.bootstrap
        return unbiased, bootstrap

    @property
    def fixed_variances(self) -> tuple[float, float]:
        """The unbiased and the bootstrap variance with fixed readers."""
        used = np.flatnonzero(self.weights)
        w = self.weights[used]
        unbiased, bootstrap = (
            float(w @ of(self.sums)[np.ix_(used, used)] @ w)
            for of in (centred_of if self.centre else unbiased_of, bootstrap_of)
        )
        return unbiased, bootstrap

    def _df(self, variance: float) -> float:
        """Return variance^2 over the sum of component^2/number^3, at least the least number."""
        parts = np.sum([part.components for part in self.own], axis=0)
        numbers = np.min([part.numbers for part in self.own], axis=0)
        terms, least = parts, numbers
        if self.both is not None:
            parts = parts - 2 * self.both.components
            terms, least = parts, numbers
            if self.both.shares[2] == 0:
                # Readers of their own: each modality's part has its own number.
                terms = np.concatenate([parts[:2], [part.components[2] for part in self.own]])
                least = np.concatenate([numbers[:2], [part.numbers[2] for part in self.own]])
        # What does not vary takes no degrees of freedom.
        varies = np.abs(terms) > SAME_TO_ROUNDING
        if not varies.any():
            return np.inf
        terms, least = terms[varies], least[varies]
        return max(float(variance**2 / np.sum(terms**2 / least**3)), float(least.min()))

    def _reasons(self, readers: Factor) -> tuple[str, ...]:
        """Return why there is no variance."""
        if np.isnan(self.value):
            return ("no-estimate",)
        alone = any(part.shares[2] == 1 for part in self.own)
        return ("single-reader",) if readers == "random" and alone else ("single-case",)
