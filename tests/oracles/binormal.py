"""The binormal model the slow way: a general optimiser on the full likelihood, and grids."""

from __future__ import annotations

import numpy as np
from scipy import optimize
from scipy.stats import norm


def log_likelihood(theta, n_pos, n_neg):
    """Multinomial log-likelihood of (a, b, first cut, logs of the gaps between cuts)."""
    a, b, *rest = theta
    cuts = np.cumsum([rest[0], *np.exp(rest[1:])])
    neg = np.diff(norm.cdf([-np.inf, *cuts, np.inf]))
    pos = np.diff(norm.cdf([-np.inf, *(b * cuts - a), np.inf]))
    return sum(n @ np.log(np.maximum(p, 1e-300)) for n, p in ((n_neg, neg), (n_pos, pos)))


def maximise(n_pos, n_neg):
    """Return (a, b), the largest log-likelihood and the covariance of (a, b) from its curvature.

    The curvature is that of the profile over the cuts, by second differences.
    """
    n_pos, n_neg = np.asarray(n_pos, float), np.asarray(n_neg, float)
    cuts = norm.ppf(np.cumsum(n_pos + n_neg)[:-1] / (n_pos + n_neg).sum())
    inner = np.array([cuts[0], *np.log(np.diff(cuts))])

    def best(theta, free):
        def loss(x):
            return -log_likelihood([*theta[:free], *x], n_pos, n_neg)

        options = {"gtol": 1e-9, "maxiter": 5000}
        found = optimize.minimize(loss, theta[free:], method="BFGS", options=options)
        return found.x, -found.fun

    theta, top = best(np.array([1.0, 1.0, *inner]), 0)

    def profile(a, b):
        return best(np.array([a, b, *theta[2:]]), 2)[1]

    h = 0.02
    a, b = theta[:2]
    aa = (profile(a + h, b) + profile(a - h, b) - 2 * top) / h**2
    bb = (profile(a, b + h) + profile(a, b - h) - 2 * top) / h**2
    corners = [s * t * profile(a + s * h, b + t * h) for s in (1, -1) for t in (1, -1)]
    ab = sum(corners) / (4 * h**2)
    return theta[:2], top, np.linalg.inv(-np.array([[aa, ab], [ab, bb]]))


def ellipse_limits(a, b, n_pos, n_neg, fpr, confidence_level):
    """Demidenko's limits at one rate, over a fine grid of thresholds."""
    k2 = -2 * np.log(1 - confidence_level)
    c, z = np.linspace(-12, 12, 400_001), norm.ppf(fpr)
    y = a + b * c
    room = k2 - (z - c) ** 2 * n_neg / (1 + c**2 / 2)
    reach = np.sqrt(np.where(room >= 0, room, np.nan) * (1 + y**2 / 2) / n_pos)
    return norm.cdf(np.nanmin(y - reach)), norm.cdf(np.nanmax(y + reach))
