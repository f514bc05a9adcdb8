"""Measures of the labels that cases are given at thresholds, and their differences.

A case is called to have a label from a threshold of its score on. Measures of a label are those of
its binary table; averages over labels have the influence of a case on all of them. Limits and
variances are those of ``calls``. Derivations: docs/methods/labels.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, read_claim
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.paired_tables import mover_measure_difference
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.shares import MeasureDifference
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import range_of
from rocstats.facts.words import as_known, listed
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.classes.calls import (
    CLASS_RATES,
    CalledClasses,
    CalledMeasure,
    called_limits,
    called_measures,
    estimated_measure,
    macro_average,
)
from rocstats.inference.classes.label_areas import ALL, summary_notes
from rocstats.study.cases import LabelCases
from rocstats.study.multilabel import MultilabelSample
from rocstats.study.points import read_single_thresholds

# --- Questions ------------------------------------------------------------------------------------

_BY_DEFAULT = (
    *CLASS_RATES,
    *(f"macro_{name}" for name in CLASS_RATES),
    *("micro_tpr", "micro_tnr", "micro_ppv", "micro_f1"),
)
_BY_REQUEST = (
    "micro_npv",
    *(f"weighted_{name}" for name in CLASS_RATES),
    *("subset_accuracy", "hamming_loss"),
)
LABEL_MEASURES = (*_BY_DEFAULT, *_BY_REQUEST)
# The rows and the order of scikit-learn's report.
_REPORTED = (
    *("ppv", "tpr", "f1"),
    *(f"{mean}_{name}" for mean in ("micro", "macro", "weighted") for name in ("ppv", "tpr", "f1")),
)
_COMPARED = ("subset_accuracy", "micro_f1", "macro_f1")

MULTILABEL_OPERATING_POINTS = Question(
    "multilabel_operating_points",
    estimate_columns(
        f"predictor class group quantity threshold fp tp {ESTIMATE} n_pos n_neg n_effective method"
        " note"
    ),
    ("takahashi-2022", "wilson-1927"),
)
MULTILABEL_CLASSIFICATION_REPORT = Question(
    "multilabel_classification_report",
    MULTILABEL_OPERATING_POINTS.columns,
    ("takahashi-2022", "wilson-1927"),
)
MULTILABEL_COMPARE_OPERATING_POINTS = Question(
    "multilabel_compare_operating_points",
    estimate_columns(
        f"predictor reference class group quantity threshold {ESTIMATE} {TEST} p_adjusted"
        " hypothesis n_pos n_neg method note"
    ),
    ("takahashi-2022", "zou-2008", "wilson-1927", "holm-1979"),
)


def multilabel_operating_points(
    sample: MultilabelSample,
    *,
    threshold: Any,
    quantities: Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return rates and F1 of labels at thresholds; a row is one measure of one label or all labels.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        A label is predicted for a case if the score of the case for the label is at least the
        threshold. Pass one number for all labels, such as 0.5 for probabilities, or a number for
        each label.
    quantities : sequence of str, optional
        Measures; by default the measures of the first three items of this list.

        - "tpr" (recall), "tnr", "ppv" (precision), "npv", "f1": measures of each label.
        - "macro_tpr", "macro_tnr", "macro_ppv", "macro_npv", "macro_f1": unweighted means over
          labels.
        - "micro_tpr", "micro_tnr", "micro_ppv", "micro_f1": measures of all decisions together.
        - "micro_npv": measure of all decisions together.
        - "weighted_tpr", "weighted_tnr", "weighted_ppv", "weighted_npv", "weighted_f1": means over
          labels, weighted by the number of cases of each label.
        - "subset_accuracy": share of cases for which all labels are predicted correctly.
        - "hamming_loss": share of wrong decisions.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, threshold, estimate, ci_low, ci_high, se, fp,
        tp, n_pos, n_neg, n_effective, confidence_level, method, note``. ``class`` is the label; a
        measure of all labels together has ``class`` "all", NaN threshold and NaN counts.
        ``n_effective`` is the effective number of cases that the limits use.

    Raises
    ------
    InputError
        If a threshold or the level is not a valid number; if a label has no threshold; or if a
        quantity is unknown or named twice.

    Warns
    -----
    StatisticalWarning
        Once per study for each of these warnings:

        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a label has under 20 cases.
        - ``one-class``: in a group, no case or every case has a label.
        - ``no-calls``: a label is never predicted.
        - ``few-clusters``: clusters are few.
        - ``weights-need-bootstrap``: the study has weights, so there are only estimates.

    Notes
    -----
    Micro averages are measures of the table of all decisions. For example, micro_tpr is the number
    of true positives of all labels divided by the number of positives of all labels. A measure
    without a value is NaN, such as the precision of a label that is never predicted (scikit-learn
    has 0). Means over labels are then NaN too. Means over cases ("samples") are not offered,
    because a case without labels has no recall, and a case without predicted labels has no
    precision.

    ``se`` comes from influence values, the derivatives of a measure with respect to the weights of
    the cases (the multinomial delta method of Takahashi et al.). They are summed over the labels of
    a case and by cluster, so that labels may be correlated in any way. Limits of a measure p are
    Wilson's with the effective number of cases p(1 - p)/se^2. If se is 0, the limits use the number
    of cases (clusters) that the measure depends on. The cases must be a random sample for
    predictive values, F1 and all averages. Thresholds chosen in the same cases make all measures
    too good.

    In simulations of five correlated labels (50 to 500 cases, the rarest label in 5% of them), 95%
    limits of averages had coverage .922 to .972. The exception is macro_tpr if a label has under 10
    cases. Its coverage was .864 with 50 cases, of which two or three had the rarest label, and .902
    with 150 cases.

    References
    ----------
    - Takahashi, Yamamoto, Kuchiba & Koyama (2022) [takahashi-2022]
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> study = rs.MultilabelStudy(y, 2 * y + draw.normal(size=(200, 3)))
    >>> found = study.operating_points(threshold=1, quantities=["f1", "macro_f1", "hamming_loss"])
    >>> found[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      class      quantity  estimate  ci_low  ci_high
    0     0            f1     0.857   0.797    0.902
    1     1            f1     0.746   0.649    0.823
    2     2            f1     0.531   0.387    0.671
    3   all      macro_f1     0.711   0.648    0.768
    4   all  hamming_loss     0.147   0.120    0.178
    """
    at = _read_label_thresholds(sample, threshold)
    chosen = _read_label_measures(quantities, _BY_DEFAULT)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    question = MULTILABEL_OPERATING_POINTS
    rows = list(_label_measure_rows(question, sample, at, chosen, confidence_level))
    return answer_rows(question, sample, rows)


def multilabel_classification_report(
    sample: MultilabelSample, *, threshold: Any, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return precision, recall and F1 of labels and their averages, with intervals.

    These are the numbers of scikit-learn's ``classification_report`` for indicator matrices,
    without the means over cases; ``operating_points`` has further measures.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        As in ``operating_points``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval, without adjustment for the number of rows.

    Returns
    -------
    pandas.DataFrame
        The columns of ``operating_points``, with rows for "ppv" (precision), "tpr" (recall) and
        "f1" of each label, then their micro, macro and weighted averages. ``n_pos`` is the number
        of cases with the label (support).

    Raises
    ------
    InputError
        If a threshold or the level is not a valid number; or if a label has no threshold.

    Warns
    -----
    StatisticalWarning
        As in ``operating_points``.

    Notes
    -----
    Methods and assumptions are as in ``operating_points``.

    References
    ----------
    - Takahashi, Yamamoto, Kuchiba & Koyama (2022) [takahashi-2022]
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> study = rs.MultilabelStudy(y, 2 * y + draw.normal(size=(200, 3)))
    >>> report = study.classification_report(threshold=1)
    >>> report[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3).tail(3)
       class      quantity  estimate  ci_low  ci_high
    15   all  weighted_ppv     0.746   0.686    0.798
    16   all  weighted_tpr     0.848   0.789    0.893
    17   all   weighted_f1     0.785   0.739    0.824
    """
    at = _read_label_thresholds(sample, threshold)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    question = MULTILABEL_CLASSIFICATION_REPORT
    rows = list(_label_measure_rows(question, sample, at, _REPORTED, confidence_level))
    return answer_rows(question, sample, rows)


def multilabel_compare_operating_points(
    sample: MultilabelSample,
    *,
    threshold: Any,
    quantities: Sequence[str] | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of rates of classifiers at thresholds; a row is one measure of one pair.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        As in ``operating_points``, the same for all classifiers.
    quantities : sequence of str, optional
        Measures as in ``operating_points``; default "subset_accuracy", "micro_f1" and "macro_f1".
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
        Adjustment of the p values over all pairs and groups, for each measure of a label
        separately. Intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, class, [group], quantity, threshold, estimate, ci_low,
        ci_high, p_value, p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. A measure of all labels together has ``class`` "all", NaN
        threshold and NaN counts.

    Raises
    ------
    InputError
        If the study has only one classifier; if an option or number is invalid; or if a hypothesis
        with a ``margin`` is requested for "hamming_loss", whose lower values are better.

    Warns
    -----
    StatisticalWarning
        As in ``operating_points``. Classifiers with the same predictions for all cases have no
        interval (``no-discordance``).

    Notes
    -----
    The difference is predictor minus reference. The influence of a case on a difference is the
    difference of its influences, so that the variance allows for the pairing by cases. Limits
    combine Wilson's limits of both measures, with the correlation of the influence values (MOVER).
    The test inverts these limits.

    Assumes independent cases (clusters) that are a random sample. Do not use scores of a model on
    its training data, nor thresholds chosen in the same cases. Do not compare macro_tpr if a label
    has under 10 cases. In simulations of such labels, tests at level .05 had a size of up to .122
    for macro_tpr, and up to .084 for other averages.

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
    >>> y = (draw.random((200, 3)) < [0.5, 0.3, 0.1]).astype(int)
    >>> sharp, blunt = (y + spread * draw.normal(size=(200, 3)) for spread in (0.5, 1))
    >>> study = rs.MultilabelStudy(y, {"sharp": sharp, "blunt": blunt})
    >>> found = study.compare_operating_points(threshold=0.5)
    >>> found[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
                         quantity  estimate  ci_low  ci_high
    0  subset_accuracy_difference     0.325   0.227    0.414
    1         micro_f1_difference     0.220   0.153    0.283
    2         macro_f1_difference     0.208   0.141    0.272
    """
    at = _read_label_thresholds(sample, threshold)
    chosen = _read_label_measures(quantities, _COMPARED)
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, null_value, adjust, confidence_level
    )
    if "hamming_loss" in chosen and hypothesis != "difference":
        raise InputError(
            "`quantities` must not hold 'hamming_loss' with a margin, because lower values of this"
            f" loss are better; got hypothesis={hypothesis!r}. Compare 'subset_accuracy' or"
            " 'micro_f1'."
        )
    return comparison_frame(
        MULTILABEL_COMPARE_OPERATING_POINTS,
        sample,
        claim.adjust,
        _label_differences(sample, at, chosen, claim),
        within=("quantity", "class"),
    )


def _read_label_thresholds(sample: MultilabelSample, threshold: Any) -> FloatArray:
    """Return the threshold of each label."""
    of = ("label", "labels")
    given = read_single_thresholds(threshold, sample.classes, of=of)
    missing = [name for name in sample.classes if name not in given]
    if missing:
        raise InputError(
            f"`threshold` must have a number for each label; got none for {missing}. Pass a number"
            " for all labels, or one for each."
        )
    return np.array([given[name] for name in sample.classes])


def _read_label_measures(quantities: Any, default: Sequence[str]) -> Sequence[str]:
    """Return the requested measures in the order of all, or those by default."""
    if quantities is None:
        return default
    chosen = [as_known(word, LABEL_MEASURES) for word in listed(quantities)]
    unknown = [word for word in chosen if word not in LABEL_MEASURES]
    if unknown or not chosen or len(set(chosen)) < len(chosen):
        raise InputError(
            f"`quantities` must be some of {', '.join(LABEL_MEASURES)}, each once; got"
            f" {quantities!r}. Leave `quantities` out to get {', '.join(default)}."
        )
    return sorted(chosen, key=LABEL_MEASURES.index)


# --- Measures of labels, with influence values ----------------------------------------------------


class CalledLabels(NamedTuple):
    """Labels and calls of each case (labels x cases), and the number of cases of each row."""

    truth: BoolArray
    called: BoolArray
    weight: FloatArray

    def positives(self, k: int) -> tuple[float, float]:
        """Return true and false positives of a label."""
        right, wrong = self.called[k] & self.truth[k], self.called[k] & ~self.truth[k]
        return float(self.weight[right].sum()), float(self.weight[wrong].sum())


def call_labels(cases: LabelCases, predictor: int, threshold: FloatArray) -> CalledLabels:
    """Return the labels that a classifier calls: those with a score at the threshold or above."""
    called = cases.scores[predictor] >= threshold[:, np.newaxis]
    weight = np.ones(called.shape[1]) if cases.weight is None else cases.weight
    return CalledLabels(cases.has_label, called, weight)


def label_measures(calls: CalledLabels, quantities: Sequence[str]) -> Iterator[CalledMeasure]:
    """Yield some measures of each label, then summaries; NaN where nothing is counted."""
    by_label = [_measures_of_label(calls, k) for k in range(len(calls.truth))]
    for measures in by_label:
        yield from (measures[name] for name in quantities if name in CLASS_RATES)
    for word in quantities:
        if word in CLASS_RATES:
            continue
        mean, _, name = word.partition("_")
        if mean == "macro":
            yield macro_average([measures[name] for measures in by_label])
        elif mean == "weighted":
            yield _mean_by_label_sizes(calls, [measures[name] for measures in by_label])
        elif mean == "micro":
            yield _micro_average(calls, word, name)
        else:
            right = calls.truth == calls.called
            values = right.all(axis=0) if word == "subset_accuracy" else 1 - right.mean(axis=0)
            yield _mean_over_cases(calls, word, values)


def _measures_of_label(calls: CalledLabels, k: int) -> dict[str, CalledMeasure]:
    """Return ``CLASS_RATES`` of a label: those of the second class of its binary table."""
    truth, called = (side[k].astype(np.intp) for side in calls[:2])
    table = CalledClasses(truth, called, np.zeros_like(truth), calls.weight, 2)
    measures = called_measures(table, CLASS_RATES)
    return {one.quantity: one._replace(of_class=k) for one in measures if one.of_class == 1}


def _mean_by_label_sizes(calls: CalledLabels, measures: Sequence[CalledMeasure]) -> CalledMeasure:
    """Return the mean of a measure over labels, each weighted by its number of cases."""
    values = np.array([measure.value for measure in measures])
    numbers = calls.truth @ calls.weight
    if not numbers.sum() > 0:
        nothing = np.full(len(calls.weight), np.nan)
        return CalledMeasure(f"weighted_{measures[0].quantity}", None, np.nan, nothing, 0.0)
    share = numbers / numbers.sum()
    value = float(share @ values)
    influence = share @ np.array([measure.influence for measure in measures])
    # A case also moves the shares, and so the mean, towards the values of its own labels.
    influence = influence + (values - value) @ calls.truth / numbers.sum()
    size = float(calls.weight[calls.truth.any(axis=0)].sum())
    return CalledMeasure(f"weighted_{measures[0].quantity}", None, value, influence, size)


def _micro_average(calls: CalledLabels, word: str, name: str) -> CalledMeasure:
    """Return a measure of the table of all decisions: a ratio of sums over cases and labels."""
    right, wrong = calls.truth & calls.called, ~calls.truth & ~calls.called
    above, below = {
        "tpr": (right, calls.truth),
        "tnr": (wrong, ~calls.truth),
        "ppv": (right, calls.called),
        "npv": (wrong, ~calls.called),
        "f1": (2.0 * right, calls.truth.astype(float) + calls.called),
    }[name]
    numerator, denominator = above.sum(axis=0), below.sum(axis=0)
    total = float(calls.weight @ denominator)
    value = float(calls.weight @ numerator) / total if total > 0 else np.nan
    influence = (numerator - value * denominator) / max(total, 1.0)
    # Where nothing varies: cases, not decisions, are independent.
    size = float(calls.weight[denominator > 0].sum())
    return CalledMeasure(word, None, value, influence, size)


def _mean_over_cases(calls: CalledLabels, word: str, values: FloatArray) -> CalledMeasure:
    size = float(calls.weight.sum())
    if not size > 0:
        return CalledMeasure(word, None, np.nan, np.full(len(values), np.nan), 0.0)
    value = float(calls.weight @ values) / size
    return CalledMeasure(word, None, value, (values - value) / size, size)


# --- Rows -----------------------------------------------------------------------------------------


def _label_measure_rows(
    question: Question,
    sample: MultilabelSample,
    threshold: FloatArray,
    quantities: Sequence[str],
    level: float,
) -> Iterator[dict[str, Any]]:
    """Yield the row of each measure of each classifier in each group."""
    for group, part in sample.by_group():
        codes = _called_label_notes(part)
        for p, name in enumerate(sample.predictors):
            calls = call_labels(part.cases, p, threshold)
            for measure in label_measures(calls, quantities):
                result, n_effective = _label_measure_result(part, measure, level)
                cells = {
                    "group": group,
                    "predictor": name,
                    "quantity": measure.quantity,
                    "confidence_level": level,
                    **_label_cells(part, calls, threshold, measure.of_class),
                    "n_effective": n_effective,
                }
                yield answer_row_of_result(question, cells, result, codes)


def _label_measure_result(
    part: MultilabelSample, measure: CalledMeasure, level: float
) -> tuple[Result, float]:
    """Return a measure with limits, unless under weights, and the effective number of cases."""
    undefined = _undefined_measure(part, measure, measure.value)
    if undefined is not None:
        return undefined, np.nan
    se, low, high, size = called_limits(part.cases, measure, level)
    if np.isnan(se):
        return undefined_result("single-unit", measure.value), np.nan
    word = "influence" if part.cluster is None else "cluster-influence"
    return Result(measure.value, se, low, high, method=f"{word}/wilson"), size


def _undefined_measure(
    part: MultilabelSample, measure: CalledMeasure, value: float
) -> Result | None:
    """Return the result of a measure without a value, or without a variance; else None."""
    if np.isnan(value):
        k = measure.of_class
        labels = range(len(part.classes)) if k is None else [k]
        lacking = any(part.cases.label(one).lacks_class for one in labels)
        return undefined_result("one-class" if lacking else "no-calls")
    if part.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", value)
    return None


def _label_differences(
    sample: MultilabelSample, threshold: FloatArray, quantities: Sequence[str], claim: Claim
) -> Iterator[ComparedRow]:
    """Yield the difference of each measure of each pair of classifiers in each group."""
    for group, part in sample.by_group():
        codes = _called_label_notes(part)
        called = [call_labels(part.cases, p, threshold) for p in range(len(part.predictors))]
        measures = [list(label_measures(calls, quantities)) for calls in called]
        for pair in claim.pairs:
            for first, second in zip(*(measures[p] for p in pair), strict=True):
                cells = _label_cells(part, called[pair[0]], threshold, first.of_class)
                known = {
                    **claim.words(part, pair),
                    "group": group,
                    "quantity": first.quantity,
                    **{name: cell for name, cell in cells.items() if name not in ("tp", "fp")},
                }
                yield known, _label_difference(part, first, second, claim), codes


def _label_difference(
    part: MultilabelSample, first: CalledMeasure, second: CalledMeasure, claim: Claim
) -> Result:
    """Return the difference of a measure of two classifiers, first minus second."""
    gap = first.value - second.value
    undefined = _undefined_measure(part, first, gap)
    if undefined is not None:
        return undefined
    low, high = range_of(first.quantity)
    difference = MeasureDifference(
        estimated_measure(part.cases, first),
        estimated_measure(part.cases, second),
        paired=True,
        furthest=high - low,
    )
    if np.isnan(difference.first.variance):
        return undefined_result("single-unit", gap)
    word = "influence" if part.cluster is None else "cluster-influence"
    return mover_measure_difference(difference, claim.tested, f"{word}/wilson-mover")


def _label_cells(
    part: MultilabelSample, calls: CalledLabels, threshold: FloatArray, k: int | None
) -> dict[str, Any]:
    """Return the columns of a label and its counts; "all" labels have none."""
    if k is None:
        return {"class": ALL}
    tp, fp = calls.positives(k)
    cases = part.cases.label(k)
    sizes = {"n_pos": cases.n_pos, "n_neg": cases.n_neg}
    return {"class": part.classes[k], "threshold": float(threshold[k]), "tp": tp, "fp": fp, **sizes}


def _called_label_notes(part: MultilabelSample) -> list[str]:
    return [*(["pooled-folds"] if part.fold is not None else []), *summary_notes(part)]
