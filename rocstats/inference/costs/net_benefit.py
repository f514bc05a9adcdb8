"""Net benefit at risk thresholds: a decision curve with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.frames.questions import BINNING_ERROR, ESTIMATE, Question, estimate_columns
from rocstats.inference.costs.benefit_options import (
    RiskThresholds,
    benefit_codes,
    read_risks,
    share_of_positives,
)
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.binned import binning_error
from rocstats.sample.inputs.points.risks import TREAT_ALL, read_risk_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.paired_shares import Cases
from rocstats.stats.comparison.point_tests import PointComparison, undefined
from rocstats.stats.costs import net_benefit as benefits
from rocstats.stats.costs.benefit_limits import (
    BENEFIT_INTERVALS,
    BenefitInterval,
    benefit_limits,
)
from rocstats.stats.costs.graded import grade
from rocstats.stats.costs.net_benefit import Stakes

NET_BENEFIT = Question(
    "net_benefit",
    estimate_columns(
        "predictor group quantity risk_threshold direction threshold prevalence fp tp"
        f" {ESTIMATE} n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020", "marsh-2020", "vickers-2023", "wilson-1927", "zou-2008"),
    binned=True,
)
QUANTITIES = ("net_benefit", "standardized_net_benefit", "interventions_avoided")
_NUMBERS = ("estimate", "se", "ci_low", "ci_high", "method")


class _Asked(NamedTuple):
    """The thresholds, and how limits are made."""

    risks: RiskThresholds
    interval: BenefitInterval
    plan: HypothesisPlan


def net_benefit(
    sample: Sample,
    *,
    risk_threshold: float | Sequence[float],
    prevalence: float | None = None,
    threshold: Mapping[str, Mapping[float, float]] | None = None,
    interval: BenefitInterval = "mover",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return net benefits at risk thresholds; a row is one quantity at one risk threshold.

    Parameters
    ----------
    risk_threshold : float in (0, 1), or sequence of float
        Risks from which on one would treat, chosen for the decision at hand: a person who treats
        from a risk of 0.1 on takes 9 needless treatments for one that is needed.
    prevalence : float in (0, 1), optional
        Share of positives where the predictors will be used; scores must be risks at that
        prevalence (``rocstats.shift_prevalence`` moves them there). Default: the cases are a sample
        from there, and their share of positives is an estimate. Case-control samples must not leave
        it out.
    threshold : mapping of str to mapping of float to float, optional
        For predictors whose scores are no risks, the threshold in the place of each risk threshold:
        ``{"wfns": {0.2: 3, 0.4: 4}}``; a stricter one, or the same, for a higher risk.
    interval : {"mover", "wald"}, default "mover"
        - "mover": combined from Wilson's limits of both shares; for any number of cases.
        - "wald": normal, from ``se``; covers too little with few positives.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, risk_threshold, threshold, estimate,
        ci_low, ci_high, se, prevalence, fp, tp, n_pos, n_neg, confidence_level, method, note``.
        ``quantity`` is "net_benefit", "standardized_net_benefit" (over the prevalence, at most 1)
        or "interventions_avoided" (a case, beside treating all, at the same net benefit). Rows of
        "treat-all" follow those of the predictors; treating nobody has the net benefit 0.

    Raises
    ------
    InputError
        If scores without ``threshold`` lie outside [0, 1] or lower ones are positive, a predictor
        is called "treat-all", predictors have different cases, or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), clusters are few (``few-clusters``), a group lacks a
        class (``one-class``), a class has under 20 cases (``few-cases``, normal limits only), or
        the study has weights (``weights-need-bootstrap``: estimates alone).

    Notes
    -----
    With the odds w = t/(1 - t) of a risk threshold t, and cases called positive from t on, the net
    benefit is NB = TP/N - w FP/N, in true positives a case; at a known prevalence pi it is
    pi TPR - w (1 - pi) FPR. Treating all has pi - w (1 - pi). Interventions avoided are
    (NB - NB of treating all)/w, the standardized net benefit is NB/pi.

    ``se`` is that of influence values, in clusters summed. Limits are a MOVER combination of
    Wilson's limits of TP/N and FP/N with their correlation (of both rates at a known prevalence; of
    TN/N and FN/N beside treating all); in clusters, of effective size. Limits of a standardized net
    benefit over an estimated prevalence are normal. Limits that would have no width are those of
    counts at the prevalence of the cases (``no-width``). At a known prevalence the net benefit of
    treating all has no sampling error, and no limits (``given-prevalence``).

    With 100 to 2000 cases and prevalences of .3 to .02, simulated 95% limits covered .948 to .956
    at the worst of four risk thresholds (normal ones down to .80), at a known prevalence .946 to
    .950 and beside treating all .939 to .948 (normal ones down to .51); in 30 to 100 clusters .912
    to .944. MOVER limits of net benefits are ours, not peer-reviewed.

    Net benefit takes scores as calibrated risks (``scores-taken-as-risks``): it falls with
    calibration as well as with discrimination. A forced choice takes the larger expected benefit,
    whatever a P value is (Vickers et al. 2023). Folds are pooled: a net benefit is a mean over
    cases.

    References
    ----------
    - Vickers & Elkin (2006) [vickers-2006]
    - Pfeiffer & Gail (2020), standard errors [pfeiffer-2020]
    - Marsh, Janes & Pepe (2020), standardized net benefit [marsh-2020]
    - Vickers, Van Calster, Wynants & Steyerberg (2023), intervals and tests [vickers-2023]
    - Wilson (1927) [wilson-1927]
    - Zou & Donner (2008), MOVER [zou-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> study = rs.Study(y, [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1], predictor="risk")
    >>> found = study.net_benefit(risk_threshold=0.25)
    >>> found[["predictor", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
       predictor                  quantity  estimate  ci_low  ci_high
    0       risk               net_benefit     0.233  -0.013    0.555
    1       risk  standardized_net_benefit     0.778   0.359    1.000
    2       risk     interventions_avoided     0.500  -0.373    0.763
    3  treat-all               net_benefit     0.067  -0.190    0.471
    4  treat-all  standardized_net_benefit     0.222  -0.887    1.000
    """
    NET_BENEFIT.require_roles(sample)
    at = read_risk_thresholds(risk_threshold)
    interval = require_choice("interval", interval, BENEFIT_INTERVALS)
    plan = read_hypothesis("difference", None, "two-sided", 0.0, confidence_level)
    asked = _Asked(read_risks(sample, at, prevalence, threshold), interval, plan)
    rows = [
        {"group": group, "predictor": name, **row}
        for group, part in sample.by_group()
        for name in (*sample.predictors, TREAT_ALL)
        for row in _rows(part, name, asked)
    ]
    return answer_rows(NET_BENEFIT, sample, rows)


def _rows(part: Sample, name: str, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of a predictor, or of treating all, in one group."""
    risks, empty = asked.risks, lacks_class(part)
    k = 0 if name == TREAT_ALL else part.predictors.index(name)
    cuts = risks.cuts[part.predictors[k]]
    graded = grade(part.cases, [k], [cuts])
    known = {
        "direction": ">=" if part.higher_is_positive[k] or name == TREAT_ALL else "<=",
        "prevalence": share_of_positives(part, risks.prevalence),
        "confidence_level": asked.plan.confidence_level,
        **class_sizes(part),
    }
    codes = [*risks.codes([name]), *benefit_codes(part, normal=asked.interval == "wald")]
    errors = np.zeros((len(cuts), len(QUANTITIES)))
    if name != TREAT_ALL and not empty:
        errors = np.broadcast_to(
            binning_error(part, lambda one: _estimates(one, k, cuts, risks)), errors.shape
        )
    for g, at in enumerate(risks.stakes()):
        called = graded.called(g)
        here = {"risk_threshold": at.risk_threshold, "threshold": float(cuts[g])}
        if name == TREAT_ALL:
            called, here["threshold"] = np.ones_like(called), -np.inf
        counts = _counts(graded.cases, called)
        for q, quantity in enumerate(QUANTITIES if name != TREAT_ALL else QUANTITIES[:2]):
            result = undefined("one-class")
            if not empty:
                fixed = name == TREAT_ALL and at.prevalence is not None
                result = _answer(graded.cases, called, at, quantity, asked, fixed=fixed)
                if part.sample_weight is not None:
                    result = undefined("weights-need-bootstrap", result.estimate)
            numbers = {column: getattr(result, column) for column in _NUMBERS}
            note = {"note": [*result.codes, *codes], "quantity": quantity}
            yield {**known, **here, **counts, **numbers, BINNING_ERROR: errors[g, q], **note}


def _estimates(part: Sample, k: int, cuts: FloatArray, risks: RiskThresholds) -> FloatArray:
    """Return each quantity at each risk threshold: all rise with the curve."""
    graded = grade(part.cases, [k], [cuts])
    rows = [
        (
            benefits.net_benefit(graded.cases, graded.called(g), at).value,
            benefits.standardized(graded.cases, graded.called(g), at).value,
            benefits.over_treat_all(graded.cases, graded.called(g), at).value / at.odds,
        )
        for g, at in enumerate(risks.stakes())
    ]
    return np.array(rows)


def _answer(
    cases: Cases,
    called: BoolArray,
    at: Stakes,
    quantity: str,
    asked: _Asked,
    *,
    fixed: bool,
) -> PointComparison:
    """Return one quantity; ``fixed`` says that a given prevalence alone decides it."""
    if quantity == "standardized_net_benefit":
        of_ratio = benefits.standardized(cases, called, at)
        if fixed:
            return undefined("given-prevalence", of_ratio.value)
        return benefit_limits(of_ratio, asked.interval, asked.plan)
    if quantity == "net_benefit":
        benefit = benefits.net_benefit(cases, called, at)
        if fixed:
            return undefined("given-prevalence", benefit.value)
        return benefit_limits(benefit, asked.interval, asked.plan)
    # The same net benefit is had by sparing so many of those whom treating all would treat.
    gain = benefit_limits(benefits.over_treat_all(cases, called, at), asked.interval, asked.plan)
    numbers = {name: getattr(gain, name) / at.odds for name in _NUMBERS[:-1]}
    return gain._replace(**numbers)


def _counts(cases: Cases, called: BoolArray) -> dict[str, float]:
    """Return the columns of the numbers of false and true positives."""
    sides = (("fp", ~cases.is_positive), ("tp", cases.is_positive))
    return {name: float(cases.weight[called & side].sum()) for name, side in sides}
