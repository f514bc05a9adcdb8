"""Tests of the areas of learners: corrected resampled t, signed ranks, Friedman's mean ranks."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.tolerances import SAME

# Differences of areas that are equal on paper differ by rounding. Rounded to the digits of SAME
# they tie, as ranks require.
_DIGITS = 12


def corrected_se(differences: FloatArray, n_train: float, n_test: float) -> float:
    """Return the standard error of a mean over resampled folds (Nadeau & Bengio 2003)."""
    # sqrt((1/K + n_test/n_train) s^2): 1/K alone would take the folds as independent, though their
    # training sets overlap (docs/methods/learners.md, "Overlapping training sets").
    spread = float(np.var(differences, ddof=1))
    if spread <= SAME**2:
        return 0.0
    return float(np.sqrt((1 / len(differences) + n_test / n_train) * spread))


def signed_ranks(differences: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return mid-ranks and signs of the nonzero differences, zeros ranked and left out (Pratt)."""
    from scipy.stats import rankdata

    rounded = np.where(np.abs(differences) < SAME, 0.0, np.round(differences, _DIGITS))
    ranks, signs = rankdata(np.abs(rounded)), np.sign(rounded).astype(np.intp)
    return ranks[signs != 0], signs[signs != 0]


def signed_rank_p_value(differences: FloatArray, alternative: Alternative) -> float:
    """Return the exact p value of the signed rank sum with ties and zeros (Pratt).

    Under the null hypothesis each sign has probability 1/2; two-sided is twice the smaller tail.
    """
    # Doubled mid-ranks are whole, so that the distribution is an array over sums.
    ranks, signs = signed_ranks(differences)
    doubled = np.round(2 * ranks).astype(np.intp)
    mass = _sums(doubled)
    observed = int(doubled[signs > 0].sum())
    upper, lower = float(mass[observed:].sum()), float(mass[: observed + 1].sum())
    p = {"greater": upper, "less": lower, "two-sided": 2 * min(upper, lower)}[alternative]
    return min(1.0, p)


def walsh_interval(
    differences: FloatArray, confidence_level: float, alternative: Alternative
) -> tuple[float, float, float]:
    """Return the median of all pairwise means (Hodges & Lehmann) and its limits.

    The limits invert the signed rank test without ties; they are infinite where no rank sum
    reaches the level.
    """
    # The rank sum is the number of positive pairwise means (Walsh averages; Tukey): limits are
    # order statistics of these.
    n = len(differences)
    first, second = np.triu_indices(n)
    means = np.sort((differences[first] + differences[second]) / 2)
    tail = (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
    below = np.cumsum(_sums(np.arange(1, n + 1)))
    cut = int(np.count_nonzero(below <= tail + SAME))
    low, high = (means[cut - 1], means[-cut]) if cut else (-np.inf, np.inf)
    low = -np.inf if alternative == "less" else float(low)
    high = np.inf if alternative == "greater" else float(high)
    return float(np.median(means)), low, high


def _sums(weights: IntArray) -> FloatArray:
    """Return the distribution of a sum that has each weight with probability 1/2."""
    # Halved at every step: counts of subsets would pass 2^53 with more than 53 weights.
    mass = np.zeros(int(weights.sum()) + 1)
    mass[0], reached = 1.0, 0
    for weight in weights.tolist():
        reached += weight
        mass[weight : reached + 1] += mass[: reached + 1 - weight].copy()
        mass[: reached + 1] /= 2
    return mass


def friedman(areas: FloatArray) -> tuple[float, float, float]:
    """Return Friedman's chi-square of n x k areas, corrected for ties, its df and p value."""
    ranks = mean_rank_table(areas)
    n, k = areas.shape
    spread = float(np.sum((ranks - (k + 1) / 2) ** 2)) / (n * (k - 1))
    # Friedman 1937; dividing by the spread of the mid-ranks corrects for ties.
    if spread == 0:
        return 0.0, k - 1.0, 1.0
    statistic = n * float(np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)) / spread
    return statistic, k - 1.0, float(sp.chdtrc(k - 1, statistic))


def mean_rank_table(areas: FloatArray) -> FloatArray:
    """Return the rank of each learner in each row, the largest area having rank 1."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-np.round(areas, _DIGITS), axis=1))
