"""Bootstrap and jackknife of any statistic: of a count table, or of labels and scores of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rocstats.estimate.jobs import evaluate_in_jobs
from rocstats.estimate.resample import (
    Columns,
    ResamplePlan,
    ValidDraws,
    draw_weights,
    draw_weights_of_units,
    fold_rows,
    multinomial_tables,
    score_columns,
)
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import NO_VARIANCE
from rocstats.study.cases import ClassCases, ScoredCases

# --- Any statistic of the count table -------------------------------------------------------------
# Without clusters each class is a multinomial over its distinct scores: exactly the distribution of
# stratified resampling of cases. With clusters, which are drawn whole, and with weights, which go
# with their cases, the table is counted again.

Statistic = Callable[[FloatArray, FloatArray], FloatArray]
"""Values of tables of positives and negatives (r x d each, scores by column)."""


def draw_statistics(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resamples of predictor ``k``, means over folds.

    All statistics are of the same resamples; the stream is keyed by the predictor's position.
    """
    if cases.cluster is not None or cases.sample_weight is not None:
        return _unit_statistics(cases, k, statistics, plan)
    folds = cases.by_fold()
    values = np.zeros((len(statistics), plan.n_resamples))
    for v, (_, fold) in enumerate(folds):
        counts = fold.counts(k)
        for part, pos, neg in multinomial_tables(counts.n_pos, counts.n_neg, plan.at(k, v)):
            sides = pos.astype(np.float64), neg.astype(np.float64)  # exact up to 2^53
            values[:, part] += [statistic(*sides) for statistic in statistics]
    return ValidDraws(values / len(folds))


def _unit_statistics(
    cases: ScoredCases, k: int, statistics: Sequence[Statistic], plan: ResamplePlan
) -> ValidDraws:
    """Return statistics of resampled units; a resample whose fold lacks a class is redrawn."""
    folds = [score_columns(cases, rows, k) for rows in fold_rows(cases)]
    streams = plan.streams(k, 2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=cases.cluster is None)
        return _weighted_statistics(weights, folds, statistics)

    valid = plan.valid(len(cases.is_positive), draw, "curves")
    return valid._replace(values=valid.values.T)


def _weighted_statistics(
    weights: FloatArray, folds: Sequence[Columns], statistics: Sequence[Statistic]
) -> FloatArray:
    """Return statistics (r x s), means over folds, of resamples that hold both classes in each."""
    tables = [(pos.tables(weights), neg.tables(weights)) for pos, neg in folds]
    kept = np.logical_and.reduce([side.any(axis=1) for sides in tables for side in sides])
    each = [[statistic(pos[kept], neg[kept]) for statistic in statistics] for pos, neg in tables]
    return np.asarray(np.mean(each, axis=0).T)


# --- Bootstrap and jackknife of any function of the labels and scores of cases --------------------
# A row is repeated as often as it is drawn, since a function of the user's takes cases, not
# weights.

Cases = ScoredCases | ClassCases
"""Cases of two classes, a score each by a predictor; or of several classes, a score for each."""

Labels = BoolArray | IntArray
RowStatistic = Callable[..., FloatArray]
"""Values (q) of the labels of cases, their scores by one predictor and, if any, their weights.

Labels are True for positives, or the numbers of classes; scores are n, or n x classes.
"""

# A function of the user's may be slow: parts of a sixteenth of the usual size move the bar earlier.
_SLOWER = 16


class Rows(NamedTuple):
    """Labels, scores (k x n) and weights of cases: what a function of the user's reads.

    Of several classes, scores are k x classes x n.
    """

    labels: Labels
    scores: FloatArray
    weight: FloatArray | None

    def values(self, statistic: RowStatistic, times: IntArray) -> FloatArray:
        """Return the values (k x q) of the cases, each row so many times."""
        return np.array([statistic(*self.repeated(k, times)) for k in range(len(self.scores))])

    def repeated(self, k: int, times: IntArray) -> tuple[Any, ...]:
        """Return labels, scores of predictor ``k`` and, if any, weights, each row so many times."""
        rows = np.repeat(np.arange(len(times)), times)
        # Copies for each call: what a function does to its arguments stays without effect.
        weight = () if self.weight is None else (self.weight[rows],)
        return (self.labels[rows], self.scores[k][..., rows].T, *weight)


def labels_of_cases(cases: Cases) -> Labels:
    """Return the class of each row."""
    return cases.class_codes if isinstance(cases, ClassCases) else cases.is_positive


def rows_of_cases(cases: Cases) -> Rows:
    """Return what a function of the user's reads of cases."""
    return Rows(labels_of_cases(cases), cases.scores, cases.sample_weight)


def labels_scores_and_weights(cases: Cases, k: int) -> tuple[Any, ...]:
    """Return the arguments of a statistic: all cases, each row repeated by its frequency."""
    return rows_of_cases(cases).repeated(k, _whole_frequencies(cases))


def statistic_values_of_cases(cases: Cases, statistic: RowStatistic) -> FloatArray:
    """Return the values (k x q) of all cases."""
    return rows_of_cases(cases).values(statistic, _whole_frequencies(cases))


def draw_statistic_values(
    cases: Cases, statistic: RowStatistic, plan: ResamplePlan, n_jobs: int = 1
) -> ValidDraws:
    """Return values of resamples (k x q x r), shared by the predictors.

    The classes are resampled apart, but clusters whole; resamples without a class are redrawn.
    Each class has two clusters or more, so that most resamples hold it. Weights go with their rows.
    """
    streams, labels = plan.streams(2), labels_of_cases(cases)
    # Positives before negatives, classes in their order.
    strata = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    strata = strata if isinstance(cases, ClassCases) else strata[::-1]
    unweighted = replace(cases, sample_weight=None)
    weight = 1.0 if cases.sample_weight is None else cases.sample_weight
    redrawn = [0]

    def draw(size: int) -> FloatArray:
        times = draw_weights_of_units(streams, unweighted, strata, size)
        weighted = times * weight
        return times[np.logical_and.reduce([weighted[:, rows].any(axis=1) for rows in strata])]

    def resamples() -> Iterator[IntArray]:
        # All are drawn here, in one order: a job draws nothing.
        for _, times, redrawn[0] in plan.valid_parts(_SLOWER * len(labels), draw, "rates"):
            yield from times.astype(np.intp)

    values_of = partial(rows_of_cases(cases).values, statistic)
    values = np.array(list(evaluate_in_jobs(values_of, resamples(), n_jobs)))
    return ValidDraws(np.moveaxis(values, 0, -1), redrawn[0])


class Jackknife(NamedTuple):
    """Values (k x q x u) of all cases but one unit: how often it occurs, and its stratum."""

    values: FloatArray
    times: FloatArray
    strata: IntArray


def n_jackknife_deletions(cases: Cases) -> int:
    """Return the largest number of values of one predictor that a jackknife takes."""
    if cases.cluster is not None:
        return len(cases.cluster.present)
    return max(
        len(np.unique(_kind_of_each_equal_case(cases, k))) for k in range(cases.n_predictors)
    )


def jackknife_values(cases: Cases, statistic: RowStatistic, n_jobs: int = 1) -> Jackknife:
    """Return the values without each case (each cluster); each class must have two of them."""
    times, rows = _whole_frequencies(cases), rows_of_cases(cases)
    if cases.cluster is not None:
        units = (times * (cases.cluster.codes != code) for code in cases.cluster.present)
        values_of = partial(rows.values, statistic)
        found = np.array(list(evaluate_in_jobs(values_of, units, n_jobs)))
        count = len(found)
        return Jackknife(np.moveaxis(found, 0, -1), np.ones(count), np.zeros(count, np.intp))
    values = [
        _jackknife_values_without_cases(cases, k, times, statistic, n_jobs)
        for k in range(cases.n_predictors)
    ]
    return Jackknife(np.array(values), times.astype(float), rows.labels.astype(np.intp))


def jackknife_acceleration(values: FloatArray, deleted: Jackknife) -> float:
    """Return the acceleration sum u^3 / (6 (sum u^2)^1.5); NaN if a value is not finite.

    u = (m - 1)(mean - value)/m in a stratum of m units; values are of order 1, or rounding.
    """
    # Efron & Tibshirani 1993, section 14.3, for each of two samples.
    if not np.isfinite(values).all():
        return np.nan
    squares = cubes = 0.0
    for stratum in np.unique(deleted.strata):
        inside = deleted.strata == stratum
        times, m = deleted.times[inside], deleted.times[inside].sum()
        u = (np.dot(times, values[inside]) / m - values[inside]) * (m - 1) / m
        squares, cubes = squares + np.dot(times, u**2), cubes + np.dot(times, u**3)
    return float(cubes / (6 * squares**1.5)) if squares > NO_VARIANCE else 0.0


def _whole_frequencies(cases: Cases) -> IntArray:
    number = len(labels_of_cases(cases))
    if cases.frequency is None:
        return np.ones(number, dtype=np.intp)
    return cases.frequency.astype(np.intp)


def _kind_of_each_equal_case(cases: Cases, k: int) -> IntArray:
    """Return a number for each row that equal cases share: of one class, score and weight."""
    if isinstance(cases, ClassCases):
        table = np.vstack([cases.scores[k], cases.class_codes])
        kind = np.unique(table, axis=1, return_inverse=True)[1].ravel()
    else:
        kind = 2 * cases.codes(k).astype(np.intp) + cases.is_positive
    if cases.sample_weight is None:
        return kind
    weights, code = np.unique(cases.sample_weight, return_inverse=True)
    return np.asarray(kind * len(weights) + code)


def _jackknife_values_without_cases(
    cases: Cases, k: int, times: IntArray, statistic: RowStatistic, n_jobs: int
) -> FloatArray:
    """Return the values (q x rows) without one case of each row; equal cases leave equal others."""
    _, first, place = np.unique(
        _kind_of_each_equal_case(cases, k), return_index=True, return_inverse=True
    )
    own = rows_of_cases(cases)._replace(scores=cases.scores[k : k + 1])

    def without(row: int) -> FloatArray:
        fewer = times.copy()
        fewer[row] -= 1
        return np.asarray(own.values(statistic, fewer)[0])

    found = np.array(list(evaluate_in_jobs(without, first.tolist(), n_jobs)))
    return np.asarray(found[place].T)
