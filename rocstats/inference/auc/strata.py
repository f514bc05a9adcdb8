"""Areas over pairs of cases of the same group (stratified areas), and the test of equal areas.

A = sum_g w_g A_g, w_g the share of group g among all pairs of a positive and a negative of the same
group. Var = sum_g w_g^2 Var(A_g) with DeLong's variance, the w_g taken as fixed [janes-2009]. Where
the variance is 0 or undefined, limits are Newcombe's method 5 summed over the groups
[newcombe-2006]. The test of equal areas compares independent groups on the logit scale.
Derivations: docs/methods/areas.md and docs/methods/comparison.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import area_of
from rocstats.curves.superiority import require_two_predictors
from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
    require_comparable_groups,
    require_groups,
)
from rocstats.estimate.area_variances import newcombe_relative_variance
from rocstats.estimate.areas import (
    AreaTest,
    estimate_areas,
    infer_area,
    read_area_test,
    size_codes,
    snap_to_boundary,
    variance_name,
)
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
from rocstats.estimate.influence import (
    AreaCovariance,
    contrast_df,
    df_of_area_variance,
    weighted_area_covariance,
)
from rocstats.estimate.intervals import MEAN_INTERVALS, Area, MeanInterval, ScoreLimits
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.measures import LOGIT, EqualityTest, equal_on_scale
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import SAME_TO_ROUNDING, clear_rounding
from rocstats.frame.question import AREA, BINNING_ERROR, TEST, Question, estimate_columns
from rocstats.study.base import sample_notes
from rocstats.study.binned import binning_error
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, own_sample, require_fold_classes

# --- Strata ---------------------------------------------------------------------------------------


class Stratum(NamedTuple):
    """A stratum with both classes, its share of all pairs inside strata, its units of each class.

    Units are cases, or clusters that hold a case of the class.
    """

    cases: ScoredCases
    share: float
    n_pos: float
    n_neg: float


def require_strata(sample: Sample, k: int | None = None) -> list[Stratum]:
    """Return the groups that hold pairs; raise InputError if there is none, or a fold has none.

    ``k`` takes the cases of one predictor; None needs the same cases of all.
    """
    groups = [part for _, part in require_groups(sample, "the strata of the cases")]
    parts = groups if k is None else [own_sample(part, k) for part in groups]
    strata = _strata_with_pairs([part.cases for part in parts])
    if not strata:
        raise InputError(
            "`group` must have both classes in at least one group; got none. Merge groups."
        )
    for part in parts:
        if not lacks_class(part):
            require_fold_classes(part)
    return strata


def _strata_with_pairs(parts: Sequence[ScoredCases]) -> list[Stratum]:
    """Return the groups that hold pairs; the shares are of weighted pairs if rows are weighted."""
    kept = [part for part in parts if not part.lacks_class]
    pairs = np.array([part.counts(0).total_pos * part.counts(0).total_neg for part in kept])
    shares = pairs / pairs.sum() if len(kept) else pairs
    return [
        Stratum(part, float(share), *_independent_units_by_class([part]))
        for part, share in zip(kept, shares, strict=True)
    ]


def strata_codes(sample: Sample, strata: Sequence[Stratum]) -> list[str]:
    """Return the note about groups that hold no pairs."""
    n_without = len(sample.by_group()) - len(strata)
    return [f"strata-without-pairs={n_without}"] if n_without else []


def _independent_units_by_class(parts: Sequence[ScoredCases]) -> tuple[float, float]:
    """Return the numbers of independent units with a positive, and with a negative."""
    if parts[0].cluster is None:
        return sum(part.n_pos for part in parts), sum(part.n_neg for part in parts)
    pos = [part.cluster.codes[part.is_positive] for part in parts if part.cluster is not None]
    neg = [part.cluster.codes[~part.is_positive] for part in parts if part.cluster is not None]
    # A cluster with cases in several strata is counted in none of them twice.
    return float(len(np.unique(np.concatenate(pos)))), float(len(np.unique(np.concatenate(neg))))


# --- The area from pairs inside strata ------------------------------------------------------------


def stratified_covariance(
    cases: ScoredCases, strata: Sequence[Stratum], predictors: Sequence[int]
) -> AreaCovariance:
    """Return the areas over pairs inside strata, sums of share times area, and their covariance."""
    parts = [
        (stratum.share / len(folds), fold)
        for stratum in strata
        for folds in [stratum.cases.by_fold()]
        for _, fold in folds
    ]
    return weighted_area_covariance(cases, parts, predictors)


def areas_over_strata(result: AreaCovariance, strata: Sequence[Stratum]) -> list[Area]:
    """Return each area of a joint covariance over strata as an Area."""
    m, n = _independent_units_by_class([stratum.cases for stratum in strata])
    areas = []
    for k, value in enumerate(result.area.tolist()):
        # Shares that sum to 1 but for rounding must not hide a perfect area.
        variance = clear_rounding(float(result.covariance[k, k]))
        areas.append(Area(snap_to_boundary(value), variance, result.df(k), m, n, min(m, n)))
    return areas


def predictors_alike_in_strata(
    result: AreaCovariance, strata: Sequence[Stratum], i: int, j: int
) -> bool:
    """Return whether two predictors whose difference has no variance do not differ at all.

    They rank the cases of every stratum alike, or have the same placements there.
    """
    if all(np.array_equal(s.cases.codes(i), s.cases.codes(j)) for s in strata):
        return True
    first, second = float(result.area[i]), float(result.area[j])
    # Areas of 0 or 1 never have a variance: to them the rules at the boundary apply.
    return 0 < first < 1 and abs(first - second) < SAME_TO_ROUNDING


def stratified_newcombe(strata: Sequence[Stratum]) -> ScoreLimits:
    """Return score limits with Newcombe's variance of each stratum, its share squared.

    Clusters that span strata count once: the variance is at least that of all units together.
    """
    together = _independent_units_by_class([stratum.cases for stratum in strata])

    def relative(theta: float, n_pos: float, n_neg: float) -> float:
        apart = sum(
            s.share**2 * newcombe_relative_variance(theta, s.n_pos, s.n_neg) for s in strata
        )
        # A cluster of several strata counts in each as if it were another unit.
        return max(apart, newcombe_relative_variance(theta, *together))

    return ScoreLimits(relative)


# --- The test that independent areas are equal ----------------------------------------------------


def equality_test_of_logit_areas(parts: Sequence[ScoredCases], k: int) -> EqualityTest:
    """Return the test that predictor ``k`` has one area in independent parts, on the logit scale.

    NaN where an area is 0 or 1 or has no variance, whose logit has no standard error.
    """
    areas = [estimate_areas(part, [k]) for part in parts]
    value = np.concatenate([area.value for area in areas])
    # The logit has the variance v/(A(1 - A))^2 (delta method).
    se = np.sqrt(np.concatenate([area.variance for area in areas]))
    return equal_on_scale(
        LOGIT, value, se, np.array([df_of_area_variance(part, k) for part in parts])
    )


# --- The words of standard errors in `method` -----------------------------------------------------

PRINTED = (
    Word("stratified-delong", "by the method of DeLong et al within strata", ("delong-1988",)),
    Word(
        "stratified-obuchowski",
        "by the method of Obuchowski for clustered data, over strata",
        ("obuchowski-1997",),
    ),
)
"""The words for standard errors of stratified areas."""


# --- The question: are the areas of all groups equal? ---------------------------------------------

TEST_EQUAL_GROUPS = Question(
    "test_equal_groups",
    estimate_columns(
        f"predictor group {AREA} {TEST} df_numerator hypothesis n_pos n_neg method note"
    ),
    ("delong-1988", "obuchowski-1997", "janes-2009", "welch-1951", "newcombe-2006"),
)


def test_equal_groups(sample: Sample) -> pd.DataFrame:
    """Return a test of equal areas in all groups; a row is one predictor.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        df_numerator, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, method, note``. ``group`` is "all", and the estimate and its limits are NaN.
        ``statistic`` is Welch's F with ``df_numerator`` (number of groups minus 1) and ``df``
        degrees of freedom.

    Raises
    ------
    InputError
        If the study has fewer than two groups; if a group lacks a class; or if a cluster spans
        groups.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    Let A_g be the area of group g, for k groups. L_g = logit A_g has the variance v_g = Var(A_g) /
    (A_g (1 - A_g))^2 and the weight w_g = 1/v_g. Let Q = sum_g w_g (L_g - L)^2, where L is the
    weighted mean of the k values L_g. The statistic is Welch's F = Q/(k - 1)/(1 + 2 (k - 2) D) with
    k - 1 and 1/(3 D) degrees of freedom. Here D = sum_g (1 - w_g/sum w)^2/f_g / (k^2 - 1). The
    degrees of freedom f_g of v_g combine the degrees of freedom of both classes by Satterthwaite's
    rule. This step is not published elsewhere. A class with N influence values u has 2/(sum
    u^4/(sum u^2)^2 - 1/N) degrees of freedom, at most N - 1. Var(A_g) is DeLong's variance
    (Obuchowski's with clusters); with folds it is computed in each fold.

    Groups at the boundary: L_g has no standard error if the area is 0 or 1, or if the variance is 0
    or undefined. The test is then NaN with the note ``group-at-boundary``. The group is not left
    out. Compare pairs of groups instead, with ``compare_auc(across="groups")``.

    The test assumes independent groups and a normal logit in each group. In simulations of equal
    areas with unequal classes of 8 to 200 cases, the test at .05 rejected in .034 to .067 of
    samples. With 10 cases of each class it rejected in fewer samples. A large p value does not
    prove that the areas are equal. Groups may differ because of their case mix (spectrum), not
    because of the predictor. With ``sample_weight`` there is no test.

    References
    ----------
    - Welch (1951) [welch-1951]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> y, score = [1, 1, 1, 0, 0, 0] * 2, [5, 3, 2, 4, 1, 0, 5, 4, 1, 3, 2, 4]
    >>> study = rs.Study(y, score, group=["a"] * 6 + ["b"] * 6)
    >>> study.test_equal_groups()[["group", "statistic", "df", "p_value"]].round(3)
      group  statistic     df  p_value
    0   all      0.168  5.039    0.699
    """
    TEST_EQUAL_GROUPS.refuse_covariates(sample)
    groups = require_groups(sample, "two groups or more", 2)
    rows = []
    for k, name in enumerate(sample.predictors):
        parts = [(label, own_sample(part, k)) for label, part in groups]
        require_comparable_groups(parts)
        whole = own_sample(sample, k)
        # The null value is the heterogeneity, not an area.
        cells = {**FULL_AREA, "predictor": name, "group": "all", "null_value": 0.0}
        cells |= {"hypothesis": "two-sided", **class_size_columns(whole)}
        notes = sample_notes(whole)
        result = undefined_result("weights-need-bootstrap")
        if whole.sample_weight is None:
            # On the logit scale areas near 1 are nearer to normal.
            test = equality_test_of_logit_areas([part.cases for _, part in parts], k)
            cells["df_numerator"] = test.df_numerator
            notes = [*(note for _, part in parts for note in size_codes(part.cases)), *notes]
            method = f"{variance_name(whole.cases, 'delong')}/welch"
            result = Result(
                np.nan, statistic=test.statistic, df=test.df, p_value=test.p_value, method=method
            )
            # An area of 0 or 1 has no logit; leaving its group out would hide the largest
            # difference.
            if np.isnan(test.p_value):
                result = result._replace(method="none/none", codes=("group-at-boundary",))
        rows.append(answer_row_of_result(TEST_EQUAL_GROUPS, cells, result, notes))
    return answer_rows(TEST_EQUAL_GROUPS, sample, rows)


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
    """Return the stratified area (pairs of cases of the same group); a row is one predictor.

    Parameters
    ----------
    interval : {"logit", "wald", "probit", "logit-t"}, default "logit-t"
        Scale and quantiles of the limits.

        - "logit": on the logit scale.
        - "wald": on the scale of the area. Use it for many cases and areas far from 1.
        - "probit": on the probit scale.
        - "logit-t": on the logit scale, with t quantiles and Satterthwaite's degrees of freedom.
          ``auc`` has the same default.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests AUC > ``null_value`` and gives a one-sided lower limit; the upper limit is
        1. "less" tests AUC < ``null_value`` and gives a one-sided upper limit.
    null_value : float in (0, 1), optional
        Performance goal to test against. The test uses the scale of the interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, group, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low, range_high,
        method, note``; ``quantity`` is "stratified_auc" and ``group`` is "all". ``n_pos`` and
        ``n_neg`` count the cases in groups with both classes.

    Raises
    ------
    InputError
        If the study has no groups; if no group has both classes; if an option is unknown; or if a
        fold lacks a class.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    A pair is a positive and a negative of the same group (centre, scanner, reader). The estimate is
    the share of pairs that are ranked correctly. Ties count half. The area is A = sum_g w_g A_g
    with w_g = m_g n_g / sum_h m_h n_h. Here A_g is the area of group g, and m_g and n_g are its
    numbers of positives and negatives. Centres may differ in the level of the predictor or in
    prevalence. Such differences change the pooled ``auc``, but not this area. Large balanced groups
    have most weight. If areas differ between groups (``test_equal_groups``), the stratified area
    depends on the sizes of the groups.

    The variance is sum_g w_g^2 Var(A_g), where Var is DeLong's variance. The weights w_g are
    treated as fixed. With clusters, influence values are first summed within each cluster
    (Obuchowski). A cluster may span groups. With folds, A_g is the mean over the folds of the
    group. A group that lacks a class has no pairs and is ignored (note ``strata-without-pairs``).
    The variance is 0 or undefined if A is 0 or 1, or if a group has a single positive or negative
    (note ``single-case``). Limits are then the roots t of (A - t)^2 = z^2 sum_g w_g^2 v_g(t). Here
    z is the normal quantile, and v_g(t) is the variance of Newcombe's method 5 for an area t in
    every group. With ``sample_weight``, pairs are weighted, and only the estimate is returned.

    To compare predictors, use ``compare_stratified_auc``. The limits assume fixed groups and
    independent cases (or clusters).

    References
    ----------
    - Janes & Pepe (2009) (adjusted curve for discrete covariates, there weighted by positives)
      [janes-2009]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Newcombe (2006), method 5 [newcombe-2006]

    Examples
    --------
    In each centre, 7 of 9 pairs are ranked correctly. Scores in centre b are two units higher,
    which makes the pooled area smaller:

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
    """Return differences of stratified areas; a row is one pair of predictors.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; the interval then has a lower
        limit only. To test non-inferiority with a margin, pass ``null_value=-margin`` and
        "greater".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    interval : {"t", "wald", "mover"}, default "t"
        Limits of the differences; ``compare_auc`` explains them. Use "mover" to test
        non-inferiority.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, group, quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, method, note``; ``quantity`` is
        "stratified_auc_difference" and ``group`` is "all". ``n_pos`` and ``n_neg`` count the cases
        in groups with both classes.

    Raises
    ------
    InputError
        If the study has fewer than two predictors or no groups; if no group has both classes; if a
        name or option is unknown; or if a fold lacks a class.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    d = A1 - A2 is the difference of two areas of ``stratified_auc``. Such an area is the share of
    correctly ranked pairs among pairs of the same group. Var(d) = sum_g w_g^2 (S11 + S22 - 2
    S12)_g. Here w_g is the number of pairs in group g divided by the number of all pairs, and S is
    the covariance of the placements (DeLong). With clusters, influence values are first summed
    within each cluster (Obuchowski). A cluster may span groups. With folds, S is computed in each
    group and fold. Limits are d -+ t se, cut at -1 and 1, with quantiles of t and Satterthwaite's
    degrees of freedom over all groups.

    If an area is 0 or 1, or the variance of d is 0 or undefined, MOVER combines the stratified
    Newcombe limits of both areas. ``compare_auc`` has the formula. If two predictors rank the cases
    of every group in the same order, d = 0, p = 1 and there is no interval. With ``sample_weight``,
    only the estimate is returned.

    The limits assume fixed groups and independent cases (or clusters). A predictor that only
    identifies the group has no advantage here. It would have an advantage in ``compare_auc`` if the
    study had no groups.

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
