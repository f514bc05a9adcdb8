"""Make the cases of the authority: ``python validation/binormal/make.py``.

The likelihood of all parameters at once is maximised by a general optimiser with dense matrices;
second derivatives are complex steps, partial areas integrals. No formula of the package is used.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy import integrate, optimize, special, stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import ROOT, read_input
from validation.reference import (
    D1,
    Expected,
    Y,
    as_limits,
    by_class,
    computed,
    derived,
    write_case,
)

Z = float(stats.norm.ppf(0.975))
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Fit:
    """All parameters (a, b, cuts) at the maximum, and the covariance of all."""

    theta: Array
    covariance: Array

    @property
    def a(self) -> float:
        """Intercept."""
        return float(self.theta[0])

    @property
    def b(self) -> float:
        """Slope."""
        return float(self.theta[1])


def cells(theta: Array) -> tuple[Array, Array]:
    """Return the probability of each cell (class, category) and its slopes in all parameters."""
    a, b, *cuts = theta
    k = len(cuts)
    below = np.zeros((2, k + 2), dtype=theta.dtype)
    slope = np.zeros((2, k + 2, len(theta)), dtype=theta.dtype)
    below[:, -1] = 1
    for j, cut in enumerate(cuts, start=1):
        for row, at in ((0, cut), (1, b * cut - a)):
            below[row, j] = special.erfc(-at / math.sqrt(2)) / 2
            density = np.exp(-(at**2) / 2) / math.sqrt(2 * math.pi)
            slope[row, j, 1 + j] = density * (b if row else 1)
            if row:
                slope[row, j, :2] = -density, density * cut
    return np.diff(below, axis=1), np.diff(slope, axis=1)


def gradient(theta: Array, counts: Array) -> Array:
    """Return the slopes of the log-likelihood."""
    p, slope = cells(theta)
    return np.asarray(np.einsum("ij,ijk->k", counts / p, slope))


def curvature(theta: Array, counts: Array) -> Array:
    """Return the second derivatives, by complex steps of the first."""
    columns = []
    for j in range(len(theta)):
        step = theta.astype(complex)
        step[j] += 1e-30j
        columns.append(gradient(step, counts).imag / 1e-30)
    return np.stack(columns)


def loss(theta: Array, counts: Array) -> float:
    """Return minus the log-likelihood; a large number where cuts fall."""
    if np.any(np.diff(theta[2:]) <= 0) or theta[1] <= 0:
        return 1e12
    p, _ = cells(theta)
    return -float(np.sum(special.xlogy(counts, p)))


def fit(n_neg: Sequence[float], n_pos: Sequence[float], information: str = "observed") -> Fit:
    """Return the maximum of the likelihood of ordered categories."""
    counts = np.array([n_neg, n_pos], dtype=float)
    pooled = np.cumsum(counts.sum(axis=0))[:-1] / counts.sum()
    theta = np.array([1.0, 1.0, *(stats.norm.ppf(pooled) + 0.4)])
    minimise: Any = optimize.minimize
    found = minimise(
        lambda t: loss(t, counts),
        theta,
        jac=lambda t: -gradient(t, counts),
        hess=lambda t: -curvature(t, counts),
        method="trust-exact",
        options={"gtol": 1e-8, "maxiter": 2000},
    )
    theta = found.x
    for _ in range(5):
        theta = theta - np.linalg.solve(curvature(theta, counts), gradient(theta, counts))
    if np.abs(gradient(theta, counts)).max() > 1e-8:
        raise ValueError("no maximum was found")
    if information == "observed":
        return Fit(theta, np.linalg.inv(-curvature(theta, counts)))
    p, slope = cells(theta)
    sizes = counts.sum(axis=1)
    expected = np.einsum("i,ij,ijk,ijl->kl", sizes, 1 / p, slope, slope)
    return Fit(theta, np.linalg.inv(expected))


def fit_scores(neg: Sequence[float], pos: Sequence[float]) -> Fit:
    """Return the fit to raw scores taken for normal; variances by docs/methods/binormal.md."""
    m, n = len(pos), len(neg)
    s1, s0 = np.std(pos, ddof=1), np.std(neg, ddof=1)
    a, b = (np.mean(pos) - np.mean(neg)) / s1, s0 / s1
    ab = a * b / (2 * m)
    aa, bb = 1 / m + b**2 / n + a**2 / (2 * m), b**2 * (1 / (2 * m) + 1 / (2 * n))
    return Fit(np.array([a, b]), np.array([[aa, ab], [ab, bb]]))


def runs(scores: Sequence[float], labels: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return [negatives, positives] of each truth-state run, and the run of each case."""
    merged: list[list[int]] = []
    run_of = [0] * len(scores)
    for score in sorted(set(scores)):
        here = [i for i, s in enumerate(scores) if s == score]
        cell = [sum(labels[i] == c for i in here) for c in (0, 1)]
        last = merged[-1] if merged else [1, 1]
        if any(cell[c] == last[c] == 0 for c in (0, 1)):
            merged[-1] = [last[0] + cell[0], last[1] + cell[1]]
        else:
            merged.append(cell)
        for i in here:
            run_of[i] = len(merged) - 1
    return merged, run_of


def clustered(found: Fit, run_of: Sequence[int], labels: Sequence[int], unit: Sequence[int]) -> Fit:
    """Return the fit, its covariance increased by the pairs of cases of one cluster."""
    p, slope = cells(found.theta)
    influence = [
        found.covariance @ slope[y, k] / p[y, k] for y, k in zip(labels, run_of, strict=True)
    ]
    added = np.zeros_like(found.covariance)
    for i, j in combinations(range(len(labels)), 2):
        if unit[i] == unit[j]:
            product = np.outer(influence[i], influence[j])
            added += product + product.T
    return Fit(found.theta, found.covariance + added)


def indices(found: Fit) -> Iterator[tuple[str, float, Array]]:
    """Yield each quantity with its slopes in a and b, by complex steps."""
    formulas: dict[str, Callable[..., Any]] = {
        "a": lambda a, b: a,
        "b": lambda a, b: b,
        "auc": lambda a, b: special.erfc(-a / np.sqrt(1 + b**2) / math.sqrt(2)) / 2,
        "d_a": lambda a, b: a * np.sqrt(2 / (1 + b**2)),
        "delta_m": lambda a, b: a / b,
        "d_e": lambda a, b: 2 * a / (1 + b),
    }
    a, b = complex(found.a), complex(found.b)
    for name, formula in formulas.items():
        slopes = [formula(a + 1e-30j, b).imag / 1e-30, formula(a, b + 1e-30j).imag / 1e-30]
        yield name, formula(a, b).real, np.array(slopes)


def partial(found: Fit, low: float, high: float) -> tuple[float, Array]:
    """Return a partial area and its slopes: integrals over the probit of the FPR."""
    ends = np.asarray(stats.norm.ppf([low, high]))
    start = max(float(ends[0]), -12.0)
    pdf = stats.norm.pdf

    def area(g: Any) -> float:
        whole = integrate.quad(
            lambda z: g(found.a + found.b * z, z) * pdf(z), start, ends[1], epsabs=1e-15, limit=500
        )
        return float(whole[0])

    value = area(lambda at, z: stats.norm.cdf(at))
    return value, np.array([area(lambda at, z: pdf(at)), area(lambda at, z: z * pdf(at))])


def rows_of(
    found: Fit, where: dict[str, str], over: tuple[float, float], **asked: object
) -> Iterator[Expected]:
    """Yield the numbers of a fit."""
    covariance = found.covariance[:2, :2]
    for name, value, slopes in indices(found):
        at = {**where, "quantity": name}
        se = math.sqrt(slopes @ covariance @ slopes)
        if name == "auc":
            deviate = stats.norm.ppf(value)
            reach = Z * se / stats.norm.pdf(deviate)
            limits = [float(stats.norm.cdf(deviate + step)) for step in (-reach, reach)]
        elif name == "b":
            limits = [value * math.exp(-Z * se / value), value * math.exp(Z * se / value)]
        else:
            limits = [value - Z * se, value + Z * se]
        numbers = {"estimate": value, "se": se, **as_limits(limits)}
        yield from computed("binormal", at, numbers, **asked)
    value, slopes = partial(found, *over)
    numbers = {"estimate": value, "se": math.sqrt(slopes @ covariance @ slopes)}
    at = {**where, "quantity": "partial_auc"}
    yield from computed("binormal", at, numbers, fpr_range=list(over), **asked)


def digits(where: dict[str, str], numbers: str, **asked: object) -> Iterator[Expected]:
    """Yield derived digits from lines of "quantity column digits"."""
    for line in numbers.strip().splitlines():
        quantity, column, text = line.split()
        yield from derived("binormal", {**where, "quantity": quantity}, {column: text}, **asked)


CT = """
a estimate 1.6567822
b estimate 0.7130022
auc estimate 0.9113311
auc se 0.0295058
auc ci_low 0.8386464
auc ci_high 0.9562824
d_a estimate 1.9077707
delta_m estimate 2.3236706
d_e estimate 1.9343609
a se 0.3104559
b se 0.2158819
"""
CT_EXPECTED = """
a se 0.3121214
b se 0.2162128
auc se 0.0296001
"""
D1_EXPECTED = """
a estimate 1.6827837
b estimate 1.0723472
auc estimate 0.8744472
a se 0.795682
b se 0.640966
"""
D1_NORMAL = """
a estimate 1.7805035
b estimate 1.2230237
auc estimate 0.8701371
auc se 0.0806545
"""


def ct_case() -> None:
    """Write the case of the CT ratings."""
    neg, pos = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    where = {"predictor": "rating"}
    expected = fit(neg, pos, "expected")
    write_case(
        __file__,
        "ct_1982",
        study={"y_true": "abnormal", "y_score": "rating", "frequency": "n"},
        columns={
            "abnormal": [0] * 5 + [1] * 5,
            "rating": [1, 2, 3, 4, 5] * 2,
            "n": [*neg, *pos],
        },
        expected=[
            *digits(where, CT),
            *digits(where, "partial_auc estimate 0.0653197370", fpr_range=[0, 0.1]),
            *digits(where, "partial_auc estimate 0.1471337203", fpr_range=[0, 0.2]),
            *digits(where, CT_EXPECTED, information="expected"),
            *derived("binormal_curve", {"fpr": 0.1}, {"tpr": "0.7712692"}, fpr=[0.1, 0.3]),
            *derived("binormal_curve", {"fpr": 0.3}, {"tpr": "0.9002336"}, fpr=[0.1, 0.3]),
            *rows_of(fit(neg, pos), where, (0, 0.2)),
            *rows_of(expected, where, (0.1, 0.3), information="expected"),
        ],
    )


def d1_case() -> None:
    """Write the case of the small marker."""
    pos, neg = by_class(D1)
    where = {"predictor": "d1"}
    counts, _ = runs(D1, Y)
    n_neg, n_pos = (list(column) for column in zip(*counts, strict=True))
    write_case(
        __file__,
        "d1",
        study={"y_true": "y", "y_score": "d1"},
        columns={"y": Y, "d1": D1},
        expected=[
            *digits(where, D1_EXPECTED, information="expected"),
            *digits(where, D1_NORMAL, method="normal-theory"),
            *rows_of(fit(n_neg, n_pos), where, (0, 0.2)),
            *rows_of(fit(n_neg, n_pos, "expected"), where, (0, 0.2), information="expected"),
            *rows_of(fit_scores(neg, pos), where, (0, 0.2), method="normal-theory"),
        ],
    )


def clusters_case() -> None:
    """Write the case of masses of several slides: continuous scores with ties, in clusters."""
    shipped = read_input(ROOT.parent / "rocstats" / "datasets" / "breast_cancer.csv")
    labels = [int(diagnosis == "malignant") for diagnosis in shipped["diagnosis"][:90]]
    scores = [round(texture) for texture in shipped["texture"][:90]]
    unit = [i // 3 for i in range(90)]
    counts, run_of = runs(scores, labels)
    n_neg, n_pos = (list(column) for column in zip(*counts, strict=True))
    found = fit(n_neg, n_pos)
    write_case(
        __file__,
        "clusters",
        study={"y_true": "malignant", "y_score": "texture", "cluster": "unit"},
        columns={"malignant": labels, "texture": scores, "unit": unit},
        expected=rows_of(
            clustered(found, run_of, labels, unit), {"predictor": "texture"}, (0, 0.2)
        ),
    )


if __name__ == "__main__":
    ct_case()
    d1_case()
    clusters_case()
