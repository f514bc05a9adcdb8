"""Bootstrap of any statistic of the ROC convex hulls of several predictors.

All predictors share the resamples. Optimal thresholds are chosen again in each resample, so that
the draws allow for their choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rocstats.curves.costs.convex_hull import hull_of
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import BoolArray, FloatArray, cumulated
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.columns import Columns, score_columns
from rocstats.stats.resampling.streams import ResamplePlan, ValidDraws
from rocstats.stats.resampling.weights import draw_weights

Reading = Callable[[Sequence[RocPoints]], FloatArray]
"""Statistics of the hulls of all predictors in one resample."""


def hull_draws(cases: ScoredCases, read: Reading, plan: ResamplePlan) -> ValidDraws:
    """Return statistics of the hulls of all predictors in resamples that they share.

    ``stratified`` keeps the numbers of positives and negatives; else cases are drawn whatever
    their class. Clusters are always drawn whole, and weights go with their cases. The sample has
    no folds. Resamples that lack a class are drawn again.
    """
    everyone = np.arange(len(cases.is_positive))
    columns = [score_columns(cases, everyone, k) for k in range(cases.n_predictors)]
    streams = plan.streams(2)
    by_class = plan.stratified and cases.cluster is None

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=by_class)
        weights = weights[_holds_both(weights, cases.is_positive)]
        resamples = zip(*(_hulls(column, weights) for column in columns), strict=True)
        return np.array([read(hulls) for hulls in resamples])

    return plan.valid(len(everyone), draw, "curves")


def _holds_both(weights: FloatArray, is_positive: BoolArray) -> BoolArray:
    drawn = weights > 0
    return np.asarray((drawn & is_positive).any(axis=1) & (drawn & ~is_positive).any(axis=1))


def _hulls(columns: Columns, weights: FloatArray) -> Iterator[RocPoints]:
    """Yield the hull of each resample; its thresholds are numbers of scores called."""
    tp, fp = (cumulated(side.tables(weights)) for side in columns)
    # The number of scores called positive stands for a threshold of any direction: hulls of
    # resamples and of the sample then share their thresholds.
    called = np.arange(float(tp.shape[1]))
    for of_pos, of_neg in zip(tp, fp, strict=True):
        yield hull_of(RocPoints(called, of_neg, of_pos))
