"""What bands resample: curves read at false positive rates, and the limit process of a curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocstats.sample.counts import ScoreCounts
from rocstats.sample.sample import Sample
from rocstats.sample.vectors import FloatArray
from rocstats.stats.resampling import chunks, stream
from rocstats.stats.resampling_counts import draw_weights
from rocstats.stats.resampling_curves import tpr_draws

_CASES_PER_SCORE = 10
_SAME_COUNT = 1e-9

Cells = npt.NDArray[np.int64] | FloatArray
"""What resamples have of one class at each distinct score, a row a resample."""


@dataclass(frozen=True, eq=False)
class CurveDraws:
    """TPRs of resampled curves (n_resamples x g), and how many lacked a class and were redrawn."""

    tpr: FloatArray
    n_redrawn: int


def curve_draws(
    sample: Sample,
    k: int,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> CurveDraws:
    """Return resampled curves of predictor ``k`` at increasing FPRs; folds are pooled.

    A curve is read at the top of its vertical steps and along the sloped segments of ties. Classes
    are resampled apart, clusters whole. Where no score is common to both classes curves are steps,
    which cost nothing per case (engine E3); else the count table is drawn if it is short (E2), and
    cases if it is not (E1).
    """
    if sample.cluster is not None or sample.sample_weight is not None:
        return case_curves(sample, k, fpr, n_resamples, seed, progress=progress)
    counts = sample.counts(k)
    if not np.any((counts.n_pos > 0) & (counts.n_neg > 0)):
        return CurveDraws(tpr_draws(counts, fpr, n_resamples, seed, progress=progress), 0)
    cases = counts.total_pos + counts.total_neg
    if sample.frequency is not None or cases > _CASES_PER_SCORE * len(counts.score):
        return CurveDraws(table_curves(counts, fpr, n_resamples, seed, progress=progress), 0)
    return case_curves(sample, k, fpr, n_resamples, seed, progress=progress)


def table_curves(
    counts: ScoreCounts,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> FloatArray:
    """Return n_resamples x g TPRs, both classes multinomial over the distinct scores (E2)."""
    m, n = counts.total_pos, counts.total_neg
    of_pos, of_neg = stream(*seed, 1), stream(*seed, 0)
    draws = np.empty((n_resamples, len(fpr)))
    for part in chunks(n_resamples, len(counts.score), progress=progress):
        size = part.stop - part.start
        pos = of_pos.multinomial(int(m), counts.n_pos / m, size=size)
        neg = of_neg.multinomial(int(n), counts.n_neg / n, size=size)
        draws[part] = _read(pos, neg, fpr)
    return draws


def case_curves(
    sample: Sample,
    k: int,
    fpr: FloatArray,
    n_resamples: int,
    seed: tuple[int, ...],
    *,
    progress: bool = False,
) -> CurveDraws:
    """Return curves of resampled cases of each class, or of resampled clusters (E1).

    Resamples of clusters that lack a class are drawn again.
    """
    positive, codes = sample.is_positive, sample.codes(k)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    is_pos = positive[order].astype(np.float64)
    stratified = sample.cluster is None
    rng = stream(*seed, 2)
    draws = np.empty((n_resamples, len(fpr)))
    n_kept = n_redrawn = 0
    for part in chunks(n_resamples, len(codes), progress=progress):
        while n_kept < part.stop:
            weights = draw_weights(rng, sample, part.stop - n_kept, stratified=stratified)
            weights = weights.take(order, axis=1)
            pos = np.add.reduceat(weights * is_pos, starts, axis=1)
            neg = np.add.reduceat(weights * (1 - is_pos), starts, axis=1)
            whole = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
            kept = int(whole.sum())
            draws[n_kept : n_kept + kept] = _read(pos[whole], neg[whole], fpr)
            n_kept += kept
            n_redrawn += len(whole) - kept
    return CurveDraws(draws, n_redrawn)


def _read(pos: Cells, neg: Cells, fpr: FloatArray) -> FloatArray:
    """Return the TPR of each row's curve at each FPR, all rows in one search."""
    fp, tp = _vertices(neg), _vertices(pos)
    size, width = fp.shape
    rows = np.arange(size)[:, np.newaxis]
    offset = rows * (fp[:, -1].max(initial=0.0) + 1)
    wanted = fpr * fp[:, -1:]
    last = np.searchsorted((fp + offset).ravel(), wanted + offset + _SAME_COUNT, "right") - 1
    following = np.minimum(last + 1, rows * width + width - 1)
    start, foot = fp.take(last), tp.take(last)
    beyond, gap = wanted - start, fp.take(following) - start
    sloped = (beyond > _SAME_COUNT) & (gap > 0)
    share = np.divide(beyond, gap, out=np.zeros(wanted.shape), where=sloped)
    return np.asarray((foot + share * (tp.take(following) - foot)) / tp[:, -1:])


def _vertices(cells: Cells) -> FloatArray:
    """Return cumulated counts from 0 on, a row a resample."""
    cumulated = np.zeros((len(cells), cells.shape[1] + 1))
    np.cumsum(cells, axis=1, out=cumulated[:, 1:])
    return cumulated


def limit_process_sups(
    fpr: FloatArray,
    tpr: FloatArray,
    slope: FloatArray,
    n_pos: float,
    n_neg: float,
    n_paths: int,
    seed: tuple[int, ...],
) -> FloatArray:
    """Return the largest abs(G)/sd over the FPRs of each path of the limit process of a curve.

    G(t) = B1(R(t))/sqrt(m) + r(t) B0(t)/sqrt(n), with independent Brownian bridges and r the slope
    of the curve R. The rates increase; where sd is 0 the path is 0.
    """
    sd = limit_process_sd(fpr, tpr, slope, n_pos, n_neg)
    of_pos, of_neg = stream(*seed, 1), stream(*seed, 0)
    sups = np.empty(n_paths)
    for part in chunks(n_paths, len(fpr) + 1):
        size = part.stop - part.start
        path = _bridges(of_pos, tpr, size) / np.sqrt(n_pos)
        path += slope * _bridges(of_neg, fpr, size) / np.sqrt(n_neg)
        scaled = np.divide(np.abs(path), sd, out=np.zeros(path.shape), where=sd > 0)
        sups[part] = scaled.max(axis=1)
    return sups


def limit_process_sd(
    fpr: FloatArray, tpr: FloatArray, slope: FloatArray, n_pos: float, n_neg: float
) -> FloatArray:
    """Return the standard deviation of the limit process of a curve at each FPR."""
    variance = tpr * (1 - tpr) / n_pos + slope**2 * fpr * (1 - fpr) / n_neg
    return np.asarray(np.sqrt(variance))


def _bridges(rng: np.random.Generator, at: FloatArray, size: int) -> FloatArray:
    """Return size Brownian bridges at increasing times in [0, 1]."""
    steps = np.sqrt(np.diff(at, prepend=0.0, append=1.0))
    motion = np.cumsum(rng.standard_normal((size, len(at) + 1)) * steps, axis=1)
    return np.asarray(motion[:, :-1] - at * motion[:, -1:])
