"""A band of the ROC curve carried over to the precision-recall curve at a known prevalence."""

from __future__ import annotations

import numpy as np

from rocstats.sample.arrays import FloatArray


def precision_at(tpr: FloatArray, fpr: FloatArray, prevalence: float) -> FloatArray:
    """Return the precision of points of a ROC curve; NaN where nothing is called positive."""
    found, called = prevalence * tpr, prevalence * tpr + (1 - prevalence) * fpr
    unknown = np.full(np.shape(called), np.nan)
    return np.asarray(np.divide(found, called, out=unknown, where=called > 0))


def false_positive_rates(
    fpr: FloatArray, low: FloatArray, high: FloatArray, recall: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest FPR at which a curve inside a band reaches each recall.

    The band is known at increasing ``fpr``; a curve does not fall between them.
    """
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    # The curve reaches a recall after any rate at which the band is below it; at a rate where the
    # band ends in just this recall it may reach it there, but for recall 1, where bands end early.
    place = np.searchsorted(high, recall, side="left")
    here = np.minimum(place, len(fpr) - 1)
    exact = (high[here] == recall) & (recall < 1)
    least = np.where(exact, fpr[here], fpr[np.maximum(place - 1, 0)])
    # It has reached it at the first rate at which the whole band has.
    place = np.searchsorted(low, recall, side="left")
    largest = np.where(place < len(fpr), fpr[np.minimum(place, len(fpr) - 1)], 1.0)
    return least, largest


def precision_limits(
    fpr: FloatArray, low: FloatArray, high: FloatArray, recall: FloatArray, prevalence: float
) -> tuple[FloatArray, FloatArray]:
    """Return both limits of the precision at each recall, from a band at increasing FPRs."""
    least, largest = false_positive_rates(fpr, low, high, recall)
    lower, upper = (precision_at(recall, rate, prevalence) for rate in (largest, least))
    # At recall 0 no rate is excluded, nor any precision.
    return np.where(recall > 0, lower, 0.0), np.where(recall > 0, upper, 1.0)
