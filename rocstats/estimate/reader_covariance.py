"""Covariance of the areas, or sensitivities, of readers that is due to the sample of cases.

Estimators by word: the jackknife (``jackknife``), DeLong's, the unbiased one of the theory of
U-statistics, and that of the stratified bootstrap of cases with infinitely many resamples. The last
two are sums over pairs of cases. Sensitivities at a false positive rate take real resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.estimate.influence import products, small_sample
from rocstats.estimate.reader_influence import (
    ReaderInfluence,
    by_curve,
    jackknife,
    reader_influence,
)
from rocstats.estimate.readers import ReaderTable
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import fixed_fpr_draws, tpr_at_fpr
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.facts.methods import Word
from rocstats.study.cases import Reads, ScoredCases

# --- Areas, or sensitivities, of all curves with their covariance ---------------------------------


def reader_table(reads: Reads, covariance: Covariance, over: AreaRange = FULL_RANGE) -> ReaderTable:
    """Return the areas of all curves (over the width of their range), and their covariance."""
    influence = reader_influence(reads, over)
    sigma = reader_covariance(covariance).from_reads(reads, influence, over)
    unknown = np.isnan(influence.theta.ravel())
    sigma[unknown] = sigma[:, unknown] = np.nan
    return ReaderTable(influence.theta, sigma)


class RateTables(NamedTuple):
    """A table of sensitivities for each false positive rate, and the resamples drawn again."""

    tables: list[ReaderTable]
    n_redrawn: int


def tables_at_fpr(reads: Reads, fpr: FloatArray, plan: ResamplePlan) -> RateTables:
    """Return the sensitivities of all curves at false positive rates, and their covariance.

    All curves share the resamples of cases, by class, or of whole clusters. The covariance is
    unknown (NaN) where a curve has a single case, or cluster, of a class, and 0 between curves that
    share none.
    """
    # An empirical quantile has no smooth influence value, and its jackknife variance is not
    # consistent (Efron & Tibshirani 1993, chapter 11).
    curves = np.concatenate(by_curve(reads), axis=1)
    rows = [np.flatnonzero(~np.isnan(curve)) for curve in curves]
    cases = _scored_cases(reads, curves)
    value, resampled = np.full((len(fpr), len(curves)), np.nan), []
    for k, curve_rows in enumerate(rows):
        n_pos, n_neg = _n_units(cases, curve_rows)
        if n_pos and n_neg:
            value[:, k] = tpr_at_fpr(_curve_cases(cases, k, curve_rows), [0], fpr)[0]
        if min(n_pos, n_neg) > 1:
            resampled.append(k)
    sigma = np.full((len(fpr), len(curves), len(curves)), np.nan)
    n_redrawn = 0
    if resampled:
        drawn = fixed_fpr_draws(cases, resampled, fpr, plan, [rows[k] for k in resampled])
        n_redrawn, share_units = drawn.n_redrawn, _share_units(cases, [rows[k] for k in resampled])
        for place, draws in enumerate(drawn.values.transpose(1, 0, 2)):
            deviations = draws - draws.mean(axis=1, keepdims=True)
            found = products(deviations, deviations) / (draws.shape[1] - 1)
            # Curves of different cases are independent: what is left there is Monte-Carlo error.
            sigma[place][np.ix_(resampled, resampled)] = np.where(share_units, found, 0.0)
    shape = reads.pos.shape[:2]
    tables = [ReaderTable(row.reshape(shape), of) for row, of in zip(value, sigma, strict=True)]
    return RateTables(tables, n_redrawn)


def _scored_cases(reads: Reads, curves: FloatArray) -> ScoredCases:
    """Return positives, then negatives, with a predictor a curve; 0 stands for no read."""
    cluster = None
    if reads.pos_cluster is not None and reads.neg_cluster is not None:
        codes = np.concatenate([reads.pos_cluster, reads.neg_cluster])
        cluster = Factor(tuple(map(str, range(codes.max(initial=-1) + 1))), codes)
    return ScoredCases(
        scores=np.where(np.isnan(curves), 0.0, curves),
        is_positive=np.arange(curves.shape[1]) < reads.n_pos,
        higher_is_positive=(True,) * len(curves),
        cluster=cluster,
    )


def _curve_cases(cases: ScoredCases, k: int, rows: IntArray) -> ScoredCases:
    """Return the cases of one curve alone."""
    return ScoredCases(
        scores=cases.scores[[k]][:, rows],
        is_positive=cases.is_positive[rows],
        higher_is_positive=(True,),
    )


def _share_units(cases: ScoredCases, rows: Sequence[IntArray]) -> BoolArray:
    """Return whether two curves have a case, or cluster, in common."""
    n = len(cases.is_positive)
    codes = np.arange(n) if cases.cluster is None else cases.cluster.codes
    has = np.array(
        [np.bincount(codes[of_curve], minlength=n) > 0 for of_curve in rows], dtype=np.float64
    )
    return np.asarray(products(has, has) > 0)


def _n_units(cases: ScoredCases, rows: IntArray) -> tuple[int, int]:
    """Return the numbers of positives and negatives, or of clusters with one."""
    codes = rows if cases.cluster is None else cases.cluster.codes[rows]
    pos, neg = (codes[cases.is_positive[rows] == positive] for positive in (True, False))
    return len(np.unique(pos)), len(np.unique(neg))


# --- DeLong's covariance, also with clusters ------------------------------------------------------


def delong(reads: Reads, influence: ReaderInfluence, over: AreaRange) -> FloatArray:
    """Return DeLong's covariance; with clusters that of Obuchowski (1997).

    Two curves share the cases that both have (Zhou & Gatsonis 1996).
    """
    # Each value carries the root of the factor of its own curve, as in
    # rocstats.estimate.covariance: no contrast has a negative variance then.
    if reads.pos_cluster is None or reads.neg_cluster is None:
        sides = (influence.pos, influence.n_pos), (influence.neg, influence.n_neg)
        scaled = [_scaled(values, size) for values, size in sides]
        return np.asarray(sum(products(values, values) for values in scaled))
    return _obuchowski(reads, influence, reads.pos_cluster, reads.neg_cluster)


def _obuchowski(
    reads: Reads, influence: ReaderInfluence, pos_cluster: IntArray, neg_cluster: IntArray
) -> FloatArray:
    n_clusters = 1 + max(pos_cluster.max(initial=-1), neg_cluster.max(initial=-1))
    sums, present = [], []
    for values, ratings, cluster in (
        (influence.pos, reads.pos, pos_cluster),
        (influence.neg, reads.neg, neg_cluster),
    ):
        read = ~np.isnan(ratings.reshape(len(values), -1))
        sums.append(_by_cluster(values, cluster, n_clusters))
        present.append(_by_cluster(read, cluster, n_clusters) > 0)
    pos, neg = (
        _scaled(side, np.count_nonzero(has, axis=1))
        for side, has in zip(sums, present, strict=True)
    )
    of_any = np.count_nonzero(present[0] | present[1], axis=1)
    mixed = products(_scaled(sums[0], of_any), _scaled(sums[1], of_any))
    return np.asarray(products(pos, pos) + products(neg, neg) + mixed + mixed.T)


def _by_cluster(values: FloatArray | BoolArray, cluster: IntArray, n_clusters: int) -> FloatArray:
    """Return the sums of each row by cluster."""
    sums = [np.bincount(cluster, row, n_clusters) for row in values]
    return np.stack(sums).astype(np.float64, copy=False)


def _scaled(values: FloatArray, sizes: FloatArray | IntArray) -> FloatArray:
    """Return the values of each curve times the root of n / (n - 1)."""
    factors = np.array([small_sample(float(size)) for size in sizes])
    return np.asarray(values * np.sqrt(factors)[:, np.newaxis])


# --- Estimators by word ---------------------------------------------------------------------------

Covariance = Literal["jackknife", "delong", "unbiased", "bootstrap"]


class ReaderCovariance(NamedTuple):
    """An estimator of the covariance of the areas of a reader study.

    ``from_reads`` returns it (t r x t r) from reads, influence values and range. ``clusters`` and
    ``partial`` say whether it serves clustered cases and partial areas.
    """

    word: str
    from_reads: Callable[[Reads, ReaderInfluence, AreaRange], FloatArray]
    phrase: str
    references: tuple[str, ...]
    clusters: bool = True
    partial: bool = True


COVARIANCES: tuple[ReaderCovariance, ...] = (
    ReaderCovariance(
        "jackknife",
        jackknife,
        "by the jackknife",
        ("hillis-2005",),
    ),
    ReaderCovariance("delong", delong, "by the method of DeLong et al", ("delong-1988",)),
    ReaderCovariance(
        "unbiased",
        lambda reads, *_: unbiased_covariance(reads),
        "by U-statistics",
        ("gallas-2006",),
        clusters=False,
        partial=False,
    ),
    ReaderCovariance(
        "bootstrap",
        lambda reads, *_: bootstrap_covariance(reads),
        "by the bootstrap of cases with infinitely many resamples",
        ("gallas-2009",),
        clusters=False,
        partial=False,
    ),
)
"""Covariances, in the order in which messages and pages name them."""

_BY_WORD = {record.word: record for record in COVARIANCES}


def reader_covariance(word: Covariance) -> ReaderCovariance:
    """Return the covariance called ``word``."""
    return _BY_WORD[word]


# --- Unbiased and bootstrap covariance ------------------------------------------------------------


def unbiased_covariance(reads: Reads) -> FloatArray:
    """Return the unbiased estimate of the covariance of the areas (t r x t r).

    The covariance is E[AB] - E[A] E[B]. AB itself estimates the first term; the mean of
    psi_a psi_b over two pairs that have no case in common estimates the second (Gallas 2006).
    An estimated variance may be negative. NaN for a curve with fewer than two cases of a class.
    """
    return unbiased_of(curve_sums(reads))


def bootstrap_covariance(reads: Reads) -> FloatArray:
    """Return the covariance of the areas in infinitely many stratified resamples (t r x t r).

    Positives and negatives are drawn with replacement, each case with all its readings. It is exact
    if all cases were read by all; else an area is linearised, a ratio of two sums over resamples.
    NaN for a curve with fewer than two cases of a class.
    """
    # A single case is in every resample, as if its class did not vary.
    of_class = (
        np.count_nonzero(~np.isnan(side), axis=2).ravel() for side in (reads.pos, reads.neg)
    )
    few = np.minimum(*of_class) < 2
    return np.where(few[:, np.newaxis] | few, np.nan, bootstrap_of(curve_sums(reads)))


def curve_sums(reads: Reads) -> PairSums:
    """Return the sums over pairs of all curves, modality after modality."""
    curves = reads.n_modalities * reads.n_readers
    return pair_sums(reads.pos.reshape(curves, reads.n_pos), reads.neg.reshape(curves, reads.n_neg))


def unbiased_of(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves."""
    return _area_products(sums) - divided(distinct(sums.sums)[3], distinct(sums.counts)[3])


def centred_of(sums: PairSums) -> FloatArray:
    """Return the unbiased covariance of curves with each kernel less the area of its curve.

    The level of the areas cannot enter then, which it does where two curves share only some of
    their cases. The product of both means is 0.
    """
    left = distinct(_about_areas(sums))[3]
    return 0.0 - divided(left, distinct(sums.counts)[3])


def bootstrap_of(sums: PairSums) -> FloatArray:
    """Return the bootstrap covariance of curves."""
    factors = resampling_factors(sums.n_pos, sums.n_neg)
    return divided(np.tensordot(factors, _about_areas(sums), axes=1), sums.counts[3])


Centre = tuple[IntArray, FloatArray]
"""Curves, and what is taken from the kernel of each."""


def centred(sums: PairSums, first: Centre, second: Centre) -> FloatArray:
    """Return the sums of products of kernels less their centres (4 x curves x curves)."""
    (a, of_a), (b, of_b) = first, second
    column, row = (slice(None), a[:, np.newaxis], b), (slice(None), b, a[:, np.newaxis])
    of_a = of_a[:, np.newaxis]
    return (
        sums.sums[column]
        - of_b * sums.crossed[column]
        - of_a * sums.crossed[row]
        + of_a * of_b * sums.counts[column]
    )


def resampling_factors(n_pos: int, n_neg: int) -> FloatArray:
    """Return the weights of the four sums in the variance over resamples of both classes.

    Case x is drawn w(x) times, and E[w(x) w(x')] is 1 - 1/n, plus 1 if x is x'. The terms with
    x = x' are in both parts, as sums let the other case be the same.
    """
    pos, neg = 1 - 1 / n_pos, 1 - 1 / n_neg
    return np.array([1.0, neg, pos, pos * neg])


def distinct(sums: FloatArray) -> FloatArray:
    """Return the sums over terms whose other case differs, from those that let it be the same.

    The first axis is that of ``PairSums.sums``; sums are whole quarters, so nothing is rounded.
    """
    both, pos, neg, free = sums
    return np.stack([both, pos - both, neg - both, free - pos - neg + both])


def _about_areas(sums: PairSums) -> FloatArray:
    """Return the sums of products of kernels, each less the area of its curve."""
    curves, areas = np.arange(len(sums.total)), np.nan_to_num(sums.areas)
    return centred(sums, (curves, areas), (curves, areas))


def _area_products(sums: PairSums) -> FloatArray:
    """Return the products of the areas of each pair of curves."""
    return divided(sums.sums[3], sums.counts[3])


# --- Sums over pairs of a positive and a negative, for all pairs of curves ------------------------
# No case-by-case matrix of all cases is ever held: one block of positives and negatives at a time.


class PairSums(NamedTuple):
    """Sums over pairs of cases for curves a and b, K curves in all.

    ``sums`` (4 x K x K) holds the sums of psi_a(x, y) psi_b(x', y') over pairs (x, y) that curve a
    read and (x', y') that b read: 0, x = x' and y = y'; 1, x = x'; 2, y = y'; 3, all.
    ``crossed`` holds the sums of psi_a(x, y) over the same terms, ``counts`` the numbers of terms.
    ``total`` and ``n_pairs`` (K) are the sum of psi and the number of pairs of each curve,
    ``n_pos`` and ``n_neg`` the numbers of cases, read or not.
    """

    sums: FloatArray
    crossed: FloatArray
    counts: FloatArray
    total: FloatArray
    n_pairs: FloatArray
    n_pos: int
    n_neg: int

    @property
    def areas(self) -> FloatArray:
        """Area of each curve; NaN where a curve lacks a class."""
        return divided(self.total, self.n_pairs)


def pair_sums(pos: FloatArray, neg: FloatArray) -> PairSums:
    """Return the sums over pairs of cases of K curves.

    Parameters
    ----------
    pos, neg : ndarray, shapes (K, m) and (K, n)
        Ratings of the positives and the negatives; NaN where a curve did not read a case.
    """
    read_pos, read_neg = ~np.isnan(pos), ~np.isnan(neg)
    rows, columns = _marginal_sums(pos, neg, read_pos, read_neg)
    same, of_first = _same_pair(pos, neg, read_pos, read_neg)
    u, v = read_pos.astype(np.float64), read_neg.astype(np.float64)
    total, m, n = rows.sum(axis=1), u.sum(axis=1), v.sum(axis=1)
    shared_pos, shared_neg, n_pairs = u @ u.T, v @ v.T, m * n
    sums = [same, rows @ rows.T, columns @ columns.T, np.outer(total, total)]
    crossed = [of_first, rows @ u.T * n, columns @ v.T * m, np.outer(total, n_pairs)]
    counts = [
        shared_pos * shared_neg,
        shared_pos * np.outer(n, n),
        shared_neg * np.outer(m, m),
        np.outer(n_pairs, n_pairs),
    ]
    # psi was doubled so far.
    return PairSums(
        np.stack(sums) / 4,
        np.stack(crossed) / 2,
        np.stack(counts),
        total / 2,
        n_pairs,
        pos.shape[1],
        neg.shape[1],
    )


def divided(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return quotients, NaN where the denominator is 0."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def _marginal_sums(
    pos: FloatArray, neg: FloatArray, read_pos: BoolArray, read_neg: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of 2 psi of each positive and of each negative; 0 where not read."""
    rows, columns = np.zeros(pos.shape), np.zeros(neg.shape)
    for k in range(len(pos)):
        x, y = pos[k, read_pos[k]], neg[k, read_neg[k]]
        rows[k, read_pos[k]] = _doubled_placements(x, y)
        columns[k, read_neg[k]] = 2 * len(x) - _doubled_placements(y, x)
    return rows, columns


def _doubled_placements(x: FloatArray, y: FloatArray) -> IntArray:
    """Return how many of y are below each x plus how many are not above."""
    ordered = np.sort(y)
    return np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right")


def _same_pair(
    pos: FloatArray, neg: FloatArray, read_pos: BoolArray, read_neg: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of 4 psi_a psi_b, and of 2 psi_a, over the pairs that both curves read."""
    sums, crossed = np.zeros((2, len(pos), len(pos)))
    pos_blocks, neg_blocks = _blocks(read_pos), _blocks(read_neg)
    in_pos = np.array([read_pos[:, block].any(axis=1) for block in pos_blocks])
    in_neg = np.array([read_neg[:, block].any(axis=1) for block in neg_blocks])
    for i, block in enumerate(pos_blocks):
        for j in np.flatnonzero((in_pos[i] & in_neg).any(axis=1)).tolist():
            # Curves that read none of a block have nothing but zeros there.
            active = np.flatnonzero(in_pos[i] & in_neg[j])
            y = neg[np.ix_(active, neg_blocks[j])]
            part, first = np.zeros((2, len(active), len(active)))
            for piece in _pieces(block, y.size):
                x = pos[np.ix_(active, piece)]
                kernel = _doubled_kernel(x, y)
                part += kernel @ kernel.T
                first += _over_read(kernel, x, y)
            sums[np.ix_(active, active)] += part
            crossed[np.ix_(active, active)] += first
    return sums, crossed


def _over_read(kernel: Float32Array, x: FloatArray, y: FloatArray) -> Float32Array:
    """Return the sums of the kernel of each curve over the pairs that each curve read."""
    read_x, read_y = ~np.isnan(x), ~np.isnan(y)
    if read_x.all() and read_y.all():
        totals: Float32Array = kernel.sum(axis=1, keepdims=True)
        return totals
    read = (read_x[:, :, np.newaxis] & read_y[:, np.newaxis, :]).reshape(kernel.shape)
    return kernel @ read.astype(np.float32).T


Float32Array = npt.NDArray[np.float32]

# Kernel values that are held at once: 16 MB of float32. psi doubled is 0, 1 or 2, so that a sum of
# products over a block is a whole number up to 4 * 2^22 = 2^24, the last that float32 has exactly:
# results hang neither on the blocks nor on the order in which a BLAS adds.
_MOST_VALUES = 2**22

# Cases of a block at most: more would put curves side by side that read different cases.
_MOST_CASES = 512

# Cases of a block at least before a new reading pattern starts another: below that the loop costs
# more than the kernel values it saves.
_LEAST_CASES = 48


def _pieces(block: IntArray, width: int) -> Iterator[IntArray]:
    """Return a block of positives in pieces with few enough kernel values each."""
    step = max(1, _MOST_VALUES // width)
    return (block[start : start + step] for start in range(0, len(block), step))


def _doubled_kernel(x: FloatArray, y: FloatArray) -> Float32Array:
    """Return 2 psi of all pairs (k x pairs, float32); 0 for a pair that was not read."""
    above = np.greater(x[:, :, np.newaxis], y[:, np.newaxis, :])
    kernel = above.astype(np.float32)
    np.greater_equal(x[:, :, np.newaxis], y[:, np.newaxis, :], out=above)
    kernel += above
    return kernel.reshape(len(x), -1)


def _blocks(read: BoolArray) -> list[IntArray]:
    """Return the cases in blocks of the same, or of similar, reading patterns."""
    order = np.lexsort(read)
    ordered = read[:, order]
    changes = np.any(ordered[:, 1:] != ordered[:, :-1], axis=0).tolist()
    starts = [0]
    for case, changed in enumerate(changes, start=1):
        size = case - starts[-1]
        if size >= _MOST_CASES or (changed and size >= _LEAST_CASES):
            starts.append(case)
    return np.split(order, starts[1:])


# --- Words for reader studies in ``method``, and their phrases in print ---------------------------

STANDARD_ERRORS = (
    *(
        Word(
            f"obuchowski-rockette-{record.word}",
            "by the method of Obuchowski and Rockette with the degrees of freedom of Hillis, the"
            f" covariances of the readers estimated {record.phrase}",
            ("obuchowski-1995", "hillis-2007", *record.references),
        )
        for record in COVARIANCES
    ),
    Word(
        "obuchowski-rockette-resampled",
        "by the method of Obuchowski and Rockette with the degrees of freedom of Hillis, the"
        " covariances of the readers estimated by the bootstrap of cases, as sensitivity at a false"
        " positive rate has no jackknife variance",
        ("obuchowski-1995", "hillis-2007", "efron-1993"),
    ),
    Word(
        "u-statistic",
        "by U-statistics over all pairs of cases that were read, with the degrees of freedom of"
        " Obuchowski, Gallas and Hillis",
        ("gallas-2006", "gallas-2009", "obuchowski-2012"),
    ),
    Word(
        "u-statistic-centred",
        "by U-statistics over all pairs of cases that were read, less the average areas, with the"
        " degrees of freedom of Obuchowski, Gallas and Hillis",
        ("gallas-2006", "gallas-2009", "obuchowski-2012"),
        published=False,
    ),
)
LIMITS = (
    Word(
        "average-mover",
        "by combining the limits of both averages (MOVER)",
        ("zou-2008",),
    ),
)
