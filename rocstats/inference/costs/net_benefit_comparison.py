"""Differences of net benefit at risk thresholds, of two predictors or beside treating all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.frames.questions import ESTIMATE, TEST, Question, Refusal, estimate_columns
from rocstats.inference.costs.benefit_options import (
    RiskThresholds,
    benefit_codes,
    benefit_pairs,
    read_risks,
    share_of_positives,
)
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.hypotheses import hypothesis_columns, read_hypothesis
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.inputs.points.risks import TREAT_ALL, read_risk_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.comparison.point_tests import PointComparison, undefined
from rocstats.stats.costs.benefit_limits import (
    BENEFIT_INTERVALS,
    BenefitInterval,
    benefit_test,
)
from rocstats.stats.costs.graded import Graded, grade
from rocstats.stats.costs.net_benefit import Stakes, net_benefit_difference, over_treat_all
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_NET_BENEFIT = Question(
    "compare_net_benefit",
    estimate_columns(
        "predictor reference group quantity risk_threshold direction threshold"
        f" reference_direction reference_threshold prevalence {ESTIMATE} {TEST} p_adjusted"
        " hypothesis n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020", "vickers-2023", "tango-1998", "zou-2008"),
    {
        "sample_weight": Refusal(
            "stay None for a comparison of net benefits, which counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)
_NUMBERS = ("estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value", "method")


class _Asked(NamedTuple):
    """The thresholds, how limits are made, and the hypothesis."""

    risks: RiskThresholds
    interval: BenefitInterval
    plan: HypothesisPlan


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
        Risks from which on one would treat, as in ``net_benefit``.
    reference : str, optional
        Predictor to compare all others with, or "treat-all"; default: every pair of predictors,
        earlier minus later.
    prevalence : float in (0, 1), optional
        Share of positives where the predictors will be used, as in ``net_benefit``.
    threshold : mapping of str to mapping of float to float, optional
        Thresholds of predictors whose scores are no risks, as in ``net_benefit``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of net benefits.

        - "difference" (default): d is not 0, by ``alternative``.
        - "superiority": d > ``margin``.
        - "non-inferiority": d > -``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float in (0, 1), optional
        Largest difference that does not matter, in true positives a case; 0 where none is given for
        superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference".
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    interval : {"mover", "wald"}, default "mover"
        - "mover": combined from Tango's limits of both classes, or Wilson's beside treating all.
        - "wald": normal, from ``se``; covers too little with few positives or few differing calls.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the interval has 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, direction, reference_direction,
        risk_threshold, threshold, reference_threshold, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. ``estimate`` is the net benefit of the predictor minus that of
        the reference.

    Raises
    ------
    InputError
        As ``net_benefit``; if there is one predictor and no ``reference``, words do not go
        together, or the study has weights.

    Warns
    -----
    StatisticalWarning
        As ``net_benefit``.

    Notes
    -----
    The difference is the mean over cases of what both rules do to each: 1 for a positive that only
    the predictor treats, minus the odds of the risk threshold for such a negative. Limits are a
    MOVER combination of Tango's limits of the paired differences d1 = (b1 - c1)/N of positives and
    d0 = (b0 - c0)/N of negatives, with their correlation; at a known prevalence, of both classes.
    Beside treating all they combine Wilson's limits of TN/N and FN/N. The test inverts them. Two
    rules that call nearly all cases alike have wide limits, which cover more than their level: at
    single risk thresholds they held the difference in .943 to 1.000 of simulated samples.

    A decision need not wait for a small P value: the rule of the larger expected net benefit is the
    better one to use, and limits say how much more there is to learn (Vickers et al. 2023). Fix
    risk thresholds and margin before the data are seen.

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
    asked = _Asked(read_risks(sample, at, prevalence, threshold), interval, plan)
    rows = [
        {"group": group, **row}
        for group, part in sample.by_group()
        for pair in pairs
        for row in _rows(part, pair, asked)
    ]
    adjust_rows(rows, adjust)
    return answer_rows(COMPARE_NET_BENEFIT, sample, rows)


def _rows(part: Sample, pair: tuple[int, int | None], asked: _Asked) -> Iterator[dict[str, Any]]:
    """Yield the rows of a pair in one group; None is treating all."""
    risks = asked.risks
    predictors = [k for k in pair if k is not None]
    names = [part.predictors[k] for k in predictors]
    cuts = [risks.cuts[name] for name in names]
    graded = grade(part.cases, predictors, cuts)
    directions = [">=" if part.higher_is_positive[k] else "<=" for k in predictors]
    known = {
        "predictor": names[0],
        "reference": names[-1] if pair[1] is not None else TREAT_ALL,
        "quantity": "net_benefit",
        "direction": directions[0],
        "reference_direction": directions[-1] if pair[1] is not None else ">=",
        "prevalence": share_of_positives(part, risks.prevalence),
        **hypothesis_columns(asked.plan),
        **class_sizes(part),
    }
    codes = [*risks.codes(names), *benefit_codes(part, normal=asked.interval == "wald")]
    for g, at in enumerate(risks.stakes()):
        result = undefined("one-class")
        if not lacks_class(part):
            result = _result(graded, g, at, asked)
        yield {
            **known,
            **{column: getattr(result, column) for column in _NUMBERS},
            "risk_threshold": at.risk_threshold,
            "threshold": float(cuts[0][g]),
            "reference_threshold": float(cuts[1][g]) if pair[1] is not None else -np.inf,
            "note": [*result.codes, *codes],
        }


def _result(graded: Graded, g: int, at: Stakes, asked: _Asked) -> PointComparison:
    """Return the difference of a pair, or of one predictor and treating all."""
    first = graded.called(g)
    if len(graded.grades) == 1:
        return benefit_test(over_treat_all(graded.cases, first, at), asked.interval, asked.plan)
    difference = net_benefit_difference(graded.cases, first, graded.called(g, 1), at)
    return benefit_test(difference, asked.interval, asked.plan)
