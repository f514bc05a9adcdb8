"""What the package has no closed form for, by other means: mixtures, enumeration, brute force.

Nothing here uses the engines, or the code that they rest on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import factorial

import numpy as np
import scipy.special as sp

import rocstats as rs
from rocstats.facts.arrays import BoolArray, FloatArray
from validation.engines.cells import kernel_of

_PART = 20_000


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation of an area, and the share of resamples that lack a class.

    ``replicates`` says how many resamples they were estimated from; 0: they are exact.
    """

    mean: float
    sd: float
    lacking: float
    replicates: int = 0


def unstratified(kernel: FloatArray) -> Moments:
    """Return the exact moments when all cases are resampled together, both classes present.

    Given the number of positives drawn both classes are resampled apart: the variance is a mean of
    that of the stratified bootstrap over a binomial, cut off at both ends.
    """
    m, n = kernel.shape
    total = m + n
    drawn = np.arange(1, total)
    log_mass = sp.gammaln(total + 1) - sp.gammaln(drawn + 1) - sp.gammaln(total - drawn + 1)
    mass = np.exp(log_mass + sp.xlogy(drawn, m / total) + sp.xlogy(total - drawn, n / total))
    theta = kernel.mean()
    pair = np.mean(kernel**2) - theta**2
    row, column = np.var(kernel.mean(axis=1)), np.var(kernel.mean(axis=0))
    given = (pair + (total - drawn - 1) * row + (drawn - 1) * column) / (drawn * (total - drawn))
    kept = mass.sum()
    return Moments(float(theta), float(np.sqrt(mass @ given / kept)), float(1 - kept))


def step_tpr_law(study: rs.Study, fpr: float) -> tuple[FloatArray, FloatArray]:
    """Return the law of the step-read bootstrap TPR at an FPR: values k/m and probabilities.

    The threshold is the (floor(f n) + 1)-th largest of n negatives drawn: it is the j-th largest
    observed one with a probability that is a difference of binomial tails.
    """
    pos, neg = (study.scores[0][mask] for mask in (study.is_positive, ~study.is_positive))
    m, n = len(pos), len(neg)
    rank = int(np.floor(fpr * n + 1e-9))
    # P(at least rank + 1 draws among the j largest)
    at_most = 1 - sp.bdtr(rank, n, np.arange(1, n + 1) / n)
    weight = np.diff(at_most, prepend=0.0)
    above = np.array([np.sum(pos > value) for value in np.sort(neg)[::-1]])
    counts = np.arange(m + 1)
    mass = np.zeros(m + 1)
    for share in np.unique(above):
        p = share / m
        log_mass = sp.gammaln(m + 1) - sp.gammaln(counts + 1) - sp.gammaln(m - counts + 1)
        binomial = np.exp(log_mass + sp.xlogy(counts, p) + sp.xlog1py(m - counts, -p))
        mass += weight[above == share].sum() * binomial
    return counts / m, mass / mass.sum()


def enumerated_clusters(study: rs.Study) -> Moments:
    """Return the exact moments over all resamples of a few clusters."""
    pairs, pos, neg = _by_cluster(study)
    c = len(pos)
    every = list(combinations_with_replacement(range(c), c))
    weights = np.array([np.bincount(drawn, minlength=c) for drawn in every], dtype=np.float64)
    mass = np.array([factorial(c) / np.prod(sp.factorial(row)) / c**c for row in weights])
    areas, valid = _areas(weights, pairs, pos, neg)
    kept = mass[valid]
    mean = float(kept @ areas / kept.sum())
    variance = float(kept @ (areas - mean) ** 2 / kept.sum())
    return Moments(mean, float(np.sqrt(variance)), float(1 - kept.sum()))


def brute_clusters(study: rs.Study, replicates: int, seed: tuple[int, ...]) -> Moments:
    """Return the moments by resampling clusters over sums of the kernel."""
    pairs, pos, neg = _by_cluster(study)
    c = len(pos)
    rng = np.random.default_rng(seed)
    found, n_valid = [], 0
    for start in range(0, replicates, _PART):
        drawn = rng.multinomial(c, np.full(c, 1 / c), size=min(_PART, replicates - start))
        areas, valid = _areas(drawn.astype(np.float64), pairs, pos, neg)
        found.append(areas)
        n_valid += int(valid.sum())
    every = np.concatenate(found)
    return Moments(
        float(every.mean()), float(every.std()), 1 - n_valid / replicates, replicates=replicates
    )


def _by_cluster(study: rs.Study) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return sums of the kernel by pair of clusters, and the sizes of the classes by cluster."""
    assert study.cluster is not None
    codes = study.cluster.codes
    member = np.eye(len(study.cluster.labels))[codes]
    of_pos, of_neg = member[study.is_positive], member[~study.is_positive]
    return of_pos.T @ kernel_of(study) @ of_neg, of_pos.sum(axis=0), of_neg.sum(axis=0)


def _areas(
    weights: FloatArray, pairs: FloatArray, pos: FloatArray, neg: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Return the areas of weighted clusters, those without a class left out."""
    size = (weights @ pos) * (weights @ neg)
    valid = size > 0
    kept = weights[valid]
    return np.asarray(np.einsum("ij,ij->i", kept @ pairs, kept) / size[valid]), valid


def enumerated_swaps(is_positive: BoolArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Return Venkatraman's statistic for every way to swap the values of cases, none tied.

    The first way swaps nothing.
    """
    swaps = np.array(list(product([False, True], repeat=len(first))))
    errors = []
    for values in (np.where(swaps, second, first), np.where(swaps, first, second)):
        positive = is_positive[np.argsort(values, axis=1)]
        below, passed = np.cumsum(positive, axis=1), np.cumsum(~positive, axis=1)
        # Errors at a cut: positives below it and negatives above it.
        errors.append(below + (~is_positive).sum() - passed)
    return np.asarray(np.abs(errors[0] - errors[1]).sum(axis=1), dtype=np.float64)
