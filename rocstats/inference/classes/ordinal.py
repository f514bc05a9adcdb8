"""Scores and classes in an order: concordance, its differences, the volume under the surface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import AreaTest, infer_area, read_area_test
from rocstats.estimate.claim import Adjustment, Hypothesis, HypothesisPlan, read_claim
from rocstats.estimate.class_units import class_notes
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import (
    Result,
    result_without_variance,
    undefined_result,
    wald_result,
)
from rocstats.estimate.ordinal import OrdinalAreas, ordinal_concordances, ordinal_volumes
from rocstats.estimate.quantiles import Alternative
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.ordinal import OrdinalSample

# --- Question: the concordance of each predictor --------------------------------------------------

ORDINAL_CONCORDANCE = Question(
    "ordinal_concordance",
    estimate_columns(f"predictor group quantity {ESTIMATE} {TEST} hypothesis n_cases method note"),
    ("obuchowski-2005", "obuchowski-2006", "somers-1962", "newcombe-2006"),
)


def ordinal_concordance(
    sample: OrdinalSample,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the concordance of scores with ordered classes; a row is one predictor.

    Take two cases of different classes at random. The concordance is the probability that the case
    of the higher class has the higher score. Chance is 0.5.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of predictors.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests C > ``null_value`` and gives a lower limit at the full level; the upper
        limit is 1. "less" tests C < ``null_value`` and gives an upper limit.
    null_value : float in (0, 1), optional
        Value to test against: 0.5 for chance, or a performance goal. By default there is no test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_cases, confidence_level, null_value, hypothesis, method, note``. ``n_cases`` counts
        the cases of all classes of a group.

    Raises
    ------
    InputError
        If a number is out of range; or if an option is unknown.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``:

        - ``one-class``: a group has one class; the row is NaN.
        - ``few-cases``: a class has under 20 cases.
        - ``few-clusters``: clusters are few.
        - ``below-chance``: the interval is below 0.5.
        - ``auc-at-boundary``: the estimate has no variance.

    Notes
    -----
    C is the sum of psi over pairs of different classes, divided by the number of these pairs. psi
    is 1 if the case of the higher class has the higher score, 1/2 if both scores are equal, else 0.
    C is the mean of the areas of all pairs of classes. The weight of a pair is n_i n_j, the product
    of both class sizes. C therefore depends on the mix of classes, and frequent classes count most.
    Somers' D of the scores, given the classes, is 2 C - 1.

    The partners of a case are the cases of other classes. The influence of a case is (S - m C)/P.
    Here m is the number of its partners, S is the sum of psi over these partners, and P is the
    number of pairs. The variance is the sum of squared influence values times n/(n - 1). With
    clusters, influence is first summed by cluster. Class sizes are random. The limits are t limits
    on the logit scale, with Satterthwaite's degrees of freedom over classes. If the variance is 0
    or undefined, the limits are Newcombe's for two classes. These two classes are the cases on both
    sides of the cut between grades that divides the cases most evenly.

    With two classes, C is the area of ``Study.auc``. The variances differ by their small-sample
    factors: ``Study.auc`` has the factor m/(m - 1) for each class, and a similar factor for
    clusters.

    In simulations of 50 to 500 cases in three or five classes, some with a rare class, 95% limits
    had coverage .92 to .98.

    Do not use C to compare tests on samples that have different shares of classes. A pair of
    neighbouring grades counts like a pair of extreme grades: for one cut between the grades, use
    ``Study``.

    References
    ----------
    - Obuchowski (2005), ordinal gold standards [obuchowski-2005]
    - Obuchowski (2006), continuous gold standards [obuchowski-2006]
    - Somers (1962) [somers-1962]
    - Newcombe (2006), values of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> grade, score = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 8, [1, 2, 3, 2, 3, 4, 2, 4, 5] * 8
    >>> study = rs.OrdinalStudy(grade, score)
    >>> study.concordance(null_value=0.5)[["estimate", "ci_low", "ci_high", "p_value"]].round(3)
       estimate  ci_low  ci_high  p_value
    0     0.759    0.65    0.843      0.0
    """
    test = read_area_test(confidence_level, alternative, null_value)
    rows: list[dict[str, Any]] = []
    for group, part in sample.by_group():
        rows += _ordinal_rows(
            ORDINAL_CONCORDANCE, part, group, "concordance", ordinal_concordances(part), test
        )
    return answer_rows(ORDINAL_CONCORDANCE, sample, rows)


def _ordinal_rows(
    question: Question,
    part: OrdinalSample,
    group: str,
    quantity: str,
    areas: OrdinalAreas | None,
    test: AreaTest,
) -> Iterator[dict[str, Any]]:
    """Yield the row of each predictor; areas are None where the group lacks a class."""
    for k, name in enumerate(part.predictors):
        result = undefined_result("one-class")
        if areas is not None:
            found = infer_area(areas.of(k), "logit-t", test)
            below = quantity == "concordance" and test.alternative == "two-sided"
            codes = ["below-chance"] if below and found.ci_high < 0.5 else []
            result = found._replace(
                method=f"{_variance_word(part)}/{found.method}", codes=(*found.codes, *codes)
            )
        known = {**_ordinal_columns(part, group, quantity), **test.columns(), "predictor": name}
        yield answer_row_of_result(question, known, result, class_notes(part))


def _ordinal_columns(part: OrdinalSample, group: str, quantity: str) -> dict[str, Any]:
    return {"group": group, "quantity": quantity, "n_cases": float(part.n_of.sum())}


def _variance_word(part: OrdinalSample) -> str:
    return "influence" if part.cluster is None else "cluster-influence"


# --- Question: differences of predictors on the same cases ----------------------------------------

ORDINAL_COMPARE_CONCORDANCE = Question(
    "ordinal_compare_concordance",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} p_adjusted hypothesis n_cases method"
        " note"
    ),
    ("obuchowski-2005", "holm-1979"),
)


def ordinal_compare_concordance(
    sample: OrdinalSample,
    *,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of concordances with ordered classes; a row is one pair of predictors.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence, it is 2 ``confidence_level`` - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_cases, confidence_level, null_value, hypothesis, method,
        note``. ``quantity`` is "concordance_difference": the concordance of the predictor minus the
        concordance of the reference.

    Raises
    ------
    InputError
        If the study has only one predictor; if a number is out of range; or if options cannot be
        combined.

    Warns
    -----
    StatisticalWarning
        As in ``concordance``. Also if predictors give the same ranking of the cases
        (``no-discordance``).

    Notes
    -----
    The standard error is computed as in ``concordance``, from the difference of both influence
    values of each case. Limits and test use t with Satterthwaite's degrees of freedom over classes.

    In simulations of 50 to 500 cases, tests of equal predictors at level .05 rejected in .03 to .07
    of the samples. 95% limits had coverage .93 to .97.

    References
    ----------
    - Obuchowski (2005), comparison of tests [obuchowski-2005]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> grade = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 8
    >>> scores = {"new": [1, 2, 3, 2, 3, 4, 2, 4, 5] * 8, "old": [2, 1, 3, 3, 2, 4, 1, 3, 4] * 8}
    >>> found = rs.OrdinalStudy(grade, scores).compare_concordance()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0       new       old      0.13   0.076    0.183
    """
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        null_value,
        adjust,
        confidence_level,
    )

    def differences() -> Iterator[ComparedRow]:
        for group, part in sample.by_group():
            areas, notes = ordinal_concordances(part), class_notes(part)
            known = _ordinal_columns(part, group, "concordance")
            for pair in claim.pairs:
                result = undefined_result("one-class")
                if areas is not None:
                    result = ordinal_difference(areas, *pair, claim.tested, _variance_word(part))
                yield {**known, **claim.words(part, pair)}, result, notes

    return comparison_frame(ORDINAL_COMPARE_CONCORDANCE, sample, claim.adjust, differences())


def ordinal_difference(
    areas: OrdinalAreas, i: int, j: int, plan: HypothesisPlan, word: str
) -> Result:
    """Return the estimate of predictor ``i`` minus that of ``j``, with limits and test."""
    value = float(areas.value[i] - areas.value[j])
    weights = np.zeros(len(areas.value))
    weights[i], weights[j] = 1.0, -1.0
    variance = areas.variance(weights)
    if np.isnan(variance):
        return undefined_result("single-unit", value)
    if variance == 0:
        return result_without_variance(value, 0.0, plan)
    return wald_result(value, float(np.sqrt(variance)), plan, word, (-1.0, 1.0), areas.df(weights))


# --- Question: the volume under the ROC surface ---------------------------------------------------

VUS = Question(
    "vus",
    estimate_columns(f"predictor group quantity {ESTIMATE} {TEST} hypothesis n_cases method note"),
    ("mossman-1999", "nakas-2004", "waegeman-2008", "newcombe-2006"),
)

# With six classes chance is 1/720: nearly every set of one case a class is out of order.
_MOST_CLASSES = 5


def vus(
    sample: OrdinalSample,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the volume under the ROC surface of up to five ordered classes, one row per predictor.

    Take one case of each class at random. The volume (VUS) is the probability that the scores of
    these cases are in the order of the classes. Chance is 1/C! for C classes: 1/6 for three, 1/24
    for four.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of predictors.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests VUS > ``null_value`` and gives a lower limit at the full level; the upper
        limit is 1. "less" tests VUS < ``null_value`` and gives an upper limit.
    null_value : float in (0, 1), optional
        Value to test against, such as 1/6 for chance with three classes. By default there is no
        test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_cases, confidence_level, null_value, hypothesis, method, note``.

    Raises
    ------
    InputError
        If the study has more than five classes; if a number is out of range; or if an option is
        unknown.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``: ``one-class`` (a group lacks a class; the row
        is NaN), ``single-case`` (a class has one case), and the warnings of ``concordance``.

    Notes
    -----
    Consider all sets that have one case of each class. VUS is the share of sets whose scores are in
    the order of the classes. A set with t equal scores that is otherwise in order counts 1/t!. VUS
    does not depend on the mix of classes. With two classes, VUS is the AUC. All sets are counted
    from the cumulative counts of the sorted scores.

    The influence of a case of class k is (V - VUS) / n_k, where V is the share of ordered sets
    among the sets that contain the case. The variance is the sum of squares with the factor
    n_k/(n_k - 1) of each class. With clusters, influence is first summed by cluster. Limits are t
    limits on the logit scale, with degrees of freedom from the influence values. If the variance is
    0 or undefined, limits are Newcombe's for the two classes with the fewest cases.

    In simulations of 50 to 500 cases in three or five classes, 95% limits had coverage .94 to .98.

    Use ``concordance`` if a summary over pairs is enough: it is easier to explain, and its standard
    error needs fewer cases.

    References
    ----------
    - Mossman (1999), three classes [mossman-1999]
    - Nakas & Yiannoutsos (2004), ordered classes and ties [nakas-2004]
    - Waegeman, De Baets & Boullart (2008), computation [waegeman-2008]
    - Newcombe (2006), values of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> grade, score = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 8, [1, 2, 3, 2, 3, 4, 2, 4, 5] * 8
    >>> study = rs.OrdinalStudy(grade, score)
    >>> study.vus(null_value=1 / 6)[["estimate", "ci_low", "ci_high", "p_value"]].round(3)
       estimate  ci_low  ci_high  p_value
    0     0.488   0.347    0.631      0.0
    """
    if len(sample.classes) > _MOST_CLASSES:
        raise InputError(
            f"`y_true` must have at most {_MOST_CLASSES} classes for vus(); got"
            f" {len(sample.classes)}. Use concordance(), or join classes."
        )
    test = read_area_test(confidence_level, alternative, null_value)
    rows: list[dict[str, Any]] = []
    for group, part in sample.by_group():
        rows += _ordinal_rows(VUS, part, group, "vus", ordinal_volumes(part), test)
    return answer_rows(VUS, sample, rows)
