"""Bounds on the areas under the precision-recall curve of scores known up to bins only."""

from __future__ import annotations

import numpy as np

import rocstats.special as sp
from rocstats.curves.areas.precision_recall import average_precision, pr_area
from rocstats.sample.arrays import BoolArray
from rocstats.sample.binned import bin_ends, extremes, largest_deviation
from rocstats.sample.counts.tables import ScoreCounts
from rocstats.sample.sample import Sample


def precision_errors(sample: Sample, k: int, prevalence: float | None = None) -> dict[str, float]:
    """Return how far both areas of predictor ``k`` can be from those of all scores.

    At a given ``prevalence`` each negative counts so many times that the cases have it.
    """
    counts = sample.cases.counts(k)
    times = 1.0
    if prevalence is not None:
        times = counts.total_pos / counts.total_neg * (1 - prevalence) / prevalence
    counts = counts._replace(n_neg=counts.n_neg * times)
    tables = [(counts.n_pos, counts.n_neg)]
    tables += [(one.n_pos, one.n_neg * times) for one in _extreme_tables(sample, k)]
    # The interpolated curve rises with the ROC curve: at a recall it has fewer false positives.
    areas = [float(pr_area(*table)) for table in tables]
    # Average precision does too, but ties raise it: the least is that of untied positives.
    most = float(average_precision(*tables[1]))
    inexact = bin_ends(sample, k) != counts.score
    averages = [float(average_precision(*tables[0])), most, least_average(counts, inexact)]
    return {
        "average_precision": float(largest_deviation(averages[0], list(averages[1:]))),
        "pr_auc": float(largest_deviation(areas[0], list(areas[1:]))),
    }


def _extreme_tables(sample: Sample, k: int) -> list[ScoreCounts]:
    return [one.cases.counts(k) for one in extremes(sample)]


def least_average(counts: ScoreCounts, inexact: BoolArray) -> float:
    """Return the least average precision of any order of the cases in the inexact bins.

    It is that of all negatives of a bin first, and then its positives one by one: with T positives
    and F negatives up to its end but for its p positives, their precisions are
    (T + i)/(T + i + F), i = 1, ..., p, whose sum is p - F (psi(T + F + p + 1) - psi(T + F + 1)).
    """
    before = np.cumsum(counts.n_pos) - counts.n_pos
    false = np.cumsum(counts.n_neg)
    called = before + counts.n_pos + false
    tied = counts.n_pos * np.divide(
        before + counts.n_pos, called, out=np.zeros_like(called), where=called > 0
    )
    gone = false * (sp.psi(called + 1) - sp.psi(before + false + 1))
    sums = np.where(inexact & (counts.n_pos > 0), counts.n_pos - gone, tied)
    return float(sums.sum() / counts.total_pos)
