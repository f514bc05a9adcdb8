"""The linear regression of the scores of a class on covariates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, binary_unit, in_unit

# Residuals of scores that the covariates explain whole are sums of some products, which round to
# some 1e-15 of the largest score.
_NO_RESIDUAL = 1e-12


class Regression(NamedTuple):
    """Least squares of scores on a design (u x p): s^2 has the divisor n - p.

    ``inverse`` is (X'X)^-1, ``weight`` the number of cases of each row.
    """

    coefficients: FloatArray
    s: float
    inverse: FloatArray
    design: FloatArray
    residual: FloatArray
    weight: FloatArray

    @property
    def size(self) -> float:
        """Number of cases."""
        return float(self.weight.sum())

    @property
    def df(self) -> float:
        """Number of cases beyond the coefficients."""
        return self.size - len(self.coefficients)

    def moves(self) -> FloatArray:
        """Return the influence of each row on the coefficients (u x p): (X'X)^-1 X_j r_j."""
        return np.asarray(self.design @ self.inverse * self.residual[:, np.newaxis])


def fit_regression(score: FloatArray, design: FloatArray, weight: FloatArray) -> Regression:
    """Return the regression of scores; s is 0 where the covariates explain them whole."""
    # WLS by the multiplicities of rows is OLS of the cases one by one.
    from statsmodels.regression.linear_model import WLS

    fitted = WLS(score, design, weights=weight).fit()
    coefficients = np.asarray(fitted.params, dtype=np.float64)
    residual = residuals(score, design, coefficients)
    df = float(weight.sum()) - len(coefficients)
    s = float(np.sqrt(np.sum(weight * residual**2) / df))
    if not s > _NO_RESIDUAL * np.abs(score).max(initial=0.0):
        residual, s = np.zeros_like(residual), 0.0
    inverse = np.asarray(fitted.normalized_cov_params, dtype=np.float64)
    return Regression(coefficients, s, inverse, design, residual, weight)


def residuals(score: FloatArray, design: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Return what scores are above their prediction."""
    # Column by column: a matrix product may round equal rows apart, which would break ties.
    rest = score.copy()
    for column, coefficient in zip(design.T, coefficients, strict=True):
        rest -= coefficient * column
    return rest


def centred_scores(score: FloatArray, weight: FloatArray, own: BoolArray) -> FloatArray:
    """Return scores less the mean of the rows that ``own`` marks, in a unit whose squares fit."""
    scaled = in_unit(score, binary_unit(score))
    return np.asarray(scaled - np.average(scaled[own], weights=weight[own]))
