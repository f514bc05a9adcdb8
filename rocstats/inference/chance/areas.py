"""Is a predictor better than chance? Rank tests of each area, and of the best of many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange, read_range
from rocstats.errors import InputError, require_choice
from rocstats.frames import estimate_frame
from rocstats.glossary import FULL_AREA
from rocstats.inference.chance.requirements import require_candidates, require_shuffled_clusters
from rocstats.inference.estimates.randomness import RngLike, require_resamples, resolve_seed
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.questions import AREA, TEST, Question, columns_in
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.areas.estimates import estimate_area, infer, size_codes, variance_name
from rocstats.stats.chance.candidates import best_of
from rocstats.stats.chance.rank_sum import (
    LARGEST_PAIRS,
    deviation_of,
    null_variance,
    rank_sum_distribution,
    standardised,
)
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative, p_value
from rocstats.stats.resampling.labels import (
    STATISTICS,
    RankStatistic,
    permutation_p_value,
    statistic_draws,
    statistic_of,
)

VERSUS_RANDOM = Question(
    "versus_random",
    columns_in(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_candidates n_resamples method note"
    ),
    (
        "mann-1947",
        "streitberg-1986",
        "brunner-2000",
        "forman-2005",
    ),
)

Method = Literal["exact", "mid-p", "asymptotic", "permutation", "brunner-munzel"]
METHODS = ("exact", "mid-p", "asymptotic", "permutation", "brunner-munzel")
_SAME = 1e-12
_FEW_FOR_T = 10
_COARSE = 0.05


def versus_random(
    sample: Sample,
    *,
    method: Method | None = None,
    statistic: RankStatistic = "auc",
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    alternative: Alternative = "two-sided",
    n_candidates: int = 1,
    n_resamples: int = 9999,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return tests against random ranking; a row is the test of one predictor (in one group).

    Parameters
    ----------
    method : str, optional
        "exact" (Mann-Whitney, any ties), "mid-p" (the same, what is as extreme as observed counting
        half), "asymptotic" (normal, variance corrected for ties, with continuity correction),
        "permutation" (labels shuffled), "brunner-munzel" (t; the only one for AUC = 1/2). Default:
        "exact" up to 10 000 pairs, beyond it and with folds "asymptotic"; "permutation" with
        weights, clusters, a range or another statistic. The column ``method`` says which it was.
    statistic : {"auc", "youden", "average_precision"}, default "auc"
        What is tested; all but "auc" by permutation only.
    fpr_range, tpr_range : (float, float), optional
        Range of the false positive rates, or of the sensitivities, of a partial area ("auc" only):
        0 <= low < high <= 1. By permutation only.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" is better than random; the usual choice with ``n_candidates``.
    n_candidates : int >= 1, default 1
        How many predictors were tried, of which this is the best: all tuning counts. The p value is
        that of the best of so many random scorers.
    n_resamples : int >= 99, default 9999
        Number of permutations.
    rng : int, SeedSequence, Generator or None
        Source of the permutations; the frame records one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, range_axis, range_low, range_high, estimate, se,
        ci_low, ci_high, confidence_level, null_value, statistic, df, p_value, hypothesis, n_pos,
        n_neg, n_candidates, n_resamples, method, note``. ``statistic`` is z (t of Brunner & Munzel;
        NaN for permutations); ``df`` is NaN where the p value does not come from it. There is no
        interval: ask ``auc``.

    Raises
    ------
    InputError
        If a word is unknown, or a method cannot honour a role of the study.

    Warns
    -----
    StatisticalWarning
        Once for each doubt that stands in ``note``.

    Notes
    -----
    All methods but one test F = G: scores have the same law in both classes, so that the positives
    are a random subset of the cases. Exact: the law of the sum of mid-ranks over all subsets, by
    dynamic programming; two-sided P(abs(A* - 1/2) >= abs(A - 1/2)). Asymptotic: variance
    (N + 1 - sum(t^3 - t)/(N(N - 1)))/(12 m n), t the sizes of ties, and 1/(2 m n) for continuity.
    Permutation: (1 + #)/(B + 1); two-sided, as above for the AUC, twice the smaller tail for the
    others. ``null_value`` is 1/2, the part of a range under the diagonal, 0 for Youden's index, the
    prevalence for average precision.

    They do not test AUC = 1/2: where it holds but the spreads differ, with 10 positives twice as
    spread as 50 negatives, they reject 12 % of the time at .05, and 1 % the other way round. For
    that null hypothesis use "brunner-munzel", t = (A - 1/2)/se with DeLong's variance
    (Obuchowski's with clusters) and Satterthwaite's degrees of freedom, which is liberal below 10
    cases a class (note ``few-cases``); at an AUC of 0 or 1 Newcombe's method 5 stands in.

    The best of K: p_K = 1 - (1 - p)^K, exact for K independent random scorers (but for ties and
    resampling), conservative for correlated candidates. It is the law of the largest of K
    permuted statistics, and holds for every statistic; p is at least 1/(B + 1), so that many
    candidates need many permutations (note ``few-permutations`` where no p_K could be below .05).

    With folds the estimate is the mean over folds, labels are exchangeable within folds, and the
    fitted models are held fixed: it is they that are tested; ``permute_pipeline`` tests the
    learning. Shuffled clusters stay whole, so each must lie in one class. Weights stay with their
    cases, which assumes that they have the same law in both classes too.

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
    require_choice("method", method, (None, *METHODS))
    require_choice("statistic", statistic, tuple(STATISTICS))
    require_choice("alternative", alternative, ALTERNATIVES)
    over = read_range(fpr_range, tpr_range)
    if over is not None and statistic != "auc":
        raise InputError(
            f"`statistic` must be 'auc' for a range of rates; got {statistic!r}."
            " Leave the range out."
        )
    asked = _Request(
        statistic,
        over or FULL_RANGE,
        alternative,
        require_candidates(n_candidates),
        require_resamples(n_resamples, 99),
        resolve_seed(rng),
    )
    rows = []
    for g, (group, part) in enumerate(sample.by_group()):
        for k, name in enumerate(sample.predictors):
            rows.append({"predictor": name, "group": group, **_row(part, g, k, method, asked)})
    resampled = any(row["n_resamples"] for row in rows)
    return estimate_frame(
        VERSUS_RANDOM,
        rows,
        grouped=sample.group is not None,
        seed=asked.seed if resampled else None,
        n_resamples=asked.n_resamples if resampled else None,
    )


@dataclass(frozen=True)
class _Request:
    """What the user wants of a test."""

    statistic: RankStatistic
    over: AreaRange
    alternative: Alternative
    n_candidates: int
    n_resamples: int
    seed: int


@dataclass(frozen=True)
class _Found:
    """The answer of one test; ``df`` is NaN unless the p value comes from the statistic."""

    statistic: float
    df: float
    p_value: float
    method: str
    codes: tuple[str, ...] = ()


def _row(sample: Sample, g: int, k: int, method: Method | None, asked: _Request) -> dict[str, Any]:
    row: dict[str, Any] = {
        **_what(asked),
        **dict.fromkeys(("estimate", "se", "ci_low", "ci_high", "confidence_level"), np.nan),
        **dict.fromkeys(("statistic", "df", "p_value"), np.nan),
        "null_value": asked.over.chance() if asked.statistic == "auc" else 0.0,
        "hypothesis": asked.alternative,
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "n_candidates": asked.n_candidates,
        "n_resamples": 0,
    }
    if lacks_class(sample):
        return unanswered(VERSUS_RANDOM, row, ["one-class", *row_codes(sample)])
    require_fold_classes(sample)
    chosen = _chosen(sample, method, asked)
    if asked.statistic == "average_precision":
        row["null_value"] = _prevalence(sample, k)
    found = _test(sample, g, k, chosen, asked)
    return {
        **row,
        "estimate": statistic_of(sample.cases, k, asked.statistic, asked.over),
        "statistic": found.statistic,
        "df": found.df,
        "p_value": float(best_of(found.p_value, asked.n_candidates)),
        "n_resamples": asked.n_resamples if chosen == "permutation" else 0,
        "method": found.method,
        "note": [*found.codes, "no-interval", *row_codes(sample)],
    }


def _what(asked: _Request) -> dict[str, Any]:
    """Return the columns that say what is tested."""
    over = asked.over
    if asked.statistic != "auc":
        nowhere = {"range_axis": "", "range_low": np.nan, "range_high": np.nan}
        return {"quantity": asked.statistic, **nowhere}
    if over.full:
        return dict(FULL_AREA)
    span = {"range_axis": over.axis, "range_low": over.low, "range_high": over.high}
    return {"quantity": "partial_auc", **span}


def _prevalence(sample: Sample, k: int) -> float:
    """Return the (weighted) share of positives, the mean over folds."""
    tables = [part.counts(k) for _, part in sample.cases.by_fold()]
    return float(np.mean([t.total_pos / (t.total_pos + t.total_neg) for t in tables]))


def _chosen(sample: Sample, method: Method | None, asked: _Request) -> Method:
    """Return the method asked for, or the first that can do it."""
    allowed, why = _allowed(sample, asked)
    if method is None:
        return allowed[0]
    if method not in allowed:
        words = " or ".join(repr(word) for word in allowed)
        raise InputError(f"`method` must be {words} {why}; got {method!r}. Leave `method` out.")
    return method


def _allowed(sample: Sample, asked: _Request) -> tuple[tuple[Method, ...], str]:
    """Return the methods that honour every role of the study, the default first, and the reason."""
    if asked.statistic != "auc":
        return ("permutation",), f"for the statistic {asked.statistic!r}"
    if not asked.over.full:
        return ("permutation",), "for a partial area"
    if sample.sample_weight is not None:
        return ("permutation",), "when the study has weights"
    if sample.cluster is not None:
        return ("permutation", "brunner-munzel"), "when the study has clusters"
    inexact: tuple[Method, ...] = ("asymptotic", "permutation", "brunner-munzel")
    if sample.fold is not None:
        return inexact, "when the study has folds, whose area is a mean"
    if sample.n_pos * sample.n_neg > LARGEST_PAIRS:
        return inexact, f"beyond {LARGEST_PAIRS:.0f} pairs of cases"
    return ("exact", "mid-p", *inexact), ""


def _test(sample: Sample, g: int, k: int, method: Method, asked: _Request) -> _Found:
    if method == "permutation":
        return _permuted(sample, g, k, asked)
    if method == "brunner-munzel":
        return _brunner_munzel(sample, k, asked.alternative)
    if method == "asymptotic":
        return _asymptotic(sample, k, asked.alternative)
    counts = sample.cases.counts(k)
    value = statistic_of(sample.cases, k, "auc")
    p = rank_sum_distribution(counts).p_value(
        deviation_of(value, counts.total_pos, counts.total_neg),
        asked.alternative,
        mid=method == "mid-p",
    )
    z = standardised(value - 0.5, null_variance(counts), 0.0, "two-sided")
    return _Found(z, np.nan, p, f"mann-whitney/{method}")


def _asymptotic(sample: Sample, k: int, alternative: Alternative) -> _Found:
    """Return the normal test of the mean area over folds."""
    tables = [part.counts(k) for _, part in sample.cases.by_fold()]
    n_folds = len(tables)
    variance = sum(null_variance(counts) for counts in tables) / n_folds**2
    steps = [1 / (2 * counts.total_pos * counts.total_neg) for counts in tables]
    distance = statistic_of(sample.cases, k, "auc") - 0.5
    z = standardised(distance, variance, float(np.mean(steps)) / n_folds, alternative)
    p = p_value(z, np.inf, alternative) if variance > 0 else 1.0
    kind = "mann-whitney" if sample.fold is None else "foldwise-mann-whitney"
    return _Found(z, np.inf, p, f"{kind}/normal-continuity")


def _brunner_munzel(sample: Sample, k: int, alternative: Alternative) -> _Found:
    """Return the t test of AUC = 1/2; without a variance, the house's rule at the boundary."""
    area = estimate_area(sample.cases, k, "delong")
    found = infer(area, "wald", confidence_level=0.95, alternative=alternative, null_value=0.5)
    few = min(sample.n_pos, sample.n_neg) < _FEW_FOR_T
    sizes = [code for code in size_codes(sample.cases) if code != "few-cases" or few]
    codes = (*found.codes, *sizes)
    if found.method != "wald":
        return _Found(found.statistic, np.inf, found.p_value, f"{found.method}/normal", codes)
    p = p_value(found.statistic, area.df, alternative)
    name = variance_name(sample.cases, "delong").replace("delong", "brunner-munzel")
    return _Found(found.statistic, area.df, p, f"{name}/t", codes)


def _permuted(sample: Sample, g: int, k: int, asked: _Request) -> _Found:
    require_shuffled_clusters(sample.cases)
    seed = (asked.seed, g)
    draws = statistic_draws(sample.cases, k, asked.statistic, asked.n_resamples, seed, asked.over)
    observed = statistic_of(sample.cases, k, asked.statistic, asked.over)
    symmetric = asked.statistic == "auc" and asked.over.full
    if asked.alternative == "two-sided" and symmetric:
        p = _tail(np.abs(draws - 0.5), abs(observed - 0.5))
    else:
        upper, lower = _tail(draws, observed), _tail(-draws, -observed)
        both = min(1.0, 2 * min(upper, lower))
        p = {"greater": upper, "less": lower, "two-sided": both}[asked.alternative]
    least = (1 if symmetric or asked.alternative != "two-sided" else 2) / (asked.n_resamples + 1)
    coarse = best_of(least, asked.n_candidates) > _COARSE
    kind = "cluster" if sample.cluster is not None else "label"
    name = f"{kind}-permutation/{_what(asked)['quantity']}"
    return _Found(np.nan, np.nan, p, name, ("few-permutations",) if coarse else ())


def _tail(draws: FloatArray, observed: float) -> float:
    """Return the permutation p value of large draws; a draw that is undefined counts as large."""
    n_as_extreme = len(draws) - int(np.count_nonzero(draws < observed - _SAME))
    return permutation_p_value(n_as_extreme, len(draws))
