"""Sensitivities of several predictors at fixed false positive rates, resampled together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import roc_points
from rocstats.sample.arrays import CodeArray, FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.resampling.streams import Streams, valid_draws
from rocstats.stats.resampling.weights import draw_weights
from rocstats.tolerances import SAME


class FixedFprDraws(NamedTuple):
    """TPRs of k predictors at g false positive rates in each resample: shape (k, g, resamples)."""

    tpr: FloatArray
    n_redrawn: int


def tpr_at_fpr(cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray) -> FloatArray:
    """Return the TPR of each predictor at each FPR: the top of a step, linear between vertices."""
    curves = [
        roc_points(cases.counts(k), higher_is_positive=cases.higher_is_positive[k])
        for k in predictors
    ]
    return np.stack([tpr_at(curve.fpr, curve.tpr, fpr) for curve in curves])


def fixed_fpr_draws(
    cases: ScoredCases,
    predictors: Sequence[int],
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> FixedFprDraws:
    """Return TPRs of resamples that the predictors share; classes are resampled apart.

    Clusters are drawn whole, and resamples that lack a class drawn again.
    """
    streams, stratified = Streams(*seed, 8), cases.cluster is None
    ranked = [_Ranked(cases.codes(k), cases) for k in predictors]

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        # Checked before curves are read: rates of an absent class would be 0/0.
        pos = weights[:, cases.is_positive].sum(axis=1)
        kept = weights[(pos > 0) & (pos < weights.sum(axis=1))]
        return np.stack([ranks.tpr_at(kept, fpr) for ranks in ranked]).transpose(2, 0, 1)

    n_rows = len(cases.is_positive)
    tpr, n_redrawn = valid_draws(n_resamples, n_rows, draw, "rates", progress=progress)
    return FixedFprDraws(np.ascontiguousarray(tpr.transpose(1, 2, 0)), n_redrawn)


class _Ranked:
    """The rows of a sample from the most positive score down, and where each score ends."""

    def __init__(self, codes: CodeArray, cases: ScoredCases) -> None:
        # Stable: sums within a tie round alike on every processor.
        self.order = np.argsort(codes, kind="stable")
        self.positive = cases.is_positive[self.order]
        self.ends = np.cumsum(np.bincount(codes)) - 1

    def tpr_at(self, weights: FloatArray, fpr: FloatArray) -> FloatArray:
        """Return g x r TPRs of resamples given as r x rows weights."""
        ordered = weights.take(self.order, axis=1)
        tpr, false = (
            self._cumulated(ordered * chosen) for chosen in (self.positive, ~self.positive)
        )
        rows, top = np.arange(len(weights)), tpr.shape[1] - 1
        at_fpr = np.empty((len(fpr), len(weights)))
        for place, rate in enumerate(fpr):
            # The last vertex at or left of the rate is the top of a vertical step there.
            last = np.count_nonzero(false <= rate + SAME, axis=1) - 1
            following = np.minimum(last + 1, top)
            beyond = rate - false[rows, last]
            gap = false[rows, following] - false[rows, last]
            between = (beyond > SAME) & (gap > 0)
            share = np.divide(beyond, gap, out=np.zeros(len(rows)), where=between)
            at_fpr[place] = tpr[rows, last] + share * (tpr[rows, following] - tpr[rows, last])
        return at_fpr

    def _cumulated(self, weights: FloatArray) -> FloatArray:
        """Return the shares at or beyond each score, from 0 to 1."""
        sums = np.cumsum(weights, axis=1).take(self.ends, axis=1)
        return np.pad(sums / sums[:, -1:], ((0, 0), (1, 0)))
