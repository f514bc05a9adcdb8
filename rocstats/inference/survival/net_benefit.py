"""Net benefit at risk thresholds and a time, with weights for censoring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.roc import called_positive
from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.benefit import (
    BENEFIT_INTERVALS,
    Benefit,
    BenefitInterval,
    Stakes,
    StandardizedBenefitByCases,
    benefit_limits,
)
from rocstats.estimate.claim import HypothesisPlan, read_hypothesis
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.shares import Share
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import of_family
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.survival.follow_up import (
    NO_STATUS,
    StatusAt,
    follow_up_of,
    row_notes,
    status_at,
    survival_time_columns,
    survival_variance_word,
)
from rocstats.inference.survival.points import (
    event_share_of_all_patients,
    unbiased_share_error_factor,
)
from rocstats.study.points import (
    TREAT_ALL,
    read_cuts,
    read_horizons,
    read_risk_thresholds,
    require_no_treat_all,
    require_risk,
    thresholds_of_risks,
)
from rocstats.study.survival import SurvivalSample

SURVIVAL_NET_BENEFIT = Question(
    "survival_net_benefit",
    estimate_columns(
        f"predictor group time quantity risk_threshold direction threshold prevalence {ESTIMATE}"
        " n_pos n_neg n_censored method note"
    ),
    ("vickers-2006", "uno-2007", "hung-chiang-2010", "wilson-1927", "zou-2008"),
)
BENEFIT_QUANTITIES = of_family("benefit")


def survival_net_benefit(
    sample: SurvivalSample,
    *,
    risk_threshold: float | Sequence[float],
    time: float,
    threshold: Mapping[str, Mapping[float, float]] | None = None,
    interval: BenefitInterval = "mover",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return net benefits of treatment decided by the predicted risk of an event up to a time.

    A row is one quantity at one risk threshold. Use net benefit if scores are risks of the event up
    to ``time``. Net benefit compares treatment based on these risks with treating all or none.

    Parameters
    ----------
    risk_threshold : float in (0, 1), or sequence of float
        Lowest risk at which a patient is treated, chosen for the clinical decision, or several such
        risks. The risk is the probability of the event up to ``time``.
    time : float > 0
        Time of the predicted risks, in the unit of the study. Only one time is accepted, because
        the same scores cannot be the risks up to two times.
    threshold : mapping of str to mapping of float to float, optional
        The score threshold for each risk threshold, for predictors whose scores are not risks:
        ``{"bilirubin": {0.1: 2, 0.2: 4}}``. Score thresholds must not become less strict with
        higher risk thresholds.
    interval : {"mover", "wald"}, default "mover"
        - "mover": combines Wilson's limits of both proportions, with effective sizes.
        - "wald": normal limits from ``se``; coverage is too low with few true positives.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], time, quantity, direction, risk_threshold, threshold,
        estimate, ci_low, ci_high, se, prevalence, n_pos, n_neg, n_censored, confidence_level,
        method, note``. Rows of "treat-all" follow the rows of the predictors. The net benefit of
        treating none is 0. ``quantity`` is one of these words:

        - "net_benefit": in true positives per patient.
        - "standardized_net_benefit": the net benefit divided by the share of cases up to the time;
          at most 1.
        - "interventions_avoided": per patient, compared with treating all, at the same net benefit.

    Raises
    ------
    InputError
        If ``time`` is not a single number above 0; if scores without ``threshold`` are outside [0,
        1]; if lower scores are positive; if a predictor is named "treat-all"; or if an argument is
        invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``, as in ``operating_points``.

    Notes
    -----
    Let w = p/(1 - p) be the odds of a risk threshold p. TP and FP are the sums of the weights of
    ``auc`` over the cases and controls called positive. The net benefit of n patients is NB = (TP -
    w FP)/n, in true positives per patient. Controls are all patients without the event of interest
    up to the time, including patients with another event. Without censoring, NB and its limits
    equal the results of ``Study.net_benefit``.

    ``se`` comes from influence values, which include the estimation of the weights. With clusters,
    they are summed by cluster. MOVER combines Wilson's limits of both proportions, with effective
    sizes and their correlation (a method of rocstats, not peer-reviewed). A limit of a standardized
    net benefit is the value s at which the MOVER limit of (1 - s) TP - s FN - w FP is 0. The
    interval of the net benefit therefore excludes 0 if and only if the interval of the standardized
    net benefit excludes 0. In simulations with 100 to 1000 patients, 95% limits of net benefits had
    coverage .946 to .960.

    R's dcurves fits a separate Kaplan-Meier curve to the patients called positive. The share of
    cases among them comes from this curve. The estimates of dcurves allow for censoring that
    depends on the call. They differ from the estimates of this method in the third digit.

    Net benefit assumes that scores are calibrated risks (``scores-taken-as-risks``). Censoring must
    be independent of times and scores (``marginal-censoring``).

    References
    ----------
    - Vickers & Elkin (2006) [vickers-2006]
    - Uno, Cai, Tian & Wei (2007), weights [uno-2007]
    - Hung & Chiang (2010), the variance [hung-chiang-2010]
    - Wilson (1927) [wilson-1927]
    - Zou & Donner (2008), MOVER [zou-2008]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> risk = ((50 - months) / 4 + 17 * k % 23) / 40
    >>> study = rs.SurvivalStudy(months, died, risk, predictor="risk")
    >>> found = study.net_benefit(risk_threshold=0.3, time=14)
    >>> found[["predictor", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
       predictor                  quantity  estimate  ci_low  ci_high
    0       risk               net_benefit     0.400   0.164    0.612
    1       risk  standardized_net_benefit     0.717   0.403    0.863
    2       risk     interventions_avoided     0.074  -0.193    0.231
    3  treat-all               net_benefit     0.368   0.127    0.592
    4  treat-all  standardized_net_benefit     0.660   0.318    0.828
    """
    interval = require_choice("interval", interval, BENEFIT_INTERVALS)
    plan = read_hypothesis("difference", None, "two-sided", 0.0, confidence_level)
    risk_thresholds = read_risk_thresholds(risk_threshold)
    cuts = _read_risk_cuts(sample, threshold, risk_thresholds)
    risks = frozenset(name for name in sample.predictors if name not in cuts)
    for name in risks:
        score = sample.scores[sample.predictors.index(name)]
        cuts[name] = thresholds_of_risks(risk_thresholds, score)
    t = _read_survival_benefit_time(time)

    def benefit_rows(part: SurvivalSample, name: str, at: StatusAt) -> Iterator[dict[str, Any]]:
        of_all = name == TREAT_ALL
        k = 0 if of_all else part.predictors.index(name)
        higher = of_all or part.higher_is_positive[k]
        taken = ["scores-taken-as-risks"] if name in risks else []
        notes = [*taken, *row_notes(part, at)]
        known: dict[str, Any] = {
            **survival_time_columns(at, at.t),
            "predictor": name,
            "direction": ">=" if higher else "<=",
            "confidence_level": plan.confidence_level,
            "prevalence": at.mean(at.is_case.astype(np.float64)).value if at.is_defined else np.nan,
        }
        places = risk_thresholds if of_all else cuts[name]
        for risk, cut in zip(risk_thresholds.tolist(), places.tolist(), strict=True):
            known |= {"risk_threshold": risk, "threshold": -np.inf if of_all else cut}
            called = np.ones(part.n_patients, dtype=bool)
            if not of_all:
                called = called_positive(part.scores[k], cut, higher_is_positive=higher)
            for quantity in BENEFIT_QUANTITIES[:2] if of_all else BENEFIT_QUANTITIES:
                known["quantity"] = quantity
                result = undefined_result(NO_STATUS)
                if at.is_defined:
                    stakes = Stakes(risk, None)
                    result = _survival_benefit_result(at, called, stakes, quantity, interval, plan)
                    limits = result.method.partition("/")[2]
                    if limits != "none":
                        result = result._replace(
                            method=f"{survival_variance_word(part, 'ipcw')}/{limits}"
                        )
                yield answer_row_of_result(SURVIVAL_NET_BENEFIT, known, result, notes)

    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for at in [status_at(follow_up_of(part), t, "not-case")]
        for name in (*sample.predictors, TREAT_ALL)
        for row in benefit_rows(part, name, at)
    ]
    return answer_rows(SURVIVAL_NET_BENEFIT, sample, rows)


def _read_survival_benefit_time(time: Any) -> float:
    times = read_horizons(time)
    if len(times) > 1:
        raise InputError(
            f"`time` must be a single number, the time of the risks; got {time!r}. Call the"
            f" method once for each time, with its risks."
        )
    return float(times[0])


def _read_risk_cuts(
    sample: SurvivalSample, threshold: Any, at: FloatArray
) -> dict[str, FloatArray]:
    """Return the thresholds of predictors that are no risks; InputError for wrong ones."""
    require_no_treat_all(sample.predictors, "score")
    cuts = read_cuts(threshold, sample.predictors, sample.higher_is_positive, at)
    for k, name in enumerate(sample.predictors):
        if name not in cuts:
            higher, mapped = sample.higher_is_positive[k], threshold is not None
            score = sample.scores[k]
            require_risk(name, score, higher=higher, mapped=mapped, argument="score")
    return cuts


def _survival_benefit_result(
    at: StatusAt,
    called: BoolArray,
    stakes: Stakes,
    quantity: str,
    interval: BenefitInterval,
    plan: HypothesisPlan,
) -> Result:
    if quantity == "net_benefit":
        return benefit_limits(survival_benefit_at(at, called, stakes), interval, plan)
    if quantity == "standardized_net_benefit":
        return benefit_limits(standardized_survival_benefit(at, called, stakes), interval, plan)
    # The same net benefit is had by sparing so many of those whom treating all would treat.
    gain = benefit_limits(survival_benefit_over_treat_all(at, called, stakes), interval, plan)
    return gain._replace(
        estimate=gain.estimate / stakes.odds,
        se=gain.se / stakes.odds,
        ci_low=gain.ci_low / stakes.odds,
        ci_high=gain.ci_high / stakes.odds,
    )


# --- Net benefit at a time ------------------------------------------------------------------------


def survival_benefit_at(at: StatusAt, called: BoolArray, stakes: Stakes) -> Benefit:
    """Return the net benefit of treating who is called positive, in cases found a patient."""
    parts = (
        event_share_of_all_patients(at, at.is_case & called),
        event_share_of_all_patients(at, at.is_control & called),
    )
    return _benefit_of_shares(at, parts, stakes.factors())


def survival_benefit_over_treat_all(at: StatusAt, called: BoolArray, stakes: Stakes) -> Benefit:
    """Return the net benefit less that of treating all: controls spared, less cases missed."""
    parts = (
        event_share_of_all_patients(at, at.is_control & ~called),
        event_share_of_all_patients(at, at.is_case & ~called),
    )
    gain, loss = stakes.factors()
    return _benefit_of_shares(at, parts, (loss, gain))


def standardized_survival_benefit(
    at: StatusAt, called: BoolArray, stakes: Stakes
) -> StandardizedBenefitByCases:
    """Return the net benefit over the share of cases, which is its largest possible value."""
    benefit = survival_benefit_at(at, called, stakes)
    events = (at.is_case & called, at.is_case & ~called, at.is_control & called)
    found, missed, false = (event_share_of_all_patients(at, event) for event in events)
    share = found.value + missed.value
    value = benefit.value / share
    units = unbiased_share_error_factor(at) * (found.influence + missed.influence)
    influence = (benefit.influence - value * units) / share
    clustered = at.follow_up.cluster is not None
    return StandardizedBenefitByCases(
        value, influence, (found, missed, false), stakes.odds, clustered
    )


def _benefit_of_shares(
    at: StatusAt, parts: tuple[Share, Share], factors: tuple[float, float]
) -> Benefit:
    influence = factors[0] * parts[0].influence - factors[1] * parts[1].influence
    value = factors[0] * parts[0].value - factors[1] * parts[1].value
    clustered, ends = at.follow_up.cluster is not None, (-factors[1], factors[0])
    return Benefit(
        value, unbiased_share_error_factor(at) * influence, parts, factors, ends, clustered
    )
