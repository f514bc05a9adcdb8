"""Influence values of cases on (a, b) of a binormal fit, summed by cluster for its variance."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray, binary_unit, in_unit
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.binormal.fit import BinormalFit
from rocstats.stats.binormal.likelihood import eliminate, inverse, observed, point_at


def category_influence(n_pos: FloatArray, n_neg: FloatArray, fit: BinormalFit) -> FloatArray:
    """Return the influence (2, K, 2) on (a, b) of a negative, and of a positive, in each category.

    Influence is the case's derivative of the log-likelihood, cuts eliminated, times the inverse
    information.
    """
    counts = np.stack([n_neg, n_pos])
    point = point_at(counts, fit.a, fit.b, fit.cuts)
    corner, solved = eliminate(observed(counts, point))
    of_cuts = solved[:, :2]
    # The deviate of a positive, b t - a, has the derivatives -1 in a and t in b.
    by_shape = np.stack([np.full_like(fit.cuts, -1.0), fit.cuts], axis=1)
    slopes = np.stack([-of_cuts, by_shape - fit.b * of_cuts]) * point.density[:, :, np.newaxis]
    ends = np.zeros((2, 1, 2))
    score = np.diff(np.concatenate([ends, slopes, ends], axis=1), axis=1)
    return np.asarray(score / point.probability[:, :, np.newaxis] @ inverse(corner))


def normal_influence(score: FloatArray, counts: ScoreCounts, fit: BinormalFit) -> FloatArray:
    """Return the influence (2, d, 2) of a negative, and of a positive, at each score.

    Higher scores mean positive; the fit is that to raw scores.
    """
    # Standardised scores have no unit, denormal ones no squares.
    score = in_unit(score, binary_unit(score))
    # A standardised score u moves its mean by u sd/m and its sd by (u^2 - 1) sd/(2m).
    u, v = (_standardised(score, n) for n in (counts.n_pos, counts.n_neg))
    a, b, m, n = fit.a, fit.b, fit.n_pos, fit.n_neg
    of_neg = np.stack([-b * v / n, b * (v**2 - 1) / (2 * n)], axis=1)
    of_pos = np.stack([u / m - a * (u**2 - 1) / (2 * m), -b * (u**2 - 1) / (2 * m)], axis=1)
    return np.stack([of_neg, of_pos])


def _standardised(score: FloatArray, count: FloatArray) -> FloatArray:
    """Return the scores less the mean of a class, over its standard deviation (ddof 0)."""
    apart = score - count @ score / count.sum()
    return np.asarray(apart / np.sqrt(count @ apart**2 / count.sum()))
