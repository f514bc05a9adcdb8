"""The mean net benefit over a range of risk thresholds, and its differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats.special as sp
from rocstats.errors import require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.inference.costs.benefit_options import (
    RiskThresholds,
    benefit_codes,
    benefit_pairs,
    read_risks,
    share_of_positives,
)
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.risks import TREAT_ALL, read_risk_range
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.paired_shares import Cases
from rocstats.stats.costs.mean_benefit import MeanBenefit, case_benefits, mean_benefit

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
        Ends of the range of risks from which on people would treat, fixed beforehand; all inside
        have the same weight.
    reference : str, optional
        "treat-all" or a predictor: rows are then differences from it. Default: the mean of each
        predictor, and that of treating all.
    prevalence : float in (0, 1), optional
        Share of positives where the predictors will be used, as in ``net_benefit``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, se,
        prevalence, n_pos, n_neg, confidence_level, range_axis, range_low, range_high, method,
        note``.

    Raises
    ------
    InputError
        If scores are no risks in [0, 1], or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), a class has under 20 cases (``few-cases``), clusters
        are few (``few-clusters``), a group lacks a class (``one-class``), nothing varies
        (``no-variance``), or the study has weights (``weights-need-bootstrap``).

    Notes
    -----
    With c the risk of a case cut to the range [a, b] and H(x) = -x - ln(1 - x), a positive adds
    (c - a)/(b - a) and a negative -(H(c) - H(a))/(b - a): their mean over cases (at a known
    prevalence, over both classes) is the exact integral of the decision curve over the range,
    divided by its length. Limits are normal, from the variance of the mean; clusters are summed.

    A mean over (0, 1) is no summary of use: few people would treat from a risk of .9 on. In
    simulations limits of differences between two means covered .905 to .953, least with 100 cases
    of which about 5 were positives.

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
    0       risk     0.185   0.089    0.280
    1  treat-all     0.054  -0.068    0.176
    """
    MEAN_NET_BENEFIT.require_roles(sample)
    low, high = read_risk_range(risk_threshold)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    alone: list[tuple[int | None, ...]] = [(k,) for k in (*range(len(sample.predictors)), None)]
    rules = alone if reference is None else benefit_pairs(sample, reference)
    risks = read_risks(sample, np.array([low, high]), prevalence)
    rows = [
        {"group": group, **_row(part, rule, risks, confidence_level)}
        for group, part in sample.by_group()
        for rule in rules
    ]
    return answer_rows(MEAN_NET_BENEFIT, sample, rows)


def _row(
    part: Sample, rule: tuple[int | None, ...], risks: RiskThresholds, confidence_level: float
) -> dict[str, Any]:
    """Return the row of one rule, or of a pair; None is treating all."""
    low, high = risks.at.tolist()
    names = [TREAT_ALL if k is None else part.predictors[k] for k in rule]
    known = {
        "predictor": names[0],
        "reference": names[1] if len(rule) == 2 else "",
        "quantity": "mean_net_benefit",
        "range_axis": "risk_threshold",
        "range_low": low,
        "range_high": high,
        "prevalence": share_of_positives(part, risks.prevalence),
        "confidence_level": confidence_level,
        **class_sizes(part),
    }
    codes = [*risks.codes(names), *benefit_codes(part, normal=True)]
    answer = dict.fromkeys(("estimate", "se", "ci_low", "ci_high"), np.nan)
    if lacks_class(part):
        return {**known, **answer, "method": "none/none", "note": ["one-class", *codes]}
    first, *others = (_values(part, k, low, high) for k in rule)
    values = first - others[0] if others else first
    weight = np.ones(len(values)) if part.cases.weight is None else part.cases.weight
    cluster = None if part.cluster is None else part.cluster.codes
    mean = mean_benefit(Cases(part.is_positive, weight, cluster), values, risks.prevalence)
    answer["estimate"] = mean.value
    doubt = _without_limits(part, mean, fixed=rule == (None,) and risks.prevalence is not None)
    if doubt:
        return {**known, **answer, "method": "none/none", "note": [doubt, *codes]}
    reach = float(sp.ndtri((1 + confidence_level) / 2)) * mean.se
    answer |= {"se": mean.se, "ci_low": mean.value - reach, "ci_high": mean.value + reach}
    word = "influence" if part.cluster is None else "cluster-influence"
    return {**known, **answer, "method": f"{word}/wald", "note": codes}


def _values(part: Sample, k: int | None, low: float, high: float) -> FloatArray:
    """Return what each case adds to the mean; treating all takes every risk for 1."""
    risk = np.ones(len(part.is_positive)) if k is None else part.scores[k]
    return case_benefits(risk, part.is_positive, low, high)


def _without_limits(part: Sample, mean: MeanBenefit, *, fixed: bool) -> str:
    """Return the note that says why there are no limits, "" where there are."""
    if part.sample_weight is not None:
        return "weights-need-bootstrap"
    if fixed:
        return "given-prevalence"
    if np.isnan(mean.se):
        return "few-clusters" if part.cluster is not None else "few-cases"
    return "no-variance" if mean.se == 0 else ""
