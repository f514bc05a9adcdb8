"""Tests of predictors against random ranking, also of the best of many predictors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE, read_range
from rocstats.curves.areas.precision_bounds import precision_errors
from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import AREA, BINNING_ERROR, TEST, Question, estimate_columns
from rocstats.inference.chance import area_tests
from rocstats.inference.chance.area_tests import Method
from rocstats.inference.chance.requirements import require_candidates
from rocstats.inference.estimates.answers import answer_rows, class_sizes, rows_of
from rocstats.inference.estimates.randomness import RngLike, plan_draws
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.base import row_codes
from rocstats.sample.binned import binning_error, is_binned
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.chance.candidates import best_of
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative
from rocstats.stats.resampling import labels
from rocstats.stats.resampling.labels import RankStatistic

VERSUS_RANDOM = Question(
    "versus_random",
    estimate_columns(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_candidates n_resamples method note"
    ),
    ("mann-1947", "streitberg-1986", "brunner-2000", "forman-2005"),
    binned=True,
)


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
    progress: bool = False,
) -> pd.DataFrame:
    """Return tests against random ranking; a row is the test of one predictor (in one group).

    Parameters
    ----------
    method : str, optional
        The test; the column ``method`` names it:

        - "exact": Mann-Whitney with any ties; the default up to 10 000 pairs.
        - "mid-p": the same with half the probability of the observed value; less conservative.
        - "asymptotic": normal, with correction for ties and continuity; the default beyond, and
          with folds.
        - "permutation": labels are shuffled; the default with weights, clusters, a range or another
          statistic.
        - "brunner-munzel": t test, the only test of the null hypothesis AUC = 1/2.
    statistic : {"auc", "youden", "average_precision"}, default "auc"
        Tested statistic; all but "auc" by permutation only.
    fpr_range, tpr_range : (float, float), optional
        Range of the false positive rates, or of the sensitivities, of a partial area ("auc" only):
        0 <= low < high <= 1. By permutation only.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" is better than random; the usual choice with ``n_candidates``.
    n_candidates : int >= 1, default 1
        Number of tried predictors, of which this is the best: all tuning counts. The p value is
        that of the best of as many random scorers.
    n_resamples : int >= 99, default 9999
        Number of permutations.
    rng : int, SeedSequence, Generator or None
        Source of the permutations; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for permutations that take over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, n_candidates, confidence_level, null_value, hypothesis, range_axis,
        range_low, range_high, n_resamples, method, note``. ``statistic`` is z (t of Brunner &
        Munzel; NaN for permutations); ``df`` is NaN where the p value does not come from it. For an
        interval use ``auc``.

    Raises
    ------
    InputError
        If a word is unknown, or a method cannot honour a role of the study.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    All methods but "brunner-munzel" test F = G: scores have the same distribution in both classes,
    so that the positives are a random subset of the cases. Exact: the distribution of the sum of
    mid-ranks over all subsets, by dynamic programming; two-sided
    P(abs(A* - 1/2) >= abs(A - 1/2)). Asymptotic: variance
    (N + 1 - sum(t^3 - t)/(N(N - 1)))/(12 m n), t the sizes of ties, and 1/(2 m n) for continuity.
    Permutation: (1 + #)/(B + 1); two-sided, as above for the AUC, twice the smaller tail for the
    others. ``null_value`` is 1/2, the part of a range under the diagonal, 0 for Youden's index, the
    prevalence for average precision.

    They do not test AUC = 1/2. With an AUC of 1/2, and 10 positives with twice the standard
    deviation of 50 negatives, they reject 12 % of the time at .05; with classes exchanged, 1 %. For
    that null hypothesis use "brunner-munzel", t = (A - 1/2)/se with DeLong's variance
    (Obuchowski's with clusters) and Satterthwaite's degrees of freedom, which is liberal below 10
    cases a class (note ``few-cases``); at an AUC of 0 or 1 Newcombe's method 5 replaces it.

    The best of K: p_K = 1 - (1 - p)^K, exact for K independent random scorers (but for ties and
    resampling), conservative for correlated candidates. It is the p value of the largest of K
    permuted statistics, whatever the statistic. A p is at least 1/(B + 1), so that many candidates
    need many permutations (note ``few-permutations`` where no p_K could be below .05).

    With folds the estimate is the mean over folds, and labels are exchangeable within folds. The
    fitted models are tested as they are; ``permute_pipeline`` tests the learning. Shuffled clusters
    stay whole, so each must lie in one class. Weights stay with their cases, which assumes that
    they have the same distribution in both classes too.

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
    method = require_choice("method", method, (None, *area_tests.METHODS))
    statistic = require_choice("statistic", statistic, tuple(labels.STATISTICS))
    alternative = require_choice("alternative", alternative, ALTERNATIVES)
    over = read_range(fpr_range, tpr_range)
    if over is not None and statistic != "auc":
        raise InputError(
            f"`statistic` must be 'auc' for a range of rates; got {statistic!r}."
            " Leave the range out."
        )
    request = area_tests.ChanceRequest(
        statistic,
        over or FULL_RANGE,
        alternative,
        require_candidates(n_candidates),
        # 99 permutations are the fewest whose least p value, 1/(B + 1), is 0.01.
        plan_draws(n_resamples, rng, progress, least=99),
    )
    rows = rows_of(sample, lambda part, g, k: [_row(part, g, k, method, request)])
    resampled = any(row["n_resamples"] for row in rows)
    return answer_rows(VERSUS_RANDOM, sample, rows, request.plan if resampled else None)


def _row(
    sample: Sample, g: int, k: int, method: Method | None, request: area_tests.ChanceRequest
) -> dict[str, Any]:
    """Return the row of predictor ``k`` in group ``g``."""
    known = {
        **area_tests.tested_quantity(request),
        "null_value": request.over.chance() if request.statistic == "auc" else 0.0,
        "hypothesis": request.alternative,
        **class_sizes(sample),
        "n_candidates": request.n_candidates,
        "n_resamples": 0,
    }
    row = unanswered(VERSUS_RANDOM, known, ["one-class", *row_codes(sample)])
    if lacks_class(sample):
        return row
    require_fold_classes(sample)
    chosen = area_tests.choose_method(sample, method, request)
    # The precision of a random scorer is the prevalence at every threshold.
    if request.statistic == "average_precision":
        row["null_value"] = _prevalence(sample, k)
    test = area_tests.area_test(sample, g, k, chosen, request)
    return {
        **row,
        BINNING_ERROR: _error(sample, k, request),
        "estimate": labels.statistic_of(sample.cases, k, request.statistic, request.over),
        "statistic": test.statistic,
        "df": test.df,
        "p_value": float(best_of(test.p_value, request.n_candidates)),
        "n_resamples": request.plan.n_resamples if chosen == "permutation" else 0,
        "method": test.method,
        "note": [*test.codes, "no-interval", *row_codes(sample)],
    }


def _error(sample: Sample, k: int, request: area_tests.ChanceRequest) -> float:
    """Return how far the statistic can be from that of all scores."""
    if not is_binned(sample):
        return 0.0
    if request.statistic == "average_precision":
        return precision_errors(sample, k)["average_precision"]

    def value(one: Sample) -> float:
        return labels.statistic_of(one.cases, k, request.statistic, request.over)

    return float(binning_error(sample, value))


def _prevalence(sample: Sample, k: int) -> float:
    """Return the (weighted) share of positives, the mean over folds as of the statistic."""
    tables = [part.counts(k) for _, part in sample.cases.by_fold()]
    return float(np.mean([t.total_pos / (t.total_pos + t.total_neg) for t in tables]))
