"""Numbers of independent units behind an area, and the variance below which it has none."""

from __future__ import annotations

from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.tolerances import NO_VARIANCE


def units_of(cases: ScoredCases) -> tuple[float, float, float]:
    """Return the numbers of independent positives, negatives and disjoint pairs."""
    if cases.cluster is None:
        return cases.n_pos, cases.n_neg, min(cases.n_pos, cases.n_neg)
    i10, i01, i = cluster_numbers(cases)
    # A pair takes two clusters, one with a positive and another with a negative.
    pairs = min(i10, i01, i // 2)
    return float(i10), float(i01), float(pairs)


def cleared(variance: float) -> float:
    """Return a variance, set to 0 where only rounding makes it more."""
    return 0.0 if variance <= NO_VARIANCE else variance
