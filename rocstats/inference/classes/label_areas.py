"""Areas of each label against its absence, and their summaries: macro, weighted, micro.

The areas and their influence values are in ``estimate/labels.py``. A row is the area of a label;
the last row of a predictor is the summary. Derivations: docs/methods/labels.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import (
    AreaTest,
    estimate_areas,
    infer_area,
    read_area_test,
    size_codes,
    variance_name,
)
from rocstats.estimate.claim import (
    Adjustment,
    Claim,
    DifferenceInterval,
    Hypothesis,
    default_difference_interval,
    read_claim,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.contrasts import contrast_variance, infer_contrast
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.labels import (
    LABEL_AVERAGES,
    LabelAverage,
    LabelSummary,
    auc_influence,
    average_precision_influence,
    label_summary,
)
from rocstats.estimate.precision import (
    PrecisionPrevalence,
    precision_area,
    precision_limits,
    precision_variance_word,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.tolerances import FEW_POSITIVES, SAME_TO_ROUNDING
from rocstats.frame.question import AREA, ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.multilabel import MultilabelSample

ALL = "all"
"""What the column ``class`` has in a summary of all labels."""

# --- Question: the area of each label and their summary -------------------------------------------

MULTILABEL_AUC = Question(
    "multilabel_auc",
    estimate_columns(f"predictor class group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("delong-1988", "obuchowski-1997"),
)
LabelInterval = Literal["logit-t", "logit", "wald", "probit"]


def multilabel_auc(
    sample: MultilabelSample,
    *,
    average: LabelAverage = "macro",
    interval: LabelInterval = "logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the AUC of each label (present against absent), and their summary in the last row.

    Parameters
    ----------
    average : {"macro", "weighted", "micro"}, default "macro"
        The summary: the ``average`` of scikit-learn's ``roc_auc_score``.

        - "macro": the plain mean over labels; a rare label counts as much as a frequent one.
        - "weighted": the mean over labels, each weighted by its number of cases.
        - "micro": each case has one decision for each label, and the summary is the area of all
          these decisions pooled. Scores for different labels must be comparable.
    interval : {"logit-t", "logit", "wald", "probit"}, default "logit-t"
        - "logit-t": t limits on the logit scale.
        - "logit", "probit": normal limits on the logit or probit scale.
        - "wald": normal limits of the area itself.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests area > ``null_value`` and gives a lower limit at the full level; the upper
        limit is 1. "less" tests area < ``null_value`` and gives an upper limit.
    null_value : float in (0, 1), optional
        Value to test every area against: 0.5 for chance, or a performance goal. By default there is
        no test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, p_value, se,
        statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis,
        range_low, range_high, method, note``. ``class`` is the label, and ``n_pos`` is the number
        of cases with this label. In the row of the summary ``class`` is "all", and both counts are
        NaN.

    Raises
    ------
    InputError
        If an option is unknown; if a number is out of range; or if a fold lacks a label.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. ``one-class``: in a group, no case or every
        case has the label. The area of this label is NaN, and so is a mean over labels.
        ``weights-need-bootstrap``: the study has weights, so there are only estimates. Other
        warnings are as in ``Study.auc``.

    Notes
    -----
    The row of a label equals the row of ``Study.auc`` for the binary study of this label. The cases
    with a label, and the cases without it, are the two sides of the label. The influence of a case
    on the area A is (V - A)/n (DeLong). Here n is the number of cases of the same side. V is its
    placement: the share of cases of the other side that its score orders correctly. Its influence
    on a summary is the sum of its influences on all labels, each times the weight of the label.
    Cases are the units, so labels may be correlated in any way. With clusters, influence is first
    summed by cluster. The sum of squares of each side of each label is multiplied by n/(n - 1).
    With "weighted", the weights are estimates too. A case with label c therefore has the additional
    term (A(c) - A)/N in its influence, where N is the total number of labels of all cases. A
    summary with the influence values u has 2/(sum u^4/(sum u^2)^2 - 1/n) degrees of freedom, the
    value for the mean of u^2.

    If the variance is 0 or undefined, limits are from Newcombe's method 5. For a summary, these
    limits use the numbers of cases with and without the rarest label. With folds, every area is the
    mean over folds. scikit-learn's mean over cases ("samples") is not offered: a case without
    labels, or with all labels, has no area. Do not use scores of a model on its training data.

    In simulations of five correlated labels (50 to 500 cases, the rarest label in 5% of them), 95%
    limits of the summaries had coverage .926 to .964.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997), clusters [obuchowski-1997]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> scores = y + draw.normal(size=(200, 3))
    >>> study = rs.MultilabelStudy(y, scores, labels=["cough", "fever", "rash"])
    >>> study.auc()[["class", "estimate", "ci_low", "ci_high", "n_pos"]].round(3)
       class  estimate  ci_low  ci_high  n_pos
    0  cough     0.783   0.714    0.840   98.0
    1  fever     0.726   0.640    0.798   53.0
    2   rash     0.818   0.694    0.899   20.0
    3    all     0.776   0.727    0.819    NaN
    """
    average = require_choice("average", average, LABEL_AVERAGES)
    interval = require_choice("interval", interval, get_args(LabelInterval))
    test = read_area_test(confidence_level, alternative, null_value)
    rows = list(_label_area_rows(sample, average, interval, test))
    return answer_rows(MULTILABEL_AUC, sample, rows)


def _label_area_rows(
    sample: MultilabelSample, average: LabelAverage, interval: LabelInterval, test: AreaTest
) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group, predictor after predictor."""
    for group, part in sample.by_group():
        require_fold_of_every_label(part)
        summary = label_summary(part.cases, average, auc_influence)
        for p, name in enumerate(part.predictors):
            known = {"predictor": name, "group": group, **FULL_AREA, **test.columns()}
            for k, label in enumerate(part.classes):
                cases = part.cases.label(k)
                cells = {**known, "class": label, "n_pos": cases.n_pos, "n_neg": cases.n_neg}
                result = _undefined_area(part, cases, p)
                if result is None:
                    area = estimate_areas(cases, [p]).take(0)
                    result = infer_area(area, interval, test)
                    word = variance_name(cases, "delong")
                    result = result._replace(method=f"{word}/{result.method}")
                yield answer_row_of_result(MULTILABEL_AUC, cells, result, _label_notes(part, [k]))
            result = undefined_summary(part, float(summary.value[p]))
            if result is None:
                result = infer_area(summary.of(p), interval, test)
            result = result._replace(method=f"label-{average}/{result.method.rpartition('/')[2]}")
            cells = {**known, "class": ALL}
            yield answer_row_of_result(MULTILABEL_AUC, cells, result, summary_notes(part))


def _undefined_area(part: MultilabelSample, cases: ScoredCases, p: int) -> Result | None:
    """Return the result of a label without a variance: one side is empty, or cases have weights."""
    if cases.lacks_class:
        return undefined_result("one-class")
    if part.sample_weight is None:
        return None
    value = np.mean([auc_influence(fold, p)[0] for _, fold in cases.by_fold()])
    return undefined_result("weights-need-bootstrap", float(value))


# --- Question: differences of the summaries -------------------------------------------------------

MULTILABEL_COMPARE_AUC = Question(
    "multilabel_compare_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos n_neg method note"
    ),
    ("delong-1988", "obuchowski-1997", "zou-2008", "holm-1979"),
    {},
)


def multilabel_compare_auc(
    sample: MultilabelSample,
    *,
    average: LabelAverage = "macro",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    interval: Literal["t", "wald", "mover"] | None = None,
) -> pd.DataFrame:
    """Return differences of the summary area of classifiers; a row is one pair of classifiers.

    Parameters
    ----------
    average : {"macro", "weighted", "micro"}, default "macro"
        Summary of the areas to compare, as in ``auc``.
    reference : str, optional
        Classifier to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Tested hypothesis about predictor minus reference:

        - "difference" (default): the difference is not ``null_value``; with a one-sided
          ``alternative`` it is above or below ``null_value``.
        - "superiority": the difference is > ``margin``; one-sided test at (1 - confidence_level)/2.
        - "non-inferiority": the difference is > -``margin``; one-sided test at (1 -
          confidence_level)/2.
        - "equivalence": the difference is between -``margin`` and ``margin``; two one-sided tests
          at 1 - confidence_level. The level of the interval is 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; the interval has only a lower
        limit.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    interval : {"t", "wald", "mover"}, optional
        Limits of the differences. The default is "mover" if ``margin`` is above 0, else "t".

        - "t", "wald": quantiles of t or of the normal distribution, with the variance from
          influence values.
        - "mover": combines the logit limits of both summaries with their correlation.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, method, note``. Without ``reference`` the earlier
        classifier is the predictor. ``n_pos`` and ``n_neg`` are NaN.

    Raises
    ------
    InputError
        If the study has only one classifier; if a fold lacks a label; or if an option or number is
        invalid.

    Warns
    -----
    StatisticalWarning
        As in ``auc`` and ``Study.compare_auc``.

    Notes
    -----
    The estimate is the difference d of both summaries. The influence of a case on d is the
    difference of its influences on both summaries, so that the variance allows for the pairing and
    for the correlation of labels. With clusters, influence is summed by cluster. The default limits
    are d -+ t se(d), where t is a quantile with the degrees of freedom of the influence values (as
    in ``auc``). If a summary is 0 or 1, or the variance of d is 0, limits combine the Newcombe
    limits of both summaries (MOVER). Two classifiers that give the same ranking of all cases for
    every label have d = 0, p = 1 and no interval.

    To compare classifiers for a single label, make its binary study with ``label_study``. In the
    simulations described in ``auc``, tests at level .05 had a size of at most .058.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988), for the pairing [delong-1988]
    - Obuchowski (1997), clusters [obuchowski-1997]
    - Zou & Donner (2008) [zou-2008]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> sharp, blunt = (gain * y + draw.normal(size=(200, 3)) for gain in (2, 1))
    >>> study = rs.MultilabelStudy(y, {"sharp": sharp, "blunt": blunt})
    >>> study.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0     sharp     blunt     0.172   0.117    0.227
    """
    average = require_choice("average", average, LABEL_AVERAGES)
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    interval = require_choice("interval", interval, (None, "t", "wald", "mover"))
    chosen = default_difference_interval(claim.tested) if interval is None else interval
    differences = _summary_area_differences(sample, average, chosen, claim)
    return comparison_frame(MULTILABEL_COMPARE_AUC, sample, claim.adjust, differences)


def _summary_area_differences(
    sample: MultilabelSample, average: LabelAverage, interval: DifferenceInterval, claim: Claim
) -> Iterator[ComparedRow]:
    """Yield the differences of the pairs in each group."""
    for group, part in sample.by_group():
        require_fold_of_every_label(part)
        summary = label_summary(part.cases, average, auc_influence)
        for pair in claim.pairs:
            weights = np.zeros(len(summary.value))
            weights[list(pair)] = 1.0, -1.0
            result = undefined_summary(part, float(weights @ summary.value))
            if result is None:
                result = infer_contrast(
                    weights,
                    [summary.of(p) for p in range(len(weights))],
                    summary.covariance,
                    np.inf if interval == "wald" else summary.df(weights),
                    claim.tested,
                    identical=_are_identical(part, average, summary, pair),
                    mover=interval == "mover",
                )
            method = f"label-{average}/{result.method.rpartition('/')[2]}"
            known = {"group": group, **FULL_AREA, **claim.words(part, pair)}
            yield known, result._replace(method=method), summary_notes(part)


def _are_identical(
    part: MultilabelSample, average: LabelAverage, summary: LabelSummary, pair: tuple[int, int]
) -> bool:
    """Whether two classifiers rank all cases alike, or have equal placements."""
    cases = part.cases
    pooled = average == "micro"
    views = [cases.decisions()] if pooled else [cases.label(k) for k in range(cases.n_labels)]
    if all(np.array_equal(view.codes(pair[0]), view.codes(pair[1])) for view in views):
        return True
    first, second = summary.value[list(pair)].tolist()
    weights = np.zeros(len(summary.value))
    weights[list(pair)] = 1.0, -1.0
    # Inside (0, 1), a difference without variance means equal placements; two areas of 1 do not.
    alike = 0 < first < 1 and abs(first - second) < SAME_TO_ROUNDING
    return alike and contrast_variance(weights, summary.covariance) == 0


# --- Question: average precision ------------------------------------------------------------------

MULTILABEL_AVERAGE_PRECISION = Question(
    "multilabel_average_precision",
    estimate_columns(f"predictor class group quantity {ESTIMATE} n_pos n_neg method note"),
    ("boyd-2013",),
)
_COHORT = PrecisionPrevalence(random=True)


def multilabel_average_precision(
    sample: MultilabelSample,
    *,
    average: LabelAverage = "macro",
    interval: Literal["logit-t", "logit"] = "logit-t",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the average precision of each label, and their summary in the last row.

    Parameters
    ----------
    average : {"macro", "weighted", "micro"}, default "macro"
        The summary, as in ``auc``: the ``average`` of scikit-learn's ``average_precision_score``.
    interval : {"logit-t", "logit"}, default "logit-t"
        t or normal limits on the logit scale.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, method, note``. ``quantity`` is "average_precision". In the last row
        ``class`` is "all", and ``quantity`` is "macro_average_precision",
        "weighted_average_precision" or "micro_average_precision".

    Raises
    ------
    InputError
        If an option is unknown; if a number is out of range; or if a fold lacks a label.

    Warns
    -----
    StatisticalWarning
        As in ``auc`` and ``Study.average_precision``. With few cases of a label, average precision
        is too high (``few-positives``).

    Notes
    -----
    The row of a label equals the row of ``Study.average_precision`` for the binary study of this
    label, if cases are a random sample. The influence of a case on a summary is the sum of its
    influences on all labels, as in ``auc``. If the variance is 0 or undefined, limits are Wilson's
    with an effective number of cases. The average precision of a useless classifier is the share of
    cases with the label: consider this share when you compare labels. Do not use average precision
    if cases were sampled by their labels. In the simulations described in ``auc``, 95% limits of
    the summaries had coverage .916 to .960.

    References
    ----------
    - Boyd, Eng & Page (2013) [boyd-2013]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> study = rs.MultilabelStudy(y, 2 * y + draw.normal(size=(200, 3)))
    >>> found = study.average_precision(average="micro")
    >>> found[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      class                 quantity  estimate  ci_low  ci_high
    0     0        average_precision     0.936   0.889    0.965
    1     1        average_precision     0.805   0.691    0.884
    2     2        average_precision     0.777   0.577    0.899
    3   all  micro_average_precision     0.844   0.791    0.886
    """
    average = require_choice("average", average, LABEL_AVERAGES)
    interval = require_choice("interval", interval, ("logit-t", "logit"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = list(_average_precision_rows(sample, average, interval, confidence_level))
    return answer_rows(MULTILABEL_AVERAGE_PRECISION, sample, rows)


def _average_precision_rows(
    sample: MultilabelSample,
    average: LabelAverage,
    interval: Literal["logit-t", "logit"],
    level: float,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group, predictor after predictor."""
    question = MULTILABEL_AVERAGE_PRECISION
    for group, part in sample.by_group():
        require_fold_of_every_label(part)
        summary = label_summary(part.cases, average, average_precision_influence)
        for p, name in enumerate(part.predictors):
            known = {"predictor": name, "group": group, "confidence_level": level}
            for k, label in enumerate(part.classes):
                cases = part.cases.label(k)
                cells = {
                    **known,
                    "class": label,
                    "quantity": "average_precision",
                    "n_pos": cases.n_pos,
                    "n_neg": cases.n_neg,
                }
                result = _label_precision(part, cases, p, interval, level)
                few = ["few-positives"] if cases.n_pos < FEW_POSITIVES else []
                yield answer_row_of_result(
                    question, cells, result, [*few, *_label_notes(part, [k])]
                )
            result = _summary_precision(part, summary, p, f"label-{average}", interval, level)
            cells = {**known, "class": ALL, "quantity": f"{average}_average_precision"}
            rarest = min(part.cases.label(k).n_pos for k in range(part.cases.n_labels))
            codes = [*_few_positives(rarest), *summary_notes(part)]
            yield answer_row_of_result(question, cells, result, codes)


def _few_positives(n_pos: float) -> list[str]:
    return ["few-positives"] if n_pos < FEW_POSITIVES else []


def _label_precision(
    part: MultilabelSample,
    cases: ScoredCases,
    p: int,
    interval: Literal["logit-t", "logit"],
    level: float,
) -> Result:
    if cases.lacks_class:
        return undefined_result("one-class")
    if part.sample_weight is not None:
        values = [average_precision_influence(fold, p)[0] for _, fold in cases.by_fold()]
        return undefined_result("weights-need-bootstrap", float(np.mean(values)))
    area = precision_area(cases, p, "average_precision", _COHORT)
    if np.isnan(area.variance):
        return undefined_result("single-unit", float(area.value))
    low, high, word, codes = precision_limits(area, interval, level)
    method = f"{precision_variance_word(cases, _COHORT)}/{word}"
    return Result(area.value, float(np.sqrt(area.variance)), low, high, method=method, codes=codes)


def _summary_precision(
    part: MultilabelSample,
    summary: LabelSummary,
    p: int,
    variance: str,
    interval: Literal["logit-t", "logit"],
    level: float,
) -> Result:
    area = summary.of(p)
    result = undefined_summary(part, area.value)
    if result is not None:
        return result
    if np.isnan(area.variance):
        return undefined_result("single-unit", area.value)
    low, high, word, codes = precision_limits(area, interval, level)
    se = float(np.sqrt(area.variance))
    return Result(area.value, se, low, high, method=f"{variance}/{word}", codes=codes)


# --- What all questions about labels share --------------------------------------------------------


def require_fold_of_every_label(part: MultilabelSample) -> None:
    """Raise InputError if a fold lacks a side of a label that the sample has both sides of."""
    cases = part.cases
    has_both = [not cases.label(k).lacks_class for k in range(cases.n_labels)]
    for fold, one in cases.by_fold():
        lacking = [
            name for k, name in enumerate(part.classes) if has_both[k] and one.label(k).lacks_class
        ]
        if lacking:
            raise InputError(
                "`fold` must have cases with and without every label in every fold; got only cases"
                f" with, or only cases without, {lacking} in fold {fold!r}. Merge folds, or leave"
                " these labels out."
            )


def undefined_summary(part: MultilabelSample, value: float) -> Result | None:
    """Return the result of a summary without a value, or without a variance; else None."""
    if np.isnan(value):
        return undefined_result("one-class")
    if part.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", value)
    return None


def summary_notes(part: MultilabelSample) -> list[str]:
    """Return the notes on the cases of a summary: those of any of its labels."""
    return _label_notes(part, range(len(part.classes)))


def _label_notes(part: MultilabelSample, labels: Any) -> list[str]:
    codes = [code for k in labels for code in size_codes(part.cases.label(k))]
    return [*dict.fromkeys(codes), *sample_notes(part)]
