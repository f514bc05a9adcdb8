"""Differences of probability scores of predictors on the same cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import ESTIMATE, TEST, Question, Refusal, estimate_columns
from rocstats.inference.calibration.options import (
    Population,
    class_row,
    read_population,
    result_row,
)
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.inference.estimates.hypotheses import hypothesis_columns, read_hypothesis
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.sample import Sample, require_same_cases
from rocstats.stats.calibration.results import normal_result
from rocstats.stats.calibration.scores import SCORES, ScoreName, case_influence
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.comparison.point_tests import PointComparison, undefined
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_PROBABILITY_SCORES = Question(
    "compare_probability_scores",
    estimate_columns(
        f"predictor reference group quantity prevalence {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("brier-1950", "kattan-2018"),
    {
        "sample_weight": Refusal(
            "stay None for a comparison of scores, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


class _Asked(NamedTuple):
    """The score, the population and the hypothesis."""

    quantity: ScoreName
    population: Population
    plan: HypothesisPlan


def compare_probability_scores(
    sample: Sample,
    *,
    quantity: ScoreName = "brier_score",
    reference: str | None = None,
    prevalence: float | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of a probability score; a row is one pair of predictors.

    Parameters
    ----------
    quantity : {"brier_score", "scaled_brier_score", "log_score"}, default "brier_score"
        The score, see ``probability_scores``; of the Brier and the log score less is better.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    prevalence : float in (0, 1), optional
        Share of positives in the population, as in ``probability_scores``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of scores (of the scaled score greater is better, and the sides
        of superiority and non-inferiority are exchanged).

        - "difference" (default): d is not 0, by ``alternative``.
        - "superiority": d < -``margin``.
        - "non-inferiority": d < ``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float > 0, optional
        Largest difference that does not matter; 0 where none is given for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. ``estimate`` is the score of the predictor minus that of the
        reference.

    Raises
    ------
    InputError
        As ``probability_scores``; if the study has one predictor, predictors with different cases
        or weights, or words do not go together.

    Warns
    -----
    StatisticalWarning
        As ``probability_scores``.

    Notes
    -----
    The difference is a mean over cases of paired differences (of the scaled score, of influence
    values), and its limits are normal; clusters are summed. Both predictors should come from
    models that were not fitted to these cases: with models fitted here, one of them nested in the
    other, the test does not hold.

    References
    ----------
    - Brier (1950) [brier-1950]
    - Kattan & Gerds (2018) [kattan-2018]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 10
    >>> new = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 10
    >>> old = [0.7, 0.5, 0.3, 0.6, 0.4, 0.3, 0.4, 0.2, 0.3, 0.2] * 10
    >>> study = rs.Study(y, {"new": new, "old": old})
    >>> found = study.compare_probability_scores()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      predictor reference  estimate  ci_low  ci_high  p_value
    0       new       old    -0.035  -0.048   -0.022      0.0
    """
    COMPARE_PROBABILITY_SCORES.require_roles(sample)
    quantity = require_choice("quantity", quantity, SCORES)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    largest = 1.0 if quantity == "brier_score" else np.inf
    plan = read_hypothesis(hypothesis, margin, alternative, 0.0, confidence_level, largest=largest)
    if quantity != "scaled_brier_score":
        plan = plan.lower_is_better()
    if len(sample.predictors) < 2:
        raise InputError(
            "`y_score` must hold two predictors or more to compare; got 1. Pass the risks of"
            " another model too."
        )
    pairs = index_pairs(sample.predictors, reference)
    require_same_cases(sample)
    asked = _Asked(quantity, read_population(sample, prevalence, logits=False), plan)
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, pairs, asked)
    ]
    adjust_rows(rows, adjust)
    return answer_rows(COMPARE_PROBABILITY_SCORES, sample, rows)


def _rows(part: Sample, pairs: list[tuple[int, int]], asked: _Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of the pairs in one group."""
    question, name = COMPARE_PROBABILITY_SCORES, asked.quantity
    for pair in pairs:
        first, second = (part.predictors[k] for k in pair)
        words = {"predictor": first, "reference": second, **hypothesis_columns(asked.plan)}
        if lacks_class(part):
            yield class_row(question, part, name, words)
        else:
            risks = asked.population.risks(part, pair[0])
            result = _difference(part, pair, asked)
            yield result_row(question, part, risks, name, result, words)


def _difference(part: Sample, pair: tuple[int, int], asked: _Asked) -> PointComparison:
    """Return the difference of the scores of two predictors."""
    risks = [asked.population.risks(part, k) for k in pair]
    (first, of_first), (second, of_second) = (case_influence(one, asked.quantity) for one in risks)
    if np.isinf(first) or np.isinf(second):
        return undefined("infinite-score", first - second)
    # The influence of the difference, not a sum of variances, which cancels for alike models.
    gap = risks[0].mean(of_first - of_second)._replace(value=first - second)
    word = "influence" if part.cluster is None else "cluster-influence"
    end = 1.0 if asked.quantity == "brier_score" else np.inf
    return normal_result(gap.value, gap.se, asked.plan, word, (-end, end))
