"""Tests of predictors against random ranking, of one or of the best of many; critical areas.

The p value of one predictor comes from the rank-sum distribution (exact or normal) [mann-1947],
shuffled labels, or a t test of AUC = 1/2 [brunner-2000]. The best of K candidates has the p value
1 - (1 - p)^K [forman-2005]. A critical area is the least AUC that is significantly above 1/2 by
the rank-sum distribution without ties. Derivations: docs/methods/chance.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, AreaRange, read_range
from rocstats.curves.precision import precision_errors
from rocstats.errors import InputError, require_choice, require_open_interval, require_whole
from rocstats.estimate import permute
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    predictor_rows,
)
from rocstats.estimate.areas import (
    AreaTest,
    area_name_columns,
    estimate_areas,
    infer_area,
    size_codes,
    variance_name,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.permute import RankStatistic
from rocstats.estimate.quantiles import ALTERNATIVES, Alternative, t_p_value, t_quantile
from rocstats.estimate.rank_sum import (
    LARGEST_PAIRS,
    continuity_corrected_z,
    mann_whitney_null_variance,
    rank_sum_deviation_of_area,
    rank_sum_distribution,
    untied_counts,
)
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME, WHOLE
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import (
    AREA,
    BINNING_ERROR,
    TEST,
    Question,
    columns_in,
    estimate_columns,
)
from rocstats.study.base import sample_notes
from rocstats.study.binned import binning_error, is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, require_fold_classes

# --- Tests of a study -----------------------------------------------------------------------------

VERSUS_RANDOM = Question(
    "versus_random",
    estimate_columns(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_candidates n_resamples method note"
    ),
    ("mann-1947", "streitberg-1986", "brunner-2000", "forman-2005"),
    binned=True,
)
ChanceMethod = Literal["exact", "mid-p", "asymptotic", "permutation", "brunner-munzel"]
CHANCE_METHODS: tuple[ChanceMethod, ...] = get_args(ChanceMethod)


def versus_random(
    sample: Sample,
    *,
    method: ChanceMethod | None = None,
    statistic: RankStatistic = "auc",
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    alternative: Alternative = "two-sided",
    n_candidates: int = 1,
    n_resamples: int = 9999,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return tests of an area (or other statistic) against random ranking; a row is one predictor.

    Parameters
    ----------
    method : str, optional
        Test. The column ``method`` names the test used:

        - "exact": exact Mann-Whitney test, also for ties; the default up to 10 000 pairs of a
          positive and a negative.
        - "mid-p": as "exact", but counts half the probability of the observed value. It is less
          conservative.
        - "asymptotic": normal approximation with corrections for ties and continuity; the default
          above 10 000 pairs and with folds.
        - "permutation": permutes the labels; the default for studies with weights or clusters, with
          a range, or for a statistic other than "auc".
        - "brunner-munzel": t test of AUC = 1/2. All other methods test equal distributions.
    statistic : {"auc", "youden", "average_precision"}, default "auc"
        Tested statistic. Statistics other than "auc" need the method "permutation".
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of a partial area: 0 <= low < high <= 1.
        A range needs the statistic "auc" and the method "permutation".
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests whether the predictor is better than random. It is the usual choice with
        ``n_candidates``.
    n_candidates : int >= 1, default 1
        Number of predictors that were tried, including all tuning, if the tested predictor is the
        best of them. The p value then refers to the best of ``n_candidates`` random scorers.
    n_resamples : int >= 99, default 9999
        Number of permutations.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the permutations; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if the permutations take over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, n_candidates, confidence_level, null_value, hypothesis, range_axis,
        range_low, range_high, n_resamples, method, note``. ``statistic`` is z, or t for Brunner &
        Munzel; for permutations it is NaN. ``df`` is NaN if the p value does not use degrees of
        freedom. The limits are NaN; ``auc`` gives an interval.

    Raises
    ------
    InputError
        If an option is unknown; or if the method does not support the weights, clusters or folds of
        the study.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    All methods except "brunner-munzel" test the hypothesis that scores have the same distribution
    in both classes. Under this hypothesis the positives are a random subset of the cases. Let A be
    the observed area, and A* the area for a random subset. There are m positives, n negatives and
    N = m + n cases.

    - "exact": the distribution of A* follows from the sum of mid-ranks over all subsets, by dynamic
      programming. The two-sided p value is P(abs(A* - 1/2) >= abs(A - 1/2)).
    - "asymptotic": the variance is (N + 1 - sum(t^3 - t)/(N(N - 1)))/(12 m n), where t are the
      sizes of ties. The continuity correction is 1/(2 m n).
    - "permutation": the p value is (1 + k)/(B + 1), where k of B permutations are at least as
      extreme. For the AUC, the two-sided p value uses abs(A* - 1/2) again. For other statistics it
      is twice the smaller tail.

    ``null_value`` is 1/2 for the AUC, the area under the diagonal for a partial area, 0 for
    Youden's index, and the prevalence for average precision.

    These tests are not tests of AUC = 1/2. For example, let the AUC be 1/2, and let 10 positives
    have twice the standard deviation of 50 negatives. The tests at .05 then reject in 12 % of
    samples. With exchanged classes they reject in 1 % of samples. To test AUC = 1/2 use
    "brunner-munzel". The statistic is t = (A - 1/2)/se with DeLong's variance (Obuchowski's with
    clusters) and Satterthwaite's degrees of freedom. This test rejects too often if a class has
    under 10 cases (note ``few-cases``). At an AUC of 0 or 1 Newcombe's method 5 replaces the test.

    Best of K candidates: p_K = 1 - (1 - p)^K is the p value of the largest of K permuted
    statistics. It is exact for K independent random scorers, apart from ties and permutation error.
    It is conservative for correlated candidates. Many candidates need many permutations, since p is
    at least 1/(B + 1). If p_K cannot be below .05, there is a note (``few-permutations``).

    With folds the estimate is the mean over folds, and labels are permuted within folds. The test
    is for the fitted models; ``permute_pipeline`` tests the learning algorithm. With clusters, the
    labels of whole clusters are permuted. Therefore all cases of a cluster must be in one class.
    Weights stay with their cases. The test then assumes the same distribution of weights in both
    classes.

    References
    ----------
    - Mann & Whitney (1947) [mann-1947]
    - Streitberg & Roehmel (1986) [streitberg-1986]
    - Brunner & Munzel (2000) [brunner-2000]
    - Forman (2002) [forman-2002]
    - Forman & Cohen (2005) [forman-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1] * 8 + [0] * 10
    >>> score = [.91, .85, .85, .77, .64, .58, .58, .41,
    ...          .72, .64, .58, .45, .41, .33, .33, .21, .15, .08]
    >>> study = rs.Study(y, score)
    >>> study.versus_random()[["estimate", "p_value", "method"]].round(6)
       estimate   p_value              method
    0    0.8625  0.007359  mann-whitney/exact
    >>> best = study.versus_random(alternative="greater", n_candidates=20)
    >>> best["p_value"].round(6).tolist()
    [0.074049]
    """
    VERSUS_RANDOM.refuse_covariates(sample)
    method = require_choice("method", method, (None, *CHANCE_METHODS))
    statistic = require_choice("statistic", statistic, tuple(permute.STATISTICS))
    alternative = require_choice("alternative", alternative, ALTERNATIVES)
    area_range = read_range(fpr_range, tpr_range)
    if area_range is not None and statistic != "auc":
        raise InputError(
            f"`statistic` must be 'auc' for a range of rates; got {statistic!r}."
            " Leave the range out."
        )
    over = area_range or FULL_RANGE
    n_candidates = require_candidates(n_candidates)
    # 99 permutations are the fewest whose least p value, 1/(B + 1), is 0.01.
    plan = plan_draws(n_resamples, rng, progress, least=99)
    of_area = statistic == "auc"
    shared = {
        **(area_name_columns(over) if of_area else {"quantity": statistic, "range_axis": ""}),
        "null_value": over.chance() if of_area else 0.0,
        "hypothesis": alternative,
        "n_candidates": n_candidates,
        "n_resamples": 0,
    }

    def test_row(part: Sample, g: int, k: int) -> dict[str, Any]:
        columns = {**shared, **class_size_columns(part)}
        if lacks_class(part):
            return answer_row_of_result(
                VERSUS_RANDOM, columns, undefined_result("one-class"), sample_notes(part)
            )
        require_fold_classes(part)
        chosen = choose_method(part, method, statistic, over)
        if chosen in ("exact", "mid-p"):
            test = _exact_chance_test(part, k, alternative, mid=chosen == "mid-p")
        elif chosen == "asymptotic":
            test = _normal_chance_test(part, k, alternative)
        elif chosen == "permutation":
            columns["n_resamples"] = plan.n_resamples
            test = _permutation_test(
                part, k, statistic, over, alternative, n_candidates, plan.at(g)
            )
        else:
            test = _brunner_munzel_chance_test(part, k, alternative)
        # The precision of a random scorer is the prevalence at every threshold: the (weighted)
        # share of positives, the mean over folds as of the statistic.
        if statistic == "average_precision":
            tables = [fold.counts(k) for _, fold in part.cases.by_fold()]
            shares = [t.total_pos / (t.total_pos + t.total_neg) for t in tables]
            columns["null_value"] = float(np.mean(shares))
        columns[BINNING_ERROR] = _statistic_binning_error(part, k, statistic, over)
        best = test._replace(p_value=float(p_value_of_best_candidate(test.p_value, n_candidates)))
        return answer_row_of_result(
            VERSUS_RANDOM, columns, best, ["no-interval", *sample_notes(part)]
        )

    rows = predictor_rows(sample, lambda *cases: [test_row(*cases)])
    resampled = any(row["n_resamples"] for row in rows)
    return answer_rows(VERSUS_RANDOM, sample, rows, plan if resampled else None)


# --- Methods that a study allows ------------------------------------------------------------------


# NumPy draws from a multivariate hypergeometric distribution of fewer than 10^9 cases.
MOST_SHUFFLED = 999_999_999


def choose_method(
    sample: Sample, method: ChanceMethod | None, statistic: RankStatistic, over: AreaRange
) -> ChanceMethod:
    """Return the method, by default the best that the study allows; raise InputError otherwise."""
    allowed, why = _allowed_chance_methods(sample, statistic, over)
    if method is None:
        return allowed[0]
    if method not in allowed:
        words = " or ".join(repr(word) for word in allowed)
        raise InputError(f"`method` must be {words} {why}; got {method!r}. Leave `method` out.")
    return method


def _allowed_chance_methods(
    sample: Sample, statistic: RankStatistic, over: AreaRange
) -> tuple[tuple[ChanceMethod, ...], str]:
    """Return the methods that honour every role of the study, the default first, and the reason."""
    # The other methods know the null distribution of the whole area only.
    if statistic != "auc":
        return ("permutation",), f"for the statistic {statistic!r}"
    if not over.full:
        return ("permutation",), "for a partial area"
    # Weighted ranks have no rank-sum distribution; shuffled labels leave each case its weight.
    if sample.sample_weight is not None:
        return ("permutation",), "when the study has weights"
    # The rank sum test takes every assignment of labels as equally probable; with clusters only
    # those that keep clusters whole are.
    if sample.cluster is not None:
        return ("permutation", "brunner-munzel"), "when the study has clusters"
    inexact: tuple[ChanceMethod, ...] = ("asymptotic", "permutation", "brunner-munzel")
    if sample.fold is not None:
        return inexact, "when the study has folds, whose area is a mean"
    if sample.n_pos + sample.n_neg > MOST_SHUFFLED:
        return ("asymptotic", "brunner-munzel"), f"beyond {MOST_SHUFFLED:_} cases"
    if sample.n_pos * sample.n_neg > LARGEST_PAIRS:
        return inexact, f"beyond {LARGEST_PAIRS:.0f} pairs of cases"
    return ("exact", "mid-p", *inexact), ""


# --- P values of one predictor --------------------------------------------------------------------


def _exact_chance_test(sample: Sample, k: int, alternative: Alternative, *, mid: bool) -> Result:
    """Return the rank-sum test by the exact null distribution (Mann & Whitney), ``mid`` by mid-p.

    The distribution is that of mid-ranks [streitberg-1986].
    """
    counts = sample.cases.counts(k)
    area = permute.rank_statistic_of_sample(sample.cases, k, "auc")
    p = rank_sum_distribution(counts).p_value(
        rank_sum_deviation_of_area(area, counts.total_pos, counts.total_neg), alternative, mid=mid
    )
    # For orientation only: the p value is counted, so z has no continuity correction.
    z = continuity_corrected_z(area - 0.5, mann_whitney_null_variance(counts), 0.0, "two-sided")
    return Result(
        area, statistic=z, p_value=p, method=f"mann-whitney/{'mid-p' if mid else 'exact'}"
    )


def _normal_chance_test(sample: Sample, k: int, alternative: Alternative) -> Result:
    """Return the normal test of the mean area over folds."""
    tables = [part.counts(k) for _, part in sample.cases.by_fold()]
    n_folds = len(tables)
    # Folds are independent test sets: the variance of their mean is the sum over n_folds^2.
    variance = sum(mann_whitney_null_variance(counts) for counts in tables) / n_folds**2
    steps = [1 / (2 * counts.total_pos * counts.total_neg) for counts in tables]
    # An area without ties moves in steps of 1/(m n), the mean of the folds in steps of its share.
    area = permute.rank_statistic_of_sample(sample.cases, k, "auc")
    z = continuity_corrected_z(area - 0.5, variance, float(np.mean(steps)) / n_folds, alternative)
    p = t_p_value(z, np.inf, alternative) if variance > 0 else 1.0
    kind = "mann-whitney" if sample.fold is None else "foldwise-mann-whitney"
    method = f"{kind}/normal-continuity"
    return Result(area, statistic=z, df=np.inf, p_value=p, method=method)


# No p value can be below this level where even the largest of all draws is not significant.
_COARSE_LEVEL = 0.05


def _permutation_test(
    sample: Sample,
    k: int,
    statistic: RankStatistic,
    over: AreaRange,
    alternative: Alternative,
    n_candidates: int,
    plan: ResamplePlan,
) -> Result:
    """Return the test of a statistic by shuffled labels: p = (1 + number as extreme)/(B + 1)."""
    require_shuffled_clusters(sample.cases)
    draws = permute.permuted_rank_statistics(sample.cases, k, statistic, plan, over)
    observed = permute.rank_statistic_of_sample(sample.cases, k, statistic, over)
    # By the distance from 1/2, as in the exact test; the other statistics have skew null
    # distributions, of which both tails are needed.
    symmetric = statistic == "auc" and over.full
    if alternative == "two-sided" and symmetric:
        p = _chance_tail_p_value(np.abs(draws - 0.5), abs(observed - 0.5))
    else:
        upper, lower = (
            _chance_tail_p_value(draws, observed),
            _chance_tail_p_value(-draws, -observed),
        )
        both = min(1.0, 2 * min(upper, lower))
        p = {"greater": upper, "less": lower, "two-sided": both}[alternative]
    # The least p value that B permutations can give: 1/(B + 1), twice that with two tails.
    least = (1 if symmetric or alternative != "two-sided" else 2) / (len(draws) + 1)
    coarse = p_value_of_best_candidate(least, n_candidates) > _COARSE_LEVEL
    quantity = area_name_columns(over)["quantity"] if statistic == "auc" else statistic
    kind = "cluster" if sample.cluster is not None else "label"
    return Result(
        observed,
        p_value=p,
        method=f"{kind}-permutation/{quantity}",
        codes=("few-permutations",) if coarse else (),
    )


def require_shuffled_clusters(cases: ScoredCases) -> None:
    """Raise InputError unless each cluster lies in one class and one fold."""
    if cases.cluster is None:
        return
    # A shuffle moves whole clusters: a cluster with cases of both classes has no label to move, and
    # a cluster in two folds would tie their shuffles.
    of_class = cases.is_positive.astype(np.intp)
    of_fold = np.zeros(len(of_class), np.intp) if cases.fold is None else cases.fold.codes
    for codes, what in ((of_class, "class"), (of_fold, "fold")):
        pairs = np.unique(np.column_stack([cases.cluster.codes, codes]), axis=0)
        twice = np.flatnonzero(np.diff(pairs[:, 0]) == 0)
        if len(twice):
            label = cases.cluster.labels[int(pairs[twice[0], 0])]
            raise InputError(
                f"`cluster` must lie in one {what} if labels are permuted by cluster; got cluster"
                f" {label!r} in two. Use method='brunner-munzel', which permutes no labels."
            )


def _chance_tail_p_value(draws: FloatArray, observed: float) -> float:
    """Return the permutation p value of large draws."""
    # Counted from below: a draw without weight in a class is NaN and counts as large, which is the
    # conservative side; equal values differ by rounding.
    n_as_extreme = len(draws) - int(np.count_nonzero(draws < observed - SAME))
    return permute.permutation_p_value(n_as_extreme, len(draws))


# Brunner & Munzel's test at .05 rejects up to .08 of samples with 5 cases a class, and at most .06
# from 10 on (validation/size/size.csv).
_FEW_FOR_T = 10


def _brunner_munzel_chance_test(sample: Sample, k: int, alternative: Alternative) -> Result:
    """Return the t test of AUC = 1/2 [brunner-2000]; Newcombe's method 5 where the variance is 0.

    The variance is DeLong's, the degrees of freedom are Satterthwaite's.
    """
    area = estimate_areas(sample.cases, [k]).take(0)
    # The level is that of an interval that is not reported; it does not enter the p value.
    wald = infer_area(area, "wald", AreaTest(0.95, alternative, 0.5))
    few = min(sample.n_pos, sample.n_neg) < _FEW_FOR_T
    # The bound of 20 cases of ``auc`` is about the coverage of its intervals, not about this test.
    sizes = [code for code in size_codes(sample.cases) if code != "few-cases" or few]
    df, p, method = np.inf, wald.p_value, f"{wald.method}/normal"
    if wald.method == "wald":
        df, p = area.df, t_p_value(wald.statistic, area.df, alternative)
        name = variance_name(sample.cases, "delong").replace("delong", "brunner-munzel")
        method = f"{name}/t"
    return Result(
        permute.rank_statistic_of_sample(sample.cases, k, "auc"),
        statistic=wald.statistic,
        df=df,
        p_value=p,
        method=method,
        codes=(*wald.codes, *sizes),
    )


def _statistic_binning_error(
    sample: Sample, k: int, statistic: RankStatistic, over: AreaRange
) -> float:
    """Return how far the statistic can be from that of all scores."""
    if not is_binned(sample):
        return 0.0
    if statistic == "average_precision":
        return precision_errors(sample, k)["average_precision"]

    def value(one: Sample) -> float:
        return permute.rank_statistic_of_sample(one.cases, k, statistic, over)

    return float(binning_error(sample, value))


# --- The best of many candidates ------------------------------------------------------------------


def require_candidates(n_candidates: Any) -> int:
    """Return ``n_candidates`` as int; raise InputError unless it is a whole number >= 1."""
    return require_whole("n_candidates", n_candidates, 1, "Pass the number of predictors tried.")


def p_value_of_best_candidate(p: FloatArray | float, n_candidates: float) -> FloatArray:
    """Return 1 - (1 - p)^K, the p value of the best of K independent candidates."""
    # Exact for random scorers, which are independent given the labels, and conservative for
    # correlated ones (docs/methods/chance.md, "The best of many").
    single = np.minimum(np.asarray(p, dtype=np.float64), 1.0)
    if n_candidates == 1:
        return single  # not by way of the logarithm, which would round
    with np.errstate(divide="ignore"):  # log 0 at p = 1; logarithms keep the digits of a small p
        return np.asarray(-np.expm1(n_candidates * np.log1p(-single)))


# --- Critical areas -------------------------------------------------------------------------------

CRITICAL_AUC = Question(
    "critical_auc",
    columns_in("quantity n_pos n_neg n_candidates alpha critical_value p_value method note"),
    ("mann-1947", "forman-2005"),
)


def critical_auc(
    n_pos: int, n_neg: int, *, n_candidates: int | Sequence[int] = 1, alpha: float = 0.05
) -> pd.DataFrame:
    """Return the smallest AUC significantly above 1/2; a row is one number of candidates.

    Parameters
    ----------
    n_pos, n_neg : int >= 1
        Numbers of positives and negatives.
    n_candidates : int >= 1, or sequence of int, default 1
        Number of predictors that were tried, if the best of them is tested.
    alpha : float in (0, 1), default 0.05
        Level of the one-sided test.

    Returns
    -------
    pandas.DataFrame
        Columns ``quantity, n_pos, n_neg, n_candidates, alpha, critical_value, p_value, method,
        note``. ``p_value`` is the p value of ``critical_value``; it is at most ``alpha``. Both are
        NaN if no AUC is significant at this level (note ``unattainable-level``).

    Raises
    ------
    InputError
        If a number is invalid.

    Warns
    -----
    StatisticalWarning
        - ``unattainable-level``: no AUC is significant at this level.

    Notes
    -----
    Let A be the area of a random scorer without ties, and K the number of all predictors that were
    tried, including tuning. The critical value is the smallest a with 1 - (1 - P(A >= a))^K <=
    alpha. The distribution of A is exact up to 10 000 pairs of a positive and a negative. Above
    this number it is normal with continuity correction. The critical value is conservative for
    correlated candidates. For scores with ties use ``versus_random``, since ties change the null
    distribution.

    References
    ----------
    - Mann & Whitney (1947) [mann-1947]
    - Forman (2002) [forman-2002]
    - Forman & Cohen (2005), tables of such values [forman-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> found = rs.critical_auc(20, 100, n_candidates=[1, 10, 100])
    >>> found[["n_candidates", "critical_value"]].round(4)
       n_candidates  critical_value
    0             1          0.6175
    1            10          0.6810
    2           100          0.7290
    """
    advice = "Pass the number of cases."
    n_pos, n_neg = (require_whole(*n, 1, advice) for n in (("n_pos", n_pos), ("n_neg", n_neg)))
    require_open_interval("alpha", alpha, 0, 1)
    listed = n_candidates if isinstance(n_candidates, (list, tuple, np.ndarray)) else [n_candidates]
    critical = _exact_critical_area if n_pos * n_neg <= LARGEST_PAIRS else _normal_critical_area
    rows = []
    for tried in [require_candidates(n) for n in listed]:
        value, p, method = critical(n_pos, n_neg, tried, alpha)
        rows.append(
            {
                "quantity": "auc",
                "n_pos": n_pos,
                "n_neg": n_neg,
                "n_candidates": tried,
                "alpha": alpha,
                "critical_value": value,
                "p_value": p,
                "method": method,
                "note": ["unattainable-level"] if np.isnan(value) else [],
            }
        )
    return estimate_frame(CRITICAL_AUC, rows, grouped=False)


def _exact_critical_area(
    n_pos: int, n_neg: int, n_candidates: int, alpha: float
) -> tuple[float, float, str]:
    """Return the critical value by the exact null distribution, its p value and the method."""
    distribution = rank_sum_distribution(untied_counts(n_pos, n_neg))
    p = p_value_of_best_candidate(distribution.upper_tails(), n_candidates)
    # Upper tails fall along the areas, so that the first at the level is the least area.
    reached = np.flatnonzero(p <= alpha + SAME)
    # Even an area of 1 has the p value 1/C(N, m): with few cases that is above the level.
    if len(reached) == 0:
        return np.nan, np.nan, "mann-whitney/exact"
    first = int(reached[0])
    pairs = n_pos * n_neg
    # The distribution is that of 2 m n (A - 1/2), a whole number.
    value = float(distribution.deviation[first] + pairs) / (2 * pairs)
    return value, float(p[first]), "mann-whitney/exact"


def _normal_critical_area(
    n_pos: int, n_neg: int, n_candidates: int, alpha: float
) -> tuple[float, float, str]:
    """Return the critical value by the normal approximation, its p value and the method."""
    pairs = n_pos * n_neg
    # Mann & Whitney 1947: Var A = (N + 1)/(12 m n) without ties.
    sd = np.sqrt((n_pos + n_neg + 1) / (12 * pairs))
    # The level of each of K independent tests, 1 - (1 - alpha)^(1/K), without cancellation.
    level = -np.expm1(np.log1p(-alpha) / n_candidates)
    least = 0.5 + 1 / (2 * pairs) - t_quantile(level, np.inf) * sd
    # Areas without ties are multiples of 1/(m n).
    value = float(np.ceil(least * pairs - WHOLE) / pairs)
    method = "mann-whitney/normal-continuity"
    if value > 1:
        return np.nan, np.nan, method
    p = t_p_value((value - 0.5 - 1 / (2 * pairs)) / sd, np.inf, "greater")
    return value, float(p_value_of_best_candidate(p, n_candidates)), method
