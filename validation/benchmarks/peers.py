"""The same work done by others. A peer that is not installed has a row that says so."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from io import StringIO
from typing import Any

import numpy as np
import scipy
from scipy import stats

from validation.benchmarks.data import Floats, Labels
from validation.benchmarks.results import Contender
from validation.benchmarks.timing import Task

SCIPY = f"scipy {scipy.__version__}"
_RANKED_AT_ONCE = 2**18


def peer(what: str, package: str, make: Callable[[Any], Task], work: float = 1.0) -> Contender:
    """Return a contender whose task is made of a package, if the package is there."""
    if find_spec(package) is None:
        return Contender(what, None, work, package)
    distribution = packages_distributions()[package][0]
    task = make(importlib.import_module(package))
    return Contender(what, task, work, f"{distribution} {version(distribution)}")


def bootstrap_peers(y: Labels, scores: Floats, n_resamples: int) -> list[Contender]:
    """Return others' bootstrap of an area, by so many resamples."""

    def of_pauc(pauc: Any) -> Task:
        roc = pauc.ROC(y, scores)
        return lambda: pauc.ci_auc(roc, method="bootstrap", n_boot=n_resamples)

    def of_scipy() -> object:
        return _scipy_bootstrap(scores[y == 1], scores[y == 0], n_resamples)

    def of_mlstatkit(mlstatkit: Any) -> Task:
        return lambda: _mlstatkit_bootstrap(mlstatkit, y, scores, n_resamples)

    def of_sklearn(_: Any) -> Task:
        return lambda: _sklearn_loop(y, scores, n_resamples)

    return [
        Contender("scipy.stats.bootstrap of rankdata", of_scipy, n_resamples, SCIPY),
        peer("pauc ci_auc, bootstrap", "pauc", of_pauc, n_resamples),
        peer("loop of sklearn roc_auc_score", "sklearn", of_sklearn, n_resamples),
        peer("MLstatkit Bootstrapping", "MLstatkit", of_mlstatkit, n_resamples),
    ]


def curve_peers(y: Labels, scores: Floats, fpr: Floats, n_resamples: int) -> list[Contender]:
    """Return others' resampled curves, read at false positive rates."""

    def of_pauc(pauc: Any) -> Task:
        roc = pauc.ROC(y, scores)
        return lambda: pauc.ci_sensitivity(roc, 1 - fpr, n_boot=n_resamples)

    return [peer("pauc ci_sensitivity", "pauc", of_pauc, n_resamples)]


def permutation_peers(
    y: Labels, first: Floats, second: Floats, n_resamples: int
) -> list[Contender]:
    """Return others' paired permutation tests of two predictors."""

    def curves(pauc: Any) -> Task:
        one, other = pauc.ROC(y, first), pauc.ROC(y, second)
        return lambda: pauc.venkatraman_test(one, other, n_perm=n_resamples)

    def areas(mlstatkit: Any) -> Task:
        return lambda: _mlstatkit_permutation(mlstatkit, y, first, second, n_resamples)

    return [
        peer("MLstatkit Permutation_test", "MLstatkit", areas, n_resamples),
        peer("pauc venkatraman_test (another statistic)", "pauc", curves, n_resamples),
    ]


def _sklearn_loop(y: Labels, scores: Floats, n_resamples: int) -> Floats:
    from sklearn import metrics

    rng = np.random.default_rng(1)
    areas = np.empty(n_resamples)
    for b in range(n_resamples):
        rows = rng.integers(0, len(y), len(y))
        areas[b] = metrics.roc_auc_score(y[rows], scores[rows])
    return areas


def _scipy_bootstrap(pos: Floats, neg: Floats, n_resamples: int) -> object:
    m, n = len(pos), len(neg)

    def statistic(x: Floats, z: Floats, axis: int) -> Floats:
        ranks = stats.rankdata(np.concatenate([x, z], axis=axis), axis=axis)
        rank_sum = ranks[..., :m].sum(axis=axis)
        return np.asarray((rank_sum - m * (m + 1) / 2) / (m * n))

    return stats.bootstrap(
        (pos, neg),
        statistic,
        n_resamples=n_resamples,
        batch=max(1, _RANKED_AT_ONCE // (m + n)),
        vectorized=True,
        method="percentile",
    )


def _mlstatkit_bootstrap(
    mlstatkit: Any, y: Labels, scores: Floats, n_resamples: int
) -> tuple[float, float, float]:
    with redirect_stderr(StringIO()):  # its progress bar
        found: tuple[float, float, float] = mlstatkit.Bootstrapping(
            y, scores, "roc_auc", n_bootstraps=n_resamples
        )
    return found


def _mlstatkit_permutation(
    mlstatkit: Any, y: Labels, first: Floats, second: Floats, n_resamples: int
) -> tuple[float, ...]:
    with redirect_stderr(StringIO()):
        found: tuple[float, ...] = mlstatkit.Permutation_test(
            y, first, second, "roc_auc", n_bootstraps=n_resamples
        )
    return found
