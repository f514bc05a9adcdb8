"""Areas over pairs of cases of the same group (stratified areas), and their differences.

A = sum_g w_g A_g, w_g the share of group g among all pairs of a positive and a negative of the same
group. Var = sum_g w_g^2 Var(A_g) with DeLong's variance, the w_g taken as fixed [janes-2009]. Where
the variance is 0 or undefined, limits are Newcombe's method 5 summed over the groups
[newcombe-2006].
Derivations: docs/methods/areas.md and docs/methods/comparison.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import area_of
from rocstats.curves.superiority import require_two_predictors
from rocstats.errors import require_choice
from rocstats.estimate.answers import answer_row_without_result, answer_rows
from rocstats.estimate.areas import AreaTest, infer_area, read_area_test, size_codes, variance_name
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    HypothesisPlan,
    hypothesis_columns,
    index_pairs,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.contrasts import (
    contrast_variance,
    contrast_with_variance_word,
    infer_contrast,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import AreaCovariance, contrast_df
from rocstats.estimate.intervals import MEAN_INTERVALS, MeanInterval
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.strata import (
    Stratum,
    areas_over_strata,
    predictors_alike_in_strata,
    require_strata,
    strata_codes,
    stratified_covariance,
    stratified_newcombe,
)
from rocstats.facts.columns import FULL_AREA
from rocstats.frame.question import AREA, BINNING_ERROR, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.binned import binning_error
from rocstats.study.sample import Sample, own_sample

# --- The stratified area --------------------------------------------------------------------------

STRATIFIED_AUC = Question(
    "stratified_auc",
    estimate_columns(f"predictor group {AREA} {TEST} hypothesis n_pos n_neg method note"),
    ("delong-1988", "obuchowski-1997", "janes-2009", "cochran-1954", "newcombe-2006"),
    binned=True,
)


def stratified_auc(
    sample: Sample,
    *,
    interval: MeanInterval = "logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return the area over pairs of cases of the same group; a row is one predictor.

    Parameters
    ----------
    interval : {"logit", "wald", "probit", "logit-t"}, default "logit-t"
        Scale and quantiles of the limits.

        - "logit": on the logit scale.
        - "wald": on the scale of the area; for many cases and areas far from 1.
        - "probit": on the probit scale.
        - "logit-t": logit with Satterthwaite degrees of freedom; the default of ``auc`` too.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, on the scale of the interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low, range_high,
        method, note``; ``quantity`` is "stratified_auc", ``group`` "all". The counts are of the
        groups that hold both classes.

    Raises
    ------
    InputError
        If the study has no groups, no group holds both classes, a word is unknown, or a fold lacks
        a class.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    The estimate is the share of pairs, among all pairs of a positive and a negative of the same
    group (centre, scanner, reader), that are ranked right, ties half:
    A = sum_g w_g A_g, w_g = m_g n_g / sum_h m_h n_h, m_g and n_g the numbers of positives and
    negatives. A predictor whose level differs between centres, or centres whose prevalence
    differs, change the pooled ``auc`` and not this one. Weights by pairs make it an average over
    pairs, dominated by large balanced groups; where areas differ between groups
    (``test_equal_groups``) it depends on their sizes.

    The variance adds up the influence values of every case, times w_g: sum_g w_g^2 Var(A_g) with
    DeLong's Var, the w_g taken as fixed. With clusters influence is summed by cluster first,
    across groups too, as Obuchowski's. With folds A_g is the mean over the folds in the group. A
    group that lacks a class holds no pairs and counts for nothing (note
    ``strata-without-pairs``). Where the variance is 0 or undefined (A of 0 or 1; a group with a
    single positive or negative, note ``single-case``) limits are the roots of
    (A - t)^2 = z^2 sum_g w_g^2 v_g(t), v_g Newcombe's method 5, which supposes equal areas.
    Under ``sample_weight`` pairs are weighted and only the estimate is given.

    Each predictor has its own row; ``compare_stratified_auc`` compares them. Assumes that groups
    are fixed and cases (clusters) independent.

    References
    ----------
    - Janes & Pepe (2009) (adjusted curve for discrete covariates, there weighted by positives)
      [janes-2009]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Newcombe (2006), method 5 [newcombe-2006]

    Examples
    --------
    Each centre ranks 7 of its 9 pairs right; centre b measures two units more, which the pooled
    area takes for errors:

    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0] * 2, [5, 3, 2, 4, 1, 0, 7, 5, 4, 6, 3, 2]
    >>> study = rs.Study(y, score, group=["a"] * 6 + ["b"] * 6)
    >>> study.stratified_auc()[["group", "quantity", "estimate", "se"]].round(3)
      group        quantity  estimate     se
    0   all  stratified_auc     0.778  0.176
    >>> rs.Study(y, score).auc()[["quantity", "estimate", "se"]].round(3)
      quantity  estimate     se
    0      auc     0.736  0.156
    """
    STRATIFIED_AUC.refuse_covariates(sample)
    interval = require_choice("interval", interval, MEAN_INTERVALS)
    test = read_area_test(confidence_level, alternative, null_value)
    rows = [
        {"predictor": name, **_stratified_area_row(sample, k, interval, test)}
        for k, name in enumerate(sample.predictors)
    ]
    return answer_rows(STRATIFIED_AUC, sample, rows)


def _stratified_area_row(
    whole: Sample, k: int, interval: MeanInterval, test: AreaTest
) -> dict[str, Any]:
    strata, sample = require_strata(whole, k), own_sample(whole, k)
    area = areas_over_strata(stratified_covariance(sample.cases, strata, [k]), strata)[0]
    notes = [*strata_codes(whole, strata), *sample_notes(sample)]
    cells = {**_cells_of_stratified_areas(strata), "estimate": area.value, **test.columns()}
    row = answer_row_without_result(STRATIFIED_AUC, cells, ["weights-need-bootstrap", *notes])
    if sample.sample_weight is not None:
        return row
    # False for NaN too (a class with one case): both fall back to Newcombe's method 5, whose
    # variance is a function of the limit and not of the placements.
    if area.variance > 0:
        inference = infer_area(area, interval, test)
    else:
        inference = infer_area(area, "newcombe", test, stratified_newcombe(strata))
    return {
        **row,
        **inference.columns(),
        BINNING_ERROR: binning_error(whole, lambda one: _area_over_strata(one, k)),
        "method": f"stratified-{variance_name(sample.cases, 'delong')}/{inference.method}",
        "note": [*inference.codes, *size_codes(sample.cases), *notes],
    }


def _cells_of_stratified_areas(strata: Sequence[Stratum]) -> dict[str, Any]:
    """Return the cells that all rows share: the quantity, and the counts of the strata."""
    return {
        **FULL_AREA,
        "group": "all",
        "quantity": "stratified_auc",
        # A group without pairs has no share in the estimate, nor in its counts.
        "n_pos": sum(stratum.cases.n_pos for stratum in strata),
        "n_neg": sum(stratum.cases.n_neg for stratum in strata),
    }


def _area_over_strata(whole: Sample, k: int) -> float:
    """Return the area over the pairs of all strata."""
    strata = require_strata(whole, k)
    shares = np.array([stratum.share for stratum in strata])
    return float(shares @ np.array([area_of(stratum.cases, k) for stratum in strata]))


# --- Differences of stratified areas --------------------------------------------------------------

COMPARE_STRATIFIED_AUC = Question(
    "compare_stratified_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos n_neg method note"
    ),
    (
        *("janes-2009", "delong-1988", "obuchowski-1997"),
        *("zou-2008", "newcombe-2006", "holm-1979"),
    ),
)
StratifiedDifferenceInterval = Literal["t", "wald", "mover"]


def compare_stratified_auc(
    sample: Sample,
    *,
    reference: str | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    interval: StratifiedDifferenceInterval = "t",
) -> pd.DataFrame:
    """Return differences of areas over pairs of the same group; a row is a pair of predictors.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; its interval has a lower limit
        only. Non-inferiority by a margin is ``null_value=-margin`` with "greater".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    interval : {"t", "wald", "mover"}, default "t"
        As in ``compare_auc``; "mover" for non-inferiority by a margin.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, group, quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, method, note``; ``quantity`` is "stratified_auc",
        ``group`` "all". The counts are of the groups that hold both classes.

    Raises
    ------
    InputError
        If the study has fewer than two predictors or no groups, no group holds both classes, a name
        or word is unknown, or a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    d = A1 - A2, A the area of ``stratified_auc``: the share of pairs of cases of the same group
    that are ranked right. Var(d) = sum_g w_g^2 (S11 + S22 - 2 S12)_g, w_g the group's share of the
    pairs, S the covariance of the placements (DeLong); with clusters influence is summed by
    cluster first, across groups too (Obuchowski); with folds in each group and fold. Limits
    d -+ t se, cut at -1 and 1, t with Satterthwaite's degrees of freedom over all groups.

    Where an area is 0 or 1, or the variance of d is 0 or undefined, limits come from each area's
    own stratified Newcombe limits by MOVER, as in ``compare_auc``. Predictors that rank the cases
    of every group alike have d = 0, p = 1 and no interval, whatever their levels in the groups.
    Under ``sample_weight`` only the estimate is given.

    Assumes that groups are fixed and cases (clusters) independent. A predictor that is better only
    because it knows the group has no advantage here; ``compare_auc`` without groups counts it.

    References
    ----------
    - Janes & Pepe (2009) [janes-2009]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Zou & Donner (2008) [zou-2008]
    - Newcombe (2006), method 5 [newcombe-2006]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> data["centre"] = ["north" if i % 3 == 0 else "south" for i in range(len(data))]
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant",
    ...                  group="centre")
    >>> frame = study.compare_stratified_auc(reference="texture")
    >>> frame[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture     0.162   0.117    0.208
    """
    COMPARE_STRATIFIED_AUC.refuse_covariates(sample)
    tested = read_hypothesis("difference", None, alternative, null_value, confidence_level)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    interval = require_choice("interval", interval, get_args(StratifiedDifferenceInterval))
    require_two_predictors(sample, "a comparison")
    pairs = index_pairs(sample.predictors, reference)
    differences = _stratified_differences(sample, require_strata(sample), pairs, tested, interval)
    return comparison_frame(COMPARE_STRATIFIED_AUC, sample, adjust, differences)


def _stratified_differences(
    sample: Sample,
    strata: Sequence[Stratum],
    pairs: Sequence[tuple[int, int]],
    tested: HypothesisPlan,
    interval: StratifiedDifferenceInterval,
) -> Iterator[ComparedRow]:
    shared = {**_cells_of_stratified_areas(strata), **hypothesis_columns(tested)}
    notes = [*strata_codes(sample, strata), *sample_notes(sample)]
    everyone = range(len(sample.predictors))
    cells = [
        {**shared, "predictor": sample.predictors[i], "reference": sample.predictors[j]}
        for i, j in pairs
    ]
    # Weighted pairs have an area, but a sum of weights is no number of cases for a variance.
    if sample.sample_weight is not None:
        areas = [stratified_covariance(sample.cases, strata, [k]).area[0] for k in everyone]
        for row, (i, j) in zip(cells, pairs, strict=True):
            yield row, undefined_result("weights-need-bootstrap", float(areas[i] - areas[j])), notes
        return
    # One covariance for all pairs: influence values are summed once.
    joint = stratified_covariance(sample.cases, strata, everyone)
    notes = [*size_codes(sample.cases), *notes]
    for row, pair in zip(cells, pairs, strict=True):
        yield row, _stratified_difference(sample, strata, joint, pair, tested, interval), notes


def _stratified_difference(
    sample: Sample,
    strata: Sequence[Stratum],
    joint: AreaCovariance,
    pair: tuple[int, int],
    tested: HypothesisPlan,
    interval: StratifiedDifferenceInterval,
) -> Result:
    i, j = pair
    weights = np.zeros(len(joint.area))
    weights[[i, j]] = 1, -1
    variance = contrast_variance(weights, joint.covariance)
    df = contrast_df([(weights, joint.parts, joint.part_df)])
    result = infer_contrast(
        weights,
        areas_over_strata(joint, strata),
        joint.covariance,
        np.inf if interval == "wald" else df,
        tested,
        # Equal ranks in every group suffice, whatever the levels of the groups.
        identical=variance == 0 and predictors_alike_in_strata(joint, strata, i, j),
        mover=interval == "mover",
        # Newcombe's method 5 summed over the groups, as in the interval of a stratified area.
        boundary=stratified_newcombe(strata),
    )
    return contrast_with_variance_word(
        result, f"stratified-{variance_name(sample.cases, 'delong')}"
    )
