"""The fitted binormal curve of each predictor: its parameters, areas and indices, and its points.

The fit is by maximum likelihood of ranks [dorfman-1969] [metz-1998], or by the moments of normal
scores. Clusters enter its covariance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import AreaRange, read_range
from rocstats.errors import InputError, require_choice, require_open_interval, require_whole
from rocstats.estimate.answers import (
    answer_columns,
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.areas import area_range_columns, size_codes
from rocstats.estimate.binormal import (
    FIT_INFORMATION,
    BinormalFit,
    BinormalIndex,
    FitInformation,
    binormal_area_limits,
    binormal_category_counts,
    binormal_category_of_each_score,
    binormal_influence_of_categories,
    binormal_influence_of_normal_scores,
    d_a,
    d_e,
    delta_m,
    fit_binormal_to_normal_scores,
    fit_binormal_to_ratings,
    fitted_binormal_area,
    fitted_binormal_curve,
    fitted_binormal_partial_area,
)
from rocstats.estimate.estimate import Result
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import FULL_AREA, NO_RANGE
from rocstats.frame.make import Labels, warn_of_doubts
from rocstats.frame.question import AREA, Question, columns_in, counts_only, estimate_columns
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.points import read_points_of_curve
from rocstats.study.sample import Sample, own_sample

# --- Question: parameters, areas and indices ------------------------------------------------------

BINORMAL = Question(
    "binormal",
    estimate_columns(f"predictor group {AREA} n_pos n_neg method note"),
    ("dorfman-1969", "metz-1998", "mcclish-1989", "hillis-2012"),
    # The likelihood is multinomial, of counts; a weighted one has no information matrix.
    {"sample_weight": counts_only("binormal", "The likelihood needs counts", "sample_weight=")},
)


def binormal(
    sample: Sample,
    *,
    method: FitMethod = "maximum-likelihood",
    n_bins: int | None = None,
    information: FitInformation | None = None,
    fpr_range: tuple[float, float] | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return parameters and areas of the fitted binormal curve; a row is one quantity.

    Parameters
    ----------
    method : {"maximum-likelihood", "normal-theory"}, default "maximum-likelihood"
        - "maximum-likelihood": for ratings and continuous scores. It uses ranks only. Therefore an
          increasing transformation of the scores does not change the fit.
        - "normal-theory": uses means and variances of the scores. Choose it only for scores that
          are normal in each class.
    n_bins : int >= 3, optional
        Number of bins. The edges are quantiles of the scores of all cases. 20 bins are usual. By
        default the scores are not binned.
    information : {"observed", "expected"}, optional
        Information matrix for the standard errors of maximum likelihood:

        - "observed": the default.
        - "expected": for comparison with some older programs.
    fpr_range : (float, float), optional
        Range of false positive rates of a partial area, 0 <= low < high <= 1. It adds three rows
        per predictor: ``partial_auc``, ``partial_auc_standardized`` (McClish) and ``mean_tpr``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, range_axis, range_low, range_high, method, note``. The rows of a predictor
        have ``quantity`` a, b, auc, d_a, delta_m and d_e, in this order (see Notes). Only areas
        have a range.

    Raises
    ------
    InputError
        If an argument is invalid; if the study has weights; or if scores are infinite with
        "normal-theory".

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. Examples are ``not-converged`` (no fit exists,
        and the row is NaN), ``few-cases``, ``pooled-folds`` and ``few-clusters``.

    Notes
    -----
    The model assumes an unknown increasing transformation of the scores. After this transformation,
    negatives are N(0, 1) and positives are N(a/b, 1/b^2). Then TPR = Phi(a + b z) at FPR = Phi(z).
    This curve is a straight line on probit scales. AUC = Phi(a/w) with w^2 = 1 + b^2. Three
    measures describe the distance between the two distributions: d_a = a sqrt(2)/w, delta_m = a/b
    and d_e = 2a/(1 + b).

    Ratings are treated as ordered categories (Dorfman & Alf). P(category <= j) is Phi(t_j) for
    negatives and Phi(b t_j - a) for positives, with unknown cuts t_j. For continuous scores,
    neighbouring scores of one class form a category (truth-state runs of Metz, Herman & Shen).
    These categories change the likelihood by a constant only. The likelihood is maximised by
    Newton's method, or by Fisher's scoring if the observed information is not positive definite. Do
    not choose bin edges with the help of the class labels, for example at quantiles of the
    truth-state runs. The estimate of b is then too low by .05 to .10.

    Standard errors come from the delta method. Intervals are computed on the probit scale for areas
    and on the log scale for b. The intervals of a and of the distances use no transformation. The
    intervals of d_a and the AUC therefore agree.

    The likelihood has no maximum in two situations: all points of the curve with 0 < FPR < 1 have
    the same TPR, or all points with 0 < TPR < 1 have the same FPR. Examples are perfect separation,
    one case of a class, and two categories. A fitted curve with b far from 1 crosses the diagonal
    near a corner. If this matters, or if the model may be wrong, use ``auc``, which assumes no
    model. A wrong model gives narrow intervals around a wrong curve. To check the model, compare
    ``binormal_curve`` with ``roc_curve`` in ``plot_roc(fit=)``.

    With clusters, the covariance has one more term for each pair of cases of the same cluster: the
    product of their influence values. This method is not published elsewhere; the tests simulate
    it. Clusters of one case change nothing. Folds are pooled (note ``pooled-folds``). A row with
    frequency f counts as f cases.

    References
    ----------
    - Dorfman & Alf (1969) [dorfman-1969]
    - Metz, Herman & Shen (1998) [metz-1998]
    - McClish (1989), partial areas [mcclish-1989]
    - Hillis & Metz (2012), partial areas [hillis-2012]

    Examples
    --------
    The CT ratings of Hanley & McNeil (1982):

    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.binormal()[["quantity", "estimate", "se", "ci_low", "ci_high"]].round(3)
      quantity  estimate     se  ci_low  ci_high
    0        a     1.657  0.310   1.048    2.265
    1        b     0.713  0.216   0.394    1.291
    2      auc     0.911  0.030   0.839    0.956
    3      d_a     1.908  0.260   1.399    2.417
    4  delta_m     2.324  0.502   1.339    3.308
    5      d_e     1.934  0.257   1.430    2.438
    """
    BINORMAL.refuse_covariates(sample)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    over = read_range(fpr_range, None)
    plan = plan_binormal_fit(sample, BINORMAL, method, n_bins, information)
    rows = predictor_rows(
        sample, lambda part, _, k: _binormal_rows(part, k, plan, over, confidence_level)
    )
    return answer_rows(BINORMAL, sample, rows)


# --- Rows of parameters, areas and indices --------------------------------------------------------


def _binormal_rows(
    sample: Sample, k: int, plan: BinormalFitPlan, over: AreaRange | None, confidence_level: float
) -> Iterator[dict[str, Any]]:
    """Yield the rows of predictor ``k`` in one group."""
    fit, fit_notes = fit_or_note(sample, k, plan)
    # Observed information, and clusters, can leave a covariance that is none: NaN, and no limits.
    limited = bool(np.isfinite(fit.covariance[0, 0]))
    codes = [
        *fit_notes,
        *(["negative-variance"] if fit.converged and not limited else []),
        *(["pooled-folds"] if sample.fold is not None else []),
        *([] if "one-class" in fit_notes else size_codes(sample.cases)),
        *([f"binned={plan.n_bins}"] if plan.n_bins is not None else []),
        *sample_notes(sample),
    ]
    columns = {"confidence_level": confidence_level, **class_size_columns(sample)}
    variance = plan.name(sample) if limited else ""
    for quantity, index, scale in _fitted_indices(fit):
        about = {"quantity": quantity, **(FULL_AREA if quantity == "auc" else NO_RANGE)}
        result = _index_result(fit, index, scale, confidence_level, variance)
        yield answer_row_of_result(BINORMAL, {**columns, **about}, result, codes)
    if over is None:
        return
    for quantity, result in _partial_results(fit, over, confidence_level, variance):
        about = {"quantity": quantity, **area_range_columns(over)}
        yield answer_row_of_result(BINORMAL, {**columns, **about}, result, codes)


def _fitted_indices(fit: BinormalFit) -> list[tuple[str, BinormalIndex, str]]:
    """Return each quantity with its delta-method index and the scale of its interval."""
    # Scales keep limits in range: areas in (0, 1), b > 0. The others have no bounds.
    return [
        ("a", BinormalIndex(fit.a, np.array([1.0, 0.0])), "wald"),
        ("b", BinormalIndex(fit.b, np.array([0.0, 1.0])), "log"),
        ("auc", fitted_binormal_area(fit), "probit"),
        ("d_a", d_a(fit), "wald"),
        ("delta_m", delta_m(fit), "wald"),
        ("d_e", d_e(fit), "wald"),
    ]


def _partial_results(
    fit: BinormalFit, over: AreaRange, confidence_level: float, variance: str
) -> Iterator[tuple[str, Result]]:
    """Yield each quantity of a partial area, with the interval of the mean rate transformed."""
    # The mean TPR, pAUC/(high - low), is a rate, for the probit scale; the others are linear in it.
    whole = fitted_binormal_partial_area(fit, over.low, over.high)
    mean = BinormalIndex(whole.value / over.width, whole.gradient / over.width)
    rate = _index_result(fit, mean, "probit", confidence_level, variance)
    for quantity, offset, scale in over.quantities():
        yield (
            quantity,
            rate._replace(
                estimate=offset + scale * rate.estimate,
                se=scale * rate.se,
                ci_low=offset + scale * rate.ci_low,
                ci_high=offset + scale * rate.ci_high,
            ),
        )


def _index_result(
    fit: BinormalFit, index: BinormalIndex, scale: str, confidence_level: float, variance: str
) -> Result:
    """Return an index with limits on a scale; without limits unless ``variance`` is named."""
    value, se = index.value, index.se(fit)
    if not variance:
        return Result(value, se)
    z = t_quantile((1 + confidence_level) / 2, np.inf)
    codes: tuple[str, ...] = ()
    if scale == "probit":
        low, high, scale = binormal_area_limits(fit, index, confidence_level)
        codes = ("auc-at-boundary",) if scale == "newcombe" else ()
    elif scale == "log":
        # se(log b) = se(b)/b by the delta method.
        with np.errstate(over="ignore"):  # a limit beyond every number is infinite
            low, high = value * np.exp(-z * se / value), value * np.exp(z * se / value)
    else:
        low, high = value - z * se, value + z * se
    return Result(value, se, low, high, method=f"{variance}/{scale}", codes=codes)


# --- Question: points of the curve ----------------------------------------------------------------

BINORMAL_CURVE = Question(
    "binormal_curve",
    columns_in("predictor group fpr tpr method"),
    ("dorfman-1969", "metz-1998"),
    {
        "sample_weight": counts_only(
            "binormal_curve", "The likelihood needs counts", "sample_weight="
        )
    },
)
# Points 0.01 apart on each axis: a polygon through them looks smooth in a figure.
_N_STEPS = 100


def binormal_curve(
    sample: Sample,
    *,
    method: FitMethod = "maximum-likelihood",
    n_bins: int | None = None,
    fpr: Sequence[float] | FloatArray | None = None,
) -> pd.DataFrame:
    """Return points of the fitted binormal curve; a row is one point of one predictor.

    Parameters
    ----------
    method : {"maximum-likelihood", "normal-theory"}, default "maximum-likelihood"
        Method of the fit; ``binormal`` explains both methods.
    n_bins : int >= 3, optional
        Number of bins. By default the scores are not binned.
    fpr : array-like of float in [0, 1], optional
        False positive rates of the points. By default the curve has about 200 points, at most 0.01
        apart on each axis.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, method``. Pass the frame to ``plot_roc`` as ``fit``.
        A predictor without a fit has no rows.

    Raises
    ------
    InputError
        If an argument is invalid, or the study has weights.

    Warns
    -----
    StatisticalWarning
        - ``not-converged``: a predictor has no fit.
        - ``one-class``: a group lacks a class, and its predictors have no fit.
        - ``pooled-folds``: folds are pooled.

    Notes
    -----
    TPR = Phi(a + b Phi^-1(FPR)), where a and b are the estimates of ``binormal``. The curve starts
    at (0, 0) and ends at (1, 1). It has no confidence band.

    References
    ----------
    - Dorfman & Alf (1969) [dorfman-1969]
    - Metz, Herman & Shen (1998) [metz-1998]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.binormal_curve(fpr=[0.1, 0.3])[["fpr", "tpr"]].round(4)
       fpr     tpr
    0  0.1  0.7713
    1  0.3  0.9002
    """
    BINORMAL_CURVE.refuse_covariates(sample)
    plan = plan_binormal_fit(sample, BINORMAL_CURVE, method, n_bins, None)
    grid = None if fpr is None else read_points_of_curve(fpr)
    codes = ["pooled-folds"] if sample.fold is not None else []
    names, groups, points = [], [], [np.empty((2, 0))]
    for group, part in sample.by_group():
        for k, name in enumerate(sample.predictors):
            fit, fit_notes = fit_or_note(own_sample(part, k), k, plan)
            codes += fit_notes
            # A curve has no row of NaN for a fit that failed: the warning alone tells of it.
            if fit.converged:
                names.append(name)
                groups.append(group)
                at = _curve_rates(fit) if grid is None else grid
                points.append(np.stack([at, fitted_binormal_curve(fit, at)]))
    warn_of_doubts(codes, warned_doubts(sample))
    rows = np.repeat(np.arange(len(names)), [piece.shape[1] for piece in points[1:]])
    at, tpr = np.concatenate(points, axis=1)
    columns = {
        "predictor": Labels(names, rows),
        "group": Labels(groups, rows),
        "fpr": at,
        "tpr": tpr,
        "method": Labels([plan.method], np.zeros(len(rows), dtype=np.intp)),
    }
    return answer_columns(BINORMAL_CURVE, sample, columns)


def _curve_rates(fit: BinormalFit) -> FloatArray:
    """Return false positive rates whose points are at most 0.01 apart on each axis."""
    # Steps of the FPR alone leave gaps where the curve is steep: those of the TPR are mapped back.
    steps = np.linspace(0, 1, _N_STEPS + 1)
    by_tpr = sp.ndtr((sp.ndtri(steps) - fit.a) / fit.b)
    return np.unique(np.concatenate([steps, by_tpr]))


# --- Fit of one predictor -------------------------------------------------------------------------

FitMethod = Literal["maximum-likelihood", "normal-theory"]
FIT_METHODS: tuple[FitMethod, ...] = get_args(FitMethod)
# Two bins are one point of the curve, through which pass infinitely many binormal curves.
_FEWEST_BINS = 3


class BinormalFitPlan(NamedTuple):
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


def plan_binormal_fit(
    sample: Sample,
    question: Question,
    method: FitMethod,
    n_bins: Any,
    information: FitInformation | None,
) -> BinormalFitPlan:
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
        _require_finite_binormal_scores(sample)
    return BinormalFitPlan(method, n_bins, information or "observed")


def _require_finite_binormal_scores(sample: Sample) -> None:
    """Raise InputError for infinite scores, which have ranks but no mean."""
    for name, scores in zip(sample.predictors, sample.scores, strict=True):
        infinite = int(np.count_nonzero(np.isinf(scores)))
        if infinite:
            raise InputError(
                f"`method` must not be 'normal-theory' with infinite scores; got {infinite} in"
                f" {name!r}. Use 'maximum-likelihood', which needs ranks only."
            )


def fit_or_note(sample: Sample, k: int, plan: BinormalFitPlan) -> tuple[BinormalFit, list[str]]:
    """Return the fit of predictor ``k`` and its notes."""
    if lacks_class(sample):
        return BinormalFit(np.nan, np.nan, sample.n_pos, sample.n_neg), ["one-class"]
    fit = fit_sample(sample, k, plan)
    return fit, [] if fit.converged else ["not-converged"]


def fit_sample(sample: Sample, k: int, plan: BinormalFitPlan) -> BinormalFit:
    """Return the fit of predictor ``k``, with clusters in its covariance; both classes needed."""
    counts = sample.cases.counts(k)
    # Moments depend on the direction of the scores; the count table has it already, as ranks.
    if plan.method == "normal-theory":
        score = counts.score if sample.higher_is_positive[k] else -counts.score
        fit = fit_binormal_to_normal_scores(score, counts.n_pos, counts.n_neg)
        if sample.cluster is None or not fit.converged:
            return fit
        return _with_clustered_covariance(
            fit, binormal_influence_of_normal_scores(score, counts, fit), sample, k
        )
    number = binormal_category_of_each_score(counts, plan.n_bins)
    table = binormal_category_counts(counts, number)
    fit = fit_binormal_to_ratings(*table, information=plan.information)
    if sample.cluster is None or not fit.converged:
        return fit
    return _with_clustered_covariance(
        fit, binormal_influence_of_categories(*table, fit)[:, number], sample, k
    )


def _with_clustered_covariance(
    fit: BinormalFit, influence: FloatArray, sample: Sample, k: int
) -> BinormalFit:
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
