"""The binormal fit of one predictor of a sample, with clusters in its covariance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.errors import InputError, require_choice, require_whole
from rocstats.frames.questions import Question
from rocstats.inference.estimates.undefined import lacks_class
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
FIT_METHODS: tuple[FitMethod, ...] = get_args(FitMethod)
# Two bins are one point of the curve, through which pass infinitely many binormal curves.
_FEWEST_BINS = 3


class FitPlan(NamedTuple):
    """The options of a fit: ranks or raw scores, the number of bins, and the information."""

    method: FitMethod = "maximum-likelihood"
    n_bins: int | None = None
    information: FitInformation = "observed"

    def name(self, sample: Sample) -> str:
        """Return the name of the covariance under the roles of a sample."""
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
    """Return the options of the fit; raise InputError where the sample or the words forbid them."""
    method = require_choice("method", method, FIT_METHODS)
    information = require_choice("information", information, (None, *FIT_INFORMATION))
    question.require_roles(sample)
    if n_bins is not None:
        n_bins = require_whole("n_bins", n_bins, _FEWEST_BINS, "Pass for instance 20.")
    # Moments have no categories, and their information is known in closed form.
    if method == "normal-theory":
        for argument, value in (("n_bins", n_bins), ("information", information)):
            if value is not None:
                raise InputError(
                    f"`{argument}` must stay None with the method 'normal-theory'; got {value!r}."
                    " Leave it out."
                )
        _require_finite(sample)
    return FitPlan(method, n_bins, information or "observed")


def fit_or_note(sample: Sample, k: int, plan: FitPlan) -> tuple[BinormalFit, list[str]]:
    """Return the fit of predictor ``k`` and its notes."""
    if lacks_class(sample):
        return BinormalFit(np.nan, np.nan, sample.n_pos, sample.n_neg), ["one-class"]
    fit = fit_sample(sample, k, plan)
    return fit, [] if fit.converged else ["not-converged"]


def fit_sample(sample: Sample, k: int, plan: FitPlan) -> BinormalFit:
    """Return the fit of predictor ``k``, with clusters in its covariance; both classes needed."""
    counts = sample.cases.counts(k)
    # Moments depend on the direction of the scores; the count table has it already, as ranks.
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
    """Return the fit with the products of influence within clusters added to its covariance.

    ``influence`` (2, d, 2) is that of a negative and of a positive at each score of the table. The
    sum of u_i u_j' over pairs of different cases of one cluster is added to the covariance of
    independent cases, so that clusters of one change nothing.
    """
    codes = sample.cluster.codes  # type: ignore[union-attr]
    of_case = influence[sample.is_positive.astype(np.intp), sample.cases.codes(k)]
    times = np.ones(len(codes)) if sample.frequency is None else sample.frequency
    weighted = of_case * times[:, np.newaxis]
    sums = np.stack([np.bincount(codes, weighted[:, i]) for i in (0, 1)])
    # sums' sums holds each case with itself as well: weighted.T @ of_case takes these off.
    covariance = fit.covariance + sums @ sums.T - weighted.T @ of_case
    # Negative correlation within clusters can take more off than there is: no variance, no limits.
    if np.linalg.eigvalsh(covariance)[0] <= 0:
        covariance = np.full((2, 2), np.nan)
    return replace(fit, covariance=covariance)


def _require_finite(sample: Sample) -> None:
    """Raise InputError for infinite scores, which have ranks but no mean."""
    for name, scores in zip(sample.predictors, sample.scores, strict=True):
        infinite = int(np.count_nonzero(np.isinf(scores)))
        if infinite:
            raise InputError(
                f"`method` must not be 'normal-theory' with infinite scores; got {infinite} in"
                f" {name!r}. Use 'maximum-likelihood', which needs ranks only."
            )
