"""Net benefit at a risk threshold, its differences, and their limits by MOVER.

A net benefit is a share of true positives minus the odds of the risk threshold times a share of
false positives (Vickers & Elkin 2006). Both shares have influence values and limits of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.stats.comparison.paired_shares import (
    Cases,
    Measure,
    Share,
    cluster_count,
    share_among,
)
from rocstats.stats.comparison.paired_table import PairedTable, tango_limit
from rocstats.stats.costs.differences import mean_among, paired_table
from rocstats.stats.influence.values import small_sample
from rocstats.stats.intervals.rates.mover import mover_limit


class Stakes(NamedTuple):
    """Risk threshold at which one acts, and the share of positives in use.

    Without a prevalence the cases themselves are a sample of those in use.
    """

    risk_threshold: float
    prevalence: float | None

    @property
    def odds(self) -> float:
        """True positives that one false positive costs."""
        return self.risk_threshold / (1 - self.risk_threshold)

    def factors(self) -> tuple[float, float]:
        """Return what a share of the positives, and of the negatives, is multiplied by."""
        p = self.prevalence
        return (1.0, self.odds) if p is None else (p, self.odds * (1 - p))


@dataclass(frozen=True, eq=False)
class PairedShare(Measure):
    """Difference of the shares of two events of the same cases, with Tango's limits.

    ``table`` holds the cases, in clusters as many as are independent.
    """

    table: PairedTable

    def limit(self, at: float) -> float:
        """Return Tango's limit at a normal quantile."""
        return tango_limit(self.table, at)


@dataclass(frozen=True, eq=False)
class Benefit(Measure):
    """The first part minus the second, each a measure times a factor.

    ``influence`` has the factor n/(n - 1) of an unbiased variance; ``ends`` are the least and the
    largest possible value.
    """

    parts: tuple[Measure, Measure]
    factors: tuple[float, float]
    ends: tuple[float, float]
    clustered: bool
    of_ratio = False

    @property
    def method(self) -> tuple[str, str]:
        """Words for the standard error and for the limits."""
        paired = isinstance(self.parts[0], PairedShare)
        variance = "cluster-influence" if self.clustered else "influence"
        return variance, "tango-mover" if paired else "wilson-mover"

    @cached_property
    def correlation(self) -> float:
        """Correlation of both parts; 0 if one does not vary."""
        first, second = self.parts
        spread = np.sqrt(first.variance * second.variance)
        if spread == 0:
            return 0.0
        return float(np.clip(first.influence @ second.influence / spread, -1.0, 1.0))

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, by MOVER; NaN for a single cluster."""
        sides = zip(self.parts, self.factors, (at, -at), strict=True)
        first, second = (factor * (part.limit(z) - part.value) for part, factor, z in sides)
        limit = mover_limit(self.value, first, second, self.correlation, at, furthest=np.inf)
        return float(np.clip(limit, *self.ends))


def net_benefit(cases: Cases, called: BoolArray, at: Stakes) -> Benefit:
    """Return the net benefit of treating the cases that are called positive."""
    gain, loss = at.factors()
    parts, among = _shares(cases, called, at), denominators(cases, at)
    return _benefit(cases, parts, among, (gain, loss), (-loss, gain))


def over_treat_all(cases: Cases, called: BoolArray, at: Stakes) -> Benefit:
    """Return the net benefit less that of treating all cases.

    Negatives that are spared save what their treatment costs; positives that are missed are lost.
    """
    (missed, spared), (pos, neg) = _shares(cases, ~called, at), denominators(cases, at)
    gain, loss = at.factors()
    return _benefit(cases, (spared, missed), (neg, pos), (loss, gain), (-gain, loss))


def net_benefit_difference(
    cases: Cases, first: BoolArray, second: BoolArray, at: Stakes
) -> Benefit:
    """Return the net benefit of treating those the first calls, less that of the second."""
    positive, among = cases.is_positive, denominators(cases, at)
    of_pos, of_neg = (
        _paired_share(cases, first & side, second & side, all_)
        for side, all_ in zip((positive, ~positive), among, strict=True)
    )
    gain, loss = at.factors()
    # Shares of all cases sum to 1 at most; those of two classes are each 1 at most.
    furthest = max(gain, loss) if at.prevalence is None else gain + loss
    return _benefit(cases, (of_pos, of_neg), among, (gain, loss), (-furthest, furthest))


def standardized(cases: Cases, called: BoolArray, at: Stakes) -> Standardized:
    """Return the net benefit over the prevalence, which is its largest possible value."""
    everyone = np.ones_like(cases.is_positive)
    share, units = mean_among(cases, cases.is_positive.astype(np.float64), everyone)
    p = share if at.prevalence is None else at.prevalence
    known = net_benefit(cases, called, at._replace(prevalence=p))
    low, high = known.ends
    if at.prevalence is not None:
        ends = (low / p, high / p)
        return Standardized(known.value / p, known.influence / p, known, p, ends, of_ratio=False)
    benefit = net_benefit(cases, called, at)
    value = benefit.value / p
    # Quotient rule: the prevalence of the cases varies with their net benefit.
    influence = (benefit.influence - value * unbiased(cases, everyone) * units) / p
    return Standardized(value, influence, known, p, (-np.inf, 1.0), of_ratio=True)


@dataclass(frozen=True, eq=False)
class Standardized(Measure):
    """A net benefit over a prevalence; ``of_ratio`` says that the prevalence is estimated."""

    known: Benefit
    prevalence: float
    ends: tuple[float, float]
    of_ratio: bool

    @property
    def method(self) -> tuple[str, str]:
        """Words for the standard error and for the limits."""
        return self.known.method

    def limit(self, at: float) -> float:
        """Return the limit at a normal quantile, as if the prevalence were known."""
        return self.known.limit(at) / self.prevalence


def _benefit(
    cases: Cases,
    parts: tuple[Measure, Measure],
    among: tuple[BoolArray, BoolArray],
    factors: tuple[float, float],
    ends: tuple[float, float],
) -> Benefit:
    first, second = (
        factor * unbiased(cases, side) * part.influence
        for part, side, factor in zip(parts, among, factors, strict=True)
    )
    value = factors[0] * parts[0].value - factors[1] * parts[1].value
    return Benefit(value, first - second, parts, factors, ends, cases.cluster is not None)


def unbiased(cases: Cases, among: BoolArray) -> float:
    """Return sqrt(n/(n - 1)); 1 for clusters, whose influence values have their own factor."""
    if cases.cluster is not None:
        return 1.0
    return float(np.sqrt(small_sample(float(cases.weight[among].sum()))))


def denominators(cases: Cases, at: Stakes) -> tuple[BoolArray, BoolArray]:
    """Return whose shares are taken of positives, and of negatives: all cases, or the class."""
    positive = cases.is_positive
    if at.prevalence is None:
        return np.ones_like(positive), np.ones_like(positive)
    return positive, ~positive


def _shares(cases: Cases, event: BoolArray, at: Stakes) -> tuple[Share, Share]:
    """Return the shares of positives, and of negatives, that have an event."""
    positive = cases.is_positive
    sides = zip(denominators(cases, at), (positive, ~positive), strict=True)
    first, second = (share_among(cases, among=all_, event=side & event) for all_, side in sides)
    return first, second


def _paired_share(
    cases: Cases, first: BoolArray, second: BoolArray, among: BoolArray
) -> PairedShare:
    """Return how much more often the first event occurs than the second, among some cases."""
    value, influence = mean_among(cases, first.astype(np.float64) - second, among)
    table = paired_table(cases, first, second, among)
    if cases.cluster is not None:
        table = _effective(table, influence, cluster_count(cases.cluster[among]))
    return PairedShare(value, influence, table)


def _effective(table: PairedTable, influence: FloatArray, n_clusters: float) -> PairedTable:
    """Return the table of as many independent cases as have the variance of the clusters."""
    # The rule of shares in clusters: n_eff = v/Var, and each cluster one case where none vary.
    spread, variance = table.size * table.se**2, float(influence @ influence)
    size = spread / variance if spread > 0 and variance > 0 else n_clusters
    return PairedTable(*(count * size / table.size for count in table))
