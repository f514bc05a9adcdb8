"""Scores known up to bins only: the most and the least that an answer from all scores can be.

A bin is the interval from the lowest to the highest of its scores; bins do not overlap. The order
of the cases inside a bin is unknown. Of all orders, positives before negatives give the highest
ROC curve and negatives before positives the lowest: whatever rises with the curve lies between
its values at these two.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rocstats.errors import InputError
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.study.base import cached
from rocstats.study.sample import Sample


def is_binned(sample: Sample) -> bool:
    """Return whether scores are known up to bins only."""
    return sample._bin_end is not None


def extreme_samples_of_binned_scores(sample: Sample) -> tuple[Sample, Sample]:
    """Return the samples of exact scores with the highest and the lowest curve; both kept."""
    ends = sample._bin_end
    if ends is None:
        return sample, sample
    return cached(
        sample,
        "extremes",
        lambda: (
            _sample_ordered_inside_bins(sample, ends, 1),
            _sample_ordered_inside_bins(sample, ends, 0),
        ),
    )


def _sample_ordered_inside_bins(sample: Sample, ends: FloatArray, first_class: int) -> Sample:
    """Return the sample whose bins have all cases of one class (1: positives) before the others."""
    # The end of a bin is on the side of the positives: cases there are ranked before its others.
    scores = np.where(sample.is_positive == first_class, ends, sample.scores)
    return sample._of({**sample.__getstate__(), "scores": scores, "_bin_end": None})


def binning_error(sample: Sample, value: Callable[[Sample], npt.ArrayLike]) -> FloatArray:
    """Return how far a value that rises (or falls) with the curve can be from that of all scores.

    0 for exact scores, of which the value is not asked. An array if the value is one.
    """
    if sample._bin_end is None:
        return np.zeros(())
    best, worst = extreme_samples_of_binned_scores(sample)
    return largest_deviation(value(sample), [value(best), value(worst)])


def largest_deviation(at: npt.ArrayLike, others: list[npt.ArrayLike]) -> FloatArray:
    """Return the largest distance of values from others; infinite where one of both is no number.

    NaN where there is no value.
    """
    here = np.asarray(at, dtype=np.float64)
    error = np.zeros_like(here)
    for other in others:
        with np.errstate(invalid="ignore"):  # inf - inf
            gap = np.abs(np.asarray(other, dtype=np.float64) - here)
        gap = np.where(here == other, 0.0, np.where(np.isnan(gap), np.inf, gap))
        error = np.maximum(error, gap)
    # A bound that is attained must not fall short by the rounding of the difference.
    error = np.where(error > 0, error + SAME_TO_ROUNDING * np.maximum(1.0, np.abs(here)), 0.0)
    return np.where(np.isnan(here), np.nan, error)


def bin_ends(sample: Sample, k: int) -> FloatArray:
    """Return the other end of the bin of each score in the count table of predictor ``k``."""
    counts = sample.cases.counts(k)
    if sample._bin_end is None:
        return counts.score
    ends = np.empty(len(counts.score))
    ends[sample.cases.codes(k)] = sample._bin_end
    return ends


def inside_bins(sample: Sample, k: int, thresholds: FloatArray, vertex: IntArray) -> BoolArray:
    """Return which thresholds are inside a bin, so that some of its cases may be called positive.

    ``vertex`` is the number of bins that are whole at or beyond each threshold.
    """
    ends = bin_ends(sample, k)
    beyond = np.append(ends, np.nan)[vertex]
    reached = beyond >= thresholds if sample.higher_is_positive[k] else beyond <= thresholds
    # At the infinite threshold of the vertex (0, 0) no case is positive, whatever its score.
    infinite = np.inf if sample.higher_is_positive[k] else -np.inf
    return np.asarray(reached & (thresholds != infinite))


def require_between_bins(sample: Sample, k: int, threshold: float, vertex: int) -> None:
    """Raise InputError if a threshold is inside a bin, where tests have no exact counts."""
    if not is_binned(sample):
        return
    if inside_bins(sample, k, np.array([threshold]), np.array([vertex]))[0]:
        edge, end = sample.cases.counts(k).score[vertex], bin_ends(sample, k)[vertex]
        raise InputError(
            "`threshold` must not be inside a bin of the scores, where exact counts are not"
            f" known; got {threshold:g}, in the bin from {min(edge, end):g} to"
            f" {max(edge, end):g}. Pass {float(edge)!r}, or count the scores with exact=True."
        )
