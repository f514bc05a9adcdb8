"""Differences of covariate-adjusted areas of predictors on the same cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.frames.glossary import FULL_AREA
from rocstats.frames.questions import AREA, TEST, Question, estimate_columns
from rocstats.inference.covariates.design import require_covariates
from rocstats.inference.covariates.families import NO_SPREAD, Adjusted, about, adjust, word_of
from rocstats.inference.covariates.refusals import NO_FOLDS, NO_WEIGHTS
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.contrasts import index_pairs, require_several
from rocstats.inference.estimates.hypotheses import hypothesis_columns, read_hypothesis
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample, require_same_cases
from rocstats.stats.comparison.contrasts import ContrastResult, contrast_variance, infer_contrast
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.covariates.adjusted import RESIDUALS, Residuals
from rocstats.stats.influence.areas import contrast_df
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.tolerances import SAME

COMPARE_ADJUSTED_AUC = Question(
    "compare_adjusted_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos n_neg method note"
    ),
    ("janes-2009", "holm-1979", "zou-2008"),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS},
    adjusts=True,
)


class _Asked(NamedTuple):
    """The pairs of predictors, the residuals and the hypothesis."""

    pairs: list[tuple[int, int]]
    residuals: Residuals
    plan: HypothesisPlan


def compare_adjusted_auc(
    sample: Sample,
    *,
    residuals: Residuals = "empirical",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of covariate-adjusted areas; a row is one pair of predictors.

    Parameters
    ----------
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the negatives around their regression, as in ``adjusted_auc``.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the adjusted area of the predictor minus that of the reference.

        - "difference" (default): d is not ``null_value``, by ``alternative``.
        - "superiority": d > ``margin``, one-sided at (1 - confidence_level)/2, two-sided interval.
        - "non-inferiority": d > -``margin``, likewise.
        - "equivalence": -``margin`` < d < ``margin``; the interval has 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter; there is no default (0 for superiority).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, method, note``; ``quantity`` is "adjusted_auc".

    Raises
    ------
    InputError
        As ``adjusted_auc``; if the study has one predictor or predictors with different cases, a
        name is unknown, or words do not go together.

    Warns
    -----
    StatisticalWarning
        As ``adjusted_auc``; if the variance is 0 (``zero-variance``).

    Notes
    -----
    Both scores are regressed on the same covariates of the same negatives. The variance of d is
    that of the differences of influence values; clusters sum them. Limits are d -+ t se, with
    Satterthwaite's degrees of freedom of the parts of the positives (m - 1) and of the negatives
    (n - 1). Where an area is 0 or 1, or the variance is 0, MOVER combines Newcombe's limits.

    References
    ----------
    - Janes & Pepe (2009), covariate-adjusted curves [janes-2009]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> age = [50 + 7 * i % 20 for i in range(60)]
    >>> y = [int(i % 3 == 0) for i in range(60)]
    >>> new = [a / 10 + 1.5 * c + 11 * i % 23 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> old = [a / 10 + 0.5 * c + 13 * i % 29 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> study = rs.Study(y, {"new": new, "old": old}, covariate={"age": age})
    >>> frame = study.compare_adjusted_auc()
    >>> frame[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(2)
      predictor reference  estimate  ci_low  ci_high
    0       new       old      0.34    0.16     0.51
    """
    COMPARE_ADJUSTED_AUC.require_roles(sample)
    residuals = require_choice("residuals", residuals, RESIDUALS)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    plan = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    require_covariates(sample)
    require_several(sample.predictors, "predictors")
    require_same_cases(sample)
    asked = _Asked(index_pairs(sample.predictors, reference), residuals, plan)
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, group, asked)
    ]
    adjust_rows(rows, adjust)
    return answer_rows(COMPARE_ADJUSTED_AUC, sample, rows)


def _rows(part: Sample, group: str, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of the pairs in one group."""
    names = part.predictors
    adjusted = None
    if not lacks_class(part):
        adjusted = adjust(part, group, range(len(names)), asked.residuals)
    for first, second in asked.pairs:
        known = {
            **FULL_AREA,
            "quantity": "adjusted_auc",
            "predictor": names[first],
            "reference": names[second],
            **hypothesis_columns(asked.plan),
            **class_sizes(part),
        }
        code = "one-class" if adjusted is None else NO_SPREAD
        if adjusted is None or np.isnan(sum(adjusted.areas[k].value for k in (first, second))):
            yield unanswered(COMPARE_ADJUSTED_AUC, known, [code, *row_codes(part)])
        else:
            yield {**known, **_compared(part, adjusted, (first, second), asked)}


def _compared(
    part: Sample, adjusted: Adjusted, pair: tuple[int, int], asked: _Asked
) -> dict[str, Any]:
    weights = np.zeros(len(part.predictors))
    weights[list(pair)] = 1.0, -1.0
    result = adjusted.result
    found = infer_contrast(
        weights,
        [adjusted.area(k, part) for k in range(len(weights))],
        result.covariance,
        contrast_df([(weights, result.parts, result.part_df)]),
        asked.plan,
        identical=_identical(adjusted, weights, pair),
    )
    source = {"mover": "newcombe", "none": "none"}.get(found.kind, word_of(part, asked.residuals))
    return {
        **_numbers(found),
        "method": f"{source}/{found.kind}",
        **about(part, [*found.codes, *adjusted.codes]),
    }


def _identical(adjusted: Adjusted, weights: np.ndarray, pair: tuple[int, int]) -> bool:
    """Return whether both predictors place every positive alike, so that nothing varies."""
    first, second = (adjusted.areas[k] for k in pair)
    alike = bool(np.all(np.abs(first.placement - second.placement) < SAME))
    # At areas of 0 or 1 placements are equal whatever the scores: the boundary rule applies.
    return (
        alike
        and 0 < first.value < 1
        and contrast_variance(weights, adjusted.result.covariance) == 0
    )


def _numbers(found: ContrastResult) -> dict[str, float]:
    names = ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value")
    return {name: getattr(found, name) for name in names}
