"""Which rows the comparison of two operating points has, for the same cases and for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.paired_shares import (
    RATIOS,
    SHARES,
    Cases,
    Share,
    ShareDifference,
    ShareName,
    ratio,
    shares_of,
    weighted_score,
)
from rocstats.stats.comparison.paired_table import PairedTable, PairedTest
from rocstats.stats.comparison.point_tests import (
    PairedInterval,
    PointComparison,
    ResampledRate,
    both_rates,
    both_shares,
    is_plain,
    paired_rate,
    predictive_difference,
    ratio_row,
    resampled_difference,
    share_difference,
    unpaired_share,
)
from rocstats.stats.resampling.curves.fixed_fpr import fixed_fpr_draws, tpr_at_fpr

PREDICTIVE_VALUES: dict[ShareName, bool] = {"ppv": True, "npv": False}
RATES: tuple[ShareName, ShareName] = ("tpr", "tnr")
_KINDS = np.arange(8)
Rows = dict[str, PointComparison]
"""The numbers of each quantity, in order of print."""


@dataclass(frozen=True)
class PointChoice:
    """The test and the interval of independent cases."""

    test: PairedTest
    interval: PairedInterval


@dataclass(frozen=True, eq=False)
class Calls:
    """Cases, and which of them a classifier calls positive."""

    cases: Cases
    called: BoolArray

    @cached_property
    def shares(self) -> dict[ShareName, Share]:
        """Rates and predictive values."""
        return shares_of(self.cases, self.called)


def calls_of(sample: ScoredCases, k: int, threshold: float) -> Calls:
    """Return the calls of predictor ``k`` at a threshold; beyond every score nobody is called."""
    score, higher = sample.scores[k], sample.higher_is_positive[k]
    called = score >= threshold if higher else score <= threshold
    if threshold == (np.inf if higher else -np.inf):
        called = np.zeros(len(score), dtype=bool)
    weight = sample.frequency
    cluster = None if sample.cluster is None else sample.cluster.codes
    cases = Cases(sample.is_positive, np.ones(len(score)) if weight is None else weight, cluster)
    return Calls(cases, called)


def quantities(asked: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair: with a margin, rates alone."""
    if not is_plain(asked):
        return RATES
    both = ("both_rates",) if asked.alternative == "two-sided" else ()
    return (*RATES, *both, *PREDICTIVE_VALUES, *(f"{name}_ratio" for name in RATIOS))


def paired_rows(first: Calls, second: Calls, choice: PointChoice, asked: HypothesisPlan) -> Rows:
    """Return the rows of two classifiers on the same cases."""
    first, second = tabulated(first, second)
    apart = _differences(first, second, paired=True)
    if first.cases.cluster is not None:
        rows: Rows = {
            name: share_difference(apart[name], asked, "cluster-influence/wilson-mover")
            for name in SHARES
        }
        both = both_shares([apart[name] for name in RATES])
    else:
        positive = first.cases.is_positive
        tables: dict[ShareName, PairedTable] = {
            "tpr": _table(first, second, among=positive, event=True),
            "tnr": _table(first, second, among=~positive, event=False),
        }
        rows = {
            name: paired_rate(table, choice.test, choice.interval, asked)
            for name, table in tables.items()
        }
        both = both_rates([rows[name] for name in RATES])
        for name, event in PREDICTIVE_VALUES.items():
            rows[name] = _predictive(first, second, apart[name], event=event, asked=asked)
    return _chosen(
        {**rows, "both_rates": both, **_ratios(first, second, asked, paired=True)}, asked
    )


def unpaired_rows(first: Calls, second: Calls, choice: PointChoice, asked: HypothesisPlan) -> Rows:
    """Return the rows of one classifier on two groups of cases."""
    (first, _), (second, _) = tabulated(first, first), tabulated(second, second)
    apart = _differences(first, second, paired=False)
    if first.cases.cluster is not None:
        rows: Rows = {
            name: share_difference(apart[name], asked, "cluster-influence/wilson-mover")
            for name in SHARES
        }
        both = both_shares([apart[name] for name in RATES])
    else:
        rows = {name: unpaired_share(apart[name], choice.test, asked) for name in SHARES}
        both = both_rates([rows[name] for name in RATES])
    ratios = _ratios(first, second, asked, paired=False)
    return _chosen({**rows, "both_rates": both, **ratios}, asked)


def tabulated(first: Calls, second: Calls) -> tuple[Calls, Calls]:
    """Return the calls on the eight kinds of cases there are; with clusters, case by case."""
    cases = first.cases
    if cases.cluster is not None:
        return first, second
    kind = 4 * cases.is_positive.astype(np.uint8) + 2 * first.called + second.called
    counts = np.bincount(kind, weights=cases.weight, minlength=8).astype(np.float64)
    counted = Cases(_KINDS >= 4, counts, None)
    return Calls(counted, _KINDS % 4 >= 2), Calls(counted, _KINDS % 2 == 1)


def _chosen(rows: Rows, asked: HypothesisPlan) -> Rows:
    return {name: rows[name] for name in quantities(asked)}


def _differences(first: Calls, second: Calls, *, paired: bool) -> dict[ShareName, ShareDifference]:
    return {
        name: ShareDifference(first.shares[name], second.shares[name], paired) for name in SHARES
    }


def _ratios(first: Calls, second: Calls, asked: HypothesisPlan, *, paired: bool) -> Rows:
    method = "influence/log" if first.cases.cluster is None else "cluster-influence/log"
    return {
        f"{name}_ratio": ratio_row(
            ratio(name, first.shares, second.shares, paired=paired), asked, method
        )
        for name in RATIOS
    }


def _table(first: Calls, second: Calls, *, among: BoolArray, event: bool) -> PairedTable:
    """Return how many cases of a class both, the first, the second, or neither calls so."""
    a, b = first.called[among] == event, second.called[among] == event
    weight = first.cases.weight[among]
    cells = (a & b, a & ~b, ~a & b, ~a & ~b)
    return PairedTable(*(float(weight[cell].sum()) for cell in cells))


def _predictive(
    first: Calls,
    second: Calls,
    difference: ShareDifference,
    *,
    event: bool,
    asked: HypothesisPlan,
) -> PointComparison:
    """Return the difference of a predictive value with Kosinski's test."""
    both = (first.called == event) & (second.called == event)
    right = both & (first.cases.is_positive == event)
    weight = first.cases.weight
    n_right, n_both = float(weight[right].sum()), float(weight[both].sum())
    score = weighted_score(difference.first, difference.second, n_right, n_both)
    return predictive_difference(difference, score, asked)


@dataclass(frozen=True, eq=False)
class RatesAtFpr:
    """TPRs of k predictors at g false positive rates with their resamples (k, g, resamples)."""

    value: FloatArray
    draws: FloatArray
    n_pos: float
    n_units: float
    n_redrawn: int

    def rate(self, k: int, place: int) -> ResampledRate:
        """Return one rate; where resamples do not vary, a cluster counts once."""
        draws = self.draws[k, place]
        size = self.n_pos if np.ptp(draws) > 0 else self.n_units
        return ResampledRate(float(self.value[k, place]), draws, size)


def rates_at_fpr(
    sample: ScoredCases, fpr: FloatArray, n_resamples: int, seed: tuple[int, ...], *, progress: bool
) -> RatesAtFpr:
    """Return the TPRs of all predictors of a sample at false positive rates."""
    everyone = range(sample.n_predictors)
    drawn = fixed_fpr_draws(sample, everyone, fpr, n_resamples, seed, progress=progress)
    n_units = sample.n_pos if sample.cluster is None else float(cluster_numbers(sample)[0])
    value = tpr_at_fpr(sample, everyone, fpr)
    return RatesAtFpr(value, drawn.tpr, sample.n_pos, n_units, drawn.n_redrawn)


def resampled_rows(
    first: RatesAtFpr, second: RatesAtFpr, k: Sequence[int], asked: HypothesisPlan, *, paired: bool
) -> list[PointComparison]:
    """Return the difference of predictors ``k`` (of first and second) at each rate."""
    return [
        resampled_difference(
            first.rate(k[0], place), second.rate(k[1], place), asked, paired=paired
        )
        for place in range(first.value.shape[1])
    ]
