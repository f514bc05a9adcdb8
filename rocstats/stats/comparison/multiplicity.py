"""Adjustment of p values for the number of tests."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.special as sp

from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.simultaneous import largest_normal

Adjustment = Literal["holm", "bonferroni", "none"]
ADJUSTMENTS = ("holm", "bonferroni", "none")


def adjust_p_values(p_values: FloatArray, adjust: Adjustment) -> FloatArray:
    """Return adjusted p values; NaN stay NaN and do not count as tests.

    Holm (1979): the i-th smallest of m p values times m - i + 1, made monotone.
    """
    adjusted = p_values.copy()
    tested = np.flatnonzero(np.isfinite(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    if adjust == "holm":
        steps = p_values[order] * np.arange(len(order), 0, -1)
        adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    elif adjust == "bonferroni":
        adjusted[order] = np.minimum(p_values[order] * len(order), 1.0)
    return adjusted


def single_step(
    p_values: FloatArray, covariance: FloatArray, asked: HypothesisPlan
) -> tuple[FloatArray, HypothesisPlan]:
    """Return p values adjusted by the joint normal law, and the question with simultaneous limits.

    The adjusted p value is the probability that the most extreme of all statistics is as extreme
    as this one; at least p itself and at most that of Bonferroni. NaN do not count as tests. The
    limits of the question returned are, at its level, those of all rows together.
    """
    tested = np.flatnonzero(np.isfinite(p_values))
    if len(tested) == 0:
        return p_values.copy(), asked
    two_sided = asked.side == "two-sided"
    law = largest_normal(covariance[np.ix_(tested, tested)], two_sided=two_sided)
    p = p_values[tested]
    reached = np.array([law.exceeds(-z) for z in sp.ndtri(p / 2 if two_sided else p)])
    adjusted = p_values.copy()
    adjusted[tested] = np.clip(reached, p, np.minimum(len(p) * p, 1.0))
    c = law.quantile(1 - asked.alpha)
    sides = 1 if asked.alternative != "two-sided" else 2
    return adjusted, asked.at_level(float(1 - sides * sp.ndtr(-c)))
