"""What comparisons of predictors are asked, and the columns of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import Question
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.inference.estimates.hypotheses import hypothesis_columns, read_hypothesis
from rocstats.sample.survival import SurvivalSample
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.comparison.point_tests import PointComparison
from rocstats.stats.intervals.quantiles import Alternative

_RESULT = ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value", "method")


class Differences(NamedTuple):
    """The pairs of predictors, the hypothesis and the adjustment."""

    pairs: list[tuple[int, int]]
    plan: HypothesisPlan
    adjust: Adjustment

    def columns(self, part: SurvivalSample, pair: tuple[int, int]) -> dict[str, Any]:
        """Return the columns of a pair and of the hypothesis."""
        first, second = (part.predictors[k] for k in pair)
        return {"predictor": first, "reference": second, **hypothesis_columns(self.plan)}


def read_differences(
    sample: SurvivalSample,
    reference: str | None,
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    adjust: Adjustment,
    confidence_level: float,
) -> Differences:
    """Return what is compared; raise InputError for one predictor, or words that do not fit."""
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    plan = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    if len(sample.predictors) < 2:
        raise InputError(
            "`score` must hold two predictors or more to compare; got 1. Pass the scores of another"
            " predictor too."
        )
    return Differences(index_pairs(sample.predictors, reference), plan, adjust)


def result_columns(result: PointComparison, codes: Sequence[str]) -> dict[str, Any]:
    """Return the columns of a difference, with its notes and those of the row."""
    columns = {name: getattr(result, name) for name in _RESULT}
    return {**columns, "note": [*result.codes, *codes]}


def answer_differences(
    question: Question,
    sample: SurvivalSample,
    asked: Differences,
    rows: list[dict[str, Any]],
) -> pd.DataFrame:
    """Return the frame of all rows, with adjusted p values."""
    adjust_rows(rows, asked.adjust)
    return answer_rows(question, sample, rows)
