"""Permutation: labels over cases, values within cases, cases between samples; areas and curves.

Labels are permuted over units (cases, of which equal scores share a count; weighted rows; whole
clusters) for tests against chance. Values of two predictors are exchanged within cases, after each
predictor is ranked over all cases, so that they can be exchanged whatever their scales: of areas as
a signed sum [bandos-2005], of whole curves by counting [venkatraman-1996]. Curves of two samples
are compared by exchanging cases [venkatraman-2000]. See docs/methods/comparison.md, "Exchanged
markers" and "Venkatraman's test", and docs/methods/chance.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas import FULL_RANGE, AreaRange, area, mean_fpr_range_beyond, partial_area
from rocstats.estimate.claim import ComparisonPlan
from rocstats.estimate.quantiles import Alternative, t_p_value
from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.facts.tolerances import SAME
from rocstats.study.cases import ScoredCases

# --- Labels: the distribution of a statistic if labels and scores are unrelated -------------------

RankStatistic = Literal["auc", "youden", "average_precision"]


def rank_statistic_of_sample(
    cases: ScoredCases, k: int, statistic: RankStatistic, over: AreaRange = FULL_RANGE
) -> float:
    """Return a statistic of predictor ``k`` in the sample, averaged over folds."""
    tables = [part.counts(k) for _, part in cases.by_fold()]
    if statistic == "auc":  # the sum of auc(), so that both agree to the last bit
        areas = [area(t) if over.full else partial_area(t, over) for t in tables]
        return float(np.mean(areas))
    compute = STATISTICS[statistic]
    return float(np.mean([compute(t.n_pos[np.newaxis], t.n_neg[np.newaxis])[0] for t in tables]))


def permuted_rank_statistics(
    cases: ScoredCases,
    k: int,
    statistic: RankStatistic,
    plan: ResamplePlan,
    over: AreaRange = FULL_RANGE,
) -> FloatArray:
    """Return a statistic of predictor ``k`` with labels permuted within folds, averaged over folds.

    ``over`` is the range of an area. NaN where permuted weights leave a class without weight.
    """
    folds = [label_units(part, k) for _, part in cases.by_fold()]
    compute = STATISTICS[statistic] if over.full else partial(_partial_auc_of_permuted_rows, over)
    draws = [_fold_draws(units, compute, plan.at(k, v)) for v, units in enumerate(folds)]
    return np.asarray(np.mean(draws, axis=0))


# numpy's method "count" lays every case out as an integer: 8 MB for a million. "marginals" draws
# one hypergeometric a score instead. Both are exact; twice the bound doubles the memory.
_LARGEST_URN = 10**6


def _fold_draws(
    units: LabelUnits, compute: Callable[[FloatArray, FloatArray], FloatArray], plan: ResamplePlan
) -> FloatArray:
    rng = plan.stream(5)
    draws = np.empty(plan.n_resamples)
    large = units.sizes.sum() > _LARGEST_URN
    urn: Literal["count", "marginals"] = "marginals" if large else "count"
    for part in plan.chunks(len(units.unit)):
        # A call a resample: numpy's "count" goes on from the urn of the draw before in the call.
        drawn = [
            rng.multivariate_hypergeometric(units.sizes, units.n_pos, method=urn)
            for _ in range(part.start, part.stop)
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            draws[part] = compute(*units.on_scores(np.array(drawn)))
    return draws


class LabelUnits(NamedTuple):
    """Units of one fold whose labels are permuted, and their weight at each distinct score.

    Attributes
    ----------
    sizes : ndarray of int
        Number of units of each kind; units of a kind have the same scores.
    n_pos : int
        Number of positive units.
    unit, weight : ndarray
        Kind of unit and weight of each row, rows in the order of scores, the most positive first.
    starts : ndarray of int
        The first row of each distinct score.
    """

    sizes: IntArray
    n_pos: int
    unit: IntArray
    weight: FloatArray
    starts: IntArray

    def on_scores(self, positive: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return positives and negatives on each score, given the positive units (r x u)."""
        # Every score has a row, so that no start repeats: reduceat does not sum an empty run to 0.
        drawn = np.add.reduceat(positive[:, self.unit] * self.weight, self.starts, axis=1)
        everyone = np.add.reduceat(self.sizes[self.unit] * self.weight, self.starts)
        return drawn, everyone - drawn


def label_units(cases: ScoredCases, k: int) -> LabelUnits:
    """Return the units of a fold by predictor ``k``; clusters must each have one class."""
    # Cases with equal scores are exchangeable: an urn with a colour a score, not a case.
    if cases.cluster is None and cases.sample_weight is None:
        counts = cases.counts(k)
        cells = np.arange(len(counts.score))
        sizes = (counts.n_pos + counts.n_neg).astype(np.int64)
        return LabelUnits(sizes, int(counts.total_pos), cells, np.ones(len(cells)), cells)
    codes = cases.codes(k)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    weight = np.ones(len(order)) if cases.sample_weight is None else cases.sample_weight
    size = np.ones(len(order)) if cases.frequency is None else cases.frequency
    if cases.cluster is None:
        return LabelUnits(size.astype(np.int64), int(cases.n_pos), order, weight[order], starts)
    present, member = np.unique(cases.cluster.codes, return_inverse=True)
    n_pos = len(np.unique(member[cases.is_positive]))
    alike = np.ones(len(present), dtype=np.int64)
    return LabelUnits(alike, n_pos, member[order], (weight * size)[order], starts)


def _auc_of_permuted_rows(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return P(positive above negative) + P(equal)/2 of each row."""
    total_neg = n_neg.sum(axis=1, keepdims=True)
    below = total_neg - np.cumsum(n_neg, axis=1) + n_neg / 2
    won = np.einsum("ij,ij->i", n_pos, below)
    return np.asarray(won / (n_pos.sum(axis=1) * total_neg[:, 0]))


def _partial_auc_of_permuted_rows(
    over: AreaRange, n_pos: FloatArray, n_neg: FloatArray
) -> FloatArray:
    """Return the area over a range of each row."""
    if over.axis == "tpr":  # mirrored: with classes exchanged (x, y) becomes (1 - y, 1 - x)
        n_pos, n_neg = n_neg[:, ::-1], n_pos[:, ::-1]
    fpr = np.cumsum(n_neg, axis=1) / n_neg.sum(axis=1, keepdims=True)
    before = np.concatenate([np.zeros((len(fpr), 1)), fpr[:, :-1]], axis=1)
    won = np.einsum("ij,ij->i", n_pos, mean_fpr_range_beyond(before, fpr, *over.fpr_ends))
    return np.asarray(won / n_pos.sum(axis=1))


def _youden_of_permuted_rows(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the largest TPR - FPR of each row, at least the 0 of (0, 0)."""
    tpr = np.cumsum(n_pos, axis=1) / n_pos.sum(axis=1, keepdims=True)
    fpr = np.cumsum(n_neg, axis=1) / n_neg.sum(axis=1, keepdims=True)
    return np.asarray(np.maximum((tpr - fpr).max(axis=1), 0.0))


def _average_precision_of_permuted_rows(n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the sum over scores of (R_k - R_{k-1}) P_k of each row."""
    tp = np.cumsum(n_pos, axis=1)
    called = tp + np.cumsum(n_neg, axis=1)
    precision = np.divide(tp, called, out=np.zeros_like(tp), where=called > 0)
    return np.asarray(np.einsum("ij,ij->i", n_pos, precision) / n_pos.sum(axis=1))


STATISTICS: dict[RankStatistic, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "auc": _auc_of_permuted_rows,
    "youden": _youden_of_permuted_rows,
    "average_precision": _average_precision_of_permuted_rows,
}
"""Statistics of positives and negatives at each score, many samples at a time."""


# --- Values within cases: the permutation test of two areas on the same cases ---------------------


class ExchangeTest(NamedTuple):
    """The z of a difference by its permutation variance, and p; ``df`` is NaN unless p uses z."""

    statistic: float
    df: float
    p_value: float
    word: str


# 2^20 are a million arrangements, listed in a fraction of a second; each unit more doubles them.
_LARGEST_LISTED = 20


def exchange_test(
    cases: ScoredCases, i: int, j: int, choice: ComparisonPlan, g: int, alternative: Alternative
) -> ExchangeTest:
    """Return the test that predictors ``i`` and ``j`` of group ``g`` are exchangeable.

    Every pair of predictors has its own stream of random signs.
    """
    terms = exchange_terms(cases, i, j, same_scale=choice.same_scale)
    variance = terms.variance
    z = terms.total / np.sqrt(variance) if variance > 0 else float("nan")
    if choice.resamples is None:
        # No exchange changes anything: the predictors do not differ.
        p = t_p_value(z, np.inf, alternative) if variance > 0 else 1.0
        return ExchangeTest(z, np.inf, p, "permutation-asymptotic")
    if terms.n_units <= _LARGEST_LISTED:
        times = 1 if terms.times is None else terms.times.astype(int)
        p = exact_sign_p_value(terms.values.repeat(times), alternative)
        return ExchangeTest(z, np.nan, p, "permutation-exact")
    draws = sums_with_random_signs(terms, choice.resamples.at(g, i, j))
    p = permutation_p_value(count_as_extreme(draws, terms.total, alternative), len(draws))
    return ExchangeTest(z, np.nan, p, "permutation")


class SignedTerms(NamedTuple):
    """Terms whose sum is the difference of two areas; exchanging the values of a case flips one.

    ``times`` is the number of independent units with each term (None: 1 each).
    """

    values: FloatArray
    times: FloatArray | None = None

    @property
    def total(self) -> float:
        """Difference of the areas."""
        return float(self.values.sum() if self.times is None else self.values @ self.times)

    @property
    def variance(self) -> float:
        """Variance of the difference over all signs."""
        # Signs are independent with mean 0 and variance 1; the null distribution is centred at 0.
        squares = self.values**2
        return float(squares.sum() if self.times is None else squares @ self.times)

    @property
    def n_units(self) -> float:
        """Number of independent signs."""
        return float(len(self.values) if self.times is None else self.times.sum())


def exchange_terms(cases: ScoredCases, i: int, j: int, *, same_scale: bool) -> SignedTerms:
    """Return the terms of the area of predictor ``i`` less that of ``j``.

    Values are mid-ranks in each fold, or scores if both predictors have the ``same_scale``. The
    terms of folds are divided by their number; all values of a cluster are exchanged together.
    """
    parts = [part for _, part in cases.by_fold()]
    values = np.concatenate(
        [_exchange_terms_of_fold(part, i, j, same_scale) for part in parts]
    ) / len(parts)
    frequencies = [part.frequency for part in parts if part.frequency is not None]
    times = np.concatenate(frequencies) if frequencies else None
    if cases.cluster is None:
        return SignedTerms(values, times)
    codes = np.concatenate([part.cluster.codes for part in parts])  # type: ignore[union-attr]
    weighted = values if times is None else values * times
    # One sign a cluster: its terms add up to one term. Labels without cases have none.
    sums = np.bincount(codes, weights=weighted)[cases.cluster.present]
    return SignedTerms(np.asarray(sums, dtype=np.float64))


def _exchange_terms_of_fold(cases: ScoredCases, i: int, j: int, same_scale: bool) -> FloatArray:
    if same_scale:
        sign = 1.0 if cases.higher_is_positive[i] else -1.0
        first, second = (sign * cases.scores[k] for k in (i, j))
    else:
        first, second = midranks(cases, i), midranks(cases, j)
    return exchange_terms_from_values(cases.is_positive, first, second, cases.frequency)


def midranks(cases: ScoredCases, k: int) -> FloatArray:
    """Return the mid-rank of each case by predictor ``k``, higher ranks being more positive."""
    counts = cases.counts(k)
    at_score = counts.n_pos + counts.n_neg
    from_top = np.cumsum(at_score) - at_score / 2
    return np.asarray((at_score.sum() - from_top + 0.5)[cases.codes(k)])


def exchange_terms_from_values(
    is_positive: BoolArray,
    first: FloatArray,
    second: FloatArray,
    times: FloatArray | None = None,
) -> FloatArray:
    """Return terms c such that exchanges with signs s change the difference of areas to c @ s.

    c_i = (placement of first_i less that of second_i among the negatives of both) / (2mn), and
    minus the same among the positives for negatives (Bandos, Rockette & Gur 2005). A row of several
    cases (``times``) has the term of one of them.
    """
    pos, neg = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    weight = np.ones(len(is_positive)) if times is None else times
    pairs = weight[pos].sum() * weight[neg].sum()
    terms = np.empty(len(is_positive))
    for rows, others, sign in ((pos, neg, 1.0), (neg, pos, -1.0)):
        pooled = np.concatenate([first[others], second[others]])
        # Stable: the sums of frequencies within a tie round alike on every processor.
        order = np.argsort(pooled, kind="stable")
        below = np.concatenate([[0.0], np.cumsum(np.tile(weight[others], 2)[order])])
        ascending = pooled[order]
        gain = _weight_below_each_value(ascending, below, first[rows])
        gain -= _weight_below_each_value(ascending, below, second[rows])
        terms[rows] = sign * gain / (2 * pairs)
    return terms


def _weight_below_each_value(
    ascending: FloatArray, below: FloatArray, values: FloatArray
) -> FloatArray:
    """Return the weight of the sorted values below each value, ties half."""
    left = below[np.searchsorted(ascending, values, "left")]
    return np.asarray((left + below[np.searchsorted(ascending, values, "right")]) / 2)


def exact_sign_p_value(terms: FloatArray, alternative: Alternative = "two-sided") -> float:
    """Return the p value of sum(terms) over all 2^n sign patterns, n at most 20."""
    # Sums of both halves, added crosswise: 2^20 additions (8 MiB) for 20 terms, not 20 times that.
    half = len(terms) // 2
    left, right = (_sums_over_all_sign_patterns(part) for part in (terms[:half], terms[half:]))
    sums = left[:, np.newaxis] + right
    return float(np.mean(_as_extreme(sums, float(terms.sum()), alternative)))


def _sums_over_all_sign_patterns(terms: FloatArray) -> FloatArray:
    """Return the sums of terms under every pattern of signs."""
    signs = np.array(list(product((1.0, -1.0), repeat=len(terms))))
    return signs @ terms


def sums_with_random_signs(terms: SignedTerms, plan: ResamplePlan) -> FloatArray:
    """Return n_resamples sums of the terms with random signs."""
    rng, sums, n = plan.stream(3), np.empty(plan.n_resamples), len(terms.values)
    # A random bit is a byte, where a binomial number has eight.
    for part in plan.chunks(n // 8 if terms.times is None else n):
        size = part.stop - part.start
        changed: npt.NDArray[Any]
        if terms.times is None:
            changed = _random_bits(rng, size, n)
        else:
            # The changed signs of a row are binomial: its cases are never expanded.
            changed = rng.binomial(terms.times.astype(np.int64), 0.5, size=(size, n))
        # A plain sum, where BLAS would wait for its threads on a busy machine.
        sums[part] = terms.total - 2 * np.einsum("ij,j->i", changed, terms.values)
    return sums


# --- Values within cases: the distance of two curves on the same cases ----------------------------


def venkatraman_begg_distance(
    is_positive: BoolArray, first: FloatArray, second: FloatArray
) -> float:
    """Return Venkatraman & Begg's statistic: sum over cuts of the difference in errors.

    ``first`` and ``second`` are mid-ranks of the cases. Errors at a cut are positives ranked below
    it and negatives ranked above it, expected ones within a tie; their difference is twice that of
    the cumulated positives.
    """
    steps = []
    for ranks in (first, second):
        order = np.argsort(ranks, kind="stable")
        block = np.unique(ranks, return_inverse=True)[1][order]
        steps.append(mean_label_of_each_tie_block(is_positive[order].astype(np.float64), block))
    return _distance_summed_over_cuts(steps[0] - steps[1])


def _distance_summed_over_cuts(step: FloatArray) -> float:
    return float(2 * np.abs(np.cumsum(step)).sum())


def mean_label_of_each_tie_block(labels: FloatArray, block: IntArray) -> FloatArray:
    """Return the mean of the labels (0 or 1) over the tie block of each case.

    Cumulated, they are the expected positives at each cut when ties are broken at random. ``block``
    numbers the blocks of tied cases.
    """
    size = np.bincount(block)
    mean = np.bincount(block, weights=labels) / np.maximum(size, 1)
    return np.asarray(mean[block])


def venkatraman_begg_draws(
    is_positive: BoolArray,
    first: FloatArray,
    second: FloatArray,
    plan: ResamplePlan,
    *,
    unit: IntArray | None = None,
) -> FloatArray:
    """Return Venkatraman & Begg's statistic with mid-ranks exchanged within cases at random.

    ``unit`` numbers the cluster of each case from 0: its cases are exchanged together. The 2n
    values share one fixed order, so that exchanged orders need no sorting.
    """
    n = len(is_positive)
    n_units = n if unit is None else int(unit.max()) + 1
    rng = plan.stream(4)
    key, block = _common_order_of_midranks(first, second, rng.uniform(0, 0.25, 2 * n))
    case, of_second = key % n, key >= n
    labels = is_positive[case].astype(np.float64)
    tied = len(np.unique(block)) < len(block)
    draws = np.empty(plan.n_resamples)
    for part in plan.chunks(2 * n):
        swapped = _random_bits(rng, part.stop - part.start, n_units).astype(bool)
        if unit is not None:
            swapped = swapped.take(unit, axis=1)
        in_second = swapped.take(case, axis=1) != of_second
        for row, other in enumerate(in_second):
            pair = [labels[~other], labels[other]]
            if tied:
                blocks = (block[~other], block[other])
                pair = [
                    mean_label_of_each_tie_block(*one) for one in zip(pair, blocks, strict=True)
                ]
            draws[part.start + row] = _distance_summed_over_cuts(pair[0] - pair[1])
    return draws


def _common_order_of_midranks(
    first: FloatArray, second: FloatArray, lots: FloatArray
) -> tuple[IntArray, IntArray]:
    """Return the order of the 2n mid-ranks, and the number of each one's block of ties in it.

    Cases that a predictor ties stay tied. A rank that each predictor gives to a single case is no
    tie: lots order the two once, so that untied scores stay untied in every exchange.
    """
    ranks = np.concatenate([first, second])
    single = np.ones(len(ranks), dtype=bool)
    for part in (first, second):
        values, times = np.unique(part, return_counts=True)
        single &= ~np.isin(ranks, values[times > 1])
    # Mid-ranks are multiples of 1/2: a lot below 1/4 orders equal ranks and nothing else.
    placed = np.where(single, ranks + lots, ranks)
    order = np.argsort(placed, kind="stable")
    return order, np.unique(placed, return_inverse=True)[1][order]


# --- Cases between samples: the distance of two curves on different cases -------------------------
# Curves are compared as error rates over the share of cases below the cut (Venkatraman 2000). With
# kappa the share of positives, F and G the distribution functions of positives and negatives, the
# error e = kappa F + (1 - kappa)(1 - G) is a function of s = kappa F + (1 - kappa) G. For
# predictors on the same cases the distance is ``venkatraman_begg_distance`` over N^2.


class RankedCases(NamedTuple):
    """Single cases with mid-ranks by each predictor (k x n), and their clusters."""

    is_positive: BoolArray
    ranks: FloatArray
    unit: IntArray | None


def ranked_cases(cases: ScoredCases, predictors: Sequence[int]) -> RankedCases:
    """Return the cases of a sample ranked by some predictors; a frequency f is f cases."""
    rows = np.arange(len(cases.is_positive))
    if cases.frequency is not None:
        rows = np.repeat(rows, cases.frequency.astype(np.intp))
    ranks = np.array([midranks(cases, k)[rows] for k in predictors])
    unit = None
    if cases.cluster is not None:
        unit = np.unique(cases.cluster.codes[rows], return_inverse=True)[1]
    return RankedCases(cases.is_positive[rows], ranks, unit)


def labels_in_order(cases: RankedCases) -> tuple[FloatArray, IntArray]:
    """Return the labels of the cases by the first predictor, lowest first, and their tie blocks."""
    order = np.argsort(cases.ranks[0], kind="stable")
    block = np.unique(cases.ranks[0], return_inverse=True)[1]
    return cases.is_positive[order].astype(np.float64), block[order]


def two_sample_curve_distance(first: FloatArray, second: FloatArray, prevalence: float) -> float:
    """Return the integral over s of the absolute difference of two samples' error rates.

    ``first`` and ``second`` are 1 for positive cases and 0 for negative ones, from the lowest score
    up; within a tie the share of positives.
    """
    # As e + s = 2 kappa F + 1 - kappa, the difference of e at equal s is 2 kappa times that of F.
    (below, at), (other_below, other_at) = (
        _positives_below(labels, prevalence) for labels in (first, second)
    )
    places = np.sort(np.concatenate([at, other_at]))
    gap = np.interp(places, at, below) - np.interp(places, other_at, other_below)
    left, right, size = gap[:-1], gap[1:], np.abs(gap)
    total = size[:-1] + size[1:]
    height = total / 2
    crossing = left * right < 0
    # Where the sign changes within a piece, the area is that of two triangles:
    # (l^2 + r^2)/(2(|l| + |r|)) = (|l| + |r|)/2 - |l r|/(|l| + |r|).
    height[crossing] += (left * right)[crossing] / total[crossing]
    return float(2 * prevalence * np.dot(np.diff(places), height))


def _positives_below(labels: FloatArray, prevalence: float) -> tuple[FloatArray, FloatArray]:
    """Return the share of positives, and of the mixture, at or below each cut."""
    positives = np.concatenate([[0.0], np.cumsum(labels)])
    negatives = np.arange(len(labels) + 1) - positives
    share = positives / positives[-1]
    return share, prevalence * share + (1 - prevalence) * (negatives / negatives[-1])


def two_sample_curve_distance_draws(
    first: tuple[FloatArray, IntArray],
    second: tuple[FloatArray, IntArray],
    prevalence: float,
    plan: ResamplePlan,
) -> FloatArray:
    """Return the distance with cases exchanged between samples, within their class, at random.

    ``first`` and ``second`` are labels and tie blocks, from the lowest score up. A case is
    represented by its place s in the mixture of its own sample, so that both samples are on one
    scale. All places have one fixed order: tied cases stay tied, equal places of the two samples
    are ordered at random.
    """
    place = np.concatenate(
        [_case_places_in_class_mixture(*sample, prevalence) for sample in (first, second)]
    )
    labels = np.concatenate([first[0], second[0]])
    block = np.concatenate([first[1], second[1] + len(first[1])])
    # One lot for all cases of a block: they stay together.
    lots = plan.stream(6).random(int(block.max()) + 1)[block]
    order = np.lexsort((lots, place))
    labels, block, in_first = labels[order], block[order], order < len(first[0])
    classes = ((labels == 1, plan.stream(1)), (labels == 0, plan.stream(0)))
    draws = np.empty(plan.n_resamples)
    # A distance also fills some eight arrays of this length.
    for part in plan.chunks(8 * len(place)):
        size = part.stop - part.start
        exchanged = np.empty((size, len(place)), dtype=bool)
        for chosen, rng in classes:
            members = np.broadcast_to(in_first[chosen], (size, int(chosen.sum())))
            exchanged[:, chosen] = rng.permuted(members, axis=1)
        for row, member in enumerate(exchanged):
            draws[part.start + row] = two_sample_curve_distance(
                mean_label_of_each_tie_block(labels[member], block[member]),
                mean_label_of_each_tie_block(labels[~member], block[~member]),
                prevalence,
            )
    return draws


def _case_places_in_class_mixture(
    labels: FloatArray, block: IntArray, prevalence: float
) -> FloatArray:
    """Return the place of each case in the mixture of its sample: tied cases have their mean."""
    return mean_label_of_each_tie_block(
        _positives_below(mean_label_of_each_tie_block(labels, block), prevalence)[1][1:], block
    )


# --- P values, random orders and random bits ------------------------------------------------------


def permutation_p_value(n_as_extreme: int, n_resamples: int) -> float:
    """Return (1 + #)/(B + 1): the sample is one of the permutations, so that p is never 0."""
    return (1 + n_as_extreme) / (n_resamples + 1)


def count_as_extreme(draws: FloatArray, observed: float, alternative: Alternative) -> int:
    """Return the number of draws at least as extreme as the observed difference."""
    return int(np.count_nonzero(_as_extreme(draws, observed, alternative)))


def _as_extreme(draws: FloatArray, observed: float, alternative: Alternative) -> BoolArray:
    # A sum equal to the observed one may differ by the order of its additions. It must count: the
    # test is exact only if ties are as extreme.
    if alternative == "two-sided":
        return np.abs(draws) >= abs(observed) - SAME
    sign = 1.0 if alternative == "greater" else -1.0
    return sign * draws >= sign * observed - SAME


def shuffled_orders(n: int, plan: ResamplePlan) -> Iterator[IntArray]:
    """Yield random orders of n rows, one a resample."""
    rng = plan.stream(6)
    for _ in range(plan.n_resamples):
        yield rng.permutation(n)


_ALL_BITS = 2**64 - 1  # the largest 64-bit word: every bit is then a fair coin


def _random_bits(rng: np.random.Generator, size: int, n: int) -> npt.NDArray[np.uint8]:
    """Return size x n random bits, whole words a row, independent of the chunk size."""
    # Little-endian words: the same bits on every machine.
    words = rng.integers(0, _ALL_BITS, size=(size, (n + 63) // 64), dtype=np.uint64, endpoint=True)
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1)[:, :n]
