"""Rates and F1 of the classes that cases are called, with influence values and limits.

A case is called the class of its highest score. Every measure is a function of the table of true
and called classes; the influence of a case is the derivative of the measure in its weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ClassCases
from rocstats.stats.influence.values import small_sample
from rocstats.stats.intervals.rates.proportions import rate_limits

CLASS_RATES = ("tpr", "tnr", "ppv", "npv", "f1")
"""Measures of one class against the rest; those of all classes are their means ("macro")."""
SUMMARIES = (*(f"macro_{name}" for name in CLASS_RATES), "micro_f1", "micro_tnr")


class CalledRate(NamedTuple):
    """A measure, the influence of each row of cases on it, and the cases of its denominator.

    ``size`` counts where nothing varies. ``count_of`` is the class, None for all of them.
    """

    quantity: str
    count_of: int | None
    value: float
    influence: FloatArray
    size: float


class Called(NamedTuple):
    """True and called class of each row, and the number of cases that it stands for."""

    truth: IntArray
    called: IntArray
    weight: FloatArray
    n_classes: int

    def table(self, k: int) -> tuple[float, float]:
        """Return true and false positives of a class against the rest."""
        called = self.called == k
        right = called & (self.truth == k)
        return float(self.weight[right].sum()), float(self.weight[called & ~right].sum())


def calls(cases: ClassCases, predictor: int) -> tuple[Called, float]:
    """Return the calls of a classifier, and the number of cases whose highest score is tied.

    Of tied classes the first column is called.
    """
    scores = cases.scores[predictor]
    weight = np.ones(scores.shape[1]) if cases.weight is None else cases.weight
    tied = (scores == scores.max(axis=0)).sum(axis=0) > 1
    called = Called(cases.class_codes, scores.argmax(axis=0), weight, cases.n_classes)
    times = np.ones(len(tied)) if cases.frequency is None else cases.frequency
    return called, float(times[tied].sum())


def called_rates(calls: Called) -> Iterator[CalledRate]:
    """Yield the measures of each class, then the summaries; NaN where nothing is counted."""
    of_class = [_of_class(calls, k) for k in range(calls.n_classes)]
    for rates in of_class:
        yield from rates
    for place, name in enumerate(CLASS_RATES):
        yield _macro(f"macro_{name}", [rates[place] for rates in of_class])
    everyone, right = np.ones(len(calls.truth), dtype=bool), calls.truth == calls.called
    micro = _share("micro_f1", None, calls, everyone, right)
    yield micro
    # Each wrong call is one false positive among the C - 1 classes that are not the case's.
    others = max(calls.n_classes - 1, 1)
    yield micro._replace(
        quantity="micro_tnr",
        value=1 - (1 - micro.value) / others,
        influence=micro.influence / others,
    )


def _of_class(calls: Called, k: int) -> list[CalledRate]:
    """Return the measures of a class against the rest."""
    true, called = calls.truth == k, calls.called == k
    shares = {
        "tpr": (true, called),
        "tnr": (~true, ~called),
        "ppv": (called, true),
        "npv": (~called, ~true),
    }
    rates = [_share(name, k, calls, *sides) for name, sides in shares.items()]
    # F1 = 2 TP/(positives + called): its numerator and denominator are sums over cases.
    both = true.astype(np.float64) + called
    total = float(calls.weight @ both)
    value = 2 * float(calls.weight @ (true & called)) / total if total > 0 else np.nan
    influence = (2.0 * (true & called) - value * both) / max(total, 1.0)
    return [*rates, CalledRate("f1", k, value, influence, float(calls.weight @ (true | called)))]


def _share(
    quantity: str, k: int | None, calls: Called, among: BoolArray, event: BoolArray
) -> CalledRate:
    """Return the share of some cases that have an event."""
    size = float(calls.weight[among].sum())
    value = float(calls.weight[among & event].sum()) / size if size > 0 else np.nan
    influence = np.where(among, event - value, 0.0) / max(size, 1.0)
    return CalledRate(quantity, k, value, influence, size)


def _macro(quantity: str, rates: list[CalledRate]) -> CalledRate:
    """Return the mean of a measure over the classes, each with the same weight."""
    value = float(np.mean([rate.value for rate in rates]))
    influence = np.mean([rate.influence for rate in rates], axis=0)
    # Of equal rates p the mean has the variance p (1 - p) sum (1/n)/C^2.
    sizes = np.array([rate.size for rate in rates])
    size = len(rates) ** 2 / float(np.sum(1 / sizes)) if (sizes > 0).all() else 0.0
    return CalledRate(quantity, None, value, influence, size)


def rate_variance(cases: ClassCases, rate: CalledRate) -> float:
    """Return the variance of a measure, of cases or clusters; NaN for a single cluster."""
    weight = np.ones(len(rate.influence)) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        return float(rate.influence**2 @ weight)
    present = np.bincount(cases.cluster.codes) > 0
    sums = np.bincount(cases.cluster.codes, rate.influence * weight)
    return float(sums @ sums) * small_sample(float(np.count_nonzero(present)))


def called_limits(
    cases: ClassCases, rate: CalledRate, level: float
) -> tuple[float, float, float, float]:
    """Return se, both limits and their effective size: Wilson's, with p (1 - p)/v cases.

    Where nothing varies each case counts, in clusters each cluster.
    """
    variance, p = rate_variance(cases, rate), rate.value
    if np.isnan(variance):
        return np.nan, np.nan, np.nan, np.nan
    units = rate.size
    if cases.cluster is not None:
        units = min(units, float(np.count_nonzero(np.bincount(cases.cluster.codes))))
    spread = p * (1 - p)
    # Below 1e-24 of the spread nothing but rounding is left of a variance.
    size = spread / variance if spread > 0 and variance > 1e-24 * spread else units
    low, high = rate_limits(p, size, "wilson", level)
    return float(np.sqrt(variance)), float(low), float(high), float(size)
