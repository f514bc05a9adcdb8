"""Hanley & McNeil (1983): the correlation of two areas from that of the scores in each class.

Their table of the correlation by (mean correlation, mean area) is replaced by its formula for
scores of bivariate normal distribution with equal variances,
r = (Phi2(q, q; rbar/2) - A^2) / (Phi2(q, q; 1/2) - A^2), q = Phi^-1(A), A the mean area.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, get_args

import numpy as np

from rocstats.curves.areas import area
from rocstats.estimate.area_variances import hanley_mcneil_exponential_variance
from rocstats.estimate.binormal import bivariate_normal_probability
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import TINY
from rocstats.study.cases import ScoredCases

# --- The covariance of areas of the same cases ----------------------------------------------------

Correlation = Literal["pearson", "kendall", "pearson-by-class", "kendall-by-class"]
CORRELATIONS: tuple[Correlation, ...] = get_args(Correlation)


def hanley_mcneil_covariance(
    cases: ScoredCases, correlation: Correlation | None
) -> tuple[FloatArray, FloatArray, bool]:
    """Return the areas, the matrix of r_ij se_i se_j, and whether all scores vary in each class.

    Standard errors are those of 1982 (exponential). A score that does not vary inside a class has
    no correlation there, and counts as uncorrelated. No ``correlation``: all are uncorrelated.
    Pearson correlations need finite scores.
    """
    everyone = range(cases.n_predictors)
    values = np.array([area(cases.counts(k)) for k in everyone])
    m, n = cases.n_pos, cases.n_neg
    se = np.sqrt([hanley_mcneil_exponential_variance(value, m, n) for value in values.tolist()])
    if correlation is None:
        return values, np.diag(se**2), True
    rank = correlation.startswith("kendall")
    pos, neg = (
        _score_correlations(cases, rows, rank=rank)
        for rows in (np.flatnonzero(cases.is_positive), np.flatnonzero(~cases.is_positive))
    )
    r = np.eye(len(values))
    for i, j in combinations(everyone, 2):
        mean = float(values[i] + values[j]) / 2
        if 0 < mean < 1:  # r is 0/0 at two perfect areas, which do not vary
            # A score that does not vary counts as uncorrelated: conservative if markers agree.
            within = float(np.nan_to_num(pos[i, j])), float(np.nan_to_num(neg[i, j]))
            by_class = correlation.endswith("by-class")
            r[i, j] = r[j, i] = hanley_mcneil_areas_correlation(
                mean, within, m, n, by_class=by_class
            )
    varying = not (np.isnan(pos).any() or np.isnan(neg).any())
    return values, r * np.outer(se, se), varying


def hanley_mcneil_areas_correlation(
    mean_area: float, within: tuple[float, float], n_pos: float, n_neg: float, *, by_class: bool
) -> float:
    """Return the correlation of two areas of mean ``mean_area``, strictly between 0 and 1.

    ``within`` are the correlations of the scores in positives and in negatives. ``by_class`` uses
    the correlation of each class, weighted by 1/n; else the mean of both, as in the printed table.
    """
    q = float(sp.ndtri(mean_area))
    # The kernels of two pairs that share one case correlate by r/2 (r/2 = 1/2: the same marker).
    correlations = np.array([*within, np.mean(within), 1.0]) / 2
    both = [float(bivariate_normal_probability(q, np.array(q), r)) for r in correlations]
    pos, neg, averaged, whole = np.array(both) - mean_area**2
    if not by_class:
        return float(averaged / whole)
    return float((pos / n_pos + neg / n_neg) / (whole * (1 / n_pos + 1 / n_neg)))


# --- Correlations of the scores in a class --------------------------------------------------------


def _score_correlations(cases: ScoredCases, rows: IntArray, *, rank: bool) -> FloatArray:
    """Return the k x k correlations of the scores in some rows, NaN where one does not vary."""
    k = cases.n_predictors
    weight = None if cases.frequency is None else cases.frequency[rows]
    if rank:
        codes = [cases.codes(i)[rows].astype(np.intp) for i in range(k)]
        correlations = np.eye(k)
        for i, j in combinations(range(k), 2):
            correlations[i, j] = correlations[j, i] = tau_b(codes[i], codes[j], weight)
        return correlations
    # Higher scores are more positive.
    sign = np.where(cases.higher_is_positive, 1.0, -1.0)
    return pearson(cases.scores[:, rows] * sign[:, np.newaxis], weight)


def pearson(scores: FloatArray, weight: FloatArray | None = None) -> FloatArray:
    """Return the correlations of rows of scores, NaN where a row does not vary."""
    # In units of the largest score nothing overflows.
    largest = np.abs(scores).max(axis=1, keepdims=True)
    scaled = scores / np.where(largest > 0, largest, 1.0)
    centred = scaled - np.average(scaled, axis=1, weights=weight)[:, np.newaxis]
    # Frequencies are weights of rows: a row of weight 3 is three cases.
    products = (centred if weight is None else centred * weight) @ centred.T
    varies = np.ptp(scaled if weight is None else scaled[:, weight > 0], axis=1) > 0
    size = np.where(varies, np.sqrt(np.diag(products)), np.nan)
    return np.asarray(np.clip(products / np.outer(size, size), -1.0, 1.0))


def tau_b(first: IntArray, second: IntArray, weight: FloatArray | None = None) -> float:
    """Return Kendall's tau-b of two codings of the same rows, NaN where one does not vary."""
    if weight is None:
        if np.ptp(first) == 0 or np.ptp(second) == 0:
            return float("nan")
        from scipy.stats import kendalltau

        return float(kendalltau(first, second).statistic)
    # kendalltau knows no frequencies: pairs of distinct cells instead of pairs of cases.
    cells, where = np.unique(np.stack([first, second]), axis=1, return_inverse=True)
    number = np.bincount(where.ravel(), weights=weight)
    concordance, first_differs, second_differs = 0.0, 0.0, 0.0
    for start in range(0, len(number), _TABLE_ROWS):
        block = slice(start, start + _TABLE_ROWS)
        a, b = (np.sign(row[block, np.newaxis] - row) for row in cells)
        pairs = np.outer(number[block], number)
        concordance += float(np.sum(pairs * a * b))
        first_differs += float(np.sum(pairs * np.abs(a)))
        second_differs += float(np.sum(pairs * np.abs(b)))
    if first_differs == 0 or second_differs == 0:
        return float("nan")
    return float(concordance / np.sqrt(first_differs * second_differs))


_TABLE_ROWS = 2**11  # rows of the table of pairs at a time: 2048 x 10^4 cells are 160 MB


# --- Classes that differ too much for the test ----------------------------------------------------


def unequal_spread(cases: ScoredCases, k: int) -> bool:
    """Return whether sizes or standard deviations of the classes differ by more than 1.5 to 1."""
    sizes = cases.n_pos, cases.n_neg
    scores = cases.scores[k]
    if max(sizes) > _MOST_UNEQUAL * min(sizes) or not np.isfinite(scores).all():
        return max(sizes) > _MOST_UNEQUAL * min(sizes)
    scaled = scores / max(float(np.abs(scores).max()), TINY)
    spread = []
    for rows in (cases.is_positive, ~cases.is_positive):
        weight = None if cases.frequency is None else cases.frequency[rows]
        centred = scaled[rows] - np.average(scaled[rows], weights=weight)
        spread.append(float(np.sqrt(np.average(centred**2, weights=weight))))
    return max(spread) > _MOST_UNEQUAL * min(spread)


# Up to this ratio of the class sizes and of the standard deviations, the test of a binormal area of
# 0.7 to 0.95 has a size of .015 to .075 in large samples instead of .05; with 4 to 1 cases it is
# .006 to .11 even if the standard deviations agree (docs/methods/comparison.md, "Hanley and
# McNeil's test").
_MOST_UNEQUAL = 1.5
