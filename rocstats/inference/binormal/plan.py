"""The binormal fit of one predictor of a sample, under the sample's roles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.questions import Question
from rocstats.sample.arrays import FloatArray
from rocstats.sample.sample import Sample
from rocstats.stats.binormal.fit import (
    FIT_INFORMATION,
    BinormalFit,
    FitInformation,
    categories,
    category_counts,
    fit_normal,
    fit_ratings,
)
from rocstats.stats.binormal.influence import category_influence, normal_influence

FitMethod = Literal["maximum-likelihood", "normal-theory"]
FIT_METHODS = ("maximum-likelihood", "normal-theory")
_FEWEST_BINS = 3


@dataclass(frozen=True)
class FitPlan:
    """How to fit: by ranks or raw scores, in how many bins, the covariance from what."""

    method: FitMethod = "maximum-likelihood"
    n_bins: int | None = None
    information: FitInformation = "observed"

    def name(self, sample: Sample) -> str:
        """Return the word for the covariance under the roles of a sample."""
        parts: list[str] = [self.method]
        if self.information == "expected":
            parts.append("expected")
        if sample.cluster is not None:
            parts.append("clustered")
        return "-".join(parts)


def plan_fit(
    sample: Sample,
    question: Question,
    method: FitMethod,
    n_bins: Any,
    information: FitInformation | None,
) -> FitPlan:
    """Return the plan asked for; raise InputError where the sample or the words forbid it."""
    require_choice("method", method, FIT_METHODS)
    require_choice("information", information, (None, *FIT_INFORMATION))
    question.require_roles(sample)
    bins = None if n_bins is None else _whole_bins(n_bins)
    if method == "normal-theory":
        for argument, value in (("n_bins", n_bins), ("information", information)):
            if value is not None:
                raise InputError(
                    f"`{argument}` must stay None with the method 'normal-theory'; got {value!r}."
                    " Leave it out."
                )
        _require_finite(sample)
    return FitPlan(method, bins, information or "observed")


def _whole_bins(n_bins: Any) -> int:
    whole = isinstance(n_bins, (int, np.integer)) and not isinstance(n_bins, bool)
    if not whole or n_bins < _FEWEST_BINS:
        raise InputError(
            f"`n_bins` must be a whole number >= {_FEWEST_BINS}; got {n_bins!r}."
            " Pass for instance 20."
        )
    return int(n_bins)


def fit_sample(sample: Sample, k: int, plan: FitPlan) -> BinormalFit:
    """Return the fit of predictor ``k``; with clusters its covariance allows for them.

    Both classes are present.
    """
    counts = sample.cases.counts(k)
    if plan.method == "normal-theory":
        score = counts.score if sample.higher_is_positive[k] else -counts.score
        fit = fit_normal(score, counts.n_pos, counts.n_neg)
        if sample.cluster is None or not fit.converged:
            return fit
        return _clustered(fit, normal_influence(score, counts, fit), sample, k)
    number = categories(counts, plan.n_bins)
    table = category_counts(counts, number)
    fit = fit_ratings(*table, information=plan.information)
    if sample.cluster is None or not fit.converged:
        return fit
    return _clustered(fit, category_influence(*table, fit)[:, number], sample, k)


def _clustered(fit: BinormalFit, influence: FloatArray, sample: Sample, k: int) -> BinormalFit:
    """Return the fit with what cases of one cluster share added to its covariance.

    ``influence`` (2, d, 2) is that of a negative and of a positive at each score of the table. The
    sum of u_i u_j' over pairs of cases in one cluster is added; without it the covariance is that
    of independent cases, so that clusters of one change nothing.
    """
    codes = sample.cluster.codes  # type: ignore[union-attr]
    of_case = influence[sample.is_positive.astype(np.intp), sample.cases.codes(k)]
    times = np.ones(len(codes)) if sample.frequency is None else sample.frequency
    weighted = of_case * times[:, np.newaxis]
    sums = np.stack([np.bincount(codes, weighted[:, i]) for i in (0, 1)])
    covariance = fit.covariance + sums @ sums.T - weighted.T @ of_case
    if np.linalg.eigvalsh(covariance)[0] <= 0:
        covariance = np.full((2, 2), np.nan)
    return replace(fit, covariance=covariance)


def _require_finite(sample: Sample) -> None:
    for name, scores in zip(sample.predictors, sample.scores, strict=True):
        infinite = int(np.count_nonzero(np.isinf(scores)))
        if infinite:
            raise InputError(
                f"`method` must not be 'normal-theory' with infinite scores; got {infinite} in"
                f" {name!r}. Use 'maximum-likelihood', which needs ranks only."
            )
