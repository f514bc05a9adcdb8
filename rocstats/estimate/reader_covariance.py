"""Influence of each case on the areas of readers, and the covariance that is due to the cases.

Estimators of the covariance of areas, or sensitivities, by word: the jackknife, DeLong's, the
unbiased one of the theory of U-statistics, and that of the stratified bootstrap of cases with
infinitely many resamples. The last two are sums over pairs of cases (``pair_sums``). Sensitivities
at a false positive rate take real resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.areas import (
    FULL_RANGE,
    AreaRange,
    partial_area,
    placements,
    range_placements,
    weighted_sum,
)
from rocstats.estimate.influence import matrix_product_in_blocks, small_sample_factor
from rocstats.estimate.pair_sums import (
    ideal_bootstrap_reader_covariance,
    unbiased_reader_covariance,
)
from rocstats.estimate.readers import ReaderTable
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_curves import fixed_fpr_draws, tpr_at_fpr
from rocstats.facts.arrays import BoolArray, CodeArray, Factor, FloatArray, IntArray
from rocstats.facts.methods import Word
from rocstats.study.cases import Reads, ScoredCases
from rocstats.study.count_tables import LabelledScores, ScoreCounts, count_scores_with_codes

# --- Influence of each case on the area of each reader --------------------------------------------


class ReaderInfluence(NamedTuple):
    """Areas of t r curves (over the width of their range), and the influence of each case on them.

    ``theta`` is t x r. ``pos`` (t r x m) and ``neg`` (t r x n) are (V10 - theta) / m and
    (V01 - theta) / n with the m and n that the curve has: 0 where the case was not read.
    ``n_pos`` and ``n_neg`` (t r) are these m and n. Without cases of a class theta is NaN.
    """

    theta: FloatArray
    pos: FloatArray
    neg: FloatArray
    n_pos: FloatArray
    n_neg: FloatArray


def reader_influence(reads: Reads, over: AreaRange = FULL_RANGE) -> ReaderInfluence:
    """Return the areas of all curves with the influence values of all cases."""
    of_pos, of_neg = reader_ratings_by_curve(reads)
    theta, pos, neg = np.full(len(of_pos), np.nan), np.zeros_like(of_pos), np.zeros_like(of_neg)
    for k, (x, y) in enumerate(zip(of_pos, of_neg, strict=True)):
        read_pos, read_neg = ~np.isnan(x), ~np.isnan(y)
        if read_pos.any() and read_neg.any():
            found = _area_and_influence_of_reader_curve(x[read_pos], y[read_neg], over)
            theta[k], pos[k, read_pos], neg[k, read_neg] = found
    sizes = (np.count_nonzero(~np.isnan(side), axis=1) for side in (of_pos, of_neg))
    n_pos, n_neg = (size.astype(np.float64) for size in sizes)
    return ReaderInfluence(theta.reshape(reads.pos.shape[:2]), pos, neg, n_pos, n_neg)


def _area_and_influence_of_reader_curve(
    x: FloatArray, y: FloatArray, over: AreaRange
) -> tuple[float, FloatArray, FloatArray]:
    """Return the area of positives ``x`` and negatives ``y``, and the influence of each of them."""
    m, n = len(x), len(y)
    is_positive = np.arange(m + n) < m
    counts, codes = count_scores_with_codes(LabelledScores(np.concatenate([x, y]), is_positive))
    v10, v01 = range_placements(counts, over)
    v10, v01 = v10.take(codes[:m]), v01.take(codes[m:])
    if not over.full:
        theta = float(v10.mean())
        pos, neg = (v10 - theta) / (m * over.width), (v01 - v01.mean()) / (n * over.width)
        return theta / over.width, pos, neg
    # Twice the placements times the size of the other class are whole, and so are their sums:
    # equal areas are equal to the last digit, whatever the order of the cases.
    of_pos, of_neg = np.rint(2 * n * v10), np.rint(2 * m * v01)
    pairs = of_pos.sum()
    return (
        float(pairs / (2.0 * m * n)),
        (m * of_pos - pairs) / (2.0 * n * m**2),
        (n * of_neg - pairs) / (2.0 * m * n**2),
    )


def reader_ratings_by_curve(reads: Reads) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of positives and of negatives with a row for each curve, i r + j."""
    return (
        reads.pos.reshape(-1, reads.pos.shape[2]),
        reads.neg.reshape(-1, reads.neg.shape[2]),
    )


def small_sample_factors_of_curves(sizes: FloatArray | IntArray) -> FloatArray:
    """Return n / (n - 1) of each curve, a column."""
    return np.array([[small_sample_factor(float(size))] for size in sizes])


# --- Areas, or sensitivities, of all curves with their covariance ---------------------------------


def reader_table(reads: Reads, covariance: Covariance, over: AreaRange = FULL_RANGE) -> ReaderTable:
    """Return the areas of all curves (over the width of their range), and their covariance."""
    influence = reader_influence(reads, over)
    sigma = reader_covariance(covariance).from_reads(reads, influence, over)
    unknown = np.isnan(influence.theta.ravel())
    sigma[unknown] = sigma[:, unknown] = np.nan
    return ReaderTable(influence.theta, sigma)


class ReaderRateTables(NamedTuple):
    """A table of sensitivities for each false positive rate, and the resamples drawn again."""

    tables: list[ReaderTable]
    n_redrawn: int


def reader_tables_at_fpr(reads: Reads, fpr: FloatArray, plan: ResamplePlan) -> ReaderRateTables:
    """Return the sensitivities of all curves at false positive rates, and their covariance.

    All curves share the resamples of cases, by class, or of whole clusters. The covariance is
    unknown (NaN) where a curve has a single case, or cluster, of a class, and 0 between curves that
    share none.
    """
    # An empirical quantile has no smooth influence value, and its jackknife variance is not
    # consistent (Efron & Tibshirani 1993, chapter 11).
    curves = np.concatenate(reader_ratings_by_curve(reads), axis=1)
    rows = [np.flatnonzero(~np.isnan(curve)) for curve in curves]
    cases = _scored_cases(reads, curves)
    value, resampled = np.full((len(fpr), len(curves)), np.nan), []
    for k, curve_rows in enumerate(rows):
        n_pos, n_neg = _n_reader_units_by_class(cases, curve_rows)
        if n_pos and n_neg:
            curve = ScoredCases(
                scores=cases.scores[[k]][:, curve_rows],
                is_positive=cases.is_positive[curve_rows],
                higher_is_positive=(True,),
            )
            value[:, k] = tpr_at_fpr(curve, [0], fpr)[0]
        if min(n_pos, n_neg) > 1:
            resampled.append(k)
    sigma = np.full((len(fpr), len(curves), len(curves)), np.nan)
    n_redrawn = 0
    if resampled:
        drawn = fixed_fpr_draws(cases, resampled, fpr, plan, [rows[k] for k in resampled])
        n_redrawn, share_units = drawn.n_redrawn, _share_units(cases, [rows[k] for k in resampled])
        for place, draws in enumerate(drawn.values.transpose(1, 0, 2)):
            deviations = draws - draws.mean(axis=1, keepdims=True)
            found = matrix_product_in_blocks(deviations, deviations) / (draws.shape[1] - 1)
            # Curves of different cases are independent: what is left there is Monte-Carlo error.
            sigma[place][np.ix_(resampled, resampled)] = np.where(share_units, found, 0.0)
    shape = reads.pos.shape[:2]
    tables = [ReaderTable(row.reshape(shape), of) for row, of in zip(value, sigma, strict=True)]
    return ReaderRateTables(tables, n_redrawn)


def _scored_cases(reads: Reads, curves: FloatArray) -> ScoredCases:
    """Return positives, then negatives, with one predictor per curve; 0 means no read."""
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


def _share_units(cases: ScoredCases, rows: Sequence[IntArray]) -> BoolArray:
    """Return whether two curves have a case, or cluster, in common."""
    n = len(cases.is_positive)
    codes = np.arange(n) if cases.cluster is None else cases.cluster.codes
    has = np.array(
        [np.bincount(codes[of_curve], minlength=n) > 0 for of_curve in rows], dtype=np.float64
    )
    return np.asarray(matrix_product_in_blocks(has, has) > 0)


def _n_reader_units_by_class(cases: ScoredCases, rows: IntArray) -> tuple[int, int]:
    """Return the numbers of positives and negatives, or of clusters with one."""
    codes = rows if cases.cluster is None else cases.cluster.codes[rows]
    pos, neg = (codes[cases.is_positive[rows] == positive] for positive in (True, False))
    return len(np.unique(pos)), len(np.unique(neg))


# --- DeLong's covariance, also with clusters ------------------------------------------------------


def reader_delong(reads: Reads, influence: ReaderInfluence, over: AreaRange) -> FloatArray:
    """Return DeLong's covariance; with clusters that of Obuchowski (1997).

    Two curves share the cases that both have (Zhou & Gatsonis 1996).
    """
    # Each value carries the root of the factor of its own curve, as in
    # rocstats.estimate.covariance: no contrast has a negative variance then.
    if reads.pos_cluster is None or reads.neg_cluster is None:
        sides = (influence.pos, influence.n_pos), (influence.neg, influence.n_neg)
        scaled = [_times_root_small_sample_factor(values, size) for values, size in sides]
        return np.asarray(sum(matrix_product_in_blocks(values, values) for values in scaled))
    return _obuchowski_reader_covariance(reads, influence, reads.pos_cluster, reads.neg_cluster)


def _obuchowski_reader_covariance(
    reads: Reads, influence: ReaderInfluence, pos_cluster: IntArray, neg_cluster: IntArray
) -> FloatArray:
    n_clusters = 1 + max(pos_cluster.max(initial=-1), neg_cluster.max(initial=-1))
    sums, present = [], []
    for values, ratings, cluster in (
        (influence.pos, reads.pos, pos_cluster),
        (influence.neg, reads.neg, neg_cluster),
    ):
        read = ~np.isnan(ratings.reshape(len(values), -1))
        sums.append(_reader_influence_sums_by_cluster(values, cluster, n_clusters))
        present.append(_reader_influence_sums_by_cluster(read, cluster, n_clusters) > 0)
    pos, neg = (
        _times_root_small_sample_factor(side, np.count_nonzero(has, axis=1))
        for side, has in zip(sums, present, strict=True)
    )
    of_any = np.count_nonzero(present[0] | present[1], axis=1)
    mixed = matrix_product_in_blocks(
        _times_root_small_sample_factor(sums[0], of_any),
        _times_root_small_sample_factor(sums[1], of_any),
    )
    return np.asarray(
        matrix_product_in_blocks(pos, pos) + matrix_product_in_blocks(neg, neg) + mixed + mixed.T
    )


def _reader_influence_sums_by_cluster(
    values: FloatArray | BoolArray, cluster: IntArray, n_clusters: int
) -> FloatArray:
    """Return the sums of each row by cluster."""
    sums = [np.bincount(cluster, row, n_clusters) for row in values]
    return np.stack(sums).astype(np.float64, copy=False)


def _times_root_small_sample_factor(values: FloatArray, sizes: FloatArray | IntArray) -> FloatArray:
    """Return the values of each curve times the root of n / (n - 1)."""
    return np.asarray(values * np.sqrt(small_sample_factors_of_curves(sizes)))


# --- Jackknife covariance -------------------------------------------------------------------------


def reader_jackknife(reads: Reads, influence: ReaderInfluence, over: AreaRange) -> FloatArray:
    """Return (G - 1)/G times the sum of products of the areas without each of G units.

    A unit is a case or a cluster; a curve that did not read it keeps its area. Only partial areas,
    and areas without a cluster, are computed again.
    """
    units, n_units = _jackknife_units(reads, influence)
    if over.full and reads.pos_cluster is None:
        without = _changes_without_cases(influence)
    else:
        without = np.stack(list(_areas_without_units(reads, over, units, n_units)))
        without -= influence.theta.reshape(-1, 1)
    kept = without[:, _sampled_units(influence, units, n_units)]
    n_kept = kept.shape[1]
    kept = kept - kept.mean(axis=1, keepdims=True)
    return matrix_product_in_blocks(kept, kept) / small_sample_factor(n_kept)


def _jackknife_units(reads: Reads, influence: ReaderInfluence) -> tuple[IntArray, int]:
    """Return the unit of each positive, then of each negative, and the number of units."""
    m, n = influence.pos.shape[1], influence.neg.shape[1]
    if reads.pos_cluster is None or reads.neg_cluster is None:
        return np.arange(m + n), m + n
    labels, units = np.unique(
        np.concatenate([reads.pos_cluster, reads.neg_cluster]), return_inverse=True
    )
    return units.ravel(), len(labels)


def _sampled_units(influence: ReaderInfluence, units: IntArray, n_units: int) -> IntArray:
    """Return the units with a case of a class whose cases differ under some curve.

    A rate has one class: the other is a pair of marks at the threshold, which are no sample.
    """
    m = influence.pos.shape[1]
    pos, neg = (
        (units[:m], influence.pos, influence.n_pos),
        (units[m:], influence.neg, influence.n_neg),
    )
    # A single case, which does not differ either, is a sample without a variance.
    of_class = [of for of, values, size in (pos, neg) if values.any() or np.any(size == 1)]
    return np.unique(np.concatenate(of_class)) if of_class else np.arange(n_units)


def _changes_without_cases(influence: ReaderInfluence) -> FloatArray:
    """Return the change of each area when a case is left out: -I m/(m - 1)."""
    sides = (influence.pos, influence.n_pos), (influence.neg, influence.n_neg)
    return np.concatenate(
        [-small_sample_factors_of_curves(size) * values for values, size in sides], 1
    )


def _areas_without_units(
    reads: Reads, over: AreaRange, units: IntArray, n_units: int
) -> Iterator[FloatArray]:
    """Yield for each curve its area without each unit."""
    for x, y in zip(*reader_ratings_by_curve(reads), strict=True):
        score = np.concatenate([x, y])
        read = ~np.isnan(score)
        is_positive = (np.arange(len(score)) < len(x))[read]
        if not 0 < np.count_nonzero(is_positive) < len(is_positive):
            yield np.full(n_units, np.nan)
            continue
        counts, codes = count_scores_with_codes(LabelledScores(score[read], is_positive))
        if over.full:
            yield _areas_without_clusters(counts, codes, is_positive, units[read], n_units)
        else:
            yield _partial_areas_without_units(
                counts, codes, is_positive, units[read], n_units, over
            )


def _areas_without_clusters(
    counts: ScoreCounts,
    codes: CodeArray,
    is_positive: BoolArray,
    units: IntArray,
    n_units: int,
) -> FloatArray:
    """Return the area without each cluster, from sums of pairs.

    The pairs of its positives and those of its negatives are lost; those inside it are in both.
    """
    m, n = counts.total_pos, counts.total_neg
    v10, v01 = placements(counts)
    # Twice a number of pairs, in which ties count one half, is whole.
    of_pos, of_neg = np.rint(2 * n * v10), np.rint(2 * m * v01)
    by_row = np.where(is_positive, of_pos.take(codes), of_neg.take(codes))
    pairs = weighted_sum(counts.n_pos, of_pos)
    lost = np.bincount(units, by_row, n_units) - _ordered_pairs_inside_clusters(
        codes, is_positive, units, n_units
    )
    left_pos = m - np.bincount(units, is_positive, n_units)
    left_neg = n - np.bincount(units, ~is_positive, n_units)
    # Without the only cluster of a class there is no area: 0 / 0.
    with np.errstate(invalid="ignore"):
        return np.asarray((pairs - lost) / (2 * left_pos * left_neg))


def _ordered_pairs_inside_clusters(
    codes: CodeArray, is_positive: BoolArray, units: IntArray, n_units: int
) -> FloatArray:
    """Return twice the number of ordered pairs inside each cluster, ties counting one half."""
    # Cells are the distinct scores of a cluster, from the most positive down.
    cells, cell = np.unique(units * (np.int64(codes.max()) + 1) + codes, return_inverse=True)
    of_unit = cells // (codes.max() + 1)
    n_pos, n_neg = (
        np.bincount(cell.ravel(), side, len(cells)) for side in (is_positive, ~is_positive)
    )
    through = np.cumsum(n_neg)
    ends = np.cumsum(np.bincount(units, ~is_positive, n_units))
    below = ends[of_unit] - through
    twice = n_pos * (2 * below + n_neg)
    return np.bincount(of_unit, twice, n_units).astype(np.float64, copy=False)


def _partial_areas_without_units(
    counts: ScoreCounts,
    codes: CodeArray,
    is_positive: BoolArray,
    units: IntArray,
    n_units: int,
    over: AreaRange,
) -> FloatArray:
    """Return the partial area without each unit, computed again from the counts that are left."""
    order = np.argsort(units, kind="stable")
    present, starts = np.unique(units[order], return_index=True)
    without = np.full(n_units, partial_area(counts, over))
    # Cases with the same score leave the same counts.
    areas: dict[bytes, float] = {}
    for unit, rows in zip(present, np.split(order, starts[1:]), strict=True):
        lost = np.sort(2 * codes[rows] + is_positive[rows])
        if lost.tobytes() not in areas:
            areas[lost.tobytes()] = _partial_area_without_cases(counts, lost, over)
        without[unit] = areas[lost.tobytes()]
    return without / over.width


def _partial_area_without_cases(counts: ScoreCounts, lost: CodeArray, over: AreaRange) -> float:
    """Return the partial area without cases, given as 2 x code + 1 if positive."""
    d = len(counts.score)
    n_neg, n_pos = (
        whole - np.bincount(lost[lost % 2 == side] // 2, minlength=d)
        for side, whole in enumerate((counts.n_neg, counts.n_pos))
    )
    left = n_neg + n_pos > 0
    if not (n_pos.any() and n_neg.any()):
        return np.nan
    return partial_area(ScoreCounts(counts.score[left], n_pos[left], n_neg[left]), over)


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
        reader_jackknife,
        "by the jackknife",
        ("hillis-2005",),
    ),
    ReaderCovariance("delong", reader_delong, "by the method of DeLong et al", ("delong-1988",)),
    ReaderCovariance(
        "unbiased",
        lambda reads, *_: unbiased_reader_covariance(reads),
        "by U-statistics",
        ("gallas-2006",),
        clusters=False,
        partial=False,
    ),
    ReaderCovariance(
        "bootstrap",
        lambda reads, *_: ideal_bootstrap_reader_covariance(reads),
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
        " covariances of the readers estimated by the bootstrap of cases, as a rate read from a"
        " curve has no jackknife variance",
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
