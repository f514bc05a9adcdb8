"""The largest of several correlated normal variables: adjusted p values, simultaneous limits.

Z_i = w_i x, with x standard normal and w_i of length 1. Where Z_i = z is the largest, the rest of x
is orthogonal to w_i and, in each direction u, shorter than z tan(a): the angle a of the edge from
w_i does not depend on z. So P(max Z > c) is the integral over z > c of the normal density times the
mean over i and u of P(chi < z tan a), and tails keep their relative precision. The mean over u is
taken over fixed, well spread directions. Nothing is random and no step hangs on rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocstats.estimate.influence import UNTHREADED
from rocstats.estimate.resample import fixed_points_of_unit_cube
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import TINY

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline


# Contrasts that depend on each other (A - B, B - C, A - C) leave a variance of 0 but for rounding;
# variables with a higher correlation than 1 less this are the same.
_NO_PIVOT = 1e-9
# Equal variances differ by rounding, which must not choose the pivot: the first of them is taken.
_SAME_VARIANCE = 1e-6

# Directions, a power of 2 as Sobol's sequence wants it: with 2^14 every probability of the 45
# differences of 10 estimates is right within 1e-4 (validation/single_step). Beyond, the number of
# directions times pairs of variables keeps the time to a few seconds.
_MOST_DIRECTIONS, _LEAST_DIRECTIONS, _MOST_PRODUCTS = 2**14, 2**6, 1.5e8
# Of the projections in the control variates, each twice the one before; higher ones gained nothing.
_POWERS = (2, 4, 8)
# Added to the variance of a control, which is about 1: some are constant, or nearly collinear.
_CONTROL_RIDGE = 1e-6

# Cells of angles from 0 to pi: linear weights in them change a probability by under 1e-6.
_ANGLE_CELLS = 2**12
# From 10 on a normal tail is below 1e-23, and all but variables that are nearly the same have their
# edges beyond; splines through 20 points a unit are right to 1e-7.
_HEIGHTS = np.linspace(0, 10, 201)
# 64 nodes integrate the normal density over the 9 units where it is above 1e-17, to 1e-14.
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(64)
_LEAST_DENSITY = 1e-17  # below the rounding of the whole


class LargestNormal(NamedTuple):
    """Distribution of max |Z| or max Z, and the rank of Z.

    ``above`` is the sum over variables of the share of directions in which they are the largest, at
    heights z >= 0; ``below`` that at -z.
    """

    rank: int
    sides: int
    above: CubicSpline
    below: CubicSpline

    def exceeds(self, c: float) -> float:
        """Return P(largest > c)."""
        if c >= 0:
            return min(self._beyond(self.above, c), 1.0)
        return 1 - self._beyond(self.below, -c) if self.sides == 1 else 1.0

    def _beyond(self, share: CubicSpline, height: float) -> float:
        """Return the integral from a height on of the normal density times a share."""
        tail = sp.ndtr(-height)
        if tail < TINY:
            return 0.0
        half = (-sp.ndtri(max(tail * _LEAST_DENSITY, TINY)) - height) / 2
        heights = height + half * (_NODES + 1)
        # The density relative to the tail at the height keeps its precision in the far tail.
        scale = np.sqrt(2 / np.pi) / sp.erfcx(height / np.sqrt(2))
        density = scale * np.exp((height - heights) * (height + heights) / 2)
        shares = share(np.minimum(heights, _HEIGHTS[-1])) * density * _NODE_WEIGHTS
        return float(self.sides * tail * half * shares.sum())

    def quantile(self, p: float) -> float:
        """Return the c that the largest stays below with probability ``p``."""
        from scipy.optimize import brentq

        # P(largest > c) is 1 and 0 in floating point at -38 and 38 (normal tail below 3e-316). Of
        # absolute values it is 1 at 0, but for rounding.
        lowest = -38.0 if self.sides == 1 else 0.0
        if not self.exceeds(lowest) > 1 - p:
            return lowest
        return float(brentq(lambda c: self.exceeds(c) - (1 - p), lowest, 38.0, xtol=1e-12))


def largest_normal(covariance: FloatArray, *, two_sided: bool) -> LargestNormal:
    """Return the distribution of the largest of normal variables with a covariance matrix.

    ``two_sided`` takes absolute values. A variable without variance counts as independent. Two
    variables, or all differences of three estimates, are integrated to 1e-6. For all differences of
    4 to 20 independent estimates the .95 quantile was right within 1e-4, and a probability within
    3e-4 (validation/single_step/single_step.csv).
    """
    from scipy.interpolate import CubicSpline

    root = correlation_root(covariance)
    rank = root.shape[1]
    if rank == 1:  # another dimension, which no variable moves in, has the directions 1 and -1
        root = np.column_stack([root, np.zeros(len(root))])
    weight = _cones(_distinct_rows(root, two_sided=two_sided), two_sided=two_sided)
    # A cone round w_i is {chi cos a < Z_i sin a}: at -z what is outside the cone of pi - a.
    squares = np.tan(np.arange(_ANGLE_CELLS // 2) * np.pi / _ANGLE_CELLS) ** 2
    acute, obtuse = weight[: _ANGLE_CELLS // 2], weight[: _ANGLE_CELLS // 2 : -1]
    wide = weight[_ANGLE_CELLS // 2 :].sum()
    df = root.shape[1] - 1.0
    above = wide + _mean_chi_square_probability(squares, acute, df)
    below = obtuse.sum() - _mean_chi_square_probability(squares[: len(obtuse)], obtuse, df)
    splines = (CubicSpline(_HEIGHTS, share) for share in (above, below))
    return LargestNormal(rank, 2 if two_sided else 1, *splines)


def _mean_chi_square_probability(squares: FloatArray, weight: FloatArray, df: float) -> FloatArray:
    """Return the sum of weights times P(chi^2 < z^2 squares) at each height z."""
    kept = np.flatnonzero(weight)
    chances = sp.chdtr(df, np.outer(_HEIGHTS**2, squares[kept]))
    return np.asarray(np.einsum("zc,c->z", chances, weight[kept]))


def correlation_root(covariance: FloatArray) -> FloatArray:
    """Return w (q x rank), rows of length 1, with w w' the correlation matrix.

    A variable without variance counts as independent. The root is Cholesky's, whose pivots do not
    depend on rounding as eigenvectors of equal values do.
    """
    sd = np.sqrt(np.diag(covariance))
    still = ~(sd > 0)
    scale = np.where(still, 1.0, sd)
    correlation = np.where(still | still[:, np.newaxis], 0.0, covariance) / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    root, left, rank = np.zeros_like(correlation), np.ones(len(sd)), 0
    while rank < len(sd) and left.max() > _NO_PIVOT:
        i = int(np.argmax(left > left.max() * (1 - _SAME_VARIANCE)))
        known = np.einsum("ij,j->i", root[:, :rank], root[i, :rank])
        root[:, rank] = (correlation[:, i] - known) / np.sqrt(left[i])
        left = left - root[:, rank] ** 2
        left[i] = 0.0
        rank += 1
    return np.asarray(root[:, :rank] / np.linalg.norm(root[:, :rank], axis=1, keepdims=True))


def _distinct_rows(root: FloatArray, *, two_sided: bool) -> FloatArray:
    """Return the rows that are not equal to an earlier one; nor to its negative if two-sided."""
    kept: list[int] = []
    for i, row in enumerate(root):
        alike = np.einsum("ij,j->i", root[kept], row)
        if not np.any((np.abs(alike) if two_sided else alike) > 1 - _NO_PIVOT):
            kept.append(i)
    return root[kept]


def _cones(root: FloatArray, *, two_sided: bool) -> FloatArray:
    """Return the number of cones, as a share of the directions, at angles from 0 to pi.

    Sums over u and -u of even powers of the projections on other axes have known means, and the
    cones together fill the space: both are control variates, in one regression for all axes.
    """
    q, rank = root.shape
    points = _sobol_points(q, rank)
    # Products that OpenBLAS takes with one thread; their results fit the cache.
    block = max(1, UNTHREADED // (q * rank))
    # A shift of its own for each axis: the errors of the axes then cancel.
    shifts = fixed_points_of_unit_cube(q, rank)
    cotangent = np.empty((q, 2, len(points)))
    controls = np.empty((q, len(_POWERS) + 1, len(points)))
    for i in range(q):
        axis = _AxisView.of(root, i, two_sided=two_sided)
        directions = _unit_vectors_orthogonal_to(root[i], (points + shifts[i]) % 1)
        for start in range(0, len(points), block):
            part = slice(start, start + block)
            at = directions[part] @ axis.others.T
            cotangent[i, :, part] = axis.steepest(at)
            controls[i, :, part] = axis.controls(at)
    place = np.arctan2(1.0, cotangent) * (_ANGLE_CELLS / np.pi)
    cell = np.minimum(place.astype(np.intp), _ANGLE_CELLS - 1)
    over = place - cell
    share = _solid_angles(rank) * (2 * q if two_sided else q)
    shares = (share[cell] * (1 - over) + share[cell + 1] * over).mean(axis=1) - 1
    weight = _control_variate_weights(np.concatenate([controls, shares[:, np.newaxis]], axis=1))
    weight = np.repeat(weight[:, np.newaxis] / 2, 2, axis=1)
    low = np.bincount(cell.ravel(), (weight * (1 - over)).ravel(), _ANGLE_CELLS + 1)
    high = np.bincount(cell.ravel() + 1, (weight * over).ravel(), _ANGLE_CELLS + 1)
    return np.asarray(low + high, dtype=np.float64)


def _solid_angles(rank: int) -> FloatArray:
    """Return the share of the sphere in a cone, at the edges of the cells of its angle."""
    squares = np.sin(np.linspace(0, np.pi / 2, _ANGLE_CELLS // 2 + 1)) ** 2
    acute = sp.betainc((rank - 1) / 2, 0.5, squares) / 2
    return np.concatenate([acute, 1 - acute[-2::-1]])


def _sobol_points(q: int, rank: int) -> FloatArray:
    """Return Sobol's points of the unit cube, of which the directions are made."""
    from scipy.stats import qmc

    affordable = 2 ** int(np.log2(max(_MOST_PRODUCTS / q**2, 1.0)))
    number = int(np.clip(affordable, _LEAST_DIRECTIONS, _MOST_DIRECTIONS))
    return np.asarray(qmc.Sobol(rank, scramble=False).random(number))


def _unit_vectors_orthogonal_to(axis: FloatArray, points: FloatArray) -> FloatArray:
    """Return unit vectors orthogonal to an axis, from points of the unit cube."""
    x = sp.ndtri(np.clip(points, 1e-15, 1 - 1e-15))  # the ends have no finite normal score
    x -= np.einsum("nj,j->n", x, axis)[:, np.newaxis] * axis
    return np.asarray(x / np.sqrt(np.einsum("nj,nj->n", x, x))[:, np.newaxis])


def _control_variate_weights(controls: FloatArray) -> FloatArray:
    """Return weights of the directions under which the controls sum to their mean, 0."""
    q, n_controls, n = controls.shape
    apart = controls - controls.mean(axis=2, keepdims=True)
    spread = np.einsum("ian,ibn->ab", apart, apart) + _CONTROL_RIDGE * q * n * np.eye(n_controls)
    slope = np.linalg.solve(spread, controls.mean(axis=2).sum(axis=0))
    return np.asarray(1 / n - np.einsum("a,ian->in", slope, apart))


class _AxisView(NamedTuple):
    """The other axes as seen from one, at the end of which Z_i = 1.

    Z_j = 1 too at the distance 1 / (near v_j u) in the direction u, and -Z_j at -1 / (far v_j u).
    """

    others: FloatArray
    near: FloatArray
    far: FloatArray | None
    means: FloatArray

    @classmethod
    def of(cls, root: FloatArray, i: int, *, two_sided: bool) -> _AxisView:
        """Return the view from axis ``i``."""
        others = np.delete(root, i, axis=0)
        along = np.einsum("ij,j->i", others, root[i])
        near = 1 / (1 - along)
        far = 1 / (1 + along) if two_sided else None
        axis = cls(others, near, far, np.empty(0))
        return axis._replace(means=axis._means(along, root.shape[1] - 1))

    def steepest(self, at: FloatArray) -> FloatArray:
        """Return the cotangent of the edge in directions u and -u, from projections of u."""
        near = at * self.near
        if self.far is None:
            ends = [near.max(axis=1, initial=-np.inf), -near.min(axis=1, initial=np.inf)]
            return np.array(ends)
        far = at * self.far
        up = np.maximum(near.max(axis=1, initial=0.0), -far.min(axis=1, initial=0.0))
        down = np.maximum(-near.min(axis=1, initial=0.0), far.max(axis=1, initial=0.0))
        return np.array([up, down])

    def controls(self, at: FloatArray) -> FloatArray:
        """Return sums of powers of the projections, and the square of the first, less their means.

        All relative to their means.
        """
        sums = []
        for power in _POWERS:
            at = at * at  # each power is the square of the one before, and no logarithm is taken
            sums.append(np.einsum("nj,j->n", at, self._weights(power)))
        powers = np.array([*sums, sums[0] ** 2])
        scale = np.where(self.means > 0, self.means, 1.0)[:, np.newaxis]
        return np.asarray((powers - self.means[:, np.newaxis]) / scale)

    def _weights(self, power: int) -> FloatArray:
        return self.near**power + (0.0 if self.far is None else self.far**power)

    def _means(self, along: FloatArray, d: int) -> FloatArray:
        """Return the means of the sums over the unit sphere of d dimensions."""
        length = 1 - along**2
        means = [
            # The mean of (v u)^p is |v|^p Gamma(d/2) Gamma((p+1)/2) / (sqrt(pi) Gamma((d+p)/2)).
            np.sum(self._weights(p) * length ** (p / 2))
            * np.exp(sp.gammaln(d / 2) + sp.gammaln((p + 1) / 2) - sp.gammaln((d + p) / 2))
            / np.sqrt(np.pi)
            for p in _POWERS
        ]
        # A quadratic form u'Mu has the mean square (tr^2 M + 2 tr M^2) / (d (d + 2)).
        products = np.einsum("ij,kj->ik", self.others, self.others) - np.outer(along, along)
        first = self._weights(2)
        trace = float(first @ length)
        square = trace**2 + 2 * np.einsum("i,ik,k->", first, products**2, first)
        return np.array([*means, square / (d * (d + 2))])
