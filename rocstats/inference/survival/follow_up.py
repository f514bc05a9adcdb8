"""Times of patients, requested times, weights for censoring, cases and controls at a time.

The probability of not being censored is a Kaplan-Meier estimate in which events leave before
patients who are censored at the same time: G(x) is the product over s <= x of 1 - dC/Rc, with dC
the number censored at s and Rc that at risk less the events at s. A weight is 1/G, read just before
the event of a patient, or at the time that is asked for.

Everything at a time t is made of sums of weight x value over patients: areas, sensitivities,
predictive values, net benefit. The weights are estimates too, and their part in the influence is
one sum for all of them (``StatusAt.influence``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from rocstats.errors import require_choice
from rocstats.estimate.influence import (
    df_of_cluster_numbers,
    matrix_product_in_blocks,
    satterthwaite,
    small_sample_factor,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size, equal_clusters
from rocstats.facts.tolerances import FEW_CASES, FEW_CLUSTERS, clear_rounding
from rocstats.study.base import cached, sample_notes
from rocstats.study.points import read_horizons
from rocstats.study.survival import SurvivalSample

# --- Times of patients, and the distribution of censoring -----------------------------------------

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

    def n_censored(self, t: float) -> int:
        """Return the number of patients who are censored by t."""
        return int(np.count_nonzero((self.time <= t) & (self.status == CENSORED)))

    @cached_property
    def uncensored(self) -> FloatArray:
        """G after the first p distinct times, p from 0 to their number."""
        # Where events leave nobody, nobody can be censored: G stays.
        factor = np.ones(len(self.times))
        np.divide(self._left, self._risk, out=factor, where=self._risk > 0)
        return np.concatenate([[1.0], np.cumprod(factor)])

    @cached_property
    def _risk(self) -> FloatArray:
        """Number at risk of being censored at each distinct time: events have left."""
        of_all, ended = self._counts(self.place), self._counts(self.place[self.status != CENSORED])
        return of_all[::-1].cumsum()[::-1] - ended

    @cached_property
    def _left(self) -> FloatArray:
        """Number at risk that is not censored at each distinct time."""
        return self._risk - self._counts(self.place[self.status == CENSORED])

    def _counts(self, places: IntArray) -> FloatArray:
        return np.bincount(places, minlength=len(self.times)).astype(np.float64)

    def weight_influence(self, residual: FloatArray, read: IntArray) -> FloatArray:
        """Return the influence of every patient k on a sum of residuals, through their weights.

        It is the sum over i of residual_i Psi_k(x_i). Psi_k(x) is the influence of patient k on
        -log G(x), and x_i the end of the first ``read_i`` distinct times:

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
        as_censored = np.where(censored, each[self.place], 0.0)
        return np.asarray(n * (as_censored - hazard[self.place + censored]))

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
        factor = small_sample_factor(values.shape[1]) if unbiased else 1.0
        return np.asarray(values * np.sqrt(factor))


# --- Patients who are compared, and ratios of weighted sums over them -----------------------------


class SurvivalRatio(NamedTuple):
    """A ratio of weighted sums, and the influence of each patient on it."""

    value: float
    influence: FloatArray


EXTREME = 10.0
"""A weight above this: one patient stands for ten, and G under .1 is poorly estimated."""


class CasesAndControls(ABC):
    """Patients who are compared by their scores: cases with controls, each with a weight.

    A patient may be both, or neither. Variances are sums of squared influence values over n (n - 1)
    if ``unbiased``, else over n^2.
    """

    unbiased: ClassVar[bool]
    undefined_note: ClassVar[str]
    follow_up: FollowUp

    @cached_property
    @abstractmethod
    def case_weight(self) -> FloatArray:
        """Weight of each patient as a case, 0 of others."""

    @cached_property
    @abstractmethod
    def control_weight(self) -> FloatArray:
        """Weight of each patient as a control, 0 of others."""

    @cached_property
    @abstractmethod
    def is_defined(self) -> bool:
        """Whether there is anybody to compare; ``undefined_note`` says that there is not."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Return the notes on the patients who are compared."""

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of cases and of controls."""
        return int(np.count_nonzero(self.case_weight)), int(np.count_nonzero(self.control_weight))

    @property
    def n_units(self) -> tuple[int, int]:
        """Numbers of clusters with a case and with a control; of patients without clusters."""
        cluster = self.follow_up.cluster
        if cluster is None:
            return self.sizes
        sides = (self.case_weight > 0, self.control_weight > 0)
        n_cases, n_controls = (len(np.unique(cluster[side])) for side in sides)
        return n_cases, n_controls

    def size_notes(self) -> list[str]:
        """Return the notes on few cases or controls, or few clusters by Kish's effective number."""
        cluster = self.follow_up.cluster
        notes = ["few-cases"] if min(self.sizes) < FEW_CASES else []
        if cluster is not None:
            sides = (self.case_weight > 0, self.control_weight > 0)
            few = [effective_size(np.bincount(cluster[side])) < FEW_CLUSTERS for side in sides]
            notes += ["few-clusters"] if any(few) else []
        return notes

    def variance(self, influence: FloatArray) -> float:
        """Return the variance from the influence of each patient, 0 if it is rounding.

        NaN for a single patient or cluster.
        """
        units = self.follow_up.units(influence[np.newaxis], unbiased=self.unbiased)
        return clear_rounding(float(matrix_product_in_blocks(units, units)[0, 0]))

    def df(self, influence: FloatArray) -> float:
        """Return Satterthwaite's degrees of freedom of the variance.

        Patients (clusters) that are cases, controls, both or neither are independent samples, each
        of the variance of which has the degrees of freedom of as many equal units.
        """
        of = self.follow_up
        squares = of.units(influence[np.newaxis])[0] ** 2
        codes = np.arange(of.size)
        if of.cluster is not None:
            codes = np.unique(of.cluster, return_inverse=True)[1]
        weights = (self.case_weight, self.control_weight)
        share = np.stack([np.bincount(codes, weight / weight.sum()) for weight in weights])
        kind = np.array([1, 2]) @ (share > 0)
        # Who is neither has no weight: all are alike.
        size = np.where(kind > 0, share.sum(axis=0), 1.0)
        kinds = [kind == k for k in np.unique(kind)]
        parts = np.array([squares[of_kind].sum() for of_kind in kinds])
        return float(
            satterthwaite(parts, df_of_cluster_numbers([equal_clusters(size[k]) for k in kinds]))
        )


# --- Cases and controls at a time -----------------------------------------------------------------

Controls = Literal["not-case", "event-free"]
CONTROLS: tuple[Controls, ...] = get_args(Controls)

NO_STATUS = "no-status-at-time"
"""Note of a time without cases, or without patients who are followed beyond it."""


@dataclass(frozen=True, eq=False)
class StatusAt(CasesAndControls):
    """Who is a case, and who a control, at time t; who is censored before is neither.

    ``is_known`` marks all who are not censored by t: cases, controls, and with controls
    "event-free" those who had an event of another cause. ``weight`` is 1/G just before the event of
    a patient who had one by t, 1/G(t) of one who is followed beyond t, 0 of others; ``read`` is the
    number of distinct times whose factors that G has (see ``FollowUp``).
    """

    follow_up: FollowUp
    t: float
    is_case: BoolArray
    is_control: BoolArray
    is_known: BoolArray
    weight: FloatArray
    read: IntArray
    unbiased: ClassVar[bool] = True
    undefined_note: ClassVar[str] = NO_STATUS

    @cached_property
    def is_defined(self) -> bool:
        """Whether there is a case, a control, and somebody who is not censored by t."""
        return bool(
            self.is_case.any()
            and self.is_control.any()
            and self.follow_up.uncensored[self.follow_up.reached(self.t)] > 0
        )

    @cached_property
    def case_weight(self) -> FloatArray:
        """Weight of each patient as a case, 0 of others."""
        return np.where(self.is_case, self.weight, 0.0)

    @cached_property
    def control_weight(self) -> FloatArray:
        """Weight of each patient as a control, 0 of others."""
        return np.where(self.is_control, self.weight, 0.0)

    def notes(self) -> list[str]:
        """Return the notes on the patients who are compared."""
        largest = self.weight[self.is_case | self.is_control].max(initial=0.0)
        return [*self.size_notes(), *(["weights-extreme"] if largest > EXTREME else [])]

    def influence(self, residual: FloatArray) -> FloatArray:
        """Return the influence of each patient on a weighted estimate, with that of the weights.

        ``residual`` holds the terms of the estimate by which a patient, given the weights, moves it
        (weight included; their sum is 0): IF_k = n f_k + sum over i of f_i Psi_k(x_i).
        """
        return self.follow_up.size * residual + self.follow_up.weight_influence(residual, self.read)

    def ratio(self, of: FloatArray, among: FloatArray) -> SurvivalRatio:
        """Return sum(weight x of)/sum(weight x among), NaN where nobody is among; with influence.

        ``of`` and ``among`` are values of patients: for a sensitivity the cases called positive,
        and the cases; for a predictive value the cases, and all, among those called positive.
        """
        size = float(self.weight @ among)
        if not size > 0:
            return SurvivalRatio(np.nan, np.full(len(of), np.nan))
        value = float(self.weight @ of) / size
        return SurvivalRatio(value, self.influence(self.weight * (of - value * among) / size))

    def mean(self, of: FloatArray) -> SurvivalRatio:
        """Return sum(weight x of)/n over all n patients, as of a net benefit, with influence."""
        n = self.follow_up.size
        value = float(self.weight @ of) / n
        # The divisor n is no estimate: the residual of a patient who adds nothing is -value/n.
        influence = self.influence(self.weight * of / n) - value
        return SurvivalRatio(value, influence)


def status_at(follow_up: FollowUp, t: float, controls: Controls) -> StatusAt:
    """Return cases and controls at time t.

    Cases had the event of interest by t. Controls "event-free" had no event by t; "not-case" are
    these and those who had an event of another cause by t.
    """
    time, status = follow_up.time, follow_up.status
    beyond = time > t
    had_event = ~beyond & (status != CENSORED)
    # Of an event the G just before it, by factors of earlier times alone.
    read = np.where(beyond, follow_up.reached(t), follow_up.place)
    uncensored = follow_up.uncensored[read]
    is_known = beyond | had_event
    # G is above 0 as long as a patient is followed.
    weight = np.divide(1.0, uncensored, out=np.zeros(follow_up.size), where=is_known)
    is_case = had_event & (status == CASE)
    is_control = is_known & ~is_case if controls == "not-case" else beyond
    return StatusAt(follow_up, t, is_case, is_control, is_known, weight, read)


# --- Times asked for, and the columns and notes of rows at them -----------------------------------


class Horizons(NamedTuple):
    """Times at which cases and controls are compared, and who is a control."""

    times: FloatArray
    controls: Controls

    def statuses(self, part: SurvivalSample) -> Iterator[StatusAt]:
        """Yield cases and controls at each time."""
        for t in self.times.tolist():
            yield status_at(follow_up_of(part), t, self.controls)


def read_horizons_and_controls(time: Any, controls: Any) -> Horizons:
    """Return times and controls; raise InputError for others than there can be."""
    return Horizons(read_horizons(time), require_choice("controls", controls, CONTROLS))


def follow_up_of(part: SurvivalSample) -> FollowUp:
    """Return the times of a part of the sample, and what ended them."""

    def read() -> FollowUp:
        status = np.where(
            part.event == 0, CENSORED, np.where(part.event == part.cause, CASE, OTHER)
        )
        return FollowUp(part.time, status, None if part.cluster is None else part.cluster.codes)

    return cached(part, "follow up", read)


def survival_time_columns(of: CasesAndControls, t: float) -> dict[str, Any]:
    """Return the columns of a time, NaN if infinite, with the numbers of patients at it."""
    n_cases, n_controls = of.sizes
    return {
        "time": t if np.isfinite(t) else np.nan,
        "n_pos": float(n_cases),
        "n_neg": float(n_controls),
        "n_censored": float(of.follow_up.n_censored(t)),
    }


def row_notes(part: SurvivalSample, of: CasesAndControls) -> list[str]:
    """Return the notes of a row: on the patients who are compared, if any, and on the study."""
    notes = of.notes() if of.is_defined else []
    return [*notes, "marginal-censoring", *sample_notes(part)]


def survival_variance_word(part: SurvivalSample, word: str) -> str:
    """Return the word of a variance, with clusters or without."""
    return word if part.cluster is None else f"cluster-{word}"
