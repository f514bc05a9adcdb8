"""The binormal model R(t) = Phi(a + b z), z the probit of t, fitted to counts by score.

Some increasing transform of the scores makes negatives N(0, 1) and positives N(a/b, 1/b^2): the fit
to ordered categories uses ranks only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

import rocstats.special as sp
from rocstats.curves.points.runs import run_numbers
from rocstats.sample.arrays import FloatArray, IntArray, binary_unit, in_unit
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.stats.binormal.likelihood import (
    Point,
    climb,
    eliminate,
    expected,
    inverse,
    is_positive_definite,
    observed,
)

FitInformation = Literal["observed", "expected"]
FIT_INFORMATION = ("observed", "expected")


def _undefined() -> FloatArray:
    return np.full((2, 2), np.nan)


@dataclass(frozen=True, eq=False)
class BinormalFit:
    """Intercept and slope of a binormal curve, with their covariance.

    Attributes
    ----------
    a, b : float
        R(t) = Phi(a + b Phi^-1(t)), b > 0; NaN where no curve has the largest likelihood.
    n_pos, n_neg : float
        Numbers of cases.
    covariance : ndarray of shape (2, 2)
        Covariance matrix of (a, b).
    cuts : ndarray of shape (n_categories - 1,)
        Cuts between the categories on the scale where negatives are standard normal.
    log_likelihood : float
        Multinomial log-likelihood of the categories; NaN for a fit to raw scores.
    converged : bool
        Whether the largest likelihood was found; else the numbers are NaN.
    n_categories : int
        Number of categories that were fitted; 0 for a fit to raw scores.
    information : {"observed", "expected"}
        Information matrix behind the covariance.
    """

    a: float
    b: float
    n_pos: float
    n_neg: float
    covariance: FloatArray = field(default_factory=_undefined)
    cuts: FloatArray = field(default_factory=lambda: np.empty(0))
    log_likelihood: float = np.nan
    converged: bool = False
    n_categories: int = 0
    information: FitInformation = "observed"


def fit_counts(
    counts: ScoreCounts,
    *,
    n_bins: int | None = None,
    information: FitInformation = "observed",
) -> BinormalFit:
    """Return the maximum likelihood fit to the ranks of the scores of a count table.

    All truth-state runs are kept or, with ``n_bins``, bins at quantiles of the pooled scores.
    """
    return fit_ratings(
        *category_counts(counts, categories(counts, n_bins)), information=information
    )


def categories(counts: ScoreCounts, n_bins: int | None = None) -> IntArray:
    """Return the category of each score of a table: its truth-state run, from 0, the lowest."""
    n_pos, n_neg = counts.n_pos[::-1], counts.n_neg[::-1]
    # Merging a run loses nothing: the likelihood over the cuts inside factorises (Metz, Herman &
    # Shen 1998).
    if n_bins is None:
        return run_numbers(n_pos, n_neg)[::-1]
    number = bin_numbers(n_pos + n_neg, n_bins)
    runs = run_numbers(*category_counts(counts, number[::-1]))
    return runs[number][::-1]


def category_counts(counts: ScoreCounts, number: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the positives and the negatives in each category, the lowest first."""
    table = [np.bincount(number, n).astype(np.float64) for n in (counts.n_pos, counts.n_neg)]
    return table[0], table[1]


def fit_ratings(
    n_pos: FloatArray, n_neg: FloatArray, *, information: FitInformation = "observed"
) -> BinormalFit:
    """Return the maximum likelihood fit of Dorfman & Alf to ordered categories.

    Parameters
    ----------
    n_pos, n_neg : ndarray of shape (K,)
        Positives and negatives in each category, the least positive first; empty ones are left out.
    information : {"observed", "expected"}, default "observed"
        Information matrix whose inverse is the covariance.
    """
    if n_pos.sum() > n_neg.sum():  # cuts on the scale of the larger class hold the climb steady
        return exchanged(fit_ratings(n_neg[::-1], n_pos[::-1], information=information))
    counts = np.stack([n_neg, n_pos]).astype(np.float64)
    counts = counts[:, counts.sum(axis=0) > 0]
    neg, pos = (float(total) for total in counts.sum(axis=1))
    nothing = BinormalFit(
        np.nan, np.nan, pos, neg, n_categories=counts.shape[1], information=information
    )
    if is_degenerate(counts[1], counts[0]):
        return nothing
    point, converged = climb(counts, *_start(counts))
    covariance = _covariance(counts, point, information)
    if not converged or np.isnan(covariance[0, 0]):
        return nothing
    return replace(
        nothing,
        a=point.a,
        b=point.b,
        covariance=covariance,
        cuts=point.cuts,
        log_likelihood=point.log_likelihood,
        converged=True,
    )


def exchanged(fit: BinormalFit) -> BinormalFit:
    """Return the fit with the classes exchanged: (a/b, 1/b), the curve mirrored."""
    a, b = fit.a, fit.b
    slope = np.array([[1 / b, -a / b**2], [0.0, -1 / b**2]])
    return replace(
        fit,
        a=a / b,
        b=1 / b,
        n_pos=fit.n_neg,
        n_neg=fit.n_pos,
        covariance=slope @ fit.covariance @ slope.T,
        cuts=(a - b * fit.cuts)[::-1],
    )


def is_degenerate(n_pos: FloatArray, n_neg: FloatArray) -> bool:
    """Return whether the likelihood has no maximum.

    It grows without end towards b = 0 iff all points of the curve with 0 < FPR < 1 (if any) have
    the same TPR, as a horizontal line fits such points exactly; towards infinite b iff all with
    0 < TPR < 1 have the same FPR. Perfect separation, a single case of a class and fewer than three
    categories are examples.
    """
    above_pos, above_neg = np.cumsum(n_pos)[:-1], np.cumsum(n_neg)[:-1]
    inside = (above_neg > 0) & (above_neg < n_neg.sum())
    level = above_pos[inside]
    if len(level) == 0 or level[0] == level[-1]:
        return True
    inside = (above_pos > 0) & (above_pos < n_pos.sum())
    upright = above_neg[inside]
    return len(upright) == 0 or bool(upright[0] == upright[-1])


def bin_numbers(size: FloatArray, n_bins: int) -> IntArray:
    """Return the bin of each score: up to ``n_bins`` bins of about equal size, classes pooled."""
    # A score goes where the middle of its ties lies among all cases. Edges that depend on the
    # classes make b .05 to .10 too small (docs/methods/binormal.md, "Fit to runs").
    middle = (np.cumsum(size) - size / 2) / size.sum()
    return np.asarray(np.minimum((n_bins * middle).astype(np.intp), n_bins - 1))


def fit_normal(score: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> BinormalFit:
    """Return the fit to normal scores, by means and variances (ddof 1).

    Higher scores mean positive; ``n_pos`` and ``n_neg`` are the counts at each.
    """
    m, n = float(n_pos.sum()), float(n_neg.sum())
    if min(m, n) < 2:
        return BinormalFit(np.nan, np.nan, m, n)
    score = in_unit(score, binary_unit(score))  # a and b have no unit
    (mean_1, var_1, _), (mean_0, var_0, _) = (class_moments(score, c) for c in (n_pos, n_neg))
    sd_1, sd_0 = float(np.sqrt(var_1)), float(np.sqrt(var_0))
    if min(sd_1, sd_0) == 0:
        return BinormalFit(np.nan, np.nan, m, n)
    a, b = (mean_1 - mean_0) / sd_1, sd_0 / sd_1
    # docs/methods/binormal.md, "Normal theory": the delta method for means and variances.
    between = a * b / (2 * m)
    covariance = np.array(
        [
            [1 / m + b**2 / n + a**2 / (2 * m), between],
            [between, b**2 * (1 / (2 * m) + 1 / (2 * n))],
        ]
    )
    return BinormalFit(a, b, m, n, covariance, converged=True)


def class_moments(score: FloatArray, counts: FloatArray) -> tuple[float, float, float]:
    """Return mean, variance (ddof 1) and number of the scores of a class."""
    total = float(counts.sum())
    held = score[counts > 0]
    # Equal scores have the variance 0 exactly, which the sum of squares would miss by rounding.
    if total < 2 or held.min() == held.max():
        return float(held[0]), 0.0, total
    mean = float(counts @ score / total)
    return mean, float(counts @ (score - mean) ** 2 / (total - 1)), total


def _start(counts: FloatArray) -> tuple[float, float, FloatArray]:
    """Return a, b and cuts by least squares of the probits of the cumulative rates."""
    totals = counts.sum(axis=1, keepdims=True)
    # Half a case on both sides keeps the probits of 0 and 1 finite. The bounds of b limit the start
    # of the climb, not the fit.
    neg, pos = sp.ndtri((np.cumsum(counts, axis=1)[:, :-1] + 0.5) / (totals + 1))
    apart = neg - neg.mean()
    b = float(np.clip(apart @ pos / (apart @ apart), 0.2, 5.0))
    a = float(b * neg.mean() - pos.mean())
    n, m = totals[:, 0]
    return a, b, (n * neg + m * b * (pos + a)) / (n + m * b**2)


def _covariance(counts: FloatArray, point: Point, kind: FitInformation) -> FloatArray:
    """Return the covariance of (a, b), the cuts eliminated; NaN where there is none."""
    information = (observed if kind == "observed" else expected)(counts, point)
    try:
        corner, _ = eliminate(information)
    except np.linalg.LinAlgError:
        return _undefined()
    if not is_positive_definite(corner):
        return _undefined()
    return inverse(corner)
