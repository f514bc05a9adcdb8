"""How many clusters hold each class, and whether they stay inside folds."""

from __future__ import annotations

import numpy as np

from rocstats.sample.sample import Sample


def cluster_numbers(sample: Sample) -> tuple[int, int, int]:
    """Return how many clusters have a positive, have a negative, and there are; kept once counted.

    The sample has clusters.
    """
    kept = sample._cache.get("cluster numbers")
    if kept is None:
        codes, n = sample.cluster.codes, len(sample.cluster.labels)  # type: ignore[union-attr]
        both = np.bincount(2 * codes + sample.is_positive, minlength=2 * n).reshape(n, 2)
        numbers = (both[:, 1], both[:, 0], both.sum(axis=1))
        kept = tuple(int(np.count_nonzero(of)) for of in numbers)
        sample._cache["cluster numbers"] = kept
    return kept


def clusters_span_folds(sample: Sample) -> bool:
    """Return whether a cluster has rows in several folds; False without clusters or folds."""
    if sample.cluster is None or sample.fold is None:
        return False
    pairs = np.unique(np.stack([sample.cluster.codes, sample.fold.codes]), axis=1)
    return bool(pairs.shape[1] > len(sample.cluster.present))
