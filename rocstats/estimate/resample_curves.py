"""Bootstrap curves at false positive rates, their averages and hulls; the limit process of a curve.

Curves are read as they are plotted: the top of a vertical step, linear along the slope of a tie. E3
reads them as steps at a cost that does not grow with n: the TPR at FPR f is the share of positives
above the (floor(f n) + 1)-th largest negative, the highest that a threshold with at most f n false
positives attains; exact for this reading. Where the segments of ties are read by interpolation,
tables (E2) or cases (E1) are drawn. See docs/methods/resampling.md, "Engines".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.convex_hull import hull_of
from rocstats.curves.roc import RocPoints, roc_points, tpr_at
from rocstats.estimate.resample import (
    Columns,
    ResamplePlan,
    Streams,
    ValidDraws,
    draw_weights,
    fold_rows,
    multinomial_tables,
    resamples_with_both_classes,
    score_columns,
)
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray, cumulated
from rocstats.facts.tolerances import WHOLE
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import ScoreCounts

# --- Curves of one predictor, by the engine that its ties and roles need --------------------------

# Both engines draw the same distribution: the bound decides the time only. It is below that of an
# area (CASES_PER_CELL), as E1 here also gathers and sums the weights of cases by score.
_CASES_PER_SCORE = 10


def curve_draws(sample: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan) -> ValidDraws:
    """Return resampled curves of predictor ``k`` at increasing FPRs; folds are pooled.

    A curve is read at the top of its vertical steps and along the sloped segments of ties. Classes
    are resampled apart, clusters whole.
    """
    counts = sample.counts(k)
    cases = counts.total_pos + counts.total_neg
    of_cases = sample.cluster is not None or sample.sample_weight is not None
    # Without ties across classes curves are steps, drawn at a cost that does not grow with n (E3);
    # with them the segment of a tie varies, so that tables (E2) or cases (E1) are drawn.
    if not of_cases and not has_ties_between_classes(counts):
        return ValidDraws(draw_tpr_by_order_statistics(counts, fpr, plan))
    if not of_cases and (
        sample.frequency is not None or cases > _CASES_PER_SCORE * len(counts.score)
    ):
        return ValidDraws(table_curves(counts, fpr, plan))
    draws = draw_averaged_curves(sample.pooled(), [k], fpr, plan)
    return draws._replace(values=draws.values[:, 0])


def has_ties_between_classes(counts: ScoreCounts) -> bool:
    """Return whether a positive and a negative have the same score: the curve has a slope."""
    return bool(np.any((counts.n_pos > 0) & (counts.n_neg > 0)))


# --- Resampled curves read as they are plotted (E2 by table, E1 by case) --------------------------

Tables = FloatArray | npt.NDArray[np.int64]
"""Counts of r resamples (rows) at each of d scores, the most positive first."""


def table_curves(counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples of one count table (E2)."""
    draws = np.empty((plan.n_resamples, len(fpr)))
    parts = multinomial_tables(counts.n_pos, counts.n_neg, plan)
    for part, pos, neg in parts:
        draws[part] = tpr_of_tables(pos, neg, fpr)
    return draws


def tpr_of_tables(pos: Tables, neg: Tables, fpr: FloatArray) -> FloatArray:
    """Return r x g TPRs of r tables given as counts (r x d), all rows in one search.

    NaN where a table lacks a class.
    """
    # float64 for whole counts too: offsets and weights are added to them.
    fp, tp = (cumulated(np.asarray(table, dtype=np.float64)) for table in (neg, pos))
    size, width = fp.shape
    rows = np.arange(size)[:, np.newaxis]
    # Rows laid end to end increase: one search serves all. f n is often whole but for rounding;
    # the last vertex there is the top of the step.
    offset = rows * (fp[:, -1].max(initial=0.0) + 1)
    wanted = fpr * fp[:, -1:]
    last = np.searchsorted((fp + offset).ravel(), wanted + offset + WHOLE, "right") - 1
    following = np.minimum(last + 1, rows * width + width - 1)
    start, foot = fp.take(last), tp.take(last)
    beyond, gap = wanted - start, fp.take(following) - start
    sloped = (beyond > WHOLE) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(wanted.shape), where=sloped)
    both = (tp[:, -1:] > 0) & (fp[:, -1:] > 0)
    total = np.where(both, tp[:, -1:], np.nan)
    return np.asarray((foot + share * (tp.take(following) - foot)) / total)


def tpr_of_resample_weights(
    weights: FloatArray, columns: Sequence[Columns], fpr: FloatArray
) -> FloatArray:
    """Return r x k x g TPRs of resamples given as r x rows weights."""
    curves = [tpr_of_tables(pos.tables(weights), neg.tables(weights), fpr) for pos, neg in columns]
    return np.stack(curves, axis=1)


# --- Engine E3: curves read as steps at fixed FPRs, and the exact variance of their rates ---------

# Shares are multiples of 1/m: what is left below this is rounding. As a mass, even 10^6 of them
# move a quantile's level by less than 1e-9.
_NEGLIGIBLE = 1e-15


def draw_tpr_by_order_statistics(
    counts: ScoreCounts, fpr: FloatArray, plan: ResamplePlan
) -> FloatArray:
    """Return n_resamples x g TPRs of stratified resamples at increasing FPRs (E3).

    The cost is independent of n: the resampled thresholds are order statistics of n uniform
    indices; given them, positives fall between thresholds as a multinomial.
    """
    above, m, n = positives_above(counts), counts.total_pos, int(counts.total_neg)
    ranks = negatives_callable_at_fpr(counts, fpr)
    inner = np.unique(ranks[ranks < n])  # rates with equal ranks share one order statistic
    of_pos, of_neg = plan.streams(1), plan.stream(0)
    draws = np.ones((plan.n_resamples, len(fpr)))
    if len(inner) == 0:
        return draws
    column = np.searchsorted(inner, ranks)
    for part in plan.chunks(len(inner) + 1):
        size = part.stop - part.start
        thresholds = _order_statistics(of_neg, inner, n, size)
        shares = np.diff(above[thresholds] / m, axis=1, prepend=0.0)
        tpr = np.cumsum(_sequential_binomials(of_pos, shares, int(m)), axis=1) / m
        kept = ranks < n
        draws[part][:, kept] = tpr[:, column[kept]]
    return draws


def exact_tpr_variance(counts: ScoreCounts, fpr: FloatArray) -> FloatArray:
    """Return the variance of the step-read bootstrap TPR at each FPR, infinitely many resamples.

    Given the index of the resampled threshold the TPR is Binomial(m, p)/m, with p the observed TPR
    there. The variance is that of p over the index, plus the mean of p(1 - p)/m.
    """
    m, n = counts.total_pos, int(counts.total_neg)
    share = positives_above(counts) / m
    variance = np.zeros(len(fpr))
    for g, rank in enumerate(negatives_callable_at_fpr(counts, fpr)):
        if rank < n:
            weight = order_statistic_distribution(int(rank), n)
            mean = np.dot(weight, share)
            within = np.dot(weight, share * (1 - share)) / m
            # Squared deviations, as the mean square less the squared mean would cancel.
            variance[g] = np.dot(weight, (share - mean) ** 2) + within
    return variance


def order_statistic_distribution(rank: int, n: int) -> FloatArray:
    """Return the distribution of the (rank + 1)-th smallest of n indices drawn from 0..n-1."""
    # P(index < i) is the Beta(rank + 1, n - rank) distribution function at i/n. Its tails beyond 12
    # deviations (normal) and 45 places (exponential, at the ends) are below 1e-16: left at 0.
    share = (rank + 1) / (n + 1)
    reach = 12 * np.sqrt(n * share * (1 - share)) + 45
    first = max(0, int(n * share - reach))
    last = min(n, int(n * share + reach) + 1)
    upper = sp.betainc(rank + 1, n - rank, np.arange(first, last + 1) / n)
    weights = np.zeros(n)
    weights[first:last] = np.diff(upper)
    return weights


def positives_above(counts: ScoreCounts) -> FloatArray:
    """Return the number of positives above each negative, from the highest negative down."""
    strictly_above = np.cumsum(counts.n_pos) - counts.n_pos
    return np.repeat(strictly_above, counts.n_neg.astype(np.intp))


def negatives_callable_at_fpr(counts: ScoreCounts, fpr: FloatArray) -> IntArray:
    """Return the number of negatives that may be called positive at each rate."""
    # 0.29 * 100 is 29 less a rounding error.
    return np.floor(np.asarray(fpr) * counts.total_neg + WHOLE).astype(np.intp)


def _order_statistics(rng: np.random.Generator, ranks: IntArray, n: int, size: int) -> IntArray:
    """Return size x g indices: jointly the (rank + 1)-th smallest of n draws from 0..n-1."""
    # Uniform spacings are ratios of exponentials, and sums of these are Gamma variables (Devroye
    # 1986, chapter V): a draw a rank, not one a negative.
    steps = np.diff(ranks + 1, prepend=0)
    gammas = rng.standard_gamma(np.append(steps, n - ranks[-1]), size=(size, len(ranks) + 1))
    cumulative = np.cumsum(gammas, axis=1)
    uniform = cumulative[:, :-1] / cumulative[:, -1:]
    return np.minimum((n * uniform).astype(np.intp), n - 1)  # a ratio may round to 1


def _sequential_binomials(streams: Streams, shares: FloatArray, m: int) -> IntArray:
    """Return size x g multinomial counts of m draws over cells with these shares."""
    # Shares differ by row: as a chain of binomials, all rows take one call a cell, from its stream.
    counts = np.empty(shares.shape, dtype=np.intp)
    left = np.full(len(shares), m)
    remaining = np.ones(len(shares))
    for g in range(shares.shape[1]):
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = np.where(remaining > _NEGLIGIBLE, shares[:, g] / remaining, 0.0)
        counts[:, g] = streams[g].binomial(left, np.clip(chance, 0.0, 1.0))
        left = left - counts[:, g]
        remaining = remaining - shares[:, g]
    return counts


# --- Averaged curves: the TPR at given FPRs, averaged over folds ----------------------------------


class AveragedCurveSpread(NamedTuple):
    """Bootstrap covariances (FPRs x predictors x predictors) of averaged curves.

    ``n_resamples`` is 0 for a closed form; ``n_redrawn`` resamples lacked a class.
    """

    covariance: FloatArray
    n_resamples: int
    n_redrawn: int


def averaged_curve_variance(
    cases: ScoredCases, k: int, fpr: FloatArray, plan: ResamplePlan
) -> AveragedCurveSpread:
    """Return the bootstrap variance of the averaged curve of predictor ``k`` at each FPR.

    Folds without ties across classes have a closed form; others, and clusters, are resampled.
    """
    if cases.cluster is not None:
        return averaged_curve_covariance(cases, [k], fpr, plan.at(k))
    # Folds are resampled apart: the variance of their mean is the sum of variances over V^2.
    folds = [part.counts(k) for _, part in cases.by_fold()]
    variance, resampled = np.zeros(len(fpr)), False
    for v, counts in enumerate(folds):
        if has_ties_between_classes(counts):
            resampled = True
            variance += table_curves(counts, fpr, plan.at(k, v)).var(axis=0, ddof=1)
        else:
            variance += exact_tpr_variance(counts, fpr)
    covariance = (variance / len(folds) ** 2)[:, np.newaxis, np.newaxis]
    return AveragedCurveSpread(covariance, plan.n_resamples if resampled else 0, 0)


def averaged_curve_covariance(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> AveragedCurveSpread:
    """Return the bootstrap covariances of the averaged curves of predictors at each FPR."""
    draws = draw_averaged_curves(cases, predictors, fpr, plan)
    centred = draws.values - draws.values.mean(axis=0)
    covariance = np.einsum("big,bjg->gij", centred, centred) / (plan.n_resamples - 1)
    return AveragedCurveSpread(covariance, plan.n_resamples, draws.n_redrawn)


def draw_averaged_curves(
    cases: ScoredCases, predictors: Sequence[int], fpr: FloatArray, plan: ResamplePlan
) -> ValidDraws:
    """Return the averaged curves of predictors at each FPR in resamples that they share.

    Cases of each class are resampled in each fold apart, or clusters whole across folds. A resample
    of clusters that leaves a fold without a class is drawn again.
    """
    stratified = cases.cluster is None
    folds = [[score_columns(cases, rows, k) for k in predictors] for rows in fold_rows(cases)]
    streams = plan.streams(2)

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = np.mean([tpr_of_resample_weights(weights, fold, fpr) for fold in folds], axis=0)
        # NaN in all places if any fold lacks a class: one place of each resample decides.
        return np.asarray(tpr[~np.isnan(tpr[:, 0, 0])])

    return plan.valid(len(cases.is_positive), draw, "curves")


# --- Sensitivities of several predictors at fixed false positive rates, resampled together --------


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
    plan: ResamplePlan,
    scored: Sequence[IntArray] | None = None,
) -> ValidDraws:
    """Return TPRs of resamples that the predictors share; classes are resampled apart.

    ``scored`` are the rows that each predictor has a score of, by default all. Clusters are drawn
    whole, and resamples in which a predictor lacks a class drawn again.
    """
    everyone, stratified = np.arange(len(cases.is_positive)), cases.cluster is None
    rows = [everyone for _ in predictors] if scored is None else scored
    streams = plan.streams(8)
    columns = [score_columns(cases, own, k) for k, own in zip(predictors, rows, strict=True)]

    def draw(size: int) -> FloatArray:
        weights = draw_weights(streams, cases, size, stratified=stratified)
        tpr = tpr_of_resample_weights(weights, columns, fpr)
        # NaN at all rates where a class was not drawn.
        return np.asarray(tpr[~np.isnan(tpr[:, :, 0]).any(axis=1)])

    draws = plan.valid(len(everyone), draw, "rates" if scored is None else "reader-rates")
    return draws._replace(values=np.ascontiguousarray(draws.values.transpose(1, 2, 0)))


# --- Any statistic of the ROC convex hulls of several predictors ----------------------------------
# All predictors share the resamples. Optimal thresholds are chosen again in each resample, so that
# the draws allow for their choice.

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
        weights = weights[resamples_with_both_classes(weights, cases.is_positive)]
        resamples = zip(*(_hulls(column, weights) for column in columns), strict=True)
        return np.array([read(hulls) for hulls in resamples])

    return plan.valid(len(everyone), draw, "curves")


def _hulls(columns: Columns, weights: FloatArray) -> Iterator[RocPoints]:
    """Yield the hull of each resample; its thresholds are numbers of scores called."""
    tp, fp = (cumulated(side.tables(weights)) for side in columns)
    # The number of scores called positive stands for a threshold of any direction: hulls of
    # resamples and of the sample then share their thresholds.
    called = np.arange(float(tp.shape[1]))
    for of_pos, of_neg in zip(tp, fp, strict=True):
        yield hull_of(RocPoints(called, of_neg, of_pos))


# --- The limit process of a curve -----------------------------------------------------------------


def limit_process_sups(
    fpr: FloatArray,
    tpr: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the largest abs(G)/sd over the FPRs of each path of the limit process of a curve.

    G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), with independent Brownian bridges and r the slope
    of the curve R (Hsieh & Turnbull 1996). The rates increase; where sd is 0 the path is 0.
    """
    sd = limit_process_sd(fpr, tpr, slope, n_pos, n_neg)
    of_pos, of_neg = plan.stream(1), plan.stream(0)
    sups = np.empty(plan.n_resamples)
    for part in plan.chunks(len(fpr) + 1):
        size = part.stop - part.start
        path = _brownian_bridges(of_pos, tpr, size) / np.sqrt(n_pos)
        path += slope * _brownian_bridges(of_neg, fpr, size) / np.sqrt(n_neg)
        scaled = np.divide(np.abs(path), sd, out=np.zeros(path.shape), where=sd > 0)
        sups[part] = scaled.max(axis=1)
    return sups


def limit_process_sd(
    fpr: FloatArray, tpr: FloatArray, slope: FloatArray, n_pos: float, n_neg: float
) -> FloatArray:
    """Return the standard deviation of the limit process of a curve at each FPR."""
    variance = tpr * (1 - tpr) / n_pos + slope**2 * fpr * (1 - fpr) / n_neg
    return np.asarray(np.sqrt(variance))


def _brownian_bridges(rng: np.random.Generator, at: FloatArray, size: int) -> FloatArray:
    """Return size Brownian bridges at increasing times in [0, 1]."""
    # W(t) - t W(1): exact at the given times, so that their grid adds no discretisation error.
    steps = np.sqrt(np.diff(at, prepend=0.0, append=1.0))
    motion = np.cumsum(rng.standard_normal((size, len(at) + 1)) * steps, axis=1)
    return np.asarray(motion[:, :-1] - at * motion[:, -1:])
