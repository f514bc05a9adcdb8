"""Clusters by class: their numbers, and whether a cluster has cases in several folds or parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocstats.facts.arrays import BoolArray, Factor, IntArray
from rocstats.study.cases import ScoredCases
from rocstats.study.summed import SummedCases


def clusters_by_class(cases: ScoredCases) -> IntArray:
    """Return the code of each row's cluster, plus the number of clusters if the row is positive.

    The sample must have clusters.
    """
    # A cluster with both classes has two codes, so that one count gives clusters by class.
    cluster: Factor = cases.cluster  # type: ignore[assignment]
    codes = np.multiply(cases.is_positive, len(cluster.labels), dtype=np.intp)
    codes += cluster.codes
    return codes


def clusters_present(cases: ScoredCases) -> BoolArray:
    """Return whether each cluster (column) has a negative (row 0), and a positive (row 1)."""
    if "clusters present" not in cases._cache:
        n_labels = len(cases.cluster.labels)  # type: ignore[union-attr]
        present = np.zeros(2 * n_labels, dtype=bool)
        present[clusters_by_class(cases)] = True
        cases._cache["clusters present"] = present.reshape(2, n_labels)
    return cases._cache["clusters present"]  # type: ignore[no-any-return]


def cluster_numbers(cases: ScoredCases) -> tuple[int, int, int]:
    """Return the numbers of clusters with a positive, with a negative, and of all clusters."""
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return cases.sums.cluster_numbers()
    has_neg, has_pos = clusters_present(cases)
    n_pos, n_neg, n = (np.count_nonzero(has) for has in (has_pos, has_neg, has_neg | has_pos))
    return int(n_pos), int(n_neg), int(n)


def clusters_span_folds(cases: ScoredCases) -> bool:
    """Return whether a cluster has rows in several folds; False without clusters or folds."""
    if cases.cluster is None or cases.fold is None:
        return False
    # More pairs of cluster and fold than clusters: some cluster is in two folds.
    pairs = np.unique(np.stack([cases.cluster.codes, cases.fold.codes]), axis=1)
    return bool(pairs.shape[1] > len(cases.cluster.present))


def clusters_span(parts: Sequence[ScoredCases]) -> bool:
    """Return whether a cluster has cases in several of the parts of a sample."""
    present = [part.cluster.present for part in parts if part.cluster is not None]
    if len(present) < 2:
        return False
    together = np.concatenate(present)
    return len(np.unique(together)) < len(together)
