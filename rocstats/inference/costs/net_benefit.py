"""Net benefit at risk thresholds, its mean over a range, and differences of both.

Net benefit is TP/n - FP/n r/(1 - r) at the risk threshold r [vickers-2006], at the prevalence of
the cases or at another. Differences are between two predictors, or a predictor and treating all.
Limits are MOVER [zou-2008], Wald, or Tango's for differences [tango-1998]. The mean over a range of
risk thresholds is a mean over cases of what each adds.
Derivations: docs/methods/costs.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_name, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_row_without_result,
    answer_rows,
    class_size_columns,
    lacks_class,
)
from rocstats.estimate.areas import size_codes
from rocstats.estimate.benefit import (
    BENEFIT_INTERVALS,
    Benefit,
    BenefitInterval,
    GradedCases,
    Stakes,
    benefit_limits,
    benefit_test,
    case_benefits,
    cases_graded_by_thresholds,
    mean_benefit,
    net_benefit_difference,
    net_benefit_over_treat_all,
    standardized_benefit_of_calls,
)
from rocstats.estimate.benefit import benefit_of_calls as net_benefit_at
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Hypothesis,
    HypothesisPlan,
    hypothesis_columns,
    index_pairs,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Estimate, Result, undefined_result
from rocstats.estimate.precision import PrecisionPrevalence, prevalence_of_precision_row
from rocstats.estimate.quantiles import Alternative, t_quantile
from rocstats.estimate.shares import WeightedCases, effective_units
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import difference_of, of_family, range_of
from rocstats.frame.question import (
    BINNING_ERROR,
    ESTIMATE,
    TEST,
    Question,
    RoleRefusal,
    estimate_columns,
)
from rocstats.study.base import sample_notes
from rocstats.study.binned import binning_error
from rocstats.study.points import (
    TREAT_ALL,
    read_cuts,
    read_risk_range,
    read_risk_thresholds,
    require_no_treat_all,
    require_risk,
    thresholds_of_risks,
)
from rocstats.study.sample import Sample, require_same_cases

# --- Net benefit at risk thresholds: a decision curve ---------------------------------------------

NET_BENEFIT = Question(
    "net_benefit",
    estimate_columns(
        "predictor group quantity risk_threshold direction threshold prevalence fp tp"
        f" {ESTIMATE} n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020", "marsh-2020", "vickers-2023", "wilson-1927", "zou-2008"),
    binned=True,
)
BENEFIT_QUANTITIES = of_family("benefit")


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
        Lowest risks at which a patient is treated, chosen for the clinical decision. With a
        threshold of 0.1, up to 9 unnecessary treatments are acceptable for each necessary
        treatment.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use. Scores must be risks at this prevalence (see
        ``rocstats.shift_prevalence``). By default it is estimated from the cases, which must be a
        random sample of that population. Required for case-control samples.
    threshold : mapping of str to mapping of float to float, optional
        Score threshold for each risk threshold, for predictors whose scores are not risks, for
        example ``{"wfns": {0.2: 3, 0.4: 4}}``. A higher risk threshold must not have a less strict
        score threshold.
    interval : {"mover", "wald"}, default "mover"
        - "mover": combines Wilson's limits of both proportions; for any number of cases.
        - "wald": normal limits from ``se``; coverage is too low with few positives.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, risk_threshold, threshold, estimate,
        ci_low, ci_high, se, prevalence, fp, tp, n_pos, n_neg, confidence_level, method, note``.
        The values of ``quantity`` are:

        - "net_benefit": net benefit, in true positives per case.
        - "standardized_net_benefit": net benefit divided by the prevalence, at most 1.
        - "interventions_avoided": interventions avoided per case, compared with treating all, at
          the same net benefit.

        Rows of "treat-all" follow the rows of the predictors. The net benefit of treating none is
        0.

    Raises
    ------
    InputError
        If scores without ``threshold`` are outside [0, 1]; if lower scores are positive; if a
        predictor has the name "treat-all"; if predictors have different cases; or if an argument is
        invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``few-cases``: a class has under 20 cases. This warning is for normal limits only.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    Cases with a risk of at least the risk threshold t are called positive. Let w = t/(1 - t) be the
    odds of t. The net benefit of N cases is NB = TP/N - w FP/N, in true positives per case. With
    ``prevalence`` pi, NB = pi TPR - w (1 - pi) FPR. The net benefit of treating all is pi - w (1 -
    pi). Interventions avoided are (NB - NB of treating all)/w. The standardized net benefit is
    NB/pi.

    ``se`` comes from influence values; with clusters they are summed within clusters. MOVER
    combines Wilson's limits of TP/N and FP/N, using their correlation. With ``prevalence``, MOVER
    combines the limits of both rates. For interventions avoided, MOVER combines the limits of TN/N
    and FN/N. With clusters, Wilson's limits use effective sizes. A standardized net benefit with
    estimated prevalence needs another method. A limit is the value s at which the MOVER limit of
    (1 - s) TP/N - s FN/N - w FP/N is 0. Net benefit and standardized net benefit therefore exclude
    0 in the same data. Normal limits of zero width are replaced (``no-width``). With ``prevalence``
    the net benefit of treating all is a fixed number without limits (``given-prevalence``).

    Simulations had 100 to 2000 cases and prevalences of .3 to .02. At the worst of four risk
    thresholds, 95% limits had coverage .948 to .956 (normal limits: as low as .80). With
    ``prevalence``, coverage was .946 to .950. For differences from treating all, coverage was .939
    to .948 (normal limits: as low as .51). With 30 to 100 clusters, coverage was .912 to .944.
    MOVER limits of net benefits are not published elsewhere and not peer-reviewed.

    Net benefit assumes that scores are calibrated risks (``scores-taken-as-risks``). It depends on
    calibration and on discrimination. If a decision must be made now, choose the larger expected
    net benefit, whatever the P value (Vickers et al. 2023). Folds are pooled, since a net benefit
    is a mean over cases.

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
    1       risk  standardized_net_benefit     0.778  -0.105    0.956
    2       risk     interventions_avoided     0.500  -0.373    0.763
    3  treat-all               net_benefit     0.067  -0.190    0.471
    4  treat-all  standardized_net_benefit     0.222  -1.759    0.781
    """
    NET_BENEFIT.require_roles(sample)
    at = read_risk_thresholds(risk_threshold)
    interval = require_choice("interval", interval, BENEFIT_INTERVALS)
    plan = read_hypothesis("difference", None, "two-sided", 0.0, confidence_level)
    risks = read_net_benefit_thresholds(sample, at, prevalence, threshold)
    rows = [
        {"group": group, "predictor": name, **row}
        for group, part in sample.by_group()
        for name in (*sample.predictors, TREAT_ALL)
        for row in _benefit_rows(part, name, risks, interval, plan)
    ]
    return answer_rows(NET_BENEFIT, sample, rows)


def _benefit_rows(
    part: Sample, name: str, risks: RiskThresholds, interval: BenefitInterval, plan: HypothesisPlan
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a predictor, or of treating all, in one group."""
    treats_all = name == TREAT_ALL
    k = 0 if treats_all else part.predictors.index(name)
    cuts = risks.cuts[part.predictors[k]]
    graded = cases_graded_by_thresholds(part.cases, [k], [cuts])
    columns = {
        "direction": ">=" if part.higher_is_positive[k] or treats_all else "<=",
        "prevalence": prevalence_of_precision_row(part, PrecisionPrevalence(risks.prevalence)),
        "confidence_level": plan.confidence_level,
        **class_size_columns(part),
    }
    codes = [*risks.codes([name]), *net_benefit_case_notes(part, normal=interval == "wald")]
    errors = np.zeros((len(cuts), len(BENEFIT_QUANTITIES)))
    if not treats_all and not lacks_class(part):
        errors = np.broadcast_to(
            binning_error(part, lambda one: _benefit_estimates(one, k, cuts, risks)), errors.shape
        )
    for g, at in enumerate(risks.stakes()):
        called = graded.called(g)
        if treats_all:
            called = np.ones_like(called)
        row = {
            **columns,
            "risk_threshold": at.risk_threshold,
            "threshold": -np.inf if treats_all else float(cuts[g]),
            "fp": float(graded.cases.weight[called & ~graded.cases.is_positive].sum()),
            "tp": float(graded.cases.weight[called & graded.cases.is_positive].sum()),
        }
        # Beside treating all, treating all avoids no intervention.
        for q, quantity in enumerate(BENEFIT_QUANTITIES[:2] if treats_all else BENEFIT_QUANTITIES):
            result = undefined_result("one-class")
            if not lacks_class(part):
                fixed = treats_all and at.prevalence is not None
                result = _benefit_result(
                    graded.cases, called, at, quantity, interval, plan, fixed=fixed
                )
                if part.sample_weight is not None:
                    result = undefined_result("weights-need-bootstrap", result.estimate)
            known = {**row, "quantity": quantity, BINNING_ERROR: errors[g, q]}
            yield answer_row_of_result(NET_BENEFIT, known, result, codes)


def _benefit_estimates(part: Sample, k: int, cuts: FloatArray, risks: RiskThresholds) -> FloatArray:
    """Return each of ``BENEFIT_QUANTITIES`` at each risk threshold: all rise with the curve."""
    graded = cases_graded_by_thresholds(part.cases, [k], [cuts])
    rows = [
        (
            net_benefit_at(graded.cases, graded.called(g), at).value,
            standardized_benefit_of_calls(graded.cases, graded.called(g), at).value,
            net_benefit_over_treat_all(graded.cases, graded.called(g), at).value / at.odds,
        )
        for g, at in enumerate(risks.stakes())
    ]
    return np.array(rows)


def _benefit_result(
    cases: WeightedCases,
    called: BoolArray,
    at: Stakes,
    quantity: str,
    interval: BenefitInterval,
    plan: HypothesisPlan,
    *,
    fixed: bool,
) -> Result:
    """Return one quantity with limits, none if it is ``fixed`` by the known prevalence."""
    if quantity == "interventions_avoided":
        # (NB - NB of treating all)/odds [vickers-2006].
        gain = benefit_limits(net_benefit_over_treat_all(cases, called, at), interval, plan)
        return gain._replace(
            estimate=gain.estimate / at.odds,
            se=gain.se / at.odds,
            ci_low=gain.ci_low / at.odds,
            ci_high=gain.ci_high / at.odds,
        )
    measure = net_benefit_at if quantity == "net_benefit" else standardized_benefit_of_calls
    benefit = measure(cases, called, at)
    if fixed:
        return undefined_result("given-prevalence", benefit.value)
    return benefit_limits(benefit, interval, plan)


# --- Differences of net benefit -------------------------------------------------------------------

COMPARE_NET_BENEFIT = Question(
    "compare_net_benefit",
    estimate_columns(
        "predictor reference group quantity risk_threshold direction threshold"
        f" reference_direction reference_threshold prevalence {ESTIMATE} {TEST} p_adjusted"
        " hypothesis n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020", "vickers-2023", "tango-1998", "zou-2008"),
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of net benefits, which counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def compare_net_benefit(
    sample: Sample,
    *,
    risk_threshold: float | Sequence[float],
    reference: str | None = None,
    prevalence: float | None = None,
    threshold: Mapping[str, Mapping[float, float]] | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    interval: BenefitInterval = "mover",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of net benefit; a row is one pair of rules at one risk threshold.

    Parameters
    ----------
    risk_threshold : float in (0, 1), or sequence of float
        Lowest risks at which a patient is treated; ``net_benefit`` explains them.
    reference : str, optional
        Predictor to compare all others with, or "treat-all"; default: every pair of predictors,
        earlier minus later.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, as in ``net_benefit``.
    threshold : mapping of str to mapping of float to float, optional
        Score threshold for each risk threshold, for predictors whose scores are not risks (see
        ``net_benefit``).
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of net benefits.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter, in true positives per case. For superiority the
        default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" means that the predictor has a larger net
        benefit than the reference.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    interval : {"mover", "wald"}, default "mover"
        - "mover": MOVER combines Tango's limits of both classes. For comparisons with "treat-all",
          MOVER combines Wilson's limits.
        - "wald": normal limits from ``se``. Coverage is too low with few positives or few
          discordant calls.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, direction, reference_direction,
        risk_threshold, threshold, reference_threshold, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. ``quantity`` is "net_benefit_difference": the net benefit of the
        predictor minus the net benefit of the reference.

    Raises
    ------
    InputError
        For the reasons listed in ``net_benefit``; if the study has one predictor and ``reference``
        is not passed; if options cannot be combined; or if the study has weights.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``net_benefit``.

    Notes
    -----
    The difference is a mean over cases. Let w be the odds of the risk threshold. If only the
    predictor treats a case, a positive case counts 1 and a negative case counts -w. If only the
    reference treats a case, the sign is reversed. Cases that both or neither treat count 0.

    Let b1 positives and b0 negatives of the N cases be treated by the predictor only. Let c1
    positives and c0 negatives be treated by the reference only. MOVER combines Tango's limits of
    the paired differences d1 = (b1 - c1)/N and d0 = (b0 - c0)/N, using their correlation. With
    ``prevalence`` MOVER combines Tango's limits of the paired differences of both rates. For
    comparisons with "treat-all" MOVER combines Wilson's limits of TN/N and FN/N. The test inverts
    the limits. If two rules agree in nearly all cases, limits are wide and conservative. In
    simulations at single risk thresholds, coverage was .943 to 1.000. MOVER limits are wider for
    clusters of unequal size. Normal limits (``interval="wald"``) ignore unequal sizes.

    A decision does not require a small P value. Use the rule with the larger expected net benefit.
    The limits show the remaining uncertainty (Vickers et al. 2023). Choose risk thresholds and
    margin before the data are seen.

    References
    ----------
    - Vickers & Elkin (2006) [vickers-2006]
    - Pfeiffer & Gail (2020) [pfeiffer-2020]
    - Vickers, Van Calster, Wynants & Steyerberg (2023) [vickers-2023]
    - Tango (1998) [tango-1998]
    - Zou & Donner (2008) [zou-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> study = rs.Study(y, [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1], predictor="risk")
    >>> found = study.compare_net_benefit(risk_threshold=0.25, reference="treat-all")
    >>> found[["reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
       reference  estimate  ci_low  ci_high  p_value
    0  treat-all     0.167  -0.124    0.254    0.178
    """
    at = read_risk_thresholds(risk_threshold)
    pairs = benefit_pairs(sample, reference)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    interval = require_choice("interval", interval, BENEFIT_INTERVALS)
    plan = read_hypothesis(hypothesis, margin, alternative, 0.0, confidence_level)
    COMPARE_NET_BENEFIT.require_roles(sample)
    risks = read_net_benefit_thresholds(sample, at, prevalence, threshold)
    differences = _benefit_differences(sample, pairs, risks, interval, plan)
    return comparison_frame(COMPARE_NET_BENEFIT, sample, adjust, differences)


def _benefit_differences(
    sample: Sample,
    pairs: Sequence[Rules],
    risks: RiskThresholds,
    interval: BenefitInterval,
    plan: HypothesisPlan,
) -> Iterator[ComparedRow]:
    """Yield the differences of the pairs in each group, at each risk threshold."""
    for group, part in sample.by_group():
        for rules in pairs:
            graded, names = risks.graded(part, rules)
            higher = [part.higher_is_positive[k] for k in rules if k is not None]
            directions = [">=" if each else "<=" for each in higher]
            cuts = [risks.cuts[name] for name in names]
            if rules[1] is None:
                directions.append(">=")
                cuts.append(np.full(len(risks.at), -np.inf))
            known = {
                "group": group,
                "predictor": names[0],
                "reference": TREAT_ALL if rules[1] is None else names[1],
                "quantity": "net_benefit",
                "direction": directions[0],
                "reference_direction": directions[1],
                "prevalence": prevalence_of_precision_row(
                    part, PrecisionPrevalence(risks.prevalence)
                ),
                **hypothesis_columns(plan),
                **class_size_columns(part),
            }
            codes = [*risks.codes(names), *net_benefit_case_notes(part, normal=interval == "wald")]
            for g, at in enumerate(risks.stakes()):
                result = undefined_result("one-class")
                if not lacks_class(part):
                    result = benefit_test(benefit_of_rules(graded, rules, g, at), interval, plan)
                cutoffs = {
                    "risk_threshold": at.risk_threshold,
                    "threshold": float(cuts[0][g]),
                    "reference_threshold": float(cuts[1][g]),
                }
                yield {**known, **cutoffs}, result, codes


def benefit_of_rules(graded: GradedCases, rules: Rules, g: int, at: Stakes) -> Benefit:
    """Return the net benefit of one predictor, less that of its reference if there is one."""
    called = graded.called(g)
    if len(rules) == 1:
        return net_benefit_at(graded.cases, called, at)
    if rules[1] is None:
        return net_benefit_over_treat_all(graded.cases, called, at)
    return net_benefit_difference(graded.cases, called, graded.called(g, 1), at)


# --- The mean over a range of risk thresholds -----------------------------------------------------

MEAN_NET_BENEFIT = Question(
    "mean_net_benefit",
    estimate_columns(
        "predictor reference group quantity range_axis range_low range_high prevalence"
        f" {ESTIMATE} n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020"),
)


def mean_net_benefit(
    sample: Sample,
    *,
    risk_threshold: tuple[float, float],
    reference: str | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return mean net benefits over a range of risk thresholds; a row is one rule or one pair.

    Parameters
    ----------
    risk_threshold : tuple of two floats in (0, 1)
        Lowest and highest risk threshold, chosen beforehand. All thresholds in this range have
        equal weight.
    reference : str, optional
        "treat-all" or a predictor: the rows are differences from this rule or predictor. By default
        the rows are the means of each predictor and of treating all.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, as in ``net_benefit``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, se,
        prevalence, n_pos, n_neg, confidence_level, range_axis, range_low, range_high, method,
        note``. ``quantity`` is "mean_net_benefit", or "mean_net_benefit_difference" for
        differences.

    Raises
    ------
    InputError
        If scores are not risks in [0, 1], or an argument is invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a class has under 20 cases.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``no-variance``: the variance is 0.
        - ``weights-need-bootstrap``: the study has weights, and there are no limits.

    Notes
    -----
    Let [a, b] be the range of risk thresholds. Let c be the risk of a case, cut at a and b, and
    H(x) = -x - ln(1 - x). The value of a positive is (c - a)/(b - a). The value of a negative is
    -(H(c) - H(a))/(b - a). The mean value over cases equals the integral of the decision curve over
    the range, divided by b - a. With ``prevalence``, the estimate is the weighted mean over both
    classes. Limits are t limits from the variance of the mean, cut at 1 (the largest possible
    value). With clusters, values are summed within clusters. Few positives contribute most of the
    variance. Therefore the degrees of freedom are the effective number of cases, (sum u^2)^2 / sum
    u^4 for the influence values u.

    Do not use a mean over (0, 1), since thresholds such as .9 are rarely sensible. Limits were
    simulated with at least 5 positives (docs/net-benefit.md).

    References
    ----------
    - Vickers & Elkin (2006), net benefit [vickers-2006]
    - Pfeiffer & Gail (2020), influence values [pfeiffer-2020]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0] * 10
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 10
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> found = study.mean_net_benefit(risk_threshold=(0.1, 0.4))
    >>> found[["predictor", "estimate", "ci_low", "ci_high"]].round(3)
       predictor  estimate  ci_low  ci_high
    0       risk     0.185   0.086    0.283
    1  treat-all     0.054  -0.071    0.179
    """
    MEAN_NET_BENEFIT.require_roles(sample)
    low, high = read_risk_range(risk_threshold)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    each: list[Rules] = [(k,) for k in (*range(len(sample.predictors)), None)]
    pairs = each if reference is None else benefit_pairs(sample, reference)
    risks = read_net_benefit_thresholds(sample, np.array([low, high]), prevalence)
    rows = [
        {"group": group, **_mean_net_benefit_row(part, rules, risks, confidence_level)}
        for group, part in sample.by_group()
        for rules in pairs
    ]
    return answer_rows(MEAN_NET_BENEFIT, sample, rows)


def _mean_net_benefit_row(
    part: Sample, rules: Rules, risks: RiskThresholds, confidence_level: float
) -> dict[str, Any]:
    """Return the row of one rule, or of a pair."""
    low, high = risks.at.tolist()
    names = [TREAT_ALL if k is None else part.predictors[k] for k in rules]
    columns = {
        "predictor": names[0],
        "reference": names[1] if len(rules) == 2 else "",
        "quantity": "mean_net_benefit",
        "range_axis": "risk_threshold",
        "range_low": low,
        "range_high": high,
        "prevalence": prevalence_of_precision_row(part, PrecisionPrevalence(risks.prevalence)),
        "confidence_level": confidence_level,
        **class_size_columns(part),
    }
    codes = [*risks.codes(names), *net_benefit_case_notes(part, normal=True)]
    if lacks_class(part):
        return answer_row_without_result(MEAN_NET_BENEFIT, columns, ["one-class", *codes])
    first, *others = (_mean_net_benefit_by_case(part, k, low, high) for k in rules)
    values = first - others[0] if others else first
    weight = np.ones(len(values)) if part.cases.weight is None else part.cases.weight
    cluster = None if part.cluster is None else part.cluster.codes
    cases = WeightedCases(part.is_positive, weight, cluster)
    mean = mean_benefit(cases, values, risks.prevalence)
    columns["estimate"] = mean.value
    note = _note_why_no_benefit_limits(
        part, mean, fixed=rules == (None,) and risks.prevalence is not None
    )
    if note:
        return answer_row_without_result(MEAN_NET_BENEFIT, columns, [note, *codes])
    reach = t_quantile((1 + confidence_level) / 2, effective_units(cases, mean.influence)) * mean.se
    ends = range_of(difference_of("mean_net_benefit") if others else "mean_net_benefit")
    ci_low, ci_high = np.clip([mean.value - reach, mean.value + reach], *ends).tolist()
    word = "influence" if part.cluster is None else "cluster-influence"
    return {
        **columns,
        "se": mean.se,
        "ci_low": ci_low,
        "ci_high": ci_high,
        "method": f"{word}/wald-t",
        "note": codes,
    }


def _mean_net_benefit_by_case(part: Sample, k: int | None, low: float, high: float) -> FloatArray:
    """Return what each case adds to the mean; treating all takes every risk for 1."""
    risk = np.ones(len(part.is_positive)) if k is None else part.scores[k]
    return case_benefits(risk, part.is_positive, low, high)


def _note_why_no_benefit_limits(part: Sample, mean: Estimate, *, fixed: bool) -> str:
    """Return the note that says why there are no limits, "" where there are."""
    if part.sample_weight is not None:
        return "weights-need-bootstrap"
    if fixed:
        return "given-prevalence"
    if np.isnan(mean.se):
        return "few-clusters" if part.cluster is not None else "few-cases"
    return "no-variance" if mean.se == 0 else ""


# --- Options and notes of all questions: risks, thresholds, prevalence ----------------------------

Rules = tuple[int | None, ...]
"""A rule, or a rule and its reference: a predictor by its position, or None for treating all."""


class RiskThresholds(NamedTuple):
    """Increasing risk thresholds, the thresholds of each predictor, and the prevalence.

    ``risks`` are the predictors whose scores are taken as risks.
    """

    at: FloatArray
    cuts: Mapping[str, FloatArray]
    risks: frozenset[str]
    prevalence: float | None

    def stakes(self) -> list[Stakes]:
        """Return the stakes at each risk threshold."""
        return [Stakes(risk, self.prevalence) for risk in self.at.tolist()]

    def graded(self, part: Sample, rules: Rules) -> tuple[GradedCases, list[str]]:
        """Return the cases by their grades, and the names of the predictors among the rules."""
        predictors = [k for k in rules if k is not None]
        names = [part.predictors[k] for k in predictors]
        return cases_graded_by_thresholds(
            part.cases, predictors, [self.cuts[name] for name in names]
        ), names

    def codes(self, names: Sequence[str]) -> list[str]:
        """Return the note on scores that are taken as risks, if some of the names have them."""
        return ["scores-taken-as-risks"] if self.risks.intersection(names) else []


def read_net_benefit_thresholds(
    sample: Sample, at: FloatArray, prevalence: Any, threshold: Any = None
) -> RiskThresholds:
    """Return the thresholds of all predictors; raise InputError for scores that are no risks."""
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
        prevalence = float(prevalence)
    require_same_cases(sample)
    require_no_treat_all(sample.predictors)
    cuts = read_cuts(threshold, sample.predictors, sample.higher_is_positive, at)
    risks = frozenset(name for name in sample.predictors if name not in cuts)
    for k, name in enumerate(sample.predictors):
        if name in risks:
            higher = sample.higher_is_positive[k]
            require_risk(name, sample.scores[k], higher=higher, mapped=threshold is not None)
            cuts[name] = thresholds_of_risks(at, sample.scores[k])
    return RiskThresholds(at, cuts, risks, prevalence)


def benefit_pairs(sample: Sample, reference: Any) -> list[Rules]:
    """Return which predictors are compared with which others, or with treating all."""
    if reference is not None:
        require_name("reference", reference, [*sample.predictors, TREAT_ALL])
    if reference == TREAT_ALL:
        return [(k, None) for k in range(len(sample.predictors))]
    if reference is None and len(sample.predictors) < 2:
        raise InputError(
            "`reference` must be 'treat-all' for a study of one predictor; got None. Pass"
            " reference='treat-all', or the scores of another predictor too."
        )
    return list(index_pairs(sample.predictors, reference))


def net_benefit_case_notes(part: Sample, *, normal: bool) -> list[str]:
    """Return the notes on the cases; few cases matter to normal limits only."""
    wanted = ("few-clusters", "few-cases") if normal else ("few-clusters",)
    return [
        *(["pooled-folds"] if part.fold is not None else []),
        *(code for code in size_codes(part.cases) if code in wanted),
        *sample_notes(part),
    ]
