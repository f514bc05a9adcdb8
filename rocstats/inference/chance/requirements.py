"""Requirements of tests against chance: a number of candidates, and clusters to shuffle."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError, require_whole
from rocstats.sample.counts.cases import ScoredCases


def require_candidates(n_candidates: Any) -> int:
    """Return ``n_candidates`` as int; raise InputError unless it is a whole number >= 1."""
    return require_whole("n_candidates", n_candidates, 1, "Pass how many predictors were tried.")


def require_shuffled_clusters(cases: ScoredCases) -> None:
    """Raise InputError unless each cluster lies in one class and one fold."""
    if cases.cluster is None:
        return
    # A shuffle moves whole clusters: a cluster with cases of both classes has no label to move, and
    # a cluster in two folds would tie their shuffles.
    of_class = cases.is_positive.astype(np.intp)
    of_fold = np.zeros(len(of_class), np.intp) if cases.fold is None else cases.fold.codes
    for codes, what in ((of_class, "class"), (of_fold, "fold")):
        pairs = np.unique(np.column_stack([cases.cluster.codes, codes]), axis=0)
        twice = np.flatnonzero(np.diff(pairs[:, 0]) == 0)
        if len(twice):
            label = cases.cluster.labels[int(pairs[twice[0], 0])]
            raise InputError(
                f"`cluster` must lie in one {what} for labels to be shuffled by cluster; got"
                f" cluster {label!r} in two. Use method='brunner-munzel', which needs no shuffling."
            )
