"""The regression of the scores of a class on covariates, and its design matrix.

Rows of a study become rows of a design, the intercept first. Numbers are standardised; every label
but the first has a column. A design refuses a fit with too few cases for its coefficients, or with
columns that others determine. The fit is least squares; s^2 has the divisor n - p.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray, binary_unit, in_unit
from rocstats.study.base import Covariate
from rocstats.study.sample import Sample

# --- Studies with covariates ----------------------------------------------------------------------


def require_covariates(sample: Sample) -> None:
    """Raise InputError for a study without covariates."""
    if sample.covariate is None:
        raise InputError(
            "`covariate` must be in a study for adjusted areas; got None."
            " Pass the covariates, for instance Study(..., covariate=['age', 'sex'])."
        )


# --- Regression -----------------------------------------------------------------------------------

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


def fit_covariate_regression(
    score: FloatArray, design: FloatArray, weight: FloatArray
) -> Regression:
    """Return the regression of scores; s is 0 where the covariates explain them whole."""
    # WLS by the multiplicities of rows is OLS of the cases one by one.
    from statsmodels.regression.linear_model import WLS

    fitted = WLS(score, design, weights=weight).fit()
    coefficients = np.asarray(fitted.params, dtype=np.float64)
    residual = covariate_residuals(score, design, coefficients)
    df = float(weight.sum()) - len(coefficients)
    s = float(np.sqrt(np.sum(weight * residual**2) / df))
    if not s > _NO_RESIDUAL * np.abs(score).max(initial=0.0):
        residual, s = np.zeros_like(residual), 0.0
    inverse = np.asarray(fitted.normalized_cov_params, dtype=np.float64)
    return Regression(coefficients, s, inverse, design, residual, weight)


def covariate_residuals(
    score: FloatArray, design: FloatArray, coefficients: FloatArray
) -> FloatArray:
    """Return scores less their prediction."""
    # Column by column: a matrix product may round equal rows apart, which would break ties.
    rest = score.copy()
    for column, coefficient in zip(design.T, coefficients, strict=True):
        rest -= coefficient * column
    return rest


# --- Design matrix --------------------------------------------------------------------------------

# The usual least number of observations for each coefficient of a linear model; below it the
# residual variance is nearly unknown.
_LEAST_PER_COEFFICIENT = 5


class CovariateTerm(NamedTuple):
    """A covariate in the design: the range of the negatives, or the labels that have columns.

    ``present`` are the codes of labels, the first of them the reference, which has no column.
    """

    covariate: Covariate
    low: float
    high: float
    centre: float
    scale: float
    present: tuple[int, ...] = ()

    @property
    def names(self) -> list[str]:
        """Name of each column."""
        name, levels = self.covariate
        return [f"{name} = {levels[code]}" for code in self.present[1:]] if levels else [name]

    def columns(self, values: FloatArray) -> list[FloatArray]:
        """Return the columns of values, or of codes."""
        if self.covariate.levels:
            return [(values == code).astype(np.float64) for code in self.present[1:]]
        return [(values - self.centre) / self.scale]

    def outside(self, values: FloatArray) -> BoolArray:
        """Return which values lie outside the range of the negatives."""
        return np.asarray((values < self.low) | (values > self.high))


class CovariateDesign(NamedTuple):
    """The rows of a sample as rows of a design matrix, the intercept first."""

    terms: tuple[CovariateTerm, ...]
    matrix: FloatArray
    weight: FloatArray
    is_positive: BoolArray
    where: str
    """Continues a message: " in group 'x'", or nothing."""

    @property
    def names(self) -> list[str]:
        """Name of each column."""
        return ["intercept", *(name for term in self.terms for name in term.names)]

    def rows(self, positive: bool) -> BoolArray:
        """Return which rows are of a class."""
        return self.is_positive if positive else ~self.is_positive

    def require_fit(self, *, positive: bool = False) -> None:
        """Raise InputError unless a class has cases enough, and no column too many."""
        members, kind = self.rows(positive=positive), "positives" if positive else "negatives"
        size, p = float(self.weight[members].sum()), self.matrix.shape[1]
        if size < _LEAST_PER_COEFFICIENT * p:
            raise InputError(
                f"`covariate` must leave {_LEAST_PER_COEFFICIENT} {kind} or more for each"
                f" coefficient of the regression; got {size:g} {kind} and {p}"
                f" coefficients{self.where}. Leave out covariates, or merge labels."
            )
        rank = int(np.linalg.matrix_rank(self.matrix[members]))
        if rank < p:
            raise InputError(
                f"`covariate` must have no collinear columns among the {kind}; got rank {rank} of"
                f" the {p} columns {self.names}{self.where}. Leave one out, or merge labels."
            )

    def fit(self, score: FloatArray, *, positive: bool = False) -> Regression:
        """Return the regression of the scores of a class."""
        members = self.rows(positive=positive)
        return fit_covariate_regression(score[members], self.matrix[members], self.weight[members])


def covariate_design(part: Sample, group: str) -> CovariateDesign:
    """Return the design of a sample (of a group) with both classes."""
    where = f" in group {group!r}" if group else ""
    values = part.covariate
    assert values is not None
    terms = tuple(
        _covariate_term(covariate, row, part, where)
        for covariate, row in zip(part._covariates, values, strict=True)
    )
    columns = [np.ones(values.shape[1])]
    for term, row in zip(terms, values, strict=True):
        columns += term.columns(row)
    weight = np.ones(values.shape[1]) if part.frequency is None else part.frequency
    return CovariateDesign(terms, np.column_stack(columns), weight, part.is_positive, where)


def _covariate_term(
    covariate: Covariate, values: FloatArray, part: Sample, where: str
) -> CovariateTerm:
    members = values[~part.is_positive]
    if covariate.levels:
        present = np.unique(members)
        lacking = np.setdiff1d(values, present)
        if len(lacking):
            raise InputError(
                "`covariate` must have negatives with each label; got none with"
                f" {covariate.levels[int(lacking[0])]!r} of {covariate.name!r}{where}. Merge this"
                " label with another, or leave its cases out."
            )
        codes = tuple(int(code) for code in present)
        return CovariateTerm(covariate, -np.inf, np.inf, 0.0, 1.0, codes)
    # Standardised: the rank of the design and its inverse do not depend on units.
    centre, scale = float(members.mean()), float(np.abs(members - members.mean()).max())
    return CovariateTerm(
        covariate, float(members.min()), float(members.max()), centre, scale or 1.0
    )


def note_on_extrapolated_positives(design: CovariateDesign, part: Sample) -> list[str]:
    """Return the note on positives with covariates outside the range of the negatives."""
    values = part.covariate
    assert values is not None
    outside = np.any(
        [term.outside(row) for term, row in zip(design.terms, values, strict=True)], axis=0
    )
    number = float(design.weight[outside & part.is_positive].sum())
    return [f"extrapolates={number:.0f}"] if number else []


def score_for_regression(part: Sample, k: int, design: CovariateDesign) -> FloatArray:
    """Return scores that rise with the positive class, less the mean of the negatives."""
    score = part.scores[k]
    if not np.isfinite(score).all():
        raise InputError(
            "`y_score` must be finite for a regression on covariates; got"
            f" {score[~np.isfinite(score)][0]} by {part.predictors[k]!r}. Pass the ranks of the"
            " scores, or leave these cases out."
        )
    upward = score if part.higher_is_positive[k] else -score
    # In a unit whose squares fit.
    scaled = in_unit(upward, binary_unit(upward))
    negatives = ~design.is_positive
    return np.asarray(scaled - np.average(scaled[negatives], weights=design.weight[negatives]))
