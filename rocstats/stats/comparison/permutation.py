"""The permutation test of two predictors on the same cases: values exchanged within cases."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.comparison.plan import ComparisonPlan
from rocstats.stats.intervals.quantiles import Alternative, p_value
from rocstats.stats.resampling.labels import permutation_p_value
from rocstats.stats.resampling.permutation import (
    SignedTerms,
    count_as_extreme,
    exact_sign_p_value,
    exchange_terms,
    sign_draws,
)

# 2^20 are a million arrangements, listed in a fraction of a second; each unit more doubles them.
_LARGEST_LISTED = 20


class ExchangeTest(NamedTuple):
    """The z of a difference by its permutation variance, and p; ``df`` is NaN unless p uses z."""

    statistic: float
    df: float
    p_value: float
    word: str


def exchange_test(
    cases: ScoredCases, i: int, j: int, choice: ComparisonPlan, g: int, alternative: Alternative
) -> ExchangeTest:
    """Return the test that predictors ``i`` and ``j`` of group ``g`` are exchangeable.

    Every pair of predictors has its own stream of random signs.
    """
    terms = exchange_terms(cases, i, j, same_scale=choice.same_scale)
    variance = terms.variance
    z = terms.total / np.sqrt(variance) if variance > 0 else float("nan")
    if choice.plan is None:
        # No exchange changes anything: the predictors do not differ.
        p = p_value(z, np.inf, alternative) if variance > 0 else 1.0
        return ExchangeTest(z, np.inf, p, "permutation-asymptotic")
    if terms.n_units <= _LARGEST_LISTED:
        p = exact_sign_p_value(_listed(terms), alternative)
        return ExchangeTest(z, np.nan, p, "permutation-exact")
    draws = sign_draws(terms, choice.plan.at(g, i, j))
    p = permutation_p_value(count_as_extreme(draws, terms.total, alternative), len(draws))
    return ExchangeTest(z, np.nan, p, "permutation")


def _listed(terms: SignedTerms) -> FloatArray:
    """Return one term for each unit: terms are repeated by their frequency."""
    return terms.values if terms.times is None else terms.values.repeat(terms.times.astype(int))
