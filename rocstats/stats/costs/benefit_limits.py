"""Limits of a net benefit, and the test that they invert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from rocstats.stats.comparison.hypotheses import HypothesisPlan, hardest_test
from rocstats.stats.comparison.point_tests import PointComparison, undefined
from rocstats.stats.costs.net_benefit import Benefit, Standardized
from rocstats.stats.intervals.quantiles import limits_between
from rocstats.stats.intervals.rates.mover import inverted_statistic

BenefitInterval = Literal["mover", "wald"]
BENEFIT_INTERVALS: tuple[BenefitInterval, ...] = get_args(BenefitInterval)

Limit = Callable[[float], float]


def benefit_limits(
    benefit: Benefit | Standardized, interval: BenefitInterval, plan: HypothesisPlan
) -> PointComparison:
    """Return a benefit with its limits; no limits for a single cluster."""
    se = float(np.sqrt(benefit.variance))
    limit, method, codes = _limit(benefit, interval, se)
    if np.isnan(limit(1.0)):
        return undefined("few-clusters", benefit.value)
    low, high = limits_between(limit, plan.confidence_level, plan.alternative, *benefit.ends)
    return PointComparison(benefit.value, se, low, high, method=method, codes=codes)


def benefit_test(
    benefit: Benefit, interval: BenefitInterval, plan: HypothesisPlan
) -> PointComparison:
    """Return a difference of benefits with its limits, and the test that they invert."""
    comparison = benefit_limits(benefit, interval, plan)
    if comparison.method == "none/none":
        return comparison
    limit = _limit(benefit, interval, comparison.se)[0]
    z, p = hardest_test(plan, lambda null: inverted_statistic(limit, benefit.value, null))
    return comparison._replace(statistic=z, df=np.inf, p_value=p)


def _limit(
    benefit: Benefit | Standardized, interval: BenefitInterval, se: float
) -> tuple[Limit, str, tuple[str, ...]]:
    """Return the limit as a function of a normal quantile, the words for it, and its notes."""
    variance, counts = benefit.method
    # Over an estimated prevalence there is the delta method only.
    normal = interval == "wald" or benefit.of_ratio
    if not normal or not se > 0:
        # Normal limits have no width where nothing varies; those of counts still have one.
        return benefit.limit, f"{variance}/{counts}", ("no-width",) if normal else ()

    def wald(at: float) -> float:
        return float(np.clip(benefit.value + at * se, *benefit.ends))

    return wald, f"{variance}/wald", ()
