"""Numbers of independent units behind an area."""

from __future__ import annotations

from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers


def units_of(cases: ScoredCases) -> tuple[float, float, float]:
    """Return the numbers of independent positives, negatives and disjoint pairs."""
    if cases.cluster is None:
        return cases.n_pos, cases.n_neg, min(cases.n_pos, cases.n_neg)
    i10, i01, i = cluster_numbers(cases)
    # A pair takes two clusters, one with a positive and another with a negative.
    pairs = min(i10, i01, i // 2)
    return float(i10), float(i01), float(pairs)
