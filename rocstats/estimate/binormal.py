"""The binormal model R(t) = Phi(a + b z), z the probit of t: fit, areas, limits, influence values.

Some increasing transform of the scores makes negatives N(0, 1) and positives N(a/b, 1/b^2). The fit
to ordered categories [dorfman-1969], or to the truth-state runs of the scores [metz-1998], uses
ranks only; the normal fit takes the scores as they are. Limits: Working and Hotelling's [ma-1993],
and the envelope of ellipses [demidenko-2012]. Derivations are in docs/methods/binormal.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.roc import run_numbers
from rocstats.estimate.intervals import NEWCOMBE_LIMITS, PROBIT_LIMITS, Area, limits_of_area
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, Limits, binary_unit, in_unit
from rocstats.facts.tolerances import SAME, SAME_TO_ROUNDING, TINY
from rocstats.study.count_tables import ScoreCounts

# --- The fit --------------------------------------------------------------------------------------

FitInformation = Literal["observed", "expected"]
FIT_INFORMATION = ("observed", "expected")


def _nan_binormal_covariance() -> FloatArray:
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
    covariance: FloatArray = field(default_factory=_nan_binormal_covariance)
    cuts: FloatArray = field(default_factory=lambda: np.empty(0))
    log_likelihood: float = np.nan
    converged: bool = False
    n_categories: int = 0
    information: FitInformation = "observed"


def fit_binormal_to_counts(
    counts: ScoreCounts,
    *,
    n_bins: int | None = None,
    information: FitInformation = "observed",
) -> BinormalFit:
    """Return the maximum likelihood fit to the ranks of the scores of a count table.

    All truth-state runs are kept or, with ``n_bins``, bins at quantiles of the pooled scores.
    """
    return fit_binormal_to_ratings(
        *binormal_category_counts(counts, binormal_category_of_each_score(counts, n_bins)),
        information=information,
    )


def binormal_category_of_each_score(counts: ScoreCounts, n_bins: int | None = None) -> IntArray:
    """Return the category of each score of a table: its truth-state run, from 0, the lowest."""
    n_pos, n_neg = counts.n_pos[::-1], counts.n_neg[::-1]
    # Merging a run loses nothing: the likelihood over the cuts inside factorises (Metz, Herman &
    # Shen 1998).
    if n_bins is None:
        return run_numbers(n_pos, n_neg)[::-1]
    number = binormal_bin_of_each_score(n_pos + n_neg, n_bins)
    runs = run_numbers(*binormal_category_counts(counts, number[::-1]))
    return runs[number][::-1]


def binormal_category_counts(
    counts: ScoreCounts, number: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the positives and the negatives in each category, the lowest first."""
    table = [np.bincount(number, n).astype(np.float64) for n in (counts.n_pos, counts.n_neg)]
    return table[0], table[1]


def binormal_bin_of_each_score(size: FloatArray, n_bins: int) -> IntArray:
    """Return the bin of each score: up to ``n_bins`` bins of about equal size, classes pooled."""
    # A score goes where the middle of its ties lies among all cases. Edges that depend on the
    # classes make b .05 to .10 too small (docs/methods/binormal.md, "Fit to runs").
    middle = (np.cumsum(size) - size / 2) / size.sum()
    return np.asarray(np.minimum((n_bins * middle).astype(np.intp), n_bins - 1))


def fit_binormal_to_ratings(
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
        return binormal_fit_classes_exchanged(
            fit_binormal_to_ratings(n_neg[::-1], n_pos[::-1], information=information)
        )
    counts = np.stack([n_neg, n_pos]).astype(np.float64)
    counts = counts[:, counts.sum(axis=0) > 0]
    neg, pos = (float(total) for total in counts.sum(axis=1))
    nothing = BinormalFit(
        np.nan, np.nan, pos, neg, n_categories=counts.shape[1], information=information
    )
    if binormal_likelihood_lacks_maximum(counts[1], counts[0]):
        return nothing
    point, converged = climb_binormal_likelihood(counts, *_binormal_starting_point(counts))
    covariance = _binormal_covariance(counts, point, information)
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


def binormal_fit_classes_exchanged(fit: BinormalFit) -> BinormalFit:
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


def binormal_likelihood_lacks_maximum(n_pos: FloatArray, n_neg: FloatArray) -> bool:
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


def _binormal_starting_point(counts: FloatArray) -> tuple[float, float, FloatArray]:
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


def _binormal_covariance(
    counts: FloatArray, point: BinormalPoint, kind: FitInformation
) -> FloatArray:
    """Return the covariance of (a, b), the cuts eliminated; NaN where there is none."""
    information = (
        observed_binormal_information if kind == "observed" else expected_binormal_information
    )(counts, point)
    try:
        corner, _ = eliminate_binormal_cuts(information)
    except np.linalg.LinAlgError:
        return _nan_binormal_covariance()
    if not is_positive_definite_2x2(corner):
        return _nan_binormal_covariance()
    return inverse_of_2x2(corner)


# --- The fit to normal scores ---------------------------------------------------------------------


def fit_binormal_to_normal_scores(
    score: FloatArray, n_pos: FloatArray, n_neg: FloatArray
) -> BinormalFit:
    """Return the fit to normal scores, by means and variances (ddof 1).

    Higher scores mean positive; ``n_pos`` and ``n_neg`` are the counts at each.
    """
    m, n = float(n_pos.sum()), float(n_neg.sum())
    if min(m, n) < 2:
        return BinormalFit(np.nan, np.nan, m, n)
    score = in_unit(score, binary_unit(score))  # a and b have no unit
    (mean_1, var_1, _), (mean_0, var_0, _) = (
        score_moments_of_class(score, c) for c in (n_pos, n_neg)
    )
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


def score_moments_of_class(score: FloatArray, counts: FloatArray) -> tuple[float, float, float]:
    """Return mean, variance (ddof 1) and number of the scores of a class."""
    total = float(counts.sum())
    held = score[counts > 0]
    # Equal scores have the variance 0 exactly, which the sum of squares would miss by rounding.
    if total < 2 or held.min() == held.max():
        return float(held[0]), 0.0, total
    mean = float(counts @ score / total)
    return mean, float(counts @ (score - mean) ** 2 / (total - 1)), total


# --- Likelihood of ordered categories, and its maximum --------------------------------------------
# Categories 1, ..., K rise; P(category <= j) is Phi(t_j) for negatives and Phi(b t_j - a) for
# positives. The cuts enter the information matrix as a tridiagonal block, so that a step costs one
# banded solve, bordered by a and b: O(K).

_ROOT_TWO_PI = np.sqrt(2 * np.pi)
# Its square, by which the observed information divides, is still a normal number.
_LEAST_PROBABILITY = 1e-150

# 300 samples of 8 to 60 cases a class took 6 steps in the median, 14 at most. A fit that needs more
# than this bound is reported as not converged.
_MOST_STEPS = 200

_MOST_HALVINGS = 40  # 2^-40 of a step, 1e-12, changes the likelihood by rounding only

# Twice the growth of the log-likelihood that a step promises; its root, 1e-7, is the distance to
# the maximum in standard errors, before a last step that squares it.
_DECREMENT = 1e-14

# With a million categories the decrement never gets there: probabilities near 1e-7 have lost seven
# digits in a difference of tails. Below this one, 1e-4 standard errors from the maximum, a Newton
# step squares the distance; a step that does not halve the decrement is made of rounding.
_NEAR = 1e-8

# 1 - r^2 of a and b in their information. Elimination leaves rounding of 1e-12 in it, of a sign
# that differs between processors; the least of 2514 fits of random designs was 3e-4.
_LEAST_DETERMINANT = 1e-8


class BinormalPoint(NamedTuple):
    """Parameters of the model, with the probabilities and densities that its likelihood takes.

    ``probability`` (2, K), ``deviate`` and ``density`` (2, K - 1) have the negatives in row 0 and
    the positives in row 1.
    """

    a: float
    b: float
    cuts: FloatArray
    probability: FloatArray
    deviate: FloatArray
    density: FloatArray
    log_likelihood: float


class BinormalInformation(NamedTuple):
    """Information matrix: the cut block as bands, its border (K - 1, 2) and the corner (2, 2)."""

    diagonal: FloatArray
    beside: FloatArray
    border: FloatArray
    corner: FloatArray


def climb_binormal_likelihood(
    counts: FloatArray, a: float, b: float, cuts: FloatArray
) -> tuple[BinormalPoint, bool]:
    """Return the point of largest likelihood, and whether it was reached.

    Newton steps, halved until the likelihood grows; where the observed information is not positive
    definite the step is Fisher's, from the expected one.
    """
    point, before = binormal_point_at(counts, a, b, cuts), np.inf
    for _ in range(_MOST_STEPS):
        step, decrement = _newton_step(counts, point)
        if not np.isfinite(decrement):
            return point, False
        if decrement < _DECREMENT or before / 2 <= decrement < _NEAR:
            return _point_after(counts, point, step, 1.0), True
        following = _halved_step(counts, point, step)
        if following is None:
            return point, False
        point, before = following, decrement
    return point, False


def binormal_point_at(counts: FloatArray, a: float, b: float, cuts: FloatArray) -> BinormalPoint:
    """Return the parts of the likelihood of counts (2, K) at given parameters."""
    deviate = np.stack([cuts, b * cuts - a])
    edges = np.empty((2, len(cuts) + 2))
    edges[:, 0], edges[:, 1:-1], edges[:, -1] = -np.inf, deviate, np.inf
    below, above = sp.ndtr(edges), sp.ndtr(-edges)
    # A difference of the smaller tails keeps its digits, where one of numbers near 1 has none.
    probability = np.where(
        edges[:, :-1] > 0, above[:, :-1] - above[:, 1:], below[:, 1:] - below[:, :-1]
    )
    np.maximum(probability, _LEAST_PROBABILITY, out=probability)
    density = np.exp(-(deviate**2) / 2) / _ROOT_TWO_PI
    log_likelihood = float(np.sum(counts * np.log(probability)))
    return BinormalPoint(a, b, cuts, probability, deviate, density, log_likelihood)


def observed_binormal_information(counts: FloatArray, point: BinormalPoint) -> BinormalInformation:
    """Return the observed information: minus the second derivatives."""
    ratio = counts / point.probability
    return _information(point, ratio / point.probability, _likelihood_slope(ratio, point))


def expected_binormal_information(counts: FloatArray, point: BinormalPoint) -> BinormalInformation:
    """Return the expected information, the class sizes fixed."""
    curvature = counts.sum(axis=1, keepdims=True) / point.probability
    return _information(point, curvature, np.zeros_like(point.density))


def _likelihood_slope(ratio: FloatArray, point: BinormalPoint) -> FloatArray:
    """Return the derivative of the log-likelihood in each deviate."""
    return point.density * (ratio[:, :-1] - ratio[:, 1:])


def _information(
    point: BinormalPoint, curvature: FloatArray, slope: FloatArray
) -> BinormalInformation:
    """Return the information, from n/P^2 of each cell and the slopes in the deviates."""
    b, cuts, density = point.b, point.cuts, point.density
    diagonal = density**2 * (curvature[:, :-1] + curvature[:, 1:]) + point.deviate * slope
    next_to = -density[:, :-1] * density[:, 1:] * curvature[:, 1:-1]
    ones, times_cuts = (
        _tridiagonal_times_vector(diagonal[1], next_to[1], vector)
        for vector in (np.ones_like(cuts), cuts)
    )
    return BinormalInformation(
        diagonal=diagonal[0] + b**2 * diagonal[1],
        beside=next_to[0] + b**2 * next_to[1],
        border=np.stack([-b * ones, b * times_cuts - slope[1]], axis=1),
        corner=np.array([[ones.sum(), -times_cuts.sum()], [-times_cuts.sum(), cuts @ times_cuts]]),
    )


def _tridiagonal_times_vector(
    diagonal: FloatArray, next_to: FloatArray, vector: FloatArray
) -> FloatArray:
    """Return the product of a symmetric tridiagonal matrix with a vector."""
    product = diagonal * vector
    product[:-1] += next_to * vector[1:]
    product[1:] += next_to * vector[:-1]
    return product


def eliminate_binormal_cuts(
    information: BinormalInformation, *columns: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the information on (a, b) with the cuts eliminated, and the solved columns.

    The columns solved by the cut block are the border's two, then the ``columns`` given.
    Raises numpy.linalg.LinAlgError where the cut block is not positive definite.
    """
    from scipy.linalg import solveh_banded

    bands = np.zeros((2, len(information.diagonal)))
    bands[0], bands[1, :-1] = information.diagonal, information.beside
    right = np.column_stack([information.border, *columns])
    solved = solveh_banded(bands, right, lower=True, overwrite_ab=True, check_finite=False)
    return information.corner - information.border.T @ solved[:, :2], solved


def _newton_step(counts: FloatArray, point: BinormalPoint) -> tuple[FloatArray, float]:
    """Return the step in (a, b, cuts) and its Newton decrement; NaN if no information serves."""
    slope = _likelihood_slope(counts / point.probability, point)
    by_cut = slope[0] + point.b * slope[1]
    by_shape = np.array([-slope[1].sum(), point.cuts @ slope[1]])
    for kind in (observed_binormal_information, expected_binormal_information):
        information = kind(counts, point)
        try:
            corner, solved = eliminate_binormal_cuts(information, by_cut)
        except np.linalg.LinAlgError:
            continue
        if is_positive_definite_2x2(corner):
            right = by_shape - information.border.T @ solved[:, 2]
            shape = inverse_of_2x2(corner) @ right
            step = np.concatenate([shape, solved[:, 2] - solved[:, :2] @ shape])
            return step, float(by_shape @ shape + by_cut @ step[2:])
    return np.zeros(2 + len(by_cut)), np.nan


def is_positive_definite_2x2(matrix: FloatArray) -> bool:
    """Return whether a symmetric (2, 2) matrix is positive definite, beyond its rounding."""
    product = matrix[0, 0] * matrix[1, 1] * (1 - _LEAST_DETERMINANT)
    return bool(matrix[0, 0] > 0 and product > matrix[0, 1] ** 2)


def inverse_of_2x2(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a positive definite (2, 2) matrix."""
    # By its determinant, above 0 by ``is_positive_definite_2x2``: a library that eliminates
    # may round the last pivot of the same matrix to 0, and calls it singular.
    adjugate = np.array([[matrix[1, 1], -matrix[0, 1]], [-matrix[0, 1], matrix[0, 0]]])
    determinant = float(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] ** 2)
    return adjugate / determinant


def _halved_step(
    counts: FloatArray, point: BinormalPoint, step: FloatArray
) -> BinormalPoint | None:
    """Return the first point along the halved step with b > 0, rising cuts and no loss."""
    # The sum of logarithms has a relative rounding error below SAME.
    share, slack = 1.0, SAME * abs(point.log_likelihood)
    for _ in range(_MOST_HALVINGS):
        if point.b + share * step[1] > 0 and np.all(np.diff(point.cuts + share * step[2:]) > 0):
            following = _point_after(counts, point, step, share)
            if following.log_likelihood >= point.log_likelihood - slack:
                return following
        share /= 2
    return None


def _point_after(
    counts: FloatArray, point: BinormalPoint, step: FloatArray, share: float
) -> BinormalPoint:
    return binormal_point_at(
        counts,
        point.a + share * float(step[0]),
        point.b + share * float(step[1]),
        point.cuts + share * step[2:],
    )


# --- Points, areas and indices of the curve, with their gradients in (a, b) -----------------------

# A deviate whose normal tail is 0 in floating point, while products stay finite.
_LARGEST_DEVIATE = 1e3


class BinormalIndex(NamedTuple):
    """A function of (a, b): its value and its gradient (2,)."""

    value: float
    gradient: FloatArray

    def se(self, fit: BinormalFit) -> float:
        """Return the standard error by the delta method."""
        return float(np.sqrt(self.gradient @ fit.covariance @ self.gradient))


def fitted_binormal_curve(fit: BinormalFit, fpr: FloatArray) -> FloatArray:
    """Return R(t) = Phi(a + b Phi^-1(t)), 0 at 0 and 1 at 1."""
    return np.asarray(sp.ndtr(fit.a + fit.b * sp.ndtri(fpr)))


def fitted_binormal_slope(fit: BinormalFit, fpr: FloatArray) -> FloatArray:
    """Return R'(t) = b phi(a + b z)/phi(z), z the probit of t, at rates inside (0, 1)."""
    z = sp.ndtri(fpr)
    return np.asarray(fit.b * np.exp((z**2 - (fit.a + fit.b * z) ** 2) / 2))


def fitted_binormal_area_deviate(fit: BinormalFit) -> BinormalIndex:
    """Return the probit of the area: a/w, w^2 = 1 + b^2."""
    a, b, w = fit.a, fit.b, _binormal_root_of_1_plus_b2(fit)
    return BinormalIndex(a / w, np.array([1 / w, -a * b / w**3]))


def fitted_binormal_area(fit: BinormalFit) -> BinormalIndex:
    """Return the area under the curve, Phi(a/w)."""
    deviate = fitted_binormal_area_deviate(fit)
    return BinormalIndex(
        float(sp.ndtr(deviate.value)), _normal_density(deviate.value) * deviate.gradient
    )


def d_a(fit: BinormalFit) -> BinormalIndex:
    """Return the distance of the means over the root mean square of the standard deviations."""
    # Simpson & Fitter's index: sqrt(2) a/w, so that the area is Phi(d_a/sqrt(2)).
    deviate = fitted_binormal_area_deviate(fit)
    return BinormalIndex(np.sqrt(2) * deviate.value, np.sqrt(2) * deviate.gradient)


def delta_m(fit: BinormalFit) -> BinormalIndex:
    """Return the distance of the means in standard deviations of the negatives: a/b."""
    a, b = fit.a, fit.b
    return BinormalIndex(a / b, np.array([1 / b, -a / b**2]))


def d_e(fit: BinormalFit) -> BinormalIndex:
    """Return the distance of the means over the mean of the standard deviations: 2a/(1 + b)."""
    a, b = fit.a, fit.b
    return BinormalIndex(2 * a / (1 + b), np.array([2 / (1 + b), -2 * a / (1 + b) ** 2]))


def fitted_binormal_partial_area(fit: BinormalFit, low: float, high: float) -> BinormalIndex:
    """Return the area under the curve over false positive rates from ``low`` to ``high``."""
    # Phi_2(a/w, z; -b/w) of Hillis & Metz 2012 at both ends. The sign of the first term of by_b was
    # settled by numerical derivatives (docs/methods/binormal.md, "Curve, areas and indices").
    a, b, w = fit.a, fit.b, _binormal_root_of_1_plus_b2(fit)
    z = sp.ndtri(np.array([low, high]))
    below = bivariate_normal_probability(a / w, z, -b / w)
    c = w * z + a * b / w
    common = np.exp(-(a**2) / (2 * w**2))
    inner = float(np.diff(sp.ndtr(c))[0])
    edge = -float(np.diff(np.exp(-(c**2) / 2))[0])
    by_a = common / (np.sqrt(2 * np.pi) * w) * inner
    by_b = common * (edge / (2 * np.pi * w**2) - a * b * inner / (np.sqrt(2 * np.pi) * w**3))
    return BinormalIndex(float(below[1] - below[0]), np.array([by_a, by_b]))


def bivariate_normal_probability(h: float, k: FloatArray, r: float) -> FloatArray:
    """Return P(X <= h, Y <= k) of standard normals with correlation ``r``, by Owen's T.

    Each k may be infinite; -1 < r < 1.
    """
    # Owen 1956: Phi_2 = (Phi(h) + Phi(k))/2 - T(h, .) - T(k, .), less 1/2 if h and k have different
    # signs. T is continuous where h or k is 0, but its second argument divides by them.
    x, y = h or TINY, np.where(k == 0, TINY, k)
    y = np.clip(y, -_LARGEST_DEVIATE, _LARGEST_DEVIATE)
    root = np.sqrt(1 - r**2)
    with np.errstate(over="ignore"):
        tails = sp.owens_t(x, (y - r * x) / (x * root)) + sp.owens_t(y, (x - r * y) / (y * root))
    across = np.where((x > 0) == (y > 0), 0.0, 0.5)
    return np.asarray(np.clip((sp.ndtr(x) + sp.ndtr(y)) / 2 - tails - across, 0.0, 1.0))


def _binormal_root_of_1_plus_b2(fit: BinormalFit) -> float:
    return float(np.sqrt(1 + fit.b**2))


def _normal_density(z: float) -> float:
    return float(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))


def binormal_area_limits(
    fit: BinormalFit, mean: BinormalIndex, confidence_level: float
) -> tuple[float, float, str]:
    """Return the probit limits of an area (or mean area over a range), and their name.

    At 0 and 1 (to rounding), where probit limits have no width, Newcombe's limits replace them.
    """
    m, n = fit.n_pos, fit.n_neg
    area = Area(mean.value, mean.se(fit) ** 2, np.inf, m, n, min(m, n))
    if SAME_TO_ROUNDING < mean.value < 1 - SAME_TO_ROUNDING:
        low, high = limits_of_area(PROBIT_LIMITS, area, confidence_level, "two-sided")
        if low < high:
            return low, high, "probit"
    area = area._replace(value=float(np.round(mean.value)), variance=0.0)
    return *limits_of_area(NEWCOMBE_LIMITS, area, confidence_level, "two-sided"), "newcombe"


# --- Limits of the curve --------------------------------------------------------------------------

# .618^32 of the range, 2e-7, is left. Near its maximum the edge is flat: its error is of the order
# of the square, below rounding.
_N_SHRINKS = 32
_GOLDEN = (np.sqrt(5) - 1) / 2


def working_hotelling_limits(
    fit: BinormalFit,
    fpr: FloatArray,
    confidence_level: float,
    scope: Literal["pointwise", "simultaneous"],
) -> Limits:
    """Return the limits Phi(a + b z -+ k s(z)), with s the standard error of a + b z.

    k^2 is the chi-square quantile with 2 degrees of freedom (simultaneous) or with 1 (pointwise).
    """
    simultaneous = scope == "simultaneous"
    k = (
        confidence_ellipse_radius(confidence_level)
        if simultaneous
        else float(sp.ndtri((1 + confidence_level) / 2))
    )
    z, inner = _probits_of_fpr(fpr)
    v = fit.covariance
    centre = fit.a + fit.b * z
    # The variance is a quadratic in z that may round below 0.
    reach = k * np.sqrt(np.maximum(v[0, 0] + 2 * v[0, 1] * z + v[1, 1] * z**2, 0.0))
    # For large abs(z) the limits go as (b -+ k sd(b)) z: slopes of either sign cover [0, 1] at both
    # ends.
    opens = bool(k * np.sqrt(v[1, 1]) > fit.b)
    return _probit_limits_as_rates(fit, fpr, inner, centre - reach, centre + reach, opens)


def ellipse_limits(fit: BinormalFit, fpr: FloatArray, confidence_level: float) -> Limits:
    """Return Demidenko's limits: the envelope, in probits, of confidence ellipses by threshold.

    The ellipse at the threshold c lies around (c, a + b c), its squared half-axes the chi-square
    quantile with 2 degrees of freedom times (1 + c^2/2)/n_neg and (1 + (a + b c)^2/2)/n_pos.
    """
    k = confidence_ellipse_radius(confidence_level)
    z, inner = _probits_of_fpr(fpr)
    share = k**2 / fit.n_neg
    opens = share >= 2
    if opens or np.isnan(fit.a):  # ellipses grow faster than their distance: they cover the plane
        nothing = np.full_like(z, np.nan if np.isnan(fit.a) else np.inf)
        return _probit_limits_as_rates(fit, fpr, inner, -nothing, nothing, opens)
    # Thresholds whose ellipses reach z: the roots of (z - c)^2 = share (1 + c^2/2).
    middle = z / (1 - share / 2)
    half = np.sqrt(share * (z**2 / 2 + 1 - share / 2)) / (1 - share / 2)
    ends = [
        _ellipse_envelope_in_probits(fit, z, middle, half, k, share, sign) for sign in (-1.0, 1.0)
    ]
    return _probit_limits_as_rates(fit, fpr, inner, ends[0], ends[1], k**2 >= 2 * fit.n_pos)


def _ellipse_envelope_in_probits(
    fit: BinormalFit,
    z: FloatArray,
    middle: FloatArray,
    half: FloatArray,
    k: float,
    share: float,
    sign: float,
) -> FloatArray:
    """Return the highest (sign 1) or lowest (-1) edge at each z, by golden section."""

    def edge(c: FloatArray) -> FloatArray:
        y = fit.a + fit.b * c
        room = np.maximum(1 - (z - c) ** 2 / (share * (1 + c**2 / 2)), 0.0)
        return sign * y + k * np.sqrt((1 + y**2 / 2) / fit.n_pos * room)

    low, high = middle - half, middle + half
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = edge(left), edge(right)
    for _ in range(_N_SHRINKS):
        up = at_left < at_right
        low, high = np.where(up, left, low), np.where(up, high, right)
        new = np.where(up, low + _GOLDEN * (high - low), high - _GOLDEN * (high - low))
        at_new = edge(new)
        left, right = np.where(up, right, new), np.where(up, new, left)
        at_left, at_right = np.where(up, at_right, at_new), np.where(up, at_new, at_left)
    return sign * np.maximum(at_left, at_right)


def confidence_ellipse_radius(confidence_level: float) -> float:
    """Return the root of the chi-square quantile with 2 degrees of freedom."""
    # In closed form, as chi-square with 2 degrees of freedom is exponential.
    return float(np.sqrt(-2 * np.log1p(-confidence_level)))


def _probits_of_fpr(fpr: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the probits of rates, 0 at the ends, and which rates are inside (0, 1)."""
    inner = (fpr > 0) & (fpr < 1)
    return np.asarray(sp.ndtri(np.where(inner, fpr, 0.5))), inner


def _probit_limits_as_rates(
    fit: BinormalFit,
    fpr: FloatArray,
    inner: BoolArray,
    low: FloatArray,
    high: FloatArray,
    opens: bool,
) -> Limits:
    """Return limits as rates; where ``opens``, they spread to 0 and 1 at both ends of the range."""
    if np.isnan(fit.a):
        return np.full_like(fpr, np.nan), np.full_like(fpr, np.nan)
    low_end, high_end = (0.0, 1.0) if opens else (fpr, fpr)
    return np.where(inner, sp.ndtr(low), low_end), np.where(inner, sp.ndtr(high), high_end)


# --- Influence values of cases on (a, b), summed by cluster for its variance ----------------------


def binormal_influence_of_categories(
    n_pos: FloatArray, n_neg: FloatArray, fit: BinormalFit
) -> FloatArray:
    """Return the influence (2, K, 2) on (a, b) of a negative, and of a positive, in each category.

    Influence is the case's derivative of the log-likelihood, cuts eliminated, times the inverse
    information.
    """
    counts = np.stack([n_neg, n_pos])
    point = binormal_point_at(counts, fit.a, fit.b, fit.cuts)
    corner, solved = eliminate_binormal_cuts(observed_binormal_information(counts, point))
    of_cuts = solved[:, :2]
    # The deviate of a positive, b t - a, has the derivatives -1 in a and t in b.
    by_shape = np.stack([np.full_like(fit.cuts, -1.0), fit.cuts], axis=1)
    slopes = np.stack([-of_cuts, by_shape - fit.b * of_cuts]) * point.density[:, :, np.newaxis]
    ends = np.zeros((2, 1, 2))
    score = np.diff(np.concatenate([ends, slopes, ends], axis=1), axis=1)
    return np.asarray(score / point.probability[:, :, np.newaxis] @ inverse_of_2x2(corner))


def binormal_influence_of_normal_scores(
    score: FloatArray, counts: ScoreCounts, fit: BinormalFit
) -> FloatArray:
    """Return the influence (2, d, 2) of a negative, and of a positive, at each score.

    Higher scores mean positive; the fit is that to raw scores.
    """
    # Standardised scores have no unit, denormal ones no squares.
    score = in_unit(score, binary_unit(score))
    # A standardised score u moves its mean by u sd/m and its sd by (u^2 - 1) sd/(2m).
    u, v = (_scores_standardised_in_class(score, n) for n in (counts.n_pos, counts.n_neg))
    a, b, m, n = fit.a, fit.b, fit.n_pos, fit.n_neg
    of_neg = np.stack([-b * v / n, b * (v**2 - 1) / (2 * n)], axis=1)
    of_pos = np.stack([u / m - a * (u**2 - 1) / (2 * m), -b * (u**2 - 1) / (2 * m)], axis=1)
    return np.stack([of_neg, of_pos])


def _scores_standardised_in_class(score: FloatArray, count: FloatArray) -> FloatArray:
    """Return the scores less the mean of a class, over its standard deviation (ddof 0)."""
    apart = score - count @ score / count.sum()
    return np.asarray(apart / np.sqrt(count @ apart**2 / count.sum()))
