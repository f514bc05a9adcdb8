"""Limits, tests and differences of areas and concordances, from the influence of each patient.

Both are ratios of weighted sums over cases and controls: at a time, or of comparable pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.estimate.answers import answer_row_of_result
from rocstats.estimate.areas import AreaTest, infer_area
from rocstats.estimate.claim import Claim, HypothesisPlan
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import (
    Result,
    result_without_variance,
    undefined_result,
    wald_result,
)
from rocstats.estimate.intervals import Area
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.frame.question import Question
from rocstats.inference.survival.follow_up import CasesAndControls, SurvivalRatio, row_notes
from rocstats.study.base import cached
from rocstats.study.survival import SurvivalSample

SurvivalInterval = Literal["logit-t", "logit", "wald"]
SURVIVAL_INTERVALS: tuple[SurvivalInterval, ...] = get_args(SurvivalInterval)


class ScoreCodes(NamedTuple):
    """Scores of a predictor as numbers of the distinct ones, from the least risk up."""

    codes: IntArray
    size: int


def survival_score_codes(part: SurvivalSample, k: int) -> ScoreCodes:
    """Return the scores of predictor ``k``, the least risk first."""
    higher = part.higher_is_positive[k]
    return cached(part, ("scores", k), lambda: score_codes_by_risk(part.scores[k], higher=higher))


def score_codes_by_risk(values: FloatArray, *, higher: bool) -> ScoreCodes:
    """Return scores as codes; with ``higher`` False the highest score has the code 0."""
    distinct, codes = np.unique(values, return_inverse=True)
    codes = codes if higher else len(distinct) - 1 - codes
    return ScoreCodes(codes.astype(np.intp, copy=False), len(distinct))


# --- Rows of predictors, and of pairs of predictors -----------------------------------------------


def ratio_rows(
    question: Question,
    part: SurvivalSample,
    known: Mapping[str, Any],
    of: CasesAndControls,
    ratios: Sequence[SurvivalRatio],
    interval: SurvivalInterval,
    test: AreaTest,
    word: str,
) -> Iterator[dict[str, Any]]:
    """Yield the row of each predictor; ``ratios`` are empty where nobody can be compared.

    ``word`` is that of the variance.
    """
    for k, name in enumerate(part.predictors):
        result = undefined_result(of.undefined_note)
        if of.is_defined:
            result = ratio_result(of, ratios[k], interval, test, word)
        yield answer_row_of_result(
            question, {**known, "predictor": name}, result, row_notes(part, of)
        )


def ratio_differences(
    part: SurvivalSample,
    known: Mapping[str, Any],
    of: CasesAndControls,
    ratios: Sequence[SurvivalRatio],
    claim: Claim,
    word: str,
) -> Iterator[ComparedRow]:
    """Yield the difference of each pair of predictors, as ``ratio_rows`` the ratios."""
    for i, k in claim.pairs:
        result = undefined_result(of.undefined_note)
        if of.is_defined:
            result = ratio_difference(of, ratios[i], ratios[k], claim.tested, word)
        yield {**known, **claim.words(part, (i, k))}, result, row_notes(part, of)


# --- Limits and tests -----------------------------------------------------------------------------


def ratio_result(
    of: CasesAndControls,
    ratio: SurvivalRatio,
    interval: SurvivalInterval,
    test: AreaTest,
    word: str,
) -> Result:
    """Return a ratio with limits and test, by the intervals of areas."""
    found = infer_area(survival_ratio_as_area(of, ratio), interval, test)
    below = test.alternative == "two-sided" and found.ci_high < 0.5
    codes = (*found.codes, *(["below-chance"] if below else []))
    return found._replace(method=f"{word}/{found.method}", codes=codes)


def survival_ratio_as_area(of: CasesAndControls, ratio: SurvivalRatio) -> Area:
    """Return a ratio with its variance, degrees of freedom and numbers of units, as an area."""
    m, n = of.n_units
    variance, df = of.variance(ratio.influence), of.df(ratio.influence)
    return Area(ratio.value, variance, df, float(m), float(n), float(min(m, n)))


def ratio_difference(
    of: CasesAndControls,
    first: SurvivalRatio,
    second: SurvivalRatio,
    plan: HypothesisPlan,
    word: str,
) -> Result:
    """Return the first ratio minus the second, from the differences of influence values."""
    value = first.value - second.value
    # Not a sum of variances less twice the covariance, which cancels for predictors nearly alike.
    influence = first.influence - second.influence
    variance = of.variance(influence)
    if np.isnan(variance):
        return undefined_result("few-clusters", value)
    if variance == 0:
        return result_without_variance(value, 0.0, plan)
    se, df = float(np.sqrt(variance)), of.df(influence)
    return wald_result(value, se, plan, word, (-1.0, 1.0), df)
