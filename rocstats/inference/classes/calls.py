"""The classes that cases are called, and measures of the calls with their influence values.

A case is called the class of its highest score. Every measure is a function of the table of true
and called classes; the influence of a case is the derivative of the measure in its weight
[takahashi-2022]. Limits are Wilson's with p (1 - p)/variance cases [wilson-1927]; kappa and the
Matthews correlation are taken from [-1, 1] to [0, 1] and back.
Derivations: docs/methods/classes.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rocstats.estimate.influence import small_sample_factor
from rocstats.estimate.proportions import binomial_limits_of_rates, wilson_limit_of_proportion
from rocstats.estimate.shares import EstimatedMeasure
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.measures import range_of
from rocstats.study.cases import ClassCases, WeightedRows

# --- Names ----------------------------------------------------------------------------------------

CLASS_RATES = ("tpr", "tnr", "ppv", "npv", "f1")
"""Measures of one class against the rest; those of all classes are their means ("macro")."""
SUMMARIES = (*(f"macro_{name}" for name in CLASS_RATES), "micro_f1", "micro_tnr")
BY_REQUEST = (
    "accuracy",
    "balanced_accuracy",
    "kappa",
    "mcc",
    *(f"weighted_{name}" for name in CLASS_RATES),
)
"""Summaries by request; beside them "top_k_accuracy=2", with any number of classes."""
TOP_K = "top_k_accuracy"


# --- Calls: the class of the highest score --------------------------------------------------------


class CalledClasses(NamedTuple):
    """True and called class of each row, and the number of cases that it stands for.

    ``rank`` is the number of classes that come before the true one: 0 where it is called.
    """

    truth: IntArray
    called: IntArray
    rank: IntArray
    weight: FloatArray
    n_classes: int

    def positives(self, k: int) -> tuple[float, float]:
        """Return true and false positives of a class against the rest."""
        called = self.called == k
        right = called & (self.truth == k)
        return float(self.weight[right].sum()), float(self.weight[called & ~right].sum())


def call_classes(cases: ClassCases, predictor: int) -> tuple[CalledClasses, float]:
    """Return the calls of a classifier, and the number of cases whose highest score is tied.

    Of tied classes the first column comes first.
    """
    scores = cases.scores[predictor]
    weight = np.ones(scores.shape[1]) if cases.weight is None else cases.weight
    tied = (scores == scores.max(axis=0)).sum(axis=0) > 1
    truth = cases.class_codes
    of_truth = np.take_along_axis(scores, truth[np.newaxis], axis=0)
    earlier = np.arange(cases.n_classes)[:, np.newaxis] < truth
    rank = ((scores > of_truth) | ((scores == of_truth) & earlier)).sum(axis=0)
    called = CalledClasses(truth, scores.argmax(axis=0), rank, weight, cases.n_classes)
    times = np.ones(len(tied)) if cases.frequency is None else cases.frequency
    return called, float(times[tied].sum())


# --- Measures of the calls, with influence values [takahashi-2022] --------------------------------


class CalledMeasure(NamedTuple):
    """A measure, the influence of each row of cases on it, and the cases of its denominator.

    ``of_class`` is the class against the rest, None for a measure of all classes. ``size`` is used
    where nothing varies.
    """

    quantity: str
    of_class: int | None
    value: float
    influence: FloatArray
    size: float


def called_measures(calls: CalledClasses, quantities: Sequence[str]) -> Iterator[CalledMeasure]:
    """Yield some measures of each class, then summaries; NaN where nothing is counted."""
    by_class = [_class_measures(calls, k) for k in range(calls.n_classes)]
    for measures in by_class:
        yield from (one for one in measures if one.quantity in quantities)
    of_name: dict[str, Sequence[CalledMeasure]] = {
        name: [measures[place] for measures in by_class] for place, name in enumerate(CLASS_RATES)
    }
    for word in quantities:
        if word not in CLASS_RATES:
            yield _summary(calls, of_name, word)


def _summary(
    calls: CalledClasses, by_class: Mapping[str, Sequence[CalledMeasure]], word: str
) -> CalledMeasure:
    """Return a measure of all classes."""
    mean, _, name = word.partition("_")
    if mean == "macro":
        return macro_average(by_class[name])
    if mean == "weighted":
        return _weighted_average(calls, by_class[name])
    if word == "balanced_accuracy":
        return macro_average(by_class["tpr"])._replace(quantity=word)
    if word in ("kappa", "mcc"):
        return _kappa(calls) if word == "kappa" else _mcc(calls)
    # The accuracy is the share of the first class; so is F1 of all decisions together.
    right = _top_share(calls, word, int(word.partition("=")[2] or 1))
    if word != "micro_tnr":
        return right
    # Each wrong call is one false positive among the C - 1 classes that are not the case's.
    others = max(calls.n_classes - 1, 1)
    return right._replace(value=1 - (1 - right.value) / others, influence=right.influence / others)


def _class_measures(calls: CalledClasses, k: int) -> list[CalledMeasure]:
    """Return ``CLASS_RATES`` of a class against the rest."""
    true, called = calls.truth == k, calls.called == k
    shares = {
        "tpr": (true, called),
        "tnr": (~true, ~called),
        "ppv": (called, true),
        "npv": (~called, ~true),
    }
    rates = [_called_share(name, k, calls, *sides) for name, sides in shares.items()]
    # F1 = 2 TP/(positives + called): its numerator and denominator are sums over cases.
    both = true.astype(np.float64) + called
    total = float(calls.weight @ both)
    value = 2 * float(calls.weight @ (true & called)) / total if total > 0 else np.nan
    influence = (2.0 * (true & called) - value * both) / max(total, 1.0)
    return [*rates, CalledMeasure("f1", k, value, influence, float(calls.weight @ (true | called)))]


def _top_share(calls: CalledClasses, quantity: str, k: int) -> CalledMeasure:
    """Return the share of cases whose class is among the ``k`` of the highest scores."""
    everyone = np.ones(len(calls.truth), dtype=bool)
    return _called_share(quantity, None, calls, everyone, calls.rank < k)


def _called_share(
    quantity: str, k: int | None, calls: CalledClasses, among: BoolArray, event: BoolArray
) -> CalledMeasure:
    """Return p, the share of some cases that have an event; influence (event - p)/size."""
    size = float(calls.weight[among].sum())
    value = float(calls.weight[among & event].sum()) / size if size > 0 else np.nan
    influence = np.where(among, event - value, 0.0) / max(size, 1.0)
    return CalledMeasure(quantity, k, value, influence, size)


def macro_average(measures: Sequence[CalledMeasure]) -> CalledMeasure:
    """Return the mean of a measure over the classes, each with the same weight."""
    value = float(np.mean([measure.value for measure in measures]))
    influence = np.mean([measure.influence for measure in measures], axis=0)
    # Of equal rates p the mean has the variance p (1 - p) sum (1/n)/C^2.
    sizes = np.array([measure.size for measure in measures])
    size = len(measures) ** 2 / float(np.sum(1 / sizes)) if (sizes > 0).all() else 0.0
    return CalledMeasure(f"macro_{measures[0].quantity}", None, value, influence, size)


def _weighted_average(calls: CalledClasses, measures: Sequence[CalledMeasure]) -> CalledMeasure:
    """Return the mean of a measure over the classes, each weighted by its share of the cases."""
    values = np.array([measure.value for measure in measures])
    share, n = _shares_of_classes(calls, calls.truth)
    value = float(share @ values)
    influence = share @ np.array([measure.influence for measure in measures])
    # A case also moves the shares, and so the mean, towards the value of its own class.
    influence = influence + (values.take(calls.truth) - value) / n
    return CalledMeasure(f"weighted_{measures[0].quantity}", None, value, influence, n)


def _shares_of_classes(calls: CalledClasses, codes: IntArray) -> tuple[FloatArray, float]:
    """Return the share of each true or called class, and the number of all cases."""
    counts = np.bincount(codes, calls.weight, calls.n_classes)
    return counts / counts.sum(), float(counts.sum())


def _kappa(calls: CalledClasses) -> CalledMeasure:
    """Return Cohen's kappa (a - e)/(1 - e), a the accuracy and e its value by chance [cohen-1960].

    With r and q the shares of the true and called classes, e = sum r_k q_k. A case of class t
    called c moves e by (q_t + r_c - 2 e)/n.
    """
    of_truth, n = _shares_of_classes(calls, calls.truth)
    of_calls, _ = _shares_of_classes(calls, calls.called)
    accuracy, chance = _top_share(calls, "accuracy", 1), float(of_truth @ of_calls)
    moved = (of_calls.take(calls.truth) + of_truth.take(calls.called) - 2 * chance) / n
    rest = 1 - chance
    if not rest > 0:  # one class alone, always called: 0 / 0
        return CalledMeasure("kappa", None, np.nan, np.full_like(moved, np.nan), n)
    influence = accuracy.influence / rest - moved * (1 - accuracy.value) / rest**2
    return CalledMeasure("kappa", None, (accuracy.value - chance) / rest, influence, n)


def _mcc(calls: CalledClasses) -> CalledMeasure:
    """Return the Matthews correlation of several classes (a - e)/sqrt((1 - rr)(1 - qq)).

    With rr = sum r_k^2 and qq = sum q_k^2 of the shares of true and called classes [gorodkin-2004].
    A case of class t moves rr by 2 (r_t - rr)/n, a case called c moves qq by 2 (q_c - qq)/n.
    """
    of_truth, n = _shares_of_classes(calls, calls.truth)
    of_calls, _ = _shares_of_classes(calls, calls.called)
    accuracy, chance = _top_share(calls, "accuracy", 1), float(of_truth @ of_calls)
    moved = (of_calls.take(calls.truth) + of_truth.take(calls.called) - 2 * chance) / n
    left = [1 - float(share @ share) for share in (of_truth, of_calls)]
    if not min(left) > 0:  # one class alone is true, or called: 0 / 0
        return CalledMeasure("mcc", None, np.nan, np.full_like(moved, np.nan), n)
    slopes = [
        -2 * (share.take(codes) - float(share @ share)) / n / rest
        for share, codes, rest in zip(
            (of_truth, of_calls), (calls.truth, calls.called), left, strict=True
        )
    ]
    root = float(np.sqrt(left[0] * left[1]))
    value = (accuracy.value - chance) / root
    influence = (accuracy.influence - moved) / root - value / 2 * (slopes[0] + slopes[1])
    return CalledMeasure("mcc", None, value, influence, n)


# --- Variance and limits --------------------------------------------------------------------------


def called_limits(
    cases: WeightedRows, measure: CalledMeasure, level: float
) -> tuple[float, float, float, float]:
    """Return se, both limits and their effective size: Wilson's, with p (1 - p)/v cases.

    Where nothing varies each case counts, in clusters each cluster. All NaN for a single cluster.
    """
    estimated = estimated_measure(cases, measure)
    if np.isnan(estimated.variance):
        return np.nan, np.nan, np.nan, np.nan
    size, (least, most) = estimated.effective_size, estimated.ends
    low, high = binomial_limits_of_rates(estimated.proportion, size, "wilson", level)
    reach = most - least
    se = float(np.sqrt(estimated.variance))
    return se, least + reach * float(low), least + reach * float(high), float(size)


@dataclass(frozen=True, eq=False)
class EstimatedCalledMeasure(EstimatedMeasure):
    """A measure of the calls with the influence of each unit: case, or cluster.

    ``n_units`` is used where nothing varies; ``ends`` are the least and the greatest value.
    """

    n_units: float
    ends: tuple[float, float]

    @property
    def proportion(self) -> float:
        """The value as a proportion of the range."""
        return (self.value - self.ends[0]) / (self.ends[1] - self.ends[0])

    @property
    def effective_size(self) -> float:
        """Number of independent cases of a proportion with this variance."""
        spread = self.proportion * (1 - self.proportion)
        variance = self.variance / (self.ends[1] - self.ends[0]) ** 2
        # Below 1e-24 of the spread nothing but rounding is left of a variance.
        return spread / variance if spread > 0 and variance > 1e-24 * spread else self.n_units

    def limit(self, at: float) -> float:
        """Return Wilson's limit of effective size at a normal quantile."""
        size = self.effective_size
        found = wilson_limit_of_proportion(self.proportion * size, size, at)
        return self.ends[0] + (self.ends[1] - self.ends[0]) * found


def estimated_measure(cases: WeightedRows, measure: CalledMeasure) -> EstimatedCalledMeasure:
    """Return a measure with the influence of units; NaN for a single cluster."""
    weight = np.ones(len(measure.influence)) if cases.frequency is None else cases.frequency
    units, influence = measure.size, measure.influence * np.sqrt(weight)
    if cases.cluster is not None:
        present = float(np.count_nonzero(np.bincount(cases.cluster.codes)))
        sums = np.bincount(cases.cluster.codes, measure.influence * weight)
        units, influence = min(units, present), sums * np.sqrt(small_sample_factor(present))
    return EstimatedCalledMeasure(measure.value, influence, units, range_of(measure.quantity))
