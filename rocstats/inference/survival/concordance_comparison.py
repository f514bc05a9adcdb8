"""Differences of concordances of predictors on the same patients."""

from __future__ import annotations

from typing import Any

import pandas as pd

from rocstats.frames.questions import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.survival.concordance import (
    NO_PAIRS,
    ConcordanceMethod,
    PairsAsked,
    pair_codes,
    read_pairs,
)
from rocstats.inference.survival.differences import (
    Differences,
    answer_differences,
    read_differences,
    result_columns,
)
from rocstats.inference.survival.options import always, scores_at, word_of
from rocstats.sample.survival import SurvivalSample
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.comparison.multiplicity import Adjustment
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.survival.concordance import concordance_of
from rocstats.stats.survival.differences import difference

COMPARE_CONCORDANCE = Question(
    "compare_concordance",
    estimate_columns(
        f"predictor reference group time quantity {ESTIMATE} {TEST} p_adjusted hypothesis n_pos"
        " n_neg n_censored method note"
    ),
    ("uno-2011", "harrell-1982"),
)


def compare_concordance(
    sample: SurvivalSample,
    *,
    method: ConcordanceMethod = "uno",
    time_limit: float | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of concordances; a row is one pair of predictors.

    Parameters
    ----------
    method : {"uno", "harrell"}, default "uno"
        As in ``concordance``.
    time_limit : float > 0, optional
        Last time of an event that counts; must be given for "uno".
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; 0 where none is given for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], time, quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, n_censored, confidence_level, null_value,
        hypothesis, method, note``. ``estimate`` is the concordance of the predictor minus that of
        the reference.

    Raises
    ------
    InputError
        As ``concordance``; if the study has one predictor, or words do not go together.

    Warns
    -----
    StatisticalWarning
        As ``concordance`` and ``compare_auc``.

    Notes
    -----
    The standard error is that of the difference of the influence values of each patient. Limits are
    normal.

    References
    ----------
    - Uno, Cai, Pencina, D'Agostino & Wei (2011) [uno-2011]
    - Harrell, Califf, Pryor, Lee & Rosati (1982) [harrell-1982]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> scores = {"new": (50 - months) / 3 + 29 * k % 19, "old": (50 - months) / 4 + 17 * k % 23}
    >>> study = rs.SurvivalStudy(months, died, scores)
    >>> found = study.compare_concordance(time_limit=14)
    >>> found[["time", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
       time  estimate  ci_low  ci_high  p_value
    0  14.0    -0.031  -0.197    0.136    0.718
    """
    pairs = read_pairs(method, time_limit)
    asked = read_differences(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, pairs, asked)
    ]
    return answer_differences(COMPARE_CONCORDANCE, sample, asked, rows)


def _rows(part: SurvivalSample, of: PairsAsked, asked: Differences) -> list[dict[str, Any]]:
    """Return the rows of one group."""
    pairs = of.pairs(part)
    known = of.columns(part, pairs)
    each = [{**known, **asked.columns(part, pair)} for pair in asked.pairs]
    if not pairs.total > 0:
        codes = [NO_PAIRS, *always(part)]
        return [unanswered(COMPARE_CONCORDANCE, row, codes) for row in each]
    values = [concordance_of(pairs, scores_at(part, k)) for k in range(len(part.predictors))]
    word, codes = word_of(part, of.method), pair_codes(part, pairs)
    found = [
        difference(pairs.follow_up, values[first], values[second], asked.plan, word, unbiased=False)
        for first, second in asked.pairs
    ]
    return [{**row, **result_columns(one, codes)} for row, one in zip(each, found, strict=True)]
