"""Areas under the precision-recall curve: variances and intervals by closed forms."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.influence.precision import Prevalence, precision_covariance
from rocstats.stats.intervals.area import Area
from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.methods.logit_t import LOGIT_T
from rocstats.stats.intervals.rates.proportions import wilson
from rocstats.stats.intervals.record import Normal, lacks_variance, limits
from rocstats.stats.word import Word

PrecisionVariance = Literal["influence", "bootstrap"]
PrecisionInterval = Literal["logit-t", "logit", "percentile"]

MOVER = "boundary-mover"
"""Word for a difference one of whose areas has no variance."""

PRINTED = (
    Word("cohort-influence", "from influence values, the prevalence being estimated too"),
    Word(
        "cluster-cohort-influence",
        "from influence values, summed by cluster, the prevalence being estimated too",
    ),
)
BOUNDARY = Word(
    "effective-cases",
    "by the method of Wilson with an effective number of cases",
    ("wilson-1927",),
    published=False,
)
LIMITS = (
    BOUNDARY,
    Word(
        MOVER,
        "by combining the Wilson limits of both, with effective numbers of cases (MOVER)",
        ("zou-2008",),
        published=False,
    ),
)


class EffectiveCases(Normal):
    """Wilson's limits with 1/V cases, V = (v + e^2)/(A(1 - A) + e), e = 1/(2 m)."""

    def size(self, area: Area) -> float:
        """Return the effective number of cases."""
        # docs/methods/precision-recall.md, "Where nothing varies": e is half a positive.
        e = 1 / (2 * area.n_pos)
        return (area.value * (1 - area.value) + e) / (area.variance + e**2)

    def limit(self, area: Area, quantile: float) -> float:
        """Return the limit at a normal quantile."""
        size = self.size(area)
        return wilson(area.value * size, size, quantile)

    def statistic(self, area: Area, null_value: float) -> float:
        """Return the z of the score test whose inversion the limits are."""
        spread = null_value * (1 - null_value) / self.size(area)
        return float((area.value - null_value) / np.sqrt(spread))


def variance_word(cases: ScoredCases, prevalence: Prevalence) -> str:
    """Return the word for the variance under the roles of a sample."""
    word = "cohort-influence" if prevalence.random else "influence"
    return word if cases.cluster is None else f"cluster-{word}"


def precision_area(cases: ScoredCases, k: int, quantity: str, prevalence: Prevalence) -> Area:
    """Return an area of predictor ``k`` with its variance and degrees of freedom."""
    return areas_of(cases, precision_covariance(cases, [k], quantity, prevalence))[0]


def precision_limits(
    area: Area, interval: PrecisionInterval, confidence_level: float
) -> tuple[float, float, str, tuple[str, ...]]:
    """Return both limits of an area, the word of their method, and their notes."""
    if lacks_variance(area):
        low, high = limits(EffectiveCases(), area, confidence_level, "two-sided")
        return low, high, BOUNDARY.word, ("precision-at-boundary",)
    method = LOGIT_LIMITS._replace(student=interval == LOGIT_T.word)
    return *limits(method, area, confidence_level, "two-sided"), interval, ()
