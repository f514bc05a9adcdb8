"""Adjustment of p values for the number of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

import rocstats.special as sp
from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.simultaneous import largest_normal

Adjustment = Literal["holm", "bonferroni", "none"]
AreaAdjustment = Literal["holm", "bonferroni", "none", "single-step"]
"""Those of areas, whose joint distribution is known."""
Adjusted = Callable[[FloatArray], FloatArray]
"""From ascending p values of all tests to adjusted ones, which may exceed 1."""


class PAdjustment(NamedTuple):
    """An adjustment for multiplicity.

    ``adjusted`` is None where the p values do not suffice. ``phrase`` continues "Adjusted P
    values allow for the 3 comparisons"; the intervals are adjusted too if they are
    ``simultaneous``.
    """

    word: str
    phrase: str
    adjusted: Adjusted | None = None
    simultaneous: bool = False
    references: tuple[str, ...] = ()
    published: bool = True


def _holm(ascending: FloatArray) -> FloatArray:
    """Return the i-th smallest of m p values times m - i + 1, made monotone (Holm 1979)."""
    # A p value must not be adjusted below that of a smaller one.
    steps = ascending * np.arange(len(ascending), 0, -1)
    return np.asarray(np.maximum.accumulate(steps))


def _bonferroni(ascending: FloatArray) -> FloatArray:
    return ascending * len(ascending)


HOLM = PAdjustment("holm", "by the method of Holm", _holm, references=("holm-1979",))
BONFERRONI = PAdjustment("bonferroni", "by the method of Bonferroni", _bonferroni)
NONE = PAdjustment("none", "")
SINGLE_STEP = PAdjustment(
    "single-step", "in a single step by their joint normal distribution", simultaneous=True
)
P_ADJUSTMENTS: tuple[PAdjustment, ...] = (HOLM, BONFERRONI, NONE)
"""Adjustments from p values alone; ``SINGLE_STEP`` needs the covariance of the estimates."""
ADJUSTMENTS = tuple(record.word for record in P_ADJUSTMENTS)
_BY_WORD = {record.word: record for record in P_ADJUSTMENTS}


def adjust_p_values(p_values: FloatArray, adjust: Adjustment) -> FloatArray:
    """Return adjusted p values; NaN stay NaN and do not count as tests."""
    adjusted = p_values.copy()
    tested = np.flatnonzero(np.isfinite(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    rule = _BY_WORD[adjust].adjusted
    if rule is not None:
        adjusted[order] = np.minimum(rule(p_values[order]), 1.0)
    return adjusted


def single_step(
    p_values: FloatArray, covariance: FloatArray, plan: HypothesisPlan
) -> tuple[FloatArray, HypothesisPlan]:
    """Return p values adjusted by the joint normal distribution, and a plan of joint limits.

    The adjusted p value is the probability that the most extreme of all statistics is as extreme
    as this one; at least p itself and at most that of Bonferroni. NaN do not count as tests. The
    limits at the level of the plan returned are simultaneous over all rows.
    """
    tested = np.flatnonzero(np.isfinite(p_values))
    if len(tested) == 0:
        return p_values.copy(), plan
    two_sided = plan.side == "two-sided"
    largest = largest_normal(covariance[np.ix_(tested, tested)], two_sided=two_sided)
    p = p_values[tested]
    reached = np.array([largest.exceeds(-z) for z in sp.ndtri(p / 2 if two_sided else p)])
    adjusted = p_values.copy()
    # The mean over directions has an error of some 1e-4; its bounds, p and m p, have none.
    adjusted[tested] = np.clip(reached, p, np.minimum(len(p) * p, 1.0))
    c = largest.quantile(1 - plan.alpha)
    # The level of one interval with c as its quantile.
    sides = 1 if plan.alternative != "two-sided" else 2
    return adjusted, plan.at_level(float(1 - sides * sp.ndtr(-c)))
