"""Patients with their times, and the distribution of censoring that weights are made of.

The probability of not being censored is a Kaplan-Meier estimate in which events leave before
patients who are censored at the same time: G(x) is the product over s <= x of 1 - dC/Rc, with dC
the number censored at s and Rc that at risk less the events at s. A weight is 1/G, read just before
the event of a patient, or at the time that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.stats.influence.values import small_sample

CENSORED, CASE, OTHER = 0, 1, 2
"""What ended the time of a patient: censoring, the event of interest, an event of another cause."""


@dataclass(frozen=True, eq=False)
class FollowUp:
    """Times of n patients, what ended them (``CENSORED``, ``CASE``, ``OTHER``), and clusters."""

    time: FloatArray
    status: IntArray
    cluster: IntArray | None = None

    @property
    def size(self) -> int:
        """Number of patients."""
        return len(self.time)

    @cached_property
    def times(self) -> FloatArray:
        """The distinct times, ascending."""
        return np.unique(self.time)

    @cached_property
    def place(self) -> IntArray:
        """The number of distinct times before that of each patient."""
        return np.searchsorted(self.times, self.time)

    def reached(self, t: float) -> int:
        """Return the number of distinct times up to t."""
        return int(np.searchsorted(self.times, t, side="right"))

    @cached_property
    def uncensored(self) -> FloatArray:
        """G after the first p distinct times, p from 0 to their number."""
        still = np.divide(self._left, self._risk, out=np.zeros(len(self.times)), where=self._some)
        # Where events leave nobody, nobody can be censored: G stays.
        still[~self._some] = 1.0
        return np.concatenate([[1.0], np.cumprod(still)])

    @cached_property
    def _risk(self) -> FloatArray:
        """Number at risk of being censored at each distinct time: events have left."""
        of_all, ended = self._counts(self.place), self._counts(self.place[self.status != CENSORED])
        return of_all[::-1].cumsum()[::-1] - ended

    @cached_property
    def _left(self) -> FloatArray:
        """Number at risk that is not censored at each distinct time."""
        return self._risk - self._counts(self.place[self.status == CENSORED])

    @property
    def _some(self) -> BoolArray:
        return self._risk > 0

    def _counts(self, places: IntArray) -> FloatArray:
        return np.bincount(places, minlength=len(self.times)).astype(np.float64)

    def of_weights(self, residual: FloatArray, read: IntArray) -> FloatArray:
        """Return the sums over i of residual_i Psi_k(x_i), of every patient k.

        Psi_k(x) is the influence of patient k on -log G(x), and x_i the end of the first ``read_i``
        distinct times:

        n [1(k censored by x)/(Rc - dC)(T_k) - sum of dC/(Rc (Rc - dC)) over s <= x with k at risk].
        Rc - dC in the place of Rc makes it the exact derivative where times are tied.
        """
        n, last = self.size, len(self.times)
        at = np.bincount(read, weights=residual, minlength=last + 1)
        # The residuals whose G has the factor of each distinct time.
        above = at[::-1].cumsum()[::-1][1:]
        # Nobody left: no weight reads G beyond, so that the factor has no part.
        some = self._left > 0
        each = np.divide(above, self._left, out=np.zeros(last), where=some)
        share = np.divide(self._risk - self._left, self._risk, out=np.zeros(last), where=some)
        hazard = np.concatenate([[0.0], np.cumsum(share * each)])
        censored = self.status == CENSORED
        # An event leaves before the censored of its time.
        own = np.where(censored, each[self.place], 0.0)
        return np.asarray(n * (own - hazard[self.place + censored]))

    def units(self, influence: FloatArray, *, unbiased: bool = True) -> FloatArray:
        """Return values of patients (clusters) whose products over units are covariances.

        ``influence`` (k x n) is per patient: variances are sums of squares over n (n - 1), over n^2
        without ``unbiased``. Those of a cluster are summed, with C/(C - 1) for C clusters.
        """
        values = influence / self.size
        if self.cluster is not None:
            present, codes = np.unique(self.cluster, return_inverse=True)
            sums = [np.bincount(codes, weights=row, minlength=len(present)) for row in values]
            values = np.stack(sums)
        factor = small_sample(values.shape[1]) if unbiased else 1.0
        return np.asarray(values * np.sqrt(factor))

    @cached_property
    def n_units(self) -> int:
        """Number of patients, or of clusters."""
        return self.size if self.cluster is None else len(np.unique(self.cluster))
