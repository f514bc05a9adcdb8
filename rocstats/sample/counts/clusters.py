"""Which clusters hold a case of which class, how many do, and whether they stay inside folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.sample.arrays import BoolArray, Factor, IntArray
from rocstats.sample.counts.cases import ScoredCases


def clusters_by_class(cases: ScoredCases) -> IntArray:
    """Return the number of each row's cluster, the clusters of positives after all others.

    A cluster with both classes has two numbers. The sample has clusters.
    """
    cluster: Factor = cases.cluster  # type: ignore[assignment]
    codes = np.multiply(cases.is_positive, len(cluster.labels), dtype=np.intp)
    codes += cluster.codes
    return codes


def clusters_present(cases: ScoredCases) -> BoolArray:
    """Return which clusters (columns) have a negative, and a positive (rows); kept once counted."""
    if "clusters present" not in cases._cache:
        n_labels = len(cases.cluster.labels)  # type: ignore[union-attr]
        present = np.zeros(2 * n_labels, dtype=bool)
        present[clusters_by_class(cases)] = True
        cases._cache["clusters present"] = present.reshape(2, n_labels)
    return cases._cache["clusters present"]  # type: ignore[no-any-return]


def cluster_numbers(cases: ScoredCases) -> tuple[int, int, int]:
    """Return how many clusters have a positive, have a negative, and there are."""
    has_neg, has_pos = clusters_present(cases)
    n_pos, n_neg, n = (np.count_nonzero(has) for has in (has_pos, has_neg, has_neg | has_pos))
    return int(n_pos), int(n_neg), int(n)


def clusters_span_folds(cases: ScoredCases) -> bool:
    """Return whether a cluster has rows in several folds; False without clusters or folds."""
    if cases.cluster is None or cases.fold is None:
        return False
    pairs = np.unique(np.stack([cases.cluster.codes, cases.fold.codes]), axis=1)
    return bool(pairs.shape[1] > len(cases.cluster.present))


def clusters_span(parts: Sequence[ScoredCases]) -> bool:
    """Return whether a cluster has cases in several of the parts of a sample."""
    present = [part.cluster.present for part in parts if part.cluster is not None]
    together = np.concatenate(present) if present else np.empty(0)
    return len(np.unique(together)) < len(together)
