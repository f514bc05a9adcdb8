"""Tests of one area against random ranking: which a study allows, and the p value of each."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.errors import InputError
from rocstats.inference.chance.requirements import require_shuffled_clusters
from rocstats.inference.estimates.area_inference import area_columns
from rocstats.sample.arrays import FloatArray
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import estimate_area, infer, size_codes, variance_name
from rocstats.stats.chance import rank_sum
from rocstats.stats.chance.candidates import best_of
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.stats.resampling import labels
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import SAME

Method = Literal["exact", "mid-p", "asymptotic", "permutation", "brunner-munzel"]
METHODS: tuple[Method, ...] = get_args(Method)
# Brunner & Munzel's test at .05 rejects up to .08 of samples with 5 cases a class, and at most .06
# from 10 on (validation/size/size.csv).
_FEW_FOR_T = 10
# NumPy draws from a multivariate hypergeometric distribution of fewer than 10^9 cases.
MOST_SHUFFLED = 999_999_999
# No p value can be below this level where even the largest of all draws is not significant.
_COARSE = 0.05


class ChanceRequest(NamedTuple):
    """The statistic, the alternative and the permutations of a test against chance."""

    statistic: labels.RankStatistic
    over: AreaRange
    alternative: Alternative
    n_candidates: int
    plan: ResamplePlan


class ChanceTest(NamedTuple):
    """The result of one test; ``df`` is NaN unless the p value comes from the statistic."""

    statistic: float
    df: float
    p_value: float
    method: str
    codes: tuple[str, ...] = ()


def tested_quantity(request: ChanceRequest) -> dict[str, Any]:
    """Return the columns of the tested quantity and its range."""
    if request.statistic == "auc":
        return area_columns(request.over)
    return {"quantity": request.statistic, "range_axis": ""}


def choose_method(sample: Sample, method: Method | None, request: ChanceRequest) -> Method:
    """Return the method, by default the best that the study allows; raise InputError otherwise."""
    allowed, why = _allowed(sample, request)
    if method is None:
        return allowed[0]
    if method not in allowed:
        words = " or ".join(repr(word) for word in allowed)
        raise InputError(f"`method` must be {words} {why}; got {method!r}. Leave `method` out.")
    return method


def _allowed(sample: Sample, request: ChanceRequest) -> tuple[tuple[Method, ...], str]:
    """Return the methods that honour every role of the study, the default first, and the reason."""
    # The other methods know the null distribution of the whole area only.
    if request.statistic != "auc":
        return ("permutation",), f"for the statistic {request.statistic!r}"
    if not request.over.full:
        return ("permutation",), "for a partial area"
    # Weighted ranks have no rank-sum distribution; shuffled labels leave each case its weight.
    if sample.sample_weight is not None:
        return ("permutation",), "when the study has weights"
    # The rank sum test takes every assignment of labels as equally probable; with clusters only
    # those that keep clusters whole are.
    if sample.cluster is not None:
        return ("permutation", "brunner-munzel"), "when the study has clusters"
    inexact: tuple[Method, ...] = ("asymptotic", "permutation", "brunner-munzel")
    if sample.fold is not None:
        return inexact, "when the study has folds, whose area is a mean"
    if sample.n_pos + sample.n_neg > MOST_SHUFFLED:
        return ("asymptotic", "brunner-munzel"), f"beyond {MOST_SHUFFLED:_} cases"
    if sample.n_pos * sample.n_neg > rank_sum.LARGEST_PAIRS:
        return inexact, f"beyond {rank_sum.LARGEST_PAIRS:.0f} pairs of cases"
    return ("exact", "mid-p", *inexact), ""


def area_test(sample: Sample, g: int, k: int, method: Method, request: ChanceRequest) -> ChanceTest:
    """Return the test of predictor ``k`` in group ``g`` by a method."""
    if method == "permutation":
        return _permutation(sample, g, k, request)
    if method == "brunner-munzel":
        return _brunner_munzel(sample, k, request.alternative)
    if method == "asymptotic":
        return _asymptotic(sample, k, request.alternative)
    counts = sample.cases.counts(k)
    value = labels.statistic_of(sample.cases, k, "auc")
    p = rank_sum.rank_sum_distribution(counts).p_value(
        rank_sum.deviation_of(value, counts.total_pos, counts.total_neg),
        request.alternative,
        mid=method == "mid-p",
    )
    # For orientation only: the p value is counted, so z has no continuity correction.
    z = rank_sum.standardised(value - 0.5, rank_sum.null_variance(counts), 0.0, "two-sided")
    return ChanceTest(z, np.nan, p, f"mann-whitney/{method}")


def _asymptotic(sample: Sample, k: int, alternative: Alternative) -> ChanceTest:
    """Return the normal test of the mean area over folds."""
    tables = [part.counts(k) for _, part in sample.cases.by_fold()]
    n_folds = len(tables)
    # Folds are independent test sets: the variance of their mean is the sum over n_folds^2.
    variance = sum(rank_sum.null_variance(counts) for counts in tables) / n_folds**2
    steps = [1 / (2 * counts.total_pos * counts.total_neg) for counts in tables]
    # An area without ties moves in steps of 1/(m n), the mean of the folds in steps of its share.
    distance = labels.statistic_of(sample.cases, k, "auc") - 0.5
    z = rank_sum.standardised(distance, variance, float(np.mean(steps)) / n_folds, alternative)
    p = p_value(z, np.inf, alternative) if variance > 0 else 1.0
    kind = "mann-whitney" if sample.fold is None else "foldwise-mann-whitney"
    return ChanceTest(z, np.inf, p, f"{kind}/normal-continuity")


def _brunner_munzel(sample: Sample, k: int, alternative: Alternative) -> ChanceTest:
    """Return the t test of AUC = 1/2; Newcombe's method 5 where the variance is 0."""
    area = estimate_area(sample.cases, k, "delong", spread=False)
    # The level is that of an interval that is not reported; it does not enter the p value.
    wald = infer(area, "wald", confidence_level=0.95, alternative=alternative, null_value=0.5)
    few = min(sample.n_pos, sample.n_neg) < _FEW_FOR_T
    # The bound of 20 cases of ``auc`` is about the coverage of its intervals, not about this test.
    sizes = [code for code in size_codes(sample.cases) if code != "few-cases" or few]
    codes = (*wald.codes, *sizes)
    if wald.method != "wald":
        return ChanceTest(wald.statistic, np.inf, wald.p_value, f"{wald.method}/normal", codes)
    # Brunner & Munzel's variance is DeLong's, their degrees of freedom Satterthwaite's.
    p = p_value(wald.statistic, area.df, alternative)
    name = variance_name(sample.cases, "delong").replace("delong", "brunner-munzel")
    return ChanceTest(wald.statistic, area.df, p, f"{name}/t", codes)


def _permutation(sample: Sample, g: int, k: int, request: ChanceRequest) -> ChanceTest:
    require_shuffled_clusters(sample.cases)
    statistic, side, over = request.statistic, request.alternative, request.over
    draws = labels.statistic_draws(sample.cases, k, statistic, request.plan.at(g), over)
    observed = labels.statistic_of(sample.cases, k, statistic, over)
    # By the distance from 1/2, as in the exact test; the other statistics have skew null
    # distributions, of which both tails are needed.
    symmetric = statistic == "auc" and over.full
    if side == "two-sided" and symmetric:
        p = _tail(np.abs(draws - 0.5), abs(observed - 0.5))
    else:
        upper, lower = _tail(draws, observed), _tail(-draws, -observed)
        both = min(1.0, 2 * min(upper, lower))
        p = {"greater": upper, "less": lower, "two-sided": both}[side]
    # The least p value that B permutations can give: 1/(B + 1), twice that with two tails.
    least = (1 if symmetric or side != "two-sided" else 2) / (len(draws) + 1)
    coarse = best_of(least, request.n_candidates) > _COARSE
    kind = "cluster" if sample.cluster is not None else "label"
    name = f"{kind}-permutation/{tested_quantity(request)['quantity']}"
    return ChanceTest(np.nan, np.nan, p, name, ("few-permutations",) if coarse else ())


def _tail(draws: FloatArray, observed: float) -> float:
    """Return the permutation p value of large draws."""
    # Counted from below: a draw without weight in a class is NaN and counts as large, which is the
    # conservative side; equal values differ by rounding.
    n_as_extreme = len(draws) - int(np.count_nonzero(draws < observed - SAME))
    return labels.permutation_p_value(n_as_extreme, len(draws))
