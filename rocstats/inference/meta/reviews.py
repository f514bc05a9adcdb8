"""Reviews made ready for the model: what can be fitted of each margin, and the notes of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_whole
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.inference.meta.fits import (
    FEWEST_FOR_CORRELATION,
    NO_SPREAD,
    Fit,
    fit_model,
    fit_restricted,
    free_parameters,
)
from rocstats.inference.meta.model import N_NODES, Counts
from rocstats.study.base import cached, sample_notes
from rocstats.study.meta import MetaSample

RATES = ("tpr", "tnr")
"""The rates of both margins: sensitivity of the diseased, specificity of the healthy."""

FEWEST_NODES = 7
"""Nodes below which the gradient is not that of the value, unless there is one."""

_NODES_ADVICE = "Pass 21, or 1 for Laplace's approximation."

FEW_STUDIES = 10
"""Studies below which spread is hardly known."""

BOUNDARY_CORRELATION = 0.99
"""Correlation from which on it is taken for one at the boundary."""


class Margin(NamedTuple):
    """The studies with people in a margin, and the counts of all of them."""

    n_studies: int
    correct: float
    people: float
    mixed: bool
    """Whether some study has correct and wrong calls."""

    @property
    def is_perfect(self) -> bool:
        """Whether no call is wrong, or none is correct, in any study."""
        return self.people > 0 and self.correct in (0.0, self.people)

    @property
    def is_fitted(self) -> bool:
        """Whether mean and spread can be estimated."""
        return self.n_studies > 1 and self.mixed


class Review(NamedTuple):
    """The counts of a group of studies, and the model that fits them.

    ``free`` are the free parameters, see ``Fit``. A margin that cannot be fitted has no people in
    ``counts``.
    """

    counts: Counts
    margins: tuple[Margin, Margin]
    free: tuple[int, ...]
    n_studies: int
    n_both: int
    """Number of studies with people in both margins."""

    @property
    def fitted(self) -> list[int]:
        """Numbers of the margins that can be fitted."""
        return [m for m in (0, 1) if self.margins[m].is_fitted]

    @property
    def is_correlated(self) -> bool:
        """Whether the correlation is estimated."""
        return self.counts.n_coefficients + 1 in self.free

    @property
    def model(self) -> str:
        """The first word of ``method``."""
        return "exact-bivariate" if len(self.fitted) == 2 else "exact-univariate"

    def df(self, margins: Sequence[int] = (0, 1)) -> float:
        """Return the number of studies of some margins, less 1; at least 1."""
        return max(min(self.margins[m].n_studies for m in margins) - 1.0, 1.0)


def read_review(
    tables: FloatArray, x: FloatArray | None = None, *, correlated: bool | None = None
) -> Review:
    """Return the review of tables (4 x k); ``x`` is the design of the means, by default a mean.

    ``correlated`` says whether the correlation is free, by default from five studies on.
    """
    tp, fn, fp, tn = tables
    y, n = np.column_stack([tp, tn]), np.column_stack([tp + fn, fp + tn])
    x = np.ones((len(y), 1)) if x is None else x
    # One order, so that the order of the studies changes no digit.
    order = np.lexsort([*x.T, *n.T, *y.T])
    y, n, x = y[order], n[order], x[order]
    both = int((n > 0).all(axis=1).sum())
    margins = (_margin(y[:, 0], n[:, 0]), _margin(y[:, 1], n[:, 1]))
    fitted = [m for m in (0, 1) if margins[m].is_fitted]
    used = np.isin((0, 1), fitted)
    counts = Counts(np.where(used, y, 0.0), np.where(used, n, 0.0), x)
    if correlated is None:
        correlated = both >= FEWEST_FOR_CORRELATION
    free = free_parameters(counts, correlated=correlated, margins=fitted)
    return Review(counts, margins, free, len(y), both)


def _margin(y: FloatArray, n: FloatArray) -> Margin:
    mixed = bool(((y > 0) & (y < n)).any())
    return Margin(int((n > 0).sum()), float(y.sum()), float(n.sum()), mixed)


# --- The fits of a sample, made once --------------------------------------------------------------


def review_of(part: MetaSample) -> Review:
    """Return the review of the studies of a group."""
    return cached(part, "review", lambda: read_review(part.tables))


def fit_of(part: MetaSample, n_nodes: int) -> Fit:
    """Return the fit of maximum likelihood of a group."""
    review = review_of(part)
    return cached(part, ("fit", n_nodes), lambda: fit_model(review.counts, review.free, n_nodes))


def restricted_fit_of(part: MetaSample, n_nodes: int) -> Fit:
    """Return the fit of the restricted likelihood of a group; Laplace's is not used for spread."""
    n_nodes = N_NODES if n_nodes == 1 else n_nodes
    return cached(part, ("restricted", n_nodes), lambda: fit_restricted(fit_of(part, n_nodes)))


def read_n_nodes(n_nodes: Any) -> int:
    """Return the number of nodes of the quadrature: one, or enough for a likelihood."""
    number = require_whole("n_nodes", n_nodes, 1, _NODES_ADVICE)
    if 1 < number < FEWEST_NODES:
        raise InputError(
            f"`n_nodes` must be 1, or {FEWEST_NODES} or more; got {number}. {_NODES_ADVICE}"
        )
    return number


# --- What rows share ------------------------------------------------------------------------------


def review_notes(part: MetaSample, fit: Fit | None = None) -> list[str]:
    """Return the notes that all rows of a group have."""
    review = review_of(part)
    codes = sample_notes(part)
    if review.n_studies < FEW_STUDIES:
        codes.append("few-studies")
    if len(review.fitted) == 2 and not review.is_correlated:
        codes.append("correlation-fixed")
    lacking = int((part.tables[:2].sum(axis=0) * part.tables[2:].sum(axis=0) == 0).sum())
    if lacking:
        codes.append(f"one-sided-study={lacking}")
    if any(margin.is_perfect for margin in review.margins):
        codes.append("perfect-margin")
    if any(m.n_studies and not m.mixed and not m.is_perfect for m in review.margins):
        codes.append("rates-all-or-none")
    if part.n_shared:
        codes.append(f"studies-shared={part.n_shared}")
    return codes if fit is None else [*codes, *fit_notes(review, fit)]


def fit_notes(review: Review, fit: Fit) -> list[str]:
    """Return the notes on spread that is 0, or perfectly correlated."""
    if any(fit.sd[m] < NO_SPREAD for m in review.fitted):
        return ["no-heterogeneity"]
    at_end = len(review.fitted) == 2 and abs(fit.correlation) > BOUNDARY_CORRELATION
    return ["correlation-at-boundary"] if at_end else []


def known_cells(part: MetaSample, group: str, confidence_level: float) -> dict[str, Any]:
    """Return the cells that rows about all studies of a group share."""
    return {
        "predictor": part.predictors[0],
        "group": group,
        "n_studies": part.n_studies,
        "n_pos": part.n_pos,
        "n_neg": part.n_neg,
        "confidence_level": confidence_level,
    }


def normal_quantile(confidence_level: float) -> float:
    """Return the two-sided normal quantile."""
    return t_quantile((1 + confidence_level) / 2, np.inf)


def rate_cells(
    review: Review, fit: Fit, margin: int, t: float, word: str, confidence_level: float
) -> dict[str, Any]:
    """Return estimate, standard error, limits and method of a mean rate.

    Limits are expit(mu -+ t se). Without wrong calls (or correct ones) they are those of Clopper
    and Pearson of the totals.
    """
    one = review.margins[margin]
    if not one.is_fitted:
        return totals_cells(one, confidence_level)
    return rate_of_coefficient(fit, margin, t, f"{review.model}/{word}")


def rate_of_coefficient(fit: Fit, j: int, t: float, method: str) -> dict[str, Any]:
    """Return the cells of the rate whose logit is a coefficient."""
    mean, se = float(fit.beta[j]), float(fit.se[j])
    rate, low, high = map(float, sp.expit(np.array([mean, mean - t * se, mean + t * se])))
    return {
        "estimate": rate,
        "se": se * rate * (1 - rate),
        "ci_low": low,
        "ci_high": high,
        "method": method,
    }


def totals_cells(margin: Margin, confidence_level: float) -> dict[str, Any]:
    """Return the cells of a rate that is 0 or 1 in all studies; NaN of others."""
    if not margin.is_perfect:
        return {"estimate": np.nan, "method": "none/none"}
    rate = margin.correct / margin.people
    low, high = binomial_limits_of_rates(rate, margin.people, "clopper-pearson", confidence_level)
    return {
        "estimate": rate,
        "ci_low": float(low),
        "ci_high": float(high),
        "method": "totals/clopper-pearson",
    }
