"""Differences of average precision between predictors on the same cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import ESTIMATE, TEST, Question, Refusal, estimate_columns
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.inference.estimates.hypotheses import hypothesis_columns, read_hypothesis
from rocstats.inference.estimates.precision import (
    precision_codes,
    read_prevalence,
    share_of_positives,
)
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.sample.base import require_cases, row_codes
from rocstats.sample.sample import Sample, require_fold_classes, require_same_cases
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.areas.precision import MOVER, EffectiveCases, variance_word
from rocstats.stats.comparison.contrasts import ContrastResult, infer_contrast
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.influence.areas import contrast_df
from rocstats.stats.influence.precision import AREAS, Prevalence, precision_covariance
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_AVERAGE_PRECISION = Question(
    "compare_average_precision",
    estimate_columns(
        f"predictor reference group quantity prevalence {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("boyd-2013", "davis-2006", "holm-1979"),
    {
        "sample_weight": Refusal(
            "stay None for a comparison of average precisions, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)
PrecisionQuantity = Literal["average_precision", "pr_auc"]
_PAIR = np.array([1.0, -1.0])
_NUMBERS = ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value")
# The notes of areas, and those of average precision in the same place.
_CODES = {"auc-at-boundary": "precision-at-boundary", "zero-variance": "precision-at-boundary"}


class _Asked(NamedTuple):
    """The area, the prevalence and the hypothesis."""

    quantity: PrecisionQuantity
    prevalence: Prevalence
    plan: HypothesisPlan


def compare_average_precision(
    sample: Sample,
    *,
    quantity: PrecisionQuantity = "average_precision",
    reference: str | None = None,
    prevalence: float | Literal["random"] | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of average precision; a row is one pair of predictors.

    Parameters
    ----------
    quantity : {"average_precision", "pr_auc"}, default "average_precision"
        The area under the precision-recall curve, see ``average_precision``.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    prevalence : float in (0, 1) or "random", optional
        Share of positives for which precision is wanted, as in ``average_precision``; default: that
        of the cases, taken as known.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d.

        - "difference" (default): d is not 0, by ``alternative``.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
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
        hypothesis, method, note``. ``estimate`` is the area of the predictor minus that of the
        reference.

    Raises
    ------
    InputError
        If the study has one predictor, predictors with different cases, weights or a fold that
        lacks a class, is made of counts, or words do not go together.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``, as ``average_precision``.

    Notes
    -----
    The influence of a case on the difference is the difference of its influences on both areas;
    limits are d -+ t se with Satterthwaite's degrees of freedom, cut at -1 and 1. Clusters are
    summed, folds averaged. Where one area has no variance (perfect separation, equal scores), MOVER
    combines Wilson's limits of both with effective numbers of cases (ours; note
    ``precision-at-boundary``). Predictors that rank all cases alike have p = 1 and no interval.

    Simulated 95% limits covered .929 to .977 with 10 to 150 positives. A difference of average
    precisions belongs to one prevalence: at another both the difference and its sign may be others.
    Not for models compared on the cases that they were fitted to.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision [boyd-2013]
    - Davis & Goadrich (2006), interpolated area [davis-2006]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> found = study.compare_average_precision(prevalence=0.1)
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(2)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture      0.58    0.51     0.65
    """
    require_cases(sample, "a comparison of predictors")
    COMPARE_AVERAGE_PRECISION.require_roles(sample)
    quantity = require_choice("quantity", quantity, tuple(AREAS))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    at = read_prevalence(prevalence)
    plan = read_hypothesis(hypothesis, margin, alternative, 0.0, confidence_level)
    if len(sample.predictors) < 2:
        raise InputError(
            "`y_score` must hold two predictors or more to compare; got 1. Pass the scores of"
            " another predictor too."
        )
    pairs = index_pairs(sample.predictors, reference)
    require_same_cases(sample)
    asked = _Asked(quantity, at, plan)
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _rows(part, pairs, asked)
    ]
    adjust_rows(rows, adjust)
    return answer_rows(COMPARE_AVERAGE_PRECISION, sample, rows)


def _rows(part: Sample, pairs: list[tuple[int, int]], asked: _Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of the pairs in one group."""
    for pair in pairs:
        known = {
            "predictor": part.predictors[pair[0]],
            "reference": part.predictors[pair[1]],
            "quantity": asked.quantity,
            "prevalence": share_of_positives(part, asked.prevalence),
            **hypothesis_columns(asked.plan),
            **class_sizes(part),
        }
        if lacks_class(part):
            yield unanswered(COMPARE_AVERAGE_PRECISION, known, ["one-class", *row_codes(part)])
            continue
        require_fold_classes(part)
        yield {**known, **_difference(part, pair, asked)}


def _difference(part: Sample, pair: tuple[int, int], asked: _Asked) -> dict[str, Any]:
    """Return the difference of the areas of two predictors, with limits and test."""
    cases = part.cases
    found = precision_covariance(cases, pair, asked.quantity, asked.prevalence)
    areas, codes = areas_of(cases, found), precision_codes(part)
    if np.isnan(found.covariance).any():
        numbers = dict.fromkeys(_NUMBERS, np.nan)
        gap = areas[0].value - areas[1].value
        note = ["single-unit", *codes]
        return {**numbers, "estimate": gap, "method": "none/none", "note": note}
    result = infer_contrast(
        _PAIR,
        areas,
        found.covariance,
        contrast_df([(_PAIR, found.parts, found.part_df)]),
        asked.plan,
        identical=np.array_equal(cases.codes(pair[0]), cases.codes(pair[1])),
        own=EffectiveCases(),
    )
    return {
        **{name: getattr(result, name) for name in _NUMBERS},
        "method": _method(result, variance_word(cases, asked.prevalence)),
        "note": [*(_CODES.get(code, code) for code in result.codes), *codes],
    }


def _method(result: ContrastResult, variance: str) -> str:
    """Return the words for the standard error and the limits."""
    if result.kind == "none":
        return "none/none"
    return f"{variance}/{MOVER if result.kind == 'mover' else result.kind}"
