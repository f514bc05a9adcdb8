"""Rates and F1 of the classes that cases are called, of each class and of all of them.

A case is called the class of its highest score. Every measure is a function of the table of true
and called classes; the influence of a case is the derivative of the measure in its weight
[takahashi-2022]. Limits are Wilson's with p (1 - p)/variance cases [wilson-1927].
Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import small_sample_factor
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, effective_size
from rocstats.facts.tolerances import FEW_CASES, FEW_CLUSTERS
from rocstats.facts.words import as_known, listed
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.cases import ClassCases
from rocstats.study.multiclass import MulticlassSample

# --- The question ---------------------------------------------------------------------------------

CLASS_RATES = ("tpr", "tnr", "ppv", "npv", "f1")
"""Measures of one class against the rest; those of all classes are their means ("macro")."""
SUMMARIES = (*(f"macro_{name}" for name in CLASS_RATES), "micro_f1", "micro_tnr")
CALLED_MEASURES = (*CLASS_RATES, *SUMMARIES)
MULTICLASS_OPERATING_POINTS = Question(
    "multiclass_operating_points",
    estimate_columns(
        f"predictor class group quantity fp tp {ESTIMATE} n_pos n_neg n_effective method note"
    ),
    ("takahashi-2022", "wilson-1927"),
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
        Measures; by default all of these.

        - "tpr", "tnr", "ppv", "npv", "f1": of each class against the rest.
        - "macro_tpr", "macro_tnr", "macro_ppv", "macro_npv", "macro_f1": unweighted means over
          classes.
        - "micro_f1": of all decisions together. It equals the accuracy, and micro-averaged
          sensitivity and precision.
        - "micro_tnr": of all decisions together, micro-averaged specificity.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; not adjusted for the number of rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, se, fp, tp, n_pos,
        n_neg, n_effective, confidence_level, method, note``. In rows of all classes ``class`` is
        "all" and the counts are NaN. ``n_effective`` is the effective number of cases of the
        limits.

    Raises
    ------
    InputError
        If a quantity is unknown, or the level is not a number in (0, 1).

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), a class has under 20 cases (``few-cases``), a group
        lacks a class (``one-class``), a class is never called (``no-calls``), clusters are few
        (``few-clusters``), highest scores are tied (``tied-calls``) or the study has weights
        (``weights-need-bootstrap``: estimates alone).

    Notes
    -----
    The predicted class of a case is the class of its highest score, so that scores of different
    classes must be comparable, such as probabilities. Let R be the number of cases of a class, Q
    the number of cases predicted as that class, and T the number of both. Then tpr = T/R, ppv =
    T/Q, f1 = 2 T/(R + Q); tnr and npv are those of the rest. A macro average is the mean over
    classes; it is NaN if a class has no value (a class that is never predicted has no ppv). ``se``
    comes from influence values, the derivatives of a measure in the weights of the cases (the
    multinomial delta method of Takahashi et al.), summed by cluster. Limits are Wilson's with the
    effective number of cases p(1 - p)/se^2, which is the denominator of a plain proportion. If se
    is 0, they use the number of cases (clusters). Takahashi's normal limits can leave [0, 1]. Cases
    must be a sample of all classes together for predictive values and f1. Rates of single classes
    and macro_tpr are also valid for samples by class.

    With three classes of 60, 30 and 10 % of 100 or 500 cases, simulated 95% limits covered .940 to
    .961. The exception was macro_tpr with 100 cases, some ten of one class: .892.

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
    >>> found = study.operating_points(quantities=["f1", "macro_f1", "micro_f1"])
    >>> found[["class", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      class  quantity  estimate  ci_low  ci_high
    0     a        f1     0.500   0.116    0.884
    1     b        f1     0.800   0.344    0.968
    2     c        f1     0.667   0.173    0.950
    3   all  macro_f1     0.656   0.297    0.896
    4   all  micro_f1     0.667   0.300    0.903
    """
    chosen = _read_called_measures(quantities)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = list(_called_measure_rows(sample, chosen, confidence_level))
    return answer_rows(MULTICLASS_OPERATING_POINTS, sample, rows)


def _read_called_measures(quantities: Any) -> list[str]:
    if quantities is None:
        return list(CALLED_MEASURES)
    chosen = [as_known(word, CALLED_MEASURES) for word in listed(quantities)]
    unknown = [word for word in chosen if word not in CALLED_MEASURES]
    if unknown or not chosen or len(set(chosen)) < len(chosen):
        raise InputError(
            f"`quantities` must be some of {', '.join(CALLED_MEASURES)}, each once; got"
            f" {quantities!r}. Leave it out for all of them."
        )
    return chosen


# --- Rows and notes -------------------------------------------------------------------------------


def _called_measure_rows(
    sample: MulticlassSample, quantities: Sequence[str], level: float
) -> Iterator[dict[str, Any]]:
    """Yield the row of each measure of each classifier in each group."""
    for group, part in sample.by_group():
        for p, name in enumerate(sample.predictors):
            calls, tied = call_classes(part.cases, p)
            codes = _called_class_notes(part, tied)
            for measure in called_measures(calls):
                if measure.quantity in quantities:
                    result, n_effective = _called_measure_result(part, measure, level)
                    known = {
                        "group": group,
                        "predictor": name,
                        "quantity": measure.quantity,
                        "confidence_level": level,
                        **_called_class_counts(part, calls, measure.of_class),
                        "n_effective": n_effective,
                    }
                    yield answer_row_of_result(MULTICLASS_OPERATING_POINTS, known, result, codes)


def _called_class_notes(part: MulticlassSample, tied: float) -> list[str]:
    """Return the notes of all rows of a classifier, ``tied`` the cases with tied highest scores."""
    few = False
    if part.cluster is not None:
        few = effective_size(np.bincount(part.cluster.codes, part.frequency)) < FEW_CLUSTERS
    return [
        *(["pooled-folds"] if part.fold is not None else []),
        *(["few-cases"] if part.n_of.min() < FEW_CASES else []),
        *([f"tied-calls={tied:g}"] if tied else []),
        *(["few-clusters"] if few else []),
        *sample_notes(part),
    ]


def _called_measure_result(
    part: MulticlassSample, measure: CalledMeasure, level: float
) -> tuple[Result, float]:
    """Return a measure with limits, unless under weights, and the effective number of cases."""
    cases = part.cases
    if np.isnan(measure.value):
        k = measure.of_class
        lacking = (cases.weight_of if k is None else cases.weight_of[[k]]) == 0
        return undefined_result("one-class" if lacking.any() else "no-calls"), np.nan
    if part.sample_weight is not None:
        return undefined_result("weights-need-bootstrap", measure.value), np.nan
    se, low, high, size = called_limits(cases, measure, level)
    if np.isnan(se):
        return undefined_result("single-unit", measure.value), np.nan
    word = "influence" if cases.cluster is None else "cluster-influence"
    return Result(measure.value, se, low, high, method=f"{word}/wilson"), size


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


# --- Calls: the class of the highest score --------------------------------------------------------


class CalledClasses(NamedTuple):
    """True and called class of each row, and the number of cases of the row."""

    truth: IntArray
    called: IntArray
    weight: FloatArray
    n_classes: int

    def positives(self, k: int) -> tuple[float, float]:
        """Return true and false positives of a class against the rest."""
        called = self.called == k
        right = called & (self.truth == k)
        return float(self.weight[right].sum()), float(self.weight[called & ~right].sum())


def call_classes(cases: ClassCases, predictor: int) -> tuple[CalledClasses, float]:
    """Return the calls of a classifier, and the number of cases whose highest score is tied.

    Of tied classes the first column is called.
    """
    scores = cases.scores[predictor]
    weight = np.ones(scores.shape[1]) if cases.weight is None else cases.weight
    tied = (scores == scores.max(axis=0)).sum(axis=0) > 1
    called = CalledClasses(cases.class_codes, scores.argmax(axis=0), weight, cases.n_classes)
    times = np.ones(len(tied)) if cases.frequency is None else cases.frequency
    return called, float(times[tied].sum())


# --- Measures of the calls, with influence values [takahashi-2022] --------------------------------


class CalledMeasure(NamedTuple):
    """A measure, the influence of each row of cases on it, and the cases of its denominator.

    ``of_class`` is the class against the rest, None for a measure of all classes. ``size`` is used
    where nothing varies.
    """

    quantity: str
    of_class: int | None
    value: float
    influence: FloatArray
    size: float


def called_measures(calls: CalledClasses) -> Iterator[CalledMeasure]:
    """Yield the measures of each class, then the summaries; NaN where nothing is counted."""
    by_class = [_class_measures(calls, k) for k in range(calls.n_classes)]
    for measures in by_class:
        yield from measures
    for of_classes in zip(*by_class, strict=True):
        yield _macro_average(of_classes)
    everyone, right = np.ones(len(calls.truth), dtype=bool), calls.truth == calls.called
    micro = _called_share("micro_f1", None, calls, everyone, right)
    yield micro
    # Each wrong call is one false positive among the C - 1 classes that are not the case's.
    others = max(calls.n_classes - 1, 1)
    yield micro._replace(
        quantity="micro_tnr",
        value=1 - (1 - micro.value) / others,
        influence=micro.influence / others,
    )


def _class_measures(calls: CalledClasses, k: int) -> list[CalledMeasure]:
    """Return ``CLASS_RATES`` of a class against the rest."""
    true, called = calls.truth == k, calls.called == k
    shares = {
        "tpr": (true, called),
        "tnr": (~true, ~called),
        "ppv": (called, true),
        "npv": (~called, ~true),
    }
    rates = [_called_share(name, k, calls, *sides) for name, sides in shares.items()]
    # F1 = 2 TP/(positives + called): its numerator and denominator are sums over cases.
    both = true.astype(np.float64) + called
    total = float(calls.weight @ both)
    value = 2 * float(calls.weight @ (true & called)) / total if total > 0 else np.nan
    influence = (2.0 * (true & called) - value * both) / max(total, 1.0)
    return [*rates, CalledMeasure("f1", k, value, influence, float(calls.weight @ (true | called)))]


def _called_share(
    quantity: str, k: int | None, calls: CalledClasses, among: BoolArray, event: BoolArray
) -> CalledMeasure:
    """Return p, the share of some cases that have an event; influence (event - p)/size."""
    size = float(calls.weight[among].sum())
    value = float(calls.weight[among & event].sum()) / size if size > 0 else np.nan
    influence = np.where(among, event - value, 0.0) / max(size, 1.0)
    return CalledMeasure(quantity, k, value, influence, size)


def _macro_average(measures: Sequence[CalledMeasure]) -> CalledMeasure:
    """Return the mean of a measure over the classes, each with the same weight."""
    value = float(np.mean([measure.value for measure in measures]))
    influence = np.mean([measure.influence for measure in measures], axis=0)
    # Of equal rates p the mean has the variance p (1 - p) sum (1/n)/C^2.
    sizes = np.array([measure.size for measure in measures])
    size = len(measures) ** 2 / float(np.sum(1 / sizes)) if (sizes > 0).all() else 0.0
    return CalledMeasure(f"macro_{measures[0].quantity}", None, value, influence, size)


# --- Variance and limits --------------------------------------------------------------------------


def called_limits(
    cases: ClassCases, measure: CalledMeasure, level: float
) -> tuple[float, float, float, float]:
    """Return se, both limits and their effective size: Wilson's, with p (1 - p)/v cases.

    Where nothing varies each case counts, in clusters each cluster. All NaN for a single cluster.
    """
    variance, p = _called_variance(cases, measure), measure.value
    if np.isnan(variance):
        return np.nan, np.nan, np.nan, np.nan
    units = measure.size
    if cases.cluster is not None:
        units = min(units, float(np.count_nonzero(np.bincount(cases.cluster.codes))))
    spread = p * (1 - p)
    # Below 1e-24 of the spread nothing but rounding is left of a variance.
    size = spread / variance if spread > 0 and variance > 1e-24 * spread else units
    low, high = binomial_limits_of_rates(p, size, "wilson", level)
    return float(np.sqrt(variance)), float(low), float(high), float(size)


def _called_variance(cases: ClassCases, measure: CalledMeasure) -> float:
    """Return the sum of squared influence values, of cases or clusters; NaN for one cluster."""
    weight = np.ones(len(measure.influence)) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        return float(measure.influence**2 @ weight)
    present = np.bincount(cases.cluster.codes) > 0
    sums = np.bincount(cases.cluster.codes, measure.influence * weight)
    return float(sums @ sums) * small_sample_factor(float(np.count_nonzero(present)))
