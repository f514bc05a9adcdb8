"""The calls of two classifiers, tabulated: shares and paired tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocstats.curves.points.roc import called_positive
from rocstats.sample.arrays import BoolArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.comparison.paired_shares import (
    Cases,
    Share,
    ShareDifference,
    ShareName,
    shares_of,
    weighted_score,
)
from rocstats.stats.comparison.paired_table import PairedTable

_KINDS = np.arange(8)  # bits: positive (4), called by the first (2), by the second (1)


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
    """Return the calls of predictor ``k`` at a threshold; none beyond every score."""
    score, higher = sample.scores[k], sample.higher_is_positive[k]
    called = called_positive(score, threshold, higher_is_positive=higher)
    weight = sample.frequency
    cluster = None if sample.cluster is None else sample.cluster.codes
    cases = Cases(sample.is_positive, np.ones(len(score)) if weight is None else weight, cluster)
    return Calls(cases, called)


def tabulated(first: Calls, second: Calls) -> tuple[Calls, Calls]:
    """Return the calls by the eight kinds of cases, with their counts; with clusters, by case."""
    cases = first.cases
    if cases.cluster is not None:
        return first, second
    # Sums over eight counts cost nothing; a cluster must keep its own cases together.
    kind = 4 * cases.is_positive.astype(np.uint8) + 2 * first.called + second.called
    counts = np.bincount(kind, weights=cases.weight, minlength=8).astype(np.float64)
    counted = Cases(_KINDS >= 4, counts, None)
    return Calls(counted, _KINDS % 4 >= 2), Calls(counted, _KINDS % 2 == 1)


def paired_table(first: Calls, second: Calls, *, among: BoolArray, event: bool) -> PairedTable:
    """Return the 2x2 table of the calls of two classifiers in a class."""
    a, b = first.called[among] == event, second.called[among] == event
    weight = first.cases.weight[among]
    cells = (a & b, a & ~b, ~a & b, ~a & ~b)
    return PairedTable(*(float(weight[cell].sum()) for cell in cells))


def predictive_score(
    first: Calls, second: Calls, difference: ShareDifference, *, event: bool
) -> float:
    """Return the z of Kosinski's (2013) test that two predictive values are equal."""
    both = (first.called == event) & (second.called == event)
    right = both & (first.cases.is_positive == event)
    weight = first.cases.weight
    n_right, n_both = float(weight[right].sum()), float(weight[both].sum())
    return weighted_score(difference.first, difference.second, n_right, n_both)
