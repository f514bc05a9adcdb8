"""Likelihood of ordered categories under the binormal model, maximised in O(K) a step.

Categories 1, ..., K rise; P(category <= j) is Phi(t_j) for negatives and Phi(b t_j - a) for
positives. The cuts enter the information matrix as a tridiagonal block, so that a step costs one
banded solve, bordered by a and b.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import SAME

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


class Point(NamedTuple):
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


class Information(NamedTuple):
    """Information matrix: the cut block as bands, its border (K - 1, 2) and the corner (2, 2)."""

    diagonal: FloatArray
    beside: FloatArray
    border: FloatArray
    corner: FloatArray


def climb(counts: FloatArray, a: float, b: float, cuts: FloatArray) -> tuple[Point, bool]:
    """Return the point of largest likelihood, and whether it was reached.

    Newton steps, halved until the likelihood grows; where the observed information is not positive
    definite the step is Fisher's, from the expected one.
    """
    point, before = point_at(counts, a, b, cuts), np.inf
    for _ in range(_MOST_STEPS):
        step, decrement = _step(counts, point)
        if not np.isfinite(decrement):
            return point, False
        if decrement < _DECREMENT or before / 2 <= decrement < _NEAR:
            return _moved(counts, point, step, 1.0), True
        following = _halved(counts, point, step)
        if following is None:
            return point, False
        point, before = following, decrement
    return point, False


def point_at(counts: FloatArray, a: float, b: float, cuts: FloatArray) -> Point:
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
    return Point(a, b, cuts, probability, deviate, density, log_likelihood)


def observed(counts: FloatArray, point: Point) -> Information:
    """Return the observed information: minus the second derivatives."""
    ratio = counts / point.probability
    return _information(point, ratio / point.probability, _slope(ratio, point))


def expected(counts: FloatArray, point: Point) -> Information:
    """Return the expected information, the class sizes fixed."""
    curvature = counts.sum(axis=1, keepdims=True) / point.probability
    return _information(point, curvature, np.zeros_like(point.density))


def _slope(ratio: FloatArray, point: Point) -> FloatArray:
    """Return the derivative of the log-likelihood in each deviate."""
    return point.density * (ratio[:, :-1] - ratio[:, 1:])


def _information(point: Point, curvature: FloatArray, slope: FloatArray) -> Information:
    """Return the information, from n/P^2 of each cell and the slopes in the deviates."""
    b, cuts, density = point.b, point.cuts, point.density
    own = density**2 * (curvature[:, :-1] + curvature[:, 1:]) + point.deviate * slope
    next_to = -density[:, :-1] * density[:, 1:] * curvature[:, 1:-1]
    ones, times_cuts = (
        _banded_product(own[1], next_to[1], vector) for vector in (np.ones_like(cuts), cuts)
    )
    return Information(
        diagonal=own[0] + b**2 * own[1],
        beside=next_to[0] + b**2 * next_to[1],
        border=np.stack([-b * ones, b * times_cuts - slope[1]], axis=1),
        corner=np.array([[ones.sum(), -times_cuts.sum()], [-times_cuts.sum(), cuts @ times_cuts]]),
    )


def _banded_product(own: FloatArray, next_to: FloatArray, vector: FloatArray) -> FloatArray:
    """Return the product of a symmetric tridiagonal matrix with a vector."""
    product = own * vector
    product[:-1] += next_to * vector[1:]
    product[1:] += next_to * vector[:-1]
    return product


def eliminate(information: Information, *columns: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def _step(counts: FloatArray, point: Point) -> tuple[FloatArray, float]:
    """Return the step in (a, b, cuts) and its Newton decrement; NaN if no information serves."""
    slope = _slope(counts / point.probability, point)
    by_cut = slope[0] + point.b * slope[1]
    by_shape = np.array([-slope[1].sum(), point.cuts @ slope[1]])
    for kind in (observed, expected):
        information = kind(counts, point)
        try:
            corner, solved = eliminate(information, by_cut)
        except np.linalg.LinAlgError:
            continue
        if is_positive_definite(corner):
            right = by_shape - information.border.T @ solved[:, 2]
            shape = inverse(corner) @ right
            step = np.concatenate([shape, solved[:, 2] - solved[:, :2] @ shape])
            return step, float(by_shape @ shape + by_cut @ step[2:])
    return np.zeros(2 + len(by_cut)), np.nan


def is_positive_definite(matrix: FloatArray) -> bool:
    """Return whether a symmetric (2, 2) matrix is positive definite, beyond its rounding."""
    product = matrix[0, 0] * matrix[1, 1] * (1 - _LEAST_DETERMINANT)
    return bool(matrix[0, 0] > 0 and product > matrix[0, 1] ** 2)


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a positive definite (2, 2) matrix."""
    # By its determinant, which ``is_positive_definite`` found above 0: a library that eliminates
    # may round the last pivot of the same matrix to 0, and calls it singular.
    adjugate = np.array([[matrix[1, 1], -matrix[0, 1]], [-matrix[0, 1], matrix[0, 0]]])
    determinant = float(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] ** 2)
    return adjugate / determinant


def _halved(counts: FloatArray, point: Point, step: FloatArray) -> Point | None:
    """Return the first point along the halved step with b > 0, rising cuts and no loss."""
    # The sum of logarithms has a relative rounding error below SAME.
    share, slack = 1.0, SAME * abs(point.log_likelihood)
    for _ in range(_MOST_HALVINGS):
        if point.b + share * step[1] > 0 and np.all(np.diff(point.cuts + share * step[2:]) > 0):
            following = _moved(counts, point, step, share)
            if following.log_likelihood >= point.log_likelihood - slack:
                return following
        share /= 2
    return None


def _moved(counts: FloatArray, point: Point, step: FloatArray, share: float) -> Point:
    return point_at(
        counts,
        point.a + share * float(step[0]),
        point.b + share * float(step[1]),
        point.cuts + share * step[2:],
    )
