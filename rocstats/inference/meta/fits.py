"""Fits of the bivariate model: maximum likelihood, restricted likelihood, and profiles.

The maximum of the likelihood is for means: rates, ratios, comparisons. The maximum of the
restricted likelihood is for spread alone, which the likelihood underestimates in few studies.
Formulas: docs/methods/meta-analysis.md [chu-2006, cox-1987].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from rocstats.facts.arrays import FloatArray
from rocstats.inference.meta.model import (
    N_NODES,
    Counts,
    Likelihood,
    likelihood,
    value_and_gradient,
)

# Where the searches start: logits vary by .7, and a threshold effect is likely or unlikely.
_STARTS = ((0.7, -0.2, 0.7), (0.7, 0.2, 0.7))
# Below this a standard deviation (or its free part) is 0: a derivative by it is 0 by symmetry.
NO_SPREAD = 1e-3
"""Standard deviation of logits below which it is 0."""
# Of differences of a gradient, and of values where the gradient is not exact.
_STEP, _STEP_OF_VALUES = 1e-3, 1e-4
# The first search ends near the maximum: seven nodes have an error of 1e-4 there.
_NODES_OF_SEARCH, _NEAR = 7, 1e-2
# Newton's steps double the digits: the next one after the last changes nothing.
_GRADIENT_TOLERANCE, _LAST_STEP, _MOST_STEPS = 1e-7, 1e-9, 50
# The value changes by the square of these, its gradient by their size.
_LAST_STEP_OF_MEANS, _LAST_STEP_OF_SPREAD = 1e-9, 1e-7
# Three are usual.
_MOST_STEPS_OF_MEANS = 12
# Curvature of a likelihood that is flat in a spread; steps are then limited by their length.
_LEAST_BEND = 1e-3
# Relative to the largest: a direction with less information than this is rounding.
_LEAST_INFORMATION = 1e-12
# Rounding of a log-likelihood of some hundreds.
_NO_LOSS = 1e-10
# Where a search begins in place of 0, at which a gradient vanishes by symmetry.
_OFF_ZERO = 0.05
# The last step of the spread in a profile of the restricted likelihood, whose value changes by the
# square of it, and the error of its limits.
_ROUGH, _ROUGH_LIMIT = 1e-3, 1e-4
# Nearly all rates are then 0 or 1.
LARGEST_SPREAD = 10.0
"""Standard deviation of logits beyond which there is no limit."""

FEWEST_FOR_CORRELATION = 5
"""Studies below which the correlation is fixed at 0."""


class Fit(NamedTuple):
    """Coefficients and spread at a maximum, and the covariance of the coefficients.

    ``free`` are the numbers of the parameters (coefficients, then a, d, c) that are estimated.
    ``covariance`` is NaN for coefficients that are not.
    """

    counts: Counts
    beta: FloatArray
    spread: FloatArray
    value: float
    free: tuple[int, ...]
    covariance: FloatArray
    n_nodes: int

    @property
    def sd(self) -> tuple[float, float]:
        """Standard deviations of the logits of sensitivity and specificity over studies."""
        return _sds(self.spread)

    @property
    def correlation(self) -> float:
        """Correlation of the logits over studies; NaN where a standard deviation is 0."""
        sd1, sd2 = self.sd
        if min(sd1, sd2) < NO_SPREAD:
            return float("nan")
        return float(np.sign(self.spread[0]) * self.spread[1] / sd2)

    @property
    def se(self) -> FloatArray:
        """Standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance))


def _sds(spread: FloatArray) -> tuple[float, float]:
    a, d, c = map(float, spread)
    return abs(a), float(np.hypot(d, c))


def spread_covariance(spread: FloatArray) -> FloatArray:
    """Return the covariance S = L L' of (a, d, c)."""
    a, d, c = spread
    root = np.array([[a, 0.0], [d, c]])
    return np.asarray(root @ root.T)


# --- Which parameters are estimated ---------------------------------------------------------------


def free_parameters(
    counts: Counts, *, correlated: bool, margins: Sequence[int] = (0, 1)
) -> tuple[int, ...]:
    """Return the numbers of the free parameters; a margin that is left out has none."""
    p = counts.x.shape[1]
    means = [m * p + j for m in margins for j in range(p)]
    spread = {0: 2 * p, 1: 2 * p + 2}
    loose = [2 * p + 1] if correlated and len(margins) == 2 else []
    return tuple(sorted([*means, *(spread[m] for m in margins), *loose]))


def _full(free: Sequence[int], values: FloatArray, fixed: FloatArray) -> FloatArray:
    found = fixed.copy()
    found[list(free)] = values
    return found


def _canonical(at: FloatArray, free: Sequence[int], size: int) -> FloatArray:
    """Return parameters of the same covariance with a, c >= 0, and 0 where there is no spread.

    Without spread in the first margin d and c count only together: d is 0.
    """
    a, d, c = at[size:]
    a, d, c = abs(a), (np.sign(a) * d if a else d), abs(c)
    if a < NO_SPREAD:
        a = 0.0 if size in free else a
        d, c = (0.0, np.hypot(d, c)) if size + 1 in free else (d, c)
    if c < NO_SPREAD * max(1.0, np.hypot(d, c)):
        c = 0.0
    return np.concatenate([at[:size], [a, d, c]])


# --- Maximum likelihood ---------------------------------------------------------------------------


def fit_model(counts: Counts, free: tuple[int, ...], n_nodes: int = N_NODES) -> Fit:
    """Return the fit of maximum likelihood; coefficients that are not free are 0."""
    size = counts.n_coefficients
    fixed = np.zeros(size + 3)
    if not free:
        return Fit(
            counts, fixed[:size], fixed[size:], 0.0, (), np.full((size, size), np.nan), n_nodes
        )
    means = _start_of_means(counts)
    starts = _STARTS if size + 1 in free else _STARTS[:1]
    # The neighbourhood of the maximum takes few nodes.
    found = [
        _search(counts, free, _full(free, begin[list(free)], fixed), _NODES_OF_SEARCH, _NEAR)
        for begin in (np.concatenate([means, start]) for start in starts)
    ]
    begin = max(found, key=lambda one: one[0])[1]
    value, at = _maximum(counts, free, begin, n_nodes)
    at = _canonical(at, free, size)
    covariance = _covariance_of_means(counts, free, at, n_nodes)
    return Fit(counts, at[:size], at[size:], value, free, covariance, n_nodes)


def _start_of_means(counts: Counts) -> FloatArray:
    """Return coefficients that fit the logits of rates with half a case added; for a start only."""
    found = []
    for y, n in zip(counts.y.T, counts.n.T, strict=True):
        known = n > 0
        logits = np.log((y + 0.5) / (n - y + 0.5))
        found.append(np.linalg.lstsq(counts.x[known], logits[known], rcond=None)[0])
    return np.concatenate(found)


def _differences(value: Callable[[FloatArray], float], at: FloatArray) -> FloatArray:
    """Return the gradient by central differences."""
    steps = np.eye(len(at)) * _STEP_OF_VALUES
    ends = [(value(at + step), value(at - step)) for step in steps]
    return np.array([(high - low) / (2 * _STEP_OF_VALUES) for high, low in ends])


def _descent(
    counts: Counts, free: Sequence[int], at: FloatArray, n_nodes: int
) -> Callable[[FloatArray], tuple[float, FloatArray]]:
    """Return minus the log-likelihood and its gradient as a function of the free parameters."""
    size, places = counts.n_coefficients, list(free)

    def exact(values: FloatArray) -> tuple[float, FloatArray]:
        full = _full(free, values, at)
        value, gradient = value_and_gradient(counts, full[:size], full[size:], n_nodes)
        return -value, -gradient[places]

    def by_differences(values: FloatArray) -> tuple[float, FloatArray]:
        return exact(values)[0], _differences(lambda v: exact(v)[0], values)

    # Fisher's gradient is not that of Laplace's approximation: searches would stall.
    return by_differences if n_nodes == 1 else exact


def _search(
    counts: Counts, free: Sequence[int], at: FloatArray, n_nodes: int, tolerance: float
) -> tuple[float, FloatArray]:
    """Return a largest log-likelihood over the free parameters by BFGS, and all parameters."""
    from scipy.optimize import minimize

    places = list(free)
    found = minimize(
        _descent(counts, free, at, n_nodes),
        at[places],
        jac=True,
        method="BFGS",
        options={"gtol": tolerance},
    )
    return -float(found.fun), _full(free, found.x, at)


def _maximum(
    counts: Counts, free: Sequence[int], at: FloatArray, n_nodes: int
) -> tuple[float, FloatArray]:
    """Return the largest log-likelihood over the free parameters near ``at``, and all of them.

    Parameters that are not free keep their values. Newton's method is tried first: where the
    likelihood is not concave, or with Laplace's approximation, BFGS does the search.
    """
    size = counts.n_coefficients
    # By symmetry the gradient is 0 where a free parameter of spread is 0.
    small = np.isin(range(size + 3), free) & (np.arange(size + 3) >= size)
    at = np.where(small & (np.abs(at) < _OFF_ZERO), _OFF_ZERO, at)
    found = None if n_nodes == 1 else _newton(counts, free, at, n_nodes)
    return found or _search(counts, free, at, n_nodes, _GRADIENT_TOLERANCE)


def _newton(
    counts: Counts, free: Sequence[int], at: FloatArray, n_nodes: int
) -> tuple[float, FloatArray] | None:
    """Return the maximum by Newton's method; None where the likelihood is not concave."""
    size = counts.n_coefficients

    def of(at: FloatArray) -> Likelihood:
        return likelihood(counts, at[:size], at[size:], n_nodes)

    here = of(at)
    for _ in range(_MOST_STEPS):
        kept = list(_regular(free, at, size))
        information = here.information[np.ix_(kept, kept)]
        if len(kept) and np.linalg.eigvalsh(information)[0] <= 0:
            return None
        step = np.zeros_like(at)
        step[kept] = np.linalg.solve(information, here.gradient[kept])
        if np.abs(step).max() < _LAST_STEP:
            return here.value, at
        length = min(1.0, 1 / float(np.abs(step).max()))
        there = of(_canonical(at + length * step, free, size))
        while not there.value >= here.value - _NO_LOSS:
            length /= 4
            if length < _LAST_STEP:
                return None
            there = of(_canonical(at + length * step, free, size))
        at, here = _canonical(at + length * step, free, size), there
    return None


def _regular(free: Sequence[int], at: FloatArray, size: int) -> tuple[int, ...]:
    """Return the free parameters without those of spread whose derivatives vanish by symmetry."""
    a, _, c = np.abs(at[size:])
    absent = set()
    if a < NO_SPREAD:
        absent |= {size, size + 1}
    if c < NO_SPREAD:
        absent |= {size + 2}
    return tuple(j for j in free if j not in absent)


def _covariance_of_means(
    counts: Counts, free: tuple[int, ...], at: FloatArray, n_nodes: int
) -> FloatArray:
    """Return the block of the coefficients of the inverse information; NaN of those not free."""
    size = counts.n_coefficients
    kept = list(_regular(free, at, size))
    means = [j for j in kept if j < size]
    known = likelihood(counts, at[:size], at[size:], n_nodes).information
    information = known[np.ix_(kept, kept)]
    if n_nodes == 1:
        descent = _descent(counts, kept, at, n_nodes)
        information = _second_differences(lambda v: descent(v)[1], at[kept])
    if len(kept) and np.linalg.eigvalsh(information)[0] <= 0:
        # A ridge of the likelihood: the spread is taken as known.
        information = known[np.ix_(means, means)]
    found = np.full((size, size), np.nan)
    found[np.ix_(means, means)] = _inverse(information)[: len(means), : len(means)]
    return found


def _inverse(information: FloatArray) -> FloatArray:
    """Return the inverse of an information, positive definite whatever its rounding."""
    sizes, axes = np.linalg.eigh(information)
    sizes = np.maximum(np.abs(sizes), _LEAST_INFORMATION * np.abs(sizes).max(initial=0.0))
    return np.asarray((axes / sizes) @ axes.T)


def _second_differences(gradient: Callable[[FloatArray], FloatArray], at: FloatArray) -> FloatArray:
    """Return the symmetric matrix of central differences of a gradient."""
    steps = np.eye(len(at)) * _STEP
    found = np.array([(gradient(at + step) - gradient(at - step)) / (2 * _STEP) for step in steps])
    return np.asarray((found + found.T) / 2)


# --- Restricted likelihood, for spread ------------------------------------------------------------


class _Restricted(NamedTuple):
    """The restricted log-likelihood of a spread, its gradient by (a, d, c), and the means there."""

    value: float
    gradient: FloatArray
    curvature: FloatArray
    """Minus the second derivative of the likelihood at its largest over the means."""
    beta: FloatArray
    covariance: FloatArray


def _restricted_likelihood(
    fit: Fit, spread: FloatArray, beta: FloatArray, loose: Sequence[int]
) -> _Restricted:
    """Return the likelihood at its largest over the means, less half of log det J.

    J is the information on the means, which are sought from ``beta``. The gradient of log det J is
    by central differences along which the means follow the spread, to first order.
    """
    counts, size = fit.counts, fit.counts.n_coefficients
    means = [j for j in fit.free if j < size]
    place = np.ix_(means, means)

    def log_det(beta: FloatArray, spread: FloatArray) -> float:
        found = likelihood(counts, beta, spread, fit.n_nodes).information[place]
        return float(np.linalg.slogdet(found)[1])

    here = likelihood(counts, beta, spread, fit.n_nodes)
    for _ in range(_MOST_STEPS_OF_MEANS):
        step = np.zeros(size)
        step[means] = _inverse(here.information[place]) @ here.gradient[means]
        longest = float(np.abs(step).max())
        if longest < _LAST_STEP_OF_MEANS:
            break
        beta = beta + step * min(1.0, 1 / longest)
        here = likelihood(counts, beta, spread, fit.n_nodes)
    information = here.information[place]
    gradient = here.gradient[size:].copy()
    for j in loose:
        turn, follow = np.zeros(3), np.zeros(size)
        turn[j] = _STEP
        follow[means] = -np.linalg.solve(information, here.information[means, size + j]) * _STEP
        gain = log_det(beta + follow, spread + turn) - log_det(beta - follow, spread - turn)
        gradient[j] -= gain / (4 * _STEP)
    covariance = np.full((size, size), np.nan)
    covariance[place] = _inverse(information)
    value = here.value - float(np.linalg.slogdet(information)[1]) / 2
    across = here.information[means, size:]
    curvature = here.information[size:, size:] - across.T @ np.linalg.solve(information, across)
    return _Restricted(value, gradient, curvature, beta, covariance)


def _restricted_maximum(
    fit: Fit, loose: Sequence[int], begin: FloatArray, beta: FloatArray, tolerance: float
) -> tuple[_Restricted, FloatArray]:
    """Return the maximum over some of (a, d, c), and all of them; the search begins near it.

    Its first steps are Newton's of the profile likelihood, whose curvature is nearly that of the
    restricted likelihood; later ones correct the curvature by the change of the gradient (BFGS).
    """
    size, spread = fit.counts.n_coefficients, begin.copy()
    free = [*(j for j in fit.free if j < size), *(size + j for j in loose)]
    here = _restricted_likelihood(fit, spread, beta, loose)
    bend = here.curvature
    for _ in range(_MOST_STEPS):
        kept = [
            j - size for j in _regular(free, np.append(beta, spread), size) if j - size in loose
        ]
        if not kept:
            break
        sizes, axes = np.linalg.eigh(bend[np.ix_(kept, kept)])
        # A direction that is not concave has a step of the same length as one that is.
        sizes = np.maximum(np.abs(sizes), _LEAST_BEND)
        step = np.zeros(3)
        step[kept] = axes @ (axes.T @ here.gradient[kept] / sizes)
        longest = float(np.abs(step).max())
        length = min(1.0, 0.5 / longest) if longest else 0.0
        while length * longest >= tolerance:
            at = _canonical(np.append(beta, spread + length * step), free, size)[size:]
            there = _restricted_likelihood(fit, at, here.beta, loose)
            if there.value >= here.value - _NO_LOSS:
                break
            length /= 4
        else:
            break
        moved, turned = at - spread, here.gradient - there.gradient
        if moved @ turned > 0 and moved @ bend @ moved > 0:
            pulled = bend @ moved
            bend = (
                bend
                + np.outer(turned, turned) / (moved @ turned)
                - np.outer(pulled, pulled) / (moved @ pulled)
            )
        gain = abs(there.value - here.value)
        spread, here = at, there
        if gain < tolerance**2 or max(_sds(spread)) > LARGEST_SPREAD:
            break
    return here, spread


def fit_restricted(fit: Fit, *, correlated: bool = True) -> Fit:
    """Return the fit of the restricted likelihood that starts at one of maximum likelihood."""
    size = fit.counts.n_coefficients
    if not fit.free:
        return fit
    loose = [j - size for j in fit.free if j >= size and (correlated or j != size + 1)]
    start = np.where(np.abs(fit.spread) < 0.1, 0.1, fit.spread)
    begin = np.array([start[j] if j in loose else 0.0 for j in range(3)])
    found, spread = _restricted_maximum(fit, loose, begin, fit.beta, _LAST_STEP_OF_SPREAD)
    free = tuple(j for j in fit.free if j < size or j - size in loose)
    spread = _canonical(np.concatenate([found.beta, spread]), free, size)[size:]
    return fit._replace(
        beta=found.beta,
        spread=spread,
        value=found.value,
        free=free,
        covariance=found.covariance,
    )


# --- Profiles -------------------------------------------------------------------------------------


def profile_limits(fit: Fit, coefficient: int, z: float) -> tuple[float, float]:
    """Return the limits of a coefficient where twice the loss of log-likelihood is z^2."""
    free = tuple(j for j in fit.free if j != coefficient)
    state = np.concatenate([fit.beta, fit.spread])

    @cache
    def excess(at: float) -> float:
        nonlocal state
        state[coefficient] = at
        value, state = _maximum(fit.counts, free, state, fit.n_nodes)
        return 2 * (fit.value - value) - z**2

    centre, step = float(fit.beta[coefficient]), z * float(fit.se[coefficient])
    steps = step * 1.5 ** np.arange(8)
    low, high = (_crossing(excess, centre, centre + sign * steps) for sign in (-1, 1))
    return -np.inf if low is None else low, np.inf if high is None else high


def _crossing(
    excess: Callable[[float], float], inner: float, outward: Iterable[float], error: float = 1e-8
) -> float | None:
    """Return where a function that is negative at ``inner`` becomes 0 on the way outward.

    The function keeps its values, which depend on where the search before ended.
    """
    from scipy.optimize import brentq

    centre = inner

    def signed(at: float) -> float:
        # At the maximum nothing is lost, whatever the search finds there.
        return -1.0 if at == centre else excess(at)

    for outer in map(float, outward):
        if outer != centre and excess(outer) > 0:
            return float(brentq(signed, inner, outer, xtol=error))
        inner = outer
    return None


def sd_limits(fit: Fit, z: float, *, restricted: bool) -> tuple[float, float]:
    """Return the profile limits of the standard deviation of the first margin.

    ``fit`` is the maximum of the same likelihood. The lower limit is 0 unless 0 is rejected.
    """
    size = fit.counts.n_coefficients
    free = tuple(j for j in fit.free if j != size)
    loose = [j - size for j in free if j >= size]
    state = np.concatenate([fit.beta, fit.spread])

    @cache
    def excess(sd: float) -> float:
        nonlocal state
        state[size] = sd
        if restricted:
            begin = state[size:].copy()
            begin[loose] = np.where(np.abs(begin[loose]) < _OFF_ZERO, _OFF_ZERO, begin[loose])
            found, spread = _restricted_maximum(fit, loose, begin, state[:size], _ROUGH)
            value, state = found.value, np.concatenate([found.beta, spread])
        else:
            value, state = _maximum(fit.counts, free, state, fit.n_nodes)
        return 2 * (fit.value - value) - z**2

    sd = fit.sd[0]
    error = _ROUGH_LIMIT if restricted else 1e-8
    outward = np.minimum(max(sd, 0.25) * 1.5 ** np.arange(1, 9), LARGEST_SPREAD)
    high = _crossing(excess, sd, outward, error)
    state = np.concatenate([fit.beta, fit.spread])
    low = _crossing(excess, sd, [0.0], error) if sd > NO_SPREAD else None
    return low or 0.0, np.inf if high is None else high


def swapped(counts: Counts) -> Counts:
    """Return the counts with their margins exchanged."""
    return counts._replace(y=counts.y[:, ::-1], n=counts.n[:, ::-1])


def no_heterogeneity(fit: Fit) -> float:
    """Return the largest log-likelihood without spread: a binomial regression of each margin."""
    size = fit.counts.n_coefficients
    means = tuple(j for j in fit.free if j < size)
    at = np.concatenate([fit.beta, np.zeros(3)])
    return _maximum(fit.counts, means, at, fit.n_nodes)[0]
