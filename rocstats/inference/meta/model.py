"""The exact bivariate model of diagnostic reviews: likelihood, gradient and information.

The numbers of true positives and true negatives of a study are binomial. Their logits are normal
over studies, with means X beta and the covariance L L'. L = [[a, 0], [d, c]] may be singular: a
correlation of 1 is c = 0, a standard deviation of 0 is a = 0 or d = c = 0. Nothing is inverted
there. The integral over the logits of a study is adaptive Gauss-Hermite quadrature.

Formulas: docs/methods/meta-analysis.md [chu-2006].
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray

N_NODES = 21
"""Nodes a dimension: the log-likelihood of eleven published reviews is exact to 1e-6."""

# A Newton step of the mode is at most this long: further steps overshoot where a study is sparse.
_LONGEST_STEP = 2.0
# Steps below this change no digit of the likelihood, whose error is quadratic in them.
_MODE_TOLERANCE = 1e-9
_MOST_STEPS = 100  # five to ten are usual


class Counts(NamedTuple):
    """The correct calls ``y`` of ``n`` people, and the design ``x`` of the means.

    ``y`` and ``n`` have a row for each of k studies: diseased people in the first column, healthy
    people in the second. ``x`` is k x p, the same for both margins.
    """

    y: FloatArray
    n: FloatArray
    x: FloatArray

    @property
    def n_coefficients(self) -> int:
        """Number of coefficients of both margins."""
        return 2 * int(self.x.shape[1])

    def means(self, beta: FloatArray) -> FloatArray:
        """Return the mean logits, k x 2; ``beta`` has those of sensitivity first."""
        return self.x @ beta.reshape(2, -1).T


class Likelihood(NamedTuple):
    """A log-likelihood with its gradient by coefficients and by (a, d, c).

    ``information`` is minus its second derivative (Louis 1982).
    """

    value: float
    gradient: FloatArray
    information: FloatArray


@lru_cache(maxsize=8)
def _nodes(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes (m^2 x 2) of the standard normal, and log weights with x'x/2 added."""
    x, w = np.polynomial.hermite_e.hermegauss(n_nodes)
    w = w / w.sum()
    points = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    logs = np.log(np.multiply.outer(w, w)).ravel() + (points**2).sum(axis=1) / 2
    return points, logs


def _binomial_constants(counts: Counts) -> float:
    y, n = counts.y, counts.n
    return float((sp.gammaln(n + 1) - sp.gammaln(y + 1) - sp.gammaln(n - y + 1)).sum())


def _modes(counts: Counts, mu: FloatArray, root: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mode of each study's z (k x 2), and I + L'WL there (k x 2 x 2)."""

    def height(z: FloatArray) -> FloatArray:
        eta = mu + z @ root.T
        found = counts.y * eta - counts.n * np.logaddexp(0.0, eta) - z**2 / 2
        return np.asarray(found.sum(axis=1, keepdims=True))

    z = np.zeros_like(mu)
    here, bend = height(z), np.eye(2)
    for _ in range(_MOST_STEPS):
        p = sp.expit(mu + z @ root.T)
        slope = (counts.y - counts.n * p) @ root - z
        weight = counts.n * p * (1 - p)
        bend = np.eye(2) + np.einsum("ma,km,mb->kab", root, weight, root)
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        length = np.linalg.norm(step, axis=1, keepdims=True)
        if not (length > _MODE_TOLERANCE).any():
            break
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(length, _MODE_TOLERANCE))
        there = height(z + step)
        # A step that overshoots would oscillate; below rounding no step is higher.
        while (lower := (there < here) & (np.abs(step).max(axis=1, keepdims=True) > 1e-6)).any():
            step = np.where(lower, step / 4, step)
            there = height(z + step)
        z, here = z + step, there
    return z, bend


class _Posterior(NamedTuple):
    """The log-likelihood, and at the nodes of each study: weights, residuals, variances and z.

    ``share`` is k x nodes, the others k x nodes x 2.
    """

    value: float
    share: FloatArray
    r: FloatArray
    weight: FloatArray
    z: FloatArray

    def scores(self) -> FloatArray:
        """Return the score of each node by both means, a, d and c: k x nodes x 5."""
        r1, r2, z1, z2 = (
            values[..., m] for values, m in ((self.r, 0), (self.r, 1), (self.z, 0), (self.z, 1))
        )
        return np.stack([r1, r2, r1 * z1, r2 * z1, r2 * z2], axis=2)


def _posterior(counts: Counts, beta: FloatArray, spread: FloatArray, n_nodes: int) -> _Posterior:
    a, d, c = spread
    root = np.array([[a, 0.0], [d, c]])
    mu = counts.means(beta)
    mode, bend = _modes(counts, mu, root)
    factor = np.linalg.cholesky(bend)
    points, logs = _nodes(n_nodes)
    # z of all nodes: the mode plus the solution of C' u = x.
    z = mode[:, None, :] + points @ np.linalg.inv(factor)
    eta = mu[:, None, :] + z @ root.T
    y, n = counts.y[:, None, :], counts.n[:, None, :]
    shrunk = np.exp(-np.abs(eta))
    softplus = np.maximum(eta, 0.0) + np.log1p(shrunk)
    p = np.where(eta >= 0, 1.0, shrunk) / (1 + shrunk)
    terms = (y * eta - n * softplus).sum(axis=2) - (z**2).sum(axis=2) / 2 + logs
    top = terms.max(axis=1, keepdims=True)
    share = np.exp(terms - top)
    total = share.sum(axis=1, keepdims=True)
    log_f = top[:, 0] + np.log(total[:, 0]) - np.log(factor[:, 0, 0] * factor[:, 1, 1])
    value = float(log_f.sum()) + _binomial_constants(counts)
    return _Posterior(value, share / total, y - n * p, n * p * (1 - p), z)


def value_and_gradient(
    counts: Counts, beta: FloatArray, spread: FloatArray, n_nodes: int = N_NODES
) -> tuple[float, FloatArray]:
    """Return the log-likelihood of coefficients and of ``spread`` = (a, d, c), and its gradient.

    The gradient is the mean score over z, given the counts of the study (Fisher's identity). With
    one node it is not the derivative of the value, which is then Laplace's approximation.
    """
    at = _posterior(counts, beta, spread, n_nodes)
    return at.value, _gradient(counts, _means(at.share, at.scores()))


def _means(share: FloatArray, values: FloatArray) -> FloatArray:
    """Return the means over the nodes of each study."""
    return np.asarray((share[:, None, :] @ values)[:, 0])


def _gradient(counts: Counts, means: FloatArray) -> FloatArray:
    return np.concatenate([(counts.x.T @ means[:, :2]).T.ravel(), means[:, 2:].sum(axis=0)])


def likelihood(
    counts: Counts, beta: FloatArray, spread: FloatArray, n_nodes: int = N_NODES
) -> Likelihood:
    """Return the log-likelihood, its gradient and the information; see ``value_and_gradient``."""
    at = _posterior(counts, beta, spread, n_nodes)
    scores = at.scores()
    means = _means(at.share, scores)
    weighted = at.share[..., None] * scores
    inner = means[:, :, None] * means[:, None, :] - weighted.transpose(0, 2, 1) @ scores
    # The derivatives of both logits: (1, 0, z1, 0, 0) and (0, 1, 0, z1, z2).
    z1, z2 = at.z[..., 0], at.z[..., 1]
    one = np.ones_like(z1)
    for m, places, slopes in ((0, [0, 2], [one, z1]), (1, [1, 3, 4], [one, z1, z2])):
        bend = np.stack(slopes, axis=2)
        weight = (at.share * at.weight[..., m])[..., None] * bend
        inner[np.ix_(range(len(inner)), places, places)] += weight.transpose(0, 2, 1) @ bend
    return Likelihood(at.value, _gradient(counts, means), _information(counts.x, inner))


def _information(x: FloatArray, inner: FloatArray) -> FloatArray:
    """Return the information from that of each study on both means, a, d and c (k x 5 x 5)."""
    size = 2 * x.shape[1]
    found = np.empty((size + 3, size + 3))
    found[:size, :size] = np.einsum("kp,kml,kq->mplq", x, inner[:, :2, :2], x).reshape(size, size)
    found[:size, size:] = np.einsum("kp,kmj->mpj", x, inner[:, :2, 2:]).reshape(size, 3)
    found[size:, :size] = found[:size, size:].T
    found[size:, size:] = inner[:, 2:, 2:].sum(axis=0)
    return found
