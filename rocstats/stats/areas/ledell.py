"""The influence-function variance of a cross-validated area (LeDell, Petersen & van der Laan 2015).

The influence value of a positive in fold v is (V10 - A_v)/p1, of a negative (V01 - A_v)/p0, with
placements inside the fold and p1, p0 the shares of the classes among all cases. The variance is
sigma^2/N, sigma^2 the mean over folds of the mean squared influence value: no small-sample factor.
"""

from __future__ import annotations

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.curves.areas.whole import area, weighted_sum
from rocstats.sample.arrays import FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.areas.record import AreaVariance
from rocstats.stats.areas.units import units_of
from rocstats.stats.influence.values import case_placements
from rocstats.stats.intervals.area import Area
from rocstats.stats.word import Word
from rocstats.tolerances import cleared

# With 10 cases of a class in a fold the missing small-sample factor n/(n - 1) of its part of the
# variance is 1.11; with 20 it is 1.05. Simulated coverage: docs/methods/areas.md, "Folds".
FEW_PER_FOLD = 10


def ledell_variance(sample: ScoredCases, k: int) -> float:
    """Return the variance of the cross-validated area of predictor ``k``.

    With clusters (the cases of a repeated cross-validation) the values of a cluster are added up
    before they are squared. Repeats of V folds with n_v = N/V cases then give the mean over
    subjects of the squared mean of each subject's values, over the number of subjects.
    """
    folds = [part for _, part in sample.by_fold()]
    total = 0.0
    sums = np.zeros(0 if sample.cluster is None else len(sample.cluster.labels))
    for fold in folds:
        size = fold.n_pos + fold.n_neg
        # 1/sqrt(N V n_v): the mean over the n_v cases, the mean over V folds, and sigma^2/N.
        scale = 1 / np.sqrt((sample.n_pos + sample.n_neg) * len(folds) * size)
        for rows, values in _influence(fold, k, sample):
            weight = np.ones(len(rows)) if fold.frequency is None else fold.frequency[rows]
            # Values of a subject over repeats are added before squaring: this extension is ours.
            if fold.cluster is None:
                total += scale**2 * weighted_sum(weight, values * values)
            else:
                codes = fold.cluster.codes[rows]
                sums += np.bincount(codes, weights=scale * weight * values, minlength=len(sums))
    return total if sample.cluster is None else float(np.dot(sums, sums))


def ledell_codes(sample: ScoredCases) -> tuple[str, ...]:
    """Return the note of folds with few cases of a class, where the variance is too small."""
    fewest = min(min(part.n_pos, part.n_neg) for _, part in sample.by_fold())
    return ("few-cases-per-fold",) if fewest < FEW_PER_FOLD else ()


def _influence(fold: ScoredCases, k: int, sample: ScoredCases) -> list[tuple[IntArray, FloatArray]]:
    """Return rows and influence values of the positives and of the negatives of a fold."""
    pos, neg = np.flatnonzero(fold.is_positive), np.flatnonzero(~fold.is_positive)
    v10, v01 = (values[0] for values in case_placements(fold, [k], pos, neg))
    weight = np.ones(len(pos)) if fold.frequency is None else fold.frequency[pos]
    mean = weighted_sum(weight, v10) / weight.sum()
    # The class shares p1 and p0 are those of all data, not of the fold (LeDell et al. 2015).
    n = sample.n_pos + sample.n_neg
    return [(pos, (v10 - mean) * n / sample.n_pos), (neg, (v01 - mean) * n / sample.n_neg)]


def _estimate(sample: ScoredCases, k: int, over: AreaRange, spread: bool) -> Area:
    mean = float(np.mean([area(part.counts(k)) for _, part in sample.by_fold()]))
    return Area(mean, cleared(ledell_variance(sample, k)), np.inf, *units_of(sample))


_BY_INFLUENCE = "by the influence function of the cross-validated area"
LEDELL = AreaVariance(
    "ledell",
    _estimate,
    (
        Word("ledell", _BY_INFLUENCE, ("ledell-2015",)),
        Word("ledell-clustered", f"{_BY_INFLUENCE}, summed by cluster", ("ledell-2015",)),
    ),
    clustered="ledell-clustered",
    needs_folds=True,
    codes=ledell_codes,
)
