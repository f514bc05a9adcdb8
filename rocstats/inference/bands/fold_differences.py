"""The mean difference of two predictors' curves over folds, with limits at each rate."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.inference.estimates.difference_bands import few_clusters
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.stats.bands.averages import difference_bars
from rocstats.stats.bands.bars import binomial_bars, effective_bars, mean_size, rounded_to_ends
from rocstats.stats.bands.record import empirical_curve
from rocstats.stats.resampling.curves.averages import AverageSpread
from rocstats.stats.resampling.streams import redrawn_notes
from rocstats.tolerances import FEW_CASES_AT_RATE, NO_SPREAD

DifferenceBarKind = Literal["effective", "t"]


def fold_curves(cases: ScoredCases, fpr: FloatArray) -> FloatArray:
    """Return the TPRs of every predictor (first axis) on every fold at every rate."""
    folds = [part for _, part in cases.by_fold()]
    # Fawcett (2004), algorithm 4, before the mean: its differences are taken fold by fold.
    return np.array(
        [[empirical_curve(part, k, fpr) for part in folds] for k in range(cases.n_predictors)]
    )


class FoldDifferences(NamedTuple):
    """Differences of a pair with their bars; ``method_unpaired`` where they do not vary."""

    estimate: FloatArray
    bars: difference_bars.DifferenceBars
    method: str
    method_unpaired: str
    n_resamples: int
    codes: list[str]


def undefined_differences(estimate: FloatArray, codes: list[str]) -> FoldDifferences:
    """Return differences without limits."""
    return FoldDifferences(
        estimate, difference_bars.no_differences(len(estimate)), "none/none", "none/none", 0, codes
    )


def compare_curves_of_folds(
    cases: ScoredCases,
    pair: tuple[int, int],
    curves: FloatArray,
    spread: AverageSpread | None,
    kind: DifferenceBarKind,
    level: float,
) -> FoldDifferences:
    """Return the mean differences of a pair of predictors at every rate, with limits."""
    estimate = (curves[pair[0]] - curves[pair[1]]).mean(axis=0)
    codes = _codes(cases)
    # Equal curves are not enough: different rankings may agree at every one of a few places.
    if (curves[pair[0]] == curves[pair[1]]).all() and _rank_alike(cases, pair):
        return undefined_differences(estimate, ["identical-predictors", *codes])
    if kind == "t":
        return _over_folds(cases, pair, curves, codes, level)
    if spread is None:
        return undefined_differences(estimate, ["weights-need-bootstrap", *codes])
    codes = [*redrawn_notes(spread.n_redrawn), *codes]
    variances = np.stack([spread.covariance[:, k, k] for k in pair])
    rates, size = _mean_rates(curves, pair), _size(cases, variances > NO_SPREAD)
    each = [effective_bars(rates[i], size[i], variances[i], level) for i in (0, 1)]
    # Zou & Donner (2008), with the correlation that the shared resamples give.
    bars = difference_bars.mover_bars(
        rates, (each[0], each[1]), spread.covariance[:, pair[0], pair[1]], variances
    )
    method = "resamples/mover-wilson"
    return FoldDifferences(estimate, bars, method, method, spread.n_resamples, codes)


def _over_folds(
    cases: ScoredCases,
    pair: tuple[int, int],
    curves: FloatArray,
    codes: list[str],
    level: float,
) -> FoldDifferences:
    """Return t limits; Newcombe's for two samples where all folds have the same difference."""
    differences = curves[pair[0]] - curves[pair[1]]
    estimate = differences.mean(axis=0)
    if len(differences) == 1:
        return undefined_differences(estimate, ["single-curve", *codes])
    bars = difference_bars.paired_t_bars(differences, level)
    # t limits of no width would claim that the difference is known. Newcombe (1998), method 10 for
    # independent samples, ignores the pairing, which usually widens the limits.
    if bars.unpaired.any() and cases.sample_weight is None:
        rates = _mean_rates(curves, pair)
        size = _size(cases, np.zeros(rates.shape, dtype=bool))
        each = [binomial_bars(rates[i], size[i], "wilson", level) for i in (0, 1)]
        apart = difference_bars.mover_bars(
            rates, (each[0], each[1]), np.zeros(len(estimate)), np.zeros(rates.shape)
        )
        bars = difference_bars.DifferenceBars(
            np.where(bars.unpaired, apart.low, bars.low),
            np.where(bars.unpaired, apart.high, bars.high),
            bars.se,
            bars.unpaired,
        )
    return FoldDifferences(estimate, bars, "curves/t", "curves/newcombe-hybrid", 0, codes)


def _mean_rates(curves: FloatArray, pair: tuple[int, int]) -> FloatArray:
    return np.stack([rounded_to_ends(curves[k].mean(axis=0)) for k in pair])


def _size(cases: ScoredCases, varies: BoolArray) -> FloatArray:
    """Return the number of positives of a mean rate; of a cluster one where nothing varies."""
    # A mean of K shares has the variance of a share of K^2 / sum(1/P_i) positives.
    size = mean_size([part.n_pos for _, part in cases.by_fold()])
    # Where nothing varies, no variance ratio says what a cluster is worth: it counts as one case.
    if cases.cluster is None:
        return np.full(varies.shape, size)
    return np.where(varies, size, min(float(cluster_numbers(cases)[0]), size))


def _rank_alike(cases: ScoredCases, pair: tuple[int, int]) -> bool:
    """Return whether two predictors rank the cases of every fold alike."""
    i, j = pair
    return all(np.array_equal(_ranks(part, i), _ranks(part, j)) for _, part in cases.by_fold())


def _ranks(cases: ScoredCases, k: int) -> IntArray:
    # Codes number the scores of the whole study: within a fold only their order counts.
    return np.unique(cases.codes(k), return_inverse=True)[1]


def _codes(cases: ScoredCases) -> list[str]:
    # Reading the top of a step biases each curve upwards, by up to its slope over n: the mean over
    # folds keeps that bias, so that the smallest fold decides.
    few = min(part.n_neg for _, part in cases.by_fold()) < FEW_CASES_AT_RATE
    codes = ["few-negatives-per-curve"] if few else []
    return [*codes, *few_clusters(cases)]
