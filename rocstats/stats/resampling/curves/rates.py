"""Engine E3: bootstrap curves at fixed FPRs, and the exact variance of their rates.

Curves are read as steps: the TPR at FPR f is the share of positives above the (floor(f n) + 1)-th
largest negative, the highest that a threshold with at most f n false positives attains. Exact for
this reading. Where the segments of ties are read by interpolation, use engine E1 or E2.
"""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.resampling.streams import ResamplePlan, Streams
from rocstats.tolerances import WHOLE

# Shares are multiples of 1/m: what is left below this is rounding. As a mass, even 10^6 of them
# move a quantile's level by less than 1e-9.
_NEGLIGIBLE = 1e-15


def tpr_draws(counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples at increasing FPRs (E3).

    The cost is independent of n: the resampled thresholds are order statistics of n uniform
    indices; given them, positives fall between thresholds as a multinomial.
    """
    above, m, n = positives_above(counts), counts.total_pos, int(counts.total_neg)
    ranks = threshold_ranks(counts, fpr)
    inner = np.unique(ranks[ranks < n])  # rates with equal ranks share one order statistic
    of_pos, of_neg = plan.streams(1), plan.stream(0)
    draws = np.ones((plan.n_resamples, len(fpr)))
    if len(inner) == 0:
        return draws
    column = np.searchsorted(inner, ranks)
    for part in plan.chunks(len(inner) + 1):
        size = part.stop - part.start
        thresholds = _order_statistics(of_neg, inner, n, size)
        shares = np.diff(above[thresholds] / m, axis=1, prepend=0.0)
        tpr = np.cumsum(_sequential_binomials(of_pos, shares, int(m)), axis=1) / m
        kept = ranks < n
        draws[part][:, kept] = tpr[:, column[kept]]
    return draws


def exact_tpr_variance(counts: ScoreCounts, fpr: FloatArray) -> FloatArray:
    """Return the variance of the step-read bootstrap TPR at each FPR, infinitely many resamples.

    Given the index of the resampled threshold the TPR is Binomial(m, p)/m, with p the observed TPR
    there. The variance is that of p over the index, plus the mean of p(1 - p)/m.
    """
    m, n = counts.total_pos, int(counts.total_neg)
    share = positives_above(counts) / m
    variance = np.zeros(len(fpr))
    for g, rank in enumerate(threshold_ranks(counts, fpr)):
        if rank < n:
            weight = threshold_weights(int(rank), n)
            mean = np.dot(weight, share)
            within = np.dot(weight, share * (1 - share)) / m
            # Squared deviations, as the mean square less the squared mean would cancel.
            variance[g] = np.dot(weight, (share - mean) ** 2) + within
    return variance


def threshold_weights(rank: int, n: int) -> FloatArray:
    """Return the distribution of the (rank + 1)-th smallest of n indices drawn from 0..n-1."""
    # P(index < i) is the Beta(rank + 1, n - rank) distribution function at i/n. Its tails beyond 12
    # deviations (normal) and 45 places (exponential, at the ends) are below 1e-16: left at 0.
    share = (rank + 1) / (n + 1)
    reach = 12 * np.sqrt(n * share * (1 - share)) + 45
    first = max(0, int(n * share - reach))
    last = min(n, int(n * share + reach) + 1)
    upper = sp.betainc(rank + 1, n - rank, np.arange(first, last + 1) / n)
    weights = np.zeros(n)
    weights[first:last] = np.diff(upper)
    return weights


def positives_above(counts: ScoreCounts) -> FloatArray:
    """Return the number of positives above each negative, from the highest negative down."""
    strictly_above = np.cumsum(counts.n_pos) - counts.n_pos
    return np.repeat(strictly_above, counts.n_neg.astype(np.intp))


def threshold_ranks(counts: ScoreCounts, fpr: FloatArray) -> IntArray:
    """Return the number of negatives that may be called positive at each rate."""
    # 0.29 * 100 is 29 less a rounding error.
    return np.floor(np.asarray(fpr) * counts.total_neg + WHOLE).astype(np.intp)


def _order_statistics(rng: np.random.Generator, ranks: IntArray, n: int, size: int) -> IntArray:
    """Return size x g indices: jointly the (rank + 1)-th smallest of n draws from 0..n-1."""
    # Uniform spacings are ratios of exponentials, and sums of these are Gamma variables (Devroye
    # 1986, chapter V): a draw a rank, not one a negative.
    steps = np.diff(ranks + 1, prepend=0)
    gammas = rng.standard_gamma(np.append(steps, n - ranks[-1]), size=(size, len(ranks) + 1))
    cumulative = np.cumsum(gammas, axis=1)
    uniform = cumulative[:, :-1] / cumulative[:, -1:]
    return np.minimum((n * uniform).astype(np.intp), n - 1)  # a ratio may round to 1


def _sequential_binomials(streams: Streams, shares: FloatArray, m: int) -> IntArray:
    """Return size x g multinomial counts of m draws over cells with these shares."""
    # Shares differ by row: as a chain of binomials, all rows take one call a cell, from its stream.
    counts = np.empty(shares.shape, dtype=np.intp)
    left = np.full(len(shares), m)
    remaining = np.ones(len(shares))
    for g in range(shares.shape[1]):
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = np.where(remaining > _NEGLIGIBLE, shares[:, g] / remaining, 0.0)
        counts[:, g] = streams[g].binomial(left, np.clip(chance, 0.0, 1.0))
        left = left - counts[:, g]
        remaining = remaining - shares[:, g]
    return counts
