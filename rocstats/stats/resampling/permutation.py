"""Permutation of two predictors within cases: areas as a signed sum, whole curves by counting.

Each predictor is first ranked over all cases, so that the two values of a case can be exchanged
whatever their scales.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.resampling.streams import ResamplePlan
from rocstats.tolerances import SAME

_ALL_BITS = 2**64 - 1  # the largest 64-bit word: every bit is then a fair coin


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
    values = np.concatenate([_terms_of(part, i, j, same_scale) for part in parts]) / len(parts)
    frequencies = [part.frequency for part in parts if part.frequency is not None]
    times = np.concatenate(frequencies) if frequencies else None
    if cases.cluster is None:
        return SignedTerms(values, times)
    codes = np.concatenate([part.cluster.codes for part in parts])  # type: ignore[union-attr]
    weighted = values if times is None else values * times
    # One sign a cluster: its terms add up to one term. Labels without cases have none.
    sums = np.bincount(codes, weights=weighted)[cases.cluster.present]
    return SignedTerms(np.asarray(sums, dtype=np.float64))


def _terms_of(cases: ScoredCases, i: int, j: int, same_scale: bool) -> FloatArray:
    if same_scale:
        sign = 1.0 if cases.higher_is_positive[i] else -1.0
        first, second = (sign * cases.scores[k] for k in (i, j))
    else:
        first, second = midranks(cases, i), midranks(cases, j)
    return signed_terms(cases.is_positive, first, second, cases.frequency)


def midranks(cases: ScoredCases, k: int) -> FloatArray:
    """Return the mid-rank of each case by predictor ``k``, higher ranks being more positive."""
    counts = cases.counts(k)
    at_score = counts.n_pos + counts.n_neg
    from_top = np.cumsum(at_score) - at_score / 2
    return np.asarray((at_score.sum() - from_top + 0.5)[cases.codes(k)])


def signed_terms(
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
        gain = _placement(ascending, below, first[rows])
        gain -= _placement(ascending, below, second[rows])
        terms[rows] = sign * gain / (2 * pairs)
    return terms


def exact_sign_p_value(terms: FloatArray, alternative: Alternative = "two-sided") -> float:
    """Return the p value of sum(terms) over all 2^n sign patterns, n at most 20."""
    # Sums of both halves, added crosswise: 2^20 additions (8 MiB) for 20 terms, not 20 times that.
    half = len(terms) // 2
    left, right = (_all_sums(part) for part in (terms[:half], terms[half:]))
    sums = left[:, np.newaxis] + right
    return float(np.mean(_as_extreme(sums, float(terms.sum()), alternative)))


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


def sign_draws(terms: SignedTerms, plan: ResamplePlan) -> FloatArray:
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


def shares_in_ties(labels: FloatArray, block: IntArray) -> FloatArray:
    """Return the mean of the labels (0 or 1) over the tie block of each case.

    Cumulated, they are the expected positives at each cut when ties are broken at random. ``block``
    numbers the blocks of tied cases.
    """
    size = np.bincount(block)
    mean = np.bincount(block, weights=labels) / np.maximum(size, 1)
    return np.asarray(mean[block])


def curve_distance(is_positive: BoolArray, first: FloatArray, second: FloatArray) -> float:
    """Return Venkatraman & Begg's statistic: sum over cuts of the difference in errors.

    ``first`` and ``second`` are mid-ranks of the cases. Errors at a cut are positives ranked below
    it and negatives ranked above it, expected ones within a tie; their difference is twice that of
    the cumulated positives.
    """
    steps = []
    for ranks in (first, second):
        order = np.argsort(ranks, kind="stable")
        block = np.unique(ranks, return_inverse=True)[1][order]
        steps.append(shares_in_ties(is_positive[order].astype(np.float64), block))
    return _distance(steps[0] - steps[1])


def _distance(step: FloatArray) -> float:
    return float(2 * np.abs(np.cumsum(step)).sum())


def curve_distance_draws(
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
    key, block = _common_order(first, second, rng.uniform(0, 0.25, 2 * n))
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
                pair = [shares_in_ties(*one) for one in zip(pair, blocks, strict=True)]
            draws[part.start + row] = _distance(pair[0] - pair[1])
    return draws


def _common_order(
    first: FloatArray, second: FloatArray, lots: FloatArray
) -> tuple[IntArray, IntArray]:
    """Return the order of the 2n mid-ranks, and the number of each one's block of ties in it.

    Cases that a predictor ties stay tied. A rank that each predictor gives to a single case is no
    tie: lots order the two once, so that untied scores stay untied in every exchange.
    """
    ranks = np.concatenate([first, second])
    single = np.ones(len(ranks), dtype=bool)
    for own in (first, second):
        values, times = np.unique(own, return_counts=True)
        single &= ~np.isin(ranks, values[times > 1])
    # Mid-ranks are multiples of 1/2: a lot below 1/4 orders equal ranks and nothing else.
    placed = np.where(single, ranks + lots, ranks)
    order = np.argsort(placed, kind="stable")
    return order, np.unique(placed, return_inverse=True)[1][order]


def _random_bits(rng: np.random.Generator, size: int, n: int) -> npt.NDArray[np.uint8]:
    """Return size x n random bits, whole words a row: the same whatever the chunk they fall in."""
    # Little-endian words: the same bits on every machine.
    words = rng.integers(0, _ALL_BITS, size=(size, (n + 63) // 64), dtype=np.uint64, endpoint=True)
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1)[:, :n]


def _placement(ascending: FloatArray, below: FloatArray, values: FloatArray) -> FloatArray:
    """Return the weight of the sorted values below each value, ties half."""
    left = below[np.searchsorted(ascending, values, "left")]
    return np.asarray((left + below[np.searchsorted(ascending, values, "right")]) / 2)


def _all_sums(terms: FloatArray) -> FloatArray:
    signs = np.array(list(product((1.0, -1.0), repeat=len(terms))))
    return signs @ terms
