"""Measures of the classes that cases are called, and their differences between classifiers.

The measures and their influence values are in ``calls``. Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, read_claim
from rocstats.estimate.class_units import class_notes
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.paired_tables import mover_measure_difference
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.shares import MeasureDifference
from rocstats.facts.measures import range_of
from rocstats.facts.words import as_known, listed
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.classes.calls import (
    BY_REQUEST,
    CLASS_RATES,
    SUMMARIES,
    TOP_K,
    CalledClasses,
    CalledMeasure,
    call_classes,
    called_limits,
    called_measures,
    estimated_measure,
)
from rocstats.study.multiclass import MulticlassSample

# --- Questions ------------------------------------------------------------------------------------

BY_DEFAULT = (*CLASS_RATES, *SUMMARIES)
CALLED_MEASURES = (*BY_DEFAULT, *BY_REQUEST)
MULTICLASS_OPERATING_POINTS = Question(
    "multiclass_operating_points",
    estimate_columns(
        f"predictor class group quantity fp tp {ESTIMATE} n_pos n_neg n_effective method note"
    ),
    ("takahashi-2022", "wilson-1927", "cohen-1960", "gorodkin-2004"),
)
CLASSIFICATION_REPORT = Question(
    "classification_report",
    MULTICLASS_OPERATING_POINTS.columns,
    ("takahashi-2022", "wilson-1927"),
)
MULTICLASS_COMPARE_OPERATING_POINTS = Question(
    "multiclass_compare_operating_points",
    estimate_columns(
        f"predictor reference class group quantity {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("takahashi-2022", "zou-2008", "wilson-1927", "holm-1979"),
)


def multiclass_operating_points(
    sample: MulticlassSample,
    *,
    quantities: Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return rates and F1 of predicted classes; a row is one measure of one or all classes.

    Parameters
    ----------
    quantities : sequence of str, optional
        Measures; by default the measures of the first four items of this list.

        - "tpr", "tnr", "ppv", "npv", "f1": measures of each class against the rest.
        - "macro_tpr", "macro_tnr", "macro_ppv", "macro_npv", "macro_f1": unweighted means over
          classes.
        - "micro_f1": F1 of all decisions together. It equals the accuracy, and also the
          micro-averaged sensitivity and precision.
        - "micro_tnr": micro-averaged specificity, the specificity of all decisions together.
        - "accuracy"; "balanced_accuracy", which equals "macro_tpr"; "kappa" (Cohen); "mcc", the
          Matthews correlation of several classes.
        - "weighted_tpr", "weighted_tnr", "weighted_ppv", "weighted_npv", "weighted_f1": means over
          classes, weighted by the number of cases of each class.
        - "top_k_accuracy=2": share of cases whose class has one of the 2 highest scores. Any number
          from 1 to the number of classes may replace 2.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, se, fp, tp, n_pos,
        n_neg, n_effective, confidence_level, method, note``. A measure of all classes together has
        ``class`` "all" and NaN counts. ``n_effective`` is the effective number of cases that the
        limits use.

    Raises
    ------
    InputError
        If a quantity is unknown or named twice, or the level is not a number in (0, 1).

    Warns
    -----
    StatisticalWarning
        Once per study for each of these warnings:

        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a class has under 20 cases.
        - ``one-class``: a group lacks a class.
        - ``no-calls``: a class is never predicted.
        - ``few-clusters``: clusters are few.
        - ``tied-calls``: the highest scores of a case are tied.
        - ``weights-need-bootstrap``: the study has weights, so there are only estimates.

    Notes
    -----
    The predicted class of a case is the class of its highest score, so that scores of different
    classes must be comparable, such as probabilities. Let R be the number of cases of a class, Q
    the number of cases predicted as that class, and T the number of both. Then tpr = T/R, ppv = T/Q
    and f1 = 2 T/(R + Q). tnr and npv are the same rates for all other classes together. A macro
    average is the mean over classes. It is NaN if a class has no value; for example, a class that
    is never predicted has no ppv. Let a be the accuracy, r = R/n, q = Q/n, and e the sum of r q
    over classes. Then kappa = (a - e)/(1 - e) and mcc = (a - e)/sqrt((1 - sum r^2)(1 - sum q^2)).

    ``se`` comes from influence values, the derivatives of a measure with respect to the weights of
    the cases (the multinomial delta method of Takahashi et al.). With clusters, influence is summed
    by cluster. Limits of a measure p are Wilson's with the effective number of cases p(1 - p)/se^2.
    For a plain proportion, this number is the denominator. If se is 0, the limits use the number of
    cases (clusters). For the limits, kappa and mcc are mapped from [-1, 1] to [0, 1] and back.
    Takahashi's normal limits are not used, because they can leave [0, 1]. Predictive values and f1
    are valid only if cases are a sample of all classes together. Rates of single classes and
    macro_tpr are also valid if cases were sampled by class.

    In simulations of three classes (60, 30 and 10 % of 100 or 500 cases), 95% limits had coverage
    .940 to .961. The exception was macro_tpr with 100 cases, of which about ten were in the
    smallest class: its coverage was .892. With 3 cases in the smallest of five classes, coverage of
    the means over classes was .839 to .935.

    References
    ----------
    - Takahashi, Yamamoto, Kuchiba & Koyama (2022) [takahashi-2022]
    - Wilson (1927) [wilson-1927]
    - Cohen (1960), kappa [cohen-1960]
    - Gorodkin (2004), the correlation of several classes [gorodkin-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {
    ...     "a": [0.8, 0.3, 0.1, 0.4, 0.5, 0.4],
    ...     "b": [0.1, 0.6, 0.3, 0.7, 0.2, 0.5],
    ...     "c": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2],
    ... }
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a", "c", "b"], scores)
    >>> found = study.operating_points(quantities=["f1", "macro_f1", "micro_f1"])
    >>> found[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      class  quantity  estimate  ci_low  ci_high
    0     a        f1     0.500   0.116    0.884
    1     b        f1     0.800   0.344    0.968
    2     c        f1     0.667   0.173    0.950
    3   all  macro_f1     0.656   0.297    0.896
    4   all  micro_f1     0.667   0.300    0.903
    """
    chosen = _read_called_measures(sample, quantities, BY_DEFAULT)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = list(_called_measure_rows(MULTICLASS_OPERATING_POINTS, sample, chosen, confidence_level))
    return answer_rows(MULTICLASS_OPERATING_POINTS, sample, rows)


def classification_report(
    sample: MulticlassSample, *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return precision, recall and F1 of the classes, accuracy and averages, with intervals.

    These are the numbers of scikit-learn's ``classification_report``; ``operating_points`` has
    further measures.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.

    Returns
    -------
    pandas.DataFrame
        The columns of ``operating_points``, with rows for "ppv" (precision), "tpr" (recall) and
        "f1" of each class, then "accuracy", and the macro and weighted averages. ``n_pos`` is the
        number of cases of the class (support).

    Raises
    ------
    InputError
        If the level is not a number in (0, 1).

    Warns
    -----
    StatisticalWarning
        As in ``operating_points``.

    Notes
    -----
    Methods and assumptions are as in ``operating_points``. A class that is never predicted has no
    precision (``no-calls``); scikit-learn prints 0. The averages are then undefined too.

    References
    ----------
    - Takahashi, Yamamoto, Kuchiba & Koyama (2022) [takahashi-2022]
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {
    ...     "a": [0.8, 0.3, 0.1, 0.4, 0.5, 0.4],
    ...     "b": [0.1, 0.6, 0.3, 0.7, 0.2, 0.5],
    ...     "c": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2],
    ... }
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a", "c", "b"], scores)
    >>> report = study.classification_report()
    >>> report[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3).tail(3)
       class      quantity  estimate  ci_low  ci_high
    13   all  weighted_ppv     0.722   0.420    0.903
    14   all  weighted_tpr     0.667   0.300    0.903
    15   all   weighted_f1     0.656   0.278    0.904
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = list(_called_measure_rows(CLASSIFICATION_REPORT, sample, _REPORTED, confidence_level))
    return answer_rows(CLASSIFICATION_REPORT, sample, rows)


# The rows and the order of scikit-learn's report.
_REPORTED = (
    *("ppv", "tpr", "f1", "accuracy"),
    *(f"{mean}_{name}" for mean in ("macro", "weighted") for name in ("ppv", "tpr", "f1")),
)

# One row a pair for each: measures of all classes, of which most papers report some.
_COMPARED = ("accuracy", "balanced_accuracy", "macro_f1", "kappa", "mcc")


def multiclass_compare_operating_points(
    sample: MulticlassSample,
    *,
    quantities: Sequence[str] | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of rates of classifiers; a row is one measure of one pair.

    Parameters
    ----------
    quantities : sequence of str, optional
        Measures as in ``operating_points``; default "accuracy", "balanced_accuracy", "macro_f1",
        "kappa" and "mcc".
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
        Adjustment of the p values over all pairs and groups, for each measure of a class
        separately. Intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, class, [group], quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. A measure of all classes together has ``class`` "all" and NaN
        counts. The word in ``quantity`` ends in "_difference".

    Raises
    ------
    InputError
        If the study has only one classifier, or an option or number is invalid.

    Warns
    -----
    StatisticalWarning
        As in ``operating_points``. Classifiers with the same predictions for all cases have no
        interval (``no-discordance``).

    Notes
    -----
    The difference is predictor minus reference. The influence of a case on a difference is the
    difference of its influences, so that the variance allows for the pairing by cases. With
    clusters, influence is summed by cluster. Limits combine Wilson's limits of both measures, with
    the correlation of the influence values (MOVER). The test inverts these limits.

    Assumes independent cases (clusters) that are a sample of all classes together. Do not use
    predictive values, F1, kappa or mcc if cases were sampled by class. Do not use scores of a model
    on its training data. Do not rely on means over classes if a class has fewer than 15 cases. In
    simulations of such classes, tests at level .05 had a size of up to .119 (docs/classes.md).

    References
    ----------
    - Takahashi, Yamamoto, Kuchiba & Koyama (2022) [takahashi-2022]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Wilson (1927) [wilson-1927]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = np.repeat([0, 1, 2], 40)
    >>> sharp, blunt = (draw.normal(size=(120, 3)) + gain * np.eye(3)[y] for gain in (2, 1))
    >>> study = rs.MulticlassStudy(y, {"sharp": sharp, "blunt": blunt})
    >>> found = study.compare_operating_points(quantities=["accuracy", "kappa"])
    >>> found[["predictor", "reference", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference             quantity  estimate  ci_low  ci_high
    0     sharp     blunt  accuracy_difference     0.242   0.138    0.340
    1     sharp     blunt     kappa_difference     0.362   0.208    0.512
    """
    chosen = _read_called_measures(sample, quantities, _COMPARED)
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    differences = _called_differences(sample, chosen, claim)
    return comparison_frame(
        MULTICLASS_COMPARE_OPERATING_POINTS,
        sample,
        claim.adjust,
        differences,
        within=("quantity", "class"),
    )


def _read_called_measures(
    sample: MulticlassSample, quantities: Any, default: Sequence[str]
) -> Sequence[str]:
    """Return the requested measures in the order of all, or those by default."""
    if quantities is None:
        return default
    order = (*CALLED_MEASURES, *(f"{TOP_K}={k}" for k in range(1, len(sample.classes) + 1)))
    # Each case is called one class: both micro averages are the micro F1.
    alike = ("micro_tpr", "micro_ppv")
    known = [as_known(word, (*order, *alike)) for word in listed(quantities)]
    chosen = ["micro_f1" if word in alike else word for word in known]
    unknown = [word for word in chosen if word not in order]
    if unknown or not chosen or len(set(chosen)) < len(chosen):
        raise InputError(
            f"`quantities` must be some of {', '.join(CALLED_MEASURES)} or {TOP_K}=2, each once;"
            f" got {quantities!r}. Leave `quantities` out to get {', '.join(default)}."
        )
    return sorted(chosen, key=order.index)


# --- Rows and notes -------------------------------------------------------------------------------


def _called_measure_rows(
    question: Question, sample: MulticlassSample, quantities: Sequence[str], level: float
) -> Iterator[dict[str, Any]]:
    """Yield the row of each measure of each classifier in each group."""
    for group, part in sample.by_group():
        for p, name in enumerate(sample.predictors):
            calls, tied = call_classes(part.cases, p)
            codes = _called_class_notes(part, tied)
            for measure in called_measures(calls, quantities):
                result, n_effective = _called_measure_result(part, measure, level)
                known = {
                    "group": group,
                    "predictor": name,
                    "quantity": measure.quantity,
                    "confidence_level": level,
                    **_called_class_counts(part, calls, measure.of_class),
                    "n_effective": n_effective,
                }
                yield answer_row_of_result(question, known, result, codes)


def _called_differences(
    sample: MulticlassSample, quantities: Sequence[str], claim: Claim
) -> Iterator[ComparedRow]:
    """Yield the difference of each measure of each pair of classifiers in each group."""
    word = "influence" if sample.cluster is None else "cluster-influence"
    for group, part in sample.by_group():
        called = [call_classes(part.cases, p) for p in range(len(part.predictors))]
        measures = [list(called_measures(calls, quantities)) for calls, _ in called]
        for pair in claim.pairs:
            codes = _called_class_notes(part, max(called[p][1] for p in pair))
            for first, second in zip(*(measures[p] for p in pair), strict=True):
                counts = _called_class_counts(part, called[pair[0]][0], first.of_class)
                known = {
                    **claim.words(part, pair),
                    "group": group,
                    "quantity": first.quantity,
                    **{name: counts[name] for name in counts if name not in ("tp", "fp")},
                }
                yield known, _called_difference(part, first, second, claim, word), codes


def _called_difference(
    part: MulticlassSample, first: CalledMeasure, second: CalledMeasure, claim: Claim, word: str
) -> Result:
    """Return the difference of a measure of two classifiers, first minus second."""
    gap = first.value - second.value
    if np.isnan(gap):
        undefined = first if np.isnan(first.value) else second
        return undefined_result(_why_undefined(part, undefined))
    if part.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", gap)
    low, high = range_of(first.quantity)
    difference = MeasureDifference(
        estimated_measure(part.cases, first),
        estimated_measure(part.cases, second),
        paired=True,
        furthest=high - low,
    )
    if np.isnan(difference.first.variance):
        return undefined_result("single-unit", gap)
    return mover_measure_difference(difference, claim.tested, f"{word}/wilson-mover")


def _called_class_notes(part: MulticlassSample, tied: float) -> list[str]:
    """Return the notes of all rows of a classifier, ``tied`` the cases with tied highest scores."""
    return class_notes(part, *([f"tied-calls={tied:g}"] if tied else []))


def _called_measure_result(
    part: MulticlassSample, measure: CalledMeasure, level: float
) -> tuple[Result, float]:
    """Return a measure with limits, unless under weights, and the effective number of cases."""
    cases = part.cases
    if np.isnan(measure.value):
        return undefined_result(_why_undefined(part, measure)), np.nan
    if part.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", measure.value), np.nan
    se, low, high, size = called_limits(cases, measure, level)
    if np.isnan(se):
        return undefined_result("single-unit", measure.value), np.nan
    word = "influence" if cases.cluster is None else "cluster-influence"
    return Result(measure.value, se, low, high, method=f"{word}/wilson"), size


def _why_undefined(part: MulticlassSample, measure: CalledMeasure) -> str:
    """Return the note on a measure without a value: a class lacks, or is never called."""
    weight_of, k = part.cases.weight_of, measure.of_class
    lacking = (weight_of if k is None else weight_of[[k]]) == 0
    return "one-class" if lacking.any() else "no-calls"


def _called_class_counts(
    part: MulticlassSample, calls: CalledClasses, k: int | None
) -> dict[str, Any]:
    """Return the columns of a class and its counts; "all" classes have no counts."""
    if k is None:
        return {"class": "all"}
    tp, fp = calls.positives(k)
    n_pos = float(part.cases.n_of[k])
    n_neg = float(part.cases.n_of.sum()) - n_pos
    return {"class": part.classes[k], "tp": tp, "fp": fp, "n_pos": n_pos, "n_neg": n_neg}
