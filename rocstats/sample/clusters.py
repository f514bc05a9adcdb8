"""Which clusters hold a case of which class, how many do, and whether they span folds."""

from __future__ import annotations

import numpy as np

from rocstats.sample.sample import Sample
from rocstats.sample.vectors import BoolArray, Factor, IntArray


def clusters_by_class(sample: Sample) -> IntArray:
    """Return the number of each row's cluster, the clusters of positives after all others.

    A cluster with both classes has two numbers. The sample has clusters.
    """
    cluster: Factor = sample.cluster  # type: ignore[assignment]
    codes = np.multiply(sample.is_positive, len(cluster.labels), dtype=np.intp)
    codes += cluster.codes
    return codes


def clusters_present(sample: Sample) -> BoolArray:
    """Return which clusters (columns) have a negative, and a positive (rows); kept once counted."""
    if "clusters present" not in sample._cache:
        n_labels = len(sample.cluster.labels)  # type: ignore[union-attr]
        present = np.zeros(2 * n_labels, dtype=bool)
        present[clusters_by_class(sample)] = True
        sample._cache["clusters present"] = present.reshape(2, n_labels)
    return sample._cache["clusters present"]  # type: ignore[no-any-return]


def cluster_numbers(sample: Sample) -> tuple[int, int, int]:
    """Return how many clusters have a positive, have a negative, and there are."""
    has_neg, has_pos = clusters_present(sample)
    n_pos, n_neg, n = (np.count_nonzero(has) for has in (has_pos, has_neg, has_neg | has_pos))
    return int(n_pos), int(n_neg), int(n)


def clusters_span_folds(sample: Sample) -> bool:
    """Return whether a cluster has rows in several folds; False without clusters or folds."""
    if sample.cluster is None or sample.fold is None:
        return False
    pairs = np.unique(np.stack([sample.cluster.codes, sample.fold.codes]), axis=1)
    return bool(pairs.shape[1] > len(sample.cluster.present))
