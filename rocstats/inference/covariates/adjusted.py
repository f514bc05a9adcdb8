"""Covariate-adjusted areas, their differences, and covariate-adjusted ROC curves.

The scores of the negatives are regressed on the covariates. Each positive is placed among the
standardised residuals e_j of the negatives: U_i is their share below z_i = (x_i - X_i b)/s, or
Phi(z_i). The adjusted area is the mean of U_i, and the adjusted curve the distribution of 1 - U_i
[janes-2009]. The variance sums the influence values of cases, clusters summed first. No question
about covariates can honour folds or weights.
Influence values: docs/methods/covariates.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.estimate.answers import (
    BELOW_CHANCE,
    answer_columns,
    answer_row_without_result,
    answer_rows,
    answerable_predictors,
    class_size_columns,
    lacks_class,
    predictor_rows,
    stacked_curve_columns,
)
from rocstats.estimate.areas import (
    AreaTest,
    infer_area,
    numbers_of_independent_units,
    read_area_test,
    size_codes,
    snap_to_boundary,
)
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Claim,
    Hypothesis,
    HypothesisPlan,
    index_pairs,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame, require_two_names_to_compare
from rocstats.estimate.contrasts import (
    contrast_variance,
    contrast_with_variance_word,
    infer_contrast,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import (
    AreaCovariance,
    ClassInfluence,
    FoldInfluence,
    area_covariance_of_influence,
    contrast_df,
)
from rocstats.estimate.intervals import Area
from rocstats.estimate.quantiles import Alternative
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.tolerances import SAME, clear_rounding
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import AREA, TEST, Question, RoleRefusal, columns_in, estimate_columns
from rocstats.inference.covariates.regression import (
    CovariateDesign,
    Regression,
    covariate_design,
    covariate_residuals,
    note_on_extrapolated_positives,
    require_covariates,
    score_for_regression,
)
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.points import read_points_of_curve
from rocstats.study.sample import Sample, require_same_cases

# --- Roles that the questions about covariates refuse ---------------------------------------------

NO_FOLDS = RoleRefusal(
    "stay None for areas adjusted for covariates, because all cases share one regression",
    "Leave the folds out.",
)
NO_WEIGHTS = RoleRefusal(
    "stay None for areas adjusted for covariates, whose variance counts cases",
    "Pass frequency=, or leave the weights out.",
)


# --- Adjusted areas -------------------------------------------------------------------------------

ADJUSTED_AUC = Question(
    "adjusted_auc",
    estimate_columns(f"predictor group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("janes-2009", "newcombe-2006"),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS},
    adjusts=True,
)
Residuals = Literal["empirical", "normal"]
RESIDUALS: tuple[Residuals, ...] = get_args(Residuals)
NO_RESIDUAL_SPREAD = "no-residual-spread"


def adjusted_auc(
    sample: Sample,
    *,
    residuals: Residuals = "empirical",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return areas adjusted for the covariates of the study; a row is one predictor (in one group).

    Use this method if a covariate affects the scores of the negatives and differs between the
    classes. In this situation, ``auc`` includes the discrimination of the covariate. The adjusted
    area compares each positive with negatives that have the same covariates. Do not use the method
    for a covariate that is a consequence of the condition. To test whether the score adds
    information to the covariates, compare risk models instead: one with the score and one without
    it.

    Parameters
    ----------
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the negatives around their regression.

        - "empirical": the empirical distribution of the residuals. The estimate is published, but
          its standard error is not published elsewhere.
        - "normal": a normal distribution. Use it only if residuals are normal. With exponential
          residuals, 95% limits had coverage .50 to .90 in simulations.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests area > ``null_value``; the interval then has a lower limit only.
    null_value : float in (0, 1), optional
        Area under the null hypothesis; by default there is no test.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, method, note``; ``quantity`` is "adjusted_auc".

    Raises
    ------
    InputError
        If the study has no covariates, or has folds or weights; if there are under 5 negatives per
        coefficient; if covariates are collinear; if a category has no negatives; or if scores are
        infinite.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. Examples are ``extrapolates`` (positives have
        covariates outside the range of the negatives), ``few-cases`` and ``auc-at-boundary``.

    Notes
    -----
    The scores x of the n negatives are regressed on their covariates X by least squares. The
    regression has p coefficients b. The residual variance is s^2 = RSS/(n - p), where RSS is the
    residual sum of squares. For positive i, let z_i = (x_i - X_i b)/s. The placement U_i of this
    positive is the share of standardised residuals of the negatives below z_i. Ties count one half.
    With ``residuals="normal"``, U_i = Phi(z_i). The adjusted area is the mean of all U_i. The
    variance comes from influence values, which include the estimation of b and s. With clusters,
    influence values are summed within clusters. Limits are on the logit scale, with quantiles of t
    and Satterthwaite's degrees of freedom over both classes. If the area is 0 or 1, the limits are
    Newcombe's. Each group has a separate regression.

    In simulations of 60 to 300 cases, 95% limits ("empirical") had coverage .94 to .97 with normal
    and exponential residuals. With residuals from a t distribution with 3 degrees of freedom,
    coverage was .93 to .96. It was lowest for an area of .95 with 50 cases in each class.

    References
    ----------
    - Janes & Pepe (2009), covariate-adjusted curves [janes-2009]
    - Newcombe (2006), method 5 [newcombe-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> age = [50 + 7 * i % 20 for i in range(60)]
    >>> y = [int(i % 3 == 0) for i in range(60)]
    >>> score = [a / 10 + 0.8 * c + 11 * i % 23 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> study = rs.Study(y, score, covariate={"age": age})
    >>> study.adjusted_auc()[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
           quantity  estimate  ci_low  ci_high
    0  adjusted_auc     0.779   0.629     0.88
    """
    ADJUSTED_AUC.require_roles(sample)
    residuals = require_choice("residuals", residuals, RESIDUALS)
    test = read_area_test(confidence_level, alternative, null_value)
    require_covariates(sample)
    labels = [label for label, _ in sample.by_group()]
    rows = predictor_rows(
        sample, lambda part, g, k: [_adjusted_area_row(part, labels[g], k, residuals, test)]
    )
    return answer_rows(ADJUSTED_AUC, sample, rows)


def _adjusted_area_row(
    part: Sample, group: str, k: int, residuals: Residuals, test: AreaTest
) -> dict[str, Any]:
    columns = {
        **FULL_AREA,
        "quantity": "adjusted_auc",
        **test.columns(),
        **class_size_columns(part),
    }
    if lacks_class(part):
        return answer_row_without_result(ADJUSTED_AUC, columns, ["one-class", *sample_notes(part)])
    adjusted = adjusted_areas(part, group, [k], residuals)
    area = adjusted.area(0, part)
    if np.isnan(area.value):
        return answer_row_without_result(
            ADJUSTED_AUC, columns, [NO_RESIDUAL_SPREAD, *sample_notes(part)]
        )
    found = infer_area(area, "logit-t", test)
    variance = adjusted_variance_word(part, residuals) if found.method == "logit-t" else "none"
    codes = [*found.codes, *adjusted.codes, *([BELOW_CHANCE] if found.ci_high < 0.5 else [])]
    return {
        **columns,
        **found.columns(),
        "method": f"{variance}/{found.method}",
        "note": with_covariate_case_notes(part, codes),
    }


def adjusted_variance_word(part: Sample, residuals: Residuals) -> str:
    """Return the word of ``method`` for the standard error of adjusted areas."""
    return f"adjusted-{residuals}{'' if part.cluster is None else '-cluster'}"


def with_covariate_case_notes(part: Sample, codes: Sequence[str]) -> list[str]:
    """Return some notes, and those on the cases."""
    sizes = [code for code in size_codes(part.cases) if code in ("few-cases", "few-clusters")]
    return [*codes, *sizes, *sample_notes(part)]


# --- Differences of adjusted areas ----------------------------------------------------------------

COMPARE_ADJUSTED_AUC = Question(
    "compare_adjusted_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos n_neg method note"
    ),
    ("janes-2009", "holm-1979", "zou-2008"),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS},
    adjusts=True,
)


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
        Distribution of the negatives around their regression (see ``adjusted_auc``).
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the adjusted area of the predictor minus the adjusted area of the reference.

        - "difference" (default): d is not ``null_value``; ``alternative`` names the direction.
        - "superiority": d > ``margin``, tested one-sided at the level (1 - confidence_level)/2. The
          interval is two-sided.
        - "non-inferiority": d > -``margin``, tested in the same way as superiority.
        - "equivalence": -``margin`` < d < ``margin``. The level of the interval is 2
          confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required, except for superiority, where the default
        is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" tests d > ``null_value``.
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
        range_axis, range_low, range_high, method, note``; ``quantity`` is
        "adjusted_auc_difference".

    Raises
    ------
    InputError
        For the reasons listed in ``adjusted_auc``; if the study has one predictor; if predictors
        have different cases; if a name is unknown; or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``adjusted_auc``, or if the variance is 0 (``zero-variance``).

    Notes
    -----
    The scores of both predictors are regressed on the same covariates of the same negatives. The
    variance of d comes from the differences of influence values. With clusters, these differences
    are summed within clusters. Limits are d -+ t se. Satterthwaite's degrees of freedom combine m -
    1 for the m positives and n - 1 for the n negatives. If an area is 0 or 1, or the variance is 0,
    MOVER combines Newcombe's limits.

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
    require_two_names_to_compare(sample.predictors, "predictors")
    require_same_cases(sample)
    claim = Claim(plan, adjust, index_pairs(sample.predictors, reference))
    differences = _adjusted_differences(sample, residuals, claim)
    return comparison_frame(COMPARE_ADJUSTED_AUC, sample, adjust, differences)


def _adjusted_differences(
    sample: Sample, residuals: Residuals, claim: Claim
) -> Iterator[ComparedRow]:
    """Yield the differences of the pairs in each group."""
    for group, part in sample.by_group():
        adjusted, codes = None, sample_notes(part)
        if not lacks_class(part):
            adjusted = adjusted_areas(part, group, range(len(part.predictors)), residuals)
            codes = with_covariate_case_notes(part, adjusted.codes)
        for pair in claim.pairs:
            known = {
                **FULL_AREA,
                "quantity": "adjusted_auc",
                "group": group,
                **claim.words(part, pair),
                **class_size_columns(part),
            }
            if adjusted is None:
                yield known, undefined_result("one-class"), codes
            elif np.isnan(sum(adjusted.areas[k].value for k in pair)):
                yield known, undefined_result(NO_RESIDUAL_SPREAD), sample_notes(part)
            else:
                result = _adjusted_difference(part, adjusted, pair, claim.tested)
                word = adjusted_variance_word(part, residuals)
                yield known, contrast_with_variance_word(result, word), codes


def _adjusted_difference(
    part: Sample, adjusted: AdjustedAreas, pair: tuple[int, int], plan: HypothesisPlan
) -> Result:
    """Return the difference of two adjusted areas of the same cases, with limits and test."""
    weights = np.zeros(len(part.predictors))
    weights[list(pair)] = 1.0, -1.0
    of_areas = adjusted.covariance
    return infer_contrast(
        weights,
        [adjusted.area(k, part) for k in range(len(weights))],
        of_areas.covariance,
        contrast_df([(weights, of_areas.parts, of_areas.part_df)]),
        plan,
        identical=_place_positives_alike(adjusted, weights, pair),
    )


def _place_positives_alike(
    adjusted: AdjustedAreas, weights: FloatArray, pair: tuple[int, int]
) -> bool:
    """Whether both predictors place every positive alike, so that nothing varies."""
    first, second = (adjusted.areas[k] for k in pair)
    alike = bool(np.all(np.abs(first.placement - second.placement) < SAME))
    variance = contrast_variance(weights, adjusted.covariance.covariance)
    # At areas of 0 or 1 placements are equal whatever the scores: the boundary rule applies.
    return alike and 0 < first.value < 1 and variance == 0


# --- Adjusted curves ------------------------------------------------------------------------------

ADJUSTED_ROC_CURVE = Question(
    "adjusted_roc_curve",
    columns_in("predictor group fold fpr tpr method"),
    ("janes-2009",),
    {"fold": NO_FOLDS, "sample_weight": NO_WEIGHTS},
    adjusts=True,
)


def adjusted_roc_curve(
    sample: Sample,
    *,
    residuals: Residuals = "empirical",
    fpr: Sequence[float] | FloatArray | None = None,
) -> pd.DataFrame:
    """Return the covariate-adjusted ROC curve of every predictor; a row is one point.

    The thresholds depend on the covariates. Among negatives with the same covariates, the threshold
    calls a share f positive. The curve shows the sensitivity of these thresholds for each f.

    Parameters
    ----------
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the negatives around their regression (see ``adjusted_auc``).
    fpr : array-like of float in [0, 1], optional
        False positive rates of the points. By default all vertices of the step curve.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fold, fpr, tpr, method``; ``fold`` is an empty text. Pass the
        frame to ``plot_roc`` as ``curve``. To draw it together with the unadjusted curve, pass it
        as ``fit``. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        For the reasons listed in ``adjusted_auc``, or if a rate is not in [0, 1].

    Warns
    -----
    StatisticalWarning
        - ``one-class``: a group lacks a class.
        - ``no-residual-spread``: normal residuals do not vary.

    Notes
    -----
    The sensitivity at f is the share of positives with 1 - U_i <= f, where U_i are the placements
    of ``adjusted_auc``. The area under the curve is the adjusted area. The frame has no thresholds,
    since they depend on the covariates. There is no confidence band.

    References
    ----------
    - Janes & Pepe (2009), covariate-adjusted curves [janes-2009]

    Examples
    --------
    >>> import rocstats as rs
    >>> age = [50 + 7 * i % 20 for i in range(60)]
    >>> y = [int(i % 3 == 0) for i in range(60)]
    >>> score = [a / 10 + 0.8 * c + 11 * i % 23 / 10 for i, (a, c) in enumerate(zip(age, y))]
    >>> study = rs.Study(y, score, covariate={"age": age})
    >>> study.adjusted_roc_curve(fpr=[0.1, 0.3])[["fpr", "tpr"]]
       fpr  tpr
    0  0.1  0.4
    1  0.3  0.7
    """
    ADJUSTED_ROC_CURVE.require_roles(sample)
    residuals = require_choice("residuals", residuals, RESIDUALS)
    rates = None if fpr is None else read_points_of_curve(fpr)
    require_covariates(sample)
    codes: list[str] = []
    curves = []
    for _, group, k, name, scored in answerable_predictors(sample, codes):
        design = covariate_design(scored, group)
        design.require_fit()
        found = _area_of_predictor(scored, k, design, residuals)
        if np.isnan(found.value):
            codes.append(NO_RESIDUAL_SPREAD)
            continue
        weight = None if scored.frequency is None else scored.frequency[scored.is_positive]
        if rates is None:
            at, tpr = adjusted_curve_vertices(found.placement, weight)
        else:
            at, tpr = rates, adjusted_tpr_at_fpr(rates, found.placement, weight)
        texts = {"predictor": name, "group": group, "fold": ""}
        curves.append(
            {**texts, "fpr": at, "tpr": tpr, "method": adjusted_variance_word(sample, residuals)}
        )
    warn_of_doubts(codes, warned_doubts(sample))
    columns = stacked_curve_columns(ADJUSTED_ROC_CURVE, curves)
    return answer_columns(ADJUSTED_ROC_CURVE, sample, columns)


def adjusted_curve_vertices(placement: FloatArray, weight: FloatArray | None) -> FloatArray:
    """Return the vertices (2 x v) of the staircase from (0, 0) to (1, 1)."""
    rate, share = _adjusted_curve_steps(placement, weight)
    before = np.concatenate([[0.0], share[:-1]])
    fpr = np.concatenate([[0.0], np.repeat(rate, 2), [1.0]])
    tpr = np.concatenate([[0.0], np.column_stack([before, share]).ravel(), [1.0]])
    # A step at 0 or 1 starts or ends in a corner of the unit square.
    vertices = np.stack([fpr, tpr])
    moved = np.any(np.diff(vertices, axis=1) > 0, axis=0)
    return np.asarray(vertices[:, np.concatenate([[True], moved])])


def adjusted_tpr_at_fpr(
    fpr: FloatArray, placement: FloatArray, weight: FloatArray | None
) -> FloatArray:
    """Return the share of positives with 1 - U at most each false positive rate."""
    rate, share = _adjusted_curve_steps(placement, weight)
    # 1 - U is rounded: a rate that is meant to be k/n must find it.
    below = np.searchsorted(rate, fpr + SAME, side="right")
    return np.asarray(np.concatenate([[0.0], share])[below])


def _adjusted_curve_steps(
    placement: FloatArray, weight: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return the false positive rates of the steps, rising, and the share up to each."""
    rate, row = np.unique(1 - placement, return_inverse=True)
    # Patients who are alike have one rate, whatever the rounding of their residuals.
    first = np.diff(rate, prepend=-1.0) > SAME
    rate, row = rate[first], np.cumsum(first)[row] - 1
    counts = np.bincount(row, weight, len(rate))
    share = np.cumsum(counts) / counts.sum()
    share[-1] = 1.0  # whatever the rounding of the sum
    return rate, share


# --- The areas of the predictors of a sample, with their covariance -------------------------------


class AdjustedAreas(NamedTuple):
    """Adjusted areas of some predictors of the same cases, with their covariance and notes."""

    areas: list[AdjustedArea]
    covariance: AreaCovariance
    codes: list[str]

    def area(self, row: int, part: Sample) -> Area:
        """Return one of the areas for its interval."""
        variance = clear_rounding(float(self.covariance.covariance[row, row]))
        return Area(
            self.areas[row].value,
            variance,
            self.covariance.df(row),
            *numbers_of_independent_units(part.cases),
        )


def adjusted_areas(
    part: Sample, group: str, predictors: Sequence[int], residuals: Residuals
) -> AdjustedAreas:
    """Return the adjusted areas of predictors in a sample (a group) with both classes."""
    design = covariate_design(part, group)
    design.require_fit()
    areas = [_area_of_predictor(part, k, design, residuals) for k in predictors]
    sides = [
        ClassInfluence(np.stack(values), None if part.frequency is None else design.weight[rows])
        for values, rows in (
            ([area.of_positives for area in areas], part.is_positive),
            ([area.of_negatives for area in areas], ~part.is_positive),
        )
    ]
    influence = FoldInfluence(np.array([area.value for area in areas]), *sides)
    return AdjustedAreas(
        areas,
        area_covariance_of_influence(part.cases, influence),
        note_on_extrapolated_positives(design, part),
    )


def _area_of_predictor(
    part: Sample, k: int, design: CovariateDesign, residuals: Residuals
) -> AdjustedArea:
    score = score_for_regression(part, k, design)
    positive = part.is_positive
    positives = PositivesWithCovariates(
        score[positive], design.matrix[positive], design.weight[positive]
    )
    return adjusted_area(positives, design.fit(score), residuals)


# --- Estimator: placements, area and influence values [janes-2009] --------------------------------

# Standardised residuals closer than this are equal: they are sums of some products of order 1.
_SAME_RESIDUAL = 1e-12
# Pairs of cases in memory at once: 8 MB for an array of them.
_PAIRS_AT_ONCE = 2**20


class PositivesWithCovariates(NamedTuple):
    """Scores of the positives (u), their covariates (u x p) and the number of cases of a row."""

    score: FloatArray
    design: FloatArray
    weight: FloatArray


class AdjustedArea(NamedTuple):
    """An adjusted area, the placement of each positive, and the influence of cases on the area.

    Influence has the size of the class as divisor, as in ``ClassInfluence``.
    """

    value: float
    placement: FloatArray
    of_positives: FloatArray
    of_negatives: FloatArray


def adjusted_area(
    positives: PositivesWithCovariates, negatives: Regression, kind: Residuals
) -> AdjustedArea:
    """Return A = mean of U_i, the placements of the positives among the negatives.

    NaN for normal residuals that do not vary.
    """
    place = _normal_placements if kind == "normal" else _empirical_placements
    # Where covariates explain the negatives whole any unit does: the placements are 0, 1/2 or 1.
    unit = negatives.s or float(np.abs(positives.score).max(initial=0.0)) or 1.0
    rest = covariate_residuals(positives.score, positives.design, negatives.coefficients)
    placement, of_negatives = place(positives, rest / unit, negatives, unit)
    value = _weighted_mean_placement(placement, positives.weight)
    return AdjustedArea(
        value if np.isnan(value) else snap_to_boundary(value),
        placement,
        (placement - value) / positives.weight.sum(),
        # Of v the n - p of s^2 are left: the factor n/(n - 1) of all variances becomes n/(n - p).
        of_negatives * np.sqrt((negatives.size - 1) / negatives.df),
    )


def _empirical_placements(
    positives: PositivesWithCovariates, z: FloatArray, negatives: Regression, unit: float
) -> tuple[FloatArray, FloatArray]:
    """Return U_i, the share of residuals e_j below z_i, and the influence of the negatives.

    That is (V_j - A)/n, V_j the share of z_i above e_j, plus what its move of b does to A.
    """
    e = negatives.residual / unit
    codes = _residual_tie_codes(np.concatenate([z, e]))
    of_z, of_e = codes[: len(z)], codes[len(z) :]
    below = _residual_shares_below(of_z, of_e, negatives.weight)
    above = 1 - _residual_shares_below(of_e, of_z, positives.weight)
    slope = _area_slope(positives, z, negatives, e) / unit
    value = _weighted_mean_placement(below, positives.weight)
    return below, (above - value) / negatives.size + negatives.moves() @ slope


def _normal_placements(
    positives: PositivesWithCovariates, z: FloatArray, negatives: Regression, unit: float
) -> tuple[FloatArray, FloatArray]:
    """Return U_i = Phi(z_i), and the influence of the negatives by their moves of b and s."""
    if negatives.s == 0:
        return np.full_like(z, np.nan), np.full_like(negatives.residual, np.nan)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    share = positives.weight / positives.weight.sum()
    by_coefficients = -(share * density) @ positives.design / unit
    by_s = -float(share @ (density * z)) / unit
    squares = negatives.residual**2 * negatives.size / negatives.df
    moved_s = (squares - unit**2) / (2 * unit * negatives.size)
    return np.asarray(sp.ndtr(z)), negatives.moves() @ by_coefficients + moved_s * by_s


def _area_slope(
    positives: PositivesWithCovariates, z: FloatArray, negatives: Regression, e: FloatArray
) -> FloatArray:
    """Return the derivative of the area by the coefficients, times s.

    It is the mean over pairs of K_h(z_i - e_j) (X_j - X_i), K the normal density. The derivative
    by s vanishes, since z and e are ranked in one unit.
    """
    width = _residual_difference_bandwidth(positives, z, negatives, e)
    total = np.zeros(negatives.design.shape[1])
    if not width > 0:
        return total
    step = max(1, _PAIRS_AT_ONCE // len(e))
    for start in range(0, len(z), step):
        rows = slice(start, start + step)
        near = np.exp(-(((z[rows, np.newaxis] - e) / width) ** 2) / 2)
        near *= positives.weight[rows, np.newaxis] * negatives.weight
        total += near.sum(axis=0) @ negatives.design - near.sum(axis=1) @ positives.design[rows]
    pairs = positives.weight.sum() * negatives.size
    return np.asarray(total / (np.sqrt(2 * np.pi) * width * pairs))


def _residual_difference_bandwidth(
    positives: PositivesWithCovariates, z: FloatArray, negatives: Regression, e: FloatArray
) -> float:
    """Return Silverman's 1.06 sd m^(-1/5) of the differences z_i - e_j, m the smaller class."""
    # Over all pairs the variance of a difference is the sum of both variances.
    spread = sum(
        _weighted_mean_placement((v - _weighted_mean_placement(v, w)) ** 2, w)
        for v, w in ((z, positives.weight), (e, negatives.weight))
    )
    fewer = min(float(positives.weight.sum()), negatives.size)
    return float(1.06 * np.sqrt(spread) * fewer**-0.2)


def _residual_tie_codes(values: FloatArray) -> IntArray:
    """Return the rank of each value among the distinct ones; rounding makes no difference."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order], prepend=values[order[:1]]) > _SAME_RESIDUAL
    codes = np.empty(len(values), dtype=np.intp)
    codes[order] = np.cumsum(steps)
    return codes


def _residual_shares_below(at: IntArray, codes: IntArray, weight: FloatArray) -> FloatArray:
    """Return the share of rows below each place, of those at it one half."""
    counts = np.bincount(codes, weight, max(int(at.max()), int(codes.max())) + 1)
    middle = np.cumsum(counts) - counts / 2
    return np.asarray(middle[at] / weight.sum())


def _weighted_mean_placement(values: FloatArray, weight: FloatArray) -> float:
    return float(np.sum(values * weight) / weight.sum())
