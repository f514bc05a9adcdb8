"""Bootstrap of any statistic of the ROC convex hulls of several predictors.

All predictors share the resamples. Optimal thresholds are chosen again in each resample, so that
the draws allow for their choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.costs.convex_hull import hull_of
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.streams import Streams, valid_draws
from rocstats.stats.resampling.weights import draw_weights

Reading = Callable[[Sequence[RocPoints]], FloatArray]
"""Statistics of the hulls of all predictors in one resample."""


class HullDraws(NamedTuple):
    """Statistics (resamples, ...), and the number of resamples redrawn for lack of a class."""

    values: FloatArray
    n_redrawn: int


def hull_draws(
    cases: ScoredCases,
    read: Reading,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    stratified: bool,
    progress: bool = False,
) -> HullDraws:
    """Return statistics of the hulls of all predictors in resamples that they share.

    ``stratified`` keeps the numbers of positives and negatives; else cases are drawn whatever
    their class. Clusters are always drawn whole, and weights go with their cases. The sample has
    no folds. Resamples that lack a class are drawn again.
    """
    columns = [_column(cases, k) for k in range(cases.n_predictors)]
    streams = Streams(*seed, 2)
    by_class = stratified and cases.cluster is None

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=by_class)
        weights = weights[_holds_both(weights, cases.is_positive)]
        resamples = zip(*(column.hulls(weights) for column in columns), strict=True)
        return np.array([read(hulls) for hulls in resamples])

    n_rows = len(cases.is_positive)
    return HullDraws(*valid_draws(n_resamples, n_rows, draw, "curves", progress=progress))


def _holds_both(weights: FloatArray, is_positive: BoolArray) -> BoolArray:
    drawn = weights > 0
    return np.asarray((drawn & is_positive).any(axis=1) & (drawn & ~is_positive).any(axis=1))


class _Column(NamedTuple):
    """Rows from the most positive score on, their classes, and the last row of each score."""

    rows: IntArray
    is_positive: BoolArray
    ends: IntArray

    def hulls(self, weights: FloatArray) -> Iterator[RocPoints]:
        """Yield the hull of each resample; its thresholds are numbers of scores called."""
        drawn = weights.take(self.rows, axis=1)
        tp, fp = (
            np.cumsum(drawn * member, axis=1)[:, self.ends]
            for member in (self.is_positive, ~self.is_positive)
        )
        # The number of scores called positive stands for a threshold of any direction: hulls of
        # resamples and of the sample then share their thresholds.
        called = np.arange(len(self.ends) + 1.0)
        for of_pos, of_neg in zip(tp, fp, strict=True):
            points = RocPoints(called, np.insert(of_neg, 0, 0.0), np.insert(of_pos, 0, 0.0))
            yield hull_of(points)


def _column(cases: ScoredCases, k: int) -> _Column:
    codes = cases.codes(k)
    rows = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[rows], append=-1))
    return _Column(rows, cases.is_positive[rows], ends)
