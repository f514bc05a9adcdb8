"""Cases and controls at a time, their weights, and the influence of ratios of weighted sums.

Everything at a time t is made of sums of weight x value over patients: areas, sensitivities,
predictive values, net benefit. The weights are estimates too, and their part in the influence is
one sum for all of them (``StatusAt.influence``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.stats.survival.follow_up import CASE, CENSORED, FollowUp

Controls = Literal["not-case", "event-free"]
CONTROLS: tuple[Controls, ...] = get_args(Controls)

EXTREME = 10.0
"""A weight above this: one patient stands for ten, and G under .1 is poorly estimated."""


class Ratio(NamedTuple):
    """A ratio of weighted sums, and the influence of each patient on it."""

    value: float
    influence: FloatArray


@dataclass(frozen=True, eq=False)
class StatusAt:
    """Who is a case, and who a control, at time t; who is censored before is neither.

    ``weight`` is 1/G just before the event of a patient who had one by t, 1/G(t) of one who is
    followed beyond t, 0 of others; ``read`` is the number of distinct times whose factors that G
    has (see ``FollowUp``).
    """

    follow_up: FollowUp
    t: float
    is_case: BoolArray
    is_control: BoolArray
    weight: FloatArray
    read: IntArray

    @property
    def is_defined(self) -> bool:
        """Whether there is a case, a control, and somebody who is not censored by t."""
        return bool(
            self.is_case.any()
            and self.is_control.any()
            and self.follow_up.uncensored[self.follow_up.reached(self.t)] > 0
        )

    @property
    def n_censored(self) -> int:
        """Number of patients who are censored by t."""
        of, by_t = self.follow_up, self.follow_up.time <= self.t
        return int(np.count_nonzero(by_t & (of.status == CENSORED)))

    @cached_property
    def case_weight(self) -> FloatArray:
        """Weight of each patient as a case, 0 of others."""
        return np.where(self.is_case, self.weight, 0.0)

    @cached_property
    def control_weight(self) -> FloatArray:
        """Weight of each patient as a control, 0 of others."""
        return np.where(self.is_control, self.weight, 0.0)

    @property
    def n_units(self) -> tuple[int, int] | None:
        """Numbers of clusters with a case and with a control; None without clusters."""
        cluster = self.follow_up.cluster
        if cluster is None:
            return None
        return len(np.unique(cluster[self.is_case])), len(np.unique(cluster[self.is_control]))

    @property
    def has_extreme_weights(self) -> bool:
        """Whether a case or a control stands for more than ten patients."""
        return bool(self.weight[self.is_case | self.is_control].max(initial=0.0) > EXTREME)

    def influence(self, residual: FloatArray) -> FloatArray:
        """Return the influence of each patient on a weighted estimate, with that of the weights.

        ``residual`` holds the terms of the estimate by which a patient, given the weights, moves it
        (weight included; their sum is 0): IF_k = n f_k + sum over i of f_i Psi_k(x_i).
        """
        return self.follow_up.size * residual + self.follow_up.of_weights(residual, self.read)

    def ratio(self, of: FloatArray, among: FloatArray) -> Ratio:
        """Return sum(weight x of)/sum(weight x among), NaN where nobody is among; with influence.

        ``of`` and ``among`` are values of patients: for a sensitivity the cases called positive,
        and the cases; for a predictive value the cases, and all, among those called positive.
        """
        size = float(self.weight @ among)
        if not size > 0:
            return Ratio(np.nan, np.full(len(of), np.nan))
        value = float(self.weight @ of) / size
        return Ratio(value, self.influence(self.weight * (of - value * among) / size))

    def mean(self, of: FloatArray) -> Ratio:
        """Return sum(weight x of)/n over all n patients, as of a net benefit, with influence."""
        n = self.follow_up.size
        value = float(self.weight @ of) / n
        # The divisor n is no estimate: the residual of a patient who adds nothing is -value/n.
        influence = self.influence(self.weight * of / n) - value
        return Ratio(value, influence)


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
    counts = (beyond | had_event) & (uncensored > 0)
    weight = np.divide(1.0, uncensored, out=np.zeros(follow_up.size), where=counts)
    is_case = had_event & (status == CASE)
    is_control = beyond | (had_event & ~is_case) if controls == "not-case" else beyond
    return StatusAt(follow_up, t, is_case, is_control, weight, read)
