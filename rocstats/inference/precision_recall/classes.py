"""Average precision of several classes: of each against the rest, and their means, compared too.

The influence of a case on a mean is the mean of its influences on the classes; all decisions pooled
("micro") make a case a cluster of decisions. Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    class_size_columns,
)
from rocstats.estimate.areas import snap_to_boundary
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, read_claim
from rocstats.estimate.class_units import (
    ClassUnits,
    class_notes,
    class_units,
    least_units_of_class,
)
from rocstats.estimate.classes import rank_alike
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.contrasts import infer_contrast
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.intervals import Area
from rocstats.estimate.precision import (
    EffectiveCasesPrecisionLimits,
    PrecisionPrevalence,
    precision_area,
    precision_codes,
    precision_influence_by_score,
    precision_variance_word,
    prevalence_of_precision_row,
)
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import BoolArray, CodeArray, FloatArray
from rocstats.facts.tolerances import FEW_POSITIVES, clear_rounding
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.inference.precision_recall.average_precision import (
    PAIR_WEIGHTS,
    precision_difference,
    precision_result,
)
from rocstats.study.cases import ClassCases
from rocstats.study.count_tables import ScoreCounts
from rocstats.study.multiclass import MulticlassSample, require_fold_of_every_class

# --- Question: the areas of each classifier -------------------------------------------------------

MeanPrecision = Literal[
    "macro_average_precision", "weighted_average_precision", "micro_average_precision"
]
MEAN_PRECISIONS: tuple[MeanPrecision, ...] = get_args(MeanPrecision)
MULTICLASS_AVERAGE_PRECISION = Question(
    "multiclass_average_precision",
    estimate_columns(
        f"predictor class group quantity {ESTIMATE} prevalence n_pos n_neg method note"
    ),
    ("boyd-2013",),
)


def multiclass_average_precision(
    sample: MulticlassSample, *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Return average precision of each class against the rest, and of all classes together.

    Use average precision if classes are rare. Otherwise prefer ``auc``, which does not depend on
    prevalence.

    Parameters
    ----------
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; it is not adjusted for the number of rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, class, [group], quantity, estimate, ci_low, ci_high, se, prevalence,
        n_pos, n_neg, confidence_level, method, note``. In the row of a class, ``quantity`` is
        "average_precision" and ``prevalence`` is the share of the class. Summary rows over all
        classes have ``class`` "all"; their counts and prevalence are NaN. Their ``quantity`` is:

        - "macro_average_precision": mean over classes.
        - "weighted_average_precision": mean over classes, weighted by the number of cases.
        - "micro_average_precision": average precision of all decisions together. Each case has one
          decision for each class. Scores of different classes must be comparable.

    Raises
    ------
    InputError
        If the level is not a number in (0, 1), or a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        - ``few-cases``: a class has under 20 cases.
        - ``few-positives``: a class has under 50 cases.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``single-unit``: a class is a single case or cluster.
        - ``precision-at-boundary``: an average precision is 1.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    A class against the rest is a binary study. Its row equals the row of
    ``Study.average_precision``. The averages equal scikit-learn's ``average_precision_score``. The
    influence of a case on a mean is the mean of its influences on the classes. Let A be the
    weighted mean over N cases. The influence of a case of class c on A has the additional term
    (AP(c) - A)/N, because the weights are estimates. For "micro_average_precision", a case is a
    cluster of C decisions, where C is the number of classes. The square of ``se`` is the sum of
    squared influence values over cases with the factor N/(N - 1). With clusters, influence values
    are first summed within clusters. Limits are t limits on the logit scale. The degrees of freedom
    are combined over classes by Satterthwaite's rule. With folds, every value is the mean over
    folds. If the standard error is 0, limits are Wilson's with an effective number of cases. For a
    mean over classes, the effective number of the smallest class is used.

    The method assumes independent cases (or clusters) that are a sample of all classes together. Do
    not use it if cases were sampled by class. Do not use it on the training data of a model. The
    average precision of a useless classifier is the prevalence of the class, not 0.5.

    With few cases of a class, estimates are too high on average. In simulations of five classes
    with about 8 or more cases of the smallest class, 95% limits had coverage .919 to .965. Coverage
    was lowest for the macro average of a weak classifier. With 50 cases, of which 2 or 3 were in
    the smallest class, coverage was .853 to .959.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision [boyd-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> scores = {
    ...     "a": [0.8, 0.3, 0.1, 0.4, 0.5, 0.4],
    ...     "b": [0.1, 0.6, 0.3, 0.7, 0.2, 0.5],
    ...     "c": [0.1, 0.1, 0.6, 0.1, 0.3, 0.2],
    ... }
    >>> study = rs.MulticlassStudy(["a", "b", "c", "a", "c", "b"], scores)
    >>> found = study.average_precision()
    >>> found[["class", "quantity", "estimate", "prevalence"]].round(3)
      class                    quantity  estimate  prevalence
    0     a           average_precision     0.750       0.333
    1     b           average_precision     0.583       0.333
    2     c           average_precision     1.000       0.333
    3   all     macro_average_precision     0.778         NaN
    4   all  weighted_average_precision     0.778         NaN
    5   all     micro_average_precision     0.723         NaN
    """
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = list(_class_precision_rows(sample, confidence_level))
    return answer_rows(MULTICLASS_AVERAGE_PRECISION, sample, rows)


def _class_precision_rows(sample: MulticlassSample, level: float) -> Iterator[dict[str, Any]]:
    """Yield the rows of each group: the classes of each classifier, then the means."""
    for group, part in sample.by_group():
        require_fold_of_every_class(part)
        for p, predictor in enumerate(part.predictors):
            found = class_precisions(part.cases, p)
            shared = {"predictor": predictor, "group": group, "confidence_level": level}
            for k, (name, value) in enumerate(
                zip(part.classes, found.of_class.tolist(), strict=True)
            ):
                one = part.one_against_rest(k, predictor=p)
                result = _undefined_precision(part, value)
                if result is None:
                    word = precision_variance_word(one.cases, _COHORT)
                    area = precision_area(one.cases, 0, "average_precision", _COHORT)
                    result = precision_result(area, word, "logit-t", level)
                known = {
                    **shared,
                    **class_size_columns(one),
                    "class": name,
                    "quantity": "average_precision",
                    "prevalence": prevalence_of_precision_row(one, _COHORT),
                }
                yield answer_row_of_result(
                    MULTICLASS_AVERAGE_PRECISION, known, result, precision_codes(one)
                )
            for name, result in zip(
                MEAN_PRECISIONS, mean_precision_results(part, found, level), strict=True
            ):
                known = {**shared, "class": "all", "quantity": name}
                yield answer_row_of_result(
                    MULTICLASS_AVERAGE_PRECISION, known, result, _mean_precision_codes(part, name)
                )


def mean_precision_results(
    part: MulticlassSample, found: ClassPrecisions, level: float
) -> list[Result]:
    """Return the three means over classes with their limits."""
    results, units = [], class_units(part.cases, found.influence)
    for q, value in enumerate(found.means.tolist()):
        result = _undefined_precision(part, value)
        if result is None:
            word = precision_variance_word(part.cases, _COHORT)
            area = _mean_area(part.cases, found, units, q)
            result = precision_result(area, word, "logit-t", level)
        results.append(result)
    return results


# --- Estimates and influence values ---------------------------------------------------------------

# The cases are a sample of all classes together: shares of classes are estimates.
_COHORT = PrecisionPrevalence(random=True)


class ClassPrecisions(NamedTuple):
    """Average precision of each class and the three means, with the influence of each row on these.

    Values are NaN where a class has no cases.
    """

    of_class: FloatArray
    means: FloatArray
    influence: FloatArray


def class_precisions(cases: ClassCases, p: int) -> ClassPrecisions:
    """Return the average precisions by the scores of classifier ``p``, means over folds."""
    n, n_classes = len(cases.class_codes), cases.n_classes
    folds = cases.by_fold()
    rows_of = [np.arange(n)] if cases.fold is None else [r for _, r in cases.fold.rows_by_label()]
    values, influence = np.zeros(n_classes + 1), np.zeros((n_classes + 1, n))
    for rows, (_, part) in zip(rows_of, folds, strict=True):
        own = part.class_codes == np.arange(n_classes)[:, np.newaxis]
        for k in range(n_classes):
            value, by_row = _precision_of_decisions(*part.placed(k, predictor=p), own[k])
            values[k] += value / len(folds)
            influence[k, rows] = by_row / len(folds)
        value, decisions = _precision_of_decisions(*part.pooled_placed(predictor=p), own)
        values[-1] += value / len(folds)
        influence[-1, rows] = decisions.sum(axis=0) / len(folds)
    of_class, share = values[:-1], cases.weight_of / cases.weight_of.sum()
    weighted = float(share @ of_class)
    # The weights are estimates too: a case moves the mean towards the value of its own class.
    moved = (of_class.take(cases.class_codes) - weighted) / cases.n_of.sum()
    means = np.array([of_class.mean(), weighted, values[-1]])
    if np.isnan(of_class).any():  # decisions on a class without cases are all negative
        means[:] = np.nan
    return ClassPrecisions(
        of_class,
        snap_to_boundary(means),
        np.stack([influence[:-1].mean(axis=0), share @ influence[:-1] + moved, influence[-1]]),
    )


def _precision_of_decisions(
    counts: ScoreCounts, codes: CodeArray, positive: BoolArray
) -> tuple[float, FloatArray]:
    """Return the average precision of decisions, and the influence of each on it."""
    if not (counts.total_pos > 0 and counts.total_neg > 0):
        return np.nan, np.full(positive.shape, np.nan)
    value, by_score = precision_influence_by_score(counts, "average_precision", _COHORT)
    return value, np.where(positive, by_score[0].take(codes), by_score[1].take(codes))


def _undefined_precision(part: MulticlassSample, value: float) -> Result | None:
    """Return the result of a value that has no limits; None if it has."""
    if np.isnan(value):
        return undefined_result("one-class")
    return (
        undefined_result("weights-need-bootstrap", value)
        if part.sample_weight is not None
        else None
    )


def _mean_area(cases: ClassCases, found: ClassPrecisions, units: ClassUnits, q: int) -> Area:
    """Return a mean of average precisions with its variance and degrees of freedom."""
    single = least_units_of_class(cases) < 2  # which shows nothing of how its scores vary
    variance = np.nan if single else clear_rounding(float(units.covariance()[q, q]))
    df = units.df_of_values(np.eye(len(MEAN_PRECISIONS))[q]) if variance > 0 else np.inf
    # Without a variance the limits are those of the smallest class, or of all decisions on a case.
    n = cases.n_of.sum() if MEAN_PRECISIONS[q] == "micro_average_precision" else cases.n_of.min()
    return Area(float(found.means[q]), variance, df, float(n), float(n), float(n))


def _mean_precision_codes(part: MulticlassSample, name: MeanPrecision) -> list[str]:
    """Return the notes on the cases of a mean; micro has as many positives as cases."""
    fewest = part.n_of.sum() if name == "micro_average_precision" else part.n_of.min()
    few = ["few-positives"] if fewest < FEW_POSITIVES else []
    return class_notes(part, *few, pooled=False)


# --- Question: differences of classifiers ---------------------------------------------------------

MULTICLASS_COMPARE_AVERAGE_PRECISION = Question(
    "multiclass_compare_average_precision",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("boyd-2013", "holm-1979"),
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of average precisions, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def multiclass_compare_average_precision(
    sample: MulticlassSample,
    *,
    quantity: MeanPrecision = "macro_average_precision",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of average precision over classes; a row is one pair of classifiers.

    Parameters
    ----------
    quantity : {"macro_average_precision", "weighted_average_precision", "micro_average_precision"}
        Average over classes (see ``average_precision``); default "macro_average_precision".
    reference : str, optional
        Classifier to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. For superiority the default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" tests d > 0.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        method, note``. ``estimate`` is the value of the predictor minus the value of the reference.
        ``n_pos`` and ``n_neg`` are NaN.

    Raises
    ------
    InputError
        If the study has only one classifier; if it has weights; if a fold lacks a class; or if
        options cannot be combined.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``; ``average_precision`` has examples.

    Notes
    -----
    The influence of a case on the difference is its influence on one average minus its influence on
    the other average. Limits are d -+ t se with Satterthwaite's degrees of freedom over classes,
    cut at -1 and 1. An average has no variance if average precision is 1 in every class. MOVER then
    combines Wilson's limits of both averages, with effective numbers of cases (note
    ``precision-at-boundary``). If two classifiers rank all cases in the same order, p = 1 and there
    is no interval. The assumptions are the assumptions of ``average_precision``.

    In simulations of five classes with about 8 or more cases of the smallest class, the size of the
    test at .05 was .037 to .072. With 2 or 3 cases of the smallest class, the size was .029 to
    .103. It was largest for the macro average of weak classifiers. Do not rely on macro averages
    with so few cases.

    References
    ----------
    - Boyd, Eng & Page (2013), average precision [boyd-2013]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> draw = np.random.default_rng(1)
    >>> y = np.repeat([0, 1, 2], 40)
    >>> sharp, blunt = (draw.normal(size=(120, 3)) + gain * np.eye(3)[y] for gain in (2, 1))
    >>> found = rs.MulticlassStudy(y, {"sharp": sharp, "blunt": blunt}).compare_average_precision()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0     sharp     blunt     0.268   0.181    0.355
    """
    MULTICLASS_COMPARE_AVERAGE_PRECISION.require_roles(sample)
    quantity = require_choice("quantity", quantity, MEAN_PRECISIONS)
    claim = read_claim(
        sample, reference, hypothesis, margin, alternative, 0.0, adjust, confidence_level
    )
    differences = _mean_precision_differences(sample, quantity, claim)
    return comparison_frame(MULTICLASS_COMPARE_AVERAGE_PRECISION, sample, claim.adjust, differences)


def _mean_precision_differences(
    sample: MulticlassSample, quantity: MeanPrecision, claim: Claim
) -> Iterator[ComparedRow]:
    for group, part in sample.by_group():
        require_fold_of_every_class(part)
        found = [class_precisions(part.cases, p) for p in range(len(part.predictors))]
        for pair in claim.pairs:
            known = {"quantity": quantity, "group": group, **claim.words(part, pair)}
            result = mean_precision_difference(part, found, pair, quantity, claim)
            yield known, result, _mean_precision_codes(part, quantity)


def mean_precision_difference(
    part: MulticlassSample,
    found: list[ClassPrecisions],
    pair: tuple[int, int],
    quantity: MeanPrecision,
    claim: Claim,
) -> Result:
    """Return the difference of a mean over classes of two classifiers, first minus second."""
    q, cases = MEAN_PRECISIONS.index(quantity), part.cases
    if np.isnan(found[0].means[q]):
        return undefined_result("one-class")
    areas = [_mean_area(cases, found[p], class_units(cases, found[p].influence), q) for p in pair]
    if np.isnan(areas[0].variance):
        return undefined_result("single-unit", areas[0].value - areas[1].value)
    units = class_units(cases, np.stack([found[p].influence[q] for p in pair]))
    result = infer_contrast(
        PAIR_WEIGHTS,
        areas,
        units.covariance(),
        units.df_of_values(PAIR_WEIGHTS),
        claim.tested,
        identical=rank_alike(cases, pair, pooled=quantity == "micro_average_precision"),
        boundary=EffectiveCasesPrecisionLimits(),
    )
    return precision_difference(result, precision_variance_word(cases, _COHORT))
