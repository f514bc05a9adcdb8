"""Areas under the ROC curve at a time, their differences, and bands over several times.

Cases and controls at a time have weights for censoring (``follow_up``). Each area carries the
influence of every patient; variances of differences and bands come from these values (``ratios``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import read_area_test, snap_to_boundary
from rocstats.estimate.claim import Adjustment, Hypothesis, read_claim
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.influence import matrix_product_in_blocks
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.simultaneous import largest_normal
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import FULL_AREA
from rocstats.facts.methods import SURVIVAL_BAND
from rocstats.facts.tolerances import NO_VARIANCE
from rocstats.frame.question import AREA, ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.survival.follow_up import (
    NO_STATUS,
    Controls,
    FollowUp,
    Horizons,
    StatusAt,
    SurvivalRatio,
    read_horizons_and_controls,
    row_notes,
    survival_time_columns,
    survival_variance_word,
)
from rocstats.inference.survival.ratios import (
    SURVIVAL_INTERVALS,
    ScoreCodes,
    SurvivalInterval,
    ratio_differences,
    ratio_result,
    ratio_rows,
    survival_score_codes,
)
from rocstats.study.survival import SurvivalSample

# --- Question: areas at given times ---------------------------------------------------------------

SURVIVAL_AUC = Question(
    "survival_auc",
    estimate_columns(
        f"predictor group time controls {AREA} {TEST} hypothesis n_pos n_neg n_censored method note"
    ),
    ("uno-2007", "hung-chiang-2010", "blanche-2013", "newcombe-2006"),
)


def survival_auc(
    sample: SurvivalSample,
    *,
    time: float | Sequence[float],
    controls: Controls = "not-case",
    interval: SurvivalInterval = "logit-t",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
) -> pd.DataFrame:
    """Return time-dependent areas under the ROC curve; a row is one predictor at one time.

    The area at time t is the probability that a patient with the event up to t has a higher score
    than a patient without the event (cumulative cases, dynamic controls). Use this method for a
    time chosen before the data were seen. ``concordance`` summarises all times in one number.

    Parameters
    ----------
    time : float > 0, or sequence of them
        Times t, in the unit of the study. Rows are in ascending order of the times.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at t. Without events of other causes both definitions are the
        same.

        - "not-case": patients without the event of interest up to t, with or without other events.
          Use it for predictions of the risk of the event (timeROC's AUC_2, riskRegression).
        - "event-free": patients without any event up to t (timeROC's AUC_1).
    interval : {"logit-t", "logit", "wald"}, default "logit-t"
        - "logit-t": t limits on the logit scale, with Satterthwaite's degrees of freedom.
        - "logit": normal limits on the logit scale; too narrow with few events.
        - "wald": estimate -+ z se, cut at 0 and 1, as in timeROC and riskRegression.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval at each single time; ``auc_band`` has simultaneous
        limits.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests AUC > ``null_value`` and gives a lower limit at the full level; the upper
        limit is 1. "less" tests AUC < ``null_value`` and gives an upper limit.
    null_value : float in (0, 1), optional
        Performance goal to test against; the test and the interval agree.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, controls, quantity, estimate, ci_low, ci_high, p_value,
        se, statistic, df, n_pos, n_neg, n_censored, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, method, note``. ``n_pos`` and ``n_neg`` are the numbers
        of cases and controls at t. ``n_censored`` is the number of patients censored up to t.

    Raises
    ------
    InputError
        If a time is not above 0, or an option or number is invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``:

        - ``no-status-at-time``: no cases, no controls or no patients in follow-up at a time; the
          row is NaN.
        - ``few-cases``: under 20 cases or controls.
        - ``weights-extreme``: a patient has a weight above ten.
        - Warnings of ``Study.auc``.

    Notes
    -----
    A case i has the weight a_i = 1/G(T_i-). A control j has the weight b_j = 1/G(t) if the patient
    was followed beyond t, or b_j = 1/G(T_j-) after an event of another cause. Patients censored up
    to t have no weight. G is the Kaplan-Meier estimate of the distribution of censoring; at equal
    times events come before censoring. The area is sum a_i b_j psi(M_i, M_j)/(sum a sum b). psi is
    1 if the case has the higher score M, 1/2 for equal scores, else 0. With n patients, the
    variance is the sum of squared influence values divided by n (n - 1). The influence values are
    the exact derivatives of the estimate, including ties and the estimation of G. With clusters,
    they are summed by cluster. An area of 0 or 1 has Newcombe's limits.

    Censoring must be independent of times and scores (note ``marginal-censoring``, in every row).
    Do not apply the method to the training data of a model.

    ``df`` combines the degrees of freedom of cases, controls and other patients by Satterthwaite's
    rule. Each of these three groups has its number of patients minus 1. For unequal weights, the
    number of patients is (sum w^2)^2/sum w^4. In simulations with 100 to 1000 patients and areas of
    .80 to .94, 95% limits had coverage .939 to .960 with "logit-t". Coverage was .931 to .956 with
    "logit", and .882 to .947 with "wald". With 5 to 10 cases, coverage was .91 to .94 with
    "logit-t" and .87 to .91 with "logit" (docs/methods/survival.md, "Few events").

    References
    ----------
    - Uno, Cai, Tian & Wei (2007), the estimator [uno-2007]
    - Hung & Chiang (2010), its variance [hung-chiang-2010]
    - Blanche, Dartigues & Jacqmin-Gadda (2013), competing risks [blanche-2013]
    - Newcombe (2006), areas of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> found = study.auc(time=[8, 14])
    >>> found[["time", "estimate", "ci_low", "ci_high", "n_pos", "n_neg", "n_censored"]].round(3)
       time  estimate  ci_low  ci_high  n_pos  n_neg  n_censored
    0   8.0     0.556   0.341    0.752     11     24           5
    1  14.0     0.620   0.391    0.805     19     12           9
    """
    horizons = read_horizons_and_controls(time, controls)
    interval = require_choice("interval", interval, SURVIVAL_INTERVALS)
    test = read_area_test(confidence_level, alternative, null_value)

    def rows_at(part: SurvivalSample, group: str, at: StatusAt) -> list[dict[str, Any]]:
        known = {**_time_columns(at, group, horizons), **test.columns()}
        areas, word = _areas_at(part, at), survival_variance_word(part, "ipcw")
        return list(ratio_rows(SURVIVAL_AUC, part, known, at, areas, interval, test, word))

    rows = []
    for group, part in sample.by_group():
        # One time after the other: the weights of many times need not be kept.
        by_time = [rows_at(part, group, at) for at in horizons.statuses(part)]
        rows += [row for of_predictor in zip(*by_time, strict=True) for row in of_predictor]
    return answer_rows(SURVIVAL_AUC, sample, rows)


def _time_columns(at: StatusAt, group: str, horizons: Horizons) -> dict[str, Any]:
    """Return the columns of an area at a time, or of a difference."""
    about = {**FULL_AREA, "group": group, "controls": horizons.controls}
    return {**about, **survival_time_columns(at, at.t)}


# --- Area at a time, with the influence of each patient -------------------------------------------


def _areas_at(part: SurvivalSample, at: StatusAt) -> list[SurvivalRatio]:
    """Return the area of each predictor at a time; none without patients to compare."""
    if not at.is_defined:
        return []
    return [
        survival_area_at(at, survival_score_codes(part, k)) for k in range(len(part.predictors))
    ]


def survival_area_at(at: StatusAt, scores: ScoreCodes) -> SurvivalRatio:
    """Return A = sum a_i b_j psi(M_i, M_j)/(sum a sum b) with the influence of each patient.

    a and b are the weights of cases and controls, psi is 1 where the case has the higher score and
    1/2 where both are equal [uno-2007]. The influence allows for the estimated weights
    [hung-chiang-2010], as ``StatusAt.influence``.
    """
    case, control = at.case_weight, at.control_weight
    of_case = _weight_share_below_patient(control, scores)
    value = float(case @ of_case) / float(case.sum())
    of_control = 1 - _weight_share_below_patient(case, scores)
    residual = case * (of_case - value) / case.sum()
    residual += control * (of_control - value) / control.sum()
    return SurvivalRatio(snap_to_boundary(value), at.influence(residual))


def _weight_share_below_patient(weight: FloatArray, scores: ScoreCodes) -> FloatArray:
    """Return the share of the weight that has a lower score than each patient, ties as a half."""
    at_score = np.bincount(scores.codes, weights=weight, minlength=scores.size)
    up_to = np.cumsum(at_score)
    below = (up_to - at_score / 2) / up_to[-1]
    return np.asarray(below[scores.codes])


# --- Question: differences of areas of predictors on the same patients ----------------------------

SURVIVAL_COMPARE_AUC = Question(
    "survival_compare_auc",
    estimate_columns(
        f"predictor reference group time controls {AREA} {TEST} p_adjusted hypothesis n_pos n_neg"
        " n_censored method note"
    ),
    ("blanche-2013", "hung-chiang-2010"),
)


def survival_compare_auc(
    sample: SurvivalSample,
    *,
    time: float | Sequence[float],
    controls: Controls = "not-case",
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of time-dependent areas; a row is one pair of predictors at one time.

    Parameters
    ----------
    time : float > 0, or sequence of them
        Times, in the unit of the study.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at a time, as in ``auc``.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of the areas, as in ``Study.compare_auc``.

        - "difference" (default): d is not ``null_value``; with a one-sided ``alternative``, d is
          above or below ``null_value``.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows, including all times; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence, it is 2 ``confidence_level`` - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], time, controls, quantity, estimate, ci_low,
        ci_high, p_value, p_adjusted, se, statistic, df, n_pos, n_neg, n_censored, confidence_level,
        null_value, hypothesis, range_axis, range_low, range_high, method, note``. ``quantity`` is
        "auc_difference": the area of the predictor minus the area of the reference.

    Raises
    ------
    InputError
        As in ``auc``. Also if the study has one predictor, or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        As in ``auc``. Also if both predictors have the same ranking of all patients
        (``no-discordance``), or if the difference has no variance (``no-variance``).

    Notes
    -----
    The standard error is computed from the difference of each patient's two influence values. It
    includes the correlation of both areas. Limits and test use t with the degrees of freedom of
    ``auc``. In simulations with 100 to 1000 patients, 95% limits had coverage .940 to .957.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013), section 3.3 [blanche-2013]
    - Hung & Chiang (2010) [hung-chiang-2010]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> scores = {"new": (50 - months) / 3 + 29 * k % 19, "old": (50 - months) / 4 + 17 * k % 23}
    >>> study = rs.SurvivalStudy(months, died, scores)
    >>> found = study.compare_auc(time=[8, 14])
    >>> found[["time", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
       time  estimate  ci_low  ci_high  p_value
    0   8.0     0.003  -0.279    0.285    0.981
    1  14.0    -0.007  -0.315    0.302    0.966
    """
    horizons = read_horizons_and_controls(time, controls)
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        null_value,
        adjust,
        confidence_level,
        scores="score",
    )

    def differences_at(part: SurvivalSample, group: str, at: StatusAt) -> list[ComparedRow]:
        known, word = _time_columns(at, group, horizons), survival_variance_word(part, "ipcw")
        return list(ratio_differences(part, known, at, _areas_at(part, at), claim, word))

    def differences() -> Iterator[ComparedRow]:
        for group, part in sample.by_group():
            by_time = [differences_at(part, group, at) for at in horizons.statuses(part)]
            for of_pair in zip(*by_time, strict=True):
                yield from of_pair

    return comparison_frame(SURVIVAL_COMPARE_AUC, sample, claim.adjust, differences())


# --- Question: areas at several times with a simultaneous band ------------------------------------
# The level of each interval comes from the correlation of the areas' influence values.

SURVIVAL_AUC_BAND = Question(
    "survival_auc_band",
    estimate_columns(
        f"predictor group time controls quantity {ESTIMATE} scope n_pos n_neg n_censored method"
        " note"
    ),
    ("blanche-2013", "hung-chiang-2010", "newcombe-2006"),
)


def survival_auc_band(
    sample: SurvivalSample,
    *,
    time: float | Sequence[float],
    controls: Controls = "not-case",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return areas at several times with a simultaneous band; a row is one predictor at one time.

    Use the band for a graph of discrimination over time, or for a claim about several times. For
    one time, ``auc`` has narrower limits.

    Parameters
    ----------
    time : sequence of float > 0
        Times of the band, in the unit of the study. The band is simultaneous over these times. Rows
        are in ascending order of the times.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at a time, as in ``auc``.
    confidence_level : float in (0, 1), default 0.95
        Level of the whole band of one predictor.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, controls, quantity, estimate, ci_low, ci_high, se,
        n_pos, n_neg, n_censored, confidence_level, scope, method, note``.

    Raises
    ------
    InputError
        As in ``auc``.

    Warns
    -----
    StatisticalWarning
        As in ``auc``.

    Notes
    -----
    The limits of an area A are expit(logit A -+ c se/(A(1 - A))), where c is a quantile of t with
    the df of ``auc``. The probability of this quantile is chosen for the maximum of normal
    variables over the times. These variables have the correlation of the influence values. No
    random numbers are used. An area of 0 or 1 has Newcombe's limits at the level of c. More times
    make a band wider, but only slightly if the times are close. A band of 100 times takes some
    seconds.

    In simulations with 100 to 1000 patients and four times, 95% bands contained all true areas in
    .947 to .962 of samples. With 5 to 10 cases at two times they contained all true areas in .89 to
    .92 of samples.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013), section 3 [blanche-2013]
    - Hung & Chiang (2010) [hung-chiang-2010]
    - Newcombe (2006), areas of 0 and 1 [newcombe-2006]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> band = study.auc_band(time=[8, 11, 14])
    >>> band[["time", "estimate", "ci_low", "ci_high"]].round(3)
       time  estimate  ci_low  ci_high
    0   8.0     0.556   0.304    0.782
    1  11.0     0.654   0.402    0.842
    2  14.0     0.620   0.350    0.832
    """
    horizons = read_horizons_and_controls(time, controls)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for row in _area_band_rows(part, horizons, confidence_level)
    ]
    return answer_rows(SURVIVAL_AUC_BAND, sample, rows)


def _area_band_rows(
    part: SurvivalSample, horizons: Horizons, level: float
) -> Iterator[dict[str, Any]]:
    statuses = list(horizons.statuses(part))
    defined = [at for at in statuses if at.is_defined]
    for k, name in enumerate(part.predictors):
        areas = {at.t: survival_area_at(at, survival_score_codes(part, k)) for at in defined}
        each = (
            survival_band_level(defined[0].follow_up, list(areas.values()), level)
            if defined
            else level
        )
        test = read_area_test(each, "two-sided", None)
        for at in statuses:
            known = {
                "predictor": name,
                "quantity": "auc",
                "controls": horizons.controls,
                "scope": "simultaneous",
                **survival_time_columns(at, at.t),
            }
            result = undefined_result(NO_STATUS)
            if at.is_defined:
                known["confidence_level"] = level
                word = survival_variance_word(part, "ipcw")
                result = ratio_result(at, areas[at.t], "logit-t", test, word)
                method = result.method.replace("/logit-t", f"/{SURVIVAL_BAND}")
                result = result._replace(method=method)
            yield answer_row_of_result(SURVIVAL_AUC_BAND, known, result, row_notes(part, at))


def survival_band_level(follow_up: FollowUp, areas: Sequence[SurvivalRatio], level: float) -> float:
    """Return the level of each interval at which all of them together are a simultaneous band.

    The quantile is that of the largest of correlated normal variables. An area without variance,
    whose limits are none of the normal ones, counts as independent.
    """
    if len(areas) == 1:
        return level
    units = follow_up.units(np.stack([area.influence for area in areas]))
    covariance = matrix_product_in_blocks(units, units)
    if not np.isfinite(covariance).all():  # a single cluster has no variance
        return level
    still = np.diag(covariance) <= NO_VARIANCE
    covariance = np.where(still | still[:, np.newaxis], 0.0, covariance)
    c = largest_normal(covariance, two_sided=True).quantile(level)
    return float(1 - 2 * sp.ndtr(-c))
