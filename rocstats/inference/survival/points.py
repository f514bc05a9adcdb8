"""Sensitivity, specificity and predictive values at a threshold and a time; shares behind them.

A share (of cases, or of all patients, for net benefit) is a ratio of weighted sums, its influence
that of ``StatusAt``, and its limits are Wilson's of as many independent patients as have its
variance. Without censoring they are those of counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.curves.roc import called_positive
from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import small_sample_factor
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.quantiles import limits_at_both_quantiles
from rocstats.estimate.shares import Share
from rocstats.facts.arrays import BoolArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.survival.follow_up import (
    NO_STATUS,
    Controls,
    StatusAt,
    SurvivalRatio,
    read_horizons_and_controls,
    row_notes,
    survival_time_columns,
    survival_variance_word,
)
from rocstats.study.points import read_thresholds
from rocstats.study.survival import SurvivalSample

# --- Question -------------------------------------------------------------------------------------

SURVIVAL_MEASURES = ("tpr", "tnr", "ppv", "npv", "prevalence")

SURVIVAL_OPERATING_POINTS = Question(
    "survival_operating_points",
    estimate_columns(
        f"predictor group time controls quantity direction threshold {ESTIMATE} n_pos n_neg"
        " n_censored n_effective method note"
    ),
    ("uno-2007", "hung-chiang-2010", "blanche-2013", "wilson-1927"),
)
SurvivalPointInterval = Literal["wilson", "wald"]
SURVIVAL_POINT_INTERVALS: tuple[SurvivalPointInterval, ...] = get_args(SurvivalPointInterval)
Thresholds = float | Sequence[float] | Mapping[str, float | Sequence[float]]


def survival_operating_points(
    sample: SurvivalSample,
    *,
    threshold: Thresholds,
    time: float | list[float],
    controls: Controls = "not-case",
    interval: SurvivalPointInterval = "wilson",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return rates and predictive values at thresholds and times; a row is one measure.

    Use this method for a threshold chosen before these patients were seen. Sensitivity is the share
    of positive calls among patients with the event up to t. The positive predictive value is the
    risk of the event up to t among patients called positive. Predictive values and prevalence refer
    to all patients, including those with an event of another cause up to t.

    Parameters
    ----------
    threshold : float, sequence of float, or mapping of str to them
        Thresholds on the user's scale, chosen beforehand; a mapping has separate thresholds for
        each predictor. A threshold chosen in these data makes the measures too good.
    time : float > 0, or sequence of them
        Times t, in the unit of the study. Rows are in ascending order of the times.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at t, see ``auc``. "tpr", "ppv" and "prevalence" do not depend on
        this definition.

        - "not-case": patients without the event of interest. "npv" is one minus the risk of the
          event up to t among patients called negative.
        - "event-free": patients without any event. "npv" is the share without any event among
          patients called negative (timeROC's NPV_1).
    interval : {"wilson", "wald"}, default "wilson"
        - "wilson": Wilson's limits with the effective number of patients. Without censoring they
          equal the limits of ``Study.operating_points``.
        - "wald": estimate -+ z se, cut at 0 and 1, as in timeROC.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, controls, quantity, direction, threshold, estimate,
        ci_low, ci_high, se, n_pos, n_neg, n_censored, n_effective, confidence_level, method,
        note``. ``quantity`` is "tpr", "tnr", "ppv", "npv" or "prevalence" (the share of patients
        with the event up to the time). ``n_effective`` is the effective number of patients that the
        limits use.

    Raises
    ------
    InputError
        If a time is not above 0; if a threshold is not a number or is for an unknown predictor; or
        if an option or number is invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``:

        - ``no-status-at-time``: no cases, no controls or no patients in follow-up at a time; the
          row is NaN.
        - ``no-calls``: no positive or no negative calls.
        - ``few-cases``, ``few-clusters``: few cases or clusters.
        - ``weights-extreme``: a patient has a weight above ten.

    Notes
    -----
    Let w be the weights of ``auc``. Each measure is a ratio r = sum w v/sum w d over patients,
    where v and d are 0 or 1. For sensitivity, v marks the cases called positive, and d marks all
    cases. For the positive predictive value, d marks all patients called positive. For the
    prevalence, d marks all patients. Patients censored up to t have no weight. The influence of a
    patient k is [n f_k + sum f_i Psi_k(x_i)]/sum w d. Here f = w (v - r d) is the residual, and Psi
    is the influence on -log G. This influence is the exact derivative of the measure, including
    ties and the estimation of the weights. With clusters, influence is summed by cluster. The
    prevalence is the Aalen-Johansen estimate of the cumulative incidence; without other causes it
    is one minus the Kaplan-Meier estimate.

    Wilson's limits use r (1 - r)/Var patients, where Var has the divisor n. For a measure of 0 or
    1, they use (sum w)^2/sum w^2 patients, with the weights of the denominator (with clusters,
    their sums by cluster). Normal limits of zero width are replaced by Wilson's (``no-width``).

    In simulations with 100 to 1000 patients, 95% limits had coverage .937 to .981 with "wilson".
    With "wald", coverage was as low as .879. With 60 clusters, of which four were large, coverage
    with "wilson" was about .93.

    Censoring must be independent of times and scores (note ``marginal-censoring``).

    References
    ----------
    - Uno, Cai, Tian & Wei (2007) [uno-2007]
    - Hung & Chiang (2010), the variance [hung-chiang-2010]
    - Blanche, Dartigues & Jacqmin-Gadda (2013), competing risks [blanche-2013]
    - Wilson (1927) [wilson-1927]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> found = study.operating_points(threshold=20, time=14)
    >>> found[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
         quantity  estimate  ci_low  ci_high
    0         tpr     0.627   0.404    0.806
    1         tnr     0.500   0.254    0.746
    2         ppv     0.612   0.385    0.800
    3         npv     0.515   0.274    0.749
    4  prevalence     0.558   0.389    0.714
    """
    horizons = read_horizons_and_controls(time, controls)
    cuts = read_thresholds(threshold, sample.predictors)
    interval = require_choice("interval", interval, SURVIVAL_POINT_INTERVALS)
    require_open_interval("confidence_level", confidence_level, 0, 1)

    def measure_rows(
        part: SurvivalSample, k: int, at: StatusAt, cut: float
    ) -> Iterator[dict[str, Any]]:
        higher = part.higher_is_positive[k]
        known: dict[str, Any] = {
            **survival_time_columns(at, at.t),
            "predictor": part.predictors[k],
            "controls": horizons.controls,
            "direction": ">=" if higher else "<=",
            "threshold": cut,
            "confidence_level": confidence_level,
        }
        called = called_positive(part.scores[k], cut, higher_is_positive=higher)
        shares = survival_measures_at(at, called) if at.is_defined else {}
        word, notes = survival_variance_word(part, "ipcw"), row_notes(part, at)
        for name in SURVIVAL_MEASURES:
            result, n_effective = undefined_result(NO_STATUS), np.nan
            if at.is_defined:
                se = unbiased_share_error_factor(at) * float(np.sqrt(shares[name].variance))
                result, n_effective = _share_result(
                    shares[name], se, interval, confidence_level, word
                )
            cells = {**known, "quantity": name, "n_effective": n_effective}
            yield answer_row_of_result(SURVIVAL_OPERATING_POINTS, cells, result, notes)

    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for statuses in [list(horizons.statuses(part))]
        for k, name in enumerate(part.predictors)
        for at in statuses
        for cut in cuts[name].tolist()
        for row in measure_rows(part, k, at, cut)
    ]
    return answer_rows(SURVIVAL_OPERATING_POINTS, sample, rows)


def _share_result(
    share: Share, se: float, interval: SurvivalPointInterval, level: float, word: str
) -> tuple[Result, float]:
    """Return a measure with its limits, and the number of patients that they allow for."""
    if np.isnan(se):  # nobody in the denominator, or a single cluster
        codes = ("no-calls",) if np.isnan(share.value) else ()
        return Result(share.value, se, codes=codes), np.nan
    if interval == "wald" and se > 0:
        low, high = limits_at_both_quantiles(
            lambda z: float(np.clip(share.value + z * se, 0, 1)), level, "two-sided"
        )
        return Result(share.value, se, low, high, method=f"{word}/wald"), np.nan
    size = share.effective_size
    low, high = map(float, binomial_limits_of_rates(share.value, size, "wilson", level))
    codes = ("no-width",) if interval == "wald" else ()
    method = f"{word}/wilson-effective-n"
    return Result(share.value, se, low, high, method=method, codes=codes), size


# --- Measures at a threshold, and shares with weights for censoring -------------------------------


def survival_measures_at(at: StatusAt, called: BoolArray) -> dict[str, Share]:
    """Return rates, predictive values and the prevalence; NaN where nobody is in a denominator."""
    case, control, known = at.is_case, at.is_control, at.is_known
    # Of all patients, whoever is a control: one with another event first is a patient too.
    among = {
        "tpr": (case & called, case),
        "tnr": (control & ~called, control),
        "ppv": (case & called, known & called),
        "npv": (control & ~called, known & ~called),
        "prevalence": (case, known),
    }
    return {name: survival_share_at(at, *sides) for name, sides in among.items()}


def survival_share_at(at: StatusAt, event: BoolArray, among: BoolArray) -> Share:
    """Return the weighted share of some patients that have an event."""
    found = at.ratio(event.astype(np.float64), among.astype(np.float64))
    return _weighted_share(at, found, float(at.weight @ among), among)


def event_share_of_all_patients(at: StatusAt, event: BoolArray) -> Share:
    """Return the share of all patients that has an event by the time."""
    found = at.mean(event.astype(np.float64))
    return _weighted_share(at, found, float(at.follow_up.size), at.is_known)


def _weighted_share(at: StatusAt, found: SurvivalRatio, size: float, among: BoolArray) -> Share:
    """Return a share with the influence of units, whose squares sum to the variance."""
    clustered = at.follow_up.cluster is not None
    (influence,) = at.follow_up.units(found.influence[np.newaxis], unbiased=clustered)
    return Share(
        found.value, influence, found.value * size, size, _effective_number_of_patients(at, among)
    )


def unbiased_share_error_factor(at: StatusAt) -> float:
    """Return the factor of an unbiased standard error of a share; clusters have theirs already."""
    # Of Wilson's limits the variance of a share has the divisor n, as that of a binomial.
    of = at.follow_up
    return 1.0 if of.cluster is not None else float(np.sqrt(small_sample_factor(of.size)))


def _effective_number_of_patients(at: StatusAt, among: BoolArray) -> float:
    """Return Kish's number of equally weighted patients (clusters) among some, for no variance."""
    weight = np.where(among, at.weight, 0.0)
    if at.follow_up.cluster is not None:
        weight = np.bincount(at.follow_up.cluster, weights=weight)
    squares = float(weight @ weight)
    return float(weight.sum()) ** 2 / squares if squares > 0 else 0.0
