"""Cutpoints of scores known up to bins: where the best threshold of all scores can be."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from rocstats.curves.points.cutpoints import Criterion
from rocstats.curves.points.measures import cells_at, measure
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.binned import bin_ends, largest_deviation
from rocstats.sample.sample import Sample
from rocstats.tolerances import SAME


class BinnedOptimum(NamedTuple):
    """The chosen vertex, the bins that may hold a better one, and the merit there at most.

    ``near`` and ``far`` are both ends of each bin, from the negative to the positive side.
    """

    curve: RocPoints
    vertex: int
    rivals: BoolArray
    near: FloatArray
    far: FloatArray
    gain: float

    @classmethod
    def of(
        cls, sample: Sample, k: int, criterion: Criterion, curve: RocPoints, vertex: int
    ) -> Self:
        """Return the optimum of predictor ``k`` at a vertex of its curve."""
        counts, far = sample.cases.counts(k), bin_ends(sample, k)
        most, merit = _merits(criterion, curve)
        best = float(merit[vertex])
        # A bin of one class has no point that is better than its ends, but where both error rates
        # cross.
        inside = counts.score != far
        inside &= criterion.crossing | ((counts.n_pos > 0) & (counts.n_neg > 0))
        rivals = inside & (most >= best - SAME * max(1.0, abs(best)))
        gain = float(np.max(most[rivals], initial=best)) - best
        return cls(curve, vertex, rivals, counts.score, far, max(gain, 0.0))

    def errors(
        self, criterion: Criterion, threshold: float, prevalence: float | None
    ) -> dict[str, float]:
        """Return the bound of each quantity of a cutpoint, before optimism is taken off."""
        places = np.flatnonzero(self.rivals)
        ends = ((places, places), (places, places + 1), (places + 1, places), (places + 1,) * 2)
        fpr = np.append(self.curve.fpr[self.vertex], [self.curve.fpr[f] for f, _ in ends])
        tpr = np.append(self.curve.tpr[self.vertex], [self.curve.tpr[t] for _, t in ends])
        values = {"tpr": tpr, "tnr": 1 - fpr, "youden": tpr - fpr}
        if prevalence is not None:
            cells = cells_at(tpr, fpr, prevalence)
            values |= {name: measure(name, cells) for name in ("ppv", "npv")}
        errors = {name: _from_first(each) for name, each in values.items()}
        errors["threshold"] = _from_first(self._thresholds(threshold))
        if criterion.quantity:
            # Of the quantity that is best there, only how much better it can be.
            gain = np.array([0.0, self.gain])
            errors[criterion.quantity] = _from_first(gain)
        return errors

    def whole_bins(self, low: float, high: float) -> tuple[float, float]:
        """Return limits of a threshold moved to the ends of the bins that they are inside of."""
        ends = np.sort(np.stack([self.near, self.far]), axis=0)
        holds = [(ends[0] < limit) & (limit < ends[1]) for limit in (low, high)]
        return (
            float(np.min(ends[0][holds[0]], initial=low)),
            float(np.max(ends[1][holds[1]], initial=high)),
        )

    def _thresholds(self, threshold: float) -> FloatArray:
        """Return a threshold and the ends of where that of all scores can be."""
        near, far, v = self.near, self.far, self.vertex
        # Midway to the next score, which is the far end of the next bin and not its near one.
        other = [far[v]] if 0 < v < len(far) else []
        midway = [near[v - 1] / 2 + end / 2 for end in other]
        inner = [near[self.rivals], far[self.rivals]]
        return np.concatenate([[threshold], midway if self._between(threshold) else [], *inner])

    def _between(self, threshold: float) -> bool:
        """Return whether the threshold is between two observed scores."""
        return bool(np.all(self.near != threshold))


def _merits(criterion: Criterion, curve: RocPoints) -> tuple[FloatArray, FloatArray]:
    """Return the most that the merit can be in each bin, and the merit of each vertex."""
    n_pos, n_neg = np.array(curve.tp[-1]), np.array(curve.fp[-1])
    merit = criterion.merit(curve.fpr, curve.tpr, n_pos, n_neg)
    if criterion.crossing:
        # Elsewhere the gap of the error rates is between those at both ends of the bin.
        passed = curve.fpr + curve.tpr
        crosses = (passed[:-1] < 1) & (passed[1:] > 1)
        return np.where(crosses, 0.0, -np.inf), merit
    # Positives first: the corner with the least FPR and the largest TPR of the bin.
    return criterion.merit(curve.fpr[:-1], curve.tpr[1:], n_pos, n_neg), merit


def _from_first(values: FloatArray) -> float:
    """Return the largest distance of the first value from the others."""
    return float(largest_deviation(values[0], list(values[1:])))
